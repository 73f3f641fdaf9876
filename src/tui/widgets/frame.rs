//! The frame of a pane: a rounded box with what it is in its upper border and where one is in its lower one; on narrow
//! terminals a single rule above, so that every column is left to what the pane shows.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::glyphs::{draw_text, width};
use super::size::Size;
use crate::theme::Theme;

/// Columns of a qualifier that is cut, at least.
const LEAST: usize = 12;

/// Views or lists that a pane can show, of which one is shown: they stand in its upper border in place of a title.
#[derive(Debug, Clone, Default)]
pub struct Tabs {
    pub names: Vec<String>,
    /// The one that is shown.
    pub active: usize,
}

/// Which rows of a longer list are visible.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scroll {
    /// The first one.
    pub top: usize,
    /// How many fit.
    pub page: usize,
    /// How many there are.
    pub len: usize,
}

/// What the frame of a pane says. What is empty is left out.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    pub title: String,
    pub tabs: Tabs,
    /// A few words on the title, such as what restricts the list.
    pub qualifier: String,
    /// At the right end of the upper border: the sort order, or a key.
    pub right: String,
    /// Where one is, such as `3/35`.
    pub position: String,
    /// At the right end of the lower border; narrow panes have no place for it.
    pub legend: String,
    /// Whether keys act on this pane.
    pub focused: bool,
    /// Draws a scrollbar on the right border when there is more than one page.
    pub scroll: Scroll,
}

