//! How the list and the line below it look.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::Judgments;
use super::outline::OutlineLine;
use crate::contract::View;
use crate::data::{JudgedDocument, JudgmentSort, JudgmentTree, StudyData, TopicGroup};
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use crate::widgets::names::squeezed;
use crate::widgets::table::{self, Column, Line};
use dejaview_report::numbers::{count, plural};

/// Columns that ids want at least.
const ID_COLUMNS: usize = 30;

/// From this width on the URL of a document is shown beside it.
const WIDE: u16 = 140;

/// Whether an area has too little room for ids beside `others` columns.
pub fn too_narrow_for_ids(area: Rect, others: usize) -> bool {
    usize::from(area.width) < others + ID_COLUMNS
}

/// Below the line about the topic.
pub(super) fn list_area(area: Rect) -> Rect {
    Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area }
}

impl Judgments {
    pub(super) fn draw_list(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (data, theme) = (view.data, &view.shared.theme);
        let mut note = |text: &str, style| {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), text, style);
        };
        let tree = match (&data.judgments, &self.tree) {
            (None, _) => {
                return note(
                    "This study has no judgments. Add them to [source] in study.toml; pairs are on screen 3.",
                    theme.text,
                );
            }
            (Some(_), None) => return note("gathering the judgments…", theme.dim),
            (Some(_), Some(tree)) => tree,
        };
        let text = match self.outline.line(self.cursor.at) {
            Some(OutlineLine::Topic(topic) | OutlineLine::Document { topic, .. }) => {
                topic_description(data, &tree.topics[topic])
            }
            None => "No judgments match this filter. Press & to change it".to_owned(),
        };
        draw_text(buffer, (area.x + 1, area.y), area.width.saturating_sub(2), &text, theme.dim);
        let columns = Columns::fitting(area, data, tree);
        let line = |line: usize| match self.outline.line(line) {
            Some(OutlineLine::Topic(topic)) => self.topic_line(topic, data, tree, theme),
            Some(OutlineLine::Document { document, .. }) => {
                let document = &tree.documents[document];
                let url = self.urls.get(&*document.id).map_or("", String::as_str);
                Line::Cells(columns.cells(document, url, theme))
            }
            None => Line::Cells(Vec::new()),
        };
        let place = (self.cursor, self.outline.lines());
        table::draw_lines(buffer, list_area(area), &columns.heads(data, self.sort), place, theme, line);
    }

    fn topic_line(&self, topic: usize, data: &StudyData, tree: &JudgmentTree, theme: &Theme) -> Line {
        let group = &tree.topics[topic];
        let sign = if self.outline.is_open(topic) { "▾" } else { "▸" };
        let query = data.topic(&group.topic).map_or(String::new(), |text| text.query.clone());
        let shown = self.outline.documents_of(topic).len();
        let shown_of = match shown < group.documents.len() {
            true => format!("{} shown of ", count(shown as u64)),
            false => String::new(),
        };
        let conflicts = match group.conflicts {
            0 => String::new(),
            n => format!(" · {} in conflict", count(n as u64)),
        };
        let (judged, found) = (count(group.documents.len() as u64), count(group.found as u64));
        let counts = format!("{shown_of}{judged} judged · {found} found{conflicts} ");
        let texts = vec![
            (format!(" {sign} {:<5} ", group.topic), theme.title),
            (format!("{query}  "), theme.text),
            (group.track.to_string(), theme.dim),
        ];
        Line::Whole(texts, (counts, if group.conflicts > 0 { theme.warning } else { theme.dim }))
    }

    /// Where the cursor is, and what its row has no room for.
    pub(super) fn position(&self, tree: &JudgmentTree) -> String {
        let judgments = plural(self.outline.documents() as u64, "judgment");
        let by = format!(" · by {}", self.sort.name());
        let mut position = match self.outline.line(self.cursor.at) {
            Some(OutlineLine::Document { topic, document }) => {
                let at = self.outline.document_position(topic, document) + 1;
                let document = &tree.documents[document];
                let conflict = match &document.conflicts[..] {
                    [] => String::new(),
                    grades => format!(" · a near-duplicate has grade {}", grades.join(", ")),
                };
                let url = self.urls.get(&*document.id).filter(|url| !url.is_empty());
                let url = url.map_or(String::new(), |url| format!(" · {url}"));
                format!("{} of {judgments}{by}{conflict}{url}", count(at as u64))
            }
            Some(OutlineLine::Topic(topic)) => {
                let at = self.outline.topic_position(topic) + 1;
                let enter = if self.outline.is_open(topic) { "closes" } else { "opens" };
                format!("topic {at} of {} · {judgments}{by} · Enter {enter} it", self.outline.topics())
            }
            None => format!("0 of {}{by}", plural(tree.documents.len() as u64, "judgment")),
        };
        if !self.filter.is_empty() {
            position.push_str(&format!(" · {}", self.filter));
        }
        position
    }
}

