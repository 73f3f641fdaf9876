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
const MOST_BYTES: u64 = 16 << 20;
/// Files that these bytes are spread over at most.
const MOST_FILES: usize = 16;

/// What was seen of the files of a side.
#[derive(Debug, Default)]
pub(super) struct SideProbe {
    /// Documents of the side, extrapolated from those that were seen.
    pub(super) documents: u64,
    /// Seconds that one thread takes to read all files.
    pub(super) reading: f64,
    /// Some of the documents as lines of JSON, by a hash of their ids: a random choice that is always the same.
    chosen: BTreeMap<u64, String>,
}

impl SideProbe {
    /// Reads some of the files; `wanted` says which ids take part, and `most` is the number of documents to choose. Each side
    /// chooses by hashes of its own, so that the two documents of a pair are not chosen together more often than others.
    pub(super) fn read(
        side: KeptSide,
        inputs: &[Input],
        wanted: &dyn Fn(&str) -> bool,
        most: usize,
    ) -> Result<Self, StudyError> {
        let mut probe = Self::default();
        let mut ids: HashSet<u64> = HashSet::new();
        let (mut read, start) = (0, Instant::now());
        let mut scratch = Scratch::default();
        for (input, enough) in spread(inputs) {
            // The run reports it: a pipe, for one, which would be waited for.
            if input.obstacle().is_some() {
                read += input.size;
                continue;
            }
            let mut batches = match Batches::open(input) {
                Ok(batches) => batches,
                Err(error @ (CorpusError::Open { .. } | CorpusError::Read { .. })) => return Err(error.into()),
                // A file of unknown format: the run reports it.
                Err(_) => {
                    read += input.size;
                    continue;
                }
            };
            let mut here = 0;
            while here < enough
                && let Some(batch) = batches.next()?
            {
                here += batch.disk_bytes();
                batch.read(&mut scratch, &mut |item| {
                    if let CorpusItem::Document(document) = item
                        && wanted(document.id)
                        && ids.insert(hash::token(document.id.as_bytes()))
                    {
                        probe.choose(&document, side, most);
                    }
                });
            }
            read += here;
        }
        let all: u64 = inputs.iter().map(|input| input.size).sum();
        let times = if read == 0 { 0.0 } else { (all as f64 / read as f64).max(1.0) };
        probe.documents = (ids.len() as f64 * times).round() as u64;
        probe.reading = start.elapsed().as_secs_f64() * times;
        Ok(probe)
    }

    /// Bytes of the chosen documents.
    pub(super) fn bytes(&self) -> u64 {
        self.chosen.values().map(|line| line.len() as u64).sum()
    }

    /// At most so many of the chosen documents.
    pub(super) fn json_lines(&self, most: usize) -> String {
        self.chosen.values().take(most).map(String::as_str).collect()
    }

    /// Chooses a document if its hash is one of the lowest so far.
    fn choose(&mut self, document: &Document<'_>, side: KeptSide, most: usize) {
        let rank = hash::token(format!("{} {}", side.name(), document.id).as_bytes());
        if self.chosen.len() >= most && self.chosen.last_key_value().is_some_and(|(last, _)| rank > *last) {
            return;
        }
        let html = document.media == Media::Html;
        let text = decode(document.body, document.charset, html).text;
        let key = if html { "html" } else { "text" };
        let line = json!({ "id": document.id, "url": document.url, "date": document.date, key: text });
        self.chosen.insert(rank, format!("{line}\n"));
        if self.chosen.len() > most {
            self.chosen.pop_last();
        }
    }
}

/// Files spread evenly over all of them, each with the bytes of it to read; all files whole where they are small.
fn spread(inputs: &[Input]) -> Vec<(&Input, u64)> {
    let all: u64 = inputs.iter().map(|input| input.size).sum();
    if all <= MOST_BYTES {
        return inputs.iter().map(|input| (input, u64::MAX)).collect();
    }
    let places = inputs.len().min(MOST_FILES);
    let chosen = (0..places).map(|place| &inputs[place * inputs.len() / places]);
    chosen.map(|input| (input, MOST_BYTES / places as u64)).collect()
}
