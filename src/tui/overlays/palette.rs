//! Commands and places: one line that finds both.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::binding::OverlayKey;
use crate::command::{about, choices, is_command};
use crate::contract::{Answer, Job, Overlay, PairsOf, Request, Screens, Show, Stop};
use crate::finder::{Choice, DOCUMENT, Goal, Match, matching};
use crate::jobs::Backend;
use crate::key::Key;
use crate::logbook::LogLine;
use crate::question::SEARCH;
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::finder_box::{FinderBox, FoundRow, OTHER_ROWS};
use crate::widgets::prompt::{Edit, Prompt, Typed};
use dejaview_index::KeptSide;
use dejaview_methods::edit::misspelled;
use dejaview_study::{TitleMatch, spelling};

/// Columns of the box at most.
const WIDEST: u16 = 84;
/// Rows of the list at most.
const ROWS: u16 = 10;
/// Letters that documents are looked for with, at least.
const SHORTEST: usize = 2;
/// Documents that are found at most: whoever wants others types more.
const MOST_DOCUMENTS: usize = 50;
/// Documents are looked for once no key was pressed for so long.
const PAUSE: Duration = Duration::from_millis(100);
/// Columns of the kind of a choice.
const KIND: usize = 13;

/// What a key does beside editing the line.
#[derive(Debug, Clone, Copy)]
enum PaletteKey {
    Complete,
    Up,
    Down,
}

const KEYS: &[OverlayKey<PaletteKey>] = &[
    OverlayKey::shown(&[Key::Tab], PaletteKey::Complete, "completes"),
    OverlayKey::shown(&[Key::Up, Key::Ctrl('p')], PaletteKey::Up, "chooses"),
    OverlayKey::shown(&[Key::Down, Key::Ctrl('n')], PaletteKey::Down, "chooses"),
];

/// The line and what it finds.
#[derive(Debug, Default)]
pub struct Palette {
    prompt: Prompt,
    /// What was typed before Tab, while a completion is in its place.
    typed: Option<String>,
    /// The number of the choice under the cursor.
    at: usize,
    /// Whether the cursor was moved, so that Enter means the choice and not the line.
    chosen: bool,
}

impl Palette {
    /// Opens the line, which offers what was chosen last.
    pub fn open(shared: &mut Shared) -> Vec<Request> {
        shared.finder.documents_found(Vec::new());
        vec![Request::open(Self::default())]
    }

    fn typed(&self) -> &str {
        self.typed.as_deref().unwrap_or(&self.prompt.text).trim()
    }

    /// What the line finds, the best first; an empty line the recent choices, then all commands.
    fn matches(&self, shared: &Shared) -> Vec<Match> {
        let typed = self.typed();
        if typed.is_empty() {
            let recent: Vec<Choice> = shared.finder.recent().cloned().collect();
            let rest = choices(shared).into_iter().filter(|choice| recent.iter().all(|one| one.goal != choice.goal));
            let all = recent.iter().cloned().chain(rest);
            return all.map(|choice| Match { choice, letters: Vec::new() }).collect();
        }
        let documents = shared.finder.documents().iter().cloned();
        let mut matches = matching(choices(shared).into_iter().chain(documents), lookups(typed, shared), typed);
        if matches.first().is_some_and(|first| matches!(first.choice.goal, Goal::Search(_))) {
            let first = match is_command(typed, shared) {
                true => Some(Choice { detail: about(typed, shared), ..typed_command(typed) }),
                false => meant(typed, shared),
            };
            matches.splice(0..0, first.map(|choice| Match { choice, letters: Vec::new() }));
        }
        matches
    }

    fn move_cursor(&mut self, down: bool, shared: &Shared) {
        let last = self.matches(shared).len().saturating_sub(1);
        self.at = if down { (self.at + 1).min(last) } else { self.at.saturating_sub(1) };
        self.chosen = true;
    }

    /// Puts the choice into the line; the next Tab the next one.
    fn complete(&mut self, forward: bool, shared: &Shared) {
        let matches = self.matches(shared);
        if matches.is_empty() {
            return;
        }
        let len = matches.len();
        self.at = match (&self.typed, forward) {
            (None, true) => self.at.min(len - 1),
            (None, false) => len - 1,
            (Some(_), true) => (self.at + 1) % len,
            (Some(_), false) => (self.at + len - 1) % len,
        };
        let typed = self.typed().to_owned();
        self.typed = Some(typed);
        self.chosen = true;
        let choice = &matches[self.at].choice;
        self.prompt = Prompt::with(match &choice.goal {
            Goal::Command(line) => line,
            _ => &choice.text,
        });
    }

