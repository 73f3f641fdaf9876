//! The sets of a document, and what two documents have in common.

use super::sorter::drop_repeats;
use super::{Common, LENGTHS, Profile, Sequences, Sorter};
use dejaview_base::hash::Roll;
use dejaview_base::similarity::{common_of_sets, common_times};

/// The n of S3 and `dice_8`.
const LONG: usize = 8;

/// The sets of a document, sorted. Memory is reused when another document is read into it.
#[derive(Debug, Clone, Default)]
pub struct Sets {
    /// Distinct n-grams at each of [`LENGTHS`].
    grams: [Vec<u64>; LENGTHS.len()],
    /// How often each word of `grams[0]` occurs.
    times: Vec<u32>,
    spaced: Vec<u64>,
    words: u32,
}

impl Sets {
    pub fn new(document: &Sequences) -> Self {
        let mut sets = Self::default();
        sets.read(document, &mut Sorter::default());
        for grams in &mut sets.grams {
            grams.shrink_to_fit();
        }
        sets.times.shrink_to_fit();
        sets.spaced.shrink_to_fit();
        sets
    }

    /// Replaces the sets by those of another document.
    pub fn read(&mut self, document: &Sequences, sorter: &mut Sorter) {
        self.words = document.tokens.len() as u32;
        for (grams, n) in self.grams.iter_mut().zip(LENGTHS) {
            sorter.sort(Roll::new(&document.tokens, n), grams);
            if n == 1 {
                count_times(grams, &mut self.times);
            }
            drop_repeats(grams);
        }
        sorter.sort(Roll::new(&document.spaced, LONG), &mut self.spaced);
        drop_repeats(&mut self.spaced);
    }

    pub fn profile(&self) -> Profile {
        Profile {
            words: self.words,
            sizes: [0, 1, 2, 3, 4].map(|i: usize| self.grams[i].len() as u32),
            spaced: self.spaced.len() as u32,
            norm: self.times.iter().map(|&t| u64::from(t) * u64::from(t)).sum(),
        }
    }

    /// What two documents have in common. Symmetric.
    pub fn common(&self, other: &Self) -> Common {
        let (words, dot) = common_times((&self.grams[0], &self.times), (&other.grams[0], &other.times));
        let mut grams = [words; LENGTHS.len()];
        for (count, (a, b)) in grams.iter_mut().zip(self.grams.iter().zip(&other.grams)).skip(1) {
            *count = common_of_sets(a, b) as u32;
        }
        Common { grams, spaced: common_of_sets(&self.spaced, &other.spaced) as u32, dot }
    }

    /// Bytes held in memory.
    pub fn bytes(&self) -> usize {
        let grams: usize = self.grams.iter().map(Vec::len).sum();
        size_of::<Self>() + 8 * (grams + self.spaced.len()) + 4 * self.times.len()
    }
}

/// Length of each run of equal values.
fn count_times(sorted: &[u64], times: &mut Vec<u32>) {
    times.clear();
    times.extend(sorted.chunk_by(|a, b| a == b).map(|run| run.len() as u32));
}
