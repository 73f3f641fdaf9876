//! What labelled samples say about the configurations of a study, in the place of what could be counted if the truth of all
//! pairs were known.
//!
//! Labels that were not given in a sample make no estimate: nobody knows how the pairs came about that somebody happened to
//! look at. So every number here comes from a sample whose pairs a configuration's own are among, or is not given.

use super::StudyError;
use super::domains::Drawable;
use super::estimate::Shown;
use super::evaluate::{Evaluation, Reading};
use super::pair_table::PairTable;
use super::session::Session;
use crate::base::interval::Interval;
use crate::evaluation::comparison::{Contender, Quality, Weighed, unions};
use crate::evaluation::estimates::{
    Crossed, Domain, Estimate, Estimates, Frame, Proportion, Recall, Together, Units, headline,
};
use crate::evaluation::sample::Sample;

/// A labelled sample, with what it says.
pub(super) struct Labelled {
    pub(super) sample: Sample,
    pub(super) frame: Frame,
    pub(super) estimates: Estimates,
}

impl Session {
    /// Puts what samples say in the place of what all labels say. Of several samples that serve a configuration the one with
    /// the most labels of its pairs counts, and with it those that overlap with it and make the interval narrower.
    pub(super) fn by_samples(
        &self,
        evaluation: &mut Evaluation,
        (table, contenders): (&PairTable, &[Contender]),
        samples: Vec<Labelled>,
        reading: &Reading,
    ) -> Result<(), StudyError> {
        let alone = samples.iter().map(|labelled| self.alone(table, labelled)).collect::<Result<Vec<_>, _>>()?;
        let crossed = if reading.sample.is_none() { self.crossed(&samples)? } else { None };
        for (c, quality) in evaluation.comparison.configurations.iter_mut().enumerate() {
            (quality.precision, quality.recall, quality.f1, quality.only_true) = (None, None, None, None);
            let best = best_for(&quality.name, &samples, |_| true);
            quality.basis = Some(match best {
                Some((precision, estimate, at)) => {
                    let labelled = &samples[at];
                    quality.only_true = alone[at].as_ref().and_then(|alone| alone.truths(c, labelled, reading));
                    let basis = put(quality, precision, estimate, &labelled.estimates, reading.shown);
                    let confidence = labelled.estimates.confidence;
                    let together = crossed.as_ref().and_then(|(crossed, places)| {
                        let place = crossed.configurations.iter().position(|name| *name == quality.name)?;
                        let first = places.iter().position(|place| *place == at)?;
                        Some((crossed, place, crossed.best(place, first, reading.unsure, confidence)?))
                    });
                    match together {
                        Some((crossed, c, together)) => {
                            put_together(quality, (crossed, c, &together), &samples, reading, confidence)
                                .unwrap_or(basis)
                        }
                        None => basis,
                    }
                }
                None => {
                    match evaluation.changed.iter().find(|changed| changed.configurations.contains(&quality.name)) {
                        Some(changed) => format!("nothing: {}", changed.short()),
                        None => "no labelled sample: `dejaview sample` draws one of its pairs".to_owned(),
                    }
                }
            });
        }
        let most = samples.iter().max_by_key(|labelled| (labelled.frame.drawn_from, labelled.estimates.labelled));
        evaluation.comparison.coverage =
            most.map(|labelled| weighed_unions(table, contenders, labelled, reading)).unwrap_or_default();
        evaluation.unions_of = most.map(|labelled| labelled.sample.name.clone());
        evaluation.estimates = samples.into_iter().map(|labelled| labelled.estimates).collect();
        Ok(())
    }

    /// The pairs that one configuration alone found, of every configuration. `None` where the sample is not one of pairs.
    fn alone(&self, table: &PairTable, labelled: &Labelled) -> Result<Option<Alone>, StudyError> {
        let Labelled { sample, frame, .. } = labelled;
        // A kept sample stands for old pairs alone, which the pairs of now do not tell.
        let new = sample.kept.as_ref().is_some_and(|kept| kept.new > 0);
        if frame.units != Units::Pairs || new {
            return Ok(None);
        }
        let drawable = Drawable::new(self, sample)?;
        let names = table.configurations();
        let bits: Vec<u64> = names.iter().map(|name| drawable.bits([name])).collect();
        let mut population = vec![vec![0; sample.strata.len()]; names.len()];
        drawable.each(|stratum, one| {
            if let Some(c) = bits.iter().position(|bit| *bit == one.found) {
                population[c][stratum] += 1;
            }
        })?;
        let finder = |place: usize| {
            let pair = &sample.pairs[place];
            let row = table.find(&pair.source, &pair.target)?;
            let mut finders = (0..names.len()).filter(|c| table.found_by(row, *c));
            finders.next().filter(|_| finders.next().is_none())
        };
        Ok(Some(Alone { population, finder: frame.drawn.iter().map(|drawn| finder(drawn.place)).collect() }))
    }
}

/// The pairs that one configuration alone found.
struct Alone {
    /// By configuration, then stratum.
    population: Vec<Vec<u64>>,
    /// For each drawn pair the configuration that alone found it, if one did.
    finder: Vec<Option<usize>>,
}

