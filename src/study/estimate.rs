//! What the labels of a study's samples say about its configurations.

use super::StudyError;
use super::evaluate::{Evaluation, Reading};
use super::pair_table::PairTable;
use super::session::Session;
use crate::base::interval::Interval;
use crate::base::random::Bootstrap;
use crate::evaluation::comparison::Quality;
use crate::evaluation::estimates::{Cut, Estimate, Estimates, Frame, Paired, Plan, Proportion, Unsure, rail, taken};
use crate::evaluation::sample::{Sample, SampledPair};
use crate::labels::{self, Annotations};
use crate::methods::measures::Scores;

/// Which interval stands in front.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shown {
    /// Wilson's at the effective size.
    #[default]
    Wilson,
    /// The same with the correction for the finite population.
    Design,
    /// The one that never covers less than it says.
    Conservative,
    /// Clopper and Pearson's where the sample is of one stratum, else the conservative one.
    ClopperPearson,
    /// Jeffreys's.
    Jeffreys,
}

impl Shown {
    /// What it is called beside a number.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wilson => "Wilson at the effective size",
            Self::Design => "Wilson at the effective size, corrected for the finite population",
            Self::Conservative => "conservative (exact in each stratum)",
            Self::ClopperPearson => "Clopper–Pearson",
            Self::Jeffreys => "Jeffreys",
        }
    }

    fn of(self, precision: &Proportion) -> Option<Interval> {
        match self {
            Self::Wilson => precision.wilson,
            Self::Design => precision.design,
            Self::Conservative => precision.conservative.or(precision.design),
            Self::ClopperPearson => precision.clopper_pearson.or(precision.conservative).or(precision.design),
            Self::Jeffreys => precision.jeffreys.or(precision.wilson),
        }
    }
}

/// Measures that a cut-off can be set on.
pub const MEASURES: [&str; 10] = [
    "jaccard",
    "jaccard_1",
    "jaccard_2",
    "jaccard_3",
    "jaccard_5",
    "jaccard_8",
    "cosine",
    "dice_8",
    "s3",
    "length_ratio",
];

fn measure(scores: &Scores, name: &str, n: usize) -> f64 {
    match name {
        "jaccard_1" => scores.jaccard_1,
        "jaccard_2" => scores.jaccard_2,
        "jaccard_3" => scores.jaccard_3,
        "jaccard_5" => scores.jaccard_5,
        "jaccard_8" => scores.jaccard_8,
        "cosine" => scores.cosine,
        "dice_8" => scores.dice_8,
        "s3" => scores.s3,
        "length_ratio" => scores.length_ratio,
        _ => scores.jaccard(n).unwrap_or_default(),
    }
}

impl Session {
    /// What the labels of a sample say, by all annotators together.
    pub fn estimates(&self, sample: &str, unsure: Unsure) -> Result<Estimates, StudyError> {
        let (sample, frame) = self.labelled_sample(sample)?;
        Ok(Estimates::new(&sample, &frame, unsure, &Bootstrap::default()))
    }

    /// Of the configurations that a sample was drawn from the one whose precision is known least, and how many more labels make it
    /// known to ± `wanted`. `None` before there are labels.
    pub fn to_go(&self, sample: &str, wanted: f64) -> Result<Option<(String, Plan)>, StudyError> {
        let (sample, frame) = self.labelled_sample(sample)?;
        let confidence = Bootstrap::default().confidence;
        let plan = |c: usize| Some((c, Plan::new(&frame, c, Unsure::Out, wanted, confidence)?));
        let drawn = |c: &usize| sample.configurations.contains(&sample.serves[*c]);
        let widest = (0..sample.serves.len()).filter(drawn).filter_map(plan).max_by(|a, b| a.1.now.total_cmp(&b.1.now));
        Ok(widest.map(|(c, plan)| (sample.serves[c].clone(), plan)))
    }

    /// Two configurations on the labels of one sample. `None` before there are any.
    pub fn paired(&self, sample: &str, names: [&str; 2], unsure: Unsure) -> Result<Option<Paired>, StudyError> {
        let (sample, frame) = self.labelled_sample(sample)?;
        let places = [place(&sample, names[0])?, place(&sample, names[1])?];
        Ok(Paired::new(&frame, places, unsure, Bootstrap::default().confidence))
    }

