//! One file of pairs: written whole under a temporary name, read whole and checked.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::columns::{Columns, Cursor, u16_at, u32_at, u64_at};
use super::{Found, Pair, Target};
use crate::matching::MatchingError;
use crate::matching::import::Imported;
use crate::matching::source::SourceDocument;
use crate::methods::measures::{Common, LENGTHS, Profile};

pub(super) const MAGIC: &[u8; 8] = b"dejaview";
/// Raised whenever the columns change.
pub(super) const VERSION: u32 = 2;
pub(super) const HEADER: usize = 8 + 4 + 4 + 4 + 8 + 4;
/// Whether the two columns of imported pairs follow.
const IMPORTED: u32 = 1;
const CHECKSUM: usize = 8;

/// Writes the pairs of one configuration and segment, synced and renamed into place, so that a file of this name is
/// always whole. `hits` are (number in `found`, distance), ascending.
pub fn write(
    path: &Path,
    sources: &[SourceDocument],
    targets: &[Target],
    found: &[Found],
    hits: &[(u32, u16)],
) -> Result<(), MatchingError> {
    write_imported(path, sources, targets, Rows { found, hits, imported: &[] })
}

/// The same for pairs that were imported.
pub fn write_imported(
    path: &Path,
    sources: &[SourceDocument],
    targets: &[Target],
    rows: Rows<'_>,
) -> Result<(), MatchingError> {
    let source = |i: u32| (&*sources[i as usize].id, sources[i as usize].profile());
    let target = |i: u32| (&*targets[i as usize].id, targets[i as usize].profile);
    put(path, &rows.encode(source, target))
}

/// The same for documents of which nothing but the id is known; ids ascend.
pub fn write_ids(path: &Path, sources: &[&str], targets: &[&str], rows: Rows<'_>) -> Result<(), MatchingError> {
    let source = |i: u32| (sources[i as usize], Profile::default());
    let target = |i: u32| (targets[i as usize], Profile::default());
    put(path, &rows.encode(source, target))
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), MatchingError> {
    let temporary = path.with_extension("part");
    let failed = |why| MatchingError::File { doing: "writing", path: path.to_owned(), why };
    let put = || -> io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    put().map_err(failed)
}

/// Pairs as they are written.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// All pairs, of which some are written.
    pub found: &'a [Found],
    /// Which: (number in `found`, distance), ascending.
    pub hits: &'a [(u32, u16)],
    /// What their files say, one a hit; empty for pairs that a detector found.
    pub imported: &'a [Imported],
}

impl Rows<'_> {
    pub(super) fn encode<'d>(
        &self,
        source: impl Fn(u32) -> (&'d str, Profile),
        target: impl Fn(u32) -> (&'d str, Profile),
    ) -> Vec<u8> {
        let rows: Vec<(&Found, u16)> = self.hits.iter().map(|&(i, d)| (&self.found[i as usize], d)).collect();
        let used_sources = used(rows.iter().map(|(pair, _)| pair.source));
        let used_targets = used(rows.iter().map(|(pair, _)| pair.target));
        let flags = if self.imported.is_empty() { 0 } else { IMPORTED };
        let mut columns = Columns::default();
        columns.bytes.extend_from_slice(MAGIC);
        columns.bytes.extend_from_slice(&VERSION.to_le_bytes());
        columns.bytes.extend_from_slice(&(used_sources.len() as u32).to_le_bytes());
        columns.bytes.extend_from_slice(&(used_targets.len() as u32).to_le_bytes());
        columns.bytes.extend_from_slice(&(rows.len() as u64).to_le_bytes());
        columns.bytes.extend_from_slice(&flags.to_le_bytes());
        documents(&mut columns, used_sources.iter().map(|&i| source(i)));
        documents(&mut columns, used_targets.iter().map(|&i| target(i)));
        numbers(&mut columns, &rows, [&used_sources, &used_targets]);
        // Not a number stands for no score.
        columns.column(self.imported.iter().map(|row| row.score.unwrap_or(f64::NAN).to_bits().to_le_bytes()));
        columns.column(self.imported.iter().map(|row| row.rank.to_le_bytes()));
        let checksum = xxh3_64(&columns.bytes);
        columns.bytes.extend_from_slice(&checksum.to_le_bytes());
        columns.bytes
    }
}

