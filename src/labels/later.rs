//! Does an edit that comes from elsewhere still hold, or did its annotator say something else of the pair later?

use std::sync::Arc;

use super::time::is_earlier;
use super::{Decisions, Event, EventKind};

/// What an annotator did with a pair after the edit that was asked about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Later<'a> {
    /// Said something else, by this event.
    Said(&'a Event),
    /// Took this very edit back.
    TookBack,
}

impl Decisions {
    /// What overrules a label, note or flag from elsewhere: something else that its annotator said later of the pair and that
    /// holds, or that this very edit was taken back. None where times are missing or do not tell.
    pub fn later_than(&self, event: &Event) -> Option<Later<'_>> {
        let is_answer = |event: &Event| event.kind.is_edit() && event.circumstances.repeat != Some(true);
        if !is_answer(event) {
            return None;
        }
        let same_kind = |own: &Event| std::mem::discriminant(&own.kind) == std::mem::discriminant(&event.kind);
        let own: Vec<(&Event, bool)> =
            self.history(&event.source, &event.target).filter(|(own, _)| is_answer(own) && same_kind(own)).collect();
        let live = || own.iter().filter(|(_, live)| *live).map(|(own, _)| *own);
        let holds = live().next_back();
        let is_same = |own: &Event| own.kind == event.kind && own.time == event.time;
        if let Some(holds) = holds.filter(|holds| says_otherwise(event, holds)) {
            let later = live().rfind(|own| own.kind == holds.kind && is_earlier(&event.time, &own.time));
            // What was replaced here stays so, though a clock that was set back says that this was earlier.
            let replaced = || live().any(|own| is_same(own) && !own.time.is_empty()).then_some(holds);
            if let Some(later) = later.or_else(replaced) {
                return Some(Later::Said(later));
            }
        }
        let is_held = holds.is_some_and(|holds| holds.kind == event.kind) || live().any(is_same);
        (!is_held && own.iter().any(|(own, _)| is_same(own))).then_some(Later::TookBack)
    }

    /// Whether an annotator said this of a pair at any time, taken back or not.
    pub fn was_said(&self, source: &str, target: &str, what: &EventKind) -> bool {
        self.history(source, target).any(|(event, _)| event.kind == *what)
    }
}

/// A label that holds because it stands last in its journal, though something else was said later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutOfOrder<'a> {
    pub holds: &'a Event,
    pub later: &'a Event,
}

impl Decisions {
    /// Pairs whose label was given before another one that stands earlier in the journal: copies that went on apart were joined,
    /// or a clock was set back.
    pub fn out_of_order(&self) -> Vec<OutOfOrder<'_>> {
        let labelled = self.pairs(None).filter_map(|(.., decision)| decision.labelled);
        labelled
            .filter_map(|holds| {
                let later = self.label_of_the_latest_time(holds)?;
                (later.kind != holds.kind).then_some(OutOfOrder { holds, later })
            })
            .collect()
    }

    /// The label of a pair that was given last by its time, if that is after this one.
    fn label_of_the_latest_time(&self, one: &Event) -> Option<&Event> {
        let live = self.history(&one.source, &one.target).filter(|(_, live)| *live).map(|(event, _)| event);
        let labels = live.filter(|event| matches!(event.kind, EventKind::Label(_)));
        let own = labels.filter(|event| event.circumstances.repeat != Some(true) && is_earlier(&one.time, &event.time));
        own.reduce(|latest, event| if is_earlier(&event.time, &latest.time) { latest } else { event })
    }
}

/// Events of a time that has not come yet: the clock was wrong when they were written, or in the file that they come from.
pub fn of_times_to_come<'a>(events: &'a [Arc<Event>], now: &str) -> Vec<&'a Event> {
    events.iter().map(|event| &**event).filter(|event| is_earlier(now, &event.time)).collect()
}

