//! Of how many documents is the pair true, when documents are drawn and of each one pair?
//!
//! Every document counts once, whatever the number of its pairs; its own share is that of its pairs which are true. Two
//! things are left to chance: which documents were drawn, which is over when all are, and which pair of a document with
//! several. With n of D documents the variance is (1−n/D)·s²/n for the former; for the latter n/D·Σ q(1−q)/n² over documents
//! with several pairs, q being the share of true ones among their pairs: no spread within documents is larger than that.

use super::finite::exact;
use super::frame::{Domain, Frame, Unsure};
use super::proportion::{Proportion, Unit};
use crate::distributions::deviations;
use crate::intervals::{clopper_pearson, clopper_pearson_effective, wilson_effective};
use dejaview_base::interval::Interval;

/// Labels that say true among some, each standing for one document.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    labelled: u64,
    yes: u64,
}

impl Count {
    fn add(&mut self, truth: bool) {
        self.labelled += 1;
        self.yes += u64::from(truth);
    }

    /// p(1−p), with (x+1)/(n+2) for p where labels are all alike.
    fn spread(&self) -> f64 {
        let (x, n) = (self.yes as f64, self.labelled as f64);
        let p = if self.yes == 0 || self.yes == self.labelled { (x + 1.0) / (n + 2.0) } else { x / n };
        p * (1.0 - p)
    }
}

/// The share of documents whose pair is true, of a sample in which every drawn pair belongs to the domain. `None` otherwise,
/// and without labels.
pub fn by_document(frame: &Frame, domain: &Domain, unsure: Unsure, confidence: f64) -> Option<Proportion> {
    if domain.includes.iter().any(|holds| !holds) {
        return None;
    }
    let documents: u64 = frame.strata.iter().map(|stratum| stratum.population).sum();
    let (mut all, mut several) = (Count::default(), Count::default());
    for (drawn, truth) in frame.known(unsure) {
        all.add(truth);
        if drawn.document_pairs > 1 {
            several.add(truth);
        }
    }
    let (n, d) = (all.labelled as f64, documents as f64);
    if all.labelled == 0 || documents == 0 {
        return None;
    }
    let alike = all.yes == 0 || all.yes == all.labelled;
    let between = (1.0 - n / d).max(0.0) * all.spread() / if alike { n } else { n - 1.0 };
    let within = if several.labelled == 0 { 0.0 } else { several.labelled as f64 * several.spread() / (n * d) };
    let (value, effective) = (all.yes as f64 / n, all.spread() / (between + within));
    let doubtful = frame.count(super::Consensus::is_doubtful);
    let seen = all.labelled + if unsure == Unsure::Out { doubtful } else { 0 };
    let ends = [
        clopper_pearson(all.yes, seen, confidence)?.low,
        clopper_pearson(all.yes + seen - all.labelled, seen, confidence)?.high,
    ];
    // Documents are whole, as pairs are: where most were drawn, less than one of them seems left to chance.
    let headline = match frame.drawn.iter().any(|drawn| drawn.document_pairs > 1) {
        false => exact(all.yes, all.labelled, documents, confidence)?,
        true => {
            let share = clopper_pearson_effective(value, effective, confidence)?;
            Interval { low: share.low - 1.0 / d, high: share.high + 1.0 / d, ..share }.within(0.0, 1.0)
        }
    };
    Some(Proportion {
        unit: Unit::Documents,
        population: documents,
        labelled: all.labelled,
        yes: all.yes,
        effective,
        headline: Some(headline),
        design: wilson_effective(value, effective, deviations(confidence)),
        conservative: Interval::new(value, ends[0], ends[1]),
        ..Proportion::default()
    })
}
