//! What a run of this study is doing now, whoever started it, and how it is asked to stop.
//!
//! While a run works, a thread beside it writes how far it is into `run.json`, twice a second. Whether that still holds says
//! the lock of the run, which the system releases however the process ends: a report without a lock is left from a run that
//! did not reach its end. A run that does removes its report. Whoever wants it to stop puts the file `run.stop` beside it;
//! the run sees it at its next report, finishes no further segment and keeps those that are finished. A file also reaches a
//! run of another terminal or machine, where a signal would not.

use std::fs;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::StudyError;
use crate::run::watch::{Stage, Watch};
use crate::run::workspace::{Workspace, read_json};
use crate::session::Session;
use dejaview_base::progress::Progress;
use dejaview_matching::MatchingError;

/// Time between two reports.
const INTERVAL: Duration = Duration::from_millis(500);

/// How far a run is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunProgress {
    /// Number of the process that runs.
    pub process: u32,
    /// In words: `source`, `segment 02`.
    pub stage: String,
    /// Segments that are finished, those of earlier runs included.
    pub finished: usize,
    /// Segments of the study.
    pub segments: usize,
    /// Documents read in this stage.
    pub documents: u64,
    /// Pairs found by this run, over all configurations.
    pub pairs: u64,
    /// Bytes read in this stage.
    pub bytes: u64,
    /// Bytes to read in this stage; 0 where nobody knows.
    pub total_bytes: u64,
    /// Since the run began.
    pub seconds: u64,
    /// Why the run ended early; none while it runs, and when it was killed.
    pub ended: Option<String>,
}

/// What a run of a study is doing.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum RunState {
    /// No run is at work, and the last one reached its end.
    #[default]
    Idle,
    Running(RunProgress),
    /// The last run ended before its end: it was stopped or killed, or it failed.
    Interrupted(RunProgress),
}

impl RunState {
    /// The report of the run that is at work.
    pub fn running(&self) -> Option<&RunProgress> {
        match self {
            Self::Running(progress) => Some(progress),
            Self::Idle | Self::Interrupted(_) => None,
        }
    }
}

/// What a run in this study is doing now, be it started by this process or by another.
pub fn run_state(session: &Session) -> RunState {
    let workspace = session.workspace();
    let report = || read_json::<RunProgress>(&workspace.run_report());
    if workspace.is_locked() {
        return RunState::Running(report().unwrap_or_default());
    }
    report().map_or(RunState::Idle, RunState::Interrupted)
}

/// Asks the run that is at work in this study to stop. It does so within moments; finished segments are kept.
pub fn stop_run(session: &Session) -> Result<(), StudyError> {
    let path = session.workspace().stop_request();
    fs::write(&path, "").map_err(|why| StudyError::File { doing: "asking the run to stop by writing", path, why })
}

/// Does the work of a run while its progress is reported.
pub(crate) fn with_reports<T>(
    workspace: &Workspace,
    watch: &dyn Watch,
    work: impl FnOnce(&dyn Watch) -> Result<T, StudyError>,
) -> Result<T, StudyError> {
    let reporter = Reporter::new(workspace, watch);
    let _ = fs::remove_file(workspace.stop_request());
    reporter.write();
    let (working, done) = mpsc::channel();
    let result = thread::scope(|scope| {
        let reporter = &reporter;
        let follower = thread::Builder::new().spawn_scoped(scope, move || reporter.follow(&done));
        let result = follower.map_err(StudyError::Threads).and_then(|_| work(reporter));
        drop(working);
        result
    });
    let _ = fs::remove_file(workspace.stop_request());
    reporter.finish(result.as_ref().err());
    result
}

/// Passes on what a run reports, and writes it down.
struct Reporter<'a> {
    workspace: &'a Workspace,
    watch: &'a dyn Watch,
    start: Instant,
    state: Mutex<RunProgress>,
}

impl<'a> Reporter<'a> {
    fn new(workspace: &'a Workspace, watch: &'a dyn Watch) -> Self {
        let progress = RunProgress { process: std::process::id(), stage: "start".to_owned(), ..RunProgress::default() };
        Self { workspace, watch, start: Instant::now(), state: Mutex::new(progress) }
    }

