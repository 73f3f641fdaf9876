//! The lexicon of I-Match, which decides which words of a document make its signature (Chowdhury et al. 2002; Kołcz,
//! Chowdhury and Alspector 2004). [`super::imatch`] and [`super::lex_rand`] share it.
//!
//! A word counts when it has at least 4 letters and at most one digit (a pair of ideographs counts always: **ours**,
//! since no such pair has 4 letters). U is the set of these words in a document. The lexicon L holds the words of the
//! collection whose normalised idf lies within two bounds, both included; nidf = idf / the highest idf of the
//! collection **(ours)**, idf = ln(N/df). A document is known by S = U ∩ L. Where S is smaller than `minimum` words or
//! than the `share` of U, rarer words of the collection are added, commonest first and then by hash **(ours)**, until S
//! is large enough; where they run out, or U has fewer than 5 words, there is no signature. Words that the collection
//! does not have are in neither lexicon.
//!
//! Both bounds become numbers of documents once, when a method is fitted, so a word costs two comparisons. Bounds are
//! met within 10⁻⁹: a word that lies on one is inside on every machine.

pub mod contrast;
#[cfg(test)]
pub(super) mod naive;
mod set_hash;
#[cfg(test)]
mod tests;

pub use set_hash::SetHash;

use std::cmp::Reverse;

use super::parameters::Declaration;
use super::prepared::{Prepared, Term};
use super::statistics::{Frequency, Statistics};
use dejaview_base::digests::sha1;

/// Fewest different words of a document that has a signature.
pub const FEWEST: usize = 5;
/// Fewest letters of a word that counts, ideographs aside.
const SHORTEST: u8 = 4;
/// Most digits of a word that counts.
const DIGITS: u8 = 1;
/// What rounding may do to a logarithm or a product.
const ROUNDING: f64 = 1e-9;

/// What a study may set of a lexicon and its signatures.
#[derive(Debug)]
pub struct Parameters {
    nidf: [f64; 2],
    minimum: usize,
    share: f64,
    hash: Hash,
}

impl Parameters {
    pub fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            nidf: declaration.bounds(
                "nidf",
                [0.2, 0.8],
                0.0..=1.0,
                "bounds of the lexicon in normalised idf, 0 for a word of every document and 1 for the rarest; wider ones \
                 take more words, and a change to any of them changes the signature",
            ),
            minimum: declaration.whole(
                "minimum",
                5,
                1..=1000,
                "fewest words of a signature; below it rarer words are added; raising it spares wrong pairs of documents \
                 that have little in the lexicon",
            ),
            share: declaration.fraction(
                "share",
                0.1,
                0.0..=1.0,
                "smallest share of a document's different words in its signature, as `minimum` for long documents",
            ),
            hash: declaration.choice(
                "hash",
                Hash::Fast,
                &[("fast", Hash::Fast), ("sha1", Hash::Sha1)],
                "hash of the words: a sum of 64 bits whatever their order, or the first 64 bits of SHA-1 of the sorted \
                 words as in the papers, which costs far more and finds the same pairs",
            ),
        }
    }
}

/// Which hash the words of a signature get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// [`SetHash`].
    Fast,
    /// SHA-1 of the folded words in the order of their bytes, joined by one space; its first 64 bits.
    Sha1,
}

/// How rare a word is, compared to the bounds of the lexicon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rarity {
    /// The collection does not have it.
    Unknown,
    /// Above the upper bound: in the secondary lexicon.
    Rare,
    Within,
    /// Below the lower bound.
    Common,
}

/// The lexicon of a collection, and how many of its words a signature needs.
#[derive(Debug)]
pub struct Lexicon {
    statistics: Statistics,
    bounds: [f64; 2],
    /// The highest idf of the collection.
    top: f64,
    /// Fewest and most documents that hold a word of the lexicon.
    documents: [u32; 2],
    minimum: usize,
    share: f64,
    hash: Hash,
}

/// The words of a document that the lexicon has.
#[derive(Debug)]
pub struct Selection<'d> {
    /// Different words that count: |U|.
    pub unique: usize,
    /// Fewest words of its signature.
    pub needed: usize,
    /// U ∩ L, in the order of the document.
    pub within: Vec<&'d Term>,
}

