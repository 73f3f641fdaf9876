//! How the table of pairs and the line below it look.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Pairs;
use super::columns::{Columns, UNGROUPED};
use crate::contract::View;
use crate::data::{PartialTable, StudyData, VisibleLabel};
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph::{self, wrapped};
use crate::widgets::table::{self, Line};
use dejaview_report::numbers::{count, plural};

impl Pairs {
    /// Below the line about the duel.
    pub(super) fn list_area(&self, area: Rect) -> Rect {
        let head = u16::from(self.duel.is_some()).min(area.height);
        Rect { y: area.y + head, height: area.height - head, ..area }
    }

    pub(super) fn draw_table(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, theme, own) = (view.data, &view.shared.theme, &view.shared.book.decisions);
        let label =
            |source: &str, target: &str| data.other_labels.label_of(own, source, target).map_or("", VisibleLabel::word);
        if let Some(trouble) = &data.trouble {
            return paragraph::draw(buffer, area, trouble, theme.warning);
        }
        if let Some(duel) = self.duel {
            duel.draw(buffer, area, data, self.duel_counts, theme);
        }
        let measured = self.measured(data);
        let distances_of = self.duel.map_or(measured.into_iter().collect(), |duel| duel.configurations.to_vec());
        let columns = Columns::fitting(area, data, distances_of, (self.sort, self.reverse));
        let line = |at: usize| match self.rows.get(at) {
            Some(row) if Some(row) != self.gap => {
                let (source, target) = data.table.ids(row);
                Line::Cells(columns.cells(data, row, label(source, target), theme))
            }
            _ => Line::Whole(vec![(" ⋯ the pairs between are being read".to_owned(), theme.dim)], Default::default()),
        };
        let list = self.list_area(area);
        table::draw_lines(buffer, list, &columns.heads(measured, data), (self.cursor, self.rows.len()), theme, line);
        if self.rows.is_empty() && list.height > 2 {
            self.draw_empty(buffer, Rect { y: list.y + 2, height: list.height - 2, ..list }, theme);
        }
    }

    /// Says why there is no row.
    fn draw_empty(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let wide = area.width.saturating_sub(2);
        let note = match (self.arranging, &self.hint) {
            (true, _) => "arranging the pairs…".to_owned(),
            (false, None) => "no pair is so".to_owned(),
            (false, Some(hint)) => format!("no pair is so: {hint}"),
        };
        for (y, line) in (area.y..area.y + area.height).zip(wrapped(&note, usize::from(wide))) {
            draw_text(buffer, (area.x + 1, y), wide, &line, theme.dim);
        }
    }

    pub(super) fn partial_status(&self, data: &StudyData, partial: PartialTable) -> String {
        let all = format!("all {} rows are being read", count(partial.rows));
        match partial.gap {
            Some(gap) => {
                let (first, last) = (count(gap as u64), count((data.table.len() - gap - 1) as u64));
                format!("the first {first} pairs and the last {last}; {all}")
            }
            None => all,
        }
    }

    pub(super) fn rows_status(&self, data: &StudyData) -> String {
        let at = (self.cursor.at + 1).min(self.rows.len());
        let by = format!("by {}{}", self.sort.name(), if self.reverse { ", reversed" } else { "" });
        // If no pair passes the filter, the number of all pairs says more than 0.
        let all = if self.rows.is_empty() { data.table.len() } else { self.rows.len() };
        let mut status = format!("{} of {} · {by}", count(at as u64), plural(all as u64, "pair"));
        if self.arranging {
            status = format!("arranging… {by}");
        } else if self.searching {
            status = format!("searching for “{}”…", self.query);
        }
        let (names, chips) = (data.table.configurations(), self.chips(data));
        if !chips.is_empty() {
            status.push_str(&format!(" · {}", chips.words()));
        }
        if let Some(recipe) = self.configuration.and_then(|c| data.recipe.configurations.get(c)) {
            status.push_str(&format!(" · dist: {}", recipe.algorithm().distance));
        }
        if let Some(duel) = self.duel {
            status.push_str(&format!(" · {}", duel.set_names(names)[duel.set as usize]));
        }
        let copies = self.current().map_or([1, 1], |row| data.table.same_text_counts(row));
        if copies != [1, 1] {
            let [sources, targets] = copies.map(|copies| count(copies as u64));
            let same = match data.table.joins_itself() && copies[0] == copies[1] {
                true => format!("one of the pairs of {sources} copies"),
                false => format!("of {sources} × {targets} copies"),
            };
            let part = if data.table.segments().len() > 1 { " in this segment" } else { "" };
            status.push_str(&format!(" · {same}{part}"));
        }
        if let Some(row) = self.current().filter(|_| names.len() > UNGROUPED) {
            let names = names.iter().enumerate();
            let found: Vec<&str> =
                names.filter(|(c, _)| data.table.found_by(row, *c)).map(|(_, name)| name.as_str()).collect();
            status.push_str(&format!(" · found by {}", found.join(", ")));
        }
        status
    }
}