fn topic_description(data: &StudyData, group: &TopicGroup) -> String {
    match data.topic(&group.topic) {
        Some(topic) if topic.description.is_empty() => topic.query.clone(),
        Some(topic) => format!("{}: {}", topic.query, topic.description),
        None => format!("topic {}", group.topic),
    }
}

/// Which columns there is room for.
#[derive(Debug, Clone, Copy)]
struct Columns {
    /// Whether one number stands for all configurations.
    one_count: bool,
    url: bool,
    conflicts: bool,
}

impl Columns {
    fn fitting(area: Rect, data: &StudyData, tree: &JudgmentTree) -> Self {
        let url = area.width >= WIDE;
        let others = 40 + 7 * data.table.configurations().len() + if url { ID_COLUMNS } else { 0 };
        let conflicts = tree.topics.iter().any(|topic| topic.conflicts > 0);
        Self { one_count: too_narrow_for_ids(area, others), url, conflicts }
    }

    /// The sorted column is marked with an arrow.
    fn heads(self, data: &StudyData, sort: JudgmentSort) -> Vec<Column> {
        let arrow = |of: JudgmentSort, name: &str| if of == sort { format!("{name}▾") } else { name.to_owned() };
        let mut columns = vec![Column::right(&arrow(JudgmentSort::Grade, "grade"), 9), Column::ids("document")];
        if self.url {
            columns.push(Column::left("address", 0));
        }
        columns.extend([Column::right(&arrow(JudgmentSort::Best, "best J"), 7), Column::left("URL", 3)]);
        if self.conflicts {
            columns.push(Column::left(&arrow(JudgmentSort::Conflicts, "clash"), 6));
        }
        if self.one_count {
            columns.push(Column::right(&arrow(JudgmentSort::Pairs, "pairs"), 6));
        } else {
            columns.extend(data.table.configurations().iter().map(|name| Column::right(&squeezed(name, 6), 6)));
        }
        columns
    }

    fn cells(self, document: &JudgedDocument, url: &str, theme: &Theme) -> Vec<(String, Style)> {
        let found = !document.candidates.is_empty();
        let style = if found { theme.text } else { theme.dim };
        let best = match document.candidates.best {
            Some(best) => format!("{best:.3}"),
            None => if found { "–" } else { "·" }.to_owned(),
        };
        let mut cells = vec![(document.grade.to_string(), style), (document.id.to_string(), style)];
        if self.url {
            cells.push((url.to_owned(), theme.dim));
        }
        cells.extend([(best, style), (if document.candidates.same_url { "=" } else { "" }.to_owned(), style)]);
        if self.conflicts {
            let grades = document.conflicts.join(",");
            cells.push((if grades.is_empty() { grades } else { format!("≠{grades}") }, theme.warning));
        }
        let number = |n: usize| (if n == 0 { "·".to_owned() } else { n.to_string() }, style);
        if self.one_count {
            cells.push(number(document.candidates.len()));
        } else {
            cells.extend(document.candidates.found_by.iter().map(|&n| number(n as usize)));
        }
        cells
    }
}
