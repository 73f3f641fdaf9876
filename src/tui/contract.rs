//! What a screen is, what lies over one, what a job is, and what all of them may ask for. One file, since each of these
//! names the others.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::action::{Action, ScreenId};
use super::binding::{ScreenKeys, Table};
use super::book::Book;
use super::data::StudyData;
use super::filtering::Filtering;
use super::jobs::Backend;
use super::logbook::{JobKind, LogLine};
use super::pair_ids::PairIds;
use super::pane::PairPane;
use super::question::Question;
use super::shared::Shared;
use super::subject::Subject;
use super::widgets::prompt::Prompt;

/// What a screen may look at while it is drawn.
pub struct View<'a> {
    pub data: &'a Arc<StudyData>,
    pub screens: &'a Screens,
    /// What all screens share.
    pub shared: &'a Shared,
}

/// What a screen has at hand when something is done on it.
pub struct Here<'a> {
    /// The study, once there is enough of it for the screen.
    pub data: Option<Arc<StudyData>>,
    pub others: &'a Screens,
    /// What all screens share.
    pub shared: &'a mut Shared,
    /// The time since the start.
    pub at: Duration,
}

impl Here<'_> {
    /// Where the screen is drawn.
    pub fn area(&self) -> Rect {
        self.shared.area()
    }

    /// The study, where there is nothing wrong with it.
    pub fn sound(&self) -> Option<&Arc<StudyData>> {
        self.data.as_ref().filter(|data| data.trouble.is_none())
    }

    /// Tells the person something, and asks for nothing.
    pub fn say(&mut self, text: impl Into<String>) -> Vec<Request> {
        self.shared.message = Some(text.into());
        Vec::new()
    }
}

/// One place where a person can be. What is to be done elsewhere, on another screen too, is asked for and not done.
///
/// A screen is one file or folder and one line in [`super::screens::all`].
pub trait Screen: Any + fmt::Debug {
    /// Its name, which no other screen has.
    fn id(&self) -> ScreenId;

    /// What keys do here, in the order in which they are shown.
    fn bindings(&self) -> &'static [Table];

    /// Whether digits lead from here to other screens.
    fn has_digits(&self) -> bool {
        true
    }

    /// What an action does here.
    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request>;

