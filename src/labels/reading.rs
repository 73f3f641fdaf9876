//! Journals as they are read: every line checked, what is wrong reported with its line, nothing fatal.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::line::{self, Fault};
use super::{Decisions, Event};
use dejaview_base::both::BothSides;
use dejaview_base::line_limits::{Lines, LongLine};

/// A line that does not count, or counts with a doubt. Lines are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Bytes and checksum of the line disagree: it was damaged or edited, or it is no event at all.
    Checksum { line: usize },
    /// The line is whole but is not an event.
    Meaning { line: usize, why: String },
    /// The line is longer than any that is read.
    TooLong { line: usize, why: LongLine },
    /// The last line is not whole: something stopped while it was written, or is still writing.
    Torn {
        line: usize,
        /// Bytes there are of it.
        bytes: usize,
    },
    /// Different events have one number: two copies of the journal went on apart and were merged. All count.
    SharedNumbers {
        /// The first event with a number that one before it has.
        line: usize,
        seq: u64,
        /// How many such events there are.
        events: usize,
    },
    /// Numbers between those of two events are not there: lines were removed, or only some events of another journal were
    /// imported. What is there counts.
    Missing {
        /// The first line behind such a gap.
        line: usize,
        /// How many numbers are not there, in all gaps.
        numbers: u64,
    },
    /// The last event that was saved from this folder is not there: the end was cut off, or an earlier copy took its place.
    EndIsGone {
        /// The line behind the last one.
        line: usize,
        seq: u64,
        /// Time of the event.
        time: String,
        /// The file that knows of it.
        note: PathBuf,
    },
    /// What was noted of the last event that was saved from this folder is damaged.
    NothingKnownOfEnd {
        /// The line behind the last one.
        line: usize,
        note: PathBuf,
    },
}

impl Problem {
    /// Whether something that was written does not count.
    pub fn loses_an_event(&self) -> bool {
        matches!(
            self,
            Self::Checksum { .. }
                | Self::Meaning { .. }
                | Self::TooLong { .. }
                | Self::Torn { .. }
                | Self::EndIsGone { .. }
        )
    }

    /// Whether something that was written may be missing, or may be meant to be.
    pub fn is_doubt(&self) -> bool {
        matches!(self, Self::Missing { .. } | Self::NothingKnownOfEnd { .. })
    }

    /// The line that it is about.
    pub fn line(&self) -> usize {
        match self {
            Self::Checksum { line }
            | Self::Meaning { line, .. }
            | Self::TooLong { line, .. }
            | Self::Torn { line, .. }
            | Self::SharedNumbers { line, .. }
            | Self::Missing { line, .. }
            | Self::EndIsGone { line, .. }
            | Self::NothingKnownOfEnd { line, .. } => *line,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Checksum { line } => {
                write!(
                    f,
                    "line {line}: its checksum is wrong; it does not count: put it back from an earlier copy of the file"
                )
            }
            Self::Meaning { line, why } => write!(f, "line {line}: {why}; it does not count"),
            Self::TooLong { line, why } => write!(f, "line {line}: {why}; it does not count"),
            Self::Torn { line, bytes } => {
                write!(
                    f,
                    "line {line}: only its first {bytes} bytes are there; it does not count, and neither does what may have followed"
                )
            }
            Self::SharedNumbers { line, seq, events } => {
                let more = match events - 1 {
                    0 => String::new(),
                    1 => " (and so on for 1 line more)".to_owned(),
                    more => format!(" (and so on for {more} lines more)"),
                };
                write!(
                    f,
                    "line {line}: an event before it has the number {seq} too{more}, for two copies of the journal went on apart and \
                     were joined; neither is left out, and where both are about one pair the later line holds"
                )
            }
            Self::Missing { line, numbers } => {
                let are = if *numbers == 1 { "1 number is".to_owned() } else { format!("{numbers} numbers are") };
                write!(
                    f,
                    "line {line}: {are} missing before it: lines were removed (an earlier copy of the file has them), or \
                     only a part of another journal was imported"
                )
            }
            Self::NothingKnownOfEnd { note, .. } => {
                write!(
                    f,
                    "it is not known whether its end is there, for {0} is damaged; compare another copy of the journal, then remove {0}",
                    note.display()
                )
            }
            Self::EndIsGone { seq, time, note, .. } => {
                write!(
                    f,
                    "event {seq} of {time} was saved here and is gone, with what may have stood before it: the end of the journal was \
                     cut off, or an earlier copy took its place; join the later copy of the journal with `dejaview labels import`, or \
                     remove {} if that is meant or the labels came back by other ways",
                    note.display()
                )
            }
        }
    }
}

/// What a journal says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// Its events in the order of the file; lines that repeat an event (same number, same checksum) count once.
    pub events: Vec<Arc<Event>>,
    /// What follows from them.
    pub decisions: Decisions,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

