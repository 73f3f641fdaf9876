//! The columns of the table of pairs, as many as there is room for.

use ratatui::style::Style;

use crate::data::{StudyData, VisibleLabel};
use crate::shared::Shared;
use crate::widgets::found_by::FoundByStrip;
use crate::widgets::meter::meter;
use crate::widgets::names::squeezed;
use crate::widgets::table::Column;
use dejaview_index::KeptSide;
use dejaview_text::shorten::{Compared, compare_titles, shorten_title};

const METER: u16 = 6;
/// Width of the column of a configuration's distances.
const DISTANCE: u16 = 6;
/// Width of the column that says how many configurations found a pair.
const COUNT: u16 = 5;
/// Titles keep so many columns before the strip of dots, then the meter give way.
const TITLE: u16 = 28;

#[derive(Debug, Clone)]
pub(super) struct Columns {
    /// The configurations whose distances are shown: the one chosen, or the two of a duel.
    distances_of: Vec<usize>,
    strip: FoundByStrip,
    has_strip: bool,
    has_meter: bool,
    /// Columns left for titles.
    title: u16,
}

impl Columns {
    pub(super) fn fitting(width: u16, data: &StudyData, distances_of: Vec<usize>) -> Self {
        let strip = data.found_by_strip();
        // Label, Jaccard, the sign of equal URLs and the count, each with the blank after it.
        let fixed = 3 + 6 + 2 + COUNT + 1 + distances_of.len() as u16 * (DISTANCE + 1);
        let left = width.saturating_sub(fixed);
        let has_strip = left > TITLE + strip.width() + 1 + METER;
        let left = if has_strip { left - strip.width() - 1 } else { left };
        let has_meter = left > TITLE + METER;
        let title = if has_meter { left - METER - 1 } else { left };
        Self { distances_of, strip, has_strip, has_meter, title }
    }

    pub(super) fn heads(&self, data: &StudyData) -> Vec<Column> {
        let mut columns = vec![Column::left("", 2), Column::right(&format!("J{}", data.table.n()), 5)];
        if self.has_meter {
            columns.push(Column::left("", METER));
        }
        columns.extend([Column::left("", 1), Column::left("title; A ⇄ B where the two differ", 0)]);
        let names = data.table.configurations();
        columns.extend(self.distances_of.iter().map(|&c| {
            let name =
                if self.distances_of.len() == 1 { "dist".to_owned() } else { format!("d {}", squeezed(&names[c], 4)) };
            Column::right(&name, DISTANCE)
        }));
        columns.push(Column::right("found", COUNT));
        if self.has_strip {
            columns.push(Column::left(&self.strip.head(), self.strip.width()));
        }
        columns
    }

    pub(super) fn cells(&self, data: &StudyData, row: usize, shared: &Shared) -> Vec<(String, Style)> {
        let (table, theme) = (&data.table, &shared.theme);
        let pair = table.pair(row);
        let label = data.labels().others.label_of(shared.book.decisions(), pair.source, pair.target);
        let jaccard = table.shown_jaccard(row);
        let mut cells = vec![
            VisibleLabel::in_list(label, theme),
            (
                jaccard.map_or("–".to_owned(), |jaccard| format!("{jaccard:.3}")),
                if jaccard.is_some_and(|jaccard| jaccard >= 0.9) { theme.strong } else { theme.text },
            ),
        ];
        if self.has_meter {
            cells.push(jaccard.map_or((String::new(), theme.faint), |j| (meter(j, 1.0, METER), theme.heat(j))));
        }
        cells.push((if pair.same_url { "=" } else { "" }.to_owned(), theme.muted));
        cells.push((titles(data, row, usize::from(self.title)), theme.text));
        cells.extend(self.distances_of.iter().map(|&c| {
            let distance = table.distance_by(row, c);
            (distance.map_or("·".to_owned(), |distance| distance.to_string()), theme.muted)
        }));
        let found = |c: usize| table.found_by(row, c);
        cells.push((self.strip.count(found), theme.muted));
        if self.has_strip {
            cells.push((self.strip.dots(found), theme.text));
        }
        cells
    }

    /// The column of a configuration's dot, counted from the right end of the table; none without a strip.
    pub(super) fn dot_from_right(&self, configuration: usize) -> Option<u16> {
        self.has_strip.then(|| self.strip.width() - self.strip.column(configuration))
    }
}

/// The title of both documents, or both titles with what differs between them.
fn titles(data: &StudyData, row: usize, columns: usize) -> String {
    let titles = data.study.titles();
    let (source, target) = data.table.ids(row);
    let [a, b] = match (titles.get(KeptSide::Source, source), titles.get_in(data.table.segment(row), target)) {
        (Some(a), Some(b)) if !a.title.is_empty() && !b.title.is_empty() => titles.shown_pair(&a, &b),
        _ => [titles.shown(KeptSide::Source, source), titles.shown(KeptSide::Target, target)]
            .map(|title| title.text().to_owned()),
    };
    match compare_titles(&a, &b, columns.saturating_sub(3) / 2) {
        Compared::Same(_) => shorten_title(&a, columns),
        Compared::Different(lines) => {
            let [a, b] = lines.map(|line| line.into_iter().map(|span| span.text).collect::<String>());
            format!("{} ⇄ {}", a.trim_end(), b.trim_end())
        }
    }
}
