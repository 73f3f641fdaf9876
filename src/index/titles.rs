//! Titles and URLs in files beside the index, so that a list of any length is shown without reading a text.
//!
//! A file has the documents of one part of a study, the source or a segment, in the order of their ids. It is cut into
//! blocks, and only the first id of each block is held in memory: finding a document reads one block. The same documents
//! give the same bytes.
//!
//! Documents of a segment come in any order from many threads; until the segment is finished their titles wait in a
//! [`TitleQueue`] on disk.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use dejaview_base::hash;

/// The first bytes of a file, with the version of its layout.
const MAGIC: &[u8; 8] = b"titles 1";
/// Documents of one block: more take less memory, fewer less reading.
const BLOCK: usize = 32;
/// Size of what ends a file: where the directory of blocks begins, and its digest.
const END: usize = 16;

/// What is kept of a document for lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TitledDocument {
    /// Empty when unknown.
    pub url: String,
    /// The first line of the text; may be empty.
    pub title: String,
}

/// Writes the titles of documents whose ids ascend; whole, under a temporary name, then renamed.
pub fn write_titles<'a>(
    path: &Path,
    documents: impl Iterator<Item = io::Result<(&'a str, TitledDocument)>>,
) -> io::Result<()> {
    let temporary = path.with_extension("part");
    let mut file = BufWriter::new(File::create(&temporary)?);
    file.write_all(MAGIC)?;
    let (mut at, mut directory, mut record) = (MAGIC.len() as u64, Vec::new(), Vec::new());
    for (number, document) in documents.enumerate() {
        let (id, TitledDocument { url, title }) = document?;
        if number % BLOCK == 0 {
            directory.extend(at.to_le_bytes());
            put(&mut directory, id);
        }
        record.clear();
        [id, &url, &title].into_iter().for_each(|text| put(&mut record, text));
        file.write_all(&record)?;
        at += record.len() as u64;
    }
    file.write_all(&directory)?;
    file.write_all(&at.to_le_bytes())?;
    file.write_all(&hash::token(&directory).to_le_bytes())?;
    file.into_inner()?.sync_all()?;
    fs::rename(&temporary, path)
}

/// Titles that wait for their file to be written.
#[derive(Debug)]
pub struct TitleQueue {
    path: PathBuf,
    file: BufWriter<File>,
    end: u64,
}

impl TitleQueue {
    /// For the file at this path, beside which they wait.
    pub fn new(path: &Path) -> io::Result<Self> {
        let waiting = path.with_extension("queue.part");
        let file = File::options().create(true).truncate(true).read(true).write(true).open(waiting)?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), end: 0 })
    }

    /// The file that will be written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a document; returns the place by which [`TitleQueue::finish`] knows it.
    pub fn add(&mut self, url: &str, title: &str) -> io::Result<u64> {
        let (place, mut record) = (self.end, Vec::with_capacity(8 + url.len() + title.len()));
        [url, title].into_iter().for_each(|text| put(&mut record, text));
        self.file.write_all(&record)?;
        self.end += record.len() as u64;
        Ok(place)
    }

    /// Writes the file of the documents with these ids and places, in any order, and ends the queue.
    pub fn finish(self, mut documents: Vec<(&str, u64)>) -> io::Result<()> {
        documents.sort_unstable();
        let mut waiting = BufReader::new(self.file.into_inner()?);
        let mut read = |place: u64| -> io::Result<TitledDocument> {
            waiting.seek(SeekFrom::Start(place))?;
            let [url, title] = [read_text(&mut waiting)?, read_text(&mut waiting)?];
            Ok(TitledDocument { url, title })
        };
        write_titles(&self.path, documents.into_iter().map(|(id, place)| Ok((id, read(place)?))))?;
        fs::remove_file(self.path.with_extension("queue.part"))
    }
}

/// The titles of one part of a study. Can be asked from many threads.
#[derive(Debug)]
pub struct TitlesFile {
    file: File,
    /// The first id of each block and where the block begins.
    blocks: Vec<(Box<str>, u64)>,
    /// Where the last block ends.
    end: u64,
}

