//! Which words of a document stand for it? The lexicon of I-Match (Chowdhury et al. 2002; Kołcz, Chowdhury and Alspector
//! 2004), shared by [`super::imatch`] and [`super::lex_rand`].
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

use std::cmp::Reverse;

use super::parameters::{Allowed, Parameter, Preset, Values};
use super::prepared::{Prepared, Term};
use super::statistics::{Frequency, Statistics};
use crate::base::digests::sha1;
use crate::base::hash::{self, fmix64};

pub mod contrast;

/// Fewest different words of a document that has a signature.
pub const FEWEST: usize = 5;
/// Fewest letters of a word that counts, ideographs aside.
const SHORTEST: u8 = 4;
/// Most digits of a word that counts.
const DIGITS: u8 = 1;
/// What rounding may do to a logarithm or a product.
const ROUNDING: f64 = 1e-9;

/// The bounds of the lexicon.
pub const NIDF: Parameter = Parameter {
    name: "nidf",
    about: "bounds of the lexicon in normalised idf, 0 for a word of every document and 1 for the rarest; wider ones take \
            more words, and a change to any of them changes the signature",
    default: Preset::Fractions(&[0.2, 0.8]),
    allowed: Allowed::Bounds(0.0, 1.0),
};
/// Fewest words of a signature.
pub const MINIMUM: Parameter = Parameter {
    name: "minimum",
    about: "fewest words of a signature; below it rarer words are added; raising it spares wrong pairs of documents that \
            have little in the lexicon",
    default: Preset::Whole(5),
    allowed: Allowed::Whole(1, 1000),
};
/// Smallest share of the document's words.
pub const SHARE: Parameter = Parameter {
    name: "share",
    about: "smallest share of a document's different words in its signature, as `minimum` for long documents",
    default: Preset::Fraction(0.1),
    allowed: Allowed::Fraction(0.0, 1.0),
};

/// How the words of a signature are hashed.
pub const HASH: Parameter = Parameter {
    name: "hash",
    about: "hash of the words: a sum of 64 bits whatever their order, or the first 64 bits of SHA-1 of the sorted words as \
            in the papers, which costs far more and finds the same pairs",
    default: Preset::Word("fast"),
    allowed: Allowed::Words(&["fast", "sha1"]),
};

/// Which hash the words of a signature get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// [`SetHash`].
    Fast,
    /// SHA-1 of the folded words in the order of their bytes, joined by one space; its first 64 bits.
    Sha1,
}

/// Where a word stands to the lexicon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The collection does not have it.
    Unknown,
    /// Above the upper bound: in the secondary lexicon.
    Rare,
    /// In the lexicon.
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
    /// With the values of [`NIDF`], [`MINIMUM`], [`SHARE`] and [`HASH`].
    pub fn new(values: &Values, statistics: &Statistics) -> Self {
        let mut lexicon = Self {
            statistics: statistics.clone(),
            bounds: values.fractions(NIDF.name).try_into().unwrap_or_default(),
            top: 0.0,
            documents: [0, 0],
            minimum: values.whole(MINIMUM.name).unwrap_or_default() as usize,
            share: values.fraction(SHARE.name).unwrap_or_default(),
            hash: if values.word(HASH.name) == "sha1" { Hash::Sha1 } else { Hash::Fast },
        };
        if let Some(fewest) = statistics.words().iter().map(|(_, frequency)| frequency.documents).min() {
            lexicon.top = statistics.idf(Frequency { documents: fewest, times: 0 });
        }
        // Where every word stands in every document none tells anything, and all count as common.
        if lexicon.top > 0.0 {
            let all = u32::try_from(statistics.documents()).unwrap_or(u32::MAX);
            let [low, high] = lexicon.bounds;
            let rarer = largest(all, |documents| lexicon.nidf(documents) > high + ROUNDING);
            let most = largest(all, |documents| lexicon.nidf(documents) >= low - ROUNDING);
            lexicon.documents = [rarer + 1, most];
        }
        lexicon
    }

    /// Which hash signatures get.
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

    /// Normalised idf of a word that stands in so many documents.
    pub fn nidf(&self, documents: u32) -> f64 {
        if self.top > 0.0 { self.statistics.idf(Frequency { documents, times: 0 }) / self.top } else { 0.0 }
    }

    /// Where a word stands that so many documents hold.
    #[inline]
    pub fn place(&self, documents: u32) -> Place {
        match documents {
            0 => Place::Unknown,
            n if n < self.documents[0] => Place::Rare,
            n if n <= self.documents[1] => Place::Within,
            _ => Place::Common,
        }
    }

    /// Words that count, with the documents of the collection that hold them.
    fn counting<'d>(&self, document: &'d Prepared<'_>) -> impl Iterator<Item = (&'d Term, u32)> {
        let words = document.terms().iter().zip(document.frequencies(&self.statistics));
        words.filter(|(term, _)| counts(term)).map(|(term, frequency)| (term, frequency.documents))
    }

    /// The words of a document that the lexicon has, and how many it needs.
    pub fn selection<'d>(&self, document: &'d Prepared<'_>) -> Selection<'d> {
        let (mut unique, mut within) = (0, Vec::with_capacity(document.terms().len()));
        for (term, documents) in self.counting(document) {
            unique += 1;
            if self.place(documents) == Place::Within {
                within.push(term);
            }
        }
        let share = (self.share * unique as f64 - ROUNDING).ceil() as usize;
        Selection { unique, needed: self.minimum.max(share), within }
    }

    /// The words of a document that are rarer than the lexicon's, in the order in which they are added.
    pub fn rarer<'d>(&self, document: &'d Prepared<'_>) -> Vec<&'d Term> {
        let mut rarer: Vec<(Reverse<u32>, u64, &Term)> = self
            .counting(document)
            .filter(|(_, documents)| self.place(*documents) == Place::Rare)
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

/// Hash of a set of words, whatever their order: the sum of their hashes, each finalised, and their number.
///
/// Two different sets A and B agree only where the hashes of A∖B and of B∖A have the same sum. These are spread over 64
/// bits like random numbers, so the chance is 2⁻⁶⁴ for a pair of sets: that of any 64-bit hash of the sorted words, such
/// as the first 64 bits of SHA-1, without sorting and without the words. Unlike SHA-1 it does not withstand someone who
/// *looks for* two sets of one sum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SetHash {
    /// Sum of the finalised hashes.
    sum: u64,
    /// Words in it.
    pub words: u64,
}

