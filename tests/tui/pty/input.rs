//! Input that no person typed at the pair on the screen.

use std::thread;
use std::time::{Duration, Instant};

use super::terminal::{Open, Terminal};
use crate::skipping::slow;
use crate::split::SEQUENCES;
use crate::support::{copy, sample};

/// The rest of a key that follows its Escape so soon belongs to it: the program waits a little longer.
const WITHIN: Duration = Duration::from_millis(15);

/// Sends a sequence in two parts; returns how long the second was behind the first, which a busy machine makes longer.
fn send_split(terminal: &Terminal, sequence: &str, at: usize, gap: u64) -> Duration {
    let (first, second) = sequence.as_bytes().split_at(at);
    let start = Instant::now();
    terminal.send(first);
    terminal.pause(gap);
    terminal.send(second);
    start.elapsed()
}

/// All splits of one sequence that are wanted; each begins in a state in which a person could label.
fn splits(sequence: &str) -> Vec<(usize, u64)> {
    let gaps: &[u64] = if slow() { &[0, 5, 30, 120] } else { &[5, 120] };
    let last = if slow() { sequence.len() } else { 2 };
    (1..last).flat_map(|at| gaps.iter().map(move |gap| (at, *gap))).collect()
}

#[test]
fn no_sequence_split_anywhere_writes_a_label() {
    // All of them where that is asked for; otherwise one of each kind, for `split` has all without a terminal.
    let kinds = SEQUENCES.into_iter().enumerate().filter(|(n, _)| slow() || n % 4 == 0 || *n + 1 == SEQUENCES.len());
    let work: Vec<_> = kinds
        .map(|(_, (name, sequence))| {
            thread::spawn(move || {
                let study = copy(sample());
                let terminal = Open::label(study.path()).start();
                terminal.wait_pair();
                for (at, gap) in splits(sequence) {
                    // Past the second after an Escape in which nothing writes, and past the silence after a paste.
                    terminal.pause(if name == "paste" { 2200 } else { 1150 });
                    send_split(&terminal, sequence, at, gap);
                    terminal.pause(20);
                    assert_eq!(study.reading("ann").events.len(), 0, "{name} split at {at} by {gap} ms");
                }
                terminal.pause(2200);
                terminal.send("g");
                terminal.wait_pair();
                assert_eq!(terminal.saved(), Some(0), "{name}");
                // It was the guard that kept them out, and not a dead program.
                terminal.label("i");
                terminal.quit();
                assert_eq!(study.reading("ann").events.len(), 1, "{name}");
            })
        })
        .collect();
    let failed: Vec<String> = work
        .into_iter()
        .filter_map(|thread| thread.join().err())
        .map(|panic| panic.downcast_ref::<String>().cloned().unwrap_or_default())
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// The same while something lies over the pair: Escape closes it, the rest of the sequence must not reach the pair.
#[test]
fn no_sequence_split_over_an_overlay_writes_a_label() {
    for (over, closed) in [("?", " Keys   on Label "), (":", "Commands and places"), ("c", "note: ")] {
        let study = copy(sample());
        let terminal = Open::label(study.path()).start();
        terminal.wait_pair();
        for (name, sequence) in [("keypad x", "\x1bOx"), ("paste", "\x1b[200~aax\x1b[201~")] {
            terminal.pause(2200);
            terminal.send(over);
            terminal.wait_for(closed);
            send_split(&terminal, sequence, 1, 5);
            terminal.pause(300);
            assert_eq!(study.reading("ann").events.len(), 0, "{name} over {over}");
            terminal.send("\x07");
            terminal.pause(50);
        }
    }
}

#[test]
fn a_paste_writes_no_label() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).start();
    terminal.wait_pair();
    terminal.pause(200);
    terminal.send(format!("\x1b[200~{}\x1b[201~", "aaxxii".repeat(2000)));
    terminal.send("?");
    terminal.wait_help("Label");
    terminal.send("q");
    terminal.wait_pair();
    assert_eq!(terminal.saved(), Some(0));
    terminal.quit();
    assert_eq!(study.reading("ann").events.len(), 0);
}

/// A terminal without bracketed paste, or a cat on the keyboard: of what comes at once at most the first counts.
#[test]
fn a_burst_of_label_keys_writes_one_label_at_most() {
    for burst in ["aaaaaaaaaa", "axixaixaix", "aJaJaJaJ", "auauauau", "ffffffff"] {
        let study = copy(sample());
        let terminal = Open::label(study.path()).start();
        terminal.wait_pair();
        terminal.pause(200);
        terminal.send(burst);
        terminal.send("?");
        terminal.wait_help("Label");
        terminal.send("q");
        terminal.wait_no_help("Label");
        terminal.quit();
        let events = study.reading("ann").events;
        let labels = events.iter().filter(|event| matches!(event.kind, dejaview::labels::EventKind::Label(_))).count();
        assert!(labels <= 1, "{burst}: {events:?}");
        if burst.starts_with('a') {
            assert_eq!(labels, 1, "{burst}: the first was a person's");
        }
    }
}

/// Over the help nobody sees the pair: a second key of a burst closes the help at most.
#[test]
fn a_burst_over_the_help_writes_no_label() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).start();
    terminal.wait_pair();
    terminal.pause(200);
    terminal.send("?");
    terminal.wait_help("Label");
    terminal.send("aaa");
    terminal.wait_for("with “aaa”");
    terminal.send("\r");
    terminal.wait_no_help("Label");
    terminal.quit();
    assert_eq!(study.reading("ann").events.len(), 0);
}

#[test]
fn the_program_asks_the_terminal_nothing_while_labelling() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).start();
    terminal.label("a");
    terminal.send("\x1b[I");
    terminal.resize(120, 40);
    terminal.send("?");
    terminal.wait_help("Label");
    let raw = terminal.raw();
    for query in
        ["\x1b[6n", "\x1b[5n", "\x1b[c", "\x1b[0c", "\x1b[>c", "\x1b]10;?", "\x1b]11;?", "\x1b[?u", "\x1b[14t", "$p"]
    {
        assert_eq!(super::terminal::count(&raw, query.as_bytes()), 0, "{}", query.escape_debug());
    }
    terminal.send("q");
    terminal.quit();
}

/// A key that the line cut in two is still the key that was pressed.
#[test]
fn a_split_key_still_does_what_it_does() {
    loop {
        let study = copy(sample());
        let terminal = Open::home(study.path()).start();
        terminal.wait_home();
        terminal.send("3");
        terminal.wait_pairs(1);
        let gaps = [0, 5].map(|gap| send_split(&terminal, "\x1b[B", 1, gap));
        // An Escape that nothing follows in time is a key of its own, so this was another case.
        if gaps.iter().any(|gap| *gap > WITHIN) {
            terminal.quit();
            continue;
        }
        terminal.wait_pairs(3);
        send_split(&terminal, "\x1b[B", 2, 120);
        terminal.wait_pairs(4);
        return terminal.quit();
    }
}

/// What was typed while the program was still starting is not meant for a pair that nobody had seen.
#[test]
fn typeahead_writes_no_label() {
    let study = copy(sample());
    let terminal = Open::label(study.path()).start();
    terminal.send("aaxxiiaxi");
    terminal.wait_for("saved ✓ 0");
    terminal.send("g");
    terminal.wait_pair();
    terminal.send("?");
    terminal.wait_help("Label");
    terminal.send("q");
    terminal.wait_pair();
    terminal.quit();
    assert_eq!(study.reading("ann").events.len(), 0);
}
