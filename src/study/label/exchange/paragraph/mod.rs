//! The text for the paper: how the evaluation set was made, and what it says.

mod drawn;
mod found;
mod labelled;
mod words;

use serde::Serialize;

use super::writing::median_seconds;
use super::{AgreementOn, StudyError};
use crate::label::drawing::{current_sample, drawn_sample};
use crate::label::estimating::estimates_of;
use crate::label::exchange::agreeing::agreement;
use crate::label::labelling::read_journals;
use crate::snapshot::Snapshot;
use dejaview_evaluation::agreement::Agreement;
use dejaview_evaluation::estimates::{Consensus, Estimates, Frame, Unsure};
use dejaview_evaluation::sample::{Sample, SampledPair};
use dejaview_labels::{Annotations, Journals, Label};

/// What the paragraph is made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paragraph {
    pub text: String,
    /// The sample it is about.
    pub sample: String,
    /// Other samples with labels.
    pub others: Vec<String>,
    /// How far annotators agree.
    pub agreement: Agreement,
    /// What the labels say.
    pub estimates: Estimates,
    /// Median seconds a pair, where journals tell.
    pub seconds: Option<f64>,
    /// Labels that were given with the scores in view.
    pub peeked: u64,
    /// Labels that say unsure, whatever became of the pair.
    pub unsure_labels: u64,
    /// Pairs settled by adjudication.
    pub adjudicated: u64,
    /// Disputed pairs, by who differs.
    pub disputed: DisputedBy,
}

/// Disputed pairs of a sample, by who differs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct DisputedBy {
    /// Annotators who labelled the pair in the sample.
    pub annotators: u64,
    /// They agree, and a label that was given outside the sample differs from theirs.
    pub outside: u64,
    pub adjudicators: u64,
}

impl DisputedBy {
    fn new(sample: &Sample, frame: &Frame, journals: &Journals) -> Self {
        let mut by = Self::default();
        for drawn in frame.drawn.iter().filter(|drawn| drawn.consensus == Consensus::Disputed) {
            let SampledPair { source, target, .. } = &sample.pairs[drawn.place];
            let here = |journal: &Annotations| journal.reading.decisions.label(source, target, Some(&sample.name));
            let mut labels = journals.annotators().filter_map(here);
            let first = labels.next();
            if !journals.settlements(source, target).is_empty() {
                by.adjudicators += 1;
            } else if first.is_some() && labels.all(|label| Some(label) == first) {
                by.outside += 1;
            } else {
                by.annotators += 1;
            }
        }
        by
    }
}

/// Everything that the sentences are made of.
struct Account<'a> {
    sample: &'a Sample,
    paragraph: &'a Paragraph,
    /// What each annotator decided on the pairs of the sample.
    given: &'a [GivenLabel],
}

/// An annotator's decision on a pair that they answered in the sample.
struct GivenLabel {
    label: Label,
    /// Whether the scores were in view, if it is known.
    saw_scores: Option<bool>,
    /// Whether the documents were shown in random order.
    shuffled: bool,
}

/// The paragraph about a sample; of several with labels, the one with the most, unless one is named.
pub fn paragraph(study: &Snapshot, name: Option<&str>, unsure: Unsure) -> Result<Paragraph, StudyError> {
    let journals = read_journals(study)?;
    let (sample, others) = described_sample(study, name, &journals)?;
    if sample.is_of_a_pack() {
        return Err(StudyError::OfAPack { sample: sample.name });
    }
    let frame = Frame::labelled(&sample, &journals);
    let given: Vec<GivenLabel> = journals.annotators().flat_map(|journal| given_labels(&sample, journal)).collect();
    let settled = |pair: &&SampledPair| journals.standing(&pair.source, &pair.target).is_settled();
    let mut paragraph = Paragraph {
        text: String::new(),
        others,
        seconds: median_seconds(&journals, Some(&sample.name)),
        unsure_labels: given.iter().filter(|given| given.label == Label::Unsure).count() as u64,
        peeked: given.iter().filter(|given| given.saw_scores == Some(true)).count() as u64,
        adjudicated: sample.pairs.iter().filter(settled).count() as u64,
        agreement: agreement(study, AgreementOn::Sample(&sample.name))?,
        estimates: estimates_of(study, &sample, &frame, unsure)?,
        disputed: DisputedBy::new(&sample, &frame, &journals),
        sample: sample.name.clone(),
    };
    let account = Account { sample: &sample, paragraph: &paragraph, given: &given };
    let sentences = [account.drawn(), account.labelled(), account.agreed(), account.found()].concat();
    paragraph.text = sentences.join(" ");
    Ok(paragraph)
}

/// The sample that is described, and the names of the others that have labels.
fn described_sample(
    study: &Snapshot,
    name: Option<&str>,
    journals: &Journals,
) -> Result<(Sample, Vec<String>), StudyError> {
    let mut labelled: Vec<(usize, Sample)> = Vec::new();
    for known in Sample::names(study.folder())? {
        let sample = drawn_sample(study, &known)?;
        let answered = |pair: &&SampledPair| journals.answered(&pair.source, &pair.target, &known);
        let count = sample.pairs.iter().filter(answered).count();
        if count > 0 {
            labelled.push((count, sample));
        }
    }
    let chosen = match name {
        Some(name) => {
            drawn_sample(study, name)?;
            labelled.iter().position(|(_, sample)| sample.name == name)
        }
        // Of equal ones the first.
        None => (0..labelled.len()).rev().max_by_key(|&at| labelled[at].0),
    };
    let none = || StudyError::NoLabels { path: study.folder().to_owned(), sample: name.map(str::to_owned) };
    let (_, sample) = labelled.remove(chosen.ok_or_else(none)?);
    let sample = current_sample(study, &sample.name)?;
    Ok((sample, labelled.into_iter().map(|(_, sample)| sample.name).collect()))
}

/// What one annotator decided on the pairs of a sample that they answered in it.
fn given_labels(sample: &Sample, journal: &Annotations) -> Vec<GivenLabel> {
    let decisions = &journal.reading.decisions;
    let given = |pair: &SampledPair| {
        let decision = decisions.decision(&pair.source, &pair.target, Some(&sample.name));
        let answer = decisions.answer(&pair.source, &pair.target, &sample.name, false)?;
        Some(GivenLabel {
            label: decision.label()?,
            saw_scores: decision.labelled?.circumstances.peeked,
            shuffled: answer.circumstances.order.is_some(),
        })
    };
    sample.pairs.iter().filter_map(given).collect()
}
