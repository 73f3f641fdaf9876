//! Which documents of the source may have a pair, where neither side fits in memory?
//!
//! Both sides are read once and sketched. What is kept of a document is a row for each of its keys, of each configuration:
//! the key, the sketch where it is short, and two hashes that say which document it is. Rows are sorted on disk
//! ([`SortedRuns`]), so that those with one key come together, and only they are compared. Sketches that are the same are
//! compared once, however many documents have them: copies of one page cost no more than their rows.
//!
//! The answer may have documents too many, never too few: long sketches are not compared here, and documents are known by a
//! hash of their id. Whoever passes the target against the documents that are left finds the same pairs as against all.
//!
//! Memory: what is asked for, 8 bytes a document of the source, and the rows of one key.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::extracted::Extractor;
use super::reading::{SkipListener, Unlisted, Visitor, visit};
use super::repeats;
use super::runs::SortedRuns;
use super::source::{Join, ReadOptions, sketch_all};
use super::{Configuration, MatchingError};
use dejaview_base::hash;
use dejaview_corpus::{Document, Input, SkipReason};
use dejaview_methods::{Method, Shape};

/// Words of the longest sketch that is part of a row; a longer one would be written once for each of its keys.
const LONG: usize = 16;
/// Most comparisons of different sketches for one key. A key that asks for more is shared by so many documents that it says
/// nothing; it is listed and not looked at.
const MOST_COMPARISONS: u64 = 1 << 32;
/// Bytes of rows that a thread collects before it hands them over.
const BATCH: usize = 256 << 10;

/// How two corpora are joined.
#[derive(Debug, Clone, Copy)]
pub struct CorporaOptions<'a> {
    /// What makes a document of the target one of the source, which is not its pair.
    pub join: Join,
    /// Folder for sorted rows; made and removed.
    pub folder: &'a Path,
    /// Bytes of memory for rows.
    pub memory: usize,
}

/// The documents of the source that may have a pair.
#[derive(Debug, Default)]
pub struct PairedSources {
    hashes: HashSet<u64>,
    /// Documents of the source, those that repeat the id of another left out.
    pub documents: u64,
    /// Keys that so many documents share that they were not looked at.
    pub capped: Vec<CappedKey>,
    /// Bytes of rows that did not fit in memory.
    pub spilled: u64,
}

/// A key that too many documents share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CappedKey {
    /// Name of the configuration.
    pub configuration: String,
    pub key: u64,
    /// Different sketches with this key in the source, and in the target.
    pub sketches: [u64; 2],
}

impl PairedSources {
    /// Reads both sides, the source as `options` say and as far as it is `wanted`, and finds the documents.
    pub fn find(
        options: ReadOptions<'_>,
        wanted: &(dyn Fn(&str) -> bool + Sync),
        target: &[Input],
        order: CorporaOptions<'_>,
    ) -> Result<Self, MatchingError> {
        let failed = |why| MatchingError::File { doing: "sorting sketches in", path: order.folder.to_owned(), why };
        let rows = Rows { runs: Mutex::new(Ok(SortedRuns::new(order.folder, order.memory).map_err(failed)?)) };
        let sketch = |inputs: &[Input], side, wanted, skips: &dyn SkipListener| -> Result<Vec<u64>, MatchingError> {
            let make = || Sketcher::new(options, side, wanted, order.join, &rows);
            let mut visited = visit(inputs, options.threads, options.progress, skips, make)?;
            visited.visitors.iter_mut().for_each(Sketcher::hand_over);
            rows.failure().map_err(failed)?;
            if options.progress.cancelled() {
                return Err(MatchingError::Cancelled);
            }
            Ok(visited.visitors.into_iter().flat_map(|sketcher| sketcher.ids).collect())
        };
        let ids = sketch(options.inputs, Side::Source, wanted, options.skips)?;
        sketch(target, Side::Target, &|_| true, &Unlisted)?;
        let read = ids.len() as u64;
        let documents = read - repeats::find(options, ids, &[])?;
        let runs = rows.runs.into_inner().unwrap_or_else(PoisonError::into_inner).map_err(failed)?;
        let mut found = Self { documents, spilled: runs.written, ..Self::default() };
        let mut bucket = Bucket::default();
        runs.each(|row| {
            let row = Row::read(row).ok_or(io::ErrorKind::InvalidData)?;
            if (row.table, row.key) != (bucket.table, bucket.key) {
                found.join(&mut bucket, options.configurations);
                (bucket.table, bucket.key) = (row.table, row.key);
            }
            bucket.add(&row);
            Ok(())
        })
        .map_err(failed)?;
        found.join(&mut bucket, options.configurations);
        Ok(found)
    }

