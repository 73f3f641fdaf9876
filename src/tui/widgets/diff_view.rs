//! Two texts with their differences: side by side or stacked, wrapped or cut, equal runs folded.
//!
//! Drawing and scrolling lay out only what is near the screen, whatever the length of the texts.

use std::collections::HashSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::glyphs::{Glyph, draw, draw_text, glyphs, right_to_left, wrap};
use crate::text::diff::{Diff, Line, RowKind, Shown, folded};
use crate::tui::action::Action;
use crate::tui::theme::Theme;

/// Equal lines shown around a change.
const CONTEXT: usize = 2;
/// Mark, number and blanks in front of a line.
const GUTTER: u16 = 7;
/// Below this width two columns are too narrow to read.
const NARROW: u16 = 100;

/// Two texts and what differs.
#[derive(Debug)]
pub struct Texts {
    /// The source's.
    pub source: String,
    /// The target's.
    pub target: String,
    /// What differs.
    pub diff: Diff,
    /// Whether one of them runs from right to left.
    pub right_to_left: bool,
}

impl Texts {
    /// With their difference already made.
    pub fn new(source: String, target: String, diff: Diff) -> Self {
        let right_to_left = right_to_left(&source) || right_to_left(&target);
        Self { source, target, diff, right_to_left }
    }

    fn contains(&self, row: usize, query: &str) -> bool {
        let row = &self.diff.rows[row];
        let has = |text: &str, line: &Option<Line>| {
            line.as_ref().is_some_and(|line| text[line.span.clone()].to_lowercase().contains(query))
        };
        has(&self.source, &row.source) || has(&self.target, &row.target)
    }
}

/// How the two texts are looked at, and where.
#[derive(Debug, Clone)]
pub struct DiffView {
    shown: Vec<Shown>,
    /// First thing shown, and how many of its lines are above the screen.
    top: (usize, usize),
    open: HashSet<usize>,
    fold: bool,
    /// Side by side (false) or stacked (true) when a person chose; by width and script otherwise.
    stacked: Option<bool>,
    wrap: bool,
    query: String,
}

impl Default for DiffView {
    fn default() -> Self {
        Self {
            shown: Vec::new(),
            top: (0, 0),
            open: HashSet::new(),
            fold: true,
            stacked: None,
            wrap: true,
            query: String::new(),
        }
    }
}

/// One line of the screen for one side: mark and number where it begins, then some glyphs.
struct Piece<'a> {
    mark: char,
    number: Option<u32>,
    glyphs: Vec<Glyph<'a>>,
    line: &'a Line,
    whole: bool,
}

/// What stands at one line of the screen.
enum Laid<'a> {
    Sides(Option<Piece<'a>>, Option<Piece<'a>>),
    Stacked(Piece<'a>, bool),
    Fold(usize),
}

impl DiffView {
    /// A view of other texts, as this one was set.
    pub fn fresh(&self, texts: &Texts) -> Self {
        let mut view = Self { top: (0, 0), open: HashSet::new(), shown: Vec::new(), ..self.clone() };
        view.reshow(texts);
        view
    }

    fn reshow(&mut self, texts: &Texts) {
        let row = self.row();
        self.shown = if self.fold && !texts.diff.changes.is_empty() {
            folded(&texts.diff, CONTEXT, &self.open)
        } else {
            (0..texts.diff.rows.len()).map(Shown::Row).collect()
        };
        self.place_row(row.unwrap_or(0));
    }

    /// The diff row at the top of the screen.
    fn row(&self) -> Option<usize> {
        match self.shown.get(self.top.0)? {
            Shown::Row(row) | Shown::Fold { first: row, .. } => Some(*row),
        }
    }

    fn place_row(&mut self, row: usize) {
        let at = self.shown.partition_point(|shown| match shown {
            Shown::Row(r) => *r < row,
            Shown::Fold { first, rows } => first + rows <= row,
        });
        self.top = (at.min(self.shown.len().saturating_sub(1)), 0);
    }

