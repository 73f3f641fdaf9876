//! Statistics of a collection: in how many documents each word occurs, and how often in all of them.
//!
//! They are counted once before the pass and stored, and do not change later. A word is identified by the hash of its token.
//! Memory: 16 bytes a distinct word, and a table of their numbers that is at most half full. The table is our own:
//! hashbrown's is smaller, but a look-up touches memory in one place more, and large collections pay for that.

use std::collections::BTreeMap;
use std::sync::Arc;

use dejaview_base::hash;

/// Documents of a collection that methods may learn from: those whose texts have the smallest digests.
pub const LEARNERS: usize = 10_000;

/// The first bytes of stored statistics.
const MAGIC: &[u8; 8] = b"dejastat";
/// Raised when the bytes or the meaning of a count change.
const VERSION: u64 = 1;

/// How common a word is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Frequency {
    /// Documents that hold it.
    pub documents: u32,
    /// Times it occurs in all documents.
    pub times: u32,
}

/// Statistics of a collection. Cloning is cheap: the table is shared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    documents: u64,
    content: u64,
    table: Arc<Table>,
    /// By configuration; in the order in which it is stored.
    learned: BTreeMap<String, Vec<u64>>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Table {
    /// Sorted by hash.
    words: Vec<(u64, Frequency)>,
    /// Index of the word plus one, at the position of its hash or the next free one; 0 is free.
    slots: Vec<u32>,
}

impl Statistics {
    pub(super) fn new(
        documents: u64,
        content: u64,
        words: Vec<(u64, Frequency)>,
        learned: BTreeMap<String, Vec<u64>>,
    ) -> Self {
        let mut slots = vec![0; if words.is_empty() { 0 } else { (2 * words.len()).next_power_of_two() }];
        for (i, (hash, _)) in (1u32..).zip(&words) {
            let mut at = *hash as usize & (slots.len() - 1);
            while slots[at] != 0 {
                at = (at + 1) & (slots.len() - 1);
            }
            slots[at] = i;
        }
        Self { documents, content, table: Arc::new(Table { words, slots }), learned }
    }

    /// Documents that were counted: N.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Content words of all documents.
    pub(super) fn content(&self) -> u64 {
        self.content
    }

    /// Distinct words.
    pub fn len(&self) -> usize {
        self.table.words.len()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.table.words.is_empty()
    }

    /// Mean number of content words of a document.
    pub fn average_length(&self) -> f64 {
        if self.documents == 0 { 0.0 } else { self.content as f64 / self.documents as f64 }
    }

    /// How common a word is; zero for one that the collection does not have.
    #[inline]
    pub fn frequency(&self, hash: u64) -> Frequency {
        let Table { words, slots } = &*self.table;
        if slots.is_empty() {
            return Frequency::default();
        }
        let mut at = hash as usize & (slots.len() - 1);
        loop {
            match slots[at] {
                0 => return Frequency::default(),
                i if words[i as usize - 1].0 == hash => return words[i as usize - 1].1,
                _ => at = (at + 1) & (slots.len() - 1),
            }
        }
    }

    /// All words, by hash.
    pub fn words(&self) -> &[(u64, Frequency)] {
        &self.table.words
    }

    /// ln(N/df); that of a word in one document for a word that the collection does not have.
    pub fn idf(&self, frequency: Frequency) -> f64 {
        (self.documents.max(1) as f64 / f64::from(frequency.documents.max(1))).ln()
    }

    /// What a configuration has learned from the collection; empty when it has not.
    pub(super) fn learned(&self, learner: &str) -> &[u64] {
        self.learned.get(learner).map_or(&[], Vec::as_slice)
    }

    /// The first thing learned whose key is as wanted; empty when there is none.
    pub(super) fn learned_as(&self, wanted: impl Fn(&str) -> bool) -> &[u64] {
        self.learned.iter().find(|(key, _)| wanted(key)).map_or(&[], |(_, learned)| learned)
    }

    pub(super) fn keep_learned(&mut self, learner: String, learned: Vec<u64>) {
        self.learned.insert(learner, learned);
    }

    /// As bytes to store; the same statistics give the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut put = |value: u64| bytes.extend_from_slice(&value.to_le_bytes());
        for value in [VERSION, self.documents, self.content, self.table.words.len() as u64, self.learned.len() as u64] {
            put(value);
        }
        for (hash, frequency) in &self.table.words {
            put(*hash);
            put(u64::from(frequency.documents) << 32 | u64::from(frequency.times));
        }
        for (name, learned) in &self.learned {
            bytes.extend_from_slice(&(name.len() as u64).to_le_bytes());
            bytes.extend_from_slice(name.as_bytes());
            bytes.extend_from_slice(&(learned.len() as u64).to_le_bytes());
            bytes.extend(learned.iter().flat_map(|word| word.to_le_bytes()));
        }
        let checksum = hash::token(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads what [`Statistics::to_bytes`] wrote; `None` when the bytes are anything else, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (bytes, checksum) = bytes.split_last_chunk::<8>()?;
        if hash::token(bytes) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let mut rest = ByteReader(bytes.strip_prefix(MAGIC)?);
        if rest.number()? != VERSION {
            return None;
        }
        let (documents, content, count, learners) = (rest.number()?, rest.number()?, rest.number()?, rest.number()?);
        let mut words = Vec::new();
        for _ in 0..count {
            let (hash, packed) = (rest.number()?, rest.number()?);
            words.push((hash, Frequency { documents: (packed >> 32) as u32, times: packed as u32 }));
        }
        let mut learned = BTreeMap::new();
        for _ in 0..learners {
            let length = rest.number()? as usize;
            let name = String::from_utf8(rest.bytes(length)?.to_vec()).ok()?;
            let count = rest.number()?;
            learned.insert(name, (0..count).map(|_| rest.number()).collect::<Option<Vec<u64>>>()?);
        }
        rest.0.is_empty().then(|| Self::new(documents, content, words, learned))
    }
}

/// Reads numbers from bytes.
struct ByteReader<'a>(&'a [u8]);

impl<'a> ByteReader<'a> {
    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(first)
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(8)?.try_into().ok()?))
    }
}
