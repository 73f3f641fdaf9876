//! Renews a sample whose pairs have changed: draws it again, or keeps those of its pairs that are still found.

use std::collections::HashMap;

use serde::Serialize;

use crate::StudyError;
use crate::label::changed::{Difference, Provenance};
use crate::label::draw::SampleDraw;
use crate::label::drawing::{choose_pairs, drawn_sample};
use crate::label::drawn_from::drawn_from;
use crate::label::framing::{Framing, OneByOne};
use crate::label::labelling::read_journals;
use crate::label::provenance::check_sample;
use crate::label::strata::Strata;
use crate::run::watch::Watch;
use crate::snapshot::Snapshot;
use dejaview_evaluation::sample::{Design, Sample, SampledPair, Stratum, Tally, rank};
use dejaview_labels::Annotations;

/// What became of a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Renewed {
    /// The sample as it is now.
    pub sample: Sample,
    /// How it compares with the sample that it replaces.
    pub retained: RetainedPairs,
}

/// How a sample and the one before compare.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RetainedPairs {
    /// Number of pairs before.
    pub before: usize,
    /// Pairs that are in both.
    pub both: usize,
    /// Pairs of the one before that somebody labelled in it.
    pub labelled: usize,
    /// Of these, pairs that are in both: their labels go on counting.
    pub still_labelled: usize,
    /// Pairs that have left: source and target.
    pub left: Vec<[String; 2]>,
}

impl RetainedPairs {
    fn new(before: &Sample, after: &Sample, labelled: &dyn Fn(&SampledPair) -> bool) -> Self {
        let now: HashMap<(&str, &str), ()> = after.pairs.iter().map(|pair| (ids(pair), ())).collect();
        let (both, left): (Vec<&SampledPair>, Vec<&SampledPair>) =
            before.pairs.iter().partition(|pair| now.contains_key(&ids(pair)));
        let count = |pairs: &[&SampledPair]| pairs.iter().filter(|pair| labelled(pair)).count();
        Self {
            before: before.pairs.len(),
            both: both.len(),
            labelled: count(&both) + count(&left),
            still_labelled: count(&both),
            left: left.into_iter().map(|pair| [pair.source.clone(), pair.target.clone()]).collect(),
        }
    }
}

fn ids(pair: &SampledPair) -> (&str, &str) {
    (pair.source.as_str(), pair.target.as_str())
}

/// Draws a sample again by the same design and seed, from the pairs there are now. Labels are of pairs, so those of
/// pairs that are in both stay.
pub fn redraw_sample(study: &Snapshot, name: &str, watch: Option<(&dyn Watch, usize)>) -> Result<Renewed, StudyError> {
    let before = drawn_sample(study, name)?;
    let cannot = |why: &str| StudyError::Sample { why: format!("{name} {why}") };
    if before.design.of_pages() {
        return Err(cannot("is of pages drawn without a list; draw another under another name"));
    }
    if before.is_of_a_pack() {
        return Err(cannot("came in a pack; draw another where it was packed"));
    }
    if matches!(before.design, Design::Other(_)) {
        return Err(cannot("is of a design that this version does not know"));
    }
    let mut draw = SampleDraw::from_sample(&before)?;
    if before.follows_allocation() || before.kept.is_some() {
        draw.least.clear();
    }
    let mut sample = choose_pairs(study, &draw, watch, None)?;
    sample.mixed = before.mixed || sample.pairs != before.pairs;
    sample.replace(study.folder(), &before)?;
    renewed(study, &before, sample)
}

/// Keeps a sample although the pairs have changed: those of its pairs that are still found, with new weights. It stands
/// for the pairs there were that are still found.
pub fn keep_sample(study: &Snapshot, name: &str) -> Result<Renewed, StudyError> {
    let before = drawn_sample(study, name)?;
    study.must_be_run_to_its_end()?;
    if !before.drawn_here() {
        let why = format!("{name} was drawn elsewhere, and stands for what its file tells; it is kept as it is");
        return Err(StudyError::Sample { why });
    }
    let same = match (&before.drawn_from, check_sample(study, &before)?) {
        (None, provenance) => provenance.changed().is_none(),
        (Some(_), Provenance::Changed(changed)) => {
            let pairs = |change: &Difference| matches!(change, Difference::Parameter { .. } | Difference::Text { .. });
            changed.changes.iter().all(pairs)
        }
        _ => true,
    };
    let mut sample = match same {
        true => before.clone(),
        false => remaining_sample(study, &before)?,
    };
    let framing = Framing::new(
        study,
        &SampleDraw { configurations: before.configurations.clone(), ..SampleDraw::simple("", "") },
    )?;
    sample.drawn_from = Some(drawn_from(study, &sample.serves, framing.open())?);
    sample.replace(study.folder(), &before)?;
    renewed(study, &before, sample)
}