    fn is_stacked(&self, texts: &Texts, area: Rect) -> bool {
        self.stacked.unwrap_or(area.width < NARROW || texts.right_to_left)
    }

    /// The row of the comparison at the top of the screen.
    pub fn top_row(&self) -> usize {
        self.row().unwrap_or(0)
    }

    /// Puts a row at the top of the screen.
    pub fn to_row(&mut self, row: usize, texts: &Texts) {
        if row < texts.diff.rows.len() {
            self.reveal(row, texts);
        }
    }

    /// Whether the end of the texts is on the screen.
    pub fn reaches_end(&self, texts: &Texts, area: Rect) -> bool {
        let mut room = usize::from(area.height) + self.top.1;
        for item in self.top.0..self.shown.len() {
            let height = self.height(texts, area, item);
            if height > room {
                return false;
            }
            room -= height;
        }
        true
    }

    /// Does what an action asks; false when it is none of this view's.
    pub fn update(&mut self, action: Action, texts: &Texts, area: Rect) -> bool {
        let page = isize::try_from(area.height).unwrap_or(0).max(1);
        match action {
            Action::Up => self.scroll(texts, area, -1),
            Action::Down => self.scroll(texts, area, 1),
            Action::HalfUp => self.scroll(texts, area, -page / 2),
            Action::HalfDown => self.scroll(texts, area, page / 2),
            Action::PageUp => self.scroll(texts, area, -page),
            Action::PageDown => self.scroll(texts, area, page),
            Action::Top => self.top = (0, 0),
            Action::Bottom => {
                self.top = (self.shown.len().saturating_sub(1), 0);
                self.scroll(texts, area, 1 - page);
            }
            Action::NextChange => self.change(texts, true),
            Action::PreviousChange => self.change(texts, false),
            Action::NextHit => self.hit(texts, true),
            Action::PreviousHit => self.hit(texts, false),
            Action::View => self.stacked = Some(!self.is_stacked(texts, area)),
            Action::Wrap => self.wrap = !self.wrap,
            Action::Fold => {
                self.fold = !self.fold;
                self.open.clear();
                self.reshow(texts);
            }
            Action::Open => self.unfold(texts, area),
            _ => return false,
        }
        self.top.1 = self.top.1.min(self.height(texts, area, self.top.0).saturating_sub(1));
        true
    }

    /// Looks for words from the top of the screen on.
    pub fn search(&mut self, query: &str, texts: &Texts) {
        self.query = query.to_lowercase();
        match self.row() {
            Some(row) if texts.contains(row, &self.query) => self.reveal(row, texts),
            Some(_) => self.hit(texts, true),
            None => {}
        }
    }

    fn hit(&mut self, texts: &Texts, forward: bool) {
        if self.query.is_empty() {
            return;
        }
        let rows = texts.diff.rows.len();
        let here = self.row().unwrap_or(0);
        let found = (1..=rows)
            .map(|step| if forward { (here + step) % rows } else { (here + rows - step) % rows })
            .find(|&row| texts.contains(row, &self.query));
        if let Some(row) = found {
            self.reveal(row, texts);
        }
    }

    fn change(&mut self, texts: &Texts, forward: bool) {
        let here = self.row().unwrap_or(0) + CONTEXT.min(1);
        let changes = &texts.diff.changes;
        let found = if forward {
            changes.iter().find(|&&row| row > here)
        } else {
            changes.iter().rev().find(|&&row| row + 1 < here)
        };
        if let Some(&row) = found {
            self.place_row(row.saturating_sub(1));
        }
    }

    /// Number of the change at or after the top of the screen, counted from 1, and of all.
    pub fn place(&self, texts: &Texts) -> (usize, usize) {
        let changes = &texts.diff.changes;
        let here = self.row().unwrap_or(0);
        ((changes.partition_point(|&row| row < here) + 1).min(changes.len()), changes.len())
    }

