//! The texts of topics, which say what documents were judged for.
//!
//! Three forms are read: XML as in Web and Session (`<topic number="1"><query>…`, also `num="1"`), the classic one
//! (`<top><num> Number: 51 <title>…`), and lines `1:obama family tree`, with a tab or a colon between. No parser of XML reads
//! them: classic topics are SGML without end tags, and a bare `&` in a title would end the reading (quick-xml was tried).
//! What is no topic, and a topic that a file has a second time, is listed with its line.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::limits::LARGEST_TOPICS;
use crate::{CorpusError, text_file};
use dejaview_base::line_limits::{ListText, LongLine};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TopicText {
    /// As in the judgments.
    pub number: String,
    /// The query, or the title of a classic topic.
    pub query: String,
    /// What is looked for, as a sentence.
    pub description: String,
    /// What counts as relevant; for XML topics their subtopics, one a line.
    pub narrative: String,
}

/// The topics of a study.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Topics {
    /// In the order of their files, no number twice.
    pub texts: Vec<TopicText>,
    /// In the order of their files.
    pub unread: Vec<UnreadTopic>,
}

/// A line or an element that gives no topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadTopic {
    pub path: PathBuf,
    /// From 1.
    pub line: u32,
    pub reason: String,
}

/// What a topic file lists.
const TOPIC: &str = "topic";

/// Reads topic files, compressed or not. What is no topic is skipped and listed; a file without any topic is an error.
pub fn read(paths: &[PathBuf]) -> Result<Topics, CorpusError> {
    let mut reader = TopicReader::default();
    for path in paths {
        let before = reader.topics.unread.len();
        if reader.read(path, &text_file::read_list_within(path, TOPIC, LARGEST_TOPICS)?) == 0 {
            let path = path.clone();
            return Err(match reader.topics.unread.into_iter().nth(before) {
                None => CorpusError::Nothing { path, what: "topics" },
                Some(UnreadTopic { line, reason, .. }) => CorpusError::NoLine { path, what: TOPIC, line, reason },
            });
        }
    }
    Ok(reader.topics)
}

/// A topic, or why there is none.
type Parsed = Result<TopicText, &'static str>;

const NO_LINE: &str = "expected a number, then a colon or a tab, then the text of the topic";
const NO_XML_NUMBER: &str = "a <topic> without a number; expected `<topic number=\"7\">`";
const NO_CLASSIC_NUMBER: &str = "a <top> without a number; expected `<num> Number: 7`";
const NO_TEXT: &str = "the topic has no text";

/// The topics that were read so far.
#[derive(Default)]
struct TopicReader {
    topics: Topics,
    /// Of each number its place among the texts, and where it was read.
    known: HashMap<String, (usize, PathBuf, u32)>,
}

impl TopicReader {
    /// Reads the text of a file, and returns how many topics it has, those included that were read before.
    fn read(&mut self, path: &Path, list: &ListText) -> usize {
        let before = self.topics.unread.len();
        let read = parse(&list.text).into_iter().filter(|(line, parsed)| self.add(path, *line, parsed)).count();
        let unread =
            |long: &LongLine| UnreadTopic { path: path.to_owned(), line: long.line as u32, reason: long.to_string() };
        self.topics.unread.extend(list.long.iter().map(unread));
        self.topics.unread[before..].sort_by_key(|unread| unread.line);
        read
    }

    fn add(&mut self, path: &Path, line: u32, parsed: &Parsed) -> bool {
        let reason = match parsed {
            Err(why) => (*why).to_owned(),
            Ok(topic) => match self.known.get(&topic.number) {
                Some(first) => self.again(first, topic, path),
                None => {
                    let place = (self.topics.texts.len(), path.to_owned(), line);
                    self.known.insert(topic.number.clone(), place);
                    self.topics.texts.push(topic.clone());
                    return true;
                }
            },
        };
        self.topics.unread.push(UnreadTopic { path: path.to_owned(), line, reason });
        parsed.is_ok()
    }

