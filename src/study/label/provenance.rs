//! Whether the pairs of a sample are still those of the study.
//!
//! Every command and screen asks [`check_sample`], or [`must_be_unchanged`] where it would give a number. First
//! what the sample was drawn from is compared with `study.toml` and with the checksums of the files of pairs, which costs
//! next to nothing; the pairs of a configuration are read only where these differ, once a session.
//!
//! A sample rests on the configurations whose pairs were drawn from, and one with an audit on all that there were: its
//! audit looks where none of them did. Where another configuration that it serves has changed, it no longer serves that one.

use serde_json::Value;

use crate::StudyError;
use crate::label::changed::{ChangedSample, Difference, Provenance};
use crate::label::deciders::with_deciders;
use crate::label::draw::SampleDraw;
use crate::label::drawn_from::{files_digest, population};
use crate::label::framing::{Framing, OneByOne};
use crate::run::manifest;
use crate::snapshot::Snapshot;
use dejaview_evaluation::sample::{ConfigurationAtDraw, DrawnFrom, PairsAtDraw, Sample, StratifyBy};

/// Whether the pairs that a sample was drawn from are still those of the study.
pub fn check_sample(study: &Snapshot, sample: &Sample) -> Result<Provenance, StudyError> {
    if sample.transfer.is_some() {
        let why = format!(
            "sample {} was drawn from the pairs that a transfer takes; `dejaview transfer` uses it where it still takes these",
            sample.name
        );
        return Ok(Provenance::Unknown { why });
    }
    if sample.is_of_a_pack() {
        let why = format!("sample {} came in a pack: what it stands for is known where it was packed", sample.name);
        return Ok(Provenance::Unknown { why });
    }
    if !sample.drawn_here() {
        return Ok(drawn_elsewhere(study, sample));
    }
    let Some(then) = &sample.drawn_from else { return compare_counts(study, sample) };
    let mut changes = changed_texts(study, sample, then);
    let (mut fewer, mut known) = (Vec::new(), false);
    for found in &then.configurations {
        let differences = changed_configuration(study, found, &mut known)?;
        let rests = sample.audit > 0 || sample.configurations.contains(&found.configuration.name);
        if rests { &mut changes } else { &mut fewer }.extend(differences);
    }
    changes.dedup();
    if changes.is_empty() && !known {
        let why = format!("there are no pairs to compare sample {} with", sample.name);
        return Ok(Provenance::Unknown { why });
    }
    Ok(match changes.is_empty() {
        true => Provenance::Same { fewer },
        false => changed_sample(study, sample, changes),
    })
}

/// An error where the pairs that a sample was drawn from have changed.
pub fn must_be_unchanged(study: &Snapshot, sample: &Sample) -> Result<(), StudyError> {
    check_sample(study, sample)?.changed().map_or(Ok(()), |changed| Err(StudyError::Changed(Box::new(changed))))
}

/// The sample, for estimates; none where the pairs that it was drawn from have changed.
pub(crate) fn usable_sample(study: &Snapshot, sample: Sample) -> Result<Option<Sample>, StudyError> {
    Ok(match check_sample(study, &sample)? {
        Provenance::Changed(_) => None,
        Provenance::Same { fewer } => Some(with_deciders(study, without_configurations(sample, &fewer))?),
        Provenance::Unknown { .. } => Some(sample),
    })
}

/// An error when a sample of the study cannot be read: labels of its pairs would count nowhere.
pub fn must_read_samples(study: &Snapshot) -> Result<(), StudyError> {
    for name in Sample::names(study.folder())? {
        Sample::read(study.folder(), &name)?;
    }
    Ok(())
}

/// Every sample of the study with what is known of its pairs, by name. One that cannot be read is left out.
pub fn check_samples(study: &Snapshot) -> Result<Vec<(String, Provenance)>, StudyError> {
    let mut all = Vec::new();
    for name in Sample::names(study.folder())? {
        if let Ok(Some(sample)) = Sample::read(study.folder(), &name) {
            all.push((name, check_sample(study, &sample)?));
        }
    }
    Ok(all)
}

/// The samples whose pairs have changed since they were drawn.
pub fn changed_samples(study: &Snapshot) -> Result<Vec<ChangedSample>, StudyError> {
    Ok(check_samples(study)?.into_iter().filter_map(|(_, provenance)| provenance.changed()).collect())
}

