//! Chooses the support words of a collection and their thresholds: the words that separate its documents best.
//!
//! The paper asks for three things: the words should cover as many documents as possible, each should be as precise as
//! possible, and there should be few of them. It builds the distribution of documents over frequencies once for each
//! word and goes through rounds of two phases, coverage at bounded precision and precision at fixed coverage; the worst
//! words are dropped after each round. A word is the more precise, the fewer documents have a frequency within ± delta
//! of its threshold. What it leaves open is **ours**:
//!
//! - A threshold is a whole number of hundredths, over delta and below 1: a document without the word is never near it.
//! - A word *covers* the documents in which it is over its threshold. The words together cover a document when
//!   `least_set` of them do: it then has a sketch.
//! - *Precision* of a word at a threshold = set / (set + near + `minimum`), where `set` documents are over the threshold
//!   and `near` ones hold the word within ± delta of it (some are both). At the same coverage it is the higher, the
//!   fewer are near, as in the paper; a word that is set nowhere has none; and `minimum` keeps a word that is set in two
//!   or three documents from being perfect by chance.
//! - Phase 1: a word takes the threshold that covers most among those whose precision reaches the bound of the round and
//!   nine tenths of the best that this word has anywhere; a word without one falls out. Phase 2: among the thresholds
//!   that cover as much, it takes the one with the fewest documents near, the middle one of several.
//! - Then the third of the words with the lowest precision, rounded up, is dropped (ties: lower coverage, then lower
//!   hash), but words without which a document would lose its sketch go last. The bound is 0 in the first round, and then
//!   the lowest precision among those that would have stayed by their precision alone: a word that was kept only because
//!   a document needs it must become as precise as they are, at the cost of its coverage, or fall out.
//! - The rounds begin with the content words of at least `minimum` documents. None of them drops below the smaller of
//!   `words` and a tenth of the distinct content words, and the last one drops down to it.
//!
//! Documents are those that are learned from: a sample when the collection is large. Nothing depends on their order.
//! Cost: 16 bytes for each distinct content word of each text, a sort of these, and in every round a look at the uses and at up to
//! 100 thresholds of each word whose bound has moved.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use super::frequency::tf_max;
use crate::parameters::Declaration;
use crate::prepared::Prepared;
use crate::statistics::LEARNERS;
use dejaview_text::Tokens;

/// Share of its best precision that a word may not fall below to cover more.
const TOLERATED: f64 = 0.9;
/// One of so many distinct words becomes a support word at most.
const SHARE: usize = 10;
/// Hundredths by which a rational number may miss a whole one and still be it.
const ROUNDING: f64 = 1e-6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SupportWord {
    pub(super) hash: u64,
    /// In hundredths; 1 to 99.
    pub(super) threshold: u8,
}

#[derive(Debug, Clone)]
pub(super) struct SupportRule {
    pub(super) words: usize,
    pub(super) minimum: usize,
    pub(super) delta: f64,
    pub(super) rounds: usize,
    pub(super) least_set: usize,
}

impl SupportRule {
    pub(super) fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            words: declaration.whole(
                "words",
                4000,
                1..=100_000,
                "most support words; never more than a tenth of the words of the collection. Raising it finds fewer and truer pairs",
            ),
            minimum: declaration.whole(
                "minimum",
                10,
                1..=LEARNERS,
                "least documents, of those learned from, that hold a support word; raising it leaves out rarer words",
            ),
            delta: declaration.fraction(
                "delta",
                0.05,
                0.0..=0.45,
                "how near a frequency must be to a threshold to count as doubtful; raising it sets fewer bits and finds more pairs, and more wrong ones",
            ),
            rounds: declaration.whole(
                "rounds",
                4,
                1..=20,
                "rounds in which the worst third of the words is dropped; matters only where many more words can be chosen than may be kept",
            ),
            least_set: declaration.whole(
                "least_set",
                3,
                1..=100,
                "least support words over their thresholds in a document with a sketch; raising it finds fewer and truer pairs",
            ),
        }
    }

    fn lowest_threshold(&self) -> usize {
        (100.0 * self.delta + ROUNDING) as usize + 1
    }
}

