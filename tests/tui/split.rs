//! Every sequence that terminals send, cut at every byte, at every pace: no label is written, no key is lost.

use std::time::Duration;

use crossterm::event::KeyCode;
use dejaview::tui::event::Event;
use dejaview::tui::input::decoder::Decoder;

use super::support::{Slow, char, key, sample};

/// What terminals send besides characters.
pub const SEQUENCES: [(&str, &str); 26] = [
    ("arrow up", "\x1b[A"),
    ("arrow, application mode", "\x1bOB"),
    ("shifted arrow of rxvt", "\x1b[a"),
    ("control arrow of rxvt", "\x1bOa"),
    ("shifted right of rxvt", "\x1b[c"),
    ("keypad x", "\x1bOx"),
    ("keypad i", "\x1bOi"),
    ("page up", "\x1b[5~"),
    ("page down", "\x1b[6~"),
    ("home", "\x1b[1~"),
    ("delete", "\x1b[3~"),
    ("F5", "\x1b[15~"),
    ("F1", "\x1bOP"),
    ("F1 of the console", "\x1b[[A"),
    ("control right", "\x1b[1;5C"),
    ("alt up", "\x1b[1;3A"),
    ("wheel", "\x1b[<64;85;23M"),
    ("mouse release", "\x1b[<0;12;4m"),
    ("mouse of the old kind", "\x1b[M !!"),
    ("focus in and out", "\x1b[I\x1b[O"),
    ("cursor report", "\x1b[12;40R"),
    ("attributes", "\x1b[?62;4;22c"),
    ("background", "\x1b]11;rgb:1a1a/a1a1/1a1a\x1b\\"),
    ("terminfo", "\x1bP1+r6b61=61\x1b\\"),
    ("key of the kitty kind", "\x1b[97;5u"),
    ("paste", "\x1b[200~aaxxii\x1b[201~"),
];

/// The explorer behind the decoder, both on one clock.
struct Wire {
    slow: Slow,
    decoder: Decoder,
}

impl Wire {
    fn new(ssh: bool) -> Self {
        Self { slow: Slow::labelling(sample()), decoder: Decoder::new(ssh) }
    }

    fn hear(&mut self, events: Vec<Event>) {
        for event in events {
            self.slow.send(event);
        }
        self.slow.settle();
    }

    /// Lets time pass, and what waits come due.
    fn wait(&mut self, milliseconds: u64) {
        let end = self.slow.at + Duration::from_millis(milliseconds);
        while let Some(deadline) = self.decoder.deadline().filter(|deadline| *deadline <= end) {
            let mut out = Vec::new();
            self.decoder.expire(deadline, &mut out);
            self.slow.at = self.slow.at.max(deadline);
            self.hear(out);
        }
        self.slow.at = end;
    }

    fn type_(&mut self, bytes: &[u8]) {
        let events = self.decoder.feed(bytes, self.slow.at);
        self.hear(events);
    }
}

/// All cuts of a sequence: at one place, and everywhere.
fn cuts(sequence: &str) -> Vec<Vec<&[u8]>> {
    let bytes = sequence.as_bytes();
    let mut cuts: Vec<Vec<&[u8]>> = (0..bytes.len())
        .map(|at| [&bytes[..at], &bytes[at..]].into_iter().filter(|part| !part.is_empty()).collect())
        .collect();
    cuts.push(bytes.chunks(1).collect());
    cuts
}

#[test]
fn no_cut_at_any_pace_writes_and_the_next_key_counts() {
    for ssh in [false, true] {
        let mut wire = Wire::new(ssh);
        for (name, sequence) in SEQUENCES {
            for parts in cuts(sequence) {
                for gap in [0, 5, 30, 120] {
                    wire.wait(5000);
                    // What the sequence before left open, a help for one, is not of this one.
                    while !wire.slow.app.overlays.is_empty() {
                        wire.type_(b"\x07");
                    }
                    for part in &parts {
                        wire.type_(part);
                        wire.wait(gap);
                    }
                    wire.wait(1200);
                    let place = format!("{name}, {} parts by {gap} ms, ssh {ssh}", parts.len());
                    assert_eq!(wire.slow.written.len(), 0, "{place}");
                    let answer = sequence.starts_with("\x1b]") || sequence.starts_with("\x1bP");
                    assert!(!answer || wire.slow.app.overlays.is_empty(), "{place} opened something");
                    assert!(!wire.slow.left, "{place}");
                }
            }
        }
        // It was the guard that kept them out, and not a dead program.
        wire.wait(5000);
        wire.slow.send(char('g')).settle();
        wire.wait(1000);
        wire.type_(b"i");
        assert_eq!(wire.slow.labels(), 1);
    }
}

/// Over an overlay an Escape closes it; what follows must not reach the pair as a decision.
#[test]
fn no_cut_over_an_overlay_writes() {
    for over in ["?", ":", "c", "/", "y"] {
        let mut wire = Wire::new(false);
        for (name, sequence) in SEQUENCES {
            for parts in cuts(sequence) {
                for gap in [0, 5, 30, 120] {
                    wire.wait(5000);
                    wire.type_(over.as_bytes());
                    for part in &parts {
                        wire.type_(part);
                        wire.wait(gap);
                    }
                    wire.wait(5000);
                    while !wire.slow.app.overlays.is_empty() {
                        wire.type_(b"\x07");
                        wire.wait(100);
                    }
                    assert!(!wire.slow.left, "{name} over {over}");
                    assert_eq!(wire.slow.labels(), 0, "{name} over {over} by {gap} ms");
                }
            }
        }
    }
}

/// A person presses a key between two broken sequences: it is heard.
#[test]
fn a_key_between_broken_sequences_is_heard() {
    for (name, sequence) in SEQUENCES {
        for gap in [0, 5, 30, 120] {
            let mut wire = Wire::new(false);
            let (first, second) = sequence.as_bytes().split_at(1);
            wire.type_(first);
            wire.wait(gap);
            wire.type_(second);
            wire.wait(2500);
            wire.type_(b"?");
            assert_eq!(wire.slow.app.overlays.len(), 1, "{name} by {gap} ms");
        }
    }
}

#[test]
fn a_paste_goes_into_text_fields_only() {
    let mut wire = Wire::new(false);
    wire.type_(b"\x1b[200~aaxx\x1b[201~");
    assert!(wire.slow.text().contains("pasted text does nothing here"));
    wire.wait(1000);
    wire.type_(b"c");
    wire.type_(b"\x1b[200~one\r\ntwo\x1b[201~");
    assert!(wire.slow.text().contains("note: one"), "{}", wire.slow.text());
    wire.slow.send(key(KeyCode::Enter)).settle();
    assert_eq!((wire.slow.labels(), wire.slow.written.len()), (0, 1));
}
