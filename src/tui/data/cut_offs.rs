//! Precision and recall of one configuration if only pairs from some Jaccard on counted, by the labels of one sample.

use dejaview_evaluation::estimates::Cut;
use dejaview_evaluation::sample::Sample;
use dejaview_study::{Snapshot, StudyError};

/// A labelled pair that a cut-off excludes and the previous one does not.
#[derive(Debug, Clone, PartialEq)]
pub struct FlippedPair {
    pub source: String,
    pub target: String,
    pub jaccard: f64,
    pub near_duplicate: bool,
}

#[derive(Debug, Clone)]
pub struct CutOffs {
    pub sample: String,
    /// Whether the sample has an audit, so that recall is of all true pairs and not of those of the sample's pool.
    pub audit: bool,
    /// From 0 to 1.
    pub cuts: Vec<Cut>,
    /// For each cut-off, the pairs that the previous one still includes.
    pub flips: Vec<Vec<FlippedPair>>,
}

impl CutOffs {
    /// Uses the sample with the most labels of the configuration's pairs, but for samples that are left out; none where there
    /// is no such label.
    pub fn read(study: &Snapshot, configuration: &str, without: &[String]) -> Result<Option<Self>, StudyError> {
        let found = dejaview_study::cut_offs(study, configuration, "jaccard", without)?;
        found.map(|(sample, cuts)| Self::with_ids(study, sample, cuts)).transpose()
    }

    fn with_ids(study: &Snapshot, sample: String, cuts: Vec<Cut>) -> Result<Self, StudyError> {
        let Sample { pairs, strata, .. } = dejaview_study::drawn_sample(study, &sample)?;
        let flips = cuts.iter().map(|cut| {
            let named = cut.flips.iter().filter_map(|flip| Some((pairs.get(flip.place)?, flip)));
            let flipped = named.map(|(pair, flip)| FlippedPair {
                source: pair.source.clone(),
                target: pair.target.clone(),
                jaccard: flip.score,
                near_duplicate: flip.truth,
            });
            flipped.collect()
        });
        let audit = strata.iter().any(|stratum| stratum.audit);
        Ok(Self { flips: flips.collect(), sample, audit, cuts })
    }
}
