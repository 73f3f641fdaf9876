//! The last event of a journal that was saved from this folder, noted outside the journal: whole lines that go from its end, when
//! the file is cut or an earlier copy takes its place, leave no trace in what stays.
//!
//! `.dejaview/journals/<annotator>.last` has lines: `from` and the number of the first event that was saved under this name here;
//! number and time of the last event, and above it those of such events that were found missing and are not back; a checksum. It is
//! written once the event is on the disk, so it never tells of one that was not saved.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::adjudication::is_adjudication;
use super::annotator::is_named_after;
use super::line::HIGHEST_NUMBER;
use super::reading::{Parsed, Problem};
use super::storage::put_in_place;
use super::{Annotations, Event, annotator_name, file_stem};
use dejaview_base::{hash, own_folder, system};

/// The ending of these notes.
const ENDING: &str = "last";

/// Events that a note has at most; the oldest go first.
const MOST: usize = 16;

/// An event by its number and its time, which stay what they are when it is imported into a sample or the other way round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SavedEvent {
    seq: u64,
    time: String,
}

impl SavedEvent {
    fn parse(line: &str) -> Option<Self> {
        let (seq, time) = line.split_once(' ')?;
        Some(Self { seq: number(seq)?, time: time.to_owned() })
    }

    fn is_among(&self, events: &[Arc<Event>]) -> bool {
        events.iter().rev().any(|event| self.is(event))
    }

    fn is(&self, event: &Event) -> bool {
        event.seq == self.seq && event.time == self.time
    }

    /// Other journals that have the event of this one, and did not save it here under their own name, or are what this one is named
    /// after: the journal was renamed, or joined with them.
    fn moved_to<'a>(
        &self,
        study: &Path,
        stem: &str,
        others: &'a [Annotations],
    ) -> impl Iterator<Item = &'a Annotations> {
        let annotator = annotator_name(stem);
        others.iter().filter(move |other| {
            let from = file_stem(&other.annotator).map_or(0, |stem| LastSaved::read(study, &stem).from);
            let may_have_come = from == 0 || self.seq < from || is_named_after(&annotator, &other.annotator);
            may_have_come && self.is_among(&other.reading.events)
        })
    }

    /// Whether there is such a journal.
    pub(super) fn has_moved(&self, study: &Path, stem: &str, others: &[Annotations]) -> bool {
        self.moved_to(study, stem, others).next().is_some()
    }

    /// That it is not in the journal of this name any more.
    pub(super) fn into_problem(self, study: &Path, stem: &str, line: usize) -> Problem {
        Problem::EndIsGone { line, seq: self.seq, time: self.time, note: path(study, stem) }
    }
}

fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number| *number <= HIGHEST_NUMBER)
}

/// What is known of the end of a journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LastSaved {
    /// The number of the first event that was saved under this name here; 0 where nothing is known.
    from: u64,
    /// Events that were saved, the newest last.
    events: Vec<SavedEvent>,
    /// Whether there is a note that says nothing.
    is_damaged: bool,
}

