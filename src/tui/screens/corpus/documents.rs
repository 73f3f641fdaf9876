//! Kept documents: all of them by id, a stretch at a time, or the results of a search, best first.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::Action;
use crate::contract::Request;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::{Glyph, draw_text, glyphs};
use crate::widgets::table::{self, Column};
use dejaview_index::{DocumentListing, Excerpt, KeptSide, SearchResult, StoredDocument};
use dejaview_report::numbers::{bytes, count, plural};

/// Documents fetched at once, and how many of them lie before the first one shown.
const STRETCH: usize = 400;
const BEFORE: usize = 150;

/// Lines of the screen that a search result takes.
const RESULT_LINES: usize = 2;

/// Lists a stretch of the kept documents.
#[derive(Debug)]
pub struct ListDocuments {
    pub(super) side: Option<KeptSide>,
    pub(super) from: usize,
    pub(super) count: usize,
}

#[derive(Debug)]
pub struct SearchTexts {
    /// In the query language of the index.
    pub(super) query: String,
    pub(super) side: Option<KeptSide>,
}

#[derive(Debug, Default)]
pub(super) struct Documents {
    cursor: Cursor,
    side: Option<KeptSide>,
    listing: Option<DocumentListing>,
    query: String,
    /// Once the search is done.
    results: Option<Vec<SearchResult>>,
    /// The start of the stretch that was asked for and has not come yet.
    requested: Option<usize>,
    trouble: Option<String>,
}

impl Documents {
    fn len(&self) -> usize {
        match (&self.results, &self.listing) {
            (Some(results), _) if !self.query.is_empty() => results.len(),
            (_, Some(listing)) if self.query.is_empty() => listing.total,
            _ => 0,
        }
    }

    fn page(&self, area: Rect) -> usize {
        if self.query.is_empty() { table::page(area) } else { usize::from(area.height) / RESULT_LINES }
    }

    pub(super) fn query(&self) -> &str {
        &self.query
    }

    pub(super) fn no_answer(&mut self) {
        self.requested = None;
    }

    /// Asks for the stretch around the cursor if it does not hold all that is on the screen.
    pub(super) fn request_missing(&mut self, area: Rect) -> Vec<Request> {
        if !self.query.is_empty() || self.trouble.is_some() {
            return Vec::new();
        }
        let wanted = self.cursor.top..self.cursor.top + self.page(area);
        let is_there = self.listing.as_ref().is_some_and(|listing| {
            let end = listing.from + listing.documents.len();
            listing.from <= wanted.start && (wanted.end <= end || end == listing.total)
        });
        let from = wanted.start.saturating_sub(BEFORE);
        if is_there || self.requested == Some(from) {
            return Vec::new();
        }
        self.requested = Some(from);
        vec![Request::job(ListDocuments { side: self.side, from, count: STRETCH })]
    }

    pub(super) fn listed(&mut self, result: Result<DocumentListing, String>) {
        self.requested = None;
        match result {
            Ok(listing) => self.listing = Some(listing),
            Err(why) => self.trouble = Some(why),
        }
    }

    /// An empty query shows all documents again.
    pub(super) fn search(&mut self, query: &str, area: Rect) -> Vec<Request> {
        self.query = query.trim().to_owned();
        (self.cursor, self.results, self.trouble) = (Cursor::default(), None, None);
        if self.query.is_empty() {
            let mut requests = vec![Request::forget::<SearchTexts>()];
            requests.extend(self.request_missing(area));
            return requests;
        }
        self.requested = None;
        let query = self.query.clone();
        vec![Request::forget::<ListDocuments>(), Request::job(SearchTexts { query, side: self.side })]
    }

    pub(super) fn searched(&mut self, result: Result<Vec<SearchResult>, String>) {
        match result {
            Ok(results) => self.results = Some(results),
            Err(why) => self.trouble = Some(why),
        }
    }

    pub(super) fn update(&mut self, action: Action, area: Rect) -> Vec<Request> {
        if action == Action::NextSide {
            self.side = match self.side {
                None => Some(KeptSide::Source),
                Some(KeptSide::Source) => Some(KeptSide::Target),
                Some(KeptSide::Target) => None,
            };
            (self.listing, self.requested) = (None, None);
            let query = std::mem::take(&mut self.query);
            return self.search(&query, area);
        }
        // The list itself is the search results.
        let action = match action {
            Action::NextHit => Action::Down,
            Action::PreviousHit => Action::Up,
            other => other,
        };
        self.cursor.go(action, self.len(), self.page(area));
        self.request_missing(area)
    }

    /// Side and id of the document under the cursor.
    pub(super) fn current(&self) -> Option<(KeptSide, String)> {
        if self.query.is_empty() {
            self.stored(self.cursor.at).map(|stored| (stored.side, stored.id.clone()))
        } else {
            self.results.as_ref()?.get(self.cursor.at).map(|result| (result.side, result.id.clone()))
        }
    }

    fn stored(&self, place: usize) -> Option<&StoredDocument> {
        let listing = self.listing.as_ref()?;
        listing.documents.get(place.checked_sub(listing.from)?)
    }

