//! Judgments as TREC writes them (qrels). All rows are kept: a document may be judged for several tracks, topics and
//! subtopics.
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
//! column 3 numbers alone. Grades are kept as written (`-2`, `4`, `0.-1`), see [`Grade`]. Files may be compressed.
//! The 273,129 lines of the eight files of Web and Session 2009–2012 are read in about 0.2 s.

mod grade;
mod summaries;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use crate::text_file;
use crate::{CorpusError, item};
use dejaview_base::escaping::unescape;
use dejaview_base::line_limits::LongLine;

pub use crate::qrels::grade::{Grade, NoGrade, is_same_grade};
pub use crate::qrels::summaries::{Inconsistent, Scope, TrackSummary};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QrelsFile {
    pub path: PathBuf,
    /// The track of its topics. By default the first of the dot-separated parts of the file's name that is not generic, as
    /// `qrels`, `prels` and `txt` are.
    pub track: Option<String>,
}

/// One line of a file of judgments.
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

/// A topic or one of its subtopics: what documents are judged for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Topic {
    /// Index into [`Judgments::tracks`]; it belongs to the topic, since numbers repeat across tracks.
    pub track: u32,
    /// As written.
    pub number: String,
    /// As written, also `0` where the file has subtopics; empty where it has none.
    pub subtopic: String,
}

/// What was read of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSummary {
    pub path: PathBuf,
    /// Index into [`Judgments::tracks`].
    pub track: u32,
    /// Number of judgments read.
    pub lines: u64,
    /// Number of lines that begin with `#`, which are passed over.
    pub comments: u64,
    /// Whether column 2 holds subtopics.
    pub subtopics: bool,
    /// The names of its columns, as they were understood.
    pub columns: &'static str,
    four_columns: FourColumns,
    /// Why the wrong column may have been read.
    pub suspicion: Option<String>,
}

/// The meaning of four columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum FourColumns {
    /// `topic iteration document grade`, or with a subtopic in column 2.
    #[default]
    Plain,
    /// `topic document grade class`.
    Entity,
}

/// A line that is no judgment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedLine {
    /// Index into [`Judgments::files`].
    pub file: u32,
    /// Line of the file, from 1.
    pub line: u32,
    pub reason: String,
}

/// The judgments of a study. Documents, tracks, topics and grades are numbered in the order they first appear.
#[derive(Debug, Clone, Default)]
pub struct Judgments {
    documents: Interned,
    tracks: Interned,
    grades: Interned,
    /// For each grade the first that means the same.
    first_grades: Vec<u32>,
    topics: Vec<Topic>,
    /// Ordered by document, then by file and line.
    rows: Vec<Judgment>,
    /// Where the rows of each document begin, and the end of the last ones.
    starts: Vec<u32>,
    files: Vec<FileSummary>,
    skipped: Vec<SkippedLine>,
}

/// Reads all files. Lines that are no judgments are skipped and listed; a file without any judgment is an error.
pub fn read(files: &[QrelsFile]) -> Result<Judgments, CorpusError> {
    let mut judgments = Judgments::default();
    let mut topics = HashMap::new();
    for file in files {
        let text = text_file::read_list(&file.path, "judgment")?;
        let lines = judgments.read_file(file, &text.text, &mut topics);
        judgments.add_long_lines(&text.long);
        if lines == 0 {
            let path = file.path.clone();
            let this = judgments.files.len() as u32 - 1;
            return Err(match judgments.skipped.into_iter().find(|line| line.file == this) {
                None => CorpusError::Nothing { path, what: "judgments" },
                Some(SkippedLine { line, reason, .. }) => CorpusError::NoLine { path, what: "judgment", line, reason },
            });
        }
    }
    judgments.sort_by_document();
    judgments.first_grades = grade::first_of_same(&judgments.grades.names);
    Ok(judgments)
}

/// The columns of a line.
struct Columns<'a> {
    topic: &'a str,
    /// Column 2 of four: an iteration or a subtopic.
    second: Option<&'a str>,
    document: &'a str,
    grade: &'a str,
}

/// Why a line is no judgment.
#[derive(Debug, thiserror::Error)]
enum NoJudgment {
    #[error("the grade {:?} is {NoGrade}", item::one_line(.0.as_bytes()))]
    Grade(String),
    #[error(
        "{0} columns, expected `topic iteration document grade`, a line of prels (`topic document grade method \
         probability`) or of Entity 2009 (`topic document grade class`); cut other files to the first of these"
    )]
    Columns(usize),
}

fn parse_line(line: &str, four_columns: FourColumns) -> Result<Columns<'_>, NoJudgment> {
    let mut words = line.split_ascii_whitespace();
    let words: [Option<&str>; 6] = std::array::from_fn(|_| words.next());
    match words {
        [Some(topic), Some(document), Some(grade), Some(_), Some(chance), None]
            if is_number(grade) && chance.parse::<f64>().is_ok() =>
        {
            Ok(Columns { topic, second: None, document, grade })
        }
        [Some(topic), Some(document), Some(grade), Some(_), None, None]
            if four_columns == FourColumns::Entity && is_number(grade) =>
        {
            Ok(Columns { topic, second: None, document, grade })
        }
        [Some(topic), second @ Some(_), Some(document), Some(grade), None, None] if is_number(grade) => {
            Ok(Columns { topic, second, document, grade })
        }
        [_, _, Some(grade), Some(_), Some(chance), None] if chance.parse::<f64>().is_ok() => {
            Err(NoJudgment::Grade(grade.to_owned()))
        }
        [_, _, Some(grade), Some(_), None, None] if four_columns == FourColumns::Entity => {
            Err(NoJudgment::Grade(grade.to_owned()))
        }
        [_, _, _, Some(grade), None, None] => Err(NoJudgment::Grade(grade.to_owned())),
        _ => Err(NoJudgment::Columns(line.split_ascii_whitespace().count())),
    }
}

