//! What a key does: past the guard, then to what lies over the screen, then by the table of keys.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::{App, HELD, Overlay, Question};
use crate::action::{Action, ScreenId};
use crate::contract::{Effect, Request};
use crate::guard::Verdict;
use crate::key::Key;
use crate::widgets::cursor::moved;
use crate::widgets::help::{Help, Helped};
use crate::widgets::paragraph;
use crate::widgets::prompt::{Prompt, Typed};
use dejaview_labels::EventKind;

/// What `y` waits for.
const COPY: &str = "copy: a source id · b target id · p both · u URL of the source";

impl App {
    pub(super) fn key(&mut self, event: &KeyEvent, at: Duration) -> Vec<Request> {
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
        self.bar = barred(verdict, event.kind).filter(|why| self.shared.preferences.guard || *why == HELD);
        if let Some(overlay) = self.overlays.pop() {
            let effects = self.overlay_key(overlay, event, at);
            if self.overlays.is_empty() {
                // The pair was not seen while something lay over it.
                self.shared.guard.hide();
            }
            return effects;
        }
        let Some(key) = Key::of(event) else { return Vec::new() };
        let action = self.shared.keymap.resolve(key, self.shared.screen);
        if action.is_none() && matches!(key, Key::Char(_)) {
            self.shared.message = Some(self.nothing_here(key));
        }
        let Some(action) = action else { return Vec::new() };
        self.shared.message = None;
        self.act(action, at)
    }

    /// What to say of a key that might be meant for another screen.
    fn nothing_here(&self, key: Key) -> String {
        if self.shared.screen != ScreenId::Label {
            let (key, help) = (self.shared.keymap.written(key), self.shared.way_to(Action::Help));
            return format!("{key} does nothing here: {help} shows the keys");
        }
        let [near, not, unsure] = Action::LABELS.map(|action| self.shared.way_to(action));
        let (key, palette, back) =
            (self.shared.keymap.written(key), self.shared.way_to(Action::Palette), self.shared.way_to(Action::Back));
        format!(
            "{key} does nothing here: {near} {not} {unsure} decide, {palette} goes to a screen by name, {back} goes back"
        )
    }

    fn overlay_key(&mut self, overlay: Overlay, event: &KeyEvent, at: Duration) -> Vec<Request> {
        match overlay {
            Overlay::Help(help) => self.help_key(help, event),
            Overlay::Copy => match Key::of(event) {
                Some(Key::Char('a')) => self.act(Action::CopySource, at),
                Some(Key::Char('b')) => self.act(Action::CopyTarget, at),
                Some(Key::Char('p')) => self.act(Action::CopyPair, at),
                Some(Key::Char('u')) => self.act(Action::CopyUrl, at),
                _ => {
                    self.shared.message = None;
                    Vec::new()
                }
            },
            Overlay::Guidelines(top) => self.guidelines_key(top, event),
            Overlay::Choose(choice, at) => {
                self.chosen(choice, at, Key::of(event));
                Vec::new()
            }
            Overlay::Ask(question, prompt) => {
                // What was said of the line holds until it changes.
                self.shared.message = None;
                self.line_key(question, prompt, event, at)
            }
        }
    }

    /// A key into a line that is being typed.
    fn line_key(&mut self, question: Question, mut prompt: Prompt, event: &KeyEvent, at: Duration) -> Vec<Request> {
        if question == Question::Palette {
            return self.palette_key(prompt, event, at);
        }
        match prompt.key(event) {
            Typed::More => self.over(Overlay::Ask(question, prompt)),
            Typed::Cancelled => {
                self.draft = (question == Question::Note).then(|| (self.noted.take(), prompt.text));
                Vec::new()
            }
            Typed::Done => self.typed(question, prompt.text),
        }
    }

    fn help_key(&mut self, mut help: Help, event: &KeyEvent) -> Vec<Request> {
        let Some(key) = Key::of(event) else { return self.over(Overlay::Help(help)) };
        if self.shared.keymap.resolve(key, self.shared.screen) == Some(Action::Quit) && matches!(key, Key::Ctrl(_)) {
            return vec![Effect::Quit.into()];
        }
        match help.key(key, &self.shared.keymap, self.shared.screen) {
            Helped::Stays => self.over(Overlay::Help(help)),
            Helped::Closed => Vec::new(),
        }
    }

    fn guidelines_key(&mut self, top: usize, event: &KeyEvent) -> Vec<Request> {
        let (last, page) = paragraph::reach(&self.guidelines(), self.shared.area());
        let action = Key::of(event).and_then(|key| self.shared.keymap.resolve(key, ScreenId::Home));
        match action.and_then(|action| moved(action, top, page, last)) {
            Some(top) => self.over(Overlay::Guidelines(top)),
            None if action == Some(Action::Quit) => vec![Effect::Quit.into()],
            None => Vec::new(),
        }
    }

    fn palette_key(&mut self, mut prompt: Prompt, event: &KeyEvent, at: Duration) -> Vec<Request> {
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        let replaced = match event.code {
            KeyCode::Tab | KeyCode::BackTab => {
                let candidates = self.candidates(&prompt.text);
                self.command_line.complete(&prompt.text, &candidates, event.code == KeyCode::Tab)
            }
            KeyCode::Up | KeyCode::Down => self.command_line.recall(&prompt.text, event.code == KeyCode::Up),
            KeyCode::Char(c @ ('p' | 'n')) if control => self.command_line.recall(&prompt.text, c == 'p'),
            _ => match prompt.key(event) {
                Typed::More => {
                    self.command_line.touched();
                    None
                }
                Typed::Cancelled => {
                    self.command_line.touched();
                    return Vec::new();
                }
                Typed::Done => {
                    let line = prompt.text.trim().to_owned();
                    self.command_line.finished(&line);
                    return self.command(&line, at);
                }
            },
        };
        if let Some(text) = replaced {
            prompt = Prompt::with(&text);
        }
        self.over(Overlay::Ask(Question::Palette, prompt))
    }

    /// Asks which part of the pair to copy.
    pub(super) fn ask_copy(&mut self) -> Vec<Request> {
        self.shared.message = Some(COPY.to_owned());
        self.over(Overlay::Copy)
    }

    /// A line was finished.
    fn typed(&mut self, question: Question, text: String) -> Vec<Request> {
        if question == Question::Note {
            return self.noted_down(text);
        }
        self.asked(question, &text)
    }

    /// Records a note on the pair that it was begun on. What cannot be recorded, since the pair is not there yet or not any
    /// more, is kept as a draft.
    fn noted_down(&mut self, text: String) -> Vec<Request> {
        let begun = self.noted.take();
        let here = begun == self.looked_at();
        if here && self.holds(&EventKind::Note(text.clone())) {
            self.shared.message = Some("the note is as it was: nothing is written".to_owned());
            return Vec::new();
        }
        let effects = if here { self.record(EventKind::Note(text.clone()), None) } else { Vec::new() };
        if effects.is_empty() {
            self.draft = Some((begun, text));
            let again = self.shared.way_to(Action::Note);
            let why = format!("not recorded: the pair is not on the screen; {again} on it goes on with the note");
            self.shared.message.get_or_insert(why);
        }
        effects
    }
}

/// Why a key that writes may not, if it may not.
fn barred(verdict: Verdict, kind: KeyEventKind) -> Option<&'static str> {
    match verdict {
        _ if kind == KeyEventKind::Repeat => Some(HELD),
        Verdict::AfterEscape => Some("not recorded: an Escape came just before (a moment, then again)"),
        Verdict::TooFast => Some("too fast: not recorded"),
        _ => None,
    }
}