    /// What is said of a topic whose number was read before.
    fn again(&self, first: &(usize, PathBuf, u32), topic: &TopicText, path: &Path) -> String {
        let (place, first_path, line) = first;
        let text = if self.topics.texts[*place] == *topic { "the same" } else { "another" };
        let file = if first_path == path { String::new() } else { format!(" of {}", first_path.display()) };
        format!("topic {} again, with {text} text; that of line {line}{file} counts", topic.number)
    }
}

/// The topics of a file, each with its line from 1, and what is none.
fn parse(text: &str) -> Vec<(u32, Parsed)> {
    // Only ASCII letters change, so positions in the lower-case copy are positions in the text.
    let lower = text.to_ascii_lowercase();
    let mut found: Vec<(usize, Parsed)> = Vec::new();
    found.extend(elements(text, &lower, "topic").iter().map(|e| (e.start, checked(parse_xml(e), NO_XML_NUMBER))));
    found.extend(elements(text, &lower, "top").iter().map(|e| (e.start, checked(parse_classic(e), NO_CLASSIC_NUMBER))));
    if found.is_empty() {
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        return lines.map(|(line, number)| (number, parse_line(line))).collect();
    }
    found.sort_by_key(|(start, _)| *start);
    let (mut line, mut at) = (1, 0);
    let numbered = |(start, parsed): (usize, Parsed)| {
        line += text[at..start].matches('\n').count() as u32;
        at = start;
        (line, parsed)
    };
    found.into_iter().map(numbered).collect()
}

fn checked(topic: TopicText, no_number: &'static str) -> Parsed {
    match &topic {
        TopicText { number, .. } if number.is_empty() => Err(no_number),
        TopicText { query, description, narrative, .. }
            if [query, description, narrative].iter().all(|t| t.is_empty()) =>
        {
            Err(NO_TEXT)
        }
        _ => Ok(topic),
    }
}

/// `<name attributes>content</name>`, or up to the next `<name` where it is not closed.
struct Element<'a> {
    /// Where its tag begins.
    start: usize,
    attributes: &'a str,
    content: &'a str,
}

fn elements<'a>(text: &'a str, lower: &str, name: &str) -> Vec<Element<'a>> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let is_tag = |at: &usize| {
        let after = lower[at + open.len()..].chars().next();
        after.is_none_or(|c| c.is_ascii_whitespace() || c == '>')
    };
    let starts: Vec<usize> = lower.match_indices(&open).map(|(at, _)| at).filter(is_tag).collect();
    let element = |(i, &start): (usize, &usize)| {
        // An element within another one, or after one that is not closed, is one of its own.
        let next = starts.get(i + 1).copied().unwrap_or(text.len());
        let inside = start + open.len();
        let end_of_tag = lower[inside..next].find('>').map_or(next, |n| inside + n);
        let content = (end_of_tag + 1).min(next);
        let end = lower[content..next].find(&close).map_or(next, |n| content + n);
        Element { start, attributes: &text[inside..end_of_tag], content: &text[content..end] }
    };
    starts.iter().enumerate().map(element).collect()
}

/// The value of an attribute; empty without.
fn attribute(attributes: &str, name: &str) -> String {
    let lower = attributes.to_ascii_lowercase();
    let begins = |at: &usize| lower[..*at].chars().next_back().is_none_or(|c| c.is_ascii_whitespace());
    let wanted = format!("{name}=");
    let place = lower.match_indices(&wanted).map(|(at, _)| at).find(begins);
    let value = place.map(|at| attributes[at + name.len() + 1..].trim_start());
    let Some(value) = value else { return String::new() };
    match value.chars().next() {
        Some(quote @ ('"' | '\'')) => clean(value[1..].split(quote).next().unwrap_or_default()),
        _ => clean(value.split_ascii_whitespace().next().unwrap_or_default()),
    }
}

