//! What reading a corpus yields: documents, and records that were not read with the reason why.

use std::fmt;

use strum::{EnumString, IntoStaticStr, VariantArray};

/// What the bytes of a document are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Media {
    /// Markup whose tags are not text: HTML, XHTML, XML, the inside of a TREC document.
    Html,
    Text,
    /// The markup of MediaWiki.
    Wikitext,
}

/// One document as it lies in a corpus, before decoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document<'a> {
    /// Without blanks at its ends; tabs and line ends inside became blanks. Never empty.
    pub id: &'a str,
    /// Address it was fetched from, empty if the corpus has none.
    pub url: &'a str,
    /// Date as written in the corpus, empty if there is none.
    pub date: &'a str,
    pub media: Media,
    /// The charset that HTTP or the container names, as written. JSONL is always UTF-8.
    pub charset: Option<&'a str>,
    /// The page, without HTTP header, chunk sizes and content encoding. Never empty.
    pub body: &'a [u8],
    /// Where to find it again with `Batches::open_at`: its byte in a plain file, the byte of its gzip member where
    /// records have members of their own, otherwise its byte in the decompressed file.
    pub offset: u64,
}

/// A record that was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedRecord {
    /// Where it begins, counted like [`Document::offset`].
    pub offset: u64,
    pub reason: SkipReason,
    /// What was seen: a media type, a length, an id. May be empty; one line.
    pub detail: String,
}

/// One result of reading a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CorpusItem<'a> {
    Document(Document<'a>),
    Skipped(SkippedRecord),
}

/// Why a record was not read. The text of each reason is stable: users count and compare it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray)]
pub enum SkipReason {
    /// The compressed data ends before its end mark.
    #[strum(serialize = "compressed data ends early")]
    CompressedEnd,
    /// Compressed data that cannot be inflated or whose checksum is wrong.
    #[strum(serialize = "compressed data damaged")]
    CompressedDamage,
    /// Compressed data that asks for more memory than is given to a file.
    #[strum(serialize = "compressed data needs too much memory")]
    CompressedMemory,
    /// A page that was sent in chunks, with a size among them that is no number.
    #[strum(serialize = "chunk size damaged")]
    ChunkDamage,
    /// Bytes where a record should begin.
    #[strum(serialize = "no record begins here")]
    NoRecord,
    /// The file ends inside the record.
    #[strum(serialize = "record ends early")]
    EndsEarly,
    /// The body is longer than [`crate::LARGEST_BODY`].
    #[strum(serialize = "body too large")]
    TooLarge,
    /// The text has more than [`crate::MOST_WORDS`].
    #[strum(serialize = "too many words")]
    TooManyWords,
    /// Images, PDF, style sheets, scripts, DNS answers.
    #[strum(serialize = "media type not text")]
    MediaType,
    /// No media type, and the bytes are not text.
    #[strum(serialize = "binary content")]
    Binary,
    /// The server sent the visitor elsewhere: HTTP 300 to 399.
    #[strum(serialize = "HTTP redirect")]
    HttpRedirect,
    /// The server did not deliver the page: HTTP 400 and above.
    #[strum(serialize = "HTTP error")]
    HttpError,
    /// A content encoding that cannot be undone, such as brotli.
    #[strum(serialize = "content encoding not supported")]
    Encoding,
    /// A revisit record: the page is in another archive.
    #[strum(serialize = "revisit record")]
    Revisit,
    /// A later part of a segmented record.
    #[strum(serialize = "continuation record")]
    Continuation,
    /// A record type that no WARC standard names.
    #[strum(serialize = "record type not known")]
    RecordType,
    /// The record contains no page.
    #[strum(serialize = "empty body")]
    Empty,
    /// A TREC document without number or a JSON line without id.
    #[strum(serialize = "no id")]
    NoId,
    /// A line that is not a JSON object.
    #[strum(serialize = "not a JSON object")]
    Json,
    /// A wiki page that only points to another.
    #[strum(serialize = "redirect page")]
    Redirect,
    /// A wiki page that is no article: a template, a category, a talk page.
    #[strum(serialize = "page of another namespace")]
    Namespace,
    /// A link to a file that is not there.
    #[strum(serialize = "file not readable")]
    Unreadable,
    /// Another record with the same id was read before.
    #[strum(serialize = "repeated id")]
    RepeatedId,
    /// The file has no bytes.
    #[strum(serialize = "empty file")]
    EmptyFile,
    /// A kind of file that is not supported.
    #[strum(serialize = "file not read")]
    FileNotRead,
    /// The program broke over a document of the file, or did not survive it, while others were searched.
    #[strum(serialize = "file given up")]
    GivenUp,
}

