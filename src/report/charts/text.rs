//! Charts made of characters.
//!
//! Few series get a line for each bar; many series get one line each, with their numbers where these fit, and a small
//! picture of them.

use crate::fitting::lines;
use crate::numbers::count;
use dejaview_study::{Figure, Kind, Series};
use dejaview_text::wrapped;

/// Most series that get a line for each of their bars.
const FEW: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChartStyle {
    /// In columns of the terminal.
    pub width: usize,
    /// Whether only ASCII may be used.
    pub ascii: bool,
}

/// The lines of a figure: title, chart, notes.
pub fn draw(figure: &Figure, style: ChartStyle) -> Vec<String> {
    let mut text = vec![figure.title.clone()];
    let chart = match figure.kind {
        Kind::Matrix => matrix(figure, style),
        _ if figure.series.len() <= FEW => line_per_bar(figure, style),
        _ => line_per_series(figure, style),
    };
    text.extend(chart.into_iter().map(|line| format!("  {line}").trim_end().to_owned()));
    text.extend(figure.notes.iter().flat_map(|note| wrapped(note, style.width, 0)));
    if style.ascii { text.iter().map(|line| to_ascii(line)).collect() } else { text }
}

/// One line for each bar, below the name of its series.
fn line_per_bar(figure: &Figure, style: ChartStyle) -> Vec<String> {
    let highest = figure.highest();
    let numbers = figure.series.iter().flat_map(|s| &s.bars).map(|bar| count(bar.value).len()).max().unwrap_or(1);
    let labels = figure.categories.iter().map(|c| c.chars().count()).max().unwrap_or(0).max(figure.x.chars().count());
    let room = style.width.saturating_sub(labels + numbers + 8).max(4);
    let mut text = Vec::new();
    for series in &figure.series {
        text.push(series.name.clone());
        text.push(format!("  {:<labels$}  {}", figure.x, figure.y));
        for (category, bar) in figure.categories.iter().zip(&series.bars) {
            let number = count(bar.value);
            text.push(format!(
                "  {category:<labels$}  {number:>numbers$} {}",
                self::bar(bar.value, highest, room, style.ascii)
            ));
        }
    }
    text
}

/// A bar of at most `room` columns; any value above 0 is visible.
pub fn bar(value: u64, highest: u64, room: usize, ascii: bool) -> String {
    if value == 0 || highest == 0 {
        return String::new();
    }
    let eighths = ((value as f64 / highest as f64) * 8.0 * room as f64).round().max(1.0) as usize;
    if ascii {
        return "#".repeat(eighths.div_ceil(8));
    }
    let rest = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{rest}", "█".repeat(eighths / 8)).trim_end().to_owned()
}

/// One line for each series: its numbers where they fit, and a small picture of them.
fn line_per_series(figure: &Figure, style: ChartStyle) -> Vec<String> {
    let pictures = |column_width: usize| -> Vec<String> {
        figure.series.iter().map(|series| picture(series, figure, column_width, style)).collect()
    };
    let mut with_numbers: Vec<Vec<String>> = vec![head(figure, true)];
    for (series, picture) in figure.series.iter().zip(pictures(1)) {
        let numbers = series.bars.iter().map(|bar| count(bar.value));
        with_numbers.push(row(series, numbers.collect(), picture, figure));
    }
    let right: Vec<usize> = (1..=figure.categories.len() + 1).collect();
    let text = lines(&with_numbers, &right);
    if text.iter().all(|line| line.chars().count() + 2 <= style.width) {
        return text;
    }
    let mut without_numbers: Vec<Vec<String>> = vec![head(figure, false)];
    for (series, picture) in figure.series.iter().zip(pictures(2)) {
        without_numbers.push(row(series, Vec::new(), picture, figure));
    }
    let mut text = lines(&without_numbers, &[1]);
    let ends = [figure.categories.first(), figure.categories.last()].map(|c| c.cloned().unwrap_or_default());
    if figure.kind == Kind::Histogram {
        text.push(format!("columns: {} {} to {}", figure.x, ends[0], ends[1]));
    }
    text
}

fn head(figure: &Figure, with_numbers: bool) -> Vec<String> {
    let mut head = vec!["configuration".to_owned()];
    head.extend(figure.categories.iter().filter(|_| with_numbers).cloned());
    head.extend([total_name(figure).to_owned(), String::new()]);
    head
}

fn total_name(figure: &Figure) -> &'static str {
    if figure.kind == Kind::Accumulated { "last" } else { "sum" }
}

fn total(series: &Series, figure: &Figure) -> u64 {
    match figure.kind {
        Kind::Accumulated => series.bars.last().map_or(0, |bar| bar.value),
        _ => series.bars.iter().map(|bar| bar.value).sum(),
    }
}

fn row(series: &Series, numbers: Vec<String>, picture: String, figure: &Figure) -> Vec<String> {
    let mut row = vec![series.name.clone()];
    row.extend(numbers);
    row.extend([count(total(series, figure)), picture]);
    row
}

