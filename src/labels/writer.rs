//! A thread that owns the journal, so that whoever labels never waits for the disk.
//!
//! Events are saved in the order in which they were sent. What waits while the disk is busy is saved with one sync.
//! After a failure everything waits, in order, until a retry succeeds: by itself after a while, or when asked.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{Access, Event, Journal, LabelsError, Reading};

/// What became of events.
#[derive(Debug)]
pub enum Outcome {
    /// The event of this number is on the disk.
    Saved { seq: u64 },
    /// Events are not saved, and still wait.
    Failed {
        seqs: Vec<u64>,
        error: LabelsError,
        /// When the next attempt is made by itself; none when the writer is closing and gives up, or when the disk has not
        /// answered yet and may still save them.
        retry_in: Option<Duration>,
    },
    /// The file was changed by another hand and read again, and lines that had gone from it were written again; this is what
    /// it says now, with what was just saved.
    Reread {
        reading: Box<Reading>,
        /// How many lines had gone and were written again.
        restored: usize,
    },
}

/// How long to wait after a failure: at first, doubled each time, at most.
#[derive(Debug, Clone, Copy)]
pub struct Backoff {
    /// After the first failure.
    pub first: Duration,
    pub most: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { first: Duration::from_millis(250), most: Duration::from_secs(10) }
    }
}

/// A disk that answers no sooner than this is said to be stuck; what waits for it is not saved.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a writer hands back when it has ended.
#[derive(Debug)]
pub struct ClosedWriter {
    pub journal: Journal,
    /// Events that could not be saved, in order. To be shown or kept elsewhere: they are nowhere else.
    pub unsaved: Vec<Arc<Event>>,
}

enum Message {
    Write(Arc<Event>),
    Retry,
}

/// A handle on the thread. Dropping it waits until everything is saved, or has failed once more.
#[derive(Debug)]
pub struct Writer {
    sender: Option<Sender<Message>>,
    /// Tells the thread that looks whether the disk answers.
    watched: Option<Sender<u64>>,
    thread: Option<JoinHandle<ClosedWriter>>,
    counts: Arc<Counts>,
    path: PathBuf,
}

/// What both sides count.
#[derive(Debug, Default)]
struct Counts {
    /// Number of the next event.
    next: AtomicU64,
    pending: AtomicUsize,
    /// Attempts to save that began, and that ended.
    begun: AtomicU64,
    ended: AtomicU64,
}

impl Writer {
    /// Starts the thread. `answer` is called there with every outcome; it must not take long.
    pub fn start(
        journal: Journal,
        backoff: Backoff,
        answer: impl FnMut(Outcome) + Send + 'static,
    ) -> Result<Self, LabelsError> {
        Self::start_watched(journal, backoff, PATIENCE, answer)
    }

    /// The same with another patience.
    pub(super) fn start_watched(
        journal: Journal,
        backoff: Backoff,
        patience: Duration,
        answer: impl FnMut(Outcome) + Send + 'static,
    ) -> Result<Self, LabelsError> {
        let path = journal.path();
        if let Access::ReadOnly { holder, why } = journal.access().clone() {
            return Err(LabelsError::ReadOnly { path, holder, why });
        }
        let (sender, messages) = mpsc::channel();
        let counts = Arc::new(Counts { next: journal.next_seq().into(), ..Counts::default() });
        let answer = Arc::new(Mutex::new(answer));
        let (watched, handed_over) = mpsc::channel();
        let watch = Watch {
            handed_over,
            counts: Arc::clone(&counts),
            answer: Arc::clone(&answer),
            patience,
            path: path.clone(),
        };
        let shared = Arc::clone(&counts);
        let worker = Worker { journal, messages, backoff, answer, counts: shared, queue: Vec::new(), delay: None };
        let failed = |why| LabelsError::File { doing: "starting a thread for", path: path.clone(), why };
        let spawn = |name: &str| thread::Builder::new().name(name.to_owned());
        let thread = spawn("labels").spawn(move || worker.run()).map_err(failed)?;
        spawn("watch").spawn(move || watch.run()).map_err(failed)?;
        Ok(Self { sender: Some(sender), watched: Some(watched), thread: Some(thread), counts, path })
    }

    /// Hands an event over and returns it with its number, by which an [`Outcome`] will name it. An event that has a
    /// number already keeps it.
    pub fn send(&mut self, event: impl Into<Arc<Event>>) -> Result<Arc<Event>, LabelsError> {
        let event: Arc<Event> = event.into();
        let sender = self.sender.as_ref().ok_or(LabelsError::Stopped)?;
        let event = if event.seq == 0 {
            Arc::new(Event { seq: self.counts.next.fetch_add(1, Ordering::Relaxed), ..Arc::unwrap_or_clone(event) })
        } else {
            self.counts.next.fetch_max(event.seq + 1, Ordering::Relaxed);
            event
        };
        self.counts.pending.fetch_add(1, Ordering::Relaxed);
        if sender.send(Message::Write(Arc::clone(&event))).is_err() {
            self.counts.pending.fetch_sub(1, Ordering::Relaxed);
            return Err(LabelsError::Stopped);
        }
        if let Some(watched) = &self.watched {
            // Without the watch events are saved all the same.
            let _ = watched.send(event.seq);
        }
        Ok(event)
    }

    /// Asks for a new attempt now, if something failed.
    pub fn retry(&self) {
        if let Some(sender) = &self.sender {
            // A thread that is gone is told by `send`.
            let _ = sender.send(Message::Retry);
        }
    }