impl LastSaved {
    /// The note on the journal whose file has this name, without its ending. One that this user may not read is none.
    pub(super) fn read(study: &Path, stem: &str) -> Self {
        match system::read_text(&path(study, stem)) {
            Ok(text) => Self::parse(&text).unwrap_or(Self { is_damaged: true, ..Self::default() }),
            Err(why) if matches!(why.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => Self::default(),
            Err(_) => Self { is_damaged: true, ..Self::default() },
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (body, checksum) = text.strip_suffix('\n')?.rsplit_once("\nchecksum ")?;
        let (from, events) = body.strip_prefix("from ")?.split_once('\n')?;
        let events = events.split('\n').map(SavedEvent::parse).collect::<Option<Vec<_>>>()?;
        (hash::digest(body.as_bytes()) == checksum).then_some(Self { from: number(from)?, events, is_damaged: false })
    }

    /// Whether there is a note that says nothing.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// The highest number of an event.
    pub(super) fn highest(&self) -> u64 {
        self.events.iter().map(|saved| saved.seq).max().unwrap_or_default()
    }

    /// Adds what was saved, in place of events that are in the journal. Those that are missing stay told until they are back, or
    /// until somebody removes the note.
    pub(super) fn add(&mut self, saved: &[Arc<Event>], journal: &Parsed) {
        let ([first, ..], [.., last]) = (saved, saved) else { return };
        self.events.retain(|saved| !saved.is_among(&journal.reading.events));
        self.events.push(SavedEvent { seq: last.seq, time: last.time.clone() });
        self.events.drain(..self.events.len().saturating_sub(MOST));
        self.from = if self.from == 0 { first.seq } else { self.from.min(first.seq) };
    }

    /// The same without events that are known to be in another journal.
    pub(super) fn without(mut self, moved: &[SavedEvent]) -> Self {
        self.events.retain(|saved| !moved.contains(saved));
        if self.events.is_empty() { Self { is_damaged: self.is_damaged, ..Self::default() } } else { self }
    }

    /// Puts it in the place of the one before.
    pub(super) fn write(&self, study: &Path, stem: &str) -> io::Result<()> {
        put_in_place(&path(study, stem), self.to_string().as_bytes(), false)
    }

    /// Events that a journal lacks, the newest first. Where a damaged line stands in the place of one, that is told already.
    pub(super) fn missing(&self, journal: &Parsed) -> Vec<SavedEvent> {
        let is_missing =
            |saved: &&SavedEvent| !saved.is_among(&journal.reading.events) && !journal.has_damaged(saved.seq);
        self.events.iter().rev().filter(is_missing).cloned().collect()
    }

    /// That nothing is known of the end of a journal, although something was.
    pub(super) fn problem(&self, study: &Path, stem: &str, line: usize) -> Option<Problem> {
        self.is_damaged.then(|| Problem::NothingKnownOfEnd { line, note: path(study, stem) })
    }
}

impl fmt::Display for LastSaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events = self.events.iter().map(|saved| format!("\n{} {}", saved.seq, saved.time));
        let body = format!("from {}{}", self.from, events.collect::<String>());
        writeln!(f, "{body}\nchecksum {}", hash::digest(body.as_bytes()))
    }
}

fn folder(study: &Path) -> PathBuf {
    own_folder::of(study).join("journals")
}

fn path(study: &Path, stem: &str) -> PathBuf {
    folder(study).join(format!("{stem}.{ENDING}"))
}

/// A journal that was saved from this folder and is not there any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RemovedJournal {
    /// Name of the file.
    pub file: String,
    /// Time of its last event, where that is known.
    pub time: Option<String>,
    /// The file that knows of it.
    pub note: PathBuf,
}

impl RemovedJournal {
    /// What that means for whoever uses the labels.
    pub fn sentence(&self) -> String {
        let until = self.time.as_ref().map_or(String::new(), |time| format!(" until {time}"));
        format!(
            "{} is gone with the labels that were saved in it{until}; bring the file back, or remove {} if that is meant",
            self.file,
            self.note.display()
        )
    }
}

/// A journal that decides otherwise than when its labels were saved: it was given the name of an adjudicator's journal, or lost it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedRole {
    /// Name of the file, as it is now.
    pub file: String,
    /// Its name when the labels were saved.
    pub former: String,
    /// The file that knows of it.
    pub note: PathBuf,
}

impl ChangedRole {
    /// What that means for whoever uses the labels.
    pub fn sentence(&self) -> String {
        let Self { file, former, note } = self;
        let (now, before) = match is_adjudication(file) {
            true => ("settles disagreements", "those of an annotator"),
            false => ("counts as an annotator", "adjudications"),
        };
        format!(
            "{file} {now}, and its labels were saved as {before}, in {former}; rename it back, or remove {} if that is meant",
            note.display()
        )
    }
}

/// What became of journals that were saved from this folder and are not there under their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct GoneJournals {
    pub(super) removed: Vec<RemovedJournal>,
    pub(super) changed_roles: Vec<ChangedRole>,
}

/// A note on a journal that is not there.
struct LeftNote {
    stem: String,
    path: PathBuf,
    last: LastSaved,
}

