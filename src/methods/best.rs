//! The combination that we found best: similar vocabularies, and similar passages that belong to the page alone.
//!
//! Pages of one site share their frame, and pages made from one form (box scores, notices, stubs) share most of their
//! words while they say different things. So this asks two questions. Are the vocabularies similar? And are the *own*
//! shingles similar, those that occur on few pages of the collection? A shingle on more than `common` of the pages learned
//! from belongs to a frame or a form. The first question keeps pages apart that have grown or shrunk, the second tells a
//! near-duplicate from another page of the same form. What counts as a near-duplicate is the study's decision:
//! `vocabulary = 0` leaves the first question out, so that a page in a new template still matches.
//!
//! The vocabularies are compared whole: their Jaccard is the one that is shown for every pair. The own shingles are
//! compared by the `keep` smallest hashes of each set (Broder, SEQUENCES 1997, the second of his samplings): exactly for
//! documents that have fewer, otherwise with a standard error of √(J(1−J)/keep), and the explanation says which. Keys are
//! the words that are rarest in the collection, by the prefix filter. A page of fewer words than a shingle has all of its
//! words as its one own shingle, so that identical texts always match.
//!
//! Cost: one look a distinct word and one a shingle, two selections. The sketch has a word for each distinct word, and at
//! most `keep` for the own shingles. (Ours; measured in the manual.)

use std::sync::Arc;

use super::algorithm::{self, Algorithm, Collection};
use super::curves::stated_error;
use super::explanation::{Explanation, Side};
use super::measures::sort_hashes;
use super::method::{Evidence, Method, Reasons, Shape};
use super::own_shingles::{CommonShingles, common_shingles, own_shingles};
use super::parameters::{Declaration, MethodError};
use super::prepared::{LONGEST, Prepared};
use super::sampled::{named_shingles, prefix_length, resemblance, thousandths};
use super::statistics::Statistics;
use dejaview_base::similarity::{common_if_enough, least_for_jaccard};

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    vocabulary: f64,
    own: f64,
    common: usize,
    shingle: usize,
    keep: usize,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "best";
    const ABOUT: &'static str = "alike in vocabulary and in the shingles that are the page's own, not its site's or its form's (ours, on Broder's smallest fingerprints)";
    const DISTANCE: &'static str = "thousandths that the resemblance of own shingles is short of 1, rounded down";
    const FITTED: bool = true;
    const LEARNS: bool = true;
    /// 2: vocabularies decide exactly, and pages of fewer words than a shingle have a sketch.
    const REVISION: u32 = 2;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            vocabulary: declaration.fraction(
                "vocabulary",
                0.9,
                0.0..=1.0,
                "least Jaccard of the sets of words; 0 does not ask, so that a page in another template may match",
            ),
            own: declaration.fraction(
                "own",
                0.6,
                0.05..=1.0,
                "least Jaccard of the sets of own shingles; raising it tells near-duplicates from siblings more sharply",
            ),
            common: declaration.whole(
                "common",
                10,
                1..=10_000,
                "a shingle on more pages than this is not a page's own; a collection with many copies needs more",
            ),
            shingle: declaration.whole("shingle", 3, 1..=LONGEST, "words in a shingle"),
            keep: declaration.whole(
                "keep",
                512,
                16..=4096,
                "hashes kept of the own shingles; more are exact for longer pages and take more memory",
            ),
        }
    }

    fn learn(&self, texts: &[String]) -> Vec<u64> {
        common_shingles(texts, self.shingle, self.common)
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(Best {
            vocabulary: self.vocabulary,
            own: self.own,
            shingle: self.shingle,
            keep: self.keep,
            common: Arc::new(collection.learned.iter().copied().collect()),
            statistics: collection.statistics.clone(),
        }))
    }
}

/// A configuration of the combination.
#[derive(Debug)]
pub struct Best {
    vocabulary: f64,
    own: f64,
    shingle: usize,
    keep: usize,
    common: Arc<CommonShingles>,
    statistics: Statistics,
}

/// The parts of a sketch.
#[derive(Debug, Clone, Copy)]
struct Parts<'a> {
    keys: &'a [u64],
    /// Hashes of all distinct words, ascending; empty when the vocabulary is not compared.
    words: &'a [u64],
    /// The smallest hashes of own shingles, ascending.
    own: &'a [u64],
}