    /// Whether a document may have a pair.
    pub fn contains(&self, id: &str) -> bool {
        self.hashes.contains(&repeats::id_hash(id))
    }

    /// Looks at the documents that share a key, and empties the bucket.
    fn join(&mut self, bucket: &mut Bucket, configurations: &[Configuration]) {
        let classes = std::mem::take(&mut bucket.classes);
        let (configuration, _) = split_table(bucket.table);
        let Some(configuration) = configurations.get(configuration) else { return };
        let of_target: Vec<&Class> = classes.iter().filter(|class| !class.targets.is_empty()).collect();
        let is_open = |class: &&Class| class.sources.iter().any(|source| !self.hashes.contains(&source.id));
        let of_source: Vec<&Class> = classes.iter().filter(is_open).collect();
        let sketches = [of_source.len() as u64, of_target.len() as u64];
        // The same sketch needs no comparison with others to be found: copies are never left out.
        let capped = sketches[0].saturating_mul(sketches[1]) > MOST_COMPARISONS;
        if capped {
            let (configuration, key) = (configuration.name.clone(), bucket.key);
            self.capped.push(CappedKey { configuration, key, sketches });
        }
        for class in of_source {
            let has_pair = |other: &&Class| {
                let is_same = std::ptr::eq(class, *other);
                class.pairs_with(other) && (is_same || !capped && class.agrees(other, &*configuration.method))
            };
            // Documents with the same text are one group, and all of it is read where one of them has a pair.
            if of_target.iter().any(has_pair) {
                self.hashes.extend(class.sources.iter().map(|source| source.id));
            }
        }
    }
}

/// The documents with one key.
#[derive(Debug, Default)]
struct Bucket {
    table: u32,
    key: u64,
    classes: Vec<Class>,
}

/// The documents with one key and one sketch.
#[derive(Debug)]
struct Class {
    sketch: Vec<u64>,
    sources: Vec<Place>,
    /// Two of them at most: one may be the document that looks for its pair, the other is none then.
    targets: Vec<Place>,
}

impl Class {
    /// Whether there is a document of the source here and one of the target there, and not the same.
    fn pairs_with(&self, other: &Self) -> bool {
        self.sources.iter().any(|source| other.targets.iter().any(|target| target != source))
    }

    fn agrees(&self, other: &Self, method: &dyn Method) -> bool {
        let unknown = self.sketch.is_empty() || other.sketch.is_empty();
        unknown || method.compare(&self.sketch, &other.sketch).is_some()
    }
}

/// A document, by hashes. Two places are equal where the document of the target is that of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    id: u64,
    content: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Source,
    Target,
}

impl Bucket {
    /// Adds a row; those with the same sketch come one after another.
    fn add(&mut self, row: &Row<'_>) {
        let is_next = self.classes.last().is_none_or(|class| !row.has_sketch(&class.sketch));
        if is_next {
            self.classes.push(Class { sketch: row.words().collect(), sources: Vec::new(), targets: Vec::new() });
        }
        let Some(class) = self.classes.last_mut() else { return };
        match row.side {
            Side::Source => class.sources.push(row.place),
            Side::Target if class.targets.len() < 2 && !class.targets.contains(&row.place) => {
                class.targets.push(row.place);
            }
            Side::Target => {}
        }
    }
}

/// A key of a document, as it is sorted: by table, key, sketch and side.
struct Row<'a> {
    /// Number of the configuration and of its table.
    table: u32,
    key: u64,
    sketch: &'a [u8],
    side: Side,
    place: Place,
}

impl<'a> Row<'a> {
    fn write(table: u32, key: u64, sketch: &[u64], side: Side, place: Place, out: &mut Vec<u8>) {
        let sketch = if sketch.len() > LONG { &[] } else { sketch };
        let length = 4 + 8 + 1 + 8 * sketch.len() + 1 + 16;
        out.extend((length as u32).to_le_bytes());
        out.extend(table.to_be_bytes());
        out.extend(key.to_be_bytes());
        // Before the words, so that rows with the same sketch come one after another whatever the lengths of others.
        out.push(sketch.len() as u8);
        sketch.iter().for_each(|word| out.extend(word.to_be_bytes()));
        out.push(side as u8);
        out.extend(place.id.to_be_bytes());
        out.extend(place.content.to_be_bytes());
    }

    fn read(row: &'a [u8]) -> Option<Self> {
        let (table, rest) = row.split_first_chunk()?;
        let (key, rest) = rest.split_first_chunk()?;
        let (_, rest) = rest.split_first()?;
        let (rest, content) = rest.split_last_chunk()?;
        let (rest, id) = rest.split_last_chunk()?;
        let (&side, sketch) = rest.split_last()?;
        let side = if side == Side::Source as u8 { Side::Source } else { Side::Target };
        let place = Place { id: u64::from_be_bytes(*id), content: u64::from_be_bytes(*content) };
        Some(Self { table: u32::from_be_bytes(*table), key: u64::from_be_bytes(*key), sketch, side, place })
    }

