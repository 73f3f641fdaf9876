//! The end card: what was decided, how fast, how steadily, and how far the estimate is.

use std::time::Duration;

use crate::evaluation::estimates::{Estimate, Estimates};
use crate::evaluation::intervals::wilson;
use crate::evaluation::sample::{Design, Sample, SampledPair};
use crate::labels::{Decisions, Label as Decision, Question};

/// Seconds that the pairs of a sample took, as far as they were measured, in order of size.
pub fn dwells(sample: &Sample, decisions: &Decisions) -> Vec<Duration> {
    let dwell = |pair: &SampledPair| {
        let standing = decisions.standing(&pair.source, &pair.target, Some(&sample.name));
        standing.labelled?.circumstances.dwell_ms.map(Duration::from_millis)
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

/// The lines of the card.
pub fn lines(
    sample: &Sample,
    (questions, decisions): (&[Question], &Decisions),
    estimates: Option<&Estimates>,
) -> Vec<String> {
    let label = |pair: &SampledPair| decisions.label(&pair.source, &pair.target, Some(&sample.name));
    let count = |wanted: Decision| sample.pairs.iter().filter(|pair| label(pair) == Some(wanted)).count();
    let (near, not) = (count(Decision::NearDuplicate), count(Decision::Not));
    let mut lines = vec![
        format!("All {} pairs of the sample “{}” are decided.", sample.pairs.len(), sample.name),
        String::new(),
        format!("  near-duplicate  {near:>4}"),
        format!("  not             {not:>4}"),
        format!("  unsure          {:>4}", count(Decision::Unsure)),
        String::new(),
    ];
    lines.extend(pace(&dwells(sample, decisions)));
    lines.extend(steadiness(sample, questions, decisions));
    lines.extend(estimate(sample, near as u64, not as u64));
    lines.extend(estimates.filter(|estimates| estimates.sample == sample.name).map(together).unwrap_or_default());
    lines.extend([
        String::new(),
        "Time for a break: look at something far away for five minutes before the next sample.".to_owned(),
        "Every label is in labels/ of the study. u takes the last one back, w says why the last pair matched, :review shows what is left to be settled, q leaves."
            .to_owned(),
    ]);
    lines
}

/// Configurations whose estimate the card shows; the rest is for `evaluate`.
const SHOWN: usize = 3;

/// What the labels of all annotators say, by the design of the sample, and what would be worth labelling next.
fn together(estimates: &Estimates) -> Vec<String> {
    let line = |estimate: &Estimate| {
        let interval = estimate.precision.as_ref()?.design?;
        let [value, low, high] = [interval.value, interval.low, interval.high].map(|share| 100.0 * share);
        let name = &estimate.name;
        let next = estimate.plan.as_ref().and_then(|plan| {
            let (stratum, more) = plan.more.first()?;
            Some(format!("; {more} more of stratum “{stratum}” for ±{:.0} points", 100.0 * plan.wanted))
        });
        Some(format!(
            "  together        {value:.1} % ({low:.1}–{high:.1} by the design) of {name}{}",
            next.unwrap_or_default()
        ))
    };
    estimates.configurations.iter().take(SHOWN).filter_map(line).collect()
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
        let (source, target, name) = (&pair.source, &pair.target, Some(sample.name.as_str()));
        Some(decisions.repeated(source, target, name)? == decisions.label(source, target, name)?)
    });
    let again: Vec<bool> = again.collect();
    let same = again.iter().filter(|same| **same).count();
    (!again.is_empty())
        .then(|| format!("  self-agreement  {same} of {} answers the same when the pair came again", again.len()))
}

/// Precision of the configuration that the sample was drawn from, where every pair weighs the same.
fn estimate(sample: &Sample, near: u64, not: u64) -> Option<String> {
    let interval = wilson(near, near + not, 0.95).filter(|_| sample.design == Design::Simple)?;
    let [value, low, high] = [interval.value, interval.low, interval.high].map(|share| 100.0 * share);
    let name = &sample.configuration;
    Some(format!("  precision       {value:.1} % ({low:.1}–{high:.1}, Wilson 95 %) of {name}, unsure out"))
}
