//! Estimates the quality of configurations from labelled samples, since the truth of most pairs is not known.
//!
//! Labels that were not given in a sample make no estimate: nobody knows how the pairs came about that somebody happened to
//! look at. So every number here comes from a sample whose pairs a configuration's own are among, or is not given.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::StudyError;
use crate::analyse::combining::cross_samples;
use crate::analyse::evaluation::{Evaluation, LeftOut, Reading, Unlabelled};
use crate::analyse::labelled::LabelledSample;
use crate::label::changed::ChangedSample;
use crate::label::domains::SamplePopulation;
use crate::query::pair_table::PairTable;
use crate::snapshot::Snapshot;
use dejaview_base::interval::Interval;
use dejaview_base::random::Bootstrap;
use dejaview_evaluation::comparison::{Contender, Quality, Step, Worth, unions};
use dejaview_evaluation::estimates::{
    Combined, Crossed, Domain, Estimate, Frame, Recall, Shares, Unit, Units, headline, likely_width,
};

/// Replaces the counts of an evaluation by estimates from samples. Of several samples that serve a configuration the one with
/// the narrowest likely interval counts, together with those that overlap with it and make it narrower still.
pub(crate) fn estimate_by_samples(
    study: &Snapshot,
    evaluation: &mut Evaluation,
    table: &PairTable,
    contenders: &[Contender],
    samples: Vec<LabelledSample>,
    reading: &Reading,
) -> Result<(), StudyError> {
    let finders =
        samples.iter().map(|labelled| finders_in_sample(study, table, labelled)).collect::<Result<Vec<_>, _>>()?;
    let crossed = if reading.sample.is_none() { cross_samples(study, &samples)? } else { None };
    for (c, quality) in evaluation.comparison.configurations.iter_mut().enumerate() {
        (quality.precision, quality.recall, quality.f1, quality.only_true) = (None, None, None, None);
        let single = by_one_sample(&quality.name, &samples).map(|mut single| {
            let LabelledSample { frame, estimates, .. } = &samples[single.at];
            single.found.only_true = finders[single.at].as_ref().and_then(|finders| {
                true_pairs(frame, finders.domain(|found| found == 1 << c), reading, estimates.confidence)
            });
            single
        });
        let together =
            crossed.as_ref().and_then(|crossed| by_several_samples(&quality.name, crossed, single.as_ref(), reading));
        quality.basis = Some(match (together, single) {
            (Some(together), _) => together.fill_in(quality, &samples, reading),
            (None, Some(single)) => single.found.fill_in(quality, &samples, reading),
            (None, None) => {
                let serves = |left_out: &&LeftOut| left_out.configurations.contains(&quality.name);
                let (changed, unlabelled) = (&evaluation.changed, &evaluation.unlabelled);
                match evaluation.left_out.iter().find(serves) {
                    Some(left_out) => format!("nothing: sample {} is left out", left_out.sample),
                    None => why_no_estimate(&quality.name, changed, unlabelled, &samples, reading.sample.as_deref()),
                }
            }
        });
    }
    let serving = samples.iter().zip(&finders).filter(|(labelled, _)| labelled.estimates.with_label() > 0);
    let serving = serving.filter(|(labelled, _)| labelled.frame.waiting == 0 && !labelled.sample.serves.is_empty());
    let serving = serving.filter_map(|(labelled, finders)| Some((labelled, finders.as_ref()?)));
    let most =
        serving.max_by_key(|(labelled, _)| (labelled.frame.drawn_from.count_ones(), labelled.estimates.labelled));
    let steps = most.map(|(labelled, finders)| estimated_unions(contenders, labelled, finders, reading));
    evaluation.comparison.coverage = steps.unwrap_or_default();
    evaluation.unions_of = most.map(|(labelled, _)| labelled.sample.name.clone());
    evaluation.estimates = samples.into_iter().map(|labelled| labelled.estimates).collect();
    Ok(())
}

/// Which configurations found which pairs of a sample. `None` where the sample is not one of pairs.
fn finders_in_sample(
    study: &Snapshot,
    table: &PairTable,
    labelled: &LabelledSample,
) -> Result<Option<Finders>, StudyError> {
    let LabelledSample { sample, frame, .. } = labelled;
    // A kept sample stands for old pairs alone, which the pairs of now do not tell.
    if frame.units != Units::Pairs || sample.of_old_pairs() || !sample.drawn_here() {
        return Ok(None);
    }
    let drawn_from = SamplePopulation::new(study, sample)?;
    let names = table.configurations();
    let bits: Vec<u64> = names.iter().map(|name| drawn_from.bits([name])).collect();
    let mut framed: BTreeMap<(usize, u64), u64> = BTreeMap::new();
    drawn_from.each(|stratum, one| *framed.entry((stratum, one.found)).or_default() += one.pairs())?;
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
    fn domain(&self, includes: impl Fn(u64) -> bool) -> Domain {
        let mut population = vec![0; self.strata];
        for (stratum, found, pairs) in &self.pairs {
            population[*stratum] += if includes(*found) { *pairs } else { 0 };
        }
        Domain { population, includes: self.drawn.iter().map(|found| includes(*found)).collect() }
    }
}

