//! The end card: what was decided, how fast, how steadily, and what the labels say.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::Label;
use crate::action::Action;
use crate::contract::View;
use crate::screens::methods::Methods;
use crate::theme::Theme;
use crate::widgets::boxes::{centred, draw_box};
use crate::widgets::frame::Frame;
use crate::widgets::glyphs::{draw_text, width};
use crate::widgets::meter::{Estimate as Interval, interval, meter};
use crate::widgets::paragraph;
use dejaview_base::interval::Interval as Known;
use dejaview_evaluation::estimates::{Estimate, Estimates};
use dejaview_evaluation::sample::SampledPair;
use dejaview_labels::{Decisions, Label as Decision};
use dejaview_report::agreement;
use dejaview_report::numbers::plural;
use dejaview_text::shorten::shorten_title;

/// Columns of the card at most.
pub(super) const WIDEST: u16 = 76;
/// Columns of the names of labels and configurations, of the meters of labels, and of intervals.
const NAMES: usize = 17;
const METER: u16 = 40;
const INTERVAL: u16 = 30;
/// Configurations whose estimate the card shows at least; more where there is room, the rest is on Methods.
const ESTIMATES: usize = 4;

/// A line of the card: words with their styles. The card gives up lines of higher rank first where there is little room.
struct Line {
    words: Vec<(String, Style)>,
    rank: u8,
}

impl Line {
    fn new(text: impl Into<String>, style: Style) -> Self {
        Self { words: vec![(text.into(), style)], rank: 0 }
    }

    fn blank() -> Self {
        Self { words: Vec::new(), rank: 2 }
    }
}

impl Label {
    pub(super) fn draw_end(&self, buffer: &mut Buffer, area: Rect, view: &View<'_>) {
        let Some(sample) = self.sample() else { return };
        let theme = &view.shared.theme;
        let wide = WIDEST.min(area.width);
        let (columns, rows) = (usize::from(wide.saturating_sub(4)), usize::from(area.height));
        let lines = self.end_lines(columns, ESTIMATES, view);
        let spare = rows.saturating_sub(lines.len() + 2);
        let mut lines = if spare > 0 { self.end_lines(columns, ESTIMATES + spare, view) } else { lines };
        while lines.len() + 2 > rows {
            let rank = lines.iter().map(|line| line.rank).max().filter(|rank| *rank > 0);
            match rank.and_then(|rank| lines.iter().rposition(|line| line.rank == rank)) {
                Some(at) => drop(lines.remove(at)),
                None => break,
            }
        }
        let place = centred(area, wide, lines.len() as u16 + 2);
        let frame = Frame { focused: true, ..Frame::new(format!("{} finished", sample.name)) };
        draw_box(buffer, place, &frame, theme, |buffer, inside| {
            for (line, y) in lines.iter().zip(inside.y..inside.bottom()) {
                let mut x = inside.x + 1;
                for (text, style) in &line.words {
                    x += draw_text(buffer, (x, y), inside.right().saturating_sub(x), text, *style);
                }
            }
        });
    }

    /// The lines of the card, with so many estimates at most.
    fn end_lines(&self, columns: usize, estimates: usize, view: &View<'_>) -> Vec<Line> {
        let (Some(sample), decisions) = (self.sample(), view.shared.book.decisions()) else { return Vec::new() };
        let (shared, theme) = (view.shared, &view.shared.theme);
        let mut lines = vec![Line::blank(), Line::new(self.pace(decisions), theme.strong), Line::blank()];
        lines.extend(self.counts(decisions, theme));
        let labels = view.data.labels();
        let progress = labels.samples.iter().find(|progress| progress.name == sample.name);
        let said = self.estimates.as_deref().filter(|said| said.estimates.sample == sample.name);
        lines.push(Line::blank());
        match progress.and_then(|progress| progress.changed.as_ref()) {
            Some(changed) => {
                let why = paragraph::wrapped(&changed.to_string(), columns);
                lines.extend(why.into_iter().map(|line| Line::new(line.trim_end(), theme.warning)));
            }
            None => {
                let methods = shared.way_to(Action::Go(Methods::ID));
                lines.extend(said.iter().flat_map(|said| precision(&said.estimates, (estimates, &methods), theme)));
            }
        }
        lines.push(Line::blank());
        let alike = said.and_then(|said| agreement::unanimity(&said.agreement));
        let plan = said.and_then(|said| next_labels(&said.estimates));
        let facts = [self.self_agreement(decisions), alike, plan].into_iter().flatten();
        for fact in facts {
            let wrapped = paragraph::wrapped(&fact, columns);
            lines.extend(wrapped.into_iter().map(|line| Line { rank: 1, ..Line::new(line.trim_end(), theme.text) }));
        }
        lines.push(Line::blank());
        let saved = format!("Every label is saved in labels/{}.jsonl. Time for a short break.", shared.book.annotator);
        lines.push(Line::new(saved, theme.muted));
        lines.push(Line::blank());
        lines.push(ways_on(&|action| shared.way_to(action), theme));
        lines.push(Line::blank());
        lines
    }

    /// How many pairs were decided, and how fast.
    fn pace(&self, decisions: &Decisions) -> String {
        let part = self.questions.iter().filter(|question| !question.repeat).count();
        let of = match self.sample() {
            Some(sample) if part < sample.pairs.len() => " of your part",
            _ => "",
        };
        let mut dwells = dwells(self, decisions);
        dwells.sort_unstable();
        let total: Duration = dwells.iter().sum();
        let pace = median(&dwells)
            .map(|middle| format!(" in {}, {:.1} s a pair (median)", minutes(total), middle.as_secs_f64()));
        format!("{}{of} decided{}", plural(part as u64, "pair"), pace.unwrap_or_default())
    }

