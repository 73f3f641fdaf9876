//! A sample and what people said about its pairs, as estimates take it.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::proportion::Cell;
use crate::evaluation::sample::{Design, Sample, SampledPair, Stratum};
use crate::labels::{Annotations, Consensus, Label};

/// How pairs count that people are unsure about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unsure {
    /// Not at all.
    #[default]
    Out,
    /// As near-duplicates.
    Yes,
    /// As others.
    No,
}

impl Unsure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Out, Self::Yes, Self::No];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::Yes => "yes",
            Self::No => "no",
        }
    }

    /// What a label says about the pair.
    pub fn truth(self, label: Label) -> Option<bool> {
        match (label, self) {
            (Label::NearDuplicate, _) | (Label::Unsure, Self::Yes) => Some(true),
            (Label::Not, _) | (Label::Unsure, Self::No) => Some(false),
            (Label::Unsure, Self::Out) => None,
        }
    }
}

/// A drawn pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// Its place in the sample.
    pub place: usize,
    /// Number of its stratum.
    pub stratum: usize,
    /// Pairs that it stood for when it was drawn.
    pub weight: f64,
    /// Bit c: configuration c of the sample found it.
    pub found: u64,
    /// What people say.
    pub label: Option<Label>,
}

/// A sample with its labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The configurations that the sample serves.
    pub configurations: Vec<String>,
    /// Its strata, those of the audit among them.
    pub strata: Vec<Stratum>,
    /// Its pairs.
    pub drawn: Vec<Drawn>,
    /// Whether documents were drawn, and of each one pair: then pairs have unequal weights.
    pub documents: bool,
    /// Whether all documents were equally probable, which pages drawn without a list need not be.
    pub even: bool,
    /// Pairs that annotators decided differently and nobody settled: they have no label.
    pub disputed: u64,
}

impl Frame {
    /// Of a sample, given what people say about each of its pairs.
    pub fn new(sample: &Sample, label: impl Fn(&SampledPair) -> Option<Label>) -> Self {
        let places: HashMap<&str, usize> =
            sample.strata.iter().enumerate().map(|(i, stratum)| (stratum.name.as_str(), i)).collect();
        let every = (1u64 << sample.serves.len().min(63)) - 1;
        let bits = |pair: &SampledPair, audit: bool| match sample.serves.len() {
            1 => u64::from(!audit),
            _ if pair.found.is_empty() && !audit => every,
            _ => {
                let place = |name: &String| sample.serves.iter().position(|c| c == name);
                pair.found.iter().filter_map(place).fold(0, |bits, c| bits | 1 << c)
            }
        };
        let drawn = |(place, pair): (usize, &SampledPair)| {
            let stratum = places.get(pair.stratum.as_str()).copied()?;
            let found = bits(pair, sample.strata[stratum].audit);
            Some(Drawn { place, stratum, weight: pair.weight, found, label: label(pair) })
        };
        Self {
            configurations: sample.serves.clone(),
            strata: sample.strata.clone(),
            drawn: sample.pairs.iter().enumerate().filter_map(drawn).collect(),
            documents: sample.design == Design::Documents || sample.design.of_pages(),
            even: !sample.design.of_pages(),
            disputed: 0,
        }
    }

    /// Of a sample, given the journals of its annotators: what they decided in this sample counts, so that a pair somebody
    /// looked up elsewhere does not count more than others. Where every pair has been decided somewhere, all of it counts.
    pub fn labelled(sample: &Sample, all: &[Annotations]) -> Self {
        let consensus = |pair: &SampledPair, name| Consensus::of(all, &pair.source, &pair.target, name);
        let decided = |name| sample.pairs.iter().all(|pair| !consensus(pair, name).is_empty());
        let own = Some(sample.name.as_str());
        let name = if !decided(own) && decided(None) { None } else { own };
        let open = |pair: &&SampledPair| {
            let consensus = consensus(pair, name);
            !consensus.is_empty() && consensus.label().is_none()
        };
        let disputed = sample.pairs.iter().filter(open).count() as u64;
        Self { disputed, ..Self::new(sample, |pair| consensus(pair, name).label()) }
    }

    /// Labelled pairs with what their label says.
    pub fn known(&self, unsure: Unsure) -> impl Iterator<Item = (&Drawn, bool)> {
        self.drawn.iter().filter_map(move |drawn| Some((drawn, unsure.truth(drawn.label?)?)))
    }

    /// Pairs of a stratum that a configuration found, or that it did not.
    pub fn population(&self, h: usize, c: usize, found: bool) -> u64 {
        let stratum = &self.strata[h];
        let mine = stratum.found.get(c).copied().unwrap_or(0).min(stratum.population);
        if found { mine } else { stratum.population - mine }
    }

    /// For each stratum the cell of pairs that a configuration found, or that it did not.
    pub fn cells(&self, c: usize, found: bool, unsure: Unsure) -> Vec<Cell> {
        let cell = |h| Cell { population: self.population(h, c, found), ..Cell::default() };
        let mut cells: Vec<Cell> = (0..self.strata.len()).map(cell).collect();
        for (drawn, truth) in self.known(unsure).filter(|(drawn, _)| (drawn.found >> c & 1 == 1) == found) {
            let cell = &mut cells[drawn.stratum];
            cell.labelled += 1;
            cell.yes += u64::from(truth);
        }
        cells
    }

    /// Pairs that each known label stands for, now that so many of its stratum have one. In a sample of documents it is
    /// the weight of the draw, raised by the same factor for all.
    pub fn weights(&self, unsure: Unsure) -> Vec<(&Drawn, bool, f64)> {
        let known: Vec<(&Drawn, bool)> = self.known(unsure).collect();
        let mut counts = vec![0u64; self.strata.len()];
        for (drawn, _) in &known {
            counts[drawn.stratum] += 1;
        }
        let weight = |drawn: &Drawn| {
            let (stratum, labelled) = (&self.strata[drawn.stratum], counts[drawn.stratum] as f64);
            if self.documents {
                drawn.weight * stratum.drawn as f64 / labelled
            } else {
                stratum.population as f64 / labelled
            }
        };
        known.into_iter().map(|(drawn, truth)| (drawn, truth, weight(drawn))).collect()
    }
}
