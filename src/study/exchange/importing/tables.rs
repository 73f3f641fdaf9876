//! Rows of a table: whose they are, where they belong, each pair once.

use std::collections::BTreeMap;

use super::Import;
use super::placing::{Place, Placing};
use super::report::{Contradiction, ImportReport, Relabelled};
use crate::labels::{self, Circumstances, Event, Incoming, Journal, Label, LabelTable, What};
use crate::study::StudyError;

/// A label that belongs into a journal.
#[derive(Debug)]
pub(super) struct Row {
    line: usize,
    pub(super) annotator: String,
    source: String,
    target: String,
    label: Label,
    sample: Option<String>,
    note: Option<String>,
    time: Option<String>,
    class: Option<String>,
    reason: Option<String>,
}

/// The rows whose pairs belong into the study, and the sample if there is one, the right way round; the others are counted.
pub(super) fn rows(
    mut table: LabelTable,
    import: &Import<'_>,
    placing: &Placing<'_>,
    report: &mut ImportReport,
) -> Result<Vec<Row>, StudyError> {
    report.rows = table.rows.len() + table.problems.len() + table.without_label;
    report.without_label = table.without_label;
    report.not_understood = table.problems.len();
    report.problems = std::mem::take(&mut table.problems);
    let (mut rows, mut samples) = (Vec::new(), BTreeMap::new());
    for incoming in std::mem::take(&mut table.rows) {
        let Some(label) = table.label(&incoming, import.meaning) else { continue };
        let annotator = whose(&incoming, import)?;
        let Incoming { line, mut source, mut target, note, time, class, reason, sample, .. } = incoming;
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
        let named = match (import.sample, sample) {
            (Some(name), _) => Some(name.to_owned()),
            (None, None) => None,
            (None, Some(name)) => {
                if !samples.contains_key(&name) {
                    samples.insert(name.clone(), placing.pairs_of(&name)?);
                }
                let pair = (source.clone(), target.clone());
                let is_there = samples[&name].contains(&pair);
                report.without_sample += usize::from(!is_there);
                is_there.then_some(name)
            }
        };
        rows.push(Row { line, annotator, source, target, label, sample: named, note, time, class, reason });
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
pub(super) fn write(row: Row, journal: &Journal, events: &mut Vec<Event>, report: &mut ImportReport) {
    let Row { line, annotator, source, target, label, sample, note, time, class, reason } = row;
    report.outside_samples += usize::from(sample.is_none());
    let decisions = &journal.reading().decisions;
    let held = decisions.label(&source, &target, None);
    let here = decisions.decision(&source, &target, sample.as_deref());
    let time = time.unwrap_or_else(labels::now);
    let about = |what: What| {
        let event = Event::new(what, &source, &target, &time);
        if let Some(name) = &sample { event.in_sample(name) } else { event }
    };
    let says_no_more = here.labelled.is_some_and(|event| {
        let Circumstances { class: its_class, reason: its_reason, .. } = &event.circumstances;
        (class.is_none() || class == *its_class) && (reason.is_none() || reason == *its_reason)
    });
    match held {
        Some(held) if held == label && says_no_more => report.known(&annotator),
        held => {
            let mut event = about(What::Label(label));
            (event.circumstances.class, event.circumstances.reason) = (class, reason);
            events.push(event);
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
