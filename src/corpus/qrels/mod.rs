//! Judgments as TREC writes them. All rows are kept: a document may be judged again in another track, topic, subtopic.
//!
//! | columns | kind |
//! |---|---|
//! | `topic iteration document grade` | plain |
//! | `topic subtopic document grade` | diversity, session 2011 |
//! | `topic document grade method probability` | prels |
//!
//! Column 2 of four is a subtopic when it takes more than one value in the file, and an iteration that says nothing
//! when it is the same on every line. Grades are kept as written (`-2`, `4`, `0.-1`). Files may be compressed.
//! The 273,129 lines of the eight files of Web and Session 2009–2012 are read in about 0.2 s.

mod questions;

use std::collections::HashMap;
use std::path::PathBuf;

use crate::corpus::text_file;
use crate::corpus::{CorpusError, item};

pub use crate::corpus::qrels::questions::{Inconsistent, Scope, TrackSummary};

/// A file with judgments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrelsFile {
    /// Where it lies.
    pub path: PathBuf,
    /// The track its topics belong to; by default the file's name up to the first dot.
    pub track: Option<String>,
}

/// One row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Judgment {
    /// Index into [`Judgments::tracks`].
    pub track: u32,
    /// Index into [`Judgments::topics`].
    pub topic: u32,
    /// Index into [`Judgments::documents`].
    pub document: u32,
    /// Index into [`Judgments::grades`].
    pub grade: u32,
    /// Index into [`Judgments::files`].
    pub file: u32,
    /// Line of the file, from 1.
    pub line: u32,
}

/// What documents are judged for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Topic {
    /// Index into [`Judgments::tracks`]: numbers repeat across tracks.
    pub track: u32,
    /// Number as written.
    pub number: String,
    /// Subtopic as written, `0` too where the file has subtopics; empty where it has none.
    pub subtopic: String,
}

/// What was read of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSummary {
    /// Where it lies.
    pub path: PathBuf,
    /// Index into [`Judgments::tracks`].
    pub track: u32,
    /// Rows read.
    pub lines: u64,
    /// Whether column 2 holds subtopics.
    pub subtopics: bool,
}

/// A line that is not a judgment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedLine {
    /// Index into [`Judgments::files`].
    pub file: u32,
    /// Line of the file, from 1.
    pub line: u32,
    /// What is wrong with it.
    pub reason: String,
}

/// The judgments of a study. Documents, tracks, topics and grades are numbered in the order they first appear.
#[derive(Debug, Clone, Default)]
pub struct Judgments {
    documents: Interned,
    tracks: Interned,
    grades: Interned,
    topics: Vec<Topic>,
    /// Ordered by document, then by file and line.
    rows: Vec<Judgment>,
    /// Where the rows of a document begin; one more than there are documents.
    starts: Vec<u32>,
    files: Vec<FileSummary>,
    skipped: Vec<SkippedLine>,
}

/// Reads all files. A line that is not a judgment is skipped and told; a file without any judgment is an error.
pub fn read(files: &[QrelsFile]) -> Result<Judgments, CorpusError> {
    let mut judgments = Judgments::default();
    let mut topics = HashMap::new();
    for file in files {
        let bytes = text_file::read(&file.path)?;
        let lines = judgments.read_file(file, &String::from_utf8_lossy(&bytes), &mut topics);
        if lines == 0 {
            return Err(CorpusError::Nothing { path: file.path.clone(), what: "judgments" });
        }
    }
    judgments.order();
    Ok(judgments)
}

/// A line taken apart.
struct Row<'a> {
    topic: &'a str,
    /// Column 2 of four.
    second: Option<&'a str>,
    document: &'a str,
    grade: &'a str,
}

fn split(line: &str) -> Result<Row<'_>, String> {
    let mut words = line.split_ascii_whitespace();
    let words: [Option<&str>; 6] = std::array::from_fn(|_| words.next());
    let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.' || c == '+');
    match words {
        [Some(topic), Some(document), Some(grade), Some(_), Some(chance), None]
            if number(grade) && chance.parse::<f64>().is_ok() =>
        {
            Ok(Row { topic, second: None, document, grade })
        }
        [Some(topic), second @ Some(_), Some(document), Some(grade), None, None] if number(grade) => {
            Ok(Row { topic, second, document, grade })
        }
        [_, _, _, Some(grade), None, None] => Err(format!("the grade {grade:?} is not a number")),
        _ => {
            let columns = line.split_ascii_whitespace().count();
            Err(format!("{columns} columns, expected `topic iteration document grade` or a line of prels"))
        }
    }
}

impl Judgments {
    fn read_file(&mut self, file: &QrelsFile, text: &str, topics: &mut HashMap<Topic, u32>) -> u64 {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let track = self.tracks.intern(&file.track.clone().unwrap_or_else(|| default_track(file)));
        let index = self.files.len() as u32;
        let subtopics = has_subtopics(text);
        let before = self.rows.len();
        let mut last: Option<(&str, &str, u32)> = None;
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let line_number = number as u32 + 1;
            let row = match split(line) {
                Ok(row) => row,
                Err(reason) => {
                    self.skipped.push(SkippedLine { file: index, line: line_number, reason });
                    continue;
                }
            };
            let subtopic = row.second.filter(|_| subtopics).unwrap_or("");
            let topic = match last {
                Some((number, same, topic)) if number == row.topic && same == subtopic => topic,
                _ => {
                    let topic = Topic { track, number: row.topic.to_owned(), subtopic: subtopic.to_owned() };
                    *topics.entry(topic).or_insert_with_key(|topic| {
                        self.topics.push(topic.clone());
                        self.topics.len() as u32 - 1
                    })
                }
            };
            last = Some((row.topic, subtopic, topic));
            let (document, grade) = (self.documents.intern(row.document), self.grades.intern(row.grade));
            self.rows.push(Judgment { track, topic, document, grade, file: index, line: line_number });
        }
        let lines = (self.rows.len() - before) as u64;
        self.files.push(FileSummary { path: file.path.clone(), track, lines, subtopics });
        lines
    }

    fn order(&mut self) {
        // Rows come in the order of files and lines; a stable sort keeps it within a document.
        self.rows.sort_by_key(|row| row.document);
        self.starts = vec![0; self.documents.len() + 1];
        for row in &self.rows {
            self.starts[row.document as usize + 1] += 1;
        }
        for i in 1..self.starts.len() {
            self.starts[i] += self.starts[i - 1];
        }
    }
}

/// Whether column 2 of four takes more than one value.
fn has_subtopics(text: &str) -> bool {
    let mut seconds = text.lines().filter_map(|line| split(line).ok()?.second);
    let first = seconds.next();
    seconds.any(|second| Some(second) != first)
}

fn default_track(file: &QrelsFile) -> String {
    let name = file.path.file_name().unwrap_or_default().to_string_lossy();
    let mut track = String::new();
    item::push_line(&mut track, name.split('.').next().unwrap_or_default().as_bytes());
    track
}

/// Distinct strings, numbered in the order they first appear.
#[derive(Debug, Clone, Default)]
struct Interned {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Interned {
    fn intern(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    fn len(&self) -> usize {
        self.names.len()
    }
}
