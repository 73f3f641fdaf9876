//! One JSON array of documents: the objects of JSON lines between `[` and `]`, over as many lines as they like.

use crate::SkipReason;
use crate::cut::{Cut, Cutter, Edge};
use crate::format::{Format, Sign, front};
use crate::jsonl::{self, LONGEST_LINE};

pub(crate) static FORMAT: Format = Format {
    sniff,
    ..Format::new(
        "json",
        || Box::<ElementCutter>::default(),
        |record, _, visit| jsonl::read(record.bytes, record.offset, visit),
    )
};

/// A bracket, then an object: other text may begin with a bracket, too.
fn sniff(first: &[u8]) -> Option<Sign> {
    let inside = front(first).strip_prefix(b"[")?.trim_ascii_start();
    let object = inside.strip_prefix(b"{")?.trim_ascii_start();
    matches!(object.first(), Some(b'"' | b'}')).then_some(Sign::FirstCharacter)
}

/// Cuts an array into its elements.
#[derive(Debug, Default)]
struct ElementCutter {
    place: Place,
    /// Bytes of the element that were looked at.
    scanned: usize,
    /// Whether the rest of an element that was too long is skipped.
    skipping: bool,
}

/// Where in an element the scanned bytes end.
#[derive(Debug, Default, Clone, Copy)]
struct Place {
    /// Brackets and braces that are open.
    depth: usize,
    in_string: bool,
    /// The next character of a string is escaped.
    escaped: bool,
}

impl Place {
    /// Passes a byte. True if an element ends before it, where nothing is open; or with it, where it closes the element.
    fn pass(&mut self, byte: u8) -> Option<End> {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return None;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' if self.depth == 0 => return Some(End::Before),
            b'}' | b']' => {
                self.depth -= 1;
                if self.depth == 0 {
                    return Some(End::With);
                }
            }
            b',' if self.depth == 0 => return Some(End::Before),
            _ => {}
        }
        None
    }
}

/// On which side of a byte an element ends.
enum End {
    Before,
    With,
}

impl Cutter for ElementCutter {
    fn cut(&mut self, bytes: &[u8], edge: Edge) -> Cut {
        if self.scanned == 0 && !self.skipping {
            let between =
                bytes.iter().take_while(|b| b.is_ascii_whitespace() || b"[],\xef\xbb\xbf".contains(b)).count();
            if between > 0 {
                return Cut::Drop(between);
            }
        }
        let seen = &bytes[..bytes.len().min(LONGEST_LINE + 1)];
        let end = seen.iter().enumerate().skip(self.scanned).find_map(|(at, &byte)| match self.place.pass(byte)? {
            End::Before => Some(at),
            End::With => Some(at + 1),
        });
        self.scanned = if end.is_some() { 0 } else { seen.len() };
        if end.is_some() {
            self.place = Place::default();
        }
        match end {
            Some(end) if self.skipping => {
                self.skipping = false;
                Cut::Drop(end)
            }
            Some(end) if end <= LONGEST_LINE => Cut::Record(end),
            None if self.skipping => {
                self.scanned = 0;
                Cut::Drop(seen.len())
            }
            None if seen.len() <= LONGEST_LINE && edge == Edge::More => Cut::NeedMore,
            None if seen.len() <= LONGEST_LINE => Cut::Incomplete,
            _ => {
                // The byte behind the limit was passed already.
                self.skipping = end.is_none();
                self.scanned = 0;
                Cut::Skip(seen.len(), SkipReason::TooLarge, format!("an element of more than {LONGEST_LINE} bytes"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_told_from_other_brackets() {
        assert_eq!(sniff(b" [\n {\"id\": 1}]"), Some(Sign::FirstCharacter));
        assert_eq!(sniff(b"[{}]"), Some(Sign::FirstCharacter));
        assert_eq!(sniff(b"[[Main page]]"), None);
        assert_eq!(sniff(b"[1, 2]"), None);
    }

    #[test]
    fn elements_are_cut_as_they_arrive() {
        let text = br#"[{"a": "]}\"", "b": [1, {}]}, 17 ,{}]"#;
        for step in [1, 2, 7, 100] {
            let (mut cutter, mut at, mut there, mut out) = (ElementCutter::default(), 0, 0, Vec::new());
            while at < text.len() {
                let edge = if there < text.len() { Edge::More } else { Edge::End };
                let cut = if at == there { Cut::NeedMore } else { cutter.cut(&text[at..there], edge) };
                match cut {
                    Cut::NeedMore => there = (there + step).min(text.len()),
                    Cut::Drop(n) => at += n,
                    Cut::Record(n) => {
                        out.push(String::from_utf8_lossy(&text[at..at + n]).trim().to_owned());
                        at += n;
                    }
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!(out, [r#"{"a": "]}\"", "b": [1, {}]}"#, "17", "{}"], "{step} bytes at a time");
        }
    }
}
