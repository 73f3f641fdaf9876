//! What happened, which jobs run, and what failed last.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, shown};
use crate::contract::{Effect, Here, Request, Screen, View};
use crate::data::StudyData;
use crate::key::Key::Char;
use crate::logbook::{LogLine, Logbook};
use crate::question::{Question, SEARCH};
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::glyphs::draw_text;
use crate::widgets::table::{self, Column, Line};
use dejaview_base::ignoring_case;
use dejaview_report::numbers::{count, plural};

const KEYS: Table = &[shown(&[Char('x')], Action::Cancel, "give up the job")];

/// Jobs that run, then what happened, newest first.
#[derive(Debug, Default)]
pub struct Log {
    /// On a line.
    cursor: Cursor,
    query: String,
}

impl Log {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("log");

    /// Gives up the job under the cursor.
    fn cancel(&self, here: &mut Here<'_>) -> Vec<Request> {
        match here.shared.log.jobs().get(self.cursor.at).map(|job| job.kind) {
            Some(kind) => {
                here.shared.message = Some(format!("gave up: {}", kind.name));
                vec![Request::Cancel(kind)]
            }
            None if here.shared.run.running().is_some() => vec![Request::Act(Action::StopRun)],
            None => here.say("no job is under the cursor: those that run stand at the top"),
        }
    }

    fn find(&mut self, log: &Logbook, area: Rect, step: usize, forward: bool) {
        let (len, at) = (lines(log), self.cursor.at);
        if len == 0 || self.query.is_empty() {
            return;
        }
        let line = |n: usize| if forward { (at + n) % len } else { (at + len - n) % len };
        let text = |line: usize| match line.checked_sub(log.jobs().len()) {
            Some(entry) => log.entries().get(entry).map_or("", |entry| entry.line.text()),
            None => log.jobs()[line].kind.name,
        };
        if let Some(line) = (step..len + step).map(line).find(|&line| ignoring_case::contains(text(line), &self.query))
        {
            self.cursor.to(line, len, table::page(list(area)));
        }
    }
}

impl Screen for Log {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, KEYS, binding::EVERYWHERE, binding::ESCAPE]
    }

    fn is_awaited(&self, _: Option<&StudyData>) -> bool {
        false
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let (area, log) = (here.area(), &here.shared.log);
        match action {
            Action::Open => {
                let text =
                    log.entries().iter().map(|entry| format!("{} {}\n", entry.time, entry.line.text())).collect();
                here.say("the whole log, in $PAGER");
                return vec![Effect::Page(text).into()];
            }
            Action::Cancel => return self.cancel(here),
            Action::NextHit => self.find(log, area, 1, true),
            Action::PreviousHit => self.find(log, area, 1, false),
            _ => {
                self.cursor.go(action, lines(log), table::page(list(area)));
            }
        }
        Vec::new()
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        if question == SEARCH {
            self.query = text.trim().to_lowercase();
            self.find(&here.shared.log, here.area(), 0, true);
        }
        Vec::new()
    }

    /// Draws the last error, the jobs, and what happened.
    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let (log, theme) = (&view.shared.log, &view.shared.theme);
        let (text, style) = match log.last_error() {
            Some(failed) => (format!("last error, {}: {}", failed.time, failed.line.text()), theme.warning),
            None => ("no error so far".to_owned(), theme.dim),
        };
        draw_text(buffer, (area.x + 1, area.y), area.width.saturating_sub(2), &text, style);
        let columns = [Column::left(" time", 9), Column::left("", 8), Column::left("what", 0)];
        let line = |line: usize| Line::Cells(cells(log, line, theme));
        table::draw_lines(buffer, list(area), &columns, (self.cursor, lines(log)), theme, line);
    }

    /// How much there is.
    fn status(&self, view: &View<'_>) -> String {
        let log = &view.shared.log;
        let failed = log.entries().iter().filter(|entry| matches!(entry.line, LogLine::Failed(_))).count();
        let entries = match log.entries().len() {
            1 => "1 entry".to_owned(),
            n => format!("{} entries", count(n as u64)),
        };
        format!("{} running · {entries}, newest first · {}", log.jobs().len(), plural(failed as u64, "error"))
    }
}

fn lines(log: &Logbook) -> usize {
    log.jobs().len() + log.entries().len()
}

fn cells(log: &Logbook, line: usize, theme: &Theme) -> Vec<(String, Style)> {
    if let Some(job) = log.jobs().get(line) {
        let what = format!("{} · x gives it up", job.kind.name);
        return [(format!(" {}", job.time), theme.dim), ("running".to_owned(), theme.key), (what, theme.text)].into();
    }
    let Some(entry) = log.entries().get(line - log.jobs().len()) else { return Vec::new() };
    let (word, style, text) = match entry.line {
        LogLine::Done(_) => ("done", theme.dim, theme.text),
        LogLine::Said(_) => ("said", theme.text, theme.text),
        LogLine::Failed(_) => ("error", theme.warning, theme.warning),
    };
    [(format!(" {}", entry.time), theme.dim), (word.to_owned(), style), (entry.line.text().to_owned(), text)].into()
}

fn list(area: Rect) -> Rect {
    Rect { y: area.y + 1.min(area.height), height: area.height.saturating_sub(1), ..area }
}
