//! What is known of a collection before the pass: counts of its words, and some of its texts to learn from.

use std::collections::BTreeMap;

use super::reading::{Unlisted, Visitor, visit};
use super::source::{Join, Source, SourceDocument, by_stretches};
use super::{Content, Extractor, MatchingError};
use dejaview_base::bytes::{ByteReader, ByteWriter};
use dejaview_base::hash;
use dejaview_base::progress::Progress;
use dejaview_corpus::{Document, Input, SkipReason, urls};
use dejaview_methods::statistics::LEARNERS;
use dejaview_methods::{Counts, Prepared, Statistics, Values};
use dejaview_text::{LineCounts, Recurring, Tokens};

/// The first bytes of a collection that is stored.
const MAGIC: &[u8] = b"dejaview collection\n";

/// A collection under way; one a thread.
#[derive(Debug, Default)]
pub struct Collection {
    counts: Counts,
    /// The texts with the smallest digests, if someone learns.
    texts: BTreeMap<u128, String>,
    learn: bool,
}

impl Collection {
    /// An empty collection; `learn` keeps texts for the methods that learn from them.
    pub fn new(learn: bool) -> Self {
        Self { learn, ..Self::default() }
    }

    fn add(&mut self, document: &Prepared<'_>) {
        self.counts.add(document);
        if !self.learn {
            return;
        }
        let rank = hash::digest_bits(document.text().as_bytes());
        let last = self.texts.last_key_value().map(|(last, _)| *last);
        if self.texts.len() < LEARNERS || last.is_some_and(|last| rank < last) {
            self.texts.insert(rank, document.text().to_owned());
            if self.texts.len() > LEARNERS {
                self.texts.pop_last();
            }
        }
    }

    /// Adds what another thread, or another side, collected.
    pub fn merge(&mut self, other: Self) {
        self.counts.merge(other.counts);
        self.add_texts(other.texts);
    }

    fn add_texts(&mut self, texts: impl IntoIterator<Item = (u128, String)>) {
        self.texts.extend(texts);
        while self.texts.len() > LEARNERS {
            self.texts.pop_last();
        }
    }

    /// As bytes, for whoever adds them to others.
    pub fn into_bytes(self) -> Vec<u8> {
        let mut out = ByteWriter::new(MAGIC);
        out.bytes(&self.counts.finish().to_bytes());
        out.size(self.texts.len());
        self.texts.values().for_each(|text| out.text(text));
        out.seal()
    }

    /// Adds what [`Collection::into_bytes`] returned; none, and nothing is added, when the bytes are anything else, or
    /// damaged.
    pub fn add_bytes(&mut self, bytes: &[u8]) -> Option<()> {
        let mut input = ByteReader::unseal(MAGIC, bytes)?;
        let statistics = input.bytes().and_then(Statistics::from_bytes)?;
        let texts = input.list(|input| Some(input.text()?.to_owned()))?;
        self.counts.add_statistics(&statistics);
        self.add_texts(texts.into_iter().map(|text| (hash::digest_bits(text.as_bytes()), text)));
        Some(())
    }

    /// The documents of a source that is in memory.
    pub fn of_source(source: &Source, threads: usize, learn: bool) -> Result<Self, MatchingError> {
        Self::of_side(source, Counted::NOTHING, threads, learn)
    }

    /// The documents of a side that is in memory, but those that have been counted.
    pub fn of_side(side: &Source, counted: Counted<'_>, threads: usize, learn: bool) -> Result<Self, MatchingError> {
        let add = |(part, tokens): &mut (Self, Tokens), document: &SourceDocument| {
            if counted.holds(&document.id, || document.digest) {
                return;
            }
            let text = document.text();
            tokens.read(&text);
            part.add(&Prepared::new(&text, tokens));
        };
        let mut whole = Self::new(learn);
        let documents: Vec<&SourceDocument> = side.documents.iter().collect();
        for (part, _) in by_stretches(&documents, threads, || (Self::new(learn), Tokens::new()), add)? {
            whole.merge(part);
        }
        Ok(whole)
    }

    /// All documents of some files but those that have been counted.
    pub fn of_inputs(
        inputs: &[Input],
        counted: Counted<'_>,
        content: &Content,
        threads: usize,
        progress: &Progress,
        learn: bool,
    ) -> Result<Self, MatchingError> {
        let reader = || Reader { extractor: Extractor::new(content), collection: Self::new(learn), counted };
        let visited = visit(inputs, threads, progress, &Unlisted, reader)?;
        if progress.cancelled() {
            return Err(MatchingError::Cancelled);
        }
        let mut whole = Self::new(learn);
        for reader in visited.visitors {
            whole.merge(reader.collection);
        }
        Ok(whole)
    }

    /// The statistics, with what each of these configurations learns.
    pub fn finish<'v>(self, configurations: impl Iterator<Item = &'v Values>) -> Statistics {
        let texts: Vec<String> = self.texts.into_values().collect();
        let mut statistics = self.counts.finish();
        for values in configurations {
            values.learn(&texts, &mut statistics);
        }
        statistics
    }
}

/// Documents of a source that are counted already, so that they do not count again where they stand on the other side.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'a> {
    /// By what a document is known to be one of them.
    pub join: Join,
    pub documents: &'a [SourceDocument],
}

impl Counted<'_> {
    pub const NOTHING: Self = Self { join: Join::Apart, documents: &[] };

    fn holds(&self, id: &str, digest: impl FnOnce() -> u128) -> bool {
        self.join.same_source(self.documents, id, digest).is_some()
    }
}

struct Reader<'a> {
    extractor: Extractor,
    collection: Collection,
    counted: Counted<'a>,
}

impl Visitor for Reader<'_> {
    fn document(&mut self, _: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        if self.counted.holds(document.id, || hash::digest_bits(document.body)) {
            return Ok(());
        }
        let page = self.extractor.extract(document)?;
        self.collection.add(&page.prepared());
        self.extractor.release(document);
        Ok(())
    }
}

/// The lines that stand on many pages of their host, in all documents of some files.
pub fn recurring_lines(inputs: &[Input], threads: usize, progress: &Progress) -> Result<Recurring, MatchingError> {
    let reader = || LineReader { extractor: Extractor::default(), counts: LineCounts::new() };
    let visited = visit(inputs, threads, progress, &Unlisted, reader)?;
    if progress.cancelled() {
        return Err(MatchingError::Cancelled);
    }
    let mut counts = LineCounts::new();
    for reader in visited.visitors {
        counts.merge(reader.counts);
    }
    Ok(counts.finish(PAGES, SHARE))
}

/// A line recurs when it stands on at least so many pages of its host …
const PAGES: u32 = 5;
/// … and on at least this share of them.
const SHARE: f64 = 0.2;

struct LineReader {
    extractor: Extractor,
    counts: LineCounts,
}

impl Visitor for LineReader {
    fn document(&mut self, _: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        let page = self.extractor.extract(document)?;
        self.counts.add(&urls::host(document.url), page.text);
        self.extractor.release(document);
        Ok(())
    }
}
