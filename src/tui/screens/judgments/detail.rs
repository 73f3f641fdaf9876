//! How what belongs to the row under the cursor looks: candidates, the preview of one, the topic.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::Judgments;
use super::layout::{CANDIDATES, PREVIEW};
use super::outline::OutlineLine;
use crate::data::{JudgmentTree, StudyData, VisibleLabel};
use crate::pair_ids::PairIds;
use crate::preview::draw_urls;
use crate::shared::Shared;
use crate::widgets::empty;
use crate::widgets::found_by::FoundByStrip;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::draw_text;
use crate::widgets::meter::meter;
use crate::widgets::paragraph::wrapped;
use crate::widgets::table::{self, Column, Rows};
use dejaview_corpus::qrels::Grade;
use dejaview_index::KeptSide;
use dejaview_report::numbers::{count, plural};
use dejaview_text::shorten::shorten_id;

const METER: u16 = 6;
/// Columns of the end of an id.
const ID: u16 = 9;
/// Columns that titles of candidates keep beside the strip of dots.
const TITLE: u16 = 16;
/// Cells of the longest bar of grades.
const GRADES: u16 = 18;

impl Judgments {
    pub(super) fn draw_candidates(&self, buffer: &mut Buffer, pane: Rect, data: &StudyData, shared: &Shared) {
        let (size, theme) = (shared.class(), &shared.theme);
        let inside = Frame::inside(pane, size);
        let names_lines = if inside.height >= 8 { 2 } else { u16::from(inside.height >= 4) };
        let strip = data.found_by_strip();
        let wide = inside.width >= TITLE + strip.width() + METER + ID + 16;
        let list = Rect { height: inside.height - names_lines, ..inside };
        let (page, len) = (usize::from(list.height).saturating_sub(usize::from(wide)), self.candidates.len());
        let mut cursor = self.candidate;
        cursor.keep(len, page);
        let source = self.current().map_or("", |judgment| &judgment.document.id);
        let frame = Frame {
            qualifier: if len == 0 { String::new() } else { format!("{} of {source}", count(len as u64)) },
            position: if len == 0 { String::new() } else { format!("{}/{}", cursor.at + 1, count(len as u64)) },
            focused: self.is_focused(CANDIDATES, size),
            scroll: Scroll { top: cursor.top, page, len },
            ..Frame::new("Candidates")
        };
        frame.draw(buffer, pane, size, theme);
        if len == 0 {
            let why = data.trouble.as_deref().unwrap_or("No configuration found a pair of this document.");
            return empty::draw(buffer, inside, &[why], theme);
        }
        let mut columns = vec![
            Column::left("", 2),
            Column::right(if wide { "J" } else { "" }, 5),
            Column::left("", METER),
            Column::left(if wide { "title" } else { "" }, 0),
            Column::right("", ID),
            Column::right("", 5),
        ];
        if wide {
            columns.push(Column::left(&strip.head(), strip.width()));
        }
        let cells = |at: usize| self.candidate_cells(self.candidates[at], &strip, wide, (data, shared));
        let rows = Rows { cursor, len, focused: frame.focused };
        table::draw(buffer, list, &columns, rows, theme, cells);
        let Some(row) = self.current_row() else { return };
        let names = data.table.configurations().iter().enumerate();
        let (found, not): (Vec<_>, Vec<_>) = names.partition(|(c, _)| data.table.found_by(row, *c));
        let listed = |names: Vec<(usize, &String)>| {
            names.into_iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ")
        };
        let lines = [("found by", listed(found)), ("not by  ", listed(not))];
        for (y, (what, names)) in (list.bottom()..inside.bottom()).zip(lines.into_iter().filter(|(_, n)| !n.is_empty()))
        {
            let used = draw_text(buffer, (inside.x + 1, y), inside.width, what, theme.muted) + 2;
            draw_text(buffer, (inside.x + used, y), inside.width.saturating_sub(used), &names, theme.text);
        }
    }

    fn candidate_cells(
        &self,
        row: usize,
        strip: &FoundByStrip,
        wide: bool,
        (data, shared): (&StudyData, &Shared),
    ) -> Vec<(String, Style)> {
        let (theme, table) = (&shared.theme, &data.table);
        let (source, target) = table.ids(row);
        // In a study that compares a corpus with itself the judged document may be the target.
        let judged = self.current().map_or(source, |judgment| &judgment.document.id);
        let (side, other) = if judged == target { (KeptSide::Source, source) } else { (KeptSide::Target, target) };
        let title = data.study.titles().shown(side, other);
        let same_title = self.current().is_some_and(|judgment| judgment.document.title == title);
        let jaccard = table.shown_jaccard(row);
        let label = data.labels().others.label_of(shared.book.decisions(), source, target);
        let found = |c: usize| table.found_by(row, c);
        let mut cells = vec![
            VisibleLabel::in_list(label, theme),
            (
                jaccard.map_or("–".to_owned(), |jaccard| format!("{jaccard:.3}")),
                if jaccard.is_some_and(|jaccard| jaccard >= 0.9) { theme.strong } else { theme.text },
            ),
            jaccard.map_or((String::new(), theme.faint), |j| (meter(j, 1.0, METER), theme.heat(j))),
            if same_title { ("same title".to_owned(), theme.muted) } else { (title.text().to_owned(), theme.text) },
            (shorten_id(other, usize::from(ID)), theme.muted),
            (strip.count(found), theme.muted),
        ];
        if wide {
            cells.push((strip.dots(found), theme.text));
        }
        cells
    }

