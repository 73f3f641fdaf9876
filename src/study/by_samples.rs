//! What labelled samples say about the configurations of a study, in the place of what could be counted if the truth of all
//! pairs were known.
//!
//! Labels that were not given in a sample make no estimate: nobody knows how the pairs came about that somebody happened to
//! look at. So every number here comes from a sample whose pairs a configuration's own are among, or is not given.

use std::collections::BTreeMap;

use super::StudyError;
use super::domains::Drawable;
use super::estimate::Shown;
use super::evaluate::{Evaluation, Reading};
use super::pair_table::PairTable;
use super::provenance::Changed;
use super::session::Session;
use crate::base::interval::Interval;
use crate::base::random::Bootstrap;
use crate::evaluation::comparison::{Contender, Quality, Step, Worth, unions};
use crate::evaluation::estimates::{
    Crossed, Domain, Estimate, Estimates, Frame, Shares, Together, Unit, Units, headline,
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
        let finders = samples.iter().map(|labelled| self.finders(table, labelled)).collect::<Result<Vec<_>, _>>()?;
        let crossed = if reading.sample.is_none() { self.crossed(&samples)? } else { None };
        for (c, quality) in evaluation.comparison.configurations.iter_mut().enumerate() {
            (quality.precision, quality.recall, quality.f1, quality.only_true) = (None, None, None, None);
            let single = single(&quality.name, &samples).map(|mut single| {
                let Labelled { frame, estimates, .. } = &samples[single.at];
                single.found.only_true = finders[single.at].as_ref().and_then(|finders| {
                    truths(frame, finders.domain(|found| found == 1 << c), reading, estimates.confidence)
                });
                single
            });
            let together =
                crossed.as_ref().and_then(|crossed| together(&quality.name, crossed, single.as_ref(), reading));
            quality.basis = Some(match (together, single) {
                (Some(together), _) => together.put(quality, &samples, reading.shown),
                (None, Some(single)) => single.found.put(quality, &samples, reading.shown),
                (None, None) => nothing(&quality.name, &evaluation.changed, &samples),
            });
        }
        let serving =
            samples.iter().zip(&finders).filter_map(|(labelled, finders)| Some((labelled, finders.as_ref()?)));
        let most = serving.max_by_key(|(labelled, _)| (labelled.frame.drawn_from, labelled.estimates.labelled));
        let steps = most.map(|(labelled, finders)| estimated_unions(contenders, labelled, finders, reading));
        evaluation.comparison.coverage = steps.unwrap_or_default();
        evaluation.unions_of = most.map(|(labelled, _)| labelled.sample.name.clone());
        evaluation.estimates = samples.into_iter().map(|labelled| labelled.estimates).collect();
        Ok(())
    }

    /// Who found which pairs of a sample. `None` where the sample is not one of pairs.
    fn finders(&self, table: &PairTable, labelled: &Labelled) -> Result<Option<Finders>, StudyError> {
        let Labelled { sample, frame, .. } = labelled;
        // A kept sample stands for old pairs alone, which the pairs of now do not tell.
        if frame.units != Units::Pairs || sample.of_old_pairs() || !sample.drawn_here() {
            return Ok(None);
        }
        let drawable = Drawable::new(self, sample)?;
        let names = table.configurations();
        let bits: Vec<u64> = names.iter().map(|name| drawable.bits([name])).collect();
        let mut framed: BTreeMap<(usize, u64), u64> = BTreeMap::new();
        drawable.each(|stratum, one| *framed.entry((stratum, one.found)).or_default() += one.pairs())?;
        let by_name = |found: u64| (0..bits.len()).filter(|c| found & bits[*c] != 0).fold(0, |all, c| all | 1 << c);
        let of_drawn = |place: usize| {
            let pair = &sample.pairs[place];
            let row = table.find(&pair.source, &pair.target);
            row.map_or(0, |row| (0..names.len()).filter(|c| table.found_by(row, *c)).fold(0, |all, c| all | 1 << c))
        };
        Ok(Some(Finders {
            strata: sample.strata.len(),
            pairs: framed.into_iter().map(|((stratum, found), pairs)| (stratum, by_name(found), pairs)).collect(),
            drawn: frame.drawn.iter().map(|drawn| of_drawn(drawn.place)).collect(),
        }))
    }
}

