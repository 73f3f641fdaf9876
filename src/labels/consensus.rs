//! What annotators together say about a pair.
//!
//! An adjudication decides. Otherwise the label of more than half of those who decided does, *unsure* being a label like
//! the others; when none has so many, nobody knows.

use super::{Annotations, Label};

/// The annotator whose journal holds what was settled after a disagreement. Adjudicators with a name of their own have
/// journals `adjudication.NAME`.
pub const ADJUDICATION: &str = "adjudication";

/// Whether a journal of this name settles disagreements.
pub fn is_adjudication(annotator: &str) -> bool {
    annotator.strip_prefix(ADJUDICATION).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The name of the journal in which somebody settles what others have decided differently.
pub fn adjudicated_by(annotator: &str) -> String {
    format!("{ADJUDICATION}.{}", annotator.trim())
}

/// Who adjudicates in the journal of this name; none when it is an annotator's own.
pub fn adjudicator(journal: &str) -> Option<&str> {
    let rest = journal.strip_prefix(ADJUDICATION).filter(|_| is_adjudication(journal))?;
    Some(rest.strip_prefix('.').filter(|name| !name.is_empty()).unwrap_or(ADJUDICATION))
}

/// The labels of a pair.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Consensus {
    /// Who decided, and how; without adjudications.
    pub votes: Vec<(String, Label)>,
    /// What was settled, if anything.
    pub adjudicated: Option<Label>,
}

impl Consensus {
    /// The labels of a pair in a sample, or everywhere.
    pub fn of(all: &[Annotations], source: &str, target: &str, sample: Option<&str>) -> Self {
        let mut consensus = Self::default();
        for annotations in all {
            let Some(label) = annotations.reading.decisions.label(source, target, sample) else { continue };
            if is_adjudication(&annotations.annotator) {
                consensus.adjudicated = Some(label);
            } else {
                consensus.votes.push((annotations.annotator.clone(), label));
            }
        }
        consensus
    }

    /// What holds for the pair.
    pub fn label(&self) -> Option<Label> {
        let votes = |label: Label| self.votes.iter().filter(|(_, vote)| *vote == label).count();
        let majority = || Label::ALL.into_iter().find(|label| 2 * votes(*label) > self.votes.len());
        self.adjudicated.or_else(majority)
    }

    /// Whether nobody has decided.
    pub fn is_empty(&self) -> bool {
        self.votes.is_empty() && self.adjudicated.is_none()
    }

    /// Whether annotators decided differently, settled or not.
    pub fn disagreed(&self) -> bool {
        self.votes.iter().any(|(_, vote)| *vote != self.votes[0].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::{Decisions, Event, Reading, What};

    fn annotations(annotator: &str, label: Label) -> Annotations {
        let event = Event { seq: 1, ..Event::new(What::Label(label), "s", "t", "").in_sample("x") };
        let reading = Reading { decisions: Decisions::replay([&event]), events: vec![event], problems: Vec::new() };
        Annotations { annotator: annotator.to_owned(), reading }
    }

    #[test]
    fn more_than_half_or_an_adjudication() {
        let mut all = vec![annotations("ada", Label::Not), annotations("bob", Label::Unsure)];
        let of = |all: &[Annotations]| Consensus::of(all, "s", "t", Some("x"));
        assert_eq!((of(&all).label(), of(&all).disagreed()), (None, true));
        all.push(annotations("cyd", Label::Not));
        assert_eq!(of(&all).label(), Some(Label::Not));
        all.push(annotations("adjudication", Label::NearDuplicate));
        assert_eq!((of(&all).label(), of(&all).votes.len()), (Some(Label::NearDuplicate), 3));
        assert!(Consensus::of(&all, "s", "t", Some("y")).is_empty());
        assert_eq!(adjudicator(&adjudicated_by(" Ada B")), Some("Ada B"));
        assert_eq!((adjudicator("adjudication"), adjudicator("ada")), (Some("adjudication"), None));
        assert!(is_adjudication("adjudication.eve") && !is_adjudication("adjudications"));
    }
}
