//! The documents of both sides: full-text search, URLs, sizes, records that were not read.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::action::Action;
use crate::tui::data::StudyData;
use crate::tui::theme::Theme;
use crate::tui::widgets::cursor::Cursor;

/// The state of the screen.
#[derive(Debug, Default)]
pub struct Corpus {
    /// On a row.
    pub cursor: Cursor,
}

impl Corpus {
    /// Moves the cursor.
    pub fn update(&mut self, action: Action, _data: &StudyData, area: Rect) -> bool {
        self.cursor.go(action, 0, usize::from(area.height))
    }

    /// Draws the screen.
    pub fn draw(&self, _buffer: &mut Buffer, _area: Rect, _data: &StudyData, _theme: &Theme) {}

    /// What stands in the line of messages when there is none.
    pub fn status(&self, _data: &StudyData) -> String {
        String::new()
    }
}
