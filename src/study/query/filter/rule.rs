//! Terms of a filter, joined.

use super::term::{Filterable, Term};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rule {
    All(Vec<Rule>),
    Any(Vec<Rule>),
    Not(Box<Rule>),
    Term(Term),
}

impl Rule {
    pub(super) fn holds(&self, row: &dyn Filterable) -> bool {
        match self {
            Self::All(rules) => rules.iter().all(|rule| rule.holds(row)),
            Self::Any(rules) => rules.iter().any(|rule| rule.holds(row)),
            Self::Not(rule) => !rule.holds(row),
            Self::Term(term) => term.holds(row),
        }
    }

    pub(super) fn each_term<'a>(&'a self, show: &mut dyn FnMut(&'a Term)) {
        match self {
            Self::All(rules) | Self::Any(rules) => rules.iter().for_each(|rule| rule.each_term(show)),
            Self::Not(rule) => rule.each_term(show),
            Self::Term(term) => show(term),
        }
    }
}
