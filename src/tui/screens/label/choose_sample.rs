//! The dialog in which one of several samples is chosen.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::binding::OverlayKey;
use crate::contract::{Answer, Overlay, Request};
use crate::key::Key;
use crate::sample_status::{SampleStatus, to_continue};
use crate::samples;
use crate::shared::Shared;
use crate::widgets::boxes::{centred, draw_box};
use crate::widgets::cursor::Cursor;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::meter;
use crate::widgets::pieces;
use crate::widgets::table;
use dejaview_report::numbers::count;

/// What a key does.
#[derive(Debug, Clone, Copy)]
enum Does {
    Open,
    Draw,
    Close,
    Move(Action),
}

const KEYS: &[OverlayKey<Does>] = &[
    OverlayKey::shown(&[Key::Enter], Does::Open, "label it"),
    OverlayKey::shown(&[Key::Char('d')], Does::Draw, "draw a new one"),
    OverlayKey::shown(&[Key::Esc, Key::Char('q')], Does::Close, "close"),
    OverlayKey::hidden(&[Key::Up, Key::Char('k')], Does::Move(Action::Up)),
    OverlayKey::hidden(&[Key::Down, Key::Char('j')], Does::Move(Action::Down)),
];

/// Columns of the box, and of a progress bar.
const WIDTH: u16 = 72;
const BAR: u16 = 20;
/// Samples shown at once, at most.
const MOST: u16 = 12;

#[derive(Debug)]
pub struct ChooseSample {
    samples: Vec<SampleStatus>,
    cursor: Cursor,
    /// Whether one of them is open already, so that closing the dialog leads back to it.
    is_open: bool,
}

impl ChooseSample {
    /// The cursor is on the sample that the person goes on with.
    pub fn new(samples: Vec<SampleStatus>, shared: &Shared) -> Self {
        let next = to_continue(&samples, &shared.book.annotator).map(|next| &next.name);
        let at = samples.iter().position(|status| Some(&status.name) == next).unwrap_or_default();
        let mut cursor = Cursor::default();
        cursor.to(at, samples.len(), usize::from(MOST));
        let is_open = samples.iter().any(|status| status.opens) && shared.sample_is_chosen;
        Self { samples, cursor, is_open }
    }

    /// What of a sample is said beside its name.
    fn words(&self, status: &SampleStatus, annotator: &str) -> String {
        let (decided, share) = (status.decided_by(annotator), status.share(annotator));
        match (&status.changed, &status.time_left) {
            (Some(changed), _) => format!("! of other pairs: {changed}"),
            _ if share == 0 => "not for you".to_owned(),
            _ if decided >= share => "finished".to_owned(),
            (None, Some(time)) => format!("{time} left"),
            (None, None) => String::new(),
        }
    }
}

impl Overlay for ChooseSample {
    fn key(&mut self, event: &KeyEvent, shared: &mut Shared) -> Answer {
        let Some(does) = Key::of(event).and_then(|key| OverlayKey::resolve(KEYS, key)) else { return Answer::Stays };
        match does {
            Does::Open => {
                let Some(status) = self.samples.get(self.cursor.at) else { return Answer::Closed(Vec::new()) };
                let mut requests = samples::choose(&status.name, shared);
                requests.push(Request::Refresh);
                Answer::Closed(requests)
            }
            Does::Draw => Answer::Closed(vec![Request::Act(Action::NewSample)]),
            Does::Close if self.is_open => Answer::Closed(Vec::new()),
            Does::Close => Answer::Closed(vec![Request::Leave]),
            Does::Move(action) => {
                self.cursor.go(action, self.samples.len(), usize::from(MOST));
                Answer::Stays
            }
        }
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        OverlayKey::bar(KEYS)
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let (theme, annotator) = (&shared.theme, shared.book.annotator.as_str());
        let rows = (self.samples.len() as u16).min(MOST);
        let frame = Frame {
            qualifier: format!("which one do you want to label, {annotator}?"),
            position: OverlayKey::bar(KEYS)
                .iter()
                .map(|(key, does)| format!("{key} {does}"))
                .collect::<Vec<_>>()
                .join(" · "),
            focused: true,
            scroll: Scroll { top: self.cursor.top, page: usize::from(rows), len: self.samples.len() },
            ..Frame::new("Samples")
        };
        let names = self.samples.iter().map(|status| width(&status.name)).max().unwrap_or(0).min(24) as u16;
        draw_box(buffer, centred(area, WIDTH, rows + 2), &frame, theme, |buffer, inside| {
            let page = self.samples.iter().enumerate().skip(self.cursor.top);
            for (y, (number, status)) in (inside.y..inside.bottom()).zip(page) {
                let mut x = inside.x + 1;
                draw_text(buffer, (x, y), names, &status.name, theme.strong);
                x += names + 2;
                let (decided, share) = (status.decided_by(annotator), status.share(annotator));
                let bar = meter::progress(decided.min(share) as u64, share as u64, BAR, theme);
                x += pieces::draw(buffer, (x, y), BAR, &bar) + 1;
                let numbers = format!("{:>9}  ", format!("{}/{}", count(decided as u64), count(share as u64)));
                x += draw_text(buffer, (x, y), inside.right().saturating_sub(x), &numbers, theme.text);
                let style = if status.changed.is_some() { theme.warning } else { theme.muted };
                draw_text(buffer, (x, y), inside.right().saturating_sub(x), &self.words(status, annotator), style);
                if number == self.cursor.at {
                    table::select(buffer, Rect { y, height: 1, ..inside }, true, theme);
                }
            }
        });
    }
}
