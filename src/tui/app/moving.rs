//! From screen to screen, and an action on the screen where one is.

use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;

use super::{App, LONGEST_WAY, ids, writes};
use crate::action::{Action, ScreenId};
use crate::data::StudyData;
use crate::jobs::Effect;

/// Keys that are kept for a list which is still being made.
const MOST_EARLY: usize = 64;

impl App {
    pub(super) fn go(&mut self, screen: ScreenId) -> Vec<Effect> {
        if screen != self.screen {
            self.history.push(self.screen);
            if self.history.len() > LONGEST_WAY {
                self.history.remove(0);
            }
            self.screen = screen;
        }
        self.entered()
    }

    /// The table by its own key: the pairs of all documents.
    pub(super) fn all_pairs(&mut self) -> Vec<Effect> {
        let mut effects = self.go(ScreenId::Pairs);
        if let Some(data) = self.data.clone().filter(|_| self.pairs.is_of_one()) {
            effects.extend(self.pairs.of(None, &data, &self.book.decisions));
        }
        effects
    }

    pub(super) fn back(&mut self) -> Vec<Effect> {
        if self.screen == ScreenId::Compare && self.compare.close() {
            return Vec::new();
        }
        if self.screen == ScreenId::Label && self.label.deck.is_some() {
            self.hide();
            return self.label.close_deck();
        }
        if self.screen == ScreenId::Pairs
            && let Some(effects) = self.shown().cloned().and_then(|data| self.pairs.close(&data, &self.book.decisions))
        {
            return effects;
        }
        if self.screen == ScreenId::Review && self.review.close() {
            self.hide();
            return Vec::new();
        }
        if self.screen == ScreenId::Corpus && self.corpus.close() {
            return Vec::new();
        }
        match self.history.pop() {
            Some(screen) => self.screen = screen,
            None if self.screen == ScreenId::Home => return vec![Effect::Quit],
            None => self.screen = ScreenId::Home,
        }
        self.entered()
    }

    /// What a screen needs when one comes to it.
    pub(super) fn entered(&mut self) -> Vec<Effect> {
        self.message = None;
        self.early.clear();
        self.hide();
        let usable = self.data.as_ref().is_some_and(|data| data.trouble.is_none() && data.partial.is_none());
        match self.screen {
            ScreenId::Label if self.label.sample.is_none() && usable => {
                vec![Effect::Sample(self.sample.clone())]
            }
            ScreenId::Label if self.label.pane.open.is_none() && !self.label.finished => self.label.go(self.label.at),
            ScreenId::Compare => self.compare.entered(),
            ScreenId::Review => self.review.entered(),
            _ => self.list_entered(),
        }
    }

    /// What a list needs when one comes to it.
    pub(super) fn list_entered(&mut self) -> Vec<Effect> {
        let area = self.area();
        match (&self.shown().cloned(), self.screen) {
            (Some(data), ScreenId::Home) if data.trouble.is_none() => self.ask_so_far(data),
            (Some(data), ScreenId::Judgments) => self.judgments.entered(data),
            (Some(data), ScreenId::Methods) if data.trouble.is_none() => self.methods.entered(),
            (Some(data), ScreenId::Figures) if data.trouble.is_none() => {
                self.figures.entered(data, &self.book.decisions)
            }
            (Some(data), ScreenId::Corpus) if data.trouble.is_none() => self.corpus.entered(area),
            _ => Vec::new(),
        }
    }

    /// The pair on Label is not on the screen any more.
    pub(super) fn hide(&mut self) {
        self.guard.hide();
        (self.shown, self.shown_at) = (None, None);
    }

    /// The study, as far as the screen can show it: of one that is still being read the first pairs, and nothing else.
    pub fn shown(&self) -> Option<&Arc<StudyData>> {
        let pairs = matches!(self.screen, ScreenId::Pairs | ScreenId::Compare);
        self.data.as_ref().filter(|data| pairs || data.partial.is_none())
    }

    pub(super) fn on_screen(&mut self, action: Action, at: Duration) -> Vec<Effect> {
        let area = self.area();
        if self.screen == ScreenId::Log {
            return self.on_log(action, area);
        }
        if self.awaited() && !writes(action) && self.early.len() < MOST_EARLY {
            self.early.push(action);
            return Vec::new();
        }
        let Some(data) = self.shown().cloned() else { return Vec::new() };
        match self.screen {
            ScreenId::Home => {
                if action == Action::Open {
                    let effects = self.pairs.by(self.home.cursor.at, &data, &self.book.decisions);
                    self.go(ScreenId::Pairs);
                    return effects;
                }
                let samples = self.sample_lines(&data);
                self.home.update(action, &data, &samples, area);
                Vec::new()
            }
            ScreenId::Judgments => self.on_judgments(action, &data, area),
            ScreenId::Pairs => self.on_pairs(action, &data, area),
            ScreenId::Compare => self.on_compare(action, at, &data, area),
            ScreenId::Label => self.on_label(action, at, area),
            ScreenId::Methods => self.on_methods(action, &data, area),
            ScreenId::Review => self.on_review(action, at, area),
            ScreenId::Figures => self.on_figures(action, &data, area),
            ScreenId::Corpus => self.on_corpus(action, &data, area),
            ScreenId::Log => Vec::new(),
        }
    }

    /// Whether the list of this screen is still being made.
    fn awaited(&self) -> bool {
        match (self.screen, self.shown()) {
            (ScreenId::Compare | ScreenId::Label | ScreenId::Review | ScreenId::Log, _) => false,
            (ScreenId::Judgments, Some(data)) => data.judgments.is_some() && self.judgments.is_awaited(),
            (_, data) => data.is_none(),
        }
    }

    /// Does what was typed before the list was there, up to where it leads to another screen.
    pub(super) fn catch_up(&mut self, at: Duration) -> Vec<Effect> {
        if self.early.is_empty() || self.awaited() {
            return Vec::new();
        }
        let (screen, early) = (self.screen, std::mem::take(&mut self.early));
        let mut effects = Vec::new();
        for action in early {
            if self.screen == screen {
                effects.extend(self.on_screen(action, at));
            }
        }
        effects
    }

    pub(super) fn on_compare(
        &mut self,
        action: Action,
        at: Duration,
        data: &Arc<StudyData>,
        area: Rect,
    ) -> Vec<Effect> {
        if matches!(action, Action::NextPair | Action::PreviousPair) {
            let page = usize::from(area.height.saturating_sub(1));
            let step = self.pairs.step(action == Action::NextPair, page);
            let Some(row) = step else {
                self.message = Some("no further pair in the table".to_owned());
                return Vec::new();
            };
            let pair = data.table.pair(row);
            return self.compare.show(ids(pair.source, pair.target));
        }
        if let Some(effects) = self.labelled(action, at) {
            return effects;
        }
        self.compare.update(action, data, area).unwrap_or_default()
    }
}