/// The support words of some texts, by hash.
pub(super) fn choose(rule: &SupportRule, texts: &[String]) -> Vec<SupportWord> {
    let uses = uses(rule, texts);
    let mut vocabulary = 0;
    let mut words: Vec<Word<'_>> = Vec::new();
    for uses in uses.chunk_by(|a, b| a.hash == b.hash) {
        vocabulary += 1;
        if uses.len() >= rule.minimum {
            words.push(Word { uses, place: ThresholdEffect::default(), chosen_by: None });
        }
    }
    let target = rule.words.min(vocabulary / SHARE);
    let mut bound = 0.0f64;
    for round in 1..=rule.rounds {
        words.retain_mut(|word| word.choose_threshold(rule, bound));
        if words.len() <= target {
            break;
        }
        let goal = if round == rule.rounds { target } else { target.max(words.len() - words.len().div_ceil(3)) };
        words.sort_unstable_by(Word::worst_first);
        let drop = words.len() - goal;
        bound = words.get(drop).map_or(bound, |word| word.place.precision);
        drop_worst_words(&mut words, drop, rule.least_set, texts.len());
    }
    let mut supports: Vec<SupportWord> =
        words.iter().map(|word| SupportWord { hash: word.hash(), threshold: word.place.threshold }).collect();
    supports.sort_unstable_by_key(|support| support.hash);
    supports
}

/// A word in a document that holds it.
#[derive(Debug, Clone, Copy)]
struct WordUse {
    hash: u64,
    document: u32,
    /// The highest threshold that the word is over.
    over: u8,
    /// The lowest and the highest threshold that it is near.
    near: (u8, u8),
}

impl WordUse {
    /// Of a word that occurs `tf` times in a document whose most frequent word occurs `most` times.
    fn new(rule: &SupportRule, hash: u64, document: u32, [tf, most]: [u32; 2]) -> Self {
        let (hundredths, most) = (100 * u64::from(tf), u64::from(most));
        let (frequency, delta) = (hundredths as f64 / most as f64, 100.0 * rule.delta + ROUNDING);
        let near = ((frequency - delta).ceil().max(0.0) as u8, (frequency + delta).floor().min(100.0) as u8);
        Self { hash, document, over: ((hundredths - 1) / most) as u8, near }
    }
}

/// The content words of all texts, by hash.
fn uses(rule: &SupportRule, texts: &[String]) -> Vec<WordUse> {
    let (mut uses, mut tokens) = (Vec::new(), Tokens::new());
    for (document, text) in (0u32..).zip(texts) {
        tokens.read(text);
        let prepared = Prepared::new(text, &tokens);
        let most = tf_max(prepared.terms());
        let content = prepared.terms().iter().filter(|term| term.content);
        uses.extend(content.map(|term| WordUse::new(rule, term.hash, document, [term.tf, most])));
    }
    uses.sort_unstable_by_key(|word| (word.hash, word.document));
    uses
}

/// A threshold and its effect on the documents.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct ThresholdEffect {
    threshold: u8,
    /// Number of documents in which the word is over it.
    set: u32,
    /// Number of documents in which the word is within ± delta of it.
    near: u32,
    precision: f64,
}

/// What a threshold had to reach to be chosen.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// Nine tenths of the best precision that the word has anywhere.
    own: f64,
    /// The higher of this and the bound of the round.
    reached: f64,
}

/// A word that may become a support word.
#[derive(Debug)]
struct Word<'u> {
    /// Never empty.
    uses: &'u [WordUse],
    place: ThresholdEffect,
    /// By what its place was chosen.
    chosen_by: Option<Bounds>,
}

