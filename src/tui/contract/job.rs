//! What a job is, how it is started and what comes of it.

use std::any::Any;
use std::fmt;
use std::time::Duration;

use super::{Request, Screens};
use crate::jobs::Backend;
use crate::logbook::{JobKind, LogLine};
use crate::shared::Shared;

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
