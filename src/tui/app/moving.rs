//! From screen to screen, and an action on the screen where one is.

use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;

use super::{App, LONGEST_WAY, writes};
use crate::action::{Action, ScreenId};
use crate::contract::{Effect, Request};
use crate::data::StudyData;
use crate::pair_ids::PairIds;
use crate::screens::compare::Compare;
use crate::screens::corpus::Corpus;
use crate::screens::figures::Figures;
use crate::screens::home::Home;
use crate::screens::judgments::Judgments;
use crate::screens::label::{Label, ReadSample};
use crate::screens::methods::Methods;
use crate::screens::pairs::Pairs;
use crate::screens::review::Review;

/// Keys that are kept for a list which is still being made.
const MOST_EARLY: usize = 64;

impl App {
    pub(super) fn go(&mut self, screen: ScreenId) -> Vec<Request> {
        if screen != self.shared.screen {
            self.history.push(self.shared.screen);
            if self.history.len() > LONGEST_WAY {
                self.history.remove(0);
            }
            self.shared.screen = screen;
        }
        self.entered()
    }

    /// The table by its own key: the pairs of all documents.
    pub(super) fn all_pairs(&mut self) -> Vec<Request> {
        let mut effects = self.go(ScreenId::Pairs);
        if let Some(data) = self.shared.data.clone().filter(|_| self.screens.get_mut::<Pairs>().is_of_one()) {
            effects.extend(self.screens.get_mut::<Pairs>().of(None, &data, &self.shared.book.decisions));
        }
        effects
    }

    pub(super) fn back(&mut self) -> Vec<Request> {
        if self.shared.screen == ScreenId::Compare && self.screens.get_mut::<Compare>().close() {
            return Vec::new();
        }
        if self.shared.screen == ScreenId::Label && self.screens.get_mut::<Label>().deck.is_some() {
            self.shared.hide();
            return self.screens.get_mut::<Label>().close_deck();
        }
        if self.shared.screen == ScreenId::Pairs
            && let Some(effects) = self
                .shown()
                .cloned()
                .and_then(|data| self.screens.get_mut::<Pairs>().close(&data, &self.shared.book.decisions))
        {
            return effects;
        }
        if self.shared.screen == ScreenId::Review && self.screens.get_mut::<Review>().close() {
            self.shared.hide();
            return Vec::new();
        }
        let mut requests = Vec::new();
        if self.shared.screen == ScreenId::Corpus {
            let (closed, forget) = self.screens.get_mut::<Corpus>().close();
            requests.push(forget);
            if closed {
                return requests;
            }
        }
        match self.history.pop() {
            Some(screen) => self.shared.screen = screen,
            None if self.shared.screen == ScreenId::Home => return vec![Effect::Quit.into()],
            None => self.shared.screen = ScreenId::Home,
        }
        requests.extend(self.entered());
        requests
    }

    /// What a screen needs when one comes to it.
    pub(super) fn entered(&mut self) -> Vec<Request> {
        self.shared.message = None;
        self.early.clear();
        self.shared.hide();
        let usable = self.shared.data.as_ref().is_some_and(|data| data.trouble.is_none() && data.partial.is_none());
        match self.shared.screen {
            ScreenId::Label if self.screens.get_mut::<Label>().sample.is_none() && usable => {
                vec![Request::job(ReadSample { name: self.shared.sample.clone() })]
            }
            ScreenId::Label
                if self.screens.get_mut::<Label>().pane.open.is_none() && !self.screens.get_mut::<Label>().finished =>
            {
                let label = self.screens.get_mut::<Label>();
                label.go(label.at)
            }
            ScreenId::Compare => self.screens.get_mut::<Compare>().entered(),
            ScreenId::Review => self.screens.get_mut::<Review>().entered(),
            _ => self.list_entered(),
        }
    }

