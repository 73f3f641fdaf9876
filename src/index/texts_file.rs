//! Reads a file of texts, as [`super::texts_writer`] describes it. Nothing is returned whose checksum is wrong.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::document::StoredDocument;
use super::entry::{Entry, TextPlace, take, take_number};
use super::error::IndexError;
use super::folder::texts_path;
use super::packing::unpack;
use super::side::KeptSide;
use super::texts_writer::{BLOCK, END, MAGIC};
use dejaview_base::hash;
use dejaview_base::system::{self, FileExt};

/// An open file. In memory is one id of each block; finding a document reads one block. Can be asked from many threads.
#[derive(Debug)]
pub struct TextsFile {
    /// Name of the segment; empty for the source.
    part: String,
    path: PathBuf,
    file: File,
    /// Its length in bytes: nothing can lie beyond it.
    size: u64,
    blocks: Vec<BlockPlace>,
    texts: u64,
    digest: String,
}

#[derive(Debug)]
struct BlockPlace {
    /// Side and id of its first document.
    first: (KeptSide, Box<str>),
    bytes: TextPlace,
    documents: usize,
}

impl TextsFile {
    /// Opens a file; an error when there is none, or when its directory is not what was written.
    pub fn open(folder: &Path, part: &str) -> Result<Self, IndexError> {
        let path = &*texts_path(folder, part);
        let damaged = |why: &str| IndexError::damaged(path, why);
        let failed = |why: io::Error| match why.kind() {
            io::ErrorKind::NotFound => damaged("the file is missing"),
            io::ErrorKind::UnexpectedEof => damaged("the file is not whole"),
            _ => IndexError::damaged(path, why),
        };
        let file = system::open_file(path).map_err(failed)?;
        let mut magic = [0; MAGIC.len()];
        file.read_exact_at(&mut magic, 0).map_err(failed)?;
        if magic != *MAGIC {
            return Err(damaged("it is no file of texts of this version"));
        }
        let size = file.metadata().map_err(failed)?.len();
        let last = size.checked_sub(END as u64).ok_or_else(|| damaged("the file is not whole"))?;
        let mut end = [0; END];
        file.read_exact_at(&mut end, last).map_err(failed)?;
        let [place, texts, digest] = read_end(&end).ok_or_else(|| damaged("the checksum of its end is wrong"))?;
        let length = last.checked_sub(place).and_then(|length| usize::try_from(length).ok());
        let mut directory = vec![0; length.ok_or_else(|| damaged("the file is not whole"))?];
        file.read_exact_at(&mut directory, place).map_err(failed)?;
        if hash::token(&directory) != digest {
            return Err(damaged("the checksum of its directory is wrong"));
        }
        let blocks = read_directory(&directory).ok_or_else(|| damaged("its directory cannot be read"))?;
        let digest = hash::token(&end);
        let (part, path, digest) = (part.to_owned(), path.to_owned(), format!("{digest:016x}"));
        Ok(Self { part, path, file, size, blocks, texts, digest })
    }

    /// Differs between files with different documents or texts.
    pub(super) fn digest(&self) -> String {
        self.digest.clone()
    }

    /// Number of texts.
    pub(super) fn texts(&self) -> u64 {
        self.texts
    }

    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The entries of a block; [`entries`] reads them.
    pub(super) fn block(&self, block: usize) -> Result<Vec<u8>, IndexError> {
        let (place, number) = (&self.blocks[block].bytes, block + 1);
        let bytes = self.bytes(place).map_err(|why| IndexError::damaged(&self.path, why))?;
        bytes.ok_or_else(|| IndexError::damaged(&self.path, format!("the checksum of its block {number} is wrong")))
    }

