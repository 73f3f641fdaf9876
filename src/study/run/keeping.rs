//! Which texts are kept: those of target documents with a pair at once, those of the source when they turn out to have one.
//! They wait until their segment is finished; then its file is written with all of them. A text of the source is in the file
//! of every segment that has a pair of it, so that no file depends on another.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::StudyError;
use dejaview_base::hash;
use dejaview_base::progress::Progress;
use dejaview_corpus::{Document, Input, Media};
use dejaview_index::{IndexError, KeptDocument, KeptSide, TextQueue, TextsFile, TextsWriter};
use dejaview_matching::pass::{self, id_hash};
use dejaview_matching::source::{SeenDocument, Source, SourceDocument};
use dejaview_matching::{DocumentNumber, ExtractedText, GroupNumber};

/// Keeps the texts of a segment, from many threads, and remembers the first failure. Of several documents with one id the
/// first counts, by file and offset, and one with a pair before one without: the same that the pairs are of.
pub(crate) struct Keeper<'a> {
    queue: TextQueue,
    progress: &'a Progress,
    state: Mutex<KeeperState>,
}

#[derive(Default)]
struct KeeperState {
    kept: HashMap<Box<str>, KeptPlace>,
    failure: Option<StudyError>,
}

/// A document that is kept.
#[derive(Clone, Copy)]
struct KeptPlace {
    rank: Rank,
    /// Its place in the queue.
    place: u64,
}

/// A document that is kept, as one process tells another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptRecord {
    id: String,
    /// Whether it has a pair.
    paired: bool,
    /// Where in its file.
    offset: u64,
}

/// Whether the document has no pair, its file and its offset: the smallest counts.
type Rank = (bool, usize, u64);

impl KeeperState {
    /// Whether a document of this id is kept that counts more, or is the same.
    fn has_better(&self, id: &str, rank: Rank) -> bool {
        self.kept.get(id).is_some_and(|earlier| earlier.rank <= rank)
    }
}

impl<'a> Keeper<'a> {
    /// For the file at this path.
    pub(crate) fn new(path: &Path, progress: &'a Progress) -> Result<Self, StudyError> {
        Ok(Self { queue: TextQueue::new(path)?, progress, state: Mutex::default() })
    }

    /// Keeps a document of the target; a failure cancels the work.
    pub(crate) fn keep(&self, origin: DocumentOrigin<'_>, seen: &SeenDocument<'_>) {
        let SeenDocument { file, document, page, paired } = *seen;
        let rank = (!paired, file, document.offset);
        if self.has_better(document.id, rank) {
            return;
        }
        let digest = hash::digest(document.body);
        self.note(document.id, rank, self.queue.add(&kept_document(origin, document, page, &digest)));
    }

    /// Keeps the documents that another process kept of file number `file`.
    pub(crate) fn keep_stored(&self, file: usize, kept: &[KeptRecord], texts: &TextsFile) -> Result<(), StudyError> {
        let mut records = kept.iter();
        texts.for_each_text(
            |_, _| true,
            |document| {
                // Both go by id.
                let Some(record) = records.find(|record| record.id == document.id) else { return Ok(true) };
                let rank = (!record.paired, file, record.offset);
                if !self.has_better(&document.id, rank) {
                    self.note(&document.id, rank, self.queue.add(&document.as_kept()));
                }
                Ok(true)
            },
        )?;
        Ok(())
    }

    fn has_better(&self, id: &str, rank: Rank) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).has_better(id, rank)
    }

    /// Notes a document that was added to the queue, unless a better one was meanwhile.
    fn note(&self, id: &str, rank: Rank, added: Result<u64, IndexError>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match added {
            Ok(_) if state.has_better(id, rank) => {}
            Ok(place) => drop(state.kept.insert(id.into(), KeptPlace { rank, place })),
            Err(error) => {
                state.failure.get_or_insert(error.into());
                self.progress.cancel();
            }
        }
    }

    /// The documents that are kept so far, by id.
    pub(crate) fn records(&self) -> Vec<KeptRecord> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let record =
            |id: &str, (unpaired, _, offset): Rank| KeptRecord { id: id.to_owned(), paired: !unpaired, offset };
        let mut records: Vec<KeptRecord> = state.kept.iter().map(|(id, kept)| record(id, kept.rank)).collect();
        records.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        records
    }

    /// The first failure, if there was one.
    pub(crate) fn failure(&mut self) -> Result<(), StudyError> {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner).failure.take().map_or(Ok(()), Err)
    }

    /// Writes the file of the segment: its documents, and these of the source, read from these files.
    pub(crate) fn finish(self, sources: &[&SourceDocument], inputs: &[Input]) -> Result<(), StudyError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut documents: Vec<(KeptSide, &str, u64)> =
            state.kept.iter().map(|(id, kept)| (KeptSide::Target, &**id, kept.place)).collect();
        for document in sources {
            let place = with_source_document(document, inputs, |kept| self.queue.add(kept))?;
            documents.push((KeptSide::Source, &document.id, place));
        }
        Ok(self.queue.finish(documents)?)
    }
}

