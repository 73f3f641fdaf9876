//! How far annotators agree, with intervals on one scale, and how many labels are still needed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::reading::ReviewData;
use crate::theme::Theme;
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::meter::{Estimate, interval};
use crate::widgets::paragraph::wrapped;
use crate::widgets::size::Size;
use dejaview_base::interval::Interval;
use dejaview_evaluation::agreement::Agreement;
use dejaview_report::agreement::kappa;
use dejaview_report::numbers::{count, plural};

/// Columns of the longest scale.
const SCALE: usize = 42;

pub(super) fn draw(buffer: &mut Buffer, area: Rect, data: &ReviewData, size: Size, theme: &Theme) {
    let inside = Frame::new("Agreement").draw(buffer, area, size, theme);
    let lines = lines(data, usize::from(inside.width.saturating_sub(2)), theme);
    for (y, line) in (inside.y..inside.bottom()).zip(lines) {
        let mut x = inside.x + 1;
        for (text, style) in line {
            x += draw_text(buffer, (x, y), inside.right().saturating_sub(x), &text, style);
        }
    }
}

type Line = Vec<(String, Style)>;

fn lines(data: &ReviewData, columns: usize, theme: &Theme) -> Vec<Line> {
    let annotators = &data.review.annotators;
    let who = match annotators.len() {
        0 => "No annotators yet".to_owned(),
        _ => format!("{}: {}", plural(annotators.len() as u64, "annotator"), annotators.join(", ")),
    };
    let mut lines = vec![vec![(who, theme.text)]];
    let plain = |text: &str, style: Style| wrapped(text, columns).into_iter().map(move |line| vec![(line, style)]);
    match &data.agreement {
        Ok(agreement) => {
            let pool = &agreement.pool;
            if pool.pairs > 0 {
                let share = 100.0 * pool.unanimous as f64 / pool.pairs as f64;
                let (alike, all) = (count(pool.unanimous), plural(pool.pairs, "pair"));
                lines.extend(plain(&format!("{alike} of {all} with two labels agree ({share:.0}%)"), theme.strong));
            }
            lines.extend(coefficient_lines(agreement, columns, theme));
            lines.extend(repeats(agreement).iter().flat_map(|text| plain(text, theme.text)));
        }
        Err(why) => lines.extend(plain(why, theme.warning)),
    }
    if let Some(first) = data.labels_needed.first() {
        let more = match data.labels_needed.len() {
            1 => String::new(),
            all => format!(" · {} more on Home", plural(all as u64 - 1, "sample")),
        };
        lines.extend(plain(&format!("{first}{more}"), theme.muted));
    }
    lines
}

/// Each coefficient with its interval, all on one scale from 0 to 1.
fn coefficient_lines(agreement: &Agreement, columns: usize, theme: &Theme) -> Vec<Line> {
    let coefficients = [("kappa", kappa(agreement)), ("alpha", agreement.pool.alpha), ("AC1", agreement.pool.ac1)];
    let line = |(name, value): (&str, Option<Interval>)| {
        let value = value?;
        let number = format!("{name:5} {:.2} ({:.2}–{:.2})  ", value.value, value.low, value.high);
        let cells = columns.saturating_sub(width(&number)).min(SCALE) as u16;
        let estimate = Estimate { low: value.low, value: value.value, high: value.high };
        Some(vec![(number, theme.strong), (interval(Some(estimate), cells), theme.accent)])
    };
    coefficients.into_iter().filter_map(line).collect()
}

/// How often annotators answered the same when a pair came again.
fn repeats(agreement: &Agreement) -> Option<String> {
    let (asked, same) = agreement.repeats.iter().fold((0, 0), |(n, same), one| (n + one.pairs, same + one.same));
    (asked > 0).then(|| format!("{} of {} repeated pairs got the same answer again", count(same), count(asked)))
}
