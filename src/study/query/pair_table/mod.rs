//! All pairs of a study as one table: each pair once, with the configurations that found it.
//!
//! A row costs 12 bytes beside the files of pairs. Sorting and filtering give a list of row numbers and touch no row that
//! is not asked for.

mod arrange;
mod bundles;
mod candidates;
mod ends;
mod finders;
mod folded;
mod merged;
pub mod row;
mod siblings;
mod sorting;
mod values;

pub use arrange::{Arranged, Order, Sort};
pub use bundles::{Bundle, Kind, Source, SpanningPairs};
pub use ends::{DocumentBundle, DocumentKind};
pub use finders::FinderSet;
pub(in crate::query) use values::TOGETHER;

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

use crate::StudyError;
use crate::query::pair_files::{OpenEnds, OpenPairs};
use crate::query::pair_table::row::TableRow;
use crate::recipe::files::IMPORTED;
use dejaview_matching::DocumentNumber;
use dejaview_matching::import::Imported;
use dejaview_matching::pairs::{Merger, Pair, PairsFile, RowCounts};
use dejaview_methods::Side;
use dejaview_methods::measures::{Counts, place_of};
use finders::Finders;
use folded::{Folded, InFile, folded};
use merged::{Rows, merged};
use siblings::Siblings;

#[derive(Debug, Default)]
pub struct PairTable {
    files: Vec<OpenPairs>,
    siblings: Siblings,
    configurations: Vec<String>,
    rows: Vec<TableRow>,
    /// The document pairs that rows stand for, where they are pairs of groups.
    folded: Option<Folded>,
    finders: Finders,
    /// Pairs and different source documents of each configuration.
    counts: Vec<(u64, u64)>,
    n: usize,
    /// For each configuration, and last for all together, the ranks of the rows; see `candidates.rs`.
    candidate_ranks: Vec<OnceLock<Vec<u32>>>,
    /// For each document that stands on both sides the rows whose target it is and whose source stands on both sides too.
    turned: OnceLock<BTreeMap<Box<str>, Vec<u32>>>,
}

impl PairTable {
    /// Merges the files of all configurations, each named in `configurations`. `n` is that of the headline Jaccard.
    pub fn new(files: Vec<OpenPairs>, configurations: Vec<String>, n: usize) -> Self {
        let place = |open: &OpenPairs| configurations.iter().position(|c| *c == open.configuration).unwrap_or_default();
        let places: Vec<usize> = files.iter().map(place).collect();
        let borrowed: Vec<&PairsFile> = files.iter().map(|open| &open.file).collect();
        let (Rows { rows, finders, counts }, folded) = match borrowed.iter().any(|file| file.is_folded()) {
            false => (merged(&Merger::new(&borrowed), &places, configurations.len()), None),
            true => {
                let (rows, folded) = folded(&borrowed, &places, configurations.len());
                (rows, Some(folded))
            }
        };
        let siblings = Siblings::new(&files, &places);
        let candidate_ranks = (0..=configurations.len()).map(|_| OnceLock::new()).collect();
        let turned = OnceLock::new();
        let mut table =
            Self { files, siblings, configurations, rows, folded, finders, counts, n, candidate_ranks, turned };
        if table.folded.is_none() && table.files.iter().any(|open| open.file.joins_itself()) {
            table.count_both();
        }
        table
    }

    /// Counts documents of the source that have a pair as its target, too.
    fn count_both(&mut self) {
        let count = |c: usize| {
            let mut sources = HashSet::new();
            for row in (0..self.len()).filter(|&row| self.found_by(row, c)) {
                sources.extend(self.pair(row).documents());
            }
            sources.len() as u64
        };
        let counts: Vec<u64> = (0..self.configurations.len()).map(count).collect();
        self.counts.iter_mut().zip(counts).for_each(|(counts, sources)| counts.1 = sources);
    }

