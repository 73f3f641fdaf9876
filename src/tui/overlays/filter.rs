//! The line in which a filter is typed: how many rows pass, what may be typed next, what is wrong and where.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::binding::OverlayKey;
use crate::contract::{Answer, Job, Overlay, Request, Screens, Stop};
use crate::filtering::{FilteredRows, Filtering};
use crate::jobs::Backend;
use crate::key::Key;
use crate::logbook::LogLine;
use crate::question::FILTER;
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::finder_box::{FinderBox, FoundRow, OTHER_ROWS};
use crate::widgets::paragraph::wrapped;
use crate::widgets::prompt::{Edit, Prompt, Typed};
use dejaview_report::numbers::{count, plural};
use dejaview_study::{Advice, Completion, Filter, FilterError, GRAMMAR, StudyNames, advise};

/// Columns of the box at most.
const WIDEST: u16 = 100;
/// Rows of the list.
const ROWS: usize = 7;
/// Completions that are shown, so that something is left to explain the place.
const COMPLETIONS: usize = 5;
/// Columns of what may be typed, before what it means.
const TERMS: usize = 12;
/// Rows are counted once no key was pressed for so long.
const PAUSE: Duration = Duration::from_millis(150);

/// What a key does beside editing the line.
#[derive(Debug, Clone, Copy)]
enum FilterKey {
    Complete,
    Earlier,
    Later,
    Clear,
    Close,
}

const KEYS: &[OverlayKey<FilterKey>] = &[
    OverlayKey::shown(&[Key::Tab], FilterKey::Complete, "completes"),
    OverlayKey::shown(&[Key::Up, Key::Ctrl('p')], FilterKey::Earlier, "earlier filters"),
    OverlayKey::hidden(&[Key::Down, Key::Ctrl('n')], FilterKey::Later),
    OverlayKey::hidden(&[Key::Esc], FilterKey::Clear),
    OverlayKey::hidden(&[Key::Ctrl('c'), Key::Ctrl('g')], FilterKey::Close),
];

/// A filter that is being typed.
#[derive(Debug)]
pub struct FilterLine {
    filtering: Filtering,
    prompt: Prompt,
    /// What was typed before Tab, and the number of the completion that is in its place.
    completed: Option<(Prompt, usize)>,
    /// Steps back among earlier filters, and what was typed before.
    recalled: Option<(usize, Prompt)>,
    /// Whether Enter was pressed on it as it is: what is not finished is wrong then.
    tried: bool,
    /// Whether the page of the grammar is shown instead.
    shows_grammar: bool,
}

/// What helps with the line as it is.
struct Help {
    advice: Advice,
    /// What is wrong, unless it is only not finished.
    error: Option<FilterError>,
}

impl FilterLine {
    /// Opens the line with the filter that holds, and has its rows counted.
    pub fn open(filtering: Filtering, shared: &mut Shared) -> Vec<Request> {
        shared.filters.forget_counts();
        let prompt = Prompt::with(&filtering.text);
        let line = Self { filtering, prompt, completed: None, recalled: None, tried: false, shows_grammar: false };
        let mut requests = line.count(shared);
        requests.push(Request::open(line));
        requests
    }

    fn parsed(&self, text: &str) -> Result<Filter, FilterError> {
        Filter::parse(text, self.filtering.names.names())
    }

    /// Help with what was typed by hand, whatever Tab has put in its place.
    fn help(&self, shared: &Shared) -> Help {
        let typed = self.completed.as_ref().map_or(&self.prompt, |(typed, _)| typed);
        let mut advice = advise(&typed.text, typed.cursor(), &self.filtering.names);
        if typed.text.is_empty() {
            advice.completions = remembered(shared);
        }
        let unfinished = |error: &FilterError| {
            let ends = error.span().end >= typed.text.trim_end().len() && typed.cursor() == typed.text.len();
            ends && !(advice.completions.is_empty() && advice.explains.is_empty())
        };
        let error = self.parsed(&self.prompt.text).err().filter(|error| self.tried || !unfinished(error));
        Help { advice, error }
    }

