//! What is known about the two documents: where they come from, what they are, how they were judged.

use crate::data::StudyData;
use crate::pane::OpenPair;
use dejaview_corpus::qrels::Judgment;
use dejaview_index::StoredDocument;
use dejaview_report::numbers::count;

/// Copies and judgments beyond these are counted.
const LISTED: usize = 12;

/// The lines of the pane: a name and its value; headings have no value.
pub(super) fn lines(open: &OpenPair, data: &StudyData) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let row = data.table.find(&open.source.id, &open.target.id);
    let [sources, targets] = row.map(|row| data.table.same_text_ids(row)).unwrap_or_default();
    // Copies of one text are stored as one group for each segment.
    let where_copies_are = if data.table.segments().len() > 1 { ", in this segment" } else { "" };
    let sides = [
        ("A  the source document", &open.source, sources, ""),
        ("B  the target document", &open.target, targets, where_copies_are),
    ];
    for (name, document, group, where_copies_are) in sides {
        if !lines.is_empty() {
            lines.push((String::new(), String::new()));
        }
        lines.push((name.to_owned(), String::new()));
        lines.extend(facts(document));
        lines.extend(copies(&document.id, &group, where_copies_are));
        lines.extend(judgments(&document.id, data));
    }
    lines
}

fn facts(document: &StoredDocument) -> impl Iterator<Item = (String, String)> {
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
    .map(|(name, text)| (format!("  {name}"), text))
}

/// The other documents with the same text, which are stored and searched for as one group with it.
fn copies(id: &str, group: &[&str], where_copies_are: &str) -> Option<(String, String)> {
    let others: Vec<&str> = group.iter().copied().filter(|other| *other != id).collect();
    let named = others.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    let more = match others.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {} more", count(more as u64)),
    };
    (!others.is_empty()).then(|| ("  copies".to_owned(), format!("{named}{more}{where_copies_are}")))
}

fn judgments(id: &str, data: &StudyData) -> Vec<(String, String)> {
    let none = || vec![("  judged".to_owned(), "not for any topic".to_owned())];
    let Some(judgments) = &data.judgments else { return none() };
    let all = judgments.document(id).map(|number| judgments.of_document(number)).unwrap_or_default();
    let line = |row: &Judgment| {
        let topic = &judgments.topics()[row.topic as usize];
        let subtopic = if topic.subtopic.is_empty() { String::new() } else { format!(".{}", topic.subtopic) };
        let (track, grade) = (&judgments.tracks()[row.track as usize], &judgments.grades()[row.grade as usize]);
        let query = data.topic(&topic.number).map(|topic| format!(" · {}", topic.query)).unwrap_or_default();
        ("  judged".to_owned(), format!("grade {grade} for {track} {}{subtopic}{query}", topic.number))
    };
    let mut lines: Vec<(String, String)> = all.iter().take(LISTED).map(line).collect();
    if all.len() > LISTED {
        lines.push((String::new(), format!("and {} more", all.len() - LISTED)));
    }
    if all.is_empty() { none() } else { lines }
}
