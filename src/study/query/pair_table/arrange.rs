//! Rows that pass a filter, in an order: on all cores, in blocks between which it can be stopped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::sorting::{HIGHEST_FRACTION, Rows, fraction_key};
use super::{PairTable, TOGETHER};
use crate::query::filter::Filter;
use crate::query::filter::facts::PairFacts;
use dejaview_matching::DocumentNumber;
use dejaview_matching::pairs::RowCounts;
use dejaview_methods::Side;
use dejaview_methods::measures::{Counts, place_of};

/// Rows looked at between two questions whether anybody still wants them.
const BLOCK: usize = 1 << 14;

/// The key of a row that has no distance, and of one that has no label: behind all that have one.
const NO_DISTANCE: u64 = 1 << u16::BITS;
const NO_LABEL: u64 = 3;

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
    /// Lowest distance first, as the configuration that is looked at saw it; of none there is no such order.
    Distance,
    /// Most alike in length first.
    Length,
    /// Found by most configurations first.
    Agreement,
    /// Labelled pairs first: near-duplicates, not, unsure.
    Label,
}

impl Sort {
    /// All of them, in the order in which a key goes through them.
    pub const ALL: [Self; 7] =
        [Self::Source, Self::Target, Self::Jaccard, Self::Distance, Self::Length, Self::Agreement, Self::Label];

    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Target => "target",
            Self::Jaccard => "Jaccard",
            Self::Distance => "distance",
            Self::Length => "length ratio",
            Self::Agreement => "agreement",
            Self::Label => "label",
        }
    }
}

/// Which rows are wanted, in which order.
pub struct Order<'a> {
    pub filter: &'a Filter,
    /// Two configurations, and which of their pairs: only the first's, only the second's, both's. All three are counted.
    pub duel: Option<([usize; 2], usize)>,
    /// By what they are sorted.
    pub sort: Sort,
    /// Whose distances these are, where they are sorted by them.
    pub measured: Option<usize>,
    /// The other way round.
    pub reverse: bool,
    /// What is known beside the table.
    pub facts: &'a dyn PairFacts,
    /// Whether nobody wants the answer any more.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// Rows in the order asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arranged {
    /// Numbers of rows.
    pub rows: Vec<u32>,
    /// Of a duel: pairs of the first alone, of the second alone, of both.
    pub duel: Option<[u64; 3]>,
}

impl PairTable {
    /// Numbers of the rows that pass, sorted; none when it was stopped. On threads of its own: a person waits for it, and
    /// shall not wait for what is counted in the background.
    pub fn arrange(&self, order: &Order<'_>) -> Option<Arranged> {
        static THREADS: OnceLock<Option<ThreadPool>> = OnceLock::new();
        match THREADS.get_or_init(|| ThreadPoolBuilder::new().build().ok()) {
            Some(threads) => threads.install(|| self.arrange_here(order)),
            None => self.arrange_here(order),
        }
    }

    fn arrange_here(&self, order: &Order<'_>) -> Option<Arranged> {
        let (range, turned) = order.filter.range(self);
        let all = order.filter.is_empty() && order.duel.is_none();
        let (rows, duel) = match all {
            true => (Rows::All(self.len()), None),
            false => self.admitted(range, turned, order)?,
        };
        let rows = self.sorted(rows, order);
        (!(order.stop)()).then_some(Arranged { rows, duel })
    }

