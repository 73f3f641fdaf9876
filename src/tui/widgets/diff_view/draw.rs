//! Draws what is visible of two texts.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::layout::{GUTTER, Mode, Piece, ScreenLine, half, inside};
use super::{DiffView, Texts, Unlocked, minimap, search};
use crate::theme::Theme;
use crate::widgets::glyphs::{draw, draw_text, glyphs_up_to, width};
use dejaview_text::diff::Shown;

/// Columns of the widest glyph: an invisible character that is shown by its name.
const WIDEST: usize = 12;

impl DiffView {
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, texts: &Texts, theme: &Theme) {
        if self.is_fitted(area) {
            return self.draw_fitted(buffer, area, texts, theme);
        }
        let mut fitted = self.clone();
        fitted.fit(texts, area);
        fitted.draw_fitted(buffer, area, texts, theme);
    }

    fn draw_fitted(&self, buffer: &mut Buffer, area: Rect, texts: &Texts, theme: &Theme) {
        let end = match self.unlocked {
            Some(unlocked) => self.draw_unlocked(buffer, area, texts, unlocked, theme),
            None => {
                let place = inside(area);
                self.draw_items(buffer, place, self.top, (texts, theme), |item| self.screen_lines(texts, area, item))
            }
        };
        let first = self.row().unwrap_or(0);
        let last = end.checked_sub(1).and_then(|item| self.items.get(item)).map_or(first, |shown| match shown {
            Shown::Row(row) => *row,
            Shown::Fold { first, rows } => first + rows - 1,
        });
        let column = Rect { x: area.x + area.width.saturating_sub(1), width: area.width.min(1), ..area };
        minimap::draw(buffer, column, texts, first..last + 1, theme);
    }

    /// Draws items from `first` until the area is full, and returns the number of the first that was not begun.
    fn draw_items<'a>(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        (first, mut skip): (usize, usize),
        (texts, theme): (&Texts, &Theme),
        screen_lines: impl Fn(usize) -> Vec<ScreenLine<'a>>,
    ) -> usize {
        let mut y = area.y;
        for item in first..self.items.len() {
            for screen_line in screen_lines(item).into_iter().skip(std::mem::take(&mut skip)) {
                if y >= area.y + area.height {
                    return item;
                }
                self.draw_line(buffer, Rect { y, height: 1, ..area }, &screen_line, texts, theme);
                y += 1;
            }
        }
        self.items.len()
    }

    /// Draws each side from its own top, beside or above the other.
    fn draw_unlocked(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        texts: &Texts,
        unlocked: Unlocked,
        theme: &Theme,
    ) -> usize {
        let place = inside(area);
        let stacked = self.mode(texts, area) == Mode::Stacked;
        let mut end = 0;
        for (n, side) in [usize::from(self.swapped), usize::from(!self.swapped)].into_iter().enumerate() {
            let part = if stacked { rows(place, n) } else { columns(place, n) };
            let screen_lines = |item| self.lines_of_side(texts, area, item, side);
            let last = self.draw_items(buffer, part, unlocked.tops[side], (texts, theme), screen_lines);
            if side == unlocked.moving {
                end = last;
            }
        }
        if stacked && place.height > 0 {
            let y = place.y + place.height / 2;
            let line = "─".repeat(usize::from(place.width));
            draw_text(buffer, (place.x, y), place.width, &line, theme.faint);
        } else if !stacked {
            (place.y..place.y + place.height).for_each(|y| draw_border(buffer, place, y, theme));
        }
        end
    }

    fn draw_line(&self, buffer: &mut Buffer, area: Rect, screen_line: &ScreenLine<'_>, texts: &Texts, theme: &Theme) {
        match screen_line {
            ScreenLine::Fold(rows) => {
                let note = format!(" ⋯ {rows} equal lines ⋯ ");
                let room = usize::from(area.width);
                let dashes = room.saturating_sub(width(&note));
                let line = ["┄".repeat(dashes / 2), "┄".repeat(dashes.div_ceil(2))].join(&note);
                draw_text(buffer, (area.x, area.y), area.width, &line, theme.faint);
                let x = area.x + (dashes / 2) as u16;
                draw_text(buffer, (x, area.y), area.right().saturating_sub(x), &note, theme.muted);
            }
            ScreenLine::One(piece) => {
                if let Some(piece) = piece {
                    self.draw_piece(buffer, area, piece, texts, theme);
                }
            }
            ScreenLine::Sides(left, right) => {
                draw_border(buffer, area, area.y, theme);
                for (n, piece) in [left, right].into_iter().enumerate() {
                    if let Some(piece) = piece {
                        self.draw_piece(buffer, columns(area, n), piece, texts, theme);
                    }
                }
            }
        }
    }

    fn draw_piece(&self, buffer: &mut Buffer, area: Rect, piece: &Piece<'_>, texts: &Texts, theme: &Theme) {
        let (sign, tint, word) = match piece.side {
            _ if piece.mark == ' ' => (theme.muted, theme.text, theme.text),
            0 => (theme.a, theme.a_line, theme.a_word),
            _ => (theme.b, theme.b_line, theme.b_word),
        };
        buffer.set_style(area, tint);
        let gutter = format!("{}{} ", piece.mark, line_number(piece.number));
        draw_text(buffer, (area.x, area.y), GUTTER.min(area.width), &gutter, Style { bg: tint.bg, ..sign });
        let room = area.width.saturating_sub(GUTTER + 1);
        let line = texts.line_text(piece.line, piece.side);
        let text = line.get(piece.bytes.clone()).unwrap_or_default();
        // A wide glyph at the left border goes as a whole, and leaves room that what follows must fill.
        let columns = usize::from(room) + self.shift + if self.shift > 0 { WIDEST } else { 0 };
        let mut glyphs = glyphs_up_to(text, columns);
        let mut gone = 0;
        while self.shift > 0 && gone < self.shift && !glyphs.is_empty() {
            gone += glyphs.remove(0).width;
        }
        let results = self.results_near(line, &piece.bytes);
        let start = piece.line.span.start + piece.bytes.start;
        let current = self.current_result_in(piece, texts);
        let changed = changed_stretches(&piece.line.changed, texts.text(piece.side), &(start..start + text.len()));
        let underscored = underscored_words(&changed, texts.text(piece.side));
        let styled = |byte: usize| {
            let (at, in_line) = (start.saturating_add(byte), byte.saturating_add(piece.bytes.start));
            if current
                .is_some_and(|start| results.iter().any(|result| result.start == start && result.contains(&in_line)))
            {
                theme.hit.add_modifier(Modifier::UNDERLINED)
            } else if within(&results, in_line) || within(&self.marks[piece.side], at) {
                theme.hit
            } else if byte != usize::MAX && within(&underscored, at) && word.add_modifier.contains(Modifier::UNDERLINED)
            {
                // An underline would hide the underscore.
                word.remove_modifier(Modifier::UNDERLINED).add_modifier(Modifier::REVERSED)
            } else if byte != usize::MAX && (piece.unpaired || within(&changed, at)) {
                word
            } else {
                tint
            }
        };
        draw(buffer, (area.x + GUTTER, area.y), room, &glyphs, styled);
    }

    /// Where in its line the current search result begins, if it is in the line of this piece.
    fn current_result_in(&self, piece: &Piece<'_>, texts: &Texts) -> Option<usize> {
        let (number, _) = self.current_result.filter(|(_, top)| *top == self.top)?;
        let result = self.search.get(number).filter(|result| result.side == piece.side)?;
        let line = texts.line(result.row, result.side)?;
        (line.span == piece.line.span).then_some(result.byte)
    }

    /// Search results that touch these bytes of a line. Only the bytes near them are searched, since lines may be very long.
    fn results_near(&self, line: &str, bytes: &Range<usize>) -> Vec<Range<usize>> {
        let query = &self.search.query;
        let around = 4 * query.len();
        let boundary = |at: usize| (0..=at.min(line.len())).rev().find(|&at| line.is_char_boundary(at)).unwrap_or(0);
        let (from, to) = (boundary(bytes.start.saturating_sub(around)), boundary(bytes.end.saturating_add(around)));
        let near = line.get(from..to).unwrap_or_default();
        search::find_all(near, query).into_iter().map(|result| result.start + from..result.end + from).collect()
    }
}

