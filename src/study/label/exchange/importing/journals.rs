//! The events of a journal as they are, under their own numbers; with a sample those about its pairs, as if done in it.

use std::collections::HashMap;

use super::placer::{Placer, RowPlace};
use super::report::{ImportReport, Relabelled};
use crate::StudyError;
use dejaview_labels::{Event, EventKind, Journal, Label, Problem, Reading, line};

/// The events that the journal does not have. Labels are counted, other events are not.
pub(super) fn new_events(
    bytes: &[u8],
    journal: &Journal,
    placer: &Placer<'_>,
    report: &mut ImportReport,
) -> Result<Vec<Event>, StudyError> {
    let problems = Reading::parse(bytes).problems;
    for problem in problems.iter().filter(|problem| !matches!(problem, Problem::Missing { .. })) {
        report.not_understood(problem.line(), problem.to_string());
    }
    let mut there: HashMap<u64, Vec<&Event>> = HashMap::new();
    for event in &journal.reading().events {
        there.entry(event.seq).or_default().push(event);
    }
    let mut events: Vec<Event> = Vec::new();
    for (i, text) in bytes.split(|&b| b == b'\n').enumerate() {
        let Ok((event, _)) = line::decode(text) else { continue };
        let label = if let EventKind::Label(label) = event.kind { Some(label) } else { None };
        report.rows += usize::from(label.is_some());
        let Some(event) = placed(event, i + 1, placer, report)? else { continue };
        report.outside_samples += usize::from(label.is_some() && event.sample.is_none());
        let is_assigned_to_others = placer.is_assigned_to_others(&event.source, &event.target, journal.annotator());
        report.of_others += usize::from(label.is_some() && is_assigned_to_others);
        if there.get(&event.seq).is_some_and(|same| same.contains(&&event)) {
            label.inspect(|_| report.known(journal.annotator()));
        } else if events.contains(&event) {
            report.duplicates += usize::from(label.is_some());
        } else {
            label.inspect(|label| count_label(&event, *label, i + 1, journal, report));
            events.push(event);
        }
    }
    Ok(events)
}

/// The event, the right way round and in the sample; none when its pair does not belong here.
fn placed(
    event: Event,
    line: usize,
    placer: &Placer<'_>,
    report: &mut ImportReport,
) -> Result<Option<Event>, StudyError> {
    let is_label = matches!(event.kind, EventKind::Label(_));
    let event = match placer.place(&event.source, &event.target)? {
        RowPlace::Here => event,
        RowPlace::Swapped => {
            report.swapped += usize::from(is_label);
            event.turned()
        }
        RowPlace::Itself(why) => {
            if is_label {
                report.itself(line, why);
            }
            return Ok(None);
        }
        RowPlace::NotInSample => {
            if is_label {
                report.not_in_sample(line, &event.source, &event.target);
            }
            return Ok(None);
        }
        RowPlace::Unknown(why) => {
            if is_label {
                report.unknown_ids(line, why);
            }
            return Ok(None);
        }
    };
    Ok(Some(match placer.sample() {
        Some(name) => event.in_sample(name),
        None => event,
    }))
}

/// Counts a new label: one more, or another in place of the one that held.
fn count_label(event: &Event, new: Label, line: usize, journal: &Journal, report: &mut ImportReport) {
    let held = journal.reading().decisions.label(&event.source, &event.target, None);
    match held.filter(|old| *old != new && event.circumstances.repeat != Some(true)) {
        Some(old) => {
            let (source, target) = (event.source.clone(), event.target.clone());
            report.changed(Relabelled { annotator: journal.annotator().to_owned(), line, source, target, old, new });
        }
        None => report.added(journal.annotator()),
    }
}