/// The estimate of a configuration, and the samples that it rests on.
struct SampleEstimate<'a> {
    estimate: Estimate,
    /// The labels that say so, and the place of the configuration among those that they serve.
    frame: Cow<'a, Frame>,
    c: usize,
    only_true: Option<Interval>,
    /// The samples in words and in short, and whose pool it is that recall is within.
    by: String,
    names: String,
    pool: &'static str,
}

/// The estimate from one sample, and the number of the sample.
struct OneSample<'a> {
    found: SampleEstimate<'a>,
    at: usize,
}

/// The estimate from the sample with the narrowest likely interval.
fn by_one_sample<'a>(name: &str, samples: &'a [LabelledSample]) -> Option<OneSample<'a>> {
    let BestSample { at, c, estimate } = best_for(name, samples, |_| true)?;
    let names = samples[at].sample.name.clone();
    let found = SampleEstimate {
        estimate: estimate.clone(),
        frame: Cow::Borrowed(&samples[at].frame),
        c,
        only_true: None,
        by: format!("sample {names}"),
        names,
        pool: "the sample's pool",
    };
    Some(OneSample { found, at })
}

/// The estimate from several samples, where together they are better than one.
fn by_several_samples(
    name: &str,
    (crossed, places): &(Crossed, Vec<usize>),
    single: Option<&OneSample<'_>>,
    reading: &Reading,
) -> Option<SampleEstimate<'static>> {
    let confidence = Bootstrap::default().confidence;
    let c = crossed.configurations.iter().position(|known| known == name)?;
    let first = match single {
        Some(single) => Some(places.iter().position(|place| *place == single.at)?),
        None => None,
    };
    let Combined { samples, frame, estimate, alone } = crossed.best(c, first, reading.unsure, confidence)?;
    let labels = estimate.precision.as_ref()?.labelled;
    let holds = frame.drawn.iter().map(|drawn| drawn.found == 1 << c).collect();
    let only_true = true_pairs(&frame, Domain { population: alone, includes: holds }, reading, confidence);
    let names: Vec<&str> = samples.iter().map(|s| crossed.samples[*s].as_str()).collect();
    let by = format!("samples {} together, {labels} labels", names.join(" and "));
    Some(SampleEstimate {
        estimate,
        frame: Cow::Owned(frame),
        c,
        only_true,
        by,
        names: names.join("+"),
        pool: "the pairs that these samples could draw",
    })
}

/// How many pairs of a domain are true. `None` without a label of them.
fn true_pairs(frame: &Frame, domain: Domain, reading: &Reading, confidence: f64) -> Option<Interval> {
    let pairs = domain.population.iter().sum::<u64>() as f64;
    let cells = frame.cells(&domain, true, reading.unsure).into_iter().filter(|cell| cell.population > 0);
    Some(headline(&cells.collect::<Vec<_>>(), confidence)?.times(pairs))
}

/// A sample, the number of a configuration among those that it serves, and the estimate.
struct BestSample<'a> {
    at: usize,
    c: usize,
    estimate: &'a Estimate,
}

/// The sample whose interval of precision is likely to be the narrowest, of those whose estimate is as wanted; of equal ones
/// the first.
fn best_for<'a>(
    name: &str,
    samples: &'a [LabelledSample],
    wanted: impl Fn(&Estimate) -> bool,
) -> Option<BestSample<'a>> {
    let candidate = |(at, labelled): (usize, &'a LabelledSample)| {
        if labelled.sample.of_old_pairs() {
            return None;
        }
        let LabelledSample { frame, estimates, .. } = labelled;
        let c = estimates.configurations.iter().position(|estimate| estimate.name == name && wanted(estimate))?;
        let estimate = &estimates.configurations[c];
        let width = likely_width(frame, &frame.found_by(c), estimates.confidence)?;
        // A share of documents is another number; it stands where no sample of pairs gives one.
        Some((estimate.precision.as_ref()?.unit != Unit::Pairs, width, BestSample { at, c, estimate }))
    };
    let all = samples.iter().enumerate().filter_map(candidate);
    all.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))).map(|(.., best)| best)
}

