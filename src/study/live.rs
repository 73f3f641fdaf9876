//! A study that is looked at while runs go on and files change: everybody shares one snapshot until it is out of date.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use crate::StudyError;
use crate::recipe::files::{judgment_files, matches, topic_files};
use crate::session::Session;
use crate::snapshot::Snapshot;

/// An open study with its newest snapshot.
#[derive(Debug)]
pub struct LiveStudy {
    newest: Mutex<Newest>,
}

impl LiveStudy {
    /// Reads nothing of the study yet.
    pub fn new(session: Session) -> Self {
        let newest = Newest { stamp: Stamp::new(&session), snapshot: Arc::new(Snapshot::new(&session)) };
        Self { newest: Mutex::new(newest) }
    }

    /// The study as it was last opened.
    pub fn session(&self) -> Session {
        self.newest().snapshot.session().clone()
    }

    /// The study as it is now. What was read before is kept unless a file that it was read from has changed. While
    /// `study.toml` cannot be read, the study as it was before.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        let mut newest = self.newest();
        // Whoever shows the study asks [`Self::renewed`], and says why.
        let _ = newest.renew();
        newest.snapshot.clone()
    }

    /// The same; an error while `study.toml` cannot be read as it is now.
    pub fn renewed(&self) -> Result<Arc<Snapshot>, StudyError> {
        let mut newest = self.newest();
        newest.renew()?;
        Ok(newest.snapshot.clone())
    }

    /// What the files are like now that the study is read from: whoever keeps it sees by the next one that they changed.
    pub fn stamp(&self) -> Stamp {
        let mut newest = self.newest();
        let _ = newest.renew();
        Stamp::new(newest.snapshot.session())
    }

    fn newest(&self) -> MutexGuard<'_, Newest> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The newest snapshot, and what the files were like that it is read from.
#[derive(Debug)]
struct Newest {
    stamp: Stamp,
    snapshot: Arc<Snapshot>,
}

impl Newest {
    /// Takes another snapshot if files have changed, of the study that `study.toml` asks for now.
    fn renew(&mut self) -> Result<(), StudyError> {
        let session = self.snapshot.session();
        let same_recipe = self.stamp.recipe == FileStamp::of(&session.recipe_file());
        let session = if same_recipe { session.clone() } else { session.opened_again()? };
        let now = Stamp::new(&session);
        if self.stamp != now {
            *self = Self { stamp: now, snapshot: Arc::new(Snapshot::new(&session)) };
        }
        Ok(())
    }
}

/// Size and date of a file; none where it is not there.
#[derive(Debug, PartialEq, Eq)]
struct FileStamp(Option<(u64, SystemTime)>);

impl FileStamp {
    fn of(path: &Path) -> Self {
        Self(fs::metadata(path).and_then(|file| Ok((file.len(), file.modified()?))).ok())
    }
}

/// Sizes and dates of the files that a snapshot is read from, so that a change is noticed without reading any.
///
/// Documents are not among them: there may be millions, and a snapshot holds what a run made of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Of `study.toml`.
    recipe: FileStamp,
    others: Vec<(PathBuf, FileStamp)>,
}

impl Stamp {
    fn new(session: &Session) -> Self {
        let (folder, recipe) = (session.folder(), session.recipe());
        let imported = recipe.configurations.iter().filter_map(|c| c.pairs.as_ref());
        let judgments = judgment_files(folder, recipe).unwrap_or_default().into_iter().map(|file| file.path);
        let files = judgments
            .chain(topic_files(folder, recipe).unwrap_or_default())
            .chain(imported.flat_map(|pattern| matches(folder, pattern).unwrap_or_default()))
            .chain(session.workspace().written_by_runs());
        let stamp = |path: PathBuf| {
            let stamp = FileStamp::of(&path);
            (path, stamp)
        };
        let others = files.map(stamp).collect();
        Self { recipe: FileStamp::of(&session.recipe_file()), others }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_snapshot_is_shared_until_a_file_changes() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("study.toml", "name = \"x\"\n[source]\njudgments = [\"*.qrels\"]\n");
        write("a.qrels", "1 0 d1 1\n");
        let study = LiveStudy::new(Session::open(folder.path()).unwrap());
        let mut last = study.snapshot();
        assert_eq!(last.judgments().unwrap().unwrap().documents().len(), 1);
        let mut replaced = || {
            let (now, before) = (study.snapshot(), last.clone());
            last = now.clone();
            !Arc::ptr_eq(&now, &before)
        };
        assert!(!replaced());
        write("labels/ann.jsonl", "");
        assert!(!replaced(), "labels are not part of it");
        write("b.qrels", "1 0 d2 1\n");
        assert!(replaced(), "another file of judgments");
        for written in ["segments/00.json", "source.json", "statistics", "lines", "index/words/seal"] {
            write(&format!(".dejaview/{written}"), "{}");
            assert!(replaced(), "{written}");
        }
        write(".dejaview/segments/00.json", "{ }");
        assert!(replaced() && !replaced(), "a segment that was made again");
        assert_eq!(study.snapshot().judgments().unwrap().unwrap().documents().len(), 2);
    }

    /// An explorer that stays open follows study.toml; while that cannot be read, the study is what it was, and why is said.
    #[test]
    fn a_study_toml_that_was_edited_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let recipe = |name: &str| fs::write(folder.path().join("study.toml"), format!("name = \"{name}\"\n")).unwrap();
        recipe("first");
        let study = LiveStudy::new(Session::open(folder.path()).unwrap());
        let name = || study.snapshot().recipe().name.clone();
        let before = (name(), study.stamp());
        recipe("second one");
        assert_eq!((before.0.as_str(), name().as_str()), ("first", "second one"));
        assert_ne!(before.1, study.stamp());
        assert_eq!(study.session().recipe().name, "second one");
        fs::write(folder.path().join("study.toml"), "nme = 3").unwrap();
        let why = study.renewed().unwrap_err().to_string();
        assert!(why.contains("study.toml") && name() == "second one", "{why}");
        recipe("third");
        assert_eq!(study.renewed().unwrap().recipe().name, "third");
    }
}
