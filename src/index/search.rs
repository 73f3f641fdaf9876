//! The search for documents by words, ids and URLs, best first.

use tantivy::collector::sort_key::{NaturalComparator, SortByString};
use tantivy::collector::{Count, SegmentSortKeyComputer, SortKeyComputer, TopDocs};
use tantivy::query::{BooleanQuery, Occur, Query, TermSetQuery};
use tantivy::{DocId, Order, Score, SegmentReader};

use super::error::IndexError;
use super::excerpt::Excerpt;
use super::layout::Fields;
use super::query::ParsedQuery;
use super::reader::Index;
use super::side::KeptSide;

/// A document that matches a query.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchResult {
    pub side: KeptSide,
    /// Empty for the source.
    pub segment: String,
    pub id: String,
    pub url: String,
    /// BM25 over all kept documents, to two decimals; over 1000 when the whole id was asked for.
    pub score: f64,
    pub excerpt: Excerpt,
}

impl Index {
    /// The best `limit` documents for a query in the language of [`super`], on one side or on both; by score, then
    /// side, then id (ids with the same first 250 bytes are in some fixed order).
    pub fn search(&self, query: &str, side: Option<KeptSide>, limit: usize) -> Result<Vec<SearchResult>, IndexError> {
        let parsed = ParsedQuery::parse(query);
        let index = self.words()?;
        let searcher = index.searcher();
        let limit = limit.min(usize::try_from(searcher.num_docs()).unwrap_or(usize::MAX));
        let Some(query) = parsed.query(&index.fields, side).filter(|_| limit > 0) else { return Ok(Vec::new()) };
        let query = self.without_second_copies(query, &index.fields, side);
        let order = (RoundedScore, (SortByString::for_field("key"), Order::Asc));
        let best = searcher.search(&*query, &TopDocs::with_limit(limit).order_by(order)).map_err(IndexError::read)?;
        let words = parsed.text_words();
        let mut results = Vec::with_capacity(best.len());
        for ((score, _), address) in best {
            let Some(stored) = self.texts.keyed(&index.key(&searcher, address)?)? else { continue };
            let excerpt = Excerpt::best(&stored.text, &words);
            let (side, segment, id, url) = (stored.side, stored.segment, stored.id, stored.url);
            results.push(SearchResult { side, segment, id, url, score: f64::from(score) / 100.0, excerpt });
        }
        Ok(results)
    }

    /// How many documents a query has, on one side or on both.
    pub fn count(&self, query: &str, side: Option<KeptSide>) -> Result<u64, IndexError> {
        let index = self.words()?;
        let Some(query) = ParsedQuery::parse(query).query(&index.fields, side) else { return Ok(0) };
        let query = self.without_second_copies(query, &index.fields, side);
        Ok(index.searcher().search(&*query, &Count).map_err(IndexError::read)? as u64)
    }

    /// Excludes second copies from a query where both sides are asked for.
    fn without_second_copies(&self, query: Box<dyn Query>, fields: &Fields, side: Option<KeptSide>) -> Box<dyn Query> {
        if side.is_some() || self.second_copies.is_empty() {
            return query;
        }
        let copies = self.second_copies.iter().map(|id| fields.document(KeptSide::Target, id));
        let copies: Box<dyn Query> = Box::new(TermSetQuery::new(copies));
        Box::new(BooleanQuery::new(vec![(Occur::Must, query), (Occur::MustNot, copies)]))
    }
}

/// The score in hundredths. tantivy adds the contributions of words in an order that differs between its segments, so that
/// the last bits of equal scores differ; rounded scores are equal, and documents of equal scores are ordered by id.
struct RoundedScore;

impl SortKeyComputer for RoundedScore {
    type SortKey = u32;
    type Child = Self;
    type Comparator = NaturalComparator;

    fn requires_scoring(&self) -> bool {
        true
    }

    fn segment_sort_key_computer(&self, _: &SegmentReader) -> tantivy::Result<Self> {
        Ok(Self)
    }
}

impl SegmentSortKeyComputer for RoundedScore {
    type SortKey = u32;
    type SegmentSortKey = u32;
    type SegmentComparator = NaturalComparator;

    fn segment_sort_key(&mut self, _: DocId, score: Score) -> u32 {
        (score * 100.0).round() as u32
    }

    fn convert_segment_sort_key(&self, score: u32) -> u32 {
        score
    }
}
