//! Files that have an address instead of a path, `hdfs://host/crawl/00.warc.gz` for one: how this process gets their bytes.
//!
//! The program knows no network. Whoever can read an address hands its bytes over: a cluster to the standard input of a
//! worker, or a command that writes them. An end that comes before the size of the file is an error of reading.

use std::ffi::OsString;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where the bytes of a file come from: the file itself, whoever hands them over, or in tests something that fails like a disk.
pub(crate) trait FileBytes: Read + Seek + Send {}

impl<T: Read + Seek + Send> FileBytes for T {}

/// Who hands over the bytes of addresses.
#[derive(Debug, Clone)]
pub enum AddressReader {
    /// The standard input has those of one file.
    StandardInput,
    /// A command that writes the bytes of the address behind its last word.
    Command(Vec<OsString>),
}

static READER: Mutex<Option<AddressReader>> = Mutex::new(None);
/// What was read of standard input by whoever recognises the file: it is read again from its beginning.
static FIRST: Mutex<First> = Mutex::new(First { bytes: Vec::new(), opened: 0 });

struct First {
    bytes: Vec<u8>,
    opened: u32,
}

/// Says how this process reads addresses.
pub fn read_addresses_by(reader: AddressReader) {
    *locked(&READER) = Some(reader);
}

/// Whether this is an address and no path: a word with a colon and a slash behind it.
pub fn is_address(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let Some((scheme, _)) = text.split_once(":/") else { return false };
    scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
}

/// Opens an address of a file of this size.
pub(crate) fn open(path: &Path, size: u64) -> io::Result<Box<dyn FileBytes>> {
    let reader = locked(&READER).clone();
    match reader {
        None => Err(io::Error::other("addresses are read through Spark: run the study with --engine spark")),
        Some(AddressReader::StandardInput) => {
            let mut first = locked(&FIRST);
            first.opened += 1;
            match first.opened {
                1 | 2 => Ok(Box::new(Piped { at: 0, read: 0, size, records: first.opened == 1 })),
                _ => Err(io::Error::other("standard input has been read, and cannot be read again")),
            }
        }
        Some(AddressReader::Command(words)) => Ok(Box::new(Written::start(&words, path, size)?)),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ended_early(read: u64, size: u64) -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, format!("it ended after {read} of {size} bytes"))
}

/// The file on standard input.
struct Piped {
    /// Bytes that were read before and have been read again.
    at: usize,
    read: u64,
    size: u64,
    /// Whether this is the first reader, whose bytes are kept.
    records: bool,
}

impl Read for Piped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut first = locked(&FIRST);
        let n = if self.at < first.bytes.len() {
            let n = buffer.len().min(first.bytes.len() - self.at);
            buffer[..n].copy_from_slice(&first.bytes[self.at..][..n]);
            self.at += n;
            n
        } else {
            let n = io::stdin().read(buffer)?;
            if self.records {
                first.bytes.extend_from_slice(&buffer[..n]);
                self.at += n;
            } else {
                (first.bytes, self.at) = (Vec::new(), 0);
            }
            n
        };
        self.read += n as u64;
        let is_short = n == 0 && !buffer.is_empty() && self.read < self.size;
        if is_short { Err(ended_early(self.read, self.size)) } else { Ok(n) }
    }
}

impl Seek for Piped {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::NotSeekable.into())
    }
}

/// The file as a command writes it.
struct Written {
    child: Child,
    out: ChildStdout,
    read: u64,
    size: u64,
}

impl Written {
    fn start(words: &[OsString], path: &Path, size: u64) -> io::Result<Self> {
        let (program, words) = words.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        command.args(words).arg(path).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let out = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Self { child, out, read: 0, size })
    }
}

impl Read for Written {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.out.read(buffer)?;
        self.read += n as u64;
        let is_short = n == 0 && !buffer.is_empty() && self.read < self.size;
        if is_short { Err(ended_early(self.read, self.size)) } else { Ok(n) }
    }
}

impl Seek for Written {
    /// Only forward, from the beginning.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(offset) = to else { return Err(io::ErrorKind::NotSeekable.into()) };
        let Some(more) = offset.checked_sub(self.read) else { return Err(io::ErrorKind::NotSeekable.into()) };
        io::copy(&mut self.by_ref().take(more), &mut io::sink())?;
        Ok(offset)
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_from_a_path() {
        for address in ["file:///a/b.warc", "hdfs://host:8020/crawl/00.warc.gz", "s3a://bucket/a", "file:/a"] {
            assert!(is_address(Path::new(address)), "{address}");
        }
        for path in ["/a/b.warc", "a:b", "C:/a", "a b://c", "3a://b", "crawl/http/a"] {
            assert!(!is_address(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn a_command_that_ends_early_is_an_error() {
        let words = ["printf", "%s"].map(OsString::from);
        let read = |size| {
            let mut bytes = Vec::new();
            Written::start(&words, Path::new("file:/a"), size).unwrap().read_to_end(&mut bytes).map(|_| bytes)
        };
        assert_eq!(read(7).unwrap(), b"file:/a");
        assert!(read(8).unwrap_err().to_string().contains("after 7 of 8 bytes"));
    }
}
