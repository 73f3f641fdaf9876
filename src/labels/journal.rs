//! The journal of one annotator, opened for appending.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::last_saved::{LastSaved, SavedEvent};
use super::lock::{Lock, Refusal};
use super::reading::Parsed;
use super::restoring::{Owed, owed};
use super::storage::still_there;
use super::{Disk, Event, Holder, LabelsError, Reading, Storage, annotator_name, file_stem, line, read_all};
use dejaview_base::both::BothSides;
use dejaview_base::line_limits::{LONGEST_OBJECT, Lines};
use dejaview_base::own_folder;

/// What may be done with a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    Write,
    ReadOnly {
        /// The process that writes it, when that is known.
        holder: Option<Holder>,
        /// Why, in words.
        why: String,
    },
}

/// An open journal.
///
/// It remembers every byte that is known to be on the disk. Before each write the file is looked at again; where it
/// differs (replaced, cut, or longer than it should be), it is read again, and events that it lacks are written with the
/// next one. A few hundred bytes of memory for each event are the price.
#[derive(Debug)]
pub struct Journal {
    storage: Box<dyn Storage>,
    /// The study whose journal it is, which is not made anew when it is gone.
    study: Option<PathBuf>,
    annotator: String,
    access: Access,
    parsed: Parsed,
    both: BothSides,
    /// The whole lines of the file, as they should be there.
    content: Vec<u8>,
    /// Events that were in the file before another hand changed it; the next write begins with them.
    owed: Owed,
    /// Length of a write that failed; up to so many bytes of it may lie behind `content`.
    failed: usize,
    /// Whether the file was replaced and has not been read since.
    stale: bool,
    rereadings: usize,
    restored: usize,
    lock: Option<Lock>,
    /// The last events that are noted outside the file.
    last: LastSaved,
    /// Events that are noted there and that another journal has now.
    moved: Vec<SavedEvent>,
    /// Events that were saved and are not noted, for the disk took no note of them.
    unnoted: Vec<Arc<Event>>,
}

impl Journal {
    /// Opens `labels/<annotator>.jsonl` of the study in `study` and reads all of it. Nothing is written before the first
    /// event. When another process has it open, this one can only read.
    pub fn open(study: &Path, annotator: &str) -> Result<Self, LabelsError> {
        let stem = file_stem(annotator)?;
        let lock = Lock::take(&own_folder::of(study).join("locks").join(format!("{stem}.lock")));
        // Before the journal: whoever writes it now notes what the journal has by then.
        let last = LastSaved::read(study, &stem);
        let storage = Disk::new(&study.join("labels").join(format!("{stem}.jsonl")));
        let mut journal = Self::with_storage(Box::new(storage), annotator.trim())?;
        journal.study = still_there(study).is_ok().then(|| study.to_owned());
        journal.last = last;
        journal.look_for_last(study, &stem);
        match lock {
            Ok(lock) => journal.lock = Some(lock),
            Err(Refusal { holder, why }) => journal.access = Access::ReadOnly { holder, why },
        }
        Ok(journal)
    }

    /// Notes where the end of the journal is gone. What another journal has is not: it was renamed, and numbers begin anew.
    fn look_for_last(&mut self, study: &Path, stem: &str) {
        let (line, mut missing) = (self.parsed.lines + 1, self.last.missing(&self.parsed));
        self.parsed.reading.problems.extend(self.last.problem(study, stem, line));
        if missing.is_empty() {
            return;
        }
        // Journals of others that cannot be read keep nobody from labelling; whoever uses them says so.
        let mut others = read_all(study, &self.both).unwrap_or_default();
        others.retain(|other| other.annotator != annotator_name(stem));
        self.moved = missing.extract_if(.., |event| event.has_moved(study, stem, &others)).collect();
        self.last = std::mem::take(&mut self.last).without(&self.moved);
        let gone = missing.into_iter().next().map(|event| event.into_problem(study, stem, line));
        self.parsed.reading.problems.extend(gone);
    }

