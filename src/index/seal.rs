//! What the index of words was made of, and what its files must be.
//!
//! tantivy reads its files without looking whether they are what it wrote. So the last thing that is written is a seal with
//! the digest of every file, and nobody opens an index that does not agree with its seal. The seal also has the digests of
//! the files of texts: an index of other texts is not used for these.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::IndexError;
use super::layout::WORDS;
use dejaview_base::{hash, system};

const NAME: &str = "seal";

/// Digests of files, by the name of the part or of the file.
pub(super) type Digests = BTreeMap<String, String>;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seal {
    /// Which words and fields are indexed.
    words: String,
    /// Of the files of texts.
    pub parts: Digests,
    /// Of the files of the index.
    files: Digests,
}

impl Seal {
    /// Where the seal of an index is.
    pub(super) fn path(folder: &Path) -> PathBuf {
        folder.join(NAME)
    }

    /// The seal of an index whose files agree with it; an error when there is none, or when they do not.
    pub(super) fn read(folder: &Path) -> Result<Self, IndexError> {
        let unsearchable = |why: &str| IndexError::unsearchable(folder, why);
        let text = match system::read_text(&Self::path(folder)) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                return Err(unsearchable("their words are not indexed yet (a run does it at its end)"));
            }
            Err(why) if why.kind() != io::ErrorKind::InvalidData => return Err(IndexError::unsearchable(folder, why)),
            text => text.unwrap_or_default(),
        };
        let (digest, json) = text.split_once('\n').unwrap_or_default();
        let seal = Some(json).filter(|json| hash::digest(json.as_bytes()) == digest);
        let seal: Option<Self> = seal.and_then(|json| serde_json::from_str(json).ok());
        let seal = seal.ok_or_else(|| unsearchable("the seal of their index is damaged"))?;
        if seal.words != WORDS {
            return Err(unsearchable("their index is of another version"));
        }
        for (name, digest) in &seal.files {
            if hash::digest_of_file(&folder.join(name)).ok().as_ref() != Some(digest) {
                return Err(unsearchable(&format!("the checksum of {name} is wrong")));
            }
        }
        Ok(seal)
    }

    /// Seals the index in a folder as it is now. Its files get the permissions that a new file has: tantivy makes some of
    /// them readable by one user alone, whatever the umask says.
    pub(super) fn write(folder: &Path, parts: Digests) -> io::Result<()> {
        let temporary = folder.join("seal.part");
        let mut file = File::create(&temporary)?;
        let permissions = file.metadata()?.permissions();
        let mut files = Digests::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path() == temporary || !entry.file_type()?.is_file() {
                continue;
            }
            fs::set_permissions(entry.path(), permissions.clone())?;
            if !name.ends_with(".lock") {
                files.insert(name, hash::digest_of_file(&entry.path())?);
            }
        }
        let json = serde_json::to_string_pretty(&Self { words: WORDS.to_owned(), parts, files })?;
        file.write_all(format!("{}\n{json}", hash::digest(json.as_bytes())).as_bytes())?;
        file.sync_all()?;
        fs::rename(temporary, Self::path(folder))
    }
}
