//! What a file says about the pairs of a study: which of them it calls near-duplicates, and how it was read.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use serde::Serialize;

use crate::StudyError;
use crate::query::known::{KnownDocuments, PairKnown};
use crate::query::pair_table::PairTable;
use dejaview_corpus::text_file;
use dejaview_evaluation::estimates::{Consensus, Unsure};
use dejaview_labels::{Label, LabelTable, Meaning, UnderstoodValue};

/// How a file of truth was read.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TruthListing {
    /// How each word or grade was understood.
    pub understood: Vec<UnderstoodValue>,
    /// Rows whose label is empty; nothing is known of their pairs.
    pub without_label: usize,
    /// Rows of a document with itself, where it stands on both sides. They count neither as found nor as missed.
    #[serde(skip_serializing_if = "is_zero")]
    pub itself: usize,
    /// Rows that name documents which are not in the study. They count neither as found nor as missed.
    pub not_in_study: usize,
    /// True pairs of documents of which a study that keeps no others than those with a pair cannot say whether they are in
    /// it. They count as missed.
    pub not_known: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Pairs by what a file of truth calls them.
#[derive(Debug, Clone, Serialize)]
pub struct PairKinds {
    /// The kinds, by name; the last is that of pairs that are not listed.
    pub names: Vec<String>,
    /// What each kind means; nothing is known of pairs that are not listed, unless the file is said to be complete.
    pub labels: Vec<Option<Label>>,
    /// Pairs of each kind in the file.
    pub listed: Vec<u64>,
    /// For each configuration, pairs of each kind that it found.
    pub found: Vec<Vec<u64>>,
}

/// What pairs that a file does not list are called.
const UNLISTED: &str = "(not listed)";

/// How a truth file is read: what its values mean, how unsure pairs count, and whether unlisted pairs are no near-duplicates.
pub(crate) struct TruthFileOptions<'a> {
    pub(crate) meaning: &'a Meaning,
    pub(crate) unsure: Unsure,
    pub(crate) closed: bool,
}

/// What a file says about the pairs of a table.
pub(crate) struct ListedTruth {
    /// Whether the pairs of these numbers are near-duplicates, if the file knows.
    pub(crate) says: HashMap<usize, Option<bool>>,
    /// Source ids of the true pairs that are not in the table.
    pub(crate) missed: Vec<String>,
    pub(crate) kinds: PairKinds,
    pub(crate) listing: TruthListing,
}

/// Reads what a file says about the pairs of a table.
pub(crate) fn read(
    table: &PairTable,
    path: &Path,
    options: &TruthFileOptions<'_>,
    documents: &KnownDocuments<'_>,
) -> Result<ListedTruth, StudyError> {
    let wrong = |(line, why): (usize, String)| StudyError::Truth { path: path.to_owned(), line, why };
    let listed = LabelTable::read(&text_file::read_lines(path)?).map_err(wrong)?.labelled();
    if let Some(problem) = listed.problems.first() {
        return Err(wrong(problem.clone()));
    }
    let mut values = listed.understood(options.meaning).map_err(wrong)?;
    let without_label = listed.without_label;
    let mut listing = TruthListing { understood: values.clone(), without_label, ..TruthListing::default() };
    values.sort_by(|a, b| a.value.cmp(&b.value));
    let kinds: HashMap<&str, usize> = values.iter().enumerate().map(|(i, u)| (u.value.as_str(), i)).collect();
    let says = |kind: usize| options.unsure.truth(Consensus::Label(values[kind].label));
    let mut kind_of: HashMap<usize, usize> = HashMap::new();
    let (mut missed, mut first) = (Vec::new(), HashMap::new());
    for pair in &listed.rows {
        let kind = kinds[pair.value.as_str()];
        let placed = documents.pair(&pair.source, &pair.target)?;
        let (source, target) = match placed {
            PairKnown::Swapped => (pair.target.as_str(), pair.source.as_str()),
            _ => (pair.source.as_str(), pair.target.as_str()),
        };
        if placed == PairKnown::Itself {
            listing.itself += 1;
            continue;
        }
        let earlier = *first.entry((source, target)).or_insert((pair.line, kind));
        if values[earlier.1].label != values[kind].label {
            let (line, before) = (earlier.0, &values[earlier.1].value);
            let why =
                format!("{source} {target} is “{}” here and “{before}” in line {line}; keep one of them", pair.value);
            return Err(wrong((pair.line, why)));
        }
        match table.find(source, target) {
            Some(row) => drop(kind_of.insert(row, kind)),
            None if earlier.0 != pair.line => {}
            None if listing.is_elsewhere(documents, source, target, placed, says(kind) == Some(true))? => {}
            None => missed.extend((says(kind) == Some(true)).then(|| source.to_owned())),
        }
    }
    let alone: BTreeSet<usize> = kind_of.keys().copied().collect();
    let mut found = vec![vec![0; values.len() + 1]; table.configurations().len()];
    for kind in table.kinds_with_single_pairs(&alone) {
        for bundle in &kind.bundles {
            let place = bundle.number.and_then(|number| kind_of.get(&number)).copied().unwrap_or(values.len());
            for c in table.finders_of(bundle) {
                found[c][place] += kind.documents() * bundle.pairs;
            }
        }
    }
    let kinds = PairKinds {
        names: values.iter().map(|u| u.value.clone()).chain([UNLISTED.to_owned()]).collect(),
        labels: values.iter().map(|u| Some(u.label)).chain([options.closed.then_some(Label::Not)]).collect(),
        listed: values.iter().map(|u| u.rows as u64).chain([0]).collect(),
        found,
    };
    let says = kind_of.iter().map(|(number, kind)| (*number, says(*kind))).collect();
    Ok(ListedTruth { says, missed, kinds, listing })
}

impl TruthListing {
    /// Whether a pair is certainly not one of the study; counts it, and true ones of which that cannot be said.
    fn is_elsewhere(
        &mut self,
        documents: &KnownDocuments<'_>,
        source: &str,
        target: &str,
        placed: PairKnown,
        is_true: bool,
    ) -> Result<bool, StudyError> {
        let PairKnown::Not { .. } = placed else { return Ok(false) };
        let are_others = documents.are_outside_study(source, target)?;
        match are_others {
            true => self.not_in_study += 1,
            false => self.not_known += usize::from(is_true),
        }
        Ok(are_others)
    }
}
