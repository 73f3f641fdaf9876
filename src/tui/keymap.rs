//! Which key does what now: the tables of the screens, changed by a profile and by a person's settings, with every
//! conflict said.

use super::action::{Action, ScreenId};
use super::binding::{ScreenKeys, Table};
use super::key::Key;
use super::profile::Profile;

/// Who says that a key does something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The program.
    Built,
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

/// Keys, what they do, and who says so.
#[derive(Debug, Clone)]
pub struct Bound {
    /// Any of these; none when all were taken away.
    pub keys: Vec<Key>,
    /// What.
    pub action: Action,
    /// In a few words.
    pub help: String,
    /// Whether the bar at the bottom shows it.
    pub bar: bool,
    /// Who says so.
    pub source: Source,
    /// The table it is of; empty when it is of none.
    table: Table,
}

impl Bound {
    /// Whether it is the same binding of the same table as another screen's.
    fn is_like(&self, other: &Self) -> bool {
        let of = |bound: &Self| (bound.action, bound.source);
        let tables = self.table.len() == other.table.len()
            && self
                .table
                .iter()
                .zip(other.table)
                .all(|(a, b)| (a.keys, a.action, a.help) == (b.keys, b.action, b.help));
        tables && of(self) == of(other) && self.keys == other.keys && self.help == other.help
    }
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
    screens: Vec<ScreenKeys>,
    /// Of each screen, in the order in which they are shown.
    bound: Vec<Vec<Bound>>,
    /// Whether keys are written in words, for terminals that have no signs for them.
    pub words: bool,
}

/// A key that two actions want on some screens.
struct Conflict {
    key: Key,
    line: usize,
    winner: Action,
    loser: Action,
    on: Vec<ScreenId>,
}

impl Keymap {
    /// The built-in keys of these screens. The first ten have a digit each.
    pub fn built_in(screens: &[ScreenKeys]) -> Self {
        let bound = screens.iter().map(|screen| built_in(screen, screens)).collect();
        Self { screens: screens.to_vec(), bound, words: false }
    }

