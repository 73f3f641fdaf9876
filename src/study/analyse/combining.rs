//! Combines samples that overlap: the pairs of a study are divided by the strata of all of them ([`Crossed`]).

use std::collections::HashMap;

use crate::StudyError;
use crate::analyse::labelled::LabelledSample;
use crate::label::domains::{SamplePopulation, StratumFinder};
use crate::label::framing::{FramedPairs, OneByOne};
use crate::snapshot::Snapshot;
use dejaview_evaluation::estimates::{Consensus, Crossed, CrossedPair, Part, Units};
use dejaview_evaluation::sample::Sample;

/// The place of a stratum of each sample.
type Key = Vec<Option<u16>>;

/// Combines those labelled samples that can be combined; their numbers are returned too. None where there are not two.
///
/// They are samples of pairs, drawn from the pairs there are. Strata of an audit count where configurations found all their
/// pairs; pairs that nobody found stay outside, as the strata of another sample cannot count them.
pub(crate) fn cross_samples(
    study: &Snapshot,
    samples: &[LabelledSample],
) -> Result<Option<(Crossed, Vec<usize>)>, StudyError> {
    let fits = |one: &LabelledSample| one.frame.units == Units::Pairs && is_of_these_pairs(&one.sample);
    cross(study, samples, fits, 2)
}

/// The same of samples of any design, to weigh their labels; one is enough.
pub(crate) fn cross_all_samples(
    study: &Snapshot,
    samples: &[LabelledSample],
) -> Result<Option<(Crossed, Vec<usize>)>, StudyError> {
    cross(study, samples, |one| is_of_these_pairs(&one.sample), 1)
}

/// Whether a sample was drawn from the pairs that the study has now.
fn is_of_these_pairs(sample: &Sample) -> bool {
    sample.drawn_here() && sample.transfer.is_none() && !sample.of_old_pairs()
}

/// Combines `fewest` or more of the samples that fit.
fn cross(
    study: &Snapshot,
    samples: &[LabelledSample],
    fits: impl Fn(&LabelledSample) -> bool,
    fewest: usize,
) -> Result<Option<(Crossed, Vec<usize>)>, StudyError> {
    let mut places: Vec<usize> = (0..samples.len()).filter(|at| fits(&samples[*at])).collect();
    while places.len() >= fewest {
        let chosen: Vec<&LabelledSample> = places.iter().map(|at| &samples[*at]).collect();
        match cross_strata(study, &chosen)? {
            Ok(crossed) => return Ok(Some((crossed, places))),
            Err(odd) => drop(places.remove(odd)),
        }
    }
    Ok(None)
}

/// Divides the pairs of the study by the strata of samples; the inner error is the number of a sample that does not fit.
fn cross_strata(study: &Snapshot, samples: &[&LabelledSample]) -> Result<Result<Crossed, usize>, StudyError> {
    let populations =
        samples.iter().map(|one| SamplePopulation::new(study, &one.sample)).collect::<Result<Vec<_>, StudyError>>()?;
    let Some(first) = populations.first() else { return Ok(Err(0)) };
    let names = first.framing().names();
    if populations.iter().any(|population| population.framing().names() != names) {
        // One that was drawn from a configuration that decides on the pairs of others looks at more than the rest of them.
        let most = populations.iter().enumerate().rev().max_by_key(|(_, one)| one.framing().names().len());
        return Ok(Err(most.map_or(0, |(odd, _)| odd)));
    }
    let mut finders = populations.iter().map(SamplePopulation::stratum_finder).collect::<Result<Vec<_>, _>>()?;
    let mut crossing = Crossing::new(samples, names.len());
    let all = finders.iter().any(|finder| matches!(finder.one_by_one(), OneByOne::All));
    let one_by_one = if all { OneByOne::All } else { OneByOne::These(crossing.wanted.keys().copied().collect()) };
    first.framing().each(&one_by_one, |one| {
        crossing.find_strata(&mut finders, &one)?;
        crossing.add(&one);
        Ok(())
    })?;
    if let Some(odd) = samples.iter().enumerate().position(|(s, one)| !crossing.keep_whole_strata(s, one)) {
        return Ok(Err(odd));
    }
    Ok(Ok(Crossed {
        samples: samples.iter().map(|one| one.sample.name.clone()).collect(),
        configurations: names.to_vec(),
        drawn_from: populations.iter().zip(samples).map(|(d, one)| d.bits(&one.sample.configurations)).collect(),
        parts: crossing.parts,
        drawn: crossing.drawn,
    }))
}