    /// Opens a journal on any storage, without a lock.
    pub fn with_storage(mut storage: Box<dyn Storage>, annotator: &str) -> Result<Self, LabelsError> {
        let read = storage.look().and_then(|_| storage.read());
        let path = storage.path().to_owned();
        let lines = read.map_err(|why| LabelsError::File { doing: "reading", path, why })?;
        let both = BothSides::default();
        let parsed = Parsed::of_lines(&lines.bytes, &lines.long, &both);
        // Where bytes of the file are not held it is not known what to append to.
        let access = match must_be_held(&lines) {
            Ok(()) => Access::Write,
            Err(why) => Access::ReadOnly { holder: None, why: why.to_string() },
        };
        let mut content = lines.bytes;
        content.truncate(parsed.whole);
        Ok(Self {
            storage,
            study: None,
            annotator: annotator.to_owned(),
            access,
            parsed,
            both,
            content,
            owed: Owed::default(),
            failed: 0,
            stale: false,
            rereadings: 0,
            restored: 0,
            lock: None,
            last: LastSaved::default(),
            moved: Vec::new(),
            unnoted: Vec::new(),
        })
    }

    /// The same journal, pairs of documents that stand on both sides as the study has them.
    #[must_use]
    pub fn turned(mut self, both: &BothSides) -> Self {
        if !both.is_empty() {
            let problems = std::mem::take(&mut self.parsed.reading.problems);
            (self.both, self.parsed) = (both.clone(), Parsed::new(&self.content, both));
            self.parsed.reading.problems = problems;
        }
        self
    }

    pub fn annotator(&self) -> &str {
        &self.annotator
    }

    pub fn path(&self) -> PathBuf {
        self.storage.path().to_owned()
    }

    /// Whether it can be written.
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// All its events, what follows from them, and what is wrong with it.
    pub fn reading(&self) -> &Reading {
        &self.parsed.reading
    }

    /// The number that the next event gets. What is gone from the end leaves a gap, which is told for ever.
    pub fn next_seq(&self) -> u64 {
        self.parsed.highest.max(self.last.highest()) + 1
    }

    /// Lets other processes write.
    pub(super) fn unlock(&mut self) {
        self.lock = None;
    }

    /// How often the file was found changed by another hand and read again.
    pub fn rereadings(&self) -> usize {
        self.rereadings
    }

    /// How many lines had gone from the file, by another hand, and were written again.
    pub fn restored(&self) -> usize {
        self.restored
    }

    /// Saves an event and returns its number; it is on the disk by then. An event without a number gets the next one. An
    /// event that is there already, number and content, is not written again: so trying again is safe.
    ///
    /// After an error the event is not saved, and the file ends with the last line before it (if even that could not be
    /// had, the next call sees to it first).
    pub fn append(&mut self, event: &Event) -> Result<u64, LabelsError> {
        Ok(self.append_all(&[Arc::new(event.clone())])?.first().copied().unwrap_or(event.seq))
    }

    /// Saves several events with one write and one sync: all, or after an error none.
    pub fn append_all(&mut self, events: &[Arc<Event>]) -> Result<Vec<u64>, LabelsError> {
        if let Access::ReadOnly { holder, why } = &self.access {
            return Err(LabelsError::ReadOnly { path: self.path(), holder: holder.clone(), why: why.clone() });
        }
        if events.is_empty() {
            return Ok(Vec::new());
        }
        self.study.as_deref().map_or(Ok(()), still_there).map_err(|why| self.error("saving in", why))?;
        if let Some(Err(Refusal { holder, why })) = self.lock.as_mut().map(Lock::renew) {
            return Err(LabelsError::ReadOnly { path: self.path(), holder, why });
        }
        self.settle().map_err(|why| self.error("looking for the last whole line of", why))?;
        let (mut lines, mut seqs, mut added, mut next) = (Vec::new(), Vec::new(), Vec::new(), self.next_seq());
        for event in events {
            let seq = if event.seq == 0 { next } else { event.seq };
            if seq > line::HIGHEST_NUMBER {
                let why = "its last number is the highest that there is; label under another name";
                return Err(self.error("saving in", io::Error::other(why)));
            }
            next = next.max(seq + 1);
            seqs.push(seq);
            let event = match event.seq == seq {
                true => Arc::clone(event),
                false => Arc::new(Event { seq, ..Event::clone(event) }),
            };
            let (text, crc) = line::encode(&event);
            if text.len() > LONGEST_OBJECT {
                let why = "what is said of a pair is longer than 16 MiB, the most that a line may be; shorten its note";
                return Err(self.error("saving in", io::Error::other(why)));
            }
            if !self.parsed.known.contains(&(seq, crc)) {
                lines.extend_from_slice(text.as_bytes());
                lines.push(b'\n');
                added.push((event, crc));
            }
        }
        self.write(&lines).map_err(|why| self.error("saving in", why))?;
        for (event, crc) in added {
            self.unnoted.push(Arc::clone(&event));
            self.parsed.add(event, crc);
        }
        self.note_last();
        Ok(seqs)
    }

