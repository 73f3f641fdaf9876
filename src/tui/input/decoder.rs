//! Bytes and the clock in, events out. Pure: no terminal, no time of its own.
//!
//! An Escape is held for a moment. What follows within it belongs to it: a sequence is collected to its end, however late
//! its bytes are, a letter makes it Alt and the letter. What follows later is a person's; but a bracket within a second
//! after an Escape is held as well, for a line may be slower than the hold, and nobody types `[6~` in one go. So is what
//! may begin an answer of the terminal: nobody types `]11;rgb:` at all. Whatever is held and turns out to be keys is
//! given out, none of it is dropped.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::hold::{HOLD, HOLD_SSH, PASTE_SILENCE};
use super::reply::{Reply, background, reply, short};
use super::sequence::{self, Meaning};
use crate::event::Event;

/// A sequence that has begun is given up after this silence; so long a bracket may follow its Escape, too.
const PATIENCE: Duration = Duration::from_secs(1);
/// The numbers that an answer of the terminal begins with follow each other within this time.
const PACE: Duration = Duration::from_millis(250);
/// No sequence but a paste is longer.
const LONGEST: usize = 4096;
/// More than this is not taken from one paste.
const LONGEST_PASTE: usize = 1 << 20;

const PASTE_END: &[u8] = b"\x1b[201~";

/// What the bytes at hand are part of.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// Nothing.
    Ground,
    /// A character of several bytes.
    Character,
    /// An Escape that waits for what it is.
    Escape,
    /// A bracket soon after an Escape: a person's key unless more follows at once.
    Doubtful(u8),
    /// What may begin an answer of the terminal, soon after an Escape; so many bytes of it were given out as keys.
    Suspect(usize),
    /// `ESC [` or `ESC O` and what came since.
    Sequence(u8),
    /// A mouse report of the old kind: bytes still to come.
    OldMouse(u8),
    /// A string up to BEL or `ESC \`: an answer of the terminal, be it to a question that we never asked.
    Text,
    Paste,
}

/// Turns bytes into events.
#[derive(Debug)]
pub struct Decoder {
    hold: Duration,
    state: State,
    /// Bytes of the state: without `ESC [` for a sequence.
    bytes: Vec<u8>,
    /// When the last byte came.
    last: Duration,
    /// When a bare Escape was given out.
    escape: Option<Duration>,
    /// Sequences that came in pieces and were put together again.
    pub joined: u64,
    /// Sequences that mean nothing to us.
    pub unknown: u64,
    /// Whether the sequence at hand waited for a byte.
    waited: bool,
}

impl Decoder {
    /// Over ssh the hold is longer.
    pub fn new(ssh: bool) -> Self {
        Self {
            hold: if ssh { HOLD_SSH } else { HOLD },
            state: State::Ground,
            bytes: Vec::new(),
            last: Duration::ZERO,
            escape: None,
            joined: 0,
            unknown: 0,
            waited: false,
        }
    }

    /// Until when more bytes are waited for; none when nothing waits.
    pub fn deadline(&self) -> Option<Duration> {
        let wait = match self.state {
            State::Ground => return None,
            State::Escape | State::Doubtful(_) => self.hold,
            State::Suspect(given) if given < self.bytes.len() => self.suspicion(),
            State::Paste => PASTE_SILENCE,
            State::Character | State::Suspect(_) | State::Sequence(_) | State::OldMouse(_) | State::Text => PATIENCE,
        };
        Some(self.last + wait)
    }

    /// Takes bytes that were read `at`.
    pub fn feed(&mut self, bytes: &[u8], at: Duration) -> Vec<Event> {
        let mut out = Vec::new();
        self.expire(at, &mut out);
        self.waited |= !matches!(self.state, State::Ground | State::Paste) && at > self.last;
        for &byte in bytes {
            self.byte(byte, at, &mut out);
            self.last = at;
        }
        out
    }

