//! Which key does what where: one table that the loop, the bar at the bottom, the help and the README read.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::action::{Action, ScreenId};

/// A key as a person presses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// A character, shift included.
    Char(char),
    /// A character with Control.
    Ctrl(char),
    /// Return.
    Enter,
    /// Escape.
    Esc,
    /// Backspace.
    Backspace,
    /// Tabulator.
    Tab,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow to the left.
    Left,
    /// Arrow to the right.
    Right,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the beginning.
    Home,
    /// To the end.
    End,
}

impl Key {
    /// The key of an event; none for those that are never bound.
    pub fn of(event: &KeyEvent) -> Option<Self> {
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        if !event.modifiers.difference(KeyModifiers::SHIFT | KeyModifiers::CONTROL).is_empty() {
            return None;
        }
        Some(match event.code {
            KeyCode::Char(c) if control => Self::Ctrl(c.to_ascii_lowercase()),
            KeyCode::Char(c) => Self::Char(c),
            KeyCode::Enter => Self::Enter,
            KeyCode::Esc => Self::Esc,
            KeyCode::Backspace => Self::Backspace,
            KeyCode::Tab => Self::Tab,
            KeyCode::Up => Self::Up,
            KeyCode::Down => Self::Down,
            KeyCode::Left => Self::Left,
            KeyCode::Right => Self::Right,
            KeyCode::PageUp => Self::PageUp,
            KeyCode::PageDown => Self::PageDown,
            KeyCode::Home => Self::Home,
            KeyCode::End => Self::End,
            _ => return None,
        })
    }

    /// As the bar and the help show it.
    pub fn label(self) -> String {
        match self {
            Self::Char(' ') => "space".to_owned(),
            Self::Char(c) => c.to_string(),
            Self::Ctrl(c) => format!("C-{c}"),
            Self::Enter => "⏎".to_owned(),
            Self::Esc => "Esc".to_owned(),
            Self::Backspace => "⌫".to_owned(),
            Self::Tab => "Tab".to_owned(),
            Self::Up => "↑".to_owned(),
            Self::Down => "↓".to_owned(),
            Self::Left => "←".to_owned(),
            Self::Right => "→".to_owned(),
            Self::PageUp => "PgUp".to_owned(),
            Self::PageDown => "PgDn".to_owned(),
            Self::Home => "Home".to_owned(),
            Self::End => "End".to_owned(),
        }
    }
}