/// The columns that every pair has.
fn numbers(columns: &mut Columns, rows: &[(&Found, u16)], used: [&[u32]; 2]) {
    let place = |used: &[u32], number: u32| used.binary_search(&number).unwrap_or_default() as u32;
    columns.column(rows.iter().map(|(pair, _)| place(used[0], pair.source).to_le_bytes()));
    columns.column(rows.iter().map(|(pair, _)| place(used[1], pair.target).to_le_bytes()));
    columns.column(rows.iter().map(|(_, distance)| distance.to_le_bytes()));
    columns.column(rows.iter().map(|(pair, _)| [u8::from(pair.same_url)]));
    for i in 0..LENGTHS.len() {
        columns.column(rows.iter().map(|(pair, _)| pair.common.grams[i].to_le_bytes()));
    }
    columns.column(rows.iter().map(|(pair, _)| pair.common.spaced.to_le_bytes()));
    columns.column(rows.iter().map(|(pair, _)| pair.common.dot.to_le_bytes()));
}

fn used(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut used: Vec<u32> = numbers.collect();
    used.sort_unstable();
    used.dedup();
    used
}

fn documents<'a>(columns: &mut Columns, documents: impl Iterator<Item = (&'a str, Profile)> + Clone) {
    columns.strings(documents.clone().map(|(id, _)| id));
    columns.column(documents.clone().map(|(_, p)| p.words.to_le_bytes()));
    for i in 0..LENGTHS.len() {
        columns.column(documents.clone().map(|(_, p)| p.sizes[i].to_le_bytes()));
    }
    columns.column(documents.clone().map(|(_, p)| p.spaced.to_le_bytes()));
    columns.column(documents.map(|(_, p)| p.norm.to_le_bytes()));
}

/// Places of the columns of one side's documents.
#[derive(Debug)]
struct Documents {
    count: usize,
    ends: Range<usize>,
    ids: Range<usize>,
    words: Range<usize>,
    sizes: [Range<usize>; LENGTHS.len()],
    spaced: Range<usize>,
    norm: Range<usize>,
}

/// A file of pairs in memory.
#[derive(Debug)]
pub struct PairsFile {
    path: PathBuf,
    bytes: Vec<u8>,
    rows: usize,
    sources: Documents,
    targets: Documents,
    source: Range<usize>,
    target: Range<usize>,
    distance: Range<usize>,
    same_url: Range<usize>,
    grams: [Range<usize>; LENGTHS.len()],
    spaced: Range<usize>,
    dot: Range<usize>,
    /// Score and place of each pair, where they were imported.
    imported: Option<[Range<usize>; 2]>,
}

impl PairsFile {
    /// Reads and checks a file.
    pub fn open(path: &Path) -> Result<Self, MatchingError> {
        let bytes =
            fs::read(path).map_err(|why| MatchingError::File { doing: "reading", path: path.to_owned(), why })?;
        Self::of_bytes(path, bytes)
    }

    /// Checks what a file holds.
    pub(super) fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, MatchingError> {
        let damaged = |what| MatchingError::Damaged { path: path.to_owned(), what };
        let body = bytes.len().checked_sub(CHECKSUM).filter(|&b| b >= HEADER).ok_or(damaged("it is too short"))?;
        if bytes[..8] != *MAGIC {
            return Err(damaged("it does not begin as one"));
        }
        if u32_at(&bytes, &(8..12), 0) != VERSION {
            return Err(damaged("another version wrote it"));
        }
        if u64_at(&bytes, &(body..bytes.len()), 0) != xxh3_64(&bytes[..body]) {
            return Err(damaged("its checksum is wrong"));
        }
        Self::columns(path, bytes, body).ok_or(damaged("its columns do not fit"))
    }

    fn columns(path: &Path, bytes: Vec<u8>, body: usize) -> Option<Self> {
        let counts = [12, 16].map(|at| u32_at(&bytes, &(at..at + 4), 0) as usize);
        let rows = usize::try_from(u64_at(&bytes, &(20..28), 0)).ok()?;
        let mut cursor = Cursor { bytes: &bytes[..body], at: HEADER };
        let sources = Documents::read(&mut cursor, counts[0])?;
        let targets = Documents::read(&mut cursor, counts[1])?;
        let (source, target) = (cursor.column(rows, 4)?, cursor.column(rows, 4)?);
        let (distance, same_url) = (cursor.column(rows, 2)?, cursor.column(rows, 1)?);
        let grams = five(|| cursor.column(rows, 4))?;
        let (spaced, dot) = (cursor.column(rows, 4)?, cursor.column(rows, 8)?);
        let imported = match u32_at(&bytes, &(28..32), 0) {
            0 => None,
            IMPORTED => Some([cursor.column(rows, 8)?, cursor.column(rows, 4)?]),
            _ => return None,
        };
        let inside =
            |column: &Range<usize>, count: usize| (0..rows).all(|i| (u32_at(&bytes, column, i) as usize) < count);
        if cursor.at != body || !inside(&source, counts[0]) || !inside(&target, counts[1]) {
            return None;
        }
        let path = path.to_owned();
        Some(Self {
            path,
            bytes,
            rows,
            sources,
            targets,
            source,
            target,
            distance,
            same_url,
            grams,
            spaced,
            dot,
            imported,
        })
    }

