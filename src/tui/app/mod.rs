//! The whole state of the explorer, and what events do to it. Nothing here reads, writes or draws.

mod acting;
mod browsing;
mod command;
mod drafts;
pub mod jobs;
mod keys;
mod labelling;
mod moving;
mod outside;
mod requests;
mod reviewing;
mod samples;

use std::collections::HashSet;
use std::time::Duration;

use ratatui::layout::Rect;

use crate::action::{Action, ScreenId};
use crate::book::Book;
use crate::contract::{Effect, Request, Screens};
use crate::event::{Event, Stamped};
use crate::guard::Guard;
use crate::jobs::Tickets;
use crate::pair_ids::PairIds;
use crate::preferences::Preferences;
use crate::screens;
use crate::screens::compare::{Compare, Pane};
use crate::screens::corpus::Corpus;
use crate::screens::label::Label;
use crate::screens::label::choose::Choice;
use crate::screens::log::Log;
use crate::screens::pairs::opening::ReadFirstPairs;
use crate::screens::review::Review;
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::completion::CommandLine;
use crate::widgets::help::Help;
use crate::widgets::hud::Hud;
use crate::widgets::paragraph;
use crate::widgets::prompt::Prompt;
use dejaview_labels::{Decisions, Draft};

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
    /// What all screens share.
    pub shared: Shared,
    /// The screens.
    pub screens: Screens,
    /// The screens that lead back from here.
    history: Vec<ScreenId>,
    /// The topmost is the last.
    pub overlays: Vec<Overlay>,
    /// What was typed behind `:`.
    pub command_line: CommandLine,
    /// What frames cost, once some were drawn on a terminal.
    pub hud: Option<Hud>,
    /// Which results are still wanted.
    tickets: Tickets,
    /// Why the key at hand may not write, if it may not.
    bar: Option<&'static str>,
    /// The pair that a note is being written on.
    noted: Option<PairIds>,
    /// A note that was given up, and its pair: an Escape may come from a broken sequence.
    draft: Option<(Option<PairIds>, String)>,
    /// Pairs whose scores were on the screen.
    glimpsed: HashSet<PairIds>,
    /// Whether drafts are kept.
    drafting: bool,
    /// What was kept last.
    kept: Option<Draft>,
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
    /// Whether to begin with the calibration deck.
    pub calibrate: bool,
    /// How the person wants it.
    pub preferences: Preferences,
}

impl App {
    /// The state before anything happened, and the first effects.
    pub fn new(options: Options) -> (Self, Vec<Effect>) {
        let shared = Shared {
            size: options.size,
            screen: options.screen,
            data: None,
            title: options.title,
            bench: Book::new(&options.book.annotator, Decisions::default(), 1, None),
            book: options.book,
            message: None,
            theme: options.theme,
            keymap: options.preferences.keymap().0,
            sample: options.sample,
            preferences: options.preferences,
            guard: Guard::new(options.ssh),
            clock: options.clock,
            shown: None,
        };
        let mut app = Self {
            shared,
            screens: screens::all(),
            history: Vec::new(),
            overlays: Vec::new(),
            command_line: CommandLine::default(),
            hud: None,
            tickets: Tickets::default(),
            bar: None,
            noted: None,
            draft: None,
            glimpsed: HashSet::new(),
            drafting: false,
            kept: None,
            early: Vec::new(),
        };
        let mut requests = vec![Request::job(ReadFirstPairs)];
        if let Some(ids) = options.at {
            app.shared.screen = ScreenId::Compare;
            requests.extend(app.screens.get_mut::<Compare>().show(ids));
        }
        if options.calibrate {
            requests.extend(app.calibrate());
        }
        let effects = app.carry_out(requests, Duration::ZERO);
        (app, effects)
    }

    /// The message in lines, the last on the line for messages; none when there is nothing to say.
    pub fn said(&self) -> Vec<String> {
        let text = self.shared.message.as_deref().unwrap_or_default();
        paragraph::beginning(text, usize::from(self.shared.size.0), LONGEST_MESSAGE)
    }

    /// The pair that is being looked at, on the screens that show one.
    fn pane(&self) -> Option<&Pane> {
        match self.shared.screen {
            ScreenId::Label => Some(&self.screens.get::<Label>().pane),
            ScreenId::Compare => Some(&self.screens.get::<Compare>().pane),
            ScreenId::Review => self.screens.get::<Review>().opened().map(|_| &self.screens.get::<Review>().pane),
            _ => None,
        }
    }

