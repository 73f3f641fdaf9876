//! A study that is looked at while runs go on and files change: everybody shares one snapshot until it is out of date.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::StudyError;
use crate::recipe::Pattern;
use crate::recipe::files::matches;
use crate::session::{FileStamp, Session};
use crate::snapshot::Snapshot;

/// An open study with its newest snapshot.
#[derive(Debug)]
pub struct LiveStudy {
    newest: Mutex<Arc<Newest>>,
}

impl LiveStudy {
    /// Reads nothing of the study yet.
    pub fn new(session: Session) -> Self {
        Self { newest: Mutex::new(Arc::new(Newest::new(&session, StudyFiles::of(&session)))) }
    }

    /// The study as it was last opened.
    pub fn session(&self) -> Session {
        self.newest().snapshot.session().clone()
    }

    /// The study as it is now. What was read before is kept unless a file that it was read from has changed. While
    /// `study.toml` cannot be read, the study as it was before.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        // Whoever shows the study asks [`Self::renewed`], and says why.
        self.renew().unwrap_or_else(|_| self.newest().clone()).snapshot.clone()
    }

    /// The same; an error while `study.toml` cannot be read as it is now.
    pub fn renewed(&self) -> Result<Arc<Snapshot>, StudyError> {
        Ok(self.renew()?.snapshot.clone())
    }

    /// What the files of the study are like now: whoever keeps it sees by the next one what has changed.
    pub fn stamp(&self) -> Stamp {
        let study = match self.renew() {
            Ok(newest) => newest.files.clone(),
            Err(_) => {
                let session = self.session();
                StudyFiles { recipe: session.recipe_stamp_now(), ..StudyFiles::of(&session) }
            }
        };
        let session = self.session();
        let [samples, labels] = ["samples", "labels"].map(|name| Files::written_into(&session.folder().join(name)));
        Stamp { study, samples, labels }
    }

    fn newest(&self) -> MutexGuard<'_, Arc<Newest>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes another snapshot if files have changed, of the study that `study.toml` asks for now. Others need not wait while
    /// the files are looked at.
    fn renew(&self) -> Result<Arc<Newest>, StudyError> {
        loop {
            let known = self.newest().clone();
            let session = known.snapshot.session();
            let same_recipe = *session.recipe_stamp() == session.recipe_stamp_now();
            let session = if same_recipe { session.clone() } else { session.opened_again()? };
            let files = StudyFiles::of(&session);
            if files == known.files {
                return Ok(known);
            }
            let mut newest = self.newest();
            // Where somebody else has taken one meanwhile, it is shared.
            if Arc::ptr_eq(&newest, &known) {
                *newest = Arc::new(Newest::new(&session, files));
                return Ok(newest.clone());
            }
        }
    }
}

/// The newest snapshot, and what the files were like that it is read from.
#[derive(Debug)]
struct Newest {
    files: StudyFiles,
    snapshot: Arc<Snapshot>,
}

impl Newest {
    fn new(session: &Session, files: StudyFiles) -> Self {
        Self { files, snapshot: Arc::new(Snapshot::new(session)) }
    }
}

/// What the files of a study are like at one moment, so that a change is noticed without reading any.
#[derive(Debug)]
pub struct Stamp {
    /// What a snapshot is read from.
    pub study: StudyFiles,
    pub samples: Files,
    /// The journals of labels.
    pub labels: Files,
}

/// Sizes and dates of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files(Vec<(PathBuf, FileStamp)>);

impl Files {
    fn of(paths: impl Iterator<Item = PathBuf>) -> Self {
        let stamp = |path: PathBuf| {
            let stamp = FileStamp::of(&path);
            (path, stamp)
        };
        Self(paths.map(stamp).collect())
    }

    /// The same without those of some names.
    #[must_use]
    pub fn without(&self, names: &[String]) -> Self {
        let is_named = |path: &Path| names.iter().any(|name| path.file_name().is_some_and(|file| file == &**name));
        Self(self.0.iter().filter(|(path, _)| !is_named(path)).cloned().collect())
    }