    pub(super) fn draw_preview(&self, buffer: &mut Buffer, pane: Rect, data: &StudyData, shared: &Shared) {
        let focused = self.is_focused(PREVIEW, shared.class());
        let frame = Frame {
            qualifier: match (self.candidates.len(), self.candidate.at) {
                (0, _) => String::new(),
                (_, 0) => "best candidate".to_owned(),
                (_, at) => format!("candidate {}", at + 1),
            },
            right: if focused { "Enter compares" } else { "Tab reads on" }.to_owned(),
            focused,
            ..Frame::new("Preview")
        };
        self.preview.draw(buffer, pane, data, frame, shared);
    }

    /// The four lines below the list of narrow terminals.
    pub(super) fn draw_strip(
        &self,
        buffer: &mut Buffer,
        pane: Rect,
        (data, tree): (&StudyData, &JudgmentTree),
        shared: &Shared,
    ) {
        let (size, theme) = (shared.class(), &shared.theme);
        let Some(judgment) = self.current() else { return self.draw_topic(buffer, pane, (data, tree), shared) };
        let all = self.candidates.len() as u64;
        let title = match all {
            0 if data.trouble.is_some() => "No pairs yet".to_owned(),
            0 => "No candidate".to_owned(),
            1 => "Only candidate".to_owned(),
            _ => format!("Best of {} candidates", count(all)),
        };
        let frame = Frame { right: "Enter candidates, Tab Tab preview".to_owned(), ..Frame::new(title) };
        let inside = frame.draw(buffer, pane, size, theme);
        let line = |y: u16| (inside.x + 1, inside.y + y);
        let room = inside.width.saturating_sub(2);
        let Some(row) = self.candidates.first().copied() else {
            draw_text(buffer, line(0), room, &judgment.document.url, theme.text);
            draw_text(buffer, line(1), room, &judgment.document.id, theme.muted);
            return;
        };
        let pair = data.table.pair(row);
        let ids = PairIds::new(pair.source, pair.target);
        draw_urls(buffer, Rect { height: 2.min(inside.height), ..inside }, data, &ids, theme);
        let mut x = line(2).0;
        let strip = data.found_by_strip();
        let jaccard = data.table.shown_jaccard(row);
        let pieces = [
            (jaccard.map_or("J –".to_owned(), |jaccard| format!("J {jaccard:.3} ")), theme.strong),
            (meter(jaccard.unwrap_or(0.0), 1.0, 10), theme.heat(jaccard.unwrap_or(0.0))),
            (format!("  found by {}  ", strip.count(|c| data.table.found_by(row, c))), theme.text),
            (pair.target.to_owned(), theme.muted),
        ];
        for (text, style) in pieces {
            x += draw_text(buffer, (x, line(2).1), inside.right().saturating_sub(x), &text, style);
        }
        draw_text(buffer, line(3), room, &self.conflict_words(), theme.warning);
    }

    /// Names the near-duplicates of the judgment under the cursor that have another grade.
    fn conflict_words(&self) -> String {
        let Some(judgment) = self.current() else { return String::new() };
        let conflict = |conflict: &crate::data::GradeConflict| {
            format!("≠ {} was judged {} and shares a near-duplicate with it", conflict.document, conflict.grade)
        };
        judgment.conflicts.iter().map(conflict).collect::<Vec<_>>().join("  ")
    }

    /// The topic under the cursor: its description, and how many judgments have which grade.
    pub(super) fn draw_topic(
        &self,
        buffer: &mut Buffer,
        pane: Rect,
        (data, tree): (&StudyData, &JudgmentTree),
        shared: &Shared,
    ) {
        let (size, theme) = (shared.class(), &shared.theme);
        let topic = match self.outline.line(self.cursor.at) {
            Some(OutlineLine::Topic(topic) | OutlineLine::Judgment { topic, .. }) => topic,
            None => return,
        };
        let group = &tree.topics[topic];
        let frame = Frame {
            qualifier: group.track.to_string(),
            position: plural(group.judgments.len() as u64, "judgment"),
            ..Frame::new(format!("Topic {}", group.topic))
        };
        let inside = frame.draw(buffer, pane, size, theme);
        let room = usize::from(inside.width.saturating_sub(2));
        let text = data.topic(&group.topic);
        let mut lines: Vec<(String, Style)> = Vec::new();
        let query = text.map_or("", |text| text.query.as_str());
        lines.extend(wrapped(query, room).into_iter().map(|line| (line, theme.strong)));
        let description = text.map_or("", |text| text.description.as_str());
        lines.extend(wrapped(description, room).into_iter().map(|line| (line, theme.text)));
        lines.push((String::new(), theme.text));
        let mut grades: Vec<(&str, u64)> = Vec::new();
        for judgment in &tree.judgments[group.judgments.clone()] {
            match grades.iter_mut().find(|(grade, _)| *grade == &*judgment.grade) {
                Some((_, number)) => *number += 1,
                None => grades.push((&judgment.grade, 1)),
            }
        }
        grades.sort_by(|a, b| value(a.0).total_cmp(&value(b.0)).then(a.0.cmp(b.0)));
        let most = grades.iter().map(|(_, number)| *number).max().unwrap_or(0) as f64;
        lines.extend(grades.into_iter().map(|(grade, number)| {
            (format!("grade {grade:>2}  {} {}", meter(number as f64, most, GRADES), count(number)), theme.text)
        }));
        for (y, (line, style)) in (inside.y..inside.bottom()).zip(lines) {
            draw_text(buffer, (inside.x + 1, y), room as u16, line.trim_end(), style);
        }
    }
}

fn value(grade: &str) -> f64 {
    grade.parse::<Grade>().map_or(f64::MAX, Grade::value)
}