    /// The built-in keys, changed by a profile, then by wishes. What could not be done, and which key was taken from
    /// whom, is said.
    pub fn new(screens: &[ScreenKeys], profile: Profile, wishes: &[Wish], guarded: bool) -> (Self, Vec<String>) {
        let (mut map, mut problems) = (Self::built_in(screens), Vec::new());
        if !guarded && profile.changes().iter().any(|(action, keys)| risky(*action, keys)) {
            problems.push(format!("the keys of profile {} label only while the guard is on", profile.name()));
        } else {
            for (screen, bound) in map.screens.iter().zip(&mut map.bound) {
                if profile.is_for(screen, bound.iter().map(|bound| bound.action)) {
                    for (action, keys) in profile.changes() {
                        change(bound, *action, keys, Source::Profile(profile));
                    }
                }
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
        let action = self.named(&wish.action).ok_or("is no action; :map lists them")?;
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
        let source = Source::Settings(wish.line);
        let changed: usize = self.bound.iter_mut().map(|bound| usize::from(change(bound, action, &keys, source))).sum();
        if changed == 0 {
            let new = Bound { keys, action, help: action.name().to_owned(), bar: false, source, table: &[] };
            let open = self.screens.iter().zip(&mut self.bound).filter(|(screen, _)| screen.digits);
            open.for_each(|(_, bound)| bound.insert(0, new.clone()));
        }
        Ok(())
    }

    /// Takes a key that two actions want away from the one that has it by an older word, and says so where the settings
    /// are at fault.
    fn settle(&mut self) -> Vec<String> {
        let mut conflicts: Vec<Conflict> = Vec::new();
        for (screen, bound) in self.screens.iter().zip(&mut self.bound) {
            for (key, winner, loser) in disputed(bound) {
                if ![winner, loser].iter().all(|place| bound[*place].keys.contains(&key)) {
                    continue;
                }
                let (by, from) = (bound[winner].action, bound[loser].action);
                bound[loser].keys.retain(|other| *other != key);
                let Source::Settings(line) = bound[winner].source else { continue };
                let same =
                    |other: &&mut Conflict| (other.key, other.line, other.winner, other.loser) == (key, line, by, from);
                match conflicts.iter_mut().find(same) {
                    Some(conflict) => conflict.on.push(screen.id),
                    None => conflicts.push(Conflict { key, line, winner: by, loser: from, on: vec![screen.id] }),
                }
            }
        }
        conflicts.iter().map(|conflict| self.in_words(conflict)).collect()
    }

    /// What to say of a key that the settings took from another action.
    fn in_words(&self, conflict: &Conflict) -> String {
        let (line, key, on) = (conflict.line, conflict.key.label(), self.names(&conflict.on));
        let (winner, loser) = (conflict.winner.name(), conflict.loser.name());
        format!("line {line}: {key} means both {winner} and {loser} on {on}; {winner} keeps it")
    }

    /// Screens by name, or those that are left out where these are fewer.
    fn names(&self, on: &[ScreenId]) -> String {
        let off: Vec<ScreenId> = self.screens.iter().map(|screen| screen.id).filter(|id| !on.contains(id)).collect();
        match off.len() {
            0 => "every screen".to_owned(),
            few if few < on.len() => format!("every screen but {}", listed(&off)),
            _ => listed(on),
        }
    }

    /// What each screen has built in.
    pub fn screens(&self) -> &[ScreenKeys] {
        &self.screens
    }

    /// All that a person can ask for by name: the screens, then the others.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        self.screens.iter().map(|screen| Action::Go(screen.id)).chain(Action::NAMED.iter().copied())
    }

    /// The action of a long name, those that write a label included: a person may give them other keys.
    pub fn named(&self, name: &str) -> Option<Action> {
        self.actions().chain(Action::LABELS).find(|action| action.name() == name)
    }

    /// What a key does on a screen.
    pub fn resolve(&self, key: Key, screen: ScreenId) -> Option<Action> {
        self.of_key(key, screen).map(|bound| bound.action)
    }

    /// The binding of a key on a screen.
    pub fn of_key(&self, key: Key, screen: ScreenId) -> Option<&Bound> {
        self.on(screen).find(|bound| bound.keys.contains(&key))
    }

    /// The bindings of a screen, in the order in which they are shown.
    pub fn on(&self, screen: ScreenId) -> impl Iterator<Item = &Bound> {
        let place = self.screens.iter().position(|keys| keys.id == screen);
        place.into_iter().flat_map(|place| &self.bound[place]).filter(|bound| !bound.keys.is_empty())
    }

    /// All bindings, each once, with the screens that have it: first those of some screens, then those of all or of all
    /// but one.
    fn each(&self) -> Vec<(&Bound, Vec<ScreenId>)> {
        let mut each: Vec<(&Bound, Vec<ScreenId>)> = Vec::new();
        for (screen, bound) in self.screens.iter().zip(&self.bound).flat_map(|(s, all)| all.iter().map(|b| (s.id, b))) {
            match each.iter_mut().find(|(other, _)| other.is_like(bound)) {
                Some((_, on)) => on.push(screen),
                None => each.push((bound, vec![screen])),
            }
        }
        each.sort_by_key(|(_, on)| on.len() + 1 >= self.screens.len());
        each
    }

    /// All bindings, with the names of their screens.
    pub fn all(&self) -> impl Iterator<Item = (&Bound, String)> {
        self.each().into_iter().map(|(bound, on)| (bound, self.names(&on)))
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

    /// The table of keys for the manual.
    pub fn markdown(&self) -> String {
        let mut table = String::from("| key | where | does |\n|---|---|---|\n");
        for (bound, on) in self.each() {
            let keys: Vec<String> = bound.keys.iter().map(|key| format!("`{}`", key.label())).collect();
            let off: Vec<ScreenId> = self.screens.iter().map(|keys| keys.id).filter(|id| !on.contains(id)).collect();
            let place = match off[..] {
                [] => "everywhere".to_owned(),
                [one] => format!("everywhere but {}", one.title()),
                _ => listed(&on),
            };
            table.push_str(&format!("| {} | {place} | {} |\n", keys.join(" "), bound.help));
        }
        table
    }
}

/// The built-in keys of a screen: its tables, then the digits of the others.
fn built_in(screen: &ScreenKeys, screens: &[ScreenKeys]) -> Vec<Bound> {
    let source = Source::Built;
    let rows = screen.tables.iter().flat_map(|table| table.iter().map(|binding| (*table, binding)));
    let own = rows.map(|(table, binding)| Bound {
        keys: binding.keys.to_vec(),
        action: binding.action,
        help: binding.help.to_owned(),
        bar: binding.bar,
        source,
        table,
    });
    let digits = "1234567890".chars().zip(screens).filter(|_| screen.digits).map(|(digit, to)| Bound {
        keys: vec![Key::Char(digit)],
        action: Action::Go(to.id),
        help: to.id.title(),
        bar: false,
        source,
        table: &[],
    });
    own.chain(digits).collect()
}

/// Gives an action these keys on a screen, in place of those it has there; false when it has none.
fn change(on: &mut Vec<Bound>, action: Action, keys: &[Key], source: Source) -> bool {
    let Some(first) = on.iter().position(|bound| bound.action == action) else { return false };
    (on[first].keys, on[first].source) = (keys.to_vec(), source);
    let mut seen = false;
    on.retain(|bound| bound.action != action || !std::mem::replace(&mut seen, true));
    true
}

/// Keys that two bindings of a screen want, with the place of the one that keeps the key and of the one that loses it.
fn disputed(on: &[Bound]) -> Vec<(Key, usize, usize)> {
    let mut found = Vec::new();
    for (i, a) in on.iter().enumerate() {
        for (j, b) in on.iter().enumerate().filter(|(j, _)| *j != i) {
            if (rank(a.source), j) > (rank(b.source), i) {
                found.extend(a.keys.iter().filter(|key| b.keys.contains(key)).map(|key| (*key, i, j)));
            }
        }
    }
    found
}

/// Names apart by commas.
fn listed(screens: &[ScreenId]) -> String {
    screens.iter().map(|screen| screen.name()).collect::<Vec<_>>().join(", ")
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
    use std::collections::HashMap;

    use super::*;
    use crate::screens::compare::Compare;
    use crate::screens::home::Home;
    use crate::screens::keys;
    use crate::screens::label::Label;

    fn ids() -> impl Iterator<Item = ScreenId> {
        keys().into_iter().map(|keys| keys.id)
    }

    fn wish(action: &str, keys: &[&str]) -> Wish {
        Wish { action: action.to_owned(), keys: keys.iter().map(|key| (*key).to_owned()).collect(), line: 7 }
    }

    #[test]
    fn every_action_has_one_name() {
        let map = Keymap::built_in(&keys());
        let mut names: Vec<&str> = map.actions().chain(Action::LABELS).map(Action::name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(!names.contains(&""), "each has a name");
        for bound in ids().flat_map(|id| map.on(id)) {
            assert_eq!(map.named(bound.action.name()), Some(bound.action));
        }
    }

    #[test]
    fn no_key_means_two_things_on_a_screen() {
        for profile in Profile::ALL {
            let (map, problems) = Keymap::new(&keys(), profile, &[], true);
            assert_eq!(problems, [] as [String; 0], "{profile:?}");
            for screen in ids() {
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
        let built = Keymap::built_in(&keys());
        for profile in Profile::ALL {
            let (map, _) = Keymap::new(&keys(), profile, &[], true);
            for screen in ids() {
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
        let map = Keymap::built_in(&keys());
        for c in (0..128u8).map(char::from) {
            let action = map.resolve(Key::Char(c), Label::ID);
            let labels = action.is_some_and(|a| Action::LABELS.contains(&a));
            assert!(!(labels && Key::Char(c).may_be_left_over()), "{c}");
            assert!(!c.is_ascii_digit() || action.is_none(), "{c}");
        }
    }

    #[test]
    fn digits_need_the_guard() {
        let (map, problems) = Keymap::new(&keys(), Profile::Digits, &[], false);
        assert_eq!(problems.len(), 1);
        assert_eq!(map.resolve(Key::Char('1'), Label::ID), None);
        assert_eq!(map.resolve(Key::Char('a'), Label::ID), Some(Action::NearDuplicate));
        let (map, _) = Keymap::new(&keys(), Profile::Digits, &[], true);
        assert_eq!(map.resolve(Key::Char('1'), Label::ID), Some(Action::NearDuplicate));
        assert_eq!(map.resolve(Key::Char('1'), Compare::ID), Some(Action::Go(Home::ID)));
        let (map, problems) = Keymap::new(&keys(), Profile::Prodigy, &[wish("not", &["m"])], false);
        assert_eq!((problems.len(), map.resolve(Key::Char('x'), Label::ID)), (1, Some(Action::Not)));
    }

    #[test]
    fn a_wish_wins_and_says_from_whom_it_took_the_key() {
        let (map, problems) = Keymap::new(&keys(), Profile::Prodigy, &[wish("quit", &["j", "C-q"])], true);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("line 7: j means both quit and down"), "{problems:?}");
        assert_eq!(map.resolve(Key::Char('j'), Home::ID), Some(Action::Quit));
        assert_eq!(map.resolve(Key::Down, Home::ID), Some(Action::Down));
        assert_eq!(map.resolve(Key::Char('Q'), Home::ID), None);
        assert_eq!(map.of_key(Key::Ctrl('q'), Label::ID).map(|b| b.source), Some(Source::Settings(7)));
    }

    #[test]
    fn what_cannot_be_understood_is_said() {
        let (_, problems) =
            Keymap::new(&keys(), Profile::Prodigy, &[wish("jump", &["j"]), wish("down", &["hyper"])], true);
        assert!(problems[0].contains("is no action") && problems[1].contains("no key"), "{problems:?}");
        let (map, problems) = Keymap::new(&keys(), Profile::Prodigy, &[wish("not", &[])], true);
        assert_eq!((problems.len(), map.resolve(Key::Char('x'), Label::ID)), (1, Some(Action::Not)));
    }
}
