//! Labels that other tools, or other people, wrote down.
//!
//! | file | told by | gives |
//! |---|---|---|
//! | JSON lines | `{` | `source`, `target`, `label`; CopyCat's `firstId`, `secondId`, `label` |
//! | TSV, CSV | a header with two columns of ids and one of labels | also Splink's `unique_id_l`, `unique_id_r`, `clerical_match_score` |
//! | qrels of pairs | four columns and no header | source, 0, target, grade |
//!
//! Columns and keys `annotator`, `note`, `flag`, `time`, `sample`, `also_in`, those of [`Circumstances`], and the `stratum` and
//! `population` of a sample that was drawn elsewhere, are read where they are. A row that is none of it, and a value that
//! cannot be understood, are told with their line, never dropped in silence. What labels mean is asked of a [`Meaning`]: one
//! that it does not know refuses the file.

mod meaning;

use serde_json::Value;

pub use meaning::{Meaning, MeaningError, Scale, UnderstoodValue, meaning_sentences};

use super::time::is_moment;
use super::{Circumstances, Label};
use dejaview_base::cells::{Row, Separator, UnclosedQuote, rows};

/// A label as written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelRow {
    /// Its line in the file, from 1.
    pub line: usize,
    /// Id of the source document.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    /// The word or grade; empty where a sample lists a pair that nobody has labelled.
    pub value: String,
    /// Who gave it, if the file says so.
    pub annotator: Option<String>,
    /// A note, if there is one.
    pub note: Option<String>,
    /// When it was given, if the file says so.
    pub time: Option<String>,
    /// The sample in which it was given, if the file says so.
    pub sample: Option<String>,
    /// Other samples in which the annotator answered the pair, with commas between.
    pub also_in: Option<String>,
    /// Whether the pair is flagged, if the file says so.
    pub flag: Option<String>,
    /// How it came about, as far as the file says so.
    pub circumstances: Circumstances,
    /// The stratum of the sample that the pair was drawn from.
    pub stratum: Option<String>,
    /// How many pairs that stratum has.
    pub population: Option<String>,
    /// What the row says beside its label and cannot be understood, in words. It was left out.
    pub left_out: Vec<String>,
}

/// What a file gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelTable {
    /// In the order of the file.
    pub rows: Vec<LabelRow>,
    /// Rows that give no pair: line and why.
    pub problems: Vec<(usize, String)>,
    /// Rows that were left out because they have no label.
    pub without_label: usize,
    /// What its grades mean when nobody says so.
    pub scale: Scale,
}