impl Frame {
    /// Of a pane with this title.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Where the content of a pane goes. A column before the right border stays blank: terminals differ in how wide
    /// they draw some characters.
    pub fn inside(area: Rect, size: Size) -> Rect {
        if size.is_narrow() {
            return Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area };
        }
        Rect {
            x: area.x + 1.min(area.width),
            y: area.y + 1.min(area.height),
            width: area.width.saturating_sub(3),
            height: area.height.saturating_sub(2),
        }
    }

    /// Draws the frame; returns where the content goes.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, size: Size, theme: &Theme) -> Rect {
        if area.height > 0 && area.width > 4 {
            if size.is_narrow() {
                self.draw_rule(buffer, area, theme);
            } else {
                self.draw_box(buffer, area, theme);
            }
        }
        Self::inside(area, size)
    }

    fn border(&self, theme: &Theme) -> Style {
        if self.focused { theme.accent.add_modifier(Modifier::BOLD) } else { theme.faint }
    }

    fn draw_rule(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let row = Rect { height: 1, ..area };
        draw_line(buffer, row, "─", self.border(theme));
        let right = [&self.right, &self.position].map(String::as_str);
        let right: Vec<&str> = right.into_iter().filter(|text| !text.is_empty()).collect();
        self.draw_words(
            buffer,
            Rect { x: row.x + 1, width: row.width.saturating_sub(2), ..row },
            &right.join(" "),
            theme,
        );
    }

    fn draw_box(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let border = self.border(theme);
        let (left, right, bottom) = (area.x, area.right() - 1, area.bottom() - 1);
        for y in [area.y, bottom] {
            draw_line(buffer, Rect { y, height: 1, ..area }, "─", border);
        }
        for y in area.y..area.bottom() {
            for x in [left, right] {
                buffer[(x, y)].set_symbol("│").set_style(border);
            }
        }
        let corners = [((left, area.y), "╭"), ((right, area.y), "╮"), ((left, bottom), "╰"), ((right, bottom), "╯")];
        for (at, corner) in corners {
            buffer[at].set_symbol(corner);
        }
        let inner = Rect { x: area.x + 1, width: area.width - 2, height: 1, ..area };
        self.draw_words(buffer, inner, &self.right, theme);
        if area.height > 1 {
            let place = Rect { y: bottom, ..inner };
            let used = draw_on_border(buffer, place, &[(self.position.clone(), theme.muted)]);
            let rest = Rect { x: place.x + used, width: place.width - used, ..place };
            draw_at_the_end(buffer, rest, &self.legend, theme.muted);
        }
        self.draw_scrollbar(buffer, Rect { x: right, y: area.y + 1, width: 1, height: area.height.saturating_sub(2) });
    }

    fn draw_scrollbar(&self, buffer: &mut Buffer, border: Rect) {
        let (Scroll { top, page, len }, high) = (self.scroll, usize::from(border.height));
        if page == 0 || len <= page || high == 0 {
            return;
        }
        let length = (high * page / len).clamp(1, high);
        let (hidden, free) = (len - page, high - length);
        // The bar is at an end only when the list is.
        let start = match top.min(hidden) {
            0 => 0,
            at if at == hidden => free,
            at => (at * free / hidden).clamp(1.min(free), free.saturating_sub(1).max(1.min(free))),
        };
        for y in start..start + length {
            buffer[(border.x, border.y + y as u16)].set_symbol("┃");
        }
    }

    /// The words of the upper border. When there is too little room the right end goes first, then the qualifier.
    fn draw_words(&self, buffer: &mut Buffer, row: Rect, right: &str, theme: &Theme) {
        let wide = |pieces: &[(String, Style)]| pieces.iter().map(|(text, _)| width(text)).sum::<usize>();
        let room = usize::from(row.width).saturating_sub(4);
        let qualifier = if self.qualifier.is_empty() { 0 } else { width(&self.qualifier) + 2 };
        // Neighbours of the active tab leave room for the rest.
        let reserved = if self.tabs.names.is_empty() { 0 } else { qualifier + width(right) + 4 };
        let active =
            self.tabs.names.get(self.tabs.active).map_or(0, |name| (width(name) + 8).min(usize::from(row.width)));
        let name = self.name(usize::from(row.width).saturating_sub(reserved).max(active), theme);
        let right = if wide(&name) + qualifier + width(right) + 4 > room { "" } else { right };
        let mut pieces = name;
        let left = room.saturating_sub(wide(&pieces) + 2);
        if qualifier > 0 && left >= (qualifier - 2).min(LEAST) {
            pieces.push(("  ".to_owned(), theme.text));
            pieces.push((shortened(&self.qualifier, left.min(qualifier - 2)), theme.muted));
        }
        let used = draw_on_border(buffer, row, &pieces);
        let rest = Rect { x: row.x + used, width: row.width - used, ..row };
        draw_at_the_end(buffer, rest, right, theme.muted);
    }

    /// The title, or the tabs: all of them, or the active one with as many of its neighbours as fit.
    fn name(&self, columns: usize, theme: &Theme) -> Vec<(String, Style)> {
        let (active, other) = if self.focused {
            (theme.chip(), theme.muted)
        } else {
            (theme.muted.add_modifier(Modifier::BOLD), theme.muted)
        };
        let room = columns.saturating_sub(4);
        if self.tabs.names.is_empty() {
            // A chip has a blank at both ends where it is a block.
            let title = shortened(&self.title, room.saturating_sub(2));
            return if title.is_empty() { Vec::new() } else { vec![(chip(&title, self.focused), active)] };
        }
        let names = &self.tabs.names;
        let at = self.tabs.active.min(names.len() - 1);
        let (mut first, mut last) = (at, at);
        let fits = |first: usize, last: usize| {
            let marks = usize::from(first > 0) * 4 + usize::from(last + 1 < names.len()) * 4;
            names[first..=last].iter().map(|name| width(name) + 3).sum::<usize>() + 2 + marks <= room
        };
        loop {
            let before = (first, last);
            if last + 1 < names.len() && fits(first, last + 1) {
                last += 1;
            }
            if first > 0 && fits(first - 1, last) {
                first -= 1;
            }
            if (first, last) == before {
                break;
            }
        }
        let mut pieces = Vec::new();
        if first > 0 {
            pieces.push(("… ─ ".to_owned(), theme.faint));
        }
        for (i, name) in names.iter().enumerate().take(last + 1).skip(first) {
            if i > first {
                pieces.push((" ─ ".to_owned(), theme.faint));
            }
            let name = shortened(name, room.saturating_sub(2));
            pieces.push(if i == at {
                (chip(&name, self.focused), active.add_modifier(Modifier::BOLD))
            } else {
                (name, other)
            });
        }
        if last + 1 < names.len() {
            pieces.push((" ─ …".to_owned(), theme.faint));
        }
        pieces
    }
}

