//! What the screen asks of the study: the judgments by topic, and those that pass a filter.

use std::sync::Arc;

use super::Judgments;
use crate::contract::{Job, Request, Screens, Stop};
use crate::data::{ArrangedJudgments, JudgmentSort, JudgmentTree, StudyData};
use crate::filtering::FilteredRows;
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::shared::Shared;
use dejaview_report::numbers::plural;
use dejaview_study::Filter;

#[derive(Debug)]
pub struct GatherJudgments {
    pub(super) data: Arc<StudyData>,
}

impl Job for GatherJudgments {
    /// The tree, with the study that it is of.
    type Output = (Arc<JudgmentTree>, Arc<StudyData>);
    const NAME: &'static str = "gather the judgments";

    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let judgments = self.data.judgments.as_ref()?;
        let tree = JudgmentTree::gather(judgments, &self.data.table, self.data.study.titles());
        Some((Arc::new(tree), self.data))
    }

    fn line((tree, _): &Self::Output) -> Option<LogLine> {
        LogLine::done(&format!("gathered {}", plural(tree.judgments.len() as u64, "judgment")))
    }

    fn deliver((tree, data): Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        let judgments = screens.get_mut::<Judgments>();
        judgments.tree = Some(tree);
        judgments.arrange(&data)
    }

    /// Whoever comes here next asks again.
    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        let judgments = screens.get_mut::<Judgments>();
        judgments.requested = judgments.tree.is_some();
        Vec::new()
    }
}

/// Filters and sorts the judgments.
#[derive(Debug)]
pub struct ArrangeJudgments {
    pub(super) data: Arc<StudyData>,
    pub(super) tree: Arc<JudgmentTree>,
    pub(super) filter: Filter,
    pub(super) sort: JudgmentSort,
}

impl Job for ArrangeJudgments {
    type Output = ArrangedJudgments;
    const NAME: &'static str = "filter the judgments";

    fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        Some(ArrangedJudgments::new(&self.data, &self.tree, &self.filter, self.sort))
    }

    fn line(arranged: &Self::Output) -> Option<LogLine> {
        LogLine::done(&format!("arranged {}", plural(arranged.judgments.len() as u64, "judgment")))
    }

    fn deliver(arranged: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        let Some(data) = shared.data.clone() else { return Vec::new() };
        screens.get_mut::<Judgments>().arranged(arranged, &data, shared)
    }
}

/// The judgments, as a filter counts them while it is typed.
#[derive(Debug)]
pub(super) struct CountedJudgments {
    pub data: Arc<StudyData>,
    pub tree: Arc<JudgmentTree>,
}

impl FilteredRows for CountedJudgments {
    fn count(&self, filter: &Filter, _: Stop<'_>) -> Option<Result<[u64; 2], String>> {
        let passing = ArrangedJudgments::new(&self.data, &self.tree, filter, JudgmentSort::default());
        Some(Ok([passing.judgments.len() as u64, self.tree.judgments.len() as u64]))
    }
}