fn renewed(study: &Snapshot, before: &Sample, sample: Sample) -> Result<Renewed, StudyError> {
    let journals = read_journals(study)?;
    let labelled = |pair: &SampledPair| {
        let label = |a: &Annotations| a.reading.decisions.label(&pair.source, &pair.target, Some(&before.name));
        journals.annotators().any(|annotations| label(annotations).is_some())
    };
    let retained = RetainedPairs::new(before, &sample, &labelled);
    Ok(Renewed { sample, retained })
}

/// A sample without the pairs that nobody finds any more, with the populations of its strata and the weights renewed.
fn remaining_sample(study: &Snapshot, before: &Sample) -> Result<Sample, StudyError> {
    let cannot = |why: String| StudyError::Sample { why };
    if !before.can_be_kept() {
        let why = "only a simple or stratified sample without an audit can be kept when the pairs have changed";
        return Err(cannot(format!("{why}; --redraw draws {} again", before.name)));
    }
    let draw = SampleDraw::from_sample(before)?;
    let framing = Framing::new(study, &draw)?;
    let mut strata = Strata::new(study, &draw, &framing)?;
    let mut search = SampleSearch::new(before);
    let beside = framing.each_inside(&OneByOne::All, |one| {
        let (_, stratum) = strata.stratum_of(&one)?;
        search.add(&stratum, one.pair.source, one.pair.target, one.found);
        Ok(())
    })?;
    if search.moved > 0 {
        return Err(cannot(format!(
            "{} of the pairs of {} are in other strata now, so how probable they were no longer follows from its strata; \
             --redraw draws it again",
            search.moved, before.name
        )));
    }
    let (mut sample, strata, pairs) = search.finish(framing.configurations());
    let mut served = framing.served(beside);
    if sample.of_old_pairs() {
        // How many of the old pairs another configuration found nobody knows any more.
        served.retain(|c| framing.is_drawn_from(1 << c));
    }
    sample.serves = framing.named(&served);
    (sample.strata, sample.pairs) = framing.written(strata, pairs, &served);
    Ok(sample)
}

/// A part of some pairs, of which a share was seen.
struct Part {
    size: f64,
    variance: f64,
}

impl Part {
    /// So many of those looked at belong to it, and they stand for `all`. Of nothing that was looked at nothing follows.
    fn new(belong: u64, looked_at: u64, all: u64) -> Self {
        let (n, all) = (looked_at as f64, all as f64);
        let share = if looked_at == 0 { 1.0 } else { belong as f64 / n };
        Self { size: all * share, variance: all * all * share * (1.0 - share) / n.max(1.0) }
    }
}

/// A stratum among the pairs of now.
#[derive(Debug, Clone, Default)]
struct StratumNow {
    /// The rank of the last drawn pair: every pair that existed then and has a lower rank was drawn.
    last: u64,
    tally: Tally,
    /// Pairs of the sample that are still found.
    kept: u64,
    /// Other pairs with a rank below `last`: they would have been drawn, so they are new.
    new: u64,
}

impl StratumNow {
    /// How many pairs of the stratum existed then and still do. Two shares tell: that of the drawn pairs which are still found,
    /// among the pairs of then, and that of the pairs which are not new, as far as the order of the draw shows them, among the
    /// pairs of now. Each counts by how sure it is, and the one that is certain alone.
    fn remaining_population(&self, then: &Stratum) -> u64 {
        let now = self.tally.pairs();
        let of_then = Part::new(self.kept, then.drawn, then.population);
        let of_now = Part::new(self.kept, self.kept + self.new, now);
        let still = match (of_then.variance, of_now.variance) {
            // Of the pairs that the draw lets one see all have left and others came.
            _ if self.kept == 0 && self.new > 0 => 0.0,
            // Nothing has left and nothing came as far as one sees, or nobody looked.
            (0.0, 0.0) => then.population.min(now) as f64,
            (0.0, _) => of_then.size,
            (_, 0.0) => of_now.size,
            (a, b) => (of_then.size / a + of_now.size / b) / (1.0 / a + 1.0 / b),
        };
        let most = (then.population - (then.drawn - self.kept)).min(now - self.new);
        (still.round() as u64).min(most).max(self.kept)
    }

    /// Whether that is an estimate: some pairs came and others may have left, and not all of then were drawn.
    fn is_estimate(&self, then: &Stratum) -> bool {
        then.drawn < then.population && (self.new > 0 || self.tally.pairs() > then.population)
    }

