//! Several files of pairs as one stream, by source id, then target id, then the order in which the files were given.
//!
//! Ids are compared once a document, not once a pair: each document gets its place among all documents of its side, and
//! pairs are put in order by two numbers. So a stretch of sources can be merged by itself, and many stretches at once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::ops::Range;

use super::{Pair, PairsFile};
use crate::{DocumentNumber, GroupNumber};
use dejaview_methods::Side;

/// A pair and the number of the file it comes from.
#[derive(Debug, Clone, Copy)]
pub struct MergedPair<'a> {
    pub file: usize,
    pub row: usize,
    pub pair: Pair<'a>,
}

/// A row of one of several files, by its place among all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Places of the source and the target among all files; equal for the same pair in two files.
    pub key: (u32, u32),
    pub file: usize,
    pub row: usize,
}

/// Rows that are merged ahead of those that were asked for.
const WAITING: usize = 1 << 16;

/// For each file the place of each of its documents, or of its groups, among all of their side.
pub type Places = Vec<Vec<u32>>;

/// Files of pairs with the place of each document among all of them.
#[derive(Debug)]
pub struct Merger<'a> {
    files: &'a [&'a PairsFile],
    sources: Places,
    targets: Places,
    count: u32,
    /// Whether rows are merged and not the document pairs that they stand for.
    by_rows: bool,
}

impl<'a> Merger<'a> {
    /// Compares the ids of all documents.
    pub fn new(files: &'a [&'a PairsFile]) -> Self {
        let ((sources, count), (targets, _)) =
            rayon::join(|| places(files, Side::Source), || places(files, Side::Target));
        Self { files, sources, targets, count, by_rows: false }
    }

    /// Merges the rows themselves, given the numbers of their groups among all `count` groups of the source, and of the
    /// target; those ascend in each file.
    pub fn of_rows(
        files: &'a [&'a PairsFile],
        sources: &[Vec<GroupNumber>],
        targets: &[Vec<GroupNumber>],
        count: usize,
    ) -> Self {
        let places = |groups: &[Vec<GroupNumber>]| -> Places {
            groups.iter().map(|of_file| of_file.iter().map(|group| group.index() as u32).collect()).collect()
        };
        Self { files, sources: places(sources), targets: places(targets), count: count as u32, by_rows: true }
    }

    /// Places of source and target documents.
    pub fn into_places(self) -> (Places, Places) {
        (self.sources, self.targets)
    }

    fn len(&self, file: usize) -> usize {
        if self.by_rows { self.files[file].rows() } else { self.files[file].len() }
    }

    pub fn sources(&self) -> u32 {
        self.count
    }

    /// The rows whose sources have these places, in order.
    pub fn rows(&self, sources: Range<u32>) -> impl Iterator<Item = Place> + '_ {
        let ends: Vec<usize> = (0..self.files.len()).map(|file| self.bound(file, sources.end)).collect();
        let mut heap: BinaryHeap<Reverse<Place>> = (0..self.files.len())
            .map(|file| (file, self.bound(file, sources.start)))
            .filter(|&(file, row)| row < ends[file])
            .map(|(file, row)| Reverse(self.place(file, row)))
            .collect();
        std::iter::from_fn(move || {
            let mut top = heap.peek_mut()?;
            let Reverse(place) = *top;
            if place.row + 1 < ends[place.file] {
                *top = Reverse(self.place(place.file, place.row + 1));
            } else {
                let _ = PeekMut::pop(top);
            }
            Some(place)
        })
    }

    /// The first row of a file whose source has this place or a later one.
    fn bound(&self, file: usize, place: u32) -> usize {
        let (mut low, mut high) = (0, self.len(file));
        while low < high {
            let middle = (low + high) / 2;
            if self.place(file, middle).key.0 >= place { high = middle } else { low = middle + 1 }
        }
        low
    }

    /// Sources from one on, as many as have no more than [`WAITING`] rows together, and one at least.
    fn stretch(&self, start: u32) -> Range<u32> {
        let bounds = |place: u32| (0..self.files.len()).map(|file| self.bound(file, place)).sum::<usize>();
        let (before, mut end) = (bounds(start), start.saturating_add(1024).min(self.count));
        while end - start > 1 && bounds(end) - before > WAITING {
            end = start + (end - start) / 2;
        }
        start..end
    }

    fn place(&self, file: usize, row: usize) -> Place {
        let (source, target) = match self.by_rows {
            true => {
                let (source, target) = self.files[file].row(row);
                (source.index(), target.index())
            }
            false => {
                let (source, target) = self.files[file].numbers(row);
                (source.index(), target.index())
            }
        };
        let key = (self.sources[file][source], self.targets[file][target]);
        Place { key, file, row }
    }
}

/// For each file the place of each of its documents among the different ids of all files, and how many those are.
fn places(files: &[&PairsFile], side: Side) -> (Places, u32) {
    let id = |file: usize, i: usize| {
        let file = files[file];
        (i < file.documents(side)).then(|| file.id(side, DocumentNumber::at(i)))
    };
    let mut places: Places = vec![Vec::new(); files.len()];
    let mut heap: BinaryHeap<Reverse<(&str, usize)>> =
        (0..files.len()).filter_map(|file| Some(Reverse((id(file, 0)?, file)))).collect();
    let (mut count, mut last) = (0u32, None);
    while let Some(mut top) = heap.peek_mut() {
        let Reverse((name, file)) = *top;
        count += u32::from(last != Some(name));
        last = Some(name);
        places[file].push(count - 1);
        match id(file, places[file].len()) {
            Some(next) => *top = Reverse((next, file)),
            None => drop(PeekMut::pop(top)),
        }
    }
    (places, count)
}

pub fn merge<'a>(files: &'a [&'a PairsFile]) -> impl Iterator<Item = MergedPair<'a>> {
    let merger = Merger::new(files);
    let (mut waiting, all) = (Vec::new(), merger.sources());
    // Stretch by stretch, so that nothing holds on to the merger but this.
    let mut next = 0u32;
    std::iter::from_fn(move || {
        while waiting.is_empty() && next < all {
            let stretch = merger.stretch(next);
            next = stretch.end;
            waiting = merger.rows(stretch).collect();
            waiting.reverse();
        }
        let place: Place = waiting.pop()?;
        Some(MergedPair { file: place.file, row: place.row, pair: files[place.file].pair(place.row) })
    })
}
