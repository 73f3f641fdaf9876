//! How far the annotators of a study agree.

use std::collections::{BTreeMap, BTreeSet};

use crate::label::drawing::current_sample;
use crate::label::labelling::read_journals;
use crate::{Snapshot, StudyError};
use dejaview_evaluation::agreement::{Agreement, Unit};
use dejaview_evaluation::sample::Sample;
use dejaview_labels::Journals;

/// How sure an interval is.
const CONFIDENCE: f64 = 0.95;

/// The labels on which agreement is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgreementOn<'a> {
    /// Those given in the sample of this name, by its strata and weights.
    Sample(&'a str),
    /// Those of the sample in which most pairs were labelled by two or more; all labels where no sample has any.
    MostShared,
    /// All labels, each pair counting once.
    AllLabels,
}

/// How far annotators agree: the one answer of `labels agreement`, the paragraph, Review, the end card and the report.
pub fn agreement(study: &Snapshot, on: AgreementOn<'_>) -> Result<Agreement, StudyError> {
    let journals = read_journals(study)?;
    let samples = all_samples(study)?;
    let name = match on {
        AgreementOn::Sample(name) => Some(name),
        AgreementOn::MostShared => most_shared(&samples, &journals),
        AgreementOn::AllLabels => None,
    };
    if let Some(name) = name {
        let sample = current_sample(study, name)?;
        return Ok(Agreement::new(journals.all(), &units(&sample), Some(name), CONFIDENCE));
    }
    let audit = audited(&samples);
    let unit = |(source, target)| {
        let audit = audit.contains(&(source, target));
        Unit { source, target, stratum: if audit { "audit" } else { "all" }, weight: 1.0, audit, far: false }
    };
    let units: Vec<Unit<'_>> = journals.pairs(None).into_iter().map(unit).collect();
    Ok(Agreement::new(journals.all(), &units, None, CONFIDENCE))
}

/// Every sample of the study.
pub(crate) fn all_samples(study: &Snapshot) -> Result<Vec<Sample>, StudyError> {
    let mut samples = Vec::new();
    for name in Sample::names(study.folder())? {
        samples.extend(Sample::read(study.folder(), &name)?);
    }
    Ok(samples)
}

/// The sample in which most pairs were labelled by two or more, then by one; of equal ones the first.
fn most_shared<'a>(samples: &'a [Sample], journals: &Journals) -> Option<&'a str> {
    let labelled = |sample: &Sample, by: usize| {
        let name = Some(sample.name.as_str());
        let annotators = |source: &str, target: &str| {
            let labels = journals.annotators().map(|one| one.reading.decisions.label(source, target, name));
            labels.filter(Option::is_some).count()
        };
        sample.pairs.iter().filter(|pair| annotators(&pair.source, &pair.target) >= by).count()
    };
    let counted = samples.iter().map(|sample| ((labelled(sample, 2), labelled(sample, 1)), sample.name.as_str()));
    let labelled: Vec<_> = counted.filter(|((_, by_one), _)| *by_one > 0).collect();
    labelled.into_iter().rev().max_by_key(|(counts, _)| *counts).map(|(_, name)| name)
}

/// The pairs of a sample.
fn units(sample: &Sample) -> Vec<Unit<'_>> {
    let strata: BTreeMap<&str, (bool, bool)> =
        sample.strata.iter().map(|s| (s.name.as_str(), (s.audit, s.far))).collect();
    sample
        .pairs
        .iter()
        .map(|pair| {
            let (audit, far) = strata.get(pair.stratum.as_str()).copied().unwrap_or_default();
            let (source, target, stratum) = (&pair.source, &pair.target, &pair.stratum);
            Unit { source, target, stratum, weight: pair.weight, audit, far }
        })
        .collect()
}

/// Pairs that samples hold only because no configuration of theirs found them.
fn audited(samples: &[Sample]) -> BTreeSet<(&str, &str)> {
    let all = || samples.iter().flat_map(units);
    let found: BTreeSet<(&str, &str)> =
        all().filter(|unit| !unit.audit).map(|unit| (unit.source, unit.target)).collect();
    let none = all().filter(|unit| unit.audit).map(|unit| (unit.source, unit.target));
    none.filter(|pair| !found.contains(pair)).collect()
}
