//! How alike two documents are, exactly: Jaccard at five lengths, containment, cosine, Dice, S3, length ratio.
//!
//! What is kept of a document is its sequence of token hashes (8 bytes a word, twice: our words, and the words between
//! white space that S3 wants). One of the two, the target, becomes a set of hash tables once; every source compared
//! with it then rolls its n-grams over them, so a pair costs one lookup for each n-gram and no set of a source is ever
//! built or kept. All numbers are counts; ratios are taken when they are shown.

use serde::Serialize;

use crate::base::hash::{self, Roll};
use crate::base::similarity::{cosine, dice, jaccard, ratio};

/// The n of every Jaccard that is kept.
pub const LENGTHS: [usize; 5] = [1, 2, 3, 5, 8];

/// The n of S3 and `dice_8`.
const LONG: usize = 8;

/// Sizes of a document's sets: all that a score needs beside the intersection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Profile {
    /// Words, repeated ones included.
    pub words: u32,
    /// Distinct n-grams at each of [`LENGTHS`].
    pub sizes: [u32; LENGTHS.len()],
    /// Distinct 8-grams of the words between white space, case kept.
    pub spaced: u32,
    /// Σ tf² over the words.
    pub norm: u64,
}

/// What two documents have in common, as counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Common {
    /// Distinct n-grams in both at each of [`LENGTHS`].
    pub grams: [u32; LENGTHS.len()],
    /// Distinct 8-grams of the words between white space in both.
    pub spaced: u32,
    /// Σ tf·tf over the words in both.
    pub dot: u64,
}

/// A document as the scores see it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sequences {
    /// Hashes of the tokens, in order.
    pub tokens: Box<[u64]>,
    /// Hashes of the words between white space, case kept, in order.
    pub spaced: Box<[u64]>,
}

impl Sequences {
    /// Of a canonical text and the hashes of its tokens.
    pub fn new(text: &str, tokens: &[u64]) -> Self {
        Self {
            tokens: tokens.into(),
            spaced: text.split_whitespace().map(|word| hash::token(word.as_bytes())).collect(),
        }
    }
}

/// A place of a hash table: an n-gram with its count.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// 0 marks a free slot.
    gram: u64,
    times: u32,
    /// The comparison in which it was last met, so that a repeated n-gram counts once.
    met: u32,
}

/// Distinct n-grams of one length with their counts; memory is reused from document to document.
#[derive(Debug, Default)]
struct Grams {
    slots: Vec<Slot>,
    comparison: u32,
    distinct: u32,
    norm: u64,
}

impl Grams {
    fn fill(&mut self, tokens: &[u64], n: usize) {
        let grams = Roll::new(tokens, n);
        let slots = (grams.len() * 2).next_power_of_two().max(2);
        self.slots.clear();
        self.slots.resize(slots, Slot::default());
        (self.comparison, self.distinct, self.norm) = (0, 0, 0);
        for gram in grams {
            let place = self.place(gram);
            let slot = &mut self.slots[place];
            self.distinct += u32::from(slot.gram == 0);
            slot.gram = gram.max(1);
            // (t+1)² − t²
            self.norm += 2 * u64::from(slot.times) + 1;
            slot.times += 1;
        }
    }

    /// The slot that holds `gram`, or the free one where it would go.
    #[inline]
    fn place(&self, gram: u64) -> usize {
        let gram = gram.max(1);
        let mask = self.slots.len() - 1;
        let mut place = (gram as usize) & mask;
        while self.slots[place].gram != gram && self.slots[place].gram != 0 {
            place = (place + 1) & mask;
        }
        place
    }

    /// Distinct n-grams of `tokens` that are here too, and the sum of their counts here over all occurrences there.
    fn meet(&mut self, tokens: &[u64], n: usize) -> (u32, u64) {
        if self.distinct == 0 {
            return (0, 0);
        }
        self.comparison += 1;
        let (mut common, mut dot) = (0, 0);
        for gram in Roll::new(tokens, n) {
            let place = self.place(gram);
            let slot = &mut self.slots[place];
            if slot.gram != 0 {
                common += u32::from(slot.met != self.comparison);
                slot.met = self.comparison;
                dot += u64::from(slot.times);
            }
        }
        (common, dot)
    }
}

/// One document laid open for comparison with many.
#[derive(Debug, Default)]
pub struct Opened {
    grams: [Grams; LENGTHS.len()],
    spaced: Grams,
    profile: Profile,
}

impl Opened {
    /// Lays a document open, in place of the one before.
    pub fn open(&mut self, document: &Sequences) -> Profile {
        for (grams, n) in self.grams.iter_mut().zip(LENGTHS) {
            grams.fill(&document.tokens, n);
        }
        self.spaced.fill(&document.spaced, LONG);
        self.profile = Profile {
            words: document.tokens.len() as u32,
            sizes: [0, 1, 2, 3, 4].map(|i| self.grams[i].distinct),
            spaced: self.spaced.distinct,
            norm: self.grams[0].norm,
        };
        self.profile
    }

    /// Sizes of the document that is open.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// What `other` has in common with the document that is open.
    pub fn compare(&mut self, other: &Sequences) -> Common {
        let mut common = Common::default();
        for (i, (grams, n)) in self.grams.iter_mut().zip(LENGTHS).enumerate() {
            let (both, dot) = grams.meet(&other.tokens, n);
            common.grams[i] = both;
            if i == 0 {
                common.dot = dot;
            }
        }
        common.spaced = self.spaced.meet(&other.spaced, LONG).0;
        common
    }
}

