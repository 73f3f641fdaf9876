//! Which pairs a person wants to see: terms joined by `&`, each a comparison, a configuration, or part of an id.
//!
//! `jaccard>0.9 & simhash-2 & !simhash-3+5` are the pairs above 0.9 that 2-grams find and 3+5-grams miss. A term that is
//! neither a comparison nor the name of a configuration is looked for in both ids. `best(simhash-2)` are the pairs with the
//! highest Jaccard of their source document, of those that simhash-2 found; `candidates(simhash-2)>=10` those whose source
//! document has so many. Without parentheses both are over all configurations.

use super::pair_table::PairTable;

/// A filter; the empty one admits all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    terms: Vec<Term>,
}

#[derive(Debug, Clone, PartialEq)]
struct Term {
    not: bool,
    test: Test,
}

#[derive(Debug, Clone, PartialEq)]
enum Test {
    Number { field: Field, how: How, value: f64 },
    Configuration(usize),
    Best(Option<usize>),
    SameUrl,
    Segment(String),
    Source(String),
    Part(String),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Field {
    Jaccard,
    Distance,
    Length,
    Agreement,
    S3,
    Cosine,
    Candidates(Option<usize>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum How {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

/// Why a filter cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("“{term}” is not understood: {expected}")]
pub struct FilterError {
    term: String,
    expected: &'static str,
}

const FIELDS: [(&str, Field); 6] = [
    ("jaccard", Field::Jaccard),
    ("distance", Field::Distance),
    ("length", Field::Length),
    ("agreement", Field::Agreement),
    ("s3", Field::S3),
    ("cosine", Field::Cosine),
];

impl Filter {
    /// Reads an expression; `configurations` are the names it may use.
    pub fn parse(expression: &str, configurations: &[String]) -> Result<Self, FilterError> {
        let terms = expression.split('&').map(str::trim).filter(|term| !term.is_empty());
        Ok(Self { terms: terms.map(|term| Term::parse(term, configurations)).collect::<Result<_, _>>()? })
    }

    /// The pairs of one source document.
    pub fn of_source(id: &str) -> Self {
        Self { terms: vec![Term { not: false, test: Test::Source(id.to_owned()) }] }
    }

    /// Both this and another.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.terms.extend(other.terms);
        self
    }

    /// Whether all pairs pass.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether a row passes.
    pub fn admits(&self, table: &PairTable, row: usize) -> bool {
        self.terms.iter().all(|term| term.test.holds(table, row) != term.not)
    }
}

impl Term {
    fn parse(term: &str, configurations: &[String]) -> Result<Self, FilterError> {
        let (not, word) = match term.strip_prefix('!') {
            Some(rest) => (true, rest.trim()),
            None => (false, term),
        };
        let test = if let Some(c) = configurations.iter().position(|name| name == word) {
            Test::Configuration(c)
        } else if word == "same-url" {
            Test::SameUrl
        } else if let Some(of) = named(word, "best", configurations) {
            Test::Best(of)
        } else if let Some(at) = word.find(['<', '>', '=']) {
            comparison(word, at, configurations)?
        } else {
            Test::Part(word.to_lowercase())
        };
        Ok(Self { not, test })
    }
}

/// The configuration in `what(configuration)`; none in `what` alone. Nothing when the word is neither.
fn named(word: &str, what: &str, configurations: &[String]) -> Option<Option<usize>> {
    let rest = word.trim().strip_prefix(what)?;
    if rest.is_empty() {
        return Some(None);
    }
    let name = rest.strip_prefix('(')?.strip_suffix(')')?;
    configurations.iter().position(|c| c == name.trim()).map(Some)
}

fn comparison(word: &str, at: usize, configurations: &[String]) -> Result<Test, FilterError> {
    let wrong = |expected| FilterError { term: word.to_owned(), expected };
    let (name, rest) = word.split_at(at);
    match (name.trim(), rest.strip_prefix('=')) {
        ("segment", Some(segment)) => return Ok(Test::Segment(segment.trim().to_owned())),
        ("source", Some(id)) => return Ok(Test::Source(id.trim().to_owned())),
        _ => {}
    }
    let known = FIELDS.iter().find(|(field, _)| *field == name.trim().to_lowercase()).map(|(_, field)| *field);
    let candidates = || named(name, "candidates", configurations).map(Field::Candidates);
    let field = known
        .or_else(candidates)
        .ok_or(wrong("compare jaccard, distance, length, agreement, s3, cosine, candidates, segment or source"))?;
    let signs = [(">=", How::AtLeast), ("<=", How::AtMost), (">", How::More), ("<", How::Less), ("=", How::Equal)];
    let found = signs.iter().find_map(|(sign, how)| rest.strip_prefix(sign).map(|number| (how, number)));
    let (how, number) = found.ok_or(wrong("use < <= = >= or >"))?;
    let value = number.trim().parse::<f64>().map_err(|_| wrong("a number must follow the sign"))?;
    Ok(Test::Number { field, how: *how, value })
}

impl Test {
    fn holds(&self, table: &PairTable, row: usize) -> bool {
        match self {
            Self::Number { field, how, value } => how.holds(field.of(table, row), *value),
            Self::Configuration(c) => table.found_by(row, *c),
            Self::Best(of) => table.is_best(row, *of),
            Self::SameUrl => table.pair(row).same_url,
            Self::Segment(name) => table.segment(row) == name,
            Self::Source(id) => table.pair(row).source == id,
            Self::Part(part) => {
                let pair = table.pair(row);
                pair.source.to_lowercase().contains(part) || pair.target.to_lowercase().contains(part)
            }
        }
    }
}

impl Field {
    fn of(self, table: &PairTable, row: usize) -> f64 {
        match self {
            Self::Jaccard => table.jaccard(row),
            Self::Distance => f64::from(table.distance(row)),
            Self::Length => table.pair(row).scores().length_ratio,
            Self::Agreement => f64::from(table.agreement(row)),
            Self::S3 => table.pair(row).scores().s3,
            Self::Cosine => table.pair(row).scores().cosine,
            Self::Candidates(of) => f64::from(table.candidates(row, of)),
        }
    }
}

impl How {
    fn holds(self, found: f64, value: f64) -> bool {
        match self {
            Self::Less => found < value,
            Self::AtMost => found <= value,
            Self::Equal => (found - value).abs() < 5e-4,
            Self::AtLeast => found >= value,
            Self::More => found > value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read() {
        let names = ["simhash-2".to_owned(), "simhash-3+5".to_owned()];
        let filter = Filter::parse("jaccard>=0.9 & !simhash-3+5 & wiki", &names).unwrap();
        assert_eq!(filter.terms.len(), 3);
        assert_eq!(filter.terms[1], Term { not: true, test: Test::Configuration(1) });
        assert_eq!(filter.terms[2], Term { not: false, test: Test::Part("wiki".into()) });
        assert!(Filter::parse(" & ", &names).unwrap().is_empty());
        let test = |text: &str| Filter::parse(text, &names).unwrap().terms.remove(0).test;
        assert_eq!(test("best"), Test::Best(None));
        assert_eq!(test("best(simhash-3+5)"), Test::Best(Some(1)));
        assert_eq!(test("segment = 00"), Test::Segment("00".into()));
        assert_eq!(test("source=http://a?b=1"), Test::Source("http://a?b=1".into()));
        let candidates = Test::Number { field: Field::Candidates(Some(0)), how: How::Less, value: 6.0 };
        assert_eq!(test("candidates(simhash-2)<6"), candidates);
    }

    #[test]
    fn wrong_expressions_say_what_was_expected() {
        let wrong = |text: &str| Filter::parse(text, &[]).unwrap_err().to_string();
        assert!(wrong("size>3").contains("compare jaccard"));
        assert!(wrong("jaccard>high").contains("a number must follow"));
    }
}
