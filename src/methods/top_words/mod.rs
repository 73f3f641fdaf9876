//! The words of highest weight as a signature: what `tf`, `tfidf`, `tfridf` and `opt-freq` share.
//!
//! Of a document's distinct content words the `words` (6) of highest weight are taken, written in alphabetical order with
//! one blank between, and hashed; documents with the same hash match. The hash has 64 bits where the paper has CRC32,
//! because 32 bits collide by chance among many documents; CRC32 can be chosen. Documents with fewer distinct content
//! words than `words` have no sketch.
//!
//! Ours: of equal weights the word that comes first in the alphabet wins; the alphabet is the order of the folded UTF-8
//! bytes. A word that the collection does not have counts as if this document alone held it: df = 1, cf = tf. Without
//! statistics the methods that need them have no sketches.
//!
//! Cost: one weight for each distinct content word and one pass with the best so far in a small array; strings are
//! made of the chosen words only. Source: Zelenkov and Segalovich, Comparative analysis of near-duplicate detection
//! methods of Web documents, RCDL 2007, after Park et al., Analysis of lexical signatures, SIGIR 2002.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Debug;

use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::Declaration;
use super::prepared::Prepared;
use super::statistics::{Frequency, Statistics};
use dejaview_base::digests::crc32;
use dejaview_base::hash::{self, fmix64};
use ranked::{Ranked, order};

mod explain;
#[cfg(test)]
pub(super) mod naive;
mod ranked;
#[cfg(test)]
mod tests;

/// The parameters of all four methods.
#[derive(Debug, Clone, Copy)]
pub struct Parameters {
    words: usize,
    hash: Hash,
}

impl Parameters {
    pub fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            words: declaration.whole(
                "words",
                6,
                1..=64,
                "words in the signature; raising it finds fewer and truer pairs, and leaves out more short documents",
            ),
            hash: declaration.choice(
                "hash",
                Hash::Xxh3,
                &[("xxh3", Hash::Xxh3), ("crc32", Hash::Crc32)],
                "hash of the words: 64 bits, or the paper's CRC32, which many documents share by chance",
            ),
        }
    }
}

/// What the distance of all four methods counts.
pub const DISTANCE: &str = "always 0: signatures are equal or not";

/// How a method weighs a word. Finite for every word that occurs.
pub trait Weight: Debug + Send + Sync {
    /// The weight of a word that occurs `tf` times; `frequency` is zero where the method needs no statistics, and else
    /// at least 1 document.
    fn weight(&self, tf: u32, frequency: Frequency, facts: &DocumentFacts) -> f64;

    /// A bound that the weight does not exceed, for less work: most words are far from being chosen.
    fn at_most(&self, _tf: u32, _frequency: Frequency, _facts: &DocumentFacts) -> f64 {
        f64::INFINITY
    }
}

/// What all words of a document have in common.
#[derive(Debug, Clone, Copy)]
pub struct DocumentFacts {
    /// Content words, repeated ones included: dl.
    pub length: u32,
    /// How often the most frequent content word occurs: `tf_max`.
    pub most: u32,
}

impl DocumentFacts {
    fn new(document: &Prepared<'_>) -> Self {
        let content = document.terms().iter().filter(|term| term.content);
        let (length, most) = content.fold((0, 0), |(sum, most), term| (sum + term.tf, term.tf.max(most)));
        Self { length, most }
    }

    /// 0.5 + 0.5·tf/`tf_max`: the share of the most frequent word, lifted.
    pub fn lifted(&self, tf: u32) -> f64 {
        0.5 + 0.5 * f64::from(tf) / f64::from(self.most)
    }
}

/// How the chosen words are hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hash {
    Xxh3,
    Crc32,
}

/// A configuration of one of the four methods.
#[derive(Debug)]
pub struct TopWords<W> {
    weight: W,
    /// None where the weight needs none.
    statistics: Option<Statistics>,
    words: usize,
    hash: Hash,
}

impl<W: Weight> TopWords<W> {
    /// With `statistics` where the weight needs them.
    pub fn new(parameters: Parameters, statistics: Option<&Statistics>, weight: W) -> Self {
        let Parameters { words, hash } = parameters;
        Self { weight, statistics: statistics.cloned(), words, hash }
    }

