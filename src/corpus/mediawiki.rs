//! MediaWiki export XML: pages with one revision or all of them.
//!
//! Read without an XML parser: an export is `<page>` after `<page>`, its texts hold no `<` of their own, and nothing but the
//! five entities of XML and numbers is known, so that no declaration can make a page grow. A parser (quick-xml was tried)
//! takes a stray `<` and all up to the next `>` for a tag, so that words are lost, and ends at a comment that is never
//! closed; here a broken page costs itself alone and is reported with its offset. A page is one record; of a page
//! with its history the newest revision is read, or the older ones, as the format says ([`Revisions`]). Redirects, pages
//! outside the main namespace and models other than wikitext are reported and not read.
//!
//! The id is the title with underscores, as in the page's address; a revision that is not the newest has its number after
//! an `@`. All revisions of a page have its address.

use std::borrow::Cow;

use memchr::memmem;

use crate::cut::{Cut, Cutter, Edge};
use crate::format::{Format, Sign, front};
use crate::item::{SHOWN, one_line, push_line};
use crate::record::Record;
use crate::{CorpusItem, Document, LARGEST_BODY, Media, SkipReason, SkippedRecord};

/// The newest revision of each page.
pub(crate) static NEWEST: Format = Format {
    sniff,
    prologue: title_address,
    ..Format::new(
        "mediawiki",
        || Box::<PageCutter>::default(),
        |record, _, visit| {
            read(record, Revisions::Newest, visit);
        },
    )
};

/// All revisions but the newest.
pub(crate) static OLDER: Format = Format {
    prologue: title_address,
    ..Format::new(
        "mediawiki-older",
        || Box::<PageCutter>::default(),
        |record, _, visit| {
            read(record, Revisions::Older, visit);
        },
    )
};

pub(crate) static ALL: Format = Format {
    prologue: title_address,
    ..Format::new(
        "mediawiki-all",
        || Box::<PageCutter>::default(),
        |record, _, visit| {
            read(record, Revisions::All, visit);
        },
    )
};

const OPEN: &[u8] = b"<page>";
const CLOSE: &[u8] = b"</page>";

/// Longest page with all its revisions.
const LARGEST_PAGE: usize = 4 * LARGEST_BODY;

/// Which revisions of a page are documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Revisions {
    /// The one with the latest time.
    Newest,
    /// All but the newest.
    Older,
    All,
}

fn sniff(first: &[u8]) -> Option<Sign> {
    let first = front(first);
    let begins = |tag: &[u8]| first.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    let is_export = begins(b"<mediawiki") || begins(b"<?xml") && memmem::find(first, b"<mediawiki").is_some();
    is_export.then_some(Sign::FirstTag)
}

/// Cuts an export into pages.
#[derive(Debug, Default)]
struct PageCutter {
    /// Whether a page was seen: from then on, bytes between pages are reported.
    begun: bool,
    /// Whether bytes up to the next page belong to something that was reported.
    skipping: bool,
    /// Bytes that are known to contain no `</page>`.
    scanned: usize,
}

impl Cutter for PageCutter {
    fn cut(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        let blanks = bytes.iter().take_while(|b| b.is_ascii_whitespace()).count();
        if blanks > 0 {
            return Cut::Drop(blanks);
        }
        if bytes.starts_with(OPEN) {
            return self.page(bytes, edge);
        }
        let end = memmem::find(bytes, OPEN);
        // What is shown of bytes between pages must not depend on how many of them are there yet.
        if end.is_none() && bytes.len() < SHOWN + OPEN.len() && edge == Edge::More {
            return Cut::NeedMore;
        }
        let is_news = self.begun && !self.skipping && !bytes.starts_with(b"</mediawiki>");
        self.skipping = end.is_none();
        let length = end.unwrap_or(if edge == Edge::More { bytes.len() - (OPEN.len() - 1) } else { bytes.len() });
        if is_news { Cut::Skip(length, SkipReason::NoRecord, one_line(&bytes[..length])) } else { Cut::Drop(length) }
    }
}