    /// A frame left for the terminal.
    pub fn flushed(&mut self, at: Duration) {
        let open = self.pane().is_some_and(|pane| matches!(pane.open, Some(Ok(_))));
        if open && self.overlays.is_empty() && self.shared.fits() {
            self.shared.guard.show(at);
            if self.shared.shown.is_none() {
                self.shared.shown = Some((at, self.shared.now()));
            }
            self.noticed();
        }
    }

    /// What the person on the screen has now seen.
    fn noticed(&mut self) {
        match self.shared.screen {
            ScreenId::Label => {
                let (area, covered) = (self.shared.area(), self.said().len().saturating_sub(1) as u16);
                self.screens.get_mut::<Label>().shown(Rect { height: area.height.saturating_sub(covered), ..area });
                if let Some(ids) = self.looked_at().filter(|ids| self.reveals() && !self.glimpsed.contains(ids)) {
                    self.glimpsed.insert(ids);
                }
            }
            ScreenId::Compare if !self.glimpsed.contains(&self.screens.get_mut::<Compare>().pane.ids) => {
                self.glimpsed.insert(self.screens.get_mut::<Compare>().pane.ids.clone());
            }
            _ => {}
        }
    }

    /// Sequences that the guard swallowed, and keys that it kept from writing.
    pub fn guarded(&self) -> (u64, u64) {
        (self.shared.guard.swallowed, self.shared.guard.refused)
    }

    /// What an event does; the Log hears of it.
    pub fn update(&mut self, stamped: Stamped) -> Vec<Effect> {
        let at = stamped.at;
        let before = self.shared.message.clone();
        let mut effects = self.happened(stamped);
        let mut more: Vec<Request> = self.keep_begun().into_iter().collect();
        if self.drafting {
            more.extend(self.screens.get_mut::<Label>().ask_estimate(&self.shared.book));
        }
        effects.extend(self.carry_out(more, at));
        if let Some(message) = self.shared.message.as_ref().filter(|message| before.as_ref() != Some(message)) {
            self.screens.get_mut::<Log>().said(message, &self.shared.now());
        }
        effects
    }

    fn happened(&mut self, Stamped { at, event }: Stamped) -> Vec<Effect> {
        let requests = match event {
            Event::Done(done) => {
                let mut effects = self.done(done, at);
                effects.extend(self.catch_up(at));
                return effects;
            }
            Event::Trouble { job, why } => return self.failed(job, why, at),
            Event::Labels(kept) => {
                self.labels_kept(kept);
                return self.catch_up(at);
            }
            Event::Adjudications(kept) => {
                let requests = self.adjudication(kept);
                let mut effects = self.carry_out(requests, at);
                effects.extend(self.catch_up(at));
                return effects;
            }
            Event::Key(key) => self.key(&key, at),
            Event::Paste(text) => {
                self.pasted(&text);
                Vec::new()
            }
            Event::Resize(width, height) => {
                self.shared.hide();
                self.shared.size = (width, height);
                self.screens.get_mut::<Corpus>().resized(self.shared.area())
            }
            Event::Redraw => Vec::new(),
            Event::Woken => {
                self.shared.hide();
                Vec::new()
            }
            Event::Suspend => vec![Effect::Suspend.into()],
            Event::Scroll(down) if self.overlays.is_empty() => {
                let action = if down { Action::Down } else { Action::Up };
                (0..3).flat_map(|_| self.act(action, at)).collect()
            }
            Event::Scroll(_) => Vec::new(),
            Event::Edited(result) => self.edited(result),
            Event::Said(what) => {
                self.shared.message = Some(what);
                Vec::new()
            }
            Event::Stop => vec![Effect::Quit.into()],
        };
        self.carry_out(requests, at)
    }

    /// Text was pasted: it only ever goes into a line that is being typed.
    fn pasted(&mut self, text: &str) {
        match self.overlays.last_mut() {
            Some(Overlay::Ask(_, prompt)) => {
                prompt.paste(text);
                self.command_line.touched();
            }
            _ => self.shared.message = Some("pasted text does nothing here".to_owned()),
        }
    }
}

/// Whether an action writes into the journal.
fn writes(action: Action) -> bool {
    Action::LABELS.contains(&action)
        || matches!(action, Action::Undo | Action::Redo | Action::Flag | Action::Note | Action::EditNote | Action::Peek)
}
