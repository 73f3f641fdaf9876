//! The whole state of the explorer, and what events do to it. Nothing here reads, writes or draws.

mod browsing;
mod command;
mod drafts;
mod keys;
mod labelling;
mod outside;
mod reviewing;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;

use crate::labels::{Decisions, Draft};
use crate::tui::action::{Action, ScreenId};
use crate::tui::bindings::Keymap;
use crate::tui::book::Book;
use crate::tui::data::StudyData;
use crate::tui::event::{Event, Stamped};
use crate::tui::guard::Guard;
use crate::tui::jobs::{Answer, Effect};
use crate::tui::preferences::Preferences;
use crate::tui::screens::compare::{Compare, LABEL, PairIds, Pane, REVIEW};
use crate::tui::screens::corpus::Corpus;
use crate::tui::screens::figures::Figures;
use crate::tui::screens::home::Home;
use crate::tui::screens::judgments::Judgments;
use crate::tui::screens::label::Label;
use crate::tui::screens::label::choose::Choice;
use crate::tui::screens::log::Log;
use crate::tui::screens::methods::Methods;
use crate::tui::screens::pairs::Pairs;
use crate::tui::screens::review::Review;
use crate::tui::theme::Theme;
use crate::tui::widgets::completion::CommandLine;
use crate::tui::widgets::help::Help;
use crate::tui::widgets::hud::Hud;
use crate::tui::widgets::paragraph;
use crate::tui::widgets::prompt::Prompt;

/// Below this size nothing useful fits.
pub const SMALLEST: (u16, u16) = (60, 12);

/// Said of a key that repeats.
const HELD: &str = "key held down: not recorded";

/// Screens that one can go back through.
const LONGEST_WAY: usize = 50;

/// What lies over a screen and gets the keys first.
#[derive(Debug)]
pub enum Overlay {
    /// The keys of the screen.
    Help(Help),
    /// What to copy is asked for.
    Copy,
    /// What annotators should have read, from this line on.
    Guidelines(usize),
    /// Classes or reasons to choose from, and the one under the cursor.
    Choose(Choice, usize),
    /// A line that is being typed.
    Ask(Question, Prompt),
}

/// What a typed line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Words to look for.
    Search,
    /// Which rows to show.
    Filter,
    /// Two configurations.
    Duel,
    /// The name of an action.
    Palette,
    /// A note on the pair.
    Note,
}

impl Question {
    /// What stands before the line.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Search => "/",
            Self::Filter => "& ",
            Self::Duel => "duel of: ",
            Self::Palette => ":",
            Self::Note => "note: ",
        }
    }
}

/// Everything.
pub struct App {
    /// Of the terminal.
    pub size: (u16, u16),
    /// On which one is.
    pub screen: ScreenId,
    /// Where one came from.
    history: Vec<ScreenId>,
    /// The topmost is the last.
    pub overlays: Vec<Overlay>,
    /// The study, once it is read.
    pub data: Option<Arc<StudyData>>,
    /// Its name before that, or what is wrong with it.
    pub title: String,
    /// The screens.
    pub home: Home,
    /// Judged documents.
    pub judgments: Judgments,
    /// The table.
    pub pairs: Pairs,
    /// Two documents.
    pub compare: Compare,
    /// One pair of a sample.
    pub label: Label,
    /// How good the configurations are.
    pub methods: Methods,
    /// Where annotators differ.
    pub review: Review,
    /// Charts.
    pub figures: Figures,
    /// Documents.
    pub corpus: Corpus,
    /// What happened.
    pub log: Log,
    /// Decisions.
    pub book: Book,
    /// Adjudications.
    pub bench: Book,
    /// One line for the person.
    pub message: Option<String>,
    /// Styles.
    pub theme: Theme,
    /// What keys do.
    pub keymap: Keymap,
    /// What was typed behind `:`.
    pub command_line: CommandLine,
    /// How the person wants it.
    pub preferences: Preferences,
    /// What frames cost, once some were drawn on a terminal.
    pub hud: Option<Hud>,
    guard: Guard,
    clock: fn() -> String,
    /// When the pair on Label came on the screen.
    shown: Option<Duration>,
    /// Why the key at hand may not write, if it may not.
    bar: Option<&'static str>,
    /// The pair that a note is being written on.
    noted: Option<PairIds>,
    /// A note that was given up, and its pair: an Escape may come from a broken sequence.
    draft: Option<(Option<PairIds>, String)>,
    /// When the pair came on the screen, by the clock of the wall.
    shown_at: Option<String>,
    /// Pairs whose scores were on the screen.
    glimpsed: HashSet<PairIds>,
    /// Whether drafts are kept; what was kept last, and what was before this session.
    drafting: bool,
    kept: Option<Draft>,
    /// Number of the event after which the last estimate was asked for.
    estimated: u64,
    before: Option<Draft>,
}

