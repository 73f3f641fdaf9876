//! What keys and answers do to the lists and tables: judgments, pairs, methods, figures, corpus, log.

use std::sync::Arc;

use ratatui::layout::Rect;

use super::{App, Overlay, Question};
use crate::action::{Action, ScreenId};
use crate::contract::{Effect, Request};
use crate::data::StudyData;
use crate::pair_ids::PairIds;
use crate::screens::compare::Compare;
use crate::screens::corpus::Corpus;
use crate::screens::figures::Figures;
use crate::screens::judgments::Judgments;
use crate::screens::log::Log;
use crate::screens::methods::Methods;
use crate::screens::methods::Wanted;
use crate::screens::pairs::Pairs;
use crate::widgets::prompt::Prompt;
use dejaview_study::Spelling;

impl App {
    /// A line for a filter, with what holds now.
    pub(super) fn ask_filter(&mut self) -> Vec<Request> {
        let before = if self.shared.screen == ScreenId::Pairs {
            &self.screens.get_mut::<Pairs>().filter
        } else {
            &self.screens.get_mut::<Judgments>().filter
        };
        let prompt = Prompt::with(before);
        self.over(Overlay::Ask(Question::Filter, prompt))
    }

    /// A line for the names of two configurations.
    fn ask_duel(&mut self, data: &StudyData) -> Vec<Request> {
        let prompt = Prompt::with(&self.screens.get_mut::<Pairs>().opponents(data));
        self.over(Overlay::Ask(Question::Duel, prompt))
    }

    /// Takes a line that was typed for a list.
    pub(super) fn asked_list(&mut self, question: Question, text: &str, data: &Arc<StudyData>) -> Vec<Request> {
        let area = self.shared.area();
        let effects = match (question, self.shared.screen) {
            (Question::Search, ScreenId::Judgments) => Ok(self.screens.get_mut::<Judgments>().search(text, data, area)),
            (Question::Search, ScreenId::Pairs) => Ok(self.screens.get_mut::<Pairs>().search(text, data)),
            (Question::Search, ScreenId::Corpus) => Ok(self.screens.get_mut::<Corpus>().search(text, area)),
            (Question::Search, ScreenId::Figures) => Ok(self.screens.get_mut::<Figures>().search(text, data, area)),
            (Question::Search, ScreenId::Log) => {
                self.screens.get_mut::<Log>().search(text, area);
                Ok(Vec::new())
            }
            (Question::Filter, ScreenId::Judgments) => Ok(self.screens.get_mut::<Judgments>().filter(text, data)),
            (Question::Filter, ScreenId::Pairs) => {
                match self.screens.get_mut::<Pairs>().filter(text, data, &self.shared.book.decisions) {
                    Ok(effects) => Ok(effects),
                    Err(error) => {
                        return self.ask_again(question, Prompt::at(text, error.place().end), error.problem());
                    }
                }
            }
            (Question::Duel, ScreenId::Pairs) => {
                match self.screens.get_mut::<Pairs>().duel(text, data, &self.shared.book.decisions) {
                    Ok(effects) => Ok(effects),
                    Err(why) => return self.ask_again(question, Prompt::with(text), why),
                }
            }
            _ => Ok(Vec::new()),
        };
        self.or_say(effects)
    }

    /// The line stays open, with what was typed, and says what is wrong with it.
    fn ask_again(&mut self, question: Question, prompt: Prompt, why: String) -> Vec<Request> {
        self.shared.message = Some(why);
        self.over(Overlay::Ask(question, prompt))
    }

    /// Wishes, or a message why there are none.
    fn or_say(&mut self, effects: Result<Vec<Request>, String>) -> Vec<Request> {
        effects.unwrap_or_else(|why| {
            self.shared.message = Some(why);
            Vec::new()
        })
    }

