//! URLs that both sides share, in all and by top-level domain. Counted only when asked for, because all documents are read
//! for it, or the lists of URLs that the study names.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::contract::Request;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::empty;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::draw_text;
use crate::widgets::table::{self, Column};
use dejaview_evaluation::overlap::NameCounts;
use dejaview_report::numbers::count;
use dejaview_study::Urls;

/// Lines above the table of domains.
const HEAD: u16 = 4;

#[derive(Debug)]
pub struct CountUrls;

#[derive(Debug, Default)]
pub(super) struct UrlOverlap {
    urls: Option<Result<Arc<Urls>, String>>,
    requested: bool,
    cursor: Cursor,
}

impl UrlOverlap {
    pub(super) fn no_answer(&mut self) {
        self.requested = false;
    }

    pub(super) fn counted(&mut self, result: Result<Box<Urls>, String>) {
        self.requested = false;
        self.urls = Some(result.map(Arc::from));
    }

    fn domains(&self) -> &[NameCounts] {
        match &self.urls {
            Some(Ok(urls)) => &urls.overlap.top_levels,
            _ => &[],
        }
    }

    pub(super) fn update(&mut self, action: Action, area: Rect) -> Vec<Request> {
        if action == Action::Open && !self.requested && !matches!(self.urls, Some(Ok(_))) {
            self.requested = true;
            return vec![Request::job(CountUrls)];
        }
        let len = self.domains().len();
        self.cursor.go(action, len, table::page(domains_area(area)));
        Vec::new()
    }

    /// Where the URLs are from, and where the cursor is.
    pub(super) fn frame(&self, area: Rect) -> Frame {
        let (mut cursor, len, page) = (self.cursor, self.domains().len(), table::page(domains_area(area)));
        cursor.keep(len, page);
        Frame {
            qualifier: match &self.urls {
                Some(Ok(urls)) if urls.from[0] == urls.from[1] => format!("of {}", urls.from[0]),
                Some(Ok(urls)) => format!("source: {}, target: {}", urls.from[0], urls.from[1]),
                _ => String::new(),
            },
            position: if len == 0 { String::new() } else { format!("{}/{} top-level domains", cursor.at + 1, len) },
            scroll: Scroll { top: cursor.top, page, len },
            ..Frame::default()
        }
    }

    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let urls = match &self.urls {
            Some(Ok(urls)) => urls,
            Some(Err(why)) => return empty::draw(buffer, area, &[&format!("✗ {why}")], theme),
            None if self.requested => {
                return empty::draw(buffer, area, &["Counting shared URLs", "0 Log cancels"], theme);
            }
            None => {
                return empty::draw(buffer, area, &["Press Enter to count shared URLs (reads every document)"], theme);
            }
        };
        let mut note = |line: u16, text: &str, style| {
            if line < area.height {
                draw_text(buffer, (area.x + 1, area.y + line), area.width.saturating_sub(2), text, style);
            }
        };
        let overlap = &urls.overlap;
        note(
            0,
            &format!(
                "source {} lines, {} different · target {} lines, {} different",
                count(overlap.source.lines),
                count(overlap.source.distinct),
                count(overlap.target.lines),
                count(overlap.target.distinct)
            ),
            theme.text,
        );
        note(
            1,
            &format!(
                "{} URLs in both · {} of {} {} documents have theirs in the target",
                count(overlap.common),
                count(overlap.judged_common),
                count(overlap.judged),
                urls.interest
            ),
            theme.text,
        );
        note(2, "by top-level domain, the most frequent of the source first", theme.muted);
        let mut columns = vec![
            Column::left(" domain", 0),
            Column::right("source", 10),
            Column::right("target", 10),
            Column::right("in both", 10),
        ];
        if overlap.judged > 0 {
            columns
                .extend([Column::right(urls.interest, 10), Column::right(&format!("{} in both", urls.interest), 15)]);
        }
        let cells = |row: usize| {
            let named = &overlap.top_levels[row];
            let numbers = [named.source, named.target, named.common, named.judged, named.judged_common];
            let name = (format!(" .{}", named.name), theme.text);
            std::iter::once(name).chain(numbers.map(|n| (count(n), theme.text))).collect()
        };
        table::draw(buffer, domains_area(area), &columns, (self.cursor, overlap.top_levels.len()), theme, cells);
    }
}

fn domains_area(area: Rect) -> Rect {
    Rect { y: area.y + HEAD.min(area.height), height: area.height.saturating_sub(HEAD), ..area }
}
