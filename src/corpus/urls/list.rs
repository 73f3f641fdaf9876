//! Reads lists of URLs line by line, so that memory does not grow with the list.
//!
//! A line is `id url` or `url id`, with a tab, a comma or blanks between, or a URL alone; further columns are ignored. The
//! first lines of a list decide how it is laid out ([`Layout`]); a line with `n/a` or the like has no URL. A list without any
//! URL is refused, and one in which the URLs could end in several places.

use std::path::Path;

use super::layout::{Ambiguous, Header, Layout, has_url};
use crate::{CorpusError, text_file};
use dejaview_base::escaping::unescape;
use dejaview_base::line_limits::{LineBuffer, LongLine};
use dejaview_base::lines;

/// Number of lines that decide how a list is laid out.
const LAYOUT_LINES: usize = 1000;
/// Bytes of a list that decide it, where it has not so many lines in them.
const LAYOUT_BYTES: usize = 16 << 20;
/// What a list holds.
const WHAT: &str = "URL";
/// Characters of a line that a message shows.
const SHOWN: usize = 120;

/// What is wrong with a list whose URLs could end at several commas.
const AMBIGUOUS: &str = "nobody can tell at which comma the URL ends; put tabs between, quote the URLs, or name the columns in \
                         a first line such as `id,url`";

/// One line of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedUrl<'a> {
    /// Empty in a list of URLs alone.
    pub id: &'a str,
    /// As written.
    pub url: &'a str,
}

/// Lines of a list that give no URL.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WithoutUrl {
    /// How many have none.
    pub lines: u64,
    /// Those that are too long.
    pub long: Vec<LongLine>,
}

/// Calls `visit` for each line of a list. Blank lines and lines that begin with `#` are passed over. Returns the lines without a
/// URL.
pub fn for_each_url(path: &Path, visit: &mut dyn FnMut(ListedUrl<'_>)) -> Result<WithoutUrl, CorpusError> {
    let failed = |source| CorpusError::Read { path: path.to_owned(), source };
    let refused = |(line, reason)| CorpusError::NoLine { path: path.to_owned(), what: WHAT, line, reason };
    let ambiguous = |(line, reason)| CorpusError::Ambiguous { path: path.to_owned(), line, reason };
    let mut stream = text_file::open(path)?;
    let (mut buffer, mut first, mut list) = (LineBuffer::default(), true, ListReader::default());
    loop {
        let ended = !text_file::more_lines(&mut stream, &mut buffer).map_err(failed)?;
        let last_end = memchr::memrchr(b'\n', buffer.bytes());
        // Until then the buffer holds everything, so that a list without any line end is seen as a whole.
        if first && (ended || last_end.is_some()) {
            first = false;
            lines::check(buffer.bytes()).map_err(|why| CorpusError::no_text(path, WHAT, why))?;
            buffer.let_go(lines::mark_length(buffer.bytes()));
        }
        let whole = if ended { buffer.bytes().len() } else { whole_lines(buffer.bytes()) };
        let text = String::from_utf8_lossy(&buffer.bytes()[..whole]);
        if list.read_lines(&text, buffer.gone(), ended, visit).map_err(ambiguous)? {
            buffer.let_go(whole);
        }
        if ended {
            return list.finish(buffer.into_lines().long).map_err(refused);
        }
    }
}

/// Bytes up to the last end of a line.
fn whole_lines(bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1)
}

/// The number of a line from 1, and what is wrong with it.
type Refusal = (u32, String);

/// The state of reading a list.
#[derive(Default)]
struct ListReader {
    /// Known once some line has a URL.
    layout: Option<Layout>,
    /// The first line, if it names the columns.
    header: Option<Header>,
    without_url: u64,
    /// The first line that is not passed over, and its number from 1.
    first: Option<(u32, String)>,
}

