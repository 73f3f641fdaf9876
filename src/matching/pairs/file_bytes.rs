#![allow(
    unsafe_code,
    reason = "a large file is mapped into memory by one call, and its pages are given back by another"
)]
//! The bytes of a file of pairs: those of a small one in memory, those of a large one where the system keeps files, which
//! holds the parts that are looked at and gives them back when memory is short.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

use memmap2::{Mmap, UncheckedAdvice};
use xxhash_rust::xxh3::xxh3_64;

use dejaview_base::{hash, system};

/// Files from this size on are mapped.
const LARGE: u64 = 1 << 20;

#[derive(Debug)]
pub(super) enum FileBytes {
    Memory(Vec<u8>),
    Mapped(Mmap),
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Memory(bytes) => bytes,
            Self::Mapped(bytes) => bytes,
        }
    }
}

impl FileBytes {
    /// Reads a file to its end, and tells the checksum of all but its last `behind` bytes. One that cannot be mapped is kept
    /// in memory, whatever its size.
    pub(super) fn read(path: &Path, behind: usize) -> io::Result<(Self, u64)> {
        let mut file = system::open_file(path)?;
        let length = file.metadata()?.len();
        match map(&file, length, LARGE) {
            Some(bytes) => {
                // Not through the map, which would hold all of it. A file that is shorter by now has some other checksum.
                let mut checked = file.take(length.saturating_sub(behind as u64));
                Ok((Self::Mapped(bytes), hash::checksum_of_reader(&mut checked)?))
            }
            None => {
                let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
                file.read_to_end(&mut bytes)?;
                Ok(Self::in_memory(bytes, behind))
            }
        }
    }

    /// Gives back the pages of a mapped file that were looked at; whoever looks again gets them again.
    pub(super) fn give_back(&self) {
        if let Self::Mapped(bytes) = self {
            // SAFETY: others may hold parts of these bytes. They see the same ones: the map is shared with the file and only
            // read, so its pages come again from the file, which nobody changes (see `map`). A system that does not take
            // the advice keeps them.
            let _ = unsafe { bytes.unchecked_advise(UncheckedAdvice::DontNeed) };
        }
    }

    /// Bytes that are in memory, and the checksum of all but the last `behind`.
    pub(super) fn in_memory(bytes: Vec<u8>, behind: usize) -> (Self, u64) {
        let checksum = xxh3_64(&bytes[..bytes.len().saturating_sub(behind)]);
        (Self::Memory(bytes), checksum)
    }
}

/// Maps a file of at least `large` bytes.
fn map(file: &File, length: u64, large: u64) -> Option<Mmap> {
    // SAFETY: bytes that change while they are mapped would be unsound to look at. Nobody changes a file of pairs: it is
    // written beside and renamed, and what is mapped here stays what it was when another takes its name.
    (length >= large).then(|| unsafe { Mmap::map(file) }).and_then(Result::ok).filter(|map| map.len() as u64 == length)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_is_mapped_is_as_one_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bytes");
        for length in [LARGE as usize - 1, LARGE as usize, 2 * LARGE as usize + 17] {
            let bytes: Vec<u8> = (0..length).map(|i| (i * i / 251) as u8).collect();
            fs::write(&path, &bytes).unwrap();
            let (read, checksum) = FileBytes::read(&path, 8).unwrap();
            let (held, expected) = FileBytes::in_memory(bytes, 8);
            assert_eq!(matches!(read, FileBytes::Mapped(_)), length as u64 >= LARGE);
            assert!(*read == *held && checksum == expected, "{length}");
            read.give_back();
            assert!(*read == *held, "{length}");
        }
    }

    #[test]
    fn a_file_that_another_replaces_stays_what_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["bytes", "other"].map(|name| folder.path().join(name));
        fs::write(&path, vec![1; LARGE as usize]).unwrap();
        let (read, _) = FileBytes::read(&path, 8).unwrap();
        fs::write(&other, [2]).unwrap();
        fs::rename(&other, &path).unwrap();
        assert!(read.len() as u64 == LARGE && read.iter().all(|byte| *byte == 1));
    }
}