    /// The stratum with the numbers of the pairs that were there and still are.
    fn stratum(&self, then: &Stratum, configurations: usize) -> Stratum {
        let population = self.remaining_population(then);
        let all = self.tally.stratum(then.name.clone(), configurations);
        let share = population as f64 / all.population as f64;
        let scaled = |count: &u64| ((*count as f64 * share).round() as u64).min(population);
        Stratum {
            population,
            drawn: self.kept,
            found: all.found.iter().map(scaled).collect(),
            together: all.together.iter().map(|row| row.iter().map(scaled).collect()).collect(),
            ..all
        }
    }
}

/// Finds the pairs of a sample among the pairs of now.
struct SampleSearch<'a> {
    before: &'a Sample,
    /// Numbers of the sample's pairs by their ids.
    places: HashMap<(&'a str, &'a str), usize>,
    strata: HashMap<&'a str, StratumNow>,
    /// For each pair of the sample, who finds it now.
    found: Vec<Option<u64>>,
    /// Pairs of the sample that are in another stratum.
    moved: u64,
    /// Pairs of strata that the sample does not have.
    elsewhere: u64,
}

impl<'a> SampleSearch<'a> {
    fn new(before: &'a Sample) -> Self {
        let mut strata: HashMap<&str, StratumNow> = HashMap::new();
        for stratum in &before.strata {
            // A stratum that was drawn to its last pair had no other.
            let last = if stratum.drawn == stratum.population { u64::MAX } else { 0 };
            strata.insert(&stratum.name, StratumNow { last, ..StratumNow::default() });
        }
        for pair in &before.pairs {
            if let Some(now) = strata.get_mut(pair.stratum.as_str()) {
                now.last = now.last.max(rank(before.seed, &pair.source, &pair.target));
            }
        }
        let places = before.pairs.iter().enumerate().map(|(place, pair)| (ids(pair), place)).collect();
        Self { before, places, strata, found: vec![None; before.pairs.len()], moved: 0, elsewhere: 0 }
    }

    fn add(&mut self, stratum: &str, source: &str, target: &str, found: u64) {
        let place = self.places.get(&(source, target)).copied();
        let Some(now) = self.strata.get_mut(stratum) else {
            self.elsewhere += 1;
            self.moved += u64::from(place.is_some());
            return;
        };
        now.tally.add(found);
        match place {
            Some(place) if self.before.pairs[place].stratum == stratum => {
                now.kept += 1;
                self.found[place] = Some(found);
            }
            Some(_) => self.moved += 1,
            None => now.new += u64::from(rank(self.before.seed, source, target) <= now.last),
        }
    }

