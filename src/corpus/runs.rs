//! Runs of retrieval systems as TREC writes them: `topic Q0 document rank score tag`.
//!
//! The order within a topic is that of trec_eval: by score (as a 32-bit number), and equal scores by id, descending; the
//! column with the rank is ignored.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::item::one_line;
use crate::{CorpusError, text_file};
use dejaview_base::escaping::unescape;
use dejaview_base::line_limits::ListText;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Run {
    /// Name of the system, from the first line.
    pub tag: String,
    /// For each topic its documents, the best first.
    pub topics: BTreeMap<String, Vec<Retrieved>>,
    /// Lines that could not be read: number from 1, and why.
    pub unread: Vec<(usize, String)>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Retrieved {
    pub document: String,
    /// As written.
    pub score: String,
    value: f32,
}

/// Reads a run; a file without a line of one is an error.
pub fn read(path: &Path) -> Result<Run, CorpusError> {
    let ListText { text, long } = text_file::read_list(path, LINE)?;
    let mut run = parse(&text);
    run.unread.extend(long.iter().map(|long| (long.line, long.to_string())));
    run.unread.sort_by_key(|(line, _)| *line);
    if !run.topics.is_empty() {
        return Ok(run);
    }
    let path = path.to_owned();
    Err(match run.unread.into_iter().next() {
        None => CorpusError::Nothing { path, what: "lines of a run" },
        Some((line, reason)) => CorpusError::NoLine { path, what: LINE, line: line as u32, reason },
    })
}

/// What a run file lists.
const LINE: &str = "line of a run";

pub fn parse(text: &str) -> Run {
    let mut run = Run::default();
    let mut seen: HashSet<(&str, Cow<'_, str>)> = HashSet::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [topic, _, document, _, score, tag] = words[..] else {
            run.unread
                .push((number + 1, format!("{} columns, expected `topic Q0 document rank score tag`", words.len())));
            continue;
        };
        let Some(value) = score.parse::<f32>().ok().filter(|value| !value.is_nan()) else {
            run.unread.push((number + 1, format!("the score {:?} is not a number", one_line(score.as_bytes()))));
            continue;
        };
        let document = unescape(document);
        if !seen.insert((topic, document.clone())) {
            run.unread.push((
                number + 1,
                format!("{} a second time for topic {}", one_line(document.as_bytes()), one_line(topic.as_bytes())),
            ));
            continue;
        }
        if run.tag.is_empty() {
            run.tag = tag.to_owned();
        }
        // -0 and 0 are equal; adding 0 makes them one.
        let retrieved = Retrieved { document: document.into_owned(), score: score.to_owned(), value: value + 0.0 };
        run.topics.entry(topic.to_owned()).or_default().push(retrieved);
    }
    for documents in run.topics.values_mut() {
        documents.sort_by(|a, b| b.value.total_cmp(&a.value).then(b.document.cmp(&a.document)));
    }
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_no_part_of_the_first_topic_and_files_without_lines_say_why() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.run");
        let read = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            read(&path).map_err(|why| why.to_string())
        };
        let run = read("\u{feff}1 Q0 a 1 2.0 s\n1 Q0 b 2 1.0 s\n".as_bytes()).unwrap();
        assert_eq!(run.topics.keys().collect::<Vec<_>>(), ["1"]);
        assert_eq!(run.topics["1"].len(), 2);
        for (bytes, said) in [
            (&b"\xff\xfe1\0 \0"[..], "a.run: no line of a run found; line 1: the file is in UTF-16; save it as UTF-8"),
            (b"1 Q0 a 1 2 s\r1 Q0 b 2 1 s\r", "line 1: lines end in CR alone; save the file with LF"),
            (b"\n1 0 a 1\n", "a.run: no line of a run found; line 2: 4 columns, expected `topic Q0"),
            (b"", "a.run: no lines of a run found"),
        ] {
            let why = read(bytes).unwrap_err();
            assert!(why.contains(said), "{why}");
        }
    }

    #[test]
    fn the_order_is_that_of_trec_eval() {
        let run = parse(
            "1 Q0 b 1 0.5 sys\n1 Q0 a 2 0.5 sys\n1 Q0 c 3 7 sys\n2 Q0 a 1 1e-3 sys\n1 Q0 c 9 1 sys\n1 Q0 d\n1 Q0 e 1 x s\n",
        );
        let ids: Vec<&str> = run.topics["1"].iter().map(|r| r.document.as_str()).collect();
        assert_eq!((ids, run.tag.as_str()), (vec!["c", "b", "a"], "sys"));
        let zeros = parse("1 Q0 a 1 0.0 s\n1 Q0 b 2 -0.0 s\n1 Q0 c 3 0 s\n1 Q0 d 4 -1e-60 s\n");
        let ids: Vec<&str> = zeros.topics["1"].iter().map(|r| r.document.as_str()).collect();
        assert_eq!(ids, ["d", "c", "b", "a"], "zero has no sign");
        assert_eq!(run.unread.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [5, 6, 7]);
    }
}