/// What one annotator's journal says.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotations {
    pub annotator: String,
    /// Name of the file.
    pub file: String,
    /// What the journal says.
    pub reading: Reading,
}

/// A reading with what an appending journal needs to know.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) reading: Reading,
    /// The number of its last line that is not blank.
    pub(super) lines: usize,
    /// Bytes up to the end of the last whole line.
    pub(super) whole: usize,
    /// Number and checksum of every event.
    pub(super) known: HashSet<(u64, u32)>,
    /// Highest number of an event.
    pub(super) highest: u64,
    /// Which documents stand on both sides: their pairs are turned the way the study has them.
    both: BothSides,
}

impl Parsed {
    pub(super) fn new(bytes: &[u8], both: &BothSides) -> Self {
        Self::of_lines(bytes, &[], both)
    }

    /// What these lines say, blank ones in the place of those that are too long.
    pub(super) fn of_lines(bytes: &[u8], long: &[LongLine], both: &BothSides) -> Self {
        let mut parsed = Self { both: both.clone(), ..Self::default() };
        let (mut numbers, mut gap, mut shared) = (HashMap::new(), None, Vec::new());
        let too_long = long.iter().map(|why| Problem::TooLong { line: why.line, why: *why });
        parsed.reading.problems.extend(too_long);
        for (i, piece) in bytes.split_inclusive(|&b| b == b'\n').enumerate() {
            let (number, text) = (i + 1, piece.strip_suffix(b"\n"));
            let decoded = line::decode(text.unwrap_or(piece));
            if !piece.trim_ascii().is_empty() {
                parsed.lines = number;
            }
            if text.is_none() && decoded.is_err() {
                parsed.reading.problems.push(Problem::Torn { line: number, bytes: piece.len() });
                break;
            }
            parsed.whole += piece.len();
            match decoded {
                Ok((event, crc)) => {
                    if *numbers.entry(event.seq).or_insert(crc) != crc && !parsed.known.contains(&(event.seq, crc)) {
                        shared.push((number, event.seq));
                    }
                    if event.seq > parsed.highest + 1 {
                        gap.get_or_insert(number);
                    }
                    parsed.add(Arc::new(event), crc);
                }
                Err(_) if piece.trim_ascii().is_empty() => {}
                Err(Fault::Checksum) => parsed.reading.problems.push(Problem::Checksum { line: number }),
                Err(Fault::Meaning(why)) => parsed.reading.problems.push(Problem::Meaning { line: number, why }),
            }
        }
        parsed.lines = parsed.lines.max(long.last().map_or(0, |long| long.line));
        parsed.reading.problems.sort_by_key(Problem::line);
        if let [(line, seq), ..] = shared[..] {
            parsed.reading.problems.push(Problem::SharedNumbers { line, seq, events: shared.len() });
        }
        // A line that does not count was an event with a number, if it is not something else.
        let without_number = parsed.reading.problems.iter().filter(|problem| problem.loses_an_event()).count();
        let missing = parsed.highest.saturating_sub((numbers.len() + without_number) as u64);
        if let Some(line) = gap.filter(|_| missing > 0) {
            parsed.reading.problems.push(Problem::Missing { line, numbers: missing });
        }
        parsed
    }

    /// Whether a line that does not count stands where an event with this number would.
    pub(super) fn has_damaged(&self, number: u64) -> bool {
        let problems = &self.reading.problems;
        if number > self.highest {
            return problems.iter().any(|problem| problem.loses_an_event() && problem.line() == self.lines);
        }
        let is_there = self.reading.events.iter().any(|event| event.seq == number);
        // Every number that is not there is that of such a line.
        !is_there && !problems.iter().any(|problem| matches!(problem, Problem::Missing { .. }))
    }

    /// Adds an event unless it is already there.
    pub(super) fn add(&mut self, event: Arc<Event>, crc: u32) {
        if self.known.insert((event.seq, crc)) {
            self.highest = self.highest.max(event.seq);
            let event = match self.both.is_turned(&event.source, &event.target) {
                true => Arc::new(Arc::unwrap_or_clone(event).turned()),
                false => event,
            };
            self.reading.decisions.apply(&event);
            self.reading.events.push(event);
        }
    }
}

impl Reading {
    /// What the bytes of a journal say.
    pub fn parse(bytes: &[u8]) -> Self {
        Self::parse_turned(bytes, &BothSides::default())
    }

    /// What the lines of a journal say.
    pub fn of_lines(lines: &Lines) -> Self {
        Parsed::of_lines(&lines.bytes, &lines.long, &BothSides::default()).reading
    }

    /// What the bytes of a journal say, pairs of documents that stand on both sides as the study has them.
    pub fn parse_turned(bytes: &[u8], both: &BothSides) -> Self {
        Parsed::new(bytes, both).reading
    }