impl Alone {
    /// How many of those of a configuration are true. `None` without a label of them.
    fn truths(&self, c: usize, labelled: &Labelled, reading: &Reading) -> Option<Interval> {
        let population = self.population[c].clone();
        let pairs = population.iter().sum::<u64>() as f64;
        let holds = self.finder.iter().map(|finder| *finder == Some(c)).collect();
        let cells = labelled.frame.cells(&Domain { population, holds }, true, reading.unsure);
        let cells: Vec<_> = cells.into_iter().filter(|cell| cell.population > 0).collect();
        Some(headline(&cells, labelled.estimates.confidence)?.times(pairs))
    }
}

/// The estimate of a configuration by the sample that has most labels of its pairs, and the place of that; of equal ones the
/// first. Of those with an estimate that is wanted.
fn best_for<'a>(
    name: &str,
    samples: &'a [Labelled],
    wanted: impl Fn(&Estimate) -> bool,
) -> Option<(&'a Proportion, &'a Estimate, usize)> {
    let of = |(at, labelled): (usize, &'a Labelled)| {
        let mut estimates = labelled.estimates.configurations.iter();
        let estimate = estimates.find(|estimate| estimate.name == name && wanted(estimate))?;
        Some((estimate.precision.as_ref()?, estimate, at))
    };
    samples
        .iter()
        .enumerate()
        .filter_map(of)
        .reduce(|best, next| if next.0.labelled > best.0.labelled { next } else { best })
}

/// Puts an estimate in place, and says what it rests on.
fn put(quality: &mut Quality, precision: &Proportion, estimate: &Estimate, from: &Estimates, shown: Shown) -> String {
    let recall = &estimate.recall;
    quality.precision = shown.of(precision);
    quality.recall = recall.all.or(recall.pool);
    quality.f1 = recall.f1;
    let of = recall_in_words(recall, "the sample's pool");
    format!("sample {}: {}; {of}", from.sample, shown.name())
}

/// What recall is of, given the name of the pool.
fn recall_in_words(recall: &Recall, pool: &str) -> String {
    match (recall.all, recall.pool) {
        (Some(_), _) => "recall of all true pairs, by the audit".to_owned(),
        (None, Some(_)) => format!("recall within {pool}"),
        _ => "no recall, which takes a sample of several configurations or one with an audit".to_owned(),
    }
}

/// Puts an estimate of several samples in place, and says what it rests on. What an audit says about recall stays.
fn put_together(
    quality: &mut Quality,
    (crossed, c, together): (&Crossed, usize, &Together),
    samples: &[Labelled],
    reading: &Reading,
    confidence: f64,
) -> Option<String> {
    let Together { estimate, frame, .. } = together;
    let precision = estimate.precision.as_ref()?;
    quality.precision = Some(reading.shown.of(precision)?);
    let holds = together.frame.drawn.iter().map(|drawn| drawn.found == 1 << c).collect();
    let alone = Domain { population: together.alone.clone(), holds };
    let cells = frame.cells(&alone, true, reading.unsure);
    let cells: Vec<_> = cells.into_iter().filter(|cell| cell.population > 0).collect();
    let pairs = together.alone.iter().sum::<u64>() as f64;
    quality.only_true = headline(&cells, confidence).map(|share| share.times(pairs));
    let names: Vec<&str> = together.samples.iter().map(|s| crossed.samples[*s].as_str()).collect();
    let audit = best_for(&quality.name, samples, |estimate| estimate.recall.all.is_some());
    let of = match (audit, estimate.recall.pool) {
        (Some((_, audited, at)), _) => {
            (quality.recall, quality.f1) = (audited.recall.all, audited.recall.f1);
            format!("recall of all true pairs and F by the audit of sample {}", samples[at].sample.name)
        }
        (None, pool) => {
            (quality.recall, quality.f1) = (pool, estimate.recall.f1);
            recall_in_words(&estimate.recall, "the pool of these samples")
        }
    };
    let labels = precision.labelled;
    Some(format!("samples {} together, {labels} labels: {}; {of}", names.join(" and "), reading.shown.name()))
}

/// Unions of the configurations that a sample serves, by the weights of its labels.
fn weighed_unions(
    table: &PairTable,
    contenders: &[Contender],
    labelled: &Labelled,
    reading: &Reading,
) -> Vec<crate::evaluation::comparison::Step> {
    let Labelled { sample, frame, .. } = labelled;
    let served: Vec<usize> = (0..contenders.len()).filter(|&c| sample.serves.contains(&contenders[c].name)).collect();
    let found = |place: usize| {
        let pair = &sample.pairs[place];
        let row = table.find(&pair.source, &pair.target);
        row.map_or(0, |row| served.iter().filter(|c| table.found_by(row, **c)).fold(0, |bits, c| bits | 1 << c))
    };
    let weighed: Vec<Weighed> = frame
        .weights(reading.unsure)
        .into_iter()
        .map(|(drawn, truth, weight)| Weighed { found: found(drawn.place), truth, weight })
        .collect();
    let all = weighed.iter().filter(|pair| pair.truth).map(|pair| pair.weight).sum();
    unions(contenders, &weighed, all)
}
