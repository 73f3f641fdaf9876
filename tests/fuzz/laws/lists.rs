//! Lists of judgments, runs, topics, URLs and pairs: every line is read or told, and what is written can be read again.

use dejaview::base::escaping::{escape_id, escape_text, unescape};
use dejaview::corpus::qrels::{self, Judgments, QrelsFile};
use dejaview::corpus::{links, runs, topics as topic_files, urls as url_lists};
use dejaview::matching::import::{self, ListLine};

use super::{is_one_line, scratch};

fn read_qrels(text: &[u8]) -> Option<Judgments> {
    qrels::read(&[QrelsFile { path: scratch::file("web.qrels", text), track: None }]).ok()
}

/// Topic, document and line of each judgment in the order of the file.
fn rows(judgments: &Judgments) -> Vec<(String, String, String, u32)> {
    let mut rows: Vec<_> = judgments.rows().iter().collect();
    rows.sort_by_key(|row| row.line);
    let told = |row: &&qrels::Judgment| {
        let topic = &judgments.topics()[row.topic as usize];
        let document = judgments.documents()[row.document as usize].clone();
        (topic.number.clone(), topic.subtopic.clone(), document, row.line)
    };
    rows.iter().map(told).collect()
}

/// Every line of a file of judgments is one, or is told, or is a remark; a changed grade changes nothing else.
pub fn qrels(bytes: &[u8]) {
    let Some(judgments) = read_qrels(bytes) else { return };
    judgments.track_summaries();
    judgments.inconsistent();
    judgments.grade_counts();
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.starts_with(['\x1f', '\x04', '\u{28}', 'B', '\u{fffd}', 'P']) {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    let remarks = lines.iter().filter(|line| line.trim().is_empty() || line.starts_with('#')).count();
    assert_eq!(judgments.rows().len() + judgments.skipped().len() + remarks, lines.len(), "lines");
    let before = rows(&judgments);
    let mut graded: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    for (.., line) in &before {
        let line = &mut graded[*line as usize - 1];
        *line = qrels::with_grade(line, &judgments.files()[0], "7");
    }
    let again = read_qrels(graded.join("\n").as_bytes()).unwrap();
    assert_eq!(rows(&again), before, "the grades alone were changed");
    assert_eq!(again.grades(), ["7"], "all grades were changed");
}

/// A run that was read and written is the same run.
pub fn runs(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let run = runs::parse(&text);
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    let read: usize = run.topics.values().map(Vec::len).sum();
    assert_eq!(read + run.unread.len(), lines, "lines");
    let mut written = String::new();
    for (topic, documents) in &run.topics {
        for (rank, retrieved) in documents.iter().enumerate() {
            let document = escape_id(&retrieved.document);
            written += &format!("{topic} Q0 {document} {} {} {}\n", rank + 1, retrieved.score, run.tag);
        }
    }
    let again = runs::parse(&written);
    assert_eq!((again.topics, again.unread), (run.topics, Vec::new()), "{written}");
}

/// Topics have numbers, and are the same whatever ends their lines.
pub fn topics(bytes: &[u8]) {
    let Ok(topics) = topic_files::read(&[scratch::file("topics.xml", bytes)]) else { return };
    assert!(!topics.texts.is_empty() && topics.texts.iter().all(|topic| !topic.number.is_empty()));
}

/// A list of URLs, and each of them in every form.
pub fn urls(bytes: &[u8]) {
    let path = scratch::file("urls.txt", bytes);
    let mut listed = Vec::new();
    let read = url_lists::for_each_url(&path, &mut |line| listed.push((line.id.to_owned(), line.url.to_owned())));
    for (id, url) in &listed {
        assert!(!url.is_empty(), "a URL of {id:?}");
        assert_eq!(unescape(&escape_id(id)), id.as_str());
        one_url(url);
    }
    if read.is_err() {
        let text = String::from_utf8_lossy(bytes);
        one_url(&text);
        for link in links::links(&text, "http://example.org/a/b?c#d") {
            assert!(!link.is_empty());
        }
    }
}

fn one_url(url: &str) {
    assert!(url.is_empty() || url_lists::same(url, url), "{url:?} is itself");
    let host = url_lists::host(url);
    url_lists::top_level(&host);
    for other in [url, "/a", "//b/c", "?d"] {
        url_lists::resolve(url, other);
    }
}

/// A list of pairs: what was read and written as a table is the same.
pub fn pairs(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let list = import::parse(&text);
    let (mut written, mut expected) = ("source\ttarget\tscore\n".to_owned(), Vec::new());
    for line in &list.lines {
        match line {
            ListLine::Pair(pair) => {
                let score = pair.score.map(|score| format!("\t{score}")).unwrap_or_default();
                written += &format!("{}\t{}{score}\n", escape_id(&pair.source), escape_id(&pair.target));
                expected.push((pair.source.clone(), pair.target.clone(), pair.score));
            }
            ListLine::Group(group) => assert!(group.len() > 1, "a group of {}", group.len()),
        }
    }
    let again = import::parse(&written);
    let found = again.lines.iter().filter_map(|line| match line {
        ListLine::Pair(pair) => Some((pair.source.clone(), pair.target.clone(), pair.score)),
        ListLine::Group(_) => None,
    });
    let found: Vec<_> = found.collect();
    assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{written}");
    let shown = escape_text(&text);
    assert!(is_one_line(&shown), "{shown}");
    assert_eq!(unescape(&shown), text);
    assert_eq!(unescape(&escape_id(&text)), text);
}

/// A table in Parquet is read or refused.
pub fn parquet(bytes: &[u8]) {
    let path = scratch::file("pairs.parquet", bytes);
    if let Ok(list) = import::read(&path) {
        assert!(list.lines.len() + list.unread.len() <= bytes.len().pow(2), "more pairs than bytes could hold");
    }
}