    /// Draws; cannot change anything.
    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>);

    /// Whether it shows nothing without a study.
    fn needs_study(&self) -> bool {
        true
    }

    /// Draws without a study, where it needs none.
    fn draw_alone(&self, _buffer: &mut Buffer, _area: Rect, _shared: &Shared) {}

    /// One comes here: asks for what is missing.
    fn entered(&mut self, _here: &mut Here<'_>) -> Vec<Request> {
        Vec::new()
    }

    /// One comes here by the digit or the name of the screen, not on the way back.
    fn chosen(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        self.entered(here)
    }

    /// The study was read while one was here: asks for what is missing.
    fn study_read(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        self.entered(here)
    }

    /// The study was read again: numbers of rows and what was computed of its pairs do not hold any more.
    fn forget_rows(&mut self) {}

    /// The terminal has another size.
    fn resized(&mut self, _here: &mut Here<'_>) -> Vec<Request> {
        Vec::new()
    }

    /// One wants back: closes what is open here, or asks to leave.
    fn back(&mut self, _here: &mut Here<'_>) -> Vec<Request> {
        vec![Request::Leave]
    }

    /// A line was typed that was asked for here.
    fn typed(&mut self, _question: Question, _text: &str, _here: &mut Here<'_>) -> Vec<Request> {
        Vec::new()
    }

    /// One of a list was picked, or none of it, that was offered here under this name.
    fn picked(&mut self, _list: &'static str, _value: Option<String>) {}

    /// Shows what another screen asks for; an error says why it cannot. None when it is for another screen to show.
    fn show(&mut self, _what: &Show, _here: &mut Here<'_>) -> Option<Result<Vec<Request>, String>> {
        None
    }

    /// Something happened that may concern this screen, be it shown or not.
    fn on_news(&mut self, _news: &News, _here: &mut Here<'_>) -> Vec<Request> {
        Vec::new()
    }

    /// An event was dealt with, be the screen shown or not: asks for what could not be asked for before.
    fn after_event(&mut self, _shared: &mut Shared) -> Vec<Request> {
        Vec::new()
    }

    /// A frame with a pair on this screen left for the terminal.
    fn seen(&mut self, _shared: &mut Shared) {}

    /// What an action means at this moment; none when it may not be done, and the person is told why.
    fn meaning(&self, action: Action, _others: &Screens, _shared: &mut Shared) -> Option<Action> {
        Some(action)
    }

    /// What to say of a key that does nothing here.
    fn unbound(&self, key: &str, shared: &Shared) -> String {
        format!("{key} does nothing here: {} shows the keys", shared.way_to(Action::Help))
    }

    /// What the first line says in place of the tabs, where nothing shall draw the eye away.
    fn title(&self, _shared: &Shared) -> Option<String> {
        None
    }

    /// What is written here.
    fn book<'a>(&self, shared: &'a Shared) -> &'a Book {
        &shared.book
    }

    /// How many of what is written here is saved, when all is.
    fn saved(&self, shared: &Shared) -> u64 {
        self.book(shared).saved_events()
    }

    /// How the title says that all is saved, where it always says so; elsewhere it does when something is not.
    fn saved_style(&self, _shared: &Shared) -> Option<Style> {
        None
    }

    /// What keys do at this moment, by the actions that they have otherwise, where something is open that has the keys.
    fn keys_now(&self) -> Option<&'static [(Action, &'static str)]> {
        None
    }

    /// Clears what was searched for, or what restricts the list; none when there is nothing to clear.
    fn clear(&mut self, _here: &mut Here<'_>) -> Option<Vec<Request>> {
        None
    }

    /// The list that can be filtered here, as it is now.
    fn filtering(&self, _shared: &Shared) -> Option<Filtering> {
        None
    }

    /// The texts that are laid open.
    fn pane(&self) -> Option<&PairPane> {
        None
    }

    /// Whether both texts of the pair are drawn: nothing lies over them, and nothing is in their place, such as why the study
    /// has no pairs. Nothing is written of a pair otherwise.
    fn shows_texts(&self, _data: &StudyData, _shared: &Shared) -> bool {
        false
    }

    /// The pair that can be labelled.
    fn subject(&self) -> Option<Subject> {
        None
    }

    /// The pair that a copy is of.
    fn pair_at_hand(&self, _shared: &Shared) -> Option<PairIds> {
        self.subject().map(|subject| subject.ids)
    }

    /// Whether it can show the first pairs of a study that is still being read.
    fn shows_first_pairs(&self) -> bool {
        false
    }

    /// Whether its list is still being made, so that keys wait for it.
    fn is_awaited(&self, data: Option<&StudyData>) -> bool {
        data.is_none()
    }
}

/// All screens, found by their types or names: whoever wants one names it, and nobody has to name them all.
#[derive(Debug)]
pub struct Screens {
    /// None in the place of the one that is at work.
    all: Vec<Option<Box<dyn Screen>>>,
}

/// Said of a screen that is not there, which is a mistake in the list of screens.
const MISSING: &str = "the list of screens has every screen";

impl Screens {
    /// Of these, in the order of their digits.
    pub fn new(all: Vec<Box<dyn Screen>>) -> Self {
        Self { all: all.into_iter().map(Some).collect() }
    }

