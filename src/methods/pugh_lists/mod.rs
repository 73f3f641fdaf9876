//! Pugh's lists: the vocabulary of a document is split by hash into a fixed number of lists with one fingerprint each,
//! and documents that have one fingerprint in common match.
//!
//! A changed word spoils the one list it falls into, so a document survives changes to some of its words; more lists
//! survive more changes and hold fewer words. Vocabulary is the set of content words. The sketch has one word for each
//! list. A list of fewer than `minimum` words has none (0), because a few common words are the same by accident; a
//! document has a sketch when one of its lists has a fingerprint.
//!
//! Ours: 8 lists of at least 5 words; a word's list is the remainder of a hash, its fingerprint the sum of further hashes
//! of its words, so that no order is needed. Cost: two mixing steps and a division for each distinct content word.
//! Source: W. Pugh and M. Henzinger, US patent 6,658,423, 2003, as Zelenkov and Segalovich 2007 describe it; no figures
//! are published.

use super::algorithm::{self, Algorithm, Collection};
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;
use dejaview_base::hash::{self, fmix64};
use lists::{MOST, PughLists, agree};

mod explain;
mod lists;

pub static ALGORITHM: Algorithm = Algorithm::of::<PughLists>();

impl algorithm::Parameters for PughLists {
    const NAME: &'static str = "pugh-lists";
    const ABOUT: &'static str = "content words are split by hash into 8 lists; one list with the same words is enough (Pugh and Henzinger 2003)";
    const DISTANCE: &'static str = "lists that differ";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            lists: declaration.whole(
                "lists",
                8,
                1..=MOST,
                "lists that the vocabulary is split into; raising it finds more pairs, and more wrong ones",
            ),
            minimum: declaration.whole(
                "minimum",
                5,
                2..=1000,
                "words that a list must have to count; raising it leaves out short documents and accidents",
            ),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(self))
    }
}

