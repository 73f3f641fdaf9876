//! Sampling by document: of each source document one of its pairs, then documents as pairs are drawn otherwise.
//!
//! The study judged 100 random documents a configuration so. A pair's probability is that of its document divided by
//! the document's pairs; its weight makes up for both.

use super::draw::{Candidate, Drawer, rank};

/// The pair chosen of a document.
#[derive(Debug)]
pub(super) struct Chosen {
    pub source: String,
    rank: u64,
    /// The other document of the pair.
    pub target: String,
    /// Bit c: configuration c of the sample found the pair.
    pub found: u64,
    pub document_pairs: u64,
}

/// Chooses one pair of each document of a stream whose pairs of one source stand together, each with equal probability.
#[derive(Debug)]
pub(super) struct OneOfEach {
    seed: u64,
    open: Option<Chosen>,
}

impl OneOfEach {
    /// The seed decides which.
    pub fn new(seed: u64) -> Self {
        Self { seed, open: None }
    }

    /// Takes a pair into account. The choice of the document before, when this pair is of another.
    pub fn offer(&mut self, source: &str, target: &str, found: u64) -> Option<Chosen> {
        let place = rank(self.seed, source, target);
        match &mut self.open {
            Some(open) if open.source == source => {
                open.document_pairs += 1;
                if (place, target) < (open.rank, open.target.as_str()) {
                    (open.rank, open.target, open.found) = (place, target.to_owned(), found);
                }
                None
            }
            open => {
                let next = Chosen {
                    source: source.to_owned(),
                    rank: place,
                    target: target.to_owned(),
                    found,
                    document_pairs: 1,
                };
                open.replace(next)
            }
        }
    }

    /// The choice of the last document.
    pub fn finish(self) -> Option<Chosen> {
        self.open
    }
}

/// Chooses one pair of each document of a stream whose pairs of one source stand together, and offers it.
#[derive(Debug)]
pub struct DocumentDrawer {
    drawer: Drawer,
    seed: u64,
    each: OneOfEach,
}

impl DocumentDrawer {
    /// Draws with this drawer.
    pub fn new(drawer: Drawer, seed: u64) -> Self {
        Self { drawer, seed, each: OneOfEach::new(seed) }
    }

    /// Takes a pair into account.
    pub fn offer(&mut self, source: &str, target: &str, found: u64) {
        if let Some(chosen) = self.each.offer(source, target, found) {
            offer(&mut self.drawer, self.seed, &chosen);
        }
    }

    /// The drawer, when the stream has ended.
    pub fn finish(self) -> Drawer {
        let Self { mut drawer, seed, each } = self;
        if let Some(chosen) = each.finish() {
            offer(&mut drawer, seed, &chosen);
        }
        drawer
    }
}

fn offer(drawer: &mut Drawer, seed: u64, chosen: &Chosen) {
    let Chosen { source, target, found, document_pairs, .. } = chosen;
    let candidate =
        Candidate { rank: rank(seed, source, ""), source, target, found: *found, document_pairs: *document_pairs };
    drawer.offer((0, "all".to_owned()), candidate);
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::sample::Allocation;

    fn draw(seed: u64, size: usize) -> Vec<(String, String, f64)> {
        let mut documents = DocumentDrawer::new(Drawer::new(seed, size, Allocation::Proportional, 1), seed);
        for d in 0..20u32 {
            for t in 0..=d % 4 {
                documents.offer(&format!("s{d:02}"), &format!("t{t}"), 1);
            }
        }
        let (strata, pairs) = documents.finish().finish();
        assert_eq!(strata[0].population, 20);
        pairs.into_iter().map(|(pair, _)| (pair.source, pair.target, pair.weight)).collect()
    }

    #[test]
    fn one_pair_of_each_document_and_every_pair_of_it_as_often() {
        let mut chosen: HashMap<String, u32> = HashMap::new();
        for seed in 0..2_000 {
            let pairs = draw(seed, 20);
            assert_eq!(pairs.len(), 20);
            assert_eq!(pairs.iter().map(|(.., weight)| weight).sum::<f64>(), 50.0, "all pairs there are");
            *chosen.entry(pairs.iter().find(|pair| pair.0 == "s03").unwrap().1.clone()).or_default() += 1;
        }
        // 500 expected of each, standard deviation 19.4.
        assert!(chosen.len() == 4 && chosen.values().all(|n| (420..580).contains(n)), "{chosen:?}");
    }

    #[test]
    fn a_larger_sample_keeps_the_documents_and_their_pairs() {
        let pair = |(source, target, _): (String, String, f64)| (source, target);
        let long: Vec<_> = draw(3, 12).into_iter().map(pair).collect();
        assert!(draw(3, 5).into_iter().map(pair).eq(long[..5].iter().cloned()));
    }
}
