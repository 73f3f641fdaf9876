//! The events of a journal as they are, under their own numbers; with a sample those about its pairs as if done in it.

use std::collections::{HashMap, HashSet};

use super::overruled::why_overruled;
use super::placer::{Placer, RowPlace};
use super::report::{ImportReport, Relabelled};
use crate::StudyError;
use dejaview_base::line_limits::Lines;
use dejaview_labels::{Event, EventKind, Journal, Label, Reading, line};

/// The events that the journal does not have. Labels are counted, other events are not.
pub(super) fn new_events(
    lines: &Lines,
    journal: &Journal,
    placer: &Placer<'_>,
    report: &mut ImportReport,
) -> Result<Vec<Event>, StudyError> {
    let problems = Reading::of_lines(lines).problems;
    for problem in problems.iter().filter(|problem| !problem.is_doubt()) {
        report.not_understood(problem.line(), problem.to_string());
    }
    let mut there: HashMap<u64, Vec<&Event>> = HashMap::new();
    for event in &journal.reading().events {
        there.entry(event.seq).or_default().push(event);
    }
    let mut events: Vec<Event> = Vec::new();
    let mut left_out: HashSet<(u64, String, String)> = HashSet::new();
    for (i, text) in lines.bytes.split(|&b| b == b'\n').enumerate() {
        let Ok((event, _)) = line::decode(text) else { continue };
        let label = if let EventKind::Label(label) = event.kind { Some(label) } else { None };
        report.rows += usize::from(label.is_some());
        let Some(event) = placed(event, i + 1, placer, report)? else { continue };
        let is_outside = label.is_some() && event.sample.is_none();
        let is_of_others =
            label.is_some() && placer.is_assigned_to_others(&event.source, &event.target, journal.annotator());
        let is_there = |same: &Vec<&Event>| same.iter().any(|own| is_same(own, &event, placer));
        if there.get(&event.seq).is_some_and(is_there) {
            label.inspect(|_| report.known(journal.annotator()));
        } else if events.contains(&event) {
            report.duplicates += usize::from(label.is_some());
        } else if let Some(why) = why_overruled(&event, &journal.reading().decisions, journal.annotator()) {
            match label {
                Some(_) => report.overruled(i + 1, why),
                None => report.details_left_out(i + 1, &[why]),
            }
            left_out.insert((event.seq, event.source, event.target));
            continue;
        } else if !is_about(&event, &left_out) {
            label.inspect(|label| count_label(&event, *label, i + 1, journal, report));
            events.push(event);
        }
        report.outside_samples += usize::from(is_outside);
        report.of_others += usize::from(is_of_others);
    }
    Ok(events)
}

/// Whether the journal has an event already. One whose pair is not in the sample may be there with the sample's name, from an
/// import of the journal as it is.
fn is_same(own: &Event, event: &Event, placer: &Placer<'_>) -> bool {
    own == event
        || event.sample.is_none()
            && own.sample.as_deref() == placer.sample()
            && placer.is_outside_sample(&event.source, &event.target)
            && Event { sample: None, ..own.clone() } == *event
}

/// Whether an event takes back or restores one of those that were left out.
fn is_about(event: &Event, left_out: &HashSet<(u64, String, String)>) -> bool {
    match event.kind {
        EventKind::Undo(of) | EventKind::Redo(of) => {
            left_out.contains(&(of, event.source.clone(), event.target.clone()))
        }
        _ => false,
    }
}

/// The event, the right way round, and in the sample if that has its pair; none when its pair does not belong here.
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
        RowPlace::Unknown(why) => {
            if is_label {
                report.unknown_ids(line, why);
            }
            return Ok(None);
        }
    };
    let Some(name) = placer.sample() else { return Ok(Some(event)) };
    if !placer.is_outside_sample(&event.source, &event.target) {
        return Ok(Some(event.in_sample(name)));
    }
    if is_label {
        report.not_in_sample(line, &event.source, &event.target);
    }
    let sample = event.sample.clone().filter(|own| own != name);
    Ok(Some(Event { sample, ..event }))
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
