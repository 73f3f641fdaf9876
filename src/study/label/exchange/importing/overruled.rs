//! Labels that come in although their annotator decided otherwise later: an old export does not overrule what was decided
//! since.

use dejaview_labels::{Decisions, Event, EventKind, Later};

/// Why a label, note or flag is left out, in words; none when nothing overrules it.
pub(super) fn why_overruled(event: &Event, decisions: &Decisions, annotator: &str) -> Option<String> {
    let later = decisions.later_than(event)?;
    let Event { source, target, time, .. } = event;
    let what = match &event.kind {
        EventKind::Label(label) => label.name(),
        EventKind::Note(_) => "the note",
        _ => "the flag",
    };
    let why = match later {
        Later::Said(Event { kind: EventKind::Label(label), time, .. }) => format!("said {} at {time}", label.name()),
        Later::Said(Event { time, .. }) => format!("changed it at {time}"),
        Later::TookBack => "took it back".to_owned(),
    };
    Some(format!("{source} {target}: {what} of {time} was left out, because {annotator} {why}"))
}
