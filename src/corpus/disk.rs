//! Reads a file from front to back, once: counts and digests its bytes as they lie on disk.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use xxhash_rust::xxh3::Xxh3;

use crate::{CorpusError, Input};

/// A file and what was read of it.
pub(crate) struct Disk {
    file: File,
    hasher: Xxh3,
    /// Bytes read but given back: they come first at the next reading, and are not digested again.
    returned: Vec<u8>,
    /// How many of them have been read again.
    again: usize,
    /// Position in the file behind the last byte read, returned ones included.
    position: u64,
    ended: bool,
}

impl Disk {
    pub(crate) fn open(input: &Input) -> Result<Self, CorpusError> {
        let file = File::open(&input.path).map_err(|source| CorpusError::Open { path: input.path.clone(), source })?;
        Ok(Self { file, hasher: Xxh3::new(), returned: Vec::new(), again: 0, position: 0, ended: false })
    }

    /// Goes on at `offset`. The digest is that of the bytes read, no longer the file's.
    pub(crate) fn seek(&mut self, offset: u64) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.returned.clear();
        self.again = 0;
        self.position = offset;
        self.ended = false;
        Ok(())
    }

    /// Appends up to `most` bytes to `into`; 0 at the end of the file.
    pub(crate) fn read(&mut self, into: &mut Vec<u8>, most: usize) -> io::Result<usize> {
        let returned = &self.returned[self.again..];
        if !returned.is_empty() {
            let n = returned.len().min(most);
            into.extend_from_slice(&returned[..n]);
            self.again += n;
            return Ok(n);
        }
        if self.ended {
            return Ok(0);
        }
        let before = into.len();
        let n = (&self.file).take(most as u64).read_to_end(into)?;
        self.ended = n < most;
        self.hasher.update(&into[before..]);
        self.position += n as u64;
        Ok(n)
    }

    /// Gives bytes back: they are the next to be read.
    pub(crate) fn unread(&mut self, mut bytes: Vec<u8>) {
        bytes.extend_from_slice(&self.returned[self.again..]);
        self.returned = bytes;
        self.again = 0;
    }

    /// Bytes of the file consumed so far.
    pub(crate) fn consumed(&self) -> u64 {
        self.position - (self.returned.len() - self.again) as u64
    }

    /// XXH3-128 of all bytes read so far.
    pub(crate) fn digest(&self) -> u128 {
        self.hasher.digest128()
    }
}
