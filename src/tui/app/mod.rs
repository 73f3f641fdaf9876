//! The whole state of the explorer, and what events do to it. Nothing here reads, writes or draws.

mod acting;
mod answers;
mod browsing;
mod command;
mod drafts;
mod keys;
mod labelling;
mod moving;
mod outside;
mod reviewing;
mod samples;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;

use crate::action::{Action, ScreenId};
use crate::bindings::Keymap;
use crate::book::Book;
use crate::data::StudyData;
use crate::event::{Event, Stamped};
use crate::guard::Guard;
use crate::jobs::Effect;
use crate::preferences::Preferences;
use crate::screens::compare::{Compare, PairIds, Pane};
use crate::screens::corpus::Corpus;
use crate::screens::figures::Figures;
use crate::screens::home::Home;
use crate::screens::judgments::Judgments;
use crate::screens::label::Label;
use crate::screens::label::choose::Choice;
use crate::screens::log::Log;
use crate::screens::methods::Methods;
use crate::screens::pairs::Pairs;
use crate::screens::review::Review;
use crate::theme::Theme;
use crate::widgets::completion::CommandLine;
use crate::widgets::help::Help;
use crate::widgets::hud::Hud;
use crate::widgets::paragraph;
use crate::widgets::prompt::Prompt;
use dejaview_labels::{Decisions, Draft};

/// Below this size nothing useful fits.
pub const SMALLEST: (u16, u16) = (60, 12);

/// Said of a key that repeats.
const HELD: &str = "key held down: not recorded";

/// Screens that one can go back through.
const LONGEST_WAY: usize = 50;

/// Lines that a message may take; all of it is on Log.
const LONGEST_MESSAGE: usize = 4;

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
    /// The sample that Label opens.
    pub sample: String,
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
    study_asked: bool,
    /// What was typed for a list that is still being made.
    early: Vec<Action>,
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
    /// The sample that Label opens.
    pub sample: String,
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
            sample: options.sample,
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
            study_asked: false,
            early: Vec::new(),
        };
        let mut effects = vec![Effect::Head];
        app.log.asked(&effects, Duration::ZERO, &(app.clock)());
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

    /// The message in lines, the last on the line for messages; none when there is nothing to say.
    pub fn said(&self) -> Vec<String> {
        let text = self.message.as_deref().unwrap_or_default();
        paragraph::beginning(text, usize::from(self.size.0), LONGEST_MESSAGE)
    }

    /// How an action is asked for on this screen.
    pub fn way_to(&self, action: Action) -> String {
        self.keymap.way_to(action, self.screen)
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
            ScreenId::Label => {
                let (area, covered) = (self.area(), self.said().len().saturating_sub(1) as u16);
                self.label.shown(Rect { height: area.height.saturating_sub(covered), ..area });
                if let Some(ids) = self.looked_at().filter(|ids| self.reveals() && !self.glimpsed.contains(ids)) {
                    self.glimpsed.insert(ids);
                }
            }
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
            Event::Answer(answer) => {
                let mut effects = self.answer(answer);
                effects.extend(self.catch_up(stamped.at));
                effects
            }
            Event::Trouble(what) => {
                self.message = Some(what);
                self.worker_failed();
                self.compare.no_answer();
                self.ask_study()
            }
            Event::Stop => vec![Effect::Quit],
        }
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
