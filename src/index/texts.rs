//! All files of texts of a study: a document is found in whichever has it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};

use super::document::{StoredDocument, TitledDocument};
use super::entry::Entry;
use super::error::IndexError;
use super::folder::texts_path;
use super::key::{KeyedId, key, read_key};
use super::seal::Digests;
use super::side::KeptSide;
use super::texts_file::{TextsFile, entries};
use super::texts_writer::BLOCK;

/// The file of one part of a study.
#[derive(Debug)]
struct Part {
    /// Empty for the source.
    name: String,
    /// Why it cannot be read, when it cannot.
    file: Result<TextsFile, Unreadable>,
}

#[derive(Debug)]
struct Unreadable {
    path: PathBuf,
    why: String,
}

impl Part {
    fn file(&self) -> Result<&TextsFile, IndexError> {
        self.file.as_ref().map_err(|Unreadable { path, why }| IndexError::damaged(path, why))
    }
}

/// Place of a document: the number of its part, and its own in the file of that part.
pub(super) type DocumentPlace = (u32, u32);

#[derive(Debug)]
pub(super) struct Texts {
    /// By name, so the source is first.
    parts: Vec<Part>,
}

impl Texts {
    /// Opens the files of these parts. Those that cannot be read are remembered as such.
    pub(super) fn open<S: AsRef<str>>(folder: &Path, parts: &[S]) -> Self {
        let open = |part: &S| {
            let name = part.as_ref();
            let file = TextsFile::open(folder, name)
                .map_err(|error| Unreadable { path: texts_path(folder, name), why: error.damage() });
            Part { name: name.to_owned(), file }
        };
        let mut parts: Vec<Part> = parts.iter().map(open).collect();
        parts.sort_by(|a, b| a.name.cmp(&b.name));
        Self { parts }
    }

    /// Number of texts in the files that can be read; one that is in several files counts in each.
    pub(super) fn count(&self) -> u64 {
        self.parts.iter().filter_map(|part| part.file.as_ref().ok()).map(TextsFile::texts).sum()
    }

    /// Whether all files can be read.
    pub(super) fn is_readable(&self) -> bool {
        self.parts.iter().all(|part| part.file.is_ok())
    }

    /// The digest of each part. An error when one cannot be read.
    pub(super) fn digests(&self) -> Result<Digests, IndexError> {
        self.parts.iter().map(|part| Ok((part.name.clone(), part.file()?.digest()))).collect()
    }

    /// Asks the parts that may have documents of a side, until one answers. What cannot be read is an error only when no
    /// other part has the document.
    fn ask<T>(
        &self,
        side: KeptSide,
        ask: impl FnMut(&TextsFile) -> Result<Option<T>, IndexError>,
    ) -> Result<Option<T>, IndexError> {
        self.ask_first(None, side, ask)
    }

    /// The same, which asks the part of a segment first.
    fn ask_first<T>(
        &self,
        segment: Option<&str>,
        side: KeptSide,
        mut ask: impl FnMut(&TextsFile) -> Result<Option<T>, IndexError>,
    ) -> Result<Option<T>, IndexError> {
        let mut failure = None;
        let is_first = |part: &&Part| segment.is_some_and(|segment| part.name == segment);
        let (first, others) = (self.parts.iter().filter(is_first), self.parts.iter().filter(|part| !is_first(part)));
        for part in first.chain(others).filter(|part| side == KeptSide::Source || !part.name.is_empty()) {
            match part.file().and_then(&mut ask) {
                Ok(None) => {}
                Ok(found) => return Ok(found),
                Err(why) => failure = failure.or(Some(why)),
            }
        }
        failure.map_or(Ok(None), Err)
    }

    /// A document with its text.
    pub(super) fn document(&self, side: KeptSide, id: &str) -> Result<Option<StoredDocument>, IndexError> {
        self.ask(side, |file| Ok(file.find(side, id, |entry| file.stored(entry))?.flatten()))
    }

