//! All documents by name, a stretch at a time, and the names of those whose URL has some words.

use tantivy::collector::sort_key::SortByString;
use tantivy::collector::{Count, DocSetCollector, TopDocs};
use tantivy::query::{AllQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Order, Searcher};

use super::document::Stored;
use super::error::IndexError;
use super::query::url_query;
use super::reader::Index;
use super::side::KeptSide;

/// A stretch of the documents, by side, then id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// All documents of the side, or of both.
    pub total: usize,
    /// Place of the first one listed.
    pub from: usize,
    /// Without their texts.
    pub documents: Vec<Stored>,
}

impl Index {
    /// `count` documents from place `from` on, of one side or of both.
    pub fn list(&self, side: Option<KeptSide>, from: usize, count: usize) -> Result<Listing, IndexError> {
        let searcher = self.reader.searcher();
        let query: Box<dyn Query> = match side {
            Some(side) => Box::new(TermQuery::new(self.fields.side(side), IndexRecordOption::Basic)),
            None => Box::new(AllQuery),
        };
        let query = self.each_once(query, side);
        let total = searcher.search(&*query, &Count).map_err(IndexError::read)?;
        if from >= total || count == 0 {
            return Ok(Listing { total, from, documents: Vec::new() });
        }
        let order = (SortByString::for_field("key"), Order::Asc);
        let top = TopDocs::with_limit(count).and_offset(from).order_by(order);
        let found = searcher.search(&*query, &top).map_err(IndexError::read)?;
        let document = |(_, address): (_, DocAddress)| {
            let mut stored = self.stored(&searcher, address)?;
            stored.text = String::new();
            Ok(stored)
        };
        Ok(Listing { total, from, documents: found.into_iter().map(document).collect::<Result<_, IndexError>>()? })
    }

    /// Ids of the documents of a side with these words one after the other in their URL, in no order.
    pub fn ids_with_url(&self, words: &str, side: KeptSide) -> Result<Vec<String>, IndexError> {
        let searcher = self.reader.searcher();
        let Some(query) = url_query(&self.fields, words, side) else { return Ok(Vec::new()) };
        let found = searcher.search(&*query, &DocSetCollector).map_err(IndexError::read)?;
        found.into_iter().map(|address| self.id_at(&searcher, address)).collect()
    }

    /// The id of a document: from the column of keys, which is cheaper than its text, where the whole id stands there.
    fn id_at(&self, searcher: &Searcher, address: DocAddress) -> Result<String, IndexError> {
        let segment = searcher.segment_reader(address.segment_ord);
        let mut key = String::new();
        if let Some(column) = segment.fast_fields().str("key").map_err(IndexError::read)?
            && let Some(ord) = column.term_ords(address.doc_id).next()
            && column.ord_to_str(ord, &mut key).is_ok()
            && let Some(id) = super::layout::id_of(&key)
        {
            return Ok(id.to_owned());
        }
        Ok(self.stored(searcher, address)?.id)
    }
}
