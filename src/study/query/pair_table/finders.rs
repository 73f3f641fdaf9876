//! Which configurations found a pair: sets of any size, each kept once. Pairs share few of them.

use std::collections::HashMap;

/// Configurations of one set, by bits.
pub(super) const WORD: usize = 64;

/// Number of a set of configurations. One number stands for the same set in one table only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct FinderSet(u32);

impl FinderSet {
    /// Its place in lists that have something for each set.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Different sets of configurations.
#[derive(Debug, Default)]
pub(super) struct Finders {
    /// Words of one set.
    words: usize,
    /// The sets, one behind the other.
    bits: Vec<u64>,
    /// Members of each.
    counts: Vec<u32>,
    known: HashMap<Box<[u64]>, FinderSet>,
}

impl Finders {
    /// Of so many configurations.
    pub(super) fn new(configurations: usize) -> Self {
        Self { words: configurations.div_ceil(WORD).max(1), ..Self::default() }
    }

    /// A set without members.
    pub(super) fn empty(&self) -> Vec<u64> {
        vec![0; self.words]
    }

    pub(super) fn number(&mut self, set: &[u64]) -> FinderSet {
        if let Some(number) = self.known.get(set) {
            return *number;
        }
        let number = FinderSet(self.counts.len() as u32);
        self.bits.extend_from_slice(set);
        self.counts.push(set.iter().map(|word| word.count_ones()).sum());
        self.known.insert(set.into(), number);
        number
    }

    fn numbers(&self) -> impl Iterator<Item = FinderSet> {
        (0..self.counts.len() as u32).map(FinderSet)
    }

    /// All sets, by their numbers.
    pub(super) fn sets(&self) -> impl Iterator<Item = &[u64]> {
        self.bits.chunks_exact(self.words.max(1))
    }

    fn set(&self, number: FinderSet) -> &[u64] {
        let start = number.index() * self.words;
        &self.bits[start..start + self.words]
    }

    /// Whether a set has a member.
    pub(super) fn has(&self, number: FinderSet, configuration: usize) -> bool {
        let word = self.set(number).get(configuration / WORD).copied().unwrap_or_default();
        word >> (configuration % WORD) & 1 == 1
    }

    /// For each set the members that it has of those chosen, by their places there. They are no more than [`WORD`].
    pub(super) fn among(&self, chosen: &[usize]) -> Vec<u64> {
        let bits = |number: FinderSet| {
            let there = chosen.iter().enumerate().filter(|(_, c)| self.has(number, **c));
            there.fold(0, |bits, (place, _)| bits | 1 << place)
        };
        self.numbers().map(bits).collect()
    }

    /// For each set whether it has any of those chosen.
    pub(super) fn any(&self, chosen: &[usize]) -> Vec<bool> {
        self.numbers().map(|number| chosen.iter().any(|&c| self.has(number, c))).collect()
    }

    pub(super) fn count(&self, number: FinderSet) -> u32 {
        self.counts[number.index()]
    }
}

/// Puts a configuration into a set.
pub(super) fn insert(set: &mut [u64], configuration: usize) {
    if let Some(word) = set.get_mut(configuration / WORD) {
        *word |= 1 << (configuration % WORD);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_configurations_are_taken_for_one() {
        let mut finders = Finders::new(130);
        let mut numbers = Vec::new();
        for c in [0, 63, 64, 65, 127, 128, 129] {
            let mut set = finders.empty();
            insert(&mut set, c);
            numbers.push((c, finders.number(&set)));
        }
        for &(c, number) in &numbers {
            for &(other, _) in &numbers {
                assert_eq!(finders.has(number, other), c == other, "{c} {other}");
            }
            assert_eq!(finders.count(number), 1);
        }
        let mut set = finders.empty();
        insert(&mut set, 63);
        assert_eq!(finders.number(&set), numbers[1].1, "each set once");
    }
}
