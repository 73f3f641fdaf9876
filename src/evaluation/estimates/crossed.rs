//! Several samples of pairs, together.
//!
//! Cut by the strata of all samples at once, the pairs of a study fall into parts that lie in one stratum of each sample, or
//! outside of it. Within a part every sample draws each pair with the same probability, so the pairs of all samples together
//! are, given how many they are, a simple random sample of the part, whether the samples were drawn apart or with one seed.
//! So a part is a stratum like any other, whose population can be counted, and the estimators of one sample serve several.
//!
//! Which samples count is decided by how many labels there are in each part, never by what the labels say.

use std::collections::HashMap;

use super::frame::{Consensus, Drawn, Frame, Unsure};
use super::proportion::Cell;
use super::{Estimate, likely_width};
use crate::sample::Stratum;

/// The pairs of a study, cut by the strata of several samples.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Crossed {
    /// Names of the samples.
    pub samples: Vec<String>,
    /// The configurations of the study.
    pub configurations: Vec<String>,
    /// For each sample the configurations that were drawn from, as bits.
    pub drawn_from: Vec<u64>,
    /// What the pairs fall into.
    pub parts: Vec<Part>,
    /// What the samples drew, each pair once.
    pub drawn: Vec<CrossedPair>,
}

/// Pairs that lie in the same stratum of every sample.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// For each sample the number of its stratum; none where the pairs lie outside.
    pub strata: Vec<Option<u16>>,
    /// How many pairs it holds.
    pub population: u64,
    /// How many of them each configuration found.
    pub found: Vec<u64>,
    /// How many of them each configuration alone found.
    pub alone: Vec<u64>,
}

/// A pair that one sample or several drew.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossedPair {
    /// Number of its part.
    pub part: usize,
    /// Bit c: configuration c found it.
    pub found: u64,
    /// For each sample the consensus on the pair there; undecided where it was not drawn.
    pub consensus: Vec<Consensus>,
    /// For each sample its place there; none where it was not drawn.
    pub places: Vec<Option<usize>>,
}

/// What the labels of several samples stand for, together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Represented {
    /// For each drawn pair how many pairs its label stands for; 0 without a label that decides.
    pub weights: Vec<f64>,
    /// Pairs that the labels stand for in all.
    pub pairs: u64,
    /// For each configuration whether it found pairs that no label stands for: outside of all samples, or in strata of which no
    /// label decides a pair.
    pub beyond: Vec<bool>,
}

/// Estimate for one configuration from several samples together.
#[derive(Debug, Clone, PartialEq)]
pub struct Combined {
    /// Numbers of the samples that were combined.
    pub samples: Vec<usize>,
    /// Their labels and the strata that they make.
    pub frame: Frame,
    /// What follows for the configuration.
    pub estimate: Estimate,
    /// How many of the pairs that it alone found lie in each stratum of the frame.
    pub alone: Vec<u64>,
}

impl Crossed {
    /// Some of the samples as one, with the number of the stratum of each part.
    pub(super) fn frame(&self, samples: &[usize]) -> (Frame, Vec<Option<usize>>) {
        let mut keys: Vec<Vec<Option<u16>>> = Vec::new();
        let mut strata: Vec<Stratum> = Vec::new();
        let mut place = Vec::new();
        for part in &self.parts {
            let key: Vec<Option<u16>> = samples.iter().map(|s| part.strata[*s]).collect();
            if key.iter().all(Option::is_none) {
                place.push(None);
                continue;
            }
            let at = keys.iter().position(|known| *known == key).unwrap_or_else(|| {
                keys.push(key);
                let found = vec![0; self.configurations.len()];
                strata.push(Stratum { name: strata.len().to_string(), found, ..Stratum::default() });
                strata.len() - 1
            });
            strata[at].population += part.population;
            for (all, more) in strata[at].found.iter_mut().zip(&part.found) {
                *all += more;
            }
            place.push(Some(at));
        }
        let mut drawn = Vec::new();
        for (at, pair) in self.drawn.iter().enumerate() {
            // A sample that drew it by strata which are not counted here has no say: nobody knows how probable that was.
            let inside = samples.iter().filter(|s| self.parts[pair.part].strata[**s].is_some());
            let decided = inside.map(|s| pair.consensus[*s]).find(|consensus| *consensus != Consensus::Undecided);
            if let (Some(stratum), Some(consensus)) = (place[pair.part], decided) {
                strata[stratum].drawn += 1;
                drawn.push(Drawn { place: at, stratum, weight: 0.0, found: pair.found, document_pairs: 1, consensus });
            }
        }
        for one in &mut drawn {
            one.weight = strata[one.stratum].population as f64 / strata[one.stratum].drawn as f64;
        }
        let pool = samples.iter().fold(0, |bits, s| bits | self.drawn_from[*s]);
        let frame = Frame::of_pairs(self.configurations.clone(), pool, strata, drawn);
        (frame, place)
    }

