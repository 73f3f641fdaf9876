//! What a person wants of every study: name, colours, keys. One file in the person's own folder of settings.
//!
//! Nothing here stops the program: what is not understood is left out and said, with its line.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use strum::{EnumString, IntoStaticStr};
use toml::de::DeTable;

use crate::StudyError;
use crate::recipe::keys::{Item, Section, TomlSource};
use dejaview_base::choice::{Choice, Choices};
use dejaview_base::system;

/// File in [`Settings::state`] with what the explorer counted of keys that were none.
pub const COUNTS: &str = "input.json";

/// Which colours the explorer uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Palette {
    #[default]
    Auto,
    Light,
    Dark,
    ColourBlind,
    Mono,
}

impl Choice for Palette {
    const CHOICES: Choices<Self> = &[
        (Self::Auto, "Those that read well on light and dark backgrounds"),
        (Self::Light, "For light backgrounds"),
        (Self::Dark, "For dark backgrounds"),
        (Self::ColourBlind, "Blue and orange only"),
        (Self::Mono, "None"),
    ];
}

impl Palette {
    pub const ALL: [Self; 5] = [Self::Auto, Self::Light, Self::Dark, Self::ColourBlind, Self::Mono];

    /// As the command line, `:theme` and the settings name it.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The palette of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::by_name(name)
    }
}

/// When frames are bracketed so that a terminal shows them whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum Sync {
    /// As the terminal is known to like it.
    #[default]
    Auto,
    On,
    Off,
}

/// An entry of a table whose keys are the program's to know, not the file's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    pub key: String,
    /// Its strings; one when it was none in a list.
    pub values: Vec<String>,
    /// Line of the file.
    pub line: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whose labels are written.
    pub annotator: Option<String>,
    /// Name of a theme.
    pub theme: Option<String>,
    pub theme_line: usize,
    /// Whether the mouse is taken from the terminal.
    pub mouse: bool,
    /// Whether the times of keys and frames are shown.
    pub hud: bool,
    /// Whether frames are bracketed.
    pub sync: Sync,
    /// Whether keys that write are watched. None: they are.
    pub guard: Option<bool>,
    /// Name of a profile of keys.
    pub profile: Option<String>,
    pub profile_line: usize,
    pub keys: Vec<Setting>,
    pub colours: Vec<Setting>,
    /// What was not understood, each with its line.
    pub problems: Vec<String>,
}

impl Settings {
    /// `dejaview/config.toml` in `XDG_CONFIG_HOME`, else in `~/.config`.
    pub fn path() -> Option<PathBuf> {
        Some(folder("XDG_CONFIG_HOME", ".config")?.join("config.toml"))
    }

    /// `dejaview` in `XDG_STATE_HOME`, else in `~/.local/state`: what the program notes of its own work.
    pub fn state() -> Option<PathBuf> {
        folder("XDG_STATE_HOME", ".local/state")
    }

    /// The person's settings; the defaults when there are none.
    pub fn load() -> Self {
        Self::path().map(|path| Self::read(&path)).unwrap_or_default()
    }

    /// Reads a file; one that is not there says nothing.
    pub fn read(path: &Path) -> Self {
        match system::read_text(path) {
            Ok(text) => Self::parse(path, &text),
            Err(why) if why.kind() == ErrorKind::NotFound => Self::default(),
            Err(why) => Self { problems: vec![format!("reading {}: {why}", path.display())], ..Self::default() },
        }
    }

    /// Understands a text; `path` is for complaints.
    pub fn parse(path: &Path, text: &str) -> Self {
        let mut settings = Self::default();
        let source = TomlSource { path, text };
        match DeTable::parse(text) {
            Ok(table) => settings.whole(&Section::whole(source, &table)),
            Err(error) => {
                let line = source.line(error.span().map_or(0, |span| span.start));
                settings.problems.push(format!("line {line}: {}", error.message()));
            }
        }
        settings
    }

    fn whole(&mut self, file: &Section<'_>) {
        self.annotator = self.take(file.item("annotator"), |item| item.string().map(str::to_owned));
        let theme = file.item("theme");
        self.theme_line = theme.as_ref().map_or(0, Item::line);
        self.theme = self.take(theme, |item| item.string().map(str::to_owned));
        self.mouse = self.take(file.item("mouse"), Item::boolean).unwrap_or_default();
        self.hud = self.take(file.item("hud"), Item::boolean).unwrap_or_default();
        self.sync = self.take(file.item("sync"), sync).unwrap_or_default();
        if let Some(input) = self.take(file.item("input"), Item::section) {
            self.guard = self.take(input.item("guard"), Item::boolean);
            self.unknown(&input);
        }
        if let Some(keys) = self.take(file.item("keys"), Item::section) {
            let profile = keys.item("profile");
            self.profile_line = profile.as_ref().map_or(0, Item::line);
            self.profile = self.take(profile, |item| item.string().map(str::to_owned));
            self.keys = self.entries(&keys);
        }
        if let Some(colours) = self.take(file.item("colours"), Item::section) {
            self.colours = self.entries(&colours);
        }
        self.unknown(file);
    }

