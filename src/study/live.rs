//! A study that is looked at while runs go on and files change: everybody shares one snapshot until it is out of date.

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::recipe::files::{judgment_files, matches, topic_files};
use crate::session::Session;
use crate::snapshot::Snapshot;

/// An open study with its newest snapshot.
#[derive(Debug)]
pub struct LiveStudy {
    session: Session,
    newest: Mutex<(Stamp, Arc<Snapshot>)>,
}

impl LiveStudy {
    /// Reads nothing of the study yet.
    pub fn new(session: Session) -> Self {
        let newest = Mutex::new((Stamp::new(&session), Arc::new(Snapshot::new(&session))));
        Self { session, newest }
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The study as it is now. What was read before is kept unless a file that it was read from has changed.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        let now = Stamp::new(&self.session);
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        if newest.0 != now {
            *newest = (now, Arc::new(Snapshot::new(&self.session)));
        }
        newest.1.clone()
    }
}

/// Sizes and dates of the files that a snapshot is read from, so that a change is noticed without reading any.
///
/// Documents are not among them: there may be millions, and a snapshot holds what a run made of them.
#[derive(Debug, PartialEq, Eq)]
struct Stamp(Vec<(PathBuf, Option<(u64, SystemTime)>)>);

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
            let file = fs::metadata(&path).and_then(|file| Ok((file.len(), file.modified()?)));
            (path, file.ok())
        };
        Self(files.map(stamp).collect())
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
}
