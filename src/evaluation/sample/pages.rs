//! Sampling by pages that were drawn without a list of them: of each page that has pairs one, weighted by how probable both are.
//!
//! How probable a page is, is known up to a factor. So weights are relative: they are scaled to add up to the pairs there
//! are, and only shares can be estimated with them. Nothing is known about how much of the whole has been drawn, so no
//! estimate may be corrected for a finite population.

use std::collections::HashMap;

use super::documents::{Chosen, OneOfEach};
use super::{SampledPair, Stratum, Tally};

/// Name of the one stratum.
const ALL: &str = "all";

/// Chooses one pair of each drawn page of a stream whose pairs of one source stand together.
#[derive(Debug)]
pub struct PageDrawer {
    /// Weights of the pages drawn. Those of a page that was drawn several times are added up (Hansen and Hurwitz), or else
    /// pages that are drawn easily would count too little.
    weights: HashMap<String, f64>,
    each: OneOfEach,
    population: u64,
    configurations: usize,
    tally: Tally,
    pairs: Vec<(SampledPair, u64)>,
}

#[derive(Debug)]
pub struct PageSample {
    /// All pairs of the stream.
    pub population: u64,
    /// Source documents with a pair, as one stratum.
    pub stratum: Stratum,
    /// The pairs, with the configurations that found them as bits.
    pub pairs: Vec<(SampledPair, u64)>,
}

impl PageDrawer {
    /// Takes the drawn pages with their weights, a page once for each time it was drawn. Pairs have been found by some of
    /// this many configurations.
    pub fn new(pages: impl IntoIterator<Item = (String, f64)>, seed: u64, configurations: usize) -> Self {
        let mut weights: HashMap<String, f64> = HashMap::new();
        for (id, weight) in pages {
            *weights.entry(id).or_default() += weight;
        }
        let each = OneOfEach::new(seed);
        Self { weights, each, population: 0, configurations, tally: Tally::default(), pairs: Vec::new() }
    }

    /// Takes a pair into account.
    pub fn offer(&mut self, source: &str, target: &str, found: u64) {
        self.population += 1;
        if let Some(chosen) = self.each.offer(source, target, found) {
            close(&self.weights, &mut self.tally, &mut self.pairs, chosen);
        }
    }

    /// The pairs, when the stream has ended.
    pub fn finish(self) -> PageSample {
        let Self { weights, each, population, configurations, mut tally, mut pairs } = self;
        if let Some(chosen) = each.finish() {
            close(&weights, &mut tally, &mut pairs, chosen);
        }
        let all: f64 = pairs.iter().map(|(pair, _)| pair.weight).sum();
        for (pair, _) in &mut pairs {
            pair.weight = short(pair.weight * population as f64 / all);
            pair.probability = short((1.0 / pair.weight).min(1.0));
        }
        let stratum = Stratum { drawn: pairs.len() as u64, ..tally.stratum(ALL.to_owned(), configurations) };
        PageSample { population, stratum, pairs }
    }
}

/// To twelve digits, which files keep to the last: the same draw is told to be the same.
pub(super) fn short(number: f64) -> f64 {
    format!("{number:.11e}").parse().unwrap_or(number)
}

/// Counts a document; where it was drawn, its chosen pair is.
fn close(weights: &HashMap<String, f64>, tally: &mut Tally, pairs: &mut Vec<(SampledPair, u64)>, chosen: Chosen) {
    let Chosen { source, target, found, document_pairs, .. } = chosen;
    tally.add(found);
    let Some(weight) = weights.get(&source).filter(|weight| **weight > 0.0) else { return };
    let pair = SampledPair {
        source,
        target,
        stratum: ALL.to_owned(),
        weight: weight * document_pairs as f64,
        probability: 0.0,
        found: Vec::new(),
        document_pairs: (document_pairs > 1).then_some(document_pairs),
        assigned: Vec::new(),
    };
    pairs.push((pair, found));
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_base::random::Random;

    /// Document d of 40 has 1 + d % 4 pairs, and is drawn with a probability of 1 + d in 820.
    fn draw(seed: u64, size: usize) -> PageSample {
        let mut random = Random::new(seed, 7);
        let page = |random: &mut Random| {
            let mut left = random.below(820);
            let mut d = 0;
            while left > d {
                left -= d + 1;
                d += 1;
            }
            (format!("s{d:02}"), 1.0 / (d + 1) as f64)
        };
        let pages: Vec<(String, f64)> = (0..size).map(|_| page(&mut random)).collect();
        let mut drawn = PageDrawer::new(pages, seed, 1);
        for d in 0..40u32 {
            for t in 0..=d % 4 {
                drawn.offer(&format!("s{d:02}"), &format!("t{t}"), 1);
            }
        }
        drawn.finish()
    }

    #[test]
    fn weights_add_up_to_the_pairs_there_are() {
        let drawn = draw(1, 30);
        assert_eq!((drawn.population, drawn.stratum.population), (100, 40));
        assert_eq!(drawn.stratum.drawn, drawn.pairs.len() as u64);
        let mut sources: Vec<&str> = drawn.pairs.iter().map(|(pair, _)| pair.source.as_str()).collect();
        let count = sources.len();
        sources.dedup();
        assert!(count < 30 && sources.len() == count, "a page drawn twice is one pair: {count}");
        let sum: f64 = drawn.pairs.iter().map(|(pair, _)| pair.weight).sum();
        assert!((sum - 100.0).abs() < 1e-9, "{sum}");
    }

    /// Half of the pairs are of the pages that are drawn most easily, and every one of those is drawn several times.
    #[test]
    fn shares_are_met_although_pages_are_drawn_unevenly() {
        let share = |seed| {
            let drawn = draw(seed, 200);
            let hits = drawn.pairs.iter().filter(|(pair, _)| pair.source.as_str() >= "s20");
            hits.map(|(pair, _)| pair.weight).sum::<f64>() / 100.0
        };
        let mean = (0..400).map(share).sum::<f64>() / 400.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
    }

    #[test]
    fn nothing_drawn_is_no_pair() {
        let mut none = PageDrawer::new([("elsewhere".to_owned(), 1.0)], 1, 2);
        none.offer("a", "b", 3);
        let none = none.finish();
        assert!(none.pairs.is_empty() && none.population == 1 && none.stratum.found == [1, 1]);
    }
}
