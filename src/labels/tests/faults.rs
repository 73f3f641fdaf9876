//! Full disks, torn writes, crashes at every byte, files changed by another hand.

use std::sync::Arc;

use super::memory::{Memory, Plan};
use super::{label, seqs};
use crate::{Decisions, Event, EventKind, Label, LabelsError, Problem, line};
use dejaview_base::line_limits::LONGEST_OBJECT;

fn three() -> Memory {
    let memory = Memory::default();
    let mut journal = memory.journal();
    for target in ["a", "b", "c"] {
        journal.append(&label(target, Label::Not)).unwrap();
    }
    memory
}

#[test]
fn a_crash_at_every_byte_leaves_all_or_nothing_of_the_new_event() {
    let before = three().state().bytes.clone();
    let event = label("d", Label::NearDuplicate);
    let length = line::encode(&Event { seq: 4, ..event.clone() }).0.len();
    for k in 0..=length + 1 {
        let memory = Memory::holding(&before);
        memory.state().plan = Plan { room: Some(k), crash: true, ..Plan::default() };
        let saved = memory.journal().append(&event).is_ok();
        let left = memory.state().bytes.clone();
        assert_eq!(left.len(), before.len() + k);

        let after = Memory::holding(&left);
        let mut journal = after.journal();
        let events = seqs(&journal.reading().events);
        let whole = k >= length;
        assert_eq!(events, if whole { vec![1, 2, 3, 4] } else { vec![1, 2, 3] }, "crash after {k} bytes");
        assert!(whole || !saved);
        let torn = journal.reading().problems.clone();
        assert_eq!(torn.len(), usize::from(k > 0 && !whole), "{torn:?}");

        // Trying again doubles nothing, and nothing is thrown away.
        assert_eq!(journal.append(&Event { seq: 4, ..event.clone() }).unwrap(), 4);
        assert_eq!(journal.append(&label("e", Label::Not)).unwrap(), 5);
        let state = after.state();
        assert_eq!(state.aside, if whole { b"" } else { &left[before.len()..] });
        let again = Memory::holding(&state.bytes).journal();
        assert_eq!(seqs(&again.reading().events), [1, 2, 3, 4, 5]);
        assert_eq!(again.reading().problems, []);
        assert_eq!(again.reading().decisions.label("s", "d", None), Some(Label::NearDuplicate));
    }
}

#[test]
fn a_full_disk_takes_nothing_halfway() {
    let memory = three();
    let before = memory.state().bytes.clone();
    memory.state().plan.room = Some(40);
    let mut journal = memory.journal();
    let error = journal.append(&label("d", Label::Not)).unwrap_err();
    assert!(matches!(error, LabelsError::File { .. }));
    assert!(error.to_string().starts_with("saving in labels/ann.jsonl: "), "{error}");
    assert_eq!(memory.state().bytes, before, "back at the last whole line");
    assert_eq!(journal.reading().events.len(), 3);
    memory.state().plan.room = None;
    assert_eq!(journal.append(&label("d", Label::Not)).unwrap(), 4);
    assert_eq!(seqs(&memory.journal().reading().events), [1, 2, 3, 4]);
}

#[test]
fn a_failed_sync_is_a_failed_event_and_is_written_anew() {
    let memory = three();
    let before = memory.state().bytes.clone();
    memory.state().plan = Plan { bad_syncs: 1, bad_cuts: 2, ..Plan::default() };
    let mut journal = memory.journal();
    let event = Event { seq: 4, ..label("d", Label::Not) };
    assert!(journal.append(&event).is_err());
    assert!(memory.state().bytes.len() > before.len(), "it could not be cut off");
    assert!(journal.append(&event).is_err(), "nor now");
    assert_eq!(journal.append(&event).unwrap(), 4);
    let (line, _) = line::encode(&event);
    let whole = [before.as_slice(), line.as_bytes(), b"\n"].concat();
    assert_eq!(memory.state().bytes, whole);
    assert_eq!(journal.append(&event).unwrap(), 4);
    assert_eq!(memory.state().bytes, whole, "once more changes nothing");
    assert_eq!(seqs(&memory.journal().reading().events), [1, 2, 3, 4]);
}

