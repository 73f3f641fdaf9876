//! What the palette offers and what a typed line does: every action by its name, and commands such as `set`, `theme`,
//! `help`, `write` and `filter`.

use std::fs;
use std::path::PathBuf;

use super::action::Action;
use super::contract::{Effect, Job, PairsOf, Request, Screen, Screens, Show, Stop};
use super::finder::{Choice, Goal};
use super::jobs::Backend;
use super::key::Key;
use super::logbook::LogLine;
use super::outside;
use super::overlays::help::Help;
use super::overlays::page::Page;
use super::profile::Profile;
use super::samples;
use super::shared::Shared;
use super::theme::Palette;
use super::tour::Tour;
use dejaview_report::manual;
use dejaview_report::numbers::plural;
use dejaview_study::settings::Sync;
use dejaview_study::spelling;

/// A command that is no action: how it begins, what must follow, and what it does.
struct CommandWords {
    kind: &'static str,
    line: &'static str,
    /// What must be typed after it; empty where it is whole.
    needs: &'static str,
    about: &'static str,
}

const fn needing(line: &'static str, needs: &'static str, about: &'static str) -> CommandWords {
    CommandWords { kind: "command", line, needs, about }
}

const fn setting(line: &'static str, about: &'static str) -> CommandWords {
    CommandWords { kind: "setting", line, needs: "", about }
}

const COMMANDS: [CommandWords; 19] = [
    needing("tour", "", "the explorer in five steps; again: end it"),
    needing("map", "", "all keys, and where each binding comes from"),
    needing("help", "KEY", "what a key does"),
    needing("sample", "NAME", "choose the sample that Label opens"),
    needing("write", "FILE", "write both texts into a file"),
    needing("filter", "NAME", "show the pairs that pass a saved filter"),
    needing("filter save", "NAME", "save the filter of this screen under a name"),
    needing("filter drop", "NAME", "forget a saved filter"),
    setting("set mouse", "the wheel scrolls; Shift-drag selects"),
    setting("set nomouse", "the mouse is the terminal's"),
    setting("set hud", "show times of keys and frames"),
    setting("set nohud", "show no times"),
    setting("set preview on", "lists show the texts of the pair under their cursor"),
    setting("set preview off", "lists show no texts, for slow lines"),
    setting("set sync auto", "frames in one piece where that is cheap"),
    setting("set sync on", "frames in one piece always"),
    setting("set sync off", "frames as they come"),
    setting("set guard", "watch the keys that write"),
    needing("set profile", "NAME", "keys of prodigy, dedupe, hical or digits"),
];

/// Everything that the palette can find without searching documents: commands first, then places of the study.
pub fn choices(shared: &Shared) -> Vec<Choice> {
    let choice = |kind, text: String, detail: String, key: String, goal| Choice { kind, text, detail, key, goal };
    let command =
        |kind, line: String, detail: String, key| choice(kind, line.clone(), detail, key, Goal::Command(line));
    let actions = shared.keymap.actions().map(|action| {
        let key = shared.keymap.key_of(action, shared.screen).unwrap_or_default();
        let kind = if matches!(action, Action::Go(_)) { "screen" } else { "command" };
        command(kind, action.name().to_owned(), String::new(), key)
    });
    let commands = COMMANDS.iter().map(|CommandWords { kind, line, needs, about }| {
        // A line that ends with a blank is not run: it waits for the rest.
        let goal = Goal::Command(if needs.is_empty() { (*line).to_owned() } else { format!("{line} ") });
        choice(*kind, format!("{line} {needs}").trim_end().to_owned(), (*about).to_owned(), String::new(), goal)
    });
    let outside = outside::COMMANDS.map(|(name, about)| {
        command("command", name.to_owned(), format!("{about}; outside the explorer"), String::new())
    });
    let themes = Palette::ALL.map(|palette| format!("theme {}", palette.name()));
    let profiles = Profile::ALL.map(|profile| format!("set profile {}", profile.name()));
    let settings =
        themes.into_iter().chain(profiles).map(|line| command("setting", line, String::new(), String::new()));
    let samples = shared.sample_names().into_iter().map(|name| {
        let goal = Goal::Command(format!("sample {name}"));
        choice("sample", name, "the sample that Label opens".to_owned(), String::new(), goal)
    });
    let pages = manual::TOPICS
        .iter()
        .map(|topic| command("manual", format!("help {}", topic.name), topic.title().to_owned(), String::new()));
    let saved = shared.filters.saved().map(|(name, filter)| {
        choice("filter", name.to_owned(), filter.to_owned(), String::new(), Goal::Pairs(filter.to_owned()))
    });
    let data = shared.data.iter().filter(|data| data.partial.is_none());
    let places = data.flat_map(|data| {
        let names = data.table.configurations().iter().enumerate();
        let configurations = names.map(|(c, name)| {
            let pairs = data.counts.get(c).map_or(String::new(), |(pairs, _)| plural(*pairs, "pair"));
            choice("configuration", name.clone(), pairs, String::new(), Goal::PairsOfConfiguration(c))
        });
        let topics = data.topics.iter().map(|topic| {
            let goal = Goal::Judgments(spelling::exactly("topic", &topic.number));
            choice("topic", format!("{} {}", topic.number, topic.query), String::new(), String::new(), goal)
        });
        topics.chain(configurations).collect::<Vec<_>>()
    });
    actions
        .chain(commands)
        .chain(outside)
        .chain(settings)
        .chain(samples)
        .chain(saved)
        .chain(places)
        .chain(pages)
        .collect()
}

