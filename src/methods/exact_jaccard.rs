//! Exact Jaccard: every pair whose sets of word n-grams have at least a given Jaccard similarity, and no other.
//!
//! A set-similarity join with the prefix filter (Chaudhuri, Ganti and Kaushik, ICDE 2006; Bayardo, Ma and Srikant, WWW
//! 2007): put the n-grams of all documents into one order, rare ones first. Two sets of similarity t or more then share
//! one of the first |A| − ⌈t·|A|⌉ + 1 of each, so these are the keys. Whoever shares one is compared by a merge that stops
//! as soon as the threshold is out of reach.
//!
//! This is the truth that the other methods are measured against. Cost: one pass over the distinct n-grams and a
//! selection a document; 8 bytes for each of them, and for each key 8 more, in memory. The order is by the document
//! frequency of the n-gram's rarest word, then by hash; statistics change the speed, never the pairs.

use std::collections::HashMap;

use super::algorithm::{self, Algorithm, Collection};
use super::explanation::{Explanation, Side};
use super::measures::sort_hashes;
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::{LONGEST, Prepared};
use super::sampled::{prefix_length, thousandths};
use super::statistics::Statistics;
use dejaview_base::similarity::{common_if_enough, jaccard, least_for_jaccard};

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    ngram: usize,
    threshold: f64,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "exact-jaccard";
    const ABOUT: &'static str = "every pair whose sets of word n-grams are alike enough, found exactly (prefix filter: Chaudhuri et al. 2006, Bayardo et al. 2007)";
    const DISTANCE: &'static str = "thousandths that the Jaccard is short of 1, rounded down";
    const FITTED: bool = true;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            ngram: declaration.whole(
                "ngram",
                1,
                1..=LONGEST,
                "words in an n-gram; 1 compares vocabularies, longer ones ask for the same wording",
            ),
            threshold: declaration.fraction(
                "threshold",
                0.9,
                0.05..=1.0,
                "least Jaccard of a pair; lowering it finds more pairs and costs more",
            ),
        }
    }

    fn finds_all(&self) -> Option<(usize, f64)> {
        Some((self.ngram, self.threshold))
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let Self { ngram: n, threshold } = self;
        Ok(Box::new(ExactJaccard { n, threshold, statistics: collection.statistics.clone() }))
    }
}

/// A configuration of exact Jaccard.
#[derive(Debug)]
pub struct ExactJaccard {
    n: usize,
    threshold: f64,
    statistics: Statistics,
}

/// The parts of a sketch: the keys, then all distinct n-grams, ascending.
fn parts(sketch: &[u64]) -> (&[u64], &[u64]) {
    let Some((&keys, rest)) = sketch.split_first() else { return (&[], &[]) };
    rest.split_at(keys as usize)
}

impl ExactJaccard {
    /// Distinct n-grams with the document frequency of their rarest word.
    fn ranked(&self, document: &Prepared<'_>) -> Vec<(u32, u64)> {
        let frequencies = document.frequencies(&self.statistics);
        if self.n == 1 {
            let terms = document.terms().iter().zip(frequencies);
            return terms.map(|(term, frequency)| (frequency.documents, term.hash)).collect();
        }
        let words = document.term_numbers();
        let rarest = |words: &[u32]| words.iter().map(|&word| frequencies[word as usize].documents).min();
        let mut grams: Vec<(u32, u64)> = words
            .windows(self.n)
            .zip(document.grams(self.n))
            .map(|(words, &gram)| (rarest(words).unwrap_or_default(), gram))
            .collect();
        grams.sort_unstable();
        grams.dedup();
        grams
    }
}

impl Method for ExactJaccard {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let mut ranked = self.ranked(document);
        if ranked.is_empty() {
            return false;
        }
        let prefix = prefix_length(ranked.len(), self.threshold);
        if prefix < ranked.len() {
            ranked.select_nth_unstable(prefix - 1);
        }
        out.push(prefix as u64);
        out.extend(ranked[..prefix].iter().map(|(_, gram)| gram));
        let start = out.len();
        out.extend(ranked.iter().map(|(_, gram)| gram));
        sort_hashes(&mut out[start..]);
        true
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend_from_slice(parts(sketch).0);
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let (a, b) = (parts(a).1, parts(b).1);
        let least = least_for_jaccard(self.threshold, a.len() + b.len());
        let common = common_if_enough(a, b, least)?;
        let similarity = jaccard(common as u32, a.len() as u32, b.len() as u32);
        (similarity >= self.threshold).then_some(Evidence { distance: thousandths(similarity) })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let sets = [source, target].map(|document| {
            let mut set: Vec<u64> = self.ranked(document).into_iter().map(|(_, gram)| gram).collect();
            set.sort_unstable();
            set
        });
        if sets.iter().any(Vec::is_empty) {
            let claim = format!("a document has fewer than {} words", self.n);
            return Reasons { claim, ..Reasons::default() };
        }
        let [a, b] = &sets;
        let common = a.iter().filter(|gram| b.binary_search(gram).is_ok()).count();
        let similarity = jaccard(common as u32, a.len() as u32, b.len() as u32);
        let union = a.len() + b.len() - common;
        let what = if self.n == 1 { "words".to_owned() } else { format!("{}-grams", self.n) };
        let claim = format!(
            "{common} of {union} different {what} stand in both: Jaccard {similarity:.4}, at least {} is asked for",
            self.threshold
        );
        let only_source = self.only_in(source, Side::Source, b, &what);
        let only_target = self.only_in(target, Side::Target, a, &what);
        let decisive = spans(&only_target);
        let value = f64::from(thousandths(similarity));
        Reasons { claim, value: Some(value), parts: vec![only_source, only_target], decisive, ..Reasons::default() }
    }
}

