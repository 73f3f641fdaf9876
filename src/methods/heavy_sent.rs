//! The heaviest sentences of a page: those whose words are rare in the collection and frequent on the page (A5 of
//! Zelenkov and Segalovich, RCDL 2007: recall 0.62, precision 0.86).
//!
//! The weight of a sentence is the sum of the BM25 weights (`weights`) of its content words, each as often as it
//! stands there. The `sentences` heaviest, ties alphabetical, are joined in alphabetical order and hashed
//! (`top_sentences`). Cost: a logarithm a distinct content word, an addition a word of a sentence, a
//! comparison a sentence.
//!
//! Ours: weights are cut to multiples of 2^-24, so that sums do not depend on the order of words; pages with fewer sentences have no
//! sketch, and without a collection none has. A word that the collection does not have counts as one in no document.

use super::algorithm::{self, Algorithm, Collection};
use super::explanation::{Explanation, Side};
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;
use super::statistics::Statistics;
use super::top_sentences::{Ranking, STEPS, SignatureRule, Unit};
use super::weights::bm25;
use super::wording::count;

/// Words that an explanation names on each side.
const NAMED: usize = 10;

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters(SignatureRule);

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "heavy-sent";
    const ABOUT: &'static str = "the sentences of the highest BM25 weight as one signature; equal ones match (Zelenkov and Segalovich 2007, A5)";
    const DISTANCE: &'static str = "always 0: signatures are equal or not";
    const FITTED: bool = true;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self(SignatureRule::declare(declaration))
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(HeavySent { rule: self.0, statistics: collection.statistics.clone() }))
    }
}

/// A configuration of the method, fitted to a collection.
#[derive(Debug)]
pub struct HeavySent {
    rule: SignatureRule,
    statistics: Statistics,
}

impl HeavySent {
    /// The weight of each distinct word, in [`STEPS`]; nothing where it is no content word.
    fn weights(&self, document: &Prepared<'_>) -> Vec<i64> {
        let (length, average) = (document.content_length(), self.statistics.average_length());
        let terms = document.terms().iter().zip(document.frequencies(&self.statistics));
        terms
            .map(|(term, frequency)| {
                if !term.content {
                    return 0;
                }
                let weight = bm25(term.tf, length, average, self.statistics.documents(), frequency.documents);
                (weight * STEPS) as i64
            })
            .collect()
    }

    /// The weight of each sentence.
    fn sentence_weights(&self, document: &Prepared<'_>) -> Vec<i64> {
        let (weights, of) = (self.weights(document), document.term_numbers());
        let sum = |words: &[u32]| words.iter().map(|&term| weights[term as usize]).sum();
        let sentences = document.sentences().iter();
        sentences.map(|sentence| sum(&of[sentence.tokens.start as usize..sentence.tokens.end as usize])).collect()
    }

    /// The words that weigh most in the chosen sentences of one side.
    fn heaviest(&self, document: &Prepared<'_>, ranking: &Ranking<'_>) -> Explanation {
        let (weights, of) = (self.weights(document), document.term_numbers());
        let frequencies = document.frequencies(&self.statistics);
        let tokens = ranking.chosen().iter().flat_map(|&i| document.sentences()[i].tokens.clone());
        let mut places: Vec<(usize, usize)> = tokens.map(|i| (of[i as usize] as usize, i as usize)).collect();
        places.retain(|&(term, _)| document.terms()[term].content);
        places.sort_by_key(|&(term, i)| (-weights[term], term, i));
        let groups: Vec<&[(usize, usize)]> = places.chunk_by(|a, b| a.0 == b.0).collect();
        let parts = groups.iter().take(NAMED).map(|group| {
            let (term, weight) = (&document.terms()[group[0].0], weights[group[0].0] as f64 / STEPS);
            let common = frequencies[group[0].0].documents;
            let claim = format!(
                "“{}”, weight {weight:.2}, {}× in these sentences, {}× in the {}, in {common} of {}",
                document.word(term),
                group.len(),
                term.tf,
                ranking.side.name(),
                count(self.statistics.documents() as usize, "document"),
            );
            let part = Explanation::new(claim, weight);
            group.iter().fold(part, |part, &(_, i)| part.at(ranking.side, document.tokens().span(i)))
        });
        let more = groups.len().saturating_sub(NAMED);
        let rest = if more == 0 { String::new() } else { format!(", and {more} more") };
        Explanation::new(
            format!("{}: words of these sentences by weight{rest}", ranking.side.name()),
            groups.len() as f64,
        )
        .with(parts.collect())
    }
}

