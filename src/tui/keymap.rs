//! Which key does what where, unless a person says otherwise: one table that everything else is made from, the README's
//! too. What holds while the program runs, with profile and settings, is [`super::bindings::Keymap`].

use super::action::{Action, ScreenId};
pub use super::key::Key;

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
const REVIEW: On = On::Only(&[Review]);
const PAGES: On = On::Only(&[Compare, Label, Review]);
const METHODS: On = On::Only(&[Methods]);
const JUDGMENTS: On = On::Only(&[Judgments]);
const HOME: On = On::Only(&[Home]);
const PAIRS: On = On::Only(&[Pairs]);
const CORPUS: On = On::Only(&[Corpus]);
const FIGURES: On = On::Only(&[Figures]);
const LOG: On = On::Only(&[Log]);

const fn bind(keys: &'static [Key], on: On, action: Action, help: &'static str) -> Binding {
    Binding { keys, on, action, help, bar: false }
}

const fn shown(keys: &'static [Key], on: On, action: Action, help: &'static str) -> Binding {
    Binding { keys, on, action, help, bar: true }
}

/// All bindings. The first one that fits wins.
pub static BINDINGS: &[Binding] = &[
    shown(&[Char('a')], PAGES, Action::NearDuplicate, "near-duplicate"),
    shown(&[Char('x')], PAGES, Action::Not, "not"),
    shown(&[Char('i')], PAGES, Action::Unsure, "unsure"),
    shown(&[Key::Backspace, Char('u')], LABEL, Action::Undo, "undo"),
    bind(&[Key::Backspace, Char('u')], COMPARE, Action::Undo, "undo"),
    shown(&[Key::Backspace, Char('u')], REVIEW, Action::Undo, "undo"),
    shown(&[Char('w')], COMPARE, Action::Why, "why"),
    bind(&[Char('w')], LABEL, Action::Why, "why (of the pair decided last)"),
    bind(&[Ctrl('r')], PAGES, Action::Redo, "redo"),
    shown(&[Char('c')], LABEL, Action::Note, "note"),
    bind(&[Char('c')], COMPARE, Action::Note, "note"),
    shown(&[Char('f')], LABEL, Action::Flag, "flag"),
    bind(&[Char('f')], COMPARE, Action::Flag, "flag"),
    bind(&[Char('r')], LABEL, Action::Reason, "choose a reason"),
    bind(&[Char('t')], LABEL, Action::Class, "choose a finer class"),
    bind(&[Char('H')], PAGES, Action::Guidelines, "guidelines"),
    shown(&[Char('J')], REVIEW, Action::NextPair, "next case"),
    bind(&[Char('K')], REVIEW, Action::PreviousPair, "case before"),
    shown(&[Key::Tab], REVIEW, Action::NextPane, "kind"),
    bind(&[Char('w')], REVIEW, Action::Why, "the documents of a contradiction"),
    bind(&[Char('h'), Key::Left], REVIEW, Action::Left, "left; other documents"),
    bind(&[Char('l'), Key::Right], REVIEW, Action::Right, "right; other documents"),
    bind(&[Char(']')], REVIEW, Action::NextChange, "next change"),
    bind(&[Char('[')], REVIEW, Action::PreviousChange, "change before"),
    shown(&[Char('J')], TEXTS, Action::NextPair, "next pair (Label: next undecided)"),
    bind(&[Char('K')], TEXTS, Action::PreviousPair, "pair before (Label: undecided one before)"),
    shown(&[Char(']')], TEXTS, Action::NextChange, "next change"),
    bind(&[Char('[')], TEXTS, Action::PreviousChange, "change before"),
    shown(&[Key::Enter], LISTS, Action::Open, "open"),
    shown(&[Char('s')], HOME, Action::NextSample, "sample (that Label opens)"),
    bind(&[Key::Enter], TEXTS, Action::Open, "open the fold at the top"),
    shown(&[Char('r')], METHODS, Action::OpenReverse, "the other way"),
    shown(&[Char('o')], METHODS, Action::OpenAlone, "found alone"),
    shown(&[Char('&')], On::Only(&[Judgments, Pairs]), Action::Filter, "filter"),
    shown(&[Char('s')], On::Only(&[Judgments, Pairs, Methods]), Action::Sort, "sort"),
    bind(&[Char('S')], PAIRS, Action::SortReverse, "the other way round"),
    shown(&[Char('d')], PAIRS, Action::Duel, "duel"),
    shown(&[Key::Tab], PAIRS, Action::NextConfiguration, "configuration (in a duel: next set)"),
    shown(&[Key::Tab], METHODS, Action::NextPane, "next face (table, matrix, unions)"),
    shown(&[Key::Tab, Char(']')], FIGURES, Action::NextChange, "next figure"),
    bind(&[Char('[')], FIGURES, Action::PreviousChange, "figure before"),
    bind(&[Key::Left, Char('h')], FIGURES, Action::Left, "bar or cut-off before"),
    shown(&[Key::Right, Char('l')], FIGURES, Action::Right, "next bar or cut-off"),
    shown(&[Key::Tab], CORPUS, Action::NextPane, "next list (documents, URLs, files, not read)"),
    shown(&[Char('t')], CORPUS, Action::NextSide, "side"),
    shown(&[Char('x')], LOG, Action::Cancel, "give up the job"),
    shown(&[Char('o')], JUDGMENTS, Action::Fold, "open or close all topics"),
    bind(&[Char(']')], JUDGMENTS, Action::NextChange, "next topic"),
    bind(&[Char('[')], JUDGMENTS, Action::PreviousChange, "topic before"),
    shown(&[Char('t')], METHODS, Action::NextTruth, "truth"),
    bind(&[Char('v')], REVIEW, Action::View, "side by side or stacked"),
    bind(&[Char('W')], REVIEW, Action::Wrap, "wrap long lines"),
    bind(&[Char('o')], REVIEW, Action::Fold, "fold equal lines"),
    shown(&[Char('v')], TEXTS, Action::View, "side by side or stacked"),
    bind(&[Char('W')], TEXTS, Action::Wrap, "wrap long lines"),
    bind(&[Char('o')], TEXTS, Action::Fold, "fold, all, only differences"),
    shown(&[Char('z')], TEXTS, Action::Blink, "blink"),
    bind(&[Char('}')], TEXTS, Action::NextRun, "next shared run"),
    bind(&[Char('{')], TEXTS, Action::PreviousRun, "shared run before"),
    bind(&[Char('=')], TEXTS, Action::Unlock, "sides apart or together"),
    bind(&[Char('*')], TEXTS, Action::SearchHere, "search the word that differs"),
    bind(&[Char('r')], COMPARE, Action::Rendered, "text, rendered, raw"),
    bind(&[Char('s')], COMPARE, Action::Swap, "swap sides"),
    shown(&[Char('m')], COMPARE, Action::About, "about"),
    bind(&[Char('X')], COMPARE, Action::WhatIf, "what if (x in Why)"),
    bind(&[Char('+')], COMPARE, Action::ZoomIn, "more room"),
    bind(&[Char('_')], COMPARE, Action::ZoomOut, "less room"),
    bind(&[Key::Tab], TEXTS, Action::NextPane, "texts or Why; the other side"),
    bind(&[Char('h'), Key::Left], TEXTS, Action::Left, "left; close (in Why)"),
    bind(&[Char('l'), Key::Right], TEXTS, Action::Right, "right; open (in Why)"),
    bind(&[Char('j'), Key::Down], On::All, Action::Down, "down"),
    bind(&[Char('k'), Key::Up], On::All, Action::Up, "up"),
    bind(&[Char('h'), Key::Left], METHODS, Action::Left, "left (in the matrix)"),
    bind(&[Char('l'), Key::Right], METHODS, Action::Right, "right (in the matrix)"),
    bind(&[Char('h'), Key::Left], JUDGMENTS, Action::Left, "to the topic; close it"),
    bind(&[Char('l'), Key::Right], JUDGMENTS, Action::Right, "open the topic"),
    bind(&[Char('h'), Key::Left], PAIRS, Action::Left, "opponent before (in a duel)"),
    bind(&[Char('l'), Key::Right], PAIRS, Action::Right, "next opponent (in a duel)"),
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
    bind(&[Char('|')], TEXTS, Action::Pager, "both texts in $PAGER"),
    bind(&[Char('e')], TEXTS, Action::EditNote, "note in $EDITOR"),
    bind(&[Char('y')], On::Only(&[Pairs, Compare, Label]), Action::Copy, "copy, then a b p or u"),
    bind(&[Ctrl('l')], On::All, Action::Redraw, "draw anew"),
    bind(&[Ctrl('z')], On::All, Action::Suspend, "to the shell; fg comes back"),
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
    fn every_action_has_one_name() {
        let mut names: Vec<&str> = Action::all().chain(Action::LABELS).map(Action::name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(!names.contains(&""), "each has a name");
        for binding in BINDINGS {
            assert_eq!(Action::named(binding.action.name()), Some(binding.action));
        }
    }
}
