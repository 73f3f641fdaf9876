//! What follows from a sample and its labels: precision, recall and F of every configuration it serves, what nobody found,
//! and how much more there is to label.
//!
//! Everything here is computed from a [`Frame`] alone, in milliseconds, so that a screen can show it while labelling goes
//! on. Every estimate names its sample, its policy for unsure labels and its interval.

mod finite;
mod frame;
mod mover;
mod paired;
mod planner;
mod proportion;
mod rail;
mod recall;
mod redrawn;
mod unseen;

#[cfg(test)]
mod simulation;

use serde::Serialize;

pub use finite::{exact, hypergeometric};
pub use frame::{Drawn, Frame, Unsure};
pub use paired::{Paired, mcnemar};
pub use planner::Plan;
pub use proportion::{Cell, Proportion, design};
pub use rail::{Cut, Flip, rail, steps, taken};
pub use recall::Recall;
pub use unseen::{Unseen, chao, chapman};

use super::sample::Sample;
use crate::base::interval::Interval;
use crate::base::random::Bootstrap;
use crate::labels::Label;

/// How narrow an interval should be, unless somebody says otherwise: ± 2 points.
pub const WANTED: f64 = 0.02;

/// What the labels of a sample say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimates {
    /// Name of the sample.
    pub sample: String,
    /// How it was drawn.
    pub design: String,
    /// Its pairs.
    pub size: u64,
    /// Of these, pairs with a label that holds.
    pub labelled: u64,
    /// Pairs without one because annotators disagree and nobody has settled it.
    pub disputed: u64,
    /// Of the labelled, pairs that people are unsure about.
    pub unsure: u64,
    /// How those count.
    pub unsure_as: Unsure,
    /// How often an interval covers.
    pub confidence: f64,
    /// For each configuration that the sample serves.
    pub configurations: Vec<Estimate>,
    /// For each stratum.
    pub strata: Vec<StratumEstimate>,
    /// Capture and recapture.
    pub unseen: Option<Unseen>,
}

/// What the labels of a sample say about one configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// Its name.
    pub name: String,
    /// Precision.
    pub precision: Option<Proportion>,
    /// Precision (with the design's interval) when unsure labels are left out, count as near-duplicates, count as others.
    pub by_unsure: [Option<Interval>; 3],
    /// In a sample of documents of one configuration: the share of documents whose pair is true.
    pub by_document: Option<Interval>,
    /// Recall and F.
    pub recall: Recall,
    /// What is left to label for ± 2 points of precision.
    pub plan: Option<Plan>,
}

/// What the labels of a stratum say.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StratumEstimate {
    /// Its name.
    pub name: String,
    /// Its pairs.
    pub population: u64,
    /// Those drawn.
    pub drawn: u64,
    /// Those with a label that decides.
    pub labelled: u64,
    /// Those labelled near-duplicates.
    #[serde(rename = "true")]
    pub yes: u64,
    /// Those people are unsure about.
    pub unsure: u64,
    /// Share of true ones; exact for the finite stratum. Of pages drawn without a list by their weights, without limits to
    /// what there is.
    pub share: Option<Interval>,
    /// Whether no configuration found its pairs.
    pub audit: bool,
}

impl Estimates {
    /// Of a sample and its labels.
    pub fn new(sample: &Sample, frame: &Frame, unsure: Unsure, bootstrap: &Bootstrap) -> Self {
        let labelled = |label: Option<Label>| {
            frame.drawn.iter().filter(|d| d.label.is_some() && (label.is_none() || d.label == label)).count() as u64
        };
        Self {
            sample: sample.name.clone(),
            design: sample.described(),
            size: sample.pairs.len() as u64,
            labelled: labelled(None),
            disputed: frame.disputed,
            unsure: labelled(Some(Label::Unsure)),
            unsure_as: unsure,
            confidence: bootstrap.confidence,
            configurations: (0..frame.configurations.len())
                .map(|c| Estimate::new(frame, c, unsure, bootstrap))
                .collect(),
            strata: (0..frame.strata.len()).map(|h| stratum(frame, h, unsure, bootstrap.confidence)).collect(),
            unseen: Unseen::new(frame, unsure, bootstrap),
        }
    }
}

