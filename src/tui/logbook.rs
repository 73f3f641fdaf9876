//! What Log lists: jobs that run and, newest first, jobs that were done, messages and failures.

use std::any::TypeId;
use std::collections::VecDeque;
use std::time::Duration;

/// Entries kept; the oldest go first.
const MOST_ENTRIES: usize = 2000;

/// Which type of job: of each type only the newest job counts.
#[derive(Debug, Clone, Copy)]
pub struct JobKind {
    id: TypeId,
    /// What the job does, as Log shows it.
    pub name: &'static str,
    /// Whether it is listed while it runs.
    pub listed: bool,
}

impl JobKind {
    pub fn new<J: 'static>(name: &'static str, listed: bool) -> Self {
        Self { id: TypeId::of::<J>(), name, listed }
    }
}

impl PartialEq for JobKind {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for JobKind {}

/// One line of Log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogLine {
    Done(String),
    /// A message that the person saw.
    Said(String),
    Failed(String),
}

impl LogLine {
    /// What was done, or why it failed.
    pub fn from_result<T>(result: &Result<T, String>, done: impl FnOnce(&T) -> String) -> Option<Self> {
        Some(match result {
            Ok(value) => Self::Done(done(value)),
            Err(why) => Self::Failed(why.clone()),
        })
    }

    /// What was done, in fixed words.
    pub fn done(text: &str) -> Option<Self> {
        Some(Self::Done(text.to_owned()))
    }

    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Failed(_))
    }

    pub fn text(&self) -> &str {
        match self {
            Self::Done(text) | Self::Said(text) | Self::Failed(text) => text,
        }
    }
}

/// A line of Log with its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// The time of day.
    pub time: String,
    pub line: LogLine,
    /// How long the job took, if it is of one.
    pub took: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningJob {
    pub kind: JobKind,
    since: Duration,
    /// The time of day when it began.
    pub time: String,
}

#[derive(Debug, Default)]
pub struct Logbook {
    jobs: Vec<RunningJob>,
    /// Newest first.
    entries: VecDeque<LogEntry>,
    /// Whether something failed since the person last looked.
    unseen_error: bool,
}

impl Logbook {
    fn add(&mut self, time: &str, line: LogLine, took: Option<String>) {
        self.unseen_error |= line.is_failure();
        self.entries.push_front(LogEntry { time: time_of_day(time), line, took });
        self.entries.truncate(MOST_ENTRIES);
    }

    /// A job began. It replaces an older one of its kind.
    pub fn started(&mut self, kind: JobKind, at: Duration, time: &str) {
        self.ended(kind);
        if kind.listed {
            self.jobs.push(RunningJob { kind, since: at, time: time_of_day(time) });
        }
    }

    /// Takes a job off the list; returns when it began.
    pub fn ended(&mut self, kind: JobKind) -> Option<Duration> {
        let place = self.jobs.iter().position(|job| job.kind == kind)?;
        Some(self.jobs.remove(place).since)
    }

    pub fn done(&mut self, kind: JobKind, line: Option<LogLine>, at: Duration, time: &str) {
        let took = self.ended(kind).map(|since| duration_words(at.saturating_sub(since)));
        if let Some(line) = line {
            self.add(time, line, took);
        }
    }

    pub fn failed(&mut self, text: &str, time: &str) {
        self.add(time, LogLine::Failed(text.to_owned()), None);
    }

    /// A message was shown. The failure that was noted with the same words is it.
    pub fn said(&mut self, text: &str, time: &str) {
        if self.entries.front().is_some_and(|newest| newest.line.is_failure() && newest.line.text() == text) {
            return;
        }
        self.add(time, LogLine::Said(text.to_owned()), None);
    }

    /// The jobs that run, the oldest first.
    pub fn jobs(&self) -> &[RunningJob] {
        &self.jobs
    }

    /// Newest first.
    pub fn entries(&self) -> &VecDeque<LogEntry> {
        &self.entries
    }

    /// Whether something failed since the person last looked.
    pub fn has_unseen_error(&self) -> bool {
        self.unseen_error
    }

    /// The person looks at what failed.
    pub fn see_errors(&mut self) {
        self.unseen_error = false;
    }
}

/// The time of day of an RFC 3339 time.
fn time_of_day(time: &str) -> String {
    time.split('T').nth(1).unwrap_or(time).chars().take(8).collect()
}

fn duration_words(time: Duration) -> String {
    match time.as_millis() {
        short @ 0..1000 => format!("{short} ms"),
        long => format!("{:.1} s", long as f64 / 1000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_end_with_their_answer() {
        let mut log = Logbook::default();
        let at = Duration::from_secs;
        let kind = JobKind::new::<()>("wait", true);
        log.started(kind, at(0), "2012-02-10T08:09:09Z");
        log.started(kind, at(1), "2012-02-10T08:09:10Z");
        assert_eq!(log.jobs.len(), 1, "of a kind the newest");
        assert_eq!((log.jobs[0].kind.name, log.jobs[0].time.as_str()), ("wait", "08:09:10"));
        log.done(
            kind,
            LogLine::from_result(&Err::<(), _>("gone".to_owned()), |()| "waited".to_owned()),
            at(3),
            "T08:09:12Z",
        );
        assert!(log.jobs.is_empty());
        let entry = log.entries().front().map(|entry| (entry.line.text(), entry.took.as_deref()));
        assert_eq!(entry, Some(("gone", Some("2.0 s"))));
        assert!(log.has_unseen_error());
        log.see_errors();
        assert!(!log.has_unseen_error());
        for _ in 0..3 * MOST_ENTRIES {
            log.said("words", "");
        }
        assert_eq!(log.entries.len(), MOST_ENTRIES);
    }
}
