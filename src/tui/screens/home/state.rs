//! What Home remembers: where one is, and what was counted.

use super::overview::{Overview, Precision};
use crate::data::StudyData;
use crate::widgets::cursor::Cursor;
use crate::widgets::focus::Focus;

/// The panes that have a cursor.
pub(super) const NEXT: usize = 0;
pub(super) const SAMPLES: usize = 1;
pub(super) const CONFIGURATIONS: usize = 2;
pub(super) const PANES: usize = 3;

/// What the configurations are sorted by: highest first, but for the order of the study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum SortBy {
    #[default]
    Study,
    Pairs,
    Found,
    Precision,
}

impl SortBy {
    const ALL: [Self; 4] = [Self::Study, Self::Pairs, Self::Found, Self::Precision];

    pub fn name(self) -> &'static str {
        match self {
            Self::Study => "order of the study",
            Self::Pairs => "pairs",
            Self::Found => "judged found",
            Self::Precision => "precision",
        }
    }

    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|by| *by == self).unwrap_or_default();
        Self::ALL[(at + 1) % Self::ALL.len()]
    }
}

#[derive(Debug)]
pub(super) struct State {
    pub focus: Focus,
    /// On a step, a line of the samples, and a configuration in the order shown.
    pub cursors: [Cursor; PANES],
    pub sort: SortBy,
    pub query: String,
    pub overview: Option<Overview>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            focus: Focus { at: CONFIGURATIONS, zoomed: false },
            cursors: Default::default(),
            sort: SortBy::default(),
            query: String::new(),
            overview: None,
        }
    }
}

impl State {
    /// The precision of a configuration by the labels that the person may know.
    pub fn precision(&self, configuration: &str) -> Precision {
        let overview = self.overview.as_ref();
        let known = overview.and_then(|overview| overview.precision.get(configuration));
        known.copied().unwrap_or(Precision::NoLabels)
    }

    /// Numbers of the configurations in the order shown.
    pub fn order(&self, data: &StudyData) -> Vec<usize> {
        let counts = |c: usize| data.counts.get(c).copied().unwrap_or_default();
        let value = |c: usize| match self.sort {
            SortBy::Study => 0.0,
            SortBy::Pairs => counts(c).0 as f64,
            SortBy::Found => counts(c).1 as f64,
            SortBy::Precision => match self.precision(&data.recipe.configurations[c].name) {
                Precision::Known(interval) => interval.value,
                Precision::Hidden | Precision::NoLabels => -1.0,
            },
        };
        let mut order: Vec<usize> = (0..data.recipe.configurations.len()).collect();
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        order
    }
}