impl Estimate {
    fn new(frame: &Frame, c: usize, unsure: Unsure, bootstrap: &Bootstrap) -> Self {
        let alone = frame.documents && frame.even && frame.configurations.len() == 1;
        Self {
            name: frame.configurations[c].clone(),
            precision: precision(frame, c, unsure, bootstrap),
            by_unsure: Unsure::ALL.map(|unsure| design_of(frame, c, unsure, bootstrap.confidence)),
            by_document: if alone { by_document(frame, unsure, bootstrap) } else { None },
            recall: Recall::new(frame, c, unsure, bootstrap),
            plan: if frame.documents { None } else { Plan::new(frame, c, unsure, WANTED, bootstrap.confidence) },
        }
    }
}

/// Precision of configuration c.
pub fn precision(frame: &Frame, c: usize, unsure: Unsure, bootstrap: &Bootstrap) -> Option<Proportion> {
    if !frame.documents {
        let cells: Vec<Cell> = frame.cells(c, true, unsure).into_iter().filter(|cell| cell.population > 0).collect();
        return Proportion::stratified(&cells, bootstrap);
    }
    let mine: Vec<(f64, bool)> = frame
        .weights(unsure)
        .into_iter()
        .filter(|(drawn, ..)| drawn.found >> c & 1 == 1)
        .map(|(_, truth, weight)| (weight, truth))
        .collect();
    let population = mine.iter().map(|(weight, _)| weight).sum::<f64>().round() as u64;
    Proportion::weighted(&mine, population, bootstrap.confidence)
}

/// Precision of configuration c with the interval of its design alone.
fn design_of(frame: &Frame, c: usize, unsure: Unsure, confidence: f64) -> Option<Interval> {
    if frame.documents {
        let light = Bootstrap { replicates: 0, seed: 0, confidence };
        return precision(frame, c, unsure, &light)?.design;
    }
    let cells: Vec<Cell> = frame.cells(c, true, unsure).into_iter().filter(|cell| cell.population > 0).collect();
    design(&cells, confidence)
}

/// Share of documents whose pair is true: every document counts once, whatever the number of its pairs.
fn by_document(frame: &Frame, unsure: Unsure, bootstrap: &Bootstrap) -> Option<Interval> {
    let documents: u64 = frame.strata.iter().map(|stratum| stratum.population).sum();
    let labelled = frame.known(unsure).count() as u64;
    let yes = frame.known(unsure).filter(|(_, truth)| *truth).count() as u64;
    // Of a document one pair is drawn: chance remains when all documents are, so nothing is taken off for them.
    Proportion::stratified(&[Cell { population: documents, labelled, yes }], bootstrap)?.wilson
}

/// Share of true pairs of a stratum by the weights of the draw.
fn by_weight(frame: &Frame, h: usize, unsure: Unsure, confidence: f64) -> Option<Interval> {
    let known = frame.known(unsure).filter(|(drawn, _)| drawn.stratum == h);
    let labels: Vec<(f64, bool)> = known.map(|(drawn, truth)| (drawn.weight, truth)).collect();
    Proportion::weighted(&labels, frame.strata[h].population, confidence)?.wilson
}

fn stratum(frame: &Frame, h: usize, unsure: Unsure, confidence: f64) -> StratumEstimate {
    let stratum = &frame.strata[h];
    let mine = || frame.drawn.iter().filter(move |drawn| drawn.stratum == h);
    let known = || frame.known(unsure).filter(move |(drawn, _)| drawn.stratum == h);
    let (labelled, yes) = (known().count() as u64, known().filter(|(_, truth)| *truth).count() as u64);
    StratumEstimate {
        name: stratum.name.clone(),
        population: stratum.population,
        drawn: stratum.drawn,
        labelled,
        yes,
        unsure: mine().filter(|drawn| drawn.label == Some(Label::Unsure)).count() as u64,
        share: match frame.even {
            true => exact(yes, labelled, stratum.population, confidence),
            false => by_weight(frame, h, unsure, confidence),
        },
        audit: stratum.audit,
    }
}
