//! What if only pairs from some Jaccard on were taken? Of one configuration, by the labels of one sample.

use dejaview_evaluation::estimates::Cut;
use dejaview_study::{Reading, Snapshot};

/// A labelled pair that changes sides at a cut-off.
#[derive(Debug, Clone, PartialEq)]
pub struct Flipped {
    /// Source id.
    pub source: String,
    /// Target id.
    pub target: String,
    /// Its Jaccard.
    pub score: f64,
    /// Whether it is a near-duplicate.
    pub truth: bool,
}

/// Cut-offs from 0 to 1.
#[derive(Debug, Clone)]
pub struct Rail {
    /// Name of the sample.
    pub sample: String,
    /// In ascending order.
    pub cuts: Vec<Cut>,
    /// For each cut-off, the pairs that were taken one step before.
    pub flips: Vec<Vec<Flipped>>,
}

impl Rail {
    /// Of a configuration, by the first labelled sample that it has a part in.
    pub fn of(study: &Snapshot, configuration: &str) -> Result<Self, String> {
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
        let pairs = dejaview_study::sample_or_first_draw(study, &sample).map_err(|error| error.to_string())?.pairs;
        let flips = cuts.iter().map(|cut| {
            let named = cut.flips.iter().filter_map(|flip| Some((pairs.get(flip.place)?, flip)));
            let flipped = named.map(|(pair, flip)| Flipped {
                source: pair.source.clone(),
                target: pair.target.clone(),
                score: flip.score,
                truth: flip.truth,
            });
            flipped.collect()
        });
        Ok(Self { flips: flips.collect(), sample, cuts })
    }
}
