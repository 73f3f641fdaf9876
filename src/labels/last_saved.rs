//! The last event of a journal that was saved from this folder, noted outside the journal: whole lines that go from its end, when
//! the file is cut or an earlier copy takes its place, leave no trace in what stays.
//!
//! `.dejaview/journals/<annotator>.last` has number and time of that event on a line, and above it those of such events that were
//! found missing and are not back. It is written once the event is on the disk, so it never tells of one that was not saved. A
//! note that is not there, or cannot be read, says nothing.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use super::line::HIGHEST_NUMBER;
use super::reading::{Parsed, Problem};
use super::storage::put_in_place;
use super::{Annotations, Event};
use dejaview_base::{own_folder, system};

/// The ending of these notes.
const ENDING: &str = "last";

/// Events that a note has at most; the oldest go first.
const MOST: usize = 16;

/// An event by its number and its time, which stay what they are when it is imported into a sample or the other way round.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SavedEvent {
    seq: u64,
    time: String,
}

impl SavedEvent {
    fn parse(line: &str) -> Option<Self> {
        let (seq, time) = line.split_once(' ')?;
        let seq = seq.parse().ok().filter(|seq| *seq <= HIGHEST_NUMBER)?;
        Some(Self { seq, time: time.to_owned() })
    }

    fn is_in(&self, journal: &Parsed) -> bool {
        self.is_among(&journal.reading.events)
    }

    fn is_among(&self, events: &[Arc<Event>]) -> bool {
        events.iter().rev().any(|event| event.seq == self.seq && event.time == self.time)
    }
}

/// Events that were saved in a journal, the newest last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LastSaved(Vec<SavedEvent>);

impl LastSaved {
    /// The note on the journal whose file has this name, without its ending.
    pub(super) fn read(study: &Path, stem: &str) -> Self {
        system::read_text(&path(study, stem)).map(|text| Self::parse(&text)).unwrap_or_default()
    }

    /// What a note says; nothing when any of it is not what a note has.
    fn parse(text: &str) -> Self {
        let lines = text.strip_suffix('\n').into_iter().flat_map(|text| text.split('\n'));
        Self(lines.map(SavedEvent::parse).collect::<Option<Vec<_>>>().unwrap_or_default())
    }

    /// The highest number of an event.
    pub(super) fn highest(&self) -> u64 {
        self.0.iter().map(|saved| saved.seq).max().unwrap_or_default()
    }

    /// Adds the event that was saved last, in place of those that are in the journal. Those that are missing stay told until
    /// they are back, or until somebody removes the note.
    pub(super) fn add(&mut self, event: &Event, journal: &Parsed) {
        self.0.retain(|saved| !saved.is_in(journal));
        self.0.push(SavedEvent { seq: event.seq, time: event.time.clone() });
        self.0.drain(..self.0.len().saturating_sub(MOST));
    }

    /// Puts it in the place of the one before. Where that fails nothing is known of later events, and nothing is lost.
    pub(super) fn write(&self, study: &Path, stem: &str) {
        let _ = put_in_place(&path(study, stem), self.to_string().as_bytes(), false);
    }

    /// That a journal lacks the event, or one of them. Where a damaged line stands in its place, that is told already.
    pub(super) fn problem(&self, study: &Path, stem: &str, journal: &Parsed) -> Option<Problem> {
        let missing = self.0.iter().rev().find(|saved| !saved.is_in(journal) && !journal.has_damaged(saved.seq))?;
        Some(Problem::EndIsGone {
            line: journal.lines + 1,
            seq: missing.seq,
            time: missing.time.clone(),
            note: path(study, stem),
        })
    }
}

impl fmt::Display for LastSaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|saved| writeln!(f, "{} {}", saved.seq, saved.time))
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
    /// Time of its last event.
    pub time: String,
    /// The file that knows of it.
    pub note: PathBuf,
}

impl RemovedJournal {
    /// What that means for whoever uses the labels.
    pub fn sentence(&self) -> String {
        format!(
            "{} is gone with the labels that were saved in it until {}; bring the file back, or remove {} if that is meant",
            self.file,
            self.time,
            self.note.display()
        )
    }
}

/// Journals of the study in `study` that were removed, by name of their files. One whose last event another journal has was
/// renamed, or was a copy.
pub(super) fn removed_journals(study: &Path, others: &[Annotations]) -> Vec<RemovedJournal> {
    let is_elsewhere = |last: &SavedEvent| others.iter().any(|other| last.is_among(&other.reading.events));
    let entries = fs::read_dir(folder(study)).into_iter().flatten().flatten();
    let removed = entries.filter_map(|entry| {
        let name = entry.file_name();
        let stem = name.to_str()?.strip_suffix(ENDING)?.strip_suffix('.')?;
        let file = format!("{stem}.jsonl");
        let is_there = study.join("labels").join(&file).symlink_metadata().is_ok();
        let last = LastSaved::read(study, stem).0.pop().filter(|last| !is_there && !is_elsewhere(last))?;
        Some(RemovedJournal { file, time: last.time, note: entry.path() })
    });
    let mut removed: Vec<RemovedJournal> = removed.collect();
    removed.sort_by(|a, b| a.file.cmp(&b.file));
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventKind, Label};

    #[test]
    fn what_is_written_is_read_and_anything_else_says_nothing() {
        let study = tempfile::tempdir().unwrap();
        let event =
            Event { seq: 120, ..Event::new(EventKind::Label(Label::Not), "s", "t", "2012-01-01T00:00:00.000Z") };
        let mut last = LastSaved::default();
        last.add(&event, &Parsed::default());
        last.add(&Event { seq: 121, ..event }, &Parsed::default());
        last.write(study.path(), "zoë%20b");
        assert_eq!(LastSaved::read(study.path(), "zoë%20b"), last);
        assert_eq!(
            (last.0.len(), last.highest(), LastSaved::read(study.path(), "ann")),
            (2, 121, LastSaved::default())
        );
        let removed = removed_journals(study.path(), &[]);
        assert!(matches!(&removed[..], [one] if one.file == "zoë%20b.jsonl" && one.note.is_file()), "{removed:?}");
        fs::create_dir(study.path().join("labels")).unwrap();
        fs::write(study.path().join("labels").join("zoë%20b.jsonl"), "").unwrap();
        assert_eq!(removed_journals(study.path(), &[]), []);
        for text in ["", "120 2012", "120\n", "x 2012\n", "120 2012\n\n", "18446744073709551615 2012\n"] {
            assert_eq!(LastSaved::parse(text), LastSaved::default(), "{text:?}");
        }
    }
}
