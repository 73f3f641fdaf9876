//! Estimates from labels how many of the pairs of a transfer are no near-duplicates.
//!
//! The share rests on the labels of one sample alone, which were given in it and whose population holds every pair that
//! carries a judgment. Labels that came about in another way (looked up, imported without a sample) do not stand for the
//! rest, and are only counted.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::StudyError;
use crate::analyse::transfer_material::{Material, TransferOptions};
use crate::label::domains::SamplePopulation;
use crate::label::exchange::all_samples;
use crate::label::labelling::read_journals;
use crate::label::provenance::usable_sample;
use crate::snapshot::Snapshot;
use dejaview_evaluation::estimates::{Consensus, Domain, Drawn, Frame, Units, Unsure, likely_width, precision};
use dejaview_evaluation::intervals::Interval;
use dejaview_evaluation::sample::{Design, Sample, TransferFrame};
use dejaview_evaluation::transfer::Accept;
use dejaview_labels::{Journals, Label};

/// How often the interval covers.
const CONFIDENCE: f64 = 0.95;

/// The share of pairs that carry judgments and are no near-duplicates.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WrongPairs {
    /// The share; 95 %. None when no labelled sample was drawn from all of the pairs. Pairs that people are unsure about or
    /// that are disputed are left out of it; the interval allows them to be either.
    #[serde(flatten)]
    pub share: Option<Interval>,
    /// How the interval was found: `exact` for the finite number of pairs of a simple random sample; of others `weighted`,
    /// as precision is estimated.
    pub interval: Option<&'static str>,
    /// Decided pairs that it rests on; without a sample, all that are decided.
    pub labelled: u64,
    /// Of these, labelled not a near-duplicate.
    pub not: u64,
    /// Pairs beside, about which people are unsure.
    pub unsure: u64,
    /// Pairs beside that people decided differently and nobody settled.
    pub disputed: u64,
    /// Pairs that it stands for: those that the policy takes when it looks at no label.
    pub pool: u64,
    /// The sample whose labels were used.
    pub sample: Option<String>,
}

/// The share of wrong pairs among those that the policy takes without looking at labels; none when labels decide what
/// is accepted, or when none of those pairs is labelled.
pub(crate) fn wrong_links(
    study: &Snapshot,
    order: &TransferOptions,
    material: &Material<'_>,
) -> Result<Option<WrongPairs>, StudyError> {
    if order.accept == Accept::Labels {
        return Ok(None);
    }
    let (journals, taken) = (read_journals(study)?, material.taken_pairs(order));
    let frame = material.frame(order, &taken);
    let usable = all_samples(study)?.into_iter().map(|sample| usable_sample(study, sample));
    let samples: Vec<Sample> = usable.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    let fits = |sample: &&Sample| match &sample.transfer {
        Some(own) if own.pairs.is_empty() => {
            TransferFrame { pairs: String::new(), ..frame.clone() } == *own && sample.population == taken.len() as u64
        }
        Some(own) => *own == frame,
        None => {
            sample.drawn_here()
                && !sample.of_old_pairs()
                && frame.configurations.iter().all(|name| sample.serves.contains(name))
        }
    };
    let estimates = samples.iter().filter(fits).map(|sample| wrong_by_sample(study, sample, &journals, &taken));
    let estimates = estimates.collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
    // The sample that says most about these pairs; of equal ones the first by name.
    let best = estimates.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, wrong)| wrong);
    Ok(best.or_else(|| WrongPairs::by_all_labels(&journals, &taken)))
}

