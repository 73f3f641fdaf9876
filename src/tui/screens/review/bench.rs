//! Who settles cases, and how a case stands.

use crate::book::Book;
use dejaview_labels::{Case, Concern, Decisions, Label as Decision, Settlement, Standing, adjudicator};

/// How a case stands: by the journals as they were read, and by what was settled in this session.
pub fn standing(case: &Case, bench: &Bench<'_>) -> Standing {
    let labelled = bench.decisions.decision(&case.source, &case.target, None).labelled;
    case.standing_with(labelled.and_then(|event| Settlement::from_event(bench.adjudicator, event)))
}

/// As what a case was settled, if it was.
pub fn settled(case: &Case, bench: &Bench<'_>) -> Option<Decision> {
    let standing = standing(case, bench);
    standing.label().filter(|_| standing.is_settled())
}

/// The adjudicator at the keys, and what they have settled.
#[derive(Debug, Clone, Copy)]
pub struct Bench<'a> {
    /// Who.
    pub adjudicator: &'a str,
    /// What.
    pub decisions: &'a Decisions,
}

impl<'a> Bench<'a> {
    /// Of the book in which adjudications are kept.
    pub fn of(book: &'a Book) -> Self {
        let adjudicator = adjudicator(&book.annotator).unwrap_or(&book.annotator);
        Self { adjudicator, decisions: &book.decisions }
    }
}

/// The way of a contradiction, if the case is one.
pub(super) fn way(case: &Case) -> Option<&[String]> {
    case.concerns.iter().find_map(|concern| if let Concern::Chain(way) = concern { Some(way.as_slice()) } else { None })
}
