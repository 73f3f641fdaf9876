//! How the list of judgments and the list of topics look.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::Judgments;
use super::layout::{CANDIDATES, JUDGMENTS, Layout, PREVIEW, TOPICS};
use super::outline::OutlineLine;
use crate::contract::View;
use crate::data::{Judgment, JudgmentTree, StudyData, VisibleLabel};
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::empty;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::draw_text;
use crate::widgets::meter::{meter, progress};
use crate::widgets::size::{Breadth, Size};
use crate::widgets::table::{self, Column, Line, Rows};
use dejaview_report::numbers::{count, plural};
use dejaview_study::ShownTitle;

/// From this width of the list on a meter stands beside the best Jaccard.
const METER_FROM: u16 = 66;
const METER: u16 = 7;
/// Lines of a topic in the list of topics.
const TOPIC: usize = 2;
/// Cells of the meter of documents found.
const FOUND_METER: u16 = 10;

impl Judgments {
    pub(super) fn draw_panes(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, shared) = (view.data, view.shared);
        let (size, theme) = (shared.class(), &shared.theme);
        let tree = match (&data.judgments, &self.tree) {
            (Some(_), Some(tree)) if !tree.judgments.is_empty() => tree,
            (Some(_), None) => {
                let inside = Frame::new("Judgments…").draw(buffer, area, size, theme);
                return empty::draw(buffer, inside, &["Gathering the judgments"], theme);
            }
            _ => {
                let inside = Frame::new("Judgments").draw(buffer, area, size, theme);
                let lines =
                    ["This study has no judgments.", "Add them to [source] in study.toml, or press 3 for pairs"];
                return empty::draw(buffer, inside, &lines, theme);
            }
        };
        let layout = Layout::new(area, size, self.focus);
        if let Some(pane) = layout.topics {
            self.draw_topics(buffer, pane, (data, tree), shared);
        }
        if let Some(pane) = layout.topic {
            self.draw_topic(buffer, pane, (data, tree), shared);
        }
        if let Some(pane) = layout.judgments {
            self.draw_judgments(buffer, pane, (data, tree), shared);
        }
        if let Some(pane) = layout.strip {
            self.draw_strip(buffer, pane, (data, tree), shared);
        }
        let on_topic = matches!(self.outline.line(self.cursor.at), Some(OutlineLine::Topic(_)));
        if let (Some(candidates), Some(preview), true) = (layout.candidates, layout.preview, on_topic) {
            let whole = Rect { height: candidates.height + preview.height, ..candidates };
            return self.draw_topic(buffer, whole, (data, tree), shared);
        }
        if let Some(pane) = layout.candidates {
            self.draw_candidates(buffer, pane, data, shared);
        }
        if let Some(pane) = layout.preview {
            self.draw_preview(buffer, pane, data, shared);
        }
    }

    /// Whether a pane has the keys; the list has them where there is no list of topics.
    pub(super) fn is_focused(&self, pane: usize, size: Size) -> bool {
        let topics_shown = size.breadth == Breadth::Wide;
        match pane {
            JUDGMENTS => self.focus.is_on(JUDGMENTS) || self.focus.is_on(TOPICS) && !topics_shown,
            CANDIDATES | PREVIEW | TOPICS => self.focus.is_on(pane),
            _ => false,
        }
    }

    fn draw_judgments(
        &self,
        buffer: &mut Buffer,
        pane: Rect,
        (data, tree): (&StudyData, &JudgmentTree),
        shared: &Shared,
    ) {
        let (size, theme) = (shared.class(), &shared.theme);
        let wide = size.breadth == Breadth::Wide;
        let inside = Frame::inside(pane, size);
        let page = usize::from(inside.height) - usize::from(wide).min(usize::from(inside.height));
        let (mut cursor, len) = self.list_cursor(wide);
        cursor.keep(len, page);
        let current = self.outline.line(self.cursor.at);
        let topic = current.map(|line| match line {
            OutlineLine::Topic(topic) | OutlineLine::Judgment { topic, .. } => topic,
        });
        let in_topic = topic.map_or(0, |topic| self.outline.judgments_of(topic).len());
        let position = match current {
            Some(OutlineLine::Judgment { topic, judgment }) => {
                let at = self.outline.position_in_topic(topic, judgment) + 1;
                format!("{}/{}", count(at as u64), count(in_topic as u64))
            }
            Some(OutlineLine::Topic(_)) => plural(in_topic as u64, "judgment"),
            None => String::new(),
        };
        let all = self.outline.judgments();
        let topics = self.outline.topics().len();
        let of_topics = topic.map(|topic| format!("topic {} of {topics}", self.outline.topic_position(topic) + 1));
        let query = topic.and_then(|topic| data.topic(&tree.topics[topic].topic)).map(|text| text.query.clone());
        let mut qualifier = if wide { query.or(of_topics) } else { of_topics }.unwrap_or_default();
        if !self.filter.is_empty() {
            qualifier = format!("& {}  {qualifier}", self.filter);
        }
        let frame = Frame {
            qualifier,
            right: format!("{} ▾", self.sort.name()),
            position: match all > in_topic && !size.is_narrow() {
                true => format!("{position} · {} in all", count(all as u64)),
                false => position,
            },
            legend: if wide {
                "= same URL  ≠ grades or annotators differ  ● ○ ◐ label".to_owned()
            } else {
                String::new()
            },
            focused: self.is_focused(JUDGMENTS, size),
            scroll: Scroll { top: cursor.top, page, len },
            ..Frame::new(if wide { "Documents" } else { "Judgments" })
        };
        frame.draw(buffer, pane, size, theme);
        if len == 0 {
            return empty::draw(buffer, inside, &["No judgments match this filter.", "Press & to change it"], theme);
        }
        let columns = columns(inside.width, wide);
        let line = |line: usize| match self.list_line(line, wide) {
            Some(OutlineLine::Topic(topic)) => self.topic_line(topic, data, tree, theme),
            Some(OutlineLine::Judgment { judgment, .. }) => {
                Line::Cells(cells(&tree.judgments[judgment], inside.width, data, shared))
            }
            None => Line::Cells(Vec::new()),
        };
        let rows = Rows { cursor, len, focused: frame.focused };
        table::draw_lines(buffer, inside, &columns, rows, theme, line);
    }

    /// The cursor of the list and its length: all lines of the outline, on wide terminals the judgments of one topic.
    fn list_cursor(&self, wide: bool) -> (Cursor, usize) {
        match self.outline.line(self.cursor.at).filter(|_| wide) {
            Some(OutlineLine::Judgment { topic, judgment }) => {
                let first = self.outline.line_of(OutlineLine::Topic(topic)).unwrap_or_default() + 1;
                let at = self.outline.position_in_topic(topic, judgment);
                let cursor = Cursor { at, top: self.cursor.top.saturating_sub(first) };
                (cursor, self.outline.judgments_of(topic).len())
            }
            _ => (self.cursor, self.outline.lines()),
        }
    }

    /// What a line of the list is.
    fn list_line(&self, line: usize, wide: bool) -> Option<OutlineLine> {
        match self.outline.line(self.cursor.at).filter(|_| wide) {
            Some(OutlineLine::Judgment { topic, .. }) => {
                let judgment = *self.outline.judgments_of(topic).get(line)? as usize;
                Some(OutlineLine::Judgment { topic, judgment })
            }
            _ => self.outline.line(line),
        }
    }

    fn topic_line(&self, topic: usize, data: &StudyData, tree: &JudgmentTree, theme: &Theme) -> Line {
        let group = &tree.topics[topic];
        let sign = if self.outline.is_open(topic) { "▾" } else { "▸" };
        let query = data.topic(&group.topic).map_or("", |text| text.query.as_str());
        let shown = self.outline.judgments_of(topic).len();
        let shown_of = match shown < group.judgments.len() {
            true => format!("{} shown of ", count(shown as u64)),
            false => String::new(),
        };
        let (judged, found) = (count(group.judgments.len() as u64), count(group.found as u64));
        let conflicts =
            if group.conflicts > 0 { format!(", {} ≠", count(group.conflicts as u64)) } else { String::new() };
        let texts = vec![
            (format!(" {sign} {} ", group.topic), theme.strong),
            (format!("{query}  "), theme.strong),
            (group.track.to_string(), theme.muted),
        ];
        let style = if group.conflicts > 0 { theme.warning } else { theme.muted };
        let found = if data.trouble.is_some() { "no pairs yet".to_owned() } else { format!("{found} found") };
        Line::Whole(texts, (format!("{shown_of}{judged} judged, {found}{conflicts} "), style))
    }

    fn draw_topics(&self, buffer: &mut Buffer, pane: Rect, (data, tree): (&StudyData, &JudgmentTree), shared: &Shared) {
        let (size, theme) = (shared.class(), &shared.theme);
        let current = match self.outline.line(self.cursor.at) {
            Some(OutlineLine::Topic(topic) | OutlineLine::Judgment { topic, .. }) => topic,
            None => 0,
        };
        let len = self.outline.topics().len();
        let page = usize::from(Frame::inside(pane, size).height) / TOPIC;
        let mut cursor = Cursor { at: self.outline.topic_position(current), top: 0 };
        cursor.keep(len, page);
        let frame = Frame {
            position: format!("{}/{}", count(cursor.at as u64 + 1), count(len as u64)),
            focused: self.is_focused(TOPICS, size),
            scroll: Scroll { top: cursor.top, page, len },
            ..Frame::new("Topics")
        };
        let inside = frame.draw(buffer, pane, size, theme);
        for (row, topic) in self.outline.topics().enumerate().skip(cursor.top).take(page) {
            let (group, y) = (&tree.topics[topic], inside.y + ((row - cursor.top) * TOPIC) as u16);
            let query = data.topic(&group.topic).map_or("", |text| text.query.as_str());
            draw_text(buffer, (inside.x, y), inside.width, &format!(" {:>3} {query}", group.topic), theme.text);
            let meter = progress(group.found as u64, group.judgments.len() as u64, FOUND_METER, theme);
            let found = (format!(" {}/{} found", group.found, group.judgments.len()), theme.muted);
            let conflicts = if group.conflicts > 0 { format!("  {} ≠", group.conflicts) } else { String::new() };
            let mut x = inside.x + 5;
            for (text, style) in meter.into_iter().chain([found, (conflicts, theme.warning)]) {
                x += draw_text(buffer, (x, y + 1), inside.right().saturating_sub(x), &text, style);
            }
            if row == cursor.at {
                for line in 0..TOPIC as u16 {
                    table::select(buffer, Rect { y: y + line, height: 1, ..inside }, frame.focused, theme);
                }
            }
        }
    }
}

