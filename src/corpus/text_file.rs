//! Small text files, compressed or not, read at once.

use std::path::Path;

use crate::corpus::detect::compression_of;
use crate::corpus::disk::Disk;
use crate::corpus::stream::{Stream, read_all};
use crate::corpus::{CorpusError, Input};

/// All bytes of the file at `path`, decompressed.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, CorpusError> {
    let failed = |source| CorpusError::Read { path: path.to_owned(), source };
    let input = Input { path: path.to_owned(), name: String::new(), format: None, size: 0 };
    let mut disk = Disk::open(&input)?;
    let mut head = Vec::new();
    disk.read(&mut head, 16).map_err(failed)?;
    let compression = compression_of(&head, &input)?;
    disk.unread(head);
    read_all(Stream::new(disk, compression, 1 << 20).map_err(failed)?).map_err(failed)
}