    /// All but the one that is at work, in the order of their digits.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Screen> {
        self.all.iter().flatten().map(|screen| &**screen)
    }

    /// What keys do on each of them.
    pub fn keys(&self) -> Vec<ScreenKeys> {
        let keys = |screen: &dyn Screen| ScreenKeys {
            id: screen.id(),
            tables: screen.bindings(),
            digits: screen.has_digits(),
        };
        self.iter().map(keys).collect()
    }

    /// The screen of a type.
    ///
    /// # Panics
    /// When it is not among them.
    pub fn get<S: Screen>(&self) -> &S {
        self.iter().find_map(|screen| (screen as &dyn Any).downcast_ref()).expect(MISSING)
    }

    /// The same, to be changed.
    ///
    /// # Panics
    /// As [`Screens::get`].
    pub fn get_mut<S: Screen>(&mut self) -> &mut S {
        let mut all = self.all.iter_mut().flatten();
        all.find_map(|screen| (&mut **screen as &mut dyn Any).downcast_mut()).expect(MISSING)
    }

    /// The screen of a name.
    ///
    /// # Panics
    /// As [`Screens::get`].
    pub fn of(&self, id: ScreenId) -> &dyn Screen {
        self.iter().find(|screen| screen.id() == id).expect(MISSING)
    }

    /// Lets every screen do something by itself.
    pub fn each(&mut self, mut work: impl FnMut(&mut dyn Screen)) {
        self.all.iter_mut().flatten().for_each(|screen| work(&mut **screen));
    }

    /// Lets the screen of a name work, beside the others.
    ///
    /// # Panics
    /// As [`Screens::get`].
    pub fn work<T>(&mut self, id: ScreenId, work: impl FnOnce(&mut dyn Screen, &Self) -> T) -> T {
        let is_wanted = |screen: &Option<Box<dyn Screen>>| screen.as_ref().is_some_and(|screen| screen.id() == id);
        let place = self.all.iter().position(is_wanted).expect(MISSING);
        let mut screen = self.all[place].take().expect(MISSING);
        let result = work(&mut *screen, self);
        self.all[place] = Some(screen);
        result
    }
}

/// Something that lies over a screen and gets the keys first.
pub trait Overlay: fmt::Debug {
    /// A key was pressed.
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer;

    /// Text was pasted; false when there is no place for it.
    fn paste(&mut self, _text: &str, _shared: &mut Shared) -> bool {
        false
    }

    /// Its keys with what they do, for the bar at the bottom.
    fn keys(&self, shared: &Shared) -> Vec<(String, &'static str)>;

    /// Draws over the screen; cannot change anything.
    fn draw(&self, _buffer: &mut Buffer, _area: Rect, _shared: &Shared) {}

    /// Whether the texts of a pair can be read beside it.
    fn leaves_texts(&self) -> bool {
        false
    }

    /// The line that is being typed, in the place of messages, behind a sign.
    fn line(&self) -> Option<(&'static str, &Prompt)> {
        None
    }
}

/// What a key did to what lies over a screen.
#[derive(Debug)]
pub enum Answer {
    Stays,
    /// It stays open, and asks for this.
    Asks(Vec<Request>),
    /// It is closed, and asks for this.
    Closed(Vec<Request>),
}

/// Asks a job whether nobody wants it any more.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Work that takes time, done on a thread of the pool. A newer job of the same type replaces an older one, whose result is
/// dropped if it still comes.
pub trait Job: fmt::Debug + Send + Sized + 'static {
    /// What comes of it.
    type Output: Send + 'static;

    /// What is done, as Log shows it.
    const NAME: &'static str;

    /// Whether Log lists it while it runs; not so what is done after nearly every key.
    const LISTED: bool = true;

    /// How long it waits before it begins: what is asked for again at every key should begin after the last one.
    fn pause(&self) -> Duration {
        Duration::ZERO
    }