/// For each sample what people say of a pair there, and its place; none where it was not drawn.
type DrawnBySamples = (Vec<Consensus>, Vec<Option<usize>>);

/// Gathers the parts while pairs are visited.
struct Crossing<'a> {
    /// For each pair that a sample drew what people say there, by sample.
    wanted: HashMap<(&'a str, &'a str), DrawnBySamples>,
    configurations: usize,
    places: HashMap<Key, usize>,
    /// That of the pair at hand.
    key: Key,
    parts: Vec<Part>,
    drawn: Vec<CrossedPair>,
}

impl<'a> Crossing<'a> {
    fn new(samples: &[&'a LabelledSample], configurations: usize) -> Self {
        let mut wanted: HashMap<(&str, &str), DrawnBySamples> = HashMap::new();
        for (s, one) in samples.iter().enumerate() {
            for drawn in &one.frame.drawn {
                let pair = &one.sample.pairs[drawn.place];
                let (labels, places) = wanted
                    .entry((pair.source.as_str(), pair.target.as_str()))
                    .or_insert_with(|| (vec![Consensus::Undecided; samples.len()], vec![None; samples.len()]));
                (labels[s], places[s]) = (drawn.consensus, Some(drawn.place));
            }
        }
        Self { wanted, configurations, places: HashMap::new(), key: Vec::new(), parts: Vec::new(), drawn: Vec::new() }
    }

    /// Finds the strata of a pair.
    fn find_strata(&mut self, finders: &mut [StratumFinder<'_>], one: &FramedPairs<'_, '_>) -> Result<(), StudyError> {
        self.key.clear();
        for finder in finders {
            self.key.push(finder.stratum(one)?.and_then(|stratum| u16::try_from(stratum).ok()));
        }
        Ok(())
    }

    /// Adds pairs to the part of these strata; those that a sample drew come by themselves.
    fn add(&mut self, one: &FramedPairs<'_, '_>) {
        let at = match self.places.get(&self.key) {
            Some(at) => *at,
            None => {
                let at = self.parts.len();
                let none = vec![0; self.configurations];
                self.parts.push(Part { strata: self.key.clone(), population: 0, found: none.clone(), alone: none });
                self.places.insert(self.key.clone(), at);
                at
            }
        };
        let part = &mut self.parts[at];
        let (found, pairs) = (one.found, one.pairs());
        part.population += pairs;
        for c in (0..self.configurations).filter(|c| found >> c & 1 == 1) {
            part.found[c] += pairs;
            part.alone[c] += u64::from(found.count_ones() == 1) * pairs;
        }
        if let Some((labels, places)) = self.wanted.get(&(one.pair.source, one.pair.target)) {
            self.drawn.push(CrossedPair { part: at, found, consensus: labels.clone(), places: places.clone() });
        }
    }

    /// Whether the parts make up the strata that a sample was drawn from, as its file has them. Strata of its audit that they
    /// do not make up lie outside from here on. Strata of documents, or of pages, count no pairs.
    fn keep_whole_strata(&mut self, s: usize, LabelledSample { sample, frame, .. }: &LabelledSample) -> bool {
        if matches!(frame.units, Units::Documents | Units::Pages) {
            return true;
        }
        let mut populations = vec![0; sample.strata.len()];
        for part in &self.parts {
            if let Some(h) = part.strata[s] {
                populations[usize::from(h)] += part.population;
            }
        }
        let strata = || sample.strata.iter().zip(&populations);
        let whole: Vec<bool> = strata().map(|(stratum, population)| stratum.population == *population).collect();
        for part in &mut self.parts {
            part.strata[s] = part.strata[s].filter(|h| whole[usize::from(*h)]);
        }
        sample.strata.iter().zip(&whole).all(|(stratum, whole)| *whole || !sample.drew_from(stratum))
    }
}