    /// Puts the next completion, or the previous one, into the line.
    fn complete(&mut self, forward: bool, shared: &Shared) {
        let advice = self.help(shared).advice;
        let len = advice.completions.len();
        if len == 0 {
            return;
        }
        let at = match &self.completed {
            None if forward => 0,
            None => len - 1,
            Some((_, at)) if forward => (at + 1) % len,
            Some((_, at)) => (at + len - 1) % len,
        };
        let typed = self.completed.take().map_or_else(|| self.prompt.clone(), |(typed, _)| typed);
        let (text, cursor) = advice.completed(&typed.text, &advice.completions[at]);
        self.prompt = Prompt::at(&text, cursor);
        (self.completed, self.tried) = (Some((typed, at)), false);
    }

    fn recall(&mut self, back: bool, shared: &Shared) {
        let earlier = shared.filters.earlier();
        let (steps, typed) = self.recalled.take().unwrap_or_else(|| (0, self.prompt.clone()));
        let steps = if back { (steps + 1).min(earlier.len()) } else { steps.saturating_sub(1) };
        (self.completed, self.tried) = (None, false);
        if steps == 0 {
            self.prompt = typed;
            return;
        }
        self.prompt = Prompt::with(&earlier[earlier.len() - steps]);
        self.recalled = Some((steps, typed));
    }

    fn changed_by_hand(&mut self) {
        (self.completed, self.recalled, self.tried) = (None, None, false);
    }

    /// Whether `?` asks for the grammar here: where a term may begin it is no part of one.
    fn is_before_a_term(&self) -> bool {
        let before = &self.prompt.text[..self.prompt.cursor()];
        before.matches('"').count().is_multiple_of(2)
            && before.chars().next_back().is_none_or(|c| c.is_whitespace() || "&|(!".contains(c))
    }

    /// Asks for the numbers that are shown and not known, the line's own first.
    fn count(&self, shared: &Shared) -> Vec<Request> {
        let mut expressions = vec![self.prompt.text.clone()];
        if !self.prompt.text.is_empty() {
            let (advice, typed) =
                (self.help(shared).advice, self.completed.as_ref().map_or(&self.prompt, |(typed, _)| typed));
            let offered = advice.completions.iter().take(COMPLETIONS);
            expressions.extend(offered.map(|completion| advice.completed(&typed.text, completion).0));
        }
        let known = |text: &String| self.parsed(text).is_ok() && shared.filters.counted(text).is_none();
        expressions.retain(known);
        vec![match expressions.is_empty() {
            true => Request::forget::<CountFiltered>(),
            false => Request::job(CountFiltered {
                rows: self.filtering.rows.clone(),
                names: self.filtering.names.clone(),
                expressions,
                pause: PAUSE,
            }),
        }]
    }

    fn apply(&mut self, shared: &mut Shared) -> Answer {
        if self.parsed(&self.prompt.text).is_err() {
            // What is wrong is shown below the line; the cursor goes there.
            let end = self.parsed(&self.prompt.text).err().map(|error| error.span().end).unwrap_or_default();
            self.prompt = Prompt::at(&self.prompt.text, end);
            self.changed_by_hand();
            self.tried = true;
            return Answer::Stays;
        }
        let text = std::mem::take(&mut self.prompt.text);
        shared.filters.remember(&text);
        Answer::Closed(vec![Request::forget::<CountFiltered>(), Request::Typed(FILTER, text)])
    }
}

/// Saved filters, then the latest of the earlier ones: what an empty line offers.
fn remembered(shared: &Shared) -> Vec<Completion> {
    let completion = |text: &str, about: String| Completion { text: text.to_owned(), about };
    let saved = shared.filters.saved().map(|(name, filter)| completion(filter, format!("saved as {name}")));
    let earlier = shared.filters.earlier().iter().rev().map(|filter| completion(filter, "earlier filter".to_owned()));
    saved.chain(earlier).take(COMPLETIONS).collect()
}

