//! Pairs that other tools wrote down: which formats are read, and what a file gives.
//!
//! | file | told by | gives |
//! |---|---|---|
//! | TSV, CSV, words apart by blanks | anything else | a header names the columns; without one `source target [score or distance]` |
//! | JSON lines | `{` | `source`, `target`, `score`; CopyCat's `firstId`, `secondId`, `hemmingDistance` |
//! | CopyCat's transfer | `sourceDocument` | its `targetDocs` in their order, `s3Score` as the score |
//! | groups | `equivalentDocuments`, `group`, `ids` | every member (see [`ListLine::Group`]) |
//! | datatrove | the name ends in `.dups` | four 32-bit numbers a pair: file, document, file, document |
//! | NeMo Curator | Parquet | two columns of ids, `…_x` and `…_y` or `source` and `target`, and `jaccard` |
//!
//! Text may be compressed. A third column without a name is a distance when all its values are whole numbers (CopyCat's
//! CSV has Hamming distances there), else a score. Of several columns that could be the score one counts, by the same rule in
//! all formats. Lines that are no pair are told, never dropped in silence.

mod json;
mod list;
mod named;
mod table;

use std::path::Path;

use self::list::{blank, edge};
use super::MatchingError;
use crate::parquet::{ParquetPair, read_pairs};
use dejaview_base::line_limits::ListText;
use dejaview_corpus::text_file;

pub use list::{ListLine, ListedPair, PairList, UnreadLine};
pub use named::{Imported, ImportedPair, Imports, NamedPair, NamedPairs, RepeatedPair};

/// Reads a file of pairs in any of the formats above.
pub fn read(path: &Path) -> Result<PairList, MatchingError> {
    if path.extension().is_some_and(|extension| extension == "dups") {
        return Ok(datatrove(&text_file::read(path)?));
    }
    if is_parquet(path) {
        return Ok(nemo(read_pairs(path, &table::SCORE)?));
    }
    let ListText { text, long } = text_file::read_list(path, "pair")?;
    let mut list = parse(&text);
    long.iter().for_each(|long| list.unread(long.line, long.to_string()));
    list.unread.sort_by_key(|unread| unread.line);
    Ok(list)
}

fn is_parquet(path: &Path) -> bool {
    use std::io::Read;
    let mut magic = [0; 4];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == *b"PAR1"
}

/// Pairs from text, by its first line.
pub fn parse(text: &str) -> PairList {
    let first = text.lines().find(|line| !blank(line)).unwrap_or_default();
    if first.trim_start().starts_with('{') { json::parse(text) } else { table::parse(text) }
}

fn nemo(rows: Vec<ParquetPair>) -> PairList {
    let mut list = PairList::default();
    for (number, row) in rows.into_iter().enumerate() {
        match edge(&row.first, &row.second, row.score, None) {
            Ok(line) => list.add(number + 1, line),
            Err(reason) => list.unread(number + 1, reason.to_string()),
        }
    }
    list
}

/// What datatrove writes for a document of an index that it was given, whose number nobody knows.
const NOBODY: u32 = u32::MAX;

