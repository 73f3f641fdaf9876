//! What random searches ask for: words of the lexicon, of a list, or the queries of a log.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::strong;
use crate::StudyError;
use dejaview_base::hash::{fmix64, token};
use dejaview_base::line_limits;
use dejaview_base::line_limits::Lines;

/// What random searches ask for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SearchedFor {
    /// Two words of the lexicon of both sides.
    #[default]
    Lexicon,
    /// Two words of this list.
    Words(PathBuf),
    /// The queries of this log.
    Log(PathBuf),
}

/// Queries of a log that are asked at most.
const MOST_QUERIES: usize = 10_000;

/// The different words of a list.
pub(super) fn words(path: &Path) -> Result<BTreeSet<String>, StudyError> {
    let words = strong::words(&read(path)?);
    if words.len() < 2 {
        return Err(StudyError::Searches { path: path.to_owned(), why: "it has fewer than two different words" });
    }
    Ok(words)
}

/// The queries of a log, each as its words: a query a line, or in the column `query` of a table with tabs. Of more than
/// [`MOST_QUERIES`] different ones a part that the seed decides.
pub(super) fn queries(path: &Path, seed: u64) -> Result<Vec<String>, StudyError> {
    let mut queries: Vec<String> = parsed(&read(path)?);
    if queries.is_empty() {
        return Err(StudyError::Searches { path: path.to_owned(), why: "it has no query" });
    }
    if queries.len() > MOST_QUERIES {
        queries.sort_by_cached_key(|query| fmix64(token(query.as_bytes()) ^ fmix64(seed)));
        queries.truncate(MOST_QUERIES);
        queries.sort();
    }
    Ok(queries)
}

fn read(path: &Path) -> Result<String, StudyError> {
    let read = File::open(path).and_then(Lines::read);
    let read = read.map_err(|why| StudyError::File { doing: "reading", path: path.to_owned(), why })?;
    if let Some(long) = read.long.first() {
        let why = io::Error::other(format!("line {}: {long}", long.line));
        return Err(StudyError::File { doing: "reading", path: path.to_owned(), why });
    }
    line_limits::text(read).map(|list| list.text).map_err(|why| StudyError::File {
        doing: "reading",
        path: path.to_owned(),
        why: io::Error::other(format!("line {}: {}", why.line, why.fault)),
    })
}

/// The queries of a log. A query that is asked often stands as often.
fn parsed(log: &str) -> Vec<String> {
    let head = log.lines().next().unwrap_or_default();
    let column = head.split('\t').position(|name| name.trim().eq_ignore_ascii_case("query"));
    let lines = log.lines().skip(usize::from(column.is_some()));
    let query = |line: &str| {
        let text = column.map_or(Some(line), |column| line.split('\t').nth(column)).unwrap_or_default();
        strong::words(text).into_iter().collect::<Vec<_>>().join(" ")
    };
    lines.map(query).filter(|query| !query.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_lines_or_a_column() {
        assert_eq!(
            parsed("Old harbour\n\n +\nfresnel \"LENS\" -old\nold harbour\n"),
            ["harbour old", "fresnel lens old", "harbour old"]
        );
        assert_eq!(parsed("AnonID\tQuery\tQueryTime\n7\ttide tables\t2006\n8\n9\t-\t2006"), ["tables tide"]);
        assert_eq!(parsed(""), Vec::<String>::new());
    }
}
