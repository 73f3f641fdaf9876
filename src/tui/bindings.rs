//! Which key does what now: the built-in table, changed by a profile and by a person's settings, with every conflict said.

use super::action::{Action, ScreenId};
use super::key::Key;
use super::keymap::{BINDINGS, On};

/// A set of keys for the decisions, as other labelling tools have them.
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

/// Keys of an action on some screens, in place of those it has.
type Change = (Action, On, &'static [Key]);

use Key::Char;
const TEXTS: On = On::Only(&[ScreenId::Compare, ScreenId::Label, ScreenId::Review]);
const LABEL: On = On::Only(&[ScreenId::Label]);

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

    fn changes(self) -> &'static [Change] {
        match self {
            Self::Prodigy => &[],
            Self::Dedupe => &[
                (Action::NearDuplicate, TEXTS, &[Char('y')]),
                (Action::Not, TEXTS, &[Char('n')]),
                (Action::Unsure, TEXTS, &[Char('u')]),
                (Action::Undo, TEXTS, &[Char('p'), Key::Backspace]),
                (Action::Copy, TEXTS, &[Char('Y')]),
                (Action::NextHit, TEXTS, &[Char('>')]),
                (Action::PreviousHit, TEXTS, &[Char('<'), Char('N')]),
            ],
            Self::Hical => &[
                (Action::NearDuplicate, TEXTS, &[Char('r')]),
                (Action::Not, TEXTS, &[Char('s')]),
                (Action::Rendered, TEXTS, &[Char('R')]),
                (Action::Swap, TEXTS, &[Char('S')]),
                (Action::Reason, LABEL, &[Char('d')]),
            ],
            Self::Digits => &[
                (Action::NearDuplicate, LABEL, &[Char('1')]),
                (Action::Not, LABEL, &[Char('2')]),
                (Action::Unsure, LABEL, &[Char('3')]),
            ],
        }
    }
}

/// Who says that a key does something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The program.
    Built,
    /// The profile.
    Profile(Profile),
    /// The settings, at this line.
    Settings(usize),
}

impl Source {
    /// In a few words.
    pub fn words(self) -> String {
        match self {
            Self::Built => "built in".to_owned(),
            Self::Profile(profile) => format!("profile {}", profile.name()),
            Self::Settings(line) => format!("settings, line {line}"),
        }
    }
}

/// Screens as a set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Screens(u16);

impl Screens {
    fn of(on: On) -> Self {
        Self(ScreenId::ALL.iter().enumerate().fold(0, |bits, (i, &screen)| bits | u16::from(on.holds(screen)) << i))
    }

    fn holds(self, screen: ScreenId) -> bool {
        ScreenId::ALL.iter().position(|s| *s == screen).is_some_and(|i| self.0 >> i & 1 == 1)
    }

    /// The screens by name, or those that are left out where these are fewer.
    fn names(self) -> String {
        let (on, off): (Vec<ScreenId>, Vec<ScreenId>) = ScreenId::ALL.into_iter().partition(|&s| self.holds(s));
        let names = |screens: &[ScreenId]| screens.iter().map(|screen| screen.name()).collect::<Vec<_>>().join(", ");
        match off.len() {
            0 => "every screen".to_owned(),
            few if few < on.len() => format!("every screen but {}", names(&off)),
            _ => names(&on),
        }
    }
}

/// Keys, where, what they do, and who says so.
#[derive(Debug, Clone)]
pub struct Bound {
    /// Any of these; none when all were taken away.
    pub keys: Vec<Key>,
    screens: Screens,
    /// What.
    pub action: Action,
    /// In a few words.
    pub help: &'static str,
    /// Whether the bar at the bottom shows it.
    pub bar: bool,
    /// Who says so.
    pub source: Source,
}

/// A person's wish for an action's keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// Long name of the action.
    pub action: String,
    /// Names of keys.
    pub keys: Vec<String>,
    /// Line of the settings.
    pub line: usize,
}

/// All that keys do.
#[derive(Debug, Clone)]
pub struct Keymap {
    bound: Vec<Bound>,
    /// Whether keys are written in words, for terminals that have no signs for them.
    pub words: bool,
}

impl Default for Keymap {
    fn default() -> Self {
        let bound = BINDINGS.iter().map(|binding| Bound {
            keys: binding.keys.to_vec(),
            screens: Screens::of(binding.on),
            action: binding.action,
            help: binding.help,
            bar: binding.bar,
            source: Source::Built,
        });
        Self { bound: bound.collect(), words: false }
    }
}

