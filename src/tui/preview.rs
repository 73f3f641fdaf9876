//! The pair under the cursor of a list, shown beside the list as the cursor moves.
//!
//! The texts are read and compared by a job, so no key waits for them; the newest request replaces older ones. Until the
//! texts come, those of the previous pair stay. While a key repeats, the job first waits for a pause, and all that stands
//! beside the list waits with it: a key that is held costs the list alone.

use std::fmt;
use std::marker::PhantomData;
use std::thread::sleep;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::action::Action;
use super::contract::{Job, NO_RESULT, Request, Screen, Screens, Stop};
use super::data::StudyData;
use super::jobs::Backend;
use super::logbook::LogLine;
use super::pair_ids::PairIds;
use super::pane::{Form, OpenPair, Origin, PairPane, WantedPair};
use super::shared::Shared;
use super::theme::Theme;
use super::widgets::empty;
use super::widgets::frame::Frame;
use super::widgets::glyphs::draw_text;
use super::widgets::size::{Size, split_lines};
use dejaview_index::KeptSide;
use dejaview_report::numbers::plural;
use dejaview_text::shorten::{Compared, Role, compare_urls};

/// Two requests within this time come from a key that repeats; the texts then wait until it stops for as long.
const PAUSE: Duration = Duration::from_millis(60);
/// How often a waiting job looks whether it was replaced.
const STEP: Duration = Duration::from_millis(10);

/// Notices a key that repeats, so that what follows the cursor waits until it stops.
#[derive(Debug, Default)]
pub struct KeyPace {
    previous: Option<Duration>,
}

impl KeyPace {
    /// Whether the previous move was so short ago that a key must be repeating.
    pub fn repeats(&mut self, at: Duration) -> bool {
        self.previous.replace(at).and_then(|previous| at.checked_sub(previous)).is_some_and(|gap| gap < PAUSE)
    }

    /// Waits for a pause of the keys; false when the job was replaced meanwhile.
    pub fn wait(stop: Stop<'_>) -> bool {
        let mut waited = Duration::ZERO;
        while waited < PAUSE && !stop() {
            sleep(STEP);
            waited += STEP;
        }
        !stop()
    }
}

/// Lines above the texts: both URLs and a blank one.
const HEAD: u16 = 3;

#[derive(Debug, Default)]
pub struct Preview {
    pane: PairPane,
    /// The pair that was asked for last.
    wanted: Option<PairIds>,
    /// Whether a key repeats, so that the previous pair stays until it stops.
    waits: bool,
    /// Whether the study was read again since, which may have other texts now.
    outdated: bool,
    pace: KeyPace,
}

/// A screen with a preview.
pub trait ShowsPreview: Screen {
    fn preview_mut(&mut self) -> &mut Preview;
}

impl Preview {
    /// Asks for a pair unless it is there already; no pair clears the preview.
    pub fn show<S: ShowsPreview>(&mut self, ids: Option<PairIds>, at: Duration) -> Vec<Request> {
        if ids == self.wanted && !std::mem::take(&mut self.outdated) {
            return Vec::new();
        }
        let repeats = self.pace.repeats(at);
        self.wanted.clone_from(&ids);
        self.waits = repeats && ids.is_some();
        match ids {
            Some(ids) => {
                let wanted = WantedPair { ids, from: Origin::Study(Form::Text), swapped: false };
                vec![Request::job(ReadPreview::<S> { wanted, pause: repeats, screen: PhantomData })]
            }
            None => {
                self.pane.close();
                vec![Request::forget::<ReadPreview<S>>()]
            }
        }
    }

    /// The study was read again: the texts are asked for again, and those of before stay until then.
    pub fn forget(&mut self) {
        self.outdated = true;
    }

    fn take(&mut self, ids: PairIds, result: Result<Box<OpenPair>, String>) {
        self.waits &= self.wanted.as_ref() != Some(&ids);
        self.pane.ids = ids;
        self.pane.opened(result);
    }

    /// Whether the previous pair stays until a key no longer repeats.
    pub fn waits(&self) -> bool {
        self.waits
    }

    /// Whether the texts shown are those of the pair under the cursor.
    fn is_current(&self) -> bool {
        self.wanted.as_ref() == Some(&self.pane.ids)
    }

    /// Scrolls the texts in a pane of this area.
    pub fn scroll(&mut self, action: Action, area: Rect, size: Size) {
        let [_, texts] = split_lines(Frame::inside(area, size), HEAD);
        self.pane.update(action, texts);
    }