fn parse_xml(topic: &Element<'_>) -> TopicText {
    let lower = topic.content.to_ascii_lowercase();
    let all = |name: &str| elements(topic.content, &lower, name);
    let first = |name: &str| all(name).first().map(|e| clean(e.content)).unwrap_or_default();
    let or_first = |text: String, name: &str| if text.is_empty() { first(name) } else { text };
    let narrative: Vec<String> = all("subtopic").iter().map(|e| clean(e.content)).collect();
    let narrative = if narrative.is_empty() { first("narrative") } else { narrative.join("\n") };
    let named = ["number", "num"].map(|name| attribute(topic.attributes, name)).into_iter().find(|n| !n.is_empty());
    let number = named.or_else(|| ["number", "num"].map(first).into_iter().find(|n| !n.is_empty())).unwrap_or_default();
    TopicText {
        number,
        query: or_first(first("query"), "title"),
        description: or_first(first("description"), "desc"),
        narrative,
    }
}

/// Reads a classic topic. Fields reach to the next tag and begin with a word of their own (`Number:`, `Description:`).
fn parse_classic(topic: &Element<'_>) -> TopicText {
    let lower = topic.content.to_ascii_lowercase();
    let field = |tag: &str, word: &str| {
        let Some(start) = lower.find(tag).map(|at| at + tag.len()) else { return String::new() };
        let end = lower[start..].find('<').map_or(lower.len(), |n| start + n);
        let text = clean(&topic.content[start..end]);
        let has_word = text.get(..word.len()).is_some_and(|w| w.eq_ignore_ascii_case(word));
        if has_word { text[word.len()..].trim().to_owned() } else { text }
    };
    TopicText {
        number: field("<num>", "Number:"),
        query: field("<title>", "Topic:"),
        description: field("<desc>", "Description:"),
        narrative: field("<narr>", "Narrative:"),
    }
}

/// `1:obama family tree`; also `wt09-1:` and a tab instead of the colon.
fn parse_line(line: &str) -> Parsed {
    let (number, query) = line.split_once([':', '\t']).ok_or(NO_LINE)?;
    let number = number.trim().rsplit('-').next().unwrap_or_default();
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NO_LINE);
    }
    checked(TopicText { number: number.to_owned(), query: clean(query), ..TopicText::default() }, NO_LINE)
}

