//! How the table of pairs looks.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::Pairs;
use super::columns::Columns;
use super::layout::{LIST, Layout, PREVIEW};
use crate::contract::View;
use crate::data::StudyData;
use crate::shared::Shared;
use crate::widgets::chips::Chips;
use crate::widgets::empty;
use crate::widgets::frame::{Frame, Scroll, Tabs};
use crate::widgets::size::Breadth;
use crate::widgets::table::{self, Line, Rows};
use dejaview_report::numbers::{count, plural};

impl Pairs {
    pub(super) fn draw_panes(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, shared) = (view.data, view.shared);
        let (size, theme) = (shared.class(), &shared.theme);
        if let Some(trouble) = &data.trouble {
            let inside = Frame::new("Pairs").draw(buffer, area, size, theme);
            return empty::draw(buffer, inside, &[trouble], theme);
        }
        let layout = Layout::new(area, size, self.focus);
        if let Some(pane) = layout.list {
            self.draw_list(buffer, pane, data, shared);
        }
        if let Some(pane) = layout.strip {
            self.draw_strip(buffer, pane, data, shared);
        }
        if let Some(pane) = layout.card {
            self.draw_card(buffer, pane, data, shared);
        }
        if let Some(pane) = layout.preview {
            let focused = self.focus.is_on(PREVIEW);
            let pair = self.shown_beside().map(|row| data.table.pair(row));
            let frame = Frame {
                qualifier: pair.map_or(String::new(), |pair| format!("{}  {}", pair.source, pair.target)),
                right: if focused { "Enter compares" } else { "Tab reads on" }.to_owned(),
                focused,
                ..Frame::new("Preview")
            };
            self.preview.draw(buffer, pane, data, frame, shared);
        }
    }

    fn draw_list(&self, buffer: &mut Buffer, pane: Rect, data: &StudyData, shared: &Shared) {
        let (size, theme) = (shared.class(), &shared.theme);
        let inside = Frame::inside(pane, size);
        let (page, len) = (table::page(inside), self.rows.len());
        let mut cursor = self.cursor;
        cursor.keep(len, page);
        let frame = Frame {
            scroll: Scroll { top: cursor.top, page, len },
            focused: self.focus.is_on(LIST),
            ..self.list_frame(data, shared)
        };
        frame.draw(buffer, pane, size, theme);
        if len == 0 {
            return self.draw_empty(buffer, inside, shared);
        }
        let measured = self.measured(data);
        let distances_of = self.duel.map_or(measured.into_iter().collect(), |duel| duel.configurations.to_vec());
        let columns = Columns::fitting(inside.width, data, distances_of);
        let line = |at: usize| match self.rows.get(at) {
            Some(row) if Some(row) != self.gap => Line::Cells(columns.cells(data, row, shared)),
            _ => {
                let all = data.partial.map_or(0, |partial| partial.rows);
                let unread = format!("   ⋯ {} pairs not read yet ⋯", count(all.saturating_sub(len as u64 - 1)));
                Line::Whole(vec![(unread, theme.muted)], Default::default())
            }
        };
        let rows = Rows { cursor, len, focused: frame.focused };
        table::draw_lines(buffer, inside, &columns.heads(data), rows, theme, line);
        let dot = self.walked.and_then(|c| columns.dot_from_right(c));
        if let Some(from_right) = dot.filter(|from_right| *from_right <= inside.width) {
            let at = (inside.right() - from_right, inside.y + 1 + (cursor.at - cursor.top) as u16);
            if let Some(cell) = buffer.cell_mut(at) {
                cell.modifier.insert(Modifier::REVERSED);
            }
        }
    }

    /// What is shown, in which order, and where the cursor is.
    fn list_frame(&self, data: &StudyData, shared: &Shared) -> Frame {
        let size = shared.class();
        let at = (self.cursor.at + 1).min(self.rows.len());
        let order = format!("{} {}", self.sort.name(), if self.reverse { "▴" } else { "▾" });
        let (names, active) = self.tabs(data);
        // The configuration is the active tab.
        let chips = Chips { configuration: None, ..self.chips(data) };
        // The active tab alone leaves room for what restricts the list.
        let tabs = match chips.is_empty() {
            true if size.is_narrow() => Tabs { names: vec![names[active].clone()], active: 0 },
            true => Tabs { names, active },
            false => Tabs { names: vec![self.restricted_tab(data)], active: 0 },
        };
        let position = match data.partial {
            Some(partial) => format!("reading all {} rows", count(partial.rows)),
            None => format!("{}/{}", count(at as u64), count(self.rows.len() as u64)),
        };
        Frame {
            tabs,
            qualifier: chips.words(),
            right: match (self.arranging, self.searching) {
                (true, _) => format!("arranging by {order}…"),
                (false, true) => format!("searching for “{}”…", self.query),
                (false, false) => order,
            },
            position,
            legend: self.legend(data, size.breadth),
            ..Frame::default()
        }
    }

    /// The configurations, or the three sets of a duel, with how many pairs each has; and which of them is shown.
    fn tabs(&self, data: &StudyData) -> (Vec<String>, usize) {
        let names = data.table.configurations();
        if let Some(duel) = self.duel {
            let number = |set: usize| self.duel_counts.map_or("…".to_owned(), |counts| count(counts[set]));
            let sets = duel.set_names(names).into_iter().enumerate();
            return (sets.map(|(set, name)| format!("{name} {}", number(set))).collect(), duel.set as usize);
        }
        let number = |c: usize| data.counts.get(c).map_or(String::new(), |(pairs, _)| format!(" {}", count(*pairs)));
        let mut tabs: Vec<String> = names.iter().enumerate().map(|(c, name)| format!("{name}{}", number(c))).collect();
        tabs.push(format!("any {}", count(data.table.len() as u64)));
        (tabs, self.configuration.unwrap_or(names.len()))
    }

    /// The active tab of a list that more than the configuration restricts, with how many pairs are left.
    fn restricted_tab(&self, data: &StudyData) -> String {
        let (names, active) = self.tabs(data);
        if self.duel.is_some() {
            return names[active].clone();
        }
        let name = data.table.configurations().get(active).map_or("any", String::as_str);
        let left = if self.arranging { "…".to_owned() } else { count(self.rows.len() as u64) };
        format!("{name} {left}")
    }

    /// What the dot under ← and → says; otherwise what distances are measured in, or what the signs mean.
    fn legend(&self, data: &StudyData, breadth: Breadth) -> String {
        let names = data.table.configurations();
        if let (Some(c), Some(row)) = (self.walked.filter(|c| *c < names.len()), self.current()) {
            return match data.table.distance_by(row, c) {
                Some(distance) => format!("{}: distance {distance}", names[c]),
                None => format!("{}: not found", names[c]),
            };
        }
        match self.distance_units(data) {
            Some(units) => units,
            None if breadth == Breadth::Wide => {
                "● near-duplicate  ○ not  ◐ unsure  ≠ differ  · no label  = same URL".to_owned()
            }
            None => {
                let words = match data.table.n() {
                    1 => "words".to_owned(),
                    n => format!("runs of {n} words"),
                };
                format!("J{}: Jaccard of {words} · ← → name the marks of found", data.table.n())
            }
        }
    }

    /// What the distances shown are measured in.
    pub(super) fn distance_units(&self, data: &StudyData) -> Option<String> {
        let unit = |c: usize| data.recipe.configurations.get(c).map_or("", |recipe| recipe.algorithm().distance);
        match self.duel.map(|duel| duel.configurations.map(unit)) {
            Some([a, b]) if a == b => Some(format!("d: {a}")),
            Some([a, b]) => Some(format!("d: {a} | {b}")),
            None => self.measured(data).map(|c| format!("dist: {}", unit(c))),
        }
    }

    /// How many pairs there are without the filter, where that is known without counting.
    fn pairs_without_filter(&self, data: &StudyData) -> Option<u64> {
        match (self.duel, &self.document, self.configuration) {
            (None, None, None) => Some(data.table.len() as u64),
            (None, None, Some(c)) => data.counts.get(c).map(|(pairs, _)| *pairs),
            _ => None,
        }
    }

    fn draw_empty(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let hint = self.hint.as_deref().unwrap_or_default();
        let without = shared.data.as_ref().and_then(|data| self.pairs_without_filter(data));
        let without =
            without.map_or(String::new(), |pairs| format!("; without it there are {}", plural(pairs, "pair")));
        let change = format!("Press & to change it{without}");
        let lines = match (self.arranging, self.filter.trim().is_empty()) {
            (true, _) => vec!["Arranging the pairs"],
            (false, true) => vec!["No pairs here."],
            (false, false) => vec!["No pairs match this filter.", &change, hint],
        };
        empty::draw(buffer, area, &lines, &shared.theme);
    }
}
