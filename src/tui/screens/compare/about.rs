//! What is known about the pair: all scores and verdicts; where the documents come from, what they are, how they were
//! judged.

use super::Compare;
use crate::data::StudyData;
use crate::pane::OpenPair;
use dejaview_corpus::qrels::Judgment;
use dejaview_index::StoredDocument;
use dejaview_report::numbers::count;

/// Copies and judgments beyond these are counted.
const LISTED: usize = 12;

/// A name and its value; headings have no value.
pub(super) type Line = (String, String);

impl Compare {
    /// The lines of the pane.
    pub(super) fn about_lines(&self, open: &OpenPair, data: &StudyData) -> Vec<Line> {
        let mut lines = documents(open, data);
        if let Some(s) = self.scores(data) {
            let jaccards = [(1, s.jaccard_1), (2, s.jaccard_2), (3, s.jaccard_3), (5, s.jaccard_5), (8, s.jaccard_8)];
            let jaccards = jaccards.map(|(n, score)| format!("n={n} {score:.3}")).join("  ");
            let containments = format!("A in B {:.3}  B in A {:.3}", s.containment_source, s.containment_target);
            let others = format!("cosine {:.3}  S3 {:.3}  length {:.3}", s.cosine, s.s3, s.length_ratio);
            lines.extend([heading(""), heading("Scores")]);
            lines.extend([fact("Jaccard", jaccards), fact("containment", containments), fact("others", others)]);
        }
        let verdicts = self.verdicts(data);
        if !verdicts.is_empty() {
            lines.extend([heading(""), heading("Configurations")]);
            lines.extend(verdicts.iter().map(|verdict| {
                let sign = if verdict.matches { "✓ matches" } else { "✗ does not match" };
                let distance = verdict.distance.map(|distance| format!(", distance {distance}")).unwrap_or_default();
                fact(verdict.name, format!("{sign}{distance}"))
            }));
        }
        lines
    }
}

fn heading(text: &str) -> Line {
    (text.to_owned(), String::new())
}

fn fact(name: &str, value: String) -> Line {
    (format!("  {name}"), value)
}

fn documents(open: &OpenPair, data: &StudyData) -> Vec<Line> {
    let mut lines = Vec::new();
    let row = data.table.find(&open.source.id, &open.target.id);
    let [sources, targets] = row.map(|row| data.table.same_text_ids(row)).unwrap_or_default();
    // Copies of one text are stored as one group for each segment.
    let where_copies_are = if data.table.segments().len() > 1 { ", in this segment" } else { "" };
    let sides = [
        ("A  source document", &open.source, sources, ""),
        ("B  target document", &open.target, targets, where_copies_are),
    ];
    for (name, document, group, where_copies_are) in sides {
        if !lines.is_empty() {
            lines.push(heading(""));
        }
        lines.push(heading(name));
        lines.extend(facts(document));
        lines.extend(copies(&document.id, &group, where_copies_are));
        lines.extend(judgments(&document.id, data));
    }
    lines
}

fn facts(document: &StoredDocument) -> impl Iterator<Item = Line> {
    let known = |text: &str| if text.is_empty() { "not known".to_owned() } else { text.to_owned() };
    let segment = if document.segment.is_empty() { "source".to_owned() } else { document.segment.clone() };
    [
        ("id", document.id.clone()),
        ("URL", known(&document.url)),
        ("crawled", known(&document.date)),
        ("segment", segment),
        ("size", format!("{} bytes of {}", document.bytes, document.media)),
        ("charset", known(&document.charset)),
        ("file", format!("{}, byte {}", document.file, document.offset)),
        ("digest", document.digest.clone()),
    ]
    .into_iter()
    .map(|(name, value)| fact(name, value))
}

/// The other documents with the same text, which are stored and searched for as one group with it.
fn copies(id: &str, group: &[&str], where_copies_are: &str) -> Option<Line> {
    let others: Vec<&str> = group.iter().copied().filter(|other| *other != id).collect();
    let named = others.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    let more = match others.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {} more", count(more as u64)),
    };
    (!others.is_empty()).then(|| fact("copies", format!("{named}{more}{where_copies_are}")))
}

fn judgments(id: &str, data: &StudyData) -> Vec<Line> {
    let none = || vec![fact("judged", "not for any topic".to_owned())];
    let Some(judgments) = &data.judgments else { return none() };
    let all = judgments.document(id).map(|number| judgments.of_document(number)).unwrap_or_default();
    let line = |row: &Judgment| {
        let topic = &judgments.topics()[row.topic as usize];
        let subtopic = if topic.subtopic.is_empty() { String::new() } else { format!(".{}", topic.subtopic) };
        let (track, grade) = (&judgments.tracks()[row.track as usize], &judgments.grades()[row.grade as usize]);
        let query = data.topic(&topic.number).map(|topic| format!(" · {}", topic.query)).unwrap_or_default();
        fact("judged", format!("grade {grade} for {track} {}{subtopic}{query}", topic.number))
    };
    let mut lines: Vec<Line> = all.iter().take(LISTED).map(line).collect();
    if all.len() > LISTED {
        lines.push((String::new(), format!("and {} more", all.len() - LISTED)));
    }
    if all.is_empty() { none() } else { lines }
}
