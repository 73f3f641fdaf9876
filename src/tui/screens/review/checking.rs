//! Looks, before a settlement is written, whether the journals still say what the screen showed: others may have labelled
//! meanwhile, and a settlement overrides what they say.

use std::collections::BTreeSet;

use crate::jobs::Backend;
use crate::pair_ids::PairIds;
use dejaview_labels::{Case, Event, Label as Decision, Opinion, Review as Cases, Standing};
use dejaview_report::numbers::plural;
use dejaview_study::StudyError;

/// What was decided on a case, to be written if the case is still what was shown.
#[derive(Debug)]
pub(super) struct Settling {
    /// As it was shown.
    pub(super) case: Case,
    pub(super) label: Decision,
    /// Without what it decides between.
    pub(super) event: Event,
}

/// What the journals say of a pair now.
#[derive(Debug)]
pub struct PairNow {
    /// None where nothing is left to be settled.
    case: Option<Case>,
    standing: Standing,
}

impl PairNow {
    pub(super) fn read(backend: &Backend, PairIds { source, target }: &PairIds) -> Result<Self, StudyError> {
        let journals = dejaview_study::read_journals(&backend.study())?;
        let mut cases = Cases::new(&journals).cases.into_iter();
        let case = cases.find(|case| case.source == *source && case.target == *target);
        Ok(Self { case, standing: journals.standing(source, target) })
    }

    /// The case, where it is what was shown; else what has changed, without who said what. What the adjudicator at the keys
    /// settled before is theirs to replace.
    pub(super) fn unchanged(self, shown: &Case, adjudicator: &str) -> Result<Case, String> {
        let Some(now) = self.case else {
            return Err(match self.standing.label() {
                Some(label) => format!("all say “{}” now, and nothing is left to settle", label.name()),
                None => "its labels were taken back".to_owned(),
            });
        };
        match changed_settlements(shown, &now, adjudicator).or_else(|| changed_opinions(&shown.opinions, &now.opinions))
        {
            Some(changed) => Err(changed),
            None => Ok(now),
        }
    }
}

fn changed_settlements(before: &Case, now: &Case, adjudicator: &str) -> Option<String> {
    let settled = |case: &Case| -> Vec<(String, Decision)> {
        let others = case.settlements.iter().filter(|one| one.who != adjudicator);
        others.map(|one| (one.who.clone(), one.label)).collect()
    };
    let (before, now) = (settled(before), settled(now));
    match now.iter().find(|one| !before.contains(one)) {
        Some((who, label)) => Some(format!("{who} settled it as “{}” meanwhile", label.name())),
        None => (before != now).then(|| "a settlement of it was taken back".to_owned()),
    }
}

fn changed_opinions(before: &[Opinion], now: &[Opinion]) -> Option<String> {
    let label = |one: &Opinion| (one.label, one.again);
    let note = |one: &Opinion| one.note.clone();
    match who_differ(before, now, label) {
        0 => (who_differ(before, now, note) > 0).then(|| "a note on it changed".to_owned()),
        labels => Some(format!("{} of it changed", plural(labels, "label"))),
    }
}

/// How many annotators said something else before than now.
fn who_differ<T: Ord>(before: &[Opinion], now: &[Opinion], what: impl Fn(&Opinion) -> T) -> u64 {
    let said = |opinions: &[Opinion]| -> BTreeSet<(String, T)> {
        opinions.iter().map(|one| (one.annotator.clone(), what(one))).collect()
    };
    let (before, now) = (said(before), said(now));
    let who: BTreeSet<&String> = before.symmetric_difference(&now).map(|(who, _)| who).collect();
    who.len() as u64
}

/// Reads what the journals say of the pair of a case.
#[derive(Debug)]
pub struct CheckCase {
    pub(super) ids: PairIds,
}
