//! What happened, which jobs run, and what went wrong last.

use std::collections::VecDeque;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::Action;
use crate::contract::{LogLine, Screen, Slot, Ticket};
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::draw_text;
use crate::widgets::table::{self, Column, Line};
use dejaview_base::ignoring_case;
use dejaview_report::numbers::{count, plural};

/// Entries kept; the oldest go first.
const MOST: usize = 2000;

/// How an entry is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Done,
    Said,
    Wrong,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    time: String,
    tone: Tone,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Job {
    slot: Slot,
    since: Duration,
    time: String,
}

/// Jobs that run, then what happened, newest first.
#[derive(Debug, Default)]
pub struct Log {
    /// On a line.
    pub cursor: Cursor,
    jobs: Vec<Job>,
    /// Newest first.
    entries: VecDeque<Entry>,
    wrong: Option<Entry>,
    query: String,
}

impl Log {
    fn enter(&mut self, time: &str, tone: Tone, text: String) {
        let entry = Entry { time: clock(time), tone, text };
        if tone == Tone::Wrong {
            self.wrong = Some(entry.clone());
        }
        self.entries.push_front(entry);
        self.entries.truncate(MOST);
    }

    /// A job began.
    pub fn started(&mut self, job: Ticket, at: Duration, time: &str) {
        self.ended(job.slot);
        if job.slot.listed {
            self.jobs.push(Job { slot: job.slot, since: at, time: clock(time) });
        }
    }

    /// A job does not run any more; since when it did.
    pub fn ended(&mut self, slot: Slot) -> Option<Duration> {
        let place = self.jobs.iter().position(|job| job.slot == slot)?;
        Some(self.jobs.remove(place).since)
    }

    /// A job was done.
    pub fn done(&mut self, slot: Slot, line: Option<LogLine>, at: Duration, time: &str) {
        let since = self.ended(slot);
        let Some(line) = line else { return };
        let took = since.map_or(String::new(), |since| format!(" · {}", lasted(at.saturating_sub(since))));
        let (tone, text) = match line {
            LogLine::Done(text) => (Tone::Done, text),
            LogLine::Said(text) => (Tone::Said, text),
            LogLine::Wrong(text) => (Tone::Wrong, text),
        };
        self.enter(time, tone, format!("{text}{took}"));
    }

    /// Something went wrong.
    pub fn wrong(&mut self, text: &str, time: &str) {
        self.enter(time, Tone::Wrong, text.to_owned());
    }

    /// The person was told something.
    pub fn said(&mut self, text: &str, time: &str) {
        self.enter(time, Tone::Said, text.to_owned());
    }

    /// The job under the cursor.
    pub fn current(&self) -> Option<Slot> {
        self.jobs.get(self.cursor.at).map(|job| job.slot)
    }

    /// All of it, newest first.
    pub fn text(&self) -> String {
        let line = |entry: &Entry| format!("{} {}\n", entry.time, entry.text);
        self.entries.iter().map(line).collect()
    }

    fn len(&self) -> usize {
        self.jobs.len() + self.entries.len()
    }

    /// Moves the cursor, or goes to the next place found.
    pub fn update(&mut self, action: Action, area: Rect) {
        match action {
            Action::NextHit => self.hit(area, 1, true),
            Action::PreviousHit => self.hit(area, 1, false),
            _ => {
                self.cursor.go(action, self.len(), table::page(list(area)));
            }
        }
    }

    /// Looks for words from the cursor on.
    pub fn search(&mut self, query: &str, area: Rect) {
        self.query = query.trim().to_lowercase();
        self.hit(area, 0, true);
    }

    fn hit(&mut self, area: Rect, step: usize, forward: bool) {
        let (len, at) = (self.len(), self.cursor.at);
        if len == 0 || self.query.is_empty() {
            return;
        }
        let line = |n: usize| if forward { (at + n) % len } else { (at + len - n) % len };
        let text = |line: usize| match line.checked_sub(self.jobs.len()) {
            Some(entry) => self.entries.get(entry).map_or("", |entry| entry.text.as_str()),
            None => self.jobs[line].slot.name,
        };
        if let Some(line) = (step..len + step).map(line).find(|&line| ignoring_case::contains(text(line), &self.query))
        {
            self.cursor.to(line, len, table::page(list(area)));
        }
    }