    /// Draws the frame, both URLs and the texts.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, data: &StudyData, frame: Frame, shared: &Shared) {
        let (size, theme) = (shared.class(), &shared.theme);
        let mut frame = frame;
        if !self.is_current() && !self.waits && self.wanted.is_some() {
            frame.title.push('…');
        }
        if let Some(Ok(open)) = &self.pane.open {
            let changes = open.texts.diff.changes.len() as u64;
            frame.legend = if changes == 0 { "no change".to_owned() } else { plural(changes, "change") };
        }
        let inside = frame.draw(buffer, area, size, theme);
        if !shared.preferences.preview {
            return empty::draw(buffer, inside, &["The preview is off", ":set preview on shows it"], theme);
        }
        let [head, texts] = split_lines(inside, HEAD);
        let shown = if self.waits { Some(&self.pane.ids) } else { self.wanted.as_ref() };
        if let Some(ids) = shown {
            draw_urls(buffer, head, data, ids, theme);
        }
        if self.pane.open.is_some() {
            self.pane.draw(buffer, texts, theme);
        }
    }
}

/// Draws the URLs of a pair below each other, aligned so that what differs is seen.
pub fn draw_urls(buffer: &mut Buffer, area: Rect, data: &StudyData, ids: &PairIds, theme: &Theme) {
    let url = |side, id: &str| data.study.titles().get(side, id).map(|document| document.url.clone());
    let urls = [url(KeptSide::Source, &ids.source), url(KeptSide::Target, &ids.target)].map(Option::unwrap_or_default);
    let room = area.width.saturating_sub(3);
    let mut lines: [Vec<(String, ratatui::style::Style)>; 2] = Default::default();
    match compare_urls(&urls[0], &urls[1], usize::from(room)) {
        Compared::Same(url) if url.is_empty() => lines[0] = vec![("no URL".to_owned(), theme.muted)],
        Compared::Same(url) => {
            lines = [vec![(url, theme.text)], vec![("= same URL".to_owned(), theme.muted)]];
        }
        Compared::Different(compared) => {
            for (line, spans) in lines.iter_mut().zip(compared) {
                let style = |role| match role {
                    Role::Equal => theme.muted,
                    Role::OnlyA => theme.a,
                    Role::OnlyB => theme.b,
                };
                line.extend(spans.into_iter().map(|span| (span.text, style(span.role))));
            }
        }
    }
    for ((side, line), y) in ["A", "B"].into_iter().zip(lines).zip(area.y..area.bottom()) {
        let mut x = area.x + 1 + draw_text(buffer, (area.x + 1, y), room, side, theme.strong) + 1;
        for (text, style) in line {
            x += draw_text(buffer, (x, y), area.right().saturating_sub(x), &text, style);
        }
    }
}

pub struct ReadPreview<S> {
    wanted: WantedPair,
    /// Whether to wait for a pause of the keys first.
    pause: bool,
    screen: PhantomData<fn() -> S>,
}

impl<S> fmt::Debug for ReadPreview<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wanted.fmt(f)
    }
}

impl<S: ShowsPreview> Job for ReadPreview<S> {
    type Output = (PairIds, Result<Box<OpenPair>, String>);
    const NAME: &'static str = "preview a pair";
    const LISTED: bool = false;

    fn run(self, backend: &Backend, stop: Stop<'_>) -> Option<Self::Output> {
        if self.pause && !KeyPace::wait(stop) {
            return None;
        }
        let result = self.wanted.read(&backend.study());
        Some((self.wanted.ids, result))
    }

    fn line(_: &Self::Output) -> Option<LogLine> {
        None
    }

    fn deliver((ids, result): Self::Output, screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        screens.get_mut::<S>().preview_mut().take(ids, result);
        Vec::new()
    }

    fn lost(screens: &mut Screens, _: &mut Shared) -> Vec<Request> {
        let preview = screens.get_mut::<S>().preview_mut();
        if let Some(ids) = preview.wanted.clone() {
            preview.take(ids, Err(NO_RESULT.to_owned()));
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_repeats_is_noticed() {
        let mut pace = KeyPace::default();
        let moves = [0, 500, 530, 560, 700].map(|at| pace.repeats(Duration::from_millis(at)));
        assert_eq!(moves, [false, false, true, true, false]);
        assert!(KeyPace::wait(&|| false));
        assert!(!KeyPace::wait(&|| true), "a newer request replaces it");
    }
}
