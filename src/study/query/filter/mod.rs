//! Which rows does a person want to see? Terms joined by `&` and `|`, negated by `!`, grouped by parentheses; `and`, `or` and
//! `not` mean the same.
//!
//! `jaccard > 0.9 and not label and simhash-2 and not simhash-3+5` are the pairs above 0.9 that nobody labelled, that 2-grams
//! find and 3+5-grams miss. [`GRAMMAR`] lists the terms.
//!
//! The name of a configuration means that configuration; where it is called like a word of filters
//! ([`words::is_filter_word`]), `by:NAME` does. Two terms side by side are joined by `&`, which binds more tightly than `|`. The empty filter admits
//! all. Judgments are filtered in the same grammar, as far as they have its fields.

mod complete;
mod error;
pub mod facts;
mod grammar;
mod names;
mod pair_row;
mod parse;
mod rule;
pub mod spelling;
mod term;
pub(crate) mod words;

pub use complete::{Advice, Completion, StudyNames, advise};
pub use error::FilterError;
pub use grammar::GRAMMAR;
pub use names::{List, Names};
pub use term::{Filterable, Number as FilterNumber, TextField, WantedText};
pub use words::is_filter_word;

use std::ops::Range;

use crate::query::pair_table::PairTable;
use facts::PairFacts;
use rule::Rule;
use term::{Number, Term, WantedLabel};

/// A filter; the empty one admits all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// The one source document whose pairs are asked for.
    source: Option<String>,
    rule: Option<Rule>,
}

impl Filter {
    pub fn parse(expression: &str, names: Names<'_>) -> Result<Self, FilterError> {
        Ok(Self { source: None, rule: parse::parse(expression, names)? })
    }

    /// The filter in its shortest form: parsed again it is the same.
    pub fn text(&self, configurations: &[String]) -> String {
        self.rule.as_ref().map(|rule| spelling::written(rule, configurations)).unwrap_or_default()
    }

    /// What to know when no pair passes: which words were looked for in the ids.
    pub fn hint(&self) -> Option<String> {
        let looked_for = self.looked_for_in_ids()?;
        let numbers: Vec<&str> = Number::ALL.iter().map(|(_, name, _)| *name).collect();
        let texts: Vec<String> = TextField::NAMED.iter().map(|(_, name, _)| format!("{name}:")).collect();
        let whole = TextField::NAMED.iter().filter(|(field, ..)| field.is_whole());
        let whole: Vec<&str> = whole.map(|(_, name, _)| *name).collect();
        Some(format!(
            "{looked_for}. Words with a meaning: the configurations; top, candidates>9, label, label=not, same-url; {} ({} \
             are compared whole); and compared with a number {}",
            texts.join(" "),
            whole.join(", "),
            numbers.join(", ")
        ))
    }

    /// Says which words have no meaning of their own, so that they are looked for in the ids; none when there are none.
    pub fn looked_for_in_ids(&self) -> Option<String> {
        let mut bare = Vec::new();
        self.each_term(&mut |term| bare.extend(term.bare_word().map(|word| format!("“{word}”"))));
        match bare.len() {
            0 => None,
            1 => Some(format!("{} is looked for in the ids", bare[0])),
            _ => Some(format!("{} are looked for in the ids", bare.join(", "))),
        }
    }

    /// The pairs of one document of the source, wherever it is in them.
    pub fn of_source(id: &str) -> Self {
        Self { source: Some(id.to_owned()), rule: None }
    }

    /// The pairs that a configuration found, by its number.
    pub fn found_by(configuration: usize) -> Self {
        Self { source: None, rule: Some(Rule::Term(Term::FoundBy(configuration))) }
    }

    /// Both this and another.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let rule = match (self.rule, other.rule) {
            (Some(a), Some(b)) => Some(Rule::All(vec![a, b])),
            (a, b) => a.or(b),
        };
        Self { source: self.source.or(other.source), rule }
    }

    /// Whether all rows pass.
    pub fn is_empty(&self) -> bool {
        self.source.is_none() && self.rule.is_none()
    }

    /// What is looked for in URLs: [`PairFacts::url`] will be asked for these.
    pub fn urls(&self) -> Vec<&str> {
        let mut urls = Vec::new();
        self.each_term(&mut |term| urls.extend(term.url()));
        urls
    }

    pub fn asks_labels(&self) -> bool {
        let mut asks = false;
        self.each_term(&mut |term| asks |= term.asks_label());
        asks
    }

    pub fn asks_disputed(&self) -> bool {
        let mut asks = false;
        self.each_term(&mut |term| asks |= matches!(term, Term::Label(WantedLabel::Disputed | WantedLabel::Any)));
        asks
    }

    fn each_term<'a>(&'a self, show: &mut dyn FnMut(&'a Term)) {
        if let Some(rule) = &self.rule {
            rule.each_term(show);
        }
    }

    /// Whether a row of any list passes.
    pub fn admits(&self, row: &dyn Filterable) -> bool {
        self.rule.as_ref().is_none_or(|rule| rule.holds(row))
    }

    /// Rows that may pass: all, or those of one source document; and beside them those whose target it is.
    pub(crate) fn range<'t>(&self, table: &'t PairTable) -> (Range<usize>, &'t [u32]) {
        self.source.as_ref().map_or((0..table.len(), &[]), |id| (table.rows_of_source(id), table.turned(id)))
    }

    /// Those rows that pass, of some of [`Filter::range`].
    pub(crate) fn admitted_pairs(&self, table: &PairTable, rows: Vec<u32>, facts: &dyn PairFacts) -> Vec<u32> {
        match &self.rule {
            Some(rule) => rule.passing(rows, &|term, rows| pair_row::holding(term, table, rows, facts)),
            None => rows,
        }
    }
}
