//! What follows from the events of one annotator: the label, note and flag of every pair.
//!
//! An edit (a label, a note, a flag) is live until an undo names it, and again once a redo names it. What holds for a
//! pair is its latest live edit of each kind. So undo has no depth, survives restarts, and does not depend on the order
//! in which edits are taken back. Applying an event costs O(1), a question about a pair O(its edits).
//!
//! A question about a sample (`Some(name)`) is answered for the pairs that were decided in it, with what holds for them now:
//! a label that was changed elsewhere later is the decision in the sample too.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::{Event, EventKind, Label};

/// What one annotator decided on a pair.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Decision<'a> {
    /// The event that gave the label, if there is one.
    pub labelled: Option<&'a Event>,
    /// The note, unless empty.
    pub note: Option<&'a str>,
    /// Whether it is flagged.
    pub flag: bool,
}

impl Decision<'_> {
    pub fn label(&self) -> Option<Label> {
        match self.labelled?.kind {
            EventKind::Label(label) => Some(label),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Edit {
    event: Arc<Event>,
    live: bool,
}

/// The state of one journal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Decisions {
    edits: Vec<Edit>,
    /// Edits by number; merged journals may have several of one number.
    numbers: HashMap<u64, Vec<usize>>,
    pairs: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
    /// Edits that can be redone, the one undone last at the end.
    redo: Vec<usize>,
    unmatched: Vec<u64>,
    /// Pairs whose scores were looked at before a decision.
    peeked: BTreeSet<(String, String)>,
}

impl Decisions {
    /// What follows from these events, in their order.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Arc<Event>>) -> Self {
        let mut decisions = Self::default();
        for event in events {
            decisions.apply(event);
        }
        decisions
    }

    /// Takes one more event into account. Kinds without meaning for decisions change nothing.
    pub fn apply(&mut self, event: &Arc<Event>) {
        match event.kind {
            EventKind::Label(_) | EventKind::Note(_) | EventKind::Flag(_) => self.edit(event),
            EventKind::Undo(of) => match self.find(of, event) {
                Some(i) if self.edits[i].live => {
                    self.edits[i].live = false;
                    self.redo.push(i);
                }
                Some(_) => {}
                None => self.unmatched.push(event.seq),
            },
            EventKind::Redo(of) => match self.find(of, event) {
                Some(i) => {
                    self.edits[i].live = true;
                    self.redo.retain(|&undone| undone != i);
                }
                None => self.unmatched.push(event.seq),
            },
            EventKind::Peek => {
                self.peeked.insert((event.source.clone(), event.target.clone()));
            }
            EventKind::Skip | EventKind::Other(_) => {}
        }
    }

    fn edit(&mut self, event: &Arc<Event>) {
        let i = self.edits.len();
        self.edits.push(Edit { event: Arc::clone(event), live: true });
        self.numbers.entry(event.seq).or_default().push(i);
        let targets = self.pairs.entry(event.source.clone()).or_default();
        targets.entry(event.target.clone()).or_default().push(i);
        let edits = &self.edits;
        self.redo.retain(|&undone| edits[undone].event.sample != event.sample);
    }

    /// The edit that an undo or redo refers to: the latest one with that number on the same pair.
    fn find(&self, of: u64, event: &Event) -> Option<usize> {
        let same = |&&i: &&usize| {
            let edit = &self.edits[i].event;
            edit.source == event.source && edit.target == event.target
        };
        self.numbers.get(&of)?.iter().rev().find(same).copied()
    }

    /// What holds for a pair. In a sample it has a label only if it was decided there; the label is the latest all the same.
    pub fn decision(&self, source: &str, target: &str, sample: Option<&str>) -> Decision<'_> {
        let edits = self.pairs.get(source).and_then(|targets| targets.get(target));
        edits.map(|edits| self.decided(edits, sample)).unwrap_or_default()
    }

    fn decided(&self, edits: &[usize], sample: Option<&str>) -> Decision<'_> {
        let mut decision = Decision::default();
        let mut answered = sample.is_none();
        for edit in edits.iter().map(|&i| &self.edits[i]).filter(|edit| edit.live) {
            if edit.event.circumstances.repeat == Some(true) {
                continue;
            }
            match &edit.event.kind {
                EventKind::Label(_) => {
                    decision.labelled = Some(&edit.event);
                    answered |= within(&edit.event, sample);
                }
                EventKind::Note(text) => decision.note = Some(text.as_str()).filter(|text| !text.is_empty()),
                EventKind::Flag(set) => decision.flag = *set,
                _ => {}
            }
        }
        Decision { labelled: decision.labelled.filter(|_| answered), ..decision }
    }

    /// The label of a pair.
    pub fn label(&self, source: &str, target: &str, sample: Option<&str>) -> Option<Label> {
        self.decision(source, target, sample).label()
    }

    /// The event by which a pair was decided in a sample, or decided when it came again there, whatever was said of it
    /// elsewhere: it tells when that was and how long it took.
    pub fn answer(&self, source: &str, target: &str, sample: &str, repeat: bool) -> Option<&Event> {
        let labels = self.history(source, target).filter(|(event, live)| *live && within(event, Some(sample)));
        let asked = |event: &&Event| {
            matches!(event.kind, EventKind::Label(_)) && (event.circumstances.repeat == Some(true)) == repeat
        };
        labels.map(|(event, _)| event).filter(asked).last()
    }

    /// The samples in which a pair was decided, by name.
    pub fn answered_in(&self, source: &str, target: &str) -> BTreeSet<&str> {
        let own =
            |event: &&Event| matches!(event.kind, EventKind::Label(_)) && event.circumstances.repeat != Some(true);
        let live = self.history(source, target).filter(|(_, live)| *live).map(|(event, _)| event);
        live.filter(own).filter_map(|event| event.sample.as_deref()).collect()
    }

    /// What was said when the pair came again unannounced in a sample; the latest that holds.
    pub fn repeated(&self, source: &str, target: &str, sample: Option<&str>) -> Option<Label> {
        let again = self.history(source, target).filter(|(event, live)| *live && within(event, sample));
        let labels = again.filter(|(event, _)| event.circumstances.repeat == Some(true));
        labels.filter_map(|(event, _)| if let EventKind::Label(label) = event.kind { Some(label) } else { None }).last()
    }

    /// What was said when the pair came again unannounced in a sample, and the label that held before: of the first time that
    /// holds. Labels given on purpose since then change neither.
    pub fn said_twice(&self, source: &str, target: &str, sample: Option<&str>) -> Option<[Label; 2]> {
        let mut before = None;
        for (event, _) in self.history(source, target).filter(|(_, live)| *live) {
            match event.kind {
                EventKind::Label(label) if event.circumstances.repeat != Some(true) => before = Some(label),
                EventKind::Label(again) if within(event, sample) => return before.map(|before| [before, again]),
                _ => {}
            }
        }
        None
    }

    /// What was said of a pair last, if that was when it came again: a label given since then settles it.
    pub fn wavered_to(&self, source: &str, target: &str) -> Option<Label> {
        let live = self.history(source, target).filter(|(_, live)| *live).map(|(event, _)| event);
        match live.filter(|event| matches!(event.kind, EventKind::Label(_))).last()? {
            Event { kind: EventKind::Label(label), circumstances, .. } if circumstances.repeat == Some(true) => {
                Some(*label)
            }
            _ => None,
        }
    }

    /// Whether the scores of a pair were ever looked at while they were hidden.
    pub fn peeked(&self, source: &str, target: &str) -> bool {
        !self.peeked.is_empty() && self.peeked.contains(&(source.to_owned(), target.to_owned()))
    }

    /// All pairs with a label, a note or a flag, by source, then target; of a sample those with an edit in it.
    pub fn pairs<'a>(&'a self, sample: Option<&'a str>) -> impl Iterator<Item = (&'a str, &'a str, Decision<'a>)> {
        self.pairs
            .iter()
            .flat_map(|(source, targets)| targets.iter().map(move |(target, edits)| (source, target, edits)))
            .filter(move |(.., edits)| edits.iter().any(|&i| within(&self.edits[i].event, sample)))
            .map(move |(source, target, edits)| (source.as_str(), target.as_str(), self.decided(edits, sample)))
            .filter(|(.., decision)| *decision != Decision::default())
    }

    /// Every edit of a pair in order, and whether it is live.
    pub fn history(&self, source: &str, target: &str) -> impl Iterator<Item = (&Event, bool)> {
        let edits = self.pairs.get(source).and_then(|targets| targets.get(target));
        edits.into_iter().flatten().map(|&i| (&*self.edits[i].event, self.edits[i].live))
    }

    /// The edit that an undo takes back next.
    pub fn undoable(&self, sample: Option<&str>) -> Option<&Event> {
        self.edits.iter().rev().find(|edit| edit.live && within(&edit.event, sample)).map(|edit| &*edit.event)
    }

    /// The edit that a redo restores next. A new edit in a sample forgets what could be redone there.
    pub fn redoable(&self, sample: Option<&str>) -> Option<&Event> {
        self.redo.iter().rev().map(|&i| &*self.edits[i].event).find(|event| within(event, sample))
    }

    /// The latest edit of a pair that holds, in whatever sample it was made. Answers to repeated questions do not count:
    /// they change nothing of the pair.
    pub fn undoable_on(&self, source: &str, target: &str) -> Option<&Event> {
        let live = self.history(source, target).filter(|(_, live)| *live).map(|(event, _)| event);
        live.filter(|event| event.circumstances.repeat != Some(true)).last()
    }

    /// The edit of a pair that was undone last and can be redone.
    pub fn redoable_on(&self, source: &str, target: &str) -> Option<&Event> {
        let own = |event: &&Event| {
            event.source == source && event.target == target && event.circumstances.repeat != Some(true)
        };
        self.redo.iter().rev().map(|&i| &*self.edits[i].event).find(own)
    }

    /// An event that takes the latest edit back, to be saved and applied like any other.
    pub fn undo(&self, sample: Option<&str>, time: &str) -> Option<Event> {
        self.undoable(sample).map(|edit| Self::undo_of(edit, time))
    }

    /// An event that restores what was undone last.
    pub fn redo(&self, sample: Option<&str>, time: &str) -> Option<Event> {
        self.redoable(sample).map(|edit| Self::redo_of(edit, time))
    }

    /// An event that takes this edit back.
    pub fn undo_of(edit: &Event, time: &str) -> Event {
        about(edit, EventKind::Undo(edit.seq), time)
    }

    /// An event that restores this edit.
    pub fn redo_of(edit: &Event, time: &str) -> Event {
        about(edit, EventKind::Redo(edit.seq), time)
    }

    /// Numbers of undos and redos whose edit is not there, because its line is damaged or missing.
    pub fn unmatched(&self) -> &[u64] {
        &self.unmatched
    }
}

