//! How Compare is drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::strip::{self, Verdict};
use super::why::Why;
use super::why_row::Tone;
use super::{Areas, Compare, HEAD, about};
use crate::contract::{Screen, View};
use crate::data::StudyData;
use crate::labelling;
use crate::shared::Shared;
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph;
use dejaview_labels::Decision;
use dejaview_methods::measures::Scores;

/// Below this width scores are written short.
const SHORT: u16 = 130;
/// Columns of a note that the line below the texts shows.
const SHOWN_NOTE: usize = 40;

impl Compare {
    pub(super) fn draw_in(&self, buffer: &mut Buffer, areas: &Areas, view: &View<'_>) {
        let (data, theme) = (view.data, &view.shared.theme);
        if areas.header.height > 0 {
            self.pane.draw_documents(buffer, areas.header, theme);
        }
        let label = view.shared.book.word(&self.pane.ids.source, &self.pane.ids.target);
        self.draw_verdicts(buffer, areas, data, (label, theme));
        match (&self.about, &self.pane.open) {
            (Some(top), Some(Ok(open))) => {
                draw_about(buffer, areas.texts, &about::lines(open, data), *top, theme);
            }
            _ => self.pane.draw(buffer, areas.texts, theme),
        }
        if areas.why.height > 0
            && let Some(why) = &self.why
        {
            draw_why(buffer, areas.why, why, self.in_why, theme);
        }
    }

    /// The row under the cursor of Why in full, or what is saved about the pair and the settings of the view.
    pub(super) fn status_line(&self, view: &View<'_>) -> String {
        let way = &|action| view.shared.way_to(action);
        if let Some(notice) = self.pane.notice {
            return notice.text(way);
        }
        match self.why.as_ref().filter(|_| self.in_why).and_then(Why::row_at_cursor) {
            Some(row) => {
                let text = row.details.clone().unwrap_or_else(|| row.text.trim().to_owned());
                format!("{}{text}", self.what_if_jaccard())
            }
            None => {
                let saved = self.saved(view.shared).into_iter();
                saved.chain([self.pane.status(false, way)]).collect::<Vec<_>>().join(" · ")
            }
        }
    }

    /// Flag and note of the pair, and whether they are saved; none where nothing was decided or noted.
    fn saved(&self, shared: &Shared) -> Option<String> {
        let subject = self.subject()?;
        let decision = labelling::decision(&subject, shared);
        if decision == Decision::default() {
            return None;
        }
        let note = decision.note.map(|note| format!("note: {}", shortened(note)));
        let flag = decision.flag.then(|| "flagged".to_owned());
        let pending = shared.book.awaits(&subject.ids.source, &subject.ids.target);
        let state = if pending { "not saved yet" } else { "saved ✓" };
        Some(flag.into_iter().chain(note).chain([state.to_owned()]).collect::<Vec<_>>().join(" · "))
    }

    /// The Jaccard with and without the runs that are switched off.
    fn what_if_jaccard(&self) -> String {
        let both = self.why.as_ref().filter(|why| why.switched_off() > 0).and_then(Why::standing);
        both.map_or(String::new(), |(now, original)| {
            format!("Jaccard {:.3} → {:.3} · ", original.scores.jaccard_1, now.scores.jaccard_1)
        })
    }

    /// Draws scores and verdicts: those that Why has just found, else those of the table.
    fn draw_verdicts(&self, buffer: &mut Buffer, areas: &Areas, data: &StudyData, (label, theme): (&str, &Theme)) {
        let header = areas.header;
        if header.height < HEAD || areas.texts.height + areas.why.height == 0 {
            return;
        }
        let row = data.table.find(&self.pane.ids.source, &self.pane.ids.target);
        let standing = self.why.as_ref().and_then(Why::standing);
        let scores = standing
            .map(|(now, _)| now.scores)
            .or(row.filter(|&row| data.table.compared(row)).map(|row| data.table.pair(row).scores()));
        if scores.is_some() || row.is_some() {
            let computing = self.why.as_ref().is_some_and(Why::computing);
            let style = if computing { theme.dim } else { theme.text };
            let unknown = || "Jaccard – (imported, without texts to compare)".to_owned();
            let off = self.why.as_ref().map_or(0, Why::switched_off);
            let mark = if off > 0 { format!("what if, {off} off: ") } else { String::new() };
            let place = (header.x, header.y + HEAD - 1);
            let used = draw_text(buffer, place, header.width, &mark, theme.warning);
            let text = scores.map_or_else(unknown, |scores| written(&scores, header.width - used));
            draw_text(buffer, (place.0 + used, place.1), header.width - used, &text, style);
        }
        let found_by = |row: usize| {
            let distances = data.table.distances(row);
            let names = data.table.configurations().iter();
            let found = |name: &str| distances.iter().find(|(found, _)| *found == name).map(|(_, d)| u32::from(*d));
            names.map(|name| (name.as_str(), found(name))).collect::<Vec<_>>()
        };
        let verdicts: Vec<Verdict<'_>> = match (standing, row) {
            (Some((now, before)), _) => {
                let both = now.verdicts.iter().zip(&before.verdicts);
                let verdict = |(now, before): (&'_ dejaview_study::QuickVerdict, &dejaview_study::QuickVerdict)| {
                    (now.matches, now.distance, now.matches != before.matches)
                };
                both.zip(before.verdicts.iter().map(|answer| answer.name.as_str()))
                    .map(|(pair, name)| {
                        let (matches, distance, turned) = verdict(pair);
                        Verdict { name, matches, distance, turned }
                    })
                    .collect()
            }
            (None, Some(row)) => found_by(row)
                .into_iter()
                .map(|(name, distance)| Verdict { name, matches: distance.is_some(), distance, turned: false })
                .collect(),
            (None, None) => Vec::new(),
        };
        strip::draw(buffer, areas.strip, label, &verdicts, theme);
    }
}