    /// Everything about a document but its text, of those whose text is kept.
    pub(super) fn details(&self, side: KeptSide, id: &str) -> Result<Option<StoredDocument>, IndexError> {
        let details = |file: &TextsFile, entry: &Entry<'_>| Ok(entry.text.map(|_| file.details(entry)));
        self.ask(side, |file| Ok(file.find(side, id, |entry| details(file, entry))?.flatten()))
    }

    pub(super) fn titled(
        &self,
        side: KeptSide,
        id: &str,
        segment: Option<&str>,
    ) -> Result<Option<TitledDocument>, IndexError> {
        self.ask_first(segment, side, |file| file.find(side, id, |entry| Ok(entry.titled())))
    }

    /// A document by its key in the index of words.
    pub(super) fn keyed(&self, wanted: &str) -> Result<Option<StoredDocument>, IndexError> {
        match read_key(wanted) {
            None => Ok(None),
            Some((side, KeyedId::Whole(id))) => self.document(side, id),
            Some((side, KeyedId::Beginning(beginning))) => self.ask(side, |file| {
                let mut found = None;
                file.visit_ids(side, beginning, |entry| {
                    if key(side, entry.id) == wanted {
                        found = file.stored(entry)?;
                    }
                    Ok(found.is_none())
                })?;
                Ok(found)
            }),
        }
    }

    /// Calls `visit` with side, id, URL and title of every document of a part, until it returns false. Those of the source
    /// are in its own part.
    pub(super) fn for_each_title(
        &self,
        part: usize,
        mut visit: impl FnMut(KeptSide, &str, &str, &str) -> bool,
    ) -> Result<(), IndexError> {
        let part = &self.parts[part];
        let is_own = |side: KeptSide| (side == KeptSide::Source) == part.name.is_empty();
        part.file()?.visit(|entry| Ok(!is_own(entry.side) || visit(entry.side, entry.id, entry.url, entry.title)))
    }

    /// Number of parts, the source included.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Everything about a document but its text, by its place.
    pub(super) fn at(&self, (part, number): DocumentPlace) -> Result<Option<StoredDocument>, IndexError> {
        let file = self.parts[part as usize].file()?;
        file.at(number as usize, |entry| file.details(entry))
    }

    /// Calls `visit` with side, id and place of every document whose text is kept, in the order of side and id. Of a document
    /// of the source that is in several parts, the first counts.
    pub(super) fn in_order(&self, mut visit: impl FnMut(KeptSide, &str, DocumentPlace)) -> Result<(), IndexError> {
        let mut cursors = self.parts.iter().map(Cursor::new).collect::<Result<Vec<_>, _>>()?;
        let mut next = BinaryHeap::new();
        for (part, cursor) in cursors.iter_mut().enumerate() {
            next.extend(cursor.next()?.map(|(side, id, number)| Reverse((side, id, part, number))));
        }
        let mut last = None;
        while let Some(Reverse((side, id, part, number))) = next.pop() {
            if last.as_ref() != Some(&(side, id.clone())) {
                visit(side, &id, (part as u32, number as u32));
                last = Some((side, id));
            }
            next.extend(cursors[part].next()?.map(|(side, id, number)| Reverse((side, id, part, number))));
        }
        Ok(())
    }
}

/// Reads the documents of a file in order, those whose text is kept.
struct Cursor<'a> {
    file: &'a TextsFile,
    /// What is left of the block at hand, last first: side, id and number.
    block: Vec<(KeptSide, String, usize)>,
    next_block: usize,
}

impl<'a> Cursor<'a> {
    fn new(part: &'a Part) -> Result<Self, IndexError> {
        Ok(Self { file: part.file()?, block: Vec::new(), next_block: 0 })
    }

    fn next(&mut self) -> Result<Option<(KeptSide, String, usize)>, IndexError> {
        while self.block.is_empty() && self.next_block < self.file.blocks() {
            let bytes = self.file.block(self.next_block)?;
            let first = self.next_block * BLOCK;
            let kept = entries(&bytes).enumerate().filter(|(_, entry)| entry.text.is_some());
            self.block = kept.map(|(i, entry)| (entry.side, entry.id.to_owned(), first + i)).collect();
            self.block.reverse();
            self.next_block += 1;
        }
        Ok(self.block.pop())
    }
}