    /// Precision and recall of a configuration (its name) as a cut-off on one of [`MEASURES`] moves.
    pub fn rail(
        &self,
        table: &PairTable,
        sample: &str,
        (name, by): (&str, &str),
        unsure: Unsure,
    ) -> Result<Vec<Cut>, StudyError> {
        let (sample, frame) = self.labelled_sample(sample)?;
        let c = place(&sample, name)?;
        let score = |i: usize| score(table, &sample.pairs[i], by);
        let all = table.configurations().iter().position(|known| known == name);
        let found = |row: &usize| all.is_some_and(|c| table.found_by(*row, c));
        let scores = (0..table.len()).filter(found).map(|row| measure(&table.pair(row).scores(), by, table.n()));
        Ok(rail(&frame, c, &score, &taken(scores), (unsure, Bootstrap::default().confidence)))
    }

    /// A sample with what annotators say about its pairs.
    pub fn labelled_sample(&self, name: &str) -> Result<(Sample, Frame), StudyError> {
        let sample = self.sample(name)?;
        let frame = Frame::labelled(&sample, &labels::read_all(self.folder())?);
        Ok((sample, frame))
    }

    /// Estimates of every sample with a label, or of the one asked for.
    pub(super) fn estimates_for(&self, reading: &Reading, all: &[Annotations]) -> Result<Vec<Estimates>, StudyError> {
        let names = match &reading.sample {
            Some(name) => vec![self.sample(name)?.name],
            None => Sample::names(self.folder())?,
        };
        let mut estimates = Vec::new();
        for name in names {
            let Some(sample) = Sample::read(self.folder(), &name)? else { continue };
            let frame = Frame::labelled(&sample, all);
            if reading.sample.is_some() || frame.drawn.iter().any(|drawn| drawn.label.is_some()) {
                estimates.push(Estimates::new(&sample, &frame, reading.unsure, &Bootstrap::default()));
            }
        }
        Ok(estimates)
    }
}

fn place(sample: &Sample, name: &str) -> Result<usize, StudyError> {
    let known = || sample.serves.join(", ");
    let place = sample.serves.iter().position(|c| c == name);
    place.ok_or_else(|| StudyError::NoConfiguration { name: name.to_owned(), known: known() })
}

fn score(table: &PairTable, pair: &SampledPair, by: &str) -> f64 {
    let row = table.find(&pair.source, &pair.target);
    row.map_or(0.0, |row| measure(&table.pair(row).scores(), by, table.n()))
}

/// Puts what samples say about a configuration in the place of what all labels say: of several samples that serve it, the
/// one with the most labels. Where there is a labelled sample, labels that came about in another way (drawn for other
/// configurations, or made while browsing) do not stand for a configuration's pairs, and nothing is said by them.
pub(super) fn by_samples(evaluation: &mut Evaluation, shown: Shown) {
    let (qualities, estimates) = (&mut evaluation.comparison.configurations, &evaluation.estimates);
    if estimates.is_empty() {
        return;
    }
    for quality in qualities {
        let of =
            |e: &Estimates| -> Option<Estimate> { e.configurations.iter().find(|c| c.name == quality.name).cloned() };
        let served = estimates.iter().filter_map(|e| Some((of(e)?, e)));
        let served = served.filter_map(|(estimate, e)| Some((estimate.precision.clone()?, estimate, e)));
        // Of equal ones the first.
        let best = served.reduce(|best, next| if next.0.labelled > best.0.labelled { next } else { best });
        (quality.precision, quality.recall, quality.f1) = (None, None, None);
        quality.basis = Some(match best {
            Some((precision, estimate, e)) => put(quality, &precision, &estimate, e, shown),
            None => "no labelled sample: `dejaview sample` draws one of its pairs".to_owned(),
        });
    }
}

/// Puts an estimate in place, and says what it rests on.
fn put(quality: &mut Quality, precision: &Proportion, estimate: &Estimate, from: &Estimates, shown: Shown) -> String {
    let recall = &estimate.recall;
    quality.precision = shown.of(precision);
    quality.recall = recall.all.or(recall.pool);
    quality.f1 = recall.f1;
    let of = match (recall.all, recall.pool) {
        (Some(_), _) => "recall of all true pairs, by the audit",
        (None, Some(_)) => "recall within the sample's pool",
        _ => "no recall, which takes a sample of several configurations or one with an audit",
    };
    format!("sample {}: {}; {of}", from.sample, shown.name())
}
