//! The calibration deck: pairs whose answer is known, tried before the first batch. Nothing of it is recorded.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::action::Action;
use crate::pair_ids::PairIds;
use crate::pane::{PairPane, Ways};
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use crate::widgets::paragraph::{hanging, wrapped};
use dejaview_labels::{CalibrationPair, Label as Decision, calibration_deck};

/// Lines for the answer and its reason, the same before and after, so that texts do not jump.
const ANSWER: u16 = 4;

/// Where one is in the deck, and what was answered.
#[derive(Debug, Default)]
pub struct Deck {
    /// Number of the pair.
    at: usize,
    /// Answers so far.
    answers: Vec<Decision>,
}

impl Deck {
    /// The pair at hand; none when the deck is through.
    fn gold(&self) -> Option<&'static CalibrationPair> {
        calibration_deck().get(self.at)
    }

    /// Ids and number of the pair at hand.
    pub fn wanted(&self) -> Option<(PairIds, usize)> {
        let gold = self.gold()?;
        Some((PairIds { source: gold.source.clone(), target: gold.target.clone() }, self.at))
    }

    /// Whether the pair at hand is answered.
    pub fn answered(&self) -> bool {
        self.answers.len() > self.at
    }

    /// Takes an answer; false when there is one, or nothing to answer.
    pub fn answer(&mut self, label: Decision) -> bool {
        let open = self.gold().is_some() && !self.answered();
        if open {
            self.answers.push(label);
        }
        open
    }

    /// Goes on to the next pair, once this one is answered; false when there is nothing further.
    pub fn go_on(&mut self) -> bool {
        let on = self.answered();
        self.at += usize::from(on);
        on && self.gold().is_some()
    }

    /// Whether all pairs are answered and left behind.
    pub fn through(&self) -> bool {
        self.gold().is_none()
    }

    fn right(&self) -> usize {
        self.answers.iter().zip(calibration_deck()).filter(|(answer, gold)| **answer == gold.label).count()
    }

    /// Where one is, for the title.
    pub fn place(&self) -> String {
        format!(
            "calibration · pair {} of {} · nothing is recorded",
            (self.at + 1).min(calibration_deck().len()),
            calibration_deck().len()
        )
    }

    /// What the answer was worth, or what is asked.
    fn words(&self, key: Ways<'_>) -> String {
        let Some(gold) = self.gold() else { return String::new() };
        match self.answers.get(self.at) {
            None => {
                let [near, not, unsure] = Action::LABELS.map(key);
                let (guidelines, back) = (key(Action::Guidelines), key(Action::Back));
                format!(
                    "{near} near-duplicate · {not} not · {unsure} unsure · {guidelines} guidelines · {back} skips the deck"
                )
            }
            Some(answer) if *answer == gold.label => {
                format!("✓ {}, as the guidelines have it. {} Enter goes on.", answer.name(), gold.rationale)
            }
            Some(answer) => {
                let (said, right) = (answer.name(), gold.label.name());
                format!("✗ You said {said}; by the guidelines it is {right}. {} Enter goes on.", gold.rationale)
            }
        }
    }

    /// Where the texts stand.
    pub fn texts(area: Rect) -> Rect {
        let head = (2 + ANSWER).min(area.height);
        Rect { y: area.y + head, height: area.height - head, ..area }
    }

    /// Draws the pair with question or answer, or how it went.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, (pane, key): (&PairPane, Ways<'_>), theme: &Theme) {
        if self.through() {
            return self.draw_end(buffer, area, key, theme);
        }
        pane.draw_documents(buffer, area, theme);
        let lines = wrapped(&self.words(key), usize::from(area.width));
        let style = if self.answered() { theme.accent } else { theme.text };
        for (line, text) in (2..2 + ANSWER).zip(lines).take_while(|(line, _)| *line < area.height) {
            draw_text(buffer, (area.x, area.y + line), area.width, &text, style);
        }
        pane.draw(buffer, Self::texts(area), theme);
    }

    fn draw_end(&self, buffer: &mut Buffer, area: Rect, key: Ways<'_>, theme: &Theme) {
        let (right, all) = (self.right(), calibration_deck().len());
        let read = key(Action::Guidelines);
        let advice = match all - right {
            0 => "Your eye and the guidelines agree: go on with the sample.".to_owned(),
            1 | 2 => format!("Read the guidelines once more where you differed ({read}), then go on."),
            _ => {
                format!(
                    "The guidelines see it otherwise more than twice: read them ({read}) and try again (:calibrate)."
                )
            }
        };
        let lines = [
            format!("Calibration: {right} of {all} answers are those of the guidelines."),
            String::new(),
            advice,
            format!("Enter or {} goes on to the sample. Nothing of this was recorded.", key(Action::Back)),
        ];
        let wide = area.width.saturating_sub(3);
        let laid = |line: &String| hanging(if line.is_empty() { " " } else { line }, usize::from(wide), 0);
        for (line, text) in (0u16..area.height.saturating_sub(1)).zip(lines.iter().flat_map(laid)) {
            draw_text(buffer, (area.x + 2, area.y + 1 + line), wide, text.trim_end(), theme.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_answer_a_pair_and_on() {
        let mut deck = Deck::default();
        assert!(!deck.go_on(), "an answer first");
        for gold in calibration_deck() {
            assert_eq!(deck.wanted().unwrap().0.source, gold.source);
            assert!(deck.answer(Decision::NearDuplicate));
            assert!(!deck.answer(Decision::Not), "the first answer counts");
            deck.go_on();
        }
        assert!(deck.through() && !deck.answer(Decision::Not) && !deck.go_on());
        assert_eq!(deck.right(), 5);
    }
}
