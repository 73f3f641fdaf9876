//! Lists of URLs, line by line: memory does not grow with the list.
//!
//! A line is `id url` or `url id`, with a tab, a comma or blanks between, or a URL alone; further fields are left out. Which
//! it is, the first lines tell that hold a URL: it has a scheme or begins with `www.`, or at least with a host, and an id has
//! neither. A header that names the column `url` tells it too. A line that is plainly of another form is read by itself, and
//! one whose URL is none, such as `n/a`, has no URL. A list without any URL is refused.

use std::path::Path;

use crate::splitter::{Fed, Feed};
use crate::{CorpusError, text_file};

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

/// Which of the first two fields is the URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    IdFirst,
    UrlFirst,
}

/// What the fields of a line are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A URL and nothing else.
    Alone,
    /// An id and a URL.
    Both {
        order: Order,
        between: Between,
        /// Fields behind them. Where nobody can say how many, the URL ends where the next one begins; else what is too
        /// much belongs to the URL.
        behind: Option<usize>,
    },
}

/// Reads a list from front to back. Blank lines and lines that begin with `#` are passed over. Returns the number of lines
/// that hold no URL.
pub fn each(path: &Path, visit: &mut dyn FnMut(Listed<'_>)) -> Result<u64, CorpusError> {
    let failed = |source| CorpusError::Read { path: path.to_owned(), source };
    let mut stream = text_file::open(path)?;
    let (mut buffer, mut first, mut list) = (Vec::new(), true, List::default());
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
        if list.lines(&String::from_utf8_lossy(&buffer[..whole]), ended, visit) {
            buffer.drain(..whole);
        }
        if ended {
            let refused = |(line, reason)| CorpusError::NoLine { path: path.to_owned(), what: "URL", line, reason };
            return list.ended().map_err(refused);
        }
    }
}

/// A list as far as it was read.
#[derive(Default)]
struct List {
    /// Once some line told.
    form: Option<Form>,
    /// Lines without a URL.
    without: u64,
    /// The first line that says something, and its number from 1.
    first: Option<(u32, String)>,
}

impl List {
    /// Reads whole lines. Returns false when it takes more of them to tell what their fields are.
    fn lines(&mut self, text: &str, ended: bool, visit: &mut dyn FnMut(Listed<'_>)) -> bool {
        let mut meant = text.split('\n').map(|line| line.trim_end_matches('\r')).filter(|line| says_something(line));
        let form = match self.form {
            Some(form) => form,
            None if !ended && meant.clone().take(ASKED).count() < ASKED => return false,
            None => {
                let first = || text.lines().zip(1..).find(|(line, _)| says_something(line));
                let shown = |(line, number): (&str, u32)| (number, line.chars().take(SHOWN).collect());
                self.first = self.first.take().or_else(|| first().map(shown));
                let Some((form, header)) = tell(meant.clone()) else {
                    self.without += meant.count() as u64;
                    return true;
                };
                if header {
                    meant.next();
                }
                *self.form.insert(form)
            }
        };
        for line in meant {
            match form.split(line).or_else(|| by_itself(line)) {
                Some(listed) => visit(listed),
                None => self.without += 1,
            }
        }
        true
    }

    /// The number of lines without a URL, or the first line of a list that has no URL at all.
    fn ended(self) -> Result<u64, (u32, String)> {
        match self.first {
            Some((number, line)) if self.form.is_none() => {
                let expected =
                    "expected an id and a URL with a tab, a comma or a blank between, in either order, or a URL alone";
                Err((number, format!("{line:?}, {expected}")))
            }
            _ => Ok(self.without),
        }
    }
}

fn says_something(line: &str) -> bool {
    !line.starts_with('#') && !line.trim().is_empty()
}

/// What the fields of a list are, and whether its first line is a header; most lines decide, from the first on that tells.
/// None when no line does.
fn tell<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Option<(Form, bool)> {
    if let Some(form) = lines.clone().next().and_then(header) {
        return Some((form, true));
    }
    let lines = lines.skip_while(|line| Form::of(line).is_none()).take(ASKED);
    let most = most(lines.clone().filter_map(Form::of))?;
    let Form::Both { order, between, .. } = most else { return Some((most, false)) };
    let same = |line: &&str| Form::of(line).is_some_and(|(form, _)| form == most);
    let mut counts: Vec<usize> = lines.filter(same).map(|line| between.fields(line).count()).collect();
    // Of numbers that are equally frequent the least.
    counts.sort_unstable();
    let columns = self::most(counts.iter().map(|&columns| (columns, true)))?;
    let (all, lines) = (counts.len(), counts.iter().filter(|&&count| count == columns).count());
    // Blanks are rare in URLs. Where every line has another number of them, they are in a text behind it.
    let behind = between.behind(columns).filter(|_| between == Between::Comma || 2 * lines >= all);
    Some((Form::Both { order, between, behind }, false))
}

/// The value that is surely there most often, else at all; of equal ones the first.
fn most<T: PartialEq>(values: impl Iterator<Item = (T, bool)>) -> Option<T> {
    let mut votes: Vec<(T, [usize; 2])> = Vec::new();
    for (value, sure) in values {
        let at = votes.iter().position(|(voted, _)| *voted == value).unwrap_or(votes.len());
        if at == votes.len() {
            votes.push((value, [0, 0]));
        }
        votes[at].1[usize::from(!sure)] += 1;
    }
    votes.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(value, _)| value)
}

