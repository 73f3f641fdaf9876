//! What keys are for, and which are told in one line.

use crate::action::{Action, ScreenId};
use crate::keymap::{Bound, Keymap};

/// What keys are for, in the order of the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Decide,
    Read,
    Understand,
    Search,
    Move,
    Go,
}

impl Purpose {
    pub const ALL: [Self; 6] = [Self::Decide, Self::Read, Self::Understand, Self::Search, Self::Move, Self::Go];

    pub fn name(self) -> &'static str {
        match self {
            Self::Decide => "Decide",
            Self::Read => "Read",
            Self::Understand => "Understand",
            Self::Search => "Search",
            Self::Move => "Move",
            Self::Go => "Go",
        }
    }

    pub fn of_action(action: Action) -> Self {
        let purpose = PURPOSES.iter().find(|(_, actions)| actions.contains(&action));
        purpose.map_or(Self::Go, |(purpose, _)| *purpose)
    }
}

/// What each action is for. What is not here goes somewhere.
const PURPOSES: [(Purpose, &[Action]); 5] = [
    (
        Purpose::Decide,
        &[
            Action::NearDuplicate,
            Action::Not,
            Action::Unsure,
            Action::Undo,
            Action::Redo,
            Action::Note,
            Action::EditNote,
            Action::Flag,
            Action::Class,
            Action::Reason,
            Action::Peek,
        ],
    ),
    (
        Purpose::Read,
        &[
            Action::NextChange,
            Action::PreviousChange,
            Action::NextRun,
            Action::PreviousRun,
            Action::View,
            Action::Wrap,
            Action::Fold,
            Action::Blink,
            Action::Unlock,
            Action::Rendered,
            Action::Swap,
            Action::Pager,
        ],
    ),
    (
        Purpose::Understand,
        &[
            Action::Why,
            Action::WhatIf,
            Action::About,
            Action::Guidelines,
            Action::OpenAlone,
            Action::OpenReverse,
            Action::NextTruth,
            Action::Duel,
            Action::SmallMultiples,
            Action::Calibrate,
            Action::Paragraph,
        ],
    ),
    (
        Purpose::Search,
        &[
            Action::Search,
            Action::NextResult,
            Action::PreviousResult,
            Action::SearchHere,
            Action::Filter,
            Action::Sort,
            Action::SortReverse,
            Action::NextSide,
            Action::ErrorsOnly,
            Action::Copy,
            Action::CopySource,
            Action::CopyTarget,
            Action::CopyPair,
            Action::CopyUrl,
            Action::CopyTargetUrl,
        ],
    ),
    (
        Purpose::Move,
        &[
            Action::Up,
            Action::Down,
            Action::HalfUp,
            Action::HalfDown,
            Action::PageUp,
            Action::PageDown,
            Action::Top,
            Action::Bottom,
            Action::Left,
            Action::Right,
            Action::NextPane,
            Action::PreviousPane,
            Action::ZoomIn,
            Action::ZoomOut,
            Action::NextPair,
            Action::PreviousPair,
        ],
    ),
];

/// Two bindings that are told in one line, with the words for both.
const TOGETHER: [(Action, Action, &str); 5] = [
    (Action::Down, Action::Up, "line"),
    (Action::HalfDown, Action::HalfUp, "half a page"),
    (Action::PageDown, Action::PageUp, "page"),
    (Action::Top, Action::Bottom, "top, bottom"),
    (Action::ZoomIn, Action::ZoomOut, "this pane alone, all panes"),
];

/// A line of keys before it is drawn.
#[derive(Debug, Clone)]
pub struct Entry {
    pub keys: String,
    pub action: Action,
    pub help: String,
    /// The names of its actions, which can be typed as well.
    names: String,
}

impl Entry {
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        [self.keys.as_str(), self.help.as_str(), self.names.as_str()].into_iter()
    }
}

/// The bindings of a screen, with those in one line that do the same in two directions; screens in one line, too.
pub fn told_together(keymap: &Keymap, screen: ScreenId) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for bound in keymap.on(screen).filter(|bound| !bound.keys.is_empty()) {
        let (keys, name) = (keys(keymap, bound), bound.action.name());
        let joined = entries.iter_mut().find_map(|entry| Some((joined_words(entry, bound)?, entry)));
        match joined {
            Some((words, entry)) => {
                entry.keys = if matches!(bound.action, Action::Go(_)) {
                    format!("{} … {keys}", entry.keys.split(' ').next().unwrap_or_default())
                } else {
                    format!("{} {keys}", entry.keys)
                };
                entry.help = words;
                entry.names = format!("{} {name}", entry.names);
            }
            None => {
                let help =
                    if matches!(bound.action, Action::Go(_)) { "screens".to_owned() } else { bound.help.clone() };
                entries.push(Entry { keys, action: bound.action, help, names: name.to_owned() });
            }
        }
    }
    entries
}

/// The words for two bindings in one line; none when they do not belong together.
fn joined_words(entry: &Entry, bound: &Bound) -> Option<String> {
    if let (Action::Go(_), Action::Go(_)) = (entry.action, bound.action) {
        return Some("screens".to_owned());
    }
    let pair = TOGETHER.iter().find(|(a, b, _)| (*a, *b) == (entry.action, bound.action));
    let next_and_previous = || {
        let what = entry.help.strip_prefix("next ")?;
        let previous = bound.help.strip_prefix("previous ")?;
        (what == previous || what.starts_with(&format!("{previous} ("))).then(|| format!("next, previous {what}"))
    };
    pair.map(|(.., words)| (*words).to_owned()).or_else(next_and_previous)
}

pub fn keys(keymap: &Keymap, bound: &Bound) -> String {
    bound.keys.iter().map(|key| keymap.written(*key)).collect::<Vec<_>>().join(" ")
}
