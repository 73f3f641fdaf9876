//! A *work* is what a page says, apart from where it stands and how it is dressed: the front matter and the blocks
//! of one file under `base/`, or of one member of a family.

use std::collections::BTreeMap;

use crate::date::Date;

/// One piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// `== text`
    Heading(String),
    /// Any other line.
    Paragraph(String),
    /// `- text`, or `# text` where the list is numbered.
    Item(bool, String),
    /// `| a | b |`, or `|! a | b |` for the head of a table.
    Row(bool, Vec<String>),
    /// `@user | time`: a forum post begins.
    Post(String, String),
    /// `---`
    Rule,
}

/// What a page says.
#[derive(Debug, Clone)]
pub struct Work {
    /// Unique; also the stem of its URLs.
    pub id: String,
    /// Works of one family are filled-in copies of one form.
    pub family: Option<String>,
    /// Filled in by the generator, not written by hand.
    pub generated: bool,
    /// The front matter.
    pub meta: BTreeMap<String, String>,
    /// The text.
    pub blocks: Vec<Block>,
    /// What a later edition adds.
    pub later: Vec<Block>,
}

impl Work {
    /// Reads a file: `key: value` lines, an empty line, blocks, and after `%% later` the additions.
    pub fn parse(id: &str, text: &str) -> Self {
        let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
        let meta = parse_meta(head);
        let (now, later) = body.split_once("%% later\n").unwrap_or((body, ""));
        Self {
            id: id.to_owned(),
            family: meta.get("family").cloned(),
            generated: false,
            meta,
            blocks: parse_blocks(now),
            later: parse_blocks(later),
        }
    }

    /// A value of the front matter, or nothing.
    pub fn get(&self, key: &str) -> &str {
        self.meta.get(key).map_or("", String::as_str)
    }

    /// The day the work itself is dated.
    pub fn date(&self) -> Date {
        Date::parse(self.get("date"))
    }

    /// The title in letters, digits and hyphens.
    pub fn slug(&self) -> String {
        slug(self.get("title"))
    }

    /// True where the front matter says `in: target`.
    pub fn target_only(&self) -> bool {
        self.get("in") == "target"
    }
}

/// Lower-case ASCII letters, digits and single hyphens.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') && c != '\'' {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// `key: value` lines.
pub fn parse_meta(head: &str) -> BTreeMap<String, String> {
    head.lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        .collect()
}

fn parse_blocks(text: &str) -> Vec<Block> {
    text.lines().filter_map(parse_block).collect()
}

fn parse_block(line: &str) -> Option<Block> {
    let line = line.trim();
    if line.is_empty() {
        return None;
    }
    Some(if line == "---" {
        Block::Rule
    } else if let Some(text) = line.strip_prefix("== ") {
        Block::Heading(text.to_owned())
    } else if let Some(text) = line.strip_prefix("- ") {
        Block::Item(false, text.to_owned())
    } else if let Some(text) = line.strip_prefix("# ") {
        Block::Item(true, text.to_owned())
    } else if let Some(text) = line.strip_prefix("|!") {
        Block::Row(true, cells(text))
    } else if let Some(text) = line.strip_prefix('|') {
        Block::Row(false, cells(text))
    } else if let Some(text) = line.strip_prefix('@') {
        let (user, time) = text.split_once(" | ").unwrap_or((text, ""));
        Block::Post(user.to_owned(), time.to_owned())
    } else {
        Block::Paragraph(line.to_owned())
    })
}

fn cells(text: &str) -> Vec<String> {
    let inner = text.strip_suffix('|').unwrap_or(text);
    inner.split('|').map(|c| c.trim().to_owned()).collect()
}
