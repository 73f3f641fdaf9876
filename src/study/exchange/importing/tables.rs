//! Rows of a table: whose they are, where they belong, each pair once.

use std::collections::BTreeMap;

use super::Import;
use super::placing::{Place, Placing};
use super::report::{Contradiction, ImportReport, Relabelled};
use crate::labels::{self, Event, Journal, Label, What};
use crate::study::StudyError;
use crate::study::exchange::reading::{Incoming, Incomings};

/// A label that belongs into a journal.
#[derive(Debug)]
pub(super) struct Row {
    line: usize,
    pub(super) annotator: String,
    source: String,
    target: String,
    label: Label,
    note: Option<String>,
    time: Option<String>,
}

/// The rows whose pairs belong into the study, and the sample if there is one, the right way round; the others are counted.
pub(super) fn rows(
    read: Incomings,
    import: &Import<'_>,
    placing: &Placing<'_>,
    report: &mut ImportReport,
) -> Result<Vec<Row>, StudyError> {
    report.rows = read.labels.len() + read.problems.len();
    report.not_understood = read.problems.len();
    report.problems = read.problems;
    let mut rows = Vec::new();
    for incoming in read.labels {
        let annotator = whose(&incoming, import)?;
        let Incoming { line, mut source, mut target, label, note, time, .. } = incoming;
        match placing.of(&source, &target)? {
            Place::Here => {}
            Place::Swapped => {
                report.swapped += 1;
                (source, target) = (target, source);
            }
            Place::NotInSample => {
                report.not_in_sample(line, &source, &target);
                continue;
            }
            Place::Unknown(why) => {
                report.unknown_ids(line, why);
                continue;
            }
        }
        rows.push(Row { line, annotator, source, target, label, note, time });
    }
    Ok(rows)
}

/// Whose label a row is: the one it names, else the one that was named for all.
fn whose(incoming: &Incoming, import: &Import<'_>) -> Result<String, StudyError> {
    let line = incoming.line;
    let said = import.annotator.map(str::trim);
    match (incoming.annotator.as_deref().map(str::trim).filter(|name| !name.is_empty()), said) {
        (Some(own), Some(other)) if own != other => Err(import.refused(&format!(
            "line {line} is a label of {own}, not of {other}; leave out --annotator to import every label under its own \
             name, or remove the column `annotator` to import them all as {other}'s"
        ))),
        (Some(name), _) | (None, Some(name)) => Ok(name.to_owned()),
        (None, None) => Err(import.refused(&format!(
            "line {line} does not say whose label it is; name the annotator with --annotator, or in a column `annotator`"
        ))),
    }
}

/// Every pair of an annotator once, in the order of the file. Repeated labels are counted, those that differ reported.
pub(super) fn each_once(rows: Vec<Row>, report: &mut ImportReport) -> Vec<Row> {
    let mut given: BTreeMap<(String, String, String), Vec<(usize, Label)>> = BTreeMap::new();
    let mut first = Vec::new();
    for row in rows {
        let key = (row.annotator.clone(), row.source.clone(), row.target.clone());
        let given = given.entry(key).or_default();
        given.push((row.line, row.label));
        match given.len() {
            1 => first.push(row),
            _ => report.duplicates += 1,
        }
    }
    for ((annotator, source, target), given) in given {
        if given.iter().any(|(_, label)| *label != given[0].1) {
            report.contradictions.push(Contradiction { annotator, source, target, given });
        }
    }
    report.contradictions.sort_by_key(|contradiction| contradiction.given[0].0);
    first
}

/// The events of a row that its journal does not have. What an annotator decided elsewhere is their decision too, but
/// counts in a sample only once it was given there.
pub(super) fn write(
    row: Row,
    journal: &Journal,
    events: &mut Vec<Event>,
    sample: Option<&str>,
    report: &mut ImportReport,
) {
    let Row { line, annotator, source, target, label, note, time } = row;
    let decisions = &journal.reading().decisions;
    let (held, here) = (decisions.label(&source, &target, None), decisions.decision(&source, &target, sample));
    let time = time.unwrap_or_else(labels::now);
    let about = |what: What| {
        let event = Event::new(what, &source, &target, &time);
        if let Some(name) = sample { event.in_sample(name) } else { event }
    };
    match held {
        Some(held) if held == label && here.label().is_some() => report.known(&annotator),
        held => {
            events.push(about(What::Label(label)));
            match held.filter(|old| *old != label) {
                None => report.added(&annotator),
                Some(old) => {
                    let (source, target) = (source.clone(), target.clone());
                    report.changed(Relabelled { annotator, line, source, target, old, new: label });
                }
            }
        }
    }
    if let Some(note) = note.filter(|note| here.note != Some(note.as_str())) {
        events.push(about(What::Note(note)));
    }
}