impl SetHash {
    /// Adds a word that is not in the set.
    #[inline]
    pub fn add(&mut self, word: u64) {
        self.sum = self.sum.wrapping_add(fmix64(word));
        self.words += 1;
    }

    /// Adds a set that has no word in common with this one.
    pub fn join(&mut self, other: &Self) {
        self.sum = self.sum.wrapping_add(other.sum);
        self.words += other.words;
    }

    /// The hash, spread over 64 bits; never 0.
    pub fn finish(self) -> u64 {
        fmix64(self.sum.wrapping_add(self.words.wrapping_mul(hash::S))).max(1)
    }
}

impl Extend<u64> for SetHash {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, words: I) {
        words.into_iter().for_each(|word| self.add(word));
    }
}

/// Whether a word is one of U.
#[inline]
fn counts(term: &Term) -> bool {
    // A content word that is shorter consists of ideographs.
    (term.letters >= SHORTEST || term.content) && term.digits <= DIGITS
}

/// The largest of 1 to `all` for which something holds that holds up to some number and for none behind; 0 if for none.
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

#[cfg(test)]
pub(super) mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::methods::imatch;
    use crate::methods::parameters::Value;
    use crate::methods::testing::{statistics, with};

    /// Documents such that each word stands in as many as it says, and all of them hold the word "everywhere".
    pub fn collection(documents: usize, words: &[(&str, usize)]) -> Vec<String> {
        let mut texts = vec!["everywhere".to_owned(); documents];
        for (i, (word, times)) in words.iter().enumerate() {
            for j in 0..*times {
                let text = &mut texts[(i + j) % documents];
                text.push(' ');
                text.push_str(word);
            }
        }
        texts
    }

    /// Ten documents, so that nidf = 1 − log10(df): 1, 0.70, 0.52, 0.40, 0.30, 0.22, 0.15, 0.10, 0.05, 0.
    pub const TEN: [(&str, usize); 13] = [
        ("harbour", 2),
        ("tide", 2),
        ("mill", 3),
        ("wheel", 4),
        ("miller", 5),
        ("grain", 6),
        ("water", 7),
        ("village", 8),
        ("millstone", 1),
        ("sluice", 1),
        ("headrace", 1),
        ("the", 4),
        ("1889", 3),
    ];

    fn fitted(set: &[(&str, Value)], texts: &[String]) -> Lexicon {
        let mut values = Values::new(&imatch::Entry);
        for (name, value) in set {
            values.set(name, value.clone()).unwrap();
        }
        Lexicon::new(&values, &statistics(&texts.iter().map(String::as_str).collect::<Vec<_>>()))
    }

    fn names(document: &Prepared<'_>, terms: &[&Term]) -> Vec<String> {
        terms.iter().map(|term| document.word(term).into_owned()).collect()
    }

    #[test]
    fn ten_documents_by_hand() {
        let lexicon = fitted(&[], &collection(10, &TEN));
        assert_eq!(lexicon.documents, [2, 6]);
        assert!((lexicon.nidf(5) - (1.0 - 5f64.log10())).abs() < 1e-12);
        let places: Vec<Place> = [0, 1, 2, 6, 7, 10].map(|documents| lexicon.place(documents)).into();
        use Place::{Common, Rare, Unknown, Within};
        assert_eq!(places, [Unknown, Rare, Within, Within, Common, Common]);
        with("The harbour, the WHEEL; water 1889 sluice grain unheard mill harbour", |document| {
            let selection = lexicon.selection(document);
            assert_eq!(names(document, &selection.within), ["harbour", "wheel", "grain", "mill"]);
            assert_eq!((selection.unique, selection.needed), (7, 5), "all but the and 1889");
            let rarer = lexicon.rarer(document);
            assert_eq!(names(document, &rarer), ["sluice"]);
            let chosen = selection.chosen(&rarer, |_| true).unwrap();
            assert_eq!(names(document, &chosen), ["harbour", "wheel", "grain", "mill", "sluice"]);
            assert!(selection.chosen(&[], |_| true).is_none(), "4 words, 5 are needed");
            assert!(selection.chosen(&rarer, |word| word != hash::token(b"mill")).is_none());
        });
    }

    #[test]
    fn bounds_are_included_and_may_be_any() {
        // 32 documents: nidf of 16 and of 2 is 1/5 and 4/5.
        let texts = collection(32, &[("once", 1)]);
        assert_eq!(fitted(&[], &texts).documents, [2, 16]);
        let of = |low, high| fitted(&[("nidf", Value::Fractions(vec![low, high]))], &texts).documents;
        assert_eq!(of(0.0, 1.0), [1, 32]);
        assert_eq!(of(0.0, 0.1), [23, 32], "32/2^0.5 = 22.6");
        assert_eq!(of(0.41, 0.59), [5, 7], "32/2^2.95 = 4.1 and 32/2^2.05 = 7.7");
    }

    #[test]
    fn a_collection_that_tells_nothing_has_no_lexicon() {
        for texts in [vec![], vec!["one single document with some words".to_owned()]] {
            let lexicon = fitted(&[("nidf", Value::Fractions(vec![0.0, 1.0]))], &texts);
            with("one single document with some words", |document| {
                assert!(lexicon.selection(document).within.is_empty());
                assert!(lexicon.rarer(document).is_empty());
            });
        }
    }

    #[test]
    fn words_that_count() {
        with("abc abcd ab1d ab12 the this 東京 가나 été étés 1234", |document| {
            let counting: Vec<&Term> = document.terms().iter().filter(|term| counts(term)).collect();
            assert_eq!(names(document, &counting), ["abcd", "ab1d", "this", "東京", "가나", "étés"]);
        });
    }

    #[test]
    fn rarer_words_come_by_frequency_and_then_by_hash() {
        let lexicon = fitted(&[("nidf", Value::Fractions(vec![0.0, 0.4]))], &collection(10, &TEN));
        with("sluice mill harbour tide headrace millstone wheel", |document| {
            let mut expected = ["sluice", "headrace", "millstone", "harbour", "tide", "mill"];
            expected.sort_by_key(|word| {
                let documents = TEN.iter().find(|(other, _)| other == word).unwrap().1;
                (Reverse(documents), hash::token(word.as_bytes()))
            });
            assert_eq!(expected[0], "mill");
            assert_eq!(names(document, &lexicon.rarer(document)), expected);
        });
    }

    #[test]
    fn needs_the_minimum_or_the_share() {
        let needed = |set: &[(&str, Value)], words: usize| {
            let lexicon = fitted(set, &collection(10, &TEN));
            let text: Vec<String> = (0..words).map(|i| format!("word{}", char::from(b'a' + i as u8))).collect();
            with(&text.join(" "), |document| lexicon.selection(document).needed)
        };
        assert_eq!([5, 20].map(|words| needed(&[], words)), [5, 5]);
        let share = |share| [("share", Value::Fraction(share))];
        assert_eq!([10, 11, 20, 21].map(|words| needed(&share(0.5), words)), [5, 6, 10, 11]);
        assert_eq!(needed(&share(0.28), 25), 7, "0.28 · 25 is above 7 in floating point");
        assert_eq!(needed(&[("minimum", Value::Whole(9))], 20), 9);
    }

    #[test]
    fn sets_hash_whatever_their_order() {
        let of = |words: &[u64]| {
            let mut set = SetHash::default();
            set.extend(words.iter().copied());
            set.finish()
        };
        assert_eq!(of(&[1, 2, 3]), of(&[3, 1, 2]));
        let different: BTreeSet<u64> =
            [&[][..], &[0], &[1], &[1, 2], &[1, 2, 3], &[1, 3], &[3]].into_iter().map(of).collect();
        assert_eq!(different.len(), 7);
        assert!(!different.contains(&0));
    }

    fn split(text: &str) -> BTreeSet<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    /// Normalised idf of every word of a collection, by the definition.
    pub fn naive_nidf(texts: &[String]) -> BTreeMap<String, f64> {
        let sets: Vec<BTreeSet<String>> = texts.iter().map(|text| split(text)).filter(|set| !set.is_empty()).collect();
        let idf =
            |word: &String| (sets.len() as f64 / sets.iter().filter(|set| set.contains(word)).count() as f64).ln();
        let words: BTreeSet<&String> = sets.iter().flatten().collect();
        let top = words.iter().map(|word| idf(word)).fold(0.0, f64::max);
        let nidf = |word: &String| if top > 0.0 { idf(word) / top } else { 0.0 };
        words.into_iter().map(|word| (word.clone(), nidf(word))).collect()
    }

    /// The words of the signature of `text`, by the definition: sets of strings and logarithms, nothing hashed but ties.
    pub fn naive(nidf: &BTreeMap<String, f64>, text: &str, keeps: &dyn Fn(&str) -> bool) -> Option<BTreeSet<String>> {
        let digits = |word: &str| word.chars().filter(char::is_ascii_digit).count();
        let unique: BTreeSet<String> = split(text).into_iter().filter(|w| w.len() >= 4 && digits(w) < 2).collect();
        let within = |word: &&String| nidf.get(*word).is_some_and(|x| (0.2 - 1e-9..=0.8 + 1e-9).contains(x));
        let mut chosen: BTreeSet<String> = unique.iter().filter(within).filter(|w| keeps(w)).cloned().collect();
        let mut rarer: Vec<(f64, u64, &String)> = Vec::new();
        for word in &unique {
            let rare = nidf.get(word).filter(|x| **x > 0.8 + 1e-9);
            rarer.extend(rare.map(|x| (*x, hash::token(word.as_bytes()), word)));
        }
        rarer.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let needed = unique.len().div_ceil(10).max(5);
        for (_, _, word) in rarer {
            if chosen.len() < needed {
                chosen.insert(word.clone());
            }
        }
        (unique.len() >= 5 && chosen.len() >= needed).then_some(chosen)
    }

    /// The hash of a set of words, by the definition.
    pub fn naive_hash(words: &BTreeSet<String>) -> u64 {
        let sum: u128 = words.iter().map(|word| u128::from(fmix64(hash::token(word.as_bytes())))).sum();
        fmix64((sum as u64).wrapping_add((words.len() as u64).wrapping_mul(hash::S)))
    }

    /// Texts of words that are common and rare, short and with digits; the second of each two has the words of
    /// the first in another order, or lacks some.
    pub fn texts() -> impl Strategy<Value = Vec<String>> {
        let word = (0usize..40, 0usize..40).prop_map(|(a, b)| {
            let i = a.min(b);
            match i % 8 {
                6 => format!("ab{}", i % 10),
                7 => format!("abc{}", 10 + i),
                _ => format!("word{}", char::from(b'a' + (i % 26) as u8).to_string().repeat(1 + i / 26)),
            }
        });
        let words = proptest::collection::vec(word, 0..30);
        let change = (any::<prop::sample::Index>(), 0..4usize);
        proptest::collection::vec((words, change), 1..14).prop_map(|documents| {
            let mut texts = Vec::new();
            for (mut words, (place, changes)) in documents {
                texts.push(words.join(" "));
                if changes == 0 {
                    words.reverse();
                }
                for _ in 0..changes.min(words.len()) {
                    let at = place.index(words.len());
                    words.remove(at);
                }
                texts.push(words.join(" "));
            }
            texts
        })
    }
}
