//! Document pairs of rows that stand for pairs of groups.
//!
//! Documents with the same text are one group, and a row is a pair of groups: it stands for every pair of their members that
//! counts. So what is stored grows with the documents and the rows, never with the document pairs; these have numbers in
//! the order of source and target all the same, and the `i`th is found by sums over the sources and one search among the
//! groups that its source is paired with.

use std::ops::Range;

use crate::groups::Groups;
use crate::{DocumentNumber, GroupNumber};

/// Decides which pairs count when documents are on both sides: each unordered pair once, and no document with itself.
#[derive(Debug, Clone, Default)]
pub struct PairFilter {
    /// For each source document the number from which on targets that stand on both sides count: 0 where it stands on one
    /// side alone, else that of the first whose id comes behind its own.
    pub from: Vec<DocumentNumber>,
    /// For each target document whether it stands on both sides.
    pub both: Vec<bool>,
}

impl PairFilter {
    /// Whether a pair counts.
    pub fn counts(&self, source: DocumentNumber, target: DocumentNumber) -> bool {
        !self.is_both(target) || target >= self.from(source)
    }

    /// Whether a target stands on both sides.
    pub fn is_both(&self, target: DocumentNumber) -> bool {
        self.both.get(target.index()).copied().unwrap_or_default()
    }

    fn from(&self, source: DocumentNumber) -> DocumentNumber {
        self.from.get(source.index()).copied().unwrap_or_default()
    }

    /// Whether a source has a pair with any of a group.
    pub fn any(&self, source: DocumentNumber, targets: &[DocumentNumber]) -> bool {
        targets.iter().rev().any(|target| self.counts(source, *target))
    }

    /// Whether a target has a pair with any of a group.
    pub fn any_of(&self, sources: &[DocumentNumber], target: DocumentNumber) -> bool {
        sources.iter().any(|source| self.counts(*source, target))
    }

    /// Document pairs that a pair of groups stands for.
    pub fn pairs(&self, sources: &[DocumentNumber], targets: &[DocumentNumber]) -> u64 {
        let both: Vec<DocumentNumber> = targets.iter().copied().filter(|target| self.is_both(*target)).collect();
        let free = (targets.len() - both.len()) as u64;
        let behind = |source: &DocumentNumber| (both.len() - both.partition_point(|t| *t < self.from(*source))) as u64;
        sources.iter().map(|source| free + behind(source)).sum()
    }
}

/// A document pair and the row that stands for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentPair {
    pub source: DocumentNumber,
    pub target: DocumentNumber,
    /// Number of the row, in the order of the fold.
    pub row: u32,
}

/// What a source group is paired with, as a stretch of rows: groups of one document that count for any source, those
/// of one that stands on both sides, and all others.
#[derive(Debug, Clone, Copy, Default)]
struct Partners {
    start: u32,
    free: u32,
    both: u32,
    end: u32,
}

/// All document pairs of some rows, in the order of source, then target.
#[derive(Debug, Default)]
pub struct Fold {
    /// Group of each source document; none for one without.
    group_of: Vec<GroupNumber>,
    partners: Vec<Partners>,
    /// The target group of each row.
    rows: Vec<GroupNumber>,
    targets: Groups,
    /// How many members of each target group count for any source; those stand first.
    free: Vec<u32>,
    filter: PairFilter,
    /// Pairs of the sources before each, and all.
    starts: Vec<u64>,
    /// Step, and the source of every step-th pair: where to begin looking for the source of a pair.
    hints: (u64, Vec<DocumentNumber>),
}

/// Targets of a source, ascending, and the rows they are from.
enum List<'a> {
    /// Rows from this one on, each with a group of one document.
    Singles(&'a Fold, &'a [GroupNumber], u32),
    /// Members of the group of one row.
    Group(&'a [DocumentNumber], u32),
}

impl List<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Singles(_, groups, _) => groups.len(),
            Self::Group(members, _) => members.len(),
        }
    }

    fn get(&self, i: usize) -> (DocumentNumber, u32) {
        match self {
            Self::Singles(fold, groups, first) => (fold.first_of(groups[i]), first + i as u32),
            Self::Group(members, row) => (members[i], *row),
        }
    }

    /// How many are below a target.
    fn below(&self, target: DocumentNumber) -> usize {
        match self {
            Self::Singles(fold, groups, _) => groups.partition_point(|group| fold.first_of(*group) < target),
            Self::Group(members, _) => members.partition_point(|member| *member < target),
        }
    }
}