    /// Puts a row at the top, out of its fold if it is in one.
    fn reveal(&mut self, row: usize, texts: &Texts) {
        let hidden = self.shown.iter().find_map(|shown| match shown {
            Shown::Fold { first, rows } if (*first..first + rows).contains(&row) => Some(*first),
            _ => None,
        });
        if let Some(first) = hidden {
            self.open.insert(first);
            self.reshow(texts);
        }
        self.place_row(row);
    }

    /// Opens the first fold on the screen.
    fn unfold(&mut self, texts: &Texts, area: Rect) {
        let visible = self.shown.iter().skip(self.top.0).take(usize::from(area.height));
        let fold = visible.into_iter().find_map(|shown| match shown {
            Shown::Fold { first, .. } => Some(*first),
            Shown::Row(_) => None,
        });
        if let Some(first) = fold {
            self.open.insert(first);
            self.reshow(texts);
        }
    }

    /// Moves by lines of the screen; lays each thing that is passed out once.
    fn scroll(&mut self, texts: &Texts, area: Rect, lines: isize) {
        let mut left = lines.unsigned_abs();
        let (mut item, mut part) = self.top;
        while left > 0 && lines > 0 {
            let below = (self.height(texts, area, item) - 1).saturating_sub(part);
            if below >= left {
                part += left;
                break;
            }
            if item + 1 >= self.shown.len() {
                part += below;
                break;
            }
            left -= below + 1;
            (item, part) = (item + 1, 0);
        }
        while left > 0 && lines < 0 {
            if part >= left {
                part -= left;
                break;
            }
            if item == 0 {
                part = 0;
                break;
            }
            left -= part + 1;
            item -= 1;
            part = self.height(texts, area, item) - 1;
        }
        self.top = (item, part);
    }

    fn height(&self, texts: &Texts, area: Rect, item: usize) -> usize {
        self.lay(texts, area, item).len().max(1)
    }

