//! Names of journals in which disagreements are settled.

/// The annotator whose journal holds what was settled after a disagreement. Adjudicators with a name of their own have
/// journals `adjudication.NAME`.
pub const ADJUDICATION: &str = "adjudication";

/// Whether a journal of this name settles disagreements.
pub fn is_adjudication(annotator: &str) -> bool {
    annotator.strip_prefix(ADJUDICATION).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Name of the journal in which this person settles what annotators decided differently.
pub fn adjudication_journal(annotator: &str) -> String {
    format!("{ADJUDICATION}.{}", annotator.trim())
}

/// Who adjudicates in the journal of this name; none when it is an annotator's own.
pub fn adjudicator(journal: &str) -> Option<&str> {
    let rest = journal.strip_prefix(ADJUDICATION).filter(|_| is_adjudication(journal))?;
    Some(rest.strip_prefix('.').filter(|name| !name.is_empty()).unwrap_or(ADJUDICATION))
}

/// Why somebody new must not get a name that looks like one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lookalike {
    /// It is one but for its case, and would be that of an annotator.
    Case,
    /// It says nobody behind the dot.
    Nobody,
}

/// What is wrong with a name that looks like one of these; none where nothing is.
pub(super) fn lookalike(annotator: &str) -> Option<Lookalike> {
    match annotator.strip_prefix(ADJUDICATION) {
        Some(".") => Some(Lookalike::Nobody),
        _ => (is_adjudication(&annotator.to_lowercase()) && !is_adjudication(annotator)).then_some(Lookalike::Case),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_journals() {
        assert_eq!(adjudicator(&adjudication_journal(" Ada B")), Some("Ada B"));
        assert_eq!((adjudicator("adjudication"), adjudicator("ada")), (Some("adjudication"), None));
        assert!(is_adjudication("adjudication.eve") && !is_adjudication("adjudications"));
    }
}
