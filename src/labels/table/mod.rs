//! Labels that other tools, or other people, wrote down.
//!
//! | file | told by | gives |
//! |---|---|---|
//! | JSON lines | `{` | `source`, `target`, `label`; CopyCat's `firstId`, `secondId`, `label` |
//! | TSV, CSV | a header with two columns of ids and one of labels | also Splink's `unique_id_l`, `unique_id_r`, `clerical_match_score` |
//! | qrels of pairs | four columns and no header | source, 0, target, grade |
//!
//! Columns and keys `annotator`, `note`, `flag`, `time`, `sample`, `also_in`, those of [`Circumstances`](super::Circumstances), and the `stratum` and
//! `population` of a sample that was drawn elsewhere, are read where they are. A row that is none of it, and a value that
//! cannot be understood, are told with their line, never dropped in silence. What labels mean is asked of a [`Meaning`]: one
//! that it does not know refuses the file.

mod forms;
mod meaning;
mod row;

use std::collections::BTreeSet;

pub use meaning::{Meaning, MeaningError, Scale, UnderstoodValue, meaning_sentences};
pub use row::{LONGEST_NOTE, LabelRow, shortened, split_names};

use super::Label;
use dejaview_base::cells::{Row, Separator, rows};
use dejaview_base::line_limits::Lines;
use dejaview_base::lines;
use forms::{Columns, Object, is_unread, json, qrels};
use row::RowError;

/// What a file gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelTable {
    /// In the order of the file.
    pub rows: Vec<LabelRow>,
    /// Rows that give no pair: line and why.
    pub problems: Vec<(usize, String)>,
    /// Rows that were left out because they have no label.
    pub without_label: usize,
    /// Columns and keys that have no meaning here, by name.
    pub unread: Vec<String>,
    /// What its grades mean when nobody says so.
    pub scale: Scale,
}

/// Whether the bytes are a journal.
pub fn is_journal(bytes: &[u8]) -> bool {
    let first = bytes.split(|byte| *byte == b'\n').find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    let first = String::from_utf8_lossy(first);
    first.starts_with('{') && first.contains("\"event\":") && first.contains("\"crc\":")
}

/// Whether the text is objects of JSON, a line each.
fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

/// Values that are not known and named beside the first.
const OTHERS: usize = 8;

impl LabelTable {
    /// Reads the lines of a file that is not a journal; one that is no text in UTF-8 is refused with a line. So is a table whose
    /// cells would be others without a line that is too long: its header, or cells in quotes that go over lines.
    pub fn read(lines: &Lines) -> Result<Self, (usize, String)> {
        let text = lines::exact_text(&lines.bytes).map_err(|why| (why.line as usize, why.fault.to_string()))?;
        let mut table = Self::parse(text)?;
        let Some(first) = lines.long.first() else { return Ok(table) };
        let header = text.lines().position(|line| !line.trim().is_empty()).map_or(usize::MAX, |at| at + 1);
        if !is_json(text) && (first.line < header || text.contains('"')) {
            return Err((first.line, first.to_string()));
        }
        table.problems.extend(lines.long.iter().map(|long| (long.line, long.to_string())));
        table.problems.sort_by_key(|(line, _)| *line);
        Ok(table)
    }

    /// Reads the bytes of a file that is not a journal, as [`Self::read`] does.
    pub fn parse_bytes(bytes: &[u8]) -> Result<Self, (usize, String)> {
        Self::read(&Lines { bytes: bytes.to_vec(), long: Vec::new() })
    }

    /// Reads a file that is not a journal. It is refused where its header names a column twice.
    fn parse(text: &str) -> Result<Self, (usize, String)> {
        if is_json(text) {
            return Ok(Self::json_lines(text));
        }
        for separator in [Separator::Tab, Separator::Comma] {
            let Some(Row { line, cells: Ok(head) }) = rows(text, separator).next() else { continue };
            if let Some(columns) = Columns::from_header(&head) {
                let named =
                    |name: &String| if name.is_empty() { "one without a name".to_owned() } else { name.clone() };
                let unread: BTreeSet<String> = head.iter().filter(|name| is_unread(name)).map(named).collect();
                let unread = unread.into_iter().collect();
                let mut table = Self { scale: columns.scale, unread, ..Self::default() };
                if let Some(name) = columns.named_twice() {
                    return Err((line, RowError::NamedTwice(name.to_owned()).to_string()));
                }
                for Row { line, cells } in rows(text, separator).skip(1) {
                    table.push(line, cells.map_err(RowError::from).and_then(|cells| columns.read(&cells)));
                }
                return Ok(table);
            }
        }
        let mut table = Self { scale: Scale::Qrels, ..Self::default() };
        for Row { line, cells } in rows(text, Separator::Blanks) {
            table.push(line, qrels(cells.unwrap_or_default()));
        }
        Ok(table)
    }

    fn json_lines(text: &str) -> Self {
        let (mut table, mut unread) = (Self::default(), BTreeSet::new());
        for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let object = serde_json::from_str::<Object>(line).map(|object| object.0).map_err(RowError::from);
            if let Ok(object) = &object {
                unread.extend(object.keys().filter(|name| is_unread(name)).cloned());
                if object.contains_key("firstId") {
                    table.scale = Scale::Copycat;
                }
            }
            table.push(i + 1, object.and_then(|object| json(&object)));
        }
        table.unread = unread.into_iter().collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_base::line_limits::{LONGEST_LINE, LONGEST_OBJECT};