impl SkipReason {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether a whole file was not read, not a record of it.
    pub const fn is_of_file(self) -> bool {
        matches!(self, Self::Unreadable | Self::EmptyFile | Self::FileNotRead | Self::GivenUp)
    }

    /// What the reason means for a user, and what to do about it.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::CompressedEnd | Self::EndsEarly => {
                "the file is cut short: fetch it again, unless pages were cut when crawled"
            }
            Self::CompressedDamage => {
                "damaged bytes, listed in skipped.tsv: fetch the file again, unless pages came so"
            }
            Self::CompressedMemory => "compress the file again with a dictionary of at most 128 MiB, as xz -9 does",
            Self::ChunkDamage => "the rest of the page is read as it is: fetch it again, unless it came so",
            Self::NoRecord => "bytes between records; if pages are missing, name the format in study.toml",
            Self::TooLarge => "documents of more than 16 MiB are never read",
            Self::TooManyWords => "documents of more than 1,500,000 words are never read",
            Self::MediaType => "images, PDF, scripts and the like; only pages and plain text are read",
            Self::Binary => "no text by its bytes, whatever its type says",
            Self::HttpRedirect => "the server sent visitors elsewhere; [text] status = \"all\" reads these, too",
            Self::HttpError => "the server did not deliver the page; [text] status = \"all\" reads these, too",
            Self::Encoding => "compressed in a way that cannot be undone here; store the pages without it",
            Self::Revisit => "unchanged since an earlier visit: add the archive that holds the page",
            Self::Continuation => "a later part of a long record; only its first part is read",
            Self::RecordType => "no WARC standard names this type",
            Self::Empty => "the record holds no page",
            Self::NoId => "a document needs an id to be named by",
            Self::Json => "each line must be one JSON object",
            Self::Redirect => "the page only points to another; links need no action",
            Self::Namespace => "templates, categories and talk are no articles",
            Self::Unreadable => "a link to a file that is not there: mend or remove the link",
            Self::RepeatedId => "one record of each id counts; `dejaview show STUDY ID --record 2` shows the next",
            Self::EmptyFile => "there is nothing in the file: fetch it again",
            Self::FileNotRead => "of a kind that is not read: skipped.tsv says for each what it is and what to do",
            Self::GivenUp => "a worker broke over the file: skipped.tsv says where and why; please report it",
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is said of a document that is damaged, and how far it is read nevertheless.
pub(crate) fn read_nevertheless(damage: SkipReason, id: &str) -> String {
    let how = match damage {
        SkipReason::ChunkDamage => "the rest is read as it is",
        _ => "read as far as it goes",
    };
    format!("{how}: {id}")
}

/// Appends `bytes` to `out` as one line: invalid UTF-8 becomes U+FFFD, control characters become blanks, and blanks at the
/// ends are removed.
pub(crate) fn push_line(out: &mut String, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    out.extend(
        text.trim_matches(|c: char| c.is_whitespace() || c.is_control())
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c }),
    );
}

/// Bytes that a line of [`one_line`] is made of.
pub(crate) const SHOWN: usize = 800;

/// `bytes` as one line, at most 200 characters of it: for [`SkippedRecord::detail`].
pub(crate) fn one_line(bytes: &[u8]) -> String {
    let mut out = String::new();
    push_line(&mut out, &bytes[..bytes.len().min(SHOWN)]);
    match out.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &out[..end]),
        None => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_its_own_words() {
        let words: std::collections::BTreeSet<&str> = SkipReason::ALL.iter().copied().map(SkipReason::as_str).collect();
        assert_eq!(words.len(), SkipReason::ALL.len());
        assert!(SkipReason::ALL.iter().copied().all(|reason| reason.advice().len() <= 80));
    }

    #[test]
    fn lines_hold_no_tab_and_no_newline() {
        let mut out = String::new();
        push_line(&mut out, b" a\tb\r\nc\xff\x01 ");
        assert_eq!(out, "a b  c\u{fffd}");
        assert_eq!(one_line(&[b'x'; 999]).chars().count(), 201);
    }
}
