//! Labels survive.

use std::collections::HashSet;
use std::fs;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use dejaview::labels::{Decisions, Event, EventKind, Label, Problem, line, questions};
use dejaview::study::Snapshot;

use super::terminal::Open;
use crate::skipping::slow;
use crate::support::{copy, disputed, reopened, sample};

/// Numbers that look random; the first is printed, so that a failure can be had again.
struct Random(u64);

impl Random {
    fn new() -> Self {
        let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
        let seed = std::env::var("DEJAVIEW_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(seed);
        println!("DEJAVIEW_SEED={seed}");
        Self(seed)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

#[test]
fn kill_9_at_any_moment_loses_nothing_that_was_shown_as_saved() {
    let asked = std::env::var("DEJAVIEW_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    let rounds = asked.unwrap_or(if slow() { 60 } else { 10 });
    let mut random = Random::new();
    let mut study = copy(sample());
    let mut most = 0;
    for round in 0..rounds {
        // A round decides up to three of the 105 questions.
        if study.reading("ann").events.len() > 100 {
            (study, most) = (copy(sample()), 0);
        }
        let mut terminal = Open::label(study.path()).start();
        terminal.wait_pair();
        let answered = study.reading("ann").events.len();
        assert!(answered as u64 >= most, "round {round}: {most} were shown as saved, {answered} are there");
        let place = format!("pair {} · {answered}/105 decided", answered + 1);
        assert!(terminal.title().contains(&place), "round {round}: {}", terminal.title());
        for _ in 0..random.below(3) {
            terminal.label(["a", "x", "i"][random.below(3) as usize]);
        }
        terminal.wait_pair();
        terminal.pause(150 + random.below(100));
        most = terminal.saved().unwrap_or(most).max(most);
        terminal.send(["a", "x", "i"][random.below(3) as usize]);
        let until = Instant::now() + std::time::Duration::from_micros(random.below(8000));
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        terminal.signal("KILL");
        terminal.ended();
        // Everything that reached the screen before the end.
        terminal.pause(20);
        most = terminal.saved().unwrap_or(most).max(most);
        check(&study, round);
        if round % 50 == 49 {
            println!("{} rounds", round + 1);
        }
    }
}

/// Every question is answered once, whole, and in the order of the sample.
fn check(study: &crate::support::Copy, round: usize) {
    let reading = study.reading("ann");
    assert!(reading.problems.is_empty(), "round {round}: {:?}", reading.problems);
    let snapshot = Snapshot::open(study.path()).unwrap();
    let sample = dejaview::study::drawn_sample(&snapshot, "default").unwrap();
    let asked = questions(sample.pairs.len(), snapshot.recipe().labels.repeats, sample.seed);
    let order: Vec<(&str, &str, bool)> = reading
        .events
        .iter()
        .map(|event| (event.source.as_str(), event.target.as_str(), event.circumstances.repeat.unwrap_or_default()))
        .collect();
    let wanted: Vec<(&str, &str, bool)> = asked
        .iter()
        .take(order.len())
        .map(|question| {
            let pair = &sample.pairs[question.pair];
            (pair.source.as_str(), pair.target.as_str(), question.repeat)
        })
        .collect();
    assert_eq!(order, wanted, "round {round}");
    let numbers: HashSet<u64> = reading.events.iter().map(|event| event.seq).collect();
    assert_eq!(numbers.len(), order.len(), "round {round}: a number twice");
}

#[test]
fn one_comes_back_to_the_pair_one_was_at() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).start();
    terminal.label("a");
    terminal.wait_pair();
    terminal.send("J");
    terminal.wait_for("pair 3 · 1/105");
    terminal.label("x");
    terminal.quit();
    let again = Open::label(study.path()).start();
    again.wait_for("pair 4 · 2/105");
    again.quit();
    // Without the draft, to the first that is undecided.
    fs::remove_dir_all(study.path().join(".dejaview").join("drafts")).unwrap();
    let again = Open::label(study.path()).start();
    again.wait_for("pair 2 · 2/105");
    again.quit();
}

/// git, or a person, may change the file while it is open. What is decided then is what a later process reads, and what
/// was undone stays undone.
#[test]
fn a_journal_that_another_hand_changed_still_says_what_was_decided() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).start();
    terminal.label("a");
    let path = study.path().join("labels").join("ann.jsonl");
    let sample = dejaview::study::drawn_sample(&Snapshot::open(study.path()).unwrap(), "default").unwrap();
    let last = &sample.pairs[99];
    let mut event = Event::new(EventKind::Label(Label::Unsure), &last.source, &last.target, "2012-01-01T00:00:00.000Z");
    event.seq = 40;
    event.sample = Some("default".to_owned());
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str(&line::encode(&event).0);
    text.push('\n');
    fs::write(&path, text).unwrap();
    terminal.press("x");
    terminal.wait_for("3/105 decided");
    terminal.press("a");
    terminal.wait_for("4/105 decided");
    terminal.press("u");
    terminal.wait_for("3/105 decided");
    terminal.pause(500);
    let saved = terminal.saved();
    terminal.quit();
    let decisions = reopened(study.path(), "ann");
    let label = |n: usize| decisions.label(&sample.pairs[n].source, &sample.pairs[n].target, None);
    assert_eq!([label(0), label(1), label(2)], [Some(Label::NearDuplicate), Some(Label::Not), None]);
    assert_eq!(label(99), Some(Label::Unsure));
    let reading = study.reading("ann");
    assert_eq!(reading.problems, [Problem::Missing { line: 2, numbers: 37 }], "between 2, given meanwhile, and 40");
    assert_eq!(reading.decisions.unmatched(), [] as [u64; 0]);
    assert_eq!(Decisions::replay(&reading.events), decisions);
    assert!(saved.is_some(), "the screen knew that all of it was saved");
}