fn within(event: &Event, sample: Option<&str>) -> bool {
    sample.is_none_or(|name| event.sample.as_deref() == Some(name))
}

fn about(edit: &Event, what: EventKind, time: &str) -> Event {
    let event = Event::new(what, &edit.source, &edit.target, time);
    Event { sample: edit.sample.clone(), ..event }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A journal in miniature: numbers events and applies them.
    #[derive(Default)]
    struct Desk {
        decisions: Decisions,
        seq: u64,
    }

    impl Desk {
        fn put(&mut self, event: Event) -> &mut Self {
            self.seq += 1;
            self.decisions.apply(&Arc::new(Event { seq: self.seq, ..event }));
            self
        }

        fn label(&mut self, target: &str, label: Label, sample: &str) -> &mut Self {
            self.put(Event::new(EventKind::Label(label), "s", target, "").in_sample(sample))
        }

        fn undo(&mut self, sample: Option<&str>) -> &mut Self {
            let event = self.decisions.undo(sample, "").unwrap();
            self.put(event)
        }
    }

    #[test]
    fn undo_goes_back_step_by_step_and_a_new_label_ends_redo() {
        let mut desk = Desk::default();
        desk.label("t", Label::Not, "x").label("t", Label::Unsure, "x").undo(None);
        assert_eq!(desk.decisions.label("s", "t", None), Some(Label::Not));
        desk.undo(None);
        assert_eq!(desk.decisions.label("s", "t", None), None);
        assert!(desk.decisions.undo(None, "").is_none());
        assert_eq!(desk.decisions.pairs(None).count(), 0);
        let redo = desk.decisions.redo(None, "").unwrap();
        assert_eq!(redo.kind, EventKind::Redo(1));
        desk.put(redo);
        assert_eq!(desk.decisions.label("s", "t", None), Some(Label::Not));
        assert_eq!(desk.decisions.redoable(None).unwrap().seq, 2);
        desk.label("u", Label::NearDuplicate, "x");
        assert!(desk.decisions.redo(None, "").is_none());
        assert_eq!(desk.decisions.history("s", "t").map(|(_, live)| live).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn samples_have_labels_and_undo_of_their_own() {
        let mut desk = Desk::default();
        desk.label("t", Label::Not, "x").label("t", Label::Unsure, "y");
        let label = |desk: &Desk, sample| desk.decisions.label("s", "t", sample);
        assert_eq!(label(&desk, Some("x")), Some(Label::Unsure), "the latest counts in every sample that asked for it");
        assert_eq!((label(&desk, Some("y")), label(&desk, Some("z"))), (Some(Label::Unsure), None));
        assert_eq!(desk.decisions.answer("s", "t", "x", false).map(|event| event.seq), Some(1));
        desk.undo(Some("x")).label("u", Label::Not, "y");
        assert_eq!((label(&desk, Some("x")), label(&desk, None)), (None, Some(Label::Unsure)));
        assert!(desk.decisions.redo(Some("x"), "").is_some(), "a label elsewhere does not matter");
        assert_eq!(desk.decisions.pairs(Some("y")).count(), 2);
    }

    #[test]
    fn a_pair_has_an_undo_of_its_own() {
        let mut desk = Desk::default();
        desk.label("t", Label::Not, "x").label("u", Label::Unsure, "y");
        let own = |desk: &Desk, target| desk.decisions.undoable_on("s", target).map(|event| event.seq);
        assert_eq!((own(&desk, "t"), own(&desk, "u"), own(&desk, "v")), (Some(1), Some(2), None));
        let undo = Decisions::undo_of(desk.decisions.undoable_on("s", "t").unwrap(), "");
        desk.put(undo);
        assert_eq!((own(&desk, "t"), desk.decisions.label("s", "u", None)), (None, Some(Label::Unsure)));
        assert!(desk.decisions.redoable_on("s", "u").is_none());
        let redo = Decisions::redo_of(desk.decisions.redoable_on("s", "t").unwrap(), "");
        desk.put(redo);
        assert_eq!(desk.decisions.label("s", "t", None), Some(Label::Not));
    }

    #[test]
    fn notes_and_flags() {
        let mut desk = Desk::default();
        let note = |text: &str| Event::new(EventKind::Note(text.to_owned()), "s", "t", "");
        desk.put(note("same template")).put(Event::new(EventKind::Flag(true), "s", "t", ""));
        desk.put(Event::new(EventKind::Skip, "s", "t", "")).put(Event::new(
            EventKind::Other("mood".to_owned()),
            "s",
            "t",
            "",
        ));
        let decision = desk.decisions.decision("s", "t", None);
        assert_eq!((decision.label(), decision.note, decision.flag), (None, Some("same template"), true));
        desk.put(note("")).undo(None).undo(None);
        let decision = desk.decisions.decision("s", "t", None);
        assert_eq!((decision.note, decision.flag), (Some("same template"), false));
    }

    #[test]
    fn a_repeated_question_changes_no_decision() {
        let mut desk = Desk::default();
        let mut again = Event::new(EventKind::Label(Label::Unsure), "s", "t", "").in_sample("x");
        again.circumstances.repeat = Some(true);
        desk.label("t", Label::Not, "x").put(again);
        assert_eq!(desk.decisions.label("s", "t", None), Some(Label::Not));
        assert_eq!(desk.decisions.history("s", "t").count(), 2);
        assert_eq!(desk.decisions.repeated("s", "t", Some("x")), Some(Label::Unsure));
        assert_eq!(desk.decisions.repeated("s", "t", Some("y")), None);
        assert_eq!(desk.decisions.undoable(None).map(|event| event.seq), Some(2));
        desk.undo(None);
        assert_eq!(desk.decisions.repeated("s", "t", None), None);
        assert_eq!(desk.decisions.label("s", "t", None), Some(Label::Not));
    }

    #[test]
    fn a_correction_changes_the_decision_and_not_what_was_said_unasked() {
        let mut desk = Desk::default();
        let mut again = Event::new(EventKind::Label(Label::Not), "s", "t", "").in_sample("x");
        again.circumstances.repeat = Some(true);
        desk.label("t", Label::Unsure, "x").put(again);
        assert_eq!(desk.decisions.wavered_to("s", "t"), Some(Label::Not));
        desk.label("t", Label::NearDuplicate, "x");
        assert_eq!(desk.decisions.label("s", "t", None), Some(Label::NearDuplicate));
        let twice = |desk: &Desk, sample| desk.decisions.said_twice("s", "t", sample);
        assert_eq!(twice(&desk, Some("x")), Some([Label::Unsure, Label::Not]));
        assert_eq!((twice(&desk, Some("y")), desk.decisions.wavered_to("s", "t")), (None, None));
        desk.undo(None);
        assert_eq!(desk.decisions.wavered_to("s", "t"), Some(Label::Not), "the correction was taken back");
        desk.undo(None);
        assert_eq!(twice(&desk, None), None);
    }

    #[test]
    fn a_peek_decides_nothing_and_is_not_forgotten() {
        let mut desk = Desk::default();
        desk.put(Event::new(EventKind::Peek, "s", "t", ""));
        assert!(desk.decisions.peeked("s", "t") && !desk.decisions.peeked("s", "u"));
        assert!(desk.decisions.undoable(None).is_none());
        assert_eq!(desk.decisions.pairs(None).count(), 0);
    }

    #[test]
    fn an_undo_means_the_edit_of_its_own_pair() {
        let label = |seq, target| Event { seq, ..Event::new(EventKind::Label(Label::Not), "s", target, "") };
        let undo = |seq, of, target| Event { seq, ..Event::new(EventKind::Undo(of), "s", target, "") };
        // Two clones of a journal, merged: number 1 is there twice.
        let merged = [label(1, "t"), label(1, "u"), undo(2, 1, "t"), undo(3, 9, "t")].map(Arc::new);
        let decisions = Decisions::replay(&merged);
        assert_eq!(decisions.label("s", "t", None), None);
        assert_eq!(decisions.label("s", "u", None), Some(Label::Not));
        assert_eq!(decisions.unmatched(), [3]);
    }
}
