//! The whole state of the explorer, and what events do to it. Nothing here reads, writes or draws.

mod acting;
mod keys;
mod moving;
mod requests;
mod touring;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::action::{Action, ScreenId};
use crate::book::Book;
use crate::contract::{Effect, Here, News, Overlay, Request, Screen, Screens, Show, View};
use crate::data::StudyData;
use crate::event::{Event, Stamped};
use crate::filtering::FilterMemory;
use crate::finder::FinderMemory;
use crate::guard::Guard;
use crate::jobs::Tickets;
use crate::kept::Kept;
use crate::labelling;
use crate::logbook::Logbook;
use crate::notes::Notes;
use crate::pair_ids::PairIds;
use crate::preferences::Preferences;
use crate::screens;
use crate::screens::label::Label;
use crate::shared::Shared;
use crate::study_run;
use crate::subject::Subject;
use crate::widgets::hud::Hud;
use dejaview_labels::{Decisions, Draft};
use dejaview_study::RunState;

/// Said of a key that repeats.
const HELD: &str = "Not saved: the key is held down";
/// Why a key does not write that was read before the pair was seen.
const TOO_FAST: &str = "Not saved: the key came too fast";

/// Everything.
pub struct App {
    /// What all screens share.
    pub shared: Shared,
    pub screens: Screens,
    /// What lies over the screen; the topmost is the last.
    pub overlays: Vec<Box<dyn Overlay>>,
    /// What frames cost, once some were drawn on a terminal.
    pub hud: Option<Hud>,
    /// The screens that lead back from here.
    history: Vec<ScreenId>,
    /// Which results are still wanted.
    tickets: Tickets,
    /// Why the key at hand may not write, if it may not.
    barred: Option<&'static str>,
    /// What was typed for a list that is still being made.
    early: Vec<Action>,
}

