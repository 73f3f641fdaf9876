//! The records that a run does not read: counted by reason in memory, listed on disk.
//!
//! There may be more of them than documents, so no list of them is ever held: a [`SkipList`] keeps some thousands, writes
//! them beside its file when there are more, and merges these parts at the end. Records come from many threads; the list goes by
//! file and offset.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::StudyError;
use dejaview_base::escaping::{escape_text, unescape};
use dejaview_base::progress::Progress;
use dejaview_base::system::{self, FileExt};
use dejaview_corpus::Input;
use dejaview_matching::reading::{SkipListener, Skipped};

/// Records that are held before they are written.
const HELD: usize = 1 << 15;

/// A record that a run skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedRecord {
    /// Its segment; empty for the source.
    pub segment: String,
    pub file: String,
    pub offset: u64,
    /// A few words that all records of this kind share.
    pub reason: String,
    /// What was seen in this record.
    pub detail: String,
}

/// What the facts about a part of the study say of records that were not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum SkippedFacts {
    /// How many there are of each reason; a file beside lists them.
    Counted(BTreeMap<String, u64>),
    /// All of them, as version 0.1.0 stored them.
    Listed(Vec<ListedSkip>),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ListedSkip {
    pub(crate) file: String,
    pub(crate) offset: u64,
    pub(crate) reason: String,
    pub(crate) detail: String,
}

impl Default for SkippedFacts {
    fn default() -> Self {
        Self::Counted(BTreeMap::new())
    }
}

impl SkippedFacts {
    /// How many records there are of each reason.
    pub(crate) fn counts(&self) -> BTreeMap<String, u64> {
        match self {
            Self::Counted(counts) => counts.clone(),
            Self::Listed(all) => {
                let mut counts = BTreeMap::new();
                all.iter().for_each(|skip| *counts.entry(skip.reason.clone()).or_default() += 1);
                counts
            }
        }
    }

    /// Shows the records by file and offset, as the list at `path` has them, until `show` returns false.
    pub(crate) fn each(
        &self,
        path: &Path,
        segment: &str,
        show: &mut dyn FnMut(SkippedRecord) -> bool,
    ) -> Result<(), StudyError> {
        let segment = segment.to_owned();
        match self {
            Self::Listed(all) => {
                all.iter().cloned().map(|skip| skip.of(&segment)).all(show);
                Ok(())
            }
            Self::Counted(counts) if counts.is_empty() => Ok(()),
            Self::Counted(_) => {
                let mut read = || -> io::Result<()> {
                    for line in BufReader::new(system::open_file(path)?).lines() {
                        if !show(ListedSkip::read(&line?)?.of(&segment)) {
                            break;
                        }
                    }
                    Ok(())
                };
                read().map_err(|why| StudyError::File { doing: "reading", path: path.to_owned(), why })
            }
        }
    }
}

impl ListedSkip {
    pub(crate) fn new(file: &str, offset: u64, reason: &str, detail: &str) -> Self {
        Self { file: file.to_owned(), offset, reason: reason.to_owned(), detail: detail.to_owned() }
    }

    /// The columns of a list: file, offset, reason, detail.
    fn row(&self) -> String {
        let (file, detail) = (escape_text(&self.file), escape_text(&self.detail));
        format!("{file}\t{}\t{}\t{detail}", self.offset, self.reason)
    }

    fn read(row: &str) -> io::Result<Self> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "a line is not a skipped record");
        let mut columns = row.splitn(4, '\t');
        let mut next = || columns.next().ok_or_else(wrong);
        let (file, offset, reason, detail) = (next()?, next()?, next()?, next()?);
        Ok(Self::new(&unescape(file), offset.parse().map_err(|_| wrong())?, reason, &unescape(detail)))
    }

    fn of(self, segment: &str) -> SkippedRecord {
        let Self { file, offset, reason, detail } = self;
        SkippedRecord { segment: segment.to_owned(), file, offset, reason, detail }
    }
}