impl Fold {
    /// Unfolds rows, given as (source group, target group). The rows get an order of their own; the second value gives the
    /// number that each had before.
    pub fn new(
        sources: &Groups,
        targets: &Groups,
        rows: &[(GroupNumber, GroupNumber)],
        filter: PairFilter,
    ) -> (Self, Vec<u32>) {
        let count = sources.iter().flatten().max().map_or(0, |last| last.index() + 1);
        let mut fold = Self { group_of: vec![GroupNumber::NONE; count], filter, ..Self::default() };
        for (group, members) in GroupNumber::all(sources.len()).zip(sources.iter()) {
            members.iter().for_each(|member| fold.group_of[member.index()] = group);
        }
        for members in targets.iter() {
            let (both, free): (Vec<DocumentNumber>, Vec<DocumentNumber>) =
                members.iter().partition(|member| fold.filter.is_both(**member));
            fold.free.push(free.len() as u32);
            fold.targets.push(free.into_iter().chain(both));
        }
        let order = fold.pair_groups(sources.len(), rows);
        fold.starts.push(0);
        let mut sum = 0;
        for source in DocumentNumber::all(count) {
            sum += fold.lists(source).map(|list| list.len() as u64).sum::<u64>();
            fold.starts.push(sum);
        }
        fold.hint();
        (fold, order)
    }

    /// Puts the rows of each source group in order.
    fn pair_groups(&mut self, groups: usize, rows: &[(GroupNumber, GroupNumber)]) -> Vec<u32> {
        let mut order: Vec<(GroupNumber, u8, DocumentNumber, u32)> = Vec::with_capacity(rows.len());
        for (row, &(source, group)) in (0u32..).zip(rows) {
            let members = self.targets.members(group);
            let kind = match members {
                [_] => 1 - self.free[group.index()] as u8,
                _ => 2,
            };
            order.push((source, kind, members.first().copied().unwrap_or_default(), row));
        }
        order.sort_unstable();
        self.partners = vec![Partners::default(); groups];
        self.rows = order.iter().map(|(.., row)| rows[*row as usize].1).collect();
        let mut end = 0u32;
        for (group, partners) in GroupNumber::all(groups).zip(&mut self.partners) {
            let mine = order[end as usize..].iter().take_while(|(source, ..)| *source == group);
            let mut counts = [0u32; 3];
            mine.for_each(|(_, kind, ..)| counts[usize::from(*kind)] += 1);
            let start = end;
            let (free, both) = (start + counts[0], start + counts[0] + counts[1]);
            end = both + counts[2];
            *partners = Partners { start, free, both, end };
        }
        order.into_iter().map(|(.., row)| row).collect()
    }

    /// The first member of a target group.
    fn first_of(&self, group: GroupNumber) -> DocumentNumber {
        self.targets.members(group).first().copied().unwrap_or_default()
    }

    /// Lays as many hints as there are sources.
    fn hint(&mut self) {
        let step = (self.len() / self.starts.len().max(1) as u64).max(1);
        let mut source = 0usize;
        let mut hint = |i: u64| {
            while source + 1 < self.starts.len() && self.starts[source + 1] <= i {
                source += 1;
            }
            DocumentNumber::at(source)
        };
        self.hints = (step, (0..self.len() / step + 2).map(|place| hint(place * step)).collect());
    }

    /// The source of a pair.
    fn source_of(&self, i: u64) -> DocumentNumber {
        let (step, hints) = &self.hints;
        let place = (i / step) as usize;
        let (low, high) = (hints[place].index(), hints[place + 1].index() + 1);
        let starts = &self.starts[low..high.min(self.starts.len())];
        DocumentNumber::at((low + starts.partition_point(|start| *start <= i)).saturating_sub(1))
    }

