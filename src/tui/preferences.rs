//! How a person wants the explorer: the settings, understood, and what can be changed while it runs.

use super::binding::ScreenKeys;
use super::keymap::{Keymap, Wish};
use super::profile::Profile;
use super::theme::{Background, Depth, Palette, Theme};
use dejaview_study::settings::{Settings, Sync};

/// What can be changed with `:set`.
#[derive(Debug, Clone)]
pub struct Preferences {
    /// Colours.
    pub palette: Palette,
    /// How many of them.
    pub depth: Depth,
    /// What the terminal says is behind the text.
    pub background: Option<Background>,
    /// A person's own styles.
    pub colours: Vec<(String, String)>,
    /// Whose keys decide.
    pub profile: Profile,
    /// A person's own keys.
    pub wishes: Vec<Wish>,
    /// Whether keys that write are watched.
    pub guard: bool,
    /// Whether the mouse is ours.
    pub mouse: bool,
    /// Whether times are shown.
    pub hud: bool,
    /// Whether lists show the texts of the pair under their cursor.
    pub preview: bool,
    /// Whether the terminal knows no more than ASCII.
    pub ascii: bool,
    /// Whether frames are bracketed.
    pub sync: Sync,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            palette: Palette::Auto,
            depth: Depth::default(),
            background: None,
            colours: Vec::new(),
            profile: Profile::default(),
            wishes: Vec::new(),
            guard: true,
            mouse: false,
            hud: false,
            preview: true,
            ascii: false,
            sync: Sync::Auto,
        }
    }
}

impl Preferences {
    /// The settings, understood, with these screens; what is not comes back in words.
    pub fn new(settings: &Settings, screens: &[ScreenKeys]) -> (Self, Vec<String>) {
        let mut problems = settings.problems.clone();
        let mut named = |what: &str, (name, line): (&Option<String>, usize), known: &[&str]| {
            if let Some(name) = name.as_ref().filter(|name| !known.contains(&name.as_str())) {
                let known = known.join(", ");
                problems.push(format!("line {line}: {what} “{name}” is not known; expected one of {known}"));
            }
        };
        named("theme", (&settings.theme, settings.theme_line), &Palette::ALL.map(Palette::name));
        named("keys.profile", (&settings.profile, settings.profile_line), &Profile::ALL.map(Profile::name));
        let wishes = settings.keys.iter().map(|entry| Wish {
            action: entry.key.clone(),
            keys: entry.values.clone(),
            line: entry.line,
        });
        let preferences = Self {
            palette: settings.theme.as_deref().and_then(Palette::named).unwrap_or_default(),
            colours: settings.colours.iter().map(|entry| (entry.key.clone(), entry.values.join(" "))).collect(),
            profile: settings.profile.as_deref().and_then(Profile::named).unwrap_or_default(),
            wishes: wishes.collect(),
            guard: settings.guard.unwrap_or(true),
            mouse: settings.mouse,
            hud: settings.hud,
            preview: true,
            ascii: false,
            sync: settings.sync,
            depth: Depth::default(),
            background: None,
        };
        problems.extend(preferences.keymap(screens).1);
        let (_, wrong) = Theme::with(Palette::Auto, Depth::Many, &preferences.colours);
        let wrong = wrong.into_iter().map(|name| {
            let line = settings.colours.iter().find(|entry| entry.key == name).map_or(0, |entry| entry.line);
            format!("line {line}: colours.{name} is not understood; styles are {}", Theme::NAMES.join(", "))
        });
        problems.extend(wrong);
        problems.sort_by_key(|problem| line_of(problem));
        (preferences, problems)
    }

    /// What is wrong with the person's settings, for those who ask the doctor.
    pub fn problems(screens: &[ScreenKeys]) -> Vec<String> {
        Self::new(&Settings::load(), screens).1
    }

    /// The keys as wanted, and what stands in their way.
    pub fn keymap(&self, screens: &[ScreenKeys]) -> (Keymap, Vec<String>) {
        let (mut keymap, problems) = Keymap::new(screens, self.profile, &self.wishes, self.guard);
        keymap.words = self.ascii;
        (keymap, problems)
    }

    /// The styles as wanted; those for the background that there is, where the person leaves it to us.
    pub fn theme(&self) -> Theme {
        let palette = match (self.palette, self.background) {
            (Palette::Auto, Some(Background::Dark)) => Palette::Dark,
            (Palette::Auto, Some(Background::Light)) => Palette::Light,
            (palette, _) => palette,
        };
        Theme::with(palette, self.depth, &self.colours).0
    }
}

/// The line that a problem names; 0 when it names none.
fn line_of(problem: &str) -> usize {
    let number = problem.strip_prefix("line ").and_then(|rest| rest.split(':').next());
    number.and_then(|number| number.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::action::Action;
    use crate::key::Key;
    use crate::screens::keys;
    use crate::screens::label::Label;
    use crate::screens::log::Log;

    #[test]
    fn a_file_of_settings_becomes_keys_and_colours() {
        let text =
            "theme = \"colour-blind\"\n[keys]\nprofile = \"hical\"\nquit = \"C-q\"\n[colours]\naccent = \"red\"\n";
        let (preferences, problems) = Preferences::new(&Settings::parse(Path::new("config.toml"), text), &keys());
        assert_eq!(problems, [] as [String; 0]);
        assert_eq!(preferences.palette, Palette::ColourBlind);
        let keymap = preferences.keymap(&keys()).0;
        assert_eq!(keymap.resolve(Key::Char('r'), Label::ID), Some(Action::NearDuplicate));
        assert_eq!(keymap.resolve(Key::Ctrl('q'), Log::ID), Some(Action::Quit));
        assert_eq!(preferences.theme().accent.fg, Some(ratatui::style::Color::Red));
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        let text =
            "theme = \"pink\"\n[keys]\nprofile = \"vim\"\nfly = \"f\"\ndown = \"C-z\"\n[colours]\nacent = \"red\"\n";
        let (_, problems) = Preferences::new(&Settings::parse(Path::new("config.toml"), text), &keys());
        assert_eq!(problems.len(), 5, "{problems:#?}");
        assert!(
            problems.iter().any(|problem| problem.contains("line 5") && problem.contains("suspend")),
            "{problems:#?}"
        );
        let lines: Vec<usize> = problems.iter().map(|problem| line_of(problem)).collect();
        assert_eq!(lines, [1, 3, 4, 5, 7], "each with its line: {problems:#?}");
    }
}
