//! Counts the words of a collection: the number of documents with each word, and how often it occurs in all of them.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;

use super::prepared::Prepared;
use super::statistics::{Frequency, Statistics};
use super::unhashed::Unhashed;

/// The counts so far; each thread has its own, and they are merged at the end.
#[derive(Debug, Default)]
pub struct Counts {
    documents: u64,
    content: u64,
    words: HashMap<u64, Frequency, BuildHasherDefault<Unhashed>>,
}

impl Counts {
    /// Counts the words of a document. One without a word is not counted as a document.
    pub fn add(&mut self, document: &Prepared<'_>) {
        let terms = document.terms();
        if terms.is_empty() {
            return;
        }
        self.documents += 1;
        for term in terms {
            let word = self.words.entry(term.hash).or_default();
            word.documents += 1;
            word.times = word.times.saturating_add(term.tf);
            if term.content {
                self.content += u64::from(term.tf);
            }
        }
    }

    /// Adds what another thread counted.
    pub fn merge(&mut self, mut other: Self) {
        self.documents += other.documents;
        self.content += other.content;
        // The fewer words go to the more. Words come out of a table in the order of their hashes, and filling a smaller table
        // in this order is slow.
        if self.words.len() < other.words.len() {
            std::mem::swap(&mut self.words, &mut other.words);
        }
        for (hash, more) in other.words {
            let word = self.words.entry(hash).or_default();
            word.documents += more.documents;
            word.times = word.times.saturating_add(more.times);
        }
    }

    /// Adds what another process counted, as its statistics have it.
    pub fn add_statistics(&mut self, other: &Statistics) {
        self.documents += other.documents();
        self.content += other.content();
        for (hash, more) in other.words() {
            let word = self.words.entry(*hash).or_default();
            word.documents = word.documents.saturating_add(more.documents);
            word.times = word.times.saturating_add(more.times);
        }
    }

    /// The statistics of all that was counted.
    pub fn finish(self) -> Statistics {
        let mut words: Vec<(u64, Frequency)> = self.words.into_iter().collect();
        words.sort_unstable_by_key(|(hash, _)| *hash);
        Statistics::new(self.documents, self.content, words, BTreeMap::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_base::hash;
    use dejaview_text::Tokens;

    fn counts(texts: &[&str]) -> Counts {
        let mut counts = Counts::default();
        for text in texts {
            let mut tokens = Tokens::new();
            tokens.read(text);
            counts.add(&Prepared::new(text, &tokens));
        }
        counts
    }

    #[test]
    fn counts_documents_and_times() {
        let statistics = counts(&["Rose is a rose", "a daisy", "", "Rosen"]).finish();
        let frequency = |word: &str| {
            let Frequency { documents, times } = statistics.frequency(hash::token(word.as_bytes()));
            (documents, times)
        };
        assert_eq!(statistics.documents(), 3);
        assert_eq!(
            [frequency("rose"), frequency("a"), frequency("daisy"), frequency("tulip")],
            [(1, 2), (2, 2), (1, 1), (0, 0)]
        );
        assert!((statistics.average_length() - 4.0 / 3.0).abs() < 1e-12, "rose, rose, daisy, rosen");
    }

    #[test]
    fn threads_do_not_matter_and_bytes_come_back() {
        let whole = counts(&["one two three", "two three four", "five"]).finish();
        let mut merged = counts(&["five", "two three four"]);
        merged.merge(counts(&["one two three"]));
        let merged = merged.finish();
        assert_eq!(whole, merged);
        assert_eq!(Statistics::from_bytes(&whole.to_bytes()).as_ref(), Some(&whole));
        let mut broken = whole.to_bytes();
        broken[20] ^= 1;
        assert_eq!(Statistics::from_bytes(&broken), None);
        assert_eq!(Statistics::from_bytes(&whole.to_bytes()[..30]), None);
    }
}
