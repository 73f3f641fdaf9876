//! Judgments as TREC writes them. All rows are kept: a document may be judged again in another track, topic, subtopic.
//!
//! | columns | kind |
//! |---|---|
//! | `topic iteration document grade` | plain |
//! | `topic subtopic document grade` | diversity, session 2011 |
//! | `topic document grade method probability` | prels |
//! | `topic document grade class` | Entity 2009 |
//!
//! Column 2 of four is a subtopic when it takes more than one value in the file, and an iteration that says nothing
//! when it is the same on every line. It is the document where it holds words, more different ones than column 3, and
//! column 3 numbers alone. Grades are kept as written (`-2`, `4`, `0.-1`). Files may be compressed.
//! The 273,129 lines of the eight files of Web and Session 2009–2012 are read in about 0.2 s.

mod questions;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use crate::text_file;
use crate::{CorpusError, item};

pub use crate::qrels::questions::{Inconsistent, Scope, TrackSummary};

/// A file with judgments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrelsFile {
    /// Where it lies.
    pub path: PathBuf,
    /// The track its topics belong to; by default the first part of the file's name (they end in dots) that says something:
    /// not `qrels`, `prels` or an ending such as `txt`.
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
    /// What its columns were read as.
    pub columns: &'static str,
    /// Whether four columns begin with topic and document.
    form: Form,
    /// What looks as if the wrong column was read.
    pub suspicion: Option<String>,
}

/// What four columns are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Form {
    /// `topic iteration document grade`, or with a subtopic in column 2.
    #[default]
    Plain,
    /// `topic document grade class`.
    Entity,
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
            let path = file.path.clone();
            let this = judgments.files.len() as u32 - 1;
            return Err(match judgments.skipped.into_iter().find(|line| line.file == this) {
                None => CorpusError::Nothing { path, what: "judgments" },
                Some(SkippedLine { line, reason, .. }) => CorpusError::NoLine { path, what: "judgment", line, reason },
            });
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

/// Why a line is not a judgment.
#[derive(Debug, thiserror::Error)]
enum NoJudgment {
    #[error("the grade {0:?} is not a number")]
    Grade(String),
    #[error(
        "{0} columns, expected `topic iteration document grade`, a line of prels (`topic document grade method \
         probability`) or of Entity 2009 (`topic document grade class`); cut other files to the first of these"
    )]
    Columns(usize),
}

fn split(line: &str, form: Form) -> Result<Row<'_>, NoJudgment> {
    let mut words = line.split_ascii_whitespace();
    let words: [Option<&str>; 6] = std::array::from_fn(|_| words.next());
    match words {
        [Some(topic), Some(document), Some(grade), Some(_), Some(chance), None]
            if is_number(grade) && chance.parse::<f64>().is_ok() =>
        {
            Ok(Row { topic, second: None, document, grade })
        }
        [Some(topic), Some(document), Some(grade), Some(_), None, None] if form == Form::Entity && is_number(grade) => {
            Ok(Row { topic, second: None, document, grade })
        }
        [Some(topic), second @ Some(_), Some(document), Some(grade), None, None] if is_number(grade) => {
            Ok(Row { topic, second, document, grade })
        }
        [_, _, _, Some(grade), None, None] => Err(NoJudgment::Grade(grade.to_owned())),
        _ => Err(NoJudgment::Columns(line.split_ascii_whitespace().count())),
    }
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.' || c == '+')
}

/// The line of a file with another grade, everything else as it was.
pub fn with_grade(line: &str, file: &FileSummary, grade: &str) -> String {
    let Ok(Row { grade: old, .. }) = split(line, file.form) else { return line.to_owned() };
    let start = old.as_ptr() as usize - line.as_ptr() as usize;
    format!("{}{grade}{}", &line[..start], &line[start + old.len()..])
}