/// The beginning of a note, on one line.
fn shortened(note: &str) -> String {
    paragraph::beginning(&note.replace('\n', " / "), SHOWN_NOTE, 1).concat()
}

fn draw_about(buffer: &mut Buffer, area: Rect, lines: &[(String, String)], top: usize, theme: &Theme) {
    for (line, (name, text)) in (0..area.height).zip(lines.iter().skip(top)) {
        let y = area.y + line;
        let style = if text.is_empty() { theme.title } else { theme.dim };
        let used = draw_text(buffer, (area.x, y), area.width, name, style).max(11).min(area.width);
        draw_text(buffer, (area.x + used, y), area.width - used, text, theme.text);
    }
}

fn draw_why(buffer: &mut Buffer, area: Rect, why: &Why, focused: bool, theme: &Theme) {
    let beside = area.x > 0;
    let border = if focused { theme.title } else { theme.dim };
    let title = format!("── why {}", "─".repeat(usize::from(area.width.saturating_sub(7))));
    draw_text(buffer, (area.x, area.y), area.width, &title, border);
    if beside {
        (area.y..area.y + area.height).for_each(|y| {
            draw_text(buffer, (area.x - 1, y), 1, "│", theme.dim);
        });
    }
    let page = usize::from(area.height.saturating_sub(1));
    let mut cursor = why.cursor;
    cursor.keep(why.rows.len(), page);
    for (line, (i, row)) in why.rows.iter().enumerate().skip(cursor.top).take(page).enumerate() {
        let style = match row.tone {
            _ if focused && i == cursor.at => theme.selected,
            Tone::Title => theme.title,
            Tone::Text => theme.text,
            Tone::Dim => theme.dim,
            Tone::Good => theme.good,
            Tone::Warning => theme.warning,
        };
        let fold = match row.open {
            Some(true) => "▾",
            Some(false) => "▸",
            None => " ",
        };
        let text = format!("{}{fold} {}", "  ".repeat(row.depth), row.text);
        draw_text(buffer, (area.x, area.y + 1 + line as u16), area.width, &text, style);
    }
}

/// All scores on one line, short where there is little room.
fn written(s: &Scores, room: u16) -> String {
    let short = |score: f64| match format!("{score:.2}") {
        one if one.starts_with('1') => "1.0".to_owned(),
        other => other.trim_start_matches('0').to_owned(),
    };
    if room < SHORT {
        return format!(
            "Jaccard n=1 {:.3} 2:{} 3:{} 5:{} 8:{} A⊂B {} B⊂A {} cos {} S3 {} len {}",
            s.jaccard_1,
            short(s.jaccard_2),
            short(s.jaccard_3),
            short(s.jaccard_5),
            short(s.jaccard_8),
            short(s.containment_source),
            short(s.containment_target),
            short(s.cosine),
            short(s.s3),
            short(s.length_ratio)
        );
    }
    format!(
        "Jaccard n=1 {:.3}  n=2 {:.3}  n=3 {:.3}  n=5 {:.3}  n=8 {:.3} · A in B {:.3} B in A {:.3} · cosine {:.3} · S3 {:.3} · length {:.3}",
        s.jaccard_1,
        s.jaccard_2,
        s.jaccard_3,
        s.jaccard_5,
        s.jaccard_8,
        s.containment_source,
        s.containment_target,
        s.cosine,
        s.s3,
        s.length_ratio
    )
}
