//! What is typed behind `:`: every action by its long name, and `set`, `theme`, `map`, `help`, `write`.

use std::time::Duration;

use super::{App, Overlay};
use crate::action::Action;
use crate::bindings::Profile;
use crate::contract::{Effect, Request};
use crate::key::Key;
use crate::theme::Palette;
use crate::widgets::completion::{Candidate, fitting};
use crate::widgets::help::Help;
use dejaview_study::settings::Sync;

/// Commands that are no actions, and what they do.
const COMMANDS: [(&str, &str); 14] = [
    ("map", "all keys, and who says so"),
    ("help KEY", "what a key does"),
    ("sample NAME", "which sample Label opens"),
    ("write FILE", "both texts into a file"),
    ("set mouse", "the wheel scrolls; Shift-drag selects"),
    ("set nomouse", "the mouse is the terminal's"),
    ("set hud", "times of keys and frames"),
    ("set nohud", "no times"),
    ("set sync auto", "frames in one piece where that is cheap"),
    ("set sync on", "frames in one piece always"),
    ("set sync off", "frames as they come"),
    ("set guard", "watch the keys that write"),
    ("set profile", "keys of prodigy, dedupe, hical or digits"),
    ("theme", "auto, light, dark, colour-blind or mono"),
];

impl App {
    /// What may be typed, the best first.
    pub fn candidates(&self, text: &str) -> Vec<Candidate> {
        let candidate = |line: String, note: String| Candidate { line, note };
        let actions = Action::all().map(|action| {
            let key = self.shared.keymap.key_of(action, self.shared.screen).unwrap_or_default();
            candidate(action.name().to_owned(), key)
        });
        let commands = COMMANDS.iter().map(|(line, note)| candidate((*line).to_owned(), (*note).to_owned()));
        let themes = Palette::ALL.map(|palette| candidate(format!("theme {}", palette.name()), String::new()));
        let profiles = Profile::ALL.map(|one| candidate(format!("set profile {}", one.name()), String::new()));
        let samples =
            self.shared.sample_names().into_iter().map(|name| candidate(format!("sample {name}"), String::new()));
        let all = actions.chain(commands).chain(samples).chain(themes).chain(profiles).collect();
        fitting(all, self.command_line.typed(text))
    }

    /// Does what was typed: a command, the exact name of an action, else the only one that begins so.
    pub(super) fn command(&mut self, line: &str, at: Duration) -> Vec<Request> {
        let mut words = line.splitn(2, ' ');
        let (first, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default().trim());
        match (first, rest) {
            ("set", _) => return self.set(rest),
            ("theme", _) => return self.choose_theme(rest),
            ("map", _) => return self.over(Overlay::Help(Help::everywhere())),
            ("help", key) if !key.is_empty() => {
                self.shared.message = Some(self.help_on(key));
                return Vec::new();
            }
            ("sample", name) => return self.choose_sample(name),
            ("w" | "write", file) => return self.write_texts(file),
            _ => {}
        }
        self.by_name(line, at)
    }

    fn by_name(&mut self, name: &str, at: Duration) -> Vec<Request> {
        if let Some(action) = Action::all().find(|action| action.name() == name) {
            return self.act(action, at);
        }
        if Action::LABELS.iter().any(|action| action.name() == name) {
            self.shared.message = Some("a label is made by its key alone, with the pair in sight".to_owned());
            return Vec::new();
        }
        let begin: Vec<Action> = Action::all().filter(|a| !name.is_empty() && a.name().starts_with(name)).collect();
        match begin[..] {
            [action] => return self.act(action, at),
            [] if name.is_empty() => {}
            [] => self.shared.message = Some(format!("there is no “{name}”; Tab behind : lists what there is")),
            _ => {
                let names: Vec<&str> = begin.iter().map(|action| action.name()).collect();
                self.shared.message = Some(format!("which one: {}?", names.join(", ")));
            }
        }
        Vec::new()
    }

    /// Says what a key, or an action's key, is.
    fn help_on(&self, name: &str) -> String {
        if let Some(key) = Key::named(name) {
            return match self.shared.keymap.of_key(key, self.shared.screen) {
                Some(bound) => {
                    format!("{}: {} ({}, {})", key.label(), bound.help, bound.action.name(), bound.source.words())
                }
                None => format!("{} does nothing on {}", key.label(), self.shared.screen.name()),
            };
        }
        match Action::named(name).map(|action| (action, self.shared.keymap.key_of(action, self.shared.screen))) {
            Some((action, Some(key))) => format!("{} is on {key}", action.name()),
            Some((action, None)) => {
                format!("{} has no key on {}: type :{name}", action.name(), self.shared.screen.name())
            }
            None => format!("“{name}” is neither a key nor an action"),
        }
    }

    fn set(&mut self, what: &str) -> Vec<Request> {
        let said = |text: &str| Some(text.to_owned());
        match what.split_whitespace().collect::<Vec<_>>()[..] {
            ["mouse"] | ["mouse", "on"] => return self.set_mouse(true),
            ["nomouse"] | ["mouse", "off"] => return self.set_mouse(false),
            ["hud"] | ["hud", "on"] => self.shared.preferences.hud = true,
            ["nohud"] | ["hud", "off"] => self.shared.preferences.hud = false,
            ["sync", "auto"] => self.shared.preferences.sync = Sync::Auto,
            ["sync", "on"] => self.shared.preferences.sync = Sync::On,
            ["sync", "off"] => self.shared.preferences.sync = Sync::Off,
            ["guard"] | ["guard", "on"] => self.shared.preferences.guard = true,
            ["noguard"] | ["guard", "off"] => {
                self.shared.message = said("the guard is switched off in the settings alone: input.guard = false");
            }
            ["theme", name] => return self.choose_theme(name),
            ["profile", name] => match Profile::named(name) {
                Some(profile) => {
                    self.shared.preferences.profile = profile;
                    let (keymap, problems) = self.shared.preferences.keymap();
                    self.shared.keymap = keymap;
                    self.shared.message = problems.into_iter().next();
                }
                None => self.shared.message = said("profiles are prodigy, dedupe, hical and digits"),
            },
            _ => {
                self.shared.message =
                    said("set what? mouse, nomouse, hud, nohud, sync auto|on|off, theme NAME, profile NAME")
            }
        }
        Vec::new()
    }

    fn set_mouse(&mut self, on: bool) -> Vec<Request> {
        self.shared.preferences.mouse = on;
        let text = if on { "the wheel scrolls; Shift-drag selects as before" } else { "the mouse is the terminal's" };
        self.shared.message = Some(text.to_owned());
        vec![Effect::Mouse(on).into()]
    }

    fn choose_theme(&mut self, name: &str) -> Vec<Request> {
        match Palette::named(name) {
            Some(palette) => {
                self.shared.preferences.palette = palette;
                self.shared.theme = self.shared.preferences.theme();
            }
            None => self.shared.message = Some(format!("themes are {}", Palette::ALL.map(Palette::name).join(", "))),
        }
        Vec::new()
    }
}