    /// Does it; none when it was stopped, or when there is nothing to deliver.
    fn run(self, backend: &Backend, stop: Stop<'_>) -> Option<Self::Output>;

    /// What Log says of the result; none when that is not worth a line.
    fn line(output: &Self::Output) -> Option<LogLine>;

    /// Takes the result to where it is wanted.
    fn deliver(output: Self::Output, screens: &mut Screens, shared: &mut Shared) -> Vec<Request>;

    /// There will be no result: the job was cancelled, or it panicked.
    fn lost(_screens: &mut Screens, _shared: &mut Shared) -> Vec<Request> {
        Vec::new()
    }
}

/// What a pane says for which there will be no result.
pub const NO_RESULT: &str = "This could not be read: the work on it broke off. Log says why";

/// A type of jobs, of which only the newest counts.
#[derive(Clone, Copy)]
pub struct Slot {
    /// Which type.
    pub kind: JobKind,
    lost: fn(&mut Screens, &mut Shared) -> Vec<Request>,
}

impl Slot {
    /// Of a type of jobs.
    pub fn of<J: Job>() -> Self {
        Self { kind: JobKind::new::<J>(J::NAME, J::LISTED), lost: J::lost }
    }

    /// There will be no result.
    pub fn lost(self, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        (self.lost)(screens, shared)
    }
}

impl PartialEq for Slot {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Slot {}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name)
    }
}

/// A job of any type.
pub trait AnyJob: Any + fmt::Debug + Send {
    fn slot(&self) -> Slot;

    fn pause(&self) -> Duration;

    /// Does it.
    fn run(self: Box<Self>, backend: &Backend, stop: Stop<'_>) -> Option<Box<dyn Delivery>>;
}

impl<J: Job> AnyJob for J {
    fn slot(&self) -> Slot {
        Slot::of::<J>()
    }

    fn pause(&self) -> Duration {
        Job::pause(self)
    }

    fn run(self: Box<Self>, backend: &Backend, stop: Stop<'_>) -> Option<Box<dyn Delivery>> {
        Some(Box::new(Finished::<J>((*self).run(backend, stop)?)))
    }
}

/// What came of a job of any type.
pub trait Delivery: Send {
    /// What Log says of it.
    fn line(&self) -> Option<LogLine>;

    /// Takes it to where it is wanted.
    fn deliver(self: Box<Self>, screens: &mut Screens, shared: &mut Shared) -> Vec<Request>;
}

struct Finished<J: Job>(J::Output);

impl<J: Job> Delivery for Finished<J> {
    fn line(&self) -> Option<LogLine> {
        J::line(&self.0)
    }

    fn deliver(self: Box<Self>, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        J::deliver(self.0, screens, shared)
    }
}

/// Which job of a slot: results of older ones are late.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    /// The type of the job.
    pub slot: Slot,
    /// Higher for newer ones.
    pub number: u64,
}

/// A job that was given a ticket.
#[derive(Debug)]
pub struct Started {
    pub ticket: Ticket,
    job: Box<dyn AnyJob>,
}

impl Started {
    /// A job with its ticket.
    pub fn new(ticket: Ticket, job: Box<dyn AnyJob>) -> Self {
        Self { ticket, job }
    }

    /// The job, if it is of this type.
    pub fn job<J: Job>(&self) -> Option<&J> {
        (&*self.job as &dyn Any).downcast_ref()
    }

    /// How long to wait before it begins.
    pub fn pause(&self) -> Duration {
        self.job.pause()
    }

    /// Does it; none when it was stopped.
    pub fn run(self, backend: &Backend, stop: Stop<'_>) -> Option<Done> {
        let delivery = self.job.run(backend, stop)?;
        Some(Done { ticket: self.ticket, delivery })
    }

    /// As if this had come of it.
    pub fn done<J: Job>(&self, output: J::Output) -> Done {
        Done { ticket: self.ticket, delivery: Box::new(Finished::<J>(output)) }
    }
}

/// A job that was done.
pub struct Done {
    /// Of the job.
    pub ticket: Ticket,
    /// What came of it.
    pub delivery: Box<dyn Delivery>,
}

impl fmt::Debug for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Done").field(&self.ticket).finish()
    }
}