    /// Asks for documents, once there is enough to look for.
    fn find_documents(&self, shared: &Shared) -> Vec<Request> {
        let typed = self.typed();
        if typed.chars().count() < SHORTEST || is_command(typed, shared) {
            return vec![Request::forget::<FindDocuments>()];
        }
        vec![Request::job(FindDocuments { typed: typed.to_owned() })]
    }

    fn changed_by_hand(&mut self) {
        (self.typed, self.at, self.chosen) = (None, 0, false);
    }

    /// Runs the line where it is a whole command, else what is under the cursor.
    fn run(&mut self, shared: &mut Shared) -> Answer {
        let line = self.prompt.text.trim().to_owned();
        let choice = self.matches(shared).into_iter().nth(self.at).map(|found| found.choice);
        let choice = choice.filter(|_| self.chosen || !is_command(&line, shared));
        let choice = match choice {
            _ if line.is_empty() && !self.chosen => return Answer::Closed(Vec::new()),
            Some(choice) => choice,
            None => typed_command(&line),
        };
        match &choice.goal {
            Goal::Command(unfinished) if unfinished.ends_with(' ') => {
                self.prompt = Prompt::with(unfinished);
                self.changed_by_hand();
                Answer::Stays
            }
            goal => {
                let requests = requests(goal.clone(), shared);
                shared.finder.remember(choice);
                Answer::Closed(requests)
            }
        }
    }
}

fn typed_command(line: &str) -> Choice {
    let goal = Goal::Command(line.to_owned());
    Choice { kind: "command", text: line.to_owned(), detail: String::new(), key: String::new(), goal }
}

/// The command whose name the first word resembles.
fn meant(typed: &str, shared: &Shared) -> Option<Choice> {
    let first = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    let commands = choices(shared).into_iter().filter(|choice| matches!(choice.goal, Goal::Command(_)));
    let named: Vec<(String, Choice)> = commands.map(|choice| (first(&choice.text), choice)).collect();
    let name = misspelled(&first(typed), named.iter().map(|(name, _)| name.as_str()))?.to_owned();
    let (_, choice) = named.into_iter().find(|(other, _)| *other == name)?;
    Some(Choice { detail: format!("did you mean this? {}", choice.detail), ..choice })
}

/// Looking for the words in texts and in URLs, which every line can be used for.
fn lookups(typed: &str, shared: &Shared) -> Vec<Choice> {
    let key = |screen: &str, key: &str| {
        let digit = shared.keymap.named(screen).and_then(|action| shared.keymap.key_of(action, shared.screen));
        digit.map(|digit| format!("{digit} {key}")).unwrap_or_default()
    };
    let url = format!("url:{}", typed.split_whitespace().next().unwrap_or_default());
    let lookup = |kind, text, key, goal| Choice { kind, text, detail: String::new(), key, goal };
    vec![
        lookup("search", format!("search texts for “{typed}”"), key("corpus", "/"), Goal::Search(typed.to_owned())),
        lookup("filter", format!("filter pairs: {url}"), key("pairs", "&"), Goal::Pairs(url)),
    ]
}

fn requests(goal: Goal, shared: &Shared) -> Vec<Request> {
    let pairs = |pairs| vec![Request::Show(Show::Pairs(pairs))];
    match goal {
        Goal::Command(line) => vec![Request::Command(line)],
        Goal::Judgments(filter) => vec![Request::Show(Show::Judgments(filter))],
        Goal::Pairs(filter) => pairs(PairsOf::Filter(filter)),
        Goal::PairsOfDocument(id) => pairs(PairsOf::Document(id)),
        Goal::PairsOfConfiguration(configuration) => pairs(PairsOf::Configuration(configuration)),
        Goal::Search(words) => {
            let corpus = shared.keymap.named("corpus").map(Request::Act);
            corpus.into_iter().chain([Request::Typed(SEARCH, words)]).collect()
        }
    }
}

/// Looks for documents whose title or URL has the words.
#[derive(Debug)]
pub struct FindDocuments {
    typed: String,
}