impl ListReader {
    /// Reads whole lines behind so many others. Returns false when more of them are needed to see how the list is laid out.
    fn read_lines(
        &mut self,
        text: &str,
        before: usize,
        ended: bool,
        visit: &mut dyn FnMut(ListedUrl<'_>),
    ) -> Result<bool, Refusal> {
        let numbered = text.split('\n').map(|line| line.trim_end_matches('\r')).zip(before as u32 + 1..);
        let mut lines = numbered.filter(|(line, _)| is_entry(line));
        let layout = match self.layout {
            Some(layout) => layout,
            None if !ended && text.len() < LAYOUT_BYTES && lines.clone().take(LAYOUT_LINES).count() < LAYOUT_LINES => {
                return Ok(false);
            }
            None => {
                if let (None, Some((line, number))) = (&self.first, lines.clone().next()) {
                    self.first = Some((number, line.chars().take(SHOWN).collect()));
                    self.header = Header::parse(line);
                    if self.header.is_some() {
                        lines.next();
                    }
                }
                let first_lines =
                    lines.clone().map(|(line, _)| line).skip_while(|line| !has_url(line)).take(LAYOUT_LINES);
                match Layout::detect(&first_lines.collect::<Vec<_>>(), self.header) {
                    Ok(Some(layout)) => *self.layout.insert(layout),
                    Ok(None) => {
                        self.without_url += lines.count() as u64;
                        return Ok(true);
                    }
                    Err(Ambiguous(line)) => {
                        let number = lines.find(|(other, _)| *other == line).map_or(1, |(_, number)| number);
                        let line: String = line.chars().take(SHOWN).collect();
                        return Err((number, format!("{line:?}: {AMBIGUOUS}")));
                    }
                }
            }
        };
        for (line, _) in lines {
            match layout.split(line) {
                Some((id, url)) => visit(ListedUrl { id: &unescape(id), url: &url }),
                None => self.without_url += 1,
            }
        }
        Ok(true)
    }

    /// The lines without a URL, or the first line of a list that has no URL at all.
    fn finish(self, long: Vec<LongLine>) -> Result<WithoutUrl, Refusal> {
        let first_long = long.first().map(|long| (long.line as u32, long.to_string()));
        match (self.first, first_long) {
            _ if self.layout.is_some() => Ok(WithoutUrl { lines: self.without_url, long }),
            (None, None) => Ok(WithoutUrl::default()),
            (None, Some(long)) => Err(long),
            (Some((number, _)), Some(long)) if long.0 < number => Err(long),
            (Some((number, line)), _) => {
                let expected =
                    "expected an id and a URL with a tab, a comma or a blank between, in either order, or a URL alone";
                Err((number, format!("{line:?}, {expected}")))
            }
        }
    }
}

/// Whether a line is neither empty nor a comment.
fn is_entry(line: &str) -> bool {
    !line.starts_with('#') && !line.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Vec<(String, String)>, u64), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        std::fs::write(&path, text).unwrap();
        let mut all = Vec::new();
        let without = for_each_url(&path, &mut |line| all.push((line.id.to_owned(), line.url.to_owned())));
        without.map(|without| (all, without.lines)).map_err(|why| why.to_string())
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
            for_each_url(&path, &mut |line| all.push(format!("{}|{}", line.id, line.url))).map(|_| all)
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
    fn lists_without_urls_are_refused_with_their_first_line() {
        for text in ["# list\n\nd1 d2\nd3 d4\n", "\n\nd1|http//a\n", "http://a.org/ http://b.org/\n", "d1\t\n"] {
            let why = read(text).unwrap_err();
            assert!(why.contains("no URL found; line ") && why.contains("expected an id and a URL"), "{why}");
        }
        assert!(read("# list\n\nd1 d2\n").unwrap_err().contains("line 3: \"d1 d2\", expected"));
        assert!(read("http://a.org/\rhttp://b.org/\r").unwrap_err().contains("line 1: lines end in CR alone; save"));
        assert!(read("h\0t\0").unwrap_err().contains("UTF-16; save it as UTF-8"));
        assert_eq!(
            read("\u{feff}http://a.org/\r").unwrap().0[0].1,
            "http://a.org/",
            "one line, with or without an end"
        );
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
    fn the_url_is_found_in_each_line_by_itself() {
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

    #[test]
    fn commas_of_urls_stay() {
        fn url(i: usize) -> String {
            format!("http://www.spiegel.de/politik/0,1518,{i},00.html")
        }
        let list = |line: &dyn Fn(usize) -> String| (0..100).map(|i| line(i) + "\n").collect::<String>();
        let with_ids: Vec<(String, String)> = (0..100).map(|i| (format!("id{i}"), url(i))).collect();
        let alone: Vec<(String, String)> = (0..100).map(|i| (String::new(), url(i))).collect();
        assert_eq!(read(&list(&url)), Ok((alone, 0)));
        type Line = dyn Fn(usize) -> String;
        let layouts: [&Line; 8] = [
            &|i| format!("id{i}\t{}", url(i)),
            &|i| format!("id{i} {}", url(i)),
            &|i| format!("id{i},{}", url(i)),
            &|i| format!("id{i} , {}", url(i)),
            &|i| format!("{},id{i}", url(i)),
            &|i| format!("{}, id{i}", url(i)),
            &|i| format!("id{i},{},200", url(i)),
            &|i| format!("{},id{i},200", url(i)),
        ];
        for line in layouts {
            assert_eq!(read(&list(line)), Ok((with_ids.clone(), 0)), "{}", line(0));
        }
        let one = |text: &str| read(text).map(|(rows, _)| rows);
        let row = Ok(vec![("id".to_owned(), "http://a.org/x".to_owned())]);
        for text in [
            "docid,url\nid,http://a.org/x,2009\n",
            "id,http://a.org/x,2009\n",
            "http://a.org/x, id\n",
            "id , http://a.org/x\n",
        ] {
            assert_eq!(one(text), row, "{text}");
        }
        for text in ["id,http://a.org/x,y\n", "http://a.org/x,y,id\n"] {
            let why = one(text).unwrap_err();
            assert!(why.contains("line 1: ") && why.contains("at which comma the URL ends"), "{why}");
        }
        assert_eq!(one("docid,url\nid,http://a.org/x,y\n").unwrap()[0].1, "http://a.org/x,y");
        assert_eq!(one("url,docid\nhttp://a.org/x,y,id\n").unwrap()[0], ("id".into(), "http://a.org/x,y".into()));
        assert_eq!(one("url\nhttp://a.org/x,y\n").unwrap()[0].1, "http://a.org/x,y");
        assert_eq!(one("id,\"http://a.org/\"\"x\"\",y\",200\n").unwrap()[0].1, "http://a.org/\"x\",y");
    }

    /// One row of a list as its layout writes it.
    type Write = fn(&str, &str) -> String;

    /// Every layout, and whether commas separate its fields.
    const LAYOUTS: [(&str, bool, Write); 14] = [
        ("url", true, |_, url| url.to_owned()),
        ("id TAB url", false, |id, url| format!("{id}\t{url}")),
        ("url TAB id", false, |id, url| format!("{url}\t{id}")),
        ("id TAB url TAB text", false, |id, url| format!("{id}\t{url}\ta text, of words")),
        ("id url", false, |id, url| format!("{id} {url}")),
        ("url id", false, |id, url| format!("{url} {id}")),
        ("url id 200", false, |id, url| format!("{url} {id} 200")),
        ("id,url", true, |id, url| format!("{id},{url}")),
        ("url,id", true, |id, url| format!("{url},{id}")),
        ("id , url", true, |id, url| format!("{id} , {url}")),
        ("url, id", true, |id, url| format!("{url}, {id}")),
        ("id,url,200", true, |id, url| format!("{id},{url},200")),
        ("url,id,text/html,200", true, |id, url| format!("{url},{id},text/html,200")),
        ("id,\"url\"", false, |id, url| format!("{id},\"{}\"", url.replace('"', "\"\""))),
    ];

    proptest::proptest! {
        /// Any list gives back the rows that it was written from, or is refused; that only where every URL has a comma.
        #[test]
        fn lists_give_back_what_they_were_written_from(
            paths in proptest::collection::vec("[a-z]{3,9}([,;'\"/?=._%20-]{1,2}[a-z0-9]{3,9}){0,4}(\\.html)?", 1..40),
            layout in 0..LAYOUTS.len(),
            seed in 0..1000_usize,
        ) {
            let (name, commas, write) = LAYOUTS[layout];
            let id = |i: usize| if name == "url" { String::new() } else { format!("clue-{}", i * 7919 + seed) };
            let rows: Vec<(String, String)> =
                paths.iter().enumerate().map(|(i, path)| (id(i), format!("http://h{}.org/{path}", i % 7))).collect();
            let last: std::collections::HashSet<_> = paths.iter().map(|path| path.rsplit(',').next()).collect();
            let every = paths.iter().all(|path| path.contains(','));
            // The same piece after a comma of every URL is a column, and other pieces beside URLs alone are their ids.
            proptest::prop_assume!(!(commas && every && (name == "url" || 2 * last.len() <= rows.len())));
            let mut lines: Vec<String> = rows.iter().map(|(id, url)| write(id, url)).collect();
            let list = lines.join("\n");
            let found = read(&list);
            lines.rotate_left(seed % rows.len());
            lines.reverse();
            let shuffled = read(&lines.join("\n"));
            match (found, shuffled) {
                (Ok(found), Ok((mut shuffled, 0))) => {
                    proptest::prop_assert_eq!(found, (rows.clone(), 0), "{}", list);
                    let mut expected = rows;
                    expected.sort();
                    shuffled.sort();
                    proptest::prop_assert_eq!(shuffled, expected, "{}", list);
                }
                (found, shuffled) => {
                    proptest::prop_assert!(found.is_err() && shuffled.is_err() && commas && every, "{} {:?}", list, found);
                }
            }
        }
    }
}
