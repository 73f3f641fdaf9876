//! Pairs as tables: tabs, commas or blanks between the columns, with or without a header.

use super::list::{LineError, ListLine, PairList, blank, edge};
use dejaview_base::cells::{Row, Separator, rows};

/// Names of columns, and of keys in JSON, for each thing that a pair may have.
pub(super) const SOURCE: [&str; 10] =
    ["source", "firstid", "first", "id1", "id_x", "doc1", "left", "src", "source_id", "sourcedocument"];
/// See [`SOURCE`].
pub(super) const TARGET: [&str; 10] =
    ["target", "secondid", "second", "id2", "id_y", "doc2", "right", "dst", "target_id", "targetid"];
/// See [`SOURCE`]; higher is more alike. Where a file has several of these, the first of them counts that has a value there.
pub(super) const SCORE: [&str; 7] = ["score", "s3", "s3score", "jaccard", "similarity", "sim", "weight"];
/// See [`SOURCE`]; lower is more alike.
pub(super) const DISTANCE: [&str; 5] = ["distance", "hemmingdistance", "hammingdistance", "hamming", "diff"];

/// Where each thing stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Columns {
    source: usize,
    target: usize,
    score: Option<usize>,
    distance: Option<usize>,
}

pub(super) fn parse(text: &str) -> PairList {
    let mut list = PairList::default();
    let Some(first) = text.lines().find(|line| !blank(line)) else { return list };
    let separator = Separator::detect(first);
    let mut rows = rows_of(text, separator).peekable();
    let named = rows.peek().and_then(|row| row.cells.as_deref().ok()).and_then(columns);
    let all = || rows_of(text, separator).filter_map(|row| row.cells.ok());
    let columns = match named {
        Some(named) => {
            rows.next();
            named.with_values(|| all().skip(1))
        }
        None => unnamed(all()),
    };
    for Row { line, cells } in rows {
        match cells.map_err(LineError::from).and_then(|cells| row(&cells, columns)) {
            Ok(pair) => list.add(line, pair),
            Err(reason) => list.unread(line, reason.to_string()),
        }
    }
    list
}

/// The rows that are no comments.
fn rows_of(text: &str, separator: Separator) -> impl Iterator<Item = Row> {
    let is_comment = |row: &Row| row.cells.as_ref().is_ok_and(|cells| cells[0].starts_with('#'));
    rows(text, separator).filter(move |row| !is_comment(row))
}

/// Without a header: source, target, and a score, or a distance when every value is a whole number.
fn unnamed(rows: impl Iterator<Item = Vec<String>>) -> Columns {
    let mut whole = true;
    for cells in rows {
        whole &= cells.get(2).is_none_or(|cell| cell.trim().parse::<u16>().is_ok());
    }
    let third = |yes: bool| yes.then_some(2);
    Columns { source: 0, target: 1, score: third(!whole), distance: third(whole) }
}

/// The columns that a header names, in the order of the names.
struct NamedColumns {
    source: usize,
    target: usize,
    scores: Vec<usize>,
    distances: Vec<usize>,
}

/// The columns that a header names; none when it is no header.
fn columns(cells: &[String]) -> Option<NamedColumns> {
    let cells: Vec<String> = cells.iter().map(|cell| plain(cell)).collect();
    let find = |names: &[&str]| -> Vec<usize> {
        names.iter().filter_map(|name| cells.iter().position(|cell| cell == name)).collect()
    };
    let (source, target) = (*find(&SOURCE).first()?, *find(&TARGET).first()?);
    Some(NamedColumns { source, target, scores: find(&SCORE), distances: find(&DISTANCE) })
}

impl NamedColumns {
    /// The first column of each kind that has a value in any of the rows.
    fn with_values<R: Iterator<Item = Vec<String>>>(self, rows: impl Fn() -> R) -> Columns {
        let has_value = |at: &usize| rows().any(|cells| cells.get(*at).is_some_and(|cell| !cell.trim().is_empty()));
        let first = |columns: Vec<usize>| match columns[..] {
            [] | [_] => columns.first().copied(),
            _ => columns.into_iter().find(has_value),
        };
        let (score, distance) = (first(self.scores), first(self.distances));
        Columns { source: self.source, target: self.target, score, distance }
    }
}

/// A name as it is looked up.
pub(super) fn plain(name: &str) -> String {
    let name = name.trim().to_lowercase();
    match name.rsplit_once('_') {
        // NeMo's columns: `adlr_id_x`, `_curator_dedup_id_y`.
        Some((_, side @ ("x" | "y"))) => format!("id_{side}"),
        _ => name,
    }
}

fn row(cells: &[String], columns: Columns) -> Result<ListLine, LineError> {
    let cell = |at: usize| cells.get(at).map(|cell| cell.trim());
    let (Some(source), Some(target)) = (cell(columns.source), cell(columns.target)) else {
        return Err(LineError::Columns(cells.len()));
    };
    let score = match columns.score.and_then(cell).filter(|score| !score.is_empty()) {
        None => None,
        Some(text) => Some(number(text)?),
    };
    let distance = match columns.distance.and_then(cell).filter(|distance| !distance.is_empty()) {
        None => None,
        Some(text) => Some(text.parse().map_err(|_| LineError::Distance(format!("{text:?}")))?),
    };
    edge(source, target, score, distance)
}

fn number(text: &str) -> Result<f64, LineError> {
    let number = text.parse::<f64>().ok().filter(|x| x.is_finite());
    number.ok_or_else(|| LineError::Score(text.to_owned()))
}
