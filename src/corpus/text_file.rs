//! Text files, compressed or not, read at once or in pieces.

use std::io;
use std::path::Path;

use crate::detect::compression_of;
use crate::disk::Disk;
use crate::splitter::{Fed, Feed};
use crate::stream::{Stream, read_all};
use crate::{AcceptedStatus, CorpusError, Input};
use dejaview_base::line_limits::{self, LineBuffer, Lines, ListText};

const CHUNK: usize = 1 << 20;

/// All bytes of the file at `path`, decompressed.
pub fn read(path: &Path) -> Result<Vec<u8>, CorpusError> {
    read_all(open(path)?).map_err(|source| CorpusError::Read { path: path.to_owned(), source })
}

/// The lines of the file at `path`, decompressed.
pub fn read_lines(path: &Path) -> Result<Lines, CorpusError> {
    read_lines_within(path, usize::MAX)
}

/// The same of a file that is not larger than `most` bytes when it is decompressed.
fn read_lines_within(path: &Path, most: usize) -> Result<Lines, CorpusError> {
    let failed = |source| CorpusError::Read { path: path.to_owned(), source };
    let (mut stream, mut lines) = (open(path)?, LineBuffer::default());
    while more_lines(&mut stream, &mut lines).map_err(failed)? {
        if lines.bytes().len() > most {
            return Err(CorpusError::TooLarge { path: path.to_owned(), most });
        }
    }
    Ok(lines.into_lines())
}

/// Takes in the next bytes of a stream; false at its end. Damage is an error.
pub(super) fn more_lines(stream: &mut Stream, lines: &mut LineBuffer) -> io::Result<bool> {
    match lines.fill(|into| stream.more(into))? {
        Fed::Damage(skip) => Err(io::Error::new(io::ErrorKind::InvalidData, skip.detail)),
        Fed::End => Ok(false),
        Fed::Bytes { .. } | Fed::NextRecord => Ok(true),
    }
}

/// The text of a list at `path`, decompressed and without a byte-order mark. `what` is one of the things that it lists.
pub fn read_list(path: &Path, what: &'static str) -> Result<ListText, CorpusError> {
    read_list_within(path, what, usize::MAX)
}

/// The same of a list that is not larger than `most` bytes when it is decompressed.
pub(super) fn read_list_within(path: &Path, what: &'static str, most: usize) -> Result<ListText, CorpusError> {
    line_limits::text(read_lines_within(path, most)?).map_err(|why| CorpusError::no_text(path, what, why))
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
