//! Judgments: counts by track and grade, the list of all, and documents that were judged differently.

use serde::Serialize;

use crate::charts::text::bar;
use crate::fitting::{aligned, lines, prose};
use crate::numbers::{count, plural};
use crate::result::{Record, Report, serialize_in_order};
use crate::table::Table;
use crate::topics::{TopicName, judged_names};
use dejaview_base::escaping::escape_id;
use dejaview_corpus::qrels::{FileSummary, Inconsistent, Judgment, Judgments, Scope};
use dejaview_corpus::topics::{Topics, UnreadTopic};

/// Columns of the longest bar of the chart of grades.
const BAR: usize = 40;

#[derive(Debug, Serialize)]
pub struct JudgmentsReport<'a> {
    lines: usize,
    documents: usize,
    topics: u64,
    #[serde(serialize_with = "serialize_in_order")]
    grades: Vec<(String, u64)>,
    tracks: Vec<TrackRow>,
    inconsistent: JudgedDifferently,
    skipped: Vec<SkippedRow<'a>>,
    /// Lines and elements of topic files that give no topic.
    unread_topics: Vec<SkippedRow<'a>>,
    suspicious: Vec<SuspiciousFile<'a>>,
    files: Vec<FileRow>,
    #[serde(skip)]
    judgments: &'a Judgments,
}

#[derive(Debug, Serialize)]
struct TrackRow {
    name: String,
    lines: u64,
    documents: u64,
    topics: u64,
    #[serde(serialize_with = "serialize_in_order")]
    grades: Vec<(String, u64)>,
}

/// How many documents were judged differently within one topic, and from track to track.
#[derive(Debug, Clone, Copy, Serialize)]
struct JudgedDifferently {
    within_topic: u64,
    across_tracks: u64,
}

#[derive(Debug, Serialize)]
struct SkippedRow<'a> {
    file: String,
    line: u32,
    reason: &'a str,
}

/// A file of which the wrong column may have been read.
#[derive(Debug, Serialize)]
struct SuspiciousFile<'a> {
    file: String,
    why: &'a str,
}

#[derive(Debug, Serialize)]
struct FileRow {
    file: String,
    lines: u64,
    /// Lines that begin with `#`.
    comments: u64,
    columns: &'static str,
}

impl<'a> JudgmentsReport<'a> {
    pub fn new(judgments: &'a Judgments) -> Self {
        let name = |file: &FileSummary| file.path.display().to_string();
        let (within_topic, across_tracks) = judgments.judged_differently();
        let tracks = judgments.track_summaries().into_iter().map(|track| TrackRow {
            name: track.name,
            lines: track.lines,
            documents: track.documents,
            topics: track.topics,
            grades: track.grades,
        });
        let skipped = judgments.skipped().iter().map(|skipped| SkippedRow {
            file: name(&judgments.files()[skipped.file as usize]),
            line: skipped.line,
            reason: &skipped.reason,
        });
        let suspicious = |file: &'a FileSummary| {
            let why = file.suspicion.as_deref()?;
            Some(SuspiciousFile { file: name(file), why })
        };
        let read = |file: &FileSummary| FileRow {
            file: name(file),
            lines: file.lines,
            comments: file.comments,
            columns: file.columns,
        };
        Self {
            lines: judgments.rows().len(),
            documents: judgments.documents().len(),
            topics: judgments.topic_count(),
            grades: judgments.grade_counts(),
            tracks: tracks.collect(),
            inconsistent: JudgedDifferently { within_topic, across_tracks },
            skipped: skipped.collect(),
            unread_topics: Vec::new(),
            suspicious: judgments.files().iter().filter_map(suspicious).collect(),
            files: judgments.files().iter().map(read).collect(),
            judgments,
        }
    }

    /// The same with what was not read of the topics.
    #[must_use]
    pub fn with_topics(mut self, topics: &'a Topics) -> Self {
        let row = |unread: &'a UnreadTopic| SkippedRow {
            file: unread.path.display().to_string(),
            line: unread.line,
            reason: &unread.reason,
        };
        self.unread_topics = topics.unread.iter().map(row).collect();
        self
    }

    /// Lines and grades of each track and of all; `zero` is how the number 0 is written.
    fn by_track(&self, zero: &str) -> Table {
        let mut head = vec!["track", "lines", "documents", "topics"];
        head.extend(self.grades.iter().map(|(grade, _)| grade.as_str()));
        let mut table = Table::new("tracks", "Judgments by track and grade", &head).right(1..head.len());
        let row = |name: &str, numbers: [u64; 3], grades: &[(String, u64)]| {
            let lines = |grade: &String| grades.iter().find(|(other, _)| other == grade).map_or(0, |(_, n)| *n);
            let cell = |(grade, _): &(String, u64)| match lines(grade) {
                0 => zero.to_owned(),
                n => count(n),
            };
            let cells = numbers.map(count).into_iter().chain(self.grades.iter().map(cell));
            std::iter::once(name.to_owned()).chain(cells).collect::<Vec<_>>()
        };
        for track in &self.tracks {
            table.row(row(&track.name, [track.lines, track.documents, track.topics], &track.grades));
        }
        table.row(row("all", [self.lines as u64, self.documents as u64, self.topics], &self.grades));
        table
    }

    /// Names of the files that were read with the same columns, in the order of the first of each.
    fn files_by_columns(&self) -> Vec<(&'static str, String)> {
        let mut groups: Vec<(&str, String)> = Vec::new();
        for file in self.judgments.files() {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy();
            match groups.iter_mut().find(|(columns, _)| *columns == file.columns) {
                Some((_, names)) => names.push_str(&format!(", {name}")),
                None => groups.push((file.columns, name.into_owned())),
            }
        }
        groups
    }
}

