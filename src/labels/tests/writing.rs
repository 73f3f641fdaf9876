//! The thread that writes.

use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use super::memory::Memory;
use super::{label, seqs};
use crate::{Backoff, Label, LabelsError, Outcome, Writer};

const NEVER: Backoff = Backoff { first: Duration::from_secs(3_600), most: Duration::from_secs(3_600) };
/// Longer than any test.
const LONG: Duration = Duration::from_secs(60);
const SOON: Backoff = Backoff { first: Duration::from_millis(1), most: Duration::from_millis(4) };

fn start(memory: &Memory, backoff: Backoff) -> (Writer, Receiver<Outcome>) {
    let (sender, outcomes) = mpsc::channel();
    let answer = move |outcome| {
        // A test that has seen enough does not listen any more.
        let _ = sender.send(outcome);
    };
    (Writer::start(memory.journal(), backoff, answer).unwrap(), outcomes)
}

fn next(outcomes: &Receiver<Outcome>) -> Outcome {
    outcomes.recv_timeout(Duration::from_secs(60)).unwrap()
}

#[test]
fn sending_does_not_wait_for_the_disk() {
    let memory = Memory::default();
    memory.state().plan.stuck = true;
    let (mut writer, outcomes) = start(&memory, NEVER);
    for i in 0..50 {
        let event = writer.send(label(&i.to_string(), Label::Not)).unwrap();
        assert_eq!(event.seq, i + 1);
    }
    assert_eq!(writer.pending(), 50, "all were handed over while the disk was stuck");
    assert!(outcomes.try_recv().is_err(), "none was called saved");
    memory.state().plan.stuck = false;
    drop(writer);
    let saved: Vec<u64> = outcomes.iter().map(|o| if let Outcome::Saved { seq } = o { seq } else { 0 }).collect();
    assert_eq!(saved, (1..=50).collect::<Vec<_>>());
    assert_eq!(seqs(&memory.journal().reading().events), saved);
    assert!(memory.state().syncs <= 3, "what waits is saved together");
}

#[test]
fn what_failed_waits_in_order_and_is_saved_once_when_asked() {
    let memory = Memory::default();
    memory.state().plan.room = Some(30);
    let (mut writer, outcomes) = start(&memory, NEVER);
    writer.send(label("a", Label::Not)).unwrap();
    let Outcome::Failed { seqs: failed, retry_in, .. } = next(&outcomes) else { panic!("it cannot fit") };
    assert_eq!((failed, retry_in), (vec![1], Some(NEVER.first)));
    writer.send(label("b", Label::Not)).unwrap();
    assert_eq!(writer.pending(), 2);
    memory.state().plan.room = None;
    writer.retry();
    assert!(matches!(next(&outcomes), Outcome::Saved { seq: 1 }));
    assert!(matches!(next(&outcomes), Outcome::Saved { seq: 2 }));
    assert_eq!(writer.pending(), 0);
    let closed = writer.close_within(LONG).unwrap();
    assert!(closed.unsaved.is_empty());
    assert_eq!(seqs(&memory.journal().reading().events), [1, 2]);
}

#[test]
fn it_tries_again_by_itself() {
    let memory = Memory::default();
    memory.state().plan.bad_syncs = 5;
    let (mut writer, outcomes) = start(&memory, SOON);
    writer.send(label("a", Label::Not)).unwrap();
    let mut delays = Vec::new();
    while let Outcome::Failed { retry_in, .. } = next(&outcomes) {
        delays.push(retry_in.unwrap().as_millis());
    }
    assert_eq!(delays, [1, 2, 4, 4, 4]);
    assert_eq!(seqs(&writer.close_within(LONG).unwrap().journal.reading().events), [1]);
}

#[test]
fn closing_gives_back_what_could_not_be_saved() {
    let memory = Memory::default();
    memory.state().plan.room = Some(0);
    let (mut writer, outcomes) = start(&memory, NEVER);
    let event = writer.send(label("a", Label::Not)).unwrap();
    let closed = writer.close_within(LONG).unwrap();
    assert_eq!(closed.unsaved, [event]);
    let last = outcomes.iter().last().unwrap();
    assert!(matches!(last, Outcome::Failed { retry_in: None, .. }));
}