/// Every similarity of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scores {
    /// Jaccard of the sets of words.
    pub jaccard_1: f64,
    /// Jaccard of the sets of word 2-grams.
    pub jaccard_2: f64,
    /// Jaccard of the sets of word 3-grams.
    pub jaccard_3: f64,
    /// Jaccard of the sets of word 5-grams.
    pub jaccard_5: f64,
    /// Jaccard of the sets of word 8-grams.
    pub jaccard_8: f64,
    /// Share of the source's words that stand in the target.
    pub containment_source: f64,
    /// Share of the target's words that stand in the source.
    pub containment_target: f64,
    /// Cosine of the vectors of word counts.
    pub cosine: f64,
    /// Cosine of the sets of words.
    pub cosine_binary: f64,
    /// Dice of the sets of word 8-grams.
    pub dice_8: f64,
    /// Dice of the sets of 8-grams of the words between white space, case kept.
    pub s3: f64,
    /// Words of the shorter by words of the longer.
    pub length_ratio: f64,
}

impl Scores {
    /// From sizes and counts.
    pub fn new(source: &Profile, target: &Profile, common: &Common) -> Self {
        let at = |i: usize| jaccard(common.grams[i], source.sizes[i], target.sizes[i]);
        let words = u64::from(common.grams[0]);
        let (shorter, longer) = (source.words.min(target.words), source.words.max(target.words));
        Self {
            jaccard_1: at(0),
            jaccard_2: at(1),
            jaccard_3: at(2),
            jaccard_5: at(3),
            jaccard_8: at(4),
            containment_source: ratio(words, u64::from(source.sizes[0])),
            containment_target: ratio(words, u64::from(target.sizes[0])),
            cosine: cosine(common.dot as f64, source.norm as f64, target.norm as f64),
            cosine_binary: cosine(words as f64, f64::from(source.sizes[0]), f64::from(target.sizes[0])),
            dice_8: dice(common.grams[4], source.sizes[4], target.sizes[4]),
            s3: dice(common.spaced, source.spaced, target.spaced),
            length_ratio: ratio(u64::from(shorter), u64::from(longer)),
        }
    }

    /// The Jaccard at one of [`LENGTHS`]; none at another n.
    pub fn jaccard(&self, n: usize) -> Option<f64> {
        match n {
            1 => Some(self.jaccard_1),
            2 => Some(self.jaccard_2),
            3 => Some(self.jaccard_3),
            5 => Some(self.jaccard_5),
            8 => Some(self.jaccard_8),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::text::Tokens;
    use proptest::prelude::*;

    fn sequences(text: &str) -> Sequences {
        let mut tokens = Tokens::new();
        tokens.read(text);
        Sequences::new(text, tokens.hashes())
    }

    fn scores(a: &str, b: &str) -> Scores {
        let (a, b) = (sequences(a), sequences(b));
        let (mut opened, mut other) = (Opened::default(), Opened::default());
        let (target, source) = (opened.open(&b), other.open(&a));
        Scores::new(&source, &target, &opened.compare(&a))
    }

    fn naive(a: &[String], b: &[String], n: usize) -> f64 {
        let set = |words: &[String]| words.windows(n).map(<[String]>::to_vec).collect::<HashSet<_>>();
        let (a, b) = (set(a), set(b));
        if a.is_empty() && b.is_empty() {
            return 0.0;
        }
        a.intersection(&b).count() as f64 / a.union(&b).count() as f64
    }

    proptest! {
        #[test]
        fn equals_naive_sets(a in proptest::collection::vec("[a-d]{1,2}", 0..60), b in proptest::collection::vec("[a-d]{1,2}", 0..60)) {
            let found = scores(&a.join(" "), &b.join("\n"));
            for n in LENGTHS {
                prop_assert_eq!(found.jaccard(n), Some(naive(&a, &b, n)));
            }
            let count = |words: &[String]| words.iter().fold(HashMap::<String, f64>::new(), |mut m, w| { *m.entry(w.clone()).or_default() += 1.0; m });
            let (ta, tb) = (count(&a), count(&b));
            let dot: f64 = ta.iter().map(|(w, x)| x * tb.get(w).unwrap_or(&0.0)).sum();
            let norm = |t: &HashMap<String, f64>| t.values().map(|x| x * x).sum::<f64>().sqrt();
            let expected = if dot == 0.0 { 0.0 } else { dot / (norm(&ta) * norm(&tb)) };
            prop_assert!((found.cosine - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn the_published_example_of_s3() {
        let found = scores("a b c d e f g h i", "a b c d e f g h j");
        assert_eq!((found.s3, found.dice_8, found.jaccard_8), (0.5, 0.5, 1.0 / 3.0));
        assert_eq!(scores("A b c d e f g h", "a b c d e f g h").s3, 0.0, "case is kept");
        assert_eq!(scores("a b c", "a b c").s3, 0.0, "under 8 words there is no 8-gram");
    }

    #[test]
    fn empty_documents_resemble_nothing() {
        let found = scores("", "");
        assert_eq!((found.jaccard_1, found.cosine, found.length_ratio), (0.0, 0.0, 0.0));
        assert_eq!(scores("", "some words").jaccard_1, 0.0);
    }

    #[test]
    fn containment_knows_its_direction() {
        let found = scores("one two", "one two three four");
        assert_eq!((found.containment_source, found.containment_target), (1.0, 0.5));
        assert_eq!((found.jaccard_1, found.length_ratio), (0.5, 0.5));
    }
}