impl PageCutter {
    fn page(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        (self.begun, self.skipping) = (true, false);
        let seen = &bytes[..bytes.len().min(LARGEST_PAGE)];
        let from = self.scanned.max(OPEN.len());
        let close = memmem::find(&seen[from.min(seen.len())..], CLOSE).map(|at| from + at);
        self.scanned = 0;
        let inside = &seen[OPEN.len()..close.unwrap_or(seen.len())];
        if (close.is_some() || edge != Edge::More)
            && let Some(next) = memmem::find(inside, OPEN)
        {
            return Cut::Skip(OPEN.len() + next, SkipReason::EndsEarly, format!("no </page>: {}", one_line(inside)));
        }
        if let Some(close) = close {
            return Cut::Record(close + CLOSE.len());
        }
        if seen.len() == LARGEST_PAGE {
            self.skipping = true;
            return Cut::Skip(OPEN.len(), SkipReason::TooLarge, format!("a page of more than {LARGEST_PAGE} bytes"));
        }
        if edge != Edge::More {
            return Cut::Incomplete;
        }
        self.scanned = seen.len().saturating_sub(CLOSE.len());
        Cut::NeedMore
    }
}

/// The content between `<name …>` and `</name>`, and what follows it; the content is empty for `<name … />`.
fn element<'a>(bytes: &'a [u8], name: &str) -> Option<(&'a [u8], &'a [u8])> {
    let open = format!("<{name}");
    let mut from = 0;
    loop {
        let at = from + memmem::find(&bytes[from..], open.as_bytes())?;
        let after = at + open.len();
        if bytes.get(after).is_some_and(|b| b.is_ascii_alphanumeric()) {
            from = after;
            continue;
        }
        let end = after + memchr::memchr(b'>', &bytes[after..])?;
        if bytes[end - 1] == b'/' {
            return Some((&[], &bytes[end + 1..]));
        }
        let inside = &bytes[end + 1..];
        let close = format!("</{name}>");
        let length = memmem::find(inside, close.as_bytes())?;
        return Some((&inside[..length], &inside[length + close.len()..]));
    }
}

/// The content of an element as one line of text.
fn element_line(bytes: &[u8], name: &str) -> String {
    let mut out = String::new();
    if let Some((inside, _)) = element(bytes, name) {
        push_line(&mut out, unescape(inside).as_ref());
    }
    out
}

/// Resolves the entities of XML. No others are known, so the text cannot grow.
fn unescape(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'&', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'&', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let known = [("&lt;", b'<'), ("&gt;", b'>'), ("&amp;", b'&'), ("&quot;", b'"'), ("&apos;", b'\'')];
        rest = match known.iter().find(|(name, _)| rest.starts_with(name.as_bytes())) {
            Some((name, byte)) => {
                out.push(*byte);
                &rest[name.len()..]
            }
            None => numeric_entity(rest, &mut out),
        };
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

/// Resolves `&#233;` and `&#xe9;`, and returns the text after it; anything else is kept.
fn numeric_entity<'a>(text: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let end = text.iter().take(12).position(|b| *b == b';');
    let digits = end.and_then(|end| std::str::from_utf8(&text[1..end]).ok());
    let code = digits.and_then(|digits| match digits.strip_prefix("#x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => digits.strip_prefix('#')?.parse().ok(),
    });
    match (code.and_then(char::from_u32), end) {
        (Some(c), Some(end)) => {
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            &text[end + 1..]
        }
        _ => {
            out.push(b'&');
            &text[1..]
        }
    }
}

struct Revision<'a> {
    id: String,
    time: String,
    inside: &'a [u8],
}