impl Judgments {
    fn read_file(&mut self, file: &QrelsFile, text: &str, topics: &mut HashMap<Topic, u32>) -> u64 {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let track = self.tracks.intern(&file.track.clone().unwrap_or_else(|| default_track(file)));
        let index = self.files.len() as u32;
        let (form, subtopics) = columns_of(text);
        let before = self.rows.len();
        let mut last: Option<(&str, &str, u32)> = None;
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let line_number = number as u32 + 1;
            let row = match split(line, form) {
                Ok(row) => row,
                Err(why) => {
                    self.skipped.push(SkippedLine { file: index, line: line_number, reason: why.to_string() });
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
        let columns = columns_in_words(text, form, subtopics);
        let suspicion = suspicion(&self.rows[before..]).or_else(|| self.one_grade(before, text, form, columns));
        self.files.push(FileSummary { path: file.path.clone(), track, lines, subtopics, columns, form, suspicion });
        lines
    }

    /// What looks wrong when all judgments from row `before` on have one grade, and another column has several numbers.
    fn one_grade(&self, before: usize, text: &str, form: Form, columns: &str) -> Option<String> {
        let rows = &self.rows[before..];
        let grade = rows.first()?.grade;
        if rows.len() <= MANY || rows.iter().any(|row| row.grade != grade) {
            return None;
        }
        let (place, number) = if form == Form::Entity { (4, 3) } else { (2, 1) };
        let four = text.lines().filter(|line| !line.starts_with('#') && line.split_ascii_whitespace().count() == 4);
        let mut others = HashSet::new();
        for word in four.filter_map(|line| line.split_ascii_whitespace().nth(number)) {
            if word.parse::<f64>().is_err() {
                return None;
            }
            others.insert(word);
        }
        (others.len() > 1).then(|| {
            format!(
                "read as {columns}: all {} lines have the grade {}, and column {place} has {} different numbers; if these are \
                 the grades, put the columns into the order `topic iteration document grade`",
                rows.len(),
                self.grades.names[grade as usize],
                others.len()
            )
        })
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

/// What four columns of a file are, and whether column 2 holds subtopics.
fn columns_of(text: &str) -> (Form, bool) {
    let lines = || text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| split(line, Form::Plain).ok());
    let four = || lines().filter_map(|row| Some((row.second?, row.document)));
    let entity = four().next().is_some()
        && four().all(|(second, third)| !is_number(second) && third.parse::<i32>().is_ok())
        && four().map(|(second, _)| second).collect::<HashSet<_>>().len()
            > four().map(|(_, third)| third).collect::<HashSet<_>>().len();
    if entity {
        return (Form::Entity, false);
    }
    let mut seconds = four().map(|(second, _)| second);
    let first = seconds.next();
    (Form::Plain, seconds.any(|second| Some(second) != first))
}

/// The columns of a file by name.
fn columns_in_words(text: &str, form: Form, subtopics: bool) -> &'static str {
    let rows = || text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| split(line, form).ok());
    match form {
        Form::Entity => "topic, document, grade, class",
        Form::Plain if rows().all(|row| row.second.is_none()) => "topic, document, grade, method, probability",
        Form::Plain if subtopics => "topic, subtopic, document, grade",
        Form::Plain => "topic, iteration, document, grade",
    }
}

/// Fewer different documents than this, in lines more than [`MANY`], are hardly a column of documents.
const FEW: usize = 4;
const MANY: usize = 20;

fn suspicion(rows: &[Judgment]) -> Option<String> {
    let different = rows.iter().map(|row| row.document).collect::<HashSet<_>>().len();
    (rows.len() > MANY && different < FEW).then(|| {
        format!(
            "{} lines name {different} different document{}; is the column of documents another one? Expected is `topic \
             iteration document grade`",
            rows.len(),
            if different == 1 { "" } else { "s" }
        )
    })
}

/// Parts of file names that say nothing about the track.
const GENERIC: [&str; 13] =
    ["qrels", "qrel", "prels", "prel", "judgments", "judgements", "txt", "tsv", "gz", "bz2", "xz", "zst", "z"];

fn default_track(file: &QrelsFile) -> String {
    let name = file.path.file_name().unwrap_or_default().to_string_lossy();
    let says = |part: &&str| !part.is_empty() && !GENERIC.contains(&part.to_ascii_lowercase().as_str());
    let first = name.split('.').find(says).or_else(|| name.split('.').next());
    let mut track = String::new();
    item::push_line(&mut track, first.unwrap_or_default().as_bytes());
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
