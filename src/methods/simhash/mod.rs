//! SimHash (Charikar, STOC 2002) with the lookup tables of Manku, Jain and Das Sarma (WWW 2007).
//!
//! Every word n-gram votes for the bits of its hash, once for each time it occurs; a bit of the sketch is 1 where more
//! than half of the votes are. Near-duplicates differ in few bits. Cost: one pass over the n-grams, about 7 operations
//! each ([`super::bits`]); lengths that other configurations use as well are counted only once.

use super::algorithm::{self, Algorithm, Collection};
use super::family::Family;
use super::layout::Layout;
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::{LONGEST, Prepared};
use super::words::WordsSeen;
use sketch::SimHash;

mod explain;
mod sketch;

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    ngrams: Vec<usize>,
    bits: usize,
    distance: usize,
    blocks: Option<usize>,
    hash: Family,
    words: WordsSeen,
}

/// The parameter `ngrams` of methods whose n-grams vote.
pub(super) fn ngrams(declaration: &mut Declaration<'_>) -> Vec<usize> {
    let about = "lengths of the word n-grams that vote together; longer ones find fewer and truer pairs";
    declaration.wholes("ngrams", &[3, 5], 1..=LONGEST, about)
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "simhash";
    const ABOUT: &'static str = "word n-grams vote on the bits of one fingerprint; documents within a few bits match (Charikar 2002, Manku et al. 2007)";
    const DISTANCE: &'static str = "differing bits";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            ngrams: ngrams(declaration),
            bits: declaration.whole(
                "bits",
                64,
                8..=512,
                "width of the sketch; choose it so that 2^bits is far above the number of documents",
            ),
            distance: declaration.whole(
                "distance",
                3,
                0..=64,
                "most bits that may differ; raising it finds more pairs, and more wrong ones",
            ),
            blocks: declaration.derived_whole(
                "blocks",
                "distance + 1",
                1..=64,
                "blocks that the bits are cut into for lookup; changes the speed, never the pairs",
            ),
            hash: declaration.choice(
                "hash",
                Family::Fast,
                &[("xxh3", Family::Fast), ("rabin", Family::Rabin)],
                "hash of an n-gram: the published fast one, or a Rabin fingerprint of its bytes",
            ),
            words: WordsSeen::declare(declaration, WordsSeen::All),
        }
    }

    fn title(&self) -> Option<String> {
        let usual = Self::defaults();
        let lengths: Vec<String> = self.ngrams.iter().map(usize::to_string).collect();
        let mut title = format!("simhash-{}", lengths.join("+"));
        if self.bits != usual.bits {
            title.push_str(&format!("-f{}", self.bits));
        }
        if self.distance != usual.distance {
            title.push_str(&format!("-k{}", self.distance));
        }
        if let Some(blocks) = self.blocks {
            title.push_str(&format!("-b{blocks}"));
        }
        if self.hash == Family::Rabin {
            title.push_str("-rabin");
        }
        if self.words == WordsSeen::Content {
            title.push_str("-content");
        }
        Some(title)
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let layout = Layout::new(self.bits, self.distance as u16, self.blocks.unwrap_or(self.distance + 1))?;
        let mut lengths = self.ngrams;
        lengths.sort_unstable();
        Ok(self.words.restrict(SimHash { lengths, layout, hash: self.hash }))
    }
}