    fn table_of(text: &str) -> LabelTable {
        LabelTable::parse(text).unwrap()
    }

    fn short(text: &str) -> (Vec<(String, String, Label)>, Vec<usize>) {
        let table = table_of(text).labelled();
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
        let rows = table_of(tsv).rows;
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
            let rows = table_of(text).rows;
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
        let rows = table_of(tsv).rows;
        assert_eq!((rows[0].left_out.len(), rows[0].circumstances.dwell_ms, rows[2].left_out.len()), (0, Some(12), 0));
        for row in [&rows[1], &table_of(json).rows[0]] {
            let began: Vec<&str> = row.left_out.iter().filter_map(|why| why.split(" was left out").next()).collect();
            assert_eq!(began, ["time “yesterday”", "dwell_ms “-5”", "peeked “maybe”"]);
            assert_eq!((&row.time, row.circumstances.dwell_ms), (&None, None));
        }
    }

    #[test]
    fn of_two_columns_of_one_name_none_is_taken() {
        let (line, why) = LabelTable::parse("\nsource,target,label,Label\na,x,not,near-duplicate\n").unwrap_err();
        assert!(line == 2 && why.contains("“label” twice"), "{line}: {why}");
        assert!(LabelTable::parse("source,target,label,note,Note\na,x,not,,\n").is_err());
        // Of other names for labels none counts beside the first.
        assert_eq!(table_of("source,target,label,grade,Grade,x,x\na,x,not,1,2,,\n").rows.len(), 1);
    }

    #[test]
    fn a_column_without_a_name_is_told_once() {
        let table = table_of(",source,target,label,\n17,a,x,not,u\n18,b,y,not,v\n");
        assert_eq!(table.unread, ["one without a name"]);
        assert!(table.rows.iter().all(|row| row.left_out.is_empty()));
        let row = &table_of("source,target,label\na,x,not,more\n").rows[0];
        assert!(row.left_out[0].contains("“more” was left out"), "{:?}", row.left_out);
    }

    #[test]
    fn spreadsheets_write_true_in_their_way() {
        let row = &table_of("source,target,label,peeked,flag,scrolled_to_end\na,x,not,TRUE,TRUE,No\n").rows[0];
        let how = &row.circumstances;
        assert_eq!((how.peeked, row.flag, how.scrolled_to_end), (Some(true), true, Some(false)));
        let json = "{\"source\":\"a\",\"target\":\"x\",\"label\":\"not\",\"also_in\":[\"one\",2,{}]}";
        assert!(table_of(json).rows[0].left_out[0].ends_with("names of samples"));
    }

    #[test]
    fn notes_over_several_lines() {
        let table = table_of("source,target,label,note\na,x,not,\"one\ntwo\"\nb,y,yes,\n");
        assert_eq!(table.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 4]);
        assert_eq!((table.rows[0].note.as_deref(), table.problems.len()), (Some("one\ntwo"), 0));
    }

    #[test]
    fn what_is_no_label_is_told() {
        let table = table_of("source\ttarget\tlabel\na\tx\tnaer-duplicate\nb\ty\nc\tz\tnot\n\t\tnot\nd\tw\t\n");
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
        assert!(is_journal(b"{\"seq\":1,\"event\":\"label\",\"crc\":\"00\"}") && !is_journal(b"{\"source\":\"a\"}"));
    }

    #[test]
    fn lines_that_are_too_long_are_told_or_refuse_the_table() {
        let long = "x".repeat(LONGEST_LINE + 1);
        let read = |text: String| LabelTable::read(&Lines::read(text.as_bytes()).unwrap());
        let table = read(format!("source\ttarget\tlabel\na\tx\tnot\n{long}\nb\ty\nc\tz\tnot\n")).unwrap();
        let lines: Vec<usize> = table.problems.iter().map(|(line, _)| *line).collect();
        assert!(lines == [3, 4] && table.rows[1].line == 5, "{lines:?}");
        assert!(table.problems[0].1.contains("longer than 1 MiB"), "{}", table.problems[0].1);
        for text in [
            format!("{long}\na\tx\tnot\n"),
            long.clone(),
            format!("source,target,label,note\na,x,not,\"{long}\nb,y,not,c\"\nd,z,not,\n"),
        ] {
            let (_, why) = read(text).unwrap_err();
            assert!(why.contains("longer than 1 MiB"), "{why}");
        }
        let object = format!("{{\"source\":\"a\",\"target\":\"x\",\"label\":\"not\",\"note\":\"{long}\"}}\n");
        let table = read(format!("{}\n{object}", "{".repeat(LONGEST_OBJECT + 1))).unwrap();
        assert!(table.problems[0].1.contains("longer than 16 MiB"), "{}", table.problems[0].1);
        let row = &table.rows[0];
        assert!(row.note.is_none() && row.left_out[0].ends_with("was left out: expected 1 MiB at most"), "{row:.200?}");
    }

    #[test]
    fn every_value_is_counted() {
        let table = table_of("source\ttarget\tgrade\na\tx\t0.5\nb\ty\t2\nc\tz\t0.5\nd\tw\tno\n");
        let (_, why) = table.understood(&Meaning::default()).unwrap_err();
        assert!(
            why.contains("“0.5” is no label that is known here (2 rows), nor is “2” (1 row); near-duplicate"),
            "{why}"
        );
        assert!(why.ends_with(", such as --unsure=0.5"), "half a grade is no near-duplicate: {why}");
        let (_, why) = table_of("source,target,grade\na,x,3\n").understood(&Meaning::default()).unwrap_err();
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
