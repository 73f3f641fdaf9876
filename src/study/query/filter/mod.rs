//! Which pairs does a person want to see? Terms joined by `&` and `|`, turned round by `!`, grouped by parentheses.
//!
//! `jaccard>0.9 & !label & simhash-2 & !simhash-3+5` are the pairs above 0.9 that nobody labelled, that 2-grams find and
//! 3+5-grams miss. A term is
//!
//! | written | holds for pairs |
//! |---|---|
//! | `simhash-2`, `by:simhash-2` | that this configuration found |
//! | `simhash-2<=1` | that it found at such a distance |
//! | `jaccard>0.9` | whose number is so; [`NUMBERS`] lists what can be compared |
//! | `distance<3` | that the chosen configuration saw so far apart |
//! | `top`, `top(simhash-2)` | with the highest Jaccard of their source, of all or of those that it found; of either document where both are of the \
//! source |
//! | `candidates>9`, `candidates(simhash-2)>9` | whose source has so many, of all or of those that it found; one of its documents where both are of the source |
//! | `label`, `label=not` | that have a label, or this one |
//! | `same-url` | whose documents have the same URL |
//! | `id:wiki`, `source:…`, `target:…` | with this in it; with `=` just this, with `==` in the same case |
//! | `segment:00` | of this segment |
//! | `url:example.org/about` | with these words one after the other in one of the URLs |
//! | `topic:51`, `grade>=1`, `track:web` | whose source has such a judgment, or its target where both are documents of the source; joined by `&` they ask for one that is all of it. \
//! A topic and a grade are compared whole, `topic:51` has its subtopics, too |
//! | `wiki`, `"a b"` | with this in one of the ids |
//!
//! The name of a configuration always means that configuration. A word that one has for its name is written `pair:label`,
//! `pair:jaccard>0.9`. `top` was once called `best`, and is still read so where no configuration is.
//!
//! Two terms side by side are joined by `&`, which binds more tightly than `|`. The empty filter admits all.

pub mod beside;
mod error;
mod parse;
pub mod rule;
mod spelling;
mod term;

pub use error::FilterError;
pub use spelling::Spelling;
pub use term::NUMBERS;

use std::ops::Range;

use crate::query::filter::beside::Beside;
use crate::query::filter::rule::Rule;
use crate::query::pair_table::PairTable;
use term::Term;

/// A filter; the empty one admits all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// The one source document whose pairs are asked for.
    source: Option<String>,
    rule: Option<Rule>,
}

impl Filter {
    /// Reads an expression; `configurations` are the names it may use.
    pub fn parse(expression: &str, configurations: &[String]) -> Result<Self, FilterError> {
        Self::parse_of(expression, configurations, None)
    }

    /// The configurations that an expression means by a word of filters, since they are called so, each with how to write the
    /// word itself.
    pub fn taken_words<'a>(expression: &str, configurations: &'a [String]) -> Vec<(&'a str, String)> {
        parse::taken(expression, configurations)
    }

    /// The same where one configuration is chosen: `distance` is what it saw. The only one there is is always chosen.
    pub fn parse_of(expression: &str, configurations: &[String], chosen: Option<usize>) -> Result<Self, FilterError> {
        let chosen = chosen.or((configurations.len() == 1).then_some(0));
        Ok(Self { source: None, rule: parse::rule(expression, configurations, chosen)? })
    }

    /// What to know when no pair passes: a word that nobody knows was looked for in the ids.
    pub fn hint(&self) -> Option<String> {
        let mut bare = Vec::new();
        self.each_term(&mut |term| bare.extend(term.bare().map(|word| format!("“{word}”"))));
        let numbers: Vec<&str> = NUMBERS.iter().map(|(name, _)| *name).collect();
        let texts: Vec<String> = term::Text::ALL.iter().map(|(name, _)| format!("{name}:")).collect();
        (!bare.is_empty()).then(|| {
            format!(
                "{} was looked for in the ids. Words with a meaning of their own: the configurations; top, candidates>9, \
                 label, label=not, same-url; {} ({} are compared whole); with a number behind them {}",
                bare.join(", "),
                texts.join(" "),
                term::Text::WHOLE.join(", "),
                numbers.join(", ")
            )
        })
    }

    /// The pairs of one document of the source, wherever it stands in them.
    pub fn of_source(id: &str) -> Self {
        Self { source: Some(id.to_owned()), rule: None }
    }

    /// The pairs that a configuration found, by its number.
    pub fn found_by(configuration: usize) -> Self {
        Self { source: None, rule: Some(Rule::Term(Term::Configuration(configuration))) }
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

    /// Whether all pairs pass.
    pub fn is_empty(&self) -> bool {
        self.source.is_none() && self.rule.is_none()
    }

    /// What is looked for in URLs: [`Beside::url`] will be asked for these.
    pub fn urls(&self) -> Vec<&str> {
        let mut urls = Vec::new();
        self.each_term(&mut |term| urls.extend(term.url()));
        urls
    }

    /// Whether a term is about labels.
    pub fn asks_labels(&self) -> bool {
        let mut asks = false;
        self.each_term(&mut |term| asks |= term.asks_label());
        asks
    }

    fn each_term<'a>(&'a self, show: &mut dyn FnMut(&'a Term)) {
        if let Some(rule) = &self.rule {
            rule.each_term(show);
        }
    }

    /// Rows that may pass: all, or those of one source document; and beside them those whose target it is.
    pub(crate) fn range<'t>(&self, table: &'t PairTable) -> (Range<usize>, &'t [u32]) {
        self.source.as_ref().map_or((0..table.len(), &[]), |id| (table.rows_of_source(id), table.turned(id)))
    }

    /// Whether a row of [`Filter::range`] passes.
    pub(crate) fn admits(&self, table: &PairTable, row: usize, beside: &dyn Beside) -> bool {
        self.rule.as_ref().is_none_or(|rule| rule.holds(table, row, beside))
    }
}
