//! Labels that other tools, or other people, wrote down.
//!
//! | file | told by | gives |
//! |---|---|---|
//! | journal | JSON lines with `event` and `crc` | its events as they are |
//! | JSON lines | `{` | `source`, `target`, `label`; CopyCat's `firstId`, `secondId`, `label` |
//! | TSV, CSV | a header with two columns of ids and one of labels | also Splink's `unique_id_l`, `unique_id_r`, `clerical_match_score` |
//! | qrels of pairs | four columns and no header | source, 0, target, grade |
//!
//! Columns and keys `annotator`, `note` and `time` are read where they are. A line that is none of it is told with its
//! number, never dropped in silence.

use serde_json::Value;

use crate::labels::Label;

/// A label as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// Its line in the file, from 1.
    pub line: usize,
    /// Id of the source document.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    /// The label.
    pub label: Label,
    /// Who gave it, if the file says so.
    pub annotator: Option<String>,
    /// A note, if there is one.
    pub note: Option<String>,
    /// When it was given, if the file says so.
    pub time: Option<String>,
}

/// What a file gives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Incomings {
    /// In the order of the file.
    pub labels: Vec<Incoming>,
    /// Lines that give none: number and why.
    pub problems: Vec<(usize, String)>,
}

/// Names of columns and keys, the first that is there counts.
const SOURCE: [&str; 5] = ["source", "firstId", "first_id", "unique_id_l", "id_l"];
const TARGET: [&str; 5] = ["target", "secondId", "second_id", "unique_id_r", "id_r"];
const LABEL: [&str; 5] = ["label", "judgment", "clerical_match_score", "relation", "grade"];
const ANNOTATOR: &str = "annotator";

/// Whether the bytes are a journal.
pub fn is_journal(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    first.starts_with('{') && first.contains("\"event\":") && first.contains("\"crc\":")
}

/// The label that a word, a grade or a score stands for.
pub fn label_of(word: &str) -> Option<Label> {
    let word = word.trim().to_lowercase().replace(['_', ' '], "-");
    match word.as_str() {
        "near-duplicate" | "near-duplicates" | "nearduplicate" | "duplicate" | "yes" | "true" | "match" => {
            return Some(Label::NearDuplicate);
        }
        "not" | "no" | "false" | "non-duplicate" | "no-near-duplicate" | "different" | "no-match" => {
            return Some(Label::Not);
        }
        "unsure" | "unknown" | "unclear" | "?" | "maybe" => return Some(Label::Unsure),
        _ => {}
    }
    let number: f64 = word.parse().ok()?;
    Some(match number {
        n if n < 0.0 => Label::Unsure,
        n if n < 0.5 => Label::Not,
        n if n > 0.5 => Label::NearDuplicate,
        _ => Label::Unsure,
    })
}

/// Reads a file that is not a journal.
pub fn read(text: &str) -> Incomings {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if first.trim_start().starts_with('{') {
        return each(text, 0, json);
    }
    for separator in ['\t', ','] {
        let head: Vec<String> = cells(first, separator);
        let column = |names: &[&str]| names.iter().find_map(|name| head.iter().position(|cell| cell == name));
        if let (Some(source), Some(target), Some(label)) = (column(&SOURCE), column(&TARGET), column(&LABEL)) {
            let [side, annotator, note, time] =
                ["source_dataset_l", ANNOTATOR, "note", "time"].map(|name| column(&[name]));
            let columns = Columns { source, target, label, side, annotator, note, time };
            return each(text, 1, |line| columns.read(&cells(line, separator)));
        }
    }
    each(text, 0, qrels)
}

/// Reads every line behind the first `skip`.
fn each(text: &str, skip: usize, read: impl Fn(&str) -> Result<Incoming, String>) -> Incomings {
    let mut incomings = Incomings::default();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (i, line) in lines.skip(skip) {
        match read(line) {
            Ok(incoming) => incomings.labels.push(Incoming { line: i + 1, ..incoming }),
            Err(why) => incomings.problems.push((i + 1, why)),
        }
    }
    incomings
}

fn complete(source: String, target: String, word: &str) -> Result<Incoming, String> {
    if source.is_empty() || target.is_empty() {
        return Err("an id is missing".to_owned());
    }
    let label = label_of(word).ok_or_else(|| format!("“{word}” is no label that is known here"))?;
    Ok(Incoming { line: 0, source, target, label, annotator: None, note: None, time: None })
}

fn json(line: &str) -> Result<Incoming, String> {
    let value: Value = serde_json::from_str(line).map_err(|why| why.to_string())?;
    let text = |names: &[&str]| {
        names.iter().find_map(|name| match &value[*name] {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(yes) => Some(yes.to_string()),
            _ => None,
        })
    };
    let missing = |what: &str| format!("there is no {what}");
    let source = text(&SOURCE).ok_or_else(|| missing("source"))?;
    let target = text(&TARGET).ok_or_else(|| missing("target"))?;
    let word = text(&LABEL).ok_or_else(|| missing("label"))?;
    let [annotator, note, time] = [ANNOTATOR, "note", "time"].map(|name| text(&[name]));
    Ok(Incoming { annotator, note, time, ..complete(source, target, &word)? })
}

