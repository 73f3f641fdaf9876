//! Precision and recall as the tables show them, whatever was drawn.

use super::frame::{Domain, Drawn, Frame, Units, Unsure};
use super::importance::by_importance;
use super::proportion::Proportion;
use super::recall::Recall;
use dejaview_base::interval::Interval;

/// Precision and recall as tables show them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Shares {
    /// Share of true pairs among those found.
    pub precision: Option<Interval>,
    /// Share of all true pairs, where there is an audit, else of those of the pool.
    pub recall: Option<Interval>,
}

impl Shares {
    /// Precision and recall of a domain.
    pub fn new(frame: &Frame, domain: &Domain, unsure: Unsure, confidence: f64) -> Self {
        Self {
            precision: precision(frame, domain, unsure, confidence).and_then(|share| share.headline),
            recall: Recall::new(frame, domain, unsure, confidence).widest(),
        }
    }

    /// F of a precision and a recall that different samples tell. Both intervals are made so sure that they hold together as
    /// often as is asked for, whatever the samples have in common.
    pub fn f_apart(
        precision: impl Fn(f64) -> Option<Interval>,
        recall: impl Fn(f64) -> Option<Interval>,
        confidence: f64,
    ) -> Option<Interval> {
        let surer = 1.0 - (1.0 - confidence) / 2.0;
        let (precision, recall) = (precision(surer)?, recall(surer)?);
        let f = |of: fn(&Interval) -> f64| match (of(&precision), of(&recall)) {
            (p, r) if p + r > 0.0 => 2.0 * p * r / (p + r),
            _ => 0.0,
        };
        Interval::new(f(|share| share.value), f(|share| share.low), f(|share| share.high))
    }
}

/// The share of true pairs in a domain.
pub fn precision(frame: &Frame, domain: &Domain, unsure: Unsure, confidence: f64) -> Option<Proportion> {
    match frame.units {
        Units::Pairs => {
            let cells = frame.cells(domain, true, unsure).into_iter().filter(|cell| cell.population > 0);
            let share = Proportion::stratified(&cells.collect::<Vec<_>>(), confidence)?;
            Some(Proportion { population: share.population / frame.larger(), ..share })
        }
        Units::Documents | Units::Pages | Units::Weighted => {
            let share = by_weight(frame, unsure, confidence, &|drawn| domain.includes[drawn.place])?;
            let known = domain.population.iter().sum::<u64>();
            Some(match frame.units == Units::Weighted && known > 0 {
                true => Proportion { population: known, ..share },
                false => Proportion { population_estimated: true, ..share },
            })
        }
    }
}

/// Share of true pairs among some drawn ones, by the weights of the draw.
pub(super) fn by_weight(
    frame: &Frame,
    unsure: Unsure,
    confidence: f64,
    belongs: &dyn Fn(&Drawn) -> bool,
) -> Option<Proportion> {
    let known = frame.weights(unsure).into_iter().filter(|(drawn, ..)| belongs(drawn));
    let labels: Vec<(f64, bool)> = known.map(|(_, truth, weight)| (weight, truth)).collect();
    let population = labels.iter().map(|(weight, _)| weight).sum::<f64>().round() as u64;
    let weighted = Proportion::weighted(&labels, population, confidence)?;
    if frame.units != Units::Weighted {
        return Some(weighted);
    }
    let probabilities: Vec<(f64, bool)> = labels.iter().map(|(weight, truth)| (1.0 / weight, *truth)).collect();
    let share = by_importance(&probabilities, confidence)?;
    Some(Proportion { headline: Some(share.interval), effective: share.effective, wilson: None, ..weighted })
}