fn changed_sample(study: &Snapshot, sample: &Sample, changes: Vec<Difference>) -> Provenance {
    Provenance::Changed(ChangedSample {
        sample: sample.name.clone(),
        configurations: sample.serves.clone(),
        can_be_kept: sample.can_be_kept(),
        changes,
        study: study.folder().display().to_string(),
    })
}

fn changed_texts(study: &Snapshot, sample: &Sample, then: &DrawnFrom) -> Vec<Difference> {
    let recipe = study.recipe();
    let text = |name: &str, then: String, now: String| {
        (then != now).then(|| Difference::Text { name: name.to_owned(), then, now })
    };
    let mut changes: Vec<Difference> =
        text("content", then.content.clone(), manifest::content_name(recipe)).into_iter().collect();
    // Only strata by Jaccard and near misses rest on it.
    if sample.by == StratifyBy::Jaccard || sample.audit > 0 {
        changes.extend(text("jaccard", then.jaccard.to_string(), recipe.jaccard.to_string()));
    }
    changes
}

/// How a configuration and its pairs differ from what they were. `known` becomes true where there are pairs.
fn changed_configuration(
    study: &Snapshot,
    then: &PairsAtDraw,
    known: &mut bool,
) -> Result<Vec<Difference>, StudyError> {
    let name = &then.configuration.name;
    let Some(now) = study.recipe().configurations.iter().find(|c| c.name == *name) else {
        return Ok(vec![Difference::Gone { configuration: name.clone() }]);
    };
    let mut changes = changed_parameters(&then.configuration, &manifest::configuration_at_draw(now));
    let Some(files) = files_digest(study, name)? else { return Ok(changes) };
    *known = true;
    study.note_pairs_used();
    if files != then.files {
        match population(study, name, &files) {
            _ if study.unfinished().is_ok_and(|left| !left.is_empty()) => changes.push(Difference::Unfinished),
            Err(StudyError::NotRun { .. }) => changes.push(Difference::Unfinished),
            Ok(now) if now.digest() == then.pairs => {}
            now => changes.push(Difference::Pairs { configuration: name.clone(), now: now?.pairs }),
        }
    }
    Ok(changes)
}

/// A sample that was drawn elsewhere stands for what its file says, as long as the study has its configurations.
fn drawn_elsewhere(study: &Snapshot, sample: &Sample) -> Provenance {
    let gone = configurations_gone(study, sample);
    if !gone.is_empty() {
        return changed_sample(study, sample, gone);
    }
    let why = format!(
        "sample {} was drawn elsewhere: it stands for the {} pairs that its file tells, not for those of this study",
        sample.name, sample.population
    );
    Provenance::Unknown { why }
}

/// Configurations of a sample that the study no longer has.
fn configurations_gone(study: &Snapshot, sample: &Sample) -> Vec<Difference> {
    let gone = |name: &&String| study.recipe().configurations.iter().all(|c| c.name != **name);
    let gone = sample.configurations.iter().filter(gone);
    gone.map(|name| Difference::Gone { configuration: name.clone() }).collect()
}

/// For a sample whose file does not say what it was drawn from: compares how many pairs there are, in all and of each
/// configuration.
fn compare_counts(study: &Snapshot, sample: &Sample) -> Result<Provenance, StudyError> {
    let gone = configurations_gone(study, sample);
    if !gone.is_empty() {
        return Ok(changed_sample(study, sample, gone));
    }
    let why = format!("sample {} does not tell what it was drawn from (an earlier version drew it)", sample.name);
    for name in &sample.configurations {
        if files_digest(study, name)?.is_none() {
            return Ok(Provenance::Unknown { why });
        }
    }
    let (pairs, found) = match count_pairs(study, &sample.configurations) {
        Err(StudyError::NotRun { .. }) => return Ok(Provenance::Unknown { why }),
        counted => counted?,
    };
    let then = sample.population;
    Ok(match pairs == then && counts_at_draw(sample).is_none_or(|then| then == found) {
        true => Provenance::Unknown { why: format!("{why}; there are as many pairs as there were") },
        false => changed_sample(study, sample, vec![Difference::Number { then, now: pairs }]),
    })
}

/// Pairs of some configurations together, and of each.
fn count_pairs(study: &Snapshot, configurations: &[String]) -> Result<(u64, Vec<u64>), StudyError> {
    let draw = SampleDraw { configurations: configurations.to_vec(), ..SampleDraw::simple("", "") };
    let framing = Framing::new(study, &draw)?;
    let (mut pairs, mut found) = (0, vec![0; configurations.len()]);
    framing.each_inside(&OneByOne::NONE, |one| {
        pairs += one.pairs();
        let asked = framing.asked(one.found);
        found.iter_mut().enumerate().for_each(|(c, count)| *count += (asked >> c & 1) * one.pairs());
        Ok(())
    })?;
    Ok((pairs, found))
}

