//! How Compare is drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::digits::{self, large};
use super::scores::{Verdict, jaccard};
use super::why::Why;
use super::{Areas, Compare, about};
use crate::contract::{Screen, View};
use crate::data::VisibleLabel;
use crate::labelling;
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::found_by::FoundByStrip;
use crate::widgets::frame::{Frame, Scroll};
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::meter::meter;
use crate::widgets::paragraph;
use dejaview_labels::Label;
use dejaview_methods::measures::Scores;

/// From this width on the Jaccard is written in large digits left of the documents.
const LARGE_FROM: u16 = 120;
/// Cells of the meter beside the Jaccard.
const METER: u16 = 8;
/// Columns of a note that the header shows.
const SHOWN_NOTE: usize = 40;
/// Columns of the names in About.
const NAMES: u16 = 18;

impl Compare {
    pub(super) fn draw_in(&self, buffer: &mut Buffer, areas: &Areas, view: &View<'_>) {
        let (size, theme) = (view.shared.class(), &view.shared.theme);
        if areas.header.height > 0 && !self.pane.ids.source.is_empty() {
            self.draw_header(buffer, areas.header, view);
        }
        if areas.texts.height > 0 {
            let focused = !self.in_why();
            match (&self.about, &self.pane.open) {
                (Some(top), Some(Ok(open))) => {
                    let lines = self.about_lines(open, view.data);
                    let mut frame = Frame { focused, ..Frame::new("About") };
                    let page = usize::from(Frame::inside(areas.texts, size).height);
                    frame.scroll = Scroll { top: *top, page, len: lines.len() };
                    let inside = frame.draw(buffer, areas.texts, size, theme);
                    draw_about(buffer, inside, &lines, *top, theme);
                }
                _ => {
                    let way = &|action| view.shared.way_to(action);
                    let frame = Frame { focused, ..self.pane.frame("Texts", false, way) };
                    self.pane.draw_framed(buffer, areas.texts, &frame, size, theme);
                }
            }
        }
        if let Some(why) = self.why.as_ref().filter(|_| areas.why.height > 0) {
            why.draw(buffer, areas.why, self.in_why(), size, theme);
        }
    }

    /// Titles and URLs, then the Jaccard, who matches, other scores and the label.
    fn draw_header(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let theme = &view.shared.theme;
        let scores = self.scores(view.data);
        let n = view.data.table.n();
        let mut rest = area;
        let is_large = area.width >= LARGE_FROM;
        if let Some(scores) = scores.as_ref().filter(|_| is_large) {
            let score = jaccard(scores, n);
            for (y, line) in (area.y..area.bottom()).zip(large(score)) {
                draw_text(buffer, (area.x + 1, y), digits::WIDTH, &line, theme.heat(score));
            }
            let used = digits::WIDTH + 3;
            rest = Rect { x: area.x + used, width: area.width - used, ..area };
        }
        self.pane.draw_documents(buffer, Rect { height: rest.height.min(2), ..rest }, theme);
        if rest.height < 3 {
            return;
        }
        let row = Rect { y: rest.y + 2, height: 1, ..rest };
        let (label, style) = self.label(view.shared);
        let label_width = (width(&label) as u16 + 1).min(row.width);
        draw_text(buffer, (row.right() - label_width, row.y), label_width, &label, style);
        let end = row.right() - label_width;
        let verdicts = self.verdicts(view.data);
        let methods = view.data.recipe.configurations.iter().map(|configuration| configuration.algorithm().name);
        let strip = FoundByStrip::new(methods);
        let mut x = row.x;
        let no_pairs = view.data.why_no_pairs().filter(|_| scores.is_none() && verdicts.is_empty());
        let pieces = match no_pairs {
            Some(why) => vec![vec![(why.to_owned(), theme.warning)]],
            None => self.score_pieces(scores.as_ref(), n, is_large, (&verdicts, &strip), theme),
        };
        for piece in pieces {
            let columns: usize = piece.iter().map(|(text, _)| width(text)).sum();
            if usize::from(x) + columns + 1 > usize::from(end) {
                break;
            }
            for (text, style) in piece {
                x += draw_text(buffer, (x, row.y), end - x, &text, style);
            }
            x += 2;
        }
    }