/// Whether a line is a command as it is: the name of an action, or a command with what it needs. Labels count, since they
/// are answered with the reason why they cannot be given so.
pub fn is_command(line: &str, shared: &Shared) -> bool {
    let words = ["set ", "theme ", "help ", "sample ", "w ", "write ", "filter "];
    let named = |action: Action| action.name() == line;
    let exact = shared.keymap.actions().any(named) || Action::LABELS.into_iter().any(named);
    exact
        || line == "map"
        || line == "tour"
        || outside::COMMANDS.iter().any(|(name, _)| *name == line)
        || words.iter().any(|word| line.starts_with(word))
}

/// What a line does that is a command with what it needs; of a saved filter, what it asks for.
pub fn about(line: &str, shared: &Shared) -> String {
    let named = line.strip_prefix("filter ").and_then(|name| shared.filters.named(name.trim()));
    let begun = COMMANDS.iter().filter(|known| !known.needs.is_empty() && line.starts_with(known.line));
    // `filter save` is another command than `filter`.
    let known = begun.max_by_key(|known| known.line.len()).map(|known| known.about);
    named.or(known).unwrap_or_default().to_owned()
}

/// Does what was typed: a command, or the action of this name.
pub fn command(line: &str, screen: &dyn Screen, shared: &mut Shared) -> Vec<Request> {
    let mut words = line.splitn(2, ' ');
    let (first, rest) = (words.next().unwrap_or_default(), words.next().unwrap_or_default().trim());
    match (first, rest) {
        ("set", _) => set(rest, shared),
        ("theme", _) => choose_theme(rest, shared),
        ("tour", _) => {
            shared.tour = match shared.tour {
                Some(_) => None,
                None => Some(Tour::new(shared.book.events())),
            };
            // Its first step is about Home.
            shared.tour.and_then(|_| shared.keymap.named("home")).map(Request::Act).into_iter().collect()
        }
        ("map", _) => vec![Request::open(Help::everywhere())],
        ("help", name) if !name.is_empty() => help_on(name, shared),
        ("sample", name) => samples::choose(name, shared),
        ("w" | "write", file) => outside::write_texts(file, screen, shared),
        ("filter", rest) if !rest.is_empty() => filter_by_name(rest, screen, shared),
        (name, _) if outside::COMMANDS.iter().any(|(outside, _)| *outside == name) => {
            let (quit, line) = (shared.way_to(Action::Quit), outside::command_line(name));
            shared.message = Some(format!("{name} runs outside the explorer: {quit} leaves it, then `{line}`"));
            Vec::new()
        }
        _ => by_name(line, shared),
    }
}