/// Where a binding holds.
#[derive(Debug, Clone, Copy)]
pub enum On {
    /// On every screen.
    All,
    /// On these.
    Only(&'static [ScreenId]),
    /// On all but Label, where digits and letters of split escape sequences must not act.
    NotLabel,
}

/// Keys, where, and what they do.
#[derive(Debug)]
pub struct Binding {
    /// Any of these.
    pub keys: &'static [Key],
    /// Where.
    pub on: On,
    /// What.
    pub action: Action,
    /// In a few words.
    pub help: &'static str,
    /// Whether the bar at the bottom shows it.
    pub bar: bool,
}

use Key::{Char, Ctrl};
use ScreenId::{Compare, Corpus, Figures, Home, Judgments, Label, Log, Methods, Pairs, Review};

const LISTS: On = On::Only(&[Home, Judgments, Pairs, Review, Figures, Methods, Corpus, Log]);
const TEXTS: On = On::Only(&[Compare, Label]);
const LABEL: On = On::Only(&[Label]);
const COMPARE: On = On::Only(&[Compare]);
const METHODS: On = On::Only(&[Methods]);

const fn bind(keys: &'static [Key], on: On, action: Action, help: &'static str) -> Binding {
    Binding { keys, on, action, help, bar: false }
}

const fn shown(keys: &'static [Key], on: On, action: Action, help: &'static str) -> Binding {
    Binding { keys, on, action, help, bar: true }
}

/// All bindings. The first one that fits wins.
pub static BINDINGS: &[Binding] = &[
    shown(&[Char('a')], TEXTS, Action::NearDuplicate, "near-duplicate"),
    shown(&[Char('x')], TEXTS, Action::Not, "not"),
    shown(&[Char('i')], TEXTS, Action::Unsure, "unsure"),
    shown(&[Key::Backspace, Char('u')], LABEL, Action::Undo, "undo"),
    bind(&[Key::Backspace, Char('u')], COMPARE, Action::Undo, "undo"),
    shown(&[Char('w')], COMPARE, Action::Why, "why"),
    bind(&[Ctrl('r')], TEXTS, Action::Redo, "redo"),
    shown(&[Char('c')], LABEL, Action::Note, "note"),
    bind(&[Char('c')], COMPARE, Action::Note, "note"),
    shown(&[Char('f')], LABEL, Action::Flag, "flag"),
    bind(&[Char('f')], COMPARE, Action::Flag, "flag"),
    shown(&[Char('J')], TEXTS, Action::NextPair, "next pair (Label: next undecided)"),
    bind(&[Char('K')], TEXTS, Action::PreviousPair, "pair before (Label: undecided one before)"),
    shown(&[Char(']')], TEXTS, Action::NextChange, "next change"),
    bind(&[Char('[')], TEXTS, Action::PreviousChange, "change before"),
    shown(&[Key::Enter], LISTS, Action::Open, "open"),
    bind(&[Key::Enter], TEXTS, Action::Open, "open the fold at the top"),
    shown(&[Char('r')], METHODS, Action::OpenReverse, "the other way"),
    shown(&[Char('o')], METHODS, Action::OpenAlone, "found alone"),
    shown(&[Char('&')], On::Only(&[Judgments, Pairs]), Action::Filter, "filter"),
    shown(&[Char('s')], On::Only(&[Pairs, Methods]), Action::Sort, "sort"),
    shown(&[Key::Tab], On::Only(&[Pairs]), Action::NextConfiguration, "configuration"),
    shown(&[Key::Tab], METHODS, Action::NextPane, "table or matrix"),
    shown(&[Char('t')], METHODS, Action::NextTruth, "truth"),
    shown(&[Char('v')], TEXTS, Action::View, "side by side or stacked"),
    bind(&[Char('W')], TEXTS, Action::Wrap, "wrap long lines"),
    bind(&[Char('o')], TEXTS, Action::Fold, "fold equal lines"),
    bind(&[Char('r')], COMPARE, Action::Rendered, "rendered page"),
    bind(&[Char('j'), Key::Down], On::All, Action::Down, "down"),
    bind(&[Char('k'), Key::Up], On::All, Action::Up, "up"),
    bind(&[Char('h'), Key::Left], METHODS, Action::Left, "left (in the matrix)"),
    bind(&[Char('l'), Key::Right], METHODS, Action::Right, "right (in the matrix)"),
    bind(&[Ctrl('d')], On::All, Action::HalfDown, "half a page down"),
    bind(&[Ctrl('u')], On::All, Action::HalfUp, "half a page up"),
    bind(&[Char(' '), Key::PageDown], On::All, Action::PageDown, "page down"),
    bind(&[Key::PageUp], On::All, Action::PageUp, "page up"),
    bind(&[Char('g'), Key::Home], On::All, Action::Top, "to the top"),
    bind(&[Char('G'), Key::End], On::All, Action::Bottom, "to the bottom"),
    shown(&[Char('/')], On::All, Action::Search, "search"),
    bind(&[Char('n')], On::All, Action::NextHit, "next hit"),
    bind(&[Char('N')], On::All, Action::PreviousHit, "hit before"),
    bind(&[Char('1')], On::NotLabel, Action::Go(Home), "Home"),
    bind(&[Char('2')], On::NotLabel, Action::Go(Judgments), "Judgments"),
    bind(&[Char('3')], On::NotLabel, Action::Go(Pairs), "Pairs"),
    bind(&[Char('4')], On::NotLabel, Action::Go(Compare), "Compare"),
    bind(&[Char('5')], On::NotLabel, Action::Go(Label), "Label"),
    bind(&[Char('6')], On::NotLabel, Action::Go(Review), "Review"),
    bind(&[Char('7')], On::NotLabel, Action::Go(Figures), "Figures"),
    bind(&[Char('8')], On::NotLabel, Action::Go(Methods), "Methods"),
    bind(&[Char('9')], On::NotLabel, Action::Go(Corpus), "Corpus"),
    bind(&[Char('0')], On::NotLabel, Action::Go(Log), "Log"),
    bind(&[Char(':')], On::All, Action::Palette, "any action by name"),
    shown(&[Char('?')], On::All, Action::Help, "keys"),
    shown(&[Char('q')], On::All, Action::Back, "back"),
    bind(&[Key::Esc], On::NotLabel, Action::Back, "back"),
    bind(&[Char('Q'), Ctrl('c')], On::All, Action::Quit, "quit"),
];

impl On {
    /// Whether it holds on a screen.
    pub fn holds(self, screen: ScreenId) -> bool {
        match self {
            Self::All => true,
            Self::Only(screens) => screens.contains(&screen),
            Self::NotLabel => screen != Label,
        }
    }
}

/// What a key does on a screen.
pub fn resolve(key: Key, screen: ScreenId) -> Option<Action> {
    BINDINGS.iter().find(|b| b.on.holds(screen) && b.keys.contains(&key)).map(|b| b.action)
}

/// The bindings of a screen, in the order of the table.
pub fn bindings(screen: ScreenId) -> impl Iterator<Item = &'static Binding> {
    BINDINGS.iter().filter(move |b| b.on.holds(screen))
}

/// The table of keys for the README.
pub fn markdown() -> String {
    let mut table = String::from("| key | where | does |\n|---|---|---|\n");
    for binding in BINDINGS {
        let keys: Vec<String> = binding.keys.iter().map(|key| format!("`{}`", key.label())).collect();
        let place = match binding.on {
            On::All => "everywhere".to_owned(),
            On::NotLabel => "everywhere but Label".to_owned(),
            On::Only(screens) => screens.iter().map(|s| s.name()).collect::<Vec<_>>().join(", "),
        };
        table.push_str(&format!("| {} | {place} | {} |\n", keys.join(" "), binding.help));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things_on_a_screen() {
        for screen in ScreenId::ALL {
            let mut seen = std::collections::HashMap::new();
            for binding in bindings(screen) {
                for key in binding.keys {
                    assert!(seen.insert(*key, binding.action).is_none(), "{key:?} twice on {screen:?}");
                }
            }
        }
    }

    #[test]
    fn no_byte_of_a_split_escape_sequence_writes_a_label() {
        let dangerous = ('0'..='9').chain('A'..='H').chain('P'..='S').chain(['Z', 'u', '[', 'O', '~', 'm', 'M', ';']);
        for c in dangerous {
            let action = resolve(Key::Char(c), ScreenId::Label);
            assert!(!action.is_some_and(|a| Action::LABELS.contains(&a)), "{c}");
        }
        for digit in '0'..='9' {
            assert_eq!(resolve(Key::Char(digit), ScreenId::Label), None);
        }
    }

    #[test]
    fn every_action_has_one_name() {
        let mut names: Vec<&str> = Action::ALL.iter().chain(&Action::LABELS).map(|a| a.name()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for binding in BINDINGS {
            assert!(Action::ALL.contains(&binding.action) || Action::LABELS.contains(&binding.action));
        }
    }
}
