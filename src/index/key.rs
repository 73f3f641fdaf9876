//! The keys by which documents are found in the index of words.

use super::side::KeptSide;
use dejaview_base::hash;

/// Longest id, in bytes, that a key contains whole.
const LONGEST_KEY: usize = 250;

/// The side and an id of any length as one term. An id that is too long for a term is cut, and its digest is appended.
/// Keys sort as side and id do, up to the cut.
pub(super) fn key(side: KeptSide, id: &str) -> String {
    let mut key = String::with_capacity(id.len().min(LONGEST_KEY) + 33);
    key.push(match side {
        KeptSide::Source => '0',
        KeptSide::Target => '1',
    });
    key.push_str(&id[..char_boundary(id, LONGEST_KEY)]);
    if id.len() > LONGEST_KEY {
        key.push_str(&hash::digest(id.as_bytes()));
    }
    key
}

/// What a key says about a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum KeyedId<'a> {
    Whole(&'a str),
    /// The id was too long to be in the key, which has its beginning.
    Beginning(&'a str),
}

/// The side and the id in a document's key; none when it is no key.
pub(super) fn read_key(key: &str) -> Option<(KeptSide, KeyedId<'_>)> {
    let (side, id) = key.split_at_checked(1)?;
    let side = match side {
        "0" => KeptSide::Source,
        "1" => KeptSide::Target,
        _ => return None,
    };
    let beginning = |id: &str| id.len().checked_sub(32).filter(|_| id.len() > LONGEST_KEY);
    Some((side, beginning(id).and_then(|at| id.get(..at)).map_or(KeyedId::Whole(id), KeyedId::Beginning)))
}

/// The last boundary between characters at or before `at`.
pub(super) fn char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_and_sort() {
        let (short, long) = ("é".repeat(125), "é".repeat(126));
        assert_eq!(key(KeptSide::Source, &short), format!("0{short}"));
        assert_eq!(key(KeptSide::Target, &long).len(), 1 + 250 + 32);
        assert_ne!(key(KeptSide::Target, &long), key(KeptSide::Target, &"é".repeat(127)));
        assert_eq!(read_key(&key(KeptSide::Source, &short)), Some((KeptSide::Source, KeyedId::Whole(&short))));
        assert_eq!(read_key(&key(KeptSide::Target, &long)), Some((KeptSide::Target, KeyedId::Beginning(&short))));
        assert_eq!((read_key(""), read_key("2a")), (None, None));
        assert!(key(KeptSide::Source, "z") < key(KeptSide::Target, "a"));
        assert!(key(KeptSide::Target, "a") < key(KeptSide::Target, "b"));
    }
}
