//! What Figures remembers: what was counted, which figure is shown, and where one is in it.

use std::sync::Arc;

use super::scatter::Scatter;
use super::threshold::Threshold;
use crate::data::StudyData;
use crate::widgets::cursor::Cursor;
use crate::widgets::focus::Focus;
use dejaview_report::numbers::plural;
use dejaview_study::{Bar, Extrapolation, Figure, Series};

/// The figure that follows those that are counted: a cut-off that is moved.
pub(super) const THRESHOLD: &str = "threshold";
/// The figure that is drawn as one dot per pair.
pub(super) const SCATTER: &str = "cosine";

#[derive(Debug, Default)]
pub(super) struct State {
    pub focus: Focus,
    pub figures: Option<Result<Arc<Vec<Figure>>, String>>,
    pub scatter: Option<Arc<Scatter>>,
    /// Whether the figures are being counted.
    pub asked: bool,
    /// Labels that the figures know of.
    pub labels: usize,
    /// Which figure.
    pub at: usize,
    /// On a series.
    pub series: Cursor,
    /// The configuration that the cursor was put on last; figures whose series are not configurations leave it as it is.
    pub chosen: Option<String>,
    /// On a category.
    pub across: Cursor,
    pub query: String,
    /// Whether all series are shown side by side.
    pub small_multiples: bool,
    pub threshold: Threshold,
}

impl State {
    pub fn all(&self) -> &[Figure] {
        match &self.figures {
            Some(Ok(figures)) => figures,
            _ => &[],
        }
    }

    pub fn figure(&self) -> Option<&Figure> {
        self.all().get(self.at)
    }

    /// Names of all figures, in the order of the tabs.
    pub fn tabs(&self) -> Vec<String> {
        self.all().iter().map(|figure| figure.name).chain([THRESHOLD]).map(str::to_owned).collect()
    }

    pub fn shows_threshold(&self) -> bool {
        matches!(self.figures, Some(Ok(_))) && self.at == self.all().len()
    }

    /// Names of the series that are shown; of the threshold the configurations.
    pub fn names<'a>(&'a self, data: &'a StudyData) -> Vec<&'a str> {
        match self.figure() {
            Some(figure) => figure.series.iter().map(|series| series.name.as_str()).collect(),
            None => data.table.configurations().iter().map(String::as_str).collect(),
        }
    }

    /// Remembers the configuration under the cursor, where the series are configurations.
    pub fn remember_chosen(&mut self, data: &StudyData) {
        let name = self.names(data).get(self.series.at).map(|name| (*name).to_owned());
        let configurations = data.table.configurations();
        if let Some(name) = name.filter(|name| configurations.contains(name)) {
            self.chosen = Some(name);
        }
    }

    /// The row of the configuration that was chosen; the first where it is none of the series.
    pub fn row_of_chosen(&self, data: &StudyData) -> usize {
        let names = self.names(data);
        let chosen = self.chosen.as_deref();
        names.iter().position(|name| Some(*name) == chosen).unwrap_or(0)
    }

    /// The series and the bar under the cursor, with the name of its category.
    pub fn current(&self) -> Option<(&Series, &Bar, &str)> {
        let figure = self.figure()?;
        let series = figure.series.get(self.series.at)?;
        let at = self.across.at.min(figure.categories.len().checked_sub(1)?);
        Some((series, series.bars.get(at)?, &figure.categories[at]))
    }

    /// The filter for the pairs under the cursor, or why there are none.
    pub fn filter_under_cursor(&self) -> Option<Result<String, &'static str>> {
        if self.shows_threshold() {
            return Some(self.threshold.filter_of_changed_sides(self.series.at));
        }
        let (_, bar, _) = self.current()?;
        Some(if bar.pairs > 0 { Ok(bar.filter.clone()) } else { Err("No pairs under the cursor") })
    }
}

/// What is expected at the end, by both ways of extrapolating.
pub(super) fn extrapolation_words(extrapolation: &Extrapolation) -> String {
    let last = |forecasts: &[dejaview_evaluation::figures::Forecast]| {
        let last = forecasts.last()?;
        let interval = last.interval.map_or(String::new(), |i| format!(" ({:.0}–{:.0})", i.low, i.high));
        Some((last.segments, format!("{:.0}{interval}", last.value)))
    };
    match (last(&extrapolation.saturating), last(&extrapolation.linear)) {
        (Some((segments, bent)), Some((_, straight))) => {
            format!("after {}: {bent}, linear {straight}", plural(segments as u64, "segment"))
        }
        (Some((segments, only)), None) | (None, Some((segments, only))) => {
            format!("after {}: {only}", plural(segments as u64, "segment"))
        }
        (None, None) => String::new(),
    }
}