impl Method for SimHash {
    fn shape(&self) -> Shape<'_> {
        Shape::Fingerprint(&self.layout)
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        if !self.has_sketch(document) {
            return false;
        }
        for j in 0..self.layout.words() {
            out.push(self.votes(document, j as u64).majority() & self.mask(j));
        }
        true
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let distance = Layout::hamming(a, b) as u16;
        (distance <= self.layout.distance()).then_some(Evidence { distance })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        explain::reasons(self, source, target)
    }

    fn print(&self, sketch: &[u64]) -> String {
        let digits = self.layout.bits().div_ceil(4);
        let all: String = sketch.iter().rev().map(|word| format!("{word:016x}")).collect();
        all.chars().skip(all.len() - digits).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Values;
    use crate::parameters::Value;
    use crate::statistics::Statistics;
    use dejaview_base::hash::widen;
    use dejaview_text::Tokens;

    fn fitted(set: &[(&str, Value)]) -> Box<dyn Method> {
        let mut values = Values::new(&ALGORITHM);
        for (name, value) in set {
            values.set(name, value.clone()).unwrap();
        }
        values.fit(&Statistics::default()).unwrap()
    }

    fn sketch(method: &dyn Method, text: &str) -> Option<Vec<u64>> {
        let mut tokens = Tokens::new();
        tokens.read(text);
        let mut out = Vec::new();
        method.sketch(&Prepared::new(text, &tokens), &mut out).then_some(out)
    }

    const TEXT: &str = "The same page stands again in the new crawl, and the same page stands there twice.";

    #[test]
    fn equals_the_definition_with_one_counter_a_bit() {
        for (lengths, bits) in [(vec![1], 64), (vec![2, 3], 64), (vec![3, 5], 8), (vec![3], 384), (vec![2], 100)] {
            let method = fitted(&[("ngrams", Value::Wholes(lengths.clone())), ("bits", Value::Whole(bits))]);
            let mut tokens = Tokens::new();
            tokens.read(TEXT);
            let document = Prepared::new(TEXT, &tokens);
            let mut expected = vec![0u64; (bits as usize).div_ceil(64)];
            for bit in 0..bits {
                let (word, place) = (bit / 64, bit % 64);
                let sum: i64 = lengths
                    .iter()
                    .flat_map(|&n| document.grams(n as usize))
                    .map(|&g| if (widen(g, word) >> place) & 1 == 1 { 1 } else { -1 })
                    .sum();
                if sum > 0 {
                    expected[word as usize] |= 1 << place;
                }
            }
            assert_eq!(sketch(&*method, TEXT), Some(expected), "{lengths:?}, {bits} bits");
        }
    }

    #[test]
    fn fewer_words_than_the_shortest_ngram_have_no_sketch() {
        let method = fitted(&[]);
        assert_eq!(sketch(&*method, ""), None);
        assert_eq!(sketch(&*method, "two words"), None);
        assert!(sketch(&*method, "three words are").is_some());
    }

    #[test]
    fn rabin_is_another_hash_of_the_same_features() {
        let rabin = fitted(&[("hash", Value::Word("rabin".into()))]);
        let usual = fitted(&[]);
        assert_ne!(sketch(&*rabin, TEXT), sketch(&*usual, TEXT));
        assert_eq!(sketch(&*rabin, TEXT), sketch(&*rabin, &TEXT.to_uppercase()));
        assert_eq!(sketch(&*rabin, TEXT), Some(vec![0x36B8_6602_7900_0430]));
        let long =
            "Straße İstanbul 東京都 e\u{301}te\u{301} soft\u{AD}hyphen ".repeat(3) + &"x".repeat(3000) + " " + TEXT;
        let of = |lengths| fitted(&[("hash", Value::Word("rabin".into())), ("ngrams", Value::Wholes(lengths))]);
        assert_eq!(sketch(&*of(vec![1, 2]), &long), Some(vec![0x3B67_6497_8BD1_F5CA]));
        assert_eq!(sketch(&*of(vec![3, 8]), &long), Some(vec![0x1120_5014_3941_4874]));
    }

    #[test]
    fn prints_hex_digits_highest_first() {
        let of = |bits| fitted(&[("bits", Value::Whole(bits))]);
        assert_eq!(of(64).print(&[0xAB]), "00000000000000ab");
        assert_eq!(of(8).print(&[0xAB]), "ab");
        assert_eq!(of(128).print(&[1, 2]), "00000000000000020000000000000001");
        assert_eq!(of(10).print(&[0x3FF]), "3ff");
    }

    #[test]
    fn titles() {
        let title = |set: &[(&str, Value)]| {
            let mut values = Values::new(&ALGORITHM);
            for (name, value) in set {
                values.set(name, value.clone()).unwrap();
            }
            values.title()
        };
        assert_eq!(title(&[]), "simhash-3+5");
        assert_eq!(title(&[("ngrams", Value::Wholes(vec![2])), ("distance", Value::Whole(5))]), "simhash-2-k5");
        assert_eq!(title(&[("words", Value::Word("content".into()))]), "simhash-3+5-content");
    }
}