/// What the explorer begins with.
pub struct Options {
    /// Shown until the study is read.
    pub title: String,
    /// Of the terminal.
    pub size: (u16, u16),
    /// Decisions so far.
    pub book: Book,
    /// Whether keys come over ssh.
    pub ssh: bool,
    /// The time now, RFC 3339.
    pub clock: fn() -> String,
    /// The first screen.
    pub screen: ScreenId,
    /// The sample that Label opens; none while the study has none.
    pub sample: Option<String>,
    /// Whether the person named it.
    pub sample_is_chosen: bool,
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
        let screens = screens::all();
        let shared = Shared {
            size: options.size,
            screen: options.screen,
            data: None,
            damaged_labels: 0,
            label_doubts: Vec::new(),
            trouble: None,
            title: options.title,
            adjudications: Book::new(&options.book.annotator, Decisions::default(), 1, None),
            book: options.book,
            notes: Notes::default(),
            pair_list: None,
            glimpsed: HashSet::new(),
            message: None,
            log: Logbook::default(),
            filters: FilterMemory::default(),
            finder: FinderMemory::default(),
            run: RunState::default(),
            theme: options.preferences.theme(),
            keymap: options.preferences.keymap(&screens.keys()).0,
            sample: options.sample,
            sample_is_chosen: options.sample_is_chosen,
            sample_preview: None,
            preferences: options.preferences,
            guard: Guard::new(options.ssh),
            clock: options.clock,
            shown: None,
            tour: None,
        };
        let mut app = Self {
            shared,
            screens,
            overlays: Vec::new(),
            hud: None,
            history: Vec::new(),
            tickets: Tickets::default(),
            barred: None,
            early: Vec::new(),
        };
        let mut requests = screens::begin();
        requests.extend(options.at.map(|ids| Request::Show(Show::Pair(ids))));
        requests.extend(options.calibrate.then_some(Request::Show(Show::CalibrationDeck)));
        let effects = app.carry_out(requests, Duration::ZERO);
        (app, effects)
    }

    /// The screen that is shown.
    pub fn screen(&self) -> &dyn Screen {
        self.screens.of(self.shared.screen)
    }

    /// What the screen that is shown may look at, once there is something to show.
    pub fn view(&self) -> Option<View<'_>> {
        let data = self.study(self.shared.screen)?;
        Some(View { data, screens: &self.screens, shared: &self.shared })
    }

    /// What the numbers of the screens lack, or may rest on wrongly.
    pub fn doubts(&self) -> Vec<String> {
        let study = self.shared.data.iter().map(|data| &data.study);
        study.flat_map(|study| study.damaged_labels().into_iter().chain(study.label_doubts())).collect()
    }

    /// Why the screen that is shown cannot be shown: the study cannot be read. None when it can, and while it is being read.
    pub fn trouble(&self) -> Option<&str> {
        self.shared.trouble.as_deref().filter(|_| self.screen().needs_study())
    }

    /// The study, as far as a screen can show it: of one that is still being read the first pairs, and nothing else; nothing
    /// of one that cannot be read.
    fn study(&self, screen: ScreenId) -> Option<&Arc<StudyData>> {
        let first_pairs = self.screens.of(screen).shows_first_pairs();
        let readable = self.shared.data.as_ref().filter(|_| self.shared.trouble.is_none());
        readable.filter(|data| first_pairs || data.partial.is_none())
    }

    /// Whether the texts of a pair are drawn on the screen. Nothing is labelled, flagged or noted of a pair otherwise,
    /// whatever the reason why they are not, and however it was asked for.
    fn shows_texts(&self) -> bool {
        let is_drawn = |data: &Arc<StudyData>| self.screen().shows_texts(data, &self.shared);
        self.shared.fits() && self.study(self.shared.screen).is_some_and(is_drawn)
    }

    /// The pair on the screen that can be labelled; without digests, so that nothing is written of it, unless its texts are
    /// drawn and a frame has shown them.
    fn subject(&self) -> Option<Subject> {
        self.subject_where(self.shared.shown.is_some())
    }

    /// The same, given whether a frame has shown the texts.
    fn subject_where(&self, shown: bool) -> Option<Subject> {
        let shown = shown && self.shows_texts();
        self.screen().subject().map(|subject| Subject { digests: subject.digests.filter(|_| shown), ..subject })
    }

    /// Names of all screens, in the order of their digits.
    fn ids(&self) -> Vec<ScreenId> {
        self.screens.iter().map(Screen::id).collect()
    }

    /// Lets a screen do something.
    fn on<T>(&mut self, screen: ScreenId, at: Duration, work: impl FnOnce(&mut dyn Screen, &mut Here<'_>) -> T) -> T {
        let (data, shared) = (self.study(screen).cloned(), &mut self.shared);
        self.screens.work(screen, |screen, others| work(screen, &mut Here { data, others, shared, at }))
    }

    /// Lets all screens do something.
    fn on_each(
        &mut self,
        at: Duration,
        mut work: impl FnMut(&mut dyn Screen, &mut Here<'_>) -> Vec<Request>,
    ) -> Vec<Request> {
        self.ids().into_iter().flat_map(|id| self.on(id, at, &mut work)).collect()
    }

    /// A frame left for the terminal.
    pub fn flushed(&mut self, at: Duration) {
        if !self.shows_texts() {
            return self.shared.hide();
        }
        if !self.overlays.iter().all(|overlay| overlay.leaves_texts()) {
            return;
        }
        self.shared.guard.show(at);
        if self.shared.shown.is_none() {
            self.shared.shown = Some((at, self.shared.now()));
        }
        if self.overlays.is_empty() {
            self.on(self.shared.screen, at, |screen, here| screen.seen(here.shared));
        }
    }

    /// Sequences that the guard swallowed, and keys that it kept from writing.
    pub fn guarded(&self) -> (u64, u64) {
        (self.shared.guard.swallowed, self.shared.guard.refused)
    }

    /// Says what is wrong with the settings: how much, and the first of it; all of it is on the Log.
    pub fn mistaken(&mut self, problems: &[String]) {
        for problem in problems.iter().rev() {
            let now = self.shared.now();
            self.shared.log.failed(&format!("settings, {problem}"), &now);
        }
        self.shared.message = match problems {
            [] => None,
            [one] => Some(format!("settings, {one}")),
            [first, ..] => Some(format!("{} mistakes in the settings (all on 0): {first}", problems.len())),
        };
    }

    /// Keeps drafts from now on, beginning with what was kept before.
    pub fn keep_drafts(&mut self, before: Option<Draft>) {
        self.screens.get_mut::<Label>().keep_drafts(before, &mut self.shared);
    }

    /// What is begun now.
    pub fn begun(&self) -> Draft {
        self.screens.get::<Label>().begun(&self.shared)
    }

    /// What an event does; the Log hears of it.
    pub fn update(&mut self, stamped: Stamped) -> Vec<Effect> {
        let at = stamped.at;
        let before = self.shared.message.clone();
        let room = self.shared.area().height;
        let resized = matches!(stamped.event, Event::Resize(..));
        let mut effects = self.happened(stamped);
        let room = if resized { self.shared.area().height } else { room };
        effects.extend(self.go_on_with_tour(room, at));
        let more = self.on_each(at, |screen, here| screen.after_event(here.shared));
        effects.extend(self.carry_out(more, at));
        if let Some(message) = self.shared.message.as_ref().filter(|message| before.as_ref() != Some(message)) {
            self.shared.log.said(message, &(self.shared.clock)());
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
                let saved = matches!(kept, Kept::Saved(_)).then_some(Request::Tell(News::AdjudicationSaved));
                self.shared.adjudications.kept(kept);
                let mut effects = self.carry_out(saved.into_iter().collect(), at);
                effects.extend(self.catch_up(at));
                return effects;
            }
            Event::Key(key) => return self.key(&key, at),
            Event::Scroll(down) if self.overlays.is_empty() => {
                let action = if down { Action::Down } else { Action::Up };
                (0..3).flat_map(|_| self.act(action, at)).collect()
            }
            Event::Resize(width, height) => self.resized((width, height), at),
            Event::Edited(result) => {
                // A terminal that was resized meanwhile has shown no frame since.
                let subject = self.subject_where(self.shared.notes.seen || self.shared.shown.is_some());
                labelling::note_edited(subject.as_ref(), result, &mut self.shared)
            }
            Event::Paste(text) => {
                self.pasted(&text);
                Vec::new()
            }
            Event::Woken => {
                self.shared.hide();
                Vec::new()
            }
            Event::Said(what) => {
                self.shared.message = Some(what);
                Vec::new()
            }
            Event::Run(state) => study_run::take_state(state, &mut self.shared),
            Event::StudyChanged => study_run::take_change(&self.shared),
            Event::SamplesChanged => study_run::take_samples(&self.shared),
            Event::LabelsChanged(by_others) => study_run::take_labels(&self.shared, by_others),
            Event::Background(background) => {
                self.shared.preferences.background = Some(background);
                // Colours do not change under somebody's eyes: an answer that comes late waits until all is drawn again.
                if self.hud.is_none() {
                    self.shared.theme = self.shared.preferences.theme();
                }
                Vec::new()
            }
            Event::Redraw => {
                self.shared.theme = self.shared.preferences.theme();
                Vec::new()
            }
            Event::Scroll(_) => Vec::new(),
            Event::Suspend => vec![Effect::Suspend.into()],
            Event::Stop => vec![Effect::Quit.into()],
        };
        self.carry_out(requests, at)
    }

    fn resized(&mut self, size: (u16, u16), at: Duration) -> Vec<Request> {
        self.shared.hide();
        self.shared.size = size;
        self.on_each(at, |screen, here| screen.resized(here))
    }

    /// Text was pasted: it only ever goes into a line that is being typed.
    fn pasted(&mut self, text: &str) {
        let taken = self.overlays.last_mut().is_some_and(|overlay| overlay.paste(text, &mut self.shared));
        if !taken {
            self.shared.message = Some("pasted text does nothing here".to_owned());
        }
    }
}