/// By the labels of a sample whose population holds every pair taken, and how wide the interval was likely to be; none where
/// it has none of these labelled.
fn wrong_by_sample(
    study: &Snapshot,
    sample: &Sample,
    journals: &Journals,
    taken: &BTreeSet<(&str, &str)>,
) -> Result<Option<(f64, WrongPairs)>, StudyError> {
    let frame = Frame::labelled(sample, journals);
    let is_taken = |drawn: &Drawn| {
        let pair = &sample.pairs[drawn.place];
        taken.contains(&(pair.source.as_str(), pair.target.as_str()))
    };
    let said = frame.drawn.iter().filter(|drawn| is_taken(drawn)).map(|drawn| drawn.consensus);
    let counted = WrongPairs::counted(said, taken.len() as u64);
    if counted.labelled == 0 {
        return Ok(None);
    }
    let mut population = vec![0; sample.strata.len()];
    if sample.transfer.is_some() {
        population = sample.strata.iter().map(|stratum| stratum.population).collect();
    } else if frame.units == Units::Pairs {
        let drawn_from = SamplePopulation::new(study, sample)?;
        drawn_from.each(|stratum, one| {
            let singles = drawn_from.framing().single_pairs(one);
            population[stratum] += singles.filter(|pair| taken.contains(&(pair.source, pair.target))).count() as u64;
        })?;
    }
    let domain = Domain { population, includes: frame.drawn.iter().map(is_taken).collect() };
    let share = wrong_share(&frame, &domain);
    let interval = if sample.design == Design::Simple { "exact" } else { "weighted" };
    let wrong = WrongPairs { share, interval: share.and(Some(interval)), sample: Some(sample.name.clone()), ..counted };
    Ok(Some((likely_width(&frame, &domain, CONFIDENCE).unwrap_or(f64::INFINITY), wrong)))
}

impl WrongPairs {
    /// What was decided of some pairs.
    fn counted(said: impl Iterator<Item = Consensus>, pool: u64) -> Self {
        let mut found = Self { pool, ..Self::default() };
        for said in said {
            match said {
                Consensus::Undecided => {}
                Consensus::Label(Label::Unsure) => found.unsure += 1,
                Consensus::Disputed => found.disputed += 1,
                Consensus::Label(label) => {
                    found.labelled += 1;
                    found.not += u64::from(label == Label::Not);
                }
            }
        }
        found
    }

    /// What all labels of the pairs taken say, which stand for themselves alone; none where there are none.
    fn by_all_labels(journals: &Journals, taken: &BTreeSet<(&str, &str)>) -> Option<Self> {
        let said = taken.iter().map(|(source, target)| Consensus::from(&journals.standing(source, target)));
        let counted = Self::counted(said, taken.len() as u64);
        (counted.labelled + counted.unsure + counted.disputed > 0).then_some(counted)
    }
}

/// The share of pairs of a domain that are not true, as precision is estimated; pairs in doubt may be either. Judgments are
/// carried by pairs, so a sample of documents counts as one of pairs with unequal probabilities.
fn wrong_share(frame: &Frame, domain: &Domain) -> Option<Interval> {
    let headline = |unsure| precision(frame, domain, unsure, CONFIDENCE)?.headline;
    let right = headline(Unsure::Out)?;
    let (low, high) = Unsure::ALL
        .into_iter()
        .filter_map(headline)
        .fold((right.low, right.high), |(low, high), each| (low.min(each.low), high.max(each.high)));
    Interval::new(1.0 - right.value, 1.0 - high, 1.0 - low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_evaluation::sample::Stratum;

    #[test]
    fn pairs_in_doubt_widen_the_interval_and_are_counted_apart() {
        let label = Consensus::Label;
        let said = [
            label(Label::Not),
            label(Label::NearDuplicate),
            label(Label::Unsure),
            Consensus::Disputed,
            Consensus::Undecided,
        ];
        let found = WrongPairs::counted(said.iter().copied(), 5);
        assert_eq!((found.labelled, found.not, found.unsure, found.disputed), (2, 1, 1, 1));
        let share = |said: &[Consensus], population: u64| {
            let stratum = Stratum { population, found: vec![population], ..Stratum::default() };
            let drawn = |(place, said): (usize, &Consensus)| Drawn {
                place,
                stratum: 0,
                weight: 1.0,
                found: 1,
                document_pairs: 1,
                consensus: *said,
            };
            let frame =
                Frame::of_pairs(vec!["a".to_owned()], 1, vec![stratum], said.iter().enumerate().map(drawn).collect());
            wrong_share(&frame, &frame.found_by(0)).unwrap()
        };
        let found = share(&said, 5);
        assert_eq!(
            (found.value, found.low, found.high),
            (0.5, 1.0 - 0.8, 0.8),
            "of five, one is wrong and one is right"
        );
        let census = share(&said[..2], 2);
        assert_eq!((census.low, census.high), (0.5, 0.5), "all looked at");
    }
}
