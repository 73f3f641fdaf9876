//! An input file of a study, and what its name and path say about it.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use crate::SkipReason;
use crate::addresses;
use crate::format::Format;
use crate::status::AcceptedStatus;
use dejaview_base::system;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Or an address, which somebody else reads (see [`addresses`]).
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
    /// Why there is nothing to be read here, though the study names it: it is empty, or no file at all.
    pub fn obstacle(&self) -> Option<(SkipReason, &'static str)> {
        if addresses::is_address(&self.path) {
            return (self.size == 0).then_some((SkipReason::EmptyFile, ""));
        }
        let not_read = |what| Some((SkipReason::FileNotRead, what));
        let Ok(about) = fs::metadata(&self.path) else {
            // Whether it can be opened is seen when it is opened.
            let dangling = self.path.is_symlink() && !self.path.exists();
            return dangling.then_some((SkipReason::Unreadable, "it is a link to a file that is not there"));
        };
        match about.file_type() {
            kind if kind.is_dir() => {
                not_read("it is a link to a folder that holds it; the files in there are read once")
            }
            kind => match system::special(kind) {
                Some("pipe") => not_read("it is a pipe; write what comes out of it into a file"),
                Some("socket") => not_read("it is a socket, not a file"),
                Some(_) => not_read("it is a device, not a file"),
                None if about.len() == 0 => Some((SkipReason::EmptyFile, "")),
                None => None,
            },
        }
    }

    /// Of each input that is the same file as an earlier one, by a symbolic link, the number of that one.
    pub fn same_files(inputs: &[Self]) -> HashMap<usize, usize> {
        let mut known: HashMap<(u64, u64), Vec<usize>> = HashMap::new();
        let mut same = HashMap::new();
        for (number, input) in inputs.iter().enumerate() {
            let Ok(about) = fs::metadata(&input.path) else { continue };
            let others = known.entry(system::identity(&about)).or_default();
            // Hard links are two files with two names; what is behind a symbolic link has one.
            let real = || input.path.canonicalize().ok();
            let first = others
                .iter()
                .find(|&&other| real().is_some_and(|path| inputs[other].path.canonicalize().is_ok_and(|o| o == path)));
            match first {
                Some(first) => _ = same.insert(number, *first),
                None => others.push(number),
            }
        }
        same
    }

    /// Whether the name is that of a WARC file, compressed or not.
    pub(crate) fn is_named_warc(&self) -> bool {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let packed =
            [".gz", ".bz2", ".xz", ".zst", ".lz4", ".z"].into_iter().find_map(|ending| name.strip_suffix(ending));
        packed.unwrap_or(&name).ends_with(".warc")
    }
}
