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
    /// Those rows that pass, in their order. `holding` tells for which of some rows a term holds; no row is asked about that
    /// is decided already.
    pub(super) fn passing(&self, rows: Vec<u32>, holding: &dyn Fn(&Term, Vec<u32>) -> Vec<u32>) -> Vec<u32> {
        match self {
            _ if rows.is_empty() => rows,
            Self::All(rules) => rules.iter().fold(rows, |rows, rule| rule.passing(rows, holding)),
            Self::Any(rules) => {
                let mut left = rows.clone();
                for rule in rules {
                    let passing = rule.passing(left.clone(), holding);
                    left = without(left, &passing);
                }
                without(rows, &left)
            }
            Self::Not(rule) => {
                let passing = rule.passing(rows.clone(), holding);
                without(rows, &passing)
            }
            Self::Term(term) => holding(term, rows),
        }
    }

    /// Whether one row passes.
    pub(super) fn holds(&self, row: &dyn Filterable) -> bool {
        let holding = |term: &Term, rows: Vec<u32>| if term.holds(row) { rows } else { Vec::new() };
        !self.passing(vec![0], &holding).is_empty()
    }

    pub(super) fn each_term<'a>(&'a self, show: &mut dyn FnMut(&'a Term)) {
        match self {
            Self::All(rules) | Self::Any(rules) => rules.iter().for_each(|rule| rule.each_term(show)),
            Self::Not(rule) => rule.each_term(show),
            Self::Term(term) => show(term),
        }
    }
}

/// Rows without some of them, which are in the same order.
fn without(mut rows: Vec<u32>, some: &[u32]) -> Vec<u32> {
    let mut some = some.iter().peekable();
    rows.retain(|row| some.next_if_eq(&row).is_none());
    rows
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::super::term::Comparison;
    use super::*;

    /// The rows of a term are those whose number it divides.
    fn divisible_by(number: u32) -> Rule {
        Rule::Term(Term::Candidates { configuration: None, comparison: Comparison::Equal, value: f64::from(number) })
    }

    #[test]
    fn rows_pass_together_as_each_by_itself_and_none_is_asked_about_in_vain() {
        let asked = RefCell::new(0);
        let holding = |term: &Term, mut rows: Vec<u32>| {
            let Term::Candidates { value, .. } = term else { panic!("{term:?}") };
            *asked.borrow_mut() += rows.len();
            rows.retain(|row| row % *value as u32 == 0);
            rows
        };
        let [two, three, five] = [2, 3, 5].map(divisible_by);
        let either = Rule::Any(vec![two.clone(), three.clone()]);
        for (rule, passes, questions) in [
            (Rule::All(vec![two.clone(), three.clone()]), (|row| row % 6 == 0) as fn(u32) -> bool, 30 + 15),
            (either.clone(), |row| row % 2 == 0 || row % 3 == 0, 30 + 15),
            (Rule::Not(Box::new(either.clone())), |row| row % 2 != 0 && row % 3 != 0, 30 + 15),
            (Rule::All(vec![five, Rule::Not(Box::new(either))]), |row| row == 5 || row == 25, 30 + 6 + 3),
        ] {
            *asked.borrow_mut() = 0;
            let rows: Vec<u32> = (1..=30).rev().collect();
            let expected: Vec<u32> = rows.iter().copied().filter(|row| passes(*row)).collect();
            assert_eq!((rule.passing(rows, &holding), *asked.borrow()), (expected, questions), "{rule:?}");
        }
    }
}
