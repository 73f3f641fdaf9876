//! One pair of a sample at a time: look, decide, next. Blind: no score, no configuration, no grade.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::compare::{LABEL, PairIds, Pane};
use crate::evaluation::sample::Sample;
use crate::labels::{Decisions, Label as Decision};
use crate::tui::action::Action;
use crate::tui::jobs::Effect;
use crate::tui::theme::Theme;
use crate::tui::widgets::glyphs::draw_text;

/// Lines above the texts.
const HEAD: u16 = 3;

/// The sample and where one is in it.
#[derive(Debug)]
pub struct Label {
    /// The sample, once it is read or drawn; or why it cannot be.
    pub sample: Option<Result<Sample, String>>,
    /// Number of the pair in the sample.
    pub at: usize,
    /// Its texts.
    pub pane: Pane,
    /// Whether every pair is decided and the end card is shown.
    pub finished: bool,
}

impl Default for Label {
    fn default() -> Self {
        Self { sample: None, at: 0, pane: Pane::numbered_from(LABEL), finished: false }
    }
}

impl Label {
    /// The sample, if there is one.
    pub fn sample(&self) -> Option<&Sample> {
        self.sample.as_ref().and_then(|sample| sample.as_ref().ok())
    }

    /// Ids of the pair at hand.
    pub fn ids(&self) -> Option<PairIds> {
        let pair = self.sample()?.pairs.get(self.at)?;
        Some(PairIds { source: pair.source.clone(), target: pair.target.clone() })
    }

    /// The first undecided pair after (or before) the one at hand, around the end.
    fn undecided(&self, decisions: &Decisions, forward: bool, here: bool) -> Option<usize> {
        let sample = self.sample()?;
        let len = sample.pairs.len();
        let first = usize::from(!here);
        (first..len + first)
            .map(|step| if forward { (self.at + step) % len } else { (self.at + len - step % len) % len })
            .find(|&at| {
                let pair = &sample.pairs[at];
                decisions.label(&pair.source, &pair.target, Some(&sample.name)).is_none()
            })
    }

    /// How many pairs of the sample are decided.
    pub fn decided(&self, decisions: &Decisions) -> usize {
        let Some(sample) = self.sample() else { return 0 };
        let decided = |p: &&crate::evaluation::sample::SampledPair| {
            decisions.label(&p.source, &p.target, Some(&sample.name)).is_some()
        };
        sample.pairs.iter().filter(decided).count()
    }

    /// Takes the sample and goes to its first undecided pair.
    pub fn drawn(&mut self, result: Result<Sample, String>, decisions: &Decisions) -> Vec<Effect> {
        self.sample = Some(result);
        self.at = 0;
        self.advance(decisions, true, true)
    }

    /// Goes to the next undecided pair; to the end card when there is none.
    pub fn advance(&mut self, decisions: &Decisions, forward: bool, here: bool) -> Vec<Effect> {
        match self.undecided(decisions, forward, here) {
            Some(at) => self.go(at),
            None => {
                self.finished = self.sample().is_some();
                Vec::new()
            }
        }
    }

    /// Goes to a pair of the sample.
    pub fn go(&mut self, at: usize) -> Vec<Effect> {
        self.at = at;
        self.finished = false;
        self.ids().map(|ids| self.pane.show(ids, false)).into_iter().collect()
    }

    /// Number of a pair in the sample.
    pub fn place_of(&self, source: &str, target: &str) -> Option<usize> {
        self.sample()?.pairs.iter().position(|pair| pair.source == source && pair.target == target)
    }

    /// Scrolls and the like.
    pub fn update(&mut self, action: Action, area: Rect) -> bool {
        self.pane.update(action, texts(area))
    }

    /// Draws the pair, or the end card.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, decisions: &Decisions, theme: &Theme) {
        if let Some(Err(why)) = &self.sample {
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), why, theme.warning);
            return;
        }
        if self.finished {
            return self.draw_end(buffer, area, decisions, theme);
        }
        self.pane.draw_documents(buffer, area, theme);
        let y = (area.x, area.y + 2.min(area.height.saturating_sub(1)));
        draw_text(buffer, y, area.width, &self.standing(decisions), theme.text);
        self.pane.draw(buffer, texts(area), theme);
    }

    /// What was decided on the pair at hand before.
    fn standing(&self, decisions: &Decisions) -> String {
        let (Some(ids), Some(sample)) = (self.ids(), self.sample()) else { return String::new() };
        let standing = decisions.standing(&ids.source, &ids.target, Some(&sample.name));
        let decided = standing
            .label()
            .map_or("undecided · scores hidden until then".to_owned(), |label| format!("decided: {}", label.name()));
        let note = standing.note.map(|note| format!(" · note: {}", note.replace('\n', " ⏎ "))).unwrap_or_default();
        let flag = if standing.flag { " · flagged" } else { "" };
        format!("{decided}{flag}{note}")
    }

    fn draw_end(&self, buffer: &mut Buffer, area: Rect, decisions: &Decisions, theme: &Theme) {
        let Some(sample) = self.sample() else { return };
        let count = |wanted: Decision| {
            let has = |p: &&crate::evaluation::sample::SampledPair| {
                decisions.label(&p.source, &p.target, Some(&sample.name)) == Some(wanted)
            };
            sample.pairs.iter().filter(has).count()
        };
        let lines = [
            format!("All {} pairs of the sample “{}” are decided.", sample.pairs.len(), sample.name),
            String::new(),
            format!("  near-duplicate  {:>4}", count(Decision::NearDuplicate)),
            format!("  not             {:>4}", count(Decision::Not)),
            format!("  unsure          {:>4}", count(Decision::Unsure)),
            String::new(),
            "Every label is in labels/ of the study. u takes the last one back, q leaves.".to_owned(),
        ];
        for (line, text) in (0u16..area.height.saturating_sub(1)).zip(lines) {
            let place = (area.x + 2, area.y + 1 + line);
            draw_text(buffer, place, area.width.saturating_sub(3), &text, theme.text);
        }
    }
}

fn texts(area: Rect) -> Rect {
    Rect { y: area.y + HEAD.min(area.height), height: area.height.saturating_sub(HEAD), ..area }
}
