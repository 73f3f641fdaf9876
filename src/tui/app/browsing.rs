//! What keys and answers do to the lists and tables: judgments, pairs, methods, figures, corpus, log.

use std::sync::Arc;

use ratatui::layout::Rect;

use super::{App, Overlay, Question, ids};
use crate::action::{Action, ScreenId};
use crate::asks::Told;
use crate::data::StudyData;
use crate::jobs::Effect;
use crate::kinds::Kind;
use crate::screens::methods::Wanted;
use crate::widgets::paragraph::wrapped;
use crate::widgets::prompt::Prompt;
use dejaview_study::{Arranged, Spelling};

/// Columns of a paragraph that is to be read.
const WIDEST_PROSE: u16 = 100;

impl App {
    /// A line for a filter, with what holds now.
    pub(super) fn ask_filter(&mut self) -> Vec<Effect> {
        let before = if self.screen == ScreenId::Pairs { &self.pairs.filter } else { &self.judgments.filter };
        let prompt = Prompt::with(before);
        self.over(Overlay::Ask(Question::Filter, prompt))
    }

    /// A line for the names of two configurations.
    fn ask_duel(&mut self, data: &StudyData) -> Vec<Effect> {
        let prompt = Prompt::with(&self.pairs.opponents(data));
        self.over(Overlay::Ask(Question::Duel, prompt))
    }

    /// Takes a line that was typed for a list.
    pub(super) fn asked_list(&mut self, question: Question, text: &str, data: &Arc<StudyData>) -> Vec<Effect> {
        let area = self.area();
        let effects = match (question, self.screen) {
            (Question::Search, ScreenId::Judgments) => Ok(self.judgments.search(text, data, area)),
            (Question::Search, ScreenId::Pairs) => Ok(self.pairs.search(text, data)),
            (Question::Search, ScreenId::Corpus) => Ok(self.corpus.search(text, area)),
            (Question::Search, ScreenId::Figures) => Ok(self.figures.search(text, data, area)),
            (Question::Search, ScreenId::Log) => {
                self.log.search(text, area);
                Ok(Vec::new())
            }
            (Question::Filter, ScreenId::Judgments) => Ok(self.judgments.filter(text, data)),
            (Question::Filter, ScreenId::Pairs) => match self.pairs.filter(text, data, &self.book.decisions) {
                Ok(effects) => Ok(effects),
                Err(error) => return self.ask_again(question, Prompt::at(text, error.place().end), error.problem()),
            },
            (Question::Duel, ScreenId::Pairs) => match self.pairs.duel(text, data, &self.book.decisions) {
                Ok(effects) => Ok(effects),
                Err(why) => return self.ask_again(question, Prompt::with(text), why),
            },
            _ => Ok(Vec::new()),
        };
        self.or_say(effects)
    }

    /// The line stays open, with what was typed, and says what is wrong with it.
    fn ask_again(&mut self, question: Question, prompt: Prompt, why: String) -> Vec<Effect> {
        self.message = Some(why);
        self.over(Overlay::Ask(question, prompt))
    }

    /// Wishes, or a message why there are none.
    fn or_say(&mut self, effects: Result<Vec<Effect>, String>) -> Vec<Effect> {
        effects.unwrap_or_else(|why| {
            self.message = Some(why);
            Vec::new()
        })
    }

