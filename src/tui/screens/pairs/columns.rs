//! The columns of the table of pairs, as many as there is room for.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::data::StudyData;
use crate::screens::judgments::too_narrow_for_ids;
use crate::theme::Theme;
use crate::widgets::names::squeezed;
use crate::widgets::table::Column;
use dejaview_study::Sort;

/// Up to this many configurations the dots need no gaps to be told apart.
pub(super) const UNGROUPED: usize = 12;
/// Dots between two gaps.
const GROUP: usize = 5;
/// From this width on topics and grades of the source are shown.
const WIDE: u16 = 140;
/// Width of the column of topics and grades.
const GRADES: u16 = 16;
/// Width of the column of a configuration's distances.
const DISTANCE: u16 = 7;

#[derive(Debug, Clone)]
pub(super) struct Columns {
    /// The configurations whose distances are shown: the one chosen, or the two of a duel.
    distances_of: Vec<usize>,
    found_by: FoundBy,
    grades: bool,
    sort: (Sort, bool),
}

impl Columns {
    pub(super) fn fitting(area: Rect, data: &StudyData, distances_of: Vec<usize>, sort: (Sort, bool)) -> Self {
        let grades = area.width >= WIDE && data.judgments.is_some();
        let taken = if grades { GRADES + 1 } else { 0 } + distances_of.len() as u16 * (DISTANCE + 1);
        let room = Rect { width: area.width.saturating_sub(taken), ..area };
        Self { found_by: FoundBy::fitting(room, data.table.configurations().len()), grades, distances_of, sort }
    }

    /// `measured` is the configuration by whose distances rows may be sorted.
    pub(super) fn heads(&self, measured: Option<usize>, data: &StudyData) -> Vec<Column> {
        let arrow = |sort: Sort, name: &str| match self.sort {
            (by, false) if by == sort => format!("{name}▾"),
            (by, true) if by == sort => format!("{name}▴"),
            _ => name.to_owned(),
        };
        let mut columns = vec![
            Column::ids(&format!(" {}", arrow(Sort::Source, "source"))),
            Column::ids(&arrow(Sort::Target, "target")),
            Column::right(&arrow(Sort::Jaccard, &format!("J{}", data.table.n())), 6),
            Column::right(&arrow(Sort::Length, "length"), 7),
            Column::left("URL", 3),
            Column::left(&arrow(Sort::Label, "label"), 8),
        ];
        let names = data.table.configurations();
        for (place, &c) in self.distances_of.iter().enumerate() {
            let name =
                if self.distances_of.len() == 1 { "dist".to_owned() } else { format!("d {}", squeezed(&names[c], 4)) };
            let head = if measured == Some(c) { arrow(Sort::Distance, &name) } else { name };
            columns.insert(3 + place, Column::right(&head, DISTANCE));
        }
        if self.grades {
            columns.insert(1, Column::left("topic:grade", GRADES));
        }
        columns.extend(self.found_by.columns(names, arrow(Sort::Agreement, "found")));
        columns
    }

    pub(super) fn cells(&self, data: &StudyData, row: usize, label: &str, theme: &Theme) -> Vec<(String, Style)> {
        let pair = data.table.pair(row);
        let score = |score: f64| if pair.compared() { format!("{score:.3}") } else { "–".to_owned() };
        let mut cells = vec![
            format!(" {}", pair.source),
            pair.target.to_owned(),
            score(data.table.jaccard(row)),
            score(pair.scores().length_ratio),
            if pair.same_url { "=".to_owned() } else { String::new() },
            label.to_owned(),
        ];
        for (place, &c) in self.distances_of.iter().enumerate() {
            let distance = data.table.distance_by(row, c);
            cells.insert(3 + place, distance.map_or("·".to_owned(), |distance| distance.to_string()));
        }
        if self.grades {
            cells.insert(1, fitting_grades(&data.grades_of(pair.source)));
        }
        let configurations = data.table.configurations().len();
        let found: Vec<bool> = (0..configurations).map(|c| data.table.found_by(row, c)).collect();
        cells.extend(self.found_by.cells(&found));
        cells.into_iter().map(|cell| (cell, theme.text)).collect()
    }
}

/// As many grades as fit, and how many more there are.
fn fitting_grades(all: &[String]) -> String {
    let mut text = String::new();
    for (at, one) in all.iter().enumerate() {
        let left = all.len() - at - 1;
        let more = if left > 0 { format!(" +{left}") } else { String::new() };
        let longer = if text.is_empty() { one.clone() } else { format!("{text} {one}") };
        if longer.chars().count() + more.chars().count() > usize::from(GRADES) && !text.is_empty() {
            return format!("{text} +{}", left + 1);
        }
        text = longer;
    }
    text
}

/// How the table says which configurations found a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FoundBy {
    Columns,
    /// A dot each, in one column.
    Dots,
    /// How many.
    Count,
}

impl FoundBy {
    fn fitting(area: Rect, configurations: usize) -> Self {
        if !too_narrow_for_ids(area, 63 + 5 * configurations) {
            Self::Columns
        } else if configurations <= UNGROUPED || usize::from(area.width) >= 66 + dots_width(configurations) {
            Self::Dots
        } else {
            Self::Count
        }
    }

    fn columns(self, names: &[String], head: String) -> Vec<Column> {
        match self {
            Self::Columns => names.iter().map(|name| Column::left(&squeezed(name, 4), 4)).collect(),
            Self::Dots => vec![Column::left(&head, dots_width(names.len()).max(6) as u16)],
            Self::Count => vec![Column::right(&head, 7)],
        }
    }

    fn cells(self, found: &[bool]) -> Vec<String> {
        let dot = |found: &bool| if *found { "•" } else { "·" };
        match self {
            Self::Columns => found.iter().map(|found| dot(found).to_owned()).collect(),
            Self::Dots if found.len() <= UNGROUPED => vec![found.iter().map(dot).collect()],
            Self::Dots => {
                let groups = found.chunks(GROUP).map(|group| group.iter().map(dot).collect::<String>());
                vec![groups.collect::<Vec<_>>().join(" ")]
            }
            Self::Count => vec![format!("{}/{}", found.iter().filter(|found| **found).count(), found.len())],
        }
    }
}

/// Width of the dots of all configurations with their gaps.
fn dots_width(configurations: usize) -> usize {
    if configurations <= UNGROUPED { configurations } else { configurations + (configurations - 1) / GROUP }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgments_in_little_room() {
        let all = |texts: &[&str]| fitting_grades(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        assert_eq!(all(&[]), "");
        assert_eq!(all(&["51:2"]), "51:2");
        assert_eq!(all(&["51:2", "52:0", "53:-2"]), "51:2 52:0 53:-2");
        assert_eq!(all(&["151.1:2", "152.2:0", "153:-2", "154:1"]), "151.1:2 +3");
    }
}