/// The fields that a header names.
fn header(line: &str) -> Option<Form> {
    let is_url = |name: &str| ["url", "uri"].contains(&unquoted(name).to_ascii_lowercase().as_str());
    let Some(between) = Between::of(line) else { return is_url(line).then_some(Form::Alone) };
    let fields: Vec<&str> = between.fields(line).collect();
    let order = match (is_url(fields[0]), fields.get(1).is_some_and(|name| is_url(name))) {
        (false, true) => Order::IdFirst,
        (true, false) => Order::UrlFirst,
        _ => return None,
    };
    Some(Form::Both { order, between, behind: between.behind(fields.len()) })
}

impl Between {
    /// What stands between the fields of a line: a tab if there is one, else a blank, else a comma.
    fn of(line: &str) -> Option<Self> {
        let line = line.trim_matches([' ', '\r']);
        [Self::Tab, Self::Blanks, Self::Comma].into_iter().find(|between| line.contains(between.character()))
    }

    fn character(self) -> char {
        match self {
            Self::Tab => '\t',
            Self::Blanks => ' ',
            Self::Comma => ',',
        }
    }

    /// Fields behind the first two of so many. No URL has a tab in it, and it ends at the first one.
    fn behind(self, columns: usize) -> Option<usize> {
        (self != Self::Tab).then_some(columns.saturating_sub(2))
    }

    /// All fields.
    fn fields(self, line: &str) -> impl Iterator<Item = &str> {
        let mut rest = Some(self.trimmed(line));
        std::iter::from_fn(move || {
            let line = rest?;
            let (front, back) = self.front(line).map_or((line, None), |(front, back)| (front, Some(back)));
            rest = back;
            Some(unquoted(front))
        })
    }

    /// A line without what stands around its fields. An empty field at one end is one nevertheless, where tabs are between.
    fn trimmed(self, line: &str) -> &str {
        line.trim_matches([' ', '\r'])
    }

    /// The first field and what is behind it.
    fn front(self, line: &str) -> Option<(&str, &str)> {
        let quoted =
            if self == Self::Comma && line.starts_with('"') { line.find("\",").map(|at| at + 1) } else { None };
        let at = quoted.or_else(|| line.find(self.character()))?;
        Some((&line[..at], line[at + 1..].trim_start_matches(' ')))
    }

    /// What is before the last field, and that.
    fn back(self, line: &str) -> Option<(&str, &str)> {
        let quoted = if self == Self::Comma && line.ends_with('"') { line.rfind(",\"") } else { None };
        let at = quoted.or_else(|| line.rfind(self.character()))?;
        Some((line[..at].trim_end_matches(' '), &line[at + 1..]))
    }

