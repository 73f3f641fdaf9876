//! What to do next, the most useful step first.

use super::overview::{Overview, Precision};
use crate::action::Action;
use crate::contract::{Request, Show};
use crate::data::StudyData;
use crate::sample_status::{SampleStatus, to_continue};
use crate::screens::judgments::Judgments;
use crate::screens::label::Label;
use crate::screens::methods::Methods;
use crate::screens::review::Review;
use dejaview_report::numbers::{count, plural};
use dejaview_study::StaleSegments;

/// The filter on Judgments that leaves those with a grade conflict.
const CONFLICTS: &str = "conflict";
/// Steps shown, at most.
const MOST: usize = 4;

/// Something to do, with the action that leads there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub action: Action,
    /// What the screen shows then, where Enter says more than the key of the screen.
    pub show: Option<Show>,
    pub text: String,
    /// How much there is to do, or who is concerned.
    pub cost: String,
    /// Whether it continues something that was begun.
    pub begun: bool,
}

impl Step {
    fn new(action: Action, text: String, cost: String) -> Self {
        Self { action, show: None, text, cost, begun: false }
    }

    /// Whether Enter on the step and the key of its screen do the same: Label opens the sample by itself.
    pub fn is_the_key(&self) -> bool {
        !matches!(self.show, Some(Show::Judgments(_)))
    }

    /// To do it.
    pub fn request(self) -> Request {
        self.show.map_or(Request::Act(self.action), Request::Show)
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
    let label = label(samples, annotator);
    let is_labelling = label.as_ref().is_some_and(|step| step.begun);
    let mut steps: Vec<Step> = renew(&data.stale).into_iter().chain(label).collect();
    if let Some(overview) = overview {
        steps.extend(settle(overview, is_labelling));
        steps.extend(look_at_conflicts(overview));
    }
    let configurations = &data.recipe.configurations;
    if configurations.len() > 1 {
        let text = format!("Compare {}", plural(configurations.len() as u64, "configuration"));
        steps.push(Step::new(Action::Go(Methods::ID), text, estimated(overview)));
    }
    steps.truncate(MOST);
    steps
}

/// How many configurations have an estimate by labels that may be seen.
fn estimated(overview: Option<&Overview>) -> String {
    let rows = || overview.into_iter().flat_map(|overview| overview.precision.values());
    let hidden = rows().any(|precision| *precision == Precision::Hidden);
    match rows().filter(|precision| matches!(precision, Precision::Known(_))).count() as u64 {
        0 if hidden => "after your labels".to_owned(),
        0 => "no estimates yet".to_owned(),
        1 => "1 has labels".to_owned(),
        known => format!("{} have labels", count(known)),
    }
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

/// Continues a sample that is not finished; draws one where there is none.
fn label(samples: &[SampleStatus], annotator: &str) -> Option<Step> {
    let go = Action::Go(Label::ID);
    if samples.is_empty() {
        return Some(Step::new(go, "Draw a sample of pairs and label it".to_owned(), "no sample yet".to_owned()));
    }
    let status = to_continue(samples, annotator)?;
    let time = status.time_left.as_ref().map_or(String::new(), |time| format!(", {time}"));
    let begun = status.decided_by(annotator) > 0;
    let text = if begun { format!("Label the next pair of {}", status.name) } else { format!("Label {}", status.name) };
    let cost = format!("{} left{time}", plural(status.left(annotator) as u64, "pair"));
    Some(Step { show: Some(Show::Sample(status.name.clone())), begun, ..Step::new(go, text, cost) })
}

/// Settles what annotators decided differently, else the other cases of Review. Who is labelling is not led to these: they
/// name the pairs that came again.
fn settle(overview: &Overview, is_labelling: bool) -> Option<Step> {
    let go = Action::Go(Review::ID);
    if overview.disagreements == 0 {
        let mut concerns = overview.other_cases.clone();
        let text = format!("Settle {}", plural(concerns.len() as u64, "case"));
        concerns.sort_unstable();
        concerns.dedup();
        return (!concerns.is_empty() && !is_labelling).then(|| Step::new(go, text, concerns.join(", ")));
    }
    let annotators = overview.agreement.as_ref().map_or(String::new(), |agreement| match &agreement.annotators[..] {
        [a, b] => format!("{a} and {b}"),
        all => plural(all.len() as u64, "annotator"),
    });
    let text = format!("Settle {}", plural(overview.disagreements as u64, "disagreement"));
    Some(Step { begun: true, ..Step::new(go, text, annotators) })
}

fn look_at_conflicts(overview: &Overview) -> Option<Step> {
    let conflicts = &overview.conflicts;
    let topics = match &conflicts.topics[..] {
        [topic] => format!("topic {topic}"),
        topics => plural(topics.len() as u64, "topic"),
    };
    let text = format!("Look at {}", plural(conflicts.judgments as u64, "grade conflict"));
    let show = Some(Show::Judgments(CONFLICTS.to_owned()));
    (conflicts.judgments > 0).then(|| Step { show, ..Step::new(Action::Go(Judgments::ID), text, topics) })
}