/// Writes the file of the source: the titles of all its documents, and their texts where all are kept.
pub(crate) fn write_source(
    path: &Path,
    documents: &[SourceDocument],
    inputs: &[Input],
    keep_all: bool,
) -> Result<(), StudyError> {
    let mut file = TextsWriter::create(path)?;
    for document in documents {
        with_source_document(document, inputs, |kept| if keep_all { file.add(kept) } else { file.add_title(kept) })?;
    }
    Ok(file.finish()?)
}

/// Source documents that have a pair in a segment, at either end; by id.
pub(crate) fn matched_sources<'s>(source: &'s Source, passed: &pass::Segment) -> Vec<&'s SourceDocument> {
    let mut groups: Vec<GroupNumber> = passed.found.iter().map(|pair| pair.source).collect();
    groups.dedup();
    let grouped = groups.into_iter().flat_map(|group| source.groups.members(group)).copied();
    let mut groups: Vec<GroupNumber> = passed.found.iter().map(|pair| pair.target).collect();
    groups.sort_unstable();
    groups.dedup();
    let targets = groups.into_iter().flat_map(|group| passed.groups.members(group)).copied();
    let targets = targets.chain(passed.named.iter().map(|pair| pair.target));
    let as_targets = targets.filter_map(|target| passed.targets[target.index()].same_source);
    let named = passed.named.iter().map(|pair| pair.source);
    let mut numbers: Vec<DocumentNumber> = grouped.chain(named).chain(as_targets).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_iter().map(|number| &source.documents[number.index()]).collect()
}

/// The documents of the target whose texts are in the files of finished segments. Of documents in several segments with one
/// id the first that is kept counts, so that an id is one document everywhere.
#[derive(Debug, Default)]
pub(crate) struct EarlierIds {
    /// Digests of the ids, in order: 16 bytes a document.
    digests: Vec<u128>,
    /// The hashes by which a search knows ids, in order.
    hashes: Vec<u64>,
}

impl EarlierIds {
    /// Adds a finished segment.
    pub(crate) fn add(&mut self, folder: &Path, segment: &str) -> Result<(), IndexError> {
        TextsFile::open(folder, segment)?.for_each_kept(|side, id| {
            if side == KeptSide::Target {
                self.digests.push(hash::digest_bits(id.as_bytes()));
                self.hashes.push(id_hash(id));
            }
        })?;
        self.digests.sort_unstable();
        self.hashes.sort_unstable();
        Ok(())
    }

    /// Whether a document of a finished segment has this id.
    pub(crate) fn contains(&self, id: &str) -> bool {
        !self.digests.is_empty() && self.digests.binary_search(&hash::digest_bits(id.as_bytes())).is_ok()
    }

    /// Whether a document of a finished segment may have one of the ids with these hashes.
    pub(crate) fn may_contain(&self, hashes: &[u64]) -> bool {
        !self.hashes.is_empty() && hashes.iter().any(|hash| self.hashes.binary_search(hash).is_ok())
    }
}

/// Where in the study a document comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentOrigin<'a> {
    pub(crate) side: KeptSide,
    pub(crate) segment: &'a str,
    pub(crate) input: &'a Input,
}

fn media_name(media: Media) -> &'static str {
    match media {
        Media::Html => "html",
        Media::Text => "text",
        Media::Wikitext => "wikitext",
    }
}

/// A document with its page, as a file of texts takes it.
pub(crate) fn kept_document<'a>(
    origin: DocumentOrigin<'a>,
    document: &Document<'a>,
    page: &ExtractedText<'a>,
    digest: &'a str,
) -> KeptDocument<'a> {
    KeptDocument {
        side: origin.side,
        segment: origin.segment,
        id: document.id,
        url: document.url,
        date: document.date,
        charset: page.charset,
        media: media_name(document.media),
        file: &origin.input.name,
        offset: document.offset,
        bytes: document.body.len() as u64,
        digest,
        text: page.text,
    }
}

/// Does something with a document of the source, as a file of texts takes it.
fn with_source_document<T>(
    document: &SourceDocument,
    inputs: &[Input],
    work: impl FnOnce(&KeptDocument<'_>) -> T,
) -> T {
    let (text, digest) = (document.text(), format!("{:032x}", document.digest));
    work(&KeptDocument {
        side: KeptSide::Source,
        segment: "",
        id: &document.id,
        url: &document.url,
        date: &document.date,
        charset: document.charset,
        media: media_name(document.media),
        file: &inputs[document.file].name,
        offset: document.offset,
        bytes: document.bytes,
        digest: &digest,
        text: &text,
    })
}