    /// The sample as it is now without its strata and pairs, and these with the configurations that found them as bits.
    fn finish(self, configurations: usize) -> (Sample, Vec<Stratum>, Vec<(SampledPair, u64)>) {
        let Self { before, strata, found, elsewhere, .. } = self;
        let mut kept = before.kept.clone().unwrap_or_default();
        let first = kept.drawn_of.is_none();
        if before.kept.is_none() {
            kept.drawn_of = Some(before.strata.iter().map(|stratum| stratum.population).sum());
        }
        (kept.new, kept.known, kept.more) = (elsewhere, elsewhere, 0);
        let (mut all_now, mut more) = (elsewhere, 0);
        let (mut renewed, mut pairs) = (Vec::new(), Vec::new());
        for then in &before.strata {
            let now = &strata[then.name.as_str()];
            kept.new += now.new;
            kept.known += now.new + now.kept;
            kept.about |= now.is_estimate(then);
            all_now += now.tally.pairs();
            more += now.tally.pairs().saturating_sub(then.population);
            // One without a pair of the sample stays: what is in it is not known, and every estimate allows for that.
            if now.remaining_population(then) > 0 {
                renewed.push(now.stratum(then, configurations));
            }
        }
        // What it stood for before may be an estimate; what it was drawn from is known.
        kept.more = match kept.drawn_of {
            Some(then) if !first => all_now.saturating_sub(then),
            _ => more,
        };
        for (pair, found) in before.pairs.iter().zip(found) {
            let stratum = renewed.iter().find(|stratum: &&Stratum| stratum.name == pair.stratum);
            match (found, stratum) {
                (Some(found), Some(stratum)) => {
                    let weight = stratum.population as f64 / stratum.drawn as f64;
                    let found_by = Vec::new();
                    let pair = SampledPair { weight, probability: 1.0 / weight, found: found_by, ..pair.clone() };
                    pairs.push((pair, found));
                }
                _ => kept.left.push([pair.source.clone(), pair.target.clone()]),
            }
        }
        let sample = Sample {
            size: pairs.len() as u64,
            population: renewed.iter().map(|stratum| stratum.population).sum(),
            strata: Vec::new(),
            pairs: Vec::new(),
            kept: Some(kept),
            ..before.clone()
        };
        (sample, renewed, pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_evaluation::sample::draw_simple;

    fn pairs(numbers: impl Iterator<Item = u32>) -> Vec<(String, String)> {
        numbers.map(|i| (format!("s{i:03}"), format!("t{i:03}"))).collect()
    }

    fn drawn(from: &[(String, String)], size: usize) -> Sample {
        let pairs = from.iter().map(|(s, t)| (s.as_str(), t.as_str()));
        draw_simple(pairs, size, 5).named("s", &["md5".to_owned()])
    }

    fn kept(sample: &Sample, now: &[(String, String)]) -> Sample {
        let mut search = SampleSearch::new(sample);
        now.iter().for_each(|(source, target)| search.add("all", source, target, 1));
        assert_eq!(search.moved, 0);
        let (sample, strata, pairs) = search.finish(1);
        Sample { strata, pairs: pairs.into_iter().map(|(pair, _)| pair).collect(), ..sample }
    }

    #[test]
    fn pairs_that_left_are_out_and_the_rest_stands_for_the_rest() {
        let sample = drawn(&pairs(0..400), 50);
        let left = kept(&sample, &pairs(100..400));
        let gone = sample.pairs.iter().filter(|pair| pair.source.as_str() < "s100").count();
        let note = left.kept.as_ref().unwrap();
        assert_eq!((note.left.len(), note.new), (gone, 0));
        assert_eq!((left.population, left.pairs.len()), (300, 50 - gone));
        assert!((left.pairs.iter().map(|pair| pair.weight).sum::<f64>() - 300.0).abs() < 1e-9);
        assert_eq!(left.strata[0].found, [300]);
        let order = |sample: &Sample| sample.pairs.iter().map(|p| p.source.clone()).collect::<Vec<_>>();
        let mut expected = order(&sample);
        expected.retain(|source| source.as_str() >= "s100");
        assert_eq!(order(&left), expected, "in their order");
    }

    /// Half of the pairs of now are new; the order of the draw tells how many about.
    #[test]
    fn new_pairs_are_counted_and_not_stood_for() {
        let sample = drawn(&pairs(0..400), 100);
        let more = kept(&sample, &pairs(0..800));
        let note = more.kept.as_ref().unwrap();
        assert!(note.left.is_empty());
        // 100 of 200 expected, standard deviation 10.
        assert!((70..=135).contains(&note.new), "{note:?}");
        assert_eq!(note.known, note.new + 100);
        assert_eq!(
            (more.population, note.about, note.drawn_of),
            (400, true, Some(400)),
            "all that were drawn are still found"
        );
        let back = kept(&more, &pairs(0..400));
        let note = back.kept.as_ref().unwrap();
        assert_eq!((back.population, note.more, note.new, note.drawn_of), (400, 0, 0, Some(400)));
        assert!(more.described().contains("% of the pairs now are new"), "{}", more.described());
        let census = kept(&drawn(&pairs(0..40), 40), &pairs(0..60));
        assert_eq!((census.kept.as_ref().unwrap().new, census.population), (20, 40), "nothing is left to guess");
    }

    /// Some pairs left and others came: both shares tell, and what they tell is right on average.
    #[test]
    fn how_many_are_left_is_right_on_average() {
        let (now, rounds) = (pairs(100..700), 200);
        let estimates: Vec<f64> = (0..rounds)
            .map(|seed| {
                let then = pairs(0..400);
                let from = then.iter().map(|(s, t)| (s.as_str(), t.as_str()));
                let sample = draw_simple(from, 80, seed).named("s", &["md5".to_owned()]);
                kept(&sample, &now).population as f64
            })
            .collect();
        let mean = estimates.iter().sum::<f64>() / rounds as f64;
        let spread = (estimates.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / rounds as f64).sqrt();
        assert!((mean - 300.0).abs() < 4.0 * spread / (rounds as f64).sqrt() + 2.0, "{mean}, {spread}");
        assert!(spread < 20.0, "one share alone has 18 and more: {spread}");
    }

    #[test]
    fn a_stratum_that_is_gone_is_gone() {
        let sample = drawn(&pairs(0..40), 10);
        let none = kept(&sample, &[]);
        assert!(none.pairs.is_empty() && none.strata.is_empty() && none.population == 0);
        assert_eq!(none.kept.unwrap().left.len(), 10);
        let others = kept(&sample, &pairs(100..140));
        assert!(others.pairs.is_empty() && others.strata.is_empty() && others.population == 0, "others took its place");
        assert_eq!(others.kept.unwrap().left.len(), 10);
    }
}
