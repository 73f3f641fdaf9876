//! Kept documents: all of them by id, a stretch at a time, or the results of a search, best first.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::contract::Request;
use crate::data::StudyData;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::empty;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::table::{self, Column, Rows};
use dejaview_index::{DocumentListing, KeptSide, SearchResult, StoredDocument};
use dejaview_report::numbers::count;
use dejaview_study::ShownTitle;
use dejaview_text::shorten::shorten_url;

/// Documents fetched at once, and how many of them lie before the first one shown.
const STRETCH: usize = 400;
const BEFORE: usize = 150;

/// From this width on the URL of a document is shown beside its title.
const URL_FROM: u16 = 70;

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

/// What a search found.
#[derive(Debug)]
pub struct Found {
    /// The best ones.
    pub(super) results: Vec<SearchResult>,
    /// Number of all results.
    pub(super) total: u64,
    /// Documents that were searched: those whose text is kept.
    pub(super) kept: u64,
}

impl Found {
    /// Which results are listed, and in which order.
    fn order(&self) -> String {
        let listed = self.results.len() as u64;
        if listed < self.total { format!("the best {}", count(listed)) } else { "best first".to_owned() }
    }
}

#[derive(Debug, Default)]
pub(super) struct Documents {
    cursor: Cursor,
    side: Option<KeptSide>,
    listing: Option<DocumentListing>,
    query: String,
    /// Once the search is done.
    found: Option<Found>,
    /// The start of the stretch that was asked for and has not come yet.
    requested: Option<usize>,
    trouble: Option<String>,
}

impl Documents {
    fn len(&self) -> usize {
        match (&self.found, &self.listing) {
            (Some(found), _) if !self.query.is_empty() => found.results.len(),
            (_, Some(listing)) if self.query.is_empty() => listing.total,
            _ => 0,
        }
    }

    fn page(&self, area: Rect) -> usize {
        usize::from(area.height)
    }

    /// Documents of the side that is shown, whatever was searched for.
    pub(super) fn total(&self) -> Option<usize> {
        self.listing.as_ref().map(|listing| listing.total)
    }

    pub(super) fn query(&self) -> &str {
        &self.query
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
        (self.cursor, self.found, self.trouble) = (Cursor::default(), None, None);
        if self.query.is_empty() {
            let mut requests = vec![Request::forget::<SearchTexts>()];
            requests.extend(self.request_missing(area));
            return requests;
        }
        self.requested = None;
        let query = self.query.clone();
        vec![Request::forget::<ListDocuments>(), Request::job(SearchTexts { query, side: self.side })]
    }

    pub(super) fn searched(&mut self, result: Result<Found, String>) {
        match result {
            Ok(found) => self.found = Some(found),
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
            Action::NextResult => Action::Down,
            Action::PreviousResult => Action::Up,
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
            self.found.as_ref()?.results.get(self.cursor.at).map(|result| (result.side, result.id.clone()))
        }
    }

    fn stored(&self, place: usize) -> Option<&StoredDocument> {
        let listing = self.listing.as_ref()?;
        listing.documents.get(place.checked_sub(listing.from)?)
    }

    /// What is searched for, on which side, and where the cursor is.
    pub(super) fn frame(&self, area: Rect) -> Frame {
        let len = self.len();
        let at = (self.cursor.at + 1).min(len);
        let side = self.side.map_or("both sides", KeptSide::name);
        let mut cursor = self.cursor;
        cursor.keep(len, self.page(area));
        let found = self.found.as_ref().filter(|_| !self.query.is_empty());
        let total = found.map_or(len as u64, |found| found.total);
        Frame {
            qualifier: if self.query.is_empty() { String::new() } else { format!("/ {}", self.query) },
            right: match (self.query.is_empty(), found) {
                (true, _) => "documents with a pair".to_owned(),
                (false, None) => "searching…".to_owned(),
                (false, Some(found)) => found.order(),
            },
            position: format!("{}/{} · {side}", count(at as u64), count(total)),
            legend: found.map(|found| format!("of {} kept documents", count(found.kept))).unwrap_or_default(),
            scroll: Scroll { top: cursor.top, page: self.page(area), len },
            ..Frame::default()
        }
    }

    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, look: (bool, &Theme)) {
        let (focused, theme) = look;
        let searched = !self.query.is_empty();
        let nothing: &[&str] = match (&self.trouble, &self.found, &self.listing) {
            (Some(why), ..) => &[why],
            (None, Some(found), _) if searched && found.results.is_empty() => &NO_RESULTS,
            (None, None, _) if searched => &["Searching"],
            (None, _, Some(listing)) if !searched && listing.total == 0 => &["No text is kept yet"],
            (None, _, None) if !searched => &["Reading the list of documents"],
            _ => &[],
        };
        if !nothing.is_empty() {
            return empty::draw(buffer, area, nothing, theme);
        }
        let has_url = area.width >= URL_FROM;
        let url_columns = if has_url { area.width / 3 } else { 0 };
        let mut columns = vec![Column::left("", 2), Column::left("", 3), Column::left("", 0)];
        if has_url {
            columns.push(Column::left("", url_columns));
        }
        let row = |side: KeptSide, segment: &str, id: &str, url: &str| {
            let title = data.study.titles().shown(side, id);
            let sign = if side == KeptSide::Source { (" A".to_owned(), theme.a) } else { (" B".to_owned(), theme.b) };
            let segment = if segment.is_empty() { "··" } else { segment };
            let style = if matches!(title, ShownTitle::Title(_)) { theme.text } else { theme.muted };
            let mut cells = vec![sign, (segment.to_owned(), theme.muted), (title.text().to_owned(), style)];
            if has_url {
                cells.push((shorten_url(url, usize::from(url_columns)), theme.muted));
            }
            cells
        };
        let cells = |place: usize| match (searched, self.stored(place)) {
            (true, _) => match self.found.as_ref().and_then(|found| found.results.get(place)) {
                Some(result) => row(result.side, &result.segment, &result.id, &result.url),
                None => Vec::new(),
            },
            (false, Some(stored)) => row(stored.side, &stored.segment, &stored.id, &stored.url),
            (false, None) => vec![(" …".to_owned(), theme.muted)],
        };
        let rows = Rows { cursor: self.cursor, len: self.len(), focused };
        table::draw(buffer, area, &columns, rows, theme, cells);
    }
}

const NO_RESULTS: [&str; 3] = [
    "No text that is kept has all of these words.",
    "\"two words\" in quotes is a phrase; id: and url: look there.",
    "Kept are documents with a pair, or all of them by keep = \"all\" in study.toml.",
];
