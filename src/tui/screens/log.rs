//! What happened, which jobs run, and what failed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::{Action, ScreenId};
use crate::binding::{self, Table, shown};
use crate::contract::{Effect, Here, Request, Screen, View};
use crate::data::StudyData;
use crate::key::Key::Char;
use crate::logbook::{LogEntry, LogLine, Logbook};
use crate::question::{Question, SEARCH};
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::find::{From, find};
use crate::widgets::focus::Focus;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::paragraph::wrapped;
use crate::widgets::pieces;
use crate::widgets::size::{Size, split_lines};
use crate::widgets::table;
use dejaview_base::ignoring_case;
use dejaview_report::numbers::plural;

const KEYS: Table =
    &[shown(&[Char('x')], Action::Cancel, "cancel the job"), shown(&[Char('e')], Action::ErrorsOnly, "errors only")];

/// The panes; that of the jobs is shown while some run.
const ENTRIES: usize = 0;
const DETAILS_PANE: usize = 1;
const JOBS: usize = 2;

/// Jobs shown at once, and lines of the details.
const MOST_JOBS: u16 = 5;
const DETAILS: u16 = 4;
/// Below this many lines there are no details.
const LOWEST: u16 = 14;

/// Jobs that run, then what happened, newest first, with the entry under the cursor in full below.
#[derive(Debug, Default)]
pub struct Log {
    focus: Focus,
    entries: Cursor,
    jobs: Cursor,
    query: String,
    errors_only: bool,
}

/// The panes; one without lines is not shown.
struct Layout {
    jobs: Rect,
    entries: Rect,
    details: Rect,
}

impl Log {
    /// The name of the screen.
    pub const ID: ScreenId = ScreenId::new("log");

    fn shown<'a>(&self, log: &'a Logbook) -> Vec<&'a LogEntry> {
        log.entries().iter().filter(|entry| !self.errors_only || entry.line.is_failure()).collect()
    }

    fn layout(&self, area: Rect, log: &Logbook, size: Size) -> Layout {
        let nothing = Rect { height: 0, ..area };
        if self.focus.zoomed {
            return match self.focus.at {
                JOBS => Layout { jobs: area, entries: nothing, details: nothing },
                DETAILS_PANE => Layout { jobs: nothing, entries: nothing, details: area },
                _ => Layout { jobs: nothing, entries: area, details: nothing },
            };
        }
        let frame = if size.is_narrow() { 1 } else { 2 };
        let jobs = log.jobs().len() as u16;
        let [jobs, rest] = split_lines(area, if jobs == 0 { 0 } else { jobs.min(MOST_JOBS) + frame });
        let details = if area.height < LOWEST { 0 } else { DETAILS + frame };
        let [entries, details] = split_lines(rest, rest.height.saturating_sub(details));
        Layout { jobs, entries, details }
    }

    fn page(&self, shared: &Shared) -> usize {
        let layout = self.layout(shared.area(), &shared.log, shared.class());
        usize::from(Frame::inside(layout.entries, shared.class()).height)
    }

    fn search(&mut self, from: From, shared: &Shared) {
        let (entries, page) = (self.shown(&shared.log), self.page(shared));
        let matches = |row: usize| ignoring_case::contains(entries[row].line.text(), &self.query);
        let (found, len) = (find(entries.len(), self.entries.at, from, matches), entries.len());
        if let Some(row) = found.filter(|_| !self.query.is_empty()) {
            self.entries.to(row, len, page);
        }
    }

    /// Cancels the job under the cursor of the jobs.
    fn cancel(&self, here: &mut Here<'_>) -> Vec<Request> {
        let jobs = here.shared.log.jobs();
        match jobs.get(self.jobs.at.min(jobs.len().saturating_sub(1))).map(|job| job.kind) {
            Some(kind) => {
                here.shared.message = Some(format!("Cancelled: {}", kind.name));
                vec![Request::Cancel(kind)]
            }
            None if here.shared.run.running().is_some() => vec![Request::Act(Action::StopRun)],
            None => here.say("No job is running"),
        }
    }

    fn draw_jobs(&self, buffer: &mut Buffer, area: Rect, log: &Logbook, size: Size, theme: &Theme) {
        if area.height == 0 {
            return;
        }
        let (jobs, focused) = (log.jobs(), self.focus.is_on(JOBS));
        let mut cursor = self.jobs;
        let page = usize::from(Frame::inside(area, size).height);
        cursor.keep(jobs.len(), page);
        let frame = Frame {
            right: format!("{} running", jobs.len()),
            scroll: Scroll { top: cursor.top, page, len: jobs.len() },
            focused,
            ..Frame::new("Jobs")
        };
        let inside = frame.draw(buffer, area, size, theme);
        for (y, (number, job)) in (inside.y..inside.bottom()).zip(jobs.iter().enumerate().skip(cursor.top)) {
            let left = [("▸ ".to_owned(), theme.accent), (job.kind.name.to_owned(), theme.text)];
            let right = [(format!("since {}", job.time), theme.muted)];
            pieces::draw_apart(buffer, (inside.x + 1, y), inside.width.saturating_sub(2), &left, &right);
            if number == cursor.at {
                table::select(buffer, Rect { y, height: 1, ..inside }, focused, theme);
            }
        }
    }

    fn draw_entries(&self, buffer: &mut Buffer, area: Rect, log: &Logbook, size: Size, theme: &Theme) {
        let (entries, focused) = (self.shown(log), self.focus.is_on(ENTRIES));
        let (mut cursor, page) = (self.entries, usize::from(Frame::inside(area, size).height));
        cursor.keep(entries.len(), page);
        let failed = log.entries().iter().filter(|entry| entry.line.is_failure()).count();
        let failed = if failed > 0 { format!(" · {}", plural(failed as u64, "error")) } else { String::new() };
        let frame = Frame {
            qualifier: if self.errors_only { "errors only (e shows all)" } else { "newest first" }.to_owned(),
            position: format!("{}/{}{failed}", (cursor.at + 1).min(entries.len()), entries.len()),
            scroll: Scroll { top: cursor.top, page, len: entries.len() },
            focused,
            ..Frame::new("Log")
        };
        let inside = frame.draw(buffer, area, size, theme);
        if entries.is_empty() {
            let text = if self.errors_only { "Nothing has failed" } else { "Nothing has happened yet" };
            draw_text(buffer, (inside.x + 1, inside.y + 1), inside.width.saturating_sub(1), text, theme.muted);
        }
        for (y, (number, entry)) in (inside.y..inside.bottom()).zip(entries.iter().enumerate().skip(cursor.top)) {
            let (sign, style) = sign(&entry.line, theme);
            let took = entry.took.as_deref().unwrap_or_default();
            let x = inside.x + 1;
            draw_text(buffer, (x, y), 8, &entry.time, theme.muted);
            draw_text(buffer, (x + 10, y), 1, sign, style);
            let wide = width(took) as u16;
            let room = inside.width.saturating_sub(13 + wide + u16::from(wide > 0) * 2);
            let text = if entry.line.is_failure() { style } else { theme.text };
            draw_text(buffer, (x + 12, y), room, entry.line.text(), text);
            draw_text(buffer, (inside.right().saturating_sub(wide + 1), y), wide, took, theme.muted);
            if number == cursor.at {
                table::select(buffer, Rect { y, height: 1, ..inside }, focused, theme);
            }
        }
    }

    fn draw_details(&self, buffer: &mut Buffer, area: Rect, log: &Logbook, size: Size, theme: &Theme) {
        if area.height == 0 {
            return;
        }
        let inside =
            Frame { focused: self.focus.is_on(DETAILS_PANE), ..Frame::new("Details") }.draw(buffer, area, size, theme);
        let entries = self.shown(log);
        let Some(entry) = entries.get(self.entries.at.min(entries.len().saturating_sub(1))) else { return };
        let (sign, style) = sign(&entry.line, theme);
        let took = entry.took.as_ref().map_or(String::new(), |took| format!(" ({took})"));
        let columns = usize::from(inside.width.saturating_sub(2)).max(1);
        let lines = wrapped(&format!("{sign} {}{took}", entry.line.text()), columns);
        for (y, line) in (inside.y..inside.bottom()).zip(lines) {
            let style = if entry.line.is_failure() { style } else { theme.text };
            draw_text(buffer, (inside.x + 1, y), inside.width.saturating_sub(1), &line, style);
        }
    }
}

