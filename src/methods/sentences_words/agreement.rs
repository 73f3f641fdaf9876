//! How far two pages agree, by their sketches.

/// Words that must agree, and sentences where the longest does not.
pub(super) const AGREE: usize = 2;
/// Only pages with more sentences than this match when two of the longest sentences agree instead of the longest.
pub(super) const MANY: u32 = 5;

/// The parts of a sketch.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageSketch<'s> {
    pub(super) length: u32,
    pub(super) count: u32,
    pub(super) sentences: &'s [u64],
    pub(super) words: &'s [u64],
}

/// How far two pages agree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Agreement {
    pub(super) length_ratio: f64,
    pub(super) sentence_ratio: f64,
    /// Number of words that are the same.
    pub(super) words: usize,
    /// Number of sentences that are the same.
    pub(super) sentences: usize,
    /// Whether the longest sentence is the same.
    pub(super) longest: bool,
    /// Whether both have so many sentences that [`AGREE`] of them may agree instead of the longest.
    pub(super) many: bool,
    pub(super) distance: u16,
}

impl Agreement {
    pub(super) fn between(a: PageSketch<'_>, b: PageSketch<'_>) -> Self {
        let (sentences, words) = (common(a.sentences, b.sentences), common(a.words, b.words));
        let differing = |a: &[u64], b: &[u64], common: usize| present(a).max(present(b)) - common;
        let distance = differing(a.sentences, b.sentences, sentences)
            + differing(a.words, b.words, words)
            + usize::from(a.length != b.length)
            + usize::from(a.count != b.count);
        Self {
            length_ratio: ratio(a.length, b.length),
            sentence_ratio: ratio(a.count, b.count),
            words,
            sentences,
            longest: a.sentences.first() == b.sentences.first(),
            many: a.count.min(b.count) > MANY,
            distance: distance as u16,
        }
    }

    /// Whether the sentences agree well enough.
    pub(super) fn sentences_agree(&self) -> bool {
        self.longest || self.many && self.sentences >= AGREE
    }
}

/// The larger over the smaller; equal sizes differ by 1×, none included. The quotient is rounded as the decimal numbers of
/// a study are, so 23 over 20 is 1.15.
pub(super) fn ratio(a: u32, b: u32) -> f64 {
    if a == b { 1.0 } else { f64::from(a.max(b)) / f64::from(a.min(b)) }
}

fn present(signatures: &[u64]) -> usize {
    signatures.iter().filter(|signature| **signature != 0).count()
}

/// Signatures that two lists have in common, one to one, in whatever order.
fn common(a: &[u64], b: &[u64]) -> usize {
    let mut used = 0u64;
    for signature in a.iter().filter(|signature| **signature != 0) {
        let free = b.iter().enumerate().find(|(i, other)| *other == signature && used >> i & 1 == 0);
        used |= free.map_or(0, |(i, _)| 1 << i);
    }
    used.count_ones() as usize
}
