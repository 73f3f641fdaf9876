//! JSON lines: `id`, `url`, `date`, and the page as `html`, or its text as `text`, `contents` or `body`.
//!
//! `docid` and `_id` count as `id`, `article_url` as `url`, `published_date` as `date`. A list of `contents`, as TREC's
//! Washington Post collection has it, becomes a page of its parts. Other keys are ignored. A line that is not a JSON
//! object with an id is skipped.

use std::borrow::Cow;

use crate::contents::{Contents, escaped};
use crate::cut::{Cut, Cutter, Edge};
use crate::format::{Format, Sign, front};
use crate::item::{one_line, push_line};
use crate::scalar::Scalar;
use crate::{CorpusItem, Document, LARGEST_BODY, Media, SkipReason, SkippedRecord};

pub(crate) static FORMAT: Format = Format {
    sniff: |first| front(first).starts_with(b"{").then_some(Sign::FirstCharacter),
    ..Format::new("jsonl", || Box::<LineCutter>::default(), |record, _, visit| read(record.bytes, record.offset, visit))
};

/// Longest line that is read: a body may need two bytes of JSON for each of its own.
pub(crate) const LONGEST_LINE: usize = 2 * LARGEST_BODY;

/// Cuts a file into lines.
#[derive(Debug, Default)]
pub(crate) struct LineCutter {
    /// Bytes that are known to contain no line end.
    scanned: usize,
    /// Whether the rest of a line that was too long is skipped.
    skipping: bool,
}

impl Cutter for LineCutter {
    fn cut(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        let end = memchr::memchr(b'\n', &bytes[self.scanned..]).map(|n| self.scanned + n + 1);
        self.scanned = 0;
        let is_complete = end.is_some() || edge != Edge::More;
        let length = end.unwrap_or(bytes.len());
        if self.skipping {
            self.skipping = end.is_none();
            Cut::Drop(length)
        } else if length > LONGEST_LINE {
            self.skipping = true;
            Cut::Skip(LONGEST_LINE, SkipReason::TooLarge, format!("a line of more than {LONGEST_LINE} bytes"))
        } else if !is_complete {
            self.scanned = bytes.len();
            Cut::NeedMore
        } else if bytes[..length].trim_ascii().is_empty() {
            Cut::Drop(length)
        } else if end.is_none() && edge == Edge::Damage {
            Cut::Incomplete
        } else {
            Cut::Record(length)
        }
    }
}

/// Reads the document of one line, or of one element of an array.
pub(crate) fn read(line: &[u8], offset: u64, visit: &mut dyn FnMut(CorpusItem<'_>)) {
    let mut skip = |reason, detail| visit(CorpusItem::Skipped(SkippedRecord { offset, reason, detail }));
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if !line.trim_ascii_start().starts_with(b"{") {
        return skip(SkipReason::Json, one_line(line));
    }
    let fields: Fields<'_> = match serde_json::from_slice(line) {
        Ok(fields) => fields,
        Err(error) => return skip(SkipReason::Json, error.to_string()),
    };
    let id = fields.id.or_else(fields.docid).or_else(fields._id);
    let (url, date) = (fields.url.or_else(fields.article_url), fields.date.or_else(fields.published_date));
    let [id, url, date] = [id, url, date].map(|value| {
        let mut out = String::new();
        push_line(&mut out, value.text().as_bytes());
        out
    });
    if id.is_empty() {
        return skip(SkipReason::NoId, one_line(line));
    }
    let (media, body) = match fields.html {
        Scalar(Some(html)) => (Media::Html, html),
        Scalar(None) => match fields.contents {
            Contents::Parts(page) => (Media::Html, Cow::Owned(titled(fields.title.text(), page))),
            Contents::Text(contents) => {
                (Media::Text, fields.text.or_else(contents).or_else(fields.body).0.unwrap_or(Cow::Borrowed("")))
            }
        },
    };
    if body.trim().is_empty() {
        return skip(SkipReason::Empty, id);
    }
    if body.len() > LARGEST_BODY {
        return skip(SkipReason::TooLarge, id);
    }
    let (charset, body) = (Some("utf-8"), body.as_bytes());
    visit(CorpusItem::Document(Document { id: &id, url: &url, date: &date, media, charset, body, offset }));
}

/// A page with a title, if there is one.
fn titled(title: &str, page: String) -> String {
    if title.is_empty() { page } else { format!("<title>{}</title>\n{page}", escaped(title)) }
}