    /// Whether words can be weighed: not by an empty collection.
    fn is_ready(&self) -> bool {
        self.statistics.as_ref().is_none_or(|statistics| statistics.documents() > 0)
    }

    /// Calls `take` with every distinct content word, in the order in which they first occur; with those alone that weigh
    /// at least what it last answered.
    #[inline]
    fn weigh(&self, document: &Prepared<'_>, mut take: impl FnMut(Ranked) -> f64) {
        let frequencies = self.statistics.as_ref().map(|statistics| document.frequencies(statistics));
        let facts = DocumentFacts::new(document);
        let mut least = f64::NEG_INFINITY;
        for (i, term) in document.terms().iter().enumerate() {
            if !term.content {
                continue;
            }
            let frequency = match frequencies {
                None => Frequency::default(),
                Some(all) if all[i].documents == 0 => Frequency { documents: 1, times: term.tf },
                Some(all) => all[i],
            };
            if self.weight.at_most(term.tf, frequency, &facts) < least {
                continue;
            }
            let weight = self.weight.weight(term.tf, frequency, &facts);
            if weight >= least {
                least = take(Ranked { weight, term: i });
            }
        }
    }

    /// The words of highest weight, best first; fewer than asked for where the document has no more.
    fn best(&self, document: &Prepared<'_>) -> Vec<Ranked> {
        let mut best = Vec::with_capacity(self.words + 1);
        self.weigh(document, |word| offer(document, word, &mut best, self.words));
        best
    }

    /// The chosen words in alphabetical order, one blank between; none when there are too few.
    fn signature(&self, document: &Prepared<'_>) -> Option<String> {
        if !self.is_ready() {
            return None;
        }
        let best = self.best(document);
        let mut words: Vec<Cow<'_, str>> =
            best.iter().map(|word| document.word(&document.terms()[word.term])).collect();
        words.sort_unstable();
        (words.len() == self.words).then(|| words.join(" "))
    }

    fn hashed(&self, signature: &str) -> u64 {
        match self.hash {
            Hash::Xxh3 => hash::token(signature.as_bytes()),
            Hash::Crc32 => u64::from(crc32(signature.as_bytes())),
        }
    }
}

/// Puts a word among the best if it is one of them, and says what the next must weigh. Few words come so far: kept out of
/// the loop over all of them.
#[inline(never)]
fn offer(document: &Prepared<'_>, word: Ranked, best: &mut Vec<Ranked>, words: usize) -> f64 {
    let loses = |other: &Ranked| order(document, &word, other) == Ordering::Greater;
    let at = best.iter().rposition(loses).map_or(0, |at| at + 1);
    if at < words {
        best.insert(at, word);
        best.truncate(words);
    }
    best.get(words - 1).map_or(f64::NEG_INFINITY, |last| last.weight)
}

impl<W: Weight> Method for TopWords<W> {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let Some(signature) = self.signature(document) else { return false };
        out.push(self.hashed(&signature));
        true
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend(sketch.iter().map(|&word| fmix64(word)));
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        (a == b).then_some(Evidence { distance: 0 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        if !self.is_ready() {
            let claim = "there are no statistics of a collection to weigh words by".to_owned();
            return Reasons { claim, ..Reasons::default() };
        }
        let sides = [source, target].map(|document| {
            let mut ranking = Vec::new();
            self.weigh(document, |word| {
                ranking.push(word);
                f64::NEG_INFINITY
            });
            ranking.sort_unstable_by(|a, b| order(document, a, b));
            explain::RankedWords::new(document, &ranking, self.words)
        });
        let [a, b] = [source, target].map(|document| self.signature(document).map(|words| self.hashed(&words)));
        explain::reasons(&sides, a == b)
    }

    fn print(&self, sketch: &[u64]) -> String {
        let digits = if self.hash == Hash::Crc32 { 8 } else { 16 };
        sketch.iter().map(|word| format!("{word:0digits$x}")).collect()
    }
}