    /// A line without so many fields at its end; two are left in any case.
    fn without(self, line: &str, behind: usize) -> &str {
        (0..behind).fold(line, |line, _| match self.back(line) {
            Some((front, _)) if self.front(front).is_some() => front,
            _ => line,
        })
    }
}

fn unquoted(field: &str) -> &str {
    let field = field.trim();
    field.strip_prefix('"').and_then(|field| field.strip_suffix('"')).unwrap_or(field)
}

impl Form {
    /// What the fields of one line are, when it tells, and whether that is sure. A name such as `page.html` is no URL where
    /// the other field says that there is none.
    fn of(line: &str) -> Option<(Self, bool)> {
        let Some(between) = Between::of(line) else {
            let likely = like_url(line.trim());
            return (likely > 0).then_some((Self::Alone, likely == SURE));
        };
        let mut fields = between.fields(line);
        let (first, second) = (fields.next()?, fields.next()?);
        let (order, likely, other) = match (like_url(first), like_url(second)) {
            (a, b) if a < b => (Order::IdFirst, b, first),
            (a, b) if a > b => (Order::UrlFirst, a, second),
            _ => return None,
        };
        let sure = likely == SURE;
        (sure || !is_nothing(other)).then_some((Self::Both { order, between, behind: None }, sure))
    }

    /// The fields of a line, when it is of this form and has a URL.
    fn split(self, line: &str) -> Option<Listed<'_>> {
        let listed = match self {
            Self::Alone => Listed { id: "", url: line.trim() },
            Self::Both { order, between, behind } => {
                let line = between.trimmed(line);
                let (id, url) = match (behind, order) {
                    (None, _) => between.front(line).map(|(front, back)| {
                        let second = between.front(back).map_or(back, |(second, _)| second);
                        if order == Order::IdFirst { (front, second) } else { (second, front) }
                    }),
                    (Some(behind), Order::IdFirst) => between.front(between.without(line, behind)),
                    (Some(behind), Order::UrlFirst) => {
                        between.back(between.without(line, behind)).map(|(url, id)| (id, url))
                    }
                }?;
                Listed { id: unquoted(id), url: unquoted(url) }
            }
        };
        let likely = like_url(listed.url);
        (likely > 0 && likely >= like_url(listed.id)).then_some(listed)
    }
}

/// The fields of a line that is not as the others of its list are, when it says so plainly.
fn by_itself(line: &str) -> Option<Listed<'_>> {
    let alone = Listed { id: "", url: line.trim() };
    let listed = match Between::of(line) {
        None => alone,
        Some(_) => Form::of(line)?.0.split(line)?,
    };
    (like_url(listed.url) == SURE).then_some(listed)
}

/// Whether a field says that there is nothing.
fn is_nothing(field: &str) -> bool {
    ["", "-", "n/a", "na", "nan", "nil", "none", "null", "\\n"].contains(&field.to_ascii_lowercase().as_str())
}

/// What [`like_url`] says of a field that is a URL without doubt.
const SURE: u8 = 2;