#[test]
fn several_events_are_all_saved_or_none_with_one_sync() {
    let memory = three();
    let before = memory.state().bytes.clone();
    let more =
        [label("d", Label::Not), Event::new(EventKind::Undo(4), "s", "d", ""), label("d", Label::Unsure)].map(Arc::new);
    memory.state().plan.room = Some(300);
    let mut journal = memory.journal();
    assert!(journal.append_all(&more).is_err());
    assert_eq!(memory.state().bytes, before);
    memory.state().plan.room = None;
    let syncs = memory.state().syncs;
    assert_eq!(journal.append_all(&more).unwrap(), [4, 5, 6]);
    assert_eq!(memory.state().syncs, syncs + 1);
    assert_eq!(journal.append_all(&[]).unwrap(), [0; 0]);
    assert_eq!(journal.reading().decisions.label("s", "d", None), Some(Label::Unsure));
}

#[test]
fn lines_that_another_hand_removed_come_back_and_its_own_stay() {
    let memory = three();
    let mut journal = memory.journal();
    // Another clone: the first line of ours, then one of its own.
    let other = Memory::default();
    let mut clone = other.journal();
    clone.append(&label("a", Label::Not)).unwrap();
    clone.append(&label("z", Label::Unsure)).unwrap();
    let theirs = other.state().bytes.clone();
    memory.state().bytes = theirs.clone();
    memory.state().replaced = true;

    memory.state().plan.room = Some(10);
    assert!(journal.append(&label("d", Label::Not)).is_err(), "no room: still owed");
    memory.state().plan.room = None;
    journal.append(&label("d", Label::NearDuplicate)).unwrap();
    assert_eq!(journal.rereadings(), 1);
    assert!(memory.state().bytes.starts_with(&theirs));
    let read = memory.journal();
    let decisions = &read.reading().decisions;
    assert_eq!(decisions, &journal.reading().decisions);
    let labelled: Vec<&str> = decisions.pairs(None).map(|(_, target, _)| target).collect();
    assert_eq!(labelled, ["a", "b", "c", "d", "z"]);
    assert_eq!(
        read.reading().problems,
        [Problem::SharedNumbers { line: 3, seq: 2, events: 1 }],
        "both clones had a second event"
    );
}

#[test]
fn lines_that_are_no_events_stay_away_once_they_are_removed() {
    let memory = three();
    let whole = String::from_utf8(memory.state().bytes.clone()).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let damaged = lines[1].replace("\"not\"", "\"unsure\"");
    let merged =
        format!("{}\n<<<<<<< HEAD\n{damaged}\n{}\n=======\n\n{}\n>>>>>>> other\n", lines[0], lines[1], lines[2]);
    memory.state().bytes = merged.into_bytes();
    let mut journal = memory.journal();
    journal.append(&label("d", Label::Not)).unwrap();
    let mended: String = String::from_utf8(memory.state().bytes.clone())
        .unwrap()
        .lines()
        .filter(|line| line::decode(line.as_bytes()).is_ok())
        .map(|line| format!("{line}\n"))
        .collect();
    memory.state().bytes = mended.clone().into_bytes();
    memory.state().replaced = true;
    journal.append(&label("e", Label::Not)).unwrap();
    let after = memory.state().bytes.clone();
    assert!(after.starts_with(mended.as_bytes()));
    let read = memory.journal();
    assert_eq!((seqs(&read.reading().events), read.reading().problems.len()), (vec![1, 2, 3, 4, 5], 0));
    assert_eq!((journal.restored(), after.iter().filter(|byte| **byte == b'\n').count()), (0, 5));
}