impl Lexicon {
    pub fn new(parameters: &Parameters, statistics: &Statistics) -> Self {
        let mut lexicon = Self {
            statistics: statistics.clone(),
            bounds: parameters.nidf,
            top: 0.0,
            documents: [0, 0],
            minimum: parameters.minimum,
            share: parameters.share,
            hash: parameters.hash,
        };
        if let Some(fewest) = statistics.words().iter().map(|(_, frequency)| frequency.documents).min() {
            lexicon.top = statistics.idf(Frequency { documents: fewest, times: 0 });
        }
        // If every word is in every document, no word distinguishes documents, and all count as common.
        if lexicon.top > 0.0 {
            let all = u32::try_from(statistics.documents()).unwrap_or(u32::MAX);
            let [low, high] = lexicon.bounds;
            let rarer = largest(all, |documents| lexicon.nidf(documents) > high + ROUNDING);
            let most = largest(all, |documents| lexicon.nidf(documents) >= low - ROUNDING);
            lexicon.documents = [rarer + 1, most];
        }
        lexicon
    }

    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// The signature of some words of a document; never 0.
    pub fn signature(&self, document: &Prepared<'_>, words: &[&Term]) -> u64 {
        if self.hash == Hash::Fast {
            let mut set = SetHash::default();
            set.extend(words.iter().map(|term| term.hash));
            return set.finish();
        }
        let mut words: Vec<_> = words.iter().map(|term| document.word(term)).collect();
        words.sort_unstable();
        let [a, b, c, d, e, f, g, h, ..] = sha1(words.join(" ").as_bytes());
        u64::from_be_bytes([a, b, c, d, e, f, g, h]).max(1)
    }

    /// Normalised idf of a word that is in so many documents.
    pub fn nidf(&self, documents: u32) -> f64 {
        if self.top > 0.0 { self.statistics.idf(Frequency { documents, times: 0 }) / self.top } else { 0.0 }
    }

    /// The rarity of a word that is in so many documents.
    #[inline]
    pub fn rarity(&self, documents: u32) -> Rarity {
        match documents {
            0 => Rarity::Unknown,
            n if n < self.documents[0] => Rarity::Rare,
            n if n <= self.documents[1] => Rarity::Within,
            _ => Rarity::Common,
        }
    }

    /// The words that count, with the number of documents of the collection with each.
    fn counted_words<'d>(&self, document: &'d Prepared<'_>) -> impl Iterator<Item = (&'d Term, u32)> {
        let words = document.terms().iter().zip(document.frequencies(&self.statistics));
        words.filter(|(term, _)| is_counted(term)).map(|(term, frequency)| (term, frequency.documents))
    }

    /// The words of a document that the lexicon has, and how many it needs.
    pub fn selection<'d>(&self, document: &'d Prepared<'_>) -> Selection<'d> {
        let (mut unique, mut within) = (0, Vec::with_capacity(document.terms().len()));
        for (term, documents) in self.counted_words(document) {
            unique += 1;
            if self.rarity(documents) == Rarity::Within {
                within.push(term);
            }
        }
        let share = (self.share * unique as f64 - ROUNDING).ceil() as usize;
        Selection { unique, needed: self.minimum.max(share), within }
    }

    /// The words of a document that are rarer than the lexicon's, in the order in which they are added.
    pub fn rarer<'d>(&self, document: &'d Prepared<'_>) -> Vec<&'d Term> {
        let mut rarer: Vec<(Reverse<u32>, u64, &Term)> = self
            .counted_words(document)
            .filter(|(_, documents)| self.rarity(*documents) == Rarity::Rare)
            .map(|(term, documents)| (Reverse(documents), term.hash, term))
            .collect();
        rarer.sort_unstable_by_key(|(documents, hash, _)| (*documents, *hash));
        rarer.into_iter().map(|(_, _, term)| term).collect()
    }
}

impl<'d> Selection<'d> {
    /// The words of the signature under a lexicon that keeps some words of L; none when there are too few.
    pub fn chosen(&self, rarer: &[&'d Term], keeps: impl Fn(u64) -> bool) -> Option<Vec<&'d Term>> {
        let mut chosen: Vec<&Term> = self.within.iter().copied().filter(|term| keeps(term.hash)).collect();
        let missing = self.needed.saturating_sub(chosen.len());
        chosen.extend(rarer.iter().take(missing));
        (self.unique >= FEWEST && chosen.len() >= self.needed).then_some(chosen)
    }
}

/// The features of a document by which the paper measures its detectors (section 6.4): U, as ascending hashes. None for
/// a document that the paper leaves out because it has too few.
pub fn features(document: &Prepared<'_>) -> Option<Vec<u64>> {
    let mut features: Vec<u64> =
        document.terms().iter().filter(|term| is_counted(term)).map(|term| term.hash).collect();
    features.sort_unstable();
    (features.len() >= FEWEST).then_some(features)
}

/// Whether a word counts: whether it is one of U.
#[inline]
fn is_counted(term: &Term) -> bool {
    // A content word that is shorter consists of ideographs.
    (term.letters >= SHORTEST || term.content) && term.digits <= DIGITS
}

/// The largest number from 1 to `all` for which `holds` is true, which is true up to some number and false from there on; 0
/// if it is never true.
fn largest(all: u32, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut yes, mut no) = (0, u64::from(all) + 1);
    while no - yes > 1 {
        let middle = u64::midpoint(yes, no);
        if holds(middle as u32) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    yes as u32
}