/// A word as a block where it is focused, else as it is.
fn chip(text: &str, focused: bool) -> String {
    if focused { format!(" {text} ") } else { text.to_owned() }
}

/// A text that fits, with `…` where it was cut.
fn shortened(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    for glyph in super::glyphs::glyphs(text) {
        if width(&kept) + glyph.width + 1 > columns {
            break;
        }
        kept.push_str(&glyph.text);
    }
    if columns == 0 { String::new() } else { format!("{}…", kept.trim_end_matches([' ', '…'])) }
}

fn draw_line(buffer: &mut Buffer, row: Rect, sign: &str, style: Style) {
    for x in row.x..row.right() {
        buffer[(x, row.y)].set_symbol(sign).set_style(style);
    }
}

/// Draws pieces near the left end of a border, with a blank before and behind; returns the columns used. A block begins
/// with a blank of its own.
fn draw_on_border(buffer: &mut Buffer, row: Rect, pieces: &[(String, Style)]) -> u16 {
    let pieces: Vec<&(String, Style)> = pieces.iter().filter(|(text, _)| !text.is_empty()).collect();
    let Some((first, _)) = pieces.first() else { return 0 };
    let mut x = row.x + 1;
    let end = row.right().saturating_sub(1);
    if !first.starts_with(' ') {
        draw_text(buffer, (x, row.y), end.saturating_sub(x).min(1), " ", Style::reset());
        x += 1;
    }
    for (text, style) in &pieces {
        x += draw_text(buffer, (x, row.y), end.saturating_sub(x), text, *style);
    }
    if pieces.last().is_some_and(|(text, _)| !text.ends_with(' ')) {
        x += draw_text(buffer, (x, row.y), end.saturating_sub(x).min(1), " ", Style::reset());
    }
    x.saturating_sub(row.x)
}