/// Where a table has what.
struct Columns {
    source: usize,
    target: usize,
    label: usize,
    /// Splink's name of the dataset on the left: `target` when the two stand the other way round.
    side: Option<usize>,
    annotator: Option<usize>,
    note: Option<usize>,
    time: Option<usize>,
}

impl Columns {
    fn read(&self, cells: &[String]) -> Result<Incoming, String> {
        let cell =
            |c: usize| cells.get(c).cloned().ok_or_else(|| "there are fewer columns than in the header".to_owned());
        let some = |c: Option<usize>| c.and_then(|c| cells.get(c)).filter(|cell| !cell.is_empty()).cloned();
        let (mut source, mut target) = (cell(self.source)?, cell(self.target)?);
        if some(self.side).as_deref() == Some("target") {
            (source, target) = (target, source);
        }
        let incoming = complete(source, target, &cell(self.label)?)?;
        let [annotator, note, time] = [self.annotator, self.note, self.time].map(some);
        Ok(Incoming { annotator, note, time, ..incoming })
    }
}

fn qrels(line: &str) -> Result<Incoming, String> {
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        [source, _, target, grade] if grade.parse::<f64>().is_ok() => {
            complete(source.to_owned(), target.to_owned(), grade)
        }
        _ => Err("expected source, 0, target, grade; or a header with source, target and label".to_owned()),
    }
}

/// The cells of a line; of CSV with its quotes undone.
fn cells(line: &str, separator: char) -> Vec<String> {
    if separator == '\t' || !line.contains('"') {
        return line.split(separator).map(|cell| cell.trim_matches(['\r', ' ']).to_owned()).collect();
    }
    let (mut cells, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut rest = line.trim_end_matches('\r').chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => cell.extend(rest.next()),
            '"' => quoted = !quoted,
            c if c == separator && !quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells.push(cell);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str) -> (Vec<(String, String, Label)>, Vec<usize>) {
        let read = read(text);
        let labels = read.labels.into_iter().map(|l| (l.source, l.target, l.label)).collect();
        (labels, read.problems.into_iter().map(|(line, _)| line).collect())
    }

    fn one(source: &str, target: &str, label: Label) -> (String, String, Label) {
        (source.to_owned(), target.to_owned(), label)
    }

    #[test]
    fn every_form() {
        let expected =
            vec![one("a", "x", Label::NearDuplicate), one("b", "y", Label::Not), one("c", "z", Label::Unsure)];
        let tsv = "source\ttarget\tlabel\tnote\na\tx\tnear-duplicate\tgood\nb\ty\tnot\t\n\nc\tz\tunsure\t\n";
        assert_eq!(short(tsv), (expected.clone(), vec![]));
        assert_eq!((read(tsv).labels[0].note.as_deref(), read(tsv).labels[2].line), (Some("good"), 5));
        let copycat = "{\"firstId\":\"a\",\"secondId\":\"x\",\"label\":\"Near Duplicate\"}\n{\"firstId\":\"b\",\"secondId\":\"y\",\"label\":\"no\"}\n{\"firstId\":\"c\",\"secondId\":\"z\",\"label\":\"unknown\"}\n";
        assert_eq!(short(copycat), (expected.clone(), vec![]));
        let splink = "unique_id_l,source_dataset_l,unique_id_r,source_dataset_r,clerical_match_score\na,source,x,target,1.0\ny,target,b,source,0.0\n\"c\",source,\"z\",target,0.5\n";
        assert_eq!(short(splink), (expected.clone(), vec![]));
        assert_eq!(short("a 0 x 1\nb 0 y 0\nc  0 z -1\n"), (expected, vec![]));
    }

    #[test]
    fn who_gave_a_label_is_read_where_it_is_written() {
        let names = |text: &str| read(text).labels.into_iter().map(|label| label.annotator).collect::<Vec<_>>();
        let expected = [Some("ann".to_owned()), None];
        assert_eq!(names("annotator\tsource\ttarget\tlabel\nann\ta\tx\tnot\n\tb\ty\tnot\n"), expected);
        assert_eq!(names("source,target,label,annotator\na,x,not,\"ann\"\nb,y,not,\n"), expected);
        let json = "{\"source\":\"a\",\"target\":\"x\",\"label\":\"not\",\"annotator\":\"ann\"}\n\
                    {\"source\":\"b\",\"target\":\"y\",\"label\":\"not\"}\n";
        assert_eq!(names(json), expected);
    }

    #[test]
    fn what_is_no_label_is_told() {
        let (labels, lines) = short("source\ttarget\tlabel\na\tx\tnaer-duplicate\nb\ty\nc\tz\tnot\n\t\tnot\n");
        assert_eq!((labels.len(), lines), (1, vec![2, 3, 5]));
        assert_eq!(short("just text\n").1, [1]);
        assert_eq!(short("{\"firstId\":\"a\"}\n{broken\n").1, [1, 2]);
        assert_eq!(cells("a,\"b \"\"c\"\", d\",e", ','), ["a", "b \"c\", d", "e"]);
        assert!(is_journal("{\"seq\":1,\"event\":\"label\",\"crc\":\"00\"}") && !is_journal("{\"source\":\"a\"}"));
    }
}
