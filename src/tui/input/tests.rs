use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use proptest::prelude::*;

use super::decoder::Decoder;
use super::hold::HOLD;
use crate::event::Event;

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// What the explorer would hear, in words.
fn words(events: &[Event]) -> Vec<String> {
    let word = |event: &Event| match event {
        Event::Key(KeyEvent { code, modifiers, .. }) => {
            format!("{:?} {code:?}", *modifiers - KeyModifiers::SHIFT).replace("KeyModifiers(0x0) ", "")
        }
        Event::Paste(text) => format!("paste {text:?}"),
        other => format!("{other:?}"),
    };
    events.iter().map(word).collect()
}

/// Sends parts, each so long after the one before; then silence.
fn sent(parts: &[&[u8]], gap: Duration) -> (Vec<Event>, Decoder) {
    let mut decoder = Decoder::new(false);
    let mut out = Vec::new();
    let mut at = ms(10_000);
    for part in parts {
        if let Some(deadline) = decoder.deadline().filter(|deadline| *deadline <= at) {
            decoder.expire(deadline, &mut out);
        }
        out.extend(decoder.feed(part, at));
        at += gap;
    }
    while let Some(deadline) = decoder.deadline() {
        decoder.expire(deadline, &mut out);
    }
    (out, decoder)
}

fn whole(bytes: &[u8]) -> Vec<String> {
    words(&sent(&[bytes], Duration::ZERO).0)
}

/// What terminals send, and what it means.
const SEQUENCES: [(&str, &[&str]); 30] = [
    ("\x1b[A", &["Up"]),
    ("\x1bOB", &["Down"]),
    ("\x1b[a", &["Up"]),
    ("\x1bOa", &["KeyModifiers(CONTROL) Up"]),
    ("\x1bOx", &["Char('8')"]),
    ("\x1bOi", &[]),
    ("\x1bOM", &["Enter"]),
    ("\x1b[5~", &["PageUp"]),
    ("\x1b[6~", &["PageDown"]),
    ("\x1b[1~", &["Home"]),
    ("\x1b[F", &["End"]),
    ("\x1b[3~", &["Delete"]),
    ("\x1b[15~", &["F(5)"]),
    ("\x1b[24~", &["F(12)"]),
    ("\x1bOP", &["F(1)"]),
    ("\x1b[[A", &[]),
    ("\x1b[1;5C", &["KeyModifiers(CONTROL) Right"]),
    ("\x1b[1;3A", &["KeyModifiers(ALT) Up"]),
    ("\x1b[Z", &["BackTab"]),
    ("\x1b[<64;85;23M", &["Scroll(false)"]),
    ("\x1b[<65;1;1M", &["Scroll(true)"]),
    ("\x1b[<0;12;4m", &[]),
    ("\x1b[M !!", &[]),
    ("\x1b[I", &["Redraw"]),
    ("\x1b[O", &[]),
    ("\x1b[12;40R", &[]),
    ("\x1b[?62;4;22c", &[]),
    ("\x1b]11;rgb:1a1a/1a1a/1a1a\x1b\\", &["Background(Dark)"]),
    ("\x1bP1+r536d=41\x1b\\", &[]),
    ("\x1b[200~aax\x1b[31m\r\ni\x1b[201~", &["paste \"aax\\u{1b}[31m\\ni\""]),
];

#[test]
fn every_sequence_means_what_it_means() {
    for (sequence, wanted) in SEQUENCES {
        assert_eq!(whole(sequence.as_bytes()), wanted, "{}", sequence.escape_debug());
    }
}

/// A person pressed one key; wherever the line cut it, one key it is. Only an Escape cannot be taken back that was alone for
/// longer than it is held.
#[test]
fn every_sequence_split_at_every_byte_is_still_itself() {
    for (sequence, wanted) in SEQUENCES {
        for at in 1..sequence.len() {
            for gap in [0, 5, 30, 120] {
                let (first, second) = sequence.as_bytes().split_at(at);
                let events = words(&sent(&[first, second], ms(gap)).0);
                let keys: Vec<&String> = events.iter().filter(|word| *word != "Esc").collect();
                let place = format!("{} split at {at} by {gap} ms: {events:?}", sequence.escape_debug());
                assert_eq!(keys, wanted.iter().collect::<Vec<_>>(), "{place}");
                assert_eq!(events.len() - keys.len(), usize::from(at == 1 && ms(gap) > HOLD), "{place}");
            }
        }
    }
}

#[test]
fn every_byte_apart_within_the_hold_is_still_the_sequence() {
    for (sequence, wanted) in SEQUENCES {
        for gap in [0, 5, 20] {
            let parts: Vec<&[u8]> = sequence.as_bytes().chunks(1).collect();
            assert_eq!(words(&sent(&parts, ms(gap)).0), wanted, "{} by {gap} ms", sequence.escape_debug());
        }
    }
}

/// An answer that somebody else asked for, byte by byte over a slow line: its Escape and its first sign may be heard, for a
/// person would not wait for them, but no letter and no colon.
#[test]
fn a_late_answer_is_no_letter() {
    for answer in ["\x1b]11;rgb:1a1a/a1a1/1a1a\x1b\\", "\x1b]4;7;rgb:ffff/ffff/ffff\x07", "\x1bP1+r6b61=61\x1b\\"] {
        for gap in [30, 120, 240] {
            let parts: Vec<&[u8]> = answer.as_bytes().chunks(1).collect();
            let mut heard = words(&sent(&parts, ms(gap)).0);
            // That the background is dark is no letter either, and never too late.
            heard.retain(|word| word != "Background(Dark)");
            let first = format!("Char('{}')", &answer[1..2]);
            assert_eq!(heard, ["Esc", &first], "{} by {gap} ms", answer.escape_debug());
        }
    }
}

