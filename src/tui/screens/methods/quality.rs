//! The table of precision, recall and F: as much of each estimate as there is room for.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Methods, PENDING};
use crate::data::StudyData;
use crate::theme::Theme;
use crate::widgets::glyphs::width;
use crate::widgets::table::{self, Column};
use dejaview_base::interval::Interval;
use dejaview_evaluation::comparison::Quality;
use dejaview_report::numbers::{count, share};

/// Columns of a bar.
const BAR: usize = 20;

/// An estimate of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Estimate {
    Precision,
    Recall,
    F,
}

impl Estimate {
    const ALL: [Self; 3] = [Self::Precision, Self::Recall, Self::F];

    fn name(self) -> &'static str {
        match self {
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F => "F",
        }
    }

    fn interval(self, quality: &Quality) -> Option<Interval> {
        match self {
            Self::Precision => quality.precision,
            Self::Recall => quality.recall,
            Self::F => quality.f1,
        }
    }
}

/// A column behind the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QualityColumn {
    Pairs,
    Sources,
    /// An estimate without its interval.
    Value(Estimate),
    /// With its interval to two decimals.
    Short(Estimate),
    /// With its interval.
    Whole(Estimate),
    /// Drawn.
    Bar(Estimate),
    /// Found by no other configuration.
    Alone,
    /// True ones of these.
    AloneTrue,
    /// The same two with their names in full.
    FoundAlone,
    FoundAloneTrue,
}

impl QualityColumn {
    fn column(self) -> Column {
        match self {
            Self::Pairs => Column::right("pairs", 7),
            Self::Sources => Column::right("sources", 7),
            Self::Value(of) => Column::right(of.name(), width(of.name()).max(5) as u16),
            Self::Short(of) => Column::right(of.name(), 15),
            Self::Whole(of) => Column::right(of.name(), 19),
            Self::Bar(_) => Column::left(&format!("0{:>1$}", 1, BAR - 1), BAR as u16),
            Self::Alone => Column::right("alone", 6),
            Self::AloneTrue => Column::right("true", 6),
            Self::FoundAlone => Column::right("found by it alone", 17),
            Self::FoundAloneTrue => Column::right("of these true", 13),
        }
    }

    fn cell(self, counts: (u64, u64), quality: Option<&Quality>) -> String {
        let known = |text: fn(&Quality) -> String| quality.map_or(PENDING.to_owned(), text);
        let estimate = |of: Estimate, text: fn(Option<Interval>) -> String| {
            quality.map_or(PENDING.to_owned(), |quality| text(of.interval(quality)))
        };
        match self {
            Self::Pairs => count(counts.0),
            Self::Sources => count(counts.1),
            Self::Value(of) => estimate(of, value),
            Self::Short(of) => estimate(of, shortened),
            Self::Whole(of) => estimate(of, share),
            Self::Bar(of) => quality.and_then(|quality| of.interval(quality)).map(bar).unwrap_or_default(),
            Self::Alone | Self::FoundAlone => known(|quality| count(quality.only)),
            Self::AloneTrue | Self::FoundAloneTrue => {
                known(|quality| quality.only_true.map_or("–".to_owned(), |of| count(of.value.round() as u64)))
            }
        }
    }
}

/// The richest set of columns that leaves this many for the names; the poorest if none does.
fn columns_that_fit(room: u16, names: u16) -> Vec<QualityColumn> {
    let with = |estimates: Vec<QualityColumn>, alone: [QualityColumn; 2]| {
        [QualityColumn::Pairs, QualityColumn::Sources].into_iter().chain(estimates).chain(alone).collect::<Vec<_>>()
    };
    let each = |part: fn(Estimate) -> QualityColumn| Estimate::ALL.map(part).to_vec();
    let drawn = Estimate::ALL.iter().flat_map(|&of| [QualityColumn::Whole(of), QualityColumn::Bar(of)]).collect();
    let short = [QualityColumn::Alone, QualityColumn::AloneTrue];
    let mut forms = vec![
        with(drawn, [QualityColumn::FoundAlone, QualityColumn::FoundAloneTrue]),
        with(each(QualityColumn::Whole), short),
        with(each(QualityColumn::Short), short),
        with(each(QualityColumn::Value), short),
    ];
    let fits = |form: &Vec<QualityColumn>| form.iter().map(|part| part.column().width + 1).sum::<u16>() + names <= room;
    match forms.iter().position(fits) {
        Some(form) => forms.swap_remove(form),
        None => std::iter::once(QualityColumn::Pairs)
            .chain(each(QualityColumn::Value))
            .chain([QualityColumn::Alone])
            .collect(),
    }
}