impl TitlesFile {
    /// Opens a file; an error when there is none, or when it is not whole.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut magic = [0; MAGIC.len()];
        file.read_exact_at(&mut magic, 0)?;
        let last = size.checked_sub(END as u64).ok_or_else(damaged)?;
        let (mut end, mut digest) = ([0; 8], [0; 8]);
        file.read_exact_at(&mut end, last)?;
        file.read_exact_at(&mut digest, last + 8)?;
        let end = u64::from_le_bytes(end);
        let length = last.checked_sub(end).ok_or_else(damaged)?;
        let mut directory = vec![0; usize::try_from(length).map_err(|_| damaged())?];
        file.read_exact_at(&mut directory, end)?;
        if magic != *MAGIC || hash::token(&directory) != u64::from_le_bytes(digest) {
            return Err(damaged());
        }
        let (mut blocks, mut rest) = (Vec::new(), &directory[..]);
        while !rest.is_empty() {
            let (start, behind) = rest.split_first_chunk().ok_or_else(damaged)?;
            rest = behind;
            blocks.push((take(&mut rest).ok_or_else(damaged)?.into(), u64::from_le_bytes(*start)));
        }
        Ok(Self { file, blocks, end })
    }

    pub fn get(&self, id: &str) -> io::Result<Option<TitledDocument>> {
        let Some(block) = self.blocks.partition_point(|(first, _)| **first <= *id).checked_sub(1) else {
            return Ok(None);
        };
        let mut found = None;
        self.read_block(block, &mut |other, url, title| {
            if other == id {
                found = Some(TitledDocument { url: url.to_owned(), title: title.to_owned() });
            }
        })?;
        Ok(found)
    }

    /// Calls `visit` with id, URL and title of every document, in the order of the ids.
    pub fn for_each(&self, mut visit: impl FnMut(&str, &str, &str)) -> io::Result<()> {
        (0..self.blocks.len()).try_for_each(|block| self.read_block(block, &mut visit))
    }

    /// The same until `visit` says that it has seen enough; the block at hand is read to its end.
    pub fn try_for_each(&self, mut visit: impl FnMut(&str, &str, &str) -> bool) -> io::Result<()> {
        let mut wanted = true;
        for block in 0..self.blocks.len() {
            self.read_block(block, &mut |id, url, title| wanted = wanted && visit(id, url, title))?;
            if !wanted {
                break;
            }
        }
        Ok(())
    }

    fn read_block(&self, block: usize, visit: &mut impl FnMut(&str, &str, &str)) -> io::Result<()> {
        let start = self.blocks[block].1;
        let end = self.blocks.get(block + 1).map_or(self.end, |next| next.1);
        let length = end.checked_sub(start).and_then(|length| usize::try_from(length).ok()).ok_or_else(damaged)?;
        let mut bytes = vec![0; length];
        self.file.read_exact_at(&mut bytes, start)?;
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let mut text = || take(&mut rest).ok_or_else(damaged);
            let (id, url, title) = (text()?, text()?, text()?);
            visit(id, url, title);
        }
        Ok(())
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a whole file of titles")
}

/// Appends a text and, before it, its length.
fn put(out: &mut Vec<u8>, text: &str) {
    // No text of a document is longer than four gigabytes.
    let length = u32::try_from(text.len()).unwrap_or_default();
    out.extend(length.to_le_bytes());
    out.extend(&text.as_bytes()[..length as usize]);
}

/// Removes a text from the beginning of some bytes; none when there is no whole one.
fn take<'b>(bytes: &mut &'b [u8]) -> Option<&'b str> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *bytes = rest;
    std::str::from_utf8(text).ok()
}

fn read_text(file: &mut impl Read) -> io::Result<String> {
    let mut length = [0; 4];
    file.read_exact(&mut length)?;
    let mut text = vec![0; u32::from_le_bytes(length) as usize];
    file.read_exact(&mut text)?;
    String::from_utf8(text).map_err(|_| damaged())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn titled(url: &str, title: &str) -> TitledDocument {
        TitledDocument { url: url.to_owned(), title: title.to_owned() }
    }

    #[test]
    fn a_file_that_is_not_whole_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("00.titles");
        write_titles(&path, [Ok(("a", titled("u", "t"))), Ok(("b", titled("", "")))].into_iter()).unwrap();
        let whole = fs::read(&path).unwrap();
        assert_eq!(TitlesFile::open(&path).unwrap().get("a").unwrap(), Some(titled("u", "t")));
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(TitlesFile::open(&path).is_err(), "{length} bytes");
        }
        assert!(TitlesFile::open(&folder.path().join("none")).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn every_document_is_found_and_no_other(
            documents in proptest::collection::btree_map("[a-d]{0,4}", ("\\PC{0,9}", "\\PC{0,9}"), 0..150),
            order in any::<u64>(),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let (path, again) = (folder.path().join("a.titles"), folder.path().join("b.titles"));
            let expected: BTreeMap<&str, TitledDocument> =
                documents.iter().map(|(id, (url, title))| (id.as_str(), titled(url, title))).collect();
            write_titles(&path, expected.iter().map(|(id, document)| Ok((*id, document.clone())))).unwrap();
            let mut shuffled: Vec<(&str, &TitledDocument)> = expected.iter().map(|(id, document)| (*id, document)).collect();
            shuffled.sort_by_key(|(id, _)| hash::token(id.as_bytes()) ^ order);
            let mut queue = TitleQueue::new(&again).unwrap();
            queue.add("replaced", "by another record of its id").unwrap();
            let places = shuffled.iter().map(|(id, document)| (*id, queue.add(&document.url, &document.title).unwrap()));
            let places = places.collect();
            queue.finish(places).unwrap();
            prop_assert_eq!(fs::read(&path).unwrap(), fs::read(&again).unwrap());
            prop_assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
            let file = TitlesFile::open(&path).unwrap();
            let mut all = Vec::new();
            file.for_each(|id, url, title| all.push((id.to_owned(), titled(url, title)))).unwrap();
            prop_assert!(all.iter().map(|(id, document)| (id.as_str(), document)).eq(expected.iter().map(|(id, d)| (*id, d))));
            for id in documents.keys().map(String::as_str).chain(["", "bb", "zz", "d"]) {
                prop_assert_eq!(file.get(id).unwrap(), expected.get(id).cloned());
            }
        }
    }
}