    /// Gives out what waited too long.
    pub fn expire(&mut self, at: Duration, out: &mut Vec<Event>) {
        if self.deadline().is_none_or(|deadline| at < deadline) {
            return;
        }
        if let State::Suspect(given) = self.state
            && given < self.bytes.len()
            && at < self.last + PATIENCE
        {
            // It may still be an answer, whose next byte is later than a person could be kept waiting.
            out.extend(self.bytes[given..].iter().copied().filter_map(single));
            self.state = State::Suspect(self.bytes.len());
            return;
        }
        match std::mem::replace(&mut self.state, State::Ground) {
            State::Escape => {
                self.escape = Some(self.last);
                out.push(press(KeyCode::Esc));
            }
            State::Doubtful(byte) => out.push(character(char::from(byte))),
            State::Suspect(given) => {
                out.extend(self.bytes.drain(..).skip(given).filter_map(single));
            }
            // Alt and a bracket, or a sequence whose end was lost. No key that could write.
            State::Sequence(introducer) if self.bytes.is_empty() => out.push(alt(introducer)),
            State::Paste => out.push(self.pasted()),
            State::Ground => {}
            _ => self.unknown += 1,
        }
        self.reset();
    }

    /// How long what may begin an answer is kept from being keys.
    fn suspicion(&self) -> Duration {
        match self.bytes.len() {
            1 => self.hold,
            _ if short(&self.bytes) => PACE,
            _ => PATIENCE,
        }
    }

    fn reset(&mut self) {
        self.state = State::Ground;
        self.bytes.clear();
        self.waited = false;
    }

    fn byte(&mut self, byte: u8, at: Duration, out: &mut Vec<Event>) {
        match self.state {
            State::Ground => self.ground(byte, at, out),
            State::Character => self.continuation(byte, at, out),
            State::Escape => self.escaped(byte, at, out),
            State::Doubtful(introducer) => {
                self.state = State::Sequence(introducer);
                self.within(introducer, byte, at, out);
            }
            State::Suspect(given) => self.suspect(given, byte, at, out),
            State::Sequence(introducer) => self.within(introducer, byte, at, out),
            State::OldMouse(left) if left > 1 => self.state = State::OldMouse(left - 1),
            State::OldMouse(_) => self.finish(Meaning::Nothing, out),
            State::Text => self.text(byte, out),
            State::Paste => self.paste(byte, out),
        }
    }

    fn ground(&mut self, byte: u8, at: Duration, out: &mut Vec<Event>) {
        let soon = self.escape.is_some_and(|escape| at.saturating_sub(escape) < PATIENCE);
        match byte {
            0x1b => self.state = State::Escape,
            b'[' | b'O' if soon => self.state = State::Doubtful(byte),
            b']' | b'P' if soon => {
                self.bytes.push(byte);
                self.state = State::Suspect(0);
            }
            0xc2..=0xf4 => {
                self.bytes.push(byte);
                self.state = State::Character;
            }
            _ => out.extend(single(byte)),
        }
    }

    fn suspect(&mut self, given: usize, byte: u8, at: Duration, out: &mut Vec<Event>) {
        self.bytes.push(byte);
        match reply(&self.bytes) {
            Reply::Perhaps => {}
            Reply::Surely => self.state = State::Text,
            Reply::No => {
                self.bytes.pop();
                out.extend(self.bytes.drain(..).skip(given).filter_map(single));
                self.reset();
                self.byte(byte, at, out);
            }
        }
    }

    fn continuation(&mut self, byte: u8, at: Duration, out: &mut Vec<Event>) {
        if byte & 0xc0 != 0x80 {
            // Not text after all: what was begun is dropped, what comes is itself.
            self.unknown += 1;
            self.reset();
            return self.byte(byte, at, out);
        }
        self.bytes.push(byte);
        let whole = std::str::from_utf8(&self.bytes).ok().and_then(|text| text.chars().next());
        if whole.is_some() || self.bytes.len() >= 4 {
            // U+0080 to U+009F are controls, and no key.
            let typed = whole.filter(|c| !c.is_control());
            self.unknown += u64::from(typed.is_none());
            out.extend(typed.map(character));
            self.reset();
        }
    }

    fn escaped(&mut self, byte: u8, at: Duration, out: &mut Vec<Event>) {
        match byte {
            b'[' | b'O' => self.state = State::Sequence(byte),
            b']' | b'P' | b'_' | b'^' | b'X' => {
                self.bytes.push(byte);
                self.state = State::Text;
            }
            0x1b => {
                self.escape = Some(at);
                out.push(press(KeyCode::Esc));
            }
            _ => {
                self.reset();
                out.push(alt(byte));
            }
        }
    }

