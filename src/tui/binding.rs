//! Which key does what, unless a person says otherwise. Each screen has tables of its own; those that several screens
//! share are here. What holds while the program runs, with profile and settings, is [`super::keymap::Keymap`].

use super::action::{Action, ScreenId};
use super::key::Key::{self, Char, Ctrl};

/// Keys and what they do.
#[derive(Debug)]
pub struct Binding {
    /// Any of these.
    pub keys: &'static [Key],
    /// What.
    pub action: Action,
    /// In a few words.
    pub help: &'static str,
    /// Whether the bar at the bottom shows it.
    pub bar: bool,
}

/// Bindings in the order in which they are shown.
pub type Table = &'static [Binding];

/// All that keys do on a screen.
#[derive(Debug, Clone, Copy)]
pub struct ScreenKeys {
    pub id: ScreenId,
    /// In the order in which they are shown.
    pub tables: &'static [Table],
    /// Whether digits lead to other screens.
    pub digits: bool,
}

/// A binding that only the help shows.
pub const fn bind(keys: &'static [Key], action: Action, help: &'static str) -> Binding {
    Binding { keys, action, help, bar: false }
}

/// A binding that the bar at the bottom shows, too.
pub const fn shown(keys: &'static [Key], action: Action, help: &'static str) -> Binding {
    Binding { keys, action, help, bar: true }
}

/// Where there are several panes.
pub const PANES: Table = &[
    shown(&[Key::Tab], Action::NextPane, "next pane"),
    bind(&[Key::BackTab], Action::PreviousPane, "previous pane"),
    bind(&[Char('+')], Action::ZoomIn, "this pane alone"),
    bind(&[Char('_')], Action::ZoomOut, "all panes"),
];

/// Where something under a cursor can be opened.
pub const LISTS: Table = &[shown(&[Key::Enter], Action::Open, "open")];

/// Where rows can be restricted.
pub const FILTERING: Table = &[
    shown(&[Char('&')], Action::Filter, "filter"),
    bind(&[Key::Backspace], Action::RemoveChip, "remove the last restriction"),
];

/// Where rows can be sorted.
pub const SORTING: Table = &[shown(&[Char('s')], Action::Sort, "sort")];

/// Where a pair can be decided.
pub const DECISIONS: Table = &[
    shown(&[Char('a')], Action::NearDuplicate, "near-duplicate"),
    shown(&[Char('x')], Action::Not, "not"),
    shown(&[Char('i')], Action::Unsure, "unsure"),
    bind(&[Ctrl('r')], Action::Redo, "redo"),
    bind(&[Char('H')], Action::Guidelines, "guidelines"),
];

/// Where two texts stand beside each other.
pub const TEXTS: Table = &[
    shown(&[Char('J')], Action::NextPair, "next pair (Label: undecided)"),
    bind(&[Char('K')], Action::PreviousPair, "previous pair (Label: undecided)"),
    shown(&[Char(']')], Action::NextChange, "next change"),
    bind(&[Char('[')], Action::PreviousChange, "previous change"),
    bind(&[Key::Enter], Action::Open, "open the fold at the top"),
    shown(&[Char('v')], Action::View, "side by side or stacked"),
    bind(&[Char('W')], Action::Wrap, "wrap long lines"),
    bind(&[Char('o')], Action::Fold, "fold, all, only differences"),
    shown(&[Char('z')], Action::Blink, "blink"),
    bind(&[Char('}')], Action::NextRun, "next shared run"),
    bind(&[Char('{')], Action::PreviousRun, "previous shared run"),
    bind(&[Char('=')], Action::Unlock, "sides apart or together"),
    bind(&[Char('*')], Action::SearchHere, "search the word that differs"),
    bind(&[Char('h'), Key::Left], Action::Left, "left; close (in Why)"),
    bind(&[Char('l'), Key::Right], Action::Right, "right; open (in Why)"),
    bind(&[Char('|')], Action::Pager, "both texts in $PAGER"),
    bind(&[Char('e')], Action::EditNote, "note in $EDITOR"),
];

/// Where there is a pair whose ids can be copied.
pub const COPYING: Table = &[bind(&[Char('y')], Action::Copy, "copy, then a b p u U")];

/// On every screen.
pub const EVERYWHERE: Table = &[
    bind(&[Char('j'), Key::Down], Action::Down, "down"),
    bind(&[Char('k'), Key::Up], Action::Up, "up"),
    bind(&[Ctrl('d')], Action::HalfDown, "half a page down"),
    bind(&[Ctrl('u')], Action::HalfUp, "half a page up"),
    bind(&[Char(' '), Key::PageDown], Action::PageDown, "page down"),
    bind(&[Key::PageUp], Action::PageUp, "page up"),
    bind(&[Char('g'), Key::Home], Action::Top, "to the top"),
    bind(&[Char('G'), Key::End], Action::Bottom, "to the bottom"),
    shown(&[Char('/')], Action::Search, "search"),
    bind(&[Char('n')], Action::NextResult, "next result"),
    bind(&[Char('N')], Action::PreviousResult, "previous result"),
    bind(&[Ctrl('l')], Action::Redraw, "redraw"),
    bind(&[Ctrl('z')], Action::Suspend, "suspend (fg returns)"),
    bind(&[Char(':'), Ctrl('p')], Action::Palette, "commands and places"),
    shown(&[Char('?')], Action::Help, "help"),
    shown(&[Char('q')], Action::Back, "back"),
    bind(&[Char('Q'), Ctrl('c')], Action::Quit, "quit"),
];

/// On every screen where a bare Escape may act: on Label it may be the beginning of a split escape sequence.
pub const ESCAPE: Table = &[bind(&[Key::Esc], Action::Clear, "show all again; else back")];

/// Keys of something that lies over a screen, where no screen's keys hold, and what they do there.
#[derive(Debug)]
pub struct OverlayKey<D: 'static> {
    /// Any of these.
    pub keys: &'static [Key],
    /// What.
    pub does: D,
    /// In a few words; none when the bar does not show it.
    pub help: Option<&'static str>,
}

impl<D: Copy> OverlayKey<D> {
    /// One that the bar shows.
    pub const fn shown(keys: &'static [Key], does: D, help: &'static str) -> Self {
        Self { keys, does, help: Some(help) }
    }

    /// One that goes without saying.
    pub const fn hidden(keys: &'static [Key], does: D) -> Self {
        Self { keys, does, help: None }
    }

    /// What a key does.
    pub fn resolve(table: &[Self], key: Key) -> Option<D> {
        table.iter().find(|one| one.keys.contains(&key)).map(|one| one.does)
    }

    /// Those that the bar shows.
    pub fn bar(table: &[Self]) -> Vec<(String, &'static str)> {
        let first = |one: &Self| one.keys.first().map(|key| key.name()).unwrap_or_default();
        in_groups(table.iter().filter_map(|one| Some((first(one), one.help?))))
    }
}

/// Keys with what they do, where neighbours that do the same, one this way and one that way, stand together.
pub fn in_groups(keys: impl Iterator<Item = (String, &'static str)>) -> Vec<(String, &'static str)> {
    let mut groups: Vec<(String, &'static str)> = Vec::new();
    for (key, help) in keys {
        match groups.last_mut() {
            Some((keys, last)) if *last == help => *keys = format!("{keys} {key}"),
            _ => groups.push((key, help)),
        }
    }
    groups
}
