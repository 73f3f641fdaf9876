//! Lists with a line that is too long, packed small: it is named, never held, and the others are read.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::qrels::{self, QrelsFile};
use crate::{runs, topics, urls};
use dejaview_base::line_limits::LONGEST_LINE;

/// A packed list: lines, one of a byte more than a line may have, and lines.
fn list(folder: &Path, before: &str, after: &str) -> PathBuf {
    let path = folder.join("list.gz");
    let mut file = flate2::write::GzEncoder::new(std::fs::File::create(&path).unwrap(), flate2::Compression::fast());
    file.write_all(before.as_bytes()).unwrap();
    file.write_all(&vec![b'x'; LONGEST_LINE + 1]).unwrap();
    file.write_all(after.as_bytes()).unwrap();
    file.finish().unwrap();
    path
}

const WHY: &str = "it is longer than 1 MiB, the most that a line may be";

#[test]
fn a_line_that_is_too_long_is_named_and_the_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let judgments = |path| qrels::read(&[QrelsFile { path, track: None }]);
    let read = judgments(list(folder.path(), "1 0 a 1\n", "\n1 0 b\n1 0 c 1\n")).unwrap();
    let lines: Vec<u32> = read.skipped().iter().map(|skipped| skipped.line).collect();
    assert_eq!((read.rows().len(), lines), (2, vec![2, 3]));
    assert!(read.skipped()[0].reason.starts_with(WHY));
    let run = runs::read(&list(folder.path(), "1 Q0 a 1 2 s\n", "\n1 Q0 b 2 1 s\n")).unwrap();
    assert!(run.topics["1"].len() == 2 && run.unread[0].0 == 2 && run.unread[0].1.starts_with(WHY));
    let read = topics::read(&[list(folder.path(), "1:a\n", "\n2:b\n3\n")]).unwrap();
    let lines: Vec<u32> = read.unread.iter().map(|unread| unread.line).collect();
    assert_eq!((read.texts.len(), lines), (2, vec![2, 4]));
    assert!(read.unread[0].reason.starts_with(WHY));
    let mut found = Vec::new();
    let path = list(folder.path(), "d1 http://a.org/\n", "\nd2 http://b.org/\nd3 n/a\n");
    let without = urls::for_each_url(&path, &mut |line| found.push(line.url.to_owned())).unwrap();
    assert_eq!(found, ["http://a.org/", "http://b.org/"]);
    assert!(without.lines == 1 && without.long.len() == 1 && without.long[0].line == 2, "{without:?}");
}

#[test]
fn a_list_of_one_long_line_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = list(folder.path(), "", "");
    let said = [
        qrels::read(&[QrelsFile { path: path.clone(), track: None }]).map(drop),
        runs::read(&path).map(drop),
        topics::read(std::slice::from_ref(&path)).map(drop),
        urls::for_each_url(&path, &mut |_| {}).map(drop),
    ];
    for why in said.map(|read| read.unwrap_err().to_string()) {
        assert!(why.contains(&format!("line 1: {WHY}")), "{why}");
    }
}

/// How a list of URLs is laid out is decided by its first lines, and not all of a list may be held until enough have come.
#[test]
fn comments_before_a_list_of_urls_are_not_held() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list");
    let comment = format!("# {}\n", "x".repeat(1 << 19));
    std::fs::write(&path, comment.repeat(70) + "url\tid\nhttp://a.org/\td1\n").unwrap();
    let mut found = Vec::new();
    urls::for_each_url(&path, &mut |line| found.push(line.id.to_owned())).unwrap();
    assert_eq!(found[0], "d1");
    std::fs::write(&path, comment.repeat(70) + "one\ntwo\n").unwrap();
    let why = urls::for_each_url(&path, &mut |_| {}).unwrap_err().to_string();
    assert!(why.contains("line 71: \"one\", expected"), "{why}");
}

#[test]
fn topics_larger_than_any_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("topics.gz");
    let mut file = flate2::write::GzEncoder::new(std::fs::File::create(&path).unwrap(), flate2::Compression::fast());
    let line = format!("1:{}\n", "a ".repeat(1 << 18));
    (0..130).for_each(|_| file.write_all(line.as_bytes()).unwrap());
    file.finish().unwrap();
    let why = topics::read(&[path]).unwrap_err().to_string();
    assert!(why.contains("topics.gz: it is larger than 64 MiB when unpacked"), "{why}");
}