/// What the explorer begins with.
pub struct Options {
    /// Shown until the study is read.
    pub title: String,
    /// Of the terminal.
    pub size: (u16, u16),
    /// Styles.
    pub theme: Theme,
    /// Decisions so far.
    pub book: Book,
    /// Whether keys come over ssh.
    pub ssh: bool,
    /// The time now, RFC 3339.
    pub clock: fn() -> String,
    /// The first screen.
    pub screen: ScreenId,
    /// The pair to open at.
    pub at: Option<PairIds>,
    /// How the person wants it.
    pub preferences: Preferences,
}

impl App {
    /// The state before anything happened, and the first wishes.
    pub fn new(options: Options) -> (Self, Vec<Effect>) {
        let mut app = Self {
            size: options.size,
            screen: options.screen,
            history: Vec::new(),
            overlays: Vec::new(),
            data: None,
            title: options.title,
            home: Home::default(),
            judgments: Judgments::default(),
            pairs: Pairs::default(),
            compare: Compare::default(),
            label: Label::default(),
            methods: Methods::default(),
            review: Review::default(),
            figures: Figures::default(),
            corpus: Corpus::default(),
            log: Log::default(),
            bench: Book::new(&options.book.annotator, Decisions::default(), 1, None),
            book: options.book,
            message: None,
            theme: options.theme,
            keymap: options.preferences.keymap().0,
            command_line: CommandLine::default(),
            preferences: options.preferences,
            hud: None,
            guard: Guard::new(options.ssh),
            clock: options.clock,
            shown: None,
            bar: None,
            noted: None,
            draft: None,
            shown_at: None,
            glimpsed: HashSet::new(),
            drafting: false,
            kept: None,
            estimated: 0,
            before: None,
        };
        app.log.asked(&[Effect::Study], Duration::ZERO, &(app.clock)());
        let mut effects = vec![Effect::Head, Effect::Study];
        if let Some(ids) = options.at {
            app.screen = ScreenId::Compare;
            effects.extend(app.compare.show(ids));
        }
        (app, effects)
    }

    /// Where the screen is drawn: below the title, above message and keys.
    pub fn area(&self) -> Rect {
        Rect::new(0, 1, self.size.0, self.size.1.saturating_sub(3))
    }

    /// Whether the terminal is large enough.
    pub fn fits(&self) -> bool {
        self.size.0 >= SMALLEST.0 && self.size.1 >= SMALLEST.1
    }

    /// The pair that is being looked at, on the screens that show one.
    fn pane(&self) -> Option<&Pane> {
        match self.screen {
            ScreenId::Label => Some(&self.label.pane),
            ScreenId::Compare => Some(&self.compare.pane),
            ScreenId::Review => self.review.opened().map(|_| &self.review.pane),
            _ => None,
        }
    }

    /// A frame left for the terminal.
    pub fn flushed(&mut self, at: Duration) {
        let open = self.pane().is_some_and(|pane| matches!(pane.open, Some(Ok(_))));
        if open && self.overlays.is_empty() && self.fits() {
            self.guard.show(at);
            if self.shown.is_none() {
                (self.shown, self.shown_at) = (Some(at), Some((self.clock)()));
            }
            self.noticed();
        }
    }

