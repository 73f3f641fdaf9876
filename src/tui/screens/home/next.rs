//! What to do next, the most useful step first.

use super::overview::{Overview, Precision};
use crate::action::Action;
use crate::data::StudyData;
use crate::sample_status::SampleStatus;
use crate::screens::judgments::Judgments;
use crate::screens::label::Label;
use crate::screens::methods::Methods;
use crate::screens::review::Review;
use dejaview_report::numbers::{count, plural};
use dejaview_study::StaleSegments;

/// Steps shown, at most.
const MOST: usize = 4;

/// Something to do, with the action that leads there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub action: Action,
    /// The sample that Label opens then, where the step is about one.
    pub sample: Option<String>,
    pub text: String,
    /// How much there is to do, or who is concerned.
    pub cost: String,
    /// Whether it continues something that was begun.
    pub begun: bool,
}

impl Step {
    fn new(action: Action, text: String, cost: String) -> Self {
        Self { action, sample: None, text, cost, begun: false }
    }
}

/// The steps for an annotator.
pub(super) fn steps(
    data: &StudyData,
    samples: &[SampleStatus],
    overview: Option<&Overview>,
    annotator: &str,
) -> Vec<Step> {
    if data.trouble.is_some() {
        let cost = if data.summary.is_some() { "results are out of date" } else { "no results yet" };
        return vec![Step::new(Action::Run, "Run the study".to_owned(), cost.to_owned())];
    }
    let mut steps: Vec<Step> = renew(&data.stale).into_iter().chain(label(samples, annotator)).collect();
    if let Some(overview) = overview {
        steps.extend(settle(overview));
        steps.extend(look_at_conflicts(overview));
    }
    let configurations = &data.recipe.configurations;
    if configurations.len() > 1 {
        let labelled =
            |overview: &Overview| overview.precision.values().filter(|it| **it != Precision::NoLabels).count();
        let known = overview.map_or(0, |overview| labelled(overview) as u64);
        let cost = match known {
            0 => "no labels yet".to_owned(),
            1 => "1 has labels".to_owned(),
            known => format!("{} have labels", count(known)),
        };
        let text = format!("Compare {}", plural(configurations.len() as u64, "configuration"));
        steps.push(Step::new(Action::Go(Methods::ID), text, cost));
    }
    steps.truncate(MOST);
    steps
}

/// Runs the segments again whose files changed, and those that were not run.
fn renew(stale: &StaleSegments) -> Option<Step> {
    let (changed, missing) = (stale.changed.len() as u64, stale.missing.len() as u64);
    let cost = match (changed, missing) {
        (0, 0) => return None,
        (0, missing) => format!("{} not run", plural(missing, "segment")),
        (changed, _) => format!("{} changed", plural(changed, "segment")),
    };
    Some(Step { begun: true, ..Step::new(Action::Run, "Run the study again".to_owned(), cost) })
}

/// Continues the sample that Label opens, else another one that is not finished; draws one where there is none.
fn label(samples: &[SampleStatus], annotator: &str) -> Option<Step> {
    let go = Action::Go(Label::ID);
    if samples.is_empty() {
        return Some(Step::new(go, "Draw a sample of pairs and label it".to_owned(), "no labels yet".to_owned()));
    }
    let left = |status: &&SampleStatus| status.changed.is_none() && status.left(annotator) > 0;
    let open = samples.iter().find(|status| status.opens && left(status));
    let status = open.or_else(|| samples.iter().find(left))?;
    let time = status.time_left.as_ref().map_or(String::new(), |time| format!(", {time}"));
    let begun = status.decided_by(annotator) > 0;
    let text = if begun { format!("Label the next pair of {}", status.name) } else { format!("Label {}", status.name) };
    let cost = format!("{} left{time}", plural(status.left(annotator) as u64, "pair"));
    Some(Step { sample: Some(status.name.clone()), begun, ..Step::new(go, text, cost) })
}

fn settle(overview: &Overview) -> Option<Step> {
    let annotators = overview.agreement.as_ref().map_or(String::new(), |agreement| match &agreement.annotators[..] {
        [a, b] => format!("{a} and {b}"),
        all => plural(all.len() as u64, "annotator"),
    });
    let text = format!("Settle {}", plural(overview.disagreements as u64, "disagreement"));
    let step = Step { begun: true, ..Step::new(Action::Go(Review::ID), text, annotators) };
    (overview.disagreements > 0).then_some(step)
}

fn look_at_conflicts(overview: &Overview) -> Option<Step> {
    let conflicts = &overview.conflicts;
    let topics = match &conflicts.topics[..] {
        [topic] => format!("topic {topic}"),
        topics => plural(topics.len() as u64, "topic"),
    };
    let text = format!("Look at {}", plural(conflicts.judgments as u64, "grade conflict"));
    (conflicts.judgments > 0).then(|| Step::new(Action::Go(Judgments::ID), text, topics))
}