    /// The samples or journals in a folder.
    fn written_into(folder: &Path) -> Self {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "jsonl")).collect();
        paths.sort();
        Self::of(paths.into_iter())
    }
}

/// Sizes and dates of the files that a snapshot is read from.
///
/// Documents are not among them: there may be millions, and a snapshot holds what a run made of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyFiles {
    /// `study.toml` as it was when the recipe was read.
    recipe: FileStamp,
    others: Files,
}

impl StudyFiles {
    fn of(session: &Session) -> Self {
        let (folder, recipe) = (session.folder(), session.recipe());
        let imported = recipe.configurations.iter().filter_map(|c| c.pairs.as_ref());
        let lists = recipe.source.judgments.iter().chain(&recipe.source.topics).chain(imported);
        // A pattern that names no file hides none of another pattern.
        let named = |pattern: &Pattern| matches(folder, pattern).unwrap_or_default();
        let guidelines = recipe.labels.guidelines.iter().map(|name| folder.join(name));
        let files = lists.flat_map(named).chain(guidelines).chain(session.workspace().written_by_runs());
        Self { recipe: session.recipe_stamp().clone(), others: Files::of(files) }
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
        write("samples/drawn.jsonl", "");
        assert!(!replaced(), "nor are samples");
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
        let before = (name(), study.stamp().study);
        recipe("second one");
        assert_eq!((before.0.as_str(), name().as_str()), ("first", "second one"));
        let second = study.stamp().study;
        assert_ne!(before.1, second);
        assert_eq!(study.session().recipe().name, "second one");
        fs::write(folder.path().join("study.toml"), "nme = 3").unwrap();
        let why = study.renewed().unwrap_err().to_string();
        assert!(why.contains("study.toml") && name() == "second one", "{why}");
        let unreadable = study.stamp().study;
        assert!(unreadable != second && unreadable == study.stamp().study, "a change, and one alone");
        recipe("third");
        assert_eq!(study.renewed().unwrap().recipe().name, "third");
    }

    #[test]
    fn a_study_toml_that_was_saved_since_it_was_read_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let recipe = |name: &str| fs::write(folder.path().join("study.toml"), format!("name = \"{name}\"\n")).unwrap();
        recipe("first");
        let session = Session::open(folder.path()).unwrap();
        recipe("second one");
        assert_eq!(LiveStudy::new(session).snapshot().recipe().name, "second one");
    }

    /// What one pattern names is looked at though another names no file, which is an error when it is read.
    #[test]
    fn a_file_that_changes_is_seen_beside_a_pattern_without_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("study.toml", "[source]\njudgments = [\"a*.qrels\", \"b*.qrels\"]\ntopics = [\"c*.txt\", \"d*.txt\"]\n");
        let study = LiveStudy::new(Session::open(folder.path()).unwrap());
        let mut before = study.stamp().study;
        for name in ["a.qrels", "c.txt", "b.qrels", "d.txt"] {
            for text in ["1 0 d1 1\n", "1 0 d1 1\n1 0 d2 1\n"] {
                write(name, text);
                let now = study.stamp().study;
                assert_ne!(std::mem::replace(&mut before, now.clone()), now, "{name}");
            }
        }
    }

    /// Samples and labels are watched, each by itself: neither costs the others that the study is read again.
    #[test]
    fn samples_and_labels_are_watched_beside_the_study() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
            fs::write(folder.path().join(name), text).unwrap();
        };
        write("study.toml", "");
        let study = LiveStudy::new(Session::open(folder.path()).unwrap());
        let mut before = study.stamp();
        let mut changed = || {
            let now = study.stamp();
            let before = std::mem::replace(&mut before, study.stamp());
            [before.study != now.study, before.samples != now.samples, before.labels != now.labels]
        };
        for (name, expected) in [("samples/s.jsonl", [false, true, false]), ("labels/ann.jsonl", [false, false, true])]
        {
            for text in ["1", "22"] {
                write(name, text);
                assert_eq!(changed(), expected, "{name}");
                assert_eq!(changed(), [false; 3], "{name}");
            }
        }
        write("labels/.ann.jsonl.new", "");
        assert_eq!(changed(), [false; 3], "a file on its way");
    }
}
