//! A few threads that do all jobs. Of each slot one job runs at a time and the newest waits: what is written is written in
//! order, and no work is done twice.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Backend;
use crate::contract::{Slot, Started};
use crate::event::{Event, Stamped};
use dejaview_base::panics::catch_panic;
use dejaview_study::StudyError;
use dejaview_text::printable;

/// Threads at most. More long jobs than this at once have not been seen, and a thread that waits costs little.
const MOST: usize = 6;
/// How often a job that waits for a pause of the keys looks whether it is still wanted.
const STEP: Duration = Duration::from_millis(10);

/// Jobs that wait, and those that run.
#[derive(Default)]
struct Work {
    waiting: VecDeque<Started>,
    running: Vec<(Slot, Arc<AtomicBool>)>,
    threads: usize,
    idle: usize,
}

impl Work {
    /// The oldest job whose slot is free.
    fn next(&mut self) -> Option<(Started, Arc<AtomicBool>)> {
        let free = |job: &Started| self.running.iter().all(|(slot, _)| *slot != job.ticket.slot);
        let at = self.waiting.iter().position(free)?;
        let job = self.waiting.remove(at)?;
        let stop = Arc::new(AtomicBool::new(false));
        self.running.push((job.ticket.slot, stop.clone()));
        Some((job, stop))
    }

    /// Nobody wants the jobs of a slot that are there.
    fn stop(&mut self, slot: Slot) {
        self.waiting.retain(|job| job.ticket.slot != slot);
        for (_, stop) in self.running.iter().filter(|(running, _)| *running == slot) {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// What the threads share.
struct Shop {
    work: Mutex<Work>,
    news: Condvar,
    backend: Arc<Backend>,
    events: Sender<Stamped>,
    start: Instant,
}

impl Shop {
    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says of all jobs that nobody will do them.
    fn refuse(&self, work: &mut Work, why: io::Error) {
        let why = StudyError::Threads(why).to_string();
        for job in work.waiting.drain(..) {
            let event = Event::Trouble { job: job.ticket, why: why.clone() };
            // Nobody listens when the explorer ends.
            let _ = self.events.send(Stamped { at: self.start.elapsed(), event });
        }
    }

    /// What each thread does, until the explorer is gone.
    fn serve(&self) {
        loop {
            let mut work = self.work();
            let (job, stop) = loop {
                if let Some(next) = work.next() {
                    break next;
                }
                work.idle += 1;
                work = self.news.wait(work).unwrap_or_else(PoisonError::into_inner);
                work.idle -= 1;
            };
            drop(work);
            let (ticket, begins) = (job.ticket, Instant::now() + job.pause());
            let stopped = || stop.load(Ordering::Relaxed);
            while !stopped() && Instant::now() < begins {
                std::thread::sleep(STEP.min(begins.saturating_duration_since(Instant::now())));
            }
            let done = catch_panic(|| if stopped() { None } else { job.run(&self.backend, &stopped) });
            let event = match done {
                Ok(done) => done.map(Event::Done),
                Err(why) => {
                    let why = format!("a worker failed ({}); the rest goes on", printable(&why.to_string()));
                    Some(Event::Trouble { job: ticket, why })
                }
            };
            self.work().running.retain(|(slot, _)| *slot != ticket.slot);
            let Some(event) = event else { continue };
            if self.events.send(Stamped { at: self.start.elapsed(), event }).is_err() {
                return;
            }
        }
    }
}

/// The threads. They begin when there is work, and end with the process.
pub struct Pool {
    shop: Arc<Shop>,
}

impl Pool {
    /// For a study; results go to `events`.
    pub fn new(backend: Arc<Backend>, events: Sender<Stamped>, start: Instant) -> Self {
        let (work, news) = (Mutex::default(), Condvar::new());
        Self { shop: Arc::new(Shop { work, news, backend, events, start }) }
    }

    /// Has a job done, in place of an older one of its slot.
    pub fn start(&self, job: Started) {
        let mut work = self.shop.work();
        work.stop(job.ticket.slot);
        work.waiting.push_back(job);
        if work.waiting.len() > work.idle && work.threads < MOST {
            let shop = self.shop.clone();
            match std::thread::Builder::new().name("jobs".to_owned()).spawn(move || shop.serve()) {
                Ok(_) => work.threads += 1,
                // Those that there are do it, if there are any.
                Err(why) if work.threads == 0 => self.shop.refuse(&mut work, why),
                Err(_) => {}
            }
        }
        self.shop.news.notify_one();
    }

    /// Nobody wants the job of a slot any more.
    pub fn stop(&self, slot: Slot) {
        self.shop.work().stop(slot);
    }
}
