//! An event as a line with its own checksum.
//!
//! A line is the event as JSON without spaces between its parts; its last key is `crc`: eight lower-case hex digits of
//! the CRC-32 (the one of gzip and zip) of the line *without* the 17 bytes `,"crc":"xxxxxxxx"` (so it ends in `}`) and
//! without the end of line. Anyone can check a line of the file:
//!
//! ```text
//! sed 's/,"crc":"[0-9a-f]*"}$/}/' | tr -d '\n' | gzip -c | tail -c8 | od -An -tx4 -N4      # = its crc
//! ```

use flate2::Crc;
use serde_json::{Map, Value};

use super::Event;
use dejaview_base::json::fault_in_line;

const KEY: &str = ",\"crc\":\"";
/// Bytes of the key, the digits and `"}`.
const TAIL: usize = KEY.len() + 8 + 2;

/// What other programs put into a journal, by its first bytes, and what to do about it.
const FOREIGN: [(&[u8], &str); 4] = [
    (b"<<<<<<<", MERGE),
    (b"=======", MERGE),
    (b">>>>>>>", MERGE),
    (
        "\u{feff}".as_bytes(),
        "an editor put a byte-order mark before it: remove these three bytes, or save it as UTF-8 without",
    ),
];
const MERGE: &str =
    "it is a mark of git, which could not join two copies: remove its marks and keep the lines between them";

/// Why a line is not an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It does not end in a checksum, or in another one than that of its bytes.
    Checksum,
    /// Its checksum is right, but it says nothing that an event can be.
    Meaning(String),
}

/// CRC-32 as in gzip.
fn crc(parts: &[&[u8]]) -> u32 {
    let mut crc = Crc::new();
    for part in parts {
        crc.update(part);
    }
    crc.sum()
}

/// No event has a higher number: that of the next one is always to be had, and JSON keeps each exactly.
pub(crate) const HIGHEST_NUMBER: u64 = 1 << 53;

/// The line of an event without its end of line, and the checksum in it.
pub fn encode(event: &Event) -> (String, u32) {
    let mut line = Value::Object(event.to_json()).to_string();
    let sum = crc(&[line.as_bytes()]);
    line.pop();
    line.push_str(&format!("{KEY}{sum:08x}\"}}"));
    (line, sum)
}