    /// Forgets events, as if they had never been written.
    pub(super) fn leave_out(&mut self, is_left_out: impl Fn(&Event) -> bool) {
        self.events.retain(|event| !is_left_out(event));
        self.decisions = Decisions::replay(&self.events);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventKind, Label};
    use dejaview_base::line_limits::LONGEST_OBJECT;

    fn line(seq: u64, target: &str) -> String {
        let event = Event { seq, ..Event::new(EventKind::Label(Label::Not), "s", target, "2012-01-01T00:00:00.000Z") };
        line::encode(&event).0
    }

    #[test]
    fn removed_lines_are_told() {
        let missing = |text: &str| Reading::parse(text.as_bytes()).problems;
        let text = [1, 2, 6, 7, 9].map(|seq| line(seq, "a") + "\n").concat();
        assert_eq!(missing(&text), [Problem::Missing { line: 3, numbers: 4 }]);
        assert_eq!(missing(&format!("{}\n", line(2, "a"))), [Problem::Missing { line: 1, numbers: 1 }]);
        // Two copies that were joined, and a line that is told already.
        assert_eq!(missing(&[3, 1, 2, 4].map(|seq| line(seq, "a") + "\n").concat()), []);
        let text = format!("{}\n{}\n{}\n", line(1, "a"), line(2, "b").replace("\"s\"", "\"t\""), line(3, "c"));
        assert_eq!(missing(&text), [Problem::Checksum { line: 2 }]);
    }

    #[test]
    fn a_damaged_line_stands_for_its_number() {
        let damaged = |number: u64, text: &str| Parsed::new(text.as_bytes(), &BothSides::default()).has_damaged(number);
        let [one, two, three, four] = [1, 2, 3, 4].map(|seq| line(seq, "a") + "\n");
        let broken = two.replace("\"s\"", "\"t\"");
        for text in [format!("{one}{broken}"), format!("{one}{broken}{three}")] {
            assert!(damaged(2, &text), "{text}");
        }
        for text in [format!("{one}{three}"), format!("{one}{broken}{four}"), format!("{one}{two}"), one.clone()] {
            assert!(!damaged(2, &text), "{text}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_costs_itself() {
        let text = format!("{}\n{{{}\n{}\n", line(1, "a"), "x".repeat(LONGEST_OBJECT), line(3, "c"));
        let reading = Reading::of_lines(&Lines::read(text.as_bytes()).unwrap());
        assert_eq!(reading.events.iter().map(|event| event.seq).collect::<Vec<_>>(), [1, 3]);
        let [problem @ Problem::TooLong { line: 2, .. }] = &reading.problems[..] else {
            panic!("{:?}", reading.problems)
        };
        assert!(problem.loses_an_event() && problem.to_string().contains("longer than 16 MiB"), "{problem}");
    }

    #[test]
    fn a_bad_line_costs_itself() {
        let broken = line(2, "b").replace("\"not\"", "\"unsure\"");
        let text = format!("{}\n{broken}\n\n<<<<<<< HEAD\n{}\n{}\r\n", line(1, "a"), line(3, "c"), line(4, "d"));
        let reading = Reading::parse(text.as_bytes());
        assert_eq!(reading.events.iter().map(|event| event.seq).collect::<Vec<_>>(), [1, 3, 4]);
        assert!(matches!(reading.problems[..], [Problem::Checksum { line: 2 }, Problem::Meaning { line: 4, .. }]));
        assert_eq!(reading.decisions, Decisions::replay(&reading.events));
    }

    #[test]
    fn repeated_lines_count_once_and_shared_numbers_are_told() {
        let text = format!("{0}\n{1}\n{0}\n{2}\n{2}\n", line(1, "a"), line(2, "b"), line(2, "c"));
        let reading = Reading::parse(text.as_bytes());
        assert_eq!(reading.events.len(), 3);
        assert_eq!(reading.problems, [Problem::SharedNumbers { line: 4, seq: 2, events: 1 }]);
        assert!(reading.problems[0].to_string().contains("has the number 2 too, for two copies"));
        let reading = Reading::parse(format!("{text}{}\n", line(1, "e")).as_bytes());
        assert_eq!(reading.problems, [Problem::SharedNumbers { line: 4, seq: 2, events: 2 }]);
        assert!(reading.problems[0].to_string().contains("too (and so on for 1 line more), for"));
    }

    #[test]
    fn a_last_line_without_its_end_counts_when_whole() {
        let whole = format!("{}\n{}", line(1, "a"), line(2, "b"));
        let parsed = Parsed::new(whole.as_bytes(), &BothSides::default());
        assert_eq!((parsed.reading.events.len(), parsed.whole, parsed.highest), (2, whole.len(), 2));
        let parsed = Parsed::new(&whole.as_bytes()[..whole.len() - 1], &BothSides::default());
        assert_eq!((parsed.reading.events.len(), parsed.whole), (1, line(1, "a").len() + 1));
        assert_eq!(parsed.reading.problems, [Problem::Torn { line: 2, bytes: line(2, "b").len() - 1 }]);
    }
}
