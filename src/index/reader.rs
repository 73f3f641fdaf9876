//! The kept texts of a study, by side and id, with the index of their words beside them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::document::{StoredDocument, TitledDocument};
use super::error::IndexError;
use super::folder::{texts_path, words_folder};
use super::order::Order;
use super::seal::Seal;
use super::side::KeptSide;
use super::texts::Texts;
use super::texts_file::TextsFile;
use super::word_index::WordIndex;
use dejaview_base::both::BothSides;

/// A part of a study whose texts are not what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedPart {
    /// Empty for the source.
    pub name: String,
    pub path: PathBuf,
    pub why: String,
}

/// The kept texts of a study, as they were when it was opened. It is cheap to clone and to share between threads.
///
/// Texts are read from their files alone, and only when their checksums are right. The index of words is opened when
/// somebody searches; it never says what a text is.
#[derive(Debug, Clone)]
pub struct Index {
    folder: Arc<Path>,
    pub(super) texts: Arc<Texts>,
    words: Arc<OnceLock<WordIndex>>,
    /// Ids of documents of the target that are also kept for the source.
    pub(super) second_copies: Arc<HashSet<String>>,
    pub(super) order: Arc<OnceLock<Order>>,
}

impl Index {
    /// Opens the texts of these parts: of the source, whose name is empty, and of segments. A file that is missing or damaged
    /// is no error until somebody asks for what is in it.
    pub fn open<S: AsRef<str>>(folder: &Path, parts: &[S]) -> Self {
        Self {
            folder: folder.into(),
            texts: Arc::new(Texts::open(folder, parts)),
            words: Arc::default(),
            second_copies: Arc::default(),
            order: Arc::default(),
        }
    }

    /// The parts of an index whose texts are missing or are not what was written. Reads all of them, one after the other.
    pub fn damage<S: AsRef<str>>(folder: &Path, parts: &[S]) -> Vec<DamagedPart> {
        let damaged = |part: &S| {
            let name = part.as_ref();
            let why = TextsFile::open(folder, name).and_then(|file| file.verify()).err()?;
            Some(DamagedPart { name: name.to_owned(), path: texts_path(folder, name), why: why.damage() })
        };
        parts.iter().filter_map(damaged).collect()
    }

    /// A file that changes whenever the words were indexed again.
    pub fn words_path(folder: &Path) -> PathBuf {
        Seal::path(&words_folder(folder))
    }

    /// The same index, but documents that are on both sides are listed and found once where both sides are asked for.
    pub fn with_shared_documents_once(mut self, both: &BothSides) -> Result<Self, IndexError> {
        let mut copies = HashSet::new();
        for id in both.iter() {
            if self.contains(KeptSide::Source, id)? && self.contains(KeptSide::Target, id)? {
                copies.insert(id.to_owned());
            }
        }
        self.second_copies = Arc::new(copies);
        self.order = Arc::default();
        Ok(self)
    }

    /// Number of texts in the files that can be read; one that is in several files counts in each.
    pub fn texts(&self) -> u64 {
        self.texts.count()
    }

    /// Whether no text is kept, and no file of texts is missing or damaged.
    pub fn is_empty(&self) -> bool {
        self.texts() == 0 && self.texts.is_readable()
    }

    pub fn document(&self, side: KeptSide, id: &str) -> Result<Option<StoredDocument>, IndexError> {
        self.texts.document(side, id)
    }

    /// Everything about a document but its text, which stays empty.
    pub fn details(&self, side: KeptSide, id: &str) -> Result<Option<StoredDocument>, IndexError> {
        self.texts.details(side, id)
    }

    /// Whether the text of such a document is kept.
    pub fn contains(&self, side: KeptSide, id: &str) -> Result<bool, IndexError> {
        Ok(self.texts.details(side, id)?.is_some())
    }

    /// Title and URL of a document; documents of the source have one even when their text is not kept. It is found sooner
    /// when its segment is known.
    pub fn titled(
        &self,
        side: KeptSide,
        id: &str,
        segment: Option<&str>,
    ) -> Result<Option<TitledDocument>, IndexError> {
        self.texts.titled(side, id, segment)
    }

    /// Number of parts.
    pub fn parts(&self) -> usize {
        self.texts.parts()
    }

    /// Calls `visit` with side, id, URL and title of every document of a part, until it returns false. Over all parts, it sees
    /// every document once.
    pub fn for_each_title(
        &self,
        part: usize,
        visit: impl FnMut(KeptSide, &str, &str, &str) -> bool,
    ) -> Result<(), IndexError> {
        self.texts.for_each_title(part, visit)
    }

    /// The index of words. An error when it is not one of these texts, or not what was written.
    pub(super) fn words(&self) -> Result<&WordIndex, IndexError> {
        if let Some(words) = self.words.get() {
            return Ok(words);
        }
        let words = WordIndex::open(&words_folder(&self.folder), &self.texts.digests()?)?;
        Ok(self.words.get_or_init(|| words))
    }
}
