//! Lists of URLs, line by line: memory does not grow with the list.
//!
//! A line is `id url` or `url id`, with a tab, a comma or blanks between, or a URL alone. Which it is, the first lines tell: a
//! URL has a scheme or begins with `www.`, or at least with a host, and an id has neither. A header that names the column
//! `url` tells it too. A list whose lines do not tell is refused.

use std::path::Path;

use crate::corpus::splitter::{Fed, Feed};
use crate::corpus::{CorpusError, text_file};

/// What some programs put in front of UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";
/// Lines that are asked what the fields of a list are.
const ASKED: usize = 1000;
/// Characters of a line that a message shows.
const SHOWN: usize = 120;

/// One line of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed<'a> {
    /// Empty in a list of URLs alone.
    pub id: &'a str,
    /// As written.
    pub url: &'a str,
}

/// What stands between two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Between {
    Tab,
    Blanks,
    Comma,
}

/// What the fields of a line are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fields {
    /// A URL and nothing else.
    Alone,
    /// The id, then the URL.
    IdFirst(Between),
    /// The URL, then the id.
    UrlFirst(Between),
}

/// Reads a list from front to back. Blank lines and lines that begin with `#` are passed over. Returns the number of lines
/// that hold no URL.
pub fn each(path: &Path, visit: &mut dyn FnMut(Listed<'_>)) -> Result<u64, CorpusError> {
    let failed = |source| CorpusError::Read { path: path.to_owned(), source };
    let mut stream = text_file::open(path)?;
    let (mut buffer, mut first, mut without) = (Vec::new(), true, 0);
    let mut fields = None;
    loop {
        let fed = stream.more(&mut buffer);
        if let Fed::Torn(skip) = fed {
            return Err(failed(std::io::Error::new(std::io::ErrorKind::InvalidData, skip.detail)));
        }
        let ended = matches!(fed, Fed::End);
        if first && (ended || buffer.len() >= BOM.len()) {
            first = false;
            buffer.drain(..if buffer.starts_with(BOM) { BOM.len() } else { 0 });
        }
        let whole = if ended { buffer.len() } else { memchr::memrchr(b'\n', &buffer).map_or(0, |at| at + 1) };
        without += lines(&String::from_utf8_lossy(&buffer[..whole]), &mut fields, visit)
            .map_err(|(line, reason)| CorpusError::NoLine { path: path.to_owned(), what: "URL", line, reason })?;
        buffer.drain(..whole);
        if ended {
            return Ok(without);
        }
    }
}

/// Reads whole lines; the first of a list decide what its fields are, or why nobody can tell. Returns the number of those
/// without a URL.
fn lines(text: &str, known: &mut Option<Fields>, visit: &mut dyn FnMut(Listed<'_>)) -> Result<u64, (u32, String)> {
    let mut meant = meant(text);
    let fields = match *known {
        Some(fields) => fields,
        None if meant.clone().next().is_none() => return Ok(0),
        None => {
            let (fields, header) = tell(meant.clone().take(ASKED)).ok_or_else(|| refused(text))?;
            if header {
                meant.next();
            }
            *known.insert(fields)
        }
    };
    let mut without = 0;
    for line in meant {
        match fields.split(line) {
            Some(listed) => visit(listed),
            None => without += 1,
        }
    }
    Ok(without)
}

/// The lines that say something.
fn meant(text: &str) -> impl Iterator<Item = &str> + Clone {
    text.split('\n')
        .map(|line| line.trim_end_matches('\r'))
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

fn refused(text: &str) -> (u32, String) {
    let first = text.lines().position(|line| !line.starts_with('#') && !line.trim().is_empty()).unwrap_or_default();
    let line: String = text.lines().nth(first).unwrap_or_default().chars().take(SHOWN).collect();
    let expected = "expected an id and a URL with a tab, a comma or a blank between, in either order, or a URL alone";
    (first as u32 + 1, format!("{line:?}, {expected}"))
}

/// What the fields of a list are, and whether its first line is a header; most lines decide. None when no line tells.
fn tell<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Option<(Fields, bool)> {
    if let Some(fields) = lines.clone().next().and_then(header) {
        return Some((fields, true));
    }
    let mut votes: Vec<(Fields, usize)> = Vec::new();
    for fields in lines.filter_map(Fields::of) {
        match votes.iter_mut().find(|(voted, _)| *voted == fields) {
            Some((_, count)) => *count += 1,
            None => votes.push((fields, 1)),
        }
    }
    // Of equal ones the first.
    let most = votes.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
    most.map(|(fields, _)| (fields, false))
}

/// The fields that a header names.
fn header(line: &str) -> Option<Fields> {
    let is_url = |name: &str| ["url", "uri"].contains(&unquoted(name).to_ascii_lowercase().as_str());
    let between = between(line);
    let Some(between) = between else { return is_url(line).then_some(Fields::Alone) };
    let (front, back) = between.cut(line)?;
    match (is_url(front), is_url(back)) {
        (false, true) => Some(Fields::IdFirst(between)),
        (true, false) => Some(Fields::UrlFirst(between)),
        _ => None,
    }
}

/// What stands between the fields of a line: a tab if there is one, else a blank, else a comma.
fn between(line: &str) -> Option<Between> {
    let line = line.trim();
    match line {
        line if line.contains('\t') => Some(Between::Tab),
        line if line.contains(' ') => Some(Between::Blanks),
        line if line.contains(',') => Some(Between::Comma),
        _ => None,
    }
}

impl Between {
    fn character(self) -> char {
        match self {
            Self::Tab => '\t',
            Self::Blanks => ' ',
            Self::Comma => ',',
        }
    }

    /// The first field and what is behind it; with tabs the second field.
    fn cut(self, line: &str) -> Option<(&str, &str)> {
        let (front, back) = line.trim_matches([' ', '\r']).split_once(self.character())?;
        let back = if self == Self::Tab { back.split('\t').next().unwrap_or_default() } else { back };
        Some((unquoted(front), unquoted(back)))
    }

    /// What is before the last field, and that; with tabs the first two fields.
    fn cut_last(self, line: &str) -> Option<(&str, &str)> {
        if self == Self::Tab {
            return self.cut(line);
        }
        let (front, back) = line.trim().rsplit_once(self.character())?;
        Some((unquoted(front), unquoted(back)))
    }
}

fn unquoted(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field)
}

impl Fields {
    /// What the fields of one line are, when it tells.
    fn of(line: &str) -> Option<Self> {
        let alone = (like_url(line.trim()) > 0).then_some(Self::Alone);
        let Some(between) = between(line) else { return alone };
        let ends = |(front, back): (&str, &str)| [like_url(front), like_url(back)];
        let first = between.cut(line).map(ends)?;
        if first[1] > first[0] {
            return Some(Self::IdFirst(between));
        }
        let last = between.cut_last(line).map(ends)?;
        if last[0] > last[1] {
            return Some(Self::UrlFirst(between));
        }
        None
    }

    /// The fields of a line; none when it has no URL.
    fn split(self, line: &str) -> Option<Listed<'_>> {
        let pair = match self {
            Self::Alone => None,
            Self::IdFirst(between) => between.cut(line),
            Self::UrlFirst(between) => between.cut_last(line).map(|(url, id)| (id, url)),
        };
        match pair {
            Some((_, "")) => None,
            Some((id, url)) => Some(Listed { id, url }),
            None if self == Self::Alone || like_url(line.trim()) > 0 => Some(Listed { id: "", url: line.trim() }),
            None => None,
        }
    }
}

/// How much a field looks like a URL: 2 with a scheme or `www.`, 1 with a host in front, 0 otherwise.
fn like_url(field: &str) -> u8 {
    let field = field.trim_start_matches('<');
    let scheme = field.split_once("://").map(|(scheme, rest)| (scheme, !rest.is_empty()));
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    };
    if scheme.is_some_and(|(scheme, more)| more && is_scheme(scheme)) {
        return 2;
    }
    if field.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) && field.len() > 4 {
        return 2;
    }
    let host = &field[..field.find(['/', ':', '?', '#']).unwrap_or(field.len())];
    let mut labels = host.split('.').rev();
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let is_top = labels.next().is_some_and(|top| top.len() >= 2 && top.chars().all(|c| c.is_ascii_alphabetic()));
    u8::from(is_top && host.contains('.') && labels.all(is_label))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Vec<(String, String)>, u64), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        std::fs::write(&path, text).unwrap();
        let mut all = Vec::new();
        let without = each(&path, &mut |line| all.push((line.id.to_owned(), line.url.to_owned())));
        without.map(|without| (all, without)).map_err(|why| why.to_string())
    }

    #[test]
    fn either_order_and_whatever_is_between() {
        let expected = |rows: &[(&str, &str)]| -> Vec<(String, String)> {
            rows.iter().map(|(id, url)| ((*id).to_owned(), (*url).to_owned())).collect()
        };
        let two = expected(&[
            ("clueweb12-0000tw-00-00000", "http://a.org/x"),
            ("clueweb12-0000tw-00-00001", "http://b.org/y"),
        ]);
        for between in ["\t", " ", "  ", ",", " \t "] {
            let text = |order: &dyn Fn(&(String, String)) -> String| two.iter().map(order).collect::<String>();
            assert_eq!(read(&text(&|(id, url)| format!("{id}{between}{url}\n"))), Ok((two.clone(), 0)), "{between:?}");
            assert_eq!(
                read(&text(&|(id, url)| format!("{url}{between}{id}\r\n"))),
                Ok((two.clone(), 0)),
                "{between:?}"
            );
        }
        assert_eq!(
            read("id,url\n7,\"http://a.org/x,y\"\n8,b.org\n").unwrap().0,
            expected(&[("7", "http://a.org/x,y"), ("8", "b.org")])
        );
        assert_eq!(
            read("d1 http://a.org/x y\nd2 http://b.org/\n").unwrap().0,
            expected(&[("d1", "http://a.org/x y"), ("d2", "http://b.org/")])
        );
        assert_eq!(
            read("http://a.org/x,y,d1\nhttp://b.org/,d2\n").unwrap().0,
            expected(&[("d1", "http://a.org/x,y"), ("d2", "http://b.org/")])
        );
        let alone = "http://a.org/x y\nhttp://b.org/\nwww.c.org/a,b\nd.org\n";
        assert_eq!(
            read(alone).unwrap().0,
            expected(&[("", "http://a.org/x y"), ("", "http://b.org/"), ("", "www.c.org/a,b"), ("", "d.org")])
        );
        assert_eq!(
            read("page.html\thttp://a.org/page.html\n").unwrap().0,
            expected(&[("page.html", "http://a.org/page.html")])
        );
    }

    /// Two streams with zeros between, one with a CRC64 and one with a CRC32, as `xz` writes them.
    #[test]
    fn lists_may_be_packed_with_xz() {
        let hex = concat!(
            "fd377a585a000004e6d6b4460200210116000000742fe5a3e0002800275d00319b0b10e592b5e7e6c8128278e1cc2081",
            "c26dace1495cba22bbff7dc6ba8ccdf84c71c8cdfc000000b95f8595f0ed9e8900014329813160b91fb6f37d01000000",
            "0004595a00000000fd377a585a0000016922de360200210116000000742fe5a3010028636c756577656231322d303030",
            "3074772d30302d303030303120687474703a2f2f622e6f72672f790a0000000084e4cc3000013d29f965dc089042990d",
            "010000000001595a",
        );
        let bytes: Vec<u8> =
            (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.xz");
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let mut all = Vec::new();
            each(&path, &mut |line| all.push(format!("{}|{}", line.id, line.url))).map(|_| all)
        };
        let expected = ["clueweb12-0000tw-00-00000|http://a.org/x", "clueweb12-0000tw-00-00001|http://b.org/y"];
        assert_eq!(read(&bytes).unwrap(), expected);
        for end in [20, 60, bytes.len() - 5] {
            let why = read(&bytes[..end]).unwrap_err().to_string();
            assert!(why.contains("the xz data ends early"), "{end}: {why}");
        }
        let mut damaged = bytes.clone();
        damaged[40] ^= 0x55;
        assert!(read(&damaged).unwrap_err().to_string().contains("xz: "));
    }

    #[test]
    fn what_cannot_be_told_is_refused_with_its_first_line() {
        for text in ["# list\n\nd1 d2\nd3 d4\n", "\n\nd1|http//a\n", "http://a.org/ http://b.org/\n", "d1\t\n"] {
            let why = read(text).unwrap_err();
            assert!(why.contains("no URL found; line ") && why.contains("expected an id and a URL"), "{why}");
        }
        assert!(read("# list\n\nd1 d2\n").unwrap_err().contains("line 3: \"d1 d2\", expected"));
        assert_eq!(read(""), Ok((Vec::new(), 0)));
        assert_eq!(read("d1\thttp://a.org/\nd2\t\nd3\n").unwrap().1, 2, "an id without a URL");
    }
}
