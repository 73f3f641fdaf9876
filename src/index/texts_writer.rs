//! Writes a file of texts.
//!
//! A file has the kept documents of one part of a study, the source or a segment, in the order of side and id. The texts of
//! [`BLOCK`] documents are followed by a block with everything else about them, and the file ends with a directory of the
//! blocks. Each text, each block and the directory have a checksum, and that of the directory depends on all others.
//! The same documents give the same bytes.
//!
//! Documents of a segment come in any order from many threads; until the segment is finished they wait, packed, in a
//! [`TextQueue`] on disk. Neither holds more than one block of documents in memory.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::document::KeptDocument;
use super::entry::{Entry, TextPlace, put};
use super::error::IndexError;
use super::packing::Packer;
use super::side::KeptSide;
use dejaview_base::hash;

/// The first bytes of a file, with the version of its layout.
pub(super) const MAGIC: &[u8; 8] = b"texts 1\n";
/// Documents of one block: more take less memory, fewer less reading.
pub(super) const BLOCK: usize = 32;
/// Bytes that end a file, four numbers: where the directory begins, how many texts there are, the checksum of the directory,
/// and that of the three numbers before.
pub(super) const END: usize = 32;

/// A file of texts that is being written: under a temporary name, and renamed when it is whole.
pub struct TextsWriter {
    path: PathBuf,
    file: BufWriter<File>,
    /// Bytes written so far.
    at: u64,
    /// Entries of the documents since the last block.
    block: Vec<u8>,
    in_block: usize,
    /// Begins with side and id of the block's first document.
    directory: Vec<u8>,
    /// Number of texts so far.
    texts: u64,
    packer: Packer,
}

impl TextsWriter {
    pub fn create(path: &Path) -> Result<Self, IndexError> {
        let create = || {
            let file = BufWriter::new(File::create(path.with_extension("part"))?);
            let (block, directory, packer) = (Vec::new(), Vec::new(), Packer::new()?);
            let mut writer =
                Self { path: path.to_owned(), file, at: 0, block, in_block: 0, directory, texts: 0, packer };
            writer.write(MAGIC)?;
            Ok(writer)
        };
        create().map_err(IndexError::write(path))
    }

    /// Adds a document; side and id must be greater than those before.
    pub fn add(&mut self, document: &KeptDocument<'_>) -> Result<(), IndexError> {
        let text = document.text.as_bytes();
        let packed = self.packer.pack(text).map_err(IndexError::write(&self.path))?;
        let place = TextPlace::new(0, &packed, text.len());
        self.add_entry(Entry::new(document, Some(place)), &packed).map_err(IndexError::write(&self.path))
    }

    /// Adds a document whose text is not kept.
    pub fn add_title(&mut self, document: &KeptDocument<'_>) -> Result<(), IndexError> {
        self.add_entry(Entry::new(document, None), &[]).map_err(IndexError::write(&self.path))
    }

    /// Adds a document with its text as it is stored.
    fn add_entry(&mut self, mut entry: Entry<'_>, stored: &[u8]) -> io::Result<()> {
        if let Some(text) = &mut entry.text {
            text.place = self.at;
            self.texts += 1;
        }
        self.write(stored)?;
        if self.in_block == 0 {
            self.directory.push(entry.side as u8);
            put(&mut self.directory, entry.id);
        }
        entry.write(&mut self.block);
        self.in_block += 1;
        if self.in_block == BLOCK { self.end_block() } else { Ok(()) }
    }