    /// Notes the last event that was saved. Where the disk takes no note the next event tries it again, and so does the end.
    fn note_last(&mut self) {
        let (Some(study), Ok(stem)) = (&self.study, file_stem(&self.annotator)) else { return };
        // As it is now: somebody may have removed it, to be told no more.
        self.last = LastSaved::read(study, &stem).without(&self.moved);
        if self.last.is_damaged() {
            // It stays told until somebody has looked at the journal and removed the note.
            return self.unnoted.clear();
        }
        self.last.add(&self.unnoted, &self.parsed);
        if self.last.write(study, &stem).is_ok() {
            self.unnoted.clear();
        }
    }

    fn error(&self, doing: &'static str, why: io::Error) -> LabelsError {
        LabelsError::File { doing, path: self.path(), why }
    }

    /// Appends whole lines, after those that the file lacks, and waits for the disk.
    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        let unended = self.content.last().is_some_and(|&last| last != b'\n');
        let bytes = [if unended { &b"\n"[..] } else { b"" }, &self.owed.bytes, lines].concat();
        let written = self.storage.append(&bytes).and_then(|()| self.storage.sync());
        if let Err(why) = written {
            self.failed = bytes.len();
            // When this fails too, the next write begins with it.
            let _ = self.settle();
            return Err(why);
        }
        self.content.extend_from_slice(&bytes);
        self.restored += std::mem::take(&mut self.owed).lines;
        Ok(())
    }

    /// Makes sure that the file ends with its last whole line and holds what it should.
    ///
    /// What a failed write left is cut off, so that its lines are written anew: a sync that failed once may succeed later
    /// without having kept them. What somebody else wrote is never cut off.
    fn settle(&mut self) -> io::Result<()> {
        let seen = self.storage.look()?;
        self.stale |= seen.replaced;
        let end = self.content.len() as u64;
        if !self.stale && seen.length > end && seen.length <= end + self.failed as u64 {
            self.storage.cut(end)?;
        } else if self.stale || seen.length != end {
            self.reread()?;
        }
        self.failed = 0;
        Ok(())
    }

    /// Reads the file again, sets a torn end aside, and notes the events that were in it and are not any more.
    fn reread(&mut self) -> io::Result<()> {
        let read = self.storage.read()?;
        must_be_held(&read)?;
        let mut bytes = read.bytes;
        let mut parsed = Parsed::new(&bytes, &self.both);
        if parsed.whole < bytes.len() {
            self.storage.set_aside(&bytes[parsed.whole..])?;
            self.storage.cut(parsed.whole as u64)?;
            bytes.truncate(parsed.whole);
        }
        let owed = owed(lines(&self.content).chain(lines(&self.owed.bytes)), &mut parsed);
        self.rereadings += usize::from(parsed.reading.events != self.parsed.reading.events);
        (self.content, self.owed, self.parsed, self.stale) = (bytes, owed, parsed, false);
        Ok(())
    }
}

/// An error where a line of a journal is too long, and so not held.
fn must_be_held(lines: &Lines) -> io::Result<()> {
    let Some(long) = lines.long.first() else { return Ok(()) };
    Err(io::Error::other(format!("line {}: {long}", long.line)))
}

impl Drop for Journal {
    fn drop(&mut self) {
        if !self.unnoted.is_empty() {
            self.note_last();
        }
    }
}

/// The lines of a journal, without their ends.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&b| b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).filter(|line| !line.is_empty())
}
