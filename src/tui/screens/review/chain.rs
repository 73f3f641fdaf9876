//! The documents of a contradiction beside each other, to see where “near-duplicate” stops to be true.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::contract::Request;
use crate::data::ChainDocument;
use crate::theme::Theme;
use crate::widgets::cursor::moved;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::{draw, draw_text, glyphs_up_to};
use crate::widgets::pieces;
use crate::widgets::size::{Size, split_columns, split_lines};
use dejaview_text::{Overhang, wrap};

/// Columns that a document wants.
const WIDE: u16 = 36;
/// Lines above the documents: an explanation.
const HEAD: u16 = 1;
/// Lines of a document's frame.
const FRAME: u16 = 2;

/// Reads the documents of a contradiction, each labelled a near-duplicate of the next.
#[derive(Debug)]
pub struct ReadChain {
    pub(super) ids: Vec<String>,
}

#[derive(Debug, Default)]
pub struct Chain {
    /// Empty while they are not shown.
    ids: Vec<String>,
    links: Option<Result<Vec<ChainDocument>, String>>,
    /// The first line shown of each document.
    top: usize,
    /// The first document shown.
    first: usize,
}

impl Chain {
    pub fn open(&mut self, ids: &[String]) -> Vec<Request> {
        *self = Self { ids: ids.to_owned(), ..Self::default() };
        vec![Request::job(ReadChain { ids: ids.to_owned() })]
    }

    /// Asks for the documents as the study has them now, where they are shown.
    pub fn open_again(&self) -> Option<Request> {
        self.is_open().then(|| Request::job(ReadChain { ids: self.ids.clone() }))
    }

    pub fn take(&mut self, result: Result<Vec<ChainDocument>, String>) {
        self.links = Some(result);
    }

    pub fn is_open(&self) -> bool {
        !self.ids.is_empty()
    }

    /// False when it was not open.
    pub fn close(&mut self) -> bool {
        !std::mem::take(&mut self.ids).is_empty()
    }

    pub fn update(&mut self, action: Action, area: Rect) {
        let Some(Ok(links)) = &self.links else { return };
        let page = usize::from(area.height.saturating_sub(HEAD + FRAME)).max(1);
        let longest = links.iter().map(|link| link.lines.len()).max().unwrap_or_default();
        let hidden = links.len().saturating_sub(columns(area.width, links.len()));
        match action {
            Action::Left => self.first = self.first.saturating_sub(1),
            Action::Right => self.first = (self.first + 1).min(hidden),
            _ => self.top = moved(action, self.top, page, longest.saturating_sub(page / 2 + 1)).unwrap_or(self.top),
        }
    }

    /// Draws as many documents as fit, each in a pane, with a sign before the lines that its neighbour does not have.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, size: Size, theme: &Theme) {
        let mut note = |text: &str, style, right: &str| {
            let (left, right) = ([(text.to_owned(), style)], [(right.to_owned(), theme.muted)]);
            pieces::draw_apart(buffer, (area.x + 1, area.y), area.width.saturating_sub(2), &left, &right);
        };
        let links = match &self.links {
            None => return note("Reading…", theme.muted, ""),
            Some(Err(why)) => return note(why, theme.error, ""),
            Some(Ok(links)) => links,
        };
        let shown = columns(area.width, links.len());
        let first = self.first.min(links.len().saturating_sub(shown));
        let explanation = "Each is a near-duplicate of the next, but the two ends are labelled “not”";
        note(explanation, theme.warning, "+ not in its neighbour");
        let [_, mut rest] = split_lines(area, HEAD);
        for (i, link) in links.iter().enumerate().skip(first).take(shown) {
            let [pane, right] = split_columns(rest, rest.width / (first + shown - i) as u16);
            rest = right;
            let title = format!("{} of {}", i + 1, links.len());
            let page = usize::from(Frame::inside(pane, size).height);
            let frame = Frame {
                qualifier: link.title.clone(),
                position: link.id.clone(),
                focused: true,
                scroll: Scroll { top: self.top, page, len: link.lines.len() },
                ..Frame::new(title)
            };
            let inside = frame.draw(buffer, pane, size, theme);
            self.draw_lines(buffer, inside, link, theme);
        }
    }

    fn draw_lines(&self, buffer: &mut Buffer, area: Rect, link: &ChainDocument, theme: &Theme) {
        let room = usize::from(area.width.saturating_sub(2)).max(1);
        let (mut y, end) = (area.y, area.y + area.height);
        for (line, shared) in link.lines.iter().skip(self.top) {
            let (sign, style) = if *shared { (" ", theme.text) } else { ("+", theme.b_word) };
            let left = usize::from(end.saturating_sub(y));
            let glyphs = glyphs_up_to(line, room * left);
            for piece in wrap(&glyphs, [room; 2], Overhang::Blanks) {
                if y >= end {
                    return;
                }
                draw_text(buffer, (area.x, y), 1, sign, style);
                draw(buffer, (area.x + 2, y), room as u16 + 1, &glyphs[piece], |_| style);
                y += 1;
            }
        }
    }
}

/// Documents that fit beside each other.
fn columns(width: u16, all: usize) -> usize {
    usize::from(width / WIDE).clamp(1, all.max(1))
}