    /// How many pairs each label stands for, by all samples together, whose frames are given in their order.
    ///
    /// A pair comes into each sample at the rate of its stratum there, so its labels together are 1/Σ rates of as many pairs for
    /// each sample that drew it (Kalton & Anderson, Journal of the Royal Statistical Society A 1986). Sums are right on average,
    /// whatever the samples have in common, and no part needs a label of its own.
    pub fn represented(&self, frames: &[&Frame], unsure: Unsure) -> Represented {
        let rates = self.rates(unsure);
        let rate = |part: &Part, s: usize| part.strata[s].map_or(0.0, |h| rates[s][usize::from(h)]);
        let rate_of_all = |part: &Part| (0..frames.len()).map(|s| rate(part, s)).sum::<f64>();
        let stands_for: Vec<HashMap<usize, f64>> = frames
            .iter()
            .map(|frame| frame.weights(unsure).into_iter().map(|(drawn, _, weight)| (drawn.place, weight)).collect())
            .collect();
        let weight = |pair: &CrossedPair| {
            let part = &self.parts[pair.part];
            let by = |s: usize| Some(stands_for[s].get(&pair.places[s]?)? * rate(part, s));
            let drawn: f64 = (0..frames.len()).filter_map(by).sum();
            if drawn > 0.0 { drawn / rate_of_all(part) } else { 0.0 }
        };
        let (inside, outside): (Vec<&Part>, Vec<&Part>) = self.parts.iter().partition(|part| rate_of_all(part) > 0.0);
        let beyond = |c: usize| outside.iter().any(|part| part.found[c] > 0);
        Represented {
            weights: self.drawn.iter().map(weight).collect(),
            pairs: inside.iter().map(|part| part.population).sum(),
            beyond: (0..self.configurations.len()).map(beyond).collect(),
        }
    }

    /// For each stratum of each sample the share of its pairs that have a label there that decides.
    fn rates(&self, unsure: Unsure) -> Vec<Vec<f64>> {
        let of_sample = |s: usize| {
            let strata = self.parts.iter().filter_map(|part| part.strata[s]).max().map_or(0, |h| usize::from(h) + 1);
            let (mut pairs, mut labelled) = (vec![0u64; strata], vec![0u64; strata]);
            for part in &self.parts {
                part.strata[s].into_iter().for_each(|h| pairs[usize::from(h)] += part.population);
            }
            for pair in self.drawn.iter().filter(|pair| unsure.truth(pair.consensus[s]).is_some()) {
                self.parts[pair.part].strata[s].into_iter().for_each(|h| labelled[usize::from(h)] += 1);
            }
            let share = |(labelled, pairs): (u64, u64)| labelled as f64 / pairs.max(1) as f64;
            labelled.into_iter().zip(pairs).map(share).collect()
        };
        (0..self.samples.len()).map(of_sample).collect()
    }

    /// Whether every pair of a configuration lies in one of these samples.
    fn inside(&self, c: usize, samples: &[usize]) -> bool {
        let outside = |part: &&Part| samples.iter().all(|s| part.strata[*s].is_none());
        self.parts.iter().filter(outside).all(|part| part.found[c] == 0)
    }

    /// How wide the interval of a configuration's precision is likely to be ([`likely_width`]). `None` where a part of its pairs
    /// has no label.
    fn likely_width(&self, c: usize, samples: &[usize], confidence: f64) -> Option<f64> {
        if !self.inside(c, samples) {
            return None;
        }
        let (frame, _) = self.frame(samples);
        let mine = frame.found_by(c);
        let unseen = |cell: &Cell| cell.population > 0 && cell.labelled == 0;
        if frame.cells(&mine, true, Unsure::Yes).iter().any(unseen) {
            return None;
        }
        likely_width(&frame, &mine, confidence)
    }

    /// The samples that together tell most about a configuration. Beginning with one that serves it, others join as long as
    /// the interval is likely to become narrower; where none alone serves it, all must. `None` where they do not, or where
    /// the one stays alone.
    pub fn best(&self, c: usize, first: Option<usize>, unsure: Unsure, confidence: f64) -> Option<Combined> {
        let samples = match first {
            Some(first) => self.joined(c, first, confidence),
            None => (0..self.samples.len()).collect(),
        };
        if samples.len() < 2 || self.likely_width(c, &samples, confidence).is_none() {
            return None;
        }
        let (frame, place) = self.frame(&samples);
        let mut alone = vec![0; frame.strata.len()];
        for (part, at) in self.parts.iter().zip(&place) {
            if let Some(at) = at {
                alone[*at] += part.alone[c];
            }
        }
        let estimate = Estimate::new(&frame, c, unsure, confidence);
        Some(Combined { estimate: Estimate { plan: None, ..estimate }, samples, frame, alone })
    }

    fn joined(&self, c: usize, first: usize, confidence: f64) -> Vec<usize> {
        let mut samples = vec![first];
        let mut width = self.likely_width(c, &samples, confidence).unwrap_or(f64::INFINITY);
        loop {
            let rest = (0..self.samples.len()).filter(|s| !samples.contains(s));
            let with = |s: usize| {
                let more = [&samples[..], &[s]].concat();
                Some((self.likely_width(c, &more, confidence)?, more))
            };
            match rest.filter_map(with).min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((narrower, more)) if narrower < width => (width, samples) = (narrower, more),
                _ => break,
            }
        }
        samples.sort_unstable();
        samples
    }
}