/// What a torn line cost is said, and does not look like a label that waits to be saved.
#[test]
fn a_torn_line_is_said_and_labelling_goes_on() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).start();
    terminal.label("a");
    terminal.label("a");
    terminal.quit();
    let path = study.path().join("labels").join("ann.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() - 20]).unwrap();
    let terminal = Open::label(study.path()).size(160, 30).start();
    terminal.wait_for("pair 2 · 1/105");
    terminal.wait_for("line 2");
    assert!(!terminal.text().contains("NOT SAVED"), "nothing waits to be saved:\n{}", terminal.title());
    terminal.send("g");
    terminal.press("x");
    terminal.wait_for("2/105 decided");
    terminal.quit();
    assert_eq!(study.labels("ann"), 2);
}

#[test]
fn what_cannot_be_saved_is_printed_at_the_end() {
    let study = copy(sample());
    // A folder where the journal should be: nobody can write there, not even root.
    let mut terminal = Open::label(study.path()).start();
    terminal.wait_pair();
    fs::create_dir_all(study.path().join("labels").join("ann.jsonl")).unwrap();
    terminal.press("a");
    terminal.wait_for("NOT SAVED");
    terminal.wait_for("hidden until you decide");
    // One is asked first, and may stay.
    terminal.send("Q");
    terminal.wait_for("1 event of ann could not be saved");
    terminal.send("\x1b");
    terminal.wait("no question any more", |screen| !screen.contents().contains("could not be saved: "));
    terminal.send("Q");
    terminal.wait_for("1 event of ann could not be saved");
    terminal.send("Q");
    let status = terminal.ended();
    terminal.restored();
    assert_eq!(status.exit_code(), 1);
    terminal.wait_for("near-duplicate");
}

/// A disk that takes labels again gets them, without anybody asking; meanwhile labelling goes on.
#[test]
fn what_could_not_be_saved_is_saved_as_soon_as_it_can_be() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).start();
    terminal.wait_pair();
    let path = study.path().join("labels").join("ann.jsonl");
    fs::create_dir_all(&path).unwrap();
    terminal.press("a");
    terminal.wait_for("NOT SAVED");
    terminal.press("x");
    terminal.wait_for("NOT SAVED (2 waiting)");
    assert_eq!(study.labels("ann"), 0);
    fs::remove_dir(&path).unwrap();
    terminal.wait_for("saved ✓ 2");
    assert_eq!(study.labels("ann"), 2);
    terminal.quit();
}

/// What cannot be saved when the line drops is not printed to nobody alone.
#[test]
fn what_cannot_be_saved_when_the_line_drops_is_in_a_file() {
    let study = copy(sample());
    let elsewhere = tempfile::tempdir().unwrap();
    let mut terminal = Open::label(study.path()).environment("TMPDIR", elsewhere.path()).start();
    terminal.wait_pair();
    fs::create_dir_all(study.path().join("labels").join("ann.jsonl")).unwrap();
    terminal.press("a");
    terminal.wait_for("NOT SAVED");
    terminal.signal("HUP");
    terminal.ended();
    let kept = fs::read_dir(elsewhere.path())
        .unwrap()
        .flatten()
        .find(|entry| entry.file_name().to_string_lossy().starts_with("dejaview-unsaved-"));
    let text = fs::read_to_string(kept.unwrap().path()).unwrap();
    let (event, _) = line::decode(text.trim_end().as_bytes()).unwrap();
    assert_eq!(event.kind, EventKind::Label(Label::NearDuplicate));
}