impl Overlay for FilterLine {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        shared.message = None;
        if std::mem::take(&mut self.shows_grammar) {
            return Answer::Stays;
        }
        if event.code == KeyCode::BackTab {
            self.complete(false, shared);
            return Answer::Asks(self.count(shared));
        }
        match Key::of(event).and_then(|key| OverlayKey::resolve(KEYS, key)) {
            Some(FilterKey::Complete) => self.complete(true, shared),
            Some(FilterKey::Earlier) => self.recall(true, shared),
            Some(FilterKey::Later) => self.recall(false, shared),
            Some(FilterKey::Clear) if !self.prompt.text.is_empty() => {
                self.prompt = Prompt::default();
                self.changed_by_hand();
            }
            Some(FilterKey::Clear | FilterKey::Close) => {
                return Answer::Closed(vec![Request::forget::<CountFiltered>()]);
            }
            None if event.code == KeyCode::Char('?') && self.is_before_a_term() => {
                self.shows_grammar = true;
                return Answer::Stays;
            }
            None => match self.prompt.key(event) {
                Typed::More => self.changed_by_hand(),
                Typed::Done => return self.apply(shared),
                Typed::Cancelled => return Answer::Closed(vec![Request::forget::<CountFiltered>()]),
            },
        }
        Answer::Asks(self.count(shared))
    }

    fn paste(&mut self, text: &str, _: &mut Shared) -> bool {
        self.prompt.paste(text);
        self.changed_by_hand();
        true
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        let mut keys = vec![Edit::Finish.shown("applies (empty: no filter)")];
        keys.extend(OverlayKey::bar(KEYS));
        keys.push(Edit::Cancel.shown(if self.prompt.text.is_empty() { "closes" } else { "clears" }));
        keys.extend(self.is_before_a_term().then(|| ("?".to_owned(), "grammar")));
        keys
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let theme = &shared.theme;
        let help = self.help(shared);
        let rows_name = self.filtering.names.list.rows()[1];
        let rows = if self.shows_grammar { grammar_rows(theme) } else { self.rows(&help, area, shared) };
        let high = (if self.shows_grammar { rows.len() } else { ROWS }) as u16 + OTHER_ROWS;
        let (wide, high) = (area.width.min(WIDEST), high.min(area.height));
        let left = if area.width > wide { 2.min(area.width - wide) } else { 0 };
        let place = Rect { x: area.x + left, y: area.bottom() - high, width: wide, height: high };
        let choices = match (&help.error, self.shows_grammar) {
            (None, false) => help.advice.completions.len().min(COMPLETIONS),
            _ => 0,
        };
        let [enter, up] = [Key::Enter, Key::Up].map(|key| shared.keymap.written(key));
        let escape = if self.prompt.text.is_empty() { "closes" } else { "clears" };
        let grammar = if self.is_before_a_term() { " · ? grammar" } else { "" };
        let finder = FinderBox {
            title: &format!("Filter {rows_name}"),
            found: self.found(&help, shared),
            sign: "& ",
            prompt: &self.prompt,
            wrong: help.error.as_ref().map_or(0..0, |error| underlined(error, &self.prompt.text)),
            choices,
            at: self.completed.as_ref().map_or(0, |(_, at)| *at).saturating_sub(first_shown(self.completed.as_ref())),
            rows,
            keys: match self.shows_grammar {
                true => ["Any key goes back".to_owned(), String::new()],
                false => [
                    format!("{enter} applies · Tab completes · Esc {escape}{grammar}"),
                    format!("{up} earlier filters"),
                ],
            },
        };
        finder.draw(buffer, place, theme);
    }
}

/// The first completion that is shown: the picked one stays in sight.
fn first_shown(completed: Option<&(Prompt, usize)>) -> usize {
    completed.map_or(0, |(_, at)| (at + 1).saturating_sub(COMPLETIONS))
}

/// What is underlined: something that is missing is shown at the last letter before it.
fn underlined(error: &FilterError, text: &str) -> Range<usize> {
    let span = error.span();
    if !span.is_empty() {
        return span;
    }
    let last = text[..span.start.min(text.len())].char_indices().next_back().map_or(0, |(at, _)| at);
    last..span.start
}

