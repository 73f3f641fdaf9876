//! Counts of judgments by track and grade, and documents that were judged differently.

use std::collections::{BTreeMap, HashSet};

use crate::qrels::{FileSummary, Grade, Judgment, Judgments, SkippedLine, Topic};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackSummary {
    pub name: String,
    pub lines: u64,
    pub documents: u64,
    /// Distinct topic numbers, subtopics aside.
    pub topics: u64,
    /// Judgments by grade as written, ordered like [`Judgments::grade_counts`].
    pub grades: Vec<(String, u64)>,
}

/// Where grades differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Within one topic of one track: over its subtopics, or because a line was repeated with another grade. The index
    /// of one of the topic's entries in [`Judgments::topics`], the first the document is judged for.
    Topic(u32),
    /// Between tracks, whatever the topics.
    Tracks,
}

/// A document with more than one grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inconsistent {
    /// Index into [`Judgments::documents`].
    pub document: u32,
    pub scope: Scope,
    /// Its distinct grades there, indices into [`Judgments::grades`], ascending by value.
    pub grades: Vec<u32>,
}

impl Judgments {
    /// Ids of all judged documents.
    pub fn documents(&self) -> &[String] {
        &self.documents.names
    }

    /// Number of a document; `None` when it is not judged.
    pub fn document(&self, id: &str) -> Option<u32> {
        self.documents.numbers.get(id).copied()
    }

    pub fn tracks(&self) -> &[String] {
        &self.tracks.names
    }

    /// One entry for each subtopic, or for the topic where it has none.
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// As written.
    pub fn grades(&self) -> &[String] {
        &self.grades.names
    }

    /// All judgments, ordered by document, then by file and line.
    pub fn rows(&self) -> &[Judgment] {
        &self.rows
    }

    pub fn files(&self) -> &[FileSummary] {
        &self.files
    }

    pub fn skipped(&self) -> &[SkippedLine] {
        &self.skipped
    }