impl<'a> Parts<'a> {
    fn split(sketch: &'a [u64]) -> Self {
        let Some((&counts, rest)) = sketch.split_first() else { return Self { keys: &[], words: &[], own: &[] } };
        let (keys, rest) = rest.split_at((counts >> 32) as usize);
        let (words, own) = rest.split_at(counts as u32 as usize);
        Self { keys, words, own }
    }
}

impl Best {
    /// Words in a shingle of this page; a page with fewer words has one shingle of all of them.
    fn shingle_length(&self, document: &Prepared<'_>) -> usize {
        self.shingle.min(document.tokens().len())
    }

    /// Hashes of the page's shingles in order, repeated ones included.
    fn shingles<'d>(&self, document: &'d Prepared<'_>) -> &'d [u64] {
        match self.shingle_length(document) {
            0 => &[],
            length => document.grams(length),
        }
    }

    /// Hashes of the page's own shingles, ascending; all of its shingles when it has too few of its own.
    fn own_shingles(&self, document: &Prepared<'_>) -> Vec<u64> {
        own_shingles(self.shingles(document), &self.common)
    }

    fn words(document: &Prepared<'_>) -> Vec<u64> {
        let mut words: Vec<u64> = document.terms().iter().map(|term| term.hash).collect();
        sort_hashes(&mut words);
        words
    }

    /// Those of the kept hashes that must be looked up so that no resemblance of `least` is missed, rare ones first.
    fn prefix(kept: &[u64], least: f64, rarity: impl Fn(u64) -> u32) -> Vec<u64> {
        let mut ranked: Vec<(u32, u64)> = kept.iter().map(|&hash| (rarity(hash), hash)).collect();
        let length = prefix_length(kept.len(), least);
        if length < ranked.len() {
            ranked.select_nth_unstable(length);
            ranked.truncate(length);
        }
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, hash)| hash).collect()
    }

    /// Whether the sketches contain all own shingles of both pages, so that their Jaccard is exact.
    fn has_all_shingles(&self, a: Parts<'_>, b: Parts<'_>) -> bool {
        a.own.len().max(b.own.len()) < self.keep
    }

    /// Jaccard of the words, exactly, and of the own shingles, by their smallest hashes.
    fn resemblances(&self, a: Parts<'_>, b: Parts<'_>) -> [f64; 2] {
        let limit = if self.has_all_shingles(a, b) { usize::MAX } else { self.keep };
        [resemblance(a.words, b.words, usize::MAX), resemblance(a.own, b.own, limit)]
    }
}

impl Method for Best {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let mut own = self.own_shingles(document);
        if own.is_empty() {
            return false;
        }
        own.truncate(self.keep);
        let mut words = Self::words(document);
        let keys = if self.vocabulary > 0.0 {
            Self::prefix(&words, self.vocabulary, |word| self.statistics.frequency(word).documents)
        } else {
            words.clear();
            Self::prefix(&own, self.own, |_| 0)
        };
        out.push((keys.len() as u64) << 32 | words.len() as u64);
        out.extend(keys);
        out.extend(words);
        out.extend(own);
        true
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend_from_slice(Parts::split(sketch).keys);
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let (a, b) = (Parts::split(a), Parts::split(b));
        common_if_enough(a.words, b.words, least_for_jaccard(self.vocabulary, a.words.len() + b.words.len()))?;
        let [words, own] = self.resemblances(a, b);
        (words >= self.vocabulary && own >= self.own).then(|| Evidence { distance: thousandths(own) })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let [mut a, mut b] = [Vec::new(), Vec::new()];
        if !(self.sketch(source, &mut a) & self.sketch(target, &mut b)) {
            let claim = "a document has no words".to_owned();
            return Reasons { claim, ..Reasons::default() };
        }
        let (a, b) = (Parts::split(&a), Parts::split(&b));
        let [words, own] = self.resemblances(a, b);
        let asked = |value: f64, least: f64| if value >= least { "enough" } else { "too little" };
        let vocabulary = if self.vocabulary > 0.0 {
            let claim =
                format!("vocabularies: Jaccard {words:.3}, {} for {}", asked(words, self.vocabulary), self.vocabulary);
            Explanation::new(claim, words)
        } else {
            Explanation::new("vocabularies are not asked for", 0.0)
        };
        let [only_source, only_target] = [(source, target, Side::Source), (target, source, Side::Target)]
            .map(|(x, y, side)| self.only_in(x, y, side));
        let decisive = only_target.parts.iter().flat_map(|p| p.spans.iter().map(|(_, span)| span.clone())).collect();
        let by = if self.has_all_shingles(a, b) {
            String::new()
        } else {
            format!(" ± {:.3}, estimated from the {} smallest hashes", stated_error(own, self.keep), self.keep)
        };
        let own_claim = format!("own shingles: Jaccard {own:.3}{by}, {} for {}", asked(own, self.own), self.own);
        let own_part = Explanation::new(own_claim.clone(), own).with(vec![
            self.left_out(source, target),
            only_source,
            only_target,
        ]);
        let claim = format!("{own_claim}; {}", vocabulary.claim);
        let value = f64::from(thousandths(own));
        Reasons { claim, value: Some(value), parts: vec![own_part, vocabulary], decisive, ..Reasons::default() }
    }
}

