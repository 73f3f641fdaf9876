//! The texts of topics, which say what documents were judged for.
//!
//! Three forms are read: XML as in Web and Session (`<topic number="1"><query>…`), the classic one
//! (`<top><num> Number: 51 <title>…`), and lines `1:obama family tree`. No parser of XML reads them: classic topics
//! are SGML without end tags, and a bare `&` in a title would end the reading (quick-xml was tried).

use std::path::Path;

use crate::{CorpusError, text_file};

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

/// Reads a topic file, compressed or not.
pub fn read(path: &Path) -> Result<Vec<TopicText>, CorpusError> {
    let bytes = text_file::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let topics = parse(text.strip_prefix('\u{feff}').unwrap_or(&text));
    if topics.is_empty() {
        return Err(CorpusError::Nothing { path: path.to_owned(), what: "topics" });
    }
    Ok(topics)
}

fn parse(text: &str) -> Vec<TopicText> {
    // Only ASCII letters change, so positions in the lower-case copy are positions in the text.
    let lower = text.to_ascii_lowercase();
    let mut topics: Vec<TopicText> =
        elements(text, &lower, "topic").into_iter().map(|element| parse_xml(&element)).collect();
    if topics.is_empty() {
        topics = elements(text, &lower, "top").into_iter().map(|element| parse_classic(&element)).collect();
    }
    if topics.is_empty() && !lower.contains("<top") {
        topics = text.lines().filter_map(parse_line).collect();
    }
    topics.retain(|topic| !topic.number.is_empty());
    topics
}

/// `<name attributes>content</name>`, or up to the next `<name` where it is not closed.
struct Element<'a> {
    attributes: &'a str,
    content: &'a str,
}

fn elements<'a>(text: &'a str, lower: &str, name: &str) -> Vec<Element<'a>> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = lower[at..].find(&open).map(|n| at + n) {
        let inside = start + open.len();
        at = inside;
        let Some(end_of_tag) = lower[inside..].find('>').map(|n| inside + n) else { break };
        if !lower[inside..].starts_with(|c: char| c.is_ascii_whitespace() || c == '>') {
            continue;
        }
        let next = lower[end_of_tag..].find(&format!("{open}>")).map_or(text.len(), |n| end_of_tag + n);
        let end = lower[end_of_tag..].find(&close).map_or(next, |n| (end_of_tag + n).min(next));
        found.push(Element { attributes: &text[inside..end_of_tag], content: &text[end_of_tag + 1..end] });
        at = end;
    }
    found
}

fn attribute(attributes: &str, name: &str) -> String {
    let lower = attributes.to_ascii_lowercase();
    let value = lower.find(&format!("{name}=")).map(|at| attributes[at + name.len() + 1..].trim_start());
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
    TopicText {
        number: or_first(attribute(topic.attributes, "number"), "number"),
        query: or_first(or_first(first("query"), "title"), "topic"),
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
fn parse_line(line: &str) -> Option<TopicText> {
    let (number, query) = line.split_once([':', '\t'])?;
    let number = number.trim().rsplit('-').next().unwrap_or_default();
    let known = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) && !query.trim().is_empty();
    known.then(|| TopicText { number: number.to_owned(), query: clean(query), ..TopicText::default() })
}

/// A text as one line, without tags, with the five entities of XML resolved.
fn clean(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in text.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => inside = false,
            _ if !inside => out.push(c),
            _ => {}
        }
    }
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    entities.into_iter().fold(out, |out, (entity, c)| out.replace(entity, c))
}

#[cfg(test)]
mod tests {
    use super::*;

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
