//! Which texts go into the index: those of target documents with a pair at once, those of the source when they turn out
//! to have one. Until then the source's texts wait in a file, so that memory does not grow with them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::StudyError;
use crate::base::hash;
use crate::base::progress::Progress;
use crate::corpus::{Document, Input, Media};
use crate::index::{IndexError, Kept, KeptSide, Stored, Writer};
use crate::matching::Page;
use crate::matching::source::Seen;

/// Hands documents to the index from many threads and remembers the first failure. Of several documents with one id the
/// first counts, by file and offset, and one with a pair before one without: the same that the pairs are of.
pub(super) struct Keeper<'a> {
    writer: &'a Writer,
    progress: &'a Progress,
    state: Mutex<KeeperState>,
}

#[derive(Default)]
struct KeeperState {
    /// Ids handed over, with the rank of their document.
    kept: HashMap<Box<str>, Rank>,
    failure: Option<IndexError>,
}

/// Without a pair, file, offset: the smallest counts.
type Rank = (bool, usize, u64);

impl<'a> Keeper<'a> {
    pub(super) fn new(writer: &'a Writer, progress: &'a Progress) -> Self {
        Self { writer, progress, state: Mutex::default() }
    }

    /// Keeps a document; a failure cancels the work.
    pub(super) fn keep(&self, place: Place<'_>, seen: &Seen<'_>) {
        let Seen { file, document, page, paired } = *seen;
        let digest = hash::digest(document.body);
        let kept = kept(place, document, page, &digest);
        let rank = (!paired, file, document.offset);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.kept.get(document.id).is_some_and(|before| *before <= rank) {
            return;
        }
        state.kept.insert(document.id.into(), rank);
        if let Err(error) = self.writer.add(&kept) {
            state.failure.get_or_insert(error);
            self.progress.cancel();
        }
    }

    /// The first failure, if there was one.
    pub(super) fn result(self) -> Result<(), IndexError> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).failure.map_or(Ok(()), Err)
    }
}

/// Where a document stands in the study.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) side: KeptSide,
    pub(super) segment: &'a str,
    pub(super) input: &'a Input,
}

fn media_name(media: Media) -> &'static str {
    match media {
        Media::Html => "html",
        Media::Text => "text",
    }
}

/// A document with its page, as the index takes it.
pub(super) fn kept<'a>(place: Place<'a>, document: &Document<'a>, page: &Page<'a>, digest: &'a str) -> Kept<'a> {
    Kept {
        side: place.side,
        segment: place.segment,
        id: document.id,
        url: document.url,
        date: document.date,
        charset: page.charset,
        media: media_name(document.media),
        file: &place.input.name,
        offset: document.offset,
        bytes: document.body.len() as u64,
        digest,
        text: page.text,
    }
}

/// Texts of the source on disk until it is known who needs them.
pub(super) struct Spool {
    path: PathBuf,
    state: Mutex<SpoolState>,
}

struct SpoolState {
    file: File,
    end: u64,
    /// By number of the file and offset.
    places: HashMap<(usize, u64), (u64, usize)>,
    failure: Option<io::Error>,
}

impl Spool {
    pub(super) fn create(path: &Path) -> Result<Self, StudyError> {
        let failed = |why| StudyError::File { doing: "writing", path: path.to_owned(), why };
        let file = File::options().create(true).truncate(true).read(true).write(true).open(path).map_err(failed)?;
        let state = SpoolState { file, end: 0, places: HashMap::new(), failure: None };
        Ok(Self { path: path.to_owned(), state: Mutex::new(state) })
    }

    /// Lets a document wait. A failure is remembered and comes out at [`Spool::give`].
    pub(super) fn put(&self, input: &Input, seen: &Seen<'_>) {
        let Seen { file: number, document, page, .. } = *seen;
        let digest = hash::digest(document.body);
        let place = Place { side: KeptSide::Source, segment: "", input };
        let bytes = serde_json::to_vec(&kept(place, document, page, &digest));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let written = bytes.map_err(io::Error::from).and_then(|bytes| {
            state.file.write_all(&bytes)?;
            Ok(bytes.len())
        });
        match written {
            Ok(length) => {
                let end = state.end;
                state.places.insert((number, document.offset), (end, length));
                state.end += length as u64;
            }
            Err(error) => state.failure = Some(error),
        }
    }

    /// Gives the documents at these places to the index.
    pub(super) fn give(&self, wanted: &[(usize, u64)], writer: &Writer) -> Result<(), StudyError> {
        let failed = |why| StudyError::File { doing: "keeping the source's texts in", path: self.path.clone(), why };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(why) = state.failure.take() {
            return Err(failed(why));
        }
        for place in wanted {
            let Some(&(start, length)) = state.places.get(place) else { continue };
            let mut bytes = vec![0; length];
            state.file.seek(SeekFrom::Start(start)).map_err(failed)?;
            state.file.read_exact(&mut bytes).map_err(failed)?;
            let stored: Stored = serde_json::from_slice(&bytes).map_err(|why| failed(why.into()))?;
            writer.add(&stored.as_kept())?;
        }
        Ok(())
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        // Only a leftover of a run that was killed would stay; the next run writes over it.
        let _ = std::fs::remove_file(&self.path);
    }
}