/// Where the folder for temporary files takes nothing either, another folder does.
#[test]
fn what_cannot_be_saved_is_kept_where_a_file_can_be_written() {
    let study = copy(sample());
    let elsewhere = tempfile::tempdir().unwrap();
    let mut terminal =
        Open::label(study.path()).environment("TMPDIR", "/dev/null").environment("HOME", elsewhere.path()).start();
    terminal.wait_pair();
    fs::create_dir_all(study.path().join("labels").join("ann.jsonl")).unwrap();
    terminal.press("a");
    terminal.wait_for("NOT SAVED");
    terminal.signal("HUP");
    terminal.ended();
    let mut kept = fs::read_dir(elsewhere.path()).unwrap().flatten().map(|entry| entry.file_name());
    assert!(kept.any(|name| name.to_string_lossy().starts_with("dejaview-unsaved-")));
}

/// After any end one finds the same pair, the same place in its texts, and the note that was half typed.
#[test]
fn kill_9_during_a_note_loses_neither_place_nor_draft() {
    let study = copy(sample());
    let mut terminal = Open::label(study.path()).start();
    terminal.label("a");
    terminal.wait_pair();
    terminal.send("J");
    terminal.wait_for("pair 3 · 1/105");
    terminal.wait_pair();
    // To the beginning of a line: lines are kept, and a line may take other rows in another terminal.
    terminal.send("ojjjj");
    terminal.pause(200);
    let body = |terminal: &super::terminal::Terminal| -> Vec<String> {
        terminal.text().lines().skip(4).take(20).map(str::to_owned).collect()
    };
    let before = body(&terminal);
    terminal.send("c");
    terminal.wait_for("note: ");
    terminal.send("half a tho");
    terminal.wait_for("note: half a tho");
    let draft = study.path().join(".dejaview").join("drafts").join("ann.json");
    let kept = || fs::read_to_string(&draft).is_ok_and(|text| text.contains("half a tho"));
    let until = Instant::now() + std::time::Duration::from_secs(60);
    while !kept() && Instant::now() < until {
        terminal.pause(10);
    }
    terminal.signal("KILL");
    terminal.ended();
    let again = Open::label(study.path()).start();
    again.wait_for("pair 3 · 1/105");
    again.wait_for("You began a note on this pair");
    again.wait_pair();
    assert_eq!(body(&again), before, "the same place in the texts");
    again.send("g");
    again.wait_pair();
    again.send("c");
    again.wait_for("note: half a tho");
    again.send("ught\r");
    again.wait_for("saved ✓ 1");
    again.quit();
    let reading = study.reading("ann");
    assert!(reading.decisions.pairs(None).any(|(_, _, standing)| standing.note == Some("half a thought")));
}

/// Adjudications are as durable as labels.
#[test]
fn kill_9_while_settling_loses_nothing_that_was_shown_as_saved() {
    let mut random = Random::new();
    let study = copy(disputed());
    let mut most = 0;
    for round in 0..4 {
        let mut terminal = Open::home(study.path()).size(160, 40).start();
        terminal.wait_home();
        terminal.send("6");
        terminal.wait_for(" settled");
        let there = study.labels("adjudication.ann");
        assert!(there as u64 >= most, "round {round}: {most} were shown as saved, {there} are there");
        terminal.send("\r");
        for _ in 0..=random.below(3) {
            terminal.wait_for("who said what is hidden");
            terminal.wait_for("word by word");
            terminal.pause(250);
            terminal.send(["a", "x", "i"][random.below(3) as usize]);
            terminal.wait_for("Settled: ");
            terminal.send("g");
            terminal.wait("no message", |screen| !screen.contents().contains("Settled: "));
        }
        terminal.pause(random.below(40));
        terminal.signal("KILL");
        terminal.ended();
        terminal.pause(20);
        most = terminal.saved().unwrap_or(most).max(most);
        let reading = study.reading("adjudication.ann");
        assert!(reading.problems.is_empty(), "round {round}: {:?}", reading.problems);
    }
    assert!(study.labels("ann") > 90, "nobody's own labels change");
}
