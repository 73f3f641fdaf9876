//! Who settles cases, and whether a case is settled.

use crate::book::Book;
use dejaview_labels::{Case, Concern, Decisions, Label as Decision, Settlement, Standing};

/// What holds for a case: by the journals as they were read, and by what was settled in this session.
pub fn standing(case: &Case, adjudicator: &Adjudicator<'_>) -> Standing {
    let labelled = adjudicator.decisions.decision(&case.source, &case.target, None).labelled;
    case.standing_with(labelled.and_then(|event| Settlement::from_event(adjudicator.name, event)))
}

/// The label that a case was settled with, if it was.
pub fn settled(case: &Case, adjudicator: &Adjudicator<'_>) -> Option<Decision> {
    let standing = standing(case, adjudicator);
    standing.label().filter(|_| standing.is_settled())
}

/// The person at the keys, and what they have settled.
#[derive(Debug, Clone, Copy)]
pub struct Adjudicator<'a> {
    pub name: &'a str,
    pub decisions: &'a Decisions,
}

impl<'a> Adjudicator<'a> {
    /// From the book of adjudications.
    pub fn new(book: &'a Book) -> Self {
        let name = dejaview_labels::adjudicator(&book.annotator).unwrap_or(&book.annotator);
        Self { name, decisions: book.decisions() }
    }
}

/// The documents of a contradiction, each a near-duplicate of the next, if the case is one.
pub(super) fn contradiction_path(case: &Case) -> Option<&[String]> {
    case.concerns
        .iter()
        .find_map(|concern| if let Concern::Chain(path) = concern { Some(path.as_slice()) } else { None })
}
