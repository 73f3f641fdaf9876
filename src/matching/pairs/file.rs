//! Reads one file of pairs: whole, and checked.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::Pair;
use super::columns::{Cursor, groups, u16_at, u32_at, u64_at};
use super::documents::{Documents, five};
use super::file_bytes::FileBytes;
use super::fold::{DocumentPair, Fold, PairFilter};
use super::write::{BOTH, GROUPS, HEADER, IMPORTED, MAGIC, VERSION};
use crate::groups::Groups;
use crate::import::Imported;
use crate::{DocumentNumber, GroupNumber, MatchingError};
use dejaview_methods::Side;
use dejaview_methods::measures::{Common, Counts, LENGTHS};

const CHECKSUM: usize = 8;

/// A file of pairs, open.
#[derive(Debug)]
pub struct PairsFile {
    path: PathBuf,
    bytes: FileBytes,
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
    /// For the documents of each side, whether they are on both sides; `None` when none is.
    both: Option<[Range<usize>; 2]>,
    folded: Option<Folded>,
}

/// What a file has whose rows are pairs of groups.
#[derive(Debug)]
struct Folded {
    fold: Fold,
    /// The rows in the order of the fold.
    order: Vec<u32>,
    /// Group of each document of a side, and how many groups there are.
    group_of: [(Vec<GroupNumber>, usize); 2],
    urls: [Range<usize>; 2],
}

impl PairsFile {
    /// Reads and checks a file.
    pub fn open(path: &Path) -> Result<Self, MatchingError> {
        let read = FileBytes::read(path, CHECKSUM);
        let (bytes, checksum) =
            read.map_err(|why| MatchingError::File { doing: "reading", path: path.to_owned(), why })?;
        Self::checked(path, bytes, checksum)
    }

    /// Checks what a file holds.
    pub(super) fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, MatchingError> {
        let (bytes, checksum) = FileBytes::in_memory(bytes, CHECKSUM);
        Self::checked(path, bytes, checksum)
    }

    /// Checks bytes whose checksum is this one.
    fn checked(path: &Path, bytes: FileBytes, checksum: u64) -> Result<Self, MatchingError> {
        let damaged = |what| MatchingError::Damaged { path: path.to_owned(), what };
        let body = bytes.len().checked_sub(CHECKSUM).filter(|&b| b >= HEADER).ok_or(damaged("it is too short"))?;
        if bytes[..8] != *MAGIC {
            return Err(damaged("it does not begin as one"));
        }
        if u32_at(&bytes, &(8..12), 0) != VERSION {
            return Err(damaged("another version wrote it"));
        }
        if u64_at(&bytes, &(body..bytes.len()), 0) != checksum {
            return Err(damaged("its checksum is wrong"));
        }
        Self::columns(path, bytes, body).ok_or(damaged("its columns do not fit"))
    }

    /// The checksum that it ends with, which was found right.
    pub fn checksum(&self) -> u64 {
        u64_at(&self.bytes, &(self.bytes.len() - CHECKSUM..self.bytes.len()), 0)
    }

    fn columns(path: &Path, bytes: FileBytes, body: usize) -> Option<Self> {
        let counts = [12, 16].map(|at| u32_at(&bytes, &(at..at + 4), 0) as usize);
        let rows = usize::try_from(u64_at(&bytes, &(20..28), 0)).ok()?;
        let mut cursor = Cursor { bytes: &bytes[..body], at: HEADER };
        let sources = Documents::read(&mut cursor, counts[0])?;
        let targets = Documents::read(&mut cursor, counts[1])?;
        let (source, target) = (cursor.column(rows, 4)?, cursor.column(rows, 4)?);
        let (distance, same_url) = (cursor.column(rows, 2)?, cursor.column(rows, 1)?);
        let grams = five(|| cursor.column(rows, 4))?;
        let (spaced, dot) = (cursor.column(rows, 4)?, cursor.column(rows, 8)?);
        let flags = u32_at(&bytes, &(28..32), 0);
        if flags & !(IMPORTED | BOTH | GROUPS) != 0 {
            return None;
        }
        let imported = match flags & IMPORTED {
            0 => None,
            _ => Some([cursor.column(rows, 8)?, cursor.column(rows, 4)?]),
        };
        let both = match flags & BOTH {
            0 => None,
            _ => Some([cursor.column(counts[0], 1)?, cursor.column(counts[1], 1)?]),
        };
        let grouped = match flags & GROUPS {
            0 => None,
            _ => {
                let groups = [groups(&mut cursor, counts[0])?, groups(&mut cursor, counts[1])?];
                Some((groups, [cursor.column(counts[0], 8)?, cursor.column(counts[1], 8)?]))
            }
        };
        let named = grouped.as_ref().map_or(counts, |(groups, _)| [groups[0].len(), groups[1].len()]);
        let inside =
            |column: &Range<usize>, count: usize| (0..rows).all(|i| (u32_at(&bytes, column, i) as usize) < count);
        if cursor.at != body || !inside(&source, named[0]) || !inside(&target, named[1]) {
            return None;
        }
        let path = path.to_owned();
        let mut file = Self {
            folded: None,
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
            both,
        };
        file.folded = grouped.map(|(groups, urls)| file.fold(&groups, urls));
        Some(file)
    }