#[derive(serde::Deserialize)]
struct Fields<'a> {
    #[serde(borrow, default)]
    id: Scalar<'a>,
    #[serde(borrow, default)]
    docid: Scalar<'a>,
    #[serde(borrow, default)]
    _id: Scalar<'a>,
    #[serde(borrow, default)]
    url: Scalar<'a>,
    #[serde(borrow, default)]
    article_url: Scalar<'a>,
    #[serde(borrow, default)]
    date: Scalar<'a>,
    #[serde(borrow, default)]
    published_date: Scalar<'a>,
    #[serde(borrow, default)]
    title: Scalar<'a>,
    #[serde(borrow, default)]
    html: Scalar<'a>,
    #[serde(borrow, default)]
    text: Scalar<'a>,
    #[serde(borrow, default)]
    contents: Contents<'a>,
    #[serde(borrow, default)]
    body: Scalar<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        let mut out = String::new();
        read(line.as_bytes(), 7, &mut |item| {
            out = match item {
                CorpusItem::Document(d) => {
                    format!("{}|{}|{}|{:?}|{}", d.id, d.url, d.date, d.media, String::from_utf8_lossy(d.body))
                }
                CorpusItem::Skipped(skip) => format!("{} at {}", skip.reason, skip.offset),
            };
        });
        out
    }

    #[test]
    fn keys_and_their_other_names() {
        assert_eq!(shown(r#"{"id": "a", "url": "u", "html": "<p>\n", "date": "d"}"#), "a|u|d|Html|<p>\n");
        assert_eq!(shown(r#"{"docid": 12, "contents": "x", "url": null, "more": [1, {"id": 2}]}"#), "12|||Text|x");
        assert_eq!(shown(r#"{"_id": "a\tb", "body": "x"}"#), "a b|||Text|x");
        assert_eq!(shown("\u{feff}{\"id\": \"a\", \"text\": \"x\"}\r\n"), "a|||Text|x");
    }

    // Written after the description of the collection on trec.nist.gov/data/wapost: the collection itself is licensed.
    #[test]
    fn articles_of_the_washington_post() {
        let line = r#"{"id": "b2e89334", "article_url": "https://x/a.html", "title": "Nick", "published_date": 1325376562000,
            "contents": [{"content": "Sports", "mime": "text/plain", "type": "kicker"}, null,
            {"content": "Nick & Ed", "mime": "text/plain", "type": "title"}, {"content": 1325376562000, "type": "date"},
            {"fullcaption": "A <catch>", "type": "image"},
            {"content": "He <b>ran</b>.", "subtype": "paragraph", "mime": "text/html", "type": "sanitized_html"}]}"#;
        let page =
            "<title>Nick</title>\n<p>Sports</p>\n<p>Nick &amp; Ed</p>\n<p>A &lt;catch></p>\n<p>He <b>ran</b>.</p>\n";
        assert_eq!(shown(line), format!("b2e89334|https://x/a.html|1325376562000|Html|{page}"));
        assert_eq!(shown(r#"{"id": 1, "contents": ["a", "b"]}"#), "1|||Html|<p>a</p>\n<p>b</p>\n");
        assert_eq!(shown(r#"{"id": 1, "contents": [null], "text": "x"}"#), "1|||Text|x");
    }

    #[test]
    fn bad_lines_say_why() {
        assert_eq!(shown(r#"{"id": "a", "html": "#), "not a JSON object at 7");
        assert_eq!(shown("[1]"), "not a JSON object at 7");
        assert_eq!(shown(r#"{"html": "x"}"#), "no id at 7");
        assert_eq!(shown(r#"{"id": "a", "html": " "}"#), "empty body at 7");
    }

    #[test]
    fn lines_are_cut_as_they_arrive() {
        let mut cutter = LineCutter::default();
        assert_eq!(cutter.cut(b"{}", Edge::More), Cut::NeedMore);
        assert_eq!(cutter.cut(b"{} \n{}", Edge::More), Cut::Record(4));
        assert_eq!(cutter.cut(b"\r\n{}", Edge::More), Cut::Drop(2));
        assert_eq!(cutter.cut(b"{}", Edge::End), Cut::Record(2));
        assert_eq!(cutter.cut(b"{}", Edge::Damage), Cut::Incomplete);
    }
}
