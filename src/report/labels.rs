//! Labels that were imported, exported, packed or verified.

use serde::{Serialize, Serializer};

use crate::numbers::plural;
use crate::result::Report;
use dejaview_labels::{ChangedRole, RemovedJournal, meaning_sentences};
use dejaview_study::{ChangedSample, CheckedJournal, Difference, ImportReport, Packed, Paragraph, Provenance};

impl Report for ImportReport {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        import_lines(self)
    }
}

/// What became of the labels of a file, how its words were understood, and what went into each journal where there are
/// several. Nothing where the file contradicts itself, since then nothing was imported.
pub fn import_lines(report: &ImportReport) -> Vec<String> {
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

/// Whether every line of every journal is intact, and every sample still fits the pairs.
#[derive(Debug, Serialize)]
pub struct VerifyReport {
    pub journals: Vec<CheckedJournal>,
    /// Journals that are gone.
    pub removed: Vec<RemovedJournal>,
    /// Journals that decide otherwise than when their labels were saved.
    pub changed_roles: Vec<ChangedRole>,
    /// Files beside the journals that are not read, relative to the study.
    pub not_read: Vec<String>,
    pub samples: Vec<CheckedSample>,
    /// Samples that labels name and that are not there, a sentence each.
    pub lost_samples: Vec<String>,
    /// That documents changed since they were read, so that it is not known whether labelled ones did.
    pub changed_segments: Option<String>,
}

/// A sample, and whether its pairs are still those of the study.
#[derive(Debug)]
pub struct CheckedSample {
    pub name: String,
    pub provenance: Provenance,
    /// What the text report says about it.
    pub sentence: String,
}

impl Serialize for CheckedSample {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Details<'a> {
            Same { no_longer_serves: &'a [Difference] },
            Unknown { why: &'a str },
            Changed { changes: &'a [Difference] },
        }
        #[derive(Serialize)]
        struct Fields<'a> {
            sample: &'a str,
            pairs: &'static str,
            #[serde(flatten)]
            details: Details<'a>,
        }
        let details = match &self.provenance {
            Provenance::Same { fewer } => Details::Same { no_longer_serves: fewer },
            Provenance::Unknown { why } => Details::Unknown { why },
            Provenance::Changed(ChangedSample { changes, .. }) => Details::Changed { changes },
        };
        Fields { sample: &self.name, pairs: self.provenance.kind(), details }.serialize(serializer)
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
        if self.journals.is_empty() && self.removed.is_empty() {
            text.push("no journal yet".to_owned());
        }
        text.extend(self.removed.iter().map(RemovedJournal::sentence));
        text.extend(self.changed_roles.iter().map(ChangedRole::sentence));
        let not_read = |file: &String| {
            format!("{file}: not read; journals are labels/ANNOTATOR.jsonl, not compressed, in no folder within")
        };
        text.extend(self.not_read.iter().map(not_read));
        text.extend(self.samples.iter().map(|sample| sample.sentence.clone()).chain(self.lost_samples.clone()));
        let changed = |changed: &String| {
            format!("{changed}; whether labelled pages are among them is known when `dejaview run` has read them again")
        };
        text.extend(self.changed_segments.iter().map(changed));
        text
    }
}