impl LeftNote {
    fn read_all(study: &Path) -> Vec<Self> {
        let entries = fs::read_dir(folder(study)).into_iter().flatten().flatten();
        let left = entries.filter_map(|entry| {
            let name = entry.file_name();
            let stem = name.to_str()?.strip_suffix(ENDING)?.strip_suffix('.')?;
            let is_gone = study.join("labels").join(format!("{stem}.jsonl")).symlink_metadata().is_err();
            is_gone.then(|| Self { stem: stem.to_owned(), path: entry.path(), last: LastSaved::read(study, stem) })
        });
        let mut left: Vec<Self> = left.collect();
        left.sort_by(|a, b| a.stem.cmp(&b.stem));
        left
    }

    fn file(&self) -> String {
        format!("{}.jsonl", self.stem)
    }

    fn removed(&self, time: Option<String>) -> RemovedJournal {
        RemovedJournal { file: self.file(), time, note: self.path.clone() }
    }
}

/// What became of the journals of the study in `study` that are not there any more: removed ones by name of their files, and renamed
/// ones that decide otherwise now.
pub(super) fn gone_journals(study: &Path, others: &[Annotations]) -> GoneJournals {
    let left = LeftNote::read_all(study);
    let mut gone = GoneJournals::default();
    for note in &left {
        let Some(event) = note.last.events.last() else {
            gone.removed.extend(note.last.is_damaged.then(|| note.removed(None)));
            continue;
        };
        let holders: Vec<&Annotations> = event.moved_to(study, &note.stem, others).collect();
        let found: usize =
            holders.iter().map(|holder| holder.reading.events.iter().filter(|one| event.is(one)).count()).sum();
        // One table gives several people the same last event: each of them needs one of its own.
        let wanted = left.iter().filter(|other| other.last.events.last() == Some(event)).count();
        if found < wanted {
            gone.removed.push(note.removed(Some(event.time.clone())));
        } else if holders.iter().all(|holder| is_adjudication(&holder.annotator) != is_adjudication(&note.stem)) {
            gone.changed_roles.extend(holders.first().map(|holder| ChangedRole {
                file: holder.file.clone(),
                former: note.file(),
                note: note.path.clone(),
            }));
        }
    }
    gone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventKind, Label, Reading};

    fn event(seq: u64) -> Arc<Event> {
        let event = Event::new(EventKind::Label(Label::Not), "s", "t", "2012-01-01T00:00:00.000Z");
        Arc::new(Event { seq, ..event })
    }

    fn journal(annotator: &str, events: &[u64]) -> Annotations {
        let events = events.iter().map(|seq| event(*seq)).collect();
        let reading = Reading { events, ..Reading::default() };
        Annotations { annotator: annotator.to_owned(), file: format!("{annotator}.jsonl"), reading }
    }

    #[test]
    fn what_is_written_is_read_and_anything_else_is_damaged() {
        let study = tempfile::tempdir().unwrap();
        let mut last = LastSaved::default();
        last.add(&[event(119), event(120)], &Parsed::default());
        last.add(&[event(121)], &Parsed::default());
        last.write(study.path(), "zoë%20b").unwrap();
        assert_eq!(LastSaved::read(study.path(), "zoë%20b"), last);
        assert_eq!((last.from, last.events.len(), last.highest()), (119, 2, 121));
        assert_eq!(LastSaved::read(study.path(), "ann"), LastSaved::default());
        let removed = || gone_journals(study.path(), &[]).removed;
        assert!(
            matches!(&removed()[..], [one] if one.file == "zoë%20b.jsonl" && one.note.is_file()),
            "{:?}",
            removed()
        );
        fs::create_dir(study.path().join("labels")).unwrap();
        fs::write(study.path().join("labels").join("zoë%20b.jsonl"), "").unwrap();
        assert_eq!(removed(), []);
        let whole = last.to_string();
        for at in 0..whole.len() {
            let mut bytes = whole.clone().into_bytes();
            bytes[at] ^= 1;
            for text in [String::from_utf8_lossy(&bytes).into_owned(), whole[..at].to_owned()] {
                assert_eq!(LastSaved::parse(&text), None, "{text:?}");
            }
        }
        fs::write(path(study.path(), "eve"), "40").unwrap();
        assert!(LastSaved::read(study.path(), "eve").is_damaged);
        assert!(removed()[0].sentence().starts_with("eve.jsonl is gone with the labels that were saved in it; "));
    }

    /// One table with labels of two people gives both the same last event.
    #[test]
    fn a_journal_is_renamed_only_where_the_other_name_did_not_save_its_events() {
        let study = tempfile::tempdir().unwrap();
        let mut last = LastSaved::default();
        last.add(&[event(1), event(2)], &Parsed::default());
        last.write(study.path(), "ann").unwrap();
        fs::create_dir(study.path().join("labels")).unwrap();
        for file in ["bob.jsonl", "zoe.jsonl"] {
            fs::write(study.path().join("labels").join(file), "").unwrap();
        }
        let gone = |others: &[Annotations]| gone_journals(study.path(), others).removed.len();
        assert_eq!(gone(&[journal("bob", &[1, 2])]), 0, "nothing was saved as bob here");
        last.write(study.path(), "bob").unwrap();
        assert_eq!(gone(&[journal("bob", &[1, 2])]), 1);
        assert_eq!(gone(&[journal("an", &[1, 2])]), 0);
        last.write(study.path(), "an").unwrap();
        fs::write(study.path().join("labels/an.jsonl"), "").unwrap();
        assert_eq!(gone(&[journal("an", &[1, 2])]), 1, "ann is no copy of an");
        assert_eq!(gone(&[journal("bob", &[1, 2]), journal("zoe", &[1, 2])]), 0);
        let mut later = LastSaved::default();
        later.add(&[event(3)], &Parsed::default());
        later.write(study.path(), "zoe").unwrap();
        assert_eq!(gone(&[journal("bob", &[1, 2]), journal("zoe", &[1, 2, 3])]), 0, "it went on as zoe");
    }

    /// One table gave two people the same last event; then one journal is removed, and the other gets a third name.
    #[test]
    fn a_removed_journal_is_missed_though_another_one_with_its_last_event_was_renamed() {
        let study = tempfile::tempdir().unwrap();
        let mut last = LastSaved::default();
        last.add(&[event(1), event(2)], &Parsed::default());
        last.write(study.path(), "ann").unwrap();
        last.write(study.path(), "bob").unwrap();
        let gone = |others: &[Annotations]| gone_journals(study.path(), others).removed.len();
        assert_eq!(gone(&[journal("zoe", &[1, 2])]), 2, "which of the two was renamed nobody knows");
        assert_eq!(gone(&[journal("zoe", &[1, 2]), journal("eve", &[1, 2])]), 0, "both were renamed");
        assert_eq!(gone(&[journal("zoe", &[1, 2, 2])]), 0, "both were joined: what they said differs");
    }

    #[test]
    fn a_new_name_that_changes_what_a_journal_decides_is_told() {
        let study = tempfile::tempdir().unwrap();
        let mut last = LastSaved::default();
        last.add(&[event(1)], &Parsed::default());
        last.write(study.path(), "ann").unwrap();
        let gone = |name: &str| gone_journals(study.path(), &[journal(name, &[1])]);
        assert_eq!(gone("zoe"), GoneJournals::default());
        let [changed] = &gone("adjudication.ann").changed_roles[..] else { panic!("one journal") };
        let sentence = changed.sentence();
        assert!(sentence.starts_with("adjudication.ann.jsonl settles disagreements, and"), "{sentence}");
        assert!(sentence.contains("as those of an annotator, in ann.jsonl;"), "{sentence}");
        fs::remove_file(&changed.note).unwrap();
        last.write(study.path(), "adjudication.ann").unwrap();
        assert_eq!(gone("adjudication"), GoneJournals::default());
        let sentence = gone("ann").changed_roles[0].sentence();
        assert!(sentence.starts_with("ann.jsonl counts as an annotator, and its labels were saved as adjudications"));
    }
}