    /// Events handed over and not yet saved.
    pub fn pending(&self) -> usize {
        self.counts.pending.load(Ordering::Relaxed)
    }

    /// Waits until everything is saved or has failed once more, and ends the thread; gives up a disk that does not answer
    /// within this time.
    pub fn close_within(mut self, patience: Duration) -> Result<ClosedWriter, LabelsError> {
        (self.sender, self.watched) = (None, None);
        let thread = self.thread.take().ok_or(LabelsError::Stopped)?;
        let deadline = Instant::now() + patience;
        while !thread.is_finished() {
            if Instant::now() >= deadline {
                return Err(LabelsError::Stuck { path: self.path.clone() });
            }
            thread::sleep(LOOK);
        }
        thread.join().map_err(|_| LabelsError::Stopped)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        (self.sender, self.watched) = (None, None);
        if let Some(thread) = self.thread.take() {
            // What it could not save was answered as failed.
            let _ = thread.join();
        }
    }
}

/// How often it is looked whether the thread that saves has ended.
const LOOK: Duration = Duration::from_millis(5);

/// Says that the disk does not answer: the thread that saves waits for it and cannot.
struct Watch<A> {
    handed_over: Receiver<u64>,
    counts: Arc<Counts>,
    answer: Arc<Mutex<A>>,
    patience: Duration,
    path: PathBuf,
}

impl<A: FnMut(Outcome)> Watch<A> {
    fn run(self) {
        let mut waiting = Vec::new();
        while let Ok(seq) = self.handed_over.recv() {
            waiting.push(seq);
            let mut since = (self.counts.ended.load(Ordering::Relaxed), Instant::now());
            while self.counts.pending.load(Ordering::Relaxed) > 0 {
                let left = self.patience.saturating_sub(since.1.elapsed());
                match self.handed_over.recv_timeout(left) {
                    Ok(seq) => waiting.push(seq),
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => since = (self.look(since.0, &waiting), Instant::now()),
                }
            }
            waiting.clear();
        }
    }

    /// Tells that these events wait, if the same attempt is under way as at the last look; returns how many have ended.
    fn look(&self, before: u64, waiting: &[u64]) -> u64 {
        // Nobody else answers meanwhile: what is saved just now is told after this.
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        let [begun, ended] = [&self.counts.begun, &self.counts.ended].map(|count| count.load(Ordering::SeqCst));
        if begun > ended && ended == before {
            let error = LabelsError::Stuck { path: self.path.clone() };
            answer(Outcome::Failed { seqs: waiting.to_vec(), error, retry_in: None });
        }
        ended
    }
}

fn tell<A: FnMut(Outcome)>(answer: &Mutex<A>, outcome: Outcome) {
    (answer.lock().unwrap_or_else(PoisonError::into_inner))(outcome);
}

struct Worker<A> {
    journal: Journal,
    messages: Receiver<Message>,
    backoff: Backoff,
    answer: Arc<Mutex<A>>,
    counts: Arc<Counts>,
    queue: Vec<Arc<Event>>,
    /// Set after a failure: how long to wait before the next attempt.
    delay: Option<Duration>,
}

impl<A: FnMut(Outcome)> Worker<A> {
    fn run(mut self) -> ClosedWriter {
        while self.listen() {
            self.save(false);
        }
        self.save(true);
        // Here, where a disk that does not answer is not waited for.
        self.journal.unlock();
        ClosedWriter { journal: self.journal, unsaved: self.queue }
    }

    /// Takes messages until there is something to save now; false when there will be no more.
    fn listen(&mut self) -> bool {
        let deadline = self.delay.map(|delay| Instant::now() + delay);
        loop {
            let message = match deadline {
                None => self.messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(deadline) => self.messages.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            };
            match message {
                Ok(Message::Write(event)) => self.queue.push(event),
                Ok(Message::Retry) if self.queue.is_empty() => continue,
                Ok(Message::Retry) | Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
            if deadline.is_none() {
                while let Ok(message) = self.messages.try_recv() {
                    if let Message::Write(event) = message {
                        self.queue.push(event);
                    }
                }
                return true;
            }
        }
    }

    fn save(&mut self, last: bool) {
        if self.queue.is_empty() {
            return;
        }
        let changes = |journal: &Journal| (journal.rereadings(), journal.restored());
        let before = changes(&self.journal);
        self.counts.begun.fetch_add(1, Ordering::SeqCst);
        let saved = self.journal.append_all(&self.queue);
        self.counts.ended.fetch_add(1, Ordering::SeqCst);
        match saved {
            Ok(seqs) => {
                self.queue.clear();
                self.delay = None;
                self.counts.pending.fetch_sub(seqs.len(), Ordering::Relaxed);
                // The file may have brought higher numbers from elsewhere.
                self.counts.next.fetch_max(self.journal.next_seq(), Ordering::Relaxed);
                for seq in seqs {
                    tell(&self.answer, Outcome::Saved { seq });
                }
            }
            Err(error) => {
                let delay = self.delay.map_or(self.backoff.first, |delay| (delay * 2).min(self.backoff.most));
                self.delay = Some(delay);
                let seqs = self.queue.iter().map(|event| event.seq).collect();
                tell(&self.answer, Outcome::Failed { seqs, error, retry_in: (!last).then_some(delay) });
            }
        }
        if changes(&self.journal) != before {
            let (reading, restored) = (Box::new(self.journal.reading().clone()), self.journal.restored() - before.1);
            tell(&self.answer, Outcome::Reread { reading, restored });
        }
    }
}
