//! A file that is read once from front to back, while its bytes on disk are counted and digested.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use xxhash_rust::xxh3::Xxh3;

use crate::addresses::{self, FileBytes};
use crate::{CorpusError, Input};

pub(crate) struct Disk {
    file: Box<dyn FileBytes>,
    hasher: Xxh3,
    /// Bytes that were given back: they are read first, and not digested again.
    returned: Vec<u8>,
    /// How many of these have been read again.
    reread: usize,
    /// Position in the file after the last byte read, returned ones included.
    position: u64,
    ended: bool,
}

impl Disk {
    pub(crate) fn open(input: &Input) -> Result<Self, CorpusError> {
        let open = || -> io::Result<Box<dyn FileBytes>> {
            if addresses::is_address(&input.path) {
                return addresses::open(&input.path, input.size);
            }
            Ok(Box::new(File::open(&input.path)?))
        };
        Ok(Self::new(open().map_err(|source| CorpusError::Open { path: input.path.clone(), source })?))
    }

    pub(crate) fn new(file: Box<dyn FileBytes>) -> Self {
        Self { file, hasher: Xxh3::new(), returned: Vec::new(), reread: 0, position: 0, ended: false }
    }

    /// Continues at `offset`. The digest is then that of the bytes read, no longer that of the file.
    pub(crate) fn seek(&mut self, offset: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.returned.clear();
        self.reread = 0;
        self.position = offset;
        self.ended = false;
        Ok(())
    }

    /// Appends up to `most` bytes to `into`; 0 at the end of the file.
    pub(crate) fn read(&mut self, into: &mut Vec<u8>, most: usize) -> io::Result<usize> {
        let returned = &self.returned[self.reread..];
        if !returned.is_empty() {
            let n = returned.len().min(most);
            into.extend_from_slice(&returned[..n]);
            self.reread += n;
            return Ok(n);
        }
        if self.ended {
            return Ok(0);
        }
        let before = into.len();
        let n = (&mut self.file).take(most as u64).read_to_end(into)?;
        self.ended = n < most;
        self.hasher.update(&into[before..]);
        self.position += n as u64;
        Ok(n)
    }

    /// Gives bytes back: they are the next to be read.
    pub(crate) fn unread(&mut self, mut bytes: Vec<u8>) {
        bytes.extend_from_slice(&self.returned[self.reread..]);
        self.returned = bytes;
        self.reread = 0;
    }

    /// Bytes of the file consumed so far.
    pub(crate) fn consumed(&self) -> u64 {
        self.position - (self.returned.len() - self.reread) as u64
    }

    /// XXH3-128 of all bytes read so far.
    pub(crate) fn digest(&self) -> u128 {
        self.hasher.digest128()
    }
}
