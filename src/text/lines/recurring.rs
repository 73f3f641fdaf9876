//! The lines that recur: taken out of pages, kept on disk.

use std::ops::Range;

use super::{LEVEL, each_line, key};
use crate::tokens::Tokens;
use dejaview_base::hash;

/// Words that a page must keep.
pub(super) const FEWEST: usize = 20;

/// The lines that recur on the pages of their hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recurring {
    /// Hashes of host and line, ascending.
    pub(super) keys: Vec<u64>,
}

/// Why bytes are no [`Recurring`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RecurringError {
    /// They do not begin as they should.
    #[error("these are not recurring lines, or of another version")]
    Foreign,
    /// They are cut off or changed.
    #[error("the recurring lines are damaged")]
    Damaged,
}

/// What stored lines begin with; the last byte is the version.
const MAGIC: [u8; 8] = *b"dvlines\x01";

impl Recurring {
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Writes `text` without the lines that recur on `host` into `out`, which is cleared first. The other lines stay as
    /// they are, those without a word too. A page of which fewer than 20 words would be left keeps all its text.
    pub fn strip(&self, host: &str, text: &str, out: &mut String) {
        out.clear();
        let mut tokens = Tokens::new();
        tokens.read(text);
        let host = hash::token(host.as_bytes());
        let mut left = tokens.len();
        let mut dropped: Vec<Range<usize>> = Vec::new();
        each_line(text, &tokens, |span, words, line| {
            if self.keys.binary_search(&key(host, line & !LEVEL)).is_ok() {
                left -= words;
                dropped.push(span);
            }
        });
        if left < FEWEST {
            out.push_str(text);
            return;
        }
        let mut from = 0;
        for span in dropped {
            out.push_str(&text[from..span.start]);
            from = (span.end + 1).min(text.len());
        }
        out.push_str(&text[from..]);
        // The last line has no line break after it; when it goes, the one before it must go as well.
        if from == text.len() && !text.ends_with('\n') && out.ends_with('\n') {
            out.pop();
        }
    }

    /// As bytes: the magic, the number of lines, their hashes in order, and a checksum of all that, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 * (self.keys.len() + 3));
        bytes.extend(MAGIC);
        bytes.extend((self.keys.len() as u64).to_le_bytes());
        bytes.extend(self.keys.iter().flat_map(|key| key.to_le_bytes()));
        bytes.extend(hash::token(&bytes).to_le_bytes());
        bytes
    }

    /// From the bytes of [`Self::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecurringError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(RecurringError::Foreign);
        }
        let (words, rest) = bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let [_, count, keys @ .., sum] = &words[..] else { return Err(RecurringError::Damaged) };
        let is_whole = rest.is_empty() && *count == keys.len() as u64 && *sum == hash::token(&bytes[..bytes.len() - 8]);
        if !is_whole || !keys.is_sorted() {
            return Err(RecurringError::Damaged);
        }
        Ok(Self { keys: keys.to_vec() })
    }
}
