//! What happened: jobs that run, jobs that were done, what was said, what went wrong.

use std::any::TypeId;
use std::collections::VecDeque;
use std::time::Duration;

/// Entries kept; the oldest go first.
const MOST: usize = 2000;

/// A type of jobs.
#[derive(Debug, Clone, Copy)]
pub struct JobKind {
    id: TypeId,
    /// What is done.
    pub name: &'static str,
    /// Whether it is listed while it runs.
    pub listed: bool,
}

impl JobKind {
    /// Of the jobs of a type.
    pub fn of<J: 'static>(name: &'static str, listed: bool) -> Self {
        Self { id: TypeId::of::<J>(), name, listed }
    }
}

impl PartialEq for JobKind {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for JobKind {}

/// What is said of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogLine {
    Done(String),
    /// The person is told this.
    Said(String),
    /// It went wrong.
    Wrong(String),
}

impl LogLine {
    /// Of a result: what was done, or what went wrong.
    pub fn of<T>(result: &Result<T, String>, done: impl FnOnce(&T) -> String) -> Option<Self> {
        Some(match result {
            Ok(value) => Self::Done(done(value)),
            Err(why) => Self::Wrong(why.clone()),
        })
    }

    /// What was done, in fixed words.
    pub fn done(text: &str) -> Option<Self> {
        Some(Self::Done(text.to_owned()))
    }

    /// In words.
    pub fn text(&self) -> &str {
        match self {
            Self::Done(text) | Self::Said(text) | Self::Wrong(text) => text,
        }
    }
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The time of day.
    pub time: String,
    /// What.
    pub line: LogLine,
}

/// A job that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// Of which type.
    pub kind: JobKind,
    since: Duration,
    /// The time of day when it began.
    pub time: String,
}

/// What happened since the explorer began.
#[derive(Debug, Default)]
pub struct Logbook {
    jobs: Vec<Running>,
    /// Newest first.
    entries: VecDeque<Entry>,
    last_error: Option<Entry>,
}

impl Logbook {
    fn enter(&mut self, time: &str, line: LogLine) {
        let entry = Entry { time: time_of_day(time), line };
        if matches!(entry.line, LogLine::Wrong(_)) {
            self.last_error = Some(entry.clone());
        }
        self.entries.push_front(entry);
        self.entries.truncate(MOST);
    }

    /// A job began; an older one of its kind does not count any more.
    pub fn started(&mut self, kind: JobKind, at: Duration, time: &str) {
        self.ended(kind);
        if kind.listed {
            self.jobs.push(Running { kind, since: at, time: time_of_day(time) });
        }
    }

    /// A job does not run any more; since when it did.
    pub fn ended(&mut self, kind: JobKind) -> Option<Duration> {
        let place = self.jobs.iter().position(|job| job.kind == kind)?;
        Some(self.jobs.remove(place).since)
    }

    pub fn done(&mut self, kind: JobKind, line: Option<LogLine>, at: Duration, time: &str) {
        let since = self.ended(kind);
        let took = since.map_or(String::new(), |since| format!(" · {}", lasted(at.saturating_sub(since))));
        match line {
            Some(LogLine::Done(text)) => self.enter(time, LogLine::Done(text + &took)),
            Some(LogLine::Said(text)) => self.enter(time, LogLine::Said(text + &took)),
            Some(LogLine::Wrong(text)) => self.enter(time, LogLine::Wrong(text + &took)),
            None => {}
        }
    }

    /// Something went wrong.
    pub fn wrong(&mut self, text: &str, time: &str) {
        self.enter(time, LogLine::Wrong(text.to_owned()));
    }

    /// The person was told something.
    pub fn said(&mut self, text: &str, time: &str) {
        self.enter(time, LogLine::Said(text.to_owned()));
    }

    /// The jobs that run, the oldest first.
    pub fn jobs(&self) -> &[Running] {
        &self.jobs
    }

    /// What happened, newest first.
    pub fn entries(&self) -> &VecDeque<Entry> {
        &self.entries
    }

    /// What went wrong last, however much happened since.
    pub fn last_error(&self) -> Option<&Entry> {
        self.last_error.as_ref()
    }
}

/// The time of day of an RFC 3339 time.
fn time_of_day(time: &str) -> String {
    time.split('T').nth(1).unwrap_or(time).chars().take(8).collect()
}

fn lasted(time: Duration) -> String {
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
        let kind = JobKind::of::<()>("wait", true);
        log.started(kind, at(0), "2012-02-10T08:09:09Z");
        log.started(kind, at(1), "2012-02-10T08:09:10Z");
        assert_eq!(log.jobs.len(), 1, "of a kind the newest");
        assert_eq!((log.jobs[0].kind.name, log.jobs[0].time.as_str()), ("wait", "08:09:10"));
        log.done(kind, LogLine::of(&Err::<(), _>("gone".to_owned()), |()| "waited".to_owned()), at(3), "T08:09:12Z");
        assert!(log.jobs.is_empty());
        assert_eq!(log.last_error().map(|wrong| wrong.line.text()), Some("gone · 2.0 s"));
        for _ in 0..3 * MOST {
            log.said("words", "");
        }
        assert_eq!(log.entries.len(), MOST);
        assert!(log.last_error.is_some(), "the last error is kept however much comes after it");
    }
}
