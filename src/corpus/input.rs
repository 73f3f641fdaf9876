//! One input file of a study, and the formats it can be in.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// One input file of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Where it lies.
    pub path: PathBuf,
    /// As shown in messages and in `skipped.tsv`: relative to the study. The id of a page that is a file of its own.
    pub name: String,
    /// The format the user named; `None` to look at the bytes.
    pub format: Option<Format>,
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

/// Which answers of web servers are documents, by their HTTP status. A record without one always is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Status {
    /// Pages that the server delivered: 200 to 299.
    #[default]
    Ok,
    /// Redirects and errors, too.
    All,
}

/// How documents lie in a file, compression aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// WARC 0.17 to 1.1.
    Warc,
    /// TREC web and TREC text: `<DOC>`, `<DOCNO>`.
    Trecweb,
    /// One JSON object a line.
    Jsonl,
    /// MediaWiki export XML: the newest revision of each page.
    MediaWiki,
    /// The same: all revisions but the newest.
    MediaWikiOlder,
    /// The same: all revisions.
    MediaWikiAll,
    /// One page.
    Html,
    /// One plain text.
    Text,
}

impl Format {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 8] = [
        Self::Warc,
        Self::Trecweb,
        Self::Jsonl,
        Self::MediaWiki,
        Self::MediaWikiOlder,
        Self::MediaWikiAll,
        Self::Html,
        Self::Text,
    ];

    /// Whether it is an export of a wiki.
    pub(crate) const fn is_mediawiki(self) -> bool {
        matches!(self, Self::MediaWiki | Self::MediaWikiOlder | Self::MediaWikiAll)
    }

    /// The word used in `study.toml`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warc => "warc",
            Self::Trecweb => "trecweb",
            Self::Jsonl => "jsonl",
            Self::MediaWiki => "mediawiki",
            Self::MediaWikiOlder => "mediawiki-older",
            Self::MediaWikiAll => "mediawiki-all",
            Self::Html => "html",
            Self::Text => "text",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format {0:?}: expected warc, trecweb, jsonl, mediawiki, mediawiki-older, mediawiki-all, html or text")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        Self::ALL.into_iter().find(|f| f.as_str() == word).ok_or_else(|| UnknownFormat(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_formats_agree() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "arc".parse::<Format>().unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown format \"arc\": expected warc, trecweb, jsonl, mediawiki, mediawiki-older, mediawiki-all, html or text"
        );
    }
}
