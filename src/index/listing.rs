//! Lists of documents in the order of their ids, and the ids of documents whose URL has some words.

use tantivy::collector::DocSetCollector;

use super::document::StoredDocument;
use super::error::IndexError;
use super::key::{KeyedId, read_key};
use super::order::Order;
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
    /// `count` documents from place `from` on, of one side or of both. The first call reads the ids of all documents.
    pub fn list(&self, side: Option<KeptSide>, from: usize, count: usize) -> Result<DocumentListing, IndexError> {
        let order = self.order()?;
        let places = order.places(side);
        let total = places.clone().count();
        let mut documents = Vec::new();
        for place in places.skip(from).take(count) {
            documents.extend(self.texts.at(place)?);
        }
        Ok(DocumentListing { total, from, documents })
    }

    fn order(&self) -> Result<&Order, IndexError> {
        if let Some(order) = self.order.get() {
            return Ok(order);
        }
        let order = Order::read(&self.texts, &self.second_copies)?;
        Ok(self.order.get_or_init(|| order))
    }

    /// Ids of the documents of a side whose URL has these words one after the other, in no particular order.
    pub fn ids_with_url(&self, words: &str, side: KeptSide) -> Result<Vec<String>, IndexError> {
        let index = self.words()?;
        let searcher = index.searcher();
        let Some(query) = url_query(&index.fields, words, side) else { return Ok(Vec::new()) };
        let found = searcher.search(&*query, &DocSetCollector).map_err(IndexError::read)?;
        let mut ids = Vec::with_capacity(found.len());
        for address in found {
            let key = index.key(&searcher, address)?;
            match read_key(&key) {
                Some((_, KeyedId::Whole(id))) => ids.push(id.to_owned()),
                _ => ids.extend(self.texts.keyed(&key)?.map(|document| document.id)),
            }
        }
        Ok(ids)
    }
}