/// Saves the filter of the screen under a name, forgets one, or applies one.
fn filter_by_name(words: &str, screen: &dyn Screen, shared: &mut Shared) -> Vec<Request> {
    let (what, name) = words.split_once(' ').map_or((words, ""), |(what, name)| (what, name.trim()));
    let said = match (what, name) {
        ("save" | "drop", "") => format!("Which name? :filter {what} NAME"),
        ("save", name) => {
            let filter = screen.filtering(shared).map(|filtering| filtering.text).unwrap_or_default();
            if filter.trim().is_empty() {
                shared.message = Some("No filter to save. Press & to type one".to_owned());
                return Vec::new();
            }
            shared.filters.save(name, filter.trim());
            format!("Saved as {name}: {}", filter.trim())
        }
        ("drop", name) if shared.filters.drop_saved(name) => format!("Forgotten: {name}"),
        ("drop", name) => format!("No saved filter “{name}”"),
        _ => match shared.filters.named(words).map(str::to_owned) {
            Some(filter) => return vec![Request::Show(Show::Pairs(PairsOf::Filter(filter)))],
            None => {
                let known: Vec<&str> = shared.filters.saved().map(|(name, _)| name).collect();
                let known = if known.is_empty() { "none yet".to_owned() } else { known.join(", ") };
                shared.message = Some(format!("No saved filter “{words}”. Saved filters: {known}"));
                return Vec::new();
            }
        },
    };
    shared.message = Some(said);
    shared.filters.to_be_kept().map(|(path, text)| Request::job(KeepFilters { path, text })).into_iter().collect()
}

/// Writes the saved filters into their file.
#[derive(Debug)]
pub struct KeepFilters {
    path: PathBuf,
    text: String,
}

impl Job for KeepFilters {
    type Output = Result<(), String>;
    const NAME: &'static str = "keep the saved filters";
    const LISTED: bool = false;

    /// Beside the file and renamed, so that a filter is never half a filter.
    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let temporary = self.path.with_extension("part");
        let write = || {
            self.path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(&temporary, &self.text)?;
            fs::rename(&temporary, &self.path)
        };
        Some(write().map_err(|why| format!("saved filters cannot be kept in {}: {why}", self.path.display())))
    }

    fn line(output: &Self::Output) -> Option<LogLine> {
        LogLine::from_result(output, |_| "kept the saved filters".to_owned())
    }

    fn deliver(output: Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        if let Err(why) = output {
            shared.message = Some(why);
        }
        Vec::new()
    }
}

fn by_name(name: &str, shared: &mut Shared) -> Vec<Request> {
    if let Some(action) = shared.keymap.actions().find(|action| action.name() == name) {
        return vec![Request::Act(action)];
    }
    let is_label = Action::LABELS.iter().any(|action| action.name() == name);
    shared.message = Some(match is_label {
        true => "Labels can only be given with their keys".to_owned(),
        false => format!("Unknown command “{name}”. Press Tab for a list"),
    });
    Vec::new()
}

/// Says what a key does, opens a page of the manual, or says which key an action has.
fn help_on(name: &str, shared: &mut Shared) -> Vec<Request> {
    let (keymap, screen) = (&shared.keymap, shared.screen);
    let key = Key::named(name);
    if let Some(topic) = manual::topic(name).filter(|_| key.is_none()) {
        return vec![Request::open(Page::manual(topic))];
    }
    shared.message = Some(match (key, keymap.named(name)) {
        (Some(key), _) => match keymap.of_key(key, screen) {
            Some(bound) => {
                format!("{}: {} ({}, {})", key.label(), bound.help, bound.action.name(), bound.source.words())
            }
            None => format!("{} does nothing on {}", key.label(), screen.name()),
        },
        (None, Some(action)) => match keymap.key_of(action, screen) {
            Some(key) => format!("{} is on {key}", action.name()),
            None => format!("{} has no key on {}: type :{name}", action.name(), screen.name()),
        },
        (None, None) => format!("“{name}” is no key, no action and no topic. Topics: {}", manual::names()),
    });
    Vec::new()
}

fn set(what: &str, shared: &mut Shared) -> Vec<Request> {
    let said = |text: &str| Some(text.to_owned());
    match what.split_whitespace().collect::<Vec<_>>()[..] {
        ["mouse"] | ["mouse", "on"] => return set_mouse(true, shared),
        ["nomouse"] | ["mouse", "off"] => return set_mouse(false, shared),
        ["hud"] | ["hud", "on"] => shared.preferences.hud = true,
        ["nohud"] | ["hud", "off"] => shared.preferences.hud = false,
        ["preview", state @ ("on" | "off")] => {
            shared.preferences.preview = state == "on";
            return vec![Request::Refresh];
        }
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
        _ => {
            shared.message =
                said("set what? mouse, nomouse, hud, nohud, preview on|off, sync auto|on|off, theme NAME, profile NAME")
        }
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