/// Reads the wanted revisions of one page. The prologue of the record is what [`title_address`] found.
fn read(record: &Record<'_>, which: Revisions, visit: &mut dyn FnMut(CorpusItem<'_>)) {
    let Record { bytes: record, prologue: title_address, offset, .. } = *record;
    let header = &record[..memmem::find(record, b"<revision>").unwrap_or(record.len())];
    let title = element_line(header, "title");
    let mut skip = |reason, detail: String| visit(CorpusItem::Skipped(SkippedRecord { offset, reason, detail }));
    if title.is_empty() {
        return skip(SkipReason::NoId, one_line(header));
    }
    let namespace = element_line(header, "ns");
    if !namespace.is_empty() && namespace != "0" {
        return skip(SkipReason::Namespace, title);
    }
    let all = revisions(record);
    let newest = (0..all.len()).rev().max_by_key(|&i| (&all[i].time, i));
    let redirect = memmem::find(header, b"<redirect").is_some();
    let name: String = title.chars().map(|c| if c == ' ' { '_' } else { c }).collect();
    let url =
        if title_address.is_empty() { String::new() } else { format!("{title_address}{}", percent_encoded(&name)) };
    if all.is_empty() {
        return skip(SkipReason::Empty, title);
    }
    for (i, revision) in all.iter().enumerate() {
        let latest = Some(i) == newest;
        if which == (if latest { Revisions::Older } else { Revisions::Newest }) {
            continue;
        }
        let id = if which == Revisions::Newest { name.clone() } else { format!("{name}@{}", revision.id) };
        match body(revision, &title, redirect && latest) {
            Err(reason) => visit(CorpusItem::Skipped(SkippedRecord { offset, reason, detail: id })),
            Ok(body) => visit(CorpusItem::Document(Document {
                id: &id,
                url: &url,
                date: &revision.time,
                media: Media::Wikitext,
                charset: Some("utf-8"),
                body: &body,
                offset,
            })),
        }
    }
}

fn revisions(record: &[u8]) -> Vec<Revision<'_>> {
    let mut all = Vec::new();
    let mut rest = record;
    while let Some((inside, after)) = element(rest, "revision") {
        all.push(Revision { id: element_line(inside, "id"), time: element_line(inside, "timestamp"), inside });
        rest = after;
    }
    all
}

/// The title as a heading, followed by the text.
fn body(revision: &Revision<'_>, title: &str, redirect: bool) -> Result<Vec<u8>, SkipReason> {
    let model = element_line(revision.inside, "model");
    if !model.is_empty() && model != "wikitext" {
        return Err(SkipReason::MediaType);
    }
    let text = element(revision.inside, "text").map_or(&b""[..], |(text, _)| text);
    let text = unescape(text);
    let front = text.trim_ascii_start();
    if redirect || front.get(..9).is_some_and(|word| word.eq_ignore_ascii_case(b"#redirect")) {
        return Err(SkipReason::Redirect);
    }
    if front.is_empty() {
        return Err(SkipReason::Empty);
    }
    if text.len() > LARGEST_BODY {
        return Err(SkipReason::TooLarge);
    }
    Ok([b"= ", title.as_bytes(), b" =\n", &text].concat())
}