    /// Where it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Different source documents.
    pub fn sources(&self) -> usize {
        self.sources.count
    }

    /// Different target documents.
    pub fn targets(&self) -> usize {
        self.targets.count
    }

    /// Id of the `i`th source document; ascending.
    pub fn source_id(&self, i: usize) -> &str {
        self.sources.id(&self.bytes, i)
    }

    /// Id of the `i`th target document; ascending.
    pub fn target_id(&self, i: usize) -> &str {
        self.targets.id(&self.bytes, i)
    }

    /// Numbers of the source and the target document of pair `i`.
    pub fn numbers(&self, i: usize) -> (u32, u32) {
        (u32_at(&self.bytes, &self.source, i), u32_at(&self.bytes, &self.target, i))
    }

    /// Distance of pair `i`.
    pub fn distance(&self, i: usize) -> u16 {
        u16_at(&self.bytes, &self.distance, i)
    }

    /// The `i`th pair.
    pub fn pair(&self, i: usize) -> Pair<'_> {
        let (source, target) = self.numbers(i);
        let (source, target) = (source as usize, target as usize);
        Pair {
            source: self.source_id(source),
            target: self.target_id(target),
            distance: u16_at(&self.bytes, &self.distance, i),
            same_url: self.bytes[self.same_url.start + i] == 1,
            source_profile: self.sources.profile(&self.bytes, source),
            target_profile: self.targets.profile(&self.bytes, target),
            common: Common {
                grams: [0, 1, 2, 3, 4].map(|n: usize| u32_at(&self.bytes, &self.grams[n], i)),
                spaced: u32_at(&self.bytes, &self.spaced, i),
                dot: u64_at(&self.bytes, &self.dot, i),
            },
            imported: self.imported(i),
        }
    }

    fn imported(&self, i: usize) -> Option<Imported> {
        let [score, rank] = self.imported.as_ref()?;
        let score = f64::from_bits(u64_at(&self.bytes, score, i));
        Some(Imported { score: (!score.is_nan()).then_some(score), rank: u32_at(&self.bytes, rank, i) })
    }

    /// All pairs, by source id, then target id.
    pub fn pairs(&self) -> impl Iterator<Item = Pair<'_>> {
        (0..self.rows).map(|i| self.pair(i))
    }

    /// The pairs of one source document, as a range of rows.
    pub fn rows_of_source(&self, id: &str) -> Range<usize> {
        let start = self.first_row(|source| source >= id);
        start..self.first_row(|source| source > id).max(start)
    }

    /// The first row whose source passes; those behind it pass too.
    fn first_row(&self, passes: impl Fn(&str) -> bool) -> usize {
        let (mut low, mut high) = (0, self.rows);
        while low < high {
            let middle = (low + high) / 2;
            if passes(self.source_id(self.numbers(middle).0 as usize)) { high = middle } else { low = middle + 1 }
        }
        low
    }
}

fn five<T>(mut make: impl FnMut() -> Option<T>) -> Option<[T; LENGTHS.len()]> {
    Some([make()?, make()?, make()?, make()?, make()?])
}

impl Documents {
    fn read(cursor: &mut Cursor<'_>, count: usize) -> Option<Self> {
        let (ends, ids) = cursor.strings(count)?;
        let words = cursor.column(count, 4)?;
        let sizes = five(|| cursor.column(count, 4))?;
        let (spaced, norm) = (cursor.column(count, 4)?, cursor.column(count, 8)?);
        Some(Self { count, ends, ids, words, sizes, spaced, norm })
    }

