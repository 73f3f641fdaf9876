//! The manual, as part of the program: `dejaview help TOPIC` prints a page, `:help TOPIC` opens it in the explorer.

use std::fmt::Write;

/// One page of the manual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Topic {
    pub name: &'static str,
    /// The page as it was written, in Markdown.
    pub text: &'static str,
}

macro_rules! topic {
    ($name:literal) => {
        Topic { name: $name, text: include_str!(concat!("../../assets/manual/", $name, ".md")) }
    };
}

/// All pages, in the order in which they are best read.
pub const TOPICS: &[Topic] = &[
    topic!("terms"),
    topic!("study-file"),
    topic!("formats"),
    topic!("methods"),
    topic!("results"),
    topic!("explorer"),
    topic!("labelling"),
    topic!("statistics"),
    topic!("analysis"),
    topic!("carry-over"),
    topic!("clueweb"),
    topic!("reproducing"),
    topic!("cluster"),
    topic!("scale"),
    topic!("trust"),
    topic!("speed"),
    topic!("commands"),
    topic!("troubleshooting"),
    topic!("architecture"),
];

/// The page about a topic.
pub fn topic(name: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.name == name)
}

/// The only topic whose name begins like this.
pub fn topic_begun_by(beginning: &str) -> Option<&'static Topic> {
    let mut topics = TOPICS.iter().filter(|topic| topic.name.starts_with(beginning));
    topics.next().filter(|_| topics.next().is_none())
}

/// The names of all topics, with a comma between.
pub fn names() -> String {
    TOPICS.iter().map(|topic| topic.name).collect::<Vec<_>>().join(", ")
}

impl Topic {
    /// The first line of the page.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches(['#', ' '])
    }

    /// The page for a terminal, still in Markdown: without pictures and comments, and with the name of the topic in
    /// place of a link to its page.
    pub fn for_terminal(&self) -> String {
        let seen = |line: &&str| !line.starts_with("<!--") && !line.starts_with("![");
        let mut page = String::with_capacity(self.text.len());
        for line in self.text.lines().filter(seen) {
            let mut rest = line;
            while let Some((before, words, name, after)) = link_to_page(rest) {
                page.push_str(before);
                // Writing into a string cannot fail.
                let _ =
                    if words == name { write!(page, "`help {name}`") } else { write!(page, "{words} (`help {name}`)") };
                rest = after;
            }
            page.push_str(rest);
            page.push('\n');
        }
        page
    }
}

/// The first link of a line to a page of the manual: what is before it, its words, the topic, and what is after it.
fn link_to_page(line: &str) -> Option<(&str, &str, &'static str, &str)> {
    line.match_indices("](").find_map(|(middle, _)| {
        let start = line[..middle].rfind('[')?;
        let (address, after) = line[middle + 2..].split_once(')')?;
        let page = address.split('#').next()?.strip_suffix(".md")?;
        let topic = topic(page)?;
        Some((&line[..start], &line[start + 1..middle], topic.name, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_have_names_of_their_own_and_titles() {
        for (n, topic) in TOPICS.iter().enumerate() {
            assert!(TOPICS[..n].iter().all(|other| other.name != topic.name), "{}", topic.name);
            assert!(topic.text.starts_with("# ") && !topic.title().is_empty(), "{}", topic.name);
        }
    }

    #[test]
    fn links_between_pages_name_the_topic_on_a_terminal() {
        let text = "# T\n<!-- keys -->\n![a](../screens/a.svg)\nsee [terms](terms.md), [why](formats.md#why), [x](http://x.org)";
        let page = Topic { name: "t", text };
        let expected = "# T\nsee `help terms`, why (`help formats`), [x](http://x.org)\n";
        assert_eq!(page.for_terminal(), expected);
    }
}
