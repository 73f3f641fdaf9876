//! Labels on their way in and out, as people read it.

use serde::{Serialize, Serializer};

use crate::numbers::plural;
use crate::result::Report;
use dejaview_labels::meaning_sentences;
use dejaview_study::{Changed, Difference, Finding, ImportReport, Packed, Paragraph, Provenance};

/// What became of the labels of a file; nothing where it contradicts itself, since then nothing was imported.
impl Report for ImportReport {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        imported_in_words(self)
    }
}

/// What became of the labels of a file, how its words were understood, and what went into each journal where there are
/// several.
pub fn imported_in_words(report: &ImportReport) -> Vec<String> {
    if !report.contradictions.is_empty() {
        return Vec::new();
    }
    let mut text = vec![report.sentence()];
    text.extend(meaning_sentences(&report.values).into_iter().map(|sentence| format!("  {sentence}")));
    if report.annotators.len() > 1 {
        text.extend(report.annotators.iter().map(|imported| {
            let (annotator, added) = (&imported.annotator, imported.added);
            format!("  {annotator}: {added} added, {} known before, {} changed", imported.known, imported.changed)
        }));
    }
    text
}

impl Report for Packed {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        let (pairs, documents) = (plural(self.pairs as u64, "pair"), plural(self.documents as u64, "document"));
        vec![format!("{}: sample {}, {pairs}, {documents}", self.path.display(), self.sample)]
    }
}

impl Report for Paragraph {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        vec![self.text.clone()]
    }
}

/// Whether every line of every journal is whole, and every sample of the pairs there are.
#[derive(Debug, Serialize)]
pub struct VerifyReport {
    pub journals: Vec<Finding>,
    pub samples: Vec<CheckedSample>,
}

/// A sample beside the pairs there are now.
#[derive(Debug)]
pub struct CheckedSample {
    pub name: String,
    pub provenance: Provenance,
    /// What people read about it.
    pub sentence: String,
}

impl Serialize for CheckedSample {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum More<'a> {
            Same { no_longer_serves: &'a [Difference] },
            Unknown { why: &'a str },
            Changed { changes: &'a [Difference] },
        }
        #[derive(Serialize)]
        struct Fields<'a> {
            sample: &'a str,
            pairs: &'static str,
            #[serde(flatten)]
            more: More<'a>,
        }
        let more = match &self.provenance {
            Provenance::Same { fewer } => More::Same { no_longer_serves: fewer },
            Provenance::Unknown { why } => More::Unknown { why },
            Provenance::Changed(Changed { changes, .. }) => More::Changed { changes },
        };
        Fields { sample: &self.name, pairs: self.provenance.kind(), more }.serialize(serializer)
    }
}

impl Report for VerifyReport {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        let mut text = Vec::new();
        for journal in &self.journals {
            let (events, labels) = (plural(journal.events as u64, "event"), plural(journal.labels as u64, "label"));
            text.push(format!("{}: {events}, {labels}", journal.annotator));
            text.extend(journal.problems.iter().chain(&journal.remarks).map(|line| format!("  {line}")));
        }
        if self.journals.is_empty() {
            text.push("no journal yet".to_owned());
        }
        text.extend(self.samples.iter().map(|sample| sample.sentence.clone()));
        text
    }
}