    /// Reads something of a document by its side and id; none when it is not in the file.
    pub(super) fn find<T>(
        &self,
        side: KeptSide,
        id: &str,
        read: impl FnOnce(&Entry<'_>) -> Result<T, IndexError>,
    ) -> Result<Option<T>, IndexError> {
        let after = self.blocks.partition_point(|block| (block.first.0, &*block.first.1) <= (side, id));
        let Some(block) = after.checked_sub(1) else { return Ok(None) };
        let bytes = self.block(block)?;
        entries(&bytes).find(|entry| entry.name() == (side, id)).map(|entry| read(&entry)).transpose()
    }

    /// Calls `visit` with the entries of a side whose ids begin so, until it has seen enough and returns false.
    pub(super) fn visit_ids(
        &self,
        side: KeptSide,
        beginning: &str,
        mut visit: impl FnMut(&Entry<'_>) -> Result<bool, IndexError>,
    ) -> Result<(), IndexError> {
        let after = self.blocks.partition_point(|block| (block.first.0, &*block.first.1) < (side, beginning));
        for block in after.saturating_sub(1)..self.blocks.len() {
            let bytes = self.block(block)?;
            for entry in entries(&bytes).filter(|entry| entry.name() >= (side, beginning)) {
                if entry.side != side || !entry.id.starts_with(beginning) || !visit(&entry)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Reads something of a document by its number in the order of the file.
    pub(super) fn at<T>(&self, number: usize, read: impl FnOnce(&Entry<'_>) -> T) -> Result<Option<T>, IndexError> {
        if number / BLOCK >= self.blocks.len() {
            return Ok(None);
        }
        let bytes = self.block(number / BLOCK)?;
        Ok(entries(&bytes).nth(number % BLOCK).map(|entry| read(&entry)))
    }

    /// The text of a document; none when only its title is kept.
    fn text(&self, entry: &Entry<'_>) -> Result<Option<String>, IndexError> {
        let Some(place) = &entry.text else { return Ok(None) };
        let bytes = self.bytes(place).map_err(|why| IndexError::damaged(&self.path, why))?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        text.map(Some).ok_or_else(|| IndexError::DamagedText { id: entry.id.to_owned(), path: self.path.clone() })
    }

    /// A document with its text; none when only its title is kept.
    pub(super) fn stored(&self, entry: &Entry<'_>) -> Result<Option<StoredDocument>, IndexError> {
        Ok(self.text(entry)?.map(|text| entry.stored(&self.part, text)))
    }

    /// A document without its text, whether that is kept or not.
    pub(super) fn details(&self, entry: &Entry<'_>) -> StoredDocument {
        entry.stored(&self.part, String::new())
    }

    /// Calls `visit` with every entry, in order, until it returns false.
    pub(super) fn visit(
        &self,
        mut visit: impl FnMut(&Entry<'_>) -> Result<bool, IndexError>,
    ) -> Result<(), IndexError> {
        for block in 0..self.blocks() {
            let bytes = self.block(block)?;
            for entry in entries(&bytes) {
                if !visit(&entry)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Calls `visit` with side and id of every document whose text is kept, in order.
    pub fn for_each_kept(&self, mut visit: impl FnMut(KeptSide, &str)) -> Result<(), IndexError> {
        self.visit(|entry| {
            if entry.text.is_some() {
                visit(entry.side, entry.id);
            }
            Ok(true)
        })
    }

    /// Calls `visit` with every document that is wanted, by its side and id, and whose text is kept; in order, until it
    /// returns false.
    pub fn for_each_text(
        &self,
        mut is_wanted: impl FnMut(KeptSide, &str) -> bool,
        mut visit: impl FnMut(StoredDocument) -> Result<bool, IndexError>,
    ) -> Result<(), IndexError> {
        self.visit(|entry| match entry.text.is_some() && is_wanted(entry.side, entry.id) {
            true => self.stored(entry)?.map_or(Ok(true), &mut visit),
            false => Ok(true),
        })
    }

    /// Reads everything, and reports the first thing that is not what was written.
    pub(super) fn verify(&self) -> Result<(), IndexError> {
        for (number, block) in self.blocks.iter().enumerate() {
            let bytes = self.block(number)?;
            let mut documents = 0;
            for entry in entries(&bytes) {
                self.text(&entry)?;
                documents += 1;
            }
            if documents != block.documents {
                return Err(IndexError::damaged(&self.path, format!("its block {} cannot be read", number + 1)));
            }
        }
        Ok(())
    }

    /// The bytes at a place, unpacked; none when their checksum is wrong.
    fn bytes(&self, place: &TextPlace) -> io::Result<Option<Vec<u8>>> {
        let length = |number: u64| usize::try_from(number).map_err(io::Error::other);
        if place.place.checked_add(place.stored).is_none_or(|end| end > self.size) {
            return Ok(None);
        }
        let mut stored = vec![0; length(place.stored)?];
        match self.file.read_exact_at(&mut stored, place.place) {
            Err(why) if why.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            done => done?,
        }
        if hash::token(&stored) != place.checksum {
            return Ok(None);
        }
        Ok(unpack(stored, length(place.length)?))
    }
}

/// The entries of a block, in order.
pub(super) fn entries(mut block: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    std::iter::from_fn(move || Entry::read(&mut block))
}

/// The numbers at the end of a file; none when their checksum is wrong.
fn read_end(end: &[u8; END]) -> Option<[u64; 3]> {
    let (bytes, checksum) = end.split_last_chunk()?;
    let mut rest = bytes;
    let mut number = || take_number(&mut rest);
    let numbers = [number()?, number()?, number()?];
    (hash::token(bytes) == u64::from_le_bytes(*checksum)).then_some(numbers)
}

fn read_directory(mut bytes: &[u8]) -> Option<Vec<BlockPlace>> {
    let mut blocks = Vec::new();
    while let Some((&side, rest)) = bytes.split_first() {
        bytes = rest;
        let side = if side == KeptSide::Source as u8 { KeptSide::Source } else { KeptSide::Target };
        let first = (side, take(&mut bytes)?.into());
        let mut number = || take_number(&mut bytes);
        let (place, stored, length, checksum) = (number()?, number()?, number()?, number()?);
        let documents = usize::try_from(number()?).ok()?;
        blocks.push(BlockPlace { first, bytes: TextPlace { place, stored, length, checksum }, documents });
    }
    Some(blocks)
}