    /// The lines of the screen that one thing takes.
    fn lay<'a>(&self, texts: &'a Texts, area: Rect, item: usize) -> Vec<Laid<'a>> {
        let Some(shown) = self.shown.get(item) else { return Vec::new() };
        let row = match shown {
            Shown::Fold { rows, .. } => return vec![Laid::Fold(*rows)],
            Shown::Row(row) => &texts.diff.rows[*row],
        };
        let (old, new) = match row.kind {
            RowKind::Equal => (' ', ' '),
            _ => ('-', '+'),
        };
        let whole = |kind| row.kind == kind;
        if self.is_stacked(texts, area) {
            let columns = area.width.saturating_sub(GUTTER + 1);
            let mut lines = Vec::new();
            if let Some(line) = &row.source {
                let pieces = self.pieces(&texts.source, line, old, columns, whole(RowKind::OnlySource));
                lines.extend(pieces.into_iter().map(|piece| Laid::Stacked(piece, false)));
            }
            if let Some(line) = row.target.as_ref().filter(|_| row.kind != RowKind::Equal) {
                let pieces = self.pieces(&texts.target, line, new, columns, whole(RowKind::OnlyTarget));
                lines.extend(pieces.into_iter().map(|piece| Laid::Stacked(piece, true)));
            }
            return lines;
        }
        let columns = half(area).saturating_sub(GUTTER + 1);
        let side = |text: &'a str, line: &'a Option<Line>, mark, whole| {
            line.as_ref().map(|line| self.pieces(text, line, mark, columns, whole)).unwrap_or_default()
        };
        let mut left = side(&texts.source, &row.source, old, whole(RowKind::OnlySource)).into_iter();
        let mut right = side(&texts.target, &row.target, new, whole(RowKind::OnlyTarget)).into_iter();
        let mut lines = Vec::new();
        loop {
            match (left.next(), right.next()) {
                (None, None) => return lines,
                (l, r) => lines.push(Laid::Sides(l, r)),
            }
        }
    }

    fn pieces<'a>(&self, text: &'a str, line: &'a Line, mark: char, columns: u16, whole: bool) -> Vec<Piece<'a>> {
        let all = glyphs(&text[line.span.clone()]);
        let columns = if self.wrap { usize::from(columns) } else { usize::MAX };
        let ranges = wrap(&all, columns);
        ranges
            .into_iter()
            .enumerate()
            .map(|(i, range)| Piece {
                mark: if i == 0 || mark != ' ' { mark } else { ' ' },
                number: (i == 0).then_some(line.number),
                glyphs: all[range].to_vec(),
                line,
                whole,
            })
            .collect()
    }

    /// Draws what is visible.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, texts: &Texts, theme: &Theme) {
        let mut y = area.y;
        let mut skip = self.top.1;
        for item in self.top.0..self.shown.len() {
            for laid in self.lay(texts, area, item).into_iter().skip(skip) {
                if y >= area.y + area.height {
                    return;
                }
                self.draw_line(buffer, Rect { y, height: 1, ..area }, &laid, texts, theme);
                y += 1;
            }
            skip = 0;
        }
    }

    fn draw_line(&self, buffer: &mut Buffer, area: Rect, laid: &Laid<'_>, texts: &Texts, theme: &Theme) {
        let hits = |text: &str, line: &Line| hits(&text[line.span.clone()], &self.query);
        match laid {
            Laid::Fold(rows) => {
                let note = format!("⋯ {rows} equal lines (Enter opens) ⋯");
                draw_text(buffer, (area.x + GUTTER, area.y), area.width.saturating_sub(GUTTER), &note, theme.dim);
            }
            Laid::Stacked(piece, new) => {
                let (text, style) = if *new { (&texts.target, theme.added) } else { (&texts.source, theme.removed) };
                draw_piece(buffer, area, piece, &hits(text, piece.line), (style, theme));
            }
            Laid::Sides(left, right) => {
                let wide = half(area);
                let right_area = Rect { x: area.x + wide + 1, width: area.width.saturating_sub(wide + 1), ..area };
                draw_text(buffer, (area.x + wide, area.y), 1, "│", theme.dim);
                if let Some(piece) = left {
                    let place = Rect { width: wide, ..area };
                    draw_piece(buffer, place, piece, &hits(&texts.source, piece.line), (theme.removed, theme));
                }
                if let Some(piece) = right {
                    draw_piece(buffer, right_area, piece, &hits(&texts.target, piece.line), (theme.added, theme));
                }
            }
        }
    }
}

/// Width of the left column; one spare column stands before the border.
fn half(area: Rect) -> u16 {
    area.width.saturating_sub(1) / 2
}

/// Bytes at which the query stands in a line, as ranges.
fn hits(line: &str, query: &str) -> Vec<std::ops::Range<usize>> {
    if query.is_empty() {
        return Vec::new();
    }
    let lower = line.to_lowercase();
    if lower.len() != line.len() {
        // Folding moved bytes: the line is still found, only not marked.
        return Vec::new();
    }
    lower.match_indices(query).map(|(at, found)| at..at + found.len()).collect()
}

fn draw_piece(
    buffer: &mut Buffer,
    area: Rect,
    piece: &Piece<'_>,
    hits: &[std::ops::Range<usize>],
    (changed, theme): (Style, &Theme),
) {
    let number = piece.number.map(|n| n.to_string()).unwrap_or_default();
    let gutter = format!("{}{number:>5} ", piece.mark);
    let mark = if piece.mark == ' ' { theme.dim } else { changed };
    draw_text(buffer, (area.x, area.y), GUTTER.min(area.width), &gutter, mark);
    let room = area.width.saturating_sub(GUTTER + 1);
    let start = piece.line.span.start;
    let style = |byte: usize| {
        if hits.iter().any(|range| range.contains(&byte)) {
            theme.hit
        } else if piece.whole || piece.line.changed.iter().any(|r| byte != usize::MAX && r.contains(&(start + byte))) {
            changed
        } else {
            theme.text
        }
    };
    draw(buffer, (area.x + GUTTER, area.y), room, &piece.glyphs, style);
}