    /// What the screen that is shown needs of a study that was just read.
    pub(super) fn refreshed(&mut self) -> Vec<Request> {
        let mut requests = Vec::new();
        if self.shared.screen == ScreenId::Label {
            requests.push(Request::job(ReadSample { name: self.shared.sample.clone() }));
        }
        requests.extend(self.list_entered());
        requests
    }

    /// What a list needs when one comes to it.
    fn list_entered(&mut self) -> Vec<Request> {
        let area = self.shared.area();
        match (&self.shown().cloned(), self.shared.screen) {
            (Some(data), ScreenId::Home) if data.trouble.is_none() => self.ask_so_far(data),
            (Some(data), ScreenId::Judgments) => self.screens.get_mut::<Judgments>().entered(data),
            (Some(data), ScreenId::Methods) if data.trouble.is_none() => self.screens.get_mut::<Methods>().entered(),
            (Some(data), ScreenId::Figures) if data.trouble.is_none() => {
                self.screens.get_mut::<Figures>().entered(data, &self.shared.book.decisions)
            }
            (Some(data), ScreenId::Corpus) if data.trouble.is_none() => self.screens.get_mut::<Corpus>().entered(area),
            _ => Vec::new(),
        }
    }

    /// The study, as far as the screen can show it: of one that is still being read the first pairs, and nothing else.
    pub fn shown(&self) -> Option<&Arc<StudyData>> {
        let pairs = matches!(self.shared.screen, ScreenId::Pairs | ScreenId::Compare);
        self.shared.data.as_ref().filter(|data| pairs || data.partial.is_none())
    }

    pub(super) fn on_screen(&mut self, action: Action, at: Duration) -> Vec<Request> {
        let area = self.shared.area();
        if self.shared.screen == ScreenId::Log {
            return self.on_log(action, area);
        }
        if self.awaited() && !writes(action) && self.early.len() < MOST_EARLY {
            self.early.push(action);
            return Vec::new();
        }
        let Some(data) = self.shown().cloned() else { return Vec::new() };
        match self.shared.screen {
            ScreenId::Home => {
                if action == Action::Open {
                    let configuration = self.screens.get::<Home>().cursor.at;
                    let effects = self.screens.get_mut::<Pairs>().by(configuration, &data, &self.shared.book.decisions);
                    self.go(ScreenId::Pairs);
                    return effects;
                }
                let samples = self.sample_lines(&data);
                self.screens.get_mut::<Home>().update(action, &data, &samples, area);
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
        match (self.shared.screen, self.shown()) {
            (ScreenId::Compare | ScreenId::Label | ScreenId::Review | ScreenId::Log, _) => false,
            (ScreenId::Judgments, Some(data)) => {
                data.judgments.is_some() && self.screens.get::<Judgments>().is_awaited()
            }
            (_, data) => data.is_none(),
        }
    }

    /// Does what was typed before the list was there, up to where it leads to another screen.
    pub(super) fn catch_up(&mut self, at: Duration) -> Vec<Effect> {
        if self.early.is_empty() || self.awaited() {
            return Vec::new();
        }
        let (screen, early) = (self.shared.screen, std::mem::take(&mut self.early));
        let mut effects = Vec::new();
        for action in early {
            if self.shared.screen == screen {
                let requests = self.on_screen(action, at);
                effects.extend(self.carry_out(requests, at));
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
    ) -> Vec<Request> {
        if matches!(action, Action::NextPair | Action::PreviousPair) {
            let page = usize::from(area.height.saturating_sub(1));
            let step = self.screens.get_mut::<Pairs>().step(action == Action::NextPair, page);
            let Some(row) = step else {
                self.shared.message = Some("no further pair in the table".to_owned());
                return Vec::new();
            };
            let pair = data.table.pair(row);
            return self.screens.get_mut::<Compare>().show(PairIds::new(pair.source, pair.target));
        }
        if let Some(effects) = self.labelled(action, at) {
            return effects;
        }
        self.screens.get_mut::<Compare>().update(action, data, area).unwrap_or_default()
    }
}