/// Something that is done outside of the state, by whoever runs the explorer.
#[derive(Debug)]
pub enum Effect {
    /// Do a job on another thread.
    Run(Started),
    /// Nobody wants the job of this slot any more.
    Cancel(Slot),
    /// Write an event into the journal of labels.
    Journal(Arc<dejaview_labels::Event>),
    /// Write an event into the journal of adjudications.
    Adjudicate(Arc<dejaview_labels::Event>),
    /// Put a text into the clipboard, through the terminal.
    Copy(String),
    /// Show a text in the person's pager.
    Page(String),
    /// Let the person edit a text in their editor.
    Edit(String),
    /// Take the mouse, or give it back.
    Mouse(bool),
    /// Draw everything again.
    Redraw,
    /// Give the terminal back until the shell wakes us.
    Suspend,
    /// Leave.
    Quit,
}

/// Which pairs are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairsOf {
    /// Those of a source document.
    Document(String),
    /// Those that a configuration found, by its number.
    Configuration(usize),
    /// Those that a filter admits.
    Filter(String),
}

/// What one screen wants another to show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Show {
    /// A list of pairs.
    Pairs(PairsOf),
    /// Judgments that a filter admits.
    Judgments(String),
    Pair(PairIds),
    /// A pair, and why it matches.
    Why(PairIds),
    /// The first pair of a list that is still being made: see [`News::FirstPair`].
    AwaitedPair,
    /// Pairs whose answer is known.
    CalibrationDeck,
    /// The samples, to choose one.
    Samples,
    /// A sample, to label it or to see how it went.
    Sample(String),
}

/// What happens on one screen and may concern another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// The list is made whose first pair is awaited, if it has one.
    FirstPair(Option<PairIds>),
    /// The next pair of the list is wanted, or the one before.
    PairWanted {
        /// Whether the next one.
        next: bool,
    },
    /// The label of a pair was taken back.
    LabelUndone(PairIds),
    /// Another sample was chosen.
    SampleChosen,
    /// An adjudication is on the disk.
    AdjudicationSaved,
    /// Journals of others have changed.
    LabelsChanged,
    /// Samples were drawn, made longer, drawn again or removed, here or elsewhere.
    SamplesChanged,
    /// The study asks for something else than before: `study.toml` was edited.
    RecipeChanged,
}

/// What a screen, what lies over it, or a result asks for.
#[derive(Debug)]
pub enum Request {
    /// Do this on another thread.
    Job(Box<dyn AnyJob>),
    /// A result that is still to come is not wanted any more.
    Forget(Slot),
    /// Give a job up, and let those who wait for it know.
    Cancel(JobKind),
    /// Something that is done outside of the state.
    Do(Effect),
    /// As if its key had been pressed.
    Act(Action),
    /// Go to the screen that shows this.
    Show(Show),
    /// Go back to where one came from.
    Leave,
    /// Let all screens know.
    Tell(News),
    /// The screen that is shown asks for what it needs: the study was read.
    Refresh,
    /// Lay something over the screen.
    Open(Box<dyn Overlay>),
    /// A line was typed for the screen that is shown.
    Typed(Question, String),
    /// One of a list was picked, or none of it.
    Picked(&'static str, Option<String>),
    /// A note on the pair that is shown was typed.
    NoteTyped(String),
    /// A line was typed behind `:`.
    Command(String),
}

impl Request {
    /// To do a job.
    pub fn job(job: impl Job) -> Self {
        Self::Job(Box::new(job))
    }

    /// To drop the result of a job that is still to come.
    pub fn forget<J: Job>() -> Self {
        Self::Forget(Slot::of::<J>())
    }

    /// To lay something over the screen.
    pub fn open(overlay: impl Overlay + 'static) -> Self {
        Self::Open(Box::new(overlay))
    }
}

impl From<Effect> for Request {
    fn from(effect: Effect) -> Self {
        Self::Do(effect)
    }
}
