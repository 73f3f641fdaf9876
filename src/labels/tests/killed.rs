//! A process that labels is killed again and again: what it said to be saved must be there.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use super::label;
use crate::{Access, Journal, Label};

const STUDY: &str = "DEJAVIEW_TEST_KILLED_STUDY";

/// Not a test by itself: the process that is killed. It says the number of every event after it was saved.
#[test]
fn process() {
    let Ok(study) = std::env::var(STUDY) else { return };
    let mut journal = Journal::open(Path::new(&study), "ann").unwrap();
    loop {
        let seq = journal.append(&label("t", Label::Not)).unwrap();
        println!("\nsaved {seq}");
    }
}

#[test]
fn what_was_said_to_be_saved_is_there() {
    let rounds = if crate::skipping::slow() { 1_000 } else { 15 };
    let study = tempfile::tempdir().unwrap();
    for round in 0..rounds {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::killed::process", "--nocapture"])
            .env(STUDY, study.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut saved = lines.filter_map(|line| line.strip_prefix("saved ")?.parse::<u64>().ok());
        let seen = saved.nth(round % 7).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let last = saved.last().unwrap_or(seen);
        let journal = Journal::open(study.path(), "ann").unwrap();
        assert_eq!(journal.access(), &Access::Write, "the lock ended with the process");
        let events = &journal.reading().events;
        assert!(events.len() as u64 >= last, "{last} saved, {} there", events.len());
        assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    }
}
