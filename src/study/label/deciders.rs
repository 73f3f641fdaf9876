//! Lets a sample serve the configurations that decide on the pairs of others.
//!
//! Such a configuration finds nothing by itself: its pairs are among those that the sample was drawn from. So whatever the
//! sample knows holds for it too, however often its model is fitted again. It is added when a sample is read and never
//! stored: samples, their digests and what they are checked by are the same with it and without it.

use crate::StudyError;
use crate::label::domains::SamplePopulation;
use crate::query::pair_table::PairTable;
use crate::snapshot::Snapshot;
use dejaview_evaluation::sample::{Design, Sample, Stratum, Tally};

/// Configurations that a sample can serve: they are bits of a number.
const MOST: usize = 63;

/// The sample, serving also the configurations that decide on pairs it was drawn from.
pub(crate) fn with_deciders(study: &Snapshot, sample: Sample) -> Result<Sample, StudyError> {
    let of_pairs =
        matches!(sample.design, Design::Simple | Design::Stratified | Design::Importance | Design::Uncertain);
    let deciders = study.recipe().configurations.iter().enumerate().filter(|(_, c)| c.algorithm().decides);
    let deciders: Vec<(usize, &str)> = deciders.map(|(number, c)| (number, c.name.as_str())).collect();
    let new: Vec<(usize, &str)> =
        deciders.into_iter().filter(|(_, name)| !sample.serves.iter().any(|served| served == name)).collect();
    let fits = sample.serves.len() + new.len() <= MOST;
    if new.is_empty() || !of_pairs || !fits || sample.transfer.is_some() || sample.of_old_pairs() {
        return Ok(sample);
    }
    let table = study.table()?;
    let tallies = tallies(study, &sample, table, &new)?;
    // A decider with a pair that the sample could not draw, of a configuration that it was not drawn from, is not served.
    let inside = |place: usize, number: usize| {
        let known: u64 = tallies.iter().map(|tally| tally.stratum(String::new(), place + 1).found[place]).sum();
        known == table.counts()[number].0
    };
    let served = sample.serves.len();
    let kept: Vec<usize> =
        (0..served + new.len()).filter(|place| *place < served || inside(*place, new[place - served].0)).collect();
    Ok(serving(sample, table, &new, &tallies, &kept))
}

/// For each stratum its pairs by who found them: bits of the configurations served, then of the new ones.
fn tallies(
    study: &Snapshot,
    sample: &Sample,
    table: &PairTable,
    new: &[(usize, &str)],
) -> Result<Vec<Tally>, StudyError> {
    let population = SamplePopulation::new(study, sample)?;
    let bits: Vec<u64> = sample.serves.iter().map(|name| population.bits([name])).collect();
    let mut tallies = vec![Tally::default(); sample.strata.len()];
    population.each(|stratum, one| {
        let served = bits.iter().enumerate().filter(|(_, bit)| one.found & **bit != 0);
        let mut found = served.fold(0, |found, (place, _)| found | 1u64 << place);
        if let Some(row) = table.find(one.pair.source, one.pair.target) {
            let decided = new.iter().enumerate().filter(|(_, (number, _))| table.found_by(row, *number));
            found = decided.fold(found, |found, (place, _)| found | 1u64 << (bits.len() + place));
        }
        tallies[stratum].add_all(found, one.pairs());
    })?;
    Ok(tallies)
}

/// The sample with the configurations at these places of those that it serves and the new ones.
fn serving(mut sample: Sample, table: &PairTable, new: &[(usize, &str)], tallies: &[Tally], kept: &[usize]) -> Sample {
    let served = sample.serves.len();
    let only = (served == 1).then(|| sample.serves[0].clone());
    let audit = |sample: &Sample, name: &str| sample.strata.iter().any(|s| s.name == name && s.audit);
    for place in 0..sample.pairs.len() {
        let pair = &sample.pairs[place];
        let mut found = pair.found.clone();
        // A sample of one configuration does not say of each pair that it found it.
        found.extend(only.clone().filter(|_| pair.found.is_empty() && !audit(&sample, &pair.stratum)));
        if let Some(row) = table.find(&pair.source, &pair.target) {
            let decided = new.iter().enumerate().filter(|(place, _)| kept.contains(&(served + place)));
            found
                .extend(decided.filter(|(_, (c, _))| table.found_by(row, *c)).map(|(_, (_, name))| (*name).to_owned()));
        }
        sample.pairs[place].found = found;
    }
    let strata = sample.strata.into_iter().zip(tallies);
    sample.strata = strata
        .map(|(stratum, tally)| {
            let counted = tally.stratum(String::new(), served + new.len()).of_configurations(kept);
            Stratum { found: counted.found, together: counted.together, ..stratum }
        })
        .collect();
    sample.serves.extend(kept.iter().filter(|place| **place >= served).map(|place| new[place - served].1.to_owned()));
    sample
}
