//! What Methods remembers: the view, the truth, what was measured, and where one is.

use crate::data::StudyData;
use crate::sample_status::Withheld;
use crate::widgets::cursor::Cursor;
use crate::widgets::focus::Focus;
use dejaview_base::interval::Interval;
use dejaview_evaluation::comparison::{Quality, Step};
use dejaview_report::Report;
use dejaview_study::{Evaluation, TextCompared, Truth, TruthMeasure, spelling};

/// Number of [`TRUTHS`].
const COUNT: usize = 7;

/// Truths that a key goes through: the usual ones, then those of single papers.
pub(super) static TRUTHS: [Truth; COUNT] = [
    Truth::AtLeast(TruthMeasure::Jaccard, 0.9),
    Truth::AtLeast(TruthMeasure::Edit, 0.8),
    Truth::Labels,
    Truth::AtLeast(TruthMeasure::Cosine, 0.9),
    Truth::AtLeast(TruthMeasure::CosineBinary, 0.9),
    Truth::AtLeast(TruthMeasure::S3, 0.8),
    Truth::AtLeast(TruthMeasure::EditCharacters(TextCompared::Content), 0.8),
];

/// In place of a value that is still being measured.
pub(super) const PENDING: &str = "…";

/// What the list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum MethodsView {
    #[default]
    Quality,
    Matrix,
    Unions,
}

impl MethodsView {
    pub const ALL: [Self; 3] = [Self::Quality, Self::Matrix, Self::Unions];

    pub fn name(self) -> &'static str {
        match self {
            Self::Quality => "Quality",
            Self::Matrix => "Matrix",
            Self::Unions => "Unions",
        }
    }

    pub fn number(self) -> usize {
        Self::ALL.iter().position(|view| *view == self).unwrap_or_default()
    }

    /// The next view, or the previous one.
    pub fn step(self, forward: bool) -> Self {
        let by = if forward { 1 } else { Self::ALL.len() - 1 };
        Self::ALL[(self.number() + by) % Self::ALL.len()]
    }
}

/// What the configurations are sorted by: highest first, but for the order of the study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum SortBy {
    #[default]
    Study,
    Pairs,
    Sources,
    Precision,
    Recall,
    F,
    Only,
    OnlyTrue,
}

impl SortBy {
    const ALL: [Self; 8] =
        [Self::Study, Self::Pairs, Self::Sources, Self::Precision, Self::Recall, Self::F, Self::Only, Self::OnlyTrue];

    pub fn name(self) -> &'static str {
        match self {
            Self::Study => "order of the study",
            Self::Pairs => "pairs",
            Self::Sources => "sources found",
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F => "F",
            Self::Only => "found only by it",
            Self::OnlyTrue => "found only by it and true",
        }
    }

    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|by| *by == self).unwrap_or_default();
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// The value of a configuration; what nobody knows comes last.
    fn value(self, counts: (u64, u64), quality: Option<&Quality>) -> f64 {
        let known = |value: fn(&Quality) -> Option<f64>| quality.and_then(value).unwrap_or(-1.0);
        match self {
            Self::Study => 0.0,
            Self::Pairs => counts.0 as f64,
            Self::Sources => counts.1 as f64,
            Self::Precision => known(|quality| Some(quality.precision?.value)),
            Self::Recall => known(|quality| Some(quality.recall?.value)),
            Self::F => known(|quality| Some(quality.f1?.value)),
            Self::Only => known(|quality| Some(quality.only as f64)),
            Self::OnlyTrue => known(|quality| Some(quality.only_true?.value)),
        }
    }
}

/// An estimate of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Estimate {
    Precision,
    Recall,
    F,
}

impl Estimate {
    pub const ALL: [Self; 3] = [Self::Precision, Self::Recall, Self::F];

    pub fn name(self) -> &'static str {
        match self {
            Self::Precision => "precision",
            Self::Recall => "recall",
            Self::F => "F",
        }
    }

    pub fn interval(self, quality: &Quality) -> Option<Interval> {
        match self {
            Self::Precision => quality.precision,
            Self::Recall => quality.recall,
            Self::F => quality.f1,
        }
    }
}

/// What was measured against a truth, and what the numbers rest on.
#[derive(Debug)]
pub struct Measured {
    pub evaluation: Evaluation,
    pub notes: Vec<String>,
    /// The same by labels, for the pane of details; none where labels are the truth, or where there are none.
    pub by_labels: Option<Evaluation>,
    /// Samples that no number rests on, since the person may not know their labels yet.
    pub withheld: Vec<Withheld>,
}

impl Measured {
    pub fn new(evaluation: Evaluation, by_labels: Option<Evaluation>, withheld: Vec<Withheld>) -> Self {
        let quality = evaluation.tables().into_iter().find(|table| table.name == "quality");
        Self { notes: quality.map(|table| table.notes).unwrap_or_default(), evaluation, by_labels, withheld }
    }

