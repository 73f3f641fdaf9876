//! The pairs of a configuration in a few numbers: a digest of them all, and one of the files they lie in.
//!
//! The digest of the pairs is a sum over them, so it depends on their ids alone: not on the order, on threads, on the
//! division into files, or on scores. It costs a hash of each id and two steps of arithmetic a pair, of files that are open
//! anyway; pairs between large groups are added up once for all configurations that found them.

use std::collections::HashMap;
use std::sync::Mutex;

use rayon::prelude::*;

use crate::StudyError;
use crate::query::pair_files::OpenPairs;
use dejaview_base::hash::{self, S, fmix64};
use dejaview_evaluation::sample::rank_of_tokens;
use dejaview_matching::DocumentNumber;
use dejaview_matching::pairs::PairsFile;
use dejaview_methods::Side;

/// The number and a digest of the pairs of a configuration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Population {
    /// How many there are.
    pub(crate) pairs: u64,
    /// Sums of two hashes of each pair.
    sums: [u64; 2],
}

impl Population {
    /// Takes a pair into account, given its rank.
    fn add(&mut self, pair: u64) {
        self.pairs += 1;
        self.sums[0] = self.sums[0].wrapping_add(pair);
        self.sums[1] = self.sums[1].wrapping_add(fmix64(pair ^ S));
    }

    fn and(mut self, other: Self) -> Self {
        self.pairs += other.pairs;
        for (sum, other) in self.sums.iter_mut().zip(other.sums) {
            *sum = sum.wrapping_add(other);
        }
        self
    }

    /// Each of some sources with each of some targets, given by the hashes of their ids.
    fn all_pairs(sources: impl Iterator<Item = u64>, targets: impl Iterator<Item = u64> + Clone) -> Self {
        let mut all = Self::default();
        for source in sources {
            let rank = rank_of_tokens(0, source);
            targets.clone().for_each(|target| all.add(rank(target)));
        }
        all
    }

    /// The pairs of a configuration in these files.
    pub(crate) fn in_files(open: &[OpenPairs], configuration: &str, known: &KnownGroups) -> Self {
        let mine = open.par_iter().filter(|open| open.configuration == configuration);
        mine.map(|open| Self::in_file(&open.file, known)).reduce(Self::default, Self::and)
    }

    fn in_file(file: &PairsFile, known: &KnownGroups) -> Self {
        let tokens = [Side::Source, Side::Target].map(|side| -> Vec<u64> {
            let documents = DocumentNumber::all(file.documents(side));
            documents.map(|document| hash::token(file.id(side, document).as_bytes())).collect()
        });
        let mut all = Self::default();
        if file.is_folded() && file.joins_itself() {
            for source in DocumentNumber::all(file.sources()) {
                let targets = file.targets_of(source).into_iter().flatten();
                let targets: Vec<u64> = targets.map(|target| tokens[1][target.index()]).collect();
                all = all.and(Self::all_pairs([tokens[0][source.index()]].into_iter(), targets.iter().copied()));
            }
            return all;
        }
        let groups = [Side::Source, Side::Target].map(|side| {
            let (members, tokens) = (file.all_groups(side), &tokens[side as usize]);
            let tokens_of = |group: &[DocumentNumber]| -> Vec<u64> {
                group.iter().map(|document| tokens[document.index()]).collect()
            };
            members.iter().map(tokens_of).collect::<Vec<Vec<u64>>>()
        });
        for (source, target) in (0..file.rows()).map(|row| file.row(row)) {
            all = all.and(known.between(&groups[0][source.index()], &groups[1][target.index()]));
        }
        all
    }

    /// The digest, 32 hex digits.
    pub(crate) fn digest(&self) -> String {
        let [one, other] = self.sums.map(|sum| fmix64(sum ^ self.pairs));
        format!("{one:016x}{other:016x}")
    }
}

/// Remembers the pairs between large groups, since the files of many configurations have the same.
#[derive(Debug, Default)]
pub(crate) struct KnownGroups(Mutex<HashMap<u128, Population>>);

impl KnownGroups {
    /// Pairs of groups from which on they are remembered.
    const MANY: usize = 64;

    /// All pairs of two groups, given the hashes of their ids.
    fn between(&self, sources: &[u64], targets: &[u64]) -> Population {
        let all = || Population::all_pairs(sources.iter().copied(), targets.iter().copied());
        if sources.len() * targets.len() < Self::MANY {
            return all();
        }
        let ids = [sources, &[sources.len() as u64], targets].concat();
        let key = hash::digest_bits(&ids.iter().flat_map(|id| id.to_le_bytes()).collect::<Vec<u8>>());
        if let Some(population) = self.0.lock().ok().and_then(|known| known.get(&key).copied()) {
            return population;
        }
        let population = all();
        if let Ok(mut known) = self.0.lock() {
            known.insert(key, population);
        }
        population
    }
}

/// Populations that a session has read, by the configuration and the digest of its files.
#[derive(Debug, Default)]
pub(crate) struct Populations(Mutex<HashMap<(String, String), Population>>);

impl Populations {
    /// The pairs of a configuration whose files have this digest: as read before, or by opening these files.
    pub(crate) fn get_or_read(
        &self,
        configuration: &str,
        files: &str,
        open: impl FnOnce() -> Result<Vec<OpenPairs>, StudyError>,
    ) -> Result<Population, StudyError> {
        let key = (configuration.to_owned(), files.to_owned());
        if let Some(known) = self.0.lock().ok().and_then(|known| known.get(&key).copied()) {
            return Ok(known);
        }
        let population = Population::in_files(&open()?, configuration, &KnownGroups::default());
        if let Ok(mut known) = self.0.lock() {
            known.insert(key, population);
        }
        Ok(population)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_evaluation::sample::rank;

    fn population(pairs: &[(&str, &str)]) -> Population {
        let mut population = Population::default();
        pairs.iter().for_each(|(source, target)| population.add(rank(0, source, target)));
        population
    }

    #[test]
    fn every_pair_counts_and_their_order_does_not() {
        let all = population(&[("a", "x"), ("a", "y"), ("b", "x")]);
        assert_eq!(all.digest(), population(&[("b", "x"), ("a", "x"), ("a", "y")]).digest());
        assert_eq!(all, population(&[("b", "x")]).and(population(&[("a", "y"), ("a", "x")])), "in however many files");
        for other in [
            &[("a", "x"), ("a", "y")][..],
            &[("a", "x"), ("a", "y"), ("b", "z")],
            &[("a", "x"), ("a", "y"), ("bx", "")],
        ] {
            assert_ne!(population(other).digest(), all.digest(), "{other:?}");
        }
        assert_eq!(population(&[]).digest().len(), 32);
    }
}