    /// The first and the last pairs of a study, from the first and the last rows of each file: up to the first pair behind
    /// which a file has rows that were not read, and from the last such pair on. One row between them stands for all
    /// others; its number is returned.
    pub fn ends(ends: Vec<OpenEnds>, configurations: Vec<String>, n: usize) -> (Self, Option<usize>) {
        let ids = |end: &OpenEnds, row: usize| {
            let (source, target) = end.open.file.numbers(row);
            let file = &end.open.file;
            (file.source_id(source).to_owned(), file.target_id(target).to_owned())
        };
        let cut = || ends.iter().filter(|end| (end.open.file.len() as u64) < end.rows);
        let bounds = cut().map(|end| ids(end, end.first - 1)).min().zip(cut().map(|end| ids(end, end.first)).max());
        let files = ends.into_iter().map(|end| end.open).collect();
        let mut table = Self::new(files, configurations, n);
        let Some((low, high)) = bounds else { return (table, None) };
        let place = |row: &TableRow, (source, target): &(String, String)| {
            table.ids_of(row).cmp(&(source.as_str(), target.as_str()))
        };
        let first = table.rows.partition_point(|row| place(row, &low).is_le());
        let last = table.rows.partition_point(|row| place(row, &high).is_lt());
        // The row that stands for the others: the first of them that is here, or the one behind them once more.
        let others = table.rows.get(first).copied();
        table.rows.splice(first..last, others);
        (table, Some(first))
    }

    /// How many different document pairs there are.
    pub fn len(&self) -> usize {
        self.folded.as_ref().map_or(self.rows.len(), |folded| folded.fold.len() as usize)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row that stands for a document pair, and the numbers that its documents have in the row's file.
    #[inline]
    fn locate(&self, i: usize) -> (TableRow, DocumentNumber, DocumentNumber) {
        let Some(folded) = &self.folded else {
            let row = self.rows[i];
            let (source, target) = self.files[row.file as usize].file.numbers(row.row as usize);
            return (row, source, target);
        };
        let at = folded.fold.at(i as u64);
        let row = self.rows[at.row as usize];
        let [source, target] = folded.in_file(row.file, at.source, at.target);
        (row, source, target)
    }

    /// The row that stands for a document pair.
    fn row(&self, i: usize) -> TableRow {
        self.folded.as_ref().map_or_else(|| self.rows[i], |folded| self.rows[folded.fold.at(i as u64).row as usize])
    }

    /// Ids of the source documents, and of the target documents, that have the same texts as those of a pair, these
    /// included. Empty where the table has no such groups.
    pub fn same_text_ids(&self, i: usize) -> [Vec<&str>; 2] {
        let Some(folded) = &self.folded else { return Default::default() };
        let ids = |side: Side, documents: &[DocumentNumber]| -> Vec<&str> {
            documents.iter().map(|document| self.id_of(folded, side, *document)).collect()
        };
        let [sources, targets] = folded.class_members(i);
        [ids(Side::Source, sources), ids(Side::Target, targets)]
    }

    /// How many source documents, and how many target documents, have the same texts as those of a pair.
    pub fn same_text_counts(&self, i: usize) -> [usize; 2] {
        self.folded.as_ref().map_or([1, 1], |folded| folded.class_members(i).map(<[DocumentNumber]>::len))
    }

    /// Names of the configurations, in the order of the study.
    pub fn configurations(&self) -> &[String] {
        &self.configurations
    }

    /// Names of the segments, ascending; behind them that of imported pairs whose documents are nowhere else, where there are any.
    pub fn segments(&self) -> Vec<&str> {
        let read = |open: &&OpenPairs| open.segment != IMPORTED || !open.file.is_empty();
        let mut names: Vec<&str> = self.files.iter().filter(read).map(|open| open.segment.as_str()).collect();
        names.sort_unstable_by_key(|name| (*name == IMPORTED, *name));
        names.dedup();
        names
    }

    /// n of the headline Jaccard.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The pair in a row.
    pub fn pair(&self, row: usize) -> Pair<'_> {
        let (TableRow { file, row, .. }, source, target) = self.locate(row);
        self.files[file as usize].file.pair_of(row as usize, source, target)
    }

    /// Source and target id of a row, without its numbers.
    pub fn ids(&self, row: usize) -> (&str, &str) {
        let (TableRow { file, .. }, source, target) = self.locate(row);
        let file = &self.files[file as usize].file;
        (file.source_id(source), file.target_id(target))
    }

    fn ids_of(&self, row: &TableRow) -> (&str, &str) {
        let TableRow { file, row, .. } = *row;
        let file = &self.files[file as usize].file;
        let (source, target) = file.numbers(row as usize);
        (file.source_id(source), file.target_id(target))
    }