#[test]
fn an_event_that_was_removed_does_not_come_back_over_a_later_one() {
    let memory = Memory::default();
    let mut journal = memory.journal();
    let undo = Event::new(EventKind::Undo(3), "s", "b", "");
    for event in [label("a", Label::Not), label("a", Label::Unsure), label("b", Label::Not), undo] {
        journal.append(&event).unwrap();
    }
    journal.append(&label("c", Label::NearDuplicate)).unwrap();
    let before = journal.reading().decisions.clone();
    let whole = String::from_utf8(memory.state().bytes.clone()).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    // A label that another one replaced, one that was taken back, and one that holds.
    memory.state().bytes = format!("{}\n{}\n", lines[1], lines[3]).into_bytes();
    memory.state().replaced = true;
    journal.append(&label("d", Label::Not)).unwrap();
    let read = memory.journal();
    assert_eq!(seqs(&read.reading().events), [2, 4, 5, 6]);
    assert_eq!((journal.restored(), &read.reading().decisions), (1, &journal.reading().decisions));
    for target in ["a", "b", "c"] {
        assert_eq!(read.reading().decisions.label("s", target, None), before.label("s", target, None), "{target}");
    }
}

#[test]
fn a_file_cut_or_grown_in_place_is_noticed() {
    let memory = three();
    let mut journal = memory.journal();
    memory.state().bytes.truncate(20);
    journal.append(&label("d", Label::Not)).unwrap();
    assert_eq!(memory.state().aside.len(), 20, "the rest of the first line");
    let mut read = memory.journal();
    assert_eq!(read.reading().events.len(), 4);
    read.append(&label("e", Label::Not)).unwrap();
    journal.append(&label("f", Label::Not)).unwrap();
    assert_eq!(seqs(&memory.journal().reading().events), [1, 2, 3, 4, 5, 6]);
    assert_eq!(journal.reading().decisions, Decisions::replay(&memory.journal().reading().events));
}

#[test]
fn a_whole_line_without_its_end_is_ended_first() {
    let memory = three();
    memory.state().bytes.pop();
    let mut journal = memory.journal();
    assert_eq!(journal.append(&label("d", Label::Not)).unwrap(), 4);
    let read = memory.journal();
    assert_eq!(read.reading().events.len(), 4);
    assert_eq!(read.reading().problems, []);
}

/// What is not held cannot be written behind: nothing of the file is cut, replaced or doubled.
#[test]
fn a_journal_with_a_line_that_is_too_long_is_not_written() {
    let whole = three().state().bytes.clone();
    let long = [&whole[..], b"{", &vec![b'x'; LONGEST_OBJECT], b"\n"].concat();
    let memory = Memory::holding(&long);
    let mut journal = memory.journal();
    assert_eq!(seqs(&journal.reading().events), [1, 2, 3]);
    let error = journal.append(&label("d", Label::Not)).unwrap_err().to_string();
    assert!(error.contains("can only be read here: line 4: it is longer than 16 MiB"), "{error}");
    assert!(memory.state().bytes == long);
    // It came while the journal was open.
    let memory = three();
    let mut journal = memory.journal();
    memory.state().bytes.extend_from_slice(&long[whole.len()..long.len() - 1]);
    let error = journal.append(&label("d", Label::Not)).unwrap_err().to_string();
    assert!(error.contains("line 4: it is longer than 16 MiB"), "{error}");
    {
        let state = memory.state();
        assert!(state.bytes == long[..long.len() - 1] && state.aside.is_empty());
    }
    memory.state().bytes = whole;
    assert_eq!(journal.append(&label("d", Label::Not)).unwrap(), 4);
}

#[test]
fn an_event_that_no_journal_would_read_is_not_written() {
    let memory = three();
    let before = memory.state().bytes.clone();
    let note = Event::new(EventKind::Note("x".repeat(LONGEST_OBJECT)), "s", "a", "2012-01-01T00:00:00.000Z");
    let error = memory.journal().append(&note).unwrap_err().to_string();
    assert!(error.contains("longer than 16 MiB"), "{error}");
    assert_eq!(memory.state().bytes, before);
}
