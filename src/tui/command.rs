//! What is typed behind `:`: every action by its long name, and `set`, `theme`, `map`, `help`, `write`.

use super::action::Action;
use super::contract::{Effect, Request, Screen};
use super::key::Key;
use super::keymap::Profile;
use super::outside;
use super::overlays::help::Help;
use super::samples;
use super::shared::Shared;
use super::theme::Palette;
use super::widgets::completion::{Candidate, fitting};
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

/// What may be typed, the best first.
pub fn candidates(text: &str, shared: &Shared) -> Vec<Candidate> {
    let candidate = |line: String, note: String| Candidate { line, note };
    let actions = shared.keymap.actions().map(|action| {
        let key = shared.keymap.key_of(action, shared.screen).unwrap_or_default();
        candidate(action.name().to_owned(), key)
    });
    let commands = COMMANDS.iter().map(|(line, note)| candidate((*line).to_owned(), (*note).to_owned()));
    let themes = Palette::ALL.map(|palette| candidate(format!("theme {}", palette.name()), String::new()));
    let profiles = Profile::ALL.map(|one| candidate(format!("set profile {}", one.name()), String::new()));
    let samples = shared.sample_names().into_iter().map(|name| candidate(format!("sample {name}"), String::new()));
    let all = actions.chain(commands).chain(samples).chain(themes).chain(profiles).collect();
    fitting(all, shared.command_line.typed(text))
}

/// Does what was typed: a command, the exact name of an action, else the only one that begins so.
pub fn command(line: &str, screen: &dyn Screen, shared: &mut Shared) -> Vec<Request> {
    let mut words = line.splitn(2, ' ');
    let (first, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default().trim());
    match (first, rest) {
        ("set", _) => set(rest, shared),
        ("theme", _) => choose_theme(rest, shared),
        ("map", _) => vec![Request::open(Help::everywhere())],
        ("help", key) if !key.is_empty() => {
            shared.message = Some(help_on(key, shared));
            Vec::new()
        }
        ("sample", name) => samples::choose(name, shared),
        ("w" | "write", file) => outside::write_texts(file, screen, shared),
        _ => by_name(line, shared),
    }
}

fn by_name(name: &str, shared: &mut Shared) -> Vec<Request> {
    if let Some(action) = shared.keymap.actions().find(|action| action.name() == name) {
        return vec![Request::Act(action)];
    }
    if Action::LABELS.iter().any(|action| action.name() == name) {
        shared.message = Some("a label is made by its key alone, with the pair in sight".to_owned());
        return Vec::new();
    }
    let begins = |action: &Action| !name.is_empty() && action.name().starts_with(name);
    let begin: Vec<Action> = shared.keymap.actions().filter(begins).collect();
    match begin[..] {
        [action] => return vec![Request::Act(action)],
        [] if name.is_empty() => {}
        [] => shared.message = Some(format!("there is no “{name}”; Tab behind : lists what there is")),
        _ => {
            let names: Vec<&str> = begin.iter().map(|action| action.name()).collect();
            shared.message = Some(format!("which one: {}?", names.join(", ")));
        }
    }
    Vec::new()
}

/// Says what a key, or an action's key, is.
fn help_on(name: &str, shared: &Shared) -> String {
    let (keymap, screen) = (&shared.keymap, shared.screen);
    if let Some(key) = Key::named(name) {
        return match keymap.of_key(key, screen) {
            Some(bound) => {
                format!("{}: {} ({}, {})", key.label(), bound.help, bound.action.name(), bound.source.words())
            }
            None => format!("{} does nothing on {}", key.label(), screen.name()),
        };
    }
    match keymap.named(name).map(|action| (action, keymap.key_of(action, screen))) {
        Some((action, Some(key))) => format!("{} is on {key}", action.name()),
        Some((action, None)) => {
            format!("{} has no key on {}: type :{name}", action.name(), screen.name())
        }
        None => format!("“{name}” is neither a key nor an action"),
    }
}

fn set(what: &str, shared: &mut Shared) -> Vec<Request> {
    let said = |text: &str| Some(text.to_owned());
    match what.split_whitespace().collect::<Vec<_>>()[..] {
        ["mouse"] | ["mouse", "on"] => return set_mouse(true, shared),
        ["nomouse"] | ["mouse", "off"] => return set_mouse(false, shared),
        ["hud"] | ["hud", "on"] => shared.preferences.hud = true,
        ["nohud"] | ["hud", "off"] => shared.preferences.hud = false,
        ["sync", "auto"] => shared.preferences.sync = Sync::Auto,
        ["sync", "on"] => shared.preferences.sync = Sync::On,
        ["sync", "off"] => shared.preferences.sync = Sync::Off,
        ["guard"] | ["guard", "on"] => shared.preferences.guard = true,
        ["noguard"] | ["guard", "off"] => {
            shared.message = said("the guard is switched off in the settings alone: input.guard = false");
        }
        ["theme", name] => return choose_theme(name, shared),
        ["profile", name] => match Profile::named(name) {
            Some(profile) => {
                shared.preferences.profile = profile;
                let (keymap, problems) = shared.preferences.keymap(shared.keymap.screens());
                shared.keymap = keymap;
                shared.message = problems.into_iter().next();
            }
            None => shared.message = said("profiles are prodigy, dedupe, hical and digits"),
        },
        _ => shared.message = said("set what? mouse, nomouse, hud, nohud, sync auto|on|off, theme NAME, profile NAME"),
    }
    Vec::new()
}

fn set_mouse(on: bool, shared: &mut Shared) -> Vec<Request> {
    shared.preferences.mouse = on;
    let text = if on { "the wheel scrolls; Shift-drag selects as before" } else { "the mouse is the terminal's" };
    shared.message = Some(text.to_owned());
    vec![Effect::Mouse(on).into()]
}

fn choose_theme(name: &str, shared: &mut Shared) -> Vec<Request> {
    match Palette::named(name) {
        Some(palette) => {
            shared.preferences.palette = palette;
            shared.theme = shared.preferences.theme();
        }
        None => shared.message = Some(format!("themes are {}", Palette::ALL.map(Palette::name).join(", "))),
    }
    Vec::new()
}
