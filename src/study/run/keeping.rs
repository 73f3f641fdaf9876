//! Which texts go into the index: those of target documents with a pair at once, those of the source when they turn out
//! to have one. Titles go into files of their own: those of the target with their texts, those of the source all at once.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::StudyError;
use dejaview_base::hash;
use dejaview_base::progress::Progress;
use dejaview_corpus::{Document, Input, Media};
use dejaview_index::{Index, IndexError, KeptDocument, KeptSide, TitleQueue, TitledDocument, Writer, write_titles};
use dejaview_matching::ExtractedText;
use dejaview_matching::source::{SeenDocument, SourceDocument};
use dejaview_text::shorten::title;

/// Hands documents to the index from many threads and remembers the first failure. Of several documents with one id the
/// first counts, by file and offset, and one with a pair before one without: the same that the pairs are of.
pub(crate) struct Keeper<'a> {
    writer: &'a Writer,
    progress: &'a Progress,
    state: Mutex<KeeperState>,
}

#[derive(Default)]
struct KeeperState {
    kept: HashMap<Box<str>, KeptPlace>,
    /// Titles of the documents, where they are wanted.
    titles: Option<TitleQueue>,
    failure: Option<StudyError>,
}

/// A document that was handed over.
#[derive(Clone, Copy)]
struct KeptPlace {
    rank: Rank,
    /// Place of its title in the queue.
    title: u64,
}

/// Whether the document has no pair, its file and its offset: the smallest counts.
type Rank = (bool, usize, u64);

impl<'a> Keeper<'a> {
    pub(crate) fn new(writer: &'a Writer, progress: &'a Progress) -> Self {
        Self { writer, progress, state: Mutex::default() }
    }

    /// Keeps the titles, too, for the file at this path.
    pub(crate) fn with_titles(mut self, path: &Path) -> Result<Self, StudyError> {
        let queue = TitleQueue::new(path).map_err(|why| unwritten(path, why))?;
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner).titles = Some(queue);
        Ok(self)
    }

    /// Keeps a document; a failure cancels the work.
    pub(crate) fn keep(&self, origin: DocumentOrigin<'_>, seen: &SeenDocument<'_>) {
        let SeenDocument { file, document, page, paired } = *seen;
        let digest = hash::digest(document.body);
        let kept = kept_document(origin, document, page, &digest);
        let rank = (!paired, file, document.offset);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.kept.get(document.id).is_some_and(|earlier| earlier.rank <= rank) {
            return;
        }
        let title = match &mut state.titles {
            Some(titles) => titles.add(kept.url, title(kept.text)).map_err(|why| unwritten(titles.path(), why)),
            None => Ok(0),
        };
        let done = title.and_then(|title| {
            state.kept.insert(document.id.into(), KeptPlace { rank, title });
            Ok(self.writer.add(&kept)?)
        });
        if let Err(error) = done {
            state.failure.get_or_insert(error);
            self.progress.cancel();
        }
    }

    /// Writes the titles, unless there was a failure or the work was cancelled.
    pub(crate) fn finish(self) -> Result<(), StudyError> {
        let cancelled = self.progress.cancelled();
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (state.failure, state.titles) {
            (Some(failure), _) => Err(failure),
            (None, Some(titles)) if !cancelled => {
                let path = titles.path().to_owned();
                let documents = state.kept.iter().map(|(id, place)| (&**id, place.title)).collect();
                titles.finish(documents).map_err(|why| unwritten(&path, why))
            }
            _ => Ok(()),
        }
    }
}

fn unwritten(path: &Path, why: io::Error) -> StudyError {
    StudyError::File { doing: "writing", path: path.to_owned(), why }
}

/// Writes the titles of all documents of the source.
pub(crate) fn write_source_titles(path: &Path, documents: &[SourceDocument]) -> Result<(), StudyError> {
    let mut documents: Vec<&SourceDocument> = documents.iter().collect();
    documents.sort_by(|a, b| a.id.cmp(&b.id));
    let titled = documents.into_iter().map(|document| {
        let title = title(&document.text()).to_owned();
        Ok((&*document.id, TitledDocument { url: document.url.to_string(), title }))
    });
    write_titles(path, titled).map_err(|why| unwritten(path, why))
}

/// The ids of finished segments. Of documents in several segments with one id the first that is kept counts, so that an id
/// is one document everywhere. Asked from many threads; remembers the first failure.
pub(crate) struct EarlierIds<'a> {
    pub(crate) index: &'a Index,
    /// Segments whose documents count: those that are finished.
    pub(crate) finished: &'a [String],
    pub(crate) progress: &'a Progress,
    pub(crate) failure: Mutex<Option<IndexError>>,
}

impl EarlierIds<'_> {
    /// Whether a document of a finished segment has this id.
    pub(crate) fn contains(&self, id: &str) -> bool {
        if self.finished.is_empty() {
            return false;
        }
        match self.index.document(KeptSide::Target, id) {
            Ok(kept) => kept.is_some_and(|kept| self.finished.contains(&kept.segment)),
            Err(error) => {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.progress.cancel();
                false
            }
        }
    }

    /// The first failure, if there was one.
    pub(crate) fn result(self) -> Result<(), IndexError> {
        self.failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
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

/// A document with its page, as the index takes it.
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

/// Gives documents of the source to the index.
pub(crate) fn keep_sources<'a>(
    documents: impl Iterator<Item = &'a SourceDocument>,
    inputs: &[Input],
    writer: &Writer,
) -> Result<(), IndexError> {
    for document in documents {
        let (text, digest) = (document.text(), format!("{:032x}", document.digest));
        writer.add(&KeptDocument {
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
        })?;
    }
    Ok(())
}
