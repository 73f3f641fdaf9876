//! Keeps bytes that nobody typed from writing labels: split escape sequences, typeahead, paste, most of
//! key repeat (the first repeat of a held key cannot be told from a second press).
//!
//! A terminal's own sequences begin with Escape. When one is split on the way (ssh does that), its rest arrives as plain
//! keys. So after a bare Escape: what looks like the rest of a sequence is swallowed, and for a second no key writes
//! anything. And a key that writes counts only when it was read well after the pair it is meant for was on the screen.

use std::time::Duration;

use super::input::hold::{HOLD, HOLD_SSH, PASTE_SILENCE};
use super::key::Key;

/// Nothing is written for this long after a bare Escape.
const LOCK: Duration = Duration::from_secs(1);
/// A pair must have been on the screen this long before a label counts.
const SEEN: Duration = Duration::from_millis(120);

/// What the guard says of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is a person's key; it may write too.
    Write,
    /// It may move and look, but not write: a bare Escape came just before.
    AfterEscape,
    /// It may move and look, but not write: it was read before the pair was seen.
    TooFast,
    /// It is part of a sequence.
    Swallow,
}

/// Watches keys on screens where one key writes.
#[derive(Debug)]
pub struct Guard {
    hold: Duration,
    escape: Option<Duration>,
    /// Characters since the Escape while they may be a sequence.
    tail: Option<String>,
    /// When the last key of a paste came whose beginning was split.
    pasting: Option<Duration>,
    shown: Option<Duration>,
    /// Keys since an Escape, while they could be a sequence that comes as slowly as a person types.
    shadow: Option<String>,
    /// Sequences swallowed so far.
    pub swallowed: u64,
    /// Keys so far that would have written and were not let.
    pub refused: u64,
}

impl Guard {
    /// Over ssh the hold is longer.
    pub fn new(ssh: bool) -> Self {
        let hold = if ssh { HOLD_SSH } else { HOLD };
        Self { hold, escape: None, tail: None, pasting: None, shown: None, shadow: None, swallowed: 0, refused: 0 }
    }

    /// Another pair is to be shown.
    pub fn hide(&mut self) {
        self.shown = None;
    }

    /// The frame with the current pair left for the terminal.
    pub fn show(&mut self, at: Duration) {
        self.shown.get_or_insert(at);
    }

    /// A key wrote, or tried to: the next one that may write comes no sooner than a pair must have been seen. A key that
    /// is held down so holds itself off.
    pub fn delay(&mut self, at: Duration) {
        if self.shown.is_some() {
            self.shown = Some(at);
        }
    }

    /// Whether keys are taken for the rest of a paste whose beginning was split.
    pub fn pasting(&self) -> bool {
        self.pasting.is_some()
    }

    /// Judges a key read `at`.
    pub fn judge(&mut self, key: Key, at: Duration) -> Verdict {
        if self.inside_paste(key, at) || self.inside_sequence(key, at) {
            return Verdict::Swallow;
        }
        if key == Key::Esc {
            self.escape = Some(at);
            (self.tail, self.shadow) = (Some(String::new()), Some(String::new()));
            return Verdict::AfterEscape;
        }
        self.follow(key, at);
        if self.escape.is_some_and(|escape| at.saturating_sub(escape) < LOCK) {
            return Verdict::AfterEscape;
        }
        match self.shown {
            Some(shown) if at >= shown + SEEN => Verdict::Write,
            _ => Verdict::TooFast,
        }
    }

    /// Follows keys that could be a sequence whose bytes come one by one: they do what they do, but the second in which
    /// nothing is written begins anew with each, and a paste that begins so is a paste.
    fn follow(&mut self, key: Key, at: Duration) {
        let late = self.escape.is_none_or(|escape| at.saturating_sub(escape) >= LOCK);
        let Some(mut so_far) = self.shadow.take() else { return };
        let Key::Char(c) = key else { return };
        let begins = so_far.is_empty() && matches!(c, '[' | 'O');
        let goes_on = so_far.starts_with('[') && ('\u{20}'..='\u{3f}').contains(&c);
        let ends = !so_far.is_empty() && ('\u{40}'..='\u{7e}').contains(&c);
        if late || !(begins || goes_on || ends) {
            return;
        }
        self.escape = Some(at);
        so_far.push(c);
        if so_far == "[200~" {
            self.pasting = Some(at);
        } else if begins || goes_on {
            self.shadow = Some(so_far);
        }
    }