    /// Writes reports until the run is over, and stops it when that is asked for.
    fn follow(&self, done: &Receiver<()>) {
        while done.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            if self.workspace.stop_request().exists() {
                self.watch.progress().cancel();
            }
            self.write();
        }
    }

    /// Changes what is reported, and writes it.
    fn report(&self, change: impl FnOnce(&mut RunProgress)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.write();
    }

    /// Writes the report. A run does not fail because nobody can be told how far it is.
    fn write(&self) {
        let mut progress = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let counters = self.watch.progress();
        progress.documents = counters.documents_in_stage();
        progress.pairs = counters.pairs.load(Ordering::Relaxed);
        progress.bytes = counters.bytes_in_stage().min(progress.total_bytes);
        progress.seconds = self.start.elapsed().as_secs();
        let path = self.workspace.run_report();
        let temporary = path.with_extension("part");
        if let Ok(text) = serde_json::to_vec(&*progress) {
            let _ = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, &path));
        }
    }

    fn finish(&self, failure: Option<&StudyError>) {
        match failure {
            None => drop(fs::remove_file(self.workspace.run_report())),
            Some(StudyError::Matching(MatchingError::Cancelled)) => self.end("it was stopped".to_owned()),
            Some(why) => self.end(why.to_string()),
        }
    }

    fn end(&self, why: String) {
        self.report(|progress| progress.ended = Some(why));
    }
}

impl Watch for Reporter<'_> {
    fn progress(&self) -> &Progress {
        self.watch.progress()
    }

    fn began(&self, stage: Stage<'_>) {
        self.watch.began(stage);
        self.report(|progress| {
            progress.stage = stage.name();
            progress.total_bytes = stage.bytes();
        });
    }

    fn finished(&self, finished: usize, segments: usize) {
        self.watch.finished(finished, segments);
        self.report(|progress| (progress.finished, progress.segments) = (finished, segments));
    }

    fn remark(&self, remark: &str) {
        self.watch.remark(remark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::watch::Unwatched;

    fn study() -> (tempfile::TempDir, Session) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("study.toml"), "name = \"x\"\n").unwrap();
        let session = Session::open(folder.path()).unwrap();
        (folder, session)
    }

    #[test]
    fn a_run_that_reached_its_end_leaves_nothing() {
        let (_folder, session) = study();
        assert_eq!(run_state(&session), RunState::Idle, "before any run");
        let lock = session.workspace().lock().unwrap();
        with_reports(session.workspace(), &Unwatched::default(), |watch| {
            watch.finished(1, 4);
            watch.stage(Stage::Segment { name: "01", number: 2, of: 4, bytes: 100 });
            watch.progress().add_documents(7);
            watch.progress().add_bytes(40);
            let running = run_state(&session);
            let progress = running.running().unwrap();
            assert_eq!((progress.finished, progress.segments, progress.stage.as_str()), (1, 4, "segment 01"));
            assert_eq!((progress.total_bytes, progress.process), (100, std::process::id()));
            Ok(())
        })
        .unwrap();
        drop(lock);
        assert_eq!(run_state(&session), RunState::Idle);
        assert!(!session.workspace().run_report().exists());
    }

    #[test]
    fn a_report_without_a_lock_is_of_a_run_that_was_killed() {
        let (_folder, session) = study();
        let lock = session.workspace().lock().unwrap();
        let report = RunProgress { finished: 2, segments: 4, ..RunProgress::default() };
        fs::write(session.workspace().run_report(), serde_json::to_vec(&report).unwrap()).unwrap();
        assert_eq!(run_state(&session), RunState::Running(report.clone()));
        drop(lock);
        assert_eq!(run_state(&session), RunState::Interrupted(report));
        assert!(session.workspace().lock().is_ok(), "who looks does not keep runs out");
    }

    #[test]
    fn a_run_stops_when_it_is_asked_to_and_says_so() {
        let (_folder, session) = study();
        let lock = session.workspace().lock().unwrap();
        fs::write(session.workspace().stop_request(), "").unwrap();
        let stopped = with_reports(session.workspace(), &Unwatched::default(), |watch| {
            assert!(!session.workspace().stop_request().exists(), "an old request stops no new run");
            watch.finished(3, 4);
            stop_run(&session)?;
            while !watch.progress().cancelled() {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err::<(), _>(MatchingError::Cancelled.into())
        });
        drop(lock);
        assert!(matches!(stopped, Err(StudyError::Matching(MatchingError::Cancelled))));
        let RunState::Interrupted(progress) = run_state(&session) else { panic!("{:?}", run_state(&session)) };
        assert_eq!((progress.finished, progress.ended.as_deref()), (3, Some("it was stopped")));
        assert!(!session.workspace().stop_request().exists());
    }
}
