//! The end card: what was decided, how fast, how steadily, and how far the estimate is.

use std::time::Duration;

use crate::action::Action;
use crate::pane::Ways;
use crate::widgets::paragraph::hanging;
use dejaview_evaluation::agreement::{Agreement, labels_of_repeat};
use dejaview_evaluation::estimates::{Estimate, Estimates};
use dejaview_evaluation::sample::{Sample, SampledPair};
use dejaview_labels::{Decisions, Label as Decision, Question};
use dejaview_report::agreement;
use dejaview_report::numbers::{percent, plural};

/// Seconds that the pairs of a sample took, as far as they were measured, in order of size.
pub fn dwells(sample: &Sample, decisions: &Decisions) -> Vec<Duration> {
    let dwell = |pair: &SampledPair| {
        let answer = decisions.answer(&pair.source, &pair.target, &sample.name);
        answer?.circumstances.dwell_ms.map(Duration::from_millis)
    };
    let mut all: Vec<Duration> = sample.pairs.iter().filter_map(dwell).collect();
    all.sort_unstable();
    all
}

/// The middle one.
pub fn median(sorted: &[Duration]) -> Option<Duration> {
    sorted.get(sorted.len() / 2).copied()
}

/// Minutes in words: "under a minute", "about 12 min".
pub fn minutes(time: Duration) -> String {
    match time.as_secs().div_ceil(60) {
        0 | 1 => "under a minute".to_owned(),
        minutes => format!("about {minutes} min"),
    }
}

/// What the labels of a sample say by now.
#[derive(Debug)]
pub struct Says {
    /// Precision and recall.
    pub estimates: Estimates,
    /// How far annotators agree.
    pub agreement: Agreement,
}

/// What the labels say, or why they say nothing.
#[derive(Debug)]
pub enum Said<'a> {
    /// Estimates and agreement, once they are there.
    Labels(Option<&'a Says>),
    /// The sample is no longer of the pairs there are.
    Nothing(String),
}

/// The lines of the card.
pub fn lines(
    sample: &Sample,
    (questions, decisions): (&[Question], &Decisions),
    said: &Said<'_>,
    key: Ways<'_>,
) -> Vec<String> {
    let label = |pair: &SampledPair| decisions.label(&pair.source, &pair.target, Some(&sample.name));
    let asked = questions.iter().filter(|question| !question.repeat);
    let part: Vec<&SampledPair> = asked.filter_map(|question| sample.pairs.get(question.pair)).collect();
    let count = |wanted: Decision| part.iter().filter(|pair| label(pair) == Some(wanted)).count();
    let of = if part.len() < sample.pairs.len() { "your part of the sample" } else { "the sample" };
    let (near, not) = (count(Decision::NearDuplicate), count(Decision::Not));
    let mut lines = vec![
        format!("All {} pairs of {of} “{}” are decided.", part.len(), sample.name),
        String::new(),
        format!("  near-duplicate  {near:>4}"),
        format!("  not             {not:>4}"),
        format!("  unsure          {:>4}", count(Decision::Unsure)),
    ];
    lines.extend(pace(&dwells(sample, decisions)));
    lines.extend(steadiness(sample, questions, decisions));
    match said {
        Said::Nothing(why) => lines.push(why.clone()),
        Said::Labels(says) => {
            let mine = says.filter(|says| says.estimates.sample == sample.name);
            lines.extend(mine.and_then(|says| agreed(&says.agreement)));
            lines.extend(mine.map(|says| together(&says.estimates)).unwrap_or_default());
        }
    }
    lines.extend([
        String::new(),
        "Time for a break: look far away for five minutes before the next sample.".to_owned(),
        format!(
            "Every label is in labels/ of the study. {} takes the last back, {} says why it matched, :review settles what is left, {} leaves.",
            key(Action::Undo),
            key(Action::Why),
            key(Action::Back)
        ),
    ]);
    lines
}

/// How far annotators agree, where two of them labelled the same pairs.
fn agreed(agreement: &Agreement) -> Option<String> {
    agreement::unanimity(agreement).map(|alike| format!("  agreement       {alike}"))
}

/// Columns of a name in front of what is said of it.
const NAME: usize = 18;

/// A line of the card in as many as it takes; what is said of a name stays behind it.
pub fn laid(line: &str, columns: usize) -> Vec<String> {
    let indent = if line.starts_with("  ") { NAME } else { 0 };
    let lines = hanging(line, columns, indent);
    let lines: Vec<String> = lines.iter().map(|line| line.trim_end().to_owned()).collect();
    if lines.is_empty() { vec![String::new()] } else { lines }
}

/// Configurations whose estimate the card shows; the rest is for `evaluate`.
const SHOWN: usize = 3;

/// What the labels of all annotators say, by the design of the sample, and what would be worth labelling next.
fn together(estimates: &Estimates) -> Vec<String> {
    let line = |estimate: &Estimate| {
        let interval = estimate.precision.as_ref()?.headline?;
        let value = percent(interval.value, 1);
        let [low, high] = [interval.low, interval.high].map(|share| 100.0 * share);
        let name = &estimate.name;
        let plan = estimate.plan.as_ref().filter(|plan| plan.total() > 0);
        let next = plan.map(|plan| format!("; {}", plan.sentence()));
        Some(format!("  precision       {value} ({low:.1}–{high:.1}) of {name}{}", next.unwrap_or_default()))
    };
    let mut lines: Vec<String> = estimates.configurations.iter().take(SHOWN).filter_map(line).collect();
    if lines.is_empty() {
        return lines;
    }
    lines.push("                  by the labels of all annotators, 95 % intervals, unsure left out".to_owned());
    if estimates.disputed > 0 {
        lines.push(format!(
            "                  {} left out; Review settles them",
            plural(estimates.disputed, "disputed pair")
        ));
    }
    lines
}

fn pace(sorted: &[Duration]) -> Option<String> {
    let middle = median(sorted)?;
    let total: Duration = sorted.iter().sum();
    Some(format!("  pace            {:.1} s a pair (median), {} in all", middle.as_secs_f64(), minutes(total)))
}

/// How often the answer to a repeated question was the same.
fn steadiness(sample: &Sample, questions: &[Question], decisions: &Decisions) -> Option<String> {
    let again = questions.iter().filter(|question| question.repeat).filter_map(|question| {
        let pair = sample.pairs.get(question.pair)?;
        let [first, second] = labels_of_repeat(decisions, &pair.source, &pair.target, Some(&sample.name))?;
        Some(first == second)
    });
    let again: Vec<bool> = again.collect();
    let same = again.iter().filter(|same| **same).count();
    (!again.is_empty())
        .then(|| format!("  self-agreement  {same} of {} answers the same when the pair came again", again.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_name_stays_behind_it() {
        let line = "  together        78.4 % (65.4–87.5) of simhash-2; 247 more pairs of stratum jaccard 0.95-1 for ±2.0 points";
        for columns in [57, 77, 97] {
            let lines = laid(line, columns);
            assert!(lines.len() > 1, "{lines:#?}");
            assert!(lines[1..].iter().all(|more| more.starts_with(&" ".repeat(NAME))), "{lines:#?}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&lines.join(" ")), words(line), "nothing is lost");
            assert!(lines.iter().all(|line| line.chars().count() <= columns), "{lines:#?}");
        }
        assert_eq!(laid("", 80), [""]);
        assert_eq!(laid("one two three", 8), ["one two", "three"]);
    }
}
