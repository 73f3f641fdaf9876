//! The keys that work on a screen, grouped by what they are for, from the same table that makes them work. Typing narrows
//! them; the last group explains the signs.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::purposes::{Entry, Purpose, keys, told_together};
use crate::action::{Action, ScreenId};
use crate::binding::OverlayKey;
use crate::contract::{Answer, Overlay, Request};
use crate::key::Key::{self, Char, Ctrl};
use crate::keymap::{Bound, Keymap};
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::boxes::{centred, draw_box};
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::draw_text;

/// Lines that a page moves by.
const PAGE: usize = 10;
/// Columns of the keys.
const KEYS: u16 = 15;
/// Columns that a column of the help takes at least, and at most.
const COLUMN: u16 = 47;
const WIDEST_COLUMN: u16 = 64;
/// Columns that all keys with their screens take.
const WIDEST: u16 = 110;
/// How many keys stand on top, since they are used most.
const MOST_USED: usize = 3;

/// Signs and what they mean.
const SIGNS: [(&str, &str); 13] = [
    ("● ○ ◐", "near-duplicate, not, unsure"),
    ("·", "no label"),
    ("≠", "annotators or grades differ"),
    ("=", "same URL, same title"),
    ("⇄", "A and B differ in title"),
    ("✓ ✗", "matches, does not; done, failed"),
    ("- +", "only in A, only in B"),
    ("├─●─┤", "value with its interval"),
    ("▌ ▏", "cursor, selected row elsewhere"),
    ("⋯", "folded lines"),
    ("simha sh im", "found by: groups of methods, cut to fit"),
    ("J, J1, n=8", "Jaccard of words, of runs of 8"),
    ("A⊂B B⊂A", "share of A in B, of B in A"),
];

/// One line of the help.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    Blank,
    Heading(&'static str),
    /// Keys or signs, and what they do or mean.
    Keys(String, String),
}

