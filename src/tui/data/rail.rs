//! What if only pairs from some Jaccard on were taken? Of one configuration, by the labels of one sample.

use dejaview_evaluation::estimates::Cut;
use dejaview_study::{PairTable, Reading, Session};

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
    pub fn of(session: &Session, table: &PairTable, configuration: &str) -> Result<Self, String> {
        let progress = session.sample_progress().map_err(|error| error.to_string())?;
        let labelled = progress.into_iter().filter(|sample| !sample.decided.is_empty());
        let mut why = "no pair of a sample is labelled yet: 5 begins".to_owned();
        for sample in labelled {
            match session.rail(table, &sample.name, (configuration, "jaccard"), &Reading::default()) {
                Ok(cuts) => return Self::with_ids(session, sample.name, cuts),
                Err(error) => why = error.to_string(),
            }
        }
        Err(why)
    }

    fn with_ids(session: &Session, sample: String, cuts: Vec<Cut>) -> Result<Self, String> {
        let pairs = session.sample(&sample).map_err(|error| error.to_string())?.pairs;
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
