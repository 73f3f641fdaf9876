//! Asks before one leaves while labels cannot be saved.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::binding::OverlayKey;
use crate::book::Book;
use crate::contract::{Answer, Effect, Overlay, Request};
use crate::key::Key::{self, Char};
use crate::shared::Shared;
use crate::widgets::boxes::{centred, draw_box};
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph::wrapped;
use dejaview_report::numbers::plural;

/// Columns of the box at most.
const WIDEST: u16 = 70;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Leave,
    Stay,
}

/// Every other key is ignored, so that no slip of a finger leaves.
const KEYS: &[OverlayKey<Does>] = &[
    OverlayKey::shown(&[Key::Esc, Char('q'), Key::Ctrl('c')], Does::Stay, "stays"),
    OverlayKey::shown(&[Char('Q')], Does::Leave, "leaves all the same"),
];

#[derive(Debug)]
pub struct LeaveUnsaved;

/// Leaves, or asks first where something could not be saved. What is only being saved is waited for.
pub fn leave(shared: &Shared) -> Request {
    if failed(shared).is_some() { Request::open(LeaveUnsaved) } else { Effect::Quit.into() }
}

/// The journal that something could not be written to, with why.
fn failed(shared: &Shared) -> Option<(&Book, &str)> {
    let books = [&shared.book, &shared.adjudications].into_iter();
    books.filter(|book| book.pending() > 0).find_map(|book| Some((book, book.trouble.as_deref()?)))
}

impl Overlay for LeaveUnsaved {
    fn key(&mut self, event: &KeyEvent, _: &mut Shared) -> Answer {
        match Key::of(event).and_then(|key| OverlayKey::resolve(KEYS, key)) {
            Some(Does::Leave) => Answer::Closed(vec![Effect::Quit.into()]),
            Some(Does::Stay) => Answer::Closed(Vec::new()),
            None => Answer::Stays,
        }
    }

    fn keys(&self, _: &Shared) -> Vec<(String, &'static str)> {
        OverlayKey::bar(KEYS)
    }

    fn draw(&self, buffer: &mut Buffer, area: Rect, shared: &Shared) {
        let text = match failed(shared) {
            Some((book, why)) => format!(
                "{} of {} could not be saved: {why}. While you stay, saving is tried again. If you leave, they are printed \
                 on the terminal and kept in the folder for temporary files, and must be put into the journal by hand.",
                plural(book.pending() as u64, "event"),
                book.annotator
            ),
            None => "Everything has been saved by now.".to_owned(),
        };
        let columns = WIDEST.min(area.width).saturating_sub(4);
        let lines = wrapped(&text, usize::from(columns));
        let place = centred(area, columns + 4, (lines.len() as u16 + 2).min(area.height));
        let frame = Frame { focused: true, ..Frame::new("Not saved") };
        draw_box(buffer, place, &frame, &shared.theme, |buffer, inside| {
            for (y, line) in (inside.y..inside.bottom()).zip(&lines) {
                draw_text(buffer, (inside.x + 1, y), inside.width.saturating_sub(1), line, shared.theme.text);
            }
        });
    }
}