    pub(super) fn header(&self) -> String {
        let side = self.side.map_or("both sides", KeptSide::name);
        match (&self.query[..], &self.results) {
            ("", _) => format!("{side} · / searches · t a side"),
            (query, None) => format!("{side} · searching for {query}…"),
            (query, Some(_)) => format!("{side} · {query}"),
        }
    }

    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let mut note = |text: &str, style| {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), text, style);
        };
        match (&self.trouble, &self.results, &self.listing) {
            (Some(why), ..) => note(why, theme.warning),
            (None, Some(results), _) if !self.query.is_empty() && results.is_empty() => {
                for (line, text) in (1u16..area.height).zip(NO_RESULTS) {
                    draw_text(buffer, (area.x + 1, area.y + line), area.width.saturating_sub(2), text, theme.text);
                }
            }
            (None, Some(results), _) if !self.query.is_empty() => self.draw_results(buffer, area, results, theme),
            (None, None, _) if !self.query.is_empty() => note("searching…", theme.dim),
            (None, _, Some(listing)) if listing.total == 0 => note("no text is kept yet", theme.text),
            (None, _, Some(_)) => self.draw_list(buffer, area, theme),
            (None, _, None) => note("reading…", theme.dim),
        }
    }

    fn draw_list(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let mut columns =
            vec![Column::left(" side", 7), Column::left("segment", 8), Column::ids("id"), Column::right("size", 9)];
        if area.width >= 100 {
            columns.extend([Column::left("charset", 12), Column::left("address", 0)]);
        }
        let cells = |place: usize| match self.stored(place) {
            Some(stored) => {
                let side = format!(" {}", stored.side.name());
                [&side, &stored.segment, &stored.id, &bytes(stored.bytes), &stored.charset, &stored.url]
                    .map(|cell| (cell.clone(), theme.text))
                    .into()
            }
            None => vec![(" …".to_owned(), theme.dim)],
        };
        table::draw(buffer, area, &columns, (self.cursor, self.len()), theme, cells);
    }

    fn draw_results(&self, buffer: &mut Buffer, area: Rect, results: &[SearchResult], theme: &Theme) {
        let mut cursor = self.cursor;
        cursor.keep(results.len(), self.page(area));
        for (line, (place, result)) in results.iter().enumerate().skip(cursor.top).take(self.page(area)).enumerate() {
            let y = area.y + (line * RESULT_LINES) as u16;
            let side = match result.segment.as_str() {
                "" => result.side.name().to_owned(),
                segment => format!("{} {segment}", result.side.name()),
            };
            let room = area.width.saturating_sub(2);
            let used = draw_text(buffer, (area.x + 1, y), room, &format!("{side:<9} {}  ", result.id), theme.title);
            draw_text(buffer, (area.x + 1 + used, y), room.saturating_sub(used), &result.url, theme.dim);
            draw_excerpt(buffer, (area.x + 3, y + 1), room.saturating_sub(2), &result.excerpt, theme);
            if place == cursor.at {
                table::select(buffer, Rect { y, height: 1, ..area }, true, theme);
            }
        }
    }

    pub(super) fn status(&self) -> String {
        let len = self.len();
        let at = (self.cursor.at + 1).min(len);
        if self.query.is_empty() {
            return format!("{} of {} documents kept · Enter reads one", count(at as u64), count(len as u64));
        }
        let score = self.results.as_ref().and_then(|results| results.get(self.cursor.at)).map(|result| result.score);
        let score = score.map_or(String::new(), |score| format!(" · score {score:.2}"));
        let (at, results) = (count(at as u64), plural(len as u64, "hit"));
        format!("{at} of {results}{score} · Enter reads one · an empty / shows all documents")
    }
}

const NO_RESULTS: [&str; 3] = [
    "No text that is kept has all of these words.",
    "\"two words\" in quotes is a phrase; id: and url: look there.",
    "Kept are documents with a pair, or all of them by keep = \"all\" in study.toml.",
];

/// Draws an excerpt on one line with its words marked; if it does not fit it ends with a whole word and `…`.
fn draw_excerpt(buffer: &mut Buffer, (x, y): (u16, u16), room: u16, excerpt: &Excerpt, theme: &Theme) {
    let text = excerpt.text.replace(['\n', '\r'], " ");
    let all = glyphs(&text);
    let fits = whole_words(&all, usize::from(room), excerpt.more);
    let mut column = 0;
    for glyph in &all[..fits] {
        let marked = excerpt.marks.iter().any(|mark| mark.contains(&glyph.byte));
        let style: Style = if marked { theme.hit } else { theme.text };
        column += draw_text(buffer, (x + column, y), room - column, &glyph.text, style);
    }
    if fits < all.len() || excerpt.more {
        draw_text(buffer, (x + column, y), room.saturating_sub(column), "…", theme.dim);
    }
}

/// How many glyphs fit: all, or whole words and `…`.
fn whole_words(all: &[Glyph<'_>], room: usize, more: bool) -> usize {
    let total: usize = all.iter().map(|glyph| glyph.width).sum();
    if total + usize::from(more) <= room {
        return all.len();
    }
    let mut used = 1;
    let fits = all.iter().take_while(|glyph| {
        used += glyph.width;
        used <= room
    });
    let fits = fits.count();
    let blank = all[..fits].iter().rposition(|glyph| glyph.text.trim().is_empty());
    blank.filter(|blank| 2 * blank > fits).unwrap_or(fits)
}