    pub fn len(&self) -> u64 {
        self.starts.last().copied().unwrap_or_default()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Numbers of the pairs of a source document.
    pub fn pairs_of_source(&self, source: DocumentNumber) -> Range<u64> {
        match self.starts.get(source.index()..source.index() + 2) {
            Some(&[start, end]) => start..end,
            _ => self.len()..self.len(),
        }
    }

    /// The `i`th document pair.
    pub fn at(&self, i: u64) -> DocumentPair {
        let source = self.source_of(i);
        let (target, row) = self.select(source, (i - self.starts[source.index()]) as usize);
        DocumentPair { source, target, row }
    }

    /// The number of a pair and its row, if there is such a pair.
    pub fn find(&self, source: DocumentNumber, target: DocumentNumber) -> Option<(u64, u32)> {
        let (mut below, mut row) = (0, None);
        for list in self.lists(source) {
            let at = list.below(target);
            below += at as u64;
            if at < list.len() && list.get(at).0 == target {
                row = Some(list.get(at).1);
            }
        }
        row.map(|row| (self.starts[source.index()] + below, row))
    }

    /// The `k`th target of a source, and its row.
    fn select(&self, source: DocumentNumber, k: usize) -> (DocumentNumber, u32) {
        let Partners { start, free, end, .. } = self.partners_of(source);
        if free == end {
            let row = start + k as u32;
            return (self.first_of(self.rows[row as usize]), row);
        }
        let lists: Vec<List<'_>> = self.lists(source).collect();
        if let [one] = &lists[..] {
            return one.get(k);
        }
        // The lowest number that k + 1 targets do not exceed is the target.
        let mut low = lists.iter().map(|list| list.get(0).0).min().unwrap_or_default();
        let mut high = lists.iter().map(|list| list.get(list.len() - 1).0).max().unwrap_or_default();
        while low < high {
            let middle = low.index().midpoint(high.index());
            let next = DocumentNumber::at(middle + 1);
            let upto: usize = lists.iter().map(|list| list.below(next)).sum();
            if upto > k { high = DocumentNumber::at(middle) } else { low = next }
        }
        let holds = |list: &List<'_>| Some(list.below(low)).filter(|at| *at < list.len() && list.get(*at).0 == low);
        lists.iter().find_map(|list| holds(list).map(|at| list.get(at))).unwrap_or_default()
    }

    pub fn sources(&self) -> usize {
        self.group_of.len()
    }

    /// Whether a source has a pair with every target of its rows. Those of one group have as many pairs of each row.
    pub fn is_free(&self, source: DocumentNumber) -> bool {
        self.filter.from(source) == DocumentNumber::default()
    }

    /// The rows of a source, each with its targets that count: those that stand on one side alone, then the others.
    pub fn rows_of(&self, source: DocumentNumber) -> impl Iterator<Item = (u32, [&[DocumentNumber]; 2])> {
        let Partners { start, end, .. } = self.partners_of(source);
        let counted = move |row: u32| (row, self.targets_of(source, row));
        (start..end).map(counted).filter(|(_, [free, both])| !free.is_empty() || !both.is_empty())
    }

    /// The targets of one of the rows of a source that count for it.
    pub fn targets_of(&self, source: DocumentNumber, row: u32) -> [&[DocumentNumber]; 2] {
        self.counted(self.rows[row as usize], self.filter.from(source))
    }

    /// All targets of a row: those that stand on one side alone, then the others.
    pub fn members_of(&self, row: u32) -> [&[DocumentNumber]; 2] {
        self.counted(self.rows[row as usize], DocumentNumber::default())
    }

    /// The number from which on targets that stand on both sides count for a source.
    pub fn begin_of(&self, source: DocumentNumber) -> DocumentNumber {
        self.filter.from(source)
    }

    /// Members of a target group that count for a source whose targets begin there.
    fn counted(&self, group: GroupNumber, from: DocumentNumber) -> [&[DocumentNumber]; 2] {
        let (free, both) = self.targets.members(group).split_at(self.free[group.index()] as usize);
        [free, &both[both.partition_point(|target| *target < from)..]]
    }

    /// The targets of a source that count, as lists that are not empty.
    fn lists(&self, source: DocumentNumber) -> impl Iterator<Item = List<'_>> {
        let Partners { start, free, both, end } = self.partners_of(source);
        let rows = |from: u32, to: u32| &self.rows[from as usize..to as usize];
        let from = self.filter.from(source);
        let late = free + rows(free, both).partition_point(|group| self.first_of(*group) < from) as u32;
        let groups = (both..end)
            .zip(rows(both, end))
            .flat_map(move |(row, group)| self.counted(*group, from).map(|members| List::Group(members, row)));
        let singles = [List::Singles(self, rows(start, free), start), List::Singles(self, rows(late, both), late)];
        singles.into_iter().chain(groups).filter(|list| list.len() > 0)
    }