/// The number of a line in four columns, or the end of it.
fn line_number(number: Option<u32>) -> String {
    match number {
        None => "    ".to_owned(),
        Some(number @ ..10_000) => format!("{number:>4}"),
        Some(number) => format!("…{:03}", number % 1000),
    }
}

/// The changed stretches of a text that touch some bytes. A stretch continues across the blanks between changed words.
fn changed_stretches(changed: &[Range<usize>], text: &str, bytes: &Range<usize>) -> Vec<Range<usize>> {
    let first = changed.partition_point(|span| span.end <= bytes.start).saturating_sub(1);
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for span in changed[first..].iter().take_while(|span| span.start < bytes.end) {
        let is_blank = |gap: &str| gap.chars().all(char::is_whitespace);
        match stretches.last_mut() {
            Some(last) if text.get(last.end..span.start).is_some_and(is_blank) => last.end = span.end,
            _ => stretches.push(span.clone()),
        }
    }
    let shown = |span: Range<usize>| span.start.max(bytes.start)..span.end.min(bytes.end);
    stretches.into_iter().map(shown).filter(|span| !span.is_empty()).collect()
}

/// The words with `_` in these stretches of a text.
fn underscored_words(stretches: &[Range<usize>], text: &str) -> Vec<Range<usize>> {
    let words = |span: &Range<usize>| {
        let mut at = span.start;
        let stretch = text.get(span.clone()).unwrap_or_default();
        let words = stretch.split_inclusive(char::is_whitespace).map(move |word| {
            at += word.len();
            (at - word.len()..at, word)
        });
        words.filter(|(_, word)| word.contains('_')).map(|(bytes, _)| bytes).collect::<Vec<_>>()
    };
    stretches.iter().flat_map(words).collect()
}

/// Whether a byte lies in one of these ascending spans.
fn within(spans: &[Range<usize>], at: usize) -> bool {
    let after = spans.partition_point(|span| span.start <= at);
    after.checked_sub(1).is_some_and(|i| at < spans[i].end)
}

/// The left (0) or right (1) column.
fn columns(area: Rect, n: usize) -> Rect {
    let wide = half(area);
    match n {
        0 => Rect { width: wide, ..area },
        _ => Rect { x: area.x + (wide + 1).min(area.width), width: area.width.saturating_sub(wide + 1), ..area },
    }
}

/// The upper (0) or lower (1) half, with a line between.
fn rows(area: Rect, n: usize) -> Rect {
    let high = area.height / 2;
    match n {
        0 => Rect { height: high, ..area },
        _ => Rect { y: area.y + (high + 1).min(area.height), height: area.height.saturating_sub(high + 1), ..area },
    }
}

fn draw_border(buffer: &mut Buffer, area: Rect, y: u16, theme: &Theme) {
    draw_text(buffer, (area.x + half(area), y), area.width.min(1), "│", theme.faint);
}