impl Keymap {
    /// The built-in keys, changed by a profile, then by wishes. What could not be done, and which key was taken from
    /// whom, is said.
    pub fn new(profile: Profile, wishes: &[Wish], guarded: bool) -> (Self, Vec<String>) {
        let (mut map, mut problems) = (Self::default(), Vec::new());
        if !guarded && profile.changes().iter().any(|(action, _, keys)| risky(*action, keys)) {
            problems.push(format!("the keys of profile {} label only while the guard is on", profile.name()));
        } else {
            for (action, on, keys) in profile.changes() {
                map.change(*action, Screens::of(*on), keys, Source::Profile(profile));
            }
        }
        for wish in wishes {
            if let Err(why) = map.fulfil(wish, guarded) {
                problems.push(format!("line {}: keys.{} {why}", wish.line, wish.action));
            }
        }
        problems.extend(map.settle());
        (map, problems)
    }

    fn fulfil(&mut self, wish: &Wish, guarded: bool) -> Result<(), String> {
        let action = Action::named(&wish.action).ok_or("is no action; :map lists them")?;
        let mut keys = Vec::new();
        for name in &wish.keys {
            keys.push(Key::named(name).ok_or_else(|| format!("names “{name}”, which is no key"))?);
        }
        if !guarded && risky(action, &keys) {
            return Err("may be part of a terminal's own sequence: it labels only while the guard is on".to_owned());
        }
        if keys.is_empty() && Action::LABELS.contains(&action) {
            return Err("must keep a key".to_owned());
        }
        let everywhere = self.bound.iter().filter(|b| b.action == action).fold(0, |bits, b| bits | b.screens.0);
        let screens = if everywhere == 0 { Screens::of(On::NotLabel) } else { Screens(everywhere) };
        self.change(action, screens, &keys, Source::Settings(wish.line));
        Ok(())
    }

    /// Gives an action these keys on these screens, in place of those it has there.
    fn change(&mut self, action: Action, screens: Screens, keys: &[Key], source: Source) {
        let mut changed = Vec::new();
        for bound in self.bound.iter_mut().filter(|bound| bound.action == action) {
            let both = Screens(bound.screens.0 & screens.0);
            if both.0 != 0 {
                bound.screens.0 &= !both.0;
                changed.push(Bound { keys: keys.to_vec(), screens: both, source, ..bound.clone() });
            }
        }
        let at = self.bound.iter().position(|bound| bound.action == action);
        if changed.is_empty() {
            let bar = false;
            changed.push(Bound { keys: keys.to_vec(), screens, action, help: action.name(), bar, source });
        }
        let at = at.unwrap_or(0);
        self.bound.splice(at..at, changed);
        self.bound.retain(|bound| bound.screens.0 != 0);
    }

    /// Takes a key that two actions want away from the one that has it by an older word, and says so where the settings
    /// are at fault.
    fn settle(&mut self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut i = 0;
        while i < self.bound.len() {
            // Taking a key away on some screens only makes a binding more: hence no fixed end.
            let mut j = 0;
            while j < self.bound.len() {
                let (a, b) = (self.bound[i].clone(), self.bound[j].clone());
                let both = Screens(a.screens.0 & b.screens.0);
                let wins = rank(a.source) > rank(b.source) || (rank(a.source) == rank(b.source) && i < j);
                if i != j && both.0 != 0 && wins {
                    for key in a.keys.iter().filter(|key| b.keys.contains(key)) {
                        problems.extend(conflict(*key, &a, &b, both));
                        self.take(j, *key, both);
                    }
                }
                j += 1;
            }
            i += 1;
        }
        problems
    }

    /// Takes a key away on some screens.
    fn take(&mut self, at: usize, key: Key, screens: Screens) {
        let bound = self.bound[at].clone();
        self.bound[at].keys.retain(|k| *k != key);
        let elsewhere = Screens(bound.screens.0 & !screens.0);
        if elsewhere.0 != 0 {
            self.bound[at].screens = Screens(bound.screens.0 & screens.0);
            self.bound.push(Bound { screens: elsewhere, ..bound });
        }
    }

    /// What a key does on a screen.
    pub fn resolve(&self, key: Key, screen: ScreenId) -> Option<Action> {
        self.of_key(key, screen).map(|bound| bound.action)
    }

    /// The binding of a key on a screen.
    pub fn of_key(&self, key: Key, screen: ScreenId) -> Option<&Bound> {
        self.on(screen).find(|bound| bound.keys.contains(&key))
    }

    /// The bindings of a screen, in the order of the table.
    pub fn on(&self, screen: ScreenId) -> impl Iterator<Item = &Bound> {
        self.bound.iter().filter(move |bound| bound.screens.holds(screen) && !bound.keys.is_empty())
    }

    /// All bindings, with the names of their screens.
    pub fn all(&self) -> impl Iterator<Item = (&Bound, String)> {
        self.bound.iter().map(|bound| (bound, bound.screens.names()))
    }

    /// The first key of an action on a screen, as it is shown.
    pub fn key_of(&self, action: Action, screen: ScreenId) -> Option<String> {
        let bound = self.on(screen).find(|bound| bound.action == action);
        bound.and_then(|bound| bound.keys.first()).map(|key| self.written(*key))
    }

    /// A key as it is shown.
    pub fn written(&self, key: Key) -> String {
        if self.words { key.word() } else { key.label() }
    }

