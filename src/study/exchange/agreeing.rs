//! How far the annotators of a study agree.

use std::collections::{BTreeMap, BTreeSet};

use crate::evaluation::agreement::{Agreement, Unit};
use crate::evaluation::sample::Sample;
use crate::study::{Session, StudyError};

/// How sure an interval is.
const CONFIDENCE: f64 = 0.95;

impl Session {
    /// How far annotators agree, on the pairs of a sample by their weights, or on all pairs with a label, which have none.
    pub fn agreement(&self, sample: Option<&str>) -> Result<Agreement, StudyError> {
        let journals = self.journals()?;
        if let Some(name) = sample {
            let sample = self.current_sample(name)?;
            return Ok(Agreement::new(journals.all(), &units(&sample), Some(name), CONFIDENCE));
        }
        let samples = self.samples()?;
        let audit = audited(&samples);
        let unit = |(source, target)| {
            let audit = audit.contains(&(source, target));
            Unit { source, target, stratum: if audit { "audit" } else { "all" }, weight: 1.0, audit, far: false }
        };
        let units: Vec<Unit<'_>> = journals.pairs(None).into_iter().map(unit).collect();
        Ok(Agreement::new(journals.all(), &units, None, CONFIDENCE))
    }

    /// Every sample of the study.
    pub(in crate::study) fn samples(&self) -> Result<Vec<Sample>, StudyError> {
        let mut samples = Vec::new();
        for name in Sample::names(self.folder())? {
            samples.extend(Sample::read(self.folder(), &name)?);
        }
        Ok(samples)
    }
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