impl Best {
    /// How many shingles of both pages are left out because they are common.
    fn left_out(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Explanation {
        let frame = |document: &Prepared<'_>| {
            let mut different = self.shingles(document).to_vec();
            different.sort_unstable();
            different.dedup();
            (different.iter().filter(|shingle| self.common.contains(shingle)).count(), different.len())
        };
        let ((a, of_a), (b, of_b)) = (frame(source), frame(target));
        let claim = format!(
            "left out because they stand on many pages: {a} of {of_a} different shingles of the source, {b} of {of_b} of the \
             target"
        );
        Explanation::new(claim, (a + b) as f64)
    }

    /// Own shingles that the other page does not have.
    fn only_in(&self, document: &Prepared<'_>, other: &Prepared<'_>, side: Side) -> Explanation {
        let (mine, theirs) = (self.own_shingles(document), self.own_shingles(other));
        let only: Vec<u64> = mine.iter().copied().filter(|shingle| theirs.binary_search(shingle).is_err()).collect();
        let named = named_shingles(document, self.shingle_length(document), self.shingles(document), &only, side);
        let claim = format!("{} of its {} own shingles stand in the {} only", only.len(), mine.len(), side.name());
        Explanation::new(claim, only.len() as f64).with(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, reasons, sketch, verdict};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const FORM: &str = "Final score of the league game played at the old harbour ground before a crowd of";

    fn games() -> Vec<String> {
        let teams = [
            "Gulls", "Rovers", "Owls", "Miners", "Foxes", "Badgers", "Kites", "Herons", "Terns", "Otters", "Pikes",
            "Crows", "Bears",
        ];
        let game = |(i, team): (usize, &&str)| {
            format!(
                "{FORM} {} people: {team} {} runs, {} hits, pitcher {}",
                900 + 37 * i,
                i + 2,
                2 * i + 5,
                teams[(i * 5 + 3) % 13]
            )
        };
        teams.iter().enumerate().map(game).collect()
    }

    #[test]
    fn pages_of_one_form_are_told_from_near_duplicates() {
        let games = games();
        let collection: Vec<&str> = games.iter().map(String::as_str).collect();
        let method = fitted(&ALGORITHM, &[("vocabulary", Value::Fraction(0.0))], &collection);
        assert_eq!(verdict(&*method, &games[0], &games[0]), Some(Evidence { distance: 0 }));
        assert_eq!(verdict(&*method, &games[0], &games[1]), None, "another game");
        let again = format!("Home News Sport. {} Copyright.", games[0]);
        assert!(verdict(&*method, &games[0], &again).is_some(), "the same game in another frame");
        let both = fitted(&ALGORITHM, &[("own", Value::Fraction(0.05))], &collection);
        assert_eq!(verdict(&*both, &games[0], &format!("{} {}", games[0], "a b c d e f g h")), None, "vocabulary");
    }

    /// Pages far longer than `keep`, on both sides of the cut: 96 of 104 words and 90 of 110.
    #[test]
    fn long_vocabularies_decide_exactly() {
        let method = fitted(&ALGORITHM, &[("own", Value::Fraction(0.05)), ("keep", Value::Whole(16))], &[]);
        for round in 0..40 {
            let page = |from: usize, to: usize| (from..to).map(|i| format!("r{round}w{i} ")).collect::<String>();
            let (a, near, far) = (page(0, 2000), page(0, 1900) + &page(5000, 5090), page(0, 1880) + &page(5000, 5110));
            assert!(naive(&a, &near, 1) >= 0.9 && naive(&a, &far, 1) < 0.9);
            assert!(verdict(&*method, &a, &near).is_some(), "{round}");
            assert!(verdict(&*method, &a, &far).is_none(), "{round}");
        }
    }

    #[test]
    fn an_explanation_calls_no_estimate_exact() {
        let method = fitted(&ALGORITHM, &[("keep", Value::Whole(16))], &[]);
        let (a, b) = ((0..90).map(|i| format!("w{i} ")).collect::<String>(), "a b c d e f g h i j ");
        let claim = reasons(&*method, &a, &(a.clone() + b)).claim;
        assert!(claim.contains("Jaccard 0.900, enough for 0.9") && !claim.contains("exactly"), "{claim}");
        assert!(claim.contains("estimated from the 16 smallest hashes"), "{claim}");
        let short = reasons(&*method, "one two three four five", "one two three four six").claim;
        assert!(!short.contains("estimated"), "{short}");
    }

    #[test]
    fn identical_texts_match_however_short() {
        for vocabulary in [0.0, 0.9] {
            let method = fitted(&ALGORITHM, &[("vocabulary", Value::Fraction(vocabulary))], &[]);
            for text in ["Loading", "Not found", "Page not found"] {
                assert_eq!(verdict(&*method, text, text), Some(Evidence { distance: 0 }), "{text}");
            }
            assert_eq!(verdict(&*method, "Not found", "Page not found"), None);
            assert_eq!(sketch(&*method, ""), None);
        }
    }

    fn naive(a: &str, b: &str, n: usize) -> f64 {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
        let set = |text: &str| words(text).windows(n).map(<[String]>::to_vec).collect::<BTreeSet<_>>();
        let (a, b) = (set(a), set(b));
        a.intersection(&b).count() as f64 / a.union(&b).count().max(1) as f64
    }

    proptest! {
        #[test]
        fn short_pages_are_compared_exactly_and_keys_lose_nothing(
            texts in proptest::collection::vec(proptest::collection::vec("[a-f]", 1..14), 2..10),
            vocabulary in 0u32..=9,
            own in 1u32..=9,
        ) {
            let texts: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
            let (v, o) = (f64::from(vocabulary) / 10.0, f64::from(own) / 10.0);
            let method = fitted(&ALGORITHM, &[("vocabulary", Value::Fraction(v)), ("own", Value::Fraction(o))], &[]);
            for a in &texts {
                for b in &texts {
                    let expected = (v == 0.0 || naive(a, b, 1) >= v) && (naive(a, b, 3) >= o || a == b);
                    prop_assert_eq!(verdict(&*method, a, b).is_some(), expected, "{} | {}", a, b);
                    if let (true, Some(x), Some(y)) = (expected, sketch(&*method, a), sketch(&*method, b)) {
                        prop_assert!(Parts::split(&x).keys.iter().any(|key| Parts::split(&y).keys.contains(key)));
                    }
                }
            }
        }

        #[test]
        fn long_pages_are_compared_by_their_smallest_hashes(seed in any::<u64>(), changed in 0usize..40) {
            let word = |i: usize| format!("w{}", dejaview_base::hash::fmix64(seed ^ i as u64) % 100_000);
            let a: Vec<String> = (0..400).map(word).collect();
            let mut b = a.clone();
            for (i, slot) in b.iter_mut().step_by(10).take(changed).enumerate() {
                *slot = format!("x{i}");
            }
            let (a, b) = (a.join(" "), b.join(" "));
            let method = fitted(&ALGORITHM, &[("vocabulary", Value::Fraction(0.8)), ("own", Value::Fraction(0.5)), ("keep", Value::Whole(64))], &[]);
            let (x, y) = (sketch(&*method, &a).unwrap(), sketch(&*method, &b).unwrap());
            let exact = naive(&a, &b, 1) >= 0.8;
            prop_assert!(exact || method.compare(&x, &y).is_none(), "the vocabulary decides exactly");
            prop_assert!(Parts::split(&x).own.len() <= 64);
            prop_assert_eq!(method.compare(&x, &y), method.compare(&y, &x));
            if method.compare(&x, &y).is_some() {
                prop_assert!(Parts::split(&x).keys.iter().any(|key| Parts::split(&y).keys.contains(key)));
            }
        }
    }
}
