//! Reads the documents of many files on several threads, each file in batches.
//!
//! A thread takes the next batch of a file under that file's lock (which does only what must be sequential), lets the
//! lock go, and works on the batch. Up to as many files are open as there are threads, so both one large file and many
//! small ones keep every core busy. The order in which documents arrive is not fixed: callers sort by file and offset.

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use super::MatchingError;
use super::extracted::is_large;
use dejaview_base::panics::{Panic, catch_panic};
use dejaview_base::progress::Progress;
use dejaview_corpus::{Batch, Batches, CorpusError, CorpusItem, Document, Input, Scratch, SkipReason, SkippedRecord};

/// Does something with each document. One a thread.
pub trait Visitor: Send {
    /// A document of file number `file`. Fails with the reason why it is not read after all.
    fn document(&mut self, file: usize, document: &Document<'_>) -> Result<(), SkipReason>;
}

/// Is told of each record that is not read, in any order and from several threads. It holds no more of them than it needs:
/// there may be more than documents.
pub trait SkipListener: Sync {
    fn skipped(&self, skipped: Skipped);
}

/// Listens to nothing: for a reading whose skipped records were listed by another, or that nobody asks for.
#[derive(Debug)]
pub struct Unlisted;

impl SkipListener for Unlisted {
    fn skipped(&self, _: Skipped) {}
}

/// A record that was not read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    pub file: usize,
    /// Where in it, as the corpus counts.
    pub offset: u64,
    /// Stable and short; skipped records are counted by it.
    pub reason: &'static str,
    pub detail: String,
}

/// What reading left behind.
#[derive(Debug)]
pub struct Visited<V> {
    /// One visitor a thread.
    pub visitors: Vec<V>,
    /// XXH3-128 of each file's bytes, in the order of the inputs; 0 for a file that could not be opened.
    pub digests: Vec<u128>,
    pub documents: u64,
    /// Time spent on reading itself, over all threads.
    pub reading: Duration,
}

/// What is said of a record with the id of another.
pub fn repeated(id: &str) -> String {
    format!("{id} is the id of another record, too, and that one counts")
}

struct Open {
    file: usize,
    batches: Mutex<Batches>,
}

#[derive(Default)]
struct Queue {
    /// How many of the chosen files were opened, or passed over.
    next: usize,
    open: Vec<Arc<Open>>,
    digests: Vec<u128>,
    /// The system refused, or a document broke the program: nobody knows what would have been read.
    error: Option<MatchingError>,
}

struct Reader<'a> {
    inputs: &'a [Input],
    /// Numbers of those that are read.
    chosen: &'a [usize],
    threads: usize,
    progress: &'a Progress,
    skips: &'a dyn SkipListener,
    /// Files that are read under another name.
    same_files: HashMap<usize, usize>,
    queue: Mutex<Queue>,
    /// Held by the thread that works on a large document: memory is that of one such document, whatever the threads.
    large: Mutex<()>,
}

/// What one thread has done.
struct Worker<V> {
    visitor: V,
    documents: u64,
    reading: Duration,
}

impl<V> Worker<V> {
    fn new(visitor: V) -> Self {
        Self { visitor, documents: 0, reading: Duration::ZERO }
    }
}

/// Reads all inputs, each document once, and tells `skips` of what is not read. A file of an unknown kind is listed like a
/// record that cannot be read; one that the system does not let us open, or read to its end, is an error, since that may
/// succeed another time.
pub fn visit<V: Visitor>(
    inputs: &[Input],
    threads: usize,
    progress: &Progress,
    skips: &dyn SkipListener,
    make: impl Fn() -> V + Sync,
) -> Result<Visited<V>, MatchingError> {
    let all: Vec<usize> = (0..inputs.len()).collect();
    visit_some(inputs, &all, threads, progress, skips, make)
}

/// Reads those inputs that are `chosen` by their numbers, as [`visit`] reads all.
pub fn visit_some<V: Visitor>(
    inputs: &[Input],
    chosen: &[usize],
    threads: usize,
    progress: &Progress,
    skips: &dyn SkipListener,
    make: impl Fn() -> V + Sync,
) -> Result<Visited<V>, MatchingError> {
    let queue = Mutex::new(Queue { digests: vec![0; inputs.len()], ..Queue::default() });
    let (threads, same_files) = (threads.max(1), Input::same_files(inputs));
    let reader = Reader { inputs, chosen, threads, progress, skips, same_files, queue, large: Mutex::default() };
    let work = || reader.work(Worker::new(make()));
    let finished: Vec<Worker<V>> = thread::scope(|scope| {
        // Where the system starts no more threads, those read that there are: this one, if need be.
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let handles: Vec<_> = (0..reader.threads).map_while(start).collect();
        let own = if handles.is_empty() { Some(work()) } else { None };
        let joined = handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic)));
        own.into_iter().chain(joined).collect()
    });
    let queue = reader.queue.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = queue.error {
        return Err(error);
    }
    let mut visited = Visited { visitors: Vec::new(), digests: queue.digests, documents: 0, reading: Duration::ZERO };
    for worker in finished {
        visited.visitors.push(worker.visitor);
        visited.documents += worker.documents;
        visited.reading += worker.reading;
    }
    Ok(visited)
}

