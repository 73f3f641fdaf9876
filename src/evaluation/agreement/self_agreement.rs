//! Do annotators agree with themselves when a pair is shown again unannounced?

use serde::Serialize;

use super::bounds::Strata;
use super::coefficients::{Row, cohen};
use super::unit::{Unit, rating};
use crate::intervals::clopper_pearson;
use dejaview_base::interval::Interval;
use dejaview_labels::Annotations;

/// How far an annotator agrees with themselves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SelfAgreement {
    pub annotator: String,
    /// Pairs that were shown and decided twice.
    pub pairs: u64,
    /// Repeated pairs that got the same label again.
    pub same: u64,
    /// Their share, with Clopper and Pearson's interval: repeats are few.
    pub share: Option<Interval>,
    /// Cohen's kappa of the first and the second time.
    pub kappa: Option<Interval>,
}

impl SelfAgreement {
    /// Compares what an annotator said when a pair came and when it came again; `None` when no pair was repeated.
    pub(super) fn new(a: &Annotations, units: &[Unit<'_>], sample: Option<&str>, confidence: f64) -> Option<Self> {
        let twice = units.iter().filter_map(|unit| a.reading.decisions.said_twice(unit.source, unit.target, sample));
        let rows: Vec<Row> = twice.map(|said| Row::plain(said.map(rating).to_vec())).collect();
        let pairs = rows.len() as u64;
        let same = rows.iter().filter(|row| row.ratings[0] == row.ratings[1]).count() as u64;
        (pairs > 0).then(|| Self {
            annotator: a.annotator.clone(),
            pairs,
            same,
            share: clopper_pearson(same, pairs, confidence),
            kappa: Strata::new(rows.into_iter().map(|row| (0, row)), &[])
                .interval(&|rows| cohen(rows, 0, 1)?.2, confidence),
        })
    }
}