impl Method for PughLists {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let fingerprints = &self.fingerprints(document)[..self.lists];
        let any = fingerprints.iter().any(|&fingerprint| fingerprint != 0);
        if any {
            out.extend_from_slice(fingerprints);
        }
        any
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        let lists = (0u64..).zip(sketch).filter(|(_, fingerprint)| **fingerprint != 0);
        out.extend(lists.map(|(i, fingerprint)| fmix64(fingerprint ^ i.wrapping_mul(hash::M))));
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let differing = a.iter().zip(b).filter(|(x, y)| x != y).count();
        let any = a.iter().zip(b).any(|(&x, &y)| agree(x, y));
        any.then_some(Evidence { distance: differing as u16 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        explain::reasons(self, source, target)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::lists::survival;
    use super::*;
    use crate::algorithm::Values;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch, verdict, with};
    use proptest::prelude::*;

    fn method(lists: u64, minimum: u64) -> Box<dyn Method> {
        fitted(&ALGORITHM, &[("lists", Value::Whole(lists)), ("minimum", Value::Whole(minimum))], &[])
    }

    /// A text of so many different content words.
    fn words(from: usize, to: usize) -> String {
        (from..to).map(|i| format!("word{i:03}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn short_lists_and_short_documents_have_no_fingerprint() {
        let method = method(1, 5);
        assert_eq!(sketch(&*method, ""), None);
        assert_eq!(sketch(&*method, "harbour"), None);
        assert_eq!(sketch(&*method, "tide mill gate basin the of and, tide mill"), None, "four content words");
        assert!(sketch(&*method, "tide mill gate basin harbour").is_some());
        let usual = fitted(&ALGORITHM, &[], &[]);
        assert_eq!(sketch(&*usual, &words(0, 400)).unwrap().len(), 8);
        assert!(sketch(&*usual, &words(0, 400)).unwrap().iter().all(|&fingerprint| fingerprint != 0));
    }

    #[test]
    fn one_changed_word_spoils_one_list_or_two() {
        let method = fitted(&ALGORITHM, &[], &[]);
        let text = words(0, 200);
        let more = format!("{text} harbour");
        assert_eq!(verdict(&*method, &text, &more), Some(Evidence { distance: 1 }));
        let other = text.replace("word007", "harbour");
        assert!(matches!(verdict(&*method, &text, &other), Some(Evidence { distance: 1 | 2 })));
        assert_eq!(verdict(&*method, &text, &words(200, 400)), None);
        assert_eq!(verdict(&*method, &text, &format!("{} {text}", words(100, 200))), Some(Evidence { distance: 0 }));
    }

    #[test]
    fn survival_by_hand_and_by_trial() {
        assert_eq!([survival(8, 0), survival(8, 7), survival(1, 1)], [1.0, 1.0, 0.0]);
        // Two balls hit both of two lists in half of the cases; three hit all of three in 3!/27.
        assert!((survival(2, 2) - 0.5).abs() < 1e-12);
        assert!((survival(3, 3) - (1.0 - 6.0 / 27.0)).abs() < 1e-12);
        // Words added to a text of 400: the share of texts that still match is the probability.
        let method = fitted(&ALGORITHM, &[], &[]);
        let text = words(0, 400);
        let trials = 300;
        for changed in [10, 20, 30] {
            let survived = (0..trials)
                .filter(|trial| {
                    let more: String = (0..changed).map(|i| format!(" new{trial}x{i}")).collect();
                    verdict(&*method, &text, &(text.clone() + &more)).is_some()
                })
                .count();
            let share = survived as f64 / f64::from(trials);
            let expected = survival(8, changed);
            assert!((share - expected).abs() < 0.09, "{changed} words: {share} against {expected}");
        }
    }

    fn reasons(a: &str, b: &str) -> Reasons {
        let method = fitted(&ALGORITHM, &[], &[]);
        with(a, |a| with(b, |b| method.reasons(a, b)))
    }

    #[test]
    fn a_match_hangs_on_one_word_of_each_equal_list() {
        let text = words(0, 120);
        let target = format!("{text} harbour basin");
        let reasons = reasons(&text, &target);
        let method = fitted(&ALGORITHM, &[], &[]);
        let distance = verdict(&*method, &text, &target).unwrap().distance;
        assert_eq!(reasons.value, Some(f64::from(distance)));
        assert_eq!(reasons.pieces.len(), 8 - usize::from(distance));
        assert!(reasons.claim.starts_with(&format!("{} of 8 lists have the same words", 8 - distance)));
        let mut cut = target.clone();
        let mut places: Vec<_> = reasons.pieces.iter().flat_map(|piece| piece.target.clone()).collect();
        places.sort_unstable_by_key(|place| place.start);
        for place in places.into_iter().rev() {
            cut.replace_range(place, " ");
        }
        assert_eq!(verdict(&*method, &text, &cut), None);
    }

    #[test]
    fn a_miss_names_the_nearest_list() {
        // A word in each list is changed, so that all differ.
        let text = words(0, 120);
        let target = (0..120)
            .step_by(3)
            .fold(text.clone(), |text, i| text.replace(&format!("word{i:03}"), &format!("other{i}")));
        let reasons = reasons(&text, &target);
        assert!(reasons.claim.starts_with("no list has the same words; list "), "{}", reasons.claim);
        assert_eq!(reasons.value, Some(8.0));
        let decisive: BTreeSet<&str> = reasons.decisive.iter().map(|span| &target[span.clone()]).collect();
        assert!(!decisive.is_empty() && decisive.iter().all(|word| word.starts_with("other")), "{decisive:?}");
        let short = super::tests::reasons("tide mill", &text);
        assert!(short.value.is_none());
        assert_eq!(short.claim, "the source has fewer than 5 content words in each of 8 lists");
    }

    #[test]
    fn impossible_values_are_refused() {
        let mut values = Values::new(&ALGORITHM);
        assert!(values.set("lists", Value::Whole(65)).unwrap_err().to_string().contains("1 to 64"));
        assert!(values.set("minimum", Value::Whole(1)).unwrap_err().to_string().contains("2 to 1000"));
    }

    proptest! {
        #[test]
        fn lists_as_sets_of_words_decide(
            a in proptest::collection::vec(0usize..14, 0..30),
            b in proptest::collection::vec(0usize..14, 0..30),
            lists in 1u64..6,
            minimum in 2u64..4,
        ) {
            let method = PughLists { lists: lists as usize, minimum: minimum as usize };
            // Words 0 and 1 are stop words.
            let text = |words: &[usize]| words.iter().map(|&i| if i < 2 { ["the", "of"][i].to_owned() } else { format!("Word{i}") }).collect::<Vec<_>>().join(" ");
            let split = |words: &[usize]| -> Vec<BTreeSet<String>> {
                let mut split = vec![BTreeSet::new(); lists as usize];
                for word in words.iter().filter(|&&i| i >= 2).map(|i| format!("word{i}")) {
                    split[(fmix64(hash::token(word.as_bytes()) ^ hash::S) % lists) as usize].insert(word);
                }
                split
            };
            let (left, right) = (split(&a), split(&b));
            let counted = |list: &BTreeSet<String>| list.len() >= minimum as usize;
            let expected = left.iter().zip(&right).any(|(x, y)| x == y && counted(x));
            let differing = left.iter().zip(&right).filter(|(x, y)| (counted(x) || counted(y)) && x != y).count();
            let verdict = verdict(&method, &text(&a), &text(&b));
            prop_assert_eq!(verdict.map(|evidence| usize::from(evidence.distance)), expected.then_some(differing));
            let sketches = [&a, &b].map(|words| sketch(&method, &text(words)));
            prop_assert_eq!(sketches[0].is_some(), left.iter().any(counted));
            if let [Some(x), Some(y)] = &sketches {
                prop_assert_eq!(method.compare(y, x), verdict);
                prop_assert_eq!(x.len(), lists as usize);
                let keys = [x, y].map(|sketch| {
                    let mut keys = Vec::new();
                    method.keys(sketch, &mut keys);
                    keys
                });
                prop_assert_eq!(keys[0].iter().any(|key| keys[1].contains(key)), expected);
                let reasons = with(&text(&a), |a| with(&text(&b), |b| method.reasons(a, b)));
                prop_assert_eq!(reasons.value, Some(differing as f64));
                prop_assert_eq!(reasons.pieces.is_empty(), !expected);
            }
        }
    }
}
