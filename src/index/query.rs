//! The parser of the query language of [`super`], and the translation into tantivy's queries. No input is an error.

use std::collections::HashSet;

use tantivy::Term;
use tantivy::query::{BooleanQuery, ConstScoreQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

use super::layout::Fields;
use super::side::KeptSide;
use super::words::words;
use dejaview_base::hash;

/// Most words and phrases of a query that are used: more would only make it slow.
const LONGEST: usize = 256;
/// Score of a document with exactly the id of the query: above all documents whose id only contains its words.
const EXACT: f32 = 1_000.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clause<'a> {
    Words(&'a str),
    Phrase(&'a str),
    Id(&'a str),
    Url(&'a str),
}

/// The clauses of a query, all of which must hold.
pub(super) struct ParsedQuery<'a>(Vec<Clause<'a>>);

impl<'a> ParsedQuery<'a> {
    pub(super) fn parse(query: &'a str) -> Self {
        let mut clauses = Vec::new();
        let mut rest = query.trim_start();
        while !rest.is_empty() && clauses.len() < LONGEST {
            let (clause, left) = first_clause(rest);
            clauses.push(clause);
            rest = left.trim_start();
        }
        Self(clauses)
    }

    /// The query for tantivy, on one side or on both; `None` when there is no word to look for.
    pub(super) fn query(&self, fields: &Fields, side: Option<KeptSide>) -> Option<Box<dyn Query>> {
        let mut seen = HashSet::new();
        let mut parts: Vec<Box<dyn Query>> = Vec::new();
        for clause in &self.0 {
            match clause {
                Clause::Words(text) => {
                    let new_words = words(text).into_iter().filter(|(_, word)| seen.insert(word.clone()));
                    parts.extend(new_words.map(|(_, word)| term_query(Term::from_field_text(fields.text, &word))));
                }
                Clause::Phrase(text) => parts.extend(phrase(fields.text, text)),
                Clause::Url(text) => parts.extend(phrase(fields.url, text)),
                Clause::Id(text) => parts.push(id_query(fields, text)),
            }
        }
        if parts.is_empty() {
            return None;
        }
        parts.truncate(LONGEST);
        if let Some(side) = side {
            parts.push(Box::new(ConstScoreQuery::new(term_query(fields.side(side)), 0.0)));
        }
        Some(Box::new(BooleanQuery::new(parts.into_iter().map(|part| (Occur::Must, part)).collect())))
    }

    /// Hashes of the words that are looked for in the text, as [`dejaview_text`] hashes them.
    pub(super) fn text_words(&self) -> HashSet<u64> {
        let texts = self.0.iter().filter_map(|clause| match clause {
            Clause::Words(text) | Clause::Phrase(text) => Some(*text),
            Clause::Id(_) | Clause::Url(_) => None,
        });
        texts.flat_map(words).map(|(_, word)| hash::token(word.as_bytes())).collect()
    }
}

/// The first clause of `text`, which does not begin with a blank, and what follows it.
fn first_clause(text: &str) -> (Clause<'_>, &str) {
    if let Some((phrase, left)) = quoted(text) {
        return (Clause::Phrase(phrase), left);
    }
    for (prefix, make) in [("id:", Clause::Id as fn(_) -> _), ("url:", Clause::Url)] {
        if let Some(value) = text.strip_prefix(prefix) {
            let (value, left) = quoted(value).unwrap_or_else(|| split(value, char::is_whitespace));
            if !value.is_empty() {
                return (make(value), left);
            }
        }
    }
    // A quote that is never closed is part of a word, like any other sign.
    let sign = text.chars().next().map_or(0, char::len_utf8);
    let end = text[sign..].find(|c: char| c.is_whitespace() || c == '"').map_or(text.len(), |at| at + sign);
    (Clause::Words(&text[..end]), &text[end..])
}

/// What is between a quote at the beginning of `text` and the next one, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('"')?.split_once('"')
}

fn split(text: &str, at: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(at).unwrap_or(text.len()))
}

fn term_query(term: Term) -> Box<dyn Query> {
    Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
}

/// A query for the words of `text` one after the other; `None` when it has no word.
fn phrase(field: Field, text: &str) -> Option<Box<dyn Query>> {
    let mut terms: Vec<(usize, Term)> =
        words(text).into_iter().map(|(at, word)| (at, Term::from_field_text(field, &word))).collect();
    terms.truncate(LONGEST);
    match terms.len() {
        0 => None,
        1 => terms.pop().map(|(_, only)| term_query(only)),
        _ => Some(Box::new(PhraseQuery::new_with_offset(terms))),
    }
}

/// A query for documents of a side whose URL has these words one after the other; `None` when there is no word.
pub(super) fn url_query(fields: &Fields, text: &str, side: KeptSide) -> Option<Box<dyn Query>> {
    let parts = [phrase(fields.url, text)?, term_query(fields.side(side))];
    Some(Box::new(BooleanQuery::new(parts.into_iter().map(|part| (Occur::Must, part)).collect())))
}

/// A query for the document with this id on either side, and for those whose id contains its words.
fn id_query(fields: &Fields, text: &str) -> Box<dyn Query> {
    let exact = KeptSide::ALL.map(|side| term_query(fields.document(side, text)));
    let exact = exact.into_iter().map(|query| Box::new(ConstScoreQuery::new(query, EXACT)) as Box<dyn Query>);
    Box::new(BooleanQuery::union(exact.chain(phrase(fields.id, text)).collect()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn forms() {
        use Clause::{Id, Phrase, Url, Words};
        let read = |query| ParsedQuery::parse(query).0;
        assert_eq!(read(" a  b "), [Words("a"), Words("b")]);
        assert_eq!(read("a\"b c\"d"), [Words("a"), Phrase("b c"), Words("d")]);
        assert_eq!(read("id:x-1 url:\"a b\" c"), [Id("x-1"), Url("a b"), Words("c")]);
        assert_eq!(read("\"open a"), [Words("\"open"), Words("a")]);
        assert_eq!(read("id: url:\"\" x:y"), [Words("id:"), Words("url:"), Phrase(""), Words("x:y")]);
        assert_eq!(read("\""), [Words("\"")]);
        assert!(read(" \t").is_empty());
    }

    proptest! {
        #[test]
        fn every_query_is_read_to_its_end(query in "[\"a: idurl\u{1F600}é]{0,40}") {
            let (fields, _) = Fields::with_schema();
            let parsed = ParsedQuery::parse(&query);
            parsed.query(&fields, None);
            prop_assert!(parsed.text_words().len() <= query.len());
        }
    }
}