impl Method for HeavySent {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        if self.statistics.is_empty() {
            return false;
        }
        let sentence_weights = self.sentence_weights(document);
        self.rule.sketch(document, |i| sentence_weights[i], out)
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        self.rule.keys(sketch, out);
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        SignatureRule::compare(a, b)
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        if self.statistics.is_empty() {
            let claim = "there is no collection to weigh words by".to_owned();
            return Reasons { claim, ..Reasons::default() };
        }
        let [sentence_weights, others] = [source, target].map(|document| self.sentence_weights(document));
        let here = self.rule.ranking(Side::Source, source, |i| sentence_weights[i]);
        let there = self.rule.ranking(Side::Target, target, |i| others[i]);
        let mut reasons = self.rule.reasons(&here, &there, Unit::Weight);
        if reasons.value.is_some() {
            reasons.parts.push(self.heaviest(source, &here));
            reasons.parts.push(self.heaviest(target, &there));
        }
        reasons
    }

    fn print(&self, sketch: &[u64]) -> String {
        self.rule.print(sketch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{
        cut, defined_sentences, fitted, prose, reasons, similar_texts, sketch, statistics, verdict, with,
    };
    use crate::top_sentences::testing::signature;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const COLLECTION: [&str; 4] = [
        "The harbour stands open. Boats leave daily from here.",
        "The harbour stands shut. Boats leave seldom from here.",
        "Lanterns burn along the quay, lanterns of brass.",
        "Adders bask openly near the harbour. Quay workers mended lanterns.",
    ];

    fn usual() -> Box<dyn Method> {
        fitted(&ALGORITHM, &[], &COLLECTION)
    }

    /// The weight of a word by its definition: what it is in the collection, counted over texts.
    fn defined_weight(word: &str, tf: f64, dl: f64) -> f64 {
        let words: Vec<Vec<String>> =
            COLLECTION.iter().map(|text| with(text, |d| defined_sentences(d).concat())).collect();
        let average = words.iter().map(Vec::len).sum::<usize>() as f64 / 4.0;
        let df = words.iter().filter(|words| words.iter().any(|w| w == word)).count() as f64;
        tf / (2.0 * (0.25 + 0.75 * dl / average) + tf) * ((4.0 - df + 0.5) / (df + 0.5)).ln()
    }

    #[test]
    fn rare_words_weigh_more_than_many_common_ones() {
        let one = fitted(&ALGORITHM, &[("sentences", Value::Whole(1))], &COLLECTION);
        // Harbour stands in three of four documents and weighs less than nothing, adders in one.
        let text = "The harbour stands open near the harbour quay. The adders bask here.";
        assert_eq!(sketch(&*one, text), Some(vec![signature(&["adders bask"])]));
        let none = fitted(&ALGORITHM, &[], &[]);
        assert_eq!(sketch(&*none, text), None);
        let answer = with(text, |d| none.reasons(d, d));
        assert!(answer.value.is_none() && answer.claim.contains("no collection"));
    }

    #[test]
    fn collections_without_content_words_do_no_harm() {
        let method = fitted(&ALGORITHM, &[], &["it is so", "so it is"]);
        assert_eq!(statistics(&["it is so"]).average_length(), 0.0);
        assert!(sketch(&*method, COLLECTION[0]).is_some());
    }

    #[test]
    fn too_few_sentences_have_no_sketch() {
        for text in ["", "one", "Boats leave daily from here", "Boats leave daily. It is so."] {
            assert_eq!(sketch(&*usual(), text), None, "{text}");
        }
    }

    #[test]
    fn a_miss_says_the_weights() {
        let source = "Adders bask openly. Lanterns burn tonight. Harbour stands open.";
        let target = "Adders bask openly. Lanterns burn tonight. Harbour stands open. Unheard pelicans arrived.";
        let answer = reasons(&*usual(), source, target);
        assert_eq!(answer.value, Some(1.0));
        // 12 content words against 6.5 on average, so each weighs 0.234 of its idf: adders, bask and openly 0.847 each,
        // burn 0.847 and tonight 2.197, lanterns nothing.
        assert_eq!(
            answer.claim,
            "1 of 2 sentences are the same; “Adders bask openly” stands 3rd in the target, 0.12 below the cut"
        );
        assert_eq!(statistics(&COLLECTION).average_length(), 6.5);
        let decisive: Vec<&str> = answer.decisive.iter().map(|span| &target[span.clone()]).collect();
        assert_eq!(decisive, ["Unheard pelicans arrived"]);
        let words = &answer.parts[4];
        assert_eq!(words.claim, "target: words of these sentences by weight");
        assert!(words.parts[0].claim.starts_with("“tonight”, weight "), "{}", words.parts[0].claim);
        assert!(words.parts[0].claim.ends_with(", 1× in these sentences, 1× in the target, in 0 of 4 documents"));
        let expected = defined_weight("tonight", 1.0, 12.0);
        let weight = words.parts[0].value.unwrap();
        assert!((weight - expected).abs() < 1e-6, "{weight} {expected}");
    }

    proptest! {
        #[test]
        fn as_defined(text in prose(), take in 1usize..4) {
            let method = fitted(&ALGORITHM, &[("sentences", Value::Whole(take as u64))], &COLLECTION);
            let words = with(&text, |d| d.terms().iter().filter(|t| t.content).map(|t| (d.word(t).into_owned(), t.tf)).collect::<BTreeMap<_, _>>());
            let dl = words.values().sum::<u32>();
            let mut all: Vec<(f64, String)> = with(&text, defined_sentences)
                .iter()
                .filter(|sentence| !sentence.is_empty())
                .map(|s| (s.iter().map(|w| defined_weight(w, f64::from(words[w]), f64::from(dl))).sum(), s.join(" ")))
                .collect();
            let sketch = sketch(&*method, &text);
            prop_assert_eq!(sketch.is_some(), all.len() >= take);
            // Sums that differ by rounding alone are equal.
            all.sort_by(|a, b| if (a.0 - b.0).abs() < 1e-5 { a.1.cmp(&b.1) } else { b.0.total_cmp(&a.0) });
            if let Some(sketch) = sketch {
                let mut first: Vec<&str> = all[..take].iter().map(|(_, words)| words.as_str()).collect();
                first.sort_unstable();
                prop_assert_eq!(sketch, vec![signature(&first)]);
            }
        }

        #[test]
        fn reasons_are_true((a, b) in similar_texts()) {
            let method = usual();
            let (here, there) = (sketch(&*method, &a), sketch(&*method, &b));
            let answer = reasons(&*method, &a, &b);
            prop_assert_eq!(answer.value.is_none(), here.is_none() || there.is_none());
            let (Some(_), Some(_)) = (here, there) else { return Ok(()) };
            let matched = verdict(&*method, &a, &b).is_some();
            prop_assert_eq!(matched, verdict(&*method, &b, &a).is_some());
            prop_assert_eq!([answer.value == Some(0.0), answer.decisive.is_empty()], [matched; 2]);
            for piece in answer.pieces {
                prop_assert!(verdict(&*method, &a, &cut(&b, &piece.target)).is_none(), "{}", piece.claim);
            }
        }
    }
}
