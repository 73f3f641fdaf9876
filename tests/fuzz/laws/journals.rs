//! What is kept of decisions: journals, tables of labels, samples, packs.

use std::fs;

use dejaview::evaluation::sample::Sample;
use dejaview::labels::{Decisions, LabelTable, Problem, Reading, line};
use dejaview::study::{Session, unpack_sample};

use super::scratch;

/// A journal: what is read of it, written and read again is the same, and a line costs no other.
pub fn journal(bytes: &[u8]) {
    for bytes in [bytes, &with_checksums(bytes)] {
        let mut reading = Reading::parse(bytes);
        assert_eq!(reading.decisions, Decisions::replay(&reading.events), "decisions follow from the events");
        // Two lines may say the same in other words, and are one when they are written in ours.
        let events = std::mem::take(&mut reading.events);
        for event in events {
            if !reading.events.contains(&event) {
                reading.events.push(event);
            }
        }
        let lines: Vec<String> = reading.events.iter().map(|event| line::encode(event).0 + "\n").collect();
        for (event, text) in reading.events.iter().zip(&lines) {
            assert_eq!(line::decode(text.trim_end_matches('\n').as_bytes()).unwrap().0, **event, "{text}");
        }
        let again = Reading::parse(lines.concat().as_bytes());
        assert_eq!(again.events, reading.events, "written and read again");
        assert!(!again.problems.iter().any(Problem::loses_an_event), "{:?}", again.problems);
        // A line that is not whole is set aside; all before it count.
        if let Some(last) = lines.last() {
            let whole: usize = lines.iter().map(String::len).sum();
            let torn = &lines.concat().into_bytes()[..whole - last.len() / 2 - 2];
            assert_eq!(Reading::parse(torn).events, reading.events[..lines.len() - 1], "torn");
        }
    }
}

/// Each line as an event with the right checksum, whatever it says.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut sealed = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let body = match line.windows(8).rposition(|window| window == b",\"crc\":\"") {
            Some(at) => &line[..at],
            None => line.strip_suffix(b"}").unwrap_or(line),
        };
        let mut crc = flate2::Crc::new();
        crc.update(body);
        crc.update(b"}");
        sealed.extend_from_slice(body);
        sealed.extend_from_slice(format!(",\"crc\":\"{:08x}\"}}\n", crc.sum()).as_bytes());
    }
    sealed
}

/// A table of labels: every row is told with a line that the table has, whatever ends the lines.
pub fn table(bytes: &[u8]) {
    let lines = bytes.split(|byte| *byte == b'\n').count();
    let table = match LabelTable::parse_bytes(bytes) {
        Ok(table) => table,
        Err((line, why)) => return assert!((1..=lines).contains(&line) && !why.is_empty(), "line {line}: {why}"),
    };
    let told = table.rows.iter().map(|row| row.line).chain(table.problems.iter().map(|(line, _)| *line));
    for line in told {
        assert!((1..=lines).contains(&line), "line {line} of {lines}");
    }
    for row in &table.rows {
        assert!(!row.source.is_empty() && !row.target.is_empty(), "line {}", row.line);
    }
    let text = std::str::from_utf8(bytes).unwrap();
    if !text.contains(['"', '\r']) {
        let again = LabelTable::parse_bytes(text.replace('\n', "\r\n").as_bytes()).unwrap();
        assert_eq!(again.rows, table.rows, "other ends of lines");
    }
}

/// A sample that can be read can be written, and is the same.
pub fn sample(bytes: &[u8]) {
    let (here, there) = (scratch::empty_folder("here"), scratch::empty_folder("there"));
    fs::create_dir_all(here.join("samples")).unwrap();
    fs::write(here.join("samples/drawn.jsonl"), bytes).unwrap();
    let Ok(Some(sample)) = Sample::read(&here, "drawn") else { return };
    let named = Sample { name: "drawn".to_owned(), ..sample };
    named.write(&there).unwrap();
    assert_eq!(Sample::read(&there, "drawn").unwrap(), Some(named));
}

/// A pack becomes a study that can be opened, or nothing that looks like one.
pub fn pack(bytes: &[u8]) {
    let (file, folder) = (scratch::file("pack.jsonl", bytes), scratch::empty_folder("unpacked"));
    match unpack_sample(&file, &folder) {
        Err(why) => assert!(!folder.join("study.toml").exists(), "half a study: {why}"),
        Ok(packed) => {
            let session = Session::open(&folder).unwrap_or_else(|why| panic!("{why}"));
            session.corpora().unwrap_or_else(|why| panic!("{why}"));
            let sample = Sample::read(&folder, &packed.sample).unwrap().unwrap();
            assert_eq!(sample.pairs.len(), packed.pairs);
        }
    }
}