    /// The first key of an action on a screen, or how else it is asked for.
    pub fn way_to(&self, action: Action, screen: ScreenId) -> String {
        self.key_of(action, screen).unwrap_or_else(|| format!(":{}", action.name()))
    }
}

/// What to say of a key that the settings took from another action.
fn conflict(key: Key, a: &Bound, b: &Bound, both: Screens) -> Option<String> {
    let Source::Settings(line) = a.source else { return None };
    let (key, winner, loser, where_) = (key.label(), a.action.name(), b.action.name(), both.names());
    Some(format!("line {line}: {key} means both {winner} and {loser} on {where_}; {winner} keeps it"))
}

fn rank(source: Source) -> u8 {
    match source {
        Source::Built => 0,
        Source::Profile(_) => 1,
        Source::Settings(_) => 2,
    }
}

/// Whether an action that labels would be made by a key that may be left over from a sequence.
fn risky(action: Action, keys: &[Key]) -> bool {
    Action::LABELS.contains(&action) && keys.iter().any(|key| key.may_be_left_over())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn wish(action: &str, keys: &[&str]) -> Wish {
        Wish { action: action.to_owned(), keys: keys.iter().map(|key| (*key).to_owned()).collect(), line: 7 }
    }

    #[test]
    fn no_key_means_two_things_on_a_screen() {
        for profile in Profile::ALL {
            let (map, problems) = Keymap::new(profile, &[], true);
            assert_eq!(problems, [] as [String; 0], "{profile:?}");
            for screen in ScreenId::ALL {
                let mut seen = HashMap::new();
                for bound in map.on(screen) {
                    for key in &bound.keys {
                        assert!(seen.insert(*key, bound.action).is_none(), "{key:?} twice on {screen:?}, {profile:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_action_loses_its_last_key_to_a_profile() {
        let built = Keymap::default();
        for profile in Profile::ALL {
            let (map, _) = Keymap::new(profile, &[], true);
            for screen in ScreenId::ALL {
                for bound in built.on(screen) {
                    assert!(
                        map.key_of(bound.action, screen).is_some(),
                        "{:?} on {screen:?}, {profile:?}",
                        bound.action
                    );
                }
            }
        }
    }

    #[test]
    fn no_byte_of_a_split_escape_sequence_writes_a_label() {
        let map = Keymap::default();
        for c in (0..128u8).map(char::from) {
            let action = map.resolve(Key::Char(c), ScreenId::Label);
            let labels = action.is_some_and(|a| Action::LABELS.contains(&a));
            assert!(!(labels && Key::Char(c).may_be_left_over()), "{c}");
            assert!(!c.is_ascii_digit() || action.is_none(), "{c}");
        }
    }

    #[test]
    fn digits_need_the_guard() {
        let (map, problems) = Keymap::new(Profile::Digits, &[], false);
        assert_eq!(problems.len(), 1);
        assert_eq!(map.resolve(Key::Char('1'), ScreenId::Label), None);
        assert_eq!(map.resolve(Key::Char('a'), ScreenId::Label), Some(Action::NearDuplicate));
        let (map, _) = Keymap::new(Profile::Digits, &[], true);
        assert_eq!(map.resolve(Key::Char('1'), ScreenId::Label), Some(Action::NearDuplicate));
        assert_eq!(map.resolve(Key::Char('1'), ScreenId::Compare), Some(Action::Go(ScreenId::Home)));
        let (map, problems) = Keymap::new(Profile::Prodigy, &[wish("not", &["m"])], false);
        assert_eq!((problems.len(), map.resolve(Key::Char('x'), ScreenId::Label)), (1, Some(Action::Not)));
    }

    #[test]
    fn a_wish_wins_and_says_from_whom_it_took_the_key() {
        let (map, problems) = Keymap::new(Profile::Prodigy, &[wish("quit", &["j", "C-q"])], true);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("line 7: j means both quit and down"), "{problems:?}");
        assert_eq!(map.resolve(Key::Char('j'), ScreenId::Home), Some(Action::Quit));
        assert_eq!(map.resolve(Key::Down, ScreenId::Home), Some(Action::Down));
        assert_eq!(map.resolve(Key::Char('Q'), ScreenId::Home), None);
        assert_eq!(map.of_key(Key::Ctrl('q'), ScreenId::Label).map(|b| b.source), Some(Source::Settings(7)));
    }

    #[test]
    fn what_cannot_be_understood_is_said() {
        let (_, problems) = Keymap::new(Profile::Prodigy, &[wish("jump", &["j"]), wish("down", &["hyper"])], true);
        assert!(problems[0].contains("is no action") && problems[1].contains("no key"), "{problems:?}");
        let (map, problems) = Keymap::new(Profile::Prodigy, &[wish("not", &[])], true);
        assert_eq!((problems.len(), map.resolve(Key::Char('x'), ScreenId::Label)), (1, Some(Action::Not)));
    }
}