    fn inside_paste(&mut self, key: Key, at: Duration) -> bool {
        let Some(last) = self.pasting else { return false };
        if at.saturating_sub(last) > PASTE_SILENCE {
            self.pasting = None;
            return false;
        }
        let c = match key {
            Key::Char(c) => c,
            Key::Enter | Key::Tab | Key::Esc => '\n',
            // No paste holds such a key: it is a person's.
            _ => {
                (self.pasting, self.tail, self.escape) = (None, None, Some(at));
                return false;
            }
        };
        self.pasting = Some(at);
        let tail = self.tail.get_or_insert_default();
        tail.push(c);
        if tail.ends_with("[201~") {
            (self.pasting, self.tail, self.escape) = (None, None, Some(at));
        }
        true
    }

    fn inside_sequence(&mut self, key: Key, at: Duration) -> bool {
        let Some(tail) = &mut self.tail else { return false };
        let recent = self.escape.is_some_and(|escape| at.saturating_sub(escape) <= self.hold);
        let Key::Char(c) = key else {
            self.tail = None;
            return false;
        };
        if tail.is_empty() && (!recent || !matches!(c, '[' | 'O')) {
            self.tail = None;
            return false;
        }
        // Each byte of a sequence may come late, but not later than a person types.
        self.escape = Some(at);
        tail.push(c);
        let introducer = tail.len() == 1;
        if !introducer && ('\u{40}'..='\u{7e}').contains(&c) {
            self.swallowed += 1;
            let paste = tail == "[200~";
            (self.tail, self.pasting) = (None, paste.then_some(at));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn seen() -> Guard {
        let mut guard = Guard::new(false);
        guard.show(ms(0));
        guard
    }

    #[test]
    fn a_person_may_write_once_the_pair_was_seen() {
        let mut guard = seen();
        assert_eq!(guard.judge(Key::Char('a'), ms(119)), Verdict::TooFast);
        assert_eq!(guard.judge(Key::Char('a'), ms(120)), Verdict::Write);
        guard.hide();
        assert_eq!(guard.judge(Key::Char('a'), ms(500)), Verdict::TooFast);
        guard.show(ms(600));
        assert_eq!(guard.judge(Key::Char('a'), ms(719)), Verdict::TooFast);
        assert_eq!(guard.judge(Key::Char('a'), ms(720)), Verdict::Write);
    }

    #[test]
    fn every_split_of_every_sequence_writes_nothing() {
        let sequences = [
            "[A",
            "[6~",
            "[1;5C",
            "Ox",
            "Oa",
            "[a",
            "OM",
            "[<64;85;23M",
            "[<0;12;4m",
            "[I",
            "[200~aaxxii[201~",
            "[12;40R",
        ];
        for sequence in sequences {
            for gap in [0, 5, 30, 120, 900] {
                for split in 0..=sequence.len() {
                    let mut guard = seen();
                    let mut at = ms(5000);
                    assert_ne!(guard.judge(Key::Esc, at), Verdict::Write);
                    for (i, c) in sequence.chars().enumerate() {
                        if i == split {
                            at += ms(gap);
                        }
                        let key = if c == '\u{1b}' { Key::Esc } else { Key::Char(c) };
                        assert_ne!(guard.judge(key, at), Verdict::Write, "{sequence} split at {split} by {gap} ms");
                    }
                }
            }
        }
    }

    #[test]
    fn a_sequence_as_slow_as_a_person_writes_nothing_and_its_keys_are_keys() {
        for sequence in ["[1;5a", "[<0;12;4m", "Oa", "Ox", "[12;40R", "[200~aaxxii"] {
            for gap in [5, 30, 120, 400, 900] {
                let mut guard = seen();
                let mut at = ms(5000);
                guard.judge(Key::Esc, at);
                for c in sequence.chars() {
                    at += ms(gap);
                    let verdict = guard.judge(Key::Char(c), at);
                    assert_ne!(verdict, Verdict::Write, "{sequence} by {gap} ms");
                    // Behind the hold nothing is lost: a person may have typed it. A paste is no person's.
                    let pasted = sequence.contains("200~");
                    assert!(gap <= 25 || pasted || verdict == Verdict::AfterEscape, "{sequence} by {gap} ms");
                }
            }
        }
    }

    #[test]
    fn a_person_may_write_again_a_second_after_escape() {
        let mut guard = seen();
        guard.judge(Key::Esc, ms(1000));
        assert_eq!(guard.judge(Key::Char('x'), ms(1999)), Verdict::AfterEscape);
        assert_eq!(guard.judge(Key::Char('x'), ms(2001)), Verdict::Write);
    }

    #[test]
    fn a_bracket_that_a_person_types_after_escape_is_a_key() {
        let mut guard = seen();
        guard.judge(Key::Esc, ms(1000));
        assert_eq!(guard.judge(Key::Char('['), ms(1300)), Verdict::AfterEscape);
        assert_eq!(guard.judge(Key::Char('['), ms(2400)), Verdict::Write);
    }
}