    /// Name of the segment of a row's target.
    pub fn segment(&self, row: usize) -> &str {
        &self.files[self.row(row).file as usize].segment
    }

    /// Whether configuration `c` found the pair.
    pub fn found_by(&self, row: usize, c: usize) -> bool {
        self.finders.has(self.row(row).finders, c)
    }

    /// For a set of configurations: bit i says whether `chosen[i]` is in it. More than 64 have no bits:
    /// `what` compares them, and `way` is what to do then.
    pub(crate) fn found_among(
        &self,
        chosen: &[usize],
        what: &'static str,
        way: &'static str,
    ) -> Result<impl Fn(FinderSet) -> u64 + use<>, StudyError> {
        if chosen.len() > finders::WORD {
            return Err(StudyError::TooMany { what, count: chosen.len(), way });
        }
        let sets = self.finders.among(chosen);
        Ok(move |finders: FinderSet| sets[finders.index()])
    }

    /// For a bundle: whether one of some configurations found its pairs.
    pub(crate) fn found_by_any(&self, chosen: &[usize]) -> impl Fn(&Bundle<'_>) -> bool + use<> {
        let sets = self.finders.any(chosen);
        move |bundle: &Bundle<'_>| sets[bundle.finders().index()]
    }

    /// Whether configuration `c` is in a set.
    pub fn is_finder(&self, finders: FinderSet, c: usize) -> bool {
        self.finders.has(finders, c)
    }

    /// Whether configuration `c` found the pairs of a bundle.
    pub fn bundle_found_by(&self, bundle: &Bundle<'_>, c: usize) -> bool {
        self.finders.has(bundle.finders(), c)
    }

    /// The distance that configuration `c` saw of the pairs of a bundle, if it found them.
    pub fn bundle_distance(&self, bundle: &Bundle<'_>, c: usize) -> Option<u16> {
        self.distance_seen(bundle.row(), c, || (bundle.first_pair.source, bundle.first_pair.target))
    }

    /// The configurations that found the pairs of a bundle.
    pub(crate) fn finders_of(&self, bundle: &Bundle<'_>) -> impl Iterator<Item = usize> {
        let finders = bundle.finders();
        (0..self.configurations.len()).filter(move |c| self.finders.has(finders, *c))
    }

    /// How many configurations found the pair.
    pub fn agreement(&self, row: usize) -> u32 {
        self.finders.count(self.row(row).finders)
    }

    /// Whether both texts were there to be compared; imported pairs need not have any.
    pub fn compared(&self, row: usize) -> bool {
        self.counts_of(row).compared()
    }

    /// Score and rank of an imported pair of a segment, as the files of these configurations give them: of several the highest
    /// score and the first rank. Files of imported pairs group no documents, so what holds for one pair of a bundle holds for
    /// all.
    pub(crate) fn imported_by(&self, chosen: &[usize], pair: &Pair<'_>, segment: &str) -> Option<Imported> {
        let is_chosen = |open: &OpenPairs| chosen.iter().any(|c| self.configurations[*c] == open.configuration);
        let imported = self.files.iter().filter(|open| open.segment == segment && open.file.is_imported());
        let files = imported.filter(|open| is_chosen(open));
        let values = files.map(|open| open.file.find(pair.source, pair.target).and_then(|pair| pair.imported));
        values.reduce(Imported::either).flatten()
    }

