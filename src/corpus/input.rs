//! One input file of a study.

use std::path::PathBuf;

use crate::format::Format;
use crate::status::Status;

/// One input file of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Where it lies.
    pub path: PathBuf,
    /// As shown in messages and in `skipped.tsv`: relative to the study. The id of a page that is a file of its own.
    pub name: String,
    /// The format the user named; `None` to look at the bytes.
    pub format: Option<&'static Format>,
    /// Which answers of web servers are documents.
    pub status: Status,
    /// Size on disk in bytes.
    pub size: u64,
}

impl Input {
    /// Whether it is a link to a file that is not there.
    pub fn leads_nowhere(&self) -> bool {
        self.size == 0 && self.path.is_symlink() && !self.path.exists()
    }

    /// Whether the file's name says that WARC records are in it, packed or not.
    pub(crate) fn promises_warc(&self) -> bool {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let packed = [".gz", ".bz2", ".xz", ".zst"].into_iter().find_map(|ending| name.strip_suffix(ending));
        packed.unwrap_or(&name).ends_with(".warc")
    }
}
