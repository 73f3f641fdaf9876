//! What follows from a sample and its labels: precision, recall and F of every configuration it serves, what nobody found,
//! and how much more there is to label.
//!
//! Everything here is computed from a [`Frame`] alone, in milliseconds, so that a screen can show it while labelling goes
//! on. Every estimate names its sample, its policy for unsure labels and its interval.

mod by_document;
mod crossed;
mod finite;
mod foresight;
mod frame;
mod importance;
mod mover;
mod paired;
mod planner;
mod proportion;
mod rail;
mod recall;
mod shares;
mod unseen;

#[cfg(test)]
mod simulation;

use std::path::Path;

use serde::Serialize;

pub use crossed::{Combined, Crossed, CrossedPair, Part, Represented};
pub use finite::{exact, hypergeometric};
pub use foresight::{PlannedComparison, PlannedDocuments, PlannedStratum, half_width, needed};
pub use frame::{Consensus, Domain, Drawn, Frame, Units, Unsure};
pub use importance::{Share, by_importance};
pub use paired::{Paired, mcnemar};
pub use planner::{Plan, SeparateSample};
pub use proportion::{Cell, Proportion, Unit, headline};
pub use rail::{Cut, Flip, TakenPairs, rail, steps};
pub use recall::{FarPairs, Recall};
pub use shares::{Shares, precision};
pub use unseen::{Unseen, chao, chapman};

use shares::by_weight;

use super::intervals::clopper_pearson_effective;
use super::sample::Sample;
use dejaview_base::interval::Interval;
use dejaview_base::random::Bootstrap;
use dejaview_labels::Label;

/// Half of the width of an interval with which a team may stop: ± 5 points.
pub const WANTED: f64 = 0.05;

/// What the labels of a sample say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimates {
    pub sample: String,
    /// How it was drawn.
    pub design: String,
    pub size: u64,
    /// Pairs on which the annotators agree or that were settled.
    pub labelled: u64,
    /// Pairs that people decided differently and nobody has settled.
    pub disputed: u64,
    /// Labelled pairs that people are unsure about.
    pub unsure: u64,
    /// How unsure and disputed pairs count.
    pub unsure_as: Unsure,
    /// Pairs that were decided with the scores in view.
    pub saw_scores: u64,
    /// Pairs that came with a later draw and must have a label before the others say anything.
    pub waiting: u64,
    /// Labelled pairs that enter no estimate until the waiting ones are labelled.
    pub set_aside: u64,
    /// Undecided pairs before the last decided one: labels are a random sample only if they were passed over for no reason.
    pub gaps: u64,
    /// How often an interval covers.
    pub confidence: f64,
    /// For each configuration that the sample serves.
    pub configurations: Vec<Estimate>,
    pub strata: Vec<StratumEstimate>,
    /// True pairs that no configuration found, by capture and recapture.
    pub unseen: Option<Unseen>,
    /// Whether the numbers of pairs that it stands for are estimates: it was kept when the pairs changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub populations_estimated: bool,
    /// Whether its pairs came in a pack: then nothing is estimated here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub of_a_pack: bool,
}

/// What the labels of a sample say about one configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    pub name: String,
    pub precision: Option<Proportion>,
    /// Precision when unsure and disputed pairs are left out, count as near-duplicates, count as others.
    pub by_unsure: [Option<Interval>; 3],
    pub recall: Recall,
    /// What is left to label for ± 2 points of precision.
    pub plan: Option<Plan>,
}

/// What the labels of a stratum say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StratumEstimate {
    pub name: String,
    /// Whether it counts pairs, or documents of each of which one pair was drawn.
    pub unit: Unit,
    pub population: u64,
    pub drawn: u64,
    /// Those with a label that decides.
    pub labelled: u64,
    #[serde(rename = "true")]
    pub yes: u64,
    /// Those people are unsure about.
    pub unsure: u64,
    /// Those that are disputed.
    pub disputed: u64,
    /// Share of true ones.
    pub share: Option<Interval>,
    pub share_of: ShareOf,
    /// Whether no configuration found its pairs.
    pub audit: bool,
    /// Whether it is so large that estimates take it to hold no true pair as long as no label says so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub far: bool,
}

/// What the share of true ones in a stratum is of, and so how it is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShareOf {
    /// Of its pairs, which were drawn alike: exact for the finite stratum.
    Pairs,
    /// Of the documents, one pair of each: by the effective size.
    Documents,
    /// Of its pairs, by the weights of those drawn: by the effective size.
    PairsByWeight,
}

impl Estimates {
    /// Everything that follows from the labels of a sample.
    pub fn new(sample: &Sample, frame: &Frame, unsure: Unsure, bootstrap: &Bootstrap) -> Self {
        let confidence = bootstrap.confidence;
        let of_a_pack = sample.is_of_a_pack();
        let strata = 0..if of_a_pack { 0 } else { frame.strata.len() };
        Self {
            sample: sample.name.clone(),
            design: sample.described(),
            size: sample.pairs.len() as u64,
            labelled: frame.count(|said| matches!(said, Consensus::Label(_))),
            disputed: frame.count(|said| said == Consensus::Disputed),
            unsure: frame.count(|said| said == Consensus::Label(Label::Unsure)),
            unsure_as: unsure,
            saw_scores: frame.saw_scores,
            waiting: frame.waiting,
            set_aside: frame.set_aside,
            gaps: frame.gaps(),
            confidence,
            configurations: (0..frame.configurations.len())
                .map(|c| Estimate::new(frame, c, unsure, confidence))
                .map(|estimate| if sample.drawn_here() { estimate } else { Estimate { plan: None, ..estimate } })
                .collect(),
            strata: strata.map(|h| stratum(frame, h, unsure, confidence)).collect(),
            unseen: Unseen::new(frame, unsure, bootstrap).filter(|_| !of_a_pack),
            populations_estimated: sample.populations_are_estimates(),
            of_a_pack,
        }
    }