/// How much a field looks like a URL: [`SURE`] with a scheme or `www.`, 1 with a host in front, 0 otherwise.
fn like_url(field: &str) -> u8 {
    let field = field.trim_start_matches('<');
    let scheme = field.split_once("://").map(|(scheme, rest)| (scheme, !rest.is_empty()));
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    };
    if scheme.is_some_and(|(scheme, more)| more && is_scheme(scheme)) {
        return SURE;
    }
    if field.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www.")) && field.len() > 4 {
        return SURE;
    }
    let host = &field[..field.find(['/', ':', '?', '#']).unwrap_or(field.len())];
    let mut labels = host.split('.').rev();
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    let is_top = |top: &str| top.starts_with("xn--") || (top.len() >= 2 && top.chars().all(char::is_alphabetic));
    let is_address = host.parse::<std::net::Ipv4Addr>().is_ok();
    u8::from(is_address || host.contains('.') && labels.next().is_some_and(is_top) && labels.all(is_label))
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

    /// Lines with every number of fields behind id and URL, in either order, against the rows that they were made from.
    #[test]
    fn further_fields_are_left_out() {
        let rows: Vec<(String, String)> = (0..50).map(|i| (format!("d{i}"), format!("http://a.org/{i}"))).collect();
        for (between, more) in
            [(" ", vec!["200"]), (" ", vec!["200", "x"]), (",", vec!["200"]), ("\t", vec!["a b", "c"])]
        {
            let line = |a: &str, b: &str| [vec![a, b], more.clone()].concat().join(between) + "\n";
            let id_first: String = rows.iter().map(|(id, url)| line(id, url)).collect();
            let url_first: String = rows.iter().map(|(id, url)| line(url, id)).collect();
            for text in [&id_first, &url_first, &format!("{}{id_first}", line("docid", "url"))] {
                assert_eq!(read(text), Ok((rows.clone(), 0)), "{text:.80}");
            }
        }
        let titles = |i: usize| "words of a title ".repeat(i % 4 + 1);
        let text: String =
            rows.iter().enumerate().map(|(i, (id, url))| format!("{id} {url} {}\n", titles(i))).collect();
        assert_eq!(read(&text), Ok((rows.clone(), 0)), "a text of any length behind");
        let some =
            read("d1 http://a.org/x y 200\nd2 http://b.org/ 200\nd3 http://c.org/ 404\nd4 http://d.org/\n").unwrap();
        let urls: Vec<&str> = some.0.iter().map(|(_, url)| url.as_str()).collect();
        assert_eq!(urls, ["http://a.org/x y", "http://b.org/", "http://c.org/", "http://d.org/"]);
        assert_eq!(read("id,url,title\n7,\"http://a.org/x,y\",\"a, b\"\n").unwrap().0[0].1, "http://a.org/x,y");
    }

    #[test]
    fn each_line_tells_by_itself_what_is_the_url() {
        let rows: Vec<(String, String)> = (0..40).map(|i| (format!("d{i}"), format!("http://a.org/{i}"))).collect();
        for between in ["\t", " ", ","] {
            let mixed = |odd: usize| -> String {
                let line = |(i, (id, url)): (usize, &(String, String))| {
                    let (a, b) = if i % 3 == odd { (url, id) } else { (id, url) };
                    format!("{a}{between}{b}\n")
                };
                rows.iter().enumerate().map(line).collect()
            };
            for odd in 0..3 {
                assert_eq!(read(&mixed(odd)), Ok((rows.clone(), 0)), "{between:?} {odd}");
            }
        }
        let mostly_alone = "http://a.org/\nhttp://b.org/\nd3 http://c.org/\n";
        assert_eq!(read(mostly_alone).unwrap().0[2], ("d3".to_owned(), "http://c.org/".to_owned()));
    }

    #[test]
    fn what_is_no_url_does_not_count_as_one() {
        for (none, between) in [("n/a", "\t"), ("-", " "), ("NULL", ","), ("none", "\t"), ("\"\"", ",")] {
            let text = |first: usize| {
                let line = |i: usize| match i {
                    _ if i < first => format!("page{i}.html{between}{none}\n"),
                    _ => format!("page{i}.html{between}http://a.org/{i}\n"),
                };
                (0..3000).map(line).collect::<String>()
            };
            for first in [0, 1, 2, 999, 1000, 1001, 2999] {
                let (rows, without) = read(&text(first)).unwrap();
                assert_eq!((rows.len(), without), (3000 - first, first as u64), "{none:?}: the first {first} lines");
            }
            assert!(read(&text(3000)).unwrap_err().contains("line 1: \"page0.html"), "none at all is refused");
        }
        let hosts = "d1\tmünchen.de/a\nd2\txn--e1afmkfd.xn--p1ai\nd3\t10.0.0.1/x\nd4\thttp://localhost/\n";
        assert_eq!(read(hosts).unwrap().1, 0);
    }
}
