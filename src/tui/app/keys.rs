//! What a key does: past the guard, then to what lies over the screen, then by the table of keys.

use std::time::Duration;

use crossterm::event::{KeyEvent, KeyEventKind};

use super::{App, HELD, TOO_FAST};
use crate::contract::{Answer, Effect};
use crate::guard::Verdict;
use crate::key::Key;

impl App {
    pub(super) fn key(&mut self, event: &KeyEvent, at: Duration) -> Vec<Effect> {
        if event.kind == KeyEventKind::Release {
            return Vec::new();
        }
        // The guard sees every key, whatever lies over the screen: an Escape may be the first byte of a sequence.
        let verdict = Key::of(event).map_or(Verdict::AfterEscape, |key| self.shared.guard.judge(key, at));
        if verdict == Verdict::Swallow {
            if self.shared.guard.pasting() {
                self.shared.message =
                    Some("pasted text does nothing here; two seconds without a key end it".to_owned());
            }
            return Vec::new();
        }
        self.barred = barred(verdict, event.kind).filter(|why| self.shared.preferences.guard || *why == HELD);
        if !self.overlays.is_empty() {
            return self.key_over(event, at);
        }
        let Some(key) = Key::of(event) else { return Vec::new() };
        match self.shared.keymap.resolve(key, self.shared.screen) {
            Some(action) => {
                self.shared.message = None;
                let requests = self.act(action, at);
                self.carry_out(requests, at)
            }
            None => {
                if matches!(key, Key::Char(_)) {
                    let key = self.shared.keymap.written(key);
                    self.shared.message = Some(self.screen().unbound(&key, &self.shared));
                }
                Vec::new()
            }
        }
    }

    /// A key for what lies over the screen.
    fn key_over(&mut self, event: &KeyEvent, at: Duration) -> Vec<Effect> {
        let Some(mut overlay) = self.overlays.pop() else { return Vec::new() };
        let effects = match overlay.key(event, &mut self.shared) {
            Answer::Stays => {
                self.overlays.push(overlay);
                Vec::new()
            }
            Answer::Asks(requests) => {
                self.overlays.push(overlay);
                self.carry_out(requests, at)
            }
            Answer::Closed(requests) => self.carry_out(requests, at),
        };
        if self.overlays.is_empty() {
            // The pair was not seen while something lay over it.
            self.shared.guard.hide();
        }
        effects
    }
}

/// Why a key that writes may not, if it may not.
fn barred(verdict: Verdict, kind: KeyEventKind) -> Option<&'static str> {
    match verdict {
        _ if kind == KeyEventKind::Repeat => Some(HELD),
        Verdict::AfterEscape => Some("Not saved: Esc was pressed just before. Try again in a second"),
        Verdict::TooFast => Some(TOO_FAST),
        _ => None,
    }
}
