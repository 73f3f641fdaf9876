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

pub(super) fn draw(buffer: &mut Buffer, area: Rect, (data, focused): (&ReviewData, bool), size: Size, theme: &Theme) {
    let sample = data.agreement.as_ref().ok().and_then(|agreement| agreement.sample.as_ref());
    let qualifier = sample.map(|name| format!("on sample {name}")).unwrap_or_default();
    let inside = Frame { qualifier, focused, ..Frame::new("Agreement") }.draw(buffer, area, size, theme);
    let mut lines: Vec<Line> = Vec::new();
    for paragraph in paragraphs(data, usize::from(inside.width.saturating_sub(2)), theme) {
        // A sentence that would be cut is left out.
        if lines.len() + paragraph.len() <= usize::from(inside.height) {
            lines.extend(paragraph);
        }
    }
    for (y, line) in (inside.y..inside.bottom()).zip(lines) {
        let mut x = inside.x + 1;
        for (text, style) in line {
            x += draw_text(buffer, (x, y), inside.right().saturating_sub(x), &text, style);
        }
    }
}

type Line = Vec<(String, Style)>;

/// What is said, each sentence in lines that fit, the most important first.
fn paragraphs(data: &ReviewData, columns: usize, theme: &Theme) -> Vec<Vec<Line>> {
    let annotators = &data.review.annotators;
    let who = match annotators.len() {
        0 => "No annotators yet".to_owned(),
        _ => format!("{}: {}", plural(annotators.len() as u64, "annotator"), annotators.join(", ")),
    };
    let plain = |text: &str, style: Style| -> Vec<Line> {
        wrapped(text, columns).into_iter().map(|line| vec![(line, style)]).collect()
    };
    let mut all = vec![plain(&who, theme.text)];
    match &data.agreement {
        Ok(agreement) => {
            let pool = &agreement.pool;
            if pool.pairs > 0 {
                let share = 100.0 * pool.unanimous as f64 / pool.pairs as f64;
                let (alike, pairs) = (count(pool.unanimous), plural(pool.pairs, "pair"));
                all.push(plain(&format!("{alike} of {pairs} with two labels agree ({share:.0}%)"), theme.strong));
            }
            all.extend(coefficient_lines(agreement, columns, theme).into_iter().map(|line| vec![line]));
            all.extend(repeats(agreement).map(|text| plain(&text, theme.text)));
            all.extend(labels_of_two(agreement, columns, theme));
        }
        Err(why) => all.push(plain(why, theme.warning)),
    }
    if let Some(first) = data.labels_needed.first() {
        let more = match data.labels_needed.len() {
            1 => String::new(),
            samples => format!(" · {} more on Home", plural(samples as u64 - 1, "sample")),
        };
        all.push(plain(&format!("{first}{more}"), theme.muted));
    }
    all
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

/// How often each label of the one met each of the other, where there are two annotators.
fn labels_of_two(agreement: &Agreement, columns: usize, theme: &Theme) -> Option<Vec<Line>> {
    let [two] = &agreement.cohen[..] else { return None };
    let names = ["near", "not", "unsure"];
    let first = width(&two.a).max(width(&two.b) + 2) + 8;
    let head: String = names.iter().map(|name| format!("{name:>8}")).collect();
    let mut lines = vec![Vec::new(), vec![(format!("{:>first$}{head}", format!("{}:", two.b)), theme.muted)]];
    for (i, (name, counts)) in names.iter().zip(two.labels).enumerate() {
        let who = format!("{}: {name}", two.a);
        let mut line = vec![(format!("{who:<first$}"), theme.muted)];
        line.extend(counts.iter().enumerate().map(|(j, number)| {
            let style = if i == j { theme.strong } else { theme.text };
            (format!("{:>8}", count(*number)), style)
        }));
        lines.push(line);
    }
    (first + width(&head) <= columns).then_some(lines)
}

/// How often annotators answered the same when a pair came again.
fn repeats(agreement: &Agreement) -> Option<String> {
    let (asked, same) = agreement.repeats.iter().fold((0, 0), |(n, same), one| (n + one.pairs, same + one.same));
    (asked > 0).then(|| format!("{} of {} repeats answered alike", count(same), count(asked)))
}