impl<'u> Word<'u> {
    fn hash(&self) -> u64 {
        self.uses.first().map_or(0, |word| word.hash)
    }

    /// Chooses the threshold by both phases; false when none reaches this precision.
    fn choose_threshold(&mut self, rule: &SupportRule, bound: f64) -> bool {
        if self.chosen_by.is_some_and(|bounds| bounds.reached == bound.max(bounds.own)) {
            return true;
        }
        let chosen = best_threshold(rule, self.uses, bound);
        (self.place, self.chosen_by) = chosen.map_or_else(Default::default, |(place, bounds)| (place, Some(bounds)));
        chosen.is_some()
    }

    /// Numbers of the documents that it covers.
    fn covered(&self) -> impl Iterator<Item = usize> + use<'u> {
        let threshold = self.place.threshold;
        self.uses.iter().filter(move |word| word.over >= threshold).map(|word| word.document as usize)
    }

    /// The order in which words are dropped.
    fn worst_first(&self, other: &Self) -> Ordering {
        let by_precision = self.place.precision.total_cmp(&other.place.precision);
        by_precision.then(self.place.set.cmp(&other.place.set)).then(self.hash().cmp(&other.hash()))
    }
}

/// The threshold that covers most of those that are precise enough, and of those that cover as much the one with the
/// fewest documents near; and by what it was chosen.
fn best_threshold(rule: &SupportRule, uses: &[WordUse], bound: f64) -> Option<(ThresholdEffect, Bounds)> {
    let all = threshold_effects(rule, uses);
    let places = all.get(rule.lowest_threshold()..)?;
    let best = places.iter().map(|place| place.precision).fold(0.0, f64::max);
    let own = TOLERATED * best;
    let reached = bound.max(own);
    // Thresholds ascend, so the first that is precise enough covers most.
    let set = places.iter().find(|place| place.set > 0 && place.precision >= reached)?.set;
    let as_many = || places.iter().filter(|place| place.set == set);
    let fewest = as_many().map(|place| place.near).min()?;
    let tied: Vec<&ThresholdEffect> = as_many().filter(|place| place.near == fewest).collect();
    tied.get((tied.len() - 1) / 2).map(|place| (**place, Bounds { own, reached }))
}

/// The effect of each threshold from 0 hundredths to the last that the word is over anywhere.
fn threshold_effects(rule: &SupportRule, uses: &[WordUse]) -> Vec<ThresholdEffect> {
    // How many are over this threshold and no higher one, and how many more are near than at the one before.
    let (mut last, mut more) = ([0u32; 100], [0i64; 102]);
    for word in uses {
        last[usize::from(word.over)] += 1;
        more[usize::from(word.near.0)] += 1;
        more[usize::from(word.near.1) + 1] -= 1;
    }
    let (mut set, mut near) = (uses.len() as u32, 0);
    let mut places = Vec::with_capacity(100);
    for (threshold, (last, more)) in (0u8..).zip(last.into_iter().zip(more)) {
        if set == 0 {
            break;
        }
        near += more;
        let precision = f64::from(set) / (f64::from(set) + near as f64 + rule.minimum as f64);
        places.push(ThresholdEffect { threshold, set, near: near as u32, precision });
        set -= last;
    }
    places
}

/// Drops so many words, the worst first, but those without which a document loses its sketch last; `words` are ordered so.
fn drop_worst_words(words: &mut Vec<Word<'_>>, mut drop: usize, least_set: usize, documents: usize) {
    let mut bits = vec![0usize; documents];
    for document in words.iter().flat_map(Word::covered) {
        bits[document] += 1;
    }
    for spare in [true, false] {
        words.retain(|word| {
            let needed = spare && word.covered().any(|document| bits[document] == least_set);
            if drop == 0 || needed {
                return true;
            }
            drop -= 1;
            for document in word.covered() {
                bits[document] -= 1;
            }
            false
        });
    }
}