/// Why a row gives no pair.
#[derive(Debug, thiserror::Error)]
enum RowError {
    #[error(transparent)]
    Quote(#[from] UnclosedQuote),
    #[error("an id is missing: each line needs a source and a target")]
    NoId,
    #[error("expected one JSON object a line: {0}")]
    Json(#[from] serde_json::Error),
    #[error("there is no {0}")]
    NoKey(&'static str),
    #[error("there are fewer columns than in the header")]
    FewColumns,
    #[error("the header names the column “{0}” twice, so it is not known which of them counts; rename or remove one")]
    NamedTwice(&'static str),
    #[error(
        "expected a header with source, target and label (and for a sample stratum and population), or four columns \
         without a header: source, 0, target, grade"
    )]
    NoHeader,
}

/// Names of columns and keys, the first that is there counts.
const SOURCE: [&str; 5] = ["source", "firstId", "first_id", "unique_id_l", "id_l"];
const TARGET: [&str; 5] = ["target", "secondId", "second_id", "unique_id_r", "id_r"];
const LABEL: [&str; 6] = ["label", "judgment", "clerical_match_score", "relation", "kind", "grade"];
/// Optional columns of a row, in the order of [`LabelRow::with_details`].
const MORE: [&str; 8] = ["annotator", "note", "time", "sample", "also_in", "flag", "stratum", "population"];

/// Whether the text is a journal.
pub fn is_journal(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    first.starts_with('{') && first.contains("\"event\":") && first.contains("\"crc\":")
}

/// The text of a table; the error has a line, and says what to do.
fn text(bytes: &[u8]) -> Result<&str, (usize, String)> {
    let line_of = |place: usize| 1 + bytes[..place].iter().filter(|byte| **byte == b'\n').count();
    let utf8 = "save it as UTF-8 (in a spreadsheet: CSV UTF-8)";
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err((1, format!("the file is in UTF-16; {utf8}")));
    }
    if let Some(place) = bytes.iter().position(|byte| *byte == 0) {
        return Err((line_of(place), format!("there is a NUL byte, so this is no table in UTF-8; {utf8}")));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|why| (line_of(why.valid_up_to()), format!("there are bytes that are not UTF-8; {utf8}")))?;
    if text.contains('\r') && !text.contains('\n') {
        return Err((1, "lines end in CR alone; save the file with LF or CRLF at the end of each line".to_owned()));
    }
    Ok(text)
}

/// A value as a message shows it: not more of it than a reader wants to see.
pub fn shortened(value: &str) -> String {
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

/// Values that are not known and named beside the first.
const OTHERS: usize = 8;

/// Letters of a value that a message shows.
const SHOWN: usize = 60;

impl LabelTable {
    /// Reads the bytes of a file that is not a journal; one that is no text in UTF-8 is refused with a line.
    pub fn parse_bytes(bytes: &[u8]) -> Result<Self, (usize, String)> {
        text(bytes).map(Self::parse)
    }

    /// Reads a file that is not a journal.
    pub fn parse(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        if first.trim_start().starts_with('{') {
            return json_lines(text);
        }
        for separator in [Separator::Tab, Separator::Comma] {
            let head = rows(text, separator).next().and_then(|row| row.cells.ok()).unwrap_or_default();
            if let Some(columns) = Columns::from_header(&head) {
                let mut table = Self { scale: columns.scale, ..Self::default() };
                if let Some(name) = named_twice(&head) {
                    table.push(1, Err(RowError::NamedTwice(name)));
                    return table;
                }
                for Row { line, cells } in rows(text, separator).skip(1) {
                    table.push(line, cells.map_err(RowError::from).and_then(|cells| columns.read(&cells)));
                }
                return table;
            }
        }
        let mut table = Self { scale: Scale::Qrels, ..Self::default() };
        for Row { line, cells } in rows(text, Separator::Blanks) {
            table.push(line, qrels(cells.unwrap_or_default()));
        }
        table
    }

    fn push(&mut self, line: usize, row: Result<LabelRow, RowError>) {
        match row {
            Ok(row) => self.rows.push(LabelRow { line, ..row }),
            Err(why) => self.problems.push((line, why.to_string())),
        }
    }

    /// Rows with an empty label are left out and counted: for those who take labels alone.
    #[must_use]
    pub fn labelled(mut self) -> Self {
        let before = self.rows.len();
        self.rows.retain(|row| !row.value.is_empty());
        self.without_label += before - self.rows.len();
        self
    }

    /// The label that each value stands for, the most frequent value of a label first, equally frequent ones by name. The error names the line of the first value that is not
    /// known, and says what to do.
    pub fn understood(&self, meaning: &Meaning) -> Result<Vec<UnderstoodValue>, (usize, String)> {
        let values = self.values();
        let written: Vec<&str> = values.iter().map(|(value, ..)| *value).collect();
        if let Some(value) = meaning.unused(&written).next() {
            return Err((1, format!("no row says “{value}”; there are {}", written.join(", "))));
        }
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        for (value, rows, line) in &values {
            match meaning.label(value, self.scale) {
                Some(label) => known.push(UnderstoodValue { value: (*value).to_owned(), label, rows: *rows }),
                None => unknown.push((*value, *rows, *line)),
            }
        }
        let Some((first, rows, line)) = unknown.first().map(|(value, rows, line)| (shortened(value), rows, line))
        else {
            known.sort_by_cached_key(|u| (u.label, std::cmp::Reverse(u.rows), u.value.clone()));
            return Ok(known);
        };
        let times = |rows: usize| if rows == 1 { "1 row".to_owned() } else { format!("{rows} rows") };
        let others = unknown[1..]
            .iter()
            .take(OTHERS)
            .map(|(value, rows, _)| format!(", nor is “{}” ({})", shortened(value), times(*rows)));
        let more = unknown.len().saturating_sub(1 + OTHERS);
        let more = if more == 0 { String::new() } else { format!(", nor are {more} more") };
        let others = others.collect::<String>() + &more;
        Err((*line, meaning.complaint(&first, &times(*rows), &others)))
    }

    /// Every value with the number of its rows and the line of the first, in the order in which they come.
    fn values(&self) -> Vec<(&str, usize, usize)> {
        let mut values: Vec<(&str, usize, usize)> = Vec::new();
        for row in self.rows.iter().filter(|row| !row.value.is_empty()) {
            match values.iter_mut().find(|(value, ..)| *value == row.value) {
                Some((_, rows, _)) => *rows += 1,
                None => values.push((&row.value, 1, row.line)),
            }
        }
        values
    }

    /// The label of a row whose table was [understood](Self::understood); unlabelled rows have none.
    pub fn label(&self, row: &LabelRow, meaning: &Meaning) -> Option<Label> {
        if row.value.is_empty() { None } else { meaning.label(&row.value, self.scale) }
    }
}

impl LabelRow {
    fn new(source: String, target: String, value: String) -> Result<Self, RowError> {
        if source.is_empty() || target.is_empty() {
            return Err(RowError::NoId);
        }
        Ok(Self { source, target, value, ..Self::default() })
    }

    /// Fills in the optional columns, in the order of [`MORE`].
    fn with_details(mut self, more: [Option<String>; 8]) -> Self {
        let more = more.map(|text| text.filter(|text| !text.trim().is_empty()));
        [self.annotator, self.note, self.time, self.sample, self.also_in, self.flag, self.stratum, self.population] =
            more;
        if let Some(time) = self.time.take_if(|time| !is_moment(time.trim())) {
            let time = shortened(&time);
            self.left_out
                .push(format!("time “{time}” was left out: expected a moment in UTC such as 2012-03-04T05:06:07Z"));
        }
        self
    }

    /// Fills in the circumstances, given the value under each key.
    fn with_circumstances(mut self, value: impl Fn(&str) -> Option<Value>) -> Self {
        let typed = |key: &'static str| Some((key.to_owned(), typed(key, value(key)?)));
        let mut object = Circumstances::KEYS.into_iter().filter_map(typed).collect();
        self.circumstances = Circumstances::take(&mut object);
        for (key, value) in object {
            let value = shortened(value.as_str().unwrap_or(&value.to_string()));
            self.left_out.push(format!("{key} “{value}” was left out: it is not what dejaview writes there"));
        }
        self
    }
}

/// Splits names that a file lists with commas between them.
pub fn split_names(names: &str) -> impl Iterator<Item = &str> {
    names.split(',').map(str::trim).filter(|name| !name.is_empty())
}

/// A circumstance as events have it, where a table has text.
fn typed(key: &str, value: Value) -> Value {
    match (key, value) {
        ("overrides", Value::String(names)) => split_names(&names).collect(),
        ("class" | "reason", Value::Number(number)) => number.to_string().into(),
        ("class" | "reason" | "shown" | "order" | "version" | "source_digest" | "target_digest", value) => value,
        (_, Value::String(text)) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        (_, value) => value,
    }
}

fn json_lines(text: &str) -> LabelTable {
    let mut table = LabelTable::default();
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let object: Result<Value, RowError> = serde_json::from_str(line).map_err(RowError::from);
        if object.as_ref().is_ok_and(|object| object.get("firstId").is_some()) {
            table.scale = Scale::Copycat;
        }
        table.push(i + 1, object.and_then(|object| json(&object)));
    }
    table
}

fn json(object: &Value) -> Result<LabelRow, RowError> {
    let text = |names: &[&str]| {
        names.iter().find_map(|name| match &object[*name] {
            Value::String(text) => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(yes) => Some(yes.to_string()),
            Value::Array(names) => Some(names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")),
            _ => None,
        })
    };
    let source = text(&SOURCE).ok_or(RowError::NoKey("source"))?;
    let target = text(&TARGET).ok_or(RowError::NoKey("target"))?;
    let value = text(&LABEL).unwrap_or_default();
    let how = |key: &str| object.get(key).filter(|value| !value.is_null() && *value != "").cloned();
    Ok(LabelRow::new(source, target, value)?.with_details(MORE.map(|name| text(&[name]))).with_circumstances(how))
}

/// Where a table has what.
struct Columns {
    source: usize,
    target: usize,
    label: usize,
    /// Splink's name of the dataset on the left: `target` when the two stand the other way round.
    side: Option<usize>,
    more: [Option<usize>; 8],
    how: Vec<(&'static str, usize)>,
    scale: Scale,
}

impl Columns {
    /// The columns of a header; none when it does not name those that every label has.
    fn from_header(head: &[String]) -> Option<Self> {
        let column =
            |names: &[&str]| names.iter().find_map(|name| head.iter().position(|cell| cell.eq_ignore_ascii_case(name)));
        let (source, target, label) = (column(&SOURCE)?, column(&TARGET)?, column(&LABEL)?);
        let scale = match (head[label].as_str(), head[source].as_str()) {
            ("clerical_match_score", _) => Scale::Splink,
            (_, "firstId") => Scale::Copycat,
            _ => Scale::Plain,
        };
        let (side, more) = (column(&["source_dataset_l"]), MORE.map(|name| column(&[name])));
        let how = Circumstances::KEYS.into_iter().filter_map(|key| Some((key, column(&[key])?))).collect();
        Some(Self { source, target, label, side, more, how, scale })
    }

    fn read(&self, cells: &[String]) -> Result<LabelRow, RowError> {
        let cell = |c: usize| cells.get(c).cloned().ok_or(RowError::FewColumns);
        let some = |c: Option<usize>| c.and_then(|c| cells.get(c)).cloned();
        let (mut source, mut target) = (cell(self.source)?, cell(self.target)?);
        if some(self.side).as_deref() == Some("target") {
            (source, target) = (target, source);
        }
        let how = |key: &str| {
            let (_, column) = self.how.iter().find(|(name, _)| *name == key)?;
            let text = cells.get(*column).filter(|text| !text.trim().is_empty())?;
            Some(Value::String(text.trim().to_owned()))
        };
        Ok(LabelRow::new(source, target, cell(self.label)?)?.with_details(self.more.map(some)).with_circumstances(how))
    }
}

/// A column that has a meaning here and stands in a header more than once.
fn named_twice(head: &[String]) -> Option<&'static str> {
    let names = SOURCE.iter().chain(&TARGET).chain(&LABEL).chain(&MORE).chain(&Circumstances::KEYS).copied();
    names.into_iter().find(|name| head.iter().filter(|cell| cell.eq_ignore_ascii_case(name)).count() > 1)
}

fn qrels(cells: Vec<String>) -> Result<LabelRow, RowError> {
    match <[String; 4]>::try_from(cells) {
        Ok([source, _, target, grade]) if grade.parse::<f64>().is_ok() => LabelRow::new(source, target, grade),
        _ => Err(RowError::NoHeader),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str) -> (Vec<(String, String, Label)>, Vec<usize>) {
        let table = LabelTable::parse(text).labelled();
        let label = |row: &LabelRow| table.label(row, &Meaning::default()).unwrap();
        let labels = table.rows.iter().map(|row| (row.source.clone(), row.target.clone(), label(row))).collect();
        (labels, table.problems.iter().map(|(line, _)| *line).collect())
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
        let rows = LabelTable::parse(tsv).rows;
        assert_eq!((rows[0].note.as_deref(), rows[2].line), (Some("good"), 5));
        let copycat = "{\"firstId\":\"a\",\"secondId\":\"x\",\"label\":\"Near Duplicate\"}\n{\"firstId\":\"b\",\"secondId\":\"y\",\"label\":0.5}\n{\"firstId\":\"c\",\"secondId\":\"z\",\"label\":\"unknown\"}\n";
        assert_eq!(short(copycat), (expected.clone(), vec![]));
        let splink = "unique_id_l,source_dataset_l,unique_id_r,source_dataset_r,clerical_match_score\na,source,x,target,1.0\ny,target,b,source,0.0\n\"c\",source,\"z\",target,0.5\n";
        assert_eq!(short(splink), (expected.clone(), vec![]));
        assert_eq!(short("a 0 x 1\nb 0 y 0\nc 0 z -1\n"), (expected, vec![]));
    }

    #[test]
    fn whose_when_and_where_it_was_given() {
        let header = "annotator\tsource\ttarget\tlabel\tsample\tclass\treason\tstratum\tpopulation\n";
        let tsv =
            format!("{header}ann\ta\tx\tnot\tdefault\theavy-edit\tlayout\t0.9–1.0\t1234\n\tb\ty\tnot\t\t\t\t\t\n");
        let json = "{\"source\":\"a\",\"target\":\"x\",\"label\":\"not\",\"annotator\":\"ann\",\"sample\":\"default\",\
                    \"class\":\"heavy-edit\",\"reason\":\"layout\",\"stratum\":\"0.9–1.0\",\"population\":1234}\n\
                    {\"source\":\"b\",\"target\":\"y\",\"label\":\"not\"}\n";
        for text in [tsv.as_str(), json] {
            let rows = LabelTable::parse(text).rows;
            let said = |row: &LabelRow| {
                let how = &row.circumstances;
                let all = [&row.annotator, &row.sample, &how.class, &how.reason, &row.stratum, &row.population];
                all.map(|text| text.clone().unwrap_or_default())
            };
            assert_eq!(said(&rows[0]), ["ann", "default", "heavy-edit", "layout", "0.9–1.0", "1234"]);
            assert_eq!(said(&rows[1]), [""; 6]);
        }
    }

    #[test]
    fn what_is_said_beside_a_label_and_is_not_understood_is_told() {
        let tsv = "source\ttarget\tlabel\ttime\tdwell_ms\tpeeked\n\
                   a\tx\tnot\t2012-03-04T05:06:07Z\t12\ttrue\n\
                   b\ty\tnot\tyesterday\t-5\tmaybe\n\
                   c\tz\tnot\t\t\t\n";
        let json = "{\"source\":\"b\",\"target\":\"y\",\"label\":\"not\",\"time\":\"yesterday\",\"dwell_ms\":-5,\
                    \"peeked\":\"maybe\"}";
        let rows = LabelTable::parse(tsv).rows;
        assert_eq!((rows[0].left_out.len(), rows[0].circumstances.dwell_ms, rows[2].left_out.len()), (0, Some(12), 0));
        for row in [&rows[1], &LabelTable::parse(json).rows[0]] {
            let began: Vec<&str> = row.left_out.iter().filter_map(|why| why.split(" was left out").next()).collect();
            assert_eq!(began, ["time “yesterday”", "dwell_ms “-5”", "peeked “maybe”"]);
            assert_eq!((&row.time, row.circumstances.dwell_ms), (&None, None));
        }
    }

    #[test]
    fn of_two_columns_of_one_name_none_is_taken() {
        let table = LabelTable::parse("source,target,label,Label\na,x,not,near-duplicate\n");
        assert_eq!((table.rows.len(), table.problems.len()), (0, 1));
        assert!(table.problems[0].1.contains("“label” twice"), "{}", table.problems[0].1);
        assert_eq!(LabelTable::parse("source,target,label,grade,x,x\na,x,not,1,,\n").rows.len(), 1);
    }

    #[test]
    fn notes_over_several_lines() {
        let table = LabelTable::parse("source,target,label,note\na,x,not,\"one\ntwo\"\nb,y,yes,\n");
        assert_eq!(table.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 4]);
        assert_eq!((table.rows[0].note.as_deref(), table.problems.len()), (Some("one\ntwo"), 0));
    }

    #[test]
    fn what_is_no_label_is_told() {
        let table =
            LabelTable::parse("source\ttarget\tlabel\na\tx\tnaer-duplicate\nb\ty\nc\tz\tnot\n\t\tnot\nd\tw\t\n");
        let table = table.labelled();
        assert_eq!(table.problems.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [3, 5]);
        assert_eq!(table.without_label, 1);
        let (line, why) = table.understood(&Meaning::default()).unwrap_err();
        assert!(line == 2 && why.starts_with("“naer-duplicate” is no label that is known here (1 row)"), "{why}");
        assert!(why.contains("--positive, --negative and --unsure, such as"), "{why}");
        let (_, why) = table.understood(&Meaning::default().unsure_by("--unsure-values")).unwrap_err();
        assert!(why.contains("--positive, --negative and --unsure-values, such as"), "{why}");
        assert_eq!(short("just text\n").1, [1]);
        assert_eq!(short("{\"firstId\":\"a\"}\n{broken\n").1, [1, 2]);
        assert!(is_journal("{\"seq\":1,\"event\":\"label\",\"crc\":\"00\"}") && !is_journal("{\"source\":\"a\"}"));
    }

    #[test]
    fn every_value_is_counted() {
        let table = LabelTable::parse("source\ttarget\tgrade\na\tx\t0.5\nb\ty\t2\nc\tz\t0.5\nd\tw\tno\n");
        let (_, why) = table.understood(&Meaning::default()).unwrap_err();
        assert!(
            why.contains("“0.5” is no label that is known here (2 rows), nor is “2” (1 row); near-duplicate"),
            "{why}"
        );
        assert!(why.ends_with(", such as --unsure=0.5"), "half a grade is no near-duplicate: {why}");
        let (_, why) = LabelTable::parse("source,target,grade\na,x,3\n").understood(&Meaning::default()).unwrap_err();
        assert!(why.ends_with(", such as --positive 3.."), "{why}");
        let list = |value: &str| vec![value.to_owned()];
        let meaning = Meaning::new(&list("1.."), &["no".to_owned(), "0.5".to_owned()], &[]).unwrap();
        let values = table.understood(&meaning).unwrap();
        assert_eq!(meaning_sentences(&values), ["near-duplicate: “2” (1 row)", "not: “0.5” (2 rows), “no” (1 row)"]);
        let none = Meaning::new(&list("1.."), &list("0"), &[]).unwrap();
        let (_, why) = table.understood(&none).unwrap_err();
        assert_eq!(
            why,
            "“0.5” is not among the values named (2 rows), nor is “no” (1 row); where --positive or --negative names values, \
             only those count, and no known words or grades; correct the file, or add --positive VALUE, --negative VALUE or \
             --unsure VALUE"
        );
        let typed = Meaning::new(&list("neer"), &list("rest"), &[]).unwrap();
        assert_eq!(table.understood(&typed).unwrap_err(), (1, "no row says “neer”; there are 0.5, 2, no".to_owned()));
    }
}