/// Whether an edit says something else than the one that holds: another label, note or flag, or another class or reason.
fn says_otherwise(event: &Event, holds: &Event) -> bool {
    let differ = |own: &Option<String>, other: &Option<String>| own.is_some() && other.is_some() && own != other;
    let (own, other) = (&event.circumstances, &holds.circumstances);
    event.kind != holds.kind || differ(&own.class, &other.class) || differ(&own.reason, &other.reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Label;

    fn label(seq: u64, label: Label, time: &str) -> Event {
        Event { seq, ..Event::new(EventKind::Label(label), "s", "t", time) }
    }

    fn decisions(events: &[Event]) -> Decisions {
        Decisions::replay(&events.iter().cloned().map(Arc::new).collect::<Vec<_>>())
    }

    const MONDAY: &str = "2012-03-05T09:00:00.000Z";
    const TUESDAY: &str = "2012-03-06T09:00:00.000Z";

    #[test]
    fn a_later_label_overrules_an_earlier_one() {
        let later = label(2, Label::Not, TUESDAY);
        let held = decisions(&[label(1, Label::NearDuplicate, MONDAY), later.clone()]);
        assert_eq!(held.later_than(&label(0, Label::NearDuplicate, MONDAY)), Some(Later::Said(&later)));
        assert_eq!(held.later_than(&label(0, Label::Unsure, "2012-03-06T09:00:00Z")), None, "the same moment");
        assert_eq!(held.later_than(&label(0, Label::Unsure, "2012-03-07T09:00:00Z")), None);
        assert_eq!(held.later_than(&label(0, Label::Unsure, "")), None, "nobody knows when");
        assert_eq!(held.later_than(&label(0, Label::Not, MONDAY)), None, "it says the same");
        let other = Event { target: "u".to_owned(), ..label(0, Label::Unsure, MONDAY) };
        assert_eq!(held.later_than(&other), None, "another pair");
    }

    #[test]
    fn what_was_replaced_stays_so_though_the_clock_was_set_back() {
        let later = label(2, Label::Not, MONDAY);
        let held = decisions(&[label(1, Label::NearDuplicate, TUESDAY), later.clone()]);
        assert_eq!(held.later_than(&label(0, Label::NearDuplicate, TUESDAY)), Some(Later::Said(&later)));
        assert_eq!(held.later_than(&label(0, Label::Unsure, TUESDAY)), None, "that was never said here");
    }

    #[test]
    fn what_was_said_twice_holds_since_the_later_time() {
        let held = decisions(&[label(1, Label::Not, TUESDAY), label(2, Label::Not, MONDAY)]);
        assert!(held.later_than(&label(0, Label::Unsure, "2012-03-05T12:00:00Z")).is_some());
    }

    #[test]
    fn a_label_that_was_taken_back_stays_taken_back() {
        let one = label(1, Label::NearDuplicate, MONDAY);
        let undo = Event { seq: 2, ..Decisions::undo_of(&one, TUESDAY) };
        let held = decisions(&[one.clone(), undo]);
        assert_eq!(held.later_than(&one), Some(Later::TookBack));
        assert_eq!(held.later_than(&label(0, Label::NearDuplicate, TUESDAY)), None, "another one");
        assert!(held.was_said("s", "t", &one.kind) && !held.was_said("s", "u", &one.kind));
    }

    #[test]
    fn a_label_that_holds_by_its_place_alone_is_told() {
        let [first, tuesday, monday] =
            [(1, Label::Unsure, MONDAY), (2, Label::Not, TUESDAY), (3, Label::NearDuplicate, MONDAY)]
                .map(|(seq, kind, time)| label(seq, kind, time));
        let held = decisions(&[first.clone(), tuesday.clone(), monday.clone()]);
        assert_eq!(held.out_of_order(), [OutOfOrder { holds: &monday, later: &tuesday }]);
        assert_eq!(decisions(&[first.clone(), monday.clone(), tuesday.clone()]).out_of_order(), []);
        assert_eq!(
            decisions(&[label(1, Label::Not, TUESDAY), label(2, Label::Not, MONDAY)]).out_of_order(),
            [],
            "alike"
        );
        let undo = Event { seq: 4, ..Decisions::undo_of(&tuesday, TUESDAY) };
        assert_eq!(decisions(&[first, tuesday, monday, undo]).out_of_order(), [], "taken back");
        assert_eq!(decisions(&[label(1, Label::Not, TUESDAY), label(2, Label::Unsure, "")]).out_of_order(), []);
    }

    #[test]
    fn times_to_come_are_told() {
        let events =
            [label(1, Label::Not, MONDAY), label(2, Label::Not, TUESDAY), label(3, Label::Not, "")].map(Arc::new);
        assert_eq!(of_times_to_come(&events, MONDAY), [&*events[1]]);
        assert_eq!(of_times_to_come(&events, TUESDAY), [] as [&Event; 0]);
    }

    #[test]
    fn classes_are_overruled_too() {
        let of_class = |seq, class: &str, time| {
            let mut event = label(seq, Label::Not, time);
            event.circumstances.class = Some(class.to_owned());
            event
        };
        let held = decisions(&[of_class(1, "light", TUESDAY)]);
        assert!(held.later_than(&of_class(0, "heavy", MONDAY)).is_some());
        assert_eq!(held.later_than(&of_class(0, "light", MONDAY)), None);
    }
}
