//! Labels on their way into journals: each row placed in the study, repeated rows counted once, contradictions refused.
//!
//! Everything is decided before anything is written: a file that is refused changes no journal.

pub mod import;
mod journals;
mod overruled;
mod placer;
mod report;
mod sampled;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use self::placer::Placer;
use crate::StudyError;
use crate::label::drawing::drawn_sample;
use crate::label::labelling::{open_journal, read_journals};
use crate::snapshot::Snapshot;
use dejaview_base::lines;
use dejaview_corpus::text_file;
use dejaview_evaluation::sample::Sample;
use dejaview_labels::{Access, Event, Journal, LabelsError, is_journal, must_be_nameable, must_differ_from};
pub use import::LabelImport;

pub use report::{Contradiction, ImportReport, Imported, Relabelled};
pub use sampled::{ImportedSample, import_sample};

/// The journals that an import writes to, and what it will write, by annotator.
#[derive(Default)]
struct JournalWriter {
    journals: BTreeMap<String, (Journal, Vec<Event>)>,
}

impl JournalWriter {
    /// The journal of an annotator, opened once.
    fn journal(&mut self, study: &Snapshot, annotator: &str) -> Result<&mut (Journal, Vec<Event>), StudyError> {
        if !self.journals.contains_key(annotator) {
            must_be_nameable(study.folder(), annotator)?;
            must_differ_from(annotator, self.journals.keys().map(String::as_str))?;
            let journal = open_journal(study, annotator)?;
            if let Access::ReadOnly { holder, why } = journal.access() {
                let (holder, why) = (holder.clone(), why.clone());
                return Err(LabelsError::ReadOnly { path: journal.path(), holder, why }.into());
            }
            self.journals.insert(annotator.to_owned(), (journal, Vec::new()));
        }
        self.journals.get_mut(annotator).ok_or_else(|| LabelsError::NoName.into())
    }

    /// The pairs that something is said about.
    fn pairs(&self) -> BTreeSet<(String, String)> {
        let events = self.journals.values().flat_map(|(_, events)| events);
        events.map(|event| (event.source.clone(), event.target.clone())).collect()
    }

    fn write(self) -> Result<(), StudyError> {
        for (mut journal, events) in self.journals.into_values() {
            journal.append_all(&events.into_iter().map(Arc::new).collect::<Vec<_>>())?;
        }
        Ok(())
    }
}

/// Takes the labels of a file into the journals of those who gave them. With a sample, labels of its pairs count in it; all
/// others, and all without one, count in the samples that they name where these have their pair. Doing it twice changes
/// nothing, and what an annotator decided later holds. Where annotators contradict themselves within the file nothing is
/// written, and the report names the lines.
pub fn import_labels(study: &Snapshot, import: LabelImport<'_>) -> Result<ImportReport, StudyError> {
    let mut lines = text_file::read_lines(import.file)?;
    lines.bytes.drain(..lines::mark_length(&lines.bytes));
    let sample: Option<Sample> = import.sample.map(|name| drawn_sample(study, name)).transpose()?;
    let placer = Placer::new(study, sample.as_ref());
    let mut report = ImportReport::default();
    let mut writer = JournalWriter::default();
    if is_journal(&lines.bytes) {
        let owner = import.annotator.ok_or_else(|| import.refused("whose journal is it? Say so with --annotator"))?;
        let (journal, events) = writer.journal(study, owner.trim())?;
        *events = journals::new_events(&lines, journal, &placer, &mut report)?;
    } else {
        let table = import.table(&lines)?;
        report.values = import.understood(&table)?;
        report.quoted_notes = tables::quoted_notes(&String::from_utf8_lossy(&lines.bytes), &table);
        let rows = tables::placed_rows(table, &import, &placer, &mut report)?;
        let rows = tables::without_duplicates(rows, &mut report);
        if !report.contradictions.is_empty() {
            return Ok(report);
        }
        // Rows without a time get one and the same.
        let now = dejaview_labels::now();
        for row in rows {
            let (journal, events) = writer.journal(study, &row.annotator)?;
            tables::add_events(row, &now, journal, events, &mut report);
        }
    }
    let before = read_journals(study)?;
    let pairs = writer.pairs();
    writer.write()?;
    let after = read_journals(study)?;
    let became_disputed = |(source, target): &&(String, String)| {
        after.standing(source, target).is_disputed() && !before.standing(source, target).is_disputed()
    };
    report.disputed = pairs.iter().filter(became_disputed).count();
    Ok(report)
}
