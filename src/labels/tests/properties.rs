//! Random work with random accidents, against a model that keeps a copy of everything.

use proptest::prelude::*;

use super::memory::{Memory, Plan};
use crate::{Decisions, Event, EventKind, Label};

#[derive(Debug, Clone)]
enum Step {
    Label(u8, u8),
    Note(u8, u8),
    Flag(u8, bool),
    Skip(u8),
    /// The pair came again and was answered.
    Again(u8, u8),
    Peek(u8),
    Undo,
    Redo,
    /// The process ends after so many bytes of the next write.
    Crash(usize),
    /// The disk takes so many bytes of the next write.
    Full(usize),
    BadSync(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..4u8, 0..3u8).prop_map(|(pair, label)| Step::Label(pair, label)),
        2 => (0..4u8, 0..3u8).prop_map(|(pair, note)| Step::Note(pair, note)),
        2 => (0..4u8, any::<bool>()).prop_map(|(pair, set)| Step::Flag(pair, set)),
        1 => (0..4u8).prop_map(Step::Skip),
        2 => (0..4u8, 0..3u8).prop_map(|(pair, label)| Step::Again(pair, label)),
        1 => (0..4u8).prop_map(Step::Peek),
        5 => Just(Step::Undo),
        3 => Just(Step::Redo),
        1 => (0..400usize).prop_map(Step::Crash),
        1 => (0..300usize).prop_map(Step::Full),
        1 => (0..3usize).prop_map(Step::BadSync),
    ];
    prop::collection::vec(step, 0..40)
}

/// Label, note and flag of the four pairs.
type Picture = [(Option<Label>, Option<String>, bool); 4];

/// What a person expects: a stack of pictures behind, and one ahead.
#[derive(Debug, Default)]
struct Model {
    now: Picture,
    behind: Vec<Picture>,
    ahead: Vec<Picture>,
}

impl Model {
    fn apply(&mut self, step: &Step) {
        let before = self.now.clone();
        match *step {
            Step::Label(pair, label) => self.now[usize::from(pair)].0 = Some(Label::ALL[usize::from(label)]),
            Step::Note(pair, note) => {
                self.now[usize::from(pair)].1 = Some(text(note)).filter(|text| !text.is_empty());
            }
            Step::Flag(pair, set) => self.now[usize::from(pair)].2 = set,
            // An answer that can be taken back, but decides nothing.
            Step::Again(..) => {}
            Step::Undo => {
                self.now = self.behind.pop().unwrap();
                self.ahead.push(before);
                return;
            }
            Step::Redo => {
                self.now = self.ahead.pop().unwrap();
                self.behind.push(before);
                return;
            }
            _ => return,
        }
        self.behind.push(before);
        self.ahead.clear();
    }
}

fn text(note: u8) -> String {
    ["", "line\nfeed \"quoted\"", "\u{202e}ü\u{0}"][usize::from(note)].to_owned()
}

fn picture(decisions: &Decisions) -> Picture {
    [0, 1, 2, 3].map(|pair: u8| {
        let standing = decisions.decision("s", &pair.to_string(), None);
        (standing.label(), standing.note.map(str::to_owned), standing.flag)
    })
}

/// The event of a step; none when there is nothing to undo or redo.
fn event(step: &Step, decisions: &Decisions) -> Option<Event> {
    let new = |what, pair: u8| Some(Event::new(what, "s", &pair.to_string(), "2012-01-01T00:00:00.000Z"));
    match *step {
        Step::Label(pair, label) => new(EventKind::Label(Label::ALL[usize::from(label)]), pair),
        Step::Note(pair, note) => new(EventKind::Note(text(note)), pair),
        Step::Flag(pair, set) => new(EventKind::Flag(set), pair),
        Step::Skip(pair) => new(EventKind::Skip, pair),
        Step::Again(pair, label) => new(EventKind::Label(Label::ALL[usize::from(label)]), pair).map(|mut event| {
            event.circumstances.repeat = Some(true);
            event
        }),
        Step::Peek(pair) => new(EventKind::Peek, pair),
        Step::Undo => decisions.undo(None, "t"),
        Step::Redo => decisions.redo(None, "t"),
        _ => None,
    }
}