    /// The judgments of a document, in the order of files and lines.
    pub fn of_document(&self, document: u32) -> &[Judgment] {
        let at = document as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&start), Some(&end)) => &self.rows[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The first grade that means the same as this one: `1`, `01` and `+1` are written differently and do not differ.
    pub fn first_of_same(&self, grade: u32) -> u32 {
        self.first_grades[grade as usize]
    }

    /// The key that sorts grades: by value, then as written.
    pub fn grade_order(&self, grade: u32) -> (Option<Grade>, &str) {
        let name = self.grades.names[grade as usize].as_str();
        (name.parse().ok(), name)
    }

    /// How many documents have each grade among these judgments, given by their numbers: one that is repeated has no second vote.
    pub fn votes(&self, judgments: impl IntoIterator<Item = u32>) -> BTreeMap<u32, usize> {
        let mut documents: BTreeMap<u32, HashSet<u32>> = BTreeMap::new();
        for row in judgments.into_iter().map(|number| &self.rows[number as usize]) {
            documents.entry(self.first_of_same(row.grade)).or_default().insert(row.document);
        }
        documents.into_iter().map(|(grade, voters)| (grade, voters.len())).collect()
    }

    /// Distinct topic numbers over all tracks, subtopics aside.
    pub fn topic_count(&self) -> u64 {
        self.topics.iter().map(|topic| (topic.track, &topic.number)).collect::<HashSet<_>>().len() as u64
    }

    /// How often each grade was given, ascending by its value.
    pub fn grade_counts(&self) -> Vec<(String, u64)> {
        self.count_grades(self.rows.iter())
    }

    fn count_grades<'a>(&self, rows: impl Iterator<Item = &'a Judgment>) -> Vec<(String, u64)> {
        let mut counts = vec![0u64; self.grades.len()];
        rows.for_each(|row| counts[row.grade as usize] += 1);
        let mut grades: Vec<u32> = (0..counts.len() as u32).filter(|&grade| counts[grade as usize] > 0).collect();
        grades.sort_by_key(|&grade| self.grade_order(grade));
        grades.into_iter().map(|grade| (self.grades.names[grade as usize].clone(), counts[grade as usize])).collect()
    }

    /// Counts of every track, in the order they first appear.
    pub fn track_summaries(&self) -> Vec<TrackSummary> {
        let summary = |(track, name): (usize, &String)| {
            let rows = || self.rows.iter().filter(move |row| row.track as usize == track);
            let documents = rows().map(|row| row.document).collect::<HashSet<_>>().len() as u64;
            let topics = self.topics.iter().filter(|topic| topic.track as usize == track);
            let topics = topics.map(|topic| &topic.number).collect::<HashSet<_>>().len() as u64;
            let (lines, grades) = (rows().count() as u64, self.count_grades(rows()));
            TrackSummary { name: name.clone(), lines, documents, topics, grades }
        };
        self.tracks.names.iter().enumerate().map(summary).collect()
    }

    /// How often documents were judged differently: topic–document pairs within one topic, and documents across tracks.
    pub fn judged_differently(&self) -> (u64, u64) {
        let all = self.inconsistent();
        let within = all.iter().filter(|inconsistent| matches!(inconsistent.scope, Scope::Topic(_))).count();
        (within as u64, (all.len() - within) as u64)
    }

    /// Documents with differing grades, ordered by document; first within a topic, then between tracks.
    ///
    /// Between tracks a document counts when the sets of its grades differ from track to track: topics differ too, so
    /// this is a hint, not an error.
    pub fn inconsistent(&self) -> Vec<Inconsistent> {
        let mut found = Vec::new();
        for document in 0..self.documents.len() as u32 {
            let rows = self.of_document(document);
            let grade = |row: &Judgment| self.first_of_same(row.grade);
            if rows.iter().all(|row| grade(row) == grade(&rows[0])) {
                continue;
            }
            let mut topics: BTreeMap<(u32, &str), (u32, Vec<u32>)> = BTreeMap::new();
            let mut tracks: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for row in rows {
                let key = (row.track, self.topics[row.topic as usize].number.as_str());
                topics.entry(key).or_insert((row.topic, Vec::new())).1.push(grade(row));
                tracks.entry(row.track).or_default().push(grade(row));
            }
            for (topic, grades) in topics.into_values() {
                let grades = self.sorted_and_distinct(grades);
                if grades.len() > 1 {
                    found.push(Inconsistent { document, scope: Scope::Topic(topic), grades });
                }
            }
            let sets: Vec<Vec<u32>> = tracks.into_values().map(|grades| self.sorted_and_distinct(grades)).collect();
            if sets.windows(2).any(|pair| pair[0] != pair[1]) {
                let grades = self.sorted_and_distinct(sets.concat());
                found.push(Inconsistent { document, scope: Scope::Tracks, grades });
            }
        }
        found
    }

    fn sorted_and_distinct(&self, mut grades: Vec<u32>) -> Vec<u32> {
        grades.sort_by_key(|&grade| self.grade_order(grade));
        grades.dedup();
        grades
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::qrels::{QrelsFile, default_track, read, with_grade};

    fn judged(files: &[(&str, &str)]) -> Judgments {
        let folder = tempfile::tempdir().unwrap();
        let files: Vec<QrelsFile> = files
            .iter()
            .map(|(name, text)| {
                let path = folder.path().join(name);
                std::fs::File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
                QrelsFile { path, track: None }
            })
            .collect();
        read(&files).unwrap()
    }

    fn shown(judgments: &Judgments) -> Vec<String> {
        let row = |row: &Judgment| {
            let topic = &judgments.topics()[row.topic as usize];
            let grade = &judgments.grades()[row.grade as usize];
            format!("{}/{}/{} {grade}", judgments.tracks()[row.track as usize], topic.number, topic.subtopic)
        };
        judgments.rows().iter().map(row).collect()
    }

    #[test]
    fn plain_prels_and_two_part_grades() {
        let text = "\u{feff}1  0\td1   2  \r\n\r\n# note\n1 0 d2 0.-1\n1 d3 1 0 0.25\n1 0 d1 -2";
        let judgments = judged(&[("web10.some.qrels", text)]);
        assert_eq!(shown(&judgments), ["web10/1/ 2", "web10/1/ -2", "web10/1/ 0.-1", "web10/1/ 1"]);
        assert_eq!(judgments.documents(), ["d1", "d2", "d3"]);
        assert_eq!(judgments.document("d2"), Some(1));
        assert_eq!(judgments.document("d9"), None);
        assert_eq!(judgments.of_document(0).iter().map(|row| row.line).collect::<Vec<_>>(), [1, 6]);
        assert!(judgments.of_document(9).is_empty());
        let grades: Vec<String> =
            judgments.grade_counts().into_iter().map(|(grade, n)| format!("{grade}:{n}")).collect();
        assert_eq!(grades, ["-2:1", "0.-1:1", "1:1", "2:1"]);
    }

    #[test]
    fn a_second_column_that_varies_is_the_subtopic() {
        let judgments = judged(&[("a", "1 0 d 0\n1 1 d 2\n"), ("b", "1 Q0 d 0\n2 Q0 e 1\n")]);
        assert_eq!(shown(&judgments), ["a/1/0 0", "a/1/1 2", "b/1/ 0", "b/2/ 1"]);
        assert_eq!(judgments.topic_count(), 3);
        let found = judgments.inconsistent();
        assert_eq!(found.iter().map(|i| i.scope).collect::<Vec<_>>(), [Scope::Topic(0), Scope::Tracks]);
        let summary = &judgments.track_summaries()[1];
        assert_eq!((summary.lines, summary.documents, summary.topics), (2, 2, 2));
    }

    #[test]
    fn bad_lines_are_listed() {
        let judgments = judged(&[("a", "1 0 d\n1 0 d 1\n1 0 d x\n1 2 3 4 5 6\n")]);
        let skipped: Vec<u32> = judgments.skipped().iter().map(|line| line.line).collect();
        assert_eq!(skipped, [1, 3, 4]);
        assert_eq!(judgments.files()[0].lines, 1);
        assert!(judgments.skipped()[1].reason.contains("\"x\""));
    }

    #[test]
    fn what_measures_could_not_read_is_no_grade() {
        let words = ["99999999999999999999", "0x10", "1e3", "1.5e1", "1e400", "1_000", "inf"];
        let text: String = words.iter().map(|word| format!("1 0 d {word}\n")).collect();
        let judgments = judged(&[("a", &format!("1 0 d 1\n{text}")), ("prels", "1 d 1 0 0.5\n1 e 1e3 0 0.5\n")]);
        let reasons: Vec<&str> = judgments.skipped().iter().map(|line| line.reason.as_str()).collect();
        assert_eq!(reasons.len(), words.len() + 1, "{reasons:?}");
        for (word, reason) in words.iter().chain(&["1e3"]).zip(&reasons) {
            assert!(reason.starts_with(&format!("the grade \"{word}\" is not a number")), "{reason}");
        }
        assert_eq!(judgments.grades(), ["1"]);
    }

    #[test]
    fn no_judgments_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(&path, "hello\n").unwrap();
        let error = read(&[QrelsFile { path: path.clone(), track: None }]).unwrap_err().to_string();
        assert!(error.contains("x: no judgment found; line 1: 1 columns, expected `topic iteration"), "{error}");
        std::fs::write(&path, "").unwrap();
        let error = read(&[QrelsFile { path, track: None }]).unwrap_err().to_string();
        assert!(error.ends_with("x: no judgments found"), "{error}");
    }

    #[test]
    fn a_track_is_named_by_the_first_part_that_says_something() {
        let names = [
            "qrels.session2010.txt",
            "qrels.session2011.txt.gz",
            "web09.diversity.qrels.gz",
            "web09.prels",
            "PRELS.1-50.gz",
            "qrels.txt",
            ".hidden",
        ];
        let tracks = names.map(|name| default_track(&QrelsFile { path: name.into(), track: None }));
        assert_eq!(tracks, ["session2010", "session2011", "web09", "web09", "1-50", "qrels", "hidden"]);
    }

    #[test]
    fn the_entity_track_has_its_documents_in_column_two() {
        let judgments = judged(&[("entity09", "1-HP en-1 0 0\n1-HP en-2 2 7\n1-WP en-3 0 0\n")]);
        assert_eq!(judgments.documents(), ["en-1", "en-2", "en-3"]);
        assert_eq!(shown(&judgments), ["entity09/1-HP/ 0", "entity09/1-HP/ 2", "entity09/1-WP/ 0"]);
        assert_eq!(with_grade("1-HP  en-2 2 7\r", &judgments.files()[0], "0"), "1-HP  en-2 0 7\r");
        let plain =
            judged(&[("a", "1 Q0 17 1\n1 Q0 18 0\n"), ("b", "1 0  doc-1   2 \n2 0 2 2\n"), ("c", "1 d 1 0 0.5\n")]);
        assert_eq!(plain.documents(), ["17", "18", "doc-1", "2", "d"], "ids may be numbers");
        assert_eq!(with_grade("1 0  doc-1   2 \r", &plain.files()[1], "0"), "1 0  doc-1   0 \r");
        assert_eq!(with_grade("2 0 2 2", &plain.files()[1], "1"), "2 0 2 1", "the column and not the text");
        assert_eq!(with_grade("1\tdoc 1 0 0.5", &plain.files()[2], "2"), "1\tdoc 2 0 0.5");
    }

    #[test]
    fn a_column_of_few_documents_is_suspicious() {
        let text: String = (0..30).map(|i| format!("{i} doc{i} {} 1\n", ["a", "b", "c"][i % 3])).collect();
        let judgments = judged(&[("a", &text), ("b", "1 0 a 1\n")]);
        let suspicion = judgments.files()[0].suspicion.as_deref().unwrap();
        assert!(suspicion.starts_with("30 lines name 3 different documents;"), "{suspicion}");
        assert_eq!(judgments.files()[1].suspicion, None);
    }

    /// The grade last where the iteration should be, as in `topic document 0 grade`, looks like the Entity track.
    #[test]
    fn one_grade_beside_a_column_of_several_numbers_is_suspicious() {
        let text = |line: &dyn Fn(usize) -> String| (0..30).map(line).collect::<String>();
        let swapped = text(&|i| format!("1 doc{i} 0 {}\n", i % 3));
        let front = text(&|i| format!("1 {} doc{i} 0\n", i % 3));
        let usual = text(&|i| format!("1 0 doc{i} {}\n", i % 3));
        let prels = text(&|i| format!("1 doc{i} 1 {} 0.5\n", i % 3));
        let named = [("a", &swapped), ("b", &front), ("d", &usual), ("e", &prels)];
        let judgments = judged(&named.map(|(name, text)| (name, text.as_str())));
        let read: Vec<(&str, bool)> = judgments.files().iter().map(|f| (f.columns, f.suspicion.is_some())).collect();
        assert_eq!(
            read,
            [
                ("topic, document, grade, class", true),
                ("topic, subtopic, document, grade", true),
                ("topic, iteration, document, grade", false),
                ("topic, document, grade, method, probability", false),
            ]
        );
        let why = judgments.files()[0].suspicion.as_deref().unwrap();
        assert!(why.contains("all 30 lines have the grade 0, and column 4 has 3 different numbers"), "{why}");
    }
}
