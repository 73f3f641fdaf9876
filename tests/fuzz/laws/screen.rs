//! What reaches the terminal, and what comes from it.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent};
use dejaview::text::markdown;
use dejaview::text::shorten::{columns, shorten_id, shorten_title, shorten_url};
use dejaview::text::{Printable, printable, wrapped};
use dejaview::tui::event::Event;
use dejaview::tui::input::decoder::Decoder;

/// Nothing that is shown moves the cursor, and every place of the source has one in what is shown.
pub fn terminal(bytes: &[u8]) {
    let source = String::from_utf8_lossy(bytes);
    let shown = Printable::new(&source);
    is_harmless(&shown.text);
    assert_eq!(printable(&source), shown.text);
    assert_eq!(printable(&shown.text), shown.text, "harmless once and for all");
    let mut last = 0;
    for at in 0..=source.len() {
        let place = shown.place(at);
        assert!(last <= place && shown.text.is_char_boundary(place) || !source.is_char_boundary(at), "byte {at}");
        last = place.max(last);
    }
    assert_eq!(shown.place(source.len()), shown.text.len());
    for wide in [1, 7, 40] {
        for shortened in [shorten_url(&source, wide), shorten_id(&source, wide), shorten_title(&source, wide)] {
            assert!(columns(&shortened) <= wide, "{shortened:?} in {wide} columns");
            is_harmless(&shortened);
        }
        let words = |text: &str| text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        let lines = wrapped(&source, wide, 2);
        assert_eq!(words(&lines.join(" ")), words(&source), "no word is lost or cut");
        markdown::lines(&source, wide.max(20));
    }
}

fn is_harmless(text: &str) {
    let harmful =
        text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t') || ('\u{202a}'..='\u{202e}').contains(c));
    assert_eq!(harmful, None, "in {text:?}");
}

/// Bytes and pauses: `0xff` and a number are a pause of so many times five milliseconds, all else comes from the terminal.
pub fn keys(bytes: &[u8]) {
    let mut chunks: Vec<(Duration, Vec<u8>)> = vec![(Duration::ZERO, Vec::new())];
    let mut rest = bytes.iter();
    while let Some(&byte) = rest.next() {
        match (byte, chunks.last_mut()) {
            (0xff, _) => {
                let pause = 5 * u64::from(rest.next().copied().unwrap_or_default());
                chunks.push((Duration::from_millis(pause), Vec::new()));
            }
            (byte, Some((_, chunk))) => chunk.push(byte),
            (_, None) => {}
        }
    }
    let whole = heard(&chunks, usize::MAX);
    assert_eq!(heard(&chunks, 1), whole, "byte by byte at the same time");
    assert_eq!(heard(&chunks, 3), whole, "three bytes at a time");
}

/// What is heard when each chunk comes in pieces of so many bytes; then silence.
fn heard(chunks: &[(Duration, Vec<u8>)], size: usize) -> Vec<String> {
    let mut decoder = Decoder::new(false);
    let (mut events, mut at) = (Vec::new(), Duration::from_secs(10));
    for (pause, chunk) in chunks {
        at += *pause;
        while let Some(deadline) = decoder.deadline().filter(|deadline| *deadline <= at) {
            decoder.expire(deadline, &mut events);
        }
        for piece in chunk.chunks(size) {
            events.extend(decoder.feed(piece, at));
        }
    }
    let mut waits = 0;
    while let Some(deadline) = decoder.deadline() {
        decoder.expire(deadline, &mut events);
        waits += 1;
        assert!(waits < 10, "it waits for ever");
    }
    for event in &events {
        if let Event::Key(KeyEvent { code: KeyCode::Char(c), .. }) = event {
            assert!(!c.is_control(), "{c:?} is no character");
        }
    }
    events.iter().map(|event| format!("{event:?}")).collect()
}