impl Methods {
    pub(super) fn draw_quality(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, theme: &Theme) {
        let (names, order) = (data.table.configurations(), self.order(data));
        let longest = names.iter().map(|name| width(name)).max().unwrap_or_default().clamp(13, 30) as u16 + 1;
        let parts = columns_that_fit(area.width, longest);
        let others: u16 = parts.iter().map(|part| part.column().width + 1).sum();
        let name = longest.min(area.width.saturating_sub(others)).max(1);
        let columns: Vec<Column> = std::iter::once(Column::left(" configuration", name))
            .chain(parts.iter().map(|part| part.column()))
            .chain([Column::left("", 0)])
            .collect();
        let cells = |row: usize| {
            let c = order[row];
            let counts = data.counts.get(c).copied().unwrap_or_default();
            let name = std::iter::once(format!(" {}", names[c]));
            let cells = name.chain(parts.iter().map(|part| part.cell(counts, self.quality(c))));
            cells.map(|cell| (cell, theme.text)).collect()
        };
        table::draw(buffer, area, &columns, (self.cursor, order.len()), theme, cells);
    }
}

fn value(interval: Option<Interval>) -> String {
    interval.map_or("–".to_owned(), |interval| format!("{:.3}", interval.value))
}

/// `0.950 .89–.98`.
fn shortened(interval: Option<Interval>) -> String {
    let end = |x: f64| format!("{x:.2}").trim_start_matches('0').to_owned();
    match interval {
        Some(interval) => format!("{:.3} {}–{}", interval.value, end(interval.low), end(interval.high)),
        None => "–".to_owned(),
    }
}

/// Solid up to the lower end of the interval, light up to the upper one.
fn bar(interval: Interval) -> String {
    let cells = |x: f64| (x.clamp(0.0, 1.0) * BAR as f64).round() as usize;
    let (low, high) = (cells(interval.low), cells(interval.high));
    "█".repeat(low) + &"░".repeat(high.saturating_sub(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(value: f64, low: f64, high: f64) -> Option<Interval> {
        Interval::new(value, low, high)
    }

    #[test]
    fn estimates_in_little_room() {
        assert_eq!(shortened(interval(0.95, 0.888, 0.978)), "0.950 .89–.98");
        assert_eq!(shortened(interval(1.0, 0.9, 1.0)), "1.000 .90–1.00");
        assert_eq!(shortened(interval(1.0, 0.999, 1.0)).chars().count(), 15, "the longest that there is");
        assert_eq!(shortened(interval(0.0, 0.0, 0.001)), "0.000 .00–.00");
        assert_eq!([value(None), shortened(None)], ["–", "–"]);
    }

    #[test]
    fn a_bar_has_a_solid_and_a_light_part() {
        let drawn = |value, low, high| interval(value, low, high).map(bar).unwrap();
        assert_eq!(drawn(0.5, 0.25, 0.75), "█████░░░░░░░░░░");
        assert_eq!(drawn(1.0, 1.0, 1.0), "█".repeat(BAR));
        assert_eq!(drawn(0.0, 0.0, 0.0), "");
    }

    #[test]
    fn what_is_shown_grows_with_the_room() {
        let has = |room: u16, part: QualityColumn| columns_that_fit(room, 16).contains(&part);
        assert!(has(60, QualityColumn::Value(Estimate::F)) && !has(60, QualityColumn::Sources));
        assert!(
            has(80, QualityColumn::Value(Estimate::F))
                && has(80, QualityColumn::Sources)
                && has(80, QualityColumn::AloneTrue)
        );
        assert!(has(100, QualityColumn::Short(Estimate::Precision)));
        assert!(has(120, QualityColumn::Whole(Estimate::Recall)));
        assert!(
            has(200, QualityColumn::Bar(Estimate::F))
                && has(200, QualityColumn::Whole(Estimate::F))
                && has(200, QualityColumn::FoundAlone)
        );
        for room in 60..=300 {
            let wide: u16 = columns_that_fit(room, 16).iter().map(|part| part.column().width + 1).sum();
            assert!(wide + 16 <= room, "{room}");
        }
    }
}