/// The event of a line and its checksum. A carriage return at the end, put there by some tool, does not matter.
pub fn decode(line: &[u8]) -> Result<(Event, u32), Fault> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if let Some((_, what)) = FOREIGN.iter().find(|(mark, _)| line.starts_with(mark)) {
        return Err(Fault::Meaning((*what).to_owned()));
    }
    let start = line.len().checked_sub(TAIL).ok_or(Fault::Checksum)?;
    let (body, tail) = line.split_at(start);
    let digits = tail.strip_prefix(KEY.as_bytes()).and_then(|t| t.strip_suffix(b"\"}")).ok_or(Fault::Checksum)?;
    let digits = std::str::from_utf8(digits).map_err(|_| Fault::Checksum)?;
    let stated = u32::from_str_radix(digits, 16).map_err(|_| Fault::Checksum)?;
    if crc(&[body, b"}"]) != stated {
        return Err(Fault::Checksum);
    }
    let meaning = |why: serde_json::Error| Fault::Meaning(fault_in_line(&why));
    let object: Map<String, Value> = serde_json::from_slice(&[body, b"}"].concat()).map_err(meaning)?;
    match Event::from_json(object) {
        Ok(event) if event.seq > HIGHEST_NUMBER => Err(Fault::Meaning("its number is too high".to_owned())),
        event => Ok((event.map_err(|why| Fault::Meaning(why.to_string()))?, stated)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Circumstances, DocumentOrder, EventKind, Label};

    fn example() -> Event {
        let mut event = Event::new(EventKind::Label(Label::NearDuplicate), "s1", "t\"1\n", "2012-03-04T05:06:07.089Z");
        event.seq = 7;
        event.circumstances = Circumstances {
            dwell_ms: Some(2_100),
            order: Some(DocumentOrder::TargetFirst),
            version: Some("0.1.0".to_owned()),
            ..Circumstances::default()
        };
        event.in_sample("default")
    }

    #[test]
    fn a_line_as_it_stands_on_disk() {
        let (line, crc) = encode(&example());
        let body = r#"{"seq":7,"event":"label","source":"s1","target":"t\"1\n","label":"near-duplicate","sample":"default","time":"2012-03-04T05:06:07.089Z","dwell_ms":2100,"order":"target-first","version":"0.1.0""#;
        assert_eq!(line, format!("{body},\"crc\":\"{crc:08x}\"}}"));
        assert_eq!(decode(line.as_bytes()), Ok((example(), crc)));
        assert_eq!(decode(format!("{line}\r").as_bytes()), Ok((example(), crc)));
    }

    #[test]
    fn a_number_has_a_next_one() {
        let read = |seq| decode(encode(&Event { seq, ..example() }).0.as_bytes());
        assert!(read(HIGHEST_NUMBER).is_ok());
        assert!(matches!(read(HIGHEST_NUMBER + 1), Err(Fault::Meaning(why)) if why.contains("number")));
        assert!(read(u64::MAX).is_err());
    }

    #[test]
    fn the_checksum_is_that_of_gzip() {
        // The published check value of CRC-32.
        assert_eq!(crc(&[b"1234", b"56789"]), 0xCBF4_3926);
    }

    #[test]
    fn marks_of_other_programs_are_named() {
        let (line, _) = encode(&example());
        for (mark, said) in [
            ("<<<<<<< HEAD".to_owned(), "mark of git"),
            ("=======".to_owned(), "mark of git"),
            (">>>>>>> theirs\r".to_owned(), "mark of git"),
            (format!("\u{feff}{line}"), "byte-order mark"),
        ] {
            match decode(mark.as_bytes()) {
                Err(Fault::Meaning(why)) => assert!(why.contains(said), "{why}"),
                other => panic!("{mark}: {other:?}"),
            }
        }
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let (line, _) = encode(&example());
        for length in 0..line.len() {
            assert!(decode(&line.as_bytes()[..length]).is_err(), "cut at {length}");
        }
        for place in 0..line.len() {
            for bit in 0..8 {
                let mut broken = line.clone().into_bytes();
                broken[place] ^= 1 << bit;
                let read = decode(&broken);
                // The digits of the checksum may be written in capitals; nothing else may differ.
                assert!(read.is_err() || read.unwrap().0 == example(), "bit {bit} of byte {place}");
            }
        }
    }

    #[test]
    fn the_unknown_is_kept() {
        let mut object = example().to_json();
        object.insert("event".to_owned(), "confidence".into());
        object.insert("label".to_owned(), 0.75.into());
        object.insert("dwell_ms".to_owned(), "long".into());
        object.insert("mood".to_owned(), serde_json::json!({"deep": [1, 2]}));
        let event = Event::from_json(object.clone()).unwrap();
        assert_eq!(event.kind, EventKind::Other("confidence".to_owned()));
        assert_eq!(event.extra["label"], 0.75);
        assert_eq!(event.circumstances.order, Some(DocumentOrder::TargetFirst));
        let (line, _) = encode(&event);
        let (again, _) = decode(line.as_bytes()).unwrap();
        assert_eq!(again, event);
        for (key, value) in object {
            assert_eq!(again.to_json()[&key], value, "{key}");
        }
    }

    #[test]
    fn every_circumstance_comes_back_as_one() {
        let text = || Some("x".to_owned());
        let circumstances = Circumstances {
            source_digest: text(),
            target_digest: text(),
            class: text(),
            reason: text(),
            shown: text(),
            dwell_ms: Some(u64::MAX),
            scrolled_to_end: Some(true),
            peeked: Some(false),
            order: Some(DocumentOrder::SourceFirst),
            repeat: Some(true),
            probability: Some(0.1),
            overrides: Some(vec!["zed".to_owned()]),
            version: text(),
        };
        let event = Event { circumstances, ..example() };
        assert_eq!(decode(encode(&event).0.as_bytes()).map(|(event, _)| event), Ok(event));
    }

    #[test]
    fn what_is_no_event_says_why() {
        let why = |json: Value| Event::from_json(json.as_object().cloned().unwrap()).unwrap_err().to_string();
        assert!(why(serde_json::json!({"event": "label"})).contains("seq"));
        assert!(why(serde_json::json!({"seq": 1})).contains("event"));
        assert!(why(serde_json::json!({"seq": 1, "event": "label", "label": "maybe"})).contains("\"maybe\""));
        assert!(why(serde_json::json!({"seq": 1, "event": "undo"})).contains("of"));
    }
}
