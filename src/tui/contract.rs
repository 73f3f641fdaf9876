//! What a screen is, what a job is, and what both may ask for. One file, since each of the three names the other two.

use std::any::{Any, TypeId};
use std::fmt;

use super::jobs::Backend;
use super::pair_ids::PairIds;
use super::shared::Shared;

/// One place where a person can be.
pub trait Screen: Any + fmt::Debug {}

/// All screens, found by their types: whoever wants one names it, and nobody has to name them all.
#[derive(Debug)]
pub struct Screens {
    all: Vec<Box<dyn Screen>>,
}

impl Screens {
    /// Of these, in the order of their digits.
    pub fn new(all: Vec<Box<dyn Screen>>) -> Self {
        Self { all }
    }

    /// The screen of a type.
    ///
    /// # Panics
    /// When it is not among them, which is a mistake in the list of screens.
    pub fn get<S: Screen>(&self) -> &S {
        let found = self.all.iter().find_map(|screen| (&**screen as &dyn Any).downcast_ref());
        found.expect("the list of screens has every screen")
    }

    /// The same, to be changed.
    ///
    /// # Panics
    /// As [`Screens::get`].
    pub fn get_mut<S: Screen>(&mut self) -> &mut S {
        let found = self.all.iter_mut().find_map(|screen| (&mut **screen as &mut dyn Any).downcast_mut());
        found.expect("the list of screens has every screen")
    }
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

/// What Log says of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogLine {
    /// It was done.
    Done(String),
    /// The person is told this.
    Said(String),
    /// It went wrong.
    Wrong(String),
}

impl LogLine {
    /// Of a result: what was done, or what went wrong.
    pub fn of<T>(result: &Result<T, String>, done: impl FnOnce(&T) -> String) -> Option<Self> {
        Some(match result {
            Ok(value) => Self::Done(done(value)),
            Err(why) => Self::Wrong(why.clone()),
        })
    }

    /// What was done, in fixed words.
    pub fn done(text: &str) -> Option<Self> {
        Some(Self::Done(text.to_owned()))
    }
}

/// A type of jobs, of which only the newest counts.
#[derive(Clone, Copy)]
pub struct Slot {
    id: TypeId,
    /// What is done.
    pub name: &'static str,
    /// Whether Log lists it.
    pub listed: bool,
    lost: fn(&mut Screens, &mut Shared) -> Vec<Request>,
}

impl Slot {
    /// Of a type of jobs.
    pub fn of<J: Job>() -> Self {
        Self { id: TypeId::of::<J>(), name: J::NAME, listed: J::LISTED, lost: J::lost }
    }

    /// There will be no result.
    pub fn lost(self, screens: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        (self.lost)(screens, shared)
    }
}

impl PartialEq for Slot {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Slot {}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A job of any type.
pub trait AnyJob: Any + fmt::Debug + Send {
    /// Its slot.
    fn slot(&self) -> Slot;

    /// Does it.
    fn run(self: Box<Self>, backend: &Backend, stop: Stop<'_>) -> Option<Box<dyn Delivery>>;
}

impl<J: Job> AnyJob for J {
    fn slot(&self) -> Slot {
        Slot::of::<J>()
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
    /// Its ticket.
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
    Journal(Box<dejaview_labels::Event>),
    /// Write an event into the journal of adjudications.
    Adjudicate(Box<dejaview_labels::Event>),
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

/// What a screen or a result asks for.
#[derive(Debug)]
pub enum Request {
    /// Do this on another thread.
    Job(Box<dyn AnyJob>),
    /// A result that is still to come is not wanted any more.
    Forget(Slot),
    /// Give a job up, and let those who wait for it know.
    Cancel(Slot),
    /// Something that is done outside of the state.
    Do(Effect),
    /// The screen that is shown asks for what it needs: the study was read.
    Refresh,
    /// Compare opens the pair that it waits for, or none; unless another was opened meanwhile.
    OpenAwaited(Option<PairIds>),
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
}

impl From<Effect> for Request {
    fn from(effect: Effect) -> Self {
        Self::Do(effect)
    }
}