    /// What the person on the screen has now seen.
    fn noticed(&mut self) {
        match self.screen {
            ScreenId::Label => self.label.shown(self.area()),
            ScreenId::Compare if !self.glimpsed.contains(&self.compare.pane.ids) => {
                self.glimpsed.insert(self.compare.pane.ids.clone());
            }
            _ => {}
        }
    }

    /// Sequences that the guard swallowed, and keys that it kept from writing.
    pub fn guarded(&self) -> (u64, u64) {
        (self.guard.swallowed, self.guard.refused)
    }

    /// What an event does; the Log hears of it.
    pub fn update(&mut self, stamped: Stamped) -> Vec<Effect> {
        let at = stamped.at;
        let before = self.message.clone();
        if matches!(stamped.event, Event::Answer(_) | Event::Trouble(_)) {
            self.log.heard(&stamped.event, at, &(self.clock)());
        }
        let mut effects = self.happened(stamped);
        effects.extend(self.keep_begun());
        effects.extend(self.ask_estimate());
        if let Some(message) = self.message.as_ref().filter(|message| before.as_ref() != Some(message)) {
            self.log.said(message, &(self.clock)());
        }
        if effects.iter().any(|effect| effect.kind().is_some() || matches!(effect, Effect::Cancel(_))) {
            self.log.asked(&effects, at, &(self.clock)());
        }
        effects
    }

    fn happened(&mut self, stamped: Stamped) -> Vec<Effect> {
        match stamped.event {
            Event::Key(key) => self.key(&key, stamped.at),
            Event::Paste(text) => {
                match self.overlays.last_mut() {
                    Some(Overlay::Ask(_, prompt)) => {
                        prompt.paste(&text);
                        self.command_line.touched();
                    }
                    _ => self.message = Some("pasted text does nothing here".to_owned()),
                }
                Vec::new()
            }
            Event::Resize(width, height) => {
                self.hide();
                self.size = (width, height);
                self.corpus.resized(self.area())
            }
            Event::Redraw => Vec::new(),
            Event::Woken => {
                self.hide();
                Vec::new()
            }
            Event::Suspend => vec![Effect::Suspend],
            Event::Scroll(down) if self.overlays.is_empty() => {
                let action = if down { Action::Down } else { Action::Up };
                (0..3).flat_map(|_| self.act(action, stamped.at)).collect()
            }
            Event::Scroll(_) => Vec::new(),
            Event::Edited(result) => self.edited(result),
            Event::Said(what) => {
                self.message = Some(what);
                Vec::new()
            }
            Event::Answer(answer) => self.answer(answer),
            Event::Trouble(what) => {
                self.message = Some(what);
                self.worker_failed();
                self.compare.no_answer();
                Vec::new()
            }
            Event::Stop => vec![Effect::Quit],
        }
    }

    fn answer(&mut self, answer: Answer) -> Vec<Effect> {
        match answer {
            Answer::Head(data) if self.data.is_none() => {
                let data: Arc<StudyData> = Arc::from(data);
                let effects = self.pairs.arrange(&data, &self.book.decisions).unwrap_or_default();
                self.data = Some(data);
                return effects;
            }
            Answer::Head(_) => {}
            Answer::Study(Ok(data)) => return self.opened(Arc::from(data)),
            Answer::Study(Err(why)) => self.title = why,
            Answer::Pair { generation, result } => {
                if self.label.pane.awaits(generation) {
                    self.label.opened(result);
                } else if self.review.pane.awaits(generation) {
                    self.review.texts_came(result);
                } else if self.compare.pane.awaits(generation) {
                    self.compare.pane.opened(result);
                }
            }
            Answer::Words { generation, change, hunk } => {
                let pane = match generation {
                    review if review > REVIEW => &mut self.review.pane,
                    label if label > LABEL => &mut self.label.pane,
                    _ => &mut self.compare.pane,
                };
                pane.refined(generation, change, hunk);
                self.message = pane.said.take();
            }
            Answer::Why { generation, result } => return self.compare.told(generation, result),
            Answer::Arrange { generation, result } => return self.arranged(generation, result),
            Answer::Told(told) => return self.told(told),
            Answer::Measure { generation, result } => self.methods.measured(generation, result),
            Answer::Sample(_) if self.label.sample().is_some() => {}
            Answer::Sample(result) => {
                self.hide();
                let repeats = self.data.as_ref().map_or(0, |data| data.recipe.labels.repeats);
                let deck = self.label.deck.take();
                let mut effects = self.label.drawn(result.map(|sample| *sample), repeats, &self.book.decisions);
                effects.extend(self.resume());
                if deck.is_some() {
                    self.label.deck = deck;
                    effects.extend(self.label.show_gold());
                }
                return effects;
            }
            Answer::Saved(seq) => self.book.saved(seq),
            Answer::Said(what) => self.message = Some(what),
            Answer::NotSaved(why) => self.book.trouble = Some(why),
            Answer::Reread(reading) => {
                let next = reading.events.iter().map(|event| event.seq).max().unwrap_or(0) + 1;
                self.book.reread(reading.decisions, next);
            }
            Answer::Adjudication(kept) => self.adjudication(kept),
            Answer::Review { generation, result } => self.review.read(generation, result),
            Answer::Estimate(result) => self.label.estimates = result.ok(),
            Answer::NoDraft(why) => self.message = Some(format!("what you begin is not kept: {why}")),
        }
        Vec::new()
    }