/// What looks like the beginning of an answer and is none was typed: all of it is heard, in order.
#[test]
fn what_only_looks_like_an_answer_is_typed() {
    for typed in
        ["]", "]]", "]1", "]11", "]11;", "]11;r", "]11;ra", "]3]", "P", "P1", "P1+", "P1+x", "]a", "];", "]1\u{7f}"]
    {
        for gap in [0, 10, 40, 120, 400, 1500] {
            let parts: Vec<&[u8]> = [b"\x1b" as &[u8]].into_iter().chain(typed.as_bytes().chunks(1)).collect();
            let heard = words(&sent(&parts, ms(gap.max(30))).0);
            let alone: Vec<String> = typed.as_bytes().chunks(1).flat_map(whole).collect();
            assert_eq!(heard, [vec!["Esc".to_owned()], alone].concat(), "{typed} by {gap} ms");
        }
    }
}

#[test]
fn what_a_person_types_is_what_is_heard() {
    let typed = "aXi[O]é漢😀 \r\t\u{7f}\u{3}\u{1a}";
    let wanted: Vec<String> = [
        "Char('a')",
        "Char('X')",
        "Char('i')",
        "Char('[')",
        "Char('O')",
        "Char(']')",
        "Char('é')",
        "Char('漢')",
        "Char('😀')",
        "Char(' ')",
        "Enter",
        "Tab",
        "Backspace",
        "KeyModifiers(CONTROL) Char('c')",
        "KeyModifiers(CONTROL) Char('z')",
    ]
    .map(str::to_owned)
    .to_vec();
    for gap in [0, 5, 120, 2000] {
        let parts: Vec<&[u8]> = typed.as_bytes().chunks(1).collect();
        // A character of several bytes is not typed more slowly than a second a byte.
        let gap = gap.min(900);
        assert_eq!(words(&sent(&parts, ms(gap)).0), wanted, "{gap}");
    }
    // Escape, then a bracket: both are heard, whatever comes between.
    for gap in [60, 120, 500, 1500] {
        assert_eq!(words(&sent(&[b"\x1b", b"[", b"a"], ms(gap)).0), ["Esc", "Char('[')", "Char('a')"], "{gap}");
        assert_eq!(words(&sent(&[b"\x1b", b"x"], ms(gap)).0), ["Esc", "Char('x')"], "{gap}");
    }
    assert_eq!(whole(b"\x1b\x1b"), ["Esc", "Esc"]);
    assert_eq!(whole(b"\x1bx"), ["KeyModifiers(ALT) Char('x')"], "Alt, which nothing is bound to");
}

#[test]
fn a_paste_without_an_end_ends_with_silence() {
    let (events, _) = sent(&[b"\x1b[200~aax", b"xi"], ms(500));
    assert_eq!(words(&events), ["paste \"aaxxi\""]);
    let huge = [b"\x1b[200~".to_vec(), vec![b'a'; 3 << 20], b"\x1b[201~x".to_vec()].concat();
    let (events, _) = sent(&[&huge], Duration::ZERO);
    assert!(matches!(&events[..], [Event::Paste(text), Event::Key(_)] if text.len() < 2 << 20));
}

#[test]
fn what_came_in_pieces_is_counted() {
    assert_eq!(sent(&[b"\x1b[6", b"~"], ms(30)).1.joined, 1);
    assert_eq!(sent(&[b"\x1b", b"[6~"], ms(5)).1.joined, 1);
    assert_eq!(sent(&[b"\x1b[6~", b"\x1b[6~"], ms(30)).1.joined, 0);
    assert_eq!(sent(&[b"\x1b[99~"], ms(30)).1.unknown, 1);
}

proptest! {
    /// Whatever comes, whenever it comes: nothing panics, nothing waits for ever, nothing grows without end.
    #[test]
    fn any_bytes_at_any_time(parts in proptest::collection::vec((proptest::collection::vec(any::<u8>(), 0..12), 0u64..1500), 0..40)) {
        let mut decoder = Decoder::new(true);
        let mut at = Duration::ZERO;
        let mut out = Vec::new();
        for (bytes, gap) in parts {
            at += ms(gap);
            out.extend(decoder.feed(&bytes, at));
        }
        while let Some(deadline) = decoder.deadline() {
            let before = deadline;
            decoder.expire(deadline, &mut out);
            prop_assert!(decoder.deadline().is_none_or(|next| next > before));
        }
        // What is typed after it is heard.
        let heard = decoder.feed(b"j", at + ms(10_000));
        prop_assert!(matches!(&heard[..], [Event::Key(key)] if key.code == KeyCode::Char('j')));
    }

    /// Letters typed with nothing else around them are never lost and never changed.
    #[test]
    fn no_letter_is_lost(text in "[a-zA-Z0-9 ;~<]{0,60}", cuts in proptest::collection::vec(0usize..60, 0..6), gap in 0u64..300) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
        cuts.sort_unstable();
        let mut parts: Vec<&[u8]> = Vec::new();
        let mut from = 0;
        for cut in cuts.into_iter().chain([text.len()]) {
            parts.push(&text.as_bytes()[from..cut]);
            from = cut;
        }
        let heard: String = sent(&parts, ms(gap)).0.iter().filter_map(|event| match event {
            Event::Key(key) => match key.code { KeyCode::Char(c) => Some(c), _ => None },
            _ => None,
        }).collect();
        prop_assert_eq!(heard, text);
    }
}

#[test]
fn a_control_of_two_bytes_is_no_key() {
    assert_eq!(whole("\u{8b}é\u{9f}x".as_bytes()), ["Char('é')", "Char('x')"]);
}