    /// The labels, each with its share.
    fn counts(&self, decisions: &Decisions, theme: &Theme) -> Vec<Line> {
        let Some(sample) = self.sample() else { return Vec::new() };
        let asked = self.questions.iter().filter(|question| !question.repeat);
        let part: Vec<&SampledPair> = asked.filter_map(|question| sample.pairs.get(question.pair)).collect();
        let label = |pair: &SampledPair| decisions.label(&pair.source, &pair.target, Some(&sample.name));
        let signs = [("●", Decision::NearDuplicate), ("○", Decision::Not), ("◐", Decision::Unsure)];
        let line = |(sign, wanted): (&str, Decision)| {
            let count = part.iter().filter(|pair| label(pair) == Some(wanted)).count();
            let bar = meter(count as f64, part.len() as f64, METER);
            let name = format!("{sign} {:<NAMES$}", wanted.name());
            Line { words: vec![(name, theme.text), (format!("{count:>4} "), theme.strong), (bar, theme.good)], rank: 0 }
        };
        signs.into_iter().map(line).collect()
    }

    /// How often the answer to a repeated question was the same.
    fn self_agreement(&self, decisions: &Decisions) -> Option<String> {
        let sample = self.sample()?;
        let again = self.questions.iter().filter(|question| question.repeat).filter_map(|question| {
            let pair = sample.pairs.get(question.pair)?;
            let [first, second] = decisions.said_twice(&pair.source, &pair.target, Some(&sample.name))?;
            Some(first == second)
        });
        let again: Vec<bool> = again.collect();
        let same = again.iter().filter(|same| **same).count();
        (!again.is_empty()).then(|| format!("{same} of {} repeated pairs decided alike", again.len()))
    }
}

/// Times that the answered questions took, as far as they were measured, oldest first.
pub(super) fn dwells(label: &Label, decisions: &Decisions) -> Vec<Duration> {
    let mut answers: Vec<_> =
        label.questions.iter().filter_map(|question| label.answer(*question, decisions)).collect();
    answers.sort_by_key(|event| event.seq);
    answers.into_iter().filter_map(|event| event.circumstances.dwell_ms.map(Duration::from_millis)).collect()
}

/// The middle one.
pub(super) fn median(sorted: &[Duration]) -> Option<Duration> {
    sorted.get(sorted.len() / 2).copied()
}

/// Minutes in words: "under a minute", "12 min".
pub(super) fn minutes(time: Duration) -> String {
    match time.as_secs().div_ceil(60) {
        0 | 1 => "under a minute".to_owned(),
        minutes => format!("{minutes} min"),
    }
}

/// The configurations whose precision is known, the highest first, as Home sorts them.
fn best_first(estimates: &Estimates) -> Vec<(&Estimate, Known)> {
    let known = |estimate: &Estimate| estimate.precision.as_ref()?.headline;
    let mut all: Vec<(&Estimate, Known)> =
        estimates.configurations.iter().filter_map(|estimate| Some((estimate, known(estimate)?))).collect();
    all.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    all
}

/// Precision with its interval, of so many configurations at most, and the way to the others.
fn precision(estimates: &Estimates, (most, methods): (usize, &str), theme: &Theme) -> Vec<Line> {
    let line = |(estimate, known): &(&Estimate, Known)| {
        let name = shorten_title(&estimate.name, NAMES);
        let pad = " ".repeat(NAMES.saturating_sub(width(&name)));
        let numbers = format!("{:.2} ({:.2}–{:.2})  ", known.value, known.low, known.high);
        let bar = interval(Some(Interval { low: known.low, value: known.value, high: known.high }), INTERVAL);
        let words = vec![(format!("{name}{pad}  "), theme.text), (numbers, theme.strong), (bar, theme.accent)];
        Line { words, rank: 0 }
    };
    let known = best_first(estimates);
    let mut all = vec![match known.is_empty() {
        true => Line::new("No precision can be estimated from these labels", theme.muted),
        false => Line::new("Precision by all annotators' labels, 95% intervals, unsure left out", theme.muted),
    }];
    all.extend(known.iter().take(most).map(line));
    if let more @ 1.. = known.len().saturating_sub(most) {
        all.push(Line::new(format!("and {more} more on Methods ({methods})"), theme.muted));
    }
    if estimates.disputed > 0 {
        let disputed = format!("{} left out. Review settles them", plural(estimates.disputed, "disputed pair"));
        all.push(Line { rank: 1, ..Line::new(disputed, theme.muted) });
    }
    all
}

/// What would be worth labelling next.
fn next_labels(estimates: &Estimates) -> Option<String> {
    let planned = |estimate: &Estimate| {
        let plan = estimate.plan.as_ref().filter(|plan| plan.total() > 0)?;
        Some(format!("{}: {}", estimate.name, plan.sentence()))
    };
    best_first(estimates).into_iter().find_map(|(estimate, _)| planned(estimate))
}

/// Where to go from here.
fn ways_on(way: &dyn Fn(Action) -> String, theme: &Theme) -> Line {
    let ways = [
        (":review".to_owned(), "settle"),
        (way(Action::NewSample), "new sample"),
        (":methods".to_owned(), "quality"),
        (way(Action::Undo), "undo last"),
        (way(Action::Back), "leave"),
    ];
    let words = ways.into_iter().flat_map(|(key, what)| [(key, theme.accent), (format!(" {what}  "), theme.text)]);
    Line { words: words.collect(), rank: 0 }
}
