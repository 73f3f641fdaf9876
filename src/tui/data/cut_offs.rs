//! Precision and recall of one configuration if only pairs from some Jaccard on counted, by the labels of one sample.

use dejaview_evaluation::estimates::Cut;
use dejaview_study::Snapshot;

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
    /// From 0 to 1.
    pub cuts: Vec<Cut>,
    /// For each cut-off, the pairs that the previous one still includes.
    pub flips: Vec<Vec<FlippedPair>>,
}

impl CutOffs {
    /// Uses the first labelled sample that has pairs of the configuration.
    pub fn read(study: &Snapshot, configuration: &str) -> Result<Self, String> {
        match dejaview_study::cut_offs(study, configuration, "jaccard") {
            Ok(Some((sample, cuts))) => Self::with_ids(study, sample, cuts),
            Ok(None) => Err("no pair of a sample is labelled yet: 5 begins".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn with_ids(study: &Snapshot, sample: String, cuts: Vec<Cut>) -> Result<Self, String> {
        let pairs = dejaview_study::drawn_sample(study, &sample).map_err(|error| error.to_string())?.pairs;
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
        Ok(Self { flips: flips.collect(), sample, cuts })
    }
}