fn columns(width: u16, wide: bool) -> Vec<Column> {
    let head = |name: &str| if wide { name.to_owned() } else { String::new() };
    let mut columns = vec![
        Column::right(&head("gr"), 4),
        Column::left(&head("title"), 0),
        Column::left("", 1),
        Column::left("", 1),
        Column::left("", 3),
        Column::right(&head("J"), 5),
    ];
    if width >= METER_FROM {
        columns.push(Column::left("", METER));
    }
    columns.push(Column::right(&head("cand"), 4));
    columns
}

fn cells(judgment: &Judgment, width: u16, data: &StudyData, shared: &Shared) -> Vec<(String, Style)> {
    let (theme, document) = (&shared.theme, &*judgment.document);
    let candidates = &document.candidates;
    let title_style = match &document.title {
        ShownTitle::Title(_) if !candidates.is_empty() => theme.text,
        _ => theme.muted,
    };
    let best = candidates.best.map(|(_, best)| best);
    let label = candidates.best.and_then(|(row, _)| {
        let (source, target) = data.table.ids(row);
        data.labels().others.label_of(shared.book.decisions(), source, target)
    });
    let conflicts: Vec<&str> = judgment.conflicts.iter().map(|conflict| &*conflict.grade).collect();
    let conflicts = if conflicts.is_empty() { String::new() } else { format!("≠{}", conflicts.join(",")) };
    let mut cells = vec![
        (judgment.grade.to_string(), theme.text),
        (document.title.text().to_owned(), title_style),
        VisibleLabel::in_cell(label, theme)
            .map_or((String::new(), theme.text), |(sign, style)| (sign.to_owned(), style)),
        (if candidates.same_url { "=" } else { "" }.to_owned(), theme.muted),
        (conflicts, theme.warning),
        (
            best.map_or("–".to_owned(), |best| format!("{best:.3}")),
            if best.is_some_and(|best| best >= 0.9) { theme.strong } else { theme.text },
        ),
    ];
    if width >= METER_FROM {
        cells.push(best.map_or((String::new(), theme.faint), |best| (meter(best, 1.0, METER), theme.heat(best))));
    }
    let number = if candidates.is_empty() { "no".to_owned() } else { candidates.len().to_string() };
    cells.push((number, theme.muted));
    cells
}
