//! Results about documents: one with its text, those that a search finds, their sketches, and why two match.

use serde::Serialize;

use crate::fitting::prose;
use crate::result::{Record, Report};
use dejaview_base::escaping::escape_id;
use dejaview_index::{Occurrences, SearchResult, StoredDocument};
use dejaview_study::Verdict;

#[derive(Debug, Serialize)]
pub struct DocumentReport<'a> {
    side: &'static str,
    segment: &'a str,
    id: &'a str,
    url: &'a str,
    date: &'a str,
    charset: &'a str,
    media: &'a str,
    file: &'a str,
    offset: u64,
    bytes: u64,
    digest: &'a str,
    record: usize,
    records: usize,
    words: usize,
    text: &'a str,
    tokens: Option<&'a [String]>,
}

/// Which of the records that have the same id a document was read from.
#[derive(Debug, Clone, Copy)]
pub struct RecordPlace {
    /// Counted from 1, the record that counts in a run.
    pub number: usize,
    pub records: usize,
}

impl<'a> DocumentReport<'a> {
    /// With `tokens_shown` the tokens are printed in place of the text; they are counted in any case.
    pub fn new(document: &'a StoredDocument, place: RecordPlace, tokens: &'a [String], tokens_shown: bool) -> Self {
        Self {
            side: document.side.name(),
            segment: &document.segment,
            id: &document.id,
            url: &document.url,
            date: &document.date,
            charset: &document.charset,
            media: &document.media,
            file: &document.file,
            offset: document.offset,
            bytes: document.bytes,
            digest: &document.digest,
            record: place.number,
            records: place.records,
            words: tokens.len(),
            text: &document.text,
            tokens: tokens_shown.then_some(tokens),
        }
    }
}

impl Report for DocumentReport<'_> {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        self.tokens.map_or_else(|| vec![self.text.to_owned()], <[String]>::to_vec)
    }
}

/// A document that a search found.
#[derive(Debug, Serialize)]
pub struct SearchResultReport<'a> {
    side: &'static str,
    segment: &'a str,
    id: &'a str,
    url: &'a str,
    score: f64,
    excerpt: &'a str,
    /// Whether the text goes on after the excerpt.
    #[serde(skip)]
    more: bool,
}

impl<'a> SearchResultReport<'a> {
    pub fn new(result: &'a SearchResult) -> Self {
        Self {
            side: result.side.name(),
            segment: &result.segment,
            id: &result.id,
            url: &result.url,
            score: result.score,
            excerpt: &result.excerpt.text,
            more: result.excerpt.more,
        }
    }
}

impl Report for SearchResultReport<'_> {
    fn text(&self, columns: Option<usize>) -> Vec<String> {
        let place = [self.side, self.segment].join(" ");
        let mut text = vec![format!("{:>7.3}  {}  {}  {}", self.score, place.trim_end(), self.id, self.url)];
        let excerpt = self.excerpt.split_whitespace().collect::<Vec<_>>().join(" ");
        text.extend(prose(&format!("         {excerpt}{}", if self.more { " …" } else { "" }), columns));
        text
    }
}

/// How common a word is on one side.
#[derive(Debug, Serialize)]
pub struct TermRow<'a> {
    word: &'a str,
    side: &'static str,
    documents: u64,
    occurrences: u64,
}

impl<'a> TermRow<'a> {
    pub fn new(word: &'a str, side: &'static str, counts: Occurrences) -> Self {
        Self { word, side, documents: counts.documents, occurrences: counts.occurrences }
    }
}

impl Record for TermRow<'_> {
    const HEAD: &'static [&'static str] = &["word", "side", "documents", "occurrences"];

    fn cells(&self) -> Vec<String> {
        let numbers = [self.documents, self.occurrences].map(|number| number.to_string());
        [self.word, self.side].map(str::to_owned).into_iter().chain(numbers).collect()
    }
}

/// What a document was reduced to.
#[derive(Debug, Serialize)]
pub struct SketchRow<'a> {
    pub side: &'static str,
    pub id: &'a str,
    pub sketch: &'a str,
}

impl Record for SketchRow<'_> {
    const HEAD: &'static [&'static str] = &["side", "id", "sketch"];

    fn cells(&self) -> Vec<String> {
        [self.side, &escape_id(self.id), self.sketch].map(str::to_owned).into()
    }
}

/// Every similarity of a pair, and why each configuration finds it or not.
impl Report for Verdict {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        let mut text = vec![format!("source  {}", self.source), format!("target  {}", self.target), String::new()];
        let scores = serde_json::to_value(self.scores).unwrap_or_default();
        for (name, score) in scores.as_object().into_iter().flatten() {
            let score = score.as_f64().map_or("too long to say".to_owned(), |score| format!("{score:.6}"));
            text.push(format!("  {name:<20}{score}"));
        }
        for configuration in &self.configurations {
            text.push(String::new());
            let mut lines = configuration.tree.lines().into_iter();
            text.push(format!("{}: {}", configuration.name, lines.next().unwrap_or_default()));
            text.extend(lines);
        }
        text
    }
}