    /// The counts of a row, of which its file is asked for no more than is wanted.
    #[inline]
    fn counts_of(&self, row: usize) -> RowCounts<'_> {
        let (TableRow { file, row, .. }, source, target) = self.locate(row);
        self.files[file as usize].file.counts_of(row as usize, source, target)
    }

    /// The headline Jaccard as it is shown; none where no texts were compared.
    pub fn shown_jaccard(&self, row: usize) -> Option<f64> {
        let counts = self.counts_of(row);
        let place = place_of(self.n).filter(|_| counts.compared())?;
        Some(counts.jaccard(place))
    }

    /// The headline Jaccard; 0 where no texts were compared.
    pub fn jaccard(&self, row: usize) -> f64 {
        place_of(self.n).map(|place| self.counts_of(row).jaccard(place)).unwrap_or_default()
    }

    /// The configurations that found the pair, with the distance that each saw.
    pub fn distances(&self, row: usize) -> Vec<(&str, u16)> {
        let seen = |(c, name)| Some((name, self.distance_by(row, c)?));
        self.configurations.iter().map(String::as_str).enumerate().filter_map(seen).collect()
    }

    /// The distance that configuration `c` saw, if it found the pair.
    pub fn distance_by(&self, row: usize, c: usize) -> Option<u16> {
        self.distance_seen(self.row(row), c, || self.ids(row))
    }

    /// The distance that configuration `c` saw of the pairs that a row stands for, if it found them. Where the row is in the
    /// file of another configuration, one of the pairs is looked up by its ids.
    fn distance_seen<'i>(&self, row: TableRow, c: usize, ids: impl FnOnce() -> (&'i str, &'i str)) -> Option<u16> {
        let file = row.file as usize;
        if !self.finders.has(row.finders, c) {
            return None;
        }
        if self.siblings.configuration(file) == c {
            return Some(self.files[file].file.distance(row.row as usize));
        }
        let (source, target) = ids();
        let mut files = self.siblings.of(file, c).iter().map(|file| &self.files[*file].file);
        files.find_map(|file| file.find(source, target)).map(|found| found.distance)
    }

    /// Rows of one source document.
    pub fn rows_of_source(&self, id: &str) -> Range<usize> {
        if let Some(folded) = &self.folded {
            let range =
                self.number_of(folded, Side::Source, id).map_or(0..0, |source| folded.fold.pairs_of_source(source));
            return range.start as usize..range.end as usize;
        }
        let start = self.rows.partition_point(|row| self.source(row) < id);
        let end = start + self.rows[start..].partition_point(|row| self.source(row) == id);
        start..end
    }

    /// The row of a pair. Two documents that stand on both sides are one pair, whichever is named first.
    pub fn find(&self, source: &str, target: &str) -> Option<usize> {
        let row = |source: &str, target: &str| match &self.folded {
            None => {
                // Rows of a source are in the order of their targets.
                let rows = self.rows_of_source(source);
                let before = self.rows[rows.clone()].partition_point(|row| self.ids_of(row).1 < target);
                let row = rows.start + before;
                (rows.contains(&row) && self.ids(row).1 == target).then_some(row)
            }
            Some(folded) => {
                let source = self.number_of(folded, Side::Source, source)?;
                let target = self.number_of(folded, Side::Target, target)?;
                folded.fold.find(source, target).map(|(row, _)| row as usize)
            }
        };
        row(source, target).or_else(|| row(target, source).filter(|&row| self.pair(row).both == [true, true]))
    }

    /// The number of the document of an id.
    fn number_of(&self, folded: &Folded, side: Side, id: &str) -> Option<DocumentNumber> {
        folded.side(side).find(id, |origin| self.id_in_file(side, origin))
    }

    /// The id of the document of a number.
    fn id_of(&self, folded: &Folded, side: Side, document: DocumentNumber) -> &str {
        self.id_in_file(side, folded.side(side).origin(document))
    }

    fn id_in_file(&self, side: Side, InFile { file, document }: InFile) -> &str {
        self.files[file as usize].file.id(side, document)
    }

    /// The files that its pairs are from.
    pub(crate) fn files(&self) -> &[OpenPairs] {
        &self.files
    }

    fn source(&self, row: &TableRow) -> &str {
        let file = &self.files[row.file as usize].file;
        file.source_id(file.numbers(row.row as usize).0)
    }

    /// Pairs and different source documents of each configuration.
    pub fn counts(&self) -> Vec<(u64, u64)> {
        self.counts.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_matching::pairs::{Ends, FoundPair, PairRows, write_ids};
    use dejaview_methods::measures::Common;

    /// Files of two configurations and two segments, with pairs that both, one, or none of them have.
    fn written(folder: &std::path::Path) -> Vec<(String, String, std::path::PathBuf)> {
        let sources: Vec<String> = (0..9).map(|i| format!("s{i}")).collect();
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        let mut files = Vec::new();
        for (c, configuration) in ["one", "two"].into_iter().enumerate() {
            for segment in 0..2 {
                let targets: Vec<String> = (0..5).map(|i| format!("t{segment}{i}")).collect();
                let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
                let pairs = (0..9u32).flat_map(|source| (0..5u32).map(move |target| (source, target)));
                let pairs = pairs.filter(|(s, t)| (s * 7 + t * 3 + segment + c as u32) % 4 < 2);
                let pair = |(source, target): (u32, u32)| FoundPair::<DocumentNumber> {
                    source: source.into(),
                    target: target.into(),
                    same_url: false,
                    common: Common::default(),
                };
                let found: Vec<FoundPair<DocumentNumber>> = pairs.map(pair).collect();
                let hits: Vec<(u32, u16)> = (0..found.len() as u32).map(|i| (i, (i * 7 + c as u32) as u16)).collect();
                let path = folder.join(format!("{configuration}-{segment}.pairs"));
                write_ids(&path, &sources, &targets, PairRows::found(&found, &hits)).unwrap();
                files.push((configuration.to_owned(), segment.to_string(), path));
            }
        }
        files
    }

    #[test]
    fn the_ends_of_a_table_are_its_first_and_last_rows() {
        let folder = tempfile::tempdir().unwrap();
        let files = written(folder.path());
        let names = || vec!["one".to_owned(), "two".to_owned()];
        let open =
            |file| |(c, s, _): &(String, String, _)| OpenPairs { configuration: c.clone(), segment: s.clone(), file };
        let whole = files.iter().map(|written| open(PairsFile::open(&written.2).unwrap())(written)).collect();
        let whole = PairTable::new(whole, names(), 1);
        let row = |table: &PairTable, row: usize| {
            let (source, target) = table.ids(row);
            (source.to_owned(), target.to_owned(), table.found_by(row, 0), table.found_by(row, 1))
        };
        for most in 1..12 {
            let ends = files.iter().map(|written| {
                let Ends { file, first, rows } = PairsFile::ends(&written.2, most).unwrap();
                OpenEnds { open: open(file)(written), first, rows }
            });
            let (table, gap) = PairTable::ends(ends.collect(), names(), 1);
            let Some(gap) = gap else {
                assert_eq!(table.len(), whole.len());
                continue;
            };
            assert!(gap >= most && table.len() > gap + most, "{most}");
            assert!((0..gap).all(|i| row(&table, i) == row(&whole, i)), "{most}");
            let last = (gap + 1..table.len()).rev().zip((0..whole.len()).rev());
            assert!(last.into_iter().all(|(i, j)| row(&table, i) == row(&whole, j)), "{most}");
        }
    }

    #[test]
    fn distances_are_those_of_the_files() {
        let folder = tempfile::tempdir().unwrap();
        let open = |(configuration, segment, path): &(String, String, std::path::PathBuf)| OpenPairs {
            configuration: configuration.clone(),
            segment: segment.clone(),
            file: PairsFile::open(path).unwrap(),
        };
        let files = written(folder.path());
        let names = || vec!["one".to_owned(), "two".to_owned()];
        let table = PairTable::new(files.iter().map(open).collect(), names(), 1);
        let mut seen = [0; 3];
        for row in 0..table.len() {
            let ((source, target), segment) = (table.ids(row), table.segment(row));
            let expected = |name: &String| {
                let mut files =
                    table.files().iter().filter(|open| open.segment == segment && open.configuration == *name);
                Some((name.clone(), files.find_map(|open| open.file.find(source, target))?.distance))
            };
            let expected: Vec<(String, u16)> = names().iter().filter_map(expected).collect();
            seen[expected.len()] += 1;
            let found = table.distances(row).into_iter().map(|(name, distance)| (name.to_owned(), distance));
            assert_eq!(found.collect::<Vec<_>>(), expected, "row {row}");
        }
        assert!(seen[0] == 0 && seen[1] > 0 && seen[2] > 0, "{seen:?}");
    }

    #[test]
    fn more_than_64_configurations_are_refused_not_ignored() {
        let all: Vec<usize> = (0..65).collect();
        let table = PairTable::default();
        assert!(table.found_among(&all[1..], "figures", "").is_ok());
        let error = table.found_among(&all, "figures", "name some with --configuration").err().unwrap().to_string();
        let expected = "figures compare at most 64 configurations; this study has 65: name some with --configuration";
        assert_eq!(error, expected);
    }
}
