//! What happened, which jobs run, and what went wrong last.

use std::collections::VecDeque;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::Action;
use crate::asks::Told;
use crate::event::Event;
use crate::jobs::{Answer, Effect};
use crate::kinds::Kind;
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
    kind: Kind,
    name: &'static str,
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

    /// Something happened.
    pub fn heard(&mut self, event: &Event, at: Duration, time: &str) {
        match event {
            Event::Trouble(what) => self.enter(time, Tone::Wrong, what.clone()),
            Event::Answer(answer) => {
                let job = answer.kind().and_then(|kind| self.jobs.iter().position(|job| job.kind == kind));
                let job = job.map(|place| self.jobs.remove(place));
                if let Some((tone, text)) = news(answer) {
                    let took = job.map_or(String::new(), |job| format!(" · {}", lasted(at.saturating_sub(job.since))));
                    self.enter(time, tone, format!("{text}{took}"));
                }
            }
            _ => {}
        }
    }

    /// Wishes went out.
    pub fn asked(&mut self, effects: &[Effect], at: Duration, time: &str) {
        for effect in effects {
            if let Effect::Cancel(kind) = effect {
                self.jobs.retain(|job| job.kind != *kind);
            }
            // A draft is written after nearly every key, and answers only when it cannot be.
            if let Some(kind) = effect.kind().filter(|kind| *kind != Kind::Draft) {
                self.jobs.retain(|job| job.kind != kind);
                self.jobs.push(Job { kind, name: effect.name(), since: at, time: clock(time) });
            }
        }
    }

    /// Something was wrong before the explorer began.
    pub fn wrong(&mut self, text: &str, time: &str) {
        self.enter(time, Tone::Wrong, text.to_owned());
    }

    /// The person was told something.
    pub fn said(&mut self, text: &str, time: &str) {
        self.enter(time, Tone::Said, text.to_owned());
    }

    /// The job under the cursor, with its name.
    pub fn current(&self) -> Option<(Kind, &'static str)> {
        self.jobs.get(self.cursor.at).map(|job| (job.kind, job.name))
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
            None => self.jobs[line].name,
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
            let what = format!("{} · x gives it up", job.name);
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

/// What an answer says; none for what is not worth a line.
fn news(answer: &Answer) -> Option<(Tone, String)> {
    fn either<T>(result: &Result<T, String>, done: impl Fn(&T) -> String) -> (Tone, String) {
        match result {
            Ok(value) => (Tone::Done, done(value)),
            Err(why) => (Tone::Wrong, why.clone()),
        }
    }
    Some(match answer {
        Answer::Study(result) => either(result, |data| {
            let configurations = data.table.configurations().len();
            format!(
                "read the study: {} by {}",
                plural(data.table.len() as u64, "pair"),
                plural(configurations as u64, "configuration")
            )
        }),
        Answer::Head(Some(data)) => (Tone::Done, format!("read the first {}", plural(data.table.len() as u64, "pair"))),
        Answer::Pair { result, .. } => {
            either(result, |open| format!("compared {} with {}", open.source.id, open.target.id))
        }
        Answer::Words { .. } => (Tone::Done, "compared the words of a change".to_owned()),
        Answer::Why { result, .. } => either(result, |told| told.name()),
        Answer::Arrange { result, .. } => {
            either(result, |rows| format!("arranged {}", plural(rows.rows.len() as u64, "pair")))
        }
        Answer::Measure { result, .. } => either(result, |figures| format!("measured against {}", figures.truth)),
        Answer::Sample(result) => either(result, |sample| format!("read sample {}", sample.name)),
        Answer::NotSaved(why) => (Tone::Wrong, format!("not saved: {why}")),
        Answer::Reread(_) => (Tone::Said, "the journal was changed by another hand and read again".to_owned()),
        Answer::Told(told) => return told_news(told),
        Answer::Said(text) => (Tone::Said, text.clone()),
        Answer::Review { result, .. } => either(result, |_| "read what annotators decided".to_owned()),
        Answer::Estimate(result) => either(result, |says| format!("estimated from sample {}", says.estimates.sample)),
        Answer::NoDraft(why) => (Tone::Wrong, format!("the draft is not kept: {why}")),
        Answer::Head(None) | Answer::Saved(_) | Answer::Adjudication(_) => return None,
    })
}

fn told_news(told: &Told) -> Option<(Tone, String)> {
    let either = |failed: Option<&String>, done: String| match failed {
        Some(why) => (Tone::Wrong, why.clone()),
        None => (Tone::Done, done),
    };
    Some(match told {
        Told::Tree(tree) => (Tone::Done, format!("gathered {}", plural(tree.judged.len() as u64, "judgment"))),
        Told::Shape { shape, .. } => (Tone::Done, format!("arranged {}", plural(shape.rows.len() as u64, "judgment"))),
        Told::Sought { .. } => (Tone::Done, "searched the pairs".to_owned()),
        Told::Listing { result, .. } => either(result.as_ref().err(), "listed documents".to_owned()),
        Told::Hits { result, .. } => either(
            result.as_ref().err(),
            format!("searched the texts: {}", plural(result.as_ref().map_or(0, Vec::len) as u64, "hit")),
        ),
        Told::Document { result, .. } => either(
            result.as_ref().err(),
            format!("read {}", result.as_ref().map_or("", |document| document.stored.id.as_str())),
        ),
        Told::Parts(_) => (Tone::Done, "listed files".to_owned()),
        Told::Overlap(result) => either(result.as_ref().err(), "counted URLs in common".to_owned()),
        Told::Rail { result, .. } => either(result.as_ref().err(), "measured cut-offs".to_owned()),
        Told::Links { result, .. } => either(result.as_ref().err(), "read the documents of a way".to_owned()),
        Told::Paragraph(result) => either(result.as_ref().err(), "wrote the paragraph".to_owned()),
        Told::Figures { result, .. } => either(result.as_ref().err(), "counted for the figures".to_owned()),
        Told::Urls(_) | Told::SoFar(_) => return None,
    })
}

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

    #[test]
    fn jobs_end_with_their_answer() {
        let mut log = Log::default();
        let at = Duration::from_secs;
        log.asked(&[Effect::Study, Effect::Sample("default".to_owned()), Effect::Quit], at(1), "2012-02-10T08:09:10Z");
        assert_eq!(log.jobs.len(), 1, "one worker, its newest wish");
        assert_eq!((log.jobs[0].name, log.jobs[0].time.as_str()), ("read the sample", "08:09:10"));
        log.heard(&Event::Answer(Answer::Sample(Err("gone".to_owned()))), at(3), "2012-02-10T08:09:12Z");
        assert!(log.jobs.is_empty());
        assert_eq!(log.wrong.as_ref().map(|wrong| wrong.text.as_str()), Some("gone · 2.0 s"));
        for _ in 0..3 * MOST {
            log.said("words", "");
        }
        assert_eq!(log.entries.len(), MOST);
        assert!(log.wrong.is_some(), "the last error is kept however much comes after it");
    }
}
