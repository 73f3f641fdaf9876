//! Which configurations found how many pairs of a stratum, alone and together.

use std::collections::BTreeMap;

use super::Stratum;

/// Pairs by the set of configurations that found them: bit c of a set stands for configuration c.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally(BTreeMap<u64, u64>);

impl Tally {
    pub fn add(&mut self, found: u64) {
        self.add_all(found, 1);
    }

    pub fn add_all(&mut self, found: u64, pairs: u64) {
        *self.0.entry(found).or_default() += pairs;
    }

    pub fn pairs(&self) -> u64 {
        self.0.values().sum()
    }

    /// Pairs that all configurations of a set found.
    fn by_all(&self, set: u64) -> u64 {
        self.0.iter().filter(|(found, _)| *found & set == set).map(|(_, pairs)| pairs).sum()
    }

    /// A stratum that consists of these pairs, none of them drawn yet. Its numbers are those of configurations 0 to
    /// `configurations` - 1.
    pub fn stratum(&self, name: String, configurations: usize) -> Stratum {
        let row = |i: usize| (0..i).map(|j| self.by_all(1 << i | 1 << j)).collect();
        Stratum {
            name,
            population: self.pairs(),
            found: (0..configurations).map(|c| self.by_all(1 << c)).collect(),
            together: (0..configurations).map(row).collect(),
            ..Stratum::default()
        }
    }
}

impl Stratum {
    /// The same with the numbers of some configurations alone, in ascending order of their places.
    #[must_use]
    pub fn of_configurations(self, kept: &[usize]) -> Self {
        let both = |i: usize, j: usize| self.together.get(i).and_then(|row| row.get(j)).copied().unwrap_or_default();
        let row = |(place, i): (usize, &usize)| kept[..place].iter().map(|j| both(*i, *j)).collect();
        let found = kept.iter().map(|c| self.found.get(*c).copied().unwrap_or_default()).collect();
        let together = kept.iter().enumerate().map(row).collect();
        Self { found, together, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_for_each_configuration_and_for_each_two() {
        let mut tally = Tally::default();
        for found in [0b001, 0b011, 0b011, 0b111, 0b100, 0] {
            tally.add(found);
        }
        let stratum = tally.stratum("all".to_owned(), 3);
        assert_eq!((stratum.population, stratum.drawn), (6, 0));
        assert_eq!(stratum.found, [4, 3, 2]);
        assert_eq!(stratum.together, [vec![], vec![3], vec![1, 1]]);
        let two = stratum.of_configurations(&[0, 2]);
        assert_eq!((two.found, two.together), (vec![4, 2], vec![vec![], vec![1]]));
    }
}
