//! The study's figures as charts or tables, and the tables that accompany them.

use serde::Serialize;

use super::charts::text::{ChartStyle, draw, to_ascii};
use super::numbers::{count, share};
use super::result::Report;
use super::table::Table;
use dejaview_base::interval::Interval;
use dejaview_study::{Extrapolation, Figure, Figures, Series};

/// Columns of charts that are not printed on a terminal.
const WIDTH: usize = 100;

/// Figures: charts as text, tables in every other form.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct FiguresReport<'a> {
    pub figures: &'a Figures,
    /// The only figure or table that is wanted.
    #[serde(skip)]
    pub only: Option<&'a str>,
    /// Whether charts consist of ASCII only.
    #[serde(skip)]
    pub ascii: bool,
}

impl FiguresReport<'_> {
    /// Charts and the tables that accompany them, each with its name.
    pub fn charts(&self, columns: Option<usize>) -> Vec<(&'static str, Vec<String>)> {
        let style = ChartStyle { width: columns.unwrap_or(WIDTH), ascii: self.ascii };
        let named = |table: Table| (table.name, table.text(columns));
        let mut charts = Vec::new();
        for figure in &self.figures.figures {
            charts.push((figure.name, draw(figure, style)));
            charts.extend(forecasts(figure).map(named));
        }
        charts.extend([candidates(self.figures), quality(self.figures)].map(named));
        charts
    }
}

impl Report for FiguresReport<'_> {
    fn tables(&self) -> Vec<Table> {
        let mut tables: Vec<Table> = self.figures.figures.iter().map(numbers).collect();
        tables.extend(self.figures.figures.iter().filter_map(forecasts));
        tables.extend([candidates(self.figures), quality(self.figures), differences(self.figures)]);
        tables
    }

    fn text(&self, columns: Option<usize>) -> Vec<String> {
        let charts = self.charts(columns).into_iter();
        let wanted = charts.filter(|(name, _)| self.only.is_none_or(|only| only == *name));
        let blocks: Vec<Vec<String>> = wanted.map(|(_, lines)| lines).collect();
        let lines = blocks.join(&String::new());
        if self.ascii { lines.iter().map(|line| to_ascii(line)).collect() } else { lines }
    }
}

/// The numbers of a figure as a table.
pub fn numbers(figure: &Figure) -> Table {
    // Rows are tenths of the Jaccard where it is held against another number.
    let mut head = vec![if ["cosine", "hamming"].contains(&figure.name) { "Jaccard" } else { "configuration" }];
    head.extend(figure.categories.iter().map(String::as_str));
    let mut table = Table::new(figure.name, figure.title.clone(), &head).right(1..head.len());
    for series in &figure.series {
        let cells = series.bars.iter().map(|bar| count(bar.value));
        table.row(std::iter::once(series.name.clone()).chain(cells));
    }
    table.notes.clone_from(&figure.notes);
    table
}

/// Forecasts of the accumulated numbers of a figure; `None` where the figure does not accumulate.
pub fn forecasts(figure: &Figure) -> Option<Table> {
    let forecast = |series: &Series| series.extrapolation.as_ref().and_then(last_forecasts);
    let (segments, ..) = figure.series.iter().find_map(forecast)?;
    let title = format!("{}: carried on to {segments} segments, with 95 % intervals", figure.title);
    let head = ["configuration", "read", "linear", "saturating"];
    let mut table = Table::new("extrapolation", title, &head).right(1..4);
    for series in &figure.series {
        let read = series.bars.last().map_or(0, |bar| bar.value);
        let (_, linear, saturating) = forecast(series).unwrap_or_default();
        table.row([series.name.clone(), count(read), linear, saturating]);
    }
    table.note("no more than all documents can be found: numbers and intervals that reach beyond are cut there");
    Some(table)
}

/// The forecasts for the most segments: number of segments, linear, saturating.
fn last_forecasts(extrapolation: &Extrapolation) -> Option<(usize, String, String)> {
    let linear = extrapolation.linear.last()?;
    let described = |value: f64, interval: Option<Interval>| match interval {
        Some(i) => format!("{} ({}–{})", rounded(i.value), rounded(i.low), rounded(i.high)),
        None => rounded(value),
    };
    let saturating = extrapolation.saturating.last().map(|forecast| described(forecast.value, forecast.interval));
    Some((linear.segments, described(linear.value, linear.interval), saturating.unwrap_or("–".to_owned())))
}

fn rounded(value: f64) -> String {
    count(value.round().max(0.0) as u64)
}

pub fn candidates(figures: &Figures) -> Table {
    let title = "Candidates per source document, over the documents that have one";
    let head = ["configuration", "documents", "pairs", "mean", "median", "p75", "p95", "max", "who has the max"];
    let mut table = Table::new("candidates-per-document", title, &head).right(1..8);
    for row in &figures.candidates {
        table.row([
            row.configuration.clone(),
            count(row.documents),
            count(row.pairs),
            format!("{:.1}", row.mean),
            short_number(row.median),
            short_number(row.p75),
            short_number(row.p95),
            count(row.max),
            row.max_document.clone().unwrap_or_default(),
        ]);
    }
    table
}

/// A number with a decimal only where it has one.
fn short_number(value: f64) -> String {
    if value.fract() == 0.0 { count(value as u64) } else { format!("{value:.1}") }
}

/// Source documents found, and the share of them with a candidate that is similar enough.
pub fn quality(figures: &Figures) -> Table {
    let title = format!(
        "Source documents found, and those with a candidate of Jaccard (n = {}) {} or more",
        figures.jaccard, figures.alike
    );
    let mut table =
        Table::new("documents", title, &["configuration", "found", "alike", "precision", "share found"]).right(1..5);
    for row in &figures.quality {
        let all = row.found as f64 / figures.documents.max(1) as f64;
        let cells = [row.configuration.clone(), count(row.found), count(row.alike), share(row.precision)];
        table.row(cells.into_iter().chain([format!("{all:.3}")]));
    }
    table.note(format!(
        "{} source documents, share found is of these; precision is alike / found, as the thesis has it",
        count(figures.documents)
    ));
    table.note(match figures.in_twos {
        false => "intervals: Wilson, 95 %, as if the documents were a random draw of such documents",
        true => "intervals: Wilson, 95 %, for half as many documents: each pair finds two of the collection, or none",
    });
    table
}

/// Near-duplicates that one configuration finds and another misses: pairs and source documents.
pub fn differences(figures: &Figures) -> Table {
    let title = format!(
        "Found alike (Jaccard of {} or more) by the row and missed by the column: pairs / source documents",
        figures.alike
    );
    let names: Vec<&str> = figures.quality.iter().map(|row| row.configuration.as_str()).collect();
    let mut head = vec!["configuration"];
    head.extend(&names);
    let mut table = Table::new("set-differences", title, &head).right(1..head.len());
    for (name, row) in names.iter().zip(&figures.differences) {
        let cells = row.iter().zip(&names).map(|(difference, other)| match other == name {
            true => "·".to_owned(),
            false => format!("{}/{}", count(difference.pairs), count(difference.documents)),
        });
        table.row(std::iter::once((*name).to_owned()).chain(cells));
    }
    table
        .note(format!("pool: {} pairs that any configuration found; a chart of this shows pairs", count(figures.pool)));
    table
}