    fn opened(&mut self, data: Arc<StudyData>) -> Vec<Effect> {
        self.title.clone_from(&data.recipe.name);
        let place = self.pairs.cursor;
        let mut effects = self.pairs.arrange(&data, &self.book.decisions).unwrap_or_default();
        // The first rows were there already, and are the first of all.
        if self.data.as_ref().is_some_and(|before| before.partial.is_some()) {
            self.pairs.cursor = place;
        }
        self.data = Some(data);
        if self.screen == ScreenId::Label {
            effects.push(Effect::Sample);
        }
        effects.extend(self.list_entered());
        effects
    }

    /// Takes a line that was typed for the screen.
    fn asked(&mut self, question: Question, text: &str) -> Vec<Effect> {
        let (Some(data), area) = (self.shown().cloned(), self.area()) else { return Vec::new() };
        match (question, self.screen) {
            (Question::Search, ScreenId::Compare) => self.compare.search(text, &data, area),
            (Question::Search, ScreenId::Label) => self.label.pane.search(text, area),
            (Question::Search, ScreenId::Review) => self.review.pane.search(text, area),
            (Question::Search, ScreenId::Methods) => self.methods.search(text, &data, area),
            _ => return self.asked_list(question, text, &data),
        }
        Vec::new()
    }

    /// What an action means where one is: in Why no key labels, and the one for “not” switches a run off.
    fn meant(&mut self, action: Action) -> Option<Action> {
        if self.screen != ScreenId::Compare || !self.compare.in_why() {
            return Some(action);
        }
        match action {
            Action::Not => Some(Action::WhatIf),
            Action::NearDuplicate | Action::Unsure => {
                self.message = Some("no key labels in Why: Tab goes to the texts, w closes Why".to_owned());
                None
            }
            other => Some(other),
        }
    }

    fn act(&mut self, action: Action, at: Duration) -> Vec<Effect> {
        let Some(action) = self.meant(action) else { return Vec::new() };
        if writes(action) && self.pane().is_some() {
            let unreadable = self.pane().is_some_and(|pane| matches!(pane.open, Some(Err(_))));
            if unreadable && !matches!(action, Action::Undo | Action::Redo) {
                self.message = Some("not recorded: this pair cannot be shown; J goes on to the next".to_owned());
                return Vec::new();
            }
            // A note is written by its Enter; opening it too soon does no harm.
            let opens = matches!(action, Action::Note | Action::EditNote);
            if let Some(why) = self.bar.filter(|why| !opens || *why == HELD) {
                self.guard.delay(at);
                self.guard.refused += 1;
                self.message = Some(why.to_owned());
                return Vec::new();
            }
            self.guard.delay(at);
        }
        match action {
            Action::Quit => vec![Effect::Quit],
            Action::Back => self.back(),
            Action::Help => self.over(Overlay::Help(Help::default())),
            Action::Copy => self.ask_copy(),
            Action::CopySource | Action::CopyTarget | Action::CopyPair | Action::CopyUrl => self.copy(action),
            Action::Pager => self.page_texts(),
            Action::EditNote => self.edit_note(),
            Action::Redraw => vec![Effect::Redraw],
            Action::Suspend => vec![Effect::Suspend],
            Action::Guidelines => self.over(Overlay::Guidelines(0)),
            Action::Calibrate => self.calibrate(),
            Action::Palette => self.over(Overlay::Ask(Question::Palette, Prompt::default())),
            Action::Search => self.over(Overlay::Ask(Question::Search, Prompt::default())),
            Action::Filter => self.ask_filter(),
            Action::Go(ScreenId::Pairs) => self.all_pairs(),
            Action::Go(screen) => self.go(screen),
            _ => self.on_screen(action, at),
        }
    }

