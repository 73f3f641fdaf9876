//! An input file of a study, and what its name and path say about it.

use std::path::PathBuf;

use crate::format::Format;
use crate::status::AcceptedStatus;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    pub path: PathBuf,
    /// As shown in messages and in `skipped.tsv`: relative to the study. The id of a page that is a file of its own.
    pub name: String,
    /// The format that the study names; `None` to recognise it by the bytes.
    pub format: Option<&'static Format>,
    /// Which answers of web servers are documents.
    pub status: AcceptedStatus,
    /// In bytes, on disk.
    pub size: u64,
}

impl Input {
    /// Whether this is a symbolic link to a missing file.
    pub fn is_dangling_link(&self) -> bool {
        self.size == 0 && self.path.is_symlink() && !self.path.exists()
    }

    /// Whether the name is that of a WARC file, compressed or not.
    pub(crate) fn is_named_warc(&self) -> bool {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let packed = [".gz", ".bz2", ".xz", ".zst"].into_iter().find_map(|ending| name.strip_suffix(ending));
        packed.unwrap_or(&name).ends_with(".warc")
    }
}
