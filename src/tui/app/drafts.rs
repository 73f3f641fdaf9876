//! What was begun and not finished is kept, and found again after a restart: the pair, the place in its texts, the note.

use super::{App, Overlay, Question};
use crate::jobs::Effect;
use crate::screens::compare::PairIds;
use crate::screens::label::choose::Chosen;
use dejaview_labels::Draft;

impl App {
    /// Keeps drafts from now on, beginning with what was kept before.
    pub fn keep_drafts(&mut self, before: Option<Draft>) {
        self.drafting = true;
        if let Some((source, target, text)) = before.as_ref().and_then(|draft| draft.note.clone()) {
            self.draft = Some((Some(PairIds { source, target }), text));
        }
        self.before = before;
    }

    /// What is begun now.
    pub fn begun(&self) -> Draft {
        let question = self.label.ids().filter(|_| !self.label.finished);
        let ids = question.unwrap_or_default();
        Draft {
            sample: self.label.sample().map(|sample| sample.name.clone()).unwrap_or_default(),
            events: self.book.events(),
            question: self.label.at,
            row: self.label.pane.view.top_row(),
            source: ids.source,
            target: ids.target,
            class: self.label.chosen.class.clone(),
            reason: self.label.chosen.reason.clone(),
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
    pub(super) fn keep_begun(&mut self) -> Option<Effect> {
        if !self.drafting || self.book.pending() > 0 || self.label.sample.is_none() || self.label.deck.is_some() {
            return None;
        }
        if !self.label.finished && self.label.pane.open.is_none() {
            return None;
        }
        let begun = self.begun();
        if self.kept.as_ref() == Some(&begun) {
            return None;
        }
        self.kept = Some(begun.clone());
        Some(Effect::Draft(Box::new(begun)))
    }

    /// A wish for what the labels of the sample say, once it is finished and all of them are on the disk.
    pub(super) fn ask_estimate(&mut self) -> Option<Effect> {
        let fresh = self.estimated != self.book.events();
        let wanted = self.drafting && fresh && self.label.finished && self.book.pending() == 0;
        let sample = self.label.sample().filter(|_| wanted)?.name.clone();
        self.estimated = self.book.events();
        Some(Effect::Estimate(sample))
    }

    /// Goes to where one was before, once the sample is there.
    pub(super) fn resume(&mut self) -> Vec<Effect> {
        let Some(draft) = self.before.take() else { return Vec::new() };
        let ids = PairIds { source: draft.source, target: draft.target };
        let same = self.label.sample().is_some_and(|sample| sample.name == draft.sample);
        if !same || draft.events > self.book.events() || !self.label.awaits(draft.question, &ids, &self.book.decisions)
        {
            return Vec::new();
        }
        let effects = self.label.resume(draft.question, draft.row);
        self.label.chosen = Chosen { class: draft.class, reason: draft.reason };
        if draft.note.is_some_and(|(source, target, _)| ids == (PairIds { source, target })) {
            self.message = Some("a note on this pair was begun: c goes on with it".to_owned());
        }
        effects
    }
}