/// Draws a text near the right end of a border, where there is room for all of it.
fn draw_at_the_end(buffer: &mut Buffer, row: Rect, text: &str, style: Style) {
    let wide = width(text) as u16 + 3;
    if text.is_empty() || wide + 1 > row.width {
        return;
    }
    draw_text(buffer, (row.right() - wide, row.y), wide, &format!(" {text} "), style);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Palette;
    use proptest::prelude::*;

    const MEDIUM: (u16, u16) = (120, 32);
    const NARROW: (u16, u16) = (80, 24);

    fn drawn(frame: &Frame, (columns, lines): (u16, u16), terminal: (u16, u16)) -> Vec<String> {
        let area = Rect::new(0, 0, columns, lines);
        let mut buffer = Buffer::empty(area);
        frame.draw(&mut buffer, area, Size::of(terminal), &Theme::new(Palette::Mono));
        let row = |y: u16| (0..columns).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..lines).map(row).collect()
    }

    fn judgments() -> Frame {
        Frame {
            qualifier: "topic 1 of 10".to_owned(),
            right: "file order ▾".to_owned(),
            position: "3/35 · 388 in all".to_owned(),
            legend: "1 change".to_owned(),
            scroll: Scroll { top: 0, page: 2, len: 8 },
            ..Frame::new("Judgments")
        }
    }

    #[test]
    fn a_pane_says_what_it_is_and_where_one_is() {
        let rows = drawn(&judgments(), (50, 6), MEDIUM);
        assert_eq!(rows[0], "╭─ Judgments  topic 1 of 10 ────── file order ▾ ─╮");
        assert_eq!(rows[1], "│                                                ┃");
        assert_eq!(rows[2], "│                                                │");
        assert_eq!(rows[5], "╰─ 3/35 · 388 in all ───────────────── 1 change ─╯");
    }

    #[test]
    fn on_narrow_terminals_it_is_a_rule() {
        let frame = Frame { position: "5/384".to_owned(), right: "source ▾".to_owned(), ..judgments() };
        let rows = drawn(&frame, (50, 2), NARROW);
        assert_eq!(rows[0], "── Judgments  topic 1 of 10 ──── source ▾ 5/384 ──");
        assert_eq!(rows[1].trim(), "");
    }

    #[test]
    fn the_right_end_gives_way_first_and_then_the_qualifier() {
        let row = |columns| drawn(&judgments(), (columns, 3), MEDIUM).swap_remove(0);
        assert_eq!(row(36), "╭─ Judgments  topic 1 of 10 ───────╮");
        assert_eq!(row(24), "╭─ Judgments ──────────╮");
        assert_eq!(row(12), "╭─ Jud… ───╮");
    }

    #[test]
    fn tabs_stand_in_the_border_and_the_active_one_stays() {
        let names = ["Quality", "Matrix", "Unions", "Kinds"].map(str::to_owned).to_vec();
        let frame =
            |active, focused| Frame { tabs: Tabs { names: names.clone(), active }, focused, ..Frame::default() };
        let row = |active, columns| drawn(&frame(active, false), (columns, 3), MEDIUM).swap_remove(0);
        assert_eq!(row(0, 50), "╭─ Quality ─ Matrix ─ Unions ─ Kinds ────────────╮");
        for (active, name) in names.iter().enumerate() {
            for columns in 16..50 {
                assert!(row(active, columns).contains(name), "{name} in {columns}");
            }
        }
        let focused = drawn(&frame(1, true), (50, 3), MEDIUM).swap_remove(0);
        assert_eq!(focused, "╭─ Quality ─  Matrix  ─ Unions ─ Kinds ──────────╮");
    }

    proptest! {
        #[test]
        fn no_border_is_broken(title in "\\PC{0,30}", qualifier in "\\PC{0,30}", right in "\\PC{0,20}",
                               position in "\\PC{0,20}", columns in 5u16..70, lines in 1u16..6,
                               (top, page, len) in (0usize..50, 0usize..20, 0usize..60), focused: bool) {
            let scroll = Scroll { top, page, len };
            let frame = Frame { title, qualifier, right, position, focused, scroll, ..Frame::default() };
            let rows = drawn(&frame, (columns, lines), MEDIUM);
            if lines > 1 {
                prop_assert!(rows[0].starts_with('╭') && rows[0].ends_with('╮'), "{:?}", rows[0]);
                let last = &rows[usize::from(lines) - 1];
                prop_assert!(last.starts_with('╰') && last.ends_with('╯'), "{:?}", last);
            }
            drawn(&frame, (columns, lines), NARROW);
        }

        #[test]
        fn the_scrollbar_is_at_an_end_only_when_the_list_is(page in 1usize..30, more in 1usize..60, high in 3u16..30, at in 0usize..60) {
            let (len, top) = (page + more, at.min(more));
            let frame = Frame { scroll: Scroll { top, page, len }, ..Frame::default() };
            let rows = drawn(&frame, (20, high + 2), MEDIUM);
            let bar: Vec<bool> = rows[1..=usize::from(high)].iter().map(|row| row.ends_with('┃')).collect();
            prop_assert!(bar.contains(&true));
            // A bar that leaves one line free can only be at one of the two ends.
            let free = bar.iter().filter(|on| !**on).count();
            prop_assert_eq!(bar[0], top == 0 || free == 0 || free == 1 && top < more && !bar[bar.len() - 1]);
        }
    }
}