    /// The rows that pass, and the counts of a duel.
    fn admitted(&self, range: Range<usize>, turned: &[u32], order: &Order<'_>) -> Option<(Rows, Option<[u64; 3]>)> {
        let starts: Vec<usize> = range.clone().step_by(BLOCK).collect();
        let blocks: Vec<Option<Arranged>> = starts
            .into_par_iter()
            .map(|start| (!(order.stop)()).then(|| self.arrange_block(start..(start + BLOCK).min(range.end), order)))
            .collect();
        let turned = self.arrange_block(turned.iter().map(|row| *row as usize), order);
        let (mut rows, mut duel) = (Vec::new(), order.duel.map(|_| [0; 3]));
        for block in blocks.into_iter().chain([Some(turned)]) {
            let block = block?;
            rows.extend(block.rows);
            if let (Some(sums), Some(counts)) = (&mut duel, block.duel) {
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
        Some((Rows::Some(rows), duel))
    }

    /// The same for a filter that asks for nothing beside the table.
    pub fn select(&self, filter: &Filter, sort: Sort) -> Vec<u32> {
        let order = Order { filter, duel: None, sort, measured: None, reverse: false, facts: &(), stop: &|| false };
        self.arrange(&order).unwrap_or_default().rows
    }

    fn arrange_block(&self, range: impl Iterator<Item = usize>, order: &Order<'_>) -> Arranged {
        let (mut rows, mut counts) = (Vec::new(), [0u64; 3]);
        let mut range = range.map(|row| row as u32);
        loop {
            let mut together: Vec<u32> = range.by_ref().take(TOGETHER).collect();
            if together.is_empty() {
                break;
            }
            let Some((pair, wanted)) = order.duel else {
                rows.append(&mut order.filter.admitted_pairs(self, together, order.facts));
                continue;
            };
            together.retain(|row| self.side(*row, pair).is_some());
            for row in order.filter.admitted_pairs(self, together, order.facts) {
                let side = self.side(row, pair).unwrap_or_default();
                counts[side] += 1;
                if side == wanted {
                    rows.push(row);
                }
            }
        }
        Arranged { rows, duel: order.duel.map(|_| counts) }
    }

    /// Which of two configurations found a pair: the first, the second, or both.
    fn side(&self, row: u32, [a, b]: [usize; 2]) -> Option<usize> {
        match [a, b].map(|configuration| self.found_by(row as usize, configuration)) {
            [true, false] => Some(0),
            [false, true] => Some(1),
            [true, true] => Some(2),
            [false, false] => None,
        }
    }

    fn sorted(&self, rows: Rows, order: &Order<'_>) -> Vec<u32> {
        let reverse = order.reverse;
        if order.sort == Sort::Source || order.sort == Sort::Distance && order.measured.is_none() {
            return rows.in_order(reverse && order.sort == Sort::Source);
        }
        // Those whose target somebody asked for stand behind the others.
        let rows = match rows {
            Rows::Some(mut rows) if !rows.is_sorted() => {
                rows.sort_unstable();
                Rows::Some(rows)
            }
            rows => rows,
        };
        match order.sort {
            Sort::Target => match &self.folded {
                Some(folded) => {
                    let highest = folded.side(Side::Target).len() as u64;
                    let target = |row: usize| folded.fold.at(row as u64).target.index() as u64;
                    rows.by_key(highest, reverse, each(target))
                }
                None => {
                    let ranks = self.target_ranks();
                    let highest = ranks.iter().filter_map(|ranks| ranks.last()).max().copied().unwrap_or_default();
                    rows.by_key(highest.into(), reverse, |rows, keys| {
                        let located = self.located(rows);
                        keys.extend(located.iter().map(|at| u64::from(ranks[at.file as usize][at.target.index()])));
                    })
                }
            },
            Sort::Jaccard => {
                let headline = place_of(self.n);
                let key = |counts: RowCounts<'_>| fraction_key(headline.map_or(0.0, |place| counts.jaccard(place)));
                rows.by_key(HIGHEST_FRACTION, !reverse, |rows, keys| self.each_counts(rows, key, keys))
            }
            Sort::Length => {
                let key = |counts: RowCounts<'_>| fraction_key(counts.length_ratio());
                rows.by_key(HIGHEST_FRACTION, !reverse, |rows, keys| self.each_counts(rows, key, keys))
            }
            Sort::Agreement => {
                rows.by_key(self.configurations.len() as u64, !reverse, each(|row| self.agreement(row).into()))
            }
            Sort::Label => {
                let label = |row: usize| order.facts.label(row).map_or(NO_LABEL, |label| label as u64);
                rows.by_key(NO_LABEL, reverse, each(label))
            }
            Sort::Source | Sort::Distance => {
                let distance = |row: usize| self.distance_by(row, order.measured?);
                rows.by_key(NO_DISTANCE, reverse, each(|row| distance(row).map_or(NO_DISTANCE, u64::from)))
            }
        }
    }

    /// For each file the ranks of its targets among all: ids are then compared once, and not at every step of a sort.
    fn target_ranks(&self) -> Vec<Vec<u32>> {
        let mut heap = BinaryHeap::new();
        let push = |heap: &mut BinaryHeap<_>, file: usize, target: usize| {
            let pairs = &self.files[file].file;
            if target < pairs.targets() {
                heap.push(Reverse((pairs.target_id(DocumentNumber::at(target)), file, target)));
            }
        };
        (0..self.files.len()).for_each(|file| push(&mut heap, file, 0));
        let mut ranks: Vec<Vec<u32>> = self.files.iter().map(|open| Vec::with_capacity(open.file.targets())).collect();
        let (mut rank, mut last) = (0, None);
        while let Some(Reverse((id, file, target))) = heap.pop() {
            rank += u32::from(last.is_some_and(|last| last != id));
            last = Some(id);
            ranks[file].push(rank);
            push(&mut heap, file, target + 1);
        }
        ranks
    }
}

/// Appends the keys of rows, each found by itself.
fn each(key: impl Fn(usize) -> u64 + Sync) -> impl Fn(&[u32], &mut Vec<u64>) + Sync {
    move |rows, keys| keys.extend(rows.iter().map(|row| key(*row as usize)))
}
