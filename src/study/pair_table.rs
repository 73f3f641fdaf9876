//! All pairs of a study as one table: each pair once, with the configurations that found it.
//!
//! A row costs 24 bytes beside the files of pairs. Sorting and filtering give a list of row numbers and touch no row that
//! is not asked for.

use std::cmp::Ordering;
use std::ops::Range;

use super::filter::Filter;
use super::session::OpenPairs;
use super::standing::Standings;
use crate::matching::import::Imported;
use crate::matching::pairs::{Pair, PairsFile, merge};

/// What a table can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// Source id, then target id.
    #[default]
    Source,
    /// Target id, then source id.
    Target,
    /// Highest headline Jaccard first.
    Jaccard,
    /// Lowest distance first, of the configurations that found the pair.
    Distance,
    /// Most alike in length first.
    Length,
    /// Found by most configurations first.
    Agreement,
}

impl Sort {
    /// All of them, in the order in which a key goes through them.
    pub const ALL: [Self; 6] =
        [Self::Source, Self::Target, Self::Jaccard, Self::Distance, Self::Length, Self::Agreement];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
            Self::Jaccard => "Jaccard",
            Self::Distance => "distance",
            Self::Length => "length ratio",
            Self::Agreement => "agreement",
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Row {
    file: u32,
    row: u32,
    /// Lowest distance that a configuration saw.
    distance: u16,
    /// Bit c: configuration c found it.
    found: u64,
}

/// All pairs.
#[derive(Debug, Default)]
pub struct PairTable {
    files: Vec<OpenPairs>,
    configurations: Vec<String>,
    rows: Vec<Row>,
    n: usize,
    standings: Standings,
}

impl PairTable {
    /// Of the files of all configurations. `n` is that of the headline Jaccard. Configurations beyond the 64th count
    /// with the 64th.
    pub fn new(files: Vec<OpenPairs>, configurations: Vec<String>, n: usize) -> Self {
        let place = |name: &str| configurations.iter().position(|c| c == name).unwrap_or_default().min(63);
        let bits: Vec<u64> = files.iter().map(|open| 1 << place(&open.configuration)).collect();
        let borrowed: Vec<&PairsFile> = files.iter().map(|open| &open.file).collect();
        let mut rows: Vec<Row> = Vec::new();
        let mut last: Option<(&str, &str)> = None;
        for merged in merge(&borrowed) {
            let ids = (merged.pair.source, merged.pair.target);
            let bit = bits[merged.file];
            match rows.last_mut() {
                Some(row) if last == Some(ids) => {
                    row.found |= bit;
                    row.distance = row.distance.min(merged.pair.distance);
                }
                _ => rows.push(Row {
                    file: merged.file as u32,
                    row: merged.row as u32,
                    distance: merged.pair.distance,
                    found: bit,
                }),
            }
            last = Some(ids);
        }
        let standings = Standings::new(configurations.len());
        Self { files, configurations, rows, n, standings }
    }

    /// Different pairs.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Names of the configurations, in the order of the study.
    pub fn configurations(&self) -> &[String] {
        &self.configurations
    }

    pub(super) fn standings(&self) -> &Standings {
        &self.standings
    }

