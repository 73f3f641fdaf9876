//! What was begun and not finished is kept, and found again after a restart: the pair, the place in its texts, the note.

use crate::contract::{Job, Request, Screens, Stop};
use crate::jobs::Backend;
use crate::logbook::LogLine;
use crate::shared::Shared;
use dejaview_labels::Draft;

/// Whether drafts are kept, and what they were.
#[derive(Debug, Default)]
pub struct Drafts {
    /// Whether they are.
    pub on: bool,
    /// What was begun before this session.
    pub before: Option<Draft>,
    /// What was kept last.
    last: Option<Draft>,
}

impl Drafts {
    /// Keeps them from now on, beginning with what was kept before.
    pub fn since(before: Option<Draft>) -> Self {
        Self { on: true, before, last: None }
    }

    /// To keep what is begun, when it is not what was kept last.
    pub fn keep(&mut self, begun: Draft) -> Option<Request> {
        if self.last.as_ref() == Some(&begun) {
            return None;
        }
        self.last = Some(begun.clone());
        Some(Request::job(KeepDraft { draft: begun }))
    }
}

/// Keeps what was begun.
#[derive(Debug)]
pub struct KeepDraft {
    /// What was.
    pub draft: Draft,
}

impl Job for KeepDraft {
    /// Why it could not be kept; nothing comes back when it was.
    type Output = String;
    const NAME: &'static str = "keep a draft";
    const LISTED: bool = false;

    fn run(self, backend: &Backend, _: Stop<'_>) -> Option<Self::Output> {
        let kept = self.draft.write(backend.session().folder(), backend.drafts_of.as_deref()?);
        kept.err().map(|why| why.to_string())
    }

    fn line(why: &Self::Output) -> Option<LogLine> {
        Some(LogLine::Failed(format!("the draft is not kept: {why}")))
    }

    fn deliver(why: Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        shared.message = Some(format!("what you begin is not kept: {why}"));
        Vec::new()
    }
}