impl Line {
    fn draw(&self, buffer: &mut Buffer, (x, y): (u16, u16), room: u16, theme: &Theme) {
        match self {
            Self::Blank => {}
            Self::Heading(name) => {
                draw_text(buffer, (x + 1, y), room.saturating_sub(1), name, theme.strong);
            }
            Self::Keys(keys, words) => {
                draw_text(buffer, (x + 2, y), KEYS, keys, theme.accent);
                draw_text(buffer, (x + 3 + KEYS, y), room.saturating_sub(KEYS + 3), words, theme.text);
            }
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Help {
    /// First line shown.
    top: usize,
    /// None until something is typed.
    filter: Option<String>,
    /// All bindings with their screens and origins (built in, profile, settings), instead of those of one screen.
    everywhere: bool,
}

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Close,
    Down,
    Up,
    PageDown,
    PageUp,
    /// Begins to filter.
    Filter,
    /// Ends filtering.
    All,
    /// Takes the last letter away.
    Shorten,
}

/// Keys while nothing is typed; every other letter begins to filter.
const READING: &[OverlayKey<Does>] = &[
    OverlayKey::shown(&[Char('j'), Key::Down], Does::Down, "scroll"),
    OverlayKey::shown(&[Char('k'), Key::Up], Does::Up, "scroll"),
    OverlayKey::hidden(&[Char(' '), Key::PageDown, Ctrl('d')], Does::PageDown),
    OverlayKey::hidden(&[Key::PageUp, Ctrl('u')], Does::PageUp),
    OverlayKey::shown(&[Char('/')], Does::Filter, "narrow"),
    OverlayKey::shown(&[Char('q'), Char('?'), Key::Esc, Key::Enter, Ctrl('c'), Ctrl('g')], Does::Close, "closes"),
];

/// Keys while a filter is typed.
const FILTERING: &[OverlayKey<Does>] = &[
    OverlayKey::shown(&[Key::Enter, Key::Esc, Ctrl('c'), Ctrl('g')], Does::Close, "closes"),
    OverlayKey::shown(&[Ctrl('u')], Does::All, "all keys again"),
    OverlayKey::shown(&[Key::PageUp], Does::PageUp, "scroll"),
    OverlayKey::shown(&[Key::PageDown, Ctrl('d')], Does::PageDown, "scroll"),
    OverlayKey::hidden(&[Key::Down], Does::Down),
    OverlayKey::hidden(&[Key::Up], Does::Up),
    OverlayKey::hidden(&[Key::Backspace], Does::Shorten),
];

impl Help {
    pub fn everywhere() -> Self {
        Self { everywhere: true, ..Self::default() }
    }

    /// The keys that hold now.
    fn own_keys(&self) -> &'static [OverlayKey<Does>] {
        if self.filter.is_some() { FILTERING } else { READING }
    }

    /// Takes a key; false when it closes the help.
    fn press(&mut self, key: Key, keymap: &Keymap, screen: ScreenId) -> bool {
        match (OverlayKey::resolve(self.own_keys(), key), key) {
            (Some(Does::Close), _) => return false,
            (Some(Does::Down), _) => self.top += 1,
            (Some(Does::Up), _) => self.top = self.top.saturating_sub(1),
            (Some(Does::PageDown), _) => self.top += PAGE,
            (Some(Does::PageUp), _) => self.top = self.top.saturating_sub(PAGE),
            (Some(Does::Filter), _) => self.filter = Some(String::new()),
            (Some(Does::All), _) => self.filter = None,
            (Some(Does::Shorten), _) => {
                if self.filter.as_mut().and_then(String::pop).is_none() {
                    self.filter = None;
                }
            }
            (None, Char(c)) => {
                self.filter.get_or_insert_default().push(c);
                self.top = 0;
            }
            (None, _) => {}
        }
        let len = if self.everywhere { self.bindings(keymap).len() } else { self.lines(keymap, screen).len() };
        self.top = self.top.min(len.saturating_sub(1));
        true
    }

    fn wanted(&self) -> String {
        self.filter.as_deref().unwrap_or_default().to_lowercase()
    }

    /// All bindings that the filter leaves: keys, what they do, the action's name, and where the binding comes from.
    fn bindings(&self, keymap: &Keymap) -> Vec<[String; 4]> {
        let wanted = self.wanted();
        let line = |(bound, on): (&Bound, String)| {
            let origin = format!("{} · {on}", bound.source.words());
            [keys(keymap, bound), bound.help.clone(), bound.action.name().to_owned(), origin]
        };
        let has = |line: &[String; 4]| line.iter().any(|cell| cell.to_lowercase().contains(&wanted));
        keymap.all().map(line).filter(has).collect()
    }

    /// The keys of a screen by purpose, and the signs, as far as the filter leaves them.
    fn lines(&self, keymap: &Keymap, screen: ScreenId) -> Vec<Line> {
        let (wanted, bound) = (self.wanted(), told_together(keymap, screen));
        let has = |entry: &&Entry| entry.texts().any(|text| text.to_lowercase().contains(&wanted));
        let mut groups: Vec<(&'static str, Vec<Line>)> = Vec::new();
        if wanted.is_empty() {
            let often = keymap.on(screen).filter(|bound| bound.bar && !bound.keys.is_empty());
            let often = often.filter(|bound| !matches!(bound.action, Action::Help | Action::Back | Action::Go(_)));
            let lines = often.take(MOST_USED).map(|bound| Line::Keys(keys(keymap, bound), bound.help.clone()));
            groups.push(("Most used", lines.collect()));
        }
        for purpose in Purpose::ALL {
            let of_purpose = bound.iter().filter(|entry| Purpose::of_action(entry.action) == purpose).filter(has);
            groups.push((
                purpose.name(),
                of_purpose.map(|entry| Line::Keys(entry.keys.clone(), entry.help.clone())).collect(),
            ));
        }
        let signs = SIGNS.iter().filter(|(sign, means)| sign.contains(&wanted) || means.contains(&wanted));
        groups
            .push(("Signs", signs.map(|(sign, means)| Line::Keys((*sign).to_owned(), (*means).to_owned())).collect()));
        let mut lines = Vec::new();
        for (name, group) in groups.into_iter().filter(|(_, group)| !group.is_empty()) {
            if !lines.is_empty() {
                lines.push(Line::Blank);
            }
            lines.push(Line::Heading(name));
            lines.extend(group);
        }
        lines
    }

    fn right(&self) -> String {
        match &self.filter {
            None => "/ narrows".to_owned(),
            Some(filter) => format!("with “{filter}”"),
        }
    }

    fn draw_bindings(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let lines = self.bindings(&shared.keymap);
        // As high as without a filter, so that nothing jumps while one types.
        let all = Self { filter: None, ..self.clone() }.bindings(&shared.keymap).len();
        let (wide, high) = (area.width.min(WIDEST), area.height.min(all as u16 + 2));
        let widths: [u16; 3] = if wide < WIDEST { [11, 20, 18] } else { [12, 26, 20] };
        let (theme, frame) = (&shared.theme, self.frame("All keys", "", lines.len(), high));
        draw_box(buffer, centred(area, wide, high), &frame, theme, |buffer, inside| {
            if lines.is_empty() {
                draw_text(buffer, (inside.x + 1, inside.y), inside.width, "No key or name has this", theme.muted);
            }
            for (y, line) in (inside.y..inside.bottom()).zip(lines.iter().skip(self.top)) {
                let mut x = 1;
                let styles = [theme.accent, theme.text, theme.muted, theme.muted];
                for (cell, (wide, style)) in line.iter().zip(widths.into_iter().chain([u16::MAX]).zip(styles)) {
                    draw_text(buffer, (inside.x + x, y), wide.min(inside.width.saturating_sub(x)), cell, style);
                    x = x.saturating_add(wide).saturating_add(1).min(inside.width);
                }
            }
        });
    }

    fn draw_purposes(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let (theme, lines) = (&shared.theme, self.lines(&shared.keymap, shared.screen));
        let all = Self { filter: None, ..self.clone() }.lines(&shared.keymap, shared.screen).len() as u16;
        let most = area.height.saturating_sub(2).max(1);
        let columns = ((area.width.saturating_sub(4)) / (COLUMN + 1)).clamp(1, 3).min(all.div_ceil(most).max(1));
        let high = all.div_ceil(columns).clamp(1, most);
        let column = (area.width.saturating_sub(4) / columns).saturating_sub(1).clamp(COLUMN, WIDEST_COLUMN);
        let wide = (columns * (column + 1) + 3).min(area.width);
        let qualifier = format!("on {}", shared.screen.title());
        let frame = self.frame("Keys", &qualifier, lines.len().div_ceil(usize::from(columns)), high + 2);
        draw_box(buffer, centred(area, wide, high + 2), &frame, theme, |buffer, inside| {
            if lines.is_empty() {
                draw_text(buffer, (inside.x + 1, inside.y), inside.width, "No key or sign has this", theme.muted);
            }
            for (number, line) in lines.iter().skip(self.top).take(usize::from(columns * high)).enumerate() {
                let x = inside.x + (number as u16 / high) * (column + 1);
                let y = inside.y + number as u16 % high;
                line.draw(buffer, (x, y), column.min(inside.right().saturating_sub(x)), theme);
            }
        });
    }

    fn frame(&self, title: &str, qualifier: &str, len: usize, high: u16) -> Frame {
        Frame {
            qualifier: qualifier.to_owned(),
            right: self.right(),
            position: "j k scroll · Esc closes".to_owned(),
            focused: true,
            scroll: Scroll { top: self.top, page: usize::from(high.saturating_sub(2)), len },
            ..Frame::new(title)
        }
    }
}

impl Overlay for Help {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        let Some(key) = Key::of(event) else { return Answer::Stays };
        if matches!(key, Ctrl(_)) && shared.keymap.resolve(key, shared.screen) == Some(Action::Quit) {
            return Answer::Closed(vec![Request::Act(Action::Quit)]);
        }
        if self.press(key, &shared.keymap, shared.screen) { Answer::Stays } else { Answer::Closed(Vec::new()) }
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        OverlayKey::bar(self.own_keys())
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        if self.everywhere {
            self.draw_bindings(buffer, area, shared)
        } else {
            self.draw_purposes(buffer, area, shared)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screens::compare::Compare;
    use crate::screens::home::Home;
    use crate::screens::keys as screen_keys;
    use crate::screens::label::Label;

    fn words(help: &Help, keymap: &Keymap, screen: ScreenId) -> Vec<String> {
        let words = |line: Line| match line {
            Line::Keys(_, words) => Some(words),
            Line::Blank | Line::Heading(_) => None,
        };
        help.lines(keymap, screen).into_iter().filter_map(words).collect()
    }

    #[test]
    fn typing_narrows_and_backspace_widens() {
        let keymap = Keymap::built_in(&screen_keys());
        let mut help = Help::default();
        let all = help.lines(&keymap, Label::ID);
        for c in "undo".chars() {
            assert!(help.press(Char(c), &keymap, Label::ID));
        }
        assert_eq!(words(&help, &keymap, Label::ID), ["undo"]);
        for _ in 0..5 {
            help.press(Key::Backspace, &keymap, Label::ID);
        }
        assert_eq!((help.lines(&keymap, Label::ID), help.filter.clone()), (all, None));
        assert!(!help.press(Char('q'), &keymap, Label::ID));
    }

    #[test]
    fn a_slash_lets_one_type_what_scrolls_otherwise() {
        let keymap = Keymap::built_in(&screen_keys());
        let mut help = Help::default();
        for c in "/quit".chars() {
            assert!(help.press(Char(c), &keymap, Home::ID));
        }
        assert_eq!(words(&help, &keymap, Home::ID), ["quit"]);
    }

    /// Every binding of a screen is told once, and the first three of the bar again on top.
    #[test]
    fn every_key_has_its_line() {
        let keymap = Keymap::built_in(&screen_keys());
        for screen in keymap.screens().iter().map(|screen| screen.id) {
            let told: Vec<String> = told_together(&keymap, screen).into_iter().map(|entry| entry.keys).collect();
            for bound in keymap.on(screen).filter(|bound| !matches!(bound.action, Action::Go(_))) {
                for key in &bound.keys {
                    let key = keymap.written(*key);
                    let lines = told.iter().filter(|keys| keys.split(' ').any(|told| told == key)).count();
                    assert_eq!(lines, 1, "{} on {}", key, screen.name());
                }
            }
        }
        let lines = Help::default().lines(&keymap, Compare::ID);
        assert_eq!(lines[0], Line::Heading("Most used"));
        let screens = lines.iter().filter(|line| matches!(line, Line::Keys(_, words) if words == "screens")).count();
        assert_eq!(screens, 1);
        assert!(
            matches!(lines.last(), Some(Line::Keys(_, words)) if words == "share of A in B, of B in A"),
            "signs come last"
        );
    }
}