    /// Whether nothing that labels say may be shown yet.
    pub fn is_held_back(&self) -> bool {
        let all = &self.evaluation.comparison.configurations;
        let none = all.iter().all(|quality| quality.precision.is_none());
        none && all.iter().any(|quality| self.evaluation.is_held_back(quality))
    }
}

/// A pair that one configuration alone found.
#[derive(Debug, Clone, PartialEq)]
pub struct OnlyPair {
    /// None where no texts were compared.
    pub jaccard: Option<f64>,
    pub source: String,
    pub target: String,
    pub title: String,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub focus: Focus,
    pub view: MethodsView,
    /// Number in [`TRUTHS`].
    pub truth: usize,
    /// By number of the truth.
    pub measured: [Option<Result<Measured, String>>; COUNT],
    /// The truth that is being measured against.
    pub asked: Option<usize>,
    /// Labels of the person that the measures know of.
    pub labels: usize,
    pub sort: SortBy,
    /// On a configuration, in the order shown.
    pub cursor: Cursor,
    /// On a column of the matrix.
    pub across: Cursor,
    /// On a step of the unions.
    pub step: Cursor,
    /// On a pair in the pane of details.
    pub pair: Cursor,
    pub query: String,
    /// A configuration and the pairs that it alone found, those with the highest Jaccard first.
    pub only: Option<(usize, Vec<OnlyPair>)>,
}

impl State {
    pub fn is_measuring(&self) -> bool {
        self.asked == Some(self.truth)
    }

    pub fn measured(&self) -> Option<&Measured> {
        self.measured[self.truth].as_ref()?.as_ref().ok()
    }

    pub fn evaluation(&self) -> Option<&Evaluation> {
        self.measured().map(|measured| &measured.evaluation)
    }

    pub fn quality(&self, c: usize) -> Option<&Quality> {
        self.evaluation()?.comparison.configurations.get(c)
    }

    /// In place of an estimate of a configuration that has none.
    pub fn no_estimate(&self, c: usize) -> &'static str {
        let held_back = self.evaluation().zip(self.quality(c)).is_some_and(|(all, quality)| all.is_held_back(quality));
        if held_back { "after your labels" } else { "no labels" }
    }

    pub fn steps(&self) -> &[Step] {
        self.evaluation().map_or(&[], |evaluation| &evaluation.comparison.coverage)
    }

    pub fn dice(&self, a: usize, b: usize) -> Option<f64> {
        self.evaluation()?.comparison.dice.get(a)?.get(b).copied()
    }

    /// Configurations in the order shown; equal ones as in the study.
    pub fn order(&self, data: &StudyData) -> Vec<usize> {
        let value = |c: usize| self.sort.value(data.counts.get(c).copied().unwrap_or_default(), self.quality(c));
        let mut order: Vec<usize> = (0..data.table.configurations().len()).collect();
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        order
    }

    /// The configuration under the cursor and that of its column; outside the matrix the same one twice.
    pub fn current(&self, data: &StudyData) -> Option<(usize, usize)> {
        let order = self.order(data);
        match self.view {
            MethodsView::Quality => order.get(self.cursor.at).map(|&c| (c, c)),
            MethodsView::Matrix => Some((*order.get(self.cursor.at)?, *order.get(self.across.at)?)),
            MethodsView::Unions => {
                let name = &self.steps().get(self.step.at)?.name;
                let c = data.table.configurations().iter().position(|other| other == name)?;
                Some((c, c))
            }
        }
    }

    /// The filter for the pairs that a step of the unions adds: found by its configuration and by none before it.
    pub fn filter_of_added_pairs(&self) -> Option<String> {
        let steps = self.steps();
        let step = steps.get(self.step.at)?;
        let previous = steps[..self.step.at].iter().map(|step| format!(" & !{}", spelling::found_by(&step.name)));
        Some(format!("{}{}", spelling::found_by(&step.name), previous.collect::<String>()))
    }
}

/// Pairs that only one of two sets holds, from their Dice and sizes.
pub(super) fn only_in_each(dice: f64, a: u64, b: u64) -> (u64, u64) {
    let common = (dice * (a + b) as f64 / 2.0).round() as u64;
    (a.saturating_sub(common), b.saturating_sub(common))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_only_one_follow_from_dice() {
        for (a, b, common) in [(10u64, 7, 5u64), (340, 172, 160), (1, 1, 0), (1_000_000, 3, 3), (5, 5, 5)] {
            let dice = dejaview_base::similarity::dice(common, a, b);
            assert_eq!(only_in_each(dice, a, b), (a - common, b - common));
        }
        assert_eq!(only_in_each(0.0, 0, 0), (0, 0));
    }

    #[test]
    fn views_are_walked_in_a_circle() {
        let mut view = MethodsView::default();
        for wanted in [MethodsView::Matrix, MethodsView::Unions, MethodsView::Quality] {
            view = view.step(true);
            assert_eq!(view, wanted);
        }
        assert_eq!(view.step(false), MethodsView::Unions);
    }
}