    /// Lays the document pairs of rows out that are pairs of groups.
    fn fold(&self, groups: &[Groups; 2], urls: [Range<usize>; 2]) -> Folded {
        let rows: Vec<(GroupNumber, GroupNumber)> = (0..self.rows).map(|row| self.row(row)).collect();
        let behind = |id: &str| {
            let target = first_after(self.targets(), |i| self.target_id(DocumentNumber::at(i)) > id);
            DocumentNumber::at(target)
        };
        let from = |source: DocumentNumber| match self.both(Side::Source, source) {
            true => behind(self.source_id(source)),
            false => DocumentNumber::default(),
        };
        let filter = match self.joins_itself() {
            false => PairFilter::default(),
            true => PairFilter {
                from: DocumentNumber::all(self.sources()).map(from).collect(),
                both: DocumentNumber::all(self.targets()).map(|target| self.both(Side::Target, target)).collect(),
            },
        };
        let group_of = [(self.sources(), &groups[0]), (self.targets(), &groups[1])].map(|(count, groups)| {
            let mut group_of = vec![GroupNumber::default(); count];
            for (group, members) in GroupNumber::all(groups.len()).zip(groups.iter()) {
                members.iter().for_each(|member| group_of[member.index()] = group);
            }
            (group_of, groups.len())
        });
        let (fold, order) = Fold::new(&groups[0], &groups[1], &rows, filter);
        Folded { fold, order, group_of, urls }
    }

    /// Gives memory back that looking at pairs has taken; looking at them takes it again.
    pub fn give_back(&self) {
        self.bytes.give_back();
    }

    /// Where it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn len(&self) -> usize {
        self.folded.as_ref().map_or(self.rows, |folded| folded.fold.len() as usize)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether rows are pairs of groups, and may stand for many document pairs.
    pub fn is_folded(&self) -> bool {
        self.folded.is_some()
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The groups that a row is a pair of. Where no document has the same text as another, each is a group by itself and has
    /// its number.
    #[inline]
    pub fn row(&self, row: usize) -> (GroupNumber, GroupNumber) {
        (u32_at(&self.bytes, &self.source, row).into(), u32_at(&self.bytes, &self.target, row).into())
    }

    pub fn documents(&self, side: Side) -> usize {
        match side {
            Side::Source => self.sources(),
            Side::Target => self.targets(),
        }
    }

    /// How many groups the documents of a side make.
    pub fn groups(&self, side: Side) -> usize {
        self.folded.as_ref().map_or(self.documents(side), |folded| folded.group_of[side as usize].1)
    }

    /// The group of a document.
    pub fn group_of(&self, side: Side, document: DocumentNumber) -> GroupNumber {
        let alone = || GroupNumber::at(document.index());
        self.folded.as_ref().map_or_else(alone, |folded| folded.group_of[side as usize].0[document.index()])
    }

    /// All groups of the documents of a side.
    pub fn all_groups(&self, side: Side) -> Groups {
        let documents = DocumentNumber::all(self.documents(side));
        let numbers: Vec<GroupNumber> = documents.map(|document| self.group_of(side, document)).collect();
        Groups::of_numbers(&numbers, self.groups(side))
    }

    /// For a source document the targets that it has pairs with, where rows are pairs of groups.
    pub fn targets_of(&self, source: DocumentNumber) -> Option<impl Iterator<Item = DocumentNumber>> {
        let rows = self.folded.as_ref()?.fold.rows_of(source);
        Some(rows.flat_map(|(_, [free, both])| free.iter().chain(both).copied()))
    }

    /// The documents of pair `i`, and its row.
    #[inline]
    fn at(&self, i: usize) -> DocumentPair {
        match &self.folded {
            Some(folded) => {
                let at = folded.fold.at(i as u64);
                DocumentPair { row: folded.order[at.row as usize], ..at }
            }
            None => {
                let (source, target) = self.row(i);
                let only = |group: GroupNumber| DocumentNumber::at(group.index());
                DocumentPair { source: only(source), target: only(target), row: i as u32 }
            }
        }
    }

    pub fn sources(&self) -> usize {
        self.sources.count
    }

    pub fn targets(&self) -> usize {
        self.targets.count
    }

    /// Id of a source document; they ascend.
    pub fn source_id(&self, source: DocumentNumber) -> &str {
        self.sources.id(&self.bytes, source.index())
    }

    /// Id of a target document; they ascend.
    pub fn target_id(&self, target: DocumentNumber) -> &str {
        self.targets.id(&self.bytes, target.index())
    }

    /// Numbers of the source and the target document of pair `i`.
    #[inline]
    pub fn numbers(&self, i: usize) -> (DocumentNumber, DocumentNumber) {
        let DocumentPair { source, target, .. } = self.at(i);
        (source, target)
    }

    pub fn id(&self, side: Side, document: DocumentNumber) -> &str {
        match side {
            Side::Source => self.source_id(document),
            Side::Target => self.target_id(document),
        }
    }

    pub fn pair(&self, i: usize) -> Pair<'_> {
        let DocumentPair { source, target, row } = self.at(i);
        self.pair_of(row as usize, source, target)
    }