#[test]
fn changes_by_another_hand_are_told() {
    let memory = Memory::default();
    let (mut writer, outcomes) = start(&memory, NEVER);
    memory.journal().append_all(&["x", "y", "z"].map(|target| label(target, Label::Unsure).into())).unwrap();
    writer.send(label("a", Label::Not)).unwrap();
    assert!(matches!(next(&outcomes), Outcome::Saved { seq: 1 }));
    let Outcome::Reread { reading, restored: 0 } = next(&outcomes) else { panic!("the file had grown") };
    assert_eq!(reading.decisions.pairs(None).count(), 4);
    assert_eq!(writer.send(label("b", Label::Not)).unwrap().seq, 4, "behind what the file brought");
    drop(writer);
}

#[test]
fn labels_that_another_hand_removed_are_written_again_and_that_is_told_once() {
    let memory = Memory::default();
    let (mut writer, outcomes) = start(&memory, NEVER);
    for target in ["a", "b", "c"] {
        writer.send(label(target, Label::Not)).unwrap();
    }
    let saved = |outcome| matches!(outcome, Outcome::Saved { .. });
    assert!((0..3).all(|_| saved(next(&outcomes))));
    // As `git checkout` does: an earlier copy in its place.
    let first = memory.state().bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    memory.state().bytes.truncate(first);
    memory.state().replaced = true;
    writer.send(label("d", Label::Not)).unwrap();
    assert!(saved(next(&outcomes)));
    let Outcome::Reread { reading, restored: 2 } = next(&outcomes) else {
        panic!("two lines came back without a word")
    };
    assert_eq!(seqs(&reading.events), [1, 2, 3, 4]);
    writer.send(label("e", Label::Not)).unwrap();
    assert!(saved(next(&outcomes)));
    assert_eq!(writer.close_within(LONG).unwrap().journal.restored(), 2);
    assert!(outcomes.try_recv().is_err(), "it is told once");
    assert_eq!(seqs(&memory.journal().reading().events), [1, 2, 3, 4, 5]);
}

#[test]
fn a_disk_that_does_not_answer_is_said_and_given_up() {
    let memory = Memory::default();
    memory.state().plan.stuck = true;
    let (sender, outcomes) = mpsc::channel();
    let answer = move |outcome| drop(sender.send(outcome));
    let mut writer = Writer::start_watched(memory.journal(), NEVER, Duration::from_millis(20), answer).unwrap();
    writer.send(label("a", Label::Not)).unwrap();
    let Outcome::Failed { seqs: waiting, error, retry_in } = next(&outcomes) else { panic!("it is not saved") };
    assert_eq!((waiting, retry_in), (vec![1], None));
    assert!(error.to_string().contains("does not answer"), "{error}");
    memory.state().plan.stuck = false;
    let saved = outcomes.iter().find(|outcome| !matches!(outcome, Outcome::Failed { .. }));
    assert!(matches!(saved, Some(Outcome::Saved { seq: 1 })), "once it answers, the event is saved: {saved:?}");
    memory.state().plan.stuck = true;
    writer.send(label("b", Label::Not)).unwrap();
    let given_up = writer.close_within(Duration::from_millis(20));
    assert!(matches!(given_up, Err(LabelsError::Stuck { .. })), "{given_up:?}");
    memory.state().plan.stuck = false;
}

#[test]
fn a_disk_that_is_full_is_not_called_stuck() {
    let memory = Memory::default();
    memory.state().plan.room = Some(30);
    let (sender, outcomes) = mpsc::channel();
    let answer = move |outcome| drop(sender.send(outcome));
    let mut writer = Writer::start_watched(memory.journal(), NEVER, Duration::from_millis(5), answer).unwrap();
    writer.send(label("a", Label::Not)).unwrap();
    let Outcome::Failed { error, .. } = next(&outcomes) else { panic!("it cannot fit") };
    assert!(matches!(error, LabelsError::File { .. }), "{error}");
    assert!(
        outcomes.recv_timeout(Duration::from_millis(60)).is_err(),
        "it waits for the next attempt, and not for the disk"
    );
}