    fn partners_of(&self, source: DocumentNumber) -> Partners {
        let group = self.group_of.get(source.index()).copied().unwrap_or(GroupNumber::NONE);
        self.partners.get(group.index()).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Groups of `0..labels.len()` by label, those without one left out.
    fn grouped(labels: &[Option<u8>]) -> Groups {
        let mut groups = Groups::default();
        let mut seen = Vec::new();
        for label in labels.iter().flatten() {
            if !seen.contains(label) {
                seen.push(*label);
                let documents = DocumentNumber::all(labels.len()).zip(labels);
                groups.push(documents.filter(|(_, other)| **other == Some(*label)).map(|(document, _)| document));
            }
        }
        groups
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_all_members(
            sources in proptest::collection::vec(proptest::option::of(0u8..5), 0..12),
            targets in proptest::collection::vec(proptest::option::of(0u8..6), 0..14),
            bits in any::<u64>(),
            both in proptest::collection::vec(any::<bool>(), 14),
            from in proptest::collection::vec(0u32..14, 12),
            itself in any::<bool>(),
        ) {
            let (sources, targets) = (grouped(&sources), grouped(&targets));
            let of_targets = || GroupNumber::all(targets.len());
            let all = GroupNumber::all(sources.len()).flat_map(|s| of_targets().map(move |t| (s, t)));
            let rows: Vec<(GroupNumber, GroupNumber)> =
                all.filter(|(s, t)| bits >> (s.index() * 7 + t.index()) & 1 == 1).collect();
            let from = from.into_iter().map(DocumentNumber::from).collect();
            let filter = if itself { PairFilter { from, both } } else { PairFilter::default() };
            let mut expected = Vec::new();
            for (row, &(s, t)) in (0u32..).zip(&rows) {
                for &source in sources.members(s) {
                    let counted = targets.members(t).iter().filter(|target| filter.counts(source, **target));
                    expected.extend(counted.map(|&target| DocumentPair { source, target, row }));
                }
            }
            expected.sort_by_key(|at| (at.source, at.target));
            let counted: u64 = rows.iter().map(|(s, t)| filter.pairs(sources.members(*s), targets.members(*t))).sum();
            let (fold, order) = Fold::new(&sources, &targets, &rows, filter);
            let row = |row: u32| order[row as usize];
            prop_assert_eq!(fold.len(), expected.len() as u64);
            prop_assert_eq!(fold.len(), counted);
            let found: Vec<DocumentPair> = (0..fold.len()).map(|i| fold.at(i)).map(|at| DocumentPair { row: row(at.row), ..at }).collect();
            prop_assert_eq!(&found, &expected);
            for source in DocumentNumber::all(12) {
                let range = fold.pairs_of_source(source);
                let mine: Vec<&DocumentPair> = found.iter().filter(|at| at.source == source).collect();
                prop_assert_eq!(range.end - range.start, mine.len() as u64);
                let rows = fold.rows_of(source).flat_map(|(at, targets)| {
                    targets.concat().into_iter().map(move |target| DocumentPair { source, target, row: at })
                });
                let mut rows: Vec<DocumentPair> = rows.map(|at| DocumentPair { row: row(at.row), ..at }).collect();
                rows.sort_by_key(|at| at.target);
                prop_assert!(rows.iter().eq(mine));
                for target in DocumentNumber::all(14) {
                    let place = found.iter().position(|at| (at.source, at.target) == (source, target));
                    let place = place.map(|i| (i as u64, found[i].row));
                    prop_assert_eq!(fold.find(source, target).map(|(i, at)| (i, row(at))), place);
                }
            }
        }
    }
}