proptest! {
    #[test]
    fn the_file_is_what_the_person_did(steps in steps()) {
        let mut memory = Memory::default();
        let mut journal = memory.journal();
        let mut model = Model::default();
        let mut live = Decisions::default();
        let mut seq = 0;
        for step in &steps {
            match *step {
                Step::Crash(room) => memory.state().plan = Plan { room: Some(room), crash: true, ..Plan::default() },
                Step::Full(room) => memory.state().plan = Plan { room: Some(room), ..Plan::default() },
                Step::BadSync(bad_cuts) => {
                    memory.state().plan = Plan { bad_syncs: 1, bad_cuts, ..Plan::default() };
                }
                _ => {}
            }
            let Some(event) = event(step, &live) else { continue };
            let event = Event { seq: seq + 1, ..event };
            if journal.append(&event).is_err() && memory.state().plan.crash {
                // The process is gone; another begins with what lies on the disk, and the person does it again.
                let left = memory.state().bytes.clone();
                memory = Memory::holding(&left);
                journal = memory.journal();
            }
            memory.state().plan = Plan::default();
            prop_assert_eq!(journal.append(&event).unwrap(), seq + 1);
            seq += 1;
            live.apply(&event.into());
            model.apply(step);
            prop_assert_eq!(&journal.reading().decisions, &live);
            prop_assert_eq!(picture(&live), model.now.clone());
            prop_assert_eq!(live.undoable(None).is_some(), !model.behind.is_empty());
            prop_assert_eq!(live.redoable(None).is_some(), !model.ahead.is_empty());
        }
        let again = memory.journal();
        prop_assert_eq!(&again.reading().decisions, &live);
        prop_assert_eq!(again.reading().events.len() as u64, seq);
        prop_assert!(again.reading().problems.is_empty());
    }

    #[test]
    fn lines_that_another_hand_removes_change_nothing_that_holds(steps in steps(), kept in any::<u64>()) {
        let memory = Memory::default();
        let mut journal = memory.journal();
        for step in &steps {
            if let Some(event) = event(step, &journal.reading().decisions) {
                journal.append(&event).unwrap();
            }
        }
        let before = journal.reading().decisions.clone();
        let whole = memory.state().bytes.clone();
        let lines = whole.split_inclusive(|byte| *byte == b'\n').enumerate();
        let left: Vec<&[u8]> = lines.filter(|(i, _)| kept >> (i % 64) & 1 == 1).map(|(_, line)| line).collect();
        memory.state().bytes = left.concat();
        memory.state().replaced = true;
        journal.append(&Event::new(EventKind::Label(Label::Not), "s", "new", "")).unwrap();
        prop_assert_eq!(picture(&journal.reading().decisions), picture(&before));
        let read = memory.journal();
        prop_assert_eq!(picture(&read.reading().decisions), picture(&before));
        prop_assert!(memory.state().bytes.starts_with(&left.concat()));
    }

    #[test]
    fn undoing_an_edit_leaves_no_trace_in_what_holds(steps in steps(), pair in 0..4u8, kind in 0..3u8) {
        let mut decisions = Decisions::default();
        let mut seq = 0;
        let mut put = |step: &Step, decisions: &mut Decisions| {
            let Some(event) = event(step, decisions) else { return };
            seq += 1;
            decisions.apply(&Event { seq, ..event }.into());
        };
        for step in &steps {
            put(step, &mut decisions);
        }
        let before = decisions.clone();
        let edit = [Step::Label(pair, 1), Step::Note(pair, 1), Step::Flag(pair, true)][usize::from(kind)].clone();
        put(&edit, &mut decisions);
        let edited = decisions.clone();
        put(&Step::Undo, &mut decisions);
        prop_assert!(decisions.pairs(None).eq(before.pairs(None)));
        prop_assert_eq!(decisions.undoable(None), before.undoable(None));
        put(&Step::Redo, &mut decisions);
        prop_assert!(decisions.pairs(None).eq(edited.pairs(None)));
    }
}
