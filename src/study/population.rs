//! The pairs of a configuration in a few numbers: a digest of them all, and one of the files they lie in.
//!
//! The digest of the pairs is a sum over them, so it depends on their ids alone: not on the order, on threads, on the
//! division into files, or on scores. It costs two hashes of an id a pair, of files that are open anyway.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Mutex;

use rayon::prelude::*;

use super::StudyError;
use super::manifest;
use super::session::{OpenPairs, PairFilter, Session};
use crate::base::hash::{self, S, fmix64};
use crate::evaluation::sample::{DrawnFrom, FoundThen, rank};

/// What is known of the pairs of a configuration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Population {
    /// How many there are.
    pub(super) pairs: u64,
    /// Sums of two hashes of each.
    sums: [u64; 2],
}

impl Population {
    /// Takes a pair into account.
    fn add(&mut self, source: &str, target: &str) {
        let pair = rank(0, source, target);
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

    /// Of the open files of a configuration.
    fn of(open: &[OpenPairs], configuration: &str) -> Self {
        let mine = open.par_iter().filter(|open| open.configuration == configuration);
        let each = mine.map(|open| {
            let mut population = Self::default();
            for row in 0..open.file.len() {
                let (source, target) = open.file.numbers(row);
                population.add(open.file.source_id(source as usize), open.file.target_id(target as usize));
            }
            population
        });
        each.reduce(Self::default, Self::and)
    }

    /// The digest, 32 hex digits.
    pub(super) fn digest(&self) -> String {
        let [one, other] = self.sums.map(|sum| fmix64(sum ^ self.pairs));
        format!("{one:016x}{other:016x}")
    }
}

/// Populations that a session has read, by the configuration and the digest of its files.
#[derive(Debug, Default)]
pub(super) struct Populations(Mutex<HashMap<(String, String), Population>>);

impl Session {
    /// The pairs of a configuration whose files have this digest, read once a session.
    pub(super) fn population(&self, configuration: &str, files: &str) -> Result<Population, StudyError> {
        let key = (configuration.to_owned(), files.to_owned());
        let known = || self.populations().0.lock().ok()?.get(&key).copied();
        if let Some(known) = known() {
            return Ok(known);
        }
        let open = self.pairs(PairFilter { configuration: Some(configuration), segment: None })?;
        let population = Population::of(&open, configuration);
        if let Ok(mut known) = self.populations().0.lock() {
            known.insert(key, population);
        }
        Ok(population)
    }

    /// Digest of the files of pairs of a configuration, by the checksum at the end of each. `None` where one is missing.
    pub(super) fn files_digest(&self, configuration: &str) -> Option<String> {
        let segments = self.finished_segments();
        let line = |segment: &str| {
            let checksum = checksum(&self.workspace().pairs(configuration, segment))?;
            Some(format!("{segment}\t{checksum:016x}\n"))
        };
        let all: Vec<String> = segments.iter().map(|(segment, _)| line(segment)).collect::<Option<_>>()?;
        if all.is_empty() { None } else { Some(hash::digest(all.concat().as_bytes())) }
    }

    /// What a sample of some configurations is drawn from now, given the files that are open.
    pub(super) fn drawn_from(&self, configurations: &[String], open: &[OpenPairs]) -> DrawnFrom {
        let recipe = self.recipe();
        let then = |name: &String| {
            let configuration = recipe.configurations.iter().find(|c| c.name == *name)?;
            Some(FoundThen {
                configuration: manifest::configuration(configuration),
                files: self.files_digest(name).unwrap_or_default(),
                pairs: Population::of(open, name).digest(),
            })
        };
        DrawnFrom {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            content: manifest::content(recipe),
            jaccard: recipe.jaccard,
            configurations: configurations.iter().filter_map(then).collect(),
        }
    }
}

/// The checksum that a file of pairs ends with, without reading the rest.
fn checksum(path: &Path) -> Option<u64> {
    let mut file = File::open(path).ok()?;
    let mut bytes = [0; 8];
    file.seek(SeekFrom::End(-(bytes.len() as i64))).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(u64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Population {
        let mut population = Population::default();
        pairs.iter().for_each(|(source, target)| population.add(source, target));
        population
    }

    #[test]
    fn every_pair_counts_and_their_order_does_not() {
        let all = of(&[("a", "x"), ("a", "y"), ("b", "x")]);
        assert_eq!(all.digest(), of(&[("b", "x"), ("a", "x"), ("a", "y")]).digest());
        assert_eq!(all, of(&[("b", "x")]).and(of(&[("a", "y"), ("a", "x")])), "in however many files");
        for other in [
            &[("a", "x"), ("a", "y")][..],
            &[("a", "x"), ("a", "y"), ("b", "z")],
            &[("a", "x"), ("a", "y"), ("bx", "")],
        ] {
            assert_ne!(of(other).digest(), all.digest(), "{other:?}");
        }
        assert_eq!(of(&[]).digest().len(), 32);
    }
}