impl JudgedDifferently {
    fn sentence(self) -> String {
        let pairs = plural(self.within_topic, "topic–document pair");
        let which = match self.across_tracks {
            0 => {
                return format!("judged differently: {pairs} (a document within one topic; --inconsistent lists them)");
            }
            1 => "1 document has".to_owned(),
            n => format!("{} documents have", count(n)),
        };
        format!(
            "judged differently: {pairs} (a document within one topic); {which} other grades in one track than in another, which is \
             no contradiction, since the topics are others, too (--inconsistent lists both)"
        )
    }
}

impl Report for JudgmentsReport<'_> {
    fn tables(&self) -> Vec<Table> {
        let mut table = self.by_track("0");
        table.note(format!(
            "documents are distinct ids; judged differently: {} (a document within one topic), {} across tracks",
            plural(self.inconsistent.within_topic, "topic–document pair"),
            plural(self.inconsistent.across_tracks, "document")
        ));
        vec![table]
    }

    fn text(&self, columns: Option<usize>) -> Vec<String> {
        let Table { head, rows, right, .. } = self.by_track("·");
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
        let mut text = aligned(&rows, &right, columns);
        text.push(String::new());
        let highest = self.grades.iter().map(|(_, n)| *n).max().unwrap_or(0);
        let row = |(grade, n): &(String, u64)| vec![format!("grade {grade}"), bar(*n, highest, BAR, false), count(*n)];
        text.extend(lines(&self.grades.iter().map(row).collect::<Vec<_>>(), &[0]));
        text.push(String::new());
        text.extend(prose(&self.inconsistent.sentence(), columns));
        for (read_as, files) in self.files_by_columns() {
            text.extend(prose(&format!("read as {read_as}: {files}"), columns));
        }
        for FileRow { file, comments, .. } in self.files.iter().filter(|file| file.comments > 0) {
            let lines = plural(*comments, "line");
            text.extend(prose(
                &format!("passed over as comments, since they begin with #: {lines} of {file}"),
                columns,
            ));
        }
        text
    }
}

#[derive(Debug, Serialize)]
pub struct JudgmentRow<'a> {
    #[serde(flatten)]
    topic: TopicName<'a>,
    document: &'a str,
    grade: &'a str,
}

impl<'a> JudgmentRow<'a> {
    pub fn new(judgments: &'a Judgments, row: &Judgment) -> Self {
        let (document, grade) = judged_names(judgments, row.document, row.grade);
        let track = &judgments.tracks()[row.track as usize];
        Self { topic: TopicName { track, ..TopicName::new(judgments, row.topic) }, document, grade }
    }
}

impl Record for JudgmentRow<'_> {
    const HEAD: &'static [&'static str] = &["track", "topic", "subtopic", "document", "grade"];

    fn cells(&self) -> Vec<String> {
        let TopicName { track, topic, subtopic } = self.topic;
        [track, topic, subtopic, &escape_id(self.document), self.grade].map(str::to_owned).into()
    }
}

/// A judged document that the source lacks.
#[derive(Debug, Serialize)]
pub struct MissingRow {
    pub document: String,
}

impl Record for MissingRow {
    const HEAD: &'static [&'static str] = &["document"];

    fn cells(&self) -> Vec<String> {
        vec![escape_id(&self.document).into_owned()]
    }
}

/// A document that was judged differently.
#[derive(Debug, Serialize)]
pub struct InconsistentRow<'a> {
    /// The topic, or `across tracks`.
    scope: String,
    document: &'a str,
    grades: Vec<&'a str>,
}

impl<'a> InconsistentRow<'a> {
    pub fn new(judgments: &'a Judgments, found: &Inconsistent) -> Self {
        let scope = match &found.scope {
            Scope::Topic(topic) => {
                let TopicName { track, topic, .. } = TopicName::new(judgments, *topic);
                format!("{track} {topic}")
            }
            Scope::Tracks => "across tracks".to_owned(),
        };
        let grades = found.grades.iter().map(|&grade| judgments.grades()[grade as usize].as_str()).collect();
        Self { scope, document: &judgments.documents()[found.document as usize], grades }
    }
}

impl Record for InconsistentRow<'_> {
    const HEAD: &'static [&'static str] = &["scope", "document", "grades"];

    fn cells(&self) -> Vec<String> {
        vec![self.scope.clone(), escape_id(self.document).into_owned(), self.grades.join(" ")]
    }
}