impl SampleEstimate<'_> {
    /// Fills the estimate in, and says what it rests on. Recall of all true pairs, which takes a sample with an audit, goes
    /// before recall within a pool; where these samples have none, another sample may.
    fn fill_in(self, quality: &mut Quality, samples: &[LabelledSample], reading: &Reading) -> String {
        let own = &self.estimate.recall;
        let other = |is: fn(&Recall) -> bool| best_for(&quality.name, samples, |estimate| is(&estimate.recall));
        let (by, of) = match (own.all, own.pool, other(|recall| recall.all.is_some())) {
            (Some(_), ..) => (None, "recall of all true pairs, by the audit".to_owned()),
            (None, _, Some(best)) => {
                let name = &samples[best.at].sample.name;
                let of = format!("recall of all true pairs by the audit of sample {name}; F of both");
                (Some(best), of)
            }
            (None, Some(_), None) => (None, format!("recall within {}", self.pool)),
            (None, None, None) => match other(|recall| recall.pool.is_some()) {
                Some(best) => {
                    let name = &samples[best.at].sample.name;
                    let of = format!("recall by sample {name}, within its pool; F of both");
                    (Some(best), of)
                }
                None => {
                    let why = "no recall, which takes a sample of several configurations or one with an audit";
                    (None, why.to_owned())
                }
            },
        };
        quality.samples = Some(match &by {
            Some(best) => format!("{}, recall {}", self.names, samples[best.at].sample.name),
            None => self.names.clone(),
        });
        let precision = self.estimate.precision.as_ref();
        (quality.precision, quality.only_true) = (precision.and_then(|p| reading.shown.interval_of(p)), self.only_true);
        (quality.recall, quality.f1) = match by {
            None => (own.widest(), own.f1),
            Some(best) => (best.estimate.recall.widest(), self.f_with(&best, samples, reading)),
        };
        let unit = match precision.map(|precision| precision.unit) {
            Some(Unit::Documents) => "; precision is a share of documents, not of pairs",
            _ => "",
        };
        format!("{}: {}{unit}; {of}", self.by, reading.shown.name())
    }

    /// F of this precision and the recall that another sample tells; none of a share of documents.
    fn f_with(&self, best: &BestSample<'_>, samples: &[LabelledSample], reading: &Reading) -> Option<Interval> {
        if self.estimate.precision.as_ref()?.unit != Unit::Pairs {
            return None;
        }
        let LabelledSample { frame, estimates, .. } = &samples[best.at];
        let shares =
            |frame: &Frame, c: usize, confidence| Shares::new(frame, &frame.found_by(c), reading.unsure, confidence);
        Shares::f_apart(
            |confidence| shares(&self.frame, self.c, confidence).precision,
            |confidence| shares(frame, best.c, confidence).recall,
            estimates.confidence,
        )
    }
}

/// Why there is no estimate for a configuration.
fn why_no_estimate(
    name: &str,
    changed: &[ChangedSample],
    unlabelled: &[Unlabelled],
    samples: &[LabelledSample],
    asked: Option<&str>,
) -> String {
    let serves = |configurations: &[String]| configurations.iter().any(|known| known == name);
    let serving = || samples.iter().filter(|labelled| serves(&labelled.sample.serves));
    if let Some(asked) = asked.filter(|_| serving().next().is_none()) {
        return format!("nothing: sample {asked} tells nothing of these pairs");
    }
    if let Some(changed) = changed.iter().find(|changed| serves(&changed.configurations)) {
        return format!("nothing: {}", changed.short());
    }
    if let Some(LabelledSample { sample, .. }) = serving().find(|labelled| labelled.sample.of_old_pairs()) {
        return format!(
            "nothing: sample {} was kept and stands for old pairs alone, which its own table is about; `dejaview sample \
             --name {} --redraw` draws it from all pairs",
            sample.name, sample.name
        );
    }
    if let Some(LabelledSample { sample, .. }) = serving().find(|labelled| labelled.frame.waiting > 0) {
        return format!("nothing: sample {} waits for more labels, as is said at its own table", sample.name);
    }
    if let Some(unlabelled) = unlabelled.iter().find(|sample| serves(&sample.configurations)) {
        return format!("nothing: {unlabelled}");
    }
    match serving().next() {
        Some(LabelledSample { sample, estimates, .. }) => {
            let yet = if estimates.with_label() < estimates.size { " yet" } else { "" };
            format!("nothing: sample {} has no label of these pairs{yet} that decides", sample.name)
        }
        None => "no labelled sample: `dejaview sample` draws one".to_owned(),
    }
}

/// Unions of the configurations that a sample serves, each worth what the tables would say of it.
fn estimated_unions(
    contenders: &[Contender],
    labelled: &LabelledSample,
    finders: &Finders,
    reading: &Reading,
) -> Vec<Step> {
    let LabelledSample { sample, frame, estimates } = labelled;
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