/// A sample that no longer serves the configurations that have changed.
pub(crate) fn without_configurations(mut sample: Sample, fewer: &[Difference]) -> Sample {
    let gone = |name: &String| fewer.iter().any(|difference| difference.configuration() == Some(name));
    let kept: Vec<usize> = (0..sample.serves.len()).filter(|c| !gone(&sample.serves[*c])).collect();
    if kept.len() == sample.serves.len() {
        return sample;
    }
    sample.strata = sample.strata.into_iter().map(|stratum| stratum.of_configurations(&kept)).collect();
    sample.serves = kept.into_iter().map(|c| sample.serves[c].clone()).collect();
    for pair in &mut sample.pairs {
        pair.found.retain(|name| sample.serves.contains(name));
    }
    sample
}

/// Pairs of each configuration when a sample was drawn; `None` where strata count documents, or tell nothing.
fn counts_at_draw(sample: &Sample) -> Option<Vec<u64>> {
    let strata = || sample.strata.iter().filter(|stratum| !stratum.audit);
    let pairs: u64 = strata().map(|stratum| stratum.population).sum();
    let told = strata().all(|stratum| stratum.found.len() == sample.configurations.len());
    let each = |c: usize| strata().map(|stratum| stratum.found[c]).sum();
    (told && pairs == sample.population).then(|| (0..sample.configurations.len()).map(each).collect())
}

/// How a configuration differs from what it was.
fn changed_parameters(then: &ConfigurationAtDraw, now: &ConfigurationAtDraw) -> Vec<Difference> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or("none").to_owned();
    let mut all = vec![("method".to_owned(), then.method.clone(), now.method.clone())];
    // A parameter that the method has learned since does not matter as long as the pairs are the same.
    let names = then.parameters.keys();
    all.extend(names.map(|name| (name.clone(), text(then.parameters.get(name)), text(now.parameters.get(name)))));
    let differs = all.into_iter().filter(|(_, then, now)| then != now);
    differs
        .map(|(name, old, new)| Difference::Parameter { configuration: then.name.clone(), name, then: old, now: new })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_evaluation::sample::{SampledPair, Stratum};

    #[test]
    fn a_configuration_that_changed_is_no_longer_served() {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let together = vec![vec![], vec![6], vec![2, 3]];
        let stratum =
            Stratum { name: "all".into(), population: 9, found: vec![9, 6, 4], together, ..Stratum::default() };
        let pair = SampledPair {
            source: "a".into(),
            target: "b".into(),
            stratum: "all".into(),
            weight: 9.0,
            probability: 1.0 / 9.0,
            found: names(&["x", "y", "z"]),
            document_pairs: None,
            assigned: Vec::new(),
        };
        let sample =
            Sample { serves: names(&["x", "y", "z"]), strata: vec![stratum], pairs: vec![pair], ..Sample::default() };
        let fewer = without_configurations(sample.clone(), &[Difference::Pairs { configuration: "y".into(), now: 7 }]);
        assert_eq!((&fewer.serves, &fewer.pairs[0].found), (&names(&["x", "z"]), &names(&["x", "z"])));
        assert_eq!((&fewer.strata[0].found, &fewer.strata[0].together), (&vec![9, 4], &vec![vec![], vec![2]]));
        assert_eq!(without_configurations(sample.clone(), &[]), sample);
    }

    #[test]
    fn parameters_that_differ_are_named() {
        let configuration = |method: &str, distance: &str| {
            let parameters = serde_json::json!({ "distance": distance, "bits": "64" });
            let parameters = parameters.as_object().cloned().unwrap_or_default();
            ConfigurationAtDraw { name: "s".into(), method: method.into(), parameters }
        };
        let mut now = configuration("simhash", "2");
        now.parameters.insert("learned".into(), "1".into());
        let changes = changed_parameters(&configuration("simhash", "3"), &now);
        assert_eq!(changes.iter().map(ToString::to_string).collect::<Vec<_>>(), ["s: distance 3 -> 2"]);
        assert_eq!(changed_parameters(&configuration("simhash", "3"), &configuration("simhash", "3")), []);
        assert_eq!(
            changed_parameters(&configuration("simhash", "3"), &configuration("minhash", "3"))[0].to_string(),
            "s: method simhash -> minhash"
        );
    }
}
