//! Which file of ClueWeb09 or ClueWeb12 holds a document, as its id says.
//!
//! `clueweb09-en0000-00-00000` lies in `…/en0000/00.warc.gz`, `clueweb12-0000tw-00-00000` in
//! `…/0000tw/0000tw-00.warc.gz`. With judgments, only files that can hold a judged document need to be opened.

use std::collections::HashSet;
use std::path::Path;

/// A file of ClueWeb, named by the last two parts of its path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ClueWebFile {
    /// The folder, `en0000` or `0000tw`.
    pub folder: String,
    /// The file's name up to the first dot, `00` or `0000tw-00`.
    pub stem: String,
}

/// The file of a document; `None` when the id is not one of ClueWeb09 or ClueWeb12.
pub fn file_of_document(id: &str) -> Option<ClueWebFile> {
    let mut parts = id.split('-');
    let (collection, folder, file, record) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let digits = |text: &str, n: usize| text.len() == n && text.bytes().all(|b| b.is_ascii_digit());
    if parts.next().is_some() || !is_folder_name(folder) || !digits(file, 2) || !digits(record, 5) {
        return None;
    }
    let stem = match collection {
        "clueweb09" => file.to_owned(),
        "clueweb12" => format!("{folder}-{file}"),
        _ => return None,
    };
    Some(ClueWebFile { folder: folder.to_owned(), stem })
}

/// `en0000`, `enwp03`, `zh0001` (ClueWeb09) or `0000tw` (ClueWeb12).
fn is_folder_name(name: &str) -> bool {
    let name = name.as_bytes();
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    let letters = |part: &[u8]| part.iter().all(u8::is_ascii_lowercase);
    name.len() == 6
        && (digits(&name[..4]) && letters(&name[4..])
            || letters(&name[..2]) && (digits(&name[2..]) || is_wikipedia(name)))
}

fn is_wikipedia(name: &[u8]) -> bool {
    name.starts_with(b"enwp") && name[4..].iter().all(u8::is_ascii_digit)
}

/// The file at a path that follows ClueWeb's layout; `None` when it does not.
fn file_at(path: &Path) -> Option<ClueWebFile> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent()?.file_name()?.to_str()?;
    let (stem, ending) = name.split_once('.')?;
    let digits = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
    let known = digits(stem) || stem.strip_prefix(folder).and_then(|s| s.strip_prefix('-')).is_some_and(digits);
    (known && is_folder_name(folder) && (ending == "warc" || ending.starts_with("warc.")))
        .then(|| ClueWebFile { folder: folder.to_owned(), stem: stem.to_owned() })
}

/// The files that hold a set of documents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClueWebFiles {
    files: HashSet<ClueWebFile>,
    /// Whether some document is not of ClueWeb, so that it may be in any file.
    has_other_ids: bool,
}

impl ClueWebFiles {
    pub fn of_documents<'a>(ids: impl IntoIterator<Item = &'a str>) -> Self {
        let mut files = Self::default();
        for id in ids {
            match file_of_document(id) {
                Some(file) => {
                    files.files.insert(file);
                }
                None => files.has_other_ids = true,
            }
        }
        files
    }

    /// Whether the file at `path` can hold one of the documents. A file that does not follow the layout always can,
    /// and every file can when some id is not of ClueWeb.
    pub fn may_hold(&self, path: &Path) -> bool {
        self.has_other_ids || file_at(path).is_none_or(|file| self.files.contains(&file))
    }

    /// How many files of the layout hold the documents.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether no document lies in a file of the layout.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// Whether the file at `path` can hold one of `ids`; for many paths, gather [`ClueWebFiles`] once.
pub fn may_hold<'a>(path: &Path, ids: impl IntoIterator<Item = &'a str>) -> bool {
    ClueWebFiles::of_documents(ids).may_hold(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_name_their_file() {
        let file = file_of_document("clueweb09-en0000-00-00000").unwrap();
        assert_eq!((file.folder.as_str(), file.stem.as_str()), ("en0000", "00"));
        let file = file_of_document("clueweb12-0000tw-07-00000").unwrap();
        assert_eq!((file.folder.as_str(), file.stem.as_str()), ("0000tw", "0000tw-07"));
        assert!(file_of_document("clueweb09-enwp03-49-00268").is_some());
        for other in ["", "clueweb09", "clueweb22-en0000-00-00000", "clueweb09-en0000-0-00000", "FT911-1", "a-b-c-d-e"]
        {
            assert_eq!(file_of_document(other), None, "{other}");
        }
    }

    #[test]
    fn only_files_that_can_hold_a_document() {
        let files = ClueWebFiles::of_documents(["clueweb09-en0000-00-00000", "clueweb12-0000tw-07-00000"]);
        let holds = |path: &str| files.may_hold(Path::new(path));
        assert!(holds("/c/ClueWeb09_English_1/en0000/00.warc.gz") && holds("/c/0000tw/0000tw-07.warc.gz"));
        assert!(!holds("/c/ClueWeb09_English_1/en0000/01.warc.gz") && !holds("/c/0000tw/0000tw-08.warc.gz"));
        assert!(!holds("en0001/00.warc"));
        // Not the layout: always opened.
        assert!(
            holds("01.warc.gz")
                && holds("/c/old/01.warc.gz")
                && holds("/c/en0000/01.jsonl")
                && holds("/c/new-00.warc.gz")
        );
        assert!(
            ClueWebFiles::of_documents(["clueweb09-en0000-00-00000", "FT911-1"]).may_hold(Path::new("en0001/00.warc"))
        );
        assert!(!may_hold(Path::new("en0001/00.warc"), ["clueweb09-en0000-00-00000"]));
    }
}