    /// Names of the segments, ascending.
    pub fn segments(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.files.iter().map(|open| open.segment.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// n of the headline Jaccard.
    pub fn n(&self) -> usize {
        self.n
    }

    /// The pair in a row.
    pub fn pair(&self, row: usize) -> Pair<'_> {
        let Row { file, row, .. } = self.rows[row];
        self.files[file as usize].file.pair(row as usize)
    }

    /// Name of the segment of a row's target.
    pub fn segment(&self, row: usize) -> &str {
        &self.files[self.rows[row].file as usize].segment
    }

    /// Whether configuration `c` found the pair.
    pub fn found_by(&self, row: usize, c: usize) -> bool {
        self.rows[row].found >> c.min(63) & 1 == 1
    }

    /// Bit c: configuration c found the pair.
    pub fn found(&self, row: usize) -> u64 {
        self.rows[row].found
    }

    /// How many configurations found the pair.
    pub fn agreement(&self, row: usize) -> u32 {
        self.rows[row].found.count_ones()
    }

    /// Whether both texts were there to be compared; imported pairs need not have any.
    pub fn compared(&self, row: usize) -> bool {
        self.pair(row).compared()
    }

    /// What the files say of a pair that was imported: the highest score and the first place, whatever configuration.
    pub fn imported(&self, row: usize) -> Option<Imported> {
        let pair = self.pair(row);
        let mut said: Option<Imported> = None;
        for open in self.files.iter().filter(|open| open.segment == self.segment(row)) {
            let same =
                open.file.rows_of_source(pair.source).map(|i| open.file.pair(i)).find(|p| p.target == pair.target);
            if let Some(other) = same.and_then(|p| p.imported) {
                said = Some(said.map_or(other, |said| Imported {
                    score: [said.score, other.score].into_iter().flatten().reduce(f64::max),
                    rank: said.rank.min(other.rank),
                }));
            }
        }
        said
    }

    /// Headline Jaccard.
    pub fn jaccard(&self, row: usize) -> f64 {
        self.pair(row).scores().jaccard(self.n).unwrap_or_default()
    }

    /// The configurations that found the pair, with the distance that each saw.
    pub fn distances(&self, row: usize) -> Vec<(&str, u16)> {
        let pair = self.pair(row);
        let segment = self.segment(row);
        let mut distances = Vec::new();
        for open in self.files.iter().filter(|open| open.segment == segment) {
            let rows = open.file.rows_of_source(pair.source);
            if let Some(found) = rows.map(|i| open.file.pair(i)).find(|other| other.target == pair.target) {
                distances.push((open.configuration.as_str(), found.distance));
            }
        }
        distances
    }

    /// Lowest distance that a configuration saw.
    pub fn distance(&self, row: usize) -> u16 {
        self.rows[row].distance
    }

    /// Rows of one source document.
    pub fn rows_of_source(&self, id: &str) -> Range<usize> {
        let start = self.rows.partition_point(|row| self.source(row) < id);
        let end = start + self.rows[start..].partition_point(|row| self.source(row) == id);
        start..end
    }

    /// The row of a pair.
    pub fn find(&self, source: &str, target: &str) -> Option<usize> {
        self.rows_of_source(source).find(|&row| self.pair(row).target == target)
    }

    fn source(&self, row: &Row) -> &str {
        let file = &self.files[row.file as usize].file;
        file.source_id(file.numbers(row.row as usize).0 as usize)
    }

    /// Pairs and different source documents of each configuration.
    pub fn counts(&self) -> Vec<(u64, u64)> {
        let mut counts = vec![(0, 0); self.configurations.len()];
        let mut last: Vec<Option<&str>> = vec![None; self.configurations.len()];
        for row in &self.rows {
            let source = self.source(row);
            for (c, (count, last)) in counts.iter_mut().zip(&mut last).enumerate() {
                if row.found >> c.min(63) & 1 == 1 {
                    count.0 += 1;
                    count.1 += u64::from(*last != Some(source));
                    *last = Some(source);
                }
            }
        }
        counts
    }

    /// Numbers of the rows that pass the filter, sorted.
    pub fn arrange(&self, filter: &Filter, sort: Sort) -> Vec<u32> {
        let mut rows: Vec<u32> =
            (0..self.rows.len()).filter(|&row| filter.admits(self, row)).map(|row| row as u32).collect();
        match sort {
            Sort::Source => {}
            Sort::Target => rows.sort_by_cached_key(|&row| self.pair(row as usize).target.to_owned()),
            Sort::Jaccard => self.descending(&mut rows, |row| self.jaccard(row)),
            Sort::Length => self.descending(&mut rows, |row| self.pair(row).scores().length_ratio),
            Sort::Distance => rows.sort_by_key(|&row| self.distance(row as usize)),
            Sort::Agreement => self.descending(&mut rows, |row| f64::from(self.agreement(row))),
        }
        rows
    }

    /// Highest value first, equal ones in the order they had.
    fn descending(&self, rows: &mut Vec<u32>, value: impl Fn(usize) -> f64) {
        let mut keyed: Vec<(f64, u32)> = rows.iter().map(|&row| (value(row as usize), row)).collect();
        keyed.sort_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(Ordering::Equal));
        *rows = keyed.into_iter().map(|(_, row)| row).collect();
    }
}
