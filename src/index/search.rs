//! Finding documents by what is written in them, best first.

use tantivy::collector::sort_key::{NaturalComparator, SortByString};
use tantivy::collector::{SegmentSortKeyComputer, SortKeyComputer, TopDocs};
use tantivy::{DocId, Order, Score, SegmentReader};

use super::error::IndexError;
use super::excerpt::Excerpt;
use super::query::Demand;
use super::reader::Index;
use super::side::KeptSide;

/// A document that answers a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its side.
    pub side: KeptSide,
    /// Its segment, empty for the source.
    pub segment: String,
    /// Its id.
    pub id: String,
    /// Its URL.
    pub url: String,
    /// BM25 over all kept documents, to two decimals; over 1000 when the whole id was asked for.
    pub score: f64,
    /// Where the words stand.
    pub excerpt: Excerpt,
}

impl Index {
    /// The best `limit` documents for a query in the language of [`super`], on one side or on both; by score, then
    /// side, then id. (Ids that agree in their first 250 bytes are in some fixed order.)
    pub fn search(&self, query: &str, side: Option<KeptSide>, limit: usize) -> Result<Vec<Hit>, IndexError> {
        let demand = Demand::read(query);
        let searcher = self.reader.searcher();
        let limit = limit.min(usize::try_from(searcher.num_docs()).unwrap_or(usize::MAX));
        let Some(query) = demand.query(&self.fields, side).filter(|_| limit > 0) else { return Ok(Vec::new()) };
        let query = self.each_once(query, side);
        let order = (Rounded, (SortByString::for_field("key"), Order::Asc));
        let best = searcher.search(&*query, &TopDocs::with_limit(limit).order_by(order)).map_err(IndexError::read)?;
        let words = demand.text_words();
        best.into_iter()
            .map(|((score, _), address)| {
                let stored = self.stored(&searcher, address)?;
                let excerpt = Excerpt::of(&stored.text, &words);
                let (side, segment, id, url) = (stored.side, stored.segment, stored.id, stored.url);
                Ok(Hit { side, segment, id, url, score: f64::from(score) / 100.0, excerpt })
            })
            .collect()
    }
}

/// The score in hundredths. tantivy adds the words' shares in an order that differs from one of its segments to the
/// next, so the last bits of equal scores differ too: rounded, twins have equal scores and are put in order by name.
struct Rounded;

impl SortKeyComputer for Rounded {
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

impl SegmentSortKeyComputer for Rounded {
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