/// n-grams named on each side.
const NAMED: usize = 20;

impl ExactJaccard {
    /// The n-grams of a document that the other does not have, in the order of the text.
    fn only_in(&self, document: &Prepared<'_>, side: Side, other: &[u64], what: &str) -> Explanation {
        let hashes: Vec<u64> =
            if self.n == 1 { document.tokens().hashes().to_vec() } else { document.grams(self.n).to_vec() };
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut order = Vec::new();
        for (i, &gram) in hashes.iter().enumerate() {
            if other.binary_search(&gram).is_err() {
                let places = places.entry(gram).or_default();
                if places.is_empty() {
                    order.push(gram);
                }
                places.push(i);
            }
        }
        let named = order.iter().take(NAMED).map(|gram| {
            let places = &places[gram];
            let words = &document.text()[document.gram_span(places[0], self.n)];
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            let claim = format!("“{words}”, {} times", places.len());
            let named = Explanation::new(claim, places.len() as f64);
            places.iter().fold(named, |named, &i| named.at(side, document.gram_span(i, self.n)))
        });
        let named = named.collect();
        let more = if order.len() > NAMED { format!(", the first {NAMED} of them here") } else { String::new() };
        let claim = format!("{} {what} stand in the {} only{more}", order.len(), side.name());
        Explanation::new(claim, order.len() as f64).with(named)
    }
}

fn spans(explanation: &Explanation) -> Vec<std::ops::Range<usize>> {
    explanation.parts.iter().flat_map(|part| part.spans.iter().map(|(_, span)| span.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch, verdict};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn method(n: u64, threshold: f64, texts: &[&str]) -> Box<dyn Method> {
        fitted(&ALGORITHM, &[("ngram", Value::Whole(n)), ("threshold", Value::Fraction(threshold))], texts)
    }

    fn naive(a: &str, b: &str, n: usize) -> f64 {
        let set = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            words.windows(n).map(<[String]>::to_vec).collect::<BTreeSet<_>>()
        };
        let (a, b) = (set(a), set(b));
        a.intersection(&b).count() as f64 / a.union(&b).count().max(1) as f64
    }

    #[test]
    fn nine_of_ten_words_are_nine_tenths() {
        let (a, b) = ("a b c d e f g h i", "a b c d e f g h i j");
        assert_eq!(verdict(&*method(1, 0.9, &[]), a, b), Some(Evidence { distance: 100 }));
        assert_eq!(verdict(&*method(1, 0.91, &[]), a, b), None);
        assert_eq!(verdict(&*method(1, 1.0, &[]), a, a), Some(Evidence { distance: 0 }));
        assert_eq!(sketch(&*method(3, 0.9, &[]), "two words"), None);
    }

    proptest! {
        #[test]
        fn finds_what_all_pairs_find(
            texts in proptest::collection::vec(proptest::collection::vec("[a-f]", 1..14), 2..12),
            n in 1usize..4,
            tenths in 1u32..=10,
            known in any::<bool>(),
        ) {
            let texts: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
            let collection: Vec<&str> = if known { texts.iter().map(String::as_str).collect() } else { Vec::new() };
            let threshold = f64::from(tenths) / 10.0;
            let method = method(n as u64, threshold, &collection);
            for a in &texts {
                for b in &texts {
                    let expected = naive(a, b, n);
                    let found = verdict(&*method, a, b);
                    let enough = a.split(' ').count().min(b.split(' ').count()) >= n;
                    prop_assert_eq!(found.is_some(), enough && expected >= threshold, "{} {} {}", a, b, expected);
                    if let (true, Some(x), Some(y)) = (found.is_some(), sketch(&*method, a), sketch(&*method, b)) {
                        let keys: Vec<u64> = parts(&x).0.to_vec();
                        prop_assert!(parts(&y).0.iter().any(|key| keys.contains(key)), "{} {}", a, b);
                    }
                }
            }
        }
    }
}
