//! A long day with the explorer: many events on one opening of a study, and neither memory nor handles nor threads grow.
//! `DEJAVIEW_SOAK` says how many events, `DEJAVIEW_SEED` which ones.

use std::fs;

use dejaview::base::random::Random;

use super::fuzz::{Fuzzed, number};
use super::skipping::skipped;

/// Wishes that wait at most: the real loop has none waiting for longer than a moment.
const WAITING: usize = 20;

/// What the process holds now.
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
        Some(Self { kilobytes: value("VmRSS:")?, threads: value("Threads:")?, handles })
    }
}

#[test]
fn a_long_day_holds_no_more_than_its_morning() {
    let Some(events) = number("DEJAVIEW_SOAK") else { return skipped("DEJAVIEW_SOAK is not set") };
    if Held::now().is_none() {
        return skipped("this system does not tell what a process holds");
    }
    let seed = number("DEJAVIEW_SEED").unwrap_or(1);
    let open = |round| Fuzzed::new(0, Random::new(seed, round));
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
