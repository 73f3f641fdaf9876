//! What is found when one configuration after the other is asked: each time the one that adds most true pairs.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Methods;
use crate::theme::Theme;
use crate::widgets::glyphs::draw_text;
use crate::widgets::table::{self, Column};
use dejaview_evaluation::comparison::Step;
use dejaview_study::{Evaluation, spelling};

/// Columns of a bar.
const BAR: usize = 20;

impl Methods {
    pub(super) fn steps(&self) -> &[Step] {
        self.evaluation().map_or(&[], |evaluation| &evaluation.comparison.coverage)
    }

    /// The pairs that a step adds: found by its configuration and by none before it.
    pub(super) fn filter_of_added_pairs(&self) -> Option<String> {
        let steps = self.steps();
        let step = steps.get(self.step.at)?;
        let before = steps[..self.step.at].iter().map(|step| format!(" & !{}", spelling::found_by(&step.name)));
        Some(format!("{}{}", spelling::found_by(&step.name), before.collect::<String>()))
    }

    pub(super) fn draw_union(&self, buffer: &mut Buffer, area: Rect, theme: &Theme) {
        let steps = self.steps();
        if steps.is_empty() {
            let note = self.evaluation().map_or_else(|| "measuring…".to_owned(), Evaluation::no_unions);
            draw_text(buffer, (area.x + 1, area.y + 1), area.width.saturating_sub(2), &note, theme.dim);
            return;
        }
        let mut columns = vec![
            Column::right("step", 5),
            Column::left("adds", 0),
            Column::right("recall", 8),
            Column::right("gain", 8),
            Column::right("precision", 10),
        ];
        if area.width >= 100 {
            columns.insert(3, Column::left(&format!("0{:>1$}", 1, BAR - 1), BAR as u16));
        }
        let cells = |row: usize| {
            let step = &steps[row];
            let before = row.checked_sub(1).map_or(0.0, |before| steps[before].recall);
            let mut cells = vec![
                (row + 1).to_string(),
                step.name.clone(),
                format!("{:.3}", step.recall),
                format!("+{:.3}", step.recall - before),
                format!("{:.3}", step.precision),
            ];
            if area.width >= 100 {
                cells.insert(3, "█".repeat((step.recall.clamp(0.0, 1.0) * BAR as f64).round() as usize));
            }
            cells.into_iter().map(|cell| (cell, theme.text)).collect()
        };
        table::draw(buffer, area, &columns, (self.step, steps.len()), theme, cells);
        let below = area.y + 1 + steps.len() as u16;
        for (y, note) in
            (below..area.y + area.height).zip(self.evaluation().map(Evaluation::beside_unions).unwrap_or_default())
        {
            draw_text(buffer, (area.x + 2, y), area.width.saturating_sub(2), &note, theme.dim);
        }
    }

    pub(super) fn union_status(&self) -> String {
        let steps = self.steps();
        let Some(step) = steps.get(self.step.at) else { return String::new() };
        let at = self.step.at + 1;
        let others = if at == 1 { String::new() } else { format!(" and {} before it", at - 1) };
        format!(
            "{at} of {} · {}{others}: recall {:.3}, precision {:.3} · Enter opens the pairs that it adds",
            steps.len(),
            step.name,
            step.recall,
            step.precision
        )
    }
}