/// Records of four little-endian 32-bit numbers: file and document, twice. Ids are written `file/document`.
fn datatrove(bytes: &[u8]) -> PairList {
    let mut list = PairList::default();
    let records = bytes.chunks_exact(16);
    let rest = records.remainder().len();
    for (number, record) in records.enumerate() {
        let [a, b, c, d] = [0, 4, 8, 12].map(|at| {
            let mut word = [0; 4];
            word.copy_from_slice(&record[at..at + 4]);
            u32::from_le_bytes(word)
        });
        if a == NOBODY || c == NOBODY {
            list.unread(number + 1, "one side is a document of an index, which has no number");
            continue;
        }
        match edge(&format!("{a}/{b}"), &format!("{c}/{d}"), None, None) {
            Ok(line) => list.add(number + 1, line),
            Err(reason) => list.unread(number + 1, reason.to_string()),
        }
    }
    if rest > 0 {
        list.unread(bytes.len() / 16 + 1, format!("the file ends after {rest} of 16 bytes"));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(source: &str, target: &str, score: Option<f64>, distance: Option<u16>) -> ListLine {
        edge(source, target, score, distance).unwrap()
    }

    #[test]
    fn tables_with_and_without_a_header() {
        let list = parse("source\ttarget\tjaccard\na\tb\t0.5\nc\td\n");
        assert_eq!(list.lines, [pair("a", "b", Some(0.5), None), pair("c", "d", None, None)]);
        let list = parse("target,score,source\nb,0.5,a\n\"x,y\",1,\"q\"\"z\"\n");
        assert_eq!(list.lines, [pair("a", "b", Some(0.5), None), pair("q\"z", "x,y", Some(1.0), None)]);
        let list = parse("a b 0.25\nc d 1\n");
        assert_eq!(list.lines, [pair("a", "b", Some(0.25), None), pair("c", "d", Some(1.0), None)]);
        let list = parse("clueweb09-1,clueweb12-2,3\nclueweb09-1,clueweb12-3,0\n");
        let distance = |target, distance| pair("clueweb09-1", target, None, Some(distance));
        assert_eq!(list.lines, [distance("clueweb12-2", 3), distance("clueweb12-3", 0)], "CopyCat's pairs");
    }

    /// The program's own tables have a column for the Jaccard, which is empty for imported pairs, and one for the score.
    #[test]
    fn of_several_scores_the_first_by_name_that_has_a_value_counts() {
        let scores = |text: &str| -> Vec<Option<f64>> {
            let list = parse(text);
            let score = |line: &ListLine| match line {
                ListLine::Pair(pair) => pair.score,
                ListLine::Group(_) => None,
            };
            list.lines.iter().map(score).collect()
        };
        let both = [Some(95.0), Some(7.0)];
        assert_eq!(scores("source\ttarget\tjaccard\tscore\na\tb\t0.5\t95\na\tc\t0.5\t7\n"), both);
        assert_eq!(scores("source,target,weight,s3\na,b,1,95\na,c,2,7\n"), both);
        let jaccard = [Some(0.5), None];
        assert_eq!(scores("source\ttarget\tscore\tjaccard\na\tb\t\t0.5\na\tc\t\t\n"), jaccard);
        assert_eq!(scores("source\ttarget\tscore\tjaccard\na\tb\t\t0.5\na\tc\t7\t0.25\n"), [None, Some(7.0)]);
        let object = |target: &str, rest: &str| format!("{{\"source\":\"a\",\"target\":\"{target}\"{rest}}}\n");
        let json = |one: &str, two: &str| scores(&(object("b", one) + &object("c", two)));
        assert_eq!(json(",\"jaccard\":0.5,\"score\":95", ",\"score\":7,\"jaccard\":0.5"), both);
        assert_eq!(json(",\"jaccard\":0.5,\"score\":null", ""), jaccard);
        assert_eq!(json(",\"jaccard\":0.5", ",\"score\":7"), [None, Some(7.0)]);
    }

    #[test]
    fn json_of_every_kind() {
        let list = parse(concat!(
            "{\"source\":\"a\",\"target\":\"b\",\"score\":0.5}\n",
            "{\"firstId\":\"c\",\"secondId\":\"d\",\"hemmingDistance\":2}\n",
            "{\"topicNumber\":3,\"sourceDocument\":\"e\",\"targetDocs\":[{\"targetId\":\"f\",\"s3Score\":0.9},{\"targetId\":\"g\",\"s3Score\":1.0}]}\n",
            "{\"topicNumber\":4,\"sourceDocument\":\"h\",\"targetDocs\":[]}\n",
            "{\"equivalentDocuments\":[\"i\",\"j\",\"k\"],\"hash\":[]}\n",
        ));
        assert_eq!(list.unread, []);
        assert_eq!(
            list.lines,
            [
                pair("a", "b", Some(0.5), None),
                pair("c", "d", None, Some(2)),
                pair("e", "f", Some(0.9), None),
                pair("e", "g", Some(1.0), None),
                ListLine::Group(["i", "j", "k"].map(str::to_owned).into()),
            ]
        );
    }

    #[test]
    fn lines_that_are_no_pairs_are_told() {
        let list = parse("source\ttarget\tscore\na\tb\tx\n\n# note\nc\n\td\t1\ne\te\t1\n");
        let lines: Vec<u64> = list.unread.iter().map(|unread| unread.line).collect();
        assert_eq!(lines, [2, 5, 6]);
        assert_eq!(list.lines, [pair("e", "e", Some(1.0), None)], "two documents may have one id");
        let list = parse("{\"source\":\"a\"}\n{\"source\":\n[1]\n{\"group\":[\"a\"]}\n");
        let lines: Vec<u64> = list.unread.iter().map(|unread| unread.line).collect();
        assert_eq!((list.lines.len(), lines), (0, vec![1, 2, 3, 4]));
        assert_eq!(parse(""), PairList::default());
    }

    #[test]
    fn edges_of_datatrove() {
        let mut bytes: Vec<u8> = [1u32, 7, 2, 9, NOBODY, NOBODY, 2, 9].iter().flat_map(|n| n.to_le_bytes()).collect();
        bytes.extend([0; 5]);
        let list = datatrove(&bytes);
        assert_eq!(list.lines, [pair("1/7", "2/9", None, None)]);
        assert_eq!(list.unread.iter().map(|unread| unread.line).collect::<Vec<_>>(), [2, 3]);
    }
}