impl FilterLine {
    /// How many rows pass, of how many.
    fn found(&self, help: &Help, shared: &Shared) -> String {
        match shared.filters.counted(&self.prompt.text) {
            _ if help.error.is_some() || self.parsed(&self.prompt.text).is_err() => String::new(),
            Some(Ok([passing, all])) => format!("{} of {}", count(*passing), count(*all)),
            Some(Err(_)) => "not counted".to_owned(),
            None => "counting…".to_owned(),
        }
    }

    /// The reason of an error; else completions with how many rows they leave, and what explains the place.
    fn rows(&self, help: &Help, area: Rect, shared: &Shared) -> Vec<FoundRow> {
        let theme = &shared.theme;
        if let Some(error) = &help.error {
            let wide = usize::from(area.width.min(WIDEST).saturating_sub(8));
            let lines = wrapped(&error.problem(), wide).into_iter().enumerate();
            let row = |(number, line): (usize, String)| FoundRow {
                pieces: vec![(if number == 0 { "✗ " } else { "  " }.to_owned(), theme.error), (line, theme.text)],
                ..FoundRow::default()
            };
            return lines.map(row).take(ROWS).collect();
        }
        let typed = self.completed.as_ref().map_or(&self.prompt, |(typed, _)| typed);
        let [one, _] = self.filtering.names.list.rows();
        let completions = help.advice.completions.iter().skip(first_shown(self.completed.as_ref())).take(COMPLETIONS);
        let completions = completions.map(|completion| {
            let passing = match shared.filters.counted(&help.advice.completed(&typed.text, completion).0) {
                Some(Ok([passing, _])) if !typed.text.is_empty() => plural(*passing, one),
                _ => String::new(),
            };
            FoundRow {
                pieces: vec![
                    (format!("{:<TERMS$} ", completion.text), theme.strong),
                    (completion.about.clone(), theme.muted),
                ],
                right: (passing, theme.muted),
            }
        });
        let explains = help.advice.explains.iter().map(|(heading, text)| FoundRow {
            pieces: vec![(format!("{heading:<TERMS$} "), theme.muted), (text.clone(), theme.text)],
            ..FoundRow::default()
        });
        let offered = !help.advice.completions.is_empty();
        let filter = self.parsed(&self.prompt.text).ok().filter(|_| !offered);
        let bare = filter.and_then(|filter| filter.looked_for_in_ids()).map(|said| FoundRow {
            pieces: vec![(said, theme.text), (": no configuration or field has this name".to_owned(), theme.muted)],
            ..FoundRow::default()
        });
        completions.chain(bare).chain(explains).take(ROWS).collect()
    }
}

fn grammar_rows(theme: &Theme) -> Vec<FoundRow> {
    let row = |(written, means): &(&str, &str)| FoundRow {
        pieces: vec![(format!("{written:<40} "), theme.strong), ((*means).to_owned(), theme.muted)],
        ..FoundRow::default()
    };
    GRAMMAR.iter().map(row).collect()
}

/// Counts the rows that pass filters while one is typed, one filter after the other.
#[derive(Debug)]
pub struct CountFiltered {
    rows: Arc<dyn FilteredRows>,
    names: StudyNames,
    /// Those still to be counted.
    expressions: Vec<String>,
    pause: Duration,
}

impl Job for CountFiltered {
    /// The filter that was counted, its number of rows and of all, and what is left to be counted.
    type Output = (String, Result<[u64; 2], String>, Option<Self>);
    const NAME: &'static str = "count filtered rows";
    const LISTED: bool = false;

    fn pause(&self) -> Duration {
        self.pause
    }

    fn run(mut self, _: &Backend, stop: Stop<'_>) -> Option<Self::Output> {
        let expression = self.expressions.remove(0);
        let counted = match Filter::parse(&expression, self.names.names()) {
            Ok(filter) => self.rows.count(&filter, stop)?,
            Err(error) => Err(error.to_string()),
        };
        let rest = (!self.expressions.is_empty()).then_some(Self { pause: Duration::ZERO, ..self });
        Some((expression, counted, rest))
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        None
    }

    fn deliver((expression, counted, rest): Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        shared.filters.count_is(&expression, counted);
        rest.map(Request::job).into_iter().collect()
    }
}
