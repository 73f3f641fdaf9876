//! Lists of documents in the order of their ids, and the ids of documents whose URL has some words.

use tantivy::collector::sort_key::SortByString;
use tantivy::collector::{Count, DocSetCollector, TopDocs};
use tantivy::query::{AllQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Order, Searcher};

use super::document::StoredDocument;
use super::error::IndexError;
use super::query::url_query;
use super::reader::Index;
use super::side::KeptSide;

/// A part of all documents, in the order of side, then id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentListing {
    /// Number of all documents of the side, or of both.
    pub total: usize,
    /// Place of the first document of this part.
    pub from: usize,
    /// Without their texts.
    pub documents: Vec<StoredDocument>,
}

impl Index {
    /// `count` documents from place `from` on, of one side or of both.
    pub fn list(&self, side: Option<KeptSide>, from: usize, count: usize) -> Result<DocumentListing, IndexError> {
        let searcher = self.reader.searcher();
        let query: Box<dyn Query> = match side {
            Some(side) => Box::new(TermQuery::new(self.fields.side(side), IndexRecordOption::Basic)),
            None => Box::new(AllQuery),
        };
        let query = self.without_second_copies(query, side);
        let total = searcher.search(&*query, &Count).map_err(IndexError::read)?;
        if from >= total || count == 0 {
            return Ok(DocumentListing { total, from, documents: Vec::new() });
        }
        let order = (SortByString::for_field("key"), Order::Asc);
        let top = TopDocs::with_limit(count).and_offset(from).order_by(order);
        let found = searcher.search(&*query, &top).map_err(IndexError::read)?;
        let document = |(_, address): (_, DocAddress)| {
            let mut stored = self.stored(&searcher, address)?;
            stored.text = String::new();
            Ok(stored)
        };
        Ok(DocumentListing {
            total,
            from,
            documents: found.into_iter().map(document).collect::<Result<_, IndexError>>()?,
        })
    }

    /// Ids of the documents of a side whose URL has these words one after the other, in no particular order.
    pub fn ids_with_url(&self, words: &str, side: KeptSide) -> Result<Vec<String>, IndexError> {
        let searcher = self.reader.searcher();
        let Some(query) = url_query(&self.fields, words, side) else { return Ok(Vec::new()) };
        let found = searcher.search(&*query, &DocSetCollector).map_err(IndexError::read)?;
        found.into_iter().map(|address| self.id_at(&searcher, address)).collect()
    }

    /// The id of a document. It is read from its key, which is cheaper than reading the document, unless it is too long.
    fn id_at(&self, searcher: &Searcher, address: DocAddress) -> Result<String, IndexError> {
        let segment = searcher.segment_reader(address.segment_ord);
        let mut key = String::new();
        if let Some(column) = segment.fast_fields().str("key").map_err(IndexError::read)?
            && let Some(ord) = column.term_ords(address.doc_id).next()
            && column.ord_to_str(ord, &mut key).is_ok()
            && let Some(id) = super::layout::id_in_key(&key)
        {
            return Ok(id.to_owned());
        }
        Ok(self.stored(searcher, address)?.id)
    }
}
