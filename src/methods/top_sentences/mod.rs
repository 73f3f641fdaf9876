//! Chooses the sentences that represent a document, computes their signature, and explains why two documents choose
//! differently.
//!
//! Shared by [`super::long_sent`] and [`super::heavy_sent`], which differ only in what a sentence is worth;
//! [`super::sentences_words`] uses the choosing and the reasons. Choosing is one pass that keeps the few best, so the
//! order of the alphabet is asked for only between sentences of equal worth, and nothing is allocated for the others.
//!
//! The signature is a hash of the chosen sentences in alphabetical order: the n-gram hash of [`dejaview_base::hash`] over
//! the n-gram hashes of their content words, or CRC-32 over these words in case folding, one space between words, one
//! line feed between sentences. The alphabet is that of code points. A sentence without a content word is empty after
//! the paper's preprocessing and is not chosen; a sentence that occurs twice is chosen twice.

mod explain;
mod missing;
mod ranking;
mod spelling;
#[cfg(test)]
pub mod testing;
mod unit;

pub use explain::{choice, decisive, differences, pieces};
pub use missing::missing_sentences;
pub use ranking::{Ranking, by_length, first_in_order};
pub use unit::{STEPS, Unit};

use super::explanation::Side;
use super::method::{Evidence, Reasons};
use super::parameters::Declaration;
use super::prepared::Prepared;
use super::wording::count;
use dejaview_base::hash::{Roll, fmix64};
use ranking::{by_worth, candidates};
use spelling::{alphabetical, crc32};

/// How many sentences are chosen, and how they are hashed.
#[derive(Debug, Clone, Copy)]
pub struct SignatureRule {
    sentences: usize,
    crc32: bool,
}

impl SignatureRule {
    /// The parameters `sentences` and `hash`.
    pub fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            sentences: declaration.whole(
                "sentences",
                2,
                1..=16,
                "sentences in the signature; more of them find fewer and truer pairs, and leave out pages with fewer",
            ),
            crc32: declaration.choice(
                "hash",
                false,
                &[("xxh3", false), ("crc32", true)],
                "hash of the sentences: 64 bits, or the paper's CRC-32, which collides in collections of millions",
            ),
        }
    }

    /// Appends the signature of the sentences of highest worth; false when there are fewer than the rule asks for.
    pub fn sketch(&self, document: &Prepared<'_>, worth: impl Fn(usize) -> i64, out: &mut Vec<u64>) -> bool {
        let mut chosen = first_in_order(candidates(document), self.sentences, |a, b| by_worth(document, &worth, a, b));
        if chosen.len() < self.sentences {
            return false;
        }
        out.push(self.signature(document, &mut chosen));
        true
    }

    fn signature(&self, document: &Prepared<'_>, chosen: &mut [usize]) -> u64 {
        let sentences = document.sentences();
        chosen.sort_by(|&a, &b| alphabetical(document, &sentences[a], &sentences[b]));
        if self.crc32 {
            return u64::from(crc32(document, chosen));
        }
        let hashes: Vec<u64> = chosen.iter().map(|&i| sentences[i].hash).collect();
        Roll::new(&hashes, hashes.len()).next().unwrap_or_default()
    }

    /// Appends the key of a sketch: the signature, with its 32 bits spread over 64.
    pub fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend(sketch.iter().map(|&word| if self.crc32 { fmix64(word) } else { word }));
    }

    /// Signatures are equal or not.
    pub fn compare(a: &[u64], b: &[u64]) -> Option<Evidence> {
        (a == b).then_some(Evidence { distance: 0 })
    }

    /// 16 hex digits, 8 of a CRC-32.
    pub fn print(&self, sketch: &[u64]) -> String {
        let digits = if self.crc32 { 8 } else { 16 };
        sketch.iter().map(|word| format!("{word:0digits$x}")).collect()
    }

    /// The sentences of a document by worth.
    pub fn ranking<'d>(&self, side: Side, document: &'d Prepared<'d>, worth: impl Fn(usize) -> i64) -> Ranking<'d> {
        let mut order: Vec<usize> = candidates(document).collect();
        order.sort_by(|&a, &b| by_worth(document, &worth, a, b));
        let worth = (0..document.sentences().len()).map(worth).collect();
        Ranking { side, document, worth, order, take: self.sentences }
    }

    /// What decided between two rankings, in this unit.
    pub fn reasons(&self, source: &Ranking<'_>, target: &Ranking<'_>, unit: Unit) -> Reasons {
        let short: Vec<String> = [source, target]
            .into_iter()
            .filter(|ranking| ranking.order.len() < self.sentences)
            .map(|ranking| format!("the {} has {}", ranking.side.name(), ranking.order.len()))
            .collect();
        if !short.is_empty() {
            let wanted = count(self.sentences, "sentence");
            let claim = format!("the signature takes {wanted} with content words, {}", short.join(" and "));
            return Reasons { claim, ..Reasons::default() };
        }
        let [a, b] = [source, target].map(|r| self.signature(r.document, &mut r.chosen().to_vec()));
        let lacking = missing_sentences(source, target, unit);
        let common = self.sentences - lacking.len();
        let mut parts = vec![choice(source, target, unit), choice(target, source, unit)];
        let claim = match lacking.first() {
            None => {
                let quotes: Vec<String> = source.chosen().iter().map(|&i| source.quoted(i)).collect();
                let of = if self.sentences == 1 { "sentence" } else { "sentences" };
                format!("the same {} {} {of}: {}", self.sentences, unit.highest(), quotes.join(", "))
            }
            Some(_) if a == b => format!("the checksums agree by chance, {common} of {} sentences do", self.sentences),
            Some(first) => format!("{common} of {} sentences are the same; {}", self.sentences, first.claim),
        };
        if !lacking.is_empty() {
            parts.push(differences(lacking, missing_sentences(target, source, unit)));
        }
        if a == b {
            return Reasons { claim, value: Some(0.0), parts, pieces: pieces(source, target), decisive: Vec::new() };
        }
        let value = (self.sentences - common) as f64;
        Reasons { claim, value: Some(value), parts, pieces: Vec::new(), decisive: decisive(source, target, unit) }
    }
}