/// The sign of an entry and its style.
fn sign(line: &LogLine, theme: &Theme) -> (&'static str, Style) {
    match line {
        LogLine::Done(_) => ("✓", theme.good),
        LogLine::Said(_) => ("!", theme.warning),
        LogLine::Failed(_) => ("✗", theme.error),
    }
}

impl Screen for Log {
    fn id(&self) -> ScreenId {
        Self::ID
    }

    fn bindings(&self) -> &'static [Table] {
        &[binding::LISTS, KEYS, binding::PANES, binding::EVERYWHERE, binding::ESCAPE]
    }

    fn is_awaited(&self, _: Option<&StudyData>) -> bool {
        false
    }

    fn act(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let jobs = here.shared.log.jobs().len();
        let panes = if jobs > 0 { 3 } else { 2 };
        self.focus.at = self.focus.at.min(panes - 1);
        if self.focus.act(action, panes) {
            return Vec::new();
        }
        match action {
            Action::Open => {
                let line = |entry: &LogEntry| format!("{} {}\n", entry.time, entry.line.text());
                let text = here.shared.log.entries().iter().map(line).collect();
                here.say("The whole log, in $PAGER");
                return vec![Effect::Page(text).into()];
            }
            Action::Cancel => return self.cancel(here),
            Action::ErrorsOnly => {
                self.errors_only = !self.errors_only;
                self.entries = Cursor::default();
            }
            Action::NextResult => self.search(From::Next, here.shared),
            Action::PreviousResult => self.search(From::Previous, here.shared),
            _ if self.focus.is_on(JOBS) => {
                self.jobs.go(action, jobs, usize::from(MOST_JOBS));
            }
            _ => {
                let (len, page) = (self.shown(&here.shared.log).len(), self.page(here.shared));
                self.entries.go(action, len, page);
            }
        }
        Vec::new()
    }

    fn typed(&mut self, question: Question, text: &str, here: &mut Here<'_>) -> Vec<Request> {
        if question == SEARCH {
            text.trim().clone_into(&mut self.query);
            self.search(From::Cursor, here.shared);
        }
        Vec::new()
    }

    fn back(&mut self, _: &mut Here<'_>) -> Vec<Request> {
        if self.focus.unzoom() { Vec::new() } else { vec![Request::Leave] }
    }

    /// Whoever is here sees the errors.
    fn after_event(&mut self, shared: &mut Shared) -> Vec<Request> {
        if shared.screen == Self::ID {
            shared.log.see_errors();
        }
        Vec::new()
    }

    fn needs_study(&self) -> bool {
        false
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        self.draw_alone(buffer, area, view.shared);
    }

    fn draw_alone(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let (log, theme, size) = (&shared.log, &shared.theme, shared.class());
        let layout = self.layout(area, log, size);
        self.draw_jobs(buffer, layout.jobs, log, size, theme);
        if layout.entries.height > 0 {
            self.draw_entries(buffer, layout.entries, log, size, theme);
        }
        self.draw_details(buffer, layout.details, log, size, theme);
    }
}
