//! What comes out of a corpus: a document, or the reason why a record is none.

use std::fmt;

/// What the bytes of a document are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Media {
    /// Markup whose tags are not text: HTML, XHTML, XML, the inside of a TREC document.
    Html,
    /// Plain text.
    Text,
    /// Wikitext of MediaWiki.
    Wikitext,
}

/// One document as it lies in a corpus, before decoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Document<'a> {
    /// Id without blanks at its ends; tabs and line ends inside became blanks. Never empty.
    pub id: &'a str,
    /// Address it was fetched from, empty if the corpus has none.
    pub url: &'a str,
    /// Date as written in the corpus, empty if there is none.
    pub date: &'a str,
    /// Whether tags are to be taken out.
    pub media: Media,
    /// Charset that HTTP or the container names, as written. JSONL is always UTF-8.
    pub charset: Option<&'a str>,
    /// The page, without HTTP header, chunk sizes and content encoding. Never empty.
    pub body: &'a [u8],
    /// Where to find it again with `Batches::open_at`: its byte in a plain file, the byte of its gzip member where
    /// records have members of their own, otherwise its byte in the decompressed file.
    pub offset: u64,
}

/// A record that was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// Where it begins, counted like [`Document::offset`].
    pub offset: u64,
    /// Stable: counted and compared by users.
    pub reason: Reason,
    /// What was seen: a media type, a length, an id. May be empty; one line.
    pub detail: String,
}

/// What a batch shows, in file order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item<'a> {
    /// A document.
    Document(Document<'a>),
    /// A record that is not read as a document, and why.
    Skipped(Skip),
}

/// Why a record was not read. The words of [`fmt::Display`] are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The compressed data ends before its end mark.
    CompressedEnd,
    /// Compressed data that cannot be inflated or whose checksum is wrong.
    CompressedDamage,
    /// Bytes where a record should begin.
    NoRecord,
    /// The file ends inside the record.
    EndsEarly,
    /// The body is longer than [`crate::LARGEST_BODY`].
    TooLarge,
    /// Images, PDF, style sheets, scripts, DNS answers.
    MediaType,
    /// No media type, and the bytes are not text.
    Binary,
    /// The server sent the visitor elsewhere: HTTP 300 to 399.
    HttpRedirect,
    /// The server did not deliver the page: HTTP 400 and above.
    HttpError,
    /// A content encoding that cannot be undone, brotli for one.
    Encoding,
    /// A revisit record: the page stands elsewhere.
    Revisit,
    /// A later part of a segmented record.
    Continuation,
    /// A record type that no WARC standard names.
    RecordType,
    /// There is no page in the record.
    Empty,
    /// A TREC document without number or a JSON line without id.
    NoId,
    /// A line that is not a JSON object.
    Json,
    /// A page of a wiki that only points to another.
    Redirect,
    /// A page of a wiki that is no article: a template, a category, a talk.
    Namespace,
    /// The file could not be read further.
    Unreadable,
    /// Another record has the same id, and counts.
    RepeatedId,
    /// There is no byte in the file.
    EmptyFile,
    /// A file of a kind that is not known.
    FileNotRead,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::CompressedEnd,
        Self::CompressedDamage,
        Self::NoRecord,
        Self::EndsEarly,
        Self::TooLarge,
        Self::MediaType,
        Self::Binary,
        Self::HttpRedirect,
        Self::HttpError,
        Self::Encoding,
        Self::Revisit,
        Self::Continuation,
        Self::RecordType,
        Self::Empty,
        Self::NoId,
        Self::Json,
        Self::Redirect,
        Self::Namespace,
        Self::Unreadable,
        Self::RepeatedId,
        Self::EmptyFile,
        Self::FileNotRead,
    ];

    /// The stable short text.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CompressedEnd => "compressed data ends early",
            Self::CompressedDamage => "compressed data damaged",
            Self::NoRecord => "no record begins here",
            Self::EndsEarly => "record ends early",
            Self::TooLarge => "body too large",
            Self::MediaType => "media type not text",
            Self::Binary => "binary content",
            Self::HttpRedirect => "HTTP redirect",
            Self::HttpError => "HTTP error",
            Self::Encoding => "content encoding not supported",
            Self::Revisit => "revisit record",
            Self::Continuation => "continuation record",
            Self::RecordType => "record type not known",
            Self::Empty => "empty body",
            Self::NoId => "no id",
            Self::Json => "not a JSON object",
            Self::Redirect => "redirect page",
            Self::Namespace => "page of another namespace",
            Self::Unreadable => "file not readable",
            Self::RepeatedId => "repeated id",
            Self::EmptyFile => "empty file",
            Self::FileNotRead => "file not read",
        }
    }

    /// What it means, and what to do about it.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::CompressedEnd | Self::EndsEarly => "the file is cut short: fetch it again",
            Self::CompressedDamage => "the file is damaged from there on: fetch it again",
            Self::NoRecord => "bytes between records; if pages are missing, name the format in study.toml",
            Self::TooLarge => "pages of more than 64 MiB are never read",
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
            Self::Unreadable => "the system failed to read on: check the disk, then run again with --fresh",
            Self::RepeatedId => "one record of each id counts; `dejaview show STUDY ID --record 2` shows the next",
            Self::EmptyFile => "there is nothing in the file: fetch it again",
            Self::FileNotRead => "of a kind that is not known: name its format in study.toml, or leave it out",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Appends `bytes` to `out` as one line: not UTF-8 becomes U+FFFD, blanks at the ends go, control characters become
/// blanks.
pub(crate) fn push_line(out: &mut String, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    out.extend(
        text.trim_matches(|c: char| c.is_whitespace() || c.is_control())
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c }),
    );
}

/// `bytes` as one line, at most 200 characters of it: for [`Skip::detail`].
pub(crate) fn one_line(bytes: &[u8]) -> String {
    let mut out = String::new();
    push_line(&mut out, &bytes[..bytes.len().min(800)]);
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
        let words: std::collections::BTreeSet<&str> = Reason::ALL.into_iter().map(Reason::as_str).collect();
        assert_eq!(words.len(), Reason::ALL.len());
        assert!(Reason::ALL.into_iter().all(|reason| reason.advice().len() <= 80));
    }

    #[test]
    fn lines_hold_no_tab_and_no_newline() {
        let mut out = String::new();
        push_line(&mut out, b" a\tb\r\nc\xff\x01 ");
        assert_eq!(out, "a b  c\u{fffd}");
        assert_eq!(one_line(&[b'x'; 999]).chars().count(), 201);
    }
}