/// Which configurations found the pairs of a sample, as bits in the order of the study.
struct Finders {
    strata: usize,
    /// Stratum, configurations, and how many pairs of the stratum just these found.
    pairs: Vec<(usize, u64, u64)>,
    /// Those of each drawn pair.
    drawn: Vec<u64>,
}

impl Finders {
    /// The pairs whose finders are as wanted.
    fn domain(&self, is: impl Fn(u64) -> bool) -> Domain {
        let mut population = vec![0; self.strata];
        for (stratum, found, pairs) in &self.pairs {
            population[*stratum] += if is(*found) { *pairs } else { 0 };
        }
        Domain { population, holds: self.drawn.iter().map(|found| is(*found)).collect() }
    }
}

/// What is known about a configuration, and from which samples.
struct Found {
    estimate: Estimate,
    only_true: Option<Interval>,
    /// The samples in words, and whose pool it is that recall is within.
    by: String,
    pool: &'static str,
}

/// What one sample says, and its place.
struct Single {
    found: Found,
    at: usize,
}

/// By the sample that has most labels of a configuration's pairs; of equal ones the first.
fn single(name: &str, samples: &[Labelled]) -> Option<Single> {
    let (at, estimate) = best_for(name, samples, |_| true)?;
    let by = format!("sample {}", samples[at].sample.name);
    let found = Found { estimate: estimate.clone(), only_true: None, by, pool: "the sample's pool" };
    Some(Single { found, at })
}

/// By several samples, where they tell more than the one.
fn together(
    name: &str,
    (crossed, places): &(Crossed, Vec<usize>),
    single: Option<&Single>,
    reading: &Reading,
) -> Option<Found> {
    let confidence = Bootstrap::default().confidence;
    let c = crossed.configurations.iter().position(|known| known == name)?;
    let first = match single {
        Some(single) => Some(places.iter().position(|place| *place == single.at)?),
        None => None,
    };
    let Together { samples, frame, estimate, alone } = crossed.best(c, first, reading.unsure, confidence)?;
    let labels = estimate.precision.as_ref()?.labelled;
    let holds = frame.drawn.iter().map(|drawn| drawn.found == 1 << c).collect();
    let only_true = truths(&frame, Domain { population: alone, holds }, reading, confidence);
    let names: Vec<&str> = samples.iter().map(|s| crossed.samples[*s].as_str()).collect();
    let by = format!("samples {} together, {labels} labels", names.join(" and "));
    Some(Found { estimate, only_true, by, pool: "the pool of these samples" })
}

/// How many pairs of a domain are true. `None` without a label of them.
fn truths(frame: &Frame, domain: Domain, reading: &Reading, confidence: f64) -> Option<Interval> {
    let pairs = domain.population.iter().sum::<u64>() as f64;
    let cells = frame.cells(&domain, true, reading.unsure).into_iter().filter(|cell| cell.population > 0);
    Some(headline(&cells.collect::<Vec<_>>(), confidence)?.times(pairs))
}