fn is_number(word: &str) -> bool {
    word.parse::<Grade>().is_ok()
}

/// Whether a word may be meant as a number: such a column is hardly one of documents.
fn begins_like_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.' || c == '+')
}

/// A line of a file with its grade replaced, and nothing else.
pub fn with_grade(line: &str, file: &FileSummary, grade: &str) -> String {
    let Ok(Columns { grade: old, .. }) = parse_line(line, file.four_columns) else { return line.to_owned() };
    let start = old.as_ptr() as usize - line.as_ptr() as usize;
    format!("{}{grade}{}", &line[..start], &line[start + old.len()..])
}

impl Judgments {
    fn read_file(&mut self, file: &QrelsFile, text: &str, topics: &mut HashMap<Topic, u32>) -> u64 {
        let track = self.tracks.intern(&file.track.clone().unwrap_or_else(|| default_track(file)));
        let index = self.files.len() as u32;
        let (four_columns, subtopics) = detect_columns(text);
        let before = self.rows.len();
        let mut last: Option<(&str, &str, u32)> = None;
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let line_number = number as u32 + 1;
            let row = match parse_line(line, four_columns) {
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
            let (document, grade) = (self.documents.intern(&unescape(row.document)), self.grades.intern(row.grade));
            self.rows.push(Judgment { track, topic, document, grade, file: index, line: line_number });
        }
        let lines = (self.rows.len() - before) as u64;
        let columns = column_names(text, four_columns, subtopics);
        let path = file.path.clone();
        let comments = text.lines().filter(|line| line.starts_with('#')).count() as u64;
        let mut summary =
            FileSummary { path, track, lines, comments, subtopics, columns, four_columns, suspicion: None };
        let rows = &self.rows[before..];
        summary.suspicion = few_documents(rows).or_else(|| self.single_grade(rows, text, &summary));
        self.files.push(summary);
        lines
    }

    /// Lists the lines of the last file that are too long, in the order of its lines.
    fn add_long_lines(&mut self, long: &[LongLine]) {
        let file = self.files.len() as u32 - 1;
        let skipped = |long: &LongLine| SkippedLine { file, line: long.line as u32, reason: long.to_string() };
        self.skipped.extend(long.iter().map(skipped));
        self.skipped.sort_by_key(|skipped| (skipped.file, skipped.line));
    }

    /// The suspicion that another column holds the grades: all judgments have the same one, and another column has several
    /// numbers.
    fn single_grade(&self, rows: &[Judgment], text: &str, file: &FileSummary) -> Option<String> {
        let grade = rows.first()?.grade;
        if rows.len() <= MANY || rows.iter().any(|row| row.grade != grade) {
            return None;
        }
        let column = if file.four_columns == FourColumns::Entity { 4 } else { 2 };
        let four = text.lines().filter(|line| !line.starts_with('#') && line.split_ascii_whitespace().count() == 4);
        let mut others = HashSet::new();
        for word in four.filter_map(|line| line.split_ascii_whitespace().nth(column - 1)) {
            if word.parse::<f64>().is_err() {
                return None;
            }
            others.insert(word);
        }
        (others.len() > 1).then(|| {
            format!(
                "read as {}: all {} lines have the grade {}, and column {column} has {} different numbers; if these are \
                 the grades, put the columns into the order `topic iteration document grade`",
                file.columns,
                rows.len(),
                self.grades.names[grade as usize],
                others.len()
            )
        })
    }

    fn sort_by_document(&mut self) {
        // The sort is stable, so the rows of a document stay in the order of files and lines.
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

/// The meaning of the four columns of a file, and whether column 2 holds subtopics.
fn detect_columns(text: &str) -> (FourColumns, bool) {
    let lines = || {
        text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| parse_line(line, FourColumns::Plain).ok())
    };
    let four = || lines().filter_map(|row| Some((row.second?, row.document)));
    let entity = four().next().is_some()
        && four().all(|(second, third)| !begins_like_number(second) && third.parse::<i32>().is_ok())
        && four().map(|(second, _)| second).collect::<HashSet<_>>().len()
            > four().map(|(_, third)| third).collect::<HashSet<_>>().len();
    if entity {
        return (FourColumns::Entity, false);
    }
    let mut seconds = four().map(|(second, _)| second);
    let first = seconds.next();
    (FourColumns::Plain, seconds.any(|second| Some(second) != first))
}

fn column_names(text: &str, four_columns: FourColumns, subtopics: bool) -> &'static str {
    let rows =
        || text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| parse_line(line, four_columns).ok());
    match four_columns {
        FourColumns::Entity => "topic, document, grade, class",
        FourColumns::Plain if rows().all(|row| row.second.is_none()) => "topic, document, grade, method, probability",
        FourColumns::Plain if subtopics => "topic, subtopic, document, grade",
        FourColumns::Plain => "topic, iteration, document, grade",
    }
}

/// Fewer different documents than this, in more than [`MANY`] lines, are hardly a column of documents.
const FEW: usize = 4;
const MANY: usize = 20;

/// The suspicion that another column holds the documents.
fn few_documents(rows: &[Judgment]) -> Option<String> {
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
    let is_specific = |part: &&str| !part.is_empty() && !GENERIC.contains(&part.to_ascii_lowercase().as_str());
    let first = name.split('.').find(is_specific).or_else(|| name.split('.').next());
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
