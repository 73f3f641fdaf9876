//! A long day with the explorer: many events on one opening of a study, and neither memory nor handles nor threads grow.
//! `DEJAVIEW_SOAK` says how many events, `DEJAVIEW_SEED` which ones, `DEJAVIEW_SOAK_STUDY` on what study, the sample study
//! unless told.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use dejaview::base::random::Random;
use dejaview::labels::EventKind;

use super::fuzz::{Fuzzed, number};
use super::skipping::skipped;
use super::support::{self, headless, sample};

/// Wishes that wait at most: the real loop has none waiting for longer than a moment.
const WAITING: usize = 20;

/// What the process holds now. Pages of mapped files are not counted: the system takes them back when it wants them.
#[derive(Debug, Clone, Copy)]
struct Held {
    kilobytes: u64,
    threads: u64,
    handles: usize,
}

impl Held {
    fn now() -> Option<Self> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let value = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            line.split_whitespace().next()?.parse().ok()
        };
        let handles = fs::read_dir("/proc/self/fd").ok()?.count();
        Some(Self { kilobytes: value("RssAnon:")?, threads: value("Threads:")?, handles })
    }
}

#[test]
fn a_long_day_holds_no_more_than_its_morning() {
    let Some(events) = number("DEJAVIEW_SOAK") else { return skipped("DEJAVIEW_SOAK is not set") };
    if Held::now().is_none() {
        return skipped("this system does not tell what a process holds");
    }
    let seed = number("DEJAVIEW_SEED").unwrap_or(1);
    let study = std::env::var_os("DEJAVIEW_SOAK_STUDY").map_or_else(|| sample().to_owned(), PathBuf::from);
    let open = |round| Fuzzed::on(&study, Random::new(seed, round));
    let (mut fuzzed, mut opened, mut screens) = (open(0), 1, 0);
    let mut held = Vec::new();
    for event in 1..=events {
        fuzzed.step();
        if fuzzed.slow.left {
            screens += fuzzed.screens;
            fuzzed = open(opened);
            opened += 1;
        }
        while fuzzed.slow.wishes.len() > WAITING {
            fuzzed.slow.answer();
        }
        if event % 6 == 0 {
            fuzzed.draw();
            fuzzed.slow.written.clear();
        }
        if event % events.div_ceil(10) == 0 {
            held.extend(Held::now());
            println!("{event} events, {opened} openings, {} screens: {:?}", screens + fuzzed.screens, held.last());
        }
    }
    // What is kept for later (texts, tables, drawn lines) has its bounds, and reaches them in the morning.
    let ([.., evening], Some(morning)) = (&held[..], held.get(2)) else { panic!("too few events: {events}") };
    assert!(evening.kilobytes <= morning.kilobytes + morning.kilobytes / 5, "memory grew: {held:?}");
    assert!(evening.threads <= morning.threads && evening.handles <= morning.handles, "{held:?}");
}

/// Documents on each side of the study that is labelled; each pair of them is one.
const SIDE: usize = 142;

/// More than anybody gives in a day: one in five seconds of a clock that the test moves, for more than 27 hours.
const LABELS: usize = 20_000;

/// What a label may leave in memory: its decision, and what leads back to it.
const BYTES_A_LABEL: u64 = 2000;

#[test]
fn twenty_thousand_labels_are_saved_one_by_one() {
    if number("DEJAVIEW_SOAK").is_none() {
        return skipped("DEJAVIEW_SOAK is not set");
    }
    let words: String = (0..60).map(|i| format!("word{i} ")).collect();
    let ids: Vec<[String; 2]> = (0..SIDE).map(|i| [format!("old-{i:03}"), format!("new-{i:03}")]).collect();
    let pages = |side: usize| -> Vec<support::MadePage<'_>> {
        ids.iter().enumerate().map(|(i, id)| (&*id[side], "text", format!("{words}{i}"))).collect()
    };
    let study = support::copy(&support::made("labelled-all-day", &pages(0), &pages(1)));
    fs::remove_dir_all(study.path().join("samples")).unwrap();
    let drawn = Command::new(env!("CARGO_BIN_EXE_dejaview"))
        .arg("sample")
        .arg(study.path())
        .args(["--configuration", "exact-jaccard", "--size", &LABELS.to_string(), "--name", "day"])
        .output()
        .unwrap();
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    let mut screen = headless(study.path(), (120, 40), Some("ann"));
    screen.keys("5");
    let mut held = Vec::new();
    for label in 1..=LABELS {
        screen.wait(Duration::from_secs(5));
        screen.buffer();
        screen.keys(["a", "x", "i"][label % 3]);
        if label % (LABELS / 10) == 0 {
            held.extend(Held::now());
            println!("{label} labels: {:?}", held.last());
        }
    }
    // Some pairs come again: their labels are in the journal as well.
    let events = study.reading("ann").events;
    let labels = events.iter().filter(|event| matches!(event.kind, EventKind::Label(_))).count();
    assert_eq!(labels, LABELS, "{}", screen.text());
    let ([.., evening], Some(morning)) = (&held[..], held.get(2)) else { return };
    let grown = 1024 * evening.kilobytes.saturating_sub(morning.kilobytes);
    assert!(grown < BYTES_A_LABEL * LABELS as u64, "memory grew by {grown} bytes: {held:?}");
    assert!(evening.threads <= morning.threads && evening.handles <= morning.handles, "{held:?}");
}
