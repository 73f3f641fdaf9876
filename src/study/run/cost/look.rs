//! Reads a part of the files of a side: how many documents they have, how long reading takes, and some documents.

use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

use serde_json::json;

use crate::StudyError;
use dejaview_base::hash;
use dejaview_corpus::{Batches, CorpusError, CorpusItem, Document, Input, Media, Scratch};
use dejaview_index::KeptSide;
use dejaview_text::decode;

/// Bytes on disk of a side that are read at most.
const ENOUGH: u64 = 16 << 20;
/// Files that these are spread over at most.
const PLACES: usize = 16;

/// What was seen of a side.
#[derive(Debug, Default)]
pub(super) struct Look {
    /// Documents of the side, carried on from those that were seen.
    pub(super) documents: u64,
    /// Seconds that one thread takes to read all files.
    pub(super) reading: f64,
    /// Some of the documents, as lines of JSON by a hash of their ids: a random part that is always the same.
    some: BTreeMap<u64, String>,
}

impl Look {
    /// Looks at files; `wanted` are the ids of documents that take part, and `most` the documents to bring along.
    /// Each `side` chooses by hashes of its own: a pair must not be more likely to be among them than any other.
    pub(super) fn at(
        side: KeptSide,
        inputs: &[Input],
        wanted: &dyn Fn(&str) -> bool,
        most: usize,
    ) -> Result<Self, StudyError> {
        let mut look = Self::default();
        let mut ids: HashSet<u64> = HashSet::new();
        let (mut read, start) = (0, Instant::now());
        let mut scratch = Scratch::default();
        for (input, enough) in spread(inputs) {
            let mut batches = match Batches::open(input) {
                Ok(batches) => batches,
                Err(error @ (CorpusError::Open { .. } | CorpusError::Read { .. })) => return Err(error.into()),
                // Of a kind that is not known: the run says so.
                Err(_) => {
                    read += input.size;
                    continue;
                }
            };
            let mut here = 0;
            while here < enough
                && let Some(batch) = batches.next()
            {
                here += batch.disk_bytes();
                batch.read(&mut scratch, &mut |item| {
                    if let CorpusItem::Document(document) = item
                        && wanted(document.id)
                        && ids.insert(hash::token(document.id.as_bytes()))
                    {
                        look.bring(&document, side, most);
                    }
                });
            }
            read += here;
        }
        let all: u64 = inputs.iter().map(|input| input.size).sum();
        let times = if read == 0 { 0.0 } else { (all as f64 / read as f64).max(1.0) };
        look.documents = (ids.len() as f64 * times).round() as u64;
        look.reading = start.elapsed().as_secs_f64() * times;
        Ok(look)
    }

    /// So many of the documents that were brought along.
    pub(super) fn lines(&self, most: usize) -> String {
        self.some.values().take(most).map(String::as_str).collect()
    }

    /// Brings a document along if it is one of those with the lowest hashes.
    fn bring(&mut self, document: &Document<'_>, side: KeptSide, most: usize) {
        let rank = hash::token(format!("{} {}", side.name(), document.id).as_bytes());
        if self.some.len() >= most && self.some.last_key_value().is_some_and(|(last, _)| rank > *last) {
            return;
        }
        let html = document.media == Media::Html;
        let text = decode(document.body, document.charset, html).text;
        let key = if html { "html" } else { "text" };
        let line = json!({ "id": document.id, "url": document.url, "date": document.date, key: text });
        self.some.insert(rank, format!("{line}\n"));
        if self.some.len() > most {
            self.some.pop_last();
        }
    }
}

/// Files spread over all of them, each with the bytes of it that are enough: all files whole where they are small.
fn spread(inputs: &[Input]) -> Vec<(&Input, u64)> {
    let all: u64 = inputs.iter().map(|input| input.size).sum();
    if all <= ENOUGH {
        return inputs.iter().map(|input| (input, u64::MAX)).collect();
    }
    let places = inputs.len().min(PLACES);
    let chosen = (0..places).map(|place| &inputs[place * inputs.len() / places]);
    chosen.map(|input| (input, ENOUGH / places as u64)).collect()
}
