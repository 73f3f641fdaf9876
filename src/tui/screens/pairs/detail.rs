//! How the pair under the cursor looks beside the list: its documents, its scores, who found it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::Pairs;
use crate::data::StudyData;
use crate::pair_ids::PairIds;
use crate::preview::draw_urls;
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::draw_text;
use crate::widgets::meter::meter;
use crate::widgets::size::split_lines;
use dejaview_index::KeptSide;
use dejaview_report::numbers::count;

/// Cells of a meter beside a score.
const METER: u16 = 16;
/// Columns from the first to the second column of scores.
const SCORE_COLUMN: u16 = 36;

impl Pairs {
    /// The four lines below the list of narrow terminals.
    pub(super) fn draw_strip(&self, buffer: &mut Buffer, pane: Rect, data: &StudyData, shared: &Shared) {
        let (size, theme) = (shared.class(), &shared.theme);
        let pair = self.current().map(|row| (row, data.table.pair(row)));
        let frame = Frame {
            qualifier: pair.as_ref().map_or(String::new(), |(_, pair)| format!("{}  {}", pair.source, pair.target)),
            ..Frame::new("Pair")
        };
        let inside = frame.draw(buffer, pane, size, theme);
        let Some((row, pair)) = pair else { return };
        let [urls, rest] = split_lines(inside, 2);
        draw_urls(buffer, urls, data, &PairIds::new(pair.source, pair.target), theme);
        let mut facts: Vec<String> = Vec::new();
        if pair.compared() {
            let scores = pair.scores();
            facts.push(format!("J {:.3}", data.table.jaccard(row)));
            facts.push(format!("n=8 {:.3}", scores.jaccard_8));
            facts.push(format!("A⊂B {:.2}", scores.containment_source));
            facts.push(format!("B⊂A {:.2}", scores.containment_target));
            facts.push(format!("length {:.2}", scores.length_ratio));
        } else {
            facts.push("J – (imported, without texts to compare)".to_owned());
        }
        facts.extend(grades(data, pair.source));
        // Before what may be cut off at the right end.
        facts.splice(1..1, self.distance_units(data));
        let found = format!("{}{}", copies(data, row), found_by(data, row));
        for (y, line) in (rest.y..rest.bottom()).zip([facts.join("  "), found]) {
            draw_text(buffer, (rest.x + 1, y), rest.width.saturating_sub(2), &line, theme.text);
        }
    }

    /// The card of wide terminals: titles, ids, URLs and all scores.
    pub(super) fn draw_card(&self, buffer: &mut Buffer, pane: Rect, data: &StudyData, shared: &Shared) {
        let (size, theme) = (shared.class(), &shared.theme);
        let frame = Frame { right: "y copy".to_owned(), ..Frame::new("Pair") };
        let inside = frame.draw(buffer, pane, size, theme);
        let Some(row) = self.shown_beside() else { return };
        let pair = data.table.pair(row);
        let titles = data.study.titles();
        let [a, b] = [(KeptSide::Source, pair.source), (KeptSide::Target, pair.target)]
            .map(|(side, id)| titles.shown(side, id).text().to_owned());
        let facts =
            [grades(data, pair.source).into_iter().collect::<String>(), format!("segment {}", data.table.segment(row))];
        let second = if a == b { ("= same title".to_owned(), theme.muted) } else { (b, theme.strong) };
        let lines: [[(String, Style); 2]; 4] = [
            [("A".to_owned(), theme.a), (a, theme.strong)],
            [(String::new(), theme.a), (format!("{}  {}", pair.source, facts[0]), theme.muted)],
            [("B".to_owned(), theme.b), second],
            [(String::new(), theme.b), (format!("{}  {}", pair.target, facts[1]), theme.muted)],
        ];
        let [head, rest] = split_lines(inside, 4);
        for (y, [(sign, sign_style), (text, style)]) in (head.y..head.bottom()).zip(lines) {
            draw_text(buffer, (head.x + 1, y), 1, &sign, sign_style);
            draw_text(buffer, (head.x + 3, y), head.width.saturating_sub(4), &text, style);
        }
        let [urls, rest] = split_lines(rest, 2);
        draw_urls(buffer, urls, data, &PairIds::new(pair.source, pair.target), theme);
        let [scores, names] = split_lines(rest, 4);
        if pair.compared() {
            draw_scores(buffer, scores, &pair.scores(), theme);
        } else {
            let text = "no scores: imported, without texts to compare";
            draw_text(buffer, (scores.x + 1, scores.y), scores.width.saturating_sub(2), text, theme.muted);
        }
        let found = format!("{}{}", copies(data, row), found_by(data, row));
        let lines = crate::widgets::paragraph::wrapped(&found, usize::from(names.width.saturating_sub(2)).max(1));
        for (y, line) in (names.y..names.bottom()).zip(lines) {
            draw_text(buffer, (names.x + 1, y), names.width.saturating_sub(2), line.trim_end(), theme.text);
        }
    }
}

fn draw_scores(buffer: &mut Buffer, area: Rect, scores: &dejaview_methods::measures::Scores, theme: &Theme) {
    let left = [
        ("J n=1", scores.jaccard_1),
        ("J n=2", scores.jaccard_2),
        ("J n=3", scores.jaccard_3),
        ("J n=8", scores.jaccard_8),
    ];
    let right = [
        ("A⊂B", scores.containment_source),
        ("B⊂A", scores.containment_target),
        ("cosine", scores.cosine),
        ("length", scores.length_ratio),
    ];
    for (x, column) in [(area.x + 1, left), (area.x + 1 + SCORE_COLUMN, right)] {
        for (y, (name, score)) in (area.y..area.bottom()).zip(column) {
            let room = area.right().saturating_sub(x);
            draw_text(buffer, (x, y), room, &format!("{name:<7}"), theme.muted);
            draw_text(buffer, (x + 8, y), room.saturating_sub(8), &format!("{score:.3}"), theme.strong);
            draw_text(buffer, (x + 14, y), room.saturating_sub(14), &meter(score, 1.0, METER), theme.heat(score));
        }
    }
}

/// Topics and grades of the source document; none if it is not judged.
fn grades(data: &StudyData, source: &str) -> Option<String> {
    let grades = data.grades_of(source);
    (!grades.is_empty()).then(|| format!("grade {}", grades.join(" ")))
}

/// Says of how many equal pairs this is one; empty if there is only this one.
fn copies(data: &StudyData, row: usize) -> String {
    let copies = data.table.same_text_counts(row);
    if copies == [1, 1] {
        return String::new();
    }
    let [sources, targets] = copies.map(|copies| count(copies as u64));
    let same = match data.table.joins_itself() && copies[0] == copies[1] {
        true => format!("one of the pairs of {sources} copies"),
        false => format!("of {sources} × {targets} copies"),
    };
    let where_copies_are = if data.table.segments().len() > 1 { " in this segment" } else { "" };
    format!("{same}{where_copies_are} · ")
}

fn found_by(data: &StudyData, row: usize) -> String {
    let names = data.table.configurations().iter().enumerate();
    let found: Vec<&str> = names.filter(|(c, _)| data.table.found_by(row, *c)).map(|(_, name)| name.as_str()).collect();
    format!("found by {}: {}", found.len(), found.join(", "))
}