    fn id<'a>(&self, bytes: &'a [u8], i: usize) -> &'a str {
        let start = i.checked_sub(1).map_or(0, |before| u64_at(bytes, &self.ends, before) as usize);
        let end = u64_at(bytes, &self.ends, i) as usize;
        // Checked when the file was opened; checked again for want of a promise that the compiler knows.
        std::str::from_utf8(&bytes[self.ids.start + start..self.ids.start + end]).unwrap_or_default()
    }

    fn profile(&self, bytes: &[u8], i: usize) -> Profile {
        Profile {
            words: u32_at(bytes, &self.words, i),
            sizes: [0, 1, 2, 3, 4].map(|n: usize| u32_at(bytes, &self.sizes[n], i)),
            spaced: u32_at(bytes, &self.spaced, i),
            norm: u64_at(bytes, &self.norm, i),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Document, Media};
    use crate::matching::Page;
    use crate::text::Tokens;

    fn source(id: &str) -> SourceDocument {
        let text = "four words are here";
        let mut tokens = Tokens::new();
        tokens.read(text);
        let document =
            Document { id, url: "", date: "", media: Media::Text, charset: None, body: text.as_bytes(), offset: 0 };
        SourceDocument::new(0, &document, &Page { text, tokens: &tokens, charset: "UTF-8" })
    }

    fn example() -> (Vec<SourceDocument>, Vec<Target>, Vec<Found>) {
        let profile = |words| Profile { words, sizes: [words; 5], spaced: 3, norm: 9 };
        let sources = ["a", "ü", "z"].iter().map(|id| source(id)).collect();
        let targets =
            ["p", "q"].iter().map(|id| Target { id: (*id).into(), file: 0, offset: 0, profile: profile(5) }).collect();
        let pair = |source, target, same_url| Found {
            source,
            target,
            same_url,
            common: Common { grams: [3, 2, 1, 0, 0], spaced: 1, dot: 8 },
        };
        (sources, targets, vec![pair(0, 1, false), pair(1, 0, true), pair(1, 1, false)])
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("00.pairs");
        let (sources, targets, found) = example();
        write(&path, &sources, &targets, &found, &[(1, 3), (2, 0)]).unwrap();
        let file = PairsFile::open(&path).unwrap();
        assert_eq!((file.len(), file.sources(), file.targets()), (2, 1, 2), "only documents with a pair here");
        let pair = file.pair(0);
        assert_eq!((pair.source, pair.target, pair.distance, pair.same_url), ("ü", "p", 3, true));
        assert_eq!(pair.common, found[1].common);
        assert_eq!(pair.source_profile, sources[1].profile());
        assert_eq!(pair.target_profile, targets[0].profile);
        assert_eq!(pair.scores().jaccard_1, 3.0 / 6.0, "3 of 4 and 5");
        assert_eq!(file.rows_of_source("ü"), 0..2);
        assert_eq!(file.rows_of_source("a"), 0..0);
        assert!(!folder.path().join("00.part").exists());
    }

    #[test]
    fn imported_pairs_need_no_texts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("imported.pairs");
        let pair = |source, target| Found { source, target, same_url: false, common: Common::default() };
        let imported = [Imported { score: Some(0.25), rank: 7 }, Imported { score: None, rank: 2 }];
        let rows = Rows { found: &[pair(0, 1), pair(1, 0)], hits: &[(0, 3), (1, 0)], imported: &imported };
        write_ids(&path, &["a", "b"], &["p", "q"], rows).unwrap();
        let file = PairsFile::open(&path).unwrap();
        let first = file.pair(0);
        assert_eq!((first.source, first.target, first.distance, first.imported), ("a", "q", 3, Some(imported[0])));
        assert_eq!(file.pair(1).imported, Some(imported[1]));
        assert!(!first.compared());
    }

    #[test]
    fn the_head_of_a_file_is_its_first_pairs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("00.pairs");
        let (sources, targets, found) = example();
        write(&path, &sources, &targets, &found, &[(0, 1), (1, 3), (2, 0)]).unwrap();
        let whole = PairsFile::open(&path).unwrap();
        for most in 0..5 {
            let head = PairsFile::head(&path, most).unwrap();
            assert_eq!((head.rows, head.file.len()), (3, most.min(3)));
            for i in 0..head.file.len() {
                assert_eq!(head.file.pair(i), whole.pair(i));
            }
        }
        let bytes = fs::read(&path).unwrap();
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            let _ = PairsFile::head(&path, 3);
        }
        assert!(PairsFile::head(folder.path(), 3).is_none());
    }

    #[test]
    fn no_pairs_is_a_file_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("00.pairs");
        write(&path, &[], &[], &[], &[]).unwrap();
        assert!(PairsFile::open(&path).unwrap().is_empty());
    }

    #[test]
    fn every_damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("00.pairs");
        let (sources, targets, found) = example();
        write(&path, &sources, &targets, &found, &[(0, 1)]).unwrap();
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(matches!(PairsFile::open(&path), Err(MatchingError::Damaged { .. })), "cut at {length}");
        }
        for place in 0..whole.len() {
            let mut broken = whole.clone();
            broken[place] ^= 0x10;
            fs::write(&path, &broken).unwrap();
            assert!(matches!(PairsFile::open(&path), Err(MatchingError::Damaged { .. })), "flipped at {place}");
        }
    }
}
