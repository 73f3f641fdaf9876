//! What may be typed behind `:`: every action by its long name, commands with their words, what was typed before.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use super::glyphs::{draw_text, width};
use crate::theme::Theme;

/// Lines of the list at most.
const LONGEST: usize = 8;
/// Lines that are remembered.
const REMEMBERED: usize = 200;

/// Something that may be typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The whole line.
    pub line: String,
    /// Its key, or what it does.
    pub note: String,
}

/// How well a line fits what was typed; less is better, none is not at all.
fn fit(line: &str, typed: &str) -> Option<u8> {
    if line.starts_with(typed) {
        return Some(0);
    }
    if line.contains(typed) {
        return Some(1);
    }
    let mut chars = line.chars();
    typed.chars().all(|wanted| chars.any(|c| c == wanted)).then_some(2)
}

/// Those that fit, the best first, equal ones in the order given.
pub fn fitting(all: Vec<Candidate>, typed: &str) -> Vec<Candidate> {
    let typed = typed.trim_start().to_lowercase();
    let mut fits: Vec<(u8, Candidate)> =
        all.into_iter().filter_map(|candidate| Some((fit(&candidate.line, &typed)?, candidate))).collect();
    fits.sort_by_key(|(fit, _)| *fit);
    fits.into_iter().map(|(_, candidate)| candidate).collect()
}

/// What was typed before, and what Tab has picked.
#[derive(Debug, Clone, Default)]
pub struct CommandLine {
    history: Vec<String>,
    /// Where one is in the history, and what was typed before one went there.
    place: Option<(usize, String)>,
    /// What was typed before Tab, and which candidate it picked.
    pick: Option<(String, usize)>,
}

impl CommandLine {
    /// Number of the candidate that Tab picked.
    pub fn picked(&self) -> Option<usize> {
        self.pick.as_ref().map(|(_, at)| *at)
    }

    /// What was typed by hand, whatever Tab has put in its place.
    pub fn typed<'a>(&'a self, text: &'a str) -> &'a str {
        self.pick.as_ref().map_or(text, |(typed, _)| typed)
    }

    /// Something was typed by hand.
    pub fn touched(&mut self) {
        (self.place, self.pick) = (None, None);
    }

    /// The line that Tab leads to.
    pub fn complete(&mut self, text: &str, candidates: &[Candidate], forward: bool) -> Option<String> {
        let count = candidates.len();
        let next = match &self.pick {
            _ if count == 0 => return None,
            None if forward => 0,
            None => count - 1,
            Some((_, at)) if forward => (at + 1) % count,
            Some((_, at)) => (at + count - 1) % count,
        };
        let typed = self.typed(text).to_owned();
        self.pick = Some((typed, next));
        Some(candidates[next].line.clone())
    }

    /// The line before (or after) the one at hand.
    pub fn recall(&mut self, text: &str, back: bool) -> Option<String> {
        let (at, draft) = self.place.clone().unwrap_or((self.history.len(), text.to_owned()));
        let at = if back { at.checked_sub(1)? } else { at + 1 };
        self.pick = None;
        if at >= self.history.len() {
            self.place = None;
            return Some(draft);
        }
        self.place = Some((at, draft));
        self.history.get(at).cloned()
    }

    pub fn finished(&mut self, line: &str) {
        self.touched();
        if !line.is_empty() && self.history.last().is_none_or(|last| last != line) {
            self.history.push(line.to_owned());
        }
        if self.history.len() > REMEMBERED {
            self.history.remove(0);
        }
    }
}

/// Draws the candidates at the bottom of an area, the picked one in reverse.
pub fn draw(buffer: &mut Buffer, area: Rect, candidates: &[Candidate], picked: Option<usize>, theme: &Theme) {
    let shown = LONGEST.min(usize::from(area.height)).min(candidates.len());
    if shown == 0 {
        return;
    }
    let from = picked.map_or(0, |at| at.saturating_sub(shown - 1)).min(candidates.len() - shown);
    let wide = candidates.iter().map(|c| width(&c.line)).max().unwrap_or_default().min(30);
    let place =
        Rect { y: area.y + area.height - shown as u16, height: shown as u16, width: area.width.min(80), ..area };
    Clear.render(place, buffer);
    buffer.set_style(place, theme.text);
    for (i, candidate) in candidates.iter().enumerate().skip(from).take(shown) {
        let y = place.y + (i - from) as u16;
        let style = if picked == Some(i) { theme.selected } else { theme.text };
        let used = draw_text(
            buffer,
            (place.x + 1, y),
            (wide as u16).min(place.width.saturating_sub(1)),
            &candidate.line,
            style,
        );
        let x = (place.x + 1 + used).max(place.x + 1 + wide as u16) + 2;
        let room = (place.x + place.width).saturating_sub(x);
        draw_text(buffer, (x.min(place.x + place.width), y), room, &candidate.note, theme.dim);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates() -> Vec<Candidate> {
        ["next-pair", "next-hit", "pairs", "theme dark"]
            .map(|line| Candidate { line: line.to_owned(), note: String::new() })
            .to_vec()
    }

    fn lines(typed: &str) -> Vec<String> {
        fitting(candidates(), typed).into_iter().map(|candidate| candidate.line).collect()
    }

    #[test]
    fn the_beginning_counts_more_than_the_middle() {
        assert_eq!(lines("pair"), ["pairs", "next-pair"]);
        assert_eq!(lines("nh"), ["next-hit"]);
        assert_eq!(lines("").len(), 4);
        assert_eq!(lines("zz"), [] as [&str; 0]);
    }

    #[test]
    fn tab_goes_round_and_typing_begins_anew() {
        let mut line = CommandLine::default();
        let found = fitting(candidates(), "next");
        assert_eq!(line.complete("next", &found, true).as_deref(), Some("next-pair"));
        assert_eq!(line.complete("next-pair", &found, true).as_deref(), Some("next-hit"));
        assert_eq!(line.complete("next-hit", &found, true).as_deref(), Some("next-pair"));
        assert_eq!(line.complete("next-pair", &found, false).as_deref(), Some("next-hit"));
        assert_eq!(line.typed("next-hit"), "next");
        line.touched();
        assert_eq!((line.picked(), line.typed("n")), (None, "n"));
        assert_eq!(line.complete("zz", &[], true), None);
    }

    #[test]
    fn arrows_go_through_what_was_typed_before() {
        let mut line = CommandLine::default();
        for text in ["pairs", "theme dark", "theme dark"] {
            line.finished(text);
        }
        assert_eq!(line.recall("he", true).as_deref(), Some("theme dark"));
        assert_eq!(line.recall("theme dark", true).as_deref(), Some("pairs"));
        assert_eq!(line.recall("pairs", true), None);
        assert_eq!(line.recall("pairs", false).as_deref(), Some("theme dark"));
        assert_eq!(line.recall("theme dark", false).as_deref(), Some("he"), "back to what was being typed");
    }
}
