//! Where the pair of a row belongs: in the study or not, in the sample or not, and whether its sides are swapped.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::StudyError;
use crate::once::read_once;
use crate::query::known::{KnownDocuments, PairKnown, known_documents};
use crate::snapshot::Snapshot;
use dejaview_evaluation::sample::Sample;
use dejaview_labels::is_adjudication;

/// Where the pair of a row belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RowPlace {
    /// In the study or the sample.
    Here,
    /// The same with source and target swapped.
    Swapped,
    /// Both ids name one document, which stands on both sides; says which.
    Itself(String),
    /// The study does not know a document of the pair; says which.
    Unknown(String),
}

/// Pairs of a sample, each with those who were asked about it; nobody where everyone was.
type Asked<'a> = HashMap<(&'a str, &'a str), &'a [String]>;

/// Finds where pairs belong: asks the sample first, and the study only about pairs that are not in it.
pub(super) struct Placer<'a> {
    study: &'a Snapshot,
    /// The sample's name and pairs.
    sample: Option<(&'a str, Asked<'a>)>,
    known: OnceLock<KnownDocuments<'a>>,
}

impl<'a> Placer<'a> {
    pub(super) fn new(study: &'a Snapshot, sample: Option<&'a Sample>) -> Self {
        let pairs = |sample: &'a Sample| {
            sample.pairs.iter().map(|pair| ((pair.source.as_str(), pair.target.as_str()), &pair.assigned[..]))
        };
        let sample = sample.map(|sample| (sample.name.as_str(), pairs(sample).collect()));
        Self { study, sample, known: OnceLock::new() }
    }

    pub(super) fn sample(&self) -> Option<&'a str> {
        self.sample.as_ref().map(|(name, _)| *name)
    }

    /// Whether the sample was shared out and gave a pair to others than this annotator. Adjudicators decide any pair.
    pub(super) fn is_assigned_to_others(&self, source: &str, target: &str, annotator: &str) -> bool {
        let assigned = self.sample.as_ref().and_then(|(_, pairs)| pairs.get(&(source, target)));
        let is_assigned_to_others = |names: &&[String]| !names.is_empty() && names.iter().all(|name| name != annotator);
        !is_adjudication(annotator) && assigned.is_some_and(is_assigned_to_others)
    }

    /// The pairs of a sample that a row names; none when the study does not have it.
    pub(super) fn pairs_of(&self, sample: &str) -> Result<HashSet<(String, String)>, StudyError> {
        let sample = Sample::read(self.study.folder(), sample)?;
        let pairs = sample.map(|sample| sample.pairs).unwrap_or_default();
        Ok(pairs.into_iter().map(|pair| (pair.source, pair.target)).collect())
    }

    pub(super) fn place(&self, source: &str, target: &str) -> Result<RowPlace, StudyError> {
        if let Some((_, pairs)) = &self.sample {
            if pairs.contains_key(&(source, target)) {
                return Ok(RowPlace::Here);
            }
            if pairs.contains_key(&(target, source)) {
                return Ok(RowPlace::Swapped);
            }
        }
        in_study(self.known()?, source, target)
    }

    /// Whether there is a sample and a pair, the right way round, is not in it.
    pub(super) fn is_outside_sample(&self, source: &str, target: &str) -> bool {
        self.sample.as_ref().is_some_and(|(_, pairs)| !pairs.contains_key(&(source, target)))
    }

    /// The documents of the study.
    fn known(&self) -> Result<&KnownDocuments<'a>, StudyError> {
        read_once(&self.known, || known_documents(self.study))
    }
}

fn in_study(known: &KnownDocuments<'_>, source: &str, target: &str) -> Result<RowPlace, StudyError> {
    let (is_source, is_target) = match known.pair(source, target)? {
        PairKnown::Here => return Ok(RowPlace::Here),
        PairKnown::Swapped => return Ok(RowPlace::Swapped),
        PairKnown::Itself => {
            return Ok(RowPlace::Itself(format!("{source} stands on both sides, and is no pair with itself")));
        }
        PairKnown::Not { source, target } => (source, target),
    };
    let no_source = format!("{source} is not a source document that this study knows");
    let no_target = format!("{target} is not a target document that this study knows");
    Ok(RowPlace::Unknown(match (is_source, is_target) {
        (false, true) => no_source,
        (true, false) => no_target,
        _ => format!("{no_source}, and {no_target}"),
    }))
}
