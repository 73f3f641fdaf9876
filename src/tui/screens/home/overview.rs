//! What Home counts over all journals and pairs. It takes longer than a frame, so a job does it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::data::{JudgmentTree, StudyData};
use crate::sample_status::{self, Withheld};
use dejaview_base::interval::Interval;
use dejaview_evaluation::agreement::Agreement;
use dejaview_evaluation::comparison::Quality;
use dejaview_evaluation::transfer::{Accept, Policy};
use dejaview_labels::Concern;
use dejaview_study::{AgreementOn, InputSummary, Snapshot, StudyError, TransferOptions, Truth};

/// How many judgments are carried over when pairs labelled near-duplicate are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CarriedOver {
    pub carried: u64,
    pub labelled_not: u64,
    /// No pair of theirs is labelled near-duplicate, and not all are labelled not.
    pub undecided: u64,
    pub without_candidate: u64,
    pub topics: usize,
}

impl CarriedOver {
    fn count(study: &Snapshot) -> Result<Self, StudyError> {
        let options =
            TransferOptions { policy: Policy::Best, accept: Accept::Labels, by: None, configurations: Vec::new() };
        let transfer = dejaview_study::transfer(study, &options)?;
        let (all, topics) = (transfer.judgments.rows().len() as u64, transfer.judgments.topics().len());
        let mut counts = Self { carried: all, labelled_not: 0, undecided: 0, without_candidate: 0, topics };
        for (reason, left) in &transfer.outcome.left_behind {
            counts.carried = counts.carried.saturating_sub(*left);
            match *reason {
                "no pair" => counts.without_candidate += left,
                "labelled not a near-duplicate" => counts.labelled_not += left,
                _ => counts.undecided += left,
            }
        }
        Ok(counts)
    }

    pub fn all(self) -> u64 {
        self.carried + self.labelled_not + self.undecided + self.without_candidate
    }
}

/// What is known of a configuration's precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Precision {
    NoLabels,
    /// There are labels, and the person may not see what they say yet.
    Hidden,
    Known(Interval),
}

/// The precision of configurations by labels, as Methods estimates it, by name; and whether it rests on different samples.
/// An annotator who labels blind sees what rests on samples whose own part they have decided.
fn labelled_precision(study: &Snapshot, annotator: &str) -> Result<(HashMap<String, Precision>, bool), StudyError> {
    let reading = sample_status::without(&sample_status::withheld(study, annotator)?);
    let evaluation = dejaview_study::evaluate(study, &Truth::Labels, &reading)?;
    let precision = |quality: &Quality| match quality.precision {
        Some(known) => Precision::Known(known),
        None if evaluation.is_held_back(quality) => Precision::Hidden,
        None => Precision::NoLabels,
    };
    let qualities = evaluation.comparison.configurations.iter();
    let by_name = qualities.map(|quality| (quality.name.clone(), precision(quality))).collect();
    Ok((by_name, evaluation.rests_on_different_samples()))
}

/// Near-duplicates that were judged differently.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GradeConflicts {
    pub judgments: usize,
    pub topics: Vec<String>,
}

/// A segment of the target as the run read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SegmentSize {
    pub name: String,
    pub documents: u64,
    /// Of its files.
    pub bytes: u64,
}

impl SegmentSize {
    fn read_all(study: &Snapshot) -> Vec<Self> {
        let size = |input: InputSummary| Self {
            bytes: input.files.iter().map(|(_, bytes)| bytes).sum(),
            documents: input.documents,
            name: input.segment,
        };
        study
            .input_summaries()
            .unwrap_or_default()
            .into_iter()
            .filter(|input| !input.segment.is_empty())
            .map(size)
            .collect()
    }
}

/// All of it. What could not be counted is left out; the screen where it belongs says why.
#[derive(Debug, Default)]
pub struct Overview {
    pub(super) carried: Option<CarriedOver>,
    pub(super) agreement: Option<Agreement>,
    /// Pairs that annotators labelled differently and nobody settled.
    pub(super) disagreements: usize,
    /// Why each of the other cases of Review is one that nobody settled.
    pub(super) other_cases: Vec<&'static str>,
    pub(super) conflicts: GradeConflicts,
    pub(super) precision: HashMap<String, Precision>,
    /// Whether it rests on different samples, so that configurations cannot be compared by it.
    pub(super) different_samples: bool,
    /// Samples that stand for pairs of an earlier run alone.
    pub(super) kept_samples: Vec<String>,
    pub(super) segments: Vec<SegmentSize>,
    /// Samples that others have labelled, and whose own part the person has to decide yet: what they say is not shown.
    pub(super) withheld: Vec<Withheld>,
}

/// Samples of which the person may not know yet what others said.
fn withheld_of_others(study: &Snapshot, annotator: &str) -> Vec<Withheld> {
    let mut withheld = sample_status::withheld(study, annotator).unwrap_or_default();
    let samples =
        if withheld.is_empty() { Vec::new() } else { dejaview_study::sample_progress(study).unwrap_or_default() };
    let of_others = |name: &str| {
        samples.iter().any(|sample| sample.name == name && sample.decided.iter().any(|(who, _)| who != annotator))
    };
    withheld.retain(|withheld| of_others(&withheld.sample));
    withheld
}

impl Overview {
    pub(super) fn count(study: &Snapshot, data: &StudyData, annotator: &str) -> Self {
        let cases = dejaview_study::review(study).map_or(Vec::new(), |review| review.cases);
        let (disagreements, others): (Vec<_>, Vec<_>) = cases
            .iter()
            .filter(|case| !case.standing().is_settled())
            .partition(|case| case.concerns.contains(&Concern::Disagreement));
        let (precision, different_samples) = labelled_precision(study, annotator).unwrap_or_default();
        let mut overview = Self {
            carried: data.judgments.as_ref().and_then(|_| CarriedOver::count(study).ok()),
            agreement: dejaview_study::agreement(study, AgreementOn::MostShared).ok(),
            disagreements: disagreements.len(),
            other_cases: others.iter().filter_map(|case| Some(case.concerns.first()?.name())).collect(),
            conflicts: grade_conflicts(data),
            precision,
            different_samples,
            segments: SegmentSize::read_all(study),
            withheld: withheld_of_others(study, annotator),
            ..Self::default()
        };
        let begun = dejaview_study::sample_progress(study).unwrap_or_default();
        for sample in begun.into_iter().filter(|sample| !sample.decided.is_empty() && sample.changed.is_none()) {
            if dejaview_study::drawn_sample(study, &sample.name).is_ok_and(|drawn| drawn.of_old_pairs()) {
                overview.kept_samples.push(sample.name);
            }
        }
        overview
    }
}

fn grade_conflicts(data: &StudyData) -> GradeConflicts {
    let Some(judgments) = &data.judgments else { return GradeConflicts::default() };
    let tree = JudgmentTree::gather(judgments, &data.table, data.study.titles());
    let conflicting = tree.topics.iter().filter(|group| group.conflicts > 0);
    GradeConflicts {
        judgments: conflicting.clone().map(|group| group.conflicts).sum(),
        topics: conflicting.map(|group| group.topic.to_string()).collect(),
    }
}

/// Counts what Home shows.
#[derive(Debug)]
pub struct CountOverview {
    pub(super) data: Arc<StudyData>,
    pub(super) annotator: String,
}