    /// The pair of two documents that a row stands for.
    pub fn pair_of(&self, row: usize, source: DocumentNumber, target: DocumentNumber) -> Pair<'_> {
        let counts = self.counts_of(row, source, target);
        Pair {
            source: self.source_id(source),
            target: self.target_id(target),
            distance: self.distance(row),
            same_url: self.same_url(row, source, target),
            source_profile: self.sources.profile(&self.bytes, source.index()),
            target_profile: self.targets.profile(&self.bytes, target.index()),
            common: Common {
                grams: [0, 1, 2, 3, 4].map(|n| counts.common(n)),
                spaced: counts.common_spaced(),
                dot: counts.dot(),
            },
            both: [self.both(Side::Source, source), self.both(Side::Target, target)],
            imported: self.imported(row),
        }
    }

    /// The distance of the pairs that a row stands for.
    pub fn distance(&self, row: usize) -> u16 {
        u16_at(&self.bytes, &self.distance, row)
    }

    /// The counts of two documents that a row stands for; no more of the pair is read than is asked for.
    #[inline]
    pub fn counts_of(&self, row: usize, source: DocumentNumber, target: DocumentNumber) -> RowCounts<'_> {
        RowCounts { file: self, row, source: source.index(), target: target.index() }
    }

    /// The pair of two other documents of the groups of a pair of this file. All else is the same.
    pub fn like<'f>(&'f self, pair: &Pair<'f>, source: DocumentNumber, target: DocumentNumber) -> Pair<'f> {
        let Some(folded) = &self.folded else { return *pair };
        Pair {
            source: self.source_id(source),
            target: self.target_id(target),
            same_url: self.same_urls(folded, source, target),
            both: [self.both(Side::Source, source), self.both(Side::Target, target)],
            ..*pair
        }
    }

    /// Whether a document stands on both sides.
    pub fn both(&self, side: Side, document: DocumentNumber) -> bool {
        self.both.as_ref().is_some_and(|both| self.bytes[both[side as usize].start + document.index()] == 1)
    }

    /// Whether any document stands on both sides.
    pub fn joins_itself(&self) -> bool {
        self.both.is_some()
    }

    /// Whether its pairs were imported.
    pub fn is_imported(&self) -> bool {
        self.imported.is_some()
    }

    fn same_url(&self, row: usize, source: DocumentNumber, target: DocumentNumber) -> bool {
        match &self.folded {
            Some(folded) => self.same_urls(folded, source, target),
            None => self.bytes[self.same_url.start + row] == 1,
        }
    }

    fn same_urls(&self, Folded { urls, .. }: &Folded, source: DocumentNumber, target: DocumentNumber) -> bool {
        let url = |side: Side, document: DocumentNumber| u64_at(&self.bytes, &urls[side as usize], document.index());
        let [one, other] = [url(Side::Source, source), url(Side::Target, target)];
        one != 0 && one == other
    }

    fn imported(&self, row: usize) -> Option<Imported> {
        let [score, rank] = self.imported.as_ref()?;
        let score = f64::from_bits(u64_at(&self.bytes, score, row));
        Some(Imported { score: (!score.is_nan()).then_some(score), rank: u32_at(&self.bytes, rank, row) })
    }

    /// All pairs, by source id, then target id.
    pub fn pairs(&self) -> impl Iterator<Item = Pair<'_>> {
        (0..self.len()).map(|i| self.pair(i))
    }

    /// The pair of two documents, if it is here.
    pub fn find(&self, source: &str, target: &str) -> Option<Pair<'_>> {
        let (source, target) = (self.number(Side::Source, source)?, self.number(Side::Target, target)?);
        let row = match &self.folded {
            Some(folded) => {
                let (_, row) = folded.fold.find(source, target)?;
                folded.order[row as usize] as usize
            }
            None => {
                let wanted = (GroupNumber::at(source.index()), GroupNumber::at(target.index()));
                let at = first_after(self.rows, |i| self.row(i) >= wanted);
                (at < self.rows && self.row(at) == wanted).then_some(at)?
            }
        };
        Some(self.pair_of(row, source, target))
    }

    /// The number of the document of an id, if it is here.
    fn number(&self, side: Side, id: &str) -> Option<DocumentNumber> {
        let at = |i: usize| self.id(side, DocumentNumber::at(i));
        let (count, number) = (self.documents(side), first_after(self.documents(side), |i| at(i) >= id));
        (number < count && at(number) == id).then(|| DocumentNumber::at(number))
    }

    /// The pairs of one source document, as a range of rows.
    pub fn rows_of_source(&self, id: &str) -> Range<usize> {
        let at = |i: usize| self.source_id(DocumentNumber::at(i));
        let source = first_after(self.sources(), |i| at(i) >= id);
        let there = source < self.sources() && at(source) == id;
        let first = |source: usize| match &self.folded {
            Some(folded) => folded.fold.pairs_of_source(DocumentNumber::at(source)).start as usize,
            None => first_after(self.rows, |row| self.row(row).0.index() >= source),
        };
        let start = first(source);
        start..if there { first(source + 1) } else { start }
    }
}

