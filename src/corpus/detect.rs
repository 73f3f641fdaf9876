//! The compression and format of a file, recognised by its first bytes.

use crate::disk::Disk;
use crate::format::{Format, Sign, front};
use crate::formats;
use crate::gzip::{self, Front};
use crate::splitter::{Fed, Feed};
use crate::stream::{Compression, Stream};
use crate::{CorpusError, Input, lz4, lzw};

/// Bytes on disk that are read to recognise a file.
const HEAD: usize = 1 << 20;
/// Decompressed bytes that are read to recognise its format.
const FIRST: usize = 64 << 10;

#[derive(Debug)]
pub(crate) struct Detected {
    pub(crate) compression: Compression,
    pub(crate) format: &'static Format,
    /// How a record begins, where records have gzip members of their own.
    pub(crate) members: Option<Front>,
    /// See [`Format::prologue`].
    pub(crate) prologue: String,
    /// Whether nothing was compressed. What is not compressed and has no bytes is seen before it is opened.
    pub(crate) holds_nothing: bool,
}

/// Reads the beginning of a file. The format that a study names is not questioned.
pub(crate) fn detect(input: &Input, mut disk: Disk) -> Result<Detected, CorpusError> {
    let read = |source| CorpusError::Read { path: input.path.clone(), source };
    let mut head = Vec::new();
    disk.read(&mut head, HEAD).map_err(read)?;
    let compression = compression_of(&head, input)?;
    let (mut first, mut ended) = (Vec::new(), false);
    if compression == Compression::None {
        first.extend_from_slice(&head[..head.len().min(FIRST)]);
    } else {
        disk.unread(head.clone());
        let mut stream = Stream::new(disk, compression, HEAD).map_err(read)?;
        while first.len() < FIRST && !ended {
            match stream.more(&mut first).map_err(read)? {
                Fed::Bytes { .. } => {}
                Fed::End => ended = true,
                Fed::Damage(_) | Fed::NextRecord => break,
            }
        }
    }
    let format = match input.format {
        Some(format) => format,
        None => recognise(&first, input).map_err(|kind| kind.error(input))?,
    };
    let members =
        format.record_start.filter(|start| compression == Compression::Gzip && gzip::has_members(&head, *start));
    let holds_nothing = ended && first.is_empty();
    Ok(Detected { compression, format, members, prologue: (format.prologue)(&first), holds_nothing })
}

/// The format that the first bytes of a file show. A file that is named like an archive and holds no record is refused: a
/// page that a server sent in place of the archive is no document.
fn recognise(first: &[u8], input: &Input) -> Result<&'static Format, Unsupported> {
    refuse_unsupported(first)?;
    let (format, sign) = formats::recognise(first);
    if sign <= Sign::Markup && !first.is_empty() && input.is_named_warc() {
        return Err(Unsupported(
            "no WARC file, though its name says so: no record begins in it",
            "fetch it again, or name its format in study.toml",
        ));
    }
    Ok(format)
}

/// How a file is compressed, given its first 16 bytes.
pub(crate) fn compression_of(head: &[u8], input: &Input) -> Result<Compression, CorpusError> {
    compression(head).map_err(|kind| kind.error(input))
}

/// A known kind of file that is not read: what it is and what to do.
#[derive(Debug, PartialEq, Eq)]
struct Unsupported(&'static str, &'static str);

impl Unsupported {
    fn error(self, input: &Input) -> CorpusError {
        CorpusError::Unsupported { path: input.path.clone(), kind: self.0, advice: self.1 }
    }
}

fn compression(head: &[u8]) -> Result<Compression, Unsupported> {
    match head {
        [0x1f, 0x8b, ..] => Ok(Compression::Gzip),
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Ok(Compression::Zstd),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Ok(Compression::Bzip2),
        // The mark of its end alone: nothing was compressed.
        [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, ..] => Ok(Compression::Bzip2),
        _ if head.starts_with(&lz4::MAGIC) => Ok(Compression::Lz4),
        _ if head.starts_with(&lzw::MAGIC) => Ok(Compression::Lzw),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Ok(Compression::Xz),
        [b'P', b'K', 3, 4, ..] => Err(Unsupported("a ZIP archive", "unpack it first: unzip FILE.zip")),
        _ => Ok(Compression::None),
    }
}

/// Refuses kinds of files that are known but not supported.
fn refuse_unsupported(first: &[u8]) -> Result<(), Unsupported> {
    let bytes = front(first);
    if bytes.starts_with(b"\xff\xfe<\0m\0e\0d\0i\0a\0w\0") {
        return Err(Unsupported("a MediaWiki export in UTF-16", "convert it first: iconv -f UTF-16 -t UTF-8 FILE"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_files_say_what_to_do() {
        assert!(matches!(compression(b"PK\x03\x04"), Err(Unsupported(_, advice)) if advice.contains("unzip")));
        let wide = b"\xff\xfe<\0m\0e\0d\0i\0a\0w\0i\0";
        assert!(matches!(refuse_unsupported(wide), Err(Unsupported(_, advice)) if advice.contains("iconv")));
    }
}