impl Reader<'_> {
    fn work<V: Visitor>(&self, mut worker: Worker<V>) -> Worker<V> {
        let mut scratch = Scratch::default();
        loop {
            let start = Instant::now();
            let Some((file, batch)) = self.take() else { return worker };
            let (bytes, before) = (batch.disk_bytes(), worker.documents);
            let mut visiting = Duration::ZERO;
            let mut broken = false;
            let read = catch_panic(|| {
                batch.read(&mut scratch, &mut |item| match item {
                    _ if broken => {}
                    CorpusItem::Document(document) => {
                        let start = Instant::now();
                        broken = !self.show(file, &document, &mut worker);
                        visiting += start.elapsed();
                    }
                    CorpusItem::Skipped(skip) => self.skips.skipped(Skipped::new(file, skip)),
                });
            });
            if let Err(why) = read {
                self.broke(format!("the file {}", self.inputs[file].name), 0, why);
                return worker;
            }
            worker.reading += start.elapsed() - visiting;
            self.progress.add_bytes(bytes);
            self.progress.add_documents(worker.documents - before);
        }
    }

    /// Shows a document to the visitor; false when the program broke over it.
    fn show<V: Visitor>(&self, file: usize, document: &Document<'_>, worker: &mut Worker<V>) -> bool {
        let _alone = is_large(document).then(|| self.large.lock().unwrap_or_else(PoisonError::into_inner));
        match catch_panic(|| worker.visitor.document(file, document)) {
            Ok(Ok(())) => worker.documents += 1,
            Ok(Err(reason)) => {
                let (offset, detail) = (document.offset, document.id.to_owned());
                self.skips.skipped(Skipped::new(file, SkippedRecord { offset, reason, detail }));
            }
            Err(why) => {
                let place = format!("{}, offset {}", self.inputs[file].name, document.offset);
                self.broke(format!("the document {} ({place})", document.id), document.offset, why);
                return false;
            }
        }
        true
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next batch of any file, or none when all are read or the work was cancelled.
    fn take(&self) -> Option<(usize, Batch)> {
        while !self.progress.cancelled() {
            let open = self.queue().open.clone();
            let free = open.iter().find_map(|file| match file.batches.try_lock() {
                Ok(guard) => Some((file, guard)),
                Err(TryLockError::Poisoned(poisoned)) => Some((file, poisoned.into_inner())),
                Err(TryLockError::WouldBlock) => None,
            });
            let (file, mut guard) = match free {
                Some(free) => free,
                None if self.open_another() => continue,
                None => match open.first() {
                    Some(file) => (file, file.batches.lock().unwrap_or_else(PoisonError::into_inner)),
                    None if self.exhausted() => return None,
                    None => continue,
                },
            };
            match guard.next() {
                Ok(Some(batch)) => return Some((file.file, batch)),
                Ok(None) => self.close(file, guard.digest()),
                Err(error) => self.fail(error.into()),
            }
        }
        None
    }

    /// Ends the reading: the first who breaks is told of.
    fn broke(&self, what: String, offset: u64, why: Panic) {
        self.fail(MatchingError::Broken { what, offset, why });
    }

    /// Ends the reading: the first error counts.
    fn fail(&self, error: MatchingError) {
        self.queue().error.get_or_insert(error);
        self.progress.cancel();
    }

    /// Opens the next file that can be opened, if there is one and not enough are open.
    fn open_another(&self) -> bool {
        let mut queue = self.queue();
        while queue.open.len() < self.threads && queue.next < self.chosen.len() {
            let file = self.chosen[queue.next];
            queue.next += 1;
            if let Some((reason, detail)) = self.inputs[file].obstacle() {
                self.skips.skipped(Skipped::whole(file, reason, detail.to_owned()));
                continue;
            }
            if let Some(first) = self.same_files.get(&file) {
                let detail = format!("it is the same file as {}, which is read", self.inputs[*first].name);
                self.skips.skipped(Skipped::whole(file, SkipReason::FileNotRead, detail));
                continue;
            }
            match Batches::open(&self.inputs[file]) {
                Ok(batches) => {
                    queue.open.push(Arc::new(Open { file, batches: Mutex::new(batches) }));
                    return true;
                }
                Err(error @ (CorpusError::Open { .. } | CorpusError::Read { .. })) => {
                    queue.error.get_or_insert(error.into());
                    self.progress.cancel();
                    return false;
                }
                Err(error) => self.skips.skipped(Skipped::whole(file, SkipReason::FileNotRead, error.to_string())),
            }
        }
        false
    }

    fn exhausted(&self) -> bool {
        let queue = self.queue();
        queue.open.is_empty() && queue.next == self.chosen.len()
    }

    fn close(&self, file: &Arc<Open>, digest: u128) {
        let mut queue = self.queue();
        queue.open.retain(|other| !Arc::ptr_eq(other, file));
        queue.digests[file.file] = digest;
    }
}

impl Skipped {
    /// Whether it is a record with this id: what was found ends with it.
    pub fn is_of(&self, id: &str) -> bool {
        self.detail.strip_suffix(id).is_some_and(|before| before.is_empty() || before.ends_with(": "))
    }

    fn whole(file: usize, reason: SkipReason, detail: String) -> Self {
        Self { file, offset: 0, reason: reason.as_str(), detail }
    }

    /// A record with the id of another, which counts.
    pub(super) fn repeated(file: usize, offset: u64, id: &str) -> Self {
        Self { file, offset, reason: SkipReason::RepeatedId.as_str(), detail: repeated(id) }
    }

    fn new(file: usize, skip: SkippedRecord) -> Self {
        Self { file, offset: skip.offset, reason: skip.reason.as_str(), detail: skip.detail }
    }
}
