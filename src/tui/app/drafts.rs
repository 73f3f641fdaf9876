//! What was begun and not finished is kept, and found again after a restart: the pair, the place in its texts, the note.

use super::jobs::KeepDraft;
use super::{App, Overlay, Question};
use crate::contract::Request;
use crate::pair_ids::PairIds;
use crate::screens::label::Label;
use dejaview_labels::Draft;

impl App {
    /// Keeps drafts from now on, beginning with what was kept before.
    pub fn keep_drafts(&mut self, before: Option<Draft>) {
        self.drafting = true;
        if let Some((source, target, text)) = before.as_ref().and_then(|draft| draft.note.clone()) {
            self.draft = Some((Some(PairIds { source, target }), text));
        }
        self.screens.get_mut::<Label>().before = before;
    }

    /// What is begun now.
    pub fn begun(&self) -> Draft {
        let question = self.screens.get::<Label>().ids().filter(|_| !self.screens.get::<Label>().finished);
        let ids = question.unwrap_or_default();
        Draft {
            sample: self.screens.get::<Label>().sample().map(|sample| sample.name.clone()).unwrap_or_default(),
            events: self.shared.book.events(),
            question: self.screens.get::<Label>().at,
            row: self.screens.get::<Label>().pane.view.top_row(),
            source: ids.source,
            target: ids.target,
            class: self.screens.get::<Label>().chosen.class.clone(),
            reason: self.screens.get::<Label>().chosen.reason.clone(),
            note: self.begun_note(),
        }
    }

    /// The note that is being typed, else one that was given up.
    fn begun_note(&self) -> Option<(String, String, String)> {
        let typed = self.overlays.iter().find_map(|overlay| match overlay {
            Overlay::Ask(Question::Note, prompt) => Some((self.noted.clone()?, prompt.text.clone())),
            _ => None,
        });
        let given_up = || self.draft.clone().and_then(|(ids, text)| Some((ids?, text)));
        let (ids, text) = typed.or_else(given_up).filter(|(_, text)| !text.is_empty())?;
        Some((ids.source, ids.target, text))
    }

    /// A wish to keep what is begun, when it is not what was kept last. Not before all labels are saved: a draft that
    /// knew more than the journal would lead past a pair whose label was lost.
    pub(super) fn keep_begun(&mut self) -> Option<Request> {
        if !self.drafting
            || self.shared.book.pending() > 0
            || self.screens.get_mut::<Label>().sample.is_none()
            || self.screens.get_mut::<Label>().deck.is_some()
        {
            return None;
        }
        if !self.screens.get_mut::<Label>().finished && self.screens.get_mut::<Label>().pane.open.is_none() {
            return None;
        }
        let begun = self.begun();
        if self.kept.as_ref() == Some(&begun) {
            return None;
        }
        self.kept = Some(begun.clone());
        Some(Request::job(KeepDraft { draft: begun }))
    }
}