    fn within(&mut self, introducer: u8, byte: u8, at: Duration, out: &mut Vec<Event>) {
        match (introducer, byte) {
            // Another sequence begins, or nonsense: this one has no end.
            (_, 0x1b) => {
                self.unknown += 1;
                self.reset();
                self.byte(byte, at, out);
            }
            (b'O', _) => self.finish(sequence::ss3(byte), out),
            // F1 to F5 of the Linux console: ESC [ [ A.
            (_, b'[') if self.bytes.is_empty() => self.bytes.push(byte),
            (_, _) if self.bytes == b"[" => self.finish(Meaning::Nothing, out),
            (_, b'M') if self.bytes.is_empty() => self.state = State::OldMouse(3),
            (_, 0x40..=0x7e) => {
                let meaning = sequence::csi(&self.bytes, byte);
                self.finish(meaning, out);
            }
            (_, 0x20..=0x3f) if self.bytes.len() < LONGEST => self.bytes.push(byte),
            _ => self.finish(Meaning::Unknown, out),
        }
    }

    /// A sequence is whole.
    fn finish(&mut self, meaning: Meaning, out: &mut Vec<Event>) {
        self.joined += u64::from(self.waited);
        let paste = meaning == Meaning::Paste;
        match meaning {
            Meaning::Key(key) => out.push(Event::Key(key)),
            Meaning::Scroll(down) => out.push(Event::Scroll(down)),
            Meaning::Focus => out.push(Event::Redraw),
            Meaning::Unknown => self.unknown += 1,
            Meaning::Paste | Meaning::Nothing => {}
        }
        self.reset();
        if paste {
            self.state = State::Paste;
        }
    }

    fn text(&mut self, byte: u8, out: &mut Vec<Event>) {
        let end = byte == 0x07 || (byte == b'\\' && self.bytes.last() == Some(&0x1b));
        self.bytes.push(byte);
        if end || self.bytes.len() > LONGEST {
            out.extend(background(&self.bytes).map(Event::Background));
            self.finish(Meaning::Nothing, out);
        }
    }

    fn paste(&mut self, byte: u8, out: &mut Vec<Event>) {
        self.bytes.push(byte);
        if self.bytes.ends_with(PASTE_END) {
            self.bytes.truncate(self.bytes.len() - PASTE_END.len());
            out.push(self.pasted());
            self.reset();
        } else if self.bytes.len() > LONGEST_PASTE {
            // What ends it must still be seen, what it holds need not be.
            self.bytes.drain(LONGEST_PASTE / 2..LONGEST_PASTE - PASTE_END.len());
        }
    }

    fn pasted(&self) -> Event {
        Event::Paste(String::from_utf8_lossy(&self.bytes).replace("\r\n", "\n").replace('\r', "\n"))
    }
}

fn press(code: KeyCode) -> Event {
    Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn character(c: char) -> Event {
    let modifiers = if c.is_uppercase() { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
    Event::Key(KeyEvent::new(KeyCode::Char(c), modifiers))
}

fn control(c: char) -> Event {
    Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL))
}

/// A key with Alt: no binding has one.
fn alt(byte: u8) -> Event {
    let (code, more) = match single(byte) {
        Some(Event::Key(key)) => (key.code, key.modifiers),
        _ => (KeyCode::Null, KeyModifiers::NONE),
    };
    Event::Key(KeyEvent::new(code, more | KeyModifiers::ALT))
}

/// A byte that is a key by itself; none for those that begin or continue nothing.
fn single(byte: u8) -> Option<Event> {
    Some(match byte {
        b'\r' => press(KeyCode::Enter),
        b'\t' => press(KeyCode::Tab),
        0x7f | 0x08 => press(KeyCode::Backspace),
        0x00 => control(' '),
        0x01..=0x1a => control(char::from(byte + 0x60)),
        0x1c..=0x1f => control(char::from(byte + 0x18)),
        0x20..=0x7e => character(char::from(byte)),
        _ => return None,
    })
}