impl Job for FindDocuments {
    type Output = Vec<Choice>;
    const NAME: &'static str = "find documents";
    const LISTED: bool = false;

    fn pause(&self) -> Duration {
        PAUSE
    }

    fn run(self, backend: &Backend, stop: Stop<'_>) -> Option<Self::Output> {
        let words: Vec<String> = self.typed.split_whitespace().map(str::to_lowercase).collect();
        let found = backend.study().titles().find(&words, MOST_DOCUMENTS, stop)?;
        Some(found.into_iter().map(document).collect())
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        None
    }

    fn deliver(documents: Self::Output, _: &mut Screens, shared: &mut Shared) -> Vec<Request> {
        shared.finder.documents_found(documents);
        Vec::new()
    }
}

fn document(found: TitleMatch) -> Choice {
    let (side, goal) = match found.side {
        KeptSide::Source => ("A", Goal::PairsOfDocument(found.id)),
        KeptSide::Target => ("B", Goal::Pairs(spelling::exactly("target", &found.id))),
    };
    let url = found.document.url.trim_start_matches("https://").trim_start_matches("http://").to_owned();
    let text = format!("{side} {}", found.document.title);
    Choice { kind: DOCUMENT, text, detail: url, key: String::new(), goal }
}

impl Overlay for Palette {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        shared.message = None;
        if event.code == KeyCode::BackTab {
            self.complete(false, shared);
            return Answer::Stays;
        }
        match Key::of(event).and_then(|key| OverlayKey::resolve(KEYS, key)) {
            Some(PaletteKey::Complete) => self.complete(true, shared),
            Some(PaletteKey::Up) => self.move_cursor(false, shared),
            Some(PaletteKey::Down) => self.move_cursor(true, shared),
            None => match self.prompt.key(event) {
                Typed::More => {
                    self.changed_by_hand();
                    return Answer::Asks(self.find_documents(shared));
                }
                Typed::Cancelled => return Answer::Closed(vec![Request::forget::<FindDocuments>()]),
                Typed::Done => return self.run(shared),
            },
        }
        Answer::Stays
    }

    fn paste(&mut self, text: &str, _: &mut Shared) -> bool {
        self.prompt.paste(text);
        self.changed_by_hand();
        true
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        let mut keys = vec![Edit::Finish.shown("runs it")];
        keys.extend(OverlayKey::bar(KEYS));
        keys.extend([
            Edit::Cancel.shown("closes"),
            Edit::Clear.shown("clears"),
            Edit::DeleteWord.shown("deletes a word"),
        ]);
        keys
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let matches = self.matches(shared);
        let rows: Vec<FoundRow> = matches.iter().map(|found| row(found, &shared.theme)).collect();
        let wide = WIDEST.min(area.width.saturating_sub(4)).max(area.width.min(60));
        let high = (ROWS + OTHER_ROWS).min(area.height.saturating_sub(1));
        let place =
            Rect { x: area.x + (area.width - wide) / 2, y: area.y + 1.min(area.height), width: wide, height: high };
        let found = if self.typed().is_empty() { String::new() } else { format!("{} found", matches.len()) };
        let enter = shared.keymap.written(Key::Enter);
        let finder = FinderBox {
            title: "Commands and places",
            found,
            sign: ": ",
            prompt: &self.prompt,
            wrong: 0..0,
            choices: rows.len(),
            at: self.at.min(rows.len().saturating_sub(1)),
            rows,
            keys: [format!("{enter} runs it · Tab completes · Esc closes"), String::new()],
        };
        finder.draw(buffer, place, &shared.theme);
    }
}

/// Kind, text with its matched letters, what explains it, and its key.
fn row(found: &Match, theme: &Theme) -> FoundRow {
    let Choice { kind, text, detail, key, .. } = &found.choice;
    let mut pieces = vec![(format!("{kind:<KIND$} "), theme.muted)];
    for (at, letter) in text.char_indices() {
        let style = if found.letters.contains(&at) { theme.accent } else { theme.text };
        match pieces.last_mut() {
            Some((piece, last)) if *last == style && at > 0 => piece.push(letter),
            _ => pieces.push((letter.to_string(), style)),
        }
    }
    pieces.push((format!("  {detail}"), theme.muted));
    FoundRow { pieces, right: (format!("{key} "), theme.accent) }
}