/// A title as part of an address.
fn percent_encoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~:/;@$!*(),'".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// What comes before titles in the addresses of pages, from the first bytes of an export; empty when they do not say.
fn title_address(first: &[u8]) -> String {
    let main_page = element_line(first, "base");
    main_page.rfind('/').map_or(String::new(), |end| main_page[..=end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<page>\n<title>A &amp; B c</title>\n<ns>0</ns>\n<id>7</id>\n\
        <revision><id>1</id><timestamp>2001-01-01T00:00:00Z</timestamp><text>old '''text'''</text></revision>\n\
        <revision><id>3</id><timestamp>2003-01-01T00:00:00Z</timestamp><contributor><id>9</id></contributor>\
        <model>wikitext</model><text xml:space=\"preserve\">new &lt;b&gt; &amp;nbsp; text</text></revision>\n\
        <revision><id>2</id><timestamp>2002-01-01T00:00:00Z</timestamp><text deleted=\"deleted\" /></revision>\n</page>";

    fn shown(record: &str, which: Revisions) -> Vec<String> {
        let mut items = Vec::new();
        let (prologue, status) = ("https://x.org/wiki/", crate::AcceptedStatus::All);
        let record = Record { bytes: record.as_bytes(), name: "", prologue, status, offset: 0 };
        read(&record, which, &mut |item| {
            items.push(match item {
                CorpusItem::Document(d) => format!("{} {} {} {}", d.id, d.url, d.date, String::from_utf8_lossy(d.body)),
                CorpusItem::Skipped(s) => format!("{}: {}", s.reason, s.detail),
            });
        });
        items
    }

    #[test]
    fn revisions_of_a_page() {
        let url = "https://x.org/wiki/A_%26_B_c";
        let newest = format!("A_&_B_c {url} 2003-01-01T00:00:00Z = A & B c =\nnew <b> &nbsp; text");
        assert_eq!(shown(PAGE, Revisions::Newest), [newest]);
        let older = [
            format!("A_&_B_c@1 {url} 2001-01-01T00:00:00Z = A & B c =\nold '''text'''"),
            "empty body: A_&_B_c@2".to_owned(),
        ];
        assert_eq!(shown(PAGE, Revisions::Older), older);
        assert_eq!(shown(PAGE, Revisions::All).len(), 3);
    }

    #[test]
    fn what_is_no_article_is_reported() {
        let page = |head: &str, text: &str| {
            format!("<page><title>T</title>{head}<revision><text>{text}</text></revision></page>")
        };
        let first = |page: String| shown(&page, Revisions::Newest).remove(0);
        assert_eq!(first(page("<ns>10</ns>", "x")), "page of another namespace: T");
        assert_eq!(first(page("<redirect title=\"U\" />", "x")), "redirect page: T");
        assert_eq!(first(page("", "#Redirect [[U]]")), "redirect page: T");
        assert_eq!(first(page("", " ")), "empty body: T");
        assert_eq!(first("<page><id>1</id></page>".to_owned()), "no id: <page><id>1</id></page>");
        assert_eq!(first("<page><title>T</title></page>".to_owned()), "empty body: T");
        let css = "<page><title>T</title><revision><model>css</model><text>a{}</text></revision></page>";
        assert_eq!(first(css.to_owned()), "media type not text: T");
    }

    #[test]
    fn no_entity_grows() {
        let bomb = "&lol9;&#99999999;&#x41;&#65;&unknown;&";
        assert_eq!(unescape(bomb.as_bytes()), "&lol9;&#99999999;AA&unknown;&".as_bytes());
    }

    #[test]
    fn title_addresses() {
        assert_eq!(
            title_address(b"<siteinfo><base>https://en.wikipedia.org/wiki/Main_Page</base>"),
            "https://en.wikipedia.org/wiki/"
        );
        assert_eq!(title_address(b"<siteinfo>"), "");
    }

    #[test]
    fn pages_are_cut_wherever_the_bytes_end() {
        let export = format!("<mediawiki>\n<siteinfo/>\n{PAGE}\n<page>torn {PAGE}stray<page>x</page>\n</mediawiki>\n");
        let mut expected: Option<Vec<String>> = None;
        for step in [1, 2, 3, 7, 64, 10_000] {
            let (mut cutter, mut held, mut cuts) = (PageCutter::default(), Vec::new(), Vec::new());
            let mut chunks = export.as_bytes().chunks(step).peekable();
            loop {
                let edge = if chunks.peek().is_some() { Edge::More } else { Edge::End };
                if held.is_empty() && edge == Edge::End {
                    break;
                }
                let length = match cutter.cut(&held, edge) {
                    Cut::NeedMore => {
                        held.extend_from_slice(chunks.next().unwrap());
                        continue;
                    }
                    Cut::Record(n) => {
                        cuts.push(format!("record {n}"));
                        n
                    }
                    Cut::Skip(n, reason, _) => {
                        cuts.push(format!("skip {reason}"));
                        n
                    }
                    Cut::Drop(n) => n,
                    Cut::Incomplete => {
                        cuts.push("early".to_owned());
                        held.len()
                    }
                };
                held.drain(..length);
                if held.is_empty() && chunks.peek().is_some() {
                    held.extend_from_slice(chunks.next().unwrap());
                }
            }
            assert_eq!(&cuts, expected.get_or_insert(cuts.clone()), "{step}");
        }
        let length = format!("record {}", PAGE.len());
        let told = ["skip record ends early", &length, "skip no record begins here", "record 14"];
        assert_eq!(expected.unwrap(), [&[length.as_str()][..], &told].concat());
    }
}
