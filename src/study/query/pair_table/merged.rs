//! The rows of a table from the files of pairs: stretches of sources merged at once, each pair once.

use std::ops::Range;

use rayon::prelude::*;

use super::finders::{FinderSet, Finders, insert};
use super::row::TableRow;
use dejaview_matching::pairs::{Merger, Place};

/// Stretches of sources for each thread: several, for some have more pairs than others.
const STRETCHES: u32 = 8;

/// Rows with what they need.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) rows: Vec<TableRow>,
    pub(super) finders: Finders,
    /// Pairs and different source documents of each configuration.
    pub(super) counts: Vec<(u64, u64)>,
}

impl Rows {
    fn new(configurations: usize) -> Self {
        Self { rows: Vec::new(), finders: Finders::new(configurations), counts: vec![(0, 0); configurations] }
    }

    /// Puts the rows of the next stretch behind these. No source stands in two stretches, so counts add up.
    fn append(&mut self, next: Self) {
        let numbers: Vec<FinderSet> = next.finders.sets().map(|set| self.finders.number(set)).collect();
        let renumbered = |row: TableRow| TableRow { finders: numbers[row.finders.index()], ..row };
        self.rows.extend(next.rows.into_iter().map(renumbered));
        for (sum, more) in self.counts.iter_mut().zip(next.counts) {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
    }
}

/// The rows that a merger brings together; `places` has the number of each file's configuration.
pub(super) fn merged(merger: &Merger<'_>, places: &[usize], configurations: usize) -> Rows {
    let stretches = STRETCHES * rayon::current_num_threads() as u32;
    let step = merger.sources().div_ceil(stretches).max(1);
    let parts: Vec<Rows> = (0..merger.sources().div_ceil(step))
        .into_par_iter()
        .map(|part| {
            let sources = part * step..((part + 1) * step).min(merger.sources());
            Stretch::new(places, configurations).run(merger, sources)
        })
        .collect();
    let mut all = Rows::new(configurations);
    all.rows.reserve(parts.iter().map(|part| part.rows.len()).sum());
    for part in parts {
        all.append(part);
    }
    all
}

/// One stretch of sources while it is merged.
struct Stretch<'a> {
    places: &'a [usize],
    rows: Rows,
    /// Who found the pair at hand.
    set: Vec<u64>,
    /// The set of the pair previous and its number: mostly the same.
    previous: Option<(Vec<u64>, FinderSet)>,
    /// The last source of each configuration.
    last: Vec<Option<u32>>,
}

impl<'a> Stretch<'a> {
    fn new(places: &'a [usize], configurations: usize) -> Self {
        let rows = Rows::new(configurations);
        Self { places, set: rows.finders.empty(), rows, previous: None, last: vec![None; configurations] }
    }

    fn run(mut self, merger: &Merger<'_>, sources: Range<u32>) -> Rows {
        let mut key = None;
        for place in merger.rows(sources) {
            if key != Some(place.key) {
                self.finish(key);
                self.begin(place);
            }
            key = Some(place.key);
            insert(&mut self.set, self.places[place.file]);
        }
        self.finish(key);
        self.rows
    }

    fn begin(&mut self, place: Place) {
        let (file, row) = (place.file as u32, place.row as u32);
        self.rows.rows.push(TableRow { file, row, finders: FinderSet::default() });
    }

    /// Gives the last row the set of those who found it, and counts it.
    fn finish(&mut self, key: Option<(u32, u32)>) {
        let (Some(row), Some((source, _))) = (self.rows.rows.last_mut(), key) else { return };
        let number = match &self.previous {
            Some((set, number)) if *set == self.set => *number,
            _ => {
                let number = self.rows.finders.number(&self.set);
                self.previous = Some((self.set.clone(), number));
                number
            }
        };
        row.finders = number;
        for (c, (count, last)) in self.rows.counts.iter_mut().zip(&mut self.last).enumerate() {
            if self.rows.finders.has(number, c) {
                *count = (count.0 + 1, count.1 + u64::from(*last != Some(source)));
                *last = Some(source);
            }
        }
        self.set.fill(0);
    }
}
