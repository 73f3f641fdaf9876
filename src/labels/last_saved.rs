//! The last event of a journal that was saved from this folder, noted outside the journal: whole lines that go from its end, when
//! the file is cut or an earlier copy takes its place, leave no trace in what stays.
//!
//! `.dejaview/journals/<annotator>.last` is one line: number, checksum and time of the event. It is written once the event is on the
//! disk, so it never tells of one that was not saved. A note that is not there, or cannot be read, says nothing.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::reading::{Parsed, Problem};
use super::storage::put_in_place;
use dejaview_base::system;

/// The ending of these notes.
const ENDING: &str = "last";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LastSaved {
    pub(super) seq: u64,
    pub(super) crc: u32,
    pub(super) time: String,
}

impl LastSaved {
    /// The note on the journal whose file has this name, without its ending.
    pub(super) fn read(study: &Path, stem: &str) -> Option<Self> {
        Self::parse(&system::read_text(&path(study, stem)).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let (seq, rest) = text.strip_suffix('\n')?.split_once(' ')?;
        let (crc, time) = rest.split_once(' ')?;
        Some(Self { seq: seq.parse().ok()?, crc: u32::from_str_radix(crc, 16).ok()?, time: time.to_owned() })
    }

    /// Keeps it in the place of the one before. Where that fails nothing is known of later events, and nothing is lost.
    pub(super) fn write(&self, study: &Path, stem: &str) {
        let _ = put_in_place(&path(study, stem), self.to_string().as_bytes(), false);
    }

    /// That a journal lacks the event.
    pub(super) fn problem(&self, study: &Path, stem: &str, journal: &Parsed) -> Option<Problem> {
        let Self { seq, crc, time } = self;
        (!journal.known.contains(&(*seq, *crc))).then(|| Problem::EndIsGone {
            line: journal.lines + 1,
            seq: *seq,
            time: time.clone(),
            note: path(study, stem),
        })
    }
}

impl fmt::Display for LastSaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {:08x} {}", self.seq, self.crc, self.time)
    }
}

fn folder(study: &Path) -> PathBuf {
    study.join(".dejaview").join("journals")
}

fn path(study: &Path, stem: &str) -> PathBuf {
    folder(study).join(format!("{stem}.{ENDING}"))
}

/// A journal that was saved from this folder and is not there any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RemovedJournal {
    /// Name of the file.
    pub file: String,
    /// Time of its last event.
    pub time: String,
    /// The file that knows of it.
    pub note: PathBuf,
}

impl RemovedJournal {
    /// What that means for whoever uses the labels.
    pub fn sentence(&self) -> String {
        format!(
            "{} is gone with labels that were saved here until {}; bring it back, or remove {} if that is meant",
            self.file,
            self.time,
            self.note.display()
        )
    }
}

/// Journals of the study in `study` that were removed, by name of their files.
pub fn removed_journals(study: &Path) -> Vec<RemovedJournal> {
    let entries = fs::read_dir(folder(study)).into_iter().flatten().flatten();
    let removed = entries.filter_map(|entry| {
        let name = entry.file_name();
        let stem = name.to_str()?.strip_suffix(ENDING)?.strip_suffix('.')?;
        let file = format!("{stem}.jsonl");
        let is_there = study.join("labels").join(&file).symlink_metadata().is_ok();
        let last = LastSaved::read(study, stem).filter(|_| !is_there)?;
        Some(RemovedJournal { file, time: last.time, note: entry.path() })
    });
    let mut removed: Vec<RemovedJournal> = removed.collect();
    removed.sort_by(|a, b| a.file.cmp(&b.file));
    removed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_anything_else_says_nothing() {
        let study = tempfile::tempdir().unwrap();
        let last = LastSaved { seq: 120, crc: 0x0bad_cafe, time: "2012-01-01T00:00:00.000Z".to_owned() };
        last.write(study.path(), "zoë%20b");
        assert_eq!(LastSaved::read(study.path(), "zoë%20b"), Some(last));
        assert_eq!(LastSaved::read(study.path(), "ann"), None);
        let removed = removed_journals(study.path());
        assert!(matches!(&removed[..], [one] if one.file == "zoë%20b.jsonl" && one.note.is_file()), "{removed:?}");
        fs::create_dir(study.path().join("labels")).unwrap();
        fs::write(study.path().join("labels").join("zoë%20b.jsonl"), "").unwrap();
        assert_eq!(removed_journals(study.path()), []);
        for text in ["", "120 0badcafe", "120 0badcafe 2012", "x 0badcafe 2012\n", "120 nothex 2012\n"] {
            assert_eq!(LastSaved::parse(text), None, "{text:?}");
        }
    }
}
