//! The list of decided pairs, newest first: title and time, nothing that would say how one was decided.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::layout::below_head;
use super::{Label, end};
use crate::action::Action;
use crate::contract::{Here, Request, View};
use crate::widgets::boxes::centred;
use crate::widgets::cursor::Cursor;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::size::{Size, two_columns};
use crate::widgets::table::{self, Column};
use dejaview_index::KeptSide;
use dejaview_labels::{Decisions, seconds_between};

/// A question that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DecidedPair {
    /// Its place among the questions.
    pub(super) question: usize,
    /// The how manieth decision it was.
    pub(super) number: usize,
    time: String,
}

impl Label {
    /// The questions that were answered, newest first.
    pub(super) fn decided_pairs(&self, decisions: &Decisions) -> Vec<DecidedPair> {
        let answer = |(at, question): (usize, _)| Some((self.answer(question, decisions)?, at));
        let mut answers: Vec<_> = self.questions.iter().copied().enumerate().filter_map(answer).collect();
        answers.sort_by_key(|(event, _)| event.seq);
        let numbered = answers.into_iter().enumerate();
        let pairs = numbered.map(|(place, (event, question))| DecidedPair {
            question,
            number: place + 1,
            time: event.time.clone(),
        });
        let mut pairs: Vec<DecidedPair> = pairs.collect();
        pairs.reverse();
        pairs
    }

    /// A key while the list is open.
    pub(super) fn act_on_list(&mut self, action: Action, here: &mut Here<'_>) -> Vec<Request> {
        let Some(mut cursor) = self.list else { return Vec::new() };
        let pairs = self.decided_pairs(here.shared.book.decisions());
        match action {
            Action::NextPane => return self.close_list(here),
            Action::Open => {
                let Some(pair) = pairs.get(cursor.at) else { return Vec::new() };
                self.list = None;
                here.shared.hide();
                return self.reopen(pair.question);
            }
            _ => {}
        }
        let page =
            usize::from(Frame::inside(self.list_place(here.area(), here.shared.class()), here.shared.class()).height);
        cursor.go(action, pairs.len(), page);
        self.list = Some(cursor);
        Vec::new()
    }

    /// Opens the list of decided pairs.
    pub(super) fn open_list(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        if self.decided(&here.shared.book) == 0 {
            return here.say("No pair is decided yet");
        }
        self.list = Some(Cursor::default());
        here.shared.hide();
        Vec::new()
    }

    /// Closes the list and goes to the first undecided pair, unless it is shown.
    pub(super) fn close_list(&mut self, here: &mut Here<'_>) -> Vec<Request> {
        self.list = None;
        here.shared.hide();
        if self.again { self.go_to_undecided(here.shared.book.decisions()) } else { Vec::new() }
    }

    /// Where the list is drawn: over the texts, or over their right half; in the place of the end card.
    fn list_place(&self, area: Rect, size: Size) -> Rect {
        match (self.finished, size.is_narrow()) {
            (true, true) => area,
            (true, false) => centred(area, end::WIDEST, area.height),
            (false, true) => below_head(area),
            (false, false) => two_columns(below_head(area))[1],
        }
    }

    pub(super) fn draw_list(&self, buffer: &mut Buffer, area: Rect, cursor: Cursor, view: &View<'_>) {
        let (shared, theme, size) = (view.shared, &view.shared.theme, view.shared.class());
        let pairs = self.decided_pairs(shared.book.decisions());
        let place = self.list_place(area, size);
        let page = usize::from(Frame::inside(place, size).height);
        let mut kept = cursor;
        kept.keep(pairs.len(), page);
        let frame = Frame {
            title: "Decided pairs".to_owned(),
            qualifier: "labels stay hidden".to_owned(),
            position: format!("{}/{}", pairs.len() - cursor.at.min(pairs.len()), pairs.len()),
            legend: "⏎ decide again, blind".to_owned(),
            focused: true,
            scroll: Scroll { top: kept.top, page, len: pairs.len() },
            ..Frame::default()
        };
        Clear.render(place, buffer);
        buffer.set_style(place, theme.text);
        let inside = frame.draw(buffer, place, size, theme);
        let columns = [Column::right("", 5), Column::left("", 0), Column::right("", 13)];
        let now = shared.now();
        let sample = self.sample();
        table::draw(buffer, inside, &columns, (cursor, pairs.len()), theme, |row| {
            let pair = &pairs[row];
            let question = self.questions[pair.question];
            let source = sample.and_then(|sample| sample.pairs.get(question.pair)).map(|pair| pair.source.as_str());
            let title = source.map(|id| view.data.study.titles().shown(KeptSide::Source, id).text().to_owned());
            vec![
                (pair.number.to_string(), theme.muted),
                (title.unwrap_or_default(), theme.text),
                (ago(&pair.time, &now), theme.muted),
            ]
        });
    }
}

/// How long ago something was, in words.
fn ago(time: &str, now: &str) -> String {
    match seconds_between(time, now) {
        None => String::new(),
        Some(..60) => "just now".to_owned(),
        Some(seconds @ ..3600) => format!("{} min ago", seconds / 60),
        Some(seconds @ ..86_400) => format!("{} h ago", seconds / 3600),
        Some(seconds) => format!("{} d ago", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_in_words() {
        let at = |time: &str| ago(time, "2012-02-10T12:00:00.000Z");
        assert_eq!(at("2012-02-10T11:59:30.000Z"), "just now");
        assert_eq!(at("2012-02-10T11:57:59.000Z"), "2 min ago");
        assert_eq!(at("2012-02-10T09:00:00.000Z"), "3 h ago");
        assert_eq!(at("2012-02-08T12:00:00.000Z"), "2 d ago");
        assert_eq!(at("2012-02-10T12:00:05.000Z"), "just now", "clocks differ");
        assert_eq!(at("yesterday"), "");
    }
}
