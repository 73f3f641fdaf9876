//! Do annotators agree with themselves, when a pair comes again unannounced?

use serde::Serialize;

use super::bounds::Strata;
use super::coefficients::{Row, cohen};
use super::{Unit, rating};
use crate::base::interval::Interval;
use crate::evaluation::intervals::clopper_pearson;
use crate::labels::{Annotations, What};

/// How steady an annotator is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Steadiness {
    /// Who.
    pub annotator: String,
    /// Pairs that came again and were decided again.
    pub pairs: u64,
    /// Those decided as before.
    pub same: u64,
    /// Their share, with Clopper and Pearson's interval: repeats are few.
    pub share: Option<Interval>,
    /// Cohen's kappa of the first and the second time.
    pub kappa: Option<Interval>,
}

impl Steadiness {
    /// Of one annotator: what stands for a pair, and what was said the last time it came again. `None` when none did.
    pub(super) fn of(a: &Annotations, units: &[Unit<'_>], sample: Option<&str>, confidence: f64) -> Option<Self> {
        let again = |unit: &Unit<'_>| {
            let edits = a.reading.decisions.history(unit.source, unit.target);
            let repeats = edits.filter(|(event, live)| {
                let within = sample.is_none_or(|name| event.sample.as_deref() == Some(name));
                *live && within && event.circumstances.repeat == Some(true)
            });
            repeats.filter_map(|(event, _)| if let What::Label(label) = event.what { Some(label) } else { None }).last()
        };
        let row = |unit: &Unit<'_>| {
            let second = again(unit)?;
            let first = a.reading.decisions.label(unit.source, unit.target, sample)?;
            Some(Row::plain(vec![rating(first), rating(second)]))
        };
        let rows: Vec<Row> = units.iter().filter_map(row).collect();
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