    /// What an item says, if it is there and understood.
    fn take<'a, T>(
        &mut self,
        item: Option<Item<'a>>,
        read: impl FnOnce(&Item<'a>) -> Result<T, StudyError>,
    ) -> Option<T> {
        match read(&item?) {
            Ok(value) => Some(value),
            Err(why) => {
                self.problems.push(in_line(&why));
                None
            }
        }
    }

    /// All entries that were not asked for by name.
    fn entries(&mut self, section: &Section<'_>) -> Vec<Setting> {
        let mut entries = Vec::new();
        for (key, item) in section.rest() {
            let strings = |item: &Item<'_>| item.list().iter().map(|one| one.string().map(str::to_owned)).collect();
            if let Some(values) = self.take(Some(item.clone()), strings) {
                entries.push(Setting { key: key.to_owned(), values, line: item.line() });
            }
        }
        entries
    }

    fn unknown(&mut self, section: &Section<'_>) {
        let unknown = section.rest().into_iter().map(|(_, item)| in_line(&item.wrong("is not known, and ignored")));
        self.problems.extend(unknown);
    }
}

/// What is wrong in the one file that there is: its line, and not its path again and again.
fn in_line(why: &StudyError) -> String {
    match why {
        StudyError::Key { line, key, problem, .. } => format!("line {line}: `{key}` {problem}"),
        other => other.to_string(),
    }
}

fn sync(item: &Item<'_>) -> Result<Sync, StudyError> {
    item.string()?.parse().map_err(|_| item.wrong("is not known; expected auto, on or off"))
}

fn folder(variable: &str, at_home: &str) -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = set(variable).or_else(|| set("HOME").map(|home| home.join(at_home)))?;
    Some(base.join("dejaview"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Settings {
        Settings::parse(Path::new("config.toml"), text)
    }

    #[test]
    fn everything_is_read() {
        let settings = parsed(
            "annotator = \"ada\"\ntheme = \"dark\"\nmouse = true\nhud = true\nsync = \"off\"\n[input]\nguard = false\n\
             [keys]\nprofile = \"dedupe\"\nquit = \"Q\"\ndown = [\"j\", \"C-n\"]\n[colours]\ntitle = \"red bold\"\n",
        );
        assert_eq!(settings.problems, [] as [String; 0]);
        assert_eq!((settings.annotator.as_deref(), settings.theme.as_deref()), (Some("ada"), Some("dark")));
        assert!(settings.mouse && settings.hud);
        assert_eq!((settings.sync, settings.guard), (Sync::Off, Some(false)));
        assert_eq!(settings.profile.as_deref(), Some("dedupe"));
        let keys: Vec<(&str, usize, usize)> =
            settings.keys.iter().map(|entry| (entry.key.as_str(), entry.values.len(), entry.line)).collect();
        assert_eq!(keys, [("quit", 1, 10), ("down", 2, 11)]);
        assert_eq!(settings.colours[0].values, ["red bold"]);
    }

    #[test]
    fn what_is_not_understood_is_said_with_its_line_and_the_rest_holds() {
        let settings = parsed("anotator = \"ada\"\nmouse = 3\ntheme = \"dark\"\n[input]\ngaurd = true\n");
        assert_eq!(settings.theme.as_deref(), Some("dark"));
        let wanted = ["line 2: `mouse`", "line 5: `input.gaurd`", "line 1: `anotator`"];
        assert_eq!(settings.problems.len(), 3, "{:?}", settings.problems);
        for (problem, wanted) in settings.problems.iter().zip(wanted) {
            assert!(problem.contains(wanted), "{problem}");
        }
        assert!(parsed("theme = \"dark\nmouse = true").problems[0].contains("line 1"));
        assert!(parsed("sync = \"often\"").problems[0].contains("auto, on or off"));
    }

    #[test]
    fn no_file_is_no_problem_and_a_folder_is_one() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Settings::read(&folder.path().join("config.toml")), Settings::default());
        assert_eq!(Settings::read(folder.path()).problems.len(), 1);
    }
}
