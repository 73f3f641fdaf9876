//! The list of cases, with a tab for each kind.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::adjudicator::{Adjudicator, settled};
use super::reading::ReviewData;
use crate::theme::Theme;
use crate::widgets::cursor::Cursor;
use crate::widgets::frame::{Frame, Scroll, Tabs};
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::paragraph;
use crate::widgets::size::Size;
use crate::widgets::table::{self, Column, Rows};
use dejaview_labels::{Case, Label as Decision, Review as Cases};
use dejaview_text::shorten::{Compared, Span, compare_titles};

/// A tab, the concern that its cases have, and the sign before them.
#[derive(Debug)]
pub(super) struct Kind {
    tab: &'static str,
    /// None for all cases.
    concern: Option<&'static str>,
    sign: &'static str,
}

pub(super) const KINDS: [Kind; 7] = [
    Kind { tab: "all", concern: None, sign: " " },
    Kind { tab: "disagree", concern: Some("disagreement"), sign: "≠" },
    Kind { tab: "repeat", concern: Some("self-inconsistent"), sign: "≠" },
    Kind { tab: "contradiction", concern: Some("contradiction"), sign: "!" },
    Kind { tab: "unsure", concern: Some("unsure"), sign: "◐" },
    Kind { tab: "flagged", concern: Some("flagged"), sign: "!" },
    Kind { tab: "adjudicators", concern: Some("adjudicators differ"), sign: "≠" },
];

impl Kind {
    pub(super) fn includes(&self, case: &Case) -> bool {
        self.concern.is_none_or(|name| case.concerns.iter().any(|concern| concern.name() == name))
    }
}

/// Columns of the kind, and of how many answered.
const COLUMNS: [u16; 2] = [16, 7];
/// Where each of two titles has fewer columns than this, the first one is shown alone.
const NARROWEST_TITLE: usize = 10;

/// What is shown of the list.
#[derive(Debug)]
pub(super) struct List<'a> {
    pub(super) data: &'a ReviewData,
    pub(super) adjudicator: Adjudicator<'a>,
    /// By number in [`KINDS`].
    pub(super) kind: usize,
    pub(super) cursor: Cursor,
    pub(super) focused: bool,
}

impl List<'_> {
    pub(super) fn draw(&self, buffer: &mut Buffer, area: Rect, size: Size, theme: &Theme) {
        let all = &self.data.review.cases;
        let shown: Vec<usize> = (0..all.len()).filter(|&i| KINDS[self.kind].includes(&all[i])).collect();
        let done = all.iter().filter(|case| settled(case, &self.adjudicator).is_some()).count();
        let page = usize::from(Frame::inside(area, size).height);
        let tab = |kind: &Kind| format!("{} {}", kind.tab, all.iter().filter(|case| kind.includes(case)).count());
        let position = match shown.len() {
            0 => String::new(),
            len => format!("{}/{len} · {done} settled", self.cursor.at + 1),
        };
        let frame = Frame {
            tabs: Tabs { names: KINDS.iter().map(tab).collect(), active: self.kind },
            position,
            focused: self.focused,
            scroll: Scroll { top: self.cursor.top, page, len: shown.len() },
            ..Frame::default()
        };
        let inside = frame.draw(buffer, area, size, theme);
        if shown.is_empty() {
            let none = if self.kind == 0 { nothing(&self.data.review) } else { "No cases of this kind" };
            let lines = paragraph::wrapped(none, usize::from(inside.width.saturating_sub(2)));
            for (y, line) in (inside.y..inside.bottom()).zip(lines) {
                draw_text(buffer, (inside.x + 1, y), inside.width.saturating_sub(1), &line, theme.muted);
            }
            return;
        }
        let [kind, said] = COLUMNS;
        let states = shown.iter().map(|&i| width(&state_word(settled(&all[i], &self.adjudicator))));
        let state = states.max().unwrap_or(0) as u16 + 1;
        let columns = [Column::left("", kind), Column::left("", said), Column::left("", 0), Column::left("", state)];
        let room = usize::from(inside.width.saturating_sub(kind + said + state + 3));
        let cells = |row: usize| {
            let Some(&i) = shown.get(row) else { return Vec::new() };
            let state = settled(&all[i], &self.adjudicator);
            let style = if state.is_some() { theme.muted } else { theme.text };
            vec![
                (format!(" {}", kind_of(&all[i])), style),
                (format!("{} said", all[i].opinions.iter().filter(|one| one.label.is_some()).count()), theme.muted),
                (both_titles(&self.data.titles[i], room), style),
                (state_word(state), style),
            ]
        };
        let rows = Rows { cursor: self.cursor, len: shown.len(), focused: self.focused };
        table::draw(buffer, inside, &columns, rows, theme, cells);
    }
}

/// The gravest concern of a case, and how many more it has.
fn kind_of(case: &Case) -> String {
    let names = case.concerns.iter().map(|concern| concern.name());
    let kinds: Vec<&Kind> = names.filter_map(|name| KINDS.iter().find(|kind| kind.concern == Some(name))).collect();
    let more = if kinds.len() > 1 { format!(" +{}", kinds.len() - 1) } else { String::new() };
    kinds.first().map(|kind| format!("{} {}{more}", kind.sign, kind.tab)).unwrap_or_default()
}

pub(super) fn state_word(settled: Option<Decision>) -> String {
    match settled {
        None => "open".to_owned(),
        Some(Decision::NearDuplicate) => "● near-duplicate".to_owned(),
        Some(Decision::Not) => "○ not".to_owned(),
        Some(Decision::Unsure) => "◐ unsure".to_owned(),
    }
}

/// One title where both are equal, else where the two differ.
pub(super) fn both_titles(titles: &[String; 2], room: usize) -> String {
    let each = room.saturating_sub(3) / 2;
    match compare_titles(&titles[0], &titles[1], each) {
        Compared::Same(_) => titles[0].clone(),
        Compared::Different(_) if each < NARROWEST_TITLE => titles[0].clone(),
        Compared::Different(lines) => {
            let text = |line: Vec<Span>| line.into_iter().map(|span| span.text).collect::<String>().trim().to_owned();
            lines.map(text).join(" ⇄ ")
        }
    }
}

fn nothing(cases: &Cases) -> &'static str {
    match cases.annotators.len() {
        0 => "No labels yet. Press 5 to label a sample",
        1 => {
            "Nothing to settle. Cases appear when a second annotator (--annotator NAME) has labelled, or when you were unsure"
        }
        _ => "Nothing to settle: all annotators agree",
    }
}