/// Writes the table of all records that were not read, part after part; the source has no segment.
pub(crate) fn write_table<'a>(
    path: &Path,
    parts: impl Iterator<Item = (&'a str, &'a SkippedFacts)>,
    list: impl Fn(&str) -> PathBuf,
) -> Result<(), StudyError> {
    let failed = |why| StudyError::File { doing: "writing", path: path.to_owned(), why };
    let temporary = path.with_extension("part");
    let mut file = BufWriter::new(File::create(&temporary).map_err(failed)?);
    let mut written = file.write_all(b"side\tsegment\tfile\toffset\treason\tdetail\n");
    for (segment, skipped) in parts {
        let side = if segment.is_empty() { "source" } else { "target" };
        skipped.each(&list(segment), segment, &mut |skip| {
            let row = ListedSkip::new(&skip.file, skip.offset, &skip.reason, &skip.detail).row();
            written = writeln!(file, "{side}\t{segment}\t{row}");
            written.is_ok()
        })?;
        std::mem::replace(&mut written, Ok(())).map_err(failed)?;
    }
    let finish = || {
        file.into_inner()?.sync_all()?;
        fs::rename(&temporary, path)
    };
    finish().map_err(failed)
}

/// A list that is being made.
pub(crate) struct SkipList<'a> {
    inputs: &'a [Input],
    path: PathBuf,
    progress: &'a Progress,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    counts: BTreeMap<String, u64>,
    /// Rows of the list, each after a key by which they go.
    held: Vec<String>,
    /// Rows that were written, in parts that are sorted.
    parts: Option<Parts>,
    failure: Option<io::Error>,
}

/// Sorted rows on disk.
struct Parts {
    path: PathBuf,
    file: File,
    /// Where each part ends.
    ends: Vec<u64>,
}

impl<'a> SkipList<'a> {
    /// A list for the file at `path`, of records of these files. A failure to write it cancels the work.
    pub(crate) fn new(inputs: &'a [Input], path: PathBuf, progress: &'a Progress) -> Self {
        Self { inputs, path, progress, state: Mutex::default() }
    }

    /// Adds a record; `order` decides before its offset where it stands.
    pub(crate) fn add(&self, order: usize, skip: &ListedSkip) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.counts.get_mut(&skip.reason) {
            Some(count) => *count += 1,
            None => {
                state.counts.insert(skip.reason.clone(), 1);
            }
        }
        state.held.push(format!("{order:08x}{:016x}\t{}", skip.offset, skip.row()));
        if state.held.len() >= HELD
            && let Err(why) = state.spill(&self.path)
        {
            state.failure.get_or_insert(why);
            self.progress.cancel();
        }
    }

    /// Writes the list, and returns how many records there are of each reason.
    pub(crate) fn finish(self) -> Result<SkippedFacts, StudyError> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let failed = |why| StudyError::File { doing: "writing", path: self.path.clone(), why };
        if let Some(why) = state.failure.take() {
            return Err(failed(why));
        }
        state.write(&self.path).map_err(failed)?;
        Ok(SkippedFacts::Counted(state.counts))
    }
}

impl SkipListener for SkipList<'_> {
    fn skipped(&self, skipped: Skipped) {
        let Skipped { file, offset, reason, detail } = skipped;
        self.add(file, &ListedSkip::new(&self.inputs[file].name, offset, reason, &detail));
    }
}

impl State {
    /// Writes the rows that are held as a part.
    fn spill(&mut self, list: &Path) -> io::Result<()> {
        self.held.sort_unstable();
        let parts = match &mut self.parts {
            Some(parts) => parts,
            None => self.parts.insert(Parts::new(list.with_extension("rows.part"))?),
        };
        parts.add(&self.held)?;
        self.held.clear();
        Ok(())
    }

    /// Writes the whole list under a temporary name, and renames it.
    fn write(&mut self, list: &Path) -> io::Result<()> {
        let temporary = list.with_extension("part");
        let mut file = BufWriter::new(File::create(&temporary)?);
        if self.parts.is_some() {
            self.spill(list)?;
        }
        self.held.sort_unstable();
        self.held.iter().try_for_each(|row| write_row(&mut file, row))?;
        if let Some(parts) = self.parts.take() {
            parts.merge(&mut |row| write_row(&mut file, row))?;
            fs::remove_file(&parts.path)?;
        }
        file.into_inner()?.sync_all()?;
        fs::rename(&temporary, list)
    }
}

