//! A figure as data: who draws it needs no other knowledge, and every bar says which pairs it stands for.

use serde::Serialize;

use dejaview_evaluation::figures::Forecast;

/// How the numbers of a figure belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Numbers of things apart: segments.
    Bars,
    /// Numbers that grow from one category to the next.
    Accumulated,
    /// Neighbouring bins of a quantity.
    Histogram,
    /// One row for each series, one column for each category.
    Matrix,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Short, for options and files: `pairs`.
    pub name: &'static str,
    /// One line above it.
    pub title: String,
    /// How the numbers belong together.
    pub kind: Kind,
    /// What the categories are: `segment`.
    pub x: String,
    /// What is counted: `pairs`.
    pub y: String,
    /// Names of the categories, in order.
    pub categories: Vec<String>,
    /// One for each configuration.
    pub series: Vec<Series>,
    /// What the figure rests on.
    pub notes: Vec<String>,
}

/// The numbers of one configuration.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    pub name: String,
    /// One for each category.
    pub bars: Vec<Bar>,
    /// Where it goes on beyond the categories; of accumulated numbers only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extrapolation: Option<Extrapolation>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bar {
    /// How many, of what the figure counts.
    pub value: u64,
    /// The number of pairs it stands for.
    pub pairs: u64,
    /// These pairs, as an expression that [`Filter`](crate::Filter) reads.
    pub filter: String,
}

/// A series beyond what was read, segment by segment, by both ways.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Extrapolation {
    /// The straight line of the study.
    pub linear: Vec<Forecast>,
    /// The curve that bends.
    pub saturating: Vec<Forecast>,
}

impl Figure {
    /// The highest number in it, forecasts aside.
    pub fn highest(&self) -> u64 {
        self.series.iter().flat_map(|series| &series.bars).map(|bar| bar.value).max().unwrap_or_default()
    }
}

impl Series {
    /// A series without forecasts.
    pub(super) fn new(name: &str, bars: impl IntoIterator<Item = Bar>) -> Self {
        Self { name: name.to_owned(), bars: bars.into_iter().collect(), extrapolation: None }
    }
}
