//! Text files, compressed or not, read at once or in pieces.

use std::path::Path;

use crate::detect::compression_of;
use crate::disk::Disk;
use crate::stream::{Stream, read_all};
use crate::{AcceptedStatus, CorpusError, Input};
use dejaview_base::lines;

const CHUNK: usize = 1 << 20;

/// All bytes of the file at `path`, decompressed.
pub fn read(path: &Path) -> Result<Vec<u8>, CorpusError> {
    read_all(open(path)?).map_err(|source| CorpusError::Read { path: path.to_owned(), source })
}

/// The text of a list at `path`, decompressed and without a byte-order mark. `what` is one of the things that it lists.
pub fn read_list(path: &Path, what: &'static str) -> Result<String, CorpusError> {
    lines::text(read(path)?).map_err(|why| CorpusError::no_text(path, what, why))
}

/// The bytes of the file at `path`, decompressed as they are asked for.
pub(super) fn open(path: &Path) -> Result<Stream, CorpusError> {
    let failed = |source| CorpusError::Read { path: path.to_owned(), source };
    let input =
        Input { path: path.to_owned(), name: String::new(), format: None, status: AcceptedStatus::All, size: 0 };
    let mut disk = Disk::open(&input)?;
    let mut head = Vec::new();
    disk.read(&mut head, 16).map_err(failed)?;
    let compression = compression_of(&head, &input)?;
    disk.unread(head);
    Stream::new(disk, compression, CHUNK).map_err(failed)
}
