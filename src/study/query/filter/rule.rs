//! Terms of a filter, joined.

use crate::query::filter::beside::Beside;
use crate::query::filter::term::Term;
use crate::query::pair_table::PairTable;

/// What must hold.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Rule {
    All(Vec<Rule>),
    Any(Vec<Rule>),
    Not(Box<Rule>),
    Term(Term),
}

impl Rule {
    pub(super) fn holds(&self, table: &PairTable, row: usize, beside: &dyn Beside) -> bool {
        match self {
            Self::All(rules) => rules.iter().all(|rule| rule.holds(table, row, beside)),
            Self::Any(rules) => rules.iter().any(|rule| rule.holds(table, row, beside)),
            Self::Not(rule) => !rule.holds(table, row, beside),
            Self::Term(term) => term.holds(table, row, beside),
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
