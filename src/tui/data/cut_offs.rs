//! Precision and recall of one configuration if only pairs from some Jaccard on counted, by the labels of one sample.

use dejaview_evaluation::estimates::Cut;
use dejaview_study::{Reading, Snapshot};

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
        let progress = dejaview_study::sample_progress(study).map_err(|error| error.to_string())?;
        let labelled = progress.into_iter().filter(|sample| !sample.decided.is_empty());
        let mut why = "no pair of a sample is labelled yet: 5 begins".to_owned();
        for sample in labelled {
            match dejaview_study::quality_by_cut_off(study, &sample.name, configuration, "jaccard", &Reading::default())
            {
                Ok(cuts) => return Self::with_ids(study, sample.name, cuts),
                Err(error) => why = error.to_string(),
            }
        }
        Err(why)
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
