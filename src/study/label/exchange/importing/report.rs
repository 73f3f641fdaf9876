//! What an import did: every row of the file is counted once.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use dejaview_labels::{Label, LabelRow, UnderstoodValue};

/// What an import did. `rows` is the sum of `added`, `known`, `changed`, `overruled`, `duplicates`, `unknown`, `itself`,
/// `without_label` and `not_understood`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// Rows read, without a header and empty lines; of a journal its labels and the lines that are no events.
    pub rows: usize,
    /// Labels of pairs that had none of their annotator.
    pub added: usize,
    /// Labels that were there already.
    pub known: usize,
    /// Labels that took the place of a different one.
    pub changed: usize,
    /// Labels that their annotator overruled later, or took back. They were left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub overruled: usize,
    /// Rows that say again what an earlier row said.
    pub duplicates: usize,
    /// Rows with an id that the study does not know. They were left out.
    pub unknown: usize,
    /// Rows of a document with itself, where it stands on both sides. They were left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub itself: usize,
    /// Rows of pairs that are not in the sample that was named for all; they were taken in without it, and are counted above
    /// as well.
    pub not_in_sample: usize,
    /// Rows whose label is empty.
    pub without_label: usize,
    /// Rows that give no pair.
    pub not_understood: usize,
    /// Rows whose source and target were swapped; they are counted above as well.
    pub swapped: usize,
    /// Rows that name a sample in which their pair is not; they were taken in, outside any sample, and are counted above as
    /// well.
    pub without_sample: usize,
    /// Labels that were given in no sample, as far as is known here; they are counted above as well, and make no estimate.
    pub outside_samples: usize,
    /// Labels of pairs that the sample, which was shared out, gave to other annotators; they count, and are counted above as
    /// well.
    pub of_others: usize,
    /// Values beside labels that were not understood, such as a time that is none. They were left out; their labels are
    /// counted above.
    #[serde(skip_serializing_if = "is_zero")]
    pub details_left_out: usize,
    /// Pairs with a note or a flag that the file does not have, though it says when their labels were given. These stay: a
    /// table does not tell what was taken back.
    #[serde(skip_serializing_if = "is_zero")]
    pub details_kept: usize,
    /// Notes of a table with tabs that stand between quotes, as spreadsheets write texts with quotes, commas or line ends. They
    /// were taken as they stand.
    #[serde(skip_serializing_if = "is_zero")]
    pub quoted_notes: usize,
    /// Columns and keys of a table that have no meaning here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// Pairs that are disputed since, because these labels differ from what others said.
    pub disputed: usize,
    /// How each word or grade of a table was understood.
    pub values: Vec<UnderstoodValue>,
    /// The same by annotator.
    pub annotators: Vec<Imported>,
    /// Each label that took the place of a different one.
    pub changes: Vec<Relabelled>,
    /// Pairs to which one annotator gave different labels in the file. When there are any, nothing was written.
    pub contradictions: Vec<Contradiction>,
    /// Rows that were left out or not understood, in whole or in part: line and why.
    pub problems: Vec<(usize, String)>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// What went into one journal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Imported {
    pub annotator: String,
    /// Number of labels added.
    pub added: usize,
    /// Labels that were there already.
    pub known: usize,
    /// Labels that took the place of a different one.
    pub changed: usize,
}

/// A label that took the place of a different one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Relabelled {
    pub annotator: String,
    /// The line of the file.
    pub line: usize,
    /// Id of the source document.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    /// The label that held.
    pub old: Label,
    /// The label that holds now.
    pub new: Label,
}

/// A pair to which one annotator gave different labels in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    pub annotator: String,
    /// Id of the source document.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    /// Lines and their labels.
    pub given: Vec<(usize, Label)>,
}

impl Serialize for Contradiction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (lines, labels): (Vec<usize>, Vec<Label>) = self.given.iter().copied().unzip();
        let mut object = serializer.serialize_struct("Contradiction", 5)?;
        object.serialize_field("annotator", &self.annotator)?;
        object.serialize_field("source", &self.source)?;
        object.serialize_field("target", &self.target)?;
        object.serialize_field("lines", &lines)?;
        object.serialize_field("labels", &labels)?;
        object.end()
    }
}

impl ImportReport {
    fn counts_of(&mut self, annotator: &str) -> &mut Imported {
        let at = self.annotators.iter().position(|imported| imported.annotator == annotator);
        let at = at.unwrap_or_else(|| {
            self.annotators.push(Imported { annotator: annotator.to_owned(), ..Imported::default() });
            self.annotators.len() - 1
        });
        &mut self.annotators[at]
    }

    pub(super) fn added(&mut self, annotator: &str) {
        self.added += 1;
        self.counts_of(annotator).added += 1;
    }

