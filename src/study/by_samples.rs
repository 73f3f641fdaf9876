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
use crate::evaluation::estimates::{Domain, Estimate, Estimates, Frame, Proportion, Units, headline};
use crate::evaluation::sample::Sample;

/// A labelled sample, with what it says.
pub(super) struct Labelled {
    pub(super) sample: Sample,
    pub(super) frame: Frame,
    pub(super) estimates: Estimates,
}

impl Session {
    /// Puts what samples say in the place of what all labels say. Of several samples that serve a configuration the one with
    /// the most labels of its pairs counts.
    pub(super) fn by_samples(
        &self,
        evaluation: &mut Evaluation,
        (table, contenders): (&PairTable, &[Contender]),
        samples: Vec<Labelled>,
        reading: &Reading,
    ) -> Result<(), StudyError> {
        let alone = samples.iter().map(|labelled| self.alone(table, labelled)).collect::<Result<Vec<_>, _>>()?;
        for (c, quality) in evaluation.comparison.configurations.iter_mut().enumerate() {
            (quality.precision, quality.recall, quality.f1, quality.only_true) = (None, None, None, None);
            let best = best_for(&quality.name, &samples);
            quality.basis = Some(match best {
                Some((precision, estimate, at)) => {
                    let labelled = &samples[at];
                    quality.only_true = alone[at].as_ref().and_then(|alone| alone.truths(c, labelled, reading));
                    put(quality, precision, estimate, &labelled.estimates, reading.shown)
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
/// first.
fn best_for<'a>(name: &str, samples: &'a [Labelled]) -> Option<(&'a Proportion, &'a Estimate, usize)> {
    let of = |(at, labelled): (usize, &'a Labelled)| {
        let estimate = labelled.estimates.configurations.iter().find(|estimate| estimate.name == name)?;
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
    let of = match (recall.all, recall.pool) {
        (Some(_), _) => "recall of all true pairs, by the audit",
        (None, Some(_)) => "recall within the sample's pool",
        _ => "no recall, which takes a sample of several configurations or one with an audit",
    };
    format!("sample {}: {}; {of}", from.sample, shown.name())
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