    /// What annotators should have read, or why it is not there.
    pub fn guidelines(&self) -> String {
        match self.data.as_ref().and_then(|data| data.guidelines.as_ref()) {
            Some(Ok(text)) => paragraph::reflowed(text),
            Some(Err(why)) => why.clone(),
            None => "This study names no guidelines: guidelines = FILE below [labels] in study.toml does.".to_owned(),
        }
    }

    fn over(&mut self, overlay: Overlay) -> Vec<Effect> {
        self.overlays.push(overlay);
        Vec::new()
    }

    fn go(&mut self, screen: ScreenId) -> Vec<Effect> {
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
    fn all_pairs(&mut self) -> Vec<Effect> {
        let mut effects = self.go(ScreenId::Pairs);
        if let Some(data) = self.data.clone().filter(|_| self.pairs.is_of_one()) {
            effects.extend(self.pairs.of(None, &data, &self.book.decisions));
        }
        effects
    }

    fn back(&mut self) -> Vec<Effect> {
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
    fn entered(&mut self) -> Vec<Effect> {
        self.message = None;
        self.hide();
        let usable = self.data.as_ref().is_some_and(|data| data.trouble.is_none() && data.partial.is_none());
        match self.screen {
            ScreenId::Label if self.label.sample.is_none() && usable => vec![Effect::Sample],
            ScreenId::Label if self.label.pane.open.is_none() && !self.label.finished => self.label.go(self.label.at),
            ScreenId::Compare => self.compare.entered(),
            ScreenId::Review => self.review.entered(),
            _ => self.list_entered(),
        }
    }

    /// What a list needs when one comes to it.
    fn list_entered(&mut self) -> Vec<Effect> {
        let area = self.area();
        match (&self.shown().cloned(), self.screen) {
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
    fn hide(&mut self) {
        self.guard.hide();
        (self.shown, self.shown_at) = (None, None);
    }

    /// The study, as far as the screen can show it: of one that is still being read the first pairs, and nothing else.
    pub fn shown(&self) -> Option<&Arc<StudyData>> {
        let pairs = matches!(self.screen, ScreenId::Pairs | ScreenId::Compare);
        self.data.as_ref().filter(|data| pairs || data.partial.is_none())
    }

    fn on_screen(&mut self, action: Action, at: Duration) -> Vec<Effect> {
        let (Some(data), area) = (self.shown().cloned(), self.area()) else { return Vec::new() };
        match self.screen {
            ScreenId::Home => {
                if action == Action::Open {
                    let effects = self.pairs.by(self.home.cursor.at, &data, &self.book.decisions);
                    self.go(ScreenId::Pairs);
                    return effects;
                }
                self.home.update(action, &data, area);
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
            ScreenId::Log => self.on_log(action, area),
        }
    }

    fn on_compare(&mut self, action: Action, at: Duration, data: &Arc<StudyData>, area: Rect) -> Vec<Effect> {
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

/// Whether an action writes into the journal.
fn writes(action: Action) -> bool {
    Action::LABELS.contains(&action)
        || matches!(action, Action::Undo | Action::Redo | Action::Flag | Action::Note | Action::EditNote | Action::Peek)
}

fn ids(source: &str, target: &str) -> PairIds {
    PairIds { source: source.to_owned(), target: target.to_owned() }
}