    /// Writes the block and completes its line of the directory: place, length as stored and as it is, checksum.
    fn end_block(&mut self) -> io::Result<()> {
        if self.in_block == 0 {
            return Ok(());
        }
        let block = std::mem::take(&mut self.block);
        let packed = self.packer.pack(&block)?;
        let line = TextPlace::new(self.at, &packed, block.len());
        for number in [line.place, line.stored, line.length, line.checksum, self.in_block as u64] {
            self.directory.extend(number.to_le_bytes());
        }
        self.write(&packed)?;
        self.in_block = 0;
        self.block = block;
        self.block.clear();
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// Completes the file and puts it in its place.
    pub fn finish(mut self) -> Result<(), IndexError> {
        let path = self.path.clone();
        let mut finish = || {
            self.end_block()?;
            let mut directory = std::mem::take(&mut self.directory);
            let numbers = [self.at, self.texts, hash::token(&directory)];
            let end: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
            directory.extend(&end);
            directory.extend(hash::token(&end).to_le_bytes());
            self.write(&directory)?;
            self.file.flush()?;
            self.file.get_ref().sync_all()?;
            fs::rename(path.with_extension("part"), &path)
        };
        finish().map_err(IndexError::write(&path))
    }
}

/// Documents that wait for their file to be written. Can be filled from many threads.
pub struct TextQueue {
    path: PathBuf,
    waiting: Mutex<Waiting>,
    /// Packers that nobody uses at the moment.
    packers: Mutex<Vec<Packer>>,
}

struct Waiting {
    file: BufWriter<File>,
    end: u64,
}

impl TextQueue {
    /// For the file at this path, beside which they wait.
    pub fn new(path: &Path) -> Result<Self, IndexError> {
        let file = File::options().create(true).truncate(true).read(true).write(true).open(waiting_path(path));
        let file = BufWriter::new(file.map_err(IndexError::write(path))?);
        let waiting = Mutex::new(Waiting { file, end: 0 });
        Ok(Self { path: path.to_owned(), waiting, packers: Mutex::default() })
    }

    /// Adds a document; returns the place by which [`TextQueue::finish`] knows it. Of one that was added twice, whoever
    /// finishes the queue names the place that counts.
    pub fn add(&self, document: &KeptDocument<'_>) -> Result<u64, IndexError> {
        let add = || {
            let idle = self.packers.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut packer = idle.map_or_else(Packer::new, Ok)?;
            let text = document.text.as_bytes();
            let packed = packer.pack(text)?;
            let mut entry = Vec::new();
            Entry::new(document, Some(TextPlace::new(0, &packed, text.len()))).write(&mut entry);
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let place = waiting.end;
            waiting.file.write_all(&(entry.len() as u64).to_le_bytes())?;
            waiting.file.write_all(&entry)?;
            waiting.file.write_all(&packed)?;
            waiting.end += 8 + (entry.len() + packed.len()) as u64;
            drop(waiting);
            self.packers.lock().unwrap_or_else(PoisonError::into_inner).push(packer);
            Ok(place)
        };
        add().map_err(IndexError::write(&self.path))
    }

    /// Writes the file of the documents with these names and places, in any order, and ends the queue.
    pub fn finish(self, mut documents: Vec<(KeptSide, &str, u64)>) -> Result<(), IndexError> {
        documents.sort_unstable();
        let failed = IndexError::write(&self.path);
        let waiting = self.waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut waiting = BufReader::new(waiting.file.into_inner().map_err(io::Error::from).map_err(&failed)?);
        let mut file = TextsWriter::create(&self.path)?;
        for (_, _, place) in documents {
            let mut copy = || {
                waiting.seek(SeekFrom::Start(place))?;
                let mut length = [0; 8];
                waiting.read_exact(&mut length)?;
                let entry = read_bytes(&mut waiting, u64::from_le_bytes(length))?;
                let entry = Entry::read(&mut &entry[..]).ok_or(io::ErrorKind::InvalidData)?;
                let stored = read_bytes(&mut waiting, entry.text.map_or(0, |text| text.stored))?;
                file.add_entry(entry, &stored)
            };
            copy().map_err(&failed)?;
        }
        file.finish()?;
        fs::remove_file(waiting_path(&self.path)).map_err(&failed)
    }
}

/// Where documents wait for the file at this path.
fn waiting_path(path: &Path) -> PathBuf {
    path.with_extension("queue.part")
}

fn read_bytes(file: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}