/// The estimate of a configuration by the sample that has most labels of its pairs, of those whose estimate is as wanted,
/// and the place of that sample.
fn best_for<'a>(
    name: &str,
    samples: &'a [Labelled],
    wanted: impl Fn(&Estimate) -> bool,
) -> Option<(usize, &'a Estimate)> {
    let of = |(at, labelled): (usize, &'a Labelled)| {
        if labelled.sample.of_old_pairs() {
            return None;
        }
        let mut estimates = labelled.estimates.configurations.iter();
        let estimate = estimates.find(|estimate| estimate.name == name && wanted(estimate))?;
        let precision = estimate.precision.as_ref()?;
        // A share of documents is another number; it stands where no sample of pairs gives one.
        Some(((precision.unit == Unit::Pairs, precision.labelled), at, estimate))
    };
    let most = samples.iter().enumerate().filter_map(of).reduce(|best, next| if next.0 > best.0 { next } else { best });
    most.map(|(_, at, estimate)| (at, estimate))
}

impl Found {
    /// Puts the estimate in place, and says what it rests on. Recall of all true pairs, where a sample has an audit, goes
    /// before recall within a pool; where these samples have none, another may.
    fn put(self, quality: &mut Quality, samples: &[Labelled], shown: Shown) -> String {
        let Self { estimate, only_true, by, pool } = self;
        (quality.precision, quality.only_true) = (estimate.precision.as_ref().and_then(|p| shown.of(p)), only_true);
        let own = &estimate.recall;
        let audited = || best_for(&quality.name, samples, |estimate| estimate.recall.all.is_some());
        let pooled = || best_for(&quality.name, samples, |estimate| estimate.recall.pool.is_some());
        let (recall, of) = match (own.all, own.pool, audited()) {
            (Some(_), ..) => (own, "recall of all true pairs, by the audit".to_owned()),
            (None, _, Some((at, other))) => (
                &other.recall,
                format!("recall of all true pairs and F by the audit of sample {}", samples[at].sample.name),
            ),
            (None, Some(_), None) => (own, format!("recall within {pool}")),
            (None, None, None) => match pooled() {
                Some((at, other)) => {
                    let name = &samples[at].sample.name;
                    (&other.recall, format!("recall and F by sample {name}, within its pool"))
                }
                None => {
                    let why = "no recall, which takes a sample of several configurations or one with an audit";
                    (own, why.to_owned())
                }
            },
        };
        (quality.recall, quality.f1) = (recall.widest(), recall.f1);
        let unit = match estimate.precision.as_ref().map(|precision| precision.unit) {
            Some(Unit::Documents) => "; precision is a share of documents, not of pairs",
            _ => "",
        };
        format!("{by}: {}{unit}; {of}", shown.name())
    }
}

/// Why nothing is known about a configuration.
fn nothing(name: &str, changed: &[Changed], samples: &[Labelled]) -> String {
    let mut kept = samples.iter().map(|labelled| &labelled.sample).filter(|sample| sample.of_old_pairs());
    let kept = kept.find(|sample| sample.serves.iter().any(|known| known == name));
    let changed = changed.iter().find(|changed| changed.configurations.iter().any(|known| known == name));
    match (changed, kept) {
        (Some(changed), _) => format!("nothing: {}", changed.short()),
        (None, Some(sample)) => format!(
            "nothing: sample {} was kept and stands for old pairs alone, which its own table is about; `dejaview sample \
             --name {} --redraw` draws it from all pairs",
            sample.name, sample.name
        ),
        (None, None) => "no labelled sample: `dejaview sample` draws one of its pairs".to_owned(),
    }
}

/// Unions of the configurations that a sample serves, each worth what the tables would say of it.
fn estimated_unions(contenders: &[Contender], labelled: &Labelled, finders: &Finders, reading: &Reading) -> Vec<Step> {
    let Labelled { sample, frame, estimates } = labelled;
    let served = (0..contenders.len()).filter(|c| sample.serves.contains(&contenders[*c].name));
    let served: u64 = served.fold(0, |bits, c| bits | 1 << c);
    unions(contenders, |union| {
        if union & !served != 0 {
            return None;
        }
        let shares =
            Shares::new(frame, &finders.domain(|found| found & union != 0), reading.unsure, estimates.confidence);
        Some(Worth { recall: shares.recall?.value, precision: shares.precision?.value })
    })
}