/// A histogram as columns as high as its numbers; counts as one bar as long as their total.
fn picture(series: &Series, figure: &Figure, column_width: usize, ChartStyle { width, ascii }: ChartStyle) -> String {
    if figure.kind != Kind::Histogram {
        let most = figure.series.iter().map(|series| total(series, figure)).max().unwrap_or_default();
        return bar(total(series, figure), most, (width / 5).clamp(4, 20), ascii);
    }
    let highest = series.bars.iter().map(|bar| bar.value).max().unwrap_or_default();
    let levels: &[char] = if ascii {
        &['_', '.', ':', '-', '=', '+', '*', '#', '@']
    } else {
        &[' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
    };
    let column = |value: u64| {
        let level = (value as f64 / highest.max(1) as f64 * 8.0).round() as usize;
        let level = if value > 0 { level.max(1) } else { 0 };
        levels[level.min(8)].to_string().repeat(column_width)
    };
    format!("|{}|", series.bars.iter().map(|bar| column(bar.value)).collect::<String>())
}

/// Numbers in rows and columns; columns are numbered where their names do not fit.
fn matrix(figure: &Figure, style: ChartStyle) -> Vec<String> {
    let cells = |series: &Series| -> Vec<String> {
        let cell = |(column, value): (&String, u64)| match *column == series.name {
            true => "·".to_owned(),
            false => count(value),
        };
        figure.categories.iter().zip(series.bars.iter().map(|bar| bar.value)).map(cell).collect()
    };
    let table = |names: &dyn Fn(usize, &str) -> String, columns: &dyn Fn(usize, &str) -> String| {
        let mut rows = vec![vec![String::new()]];
        rows[0].extend(figure.categories.iter().enumerate().map(|(i, name)| columns(i, name)));
        for (i, series) in figure.series.iter().enumerate() {
            rows.push(std::iter::once(names(i, &series.name)).chain(cells(series)).collect());
        }
        lines(&rows, &(1..=figure.categories.len()).collect::<Vec<_>>())
    };
    let text = table(&|_, name| name.to_owned(), &|_, name| name.to_owned());
    if text.iter().all(|line| line.chars().count() + 2 <= style.width) {
        return text;
    }
    table(&|i, name| format!("{:>2} {name}", i + 1), &|i, _| (i + 1).to_string())
}

/// Replaces dashes and signs by similar ASCII characters, everything else beyond ASCII by `?`.
pub fn to_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '–' | '—' | '−' => out.push('-'),
            '≥' => out.push_str(">="),
            '≤' => out.push_str("<="),
            '·' => out.push('.'),
            '×' => out.push('x'),
            '±' => out.push_str("+-"),
            '“' | '”' => out.push('"'),
            '’' => out.push('\''),
            '…' => out.push_str("..."),
            c if c.is_ascii() => out.push(c),
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_study::Bar;

    fn figure(kind: Kind, series: usize) -> Figure {
        let bars = |s: u64| {
            (0..4).map(|i| Bar { value: s * 1_000 * i, pairs: s * 1_000 * i, filter: String::new() }).collect()
        };
        Figure {
            name: "test",
            title: "Pairs ≥ 0.9".to_owned(),
            kind,
            x: "segment".to_owned(),
            y: "pairs".to_owned(),
            categories: ["00", "01", "02", "03"].map(str::to_owned).to_vec(),
            series: (0..series)
                .map(|s| Series { name: format!("c{s}"), bars: bars(s as u64), extrapolation: None })
                .collect(),
            notes: vec!["pool: all".to_owned()],
        }
    }

    #[test]
    fn few_series_are_drawn_bar_by_bar() {
        let text = draw(&figure(Kind::Bars, 2), ChartStyle { width: 34, ascii: false });
        assert_eq!(text[0], "Pairs ≥ 0.9");
        assert_eq!(text[7], "  c1");
        assert!(text[8].contains("segment") && text[8].contains("pairs"));
        assert_eq!(text[12], format!("    03       3,000 {}", "█".repeat(34 - 7 - 5 - 8)), "{text:#?}");
        assert_eq!(text.last().unwrap(), "pool: all");
    }

    #[test]
    fn many_series_have_a_line_each_and_no_line_is_too_wide() {
        for width in [30, 60, 100] {
            for kind in [Kind::Bars, Kind::Histogram, Kind::Accumulated] {
                let text = draw(&figure(kind, 6), ChartStyle { width, ascii: false });
                assert!(text.iter().all(|line| line.chars().count() <= width.max(44)), "{width}: {text:#?}");
            }
        }
        let text = draw(&figure(Kind::Histogram, 6), ChartStyle { width: 100, ascii: false });
        let last = text.iter().find(|line| line.contains("c5")).unwrap();
        assert!(last.contains("15,000") && last.contains("30,000") && last.ends_with("| ▃▅█|"), "{last}");
    }

    #[test]
    fn ascii_is_ascii() {
        for kind in [Kind::Bars, Kind::Histogram, Kind::Accumulated, Kind::Matrix] {
            for series in [2, 6] {
                let text = draw(&figure(kind, series), ChartStyle { width: 80, ascii: true });
                assert!(text.iter().all(|line| line.is_ascii()), "{text:#?}");
            }
        }
    }

    #[test]
    fn any_value_above_zero_is_visible() {
        assert_eq!(bar(0, 10, 5, false), "");
        assert_eq!(bar(1, 1_000_000, 5, false), "▏");
        assert_eq!(bar(1, 1_000_000, 5, true), "#");
        assert_eq!(bar(10, 10, 5, false), "█████");
    }
}
