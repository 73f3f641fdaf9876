//! Sets of keys for decisions, as other labelling tools have them.

use super::action::Action;
use super::binding::ScreenKeys;
use super::key::Key::{self, Char};

/// A set of keys for the decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// a, x, i.
    #[default]
    Prodigy,
    /// y, n, u; p takes back.
    Dedupe,
    /// r, s; u takes back.
    Hical,
    /// 1, 2, 3, on Label only. Needs the guard.
    Digits,
}

/// Keys of an action, in place of those it has.
pub type Change = (Action, &'static [Key]);

impl Profile {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Prodigy, Self::Dedupe, Self::Hical, Self::Digits];

    /// As the settings name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prodigy => "prodigy",
            Self::Dedupe => "dedupe",
            Self::Hical => "hical",
            Self::Digits => "digits",
        }
    }

    /// The profile of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// What it changes on the screens that it is for, where they have such an action.
    pub fn changes(self) -> &'static [Change] {
        match self {
            Self::Prodigy => &[],
            Self::Dedupe => &[
                (Action::NearDuplicate, &[Char('y')]),
                (Action::Not, &[Char('n')]),
                (Action::Unsure, &[Char('u')]),
                (Action::Undo, &[Char('p'), Key::Backspace]),
                (Action::Copy, &[Char('Y')]),
                (Action::NextResult, &[Char('>')]),
                (Action::PreviousResult, &[Char('<'), Char('N')]),
            ],
            Self::Hical => &[
                (Action::NearDuplicate, &[Char('r')]),
                (Action::Not, &[Char('s')]),
                (Action::Rendered, &[Char('R')]),
                (Action::Swap, &[Char('S')]),
                (Action::Reason, &[Char('d')]),
                (Action::NewSample, &[Char('D')]),
            ],
            Self::Digits => {
                &[(Action::NearDuplicate, &[Char('1')]), (Action::Not, &[Char('2')]), (Action::Unsure, &[Char('3')])]
            }
        }
    }

    /// Whether it changes the keys of a screen: one where pairs are decided, and digits only where they lead nowhere.
    pub fn is_for(self, screen: &ScreenKeys, mut actions: impl Iterator<Item = Action>) -> bool {
        match self {
            Self::Digits => !screen.digits,
            _ => actions.any(|action| Action::LABELS.contains(&action)),
        }
    }
}