    pub(super) fn on_judgments(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Request> {
        if action == Action::Open && self.screens.get_mut::<Judgments>().current().is_some() {
            return self.open_judged(data);
        }
        self.screens.get_mut::<Judgments>().update(action, data, area)
    }

    pub(super) fn on_pairs(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Request> {
        match action {
            Action::Open => self.open_pair(data),
            Action::Duel if data.table.configurations().len() < 2 => {
                self.shared.message = Some("a duel needs two configurations; this study has one".to_owned());
                Vec::new()
            }
            Action::Duel => self.ask_duel(data),
            _ => {
                let (effects, why) = self
                    .screens
                    .get_mut::<Pairs>()
                    .update(action, data, &self.shared.book.decisions, area)
                    .unwrap_or_default();
                self.shared.message = why.or(self.shared.message.take());
                effects
            }
        }
    }

    pub(super) fn on_methods(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Request> {
        match self.screens.get_mut::<Methods>().wanted(action, data) {
            Some(Wanted::Of(configuration)) => {
                let effects = self.screens.get_mut::<Pairs>().by(configuration, data, &self.shared.book.decisions);
                self.go(ScreenId::Pairs);
                effects
            }
            Some(Wanted::Filter(expression)) => self.show_pairs(&expression, data),
            None => self.screens.get_mut::<Methods>().update(action, data, area).unwrap_or_default(),
        }
    }

    /// Goes to the pairs that a filter admits.
    fn show_pairs(&mut self, expression: &str, data: &Arc<StudyData>) -> Vec<Request> {
        match self.screens.get_mut::<Pairs>().only(expression, data, &self.shared.book.decisions) {
            Ok(effects) => {
                self.go(ScreenId::Pairs);
                effects
            }
            Err(error) => self.or_say(Err(error.to_string())),
        }
    }

    pub(super) fn on_figures(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Request> {
        if action != Action::Open {
            return self.screens.get_mut::<Figures>().update(action, data, area);
        }
        match self.screens.get_mut::<Figures>().wanted(data) {
            Some(Ok(filter)) => self.show_pairs(&filter, data),
            Some(Err(why)) => self.or_say(Err(why.to_owned())),
            None => Vec::new(),
        }
    }

    pub(super) fn on_corpus(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Request> {
        match (action, self.screens.get_mut::<Corpus>().pairs_of_open(Spelling::of(data.table.configurations()))) {
            (Action::Open, Some(filter)) => self.show_pairs(&filter, data),
            _ => self.screens.get_mut::<Corpus>().update(action, area),
        }
    }

    pub(super) fn on_log(&mut self, action: Action, area: Rect) -> Vec<Request> {
        if action == Action::Open {
            self.shared.message = Some("the whole log, in $PAGER".to_owned());
            return vec![Effect::Page(self.screens.get_mut::<Log>().text()).into()];
        }
        if action != Action::Cancel {
            self.screens.get_mut::<Log>().update(action, area);
            return Vec::new();
        }
        match self.screens.get::<Log>().current() {
            Some(slot) => {
                self.shared.message = Some(format!("gave up: {}", slot.name));
                vec![Request::Cancel(slot)]
            }
            None => {
                self.shared.message = Some("no job is under the cursor: those that run stand at the top".to_owned());
                Vec::new()
            }
        }
    }

    fn open_judged(&mut self, data: &Arc<StudyData>) -> Vec<Request> {
        let Some(judged) = self.screens.get_mut::<Judgments>().current() else { return Vec::new() };
        let (found, document) = (judged.found.clone(), judged.document.clone());
        let Some(first) = found.first() else {
            self.shared.message = Some(format!("no configuration found a pair of {document}"));
            return Vec::new();
        };
        let mut effects = self.screens.get_mut::<Pairs>().of(Some(&document), data, &self.shared.book.decisions);
        self.go(ScreenId::Pairs);
        if found.pairs() == 1 {
            // One pair: straight to it; back leads to the table of one, and from there to the judgments.
            self.history.push(ScreenId::Pairs);
            self.shared.screen = ScreenId::Compare;
            let pair = data.table.pair(first);
            effects.extend(self.screens.get_mut::<Compare>().show(PairIds::new(pair.source, pair.target)));
        }
        effects
    }

    fn open_pair(&mut self, data: &Arc<StudyData>) -> Vec<Request> {
        if self.screens.get_mut::<Pairs>().want_first() {
            // Enter behind a new filter means the first pair that passes it, though the rows are not there yet.
            self.screens.get_mut::<Compare>().wait();
            return self.go(ScreenId::Compare);
        }
        let Some(row) = self.screens.get_mut::<Pairs>().current() else { return Vec::new() };
        self.go(ScreenId::Compare);
        let pair = data.table.pair(row);
        self.screens.get_mut::<Compare>().show(PairIds::new(pair.source, pair.target))
    }
}