/// A text as one line, without tags, with the five entities of XML resolved.
fn clean(text: &str) -> String {
    let (mut out, mut inside, mut apart) = (String::new(), false, false);
    for c in text.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => inside = false,
            _ if inside => {}
            c if c.is_whitespace() => apart = !out.is_empty(),
            c => {
                if std::mem::take(&mut apart) {
                    out.push(' ');
                }
                out.push(c);
            }
        }
    }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    entities.into_iter().fold(out, |out, (entity, c)| out.replace(entity, c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_topic_is_said() {
        let lines = said(&["1\tlamp\n2:two\nfoo\n7 seven\n1\tother\n\n8:\n2:two\n"]);
        assert_eq!(lines.0, ["1=lamp", "2=two"]);
        let again = |line, number, text, first| {
            format!("0:{line}: topic {number} again, with {text} text; that of line {first} counts")
        };
        assert_eq!(
            lines.1,
            [
                format!("0:3: {NO_LINE}"),
                format!("0:4: {NO_LINE}"),
                again(5, 1, "another", 1),
                format!("0:7: {NO_TEXT}"),
                again(8, 2, "the same", 2),
            ]
        );
        let xml = "<topics>\n<topic num=\"7\"><query>a</query>\n<topic number=8 docnum=\"9\"><title>b</title></topic>\n\
                   <topic><query>c</query></topic>\n<TOPIC number='9'/>\n<topic><num>10</num><query>d</query></topic><topic number=\"11";
        let classic = "<top>\n<num> Number: 7\n<title> other\n</top>\n<top>\n<title> no number\n</top>";
        let both = said(&[xml, classic]);
        assert_eq!(both.0, ["7=a", "8=b", "10=d"]);
        assert_eq!(
            both.1,
            [
                format!("0:4: {NO_XML_NUMBER}"),
                format!("0:5: {NO_TEXT}"),
                format!("0:6: {NO_TEXT}"),
                "1:1: topic 7 again, with another text; that of line 2 of 0 counts".to_owned(),
                format!("1:5: {NO_CLASSIC_NUMBER}"),
            ]
        );
    }

    #[test]
    fn files_without_topics_say_why() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.txt");
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            read(std::slice::from_ref(&path)).map(|topics| topics.texts).map_err(|why| why.to_string())
        };
        assert_eq!(read("\u{feff}1:lamp\n".as_bytes()).unwrap()[0].number, "1");
        for (bytes, expected) in [
            (&b"1:lamp\r2:two\r"[..], "no topic found; line 1: lines end in CR alone"),
            (b"\xff\xfe1\0:\0", "no topic found; line 1: the file is in UTF-16; save it as UTF-8"),
            (b"\nlamp\n", "no topic found; line 2: expected a number, then a colon or a tab"),
            (b"<topic><query>a</query></topic>", "no topic found; line 1: a <topic> without a number"),
            (b"", "no topics found"),
        ] {
            let why = read(bytes).unwrap_err();
            assert!(why.contains(expected), "{why}");
        }
    }

    fn list(text: &str) -> ListText {
        ListText { text: text.to_owned(), long: Vec::new() }
    }

    /// Numbers and queries of files, and what of them is no topic, by number of the file and line.
    fn said(files: &[&str]) -> (Vec<String>, Vec<String>) {
        let mut reader = TopicReader::default();
        for (number, text) in files.iter().enumerate() {
            reader.read(Path::new(&number.to_string()), &list(text));
        }
        let Topics { texts, unread } = reader.topics;
        let unread = unread.iter().map(|u| format!("{}:{}: {}", u.path.display(), u.line, u.reason));
        (texts.iter().map(|t| format!("{}={}", t.number, t.query)).collect(), unread.collect())
    }

    /// What is read of one file.
    fn parse(text: &str) -> Vec<TopicText> {
        let mut reader = TopicReader::default();
        reader.read(Path::new(""), &list(text));
        reader.topics.texts
    }

    #[test]
    fn xml_topics() {
        let text = r#"<?xml version="1.0"?>
<webtrack2009>
<topic number="1" type="faceted">
  <query>obama family tree</query>
  <description>Find information on President Barack
    Obama's family &amp; history.
  </description>
  <subtopic number="1" type="nav">Find the TIME article.</subtopic>
  <subtopic number="2" type="inf">Where were they born?</subtopic>
</topic>
<topic number='2'><query>french lick</query></topic>
</webtrack2009>"#;
        let topics = parse(text);
        assert_eq!(topics.len(), 2);
        assert_eq!((topics[0].number.as_str(), topics[0].query.as_str()), ("1", "obama family tree"));
        assert_eq!(topics[0].description, "Find information on President Barack Obama's family & history.");
        assert_eq!(topics[0].narrative, "Find the TIME article.\nWhere were they born?");
        assert_eq!(topics[1].number, "2");
    }

    #[test]
    fn classic_topics() {
        let text = "<top>\n<head> Tipster\n<num> Number: 051\n<title> Topic: Airbus Subsidies\n\n<desc> Description:\nDocument \
                    will discuss.\n<narr> Narrative:\nA relevant one.\n</top>\n<TOP><num>Number: 52<title>South\n</TOP>";
        let topics = parse(text);
        assert_eq!(topics[0].number, "051");
        assert_eq!(topics[0].query, "Airbus Subsidies");
        assert_eq!(topics[0].description, "Document will discuss.");
        assert_eq!(topics[0].narrative, "A relevant one.");
        assert_eq!((topics[1].number.as_str(), topics[1].query.as_str()), ("52", "South"));
    }

    #[test]
    fn topics_as_lines() {
        let topics = parse("1:obama family tree\nwt09-2:french lick: resort\n\nnot a topic\n3\ttoilet\n");
        let shown: Vec<String> = topics.iter().map(|t| format!("{}={}", t.number, t.query)).collect();
        assert_eq!(shown, ["1=obama family tree", "2=french lick: resort", "3=toilet"]);
        assert!(parse("<html>").is_empty());
    }
}