    /// Pairs with any label, whether or not it enters an estimate.
    pub fn with_label(&self) -> u64 {
        self.labelled + self.disputed + self.set_aside
    }

    /// Puts known numbers of pairs in the place of those that were estimated from the labels, as they are where documents or pages
    /// were drawn: strata count these.
    #[must_use]
    pub fn with_pairs(mut self, known: impl Fn(&str) -> Option<u64>) -> Self {
        for Estimate { name, precision, .. } in &mut self.configurations {
            if let Some((precision, pairs)) = precision.as_mut().filter(|p| p.population_estimated).zip(known(name)) {
                (precision.population, precision.population_estimated) = (pairs, false);
            }
        }
        self
    }

    /// Adds to each plan the command that draws its pairs in this study.
    #[must_use]
    pub fn with_commands(mut self, folder: &Path) -> Self {
        let names = Sample::names(folder).unwrap_or_default();
        for estimate in &mut self.configurations {
            estimate.plan = estimate.plan.take().map(|plan| plan.with_commands(folder, &self.sample, &names));
        }
        self
    }
}

impl Estimate {
    fn new(frame: &Frame, c: usize, unsure: Unsure, confidence: f64) -> Self {
        let domain = frame.found_by(c);
        // Documents were drawn of one configuration, and the share of documents is a number about that one alone.
        let own = frame.units == Units::Documents && frame.drawn_from == 1 << c;
        let precision = |unsure| match own {
            true => by_document::by_document(frame, &domain, unsure, confidence),
            false => precision(frame, &domain, unsure, confidence),
        };
        let each = |unsure| precision(unsure)?.headline;
        Self {
            name: frame.configurations[c].clone(),
            precision: precision(unsure),
            by_unsure: Unsure::ALL.map(each),
            recall: Recall::new(frame, &domain, unsure, confidence),
            plan: Plan::new(frame, c, unsure, WANTED, confidence),
        }
    }
}

/// Shares of true pairs under which samples are compared before one knows what their labels say.
const SHARES: [f64; 3] = [0.5, 0.8, 0.95];

/// How wide the interval of the share of true pairs in a domain is likely to be, before one knows what the labels say: a sum
/// over some shares, to be compared, not to be shown. Of several samples the one with the smallest tells most, which is decided
/// without looking at what it tells. `None` without labels.
pub fn likely_width(frame: &Frame, domain: &Domain, confidence: f64) -> Option<f64> {
    let width = |interval: Option<Interval>| interval.map(|interval| interval.half_width());
    if frame.units == Units::Pairs {
        let cells = frame.cells(domain, true, Unsure::Yes).into_iter().filter(|cell| cell.population > 0);
        let cells: Vec<Cell> = cells.collect();
        let with = |share: &f64, cell: &Cell| Cell { yes: (cell.labelled as f64 * share).round() as u64, ..*cell };
        let alike = |share: &f64| cells.iter().map(|cell| with(share, cell)).collect::<Vec<_>>();
        return SHARES.iter().map(|share| width(headline(&alike(share), confidence))).sum();
    }
    let weights = frame.weights(Unsure::Yes).into_iter().filter(|(drawn, ..)| domain.includes[drawn.place]);
    let (mut all, mut squares) = (0.0, 0.0);
    for (.., weight) in weights {
        (all, squares) = (all + weight, squares + weight * weight);
    }
    // Kish's effective size.
    let labels = if squares > 0.0 { all * all / squares } else { return None };
    SHARES.iter().map(|share| width(clopper_pearson_effective(*share, labels, confidence))).sum()
}

fn stratum(frame: &Frame, h: usize, unsure: Unsure, confidence: f64) -> StratumEstimate {
    let stratum = &frame.strata[h];
    let mine = || frame.drawn.iter().filter(move |drawn| drawn.stratum == h);
    let known = || frame.known(unsure).filter(move |(drawn, _)| drawn.stratum == h);
    let said = |wanted: Consensus| mine().filter(move |drawn| drawn.consensus == wanted).count() as u64;
    let (labelled, yes) = (known().count() as u64, known().filter(|(_, truth)| *truth).count() as u64);
    let share_of = match frame.units {
        Units::Pairs => ShareOf::Pairs,
        Units::Documents => ShareOf::Documents,
        Units::Pages | Units::Weighted => ShareOf::PairsByWeight,
    };
    let whole = Domain {
        population: frame.strata.iter().map(|stratum| stratum.population).collect(),
        includes: vec![true; frame.drawn.len()],
    };
    StratumEstimate {
        name: stratum.name.clone(),
        unit: match frame.units {
            Units::Documents | Units::Pages if !stratum.audit => Unit::Documents,
            _ => Unit::Pairs,
        },
        population: stratum.population,
        drawn: stratum.drawn,
        labelled,
        yes,
        unsure: said(Consensus::Label(Label::Unsure)),
        disputed: said(Consensus::Disputed),
        share: match share_of {
            ShareOf::Pairs => exact(yes, labelled, stratum.population * frame.larger(), confidence),
            ShareOf::Documents => {
                by_document::by_document(frame, &whole, unsure, confidence).and_then(|share| share.headline)
            }
            ShareOf::PairsByWeight => {
                by_weight(frame, unsure, confidence, &|drawn| drawn.stratum == h).and_then(|share| share.headline)
            }
        },
        share_of,
        audit: stratum.audit,
        far: stratum.far,
    }
}