/// The first of some numbers that passes; those behind it pass, too.
fn first_after(count: usize, passes: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high) / 2;
        if passes(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

/// The counts of a pair in the columns of a file.
#[derive(Debug, Clone, Copy)]
pub struct RowCounts<'f> {
    file: &'f PairsFile,
    row: usize,
    source: usize,
    target: usize,
}

impl RowCounts<'_> {
    /// Whether both texts were there to be compared, as [`Pair::compared`] has it.
    #[inline]
    pub fn compared(&self) -> bool {
        self.file.imported.is_none() || self.words(Side::Source) > 0 || self.words(Side::Target) > 0
    }

    #[inline]
    fn of<T>(&self, side: Side, value: impl Fn(&Documents, &[u8], usize) -> T) -> T {
        match side {
            Side::Source => value(&self.file.sources, &self.file.bytes, self.source),
            Side::Target => value(&self.file.targets, &self.file.bytes, self.target),
        }
    }
}

impl Counts for RowCounts<'_> {
    #[inline]
    fn words(&self, side: Side) -> u32 {
        self.of(side, Documents::words)
    }

    #[inline]
    fn size(&self, side: Side, length: usize) -> u32 {
        self.of(side, |documents, bytes, i| documents.size(bytes, length, i))
    }

    #[inline]
    fn spaced(&self, side: Side) -> u32 {
        self.of(side, Documents::spaced)
    }

    #[inline]
    fn norm(&self, side: Side) -> u64 {
        self.of(side, Documents::norm)
    }

    #[inline]
    fn common(&self, length: usize) -> u32 {
        u32_at(&self.file.bytes, &self.file.grams[length], self.row)
    }

    #[inline]
    fn common_spaced(&self) -> u32 {
        u32_at(&self.file.bytes, &self.file.spaced, self.row)
    }

    #[inline]
    fn dot(&self) -> u64 {
        u64_at(&self.file.bytes, &self.file.dot, self.row)
    }
}