    pub(super) fn on_judgments(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Effect> {
        if action == Action::Open && self.judgments.current().is_some() {
            return self.open_judged(data);
        }
        self.judgments.update(action, data, area)
    }

    pub(super) fn on_pairs(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Effect> {
        match action {
            Action::Open => self.open_pair(data),
            Action::Duel if data.table.configurations().len() < 2 => {
                self.message = Some("a duel needs two configurations; this study has one".to_owned());
                Vec::new()
            }
            Action::Duel => self.ask_duel(data),
            _ => {
                let (effects, why) = self.pairs.update(action, data, &self.book.decisions, area).unwrap_or_default();
                self.message = why.or(self.message.take());
                effects
            }
        }
    }

    pub(super) fn on_methods(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Effect> {
        match self.methods.wanted(action, data) {
            Some(Wanted::Of(configuration)) => {
                let effects = self.pairs.by(configuration, data, &self.book.decisions);
                self.go(ScreenId::Pairs);
                effects
            }
            Some(Wanted::Filter(expression)) => self.show_pairs(&expression, data),
            None => self.methods.update(action, data, area).unwrap_or_default(),
        }
    }

    /// Goes to the pairs that a filter admits.
    fn show_pairs(&mut self, expression: &str, data: &Arc<StudyData>) -> Vec<Effect> {
        match self.pairs.only(expression, data, &self.book.decisions) {
            Ok(effects) => {
                self.go(ScreenId::Pairs);
                effects
            }
            Err(error) => self.or_say(Err(error.to_string())),
        }
    }

    pub(super) fn on_figures(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Effect> {
        if action != Action::Open {
            return self.figures.update(action, data, area);
        }
        match self.figures.wanted(data) {
            Some(Ok(filter)) => self.show_pairs(&filter, data),
            Some(Err(why)) => self.or_say(Err(why.to_owned())),
            None => Vec::new(),
        }
    }

    pub(super) fn on_corpus(&mut self, action: Action, data: &Arc<StudyData>, area: Rect) -> Vec<Effect> {
        match (action, self.corpus.pairs_of_open(Spelling::of(data.table.configurations()))) {
            (Action::Open, Some(filter)) => self.show_pairs(&filter, data),
            _ => self.corpus.update(action, area),
        }
    }

    pub(super) fn on_log(&mut self, action: Action, area: Rect) -> Vec<Effect> {
        if action == Action::Open {
            self.message = Some("the whole log, in $PAGER".to_owned());
            return vec![Effect::Page(self.log.text())];
        }
        if action != Action::Cancel {
            self.log.update(action, area);
            return Vec::new();
        }
        match self.log.current() {
            Some((kind, name)) => {
                self.given_up(kind);
                self.message = Some(format!("gave up: {name}"));
                let mut effects = vec![Effect::Cancel(kind)];
                if kind == Kind::Head {
                    effects.extend(self.ask_study());
                }
                effects
            }
            None => {
                self.message = Some("no job is under the cursor: those that run stand at the top".to_owned());
                Vec::new()
            }
        }
    }

    /// A job will not be answered.
    fn given_up(&mut self, kind: Kind) {
        match kind {
            Kind::Arrange => self.pairs.no_answer(),
            Kind::Measure => self.methods.no_answer(),
            Kind::Ask(_) => {
                self.pairs.not_found();
                self.judgments.no_answer();
                self.corpus.no_answer();
                self.figures.no_answer();
            }
            _ => {}
        }
    }

    /// A worker failed; nobody knows on what.
    pub(super) fn worker_failed(&mut self) {
        self.methods.no_answer();
        self.judgments.no_answer();
        self.corpus.no_answer();
        self.figures.no_answer();
    }

    /// Takes the rows of the table.
    pub(super) fn arranged(&mut self, generation: u64, result: Result<Arranged, String>) -> Vec<Effect> {
        let arranged = match result {
            Ok(arranged) => arranged,
            Err(why) => {
                self.pairs.no_answer();
                return self.or_say(Err(why));
            }
        };
        if self.pairs.arranged(generation, arranged)
            && let Some(data) = self.data.clone()
        {
            let pair = self.pairs.current().map(|row| data.table.pair(row));
            return self.compare.come(pair.map(|pair| ids(pair.source, pair.target)));
        }
        Vec::new()
    }

    /// Takes what a list was told.
    pub(super) fn told(&mut self, told: Told) -> Vec<Effect> {
        let (Some(data), area) = (self.data.clone(), self.area()) else { return Vec::new() };
        match told {
            Told::Tree(tree) => return self.judgments.grown(tree, &data),
            Told::Shape { generation, shape } => return self.judgments.shaped(generation, shape, area),
            Told::Urls(urls) => self.judgments.addressed(urls),
            Told::Sought { generation, at } => {
                if let Some(message) = self.pairs.found(generation, at, area) {
                    self.message = Some(message);
                }
            }
            Told::Listing { generation, result } => self.corpus.listed(generation, result),
            Told::Hits { generation, result } => self.corpus.hits(generation, result),
            Told::Document { generation, result } => self.corpus.opened(generation, result),
            Told::Parts(parts) => self.corpus.parts(parts),
            Told::SoFar(all) => self.home.so_far = all,
            Told::Overlap(result) => self.corpus.overlap(result),
            Told::Rail { generation, result } => self.figures.railed(generation, result),
            Told::Links { generation, result } => self.review.chain.came(generation, result),
            Told::Paragraph(Ok(text)) => {
                self.message = Some("the paragraph, in $PAGER; `dejaview labels paragraph` prints it".to_owned());
                let lines = wrapped(&text, usize::from(self.size.0.min(WIDEST_PROSE)));
                return vec![Effect::Page(lines.join("\n") + "\n")];
            }
            Told::Paragraph(Err(why)) => self.message = Some(why),
            Told::Figures { generation, result } => self.figures.drawn(generation, result),
        }
        Vec::new()
    }

    fn open_judged(&mut self, data: &Arc<StudyData>) -> Vec<Effect> {
        let Some(judged) = self.judgments.current() else { return Vec::new() };
        let (found, document) = (judged.found.clone(), judged.document.clone());
        let Some(first) = found.first() else {
            self.message = Some(format!("no configuration found a pair of {document}"));
            return Vec::new();
        };
        let mut effects = self.pairs.of(Some(&document), data, &self.book.decisions);
        self.go(ScreenId::Pairs);
        if found.pairs() == 1 {
            // One pair: straight to it; back leads to the table of one, and from there to the judgments.
            self.history.push(ScreenId::Pairs);
            self.screen = ScreenId::Compare;
            let pair = data.table.pair(first);
            effects.extend(self.compare.show(ids(pair.source, pair.target)));
        }
        effects
    }

    fn open_pair(&mut self, data: &Arc<StudyData>) -> Vec<Effect> {
        if self.pairs.want_first() {
            // Enter behind a new filter means the first pair that passes it, though the rows are not there yet.
            self.compare.wait();
            return self.go(ScreenId::Compare);
        }
        let Some(row) = self.pairs.current() else { return Vec::new() };
        self.go(ScreenId::Compare);
        let pair = data.table.pair(row);
        self.compare.show(ids(pair.source, pair.target))
    }
}