/// Writes a row without its key.
fn write_row(file: &mut impl Write, row: &str) -> io::Result<()> {
    let (_, row) = row.split_once('\t').unwrap_or_default();
    file.write_all(row.as_bytes())?;
    file.write_all(b"\n")
}

impl Parts {
    fn new(path: PathBuf) -> io::Result<Self> {
        let file = File::options().create(true).truncate(true).read(true).write(true).open(&path)?;
        Ok(Self { path, file, ends: Vec::new() })
    }

    fn add(&mut self, rows: &[String]) -> io::Result<()> {
        let mut end = self.ends.last().copied().unwrap_or_default();
        let mut file = BufWriter::new(&self.file);
        for row in rows {
            file.write_all(row.as_bytes())?;
            file.write_all(b"\n")?;
            end += row.len() as u64 + 1;
        }
        file.flush()?;
        self.ends.push(end);
        Ok(())
    }

    /// Shows the rows of all parts in order.
    fn merge(&self, show: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let mut parts: Vec<_> = starts
            .zip(&self.ends)
            .map(|(&at, &end)| BufReader::new(Part { file: &self.file, at, end }).lines())
            .collect();
        let mut first = BinaryHeap::new();
        for (number, part) in parts.iter_mut().enumerate() {
            first.extend(part.next().transpose()?.map(|row| Reverse((row, number))));
        }
        while let Some(Reverse((row, number))) = first.pop() {
            show(&row)?;
            first.extend(parts[number].next().transpose()?.map(|row| Reverse((row, number))));
        }
        Ok(())
    }
}

/// Some bytes of a file, read from their beginning.
struct Part<'a> {
    file: &'a File,
    at: u64,
    end: u64,
}

impl Read for Part<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = into.len().min((self.end - self.at) as usize);
        let n = self.file.read_at(&mut into[..most], self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_that_of_sorting_it_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("00.skipped");
        let progress = Progress::default();
        let list = SkipList::new(&[], path.clone(), &progress);
        let skip = |i: u64| {
            let (file, reason) = (i * 7_919 % 3, ["empty body", "no id"][(i % 2) as usize]);
            (file as usize, ListedSkip::new(&format!("f {file}\t.warc"), i * 104_729 % 999_983, reason, "x\ny"))
        };
        let mut expected: Vec<(usize, ListedSkip)> = (0..3 * HELD as u64 + 5).map(skip).collect();
        expected.iter().for_each(|(file, skip)| list.add(*file, skip));
        expected.sort_by(|a, b| (a.0, a.1.offset, &a.1.reason).cmp(&(b.0, b.1.offset, &b.1.reason)));
        let facts = list.finish().unwrap();
        let half = (3 * HELD as u64 + 5) / 2;
        assert_eq!(facts.counts(), BTreeMap::from([("empty body".to_owned(), half + 1), ("no id".to_owned(), half)]));
        let mut read = Vec::new();
        facts
            .each(&path, "00", &mut |skip| {
                read.push(skip);
                true
            })
            .unwrap();
        assert_eq!(read, expected.into_iter().map(|(_, skip)| skip.of("00")).collect::<Vec<_>>());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the parts are gone");
    }

    #[test]
    fn lists_of_version_0_1_0_are_read() {
        let stored = r#"[{"file": "a", "offset": 3, "reason": "no id", "detail": "x"}]"#;
        let facts: SkippedFacts = serde_json::from_str(stored).unwrap();
        let mut seen = Vec::new();
        facts
            .each(Path::new("nowhere"), "00", &mut |skip| {
                seen.push((skip.file, skip.offset));
                true
            })
            .unwrap();
        assert_eq!((seen, facts.counts()["no id"]), (vec![("a".to_owned(), 3)], 1));
    }
}