    pub(super) fn known(&mut self, annotator: &str) {
        self.known += 1;
        self.counts_of(annotator).known += 1;
    }

    pub(super) fn changed(&mut self, change: Relabelled) {
        self.changed += 1;
        self.counts_of(&change.annotator).changed += 1;
        self.changes.push(change);
    }

    pub(super) fn not_in_sample(&mut self, line: usize, source: &str, target: &str) {
        self.not_in_sample += 1;
        self.problems.push((line, format!("{source} {target} is not in the sample, so the label is kept without it")));
    }

    pub(super) fn overruled(&mut self, line: usize, why: String) {
        self.overruled += 1;
        self.problems.push((line, why));
    }

    pub(super) fn unknown_ids(&mut self, line: usize, why: String) {
        self.unknown += 1;
        self.problems.push((line, why));
    }

    pub(super) fn itself(&mut self, line: usize, why: String) {
        self.itself += 1;
        self.problems.push((line, why));
    }

    /// A row may name several samples that do not have its pair.
    pub(super) fn without_samples(&mut self, line: usize, names: &[String]) {
        self.without_sample += usize::from(!names.is_empty());
        let why = |name| format!("the pair is not in a sample called {name:?}, so the label does not count in it");
        self.problems.extend(names.iter().map(|name| (line, why(name))));
    }

    /// A row without a label is left out with what it says beside it.
    pub(super) fn without_label(&mut self, row: &LabelRow) {
        self.without_label += 1;
        let said = [(row.note.is_some(), "the note"), (row.flag, "the flag")];
        for (_, what) in said.into_iter().filter(|(is_said, _)| *is_said) {
            self.details_left_out(row.line, &[format!("{what} was left out: the row has no label")]);
        }
    }

    pub(super) fn details_left_out(&mut self, line: usize, details: &[String]) {
        self.details_left_out += details.len();
        self.problems.extend(details.iter().map(|why| (line, why.clone())));
    }

    pub(super) fn not_understood(&mut self, line: usize, why: String) {
        self.rows += 1;
        self.not_understood += 1;
        self.problems.push((line, why));
    }

    /// Labels that are in the journals now.
    pub fn imported(&self) -> usize {
        self.added + self.known + self.changed
    }

    /// In words: every count that is not 0, `12 labels of ann, bob added, 1 duplicate; 13 rows read`.
    pub fn sentence(&self) -> String {
        let one = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        let names: Vec<&str> = self.annotators.iter().map(|imported| imported.annotator.as_str()).collect();
        let of = if names.is_empty() { String::new() } else { format!(" of {}", names.join(", ")) };
        let counts = [
            (self.known, format!("{} known before", self.known)),
            (self.changed, format!("{} changed", self.changed)),
            (self.overruled, format!("{} overruled by later decisions left out", self.overruled)),
            (self.duplicates, one(self.duplicates, "duplicate")),
            (self.unknown, format!("{} with unknown ids left out", self.unknown)),
            (self.itself, format!("{} of a document with itself left out", self.itself)),
            (self.not_in_sample, format!("{} not in the sample kept without it", self.not_in_sample)),
            (self.without_label, format!("{} without a label", self.without_label)),
            (self.not_understood, format!("{} not understood", self.not_understood)),
            (self.swapped, format!("{} with source and target swapped put right", self.swapped)),
            (self.without_sample, format!("{} outside the samples that they name", self.without_sample)),
            (
                self.of_others,
                format!("{} of pairs that were assigned to others, which count all the same", self.of_others),
            ),
            (self.details_left_out, format!("{} beside labels left out", one(self.details_left_out, "value"))),
            (self.disputed, format!("{} disputed now", one(self.disputed, "pair"))),
        ];
        let counts: String = counts.iter().filter(|(n, _)| *n > 0).map(|(_, words)| format!(", {words}")).collect();
        format!("{}{of} added{counts}; {} read", one(self.added, "label"), one(self.rows, "row"))
    }
}

impl Relabelled {
    /// In words: `line 2: a b was not and is now near-duplicate (ann)`.
    pub fn sentence(&self) -> String {
        let Self { annotator, line, source, target, old, new } = self;
        format!("line {line}: {source} {target} was {} and is now {} ({annotator})", old.name(), new.name())
    }
}

impl Contradiction {
    /// In words: `ann on a b: near-duplicate in line 2, not in line 9`.
    pub fn sentence(&self) -> String {
        let given = self.given.iter().map(|(line, label)| format!("{} in line {line}", label.name()));
        let given = given.collect::<Vec<_>>().join(", ");
        format!("{} on {} {}: {given}", self.annotator, self.source, self.target)
    }
}
