//! What changes while a study is open: samples are drawn, others label, cases are settled.

use std::sync::Arc;

use crate::contract::{Job, Request, Screens, Stop};
use crate::data::StudyData;
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::shared::Shared;

/// Reads again how far samples are, and what others decided or settled.
#[derive(Debug)]
pub struct ReadLabels {
    pub data: Arc<StudyData>,
}

impl Job for ReadLabels {
    type Output = ();
    const NAME: &'static str = "read samples and labels";
    const LISTED: bool = false;

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        self.data.read_labels_again(&backend.study(), backend.drafts_of.as_deref());
        Some(())
    }

    fn line((): &Self::Output) -> Option<LogLine> {
        None
    }

    fn deliver((): Self::Output, _: &mut Screens, _: &mut Shared) -> Vec<Request> {
        Vec::new()
    }
}