    fn words(&self) -> impl Iterator<Item = u64> {
        self.sketch.as_chunks().0.iter().map(|word| u64::from_be_bytes(*word))
    }

    fn has_sketch(&self, words: &[u64]) -> bool {
        self.sketch.len() == 8 * words.len() && self.words().eq(words.iter().copied())
    }
}

/// One number for a configuration and one of its tables.
fn table_number(configuration: usize, table: usize) -> u32 {
    (configuration as u32) << 16 | table as u32
}

fn split_table(number: u32) -> (usize, usize) {
    ((number >> 16) as usize, (number & 0xffff) as usize)
}

/// The rows of all threads.
struct Rows {
    /// Or why they cannot be kept.
    runs: Mutex<io::Result<SortedRuns>>,
}

impl Rows {
    /// Takes rows, each after its length.
    fn take(&self, mut rows: &[u8]) -> bool {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(sorted) = &mut *runs else { return false };
        while let Some((length, rest)) = rows.split_first_chunk() {
            let (row, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
            rows = rest;
            if let Err(why) = sorted.add(row) {
                *runs = Err(why);
                return false;
            }
        }
        true
    }

    fn failure(&self) -> io::Result<()> {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *runs {
            Ok(_) => Ok(()),
            Err(why) => Err(std::mem::replace(why, io::ErrorKind::Other.into())),
        }
    }
}

/// Sketches documents of one side; one a thread.
struct Sketcher<'a> {
    options: ReadOptions<'a>,
    side: Side,
    wanted: &'a (dyn Fn(&str) -> bool + Sync),
    join: Join,
    shared: &'a Rows,
    extractor: Extractor,
    words: Vec<u64>,
    ends: Vec<usize>,
    keys: Vec<u64>,
    rows: Vec<u8>,
    /// Hashes of the ids of the source.
    ids: Vec<u64>,
}

impl<'a> Sketcher<'a> {
    fn new(
        options: ReadOptions<'a>,
        side: Side,
        wanted: &'a (dyn Fn(&str) -> bool + Sync),
        join: Join,
        shared: &'a Rows,
    ) -> Self {
        Self {
            options,
            side,
            wanted,
            join,
            shared,
            extractor: Extractor::new(options.content),
            words: Vec::new(),
            ends: Vec::new(),
            keys: Vec::new(),
            rows: Vec::new(),
            ids: Vec::new(),
        }
    }

    /// Hands the rows to the sorter; where that fails, the work ends.
    fn hand_over(&mut self) {
        if !self.shared.take(&self.rows) {
            self.options.progress.cancel();
        }
        self.rows.clear();
    }

    fn place(&self, document: &Document<'_>) -> Place {
        let content = match self.join {
            Join::ByContent => hash::digest_bits(document.body) as u64,
            Join::Itself => 0,
            Join::Apart => self.side as u64,
        };
        Place { id: repeats::id_hash(document.id), content }
    }

    /// Adds the rows of the sketches at hand.
    fn add_rows(&mut self, place: Place) {
        let mut start = 0;
        for (c, (&end, configuration)) in self.ends.iter().zip(self.options.configurations).enumerate() {
            let sketch = &self.words[start..end];
            start = end;
            if sketch.is_empty() {
                continue;
            }
            self.keys.clear();
            match configuration.method.shape() {
                Shape::Fingerprint(layout) => self.keys.extend(layout.tables().iter().map(|table| table.key(sketch))),
                Shape::Keys => {
                    configuration.method.keys(sketch, &mut self.keys);
                    self.keys.sort_unstable();
                    self.keys.dedup();
                }
                Shape::Others => {}
            }
            let by_table = matches!(configuration.method.shape(), Shape::Fingerprint(_));
            for (number, key) in self.keys.iter().enumerate() {
                let table = table_number(c, if by_table { number } else { 0 });
                Row::write(table, *key, sketch, self.side, place, &mut self.rows);
            }
        }
    }
}

impl Visitor for Sketcher<'_> {
    fn document(&mut self, _: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        if !(self.wanted)(document.id) {
            return Ok(());
        }
        let page = self.extractor.extract(document)?;
        self.words.clear();
        self.ends.clear();
        sketch_all(self.options.configurations, &page.prepared(), &mut self.words, &mut self.ends);
        self.extractor.release(document);
        let place = self.place(document);
        if self.side == Side::Source {
            self.ids.push(place.id);
        }
        self.add_rows(place);
        if self.rows.len() > BATCH {
            self.hand_over();
        }
        Ok(())
    }
}
