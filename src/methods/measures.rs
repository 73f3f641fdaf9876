//! How alike two documents are, exactly: Jaccard at five lengths, containment, cosine, Dice, S3, length ratio.
//!
//! What is kept of a document is its sequence of token hashes (8 bytes a word, twice: our words, and the words between
//! white space that S3 wants). A document that meets another becomes sorted sets of hashes ([`Sets`]), built once however
//! many it meets; two such sets are compared by one branchless merge. All numbers are counts; ratios are taken when they
//! are shown.

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
        Self { tokens: tokens.into(), spaced: spaced(text).into() }
    }
}

/// Hashes of the words between white space, as [`str::split_whitespace`] cuts them, in a third of its time.
fn spaced(text: &str) -> Vec<u64> {
    let bytes = text.as_bytes();
    let mut words = Vec::with_capacity(bytes.len() / 6);
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        let blank = blank(&bytes[at..]);
        if blank > 0 {
            if start < at {
                words.push(hash::token(&bytes[start..at]));
            }
            start = at + blank;
        }
        at += blank.max(1);
    }
    if start < bytes.len() {
        words.push(hash::token(&bytes[start..]));
    }
    words
}

/// Bytes of the white space character that stands first; 0 when there is none.
#[inline]
fn blank(bytes: &[u8]) -> usize {
    match bytes {
        [b' ' | b'\t'..=b'\r', ..] => 1,
        [0xC2, 0x85 | 0xA0, ..] => 2,
        [0xE1, 0x9A, 0x80, ..]
        | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF, ..]
        | [0xE2, 0x81, 0x9F, ..]
        | [0xE3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// The sets of a document, sorted. Memory is reused when another document is read into it.
#[derive(Debug, Clone, Default)]
pub struct Sets {
    /// Distinct n-grams at each of [`LENGTHS`].
    grams: [Vec<u64>; LENGTHS.len()],
    /// How often each word of `grams[0]` occurs.
    times: Vec<u32>,
    spaced: Vec<u64>,
    words: u32,
}

impl Sets {
    /// The sets of one document.
    pub fn new(document: &Sequences) -> Self {
        let mut sets = Self::default();
        sets.read(document, &mut Sorter::default());
        for grams in &mut sets.grams {
            grams.shrink_to_fit();
        }
        sets.times.shrink_to_fit();
        sets.spaced.shrink_to_fit();
        sets
    }

    /// Reads another document in place of the one before.
    pub fn read(&mut self, document: &Sequences, sorter: &mut Sorter) {
        self.words = document.tokens.len() as u32;
        for (grams, n) in self.grams.iter_mut().zip(LENGTHS) {
            sorter.sort(Roll::new(&document.tokens, n), grams);
            if n == 1 {
                count_times(grams, &mut self.times);
            }
            grams.dedup();
        }
        sorter.sort(Roll::new(&document.spaced, LONG), &mut self.spaced);
        self.spaced.dedup();
    }

    /// Sizes of the sets.
    pub fn profile(&self) -> Profile {
        Profile {
            words: self.words,
            sizes: [0, 1, 2, 3, 4].map(|i: usize| self.grams[i].len() as u32),
            spaced: self.spaced.len() as u32,
            norm: self.times.iter().map(|&t| u64::from(t) * u64::from(t)).sum(),
        }
    }

    /// What two documents have in common. Symmetric.
    pub fn common(&self, other: &Self) -> Common {
        let (words, dot) = self.words_in_common(other);
        let mut grams = [words; LENGTHS.len()];
        for (count, (a, b)) in grams.iter_mut().zip(self.grams.iter().zip(&other.grams)).skip(1) {
            *count = in_common(a, b);
        }
        Common { grams, spaced: in_common(&self.spaced, &other.spaced), dot }
    }

    /// Distinct words in both, and the sum of the products of their counts.
    fn words_in_common(&self, other: &Self) -> (u32, u64) {
        let (a, b) = (&self.grams[0], &other.grams[0]);
        let (mut i, mut j, mut common, mut dot) = (0, 0, 0, 0);
        while i < a.len() && j < b.len() {
            let (x, y) = (a[i], b[j]);
            if x == y {
                common += 1;
                dot += u64::from(self.times[i]) * u64::from(other.times[j]);
            }
            i += usize::from(x <= y);
            j += usize::from(y <= x);
        }
        (common, dot)
    }

    /// Bytes held in memory.
    pub fn bytes(&self) -> usize {
        let grams: usize = self.grams.iter().map(Vec::len).sum();
        size_of::<Self>() + 8 * (grams + self.spaced.len()) + 4 * self.times.len()
    }
}

/// Elements of two ascending sets that are in both.
fn in_common(a: &[u64], b: &[u64]) -> u32 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        common += u32::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    common
}

/// Length of each run of equal values.
fn count_times(sorted: &[u64], times: &mut Vec<u32>) {
    times.clear();
    times.extend(sorted.chunk_by(|a, b| a == b).map(|run| run.len() as u32));
}

/// Buckets larger than this are not left to insertion.
const CROWDED: usize = 24;

/// Sorts hashes, whose high bits are as good as random: one counting pass puts each into its bucket, and buckets hold
/// about one. Linear; buckets that someone has crowded on purpose are sorted by comparison.
#[derive(Debug, Default)]
pub struct Sorter {
    hashes: Vec<u64>,
    starts: Vec<u32>,
}

impl Sorter {
    /// Puts the hashes into `out`, ascending, in place of what was there.
    fn sort(&mut self, hashes: Roll<'_>, out: &mut Vec<u64>) {
        let count = hashes.len();
        if count < 64 {
            out.clear();
            hashes.append_to(out);
            return out.sort_unstable();
        }
        self.hashes.clear();
        hashes.append_to(&mut self.hashes);
        let bits = count.ilog2();
        self.starts.clear();
        self.starts.resize((1 << bits) + 1, 0);
        let bucket = |hash: u64| (hash >> (64 - bits)) as usize;
        for &hash in &self.hashes {
            self.starts[bucket(hash) + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        out.clear();
        out.resize(count, 0);
        for &hash in &self.hashes {
            let place = &mut self.starts[bucket(hash)];
            out[*place as usize] = hash;
            *place += 1;
        }
        // Each start has become the end of its bucket.
        let mut start = 0;
        for &end in &self.starts[..1 << bits] {
            sort_bucket(&mut out[start as usize..end as usize]);
            start = end;
        }
    }
}

/// Sorts the few hashes of a bucket.
#[inline]
fn sort_bucket(bucket: &mut [u64]) {
    if bucket.len() > CROWDED {
        return bucket.sort_unstable();
    }
    for i in 1..bucket.len() {
        let hash = bucket[i];
        let mut j = i;
        while j > 0 && bucket[j - 1] > hash {
            bucket[j] = bucket[j - 1];
            j -= 1;
        }
        bucket[j] = hash;
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
        let (a, b) = (Sets::new(&a), Sets::new(&b));
        Scores::new(&a.profile(), &b.profile(), &a.common(&b))
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

    proptest! {
        #[test]
        fn words_between_blanks_are_those_of_the_library(text in "([a-zß日\u{85}\u{a0}\u{1680}\u{2000}-\u{200b}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000} \t\r\n]|\\PC){0,60}") {
            let expected: Vec<u64> = text.split_whitespace().map(|word| hash::token(word.as_bytes())).collect();
            prop_assert_eq!(spaced(&text), expected);
        }

        #[test]
        fn sorting_equals_sorting(tokens in proptest::collection::vec(0u64..50, 0..600), crowd in any::<bool>()) {
            let tokens: Vec<u64> = tokens.into_iter().map(|t| if crowd { t } else { hash::fmix64(t) }).collect();
            for n in [1, 3] {
                let mut expected: Vec<u64> = Roll::new(&tokens, n).collect();
                expected.sort_unstable();
                let mut found = Vec::new();
                Sorter::default().sort(Roll::new(&tokens, n), &mut found);
                prop_assert_eq!(found, expected);
            }
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