    /// What the third line says, the most important first; each piece is shown whole or not at all.
    fn score_pieces(
        &self,
        scores: Option<&Scores>,
        n: usize,
        is_large: bool,
        (verdicts, strip): (&[Verdict<'_>], &FoundByStrip),
        theme: &Theme,
    ) -> Vec<Vec<(String, Style)>> {
        let mut pieces = Vec::new();
        let computing = self.why.as_ref().is_some_and(Why::computing);
        match (scores, self.original_scores()) {
            (Some(now), Some(original)) => {
                let now = if computing { "…".to_owned() } else { format!("{:.3}", jaccard(now, n)) };
                let off = self.why.as_ref().map_or(0, Why::switched_off);
                let text = format!("J {:.3} → {now} with {off} off", jaccard(&original, n));
                pieces.push(vec![(text, theme.warning)]);
            }
            (Some(now), None) if !is_large => {
                let score = jaccard(now, n);
                let (number, length) = (format!("{score:.3} "), meter(score, 1.0, METER));
                pieces.push(vec![("J ".to_owned(), theme.muted), (number, theme.strong), (length, theme.heat(score))]);
            }
            (Some(_), None) => {}
            (None, _) if !verdicts.is_empty() => pieces.push(vec![("J – (imported)".to_owned(), theme.muted)]),
            (None, _) => pieces.push(vec![("Not found by any configuration".to_owned(), theme.muted)]),
        }
        if !verdicts.is_empty() {
            let matching = verdicts.iter().filter(|verdict| verdict.matches).count();
            pieces.push(vec![(format!("{matching} of {} match", verdicts.len()), theme.strong)]);
            pieces.push(dots(verdicts, strip, theme));
        }
        let named = scores.map(|s| {
            [
                ("n=8 ", s.jaccard_8),
                ("A⊂B ", s.containment_source),
                ("B⊂A ", s.containment_target),
                ("S3 ", s.s3),
                ("cosine ", s.cosine),
                ("length ", s.length_ratio),
            ]
        });
        let piece =
            |(name, score): (&str, f64)| vec![(name.to_owned(), theme.muted), (format!("{score:.2}"), theme.text)];
        pieces.extend(named.into_iter().flatten().map(piece));
        pieces
    }

    /// The label of the pair, its flag and note, and whether they are saved.
    fn label(&self, shared: &Shared) -> (String, Style) {
        let theme = &shared.theme;
        let Some(subject) = self.subject() else { return (String::new(), theme.muted) };
        let decision = labelling::decision(&subject, shared);
        let ids = &subject.ids;
        let labels = shared.data.as_ref().map(|data| data.labels());
        let visible =
            labels.and_then(|labels| labels.others.label_of(shared.book.decisions(), &ids.source, &ids.target));
        let settled = match visible {
            Some(VisibleLabel::Settled(label)) => Some(label),
            _ => None,
        };
        let others = match visible {
            Some(VisibleLabel::Others(label)) => Some(label),
            _ => None,
        };
        let (sign, style) = match settled.or(decision.label()).or(others) {
            None if visible == Some(VisibleLabel::Disputed) => ("≠ annotators differ", theme.warning),
            None => ("· no label", theme.muted),
            Some(Label::NearDuplicate) => ("● near-duplicate", theme.good),
            Some(Label::Not) => ("○ not", theme.strong),
            Some(Label::Unsure) => ("◐ unsure", theme.strong),
        };
        let note = decision.note.map(|note| format!("note: {}", shortened(note)));
        let flag = decision.flag.then(|| "flagged".to_owned());
        let saving = shared.book.awaits(&subject.ids.source, &subject.ids.target).then(|| "saving…".to_owned());
        let whose = settled.map(|_| "settled:").or(others.map(|_| "of others:")).map(str::to_owned);
        let parts = note.into_iter().chain(flag).chain(saving).chain(whose).chain([sign.to_owned()]);
        (parts.collect::<Vec<_>>().join("  "), style)
    }
}

/// A dot for each configuration; verdicts that switching runs off has changed stand out.
fn dots(verdicts: &[Verdict<'_>], strip: &FoundByStrip, theme: &Theme) -> Vec<(String, Style)> {
    let signs = strip.dots(|i| verdicts.get(i).is_some_and(|verdict| verdict.matches));
    let mut dots: Vec<(String, Style)> = signs.chars().map(|sign| (sign.to_string(), theme.faint)).collect();
    for (i, verdict) in verdicts.iter().enumerate() {
        let style = match verdict {
            Verdict { changed: true, .. } => theme.warning,
            Verdict { matches: true, .. } => theme.good,
            _ => theme.faint,
        };
        if let Some(dot) = dots.get_mut(usize::from(strip.column(i))) {
            dot.1 = style;
        }
    }
    dots
}

/// The beginning of a note, on one line.
fn shortened(note: &str) -> String {
    paragraph::beginning(&note.replace('\n', " / "), SHOWN_NOTE, 1).concat()
}

fn draw_about(buffer: &mut Buffer, area: Rect, lines: &[about::Line], top: usize, theme: &Theme) {
    for (y, (name, text)) in (area.y..area.bottom()).zip(lines.iter().skip(top)) {
        let style = if text.is_empty() { theme.strong } else { theme.muted };
        let x = area.x + 1;
        let used = draw_text(buffer, (x, y), area.width.saturating_sub(1), name, style).max(NAMES);
        draw_text(buffer, (x + used, y), area.width.saturating_sub(used + 1), text, theme.text);
    }
}