    /// Draws the last error, the jobs, and what happened.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let (text, style) = match &self.wrong {
            Some(wrong) => (format!("last error, {}: {}", wrong.time, wrong.text), theme.warning),
            None => ("no error so far".to_owned(), theme.dim),
        };
        draw_text(buffer, (area.x + 1, area.y), area.width.saturating_sub(2), &text, style);
        let columns = [Column::left(" time", 9), Column::left("", 8), Column::left("what", 0)];
        let line = |line: usize| Line::Cells(self.cells(line, theme));
        table::draw_lines(buffer, list(area), &columns, (self.cursor, self.len()), theme, line);
    }

    fn cells(&self, line: usize, theme: &Theme) -> Vec<(String, Style)> {
        if let Some(job) = self.jobs.get(line) {
            let what = format!("{} · x gives it up", job.slot.name);
            return [(format!(" {}", job.time), theme.dim), ("running".to_owned(), theme.key), (what, theme.text)]
                .into();
        }
        let Some(entry) = self.entries.get(line - self.jobs.len()) else { return Vec::new() };
        let (word, style) = match entry.tone {
            Tone::Done => ("done", theme.dim),
            Tone::Said => ("said", theme.text),
            Tone::Wrong => ("error", theme.warning),
        };
        let text = if entry.tone == Tone::Wrong { theme.warning } else { theme.text };
        [(format!(" {}", entry.time), theme.dim), (word.to_owned(), style), (entry.text.clone(), text)].into()
    }

    /// How much there is.
    pub fn status(&self) -> String {
        let wrong = self.entries.iter().filter(|entry| entry.tone == Tone::Wrong).count();
        let entries = match self.entries.len() {
            1 => "1 entry".to_owned(),
            n => format!("{} entries", count(n as u64)),
        };
        format!("{} running · {entries}, newest first · {}", self.jobs.len(), plural(wrong as u64, "error"))
    }
}

impl Screen for Log {}

/// The time of day of an RFC 3339 time.
fn clock(time: &str) -> String {
    time.split('T').nth(1).unwrap_or(time).chars().take(8).collect()
}

fn lasted(time: Duration) -> String {
    match time.as_millis() {
        short @ 0..1000 => format!("{short} ms"),
        long => format!("{:.1} s", long as f64 / 1000.0),
    }
}

fn list(area: Rect) -> Rect {
    Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Job as _, Request, Screens, Stop};
    use crate::jobs::Backend;
    use crate::shared::Shared;

    #[derive(Debug)]
    struct Wait;

    impl crate::contract::Job for Wait {
        type Output = Result<(), String>;
        const NAME: &'static str = "wait";

        fn run(self, _: &Backend, _: Stop<'_>) -> Option<Self::Output> {
            None
        }

        fn line(output: &Self::Output) -> Option<LogLine> {
            LogLine::of(output, |()| "waited".to_owned())
        }

        fn deliver(_: Self::Output, _: &mut Screens, _: &mut Shared) -> Vec<Request> {
            Vec::new()
        }
    }

    #[test]
    fn jobs_end_with_their_answer() {
        let mut log = Log::default();
        let at = Duration::from_secs;
        let slot = Slot::of::<Wait>();
        log.started(Ticket { slot, number: 1 }, at(0), "2012-02-10T08:09:09Z");
        log.started(Ticket { slot, number: 2 }, at(1), "2012-02-10T08:09:10Z");
        assert_eq!(log.jobs.len(), 1, "of a slot the newest");
        assert_eq!((log.jobs[0].slot.name, log.jobs[0].time.as_str()), ("wait", "08:09:10"));
        log.done(slot, Wait::line(&Err("gone".to_owned())), at(3), "2012-02-10T08:09:12Z");
        assert!(log.jobs.is_empty());
        assert_eq!(log.wrong.as_ref().map(|wrong| wrong.text.as_str()), Some("gone · 2.0 s"));
        for _ in 0..3 * MOST {
            log.said("words", "");
        }
        assert_eq!(log.entries.len(), MOST);
        assert!(log.wrong.is_some(), "the last error is kept however much comes after it");
    }
}
