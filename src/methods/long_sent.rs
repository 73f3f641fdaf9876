//! The longest sentences of a page, and nothing else: pages with the same ones match (A4 of Zelenkov and Segalovich,
//! RCDL 2007: recall 0.84, precision 0.80, the best of their first eleven).
//!
//! The `sentences` sentences with the most content words, ties alphabetical, are joined in alphabetical order and hashed
//! (`top_sentences` says what exactly). Cost: one comparison a sentence; CRC-32 copies the chosen ones.
//!
//! Ours: the paper does not say what becomes of pages with fewer sentences; they have no sketch, since one short sentence
//! says too little about a page. 64 bits are stored, CRC-32 is a choice.

use super::algorithm::{self, Algorithm, Collection};
use super::explanation::Side;
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;
use super::top_sentences::{SignatureRule, Unit};

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters(SignatureRule);

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "long-sent";
    const ABOUT: &'static str =
        "the longest sentences as one signature; equal ones match (Zelenkov and Segalovich 2007, A4)";
    const DISTANCE: &'static str = "always 0: signatures are equal or not";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self(SignatureRule::declare(declaration))
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(LongSent { rule: self.0 }))
    }
}

/// A configuration of the method.
#[derive(Debug)]
pub struct LongSent {
    rule: SignatureRule,
}

/// The worth of a sentence is the number of its content words.
fn length(document: &Prepared<'_>, i: usize) -> i64 {
    i64::from(document.sentences()[i].words)
}

impl Method for LongSent {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        self.rule.sketch(document, |i| length(document, i), out)
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        self.rule.keys(sketch, out);
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        SignatureRule::compare(a, b)
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let source = self.rule.ranking(Side::Source, source, |i| length(source, i));
        let target = self.rule.ranking(Side::Target, target, |i| length(target, i));
        self.rule.reasons(&source, &target, Unit::Words)
    }

    fn print(&self, sketch: &[u64]) -> String {
        self.rule.print(sketch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Values;
    use crate::parameters::Value;
    use crate::testing::{cut, defined_sentences, fitted, prose, reasons, similar_texts, sketch, verdict, with};
    use crate::top_sentences::testing::signature;
    use proptest::prelude::*;

    const PAGE: &str = "Harbour news. The tide mill of Carrick stands again. Nobody came there. \
        Lanterns burn along every quay tonight. It is so.\nVisitors welcome until October";

    fn usual() -> Box<dyn Method> {
        fitted(&ALGORITHM, &[], &[])
    }

    #[test]
    fn by_hand() {
        // Content words: tide mill carrick stands · lanterns burn quay tonight · visitors welcome october.
        let expected = signature(&["lanterns burn quay tonight", "tide mill carrick stands"]);
        assert_eq!(sketch(&*usual(), PAGE), Some(vec![expected]));
        let crc = fitted(&ALGORITHM, &[("hash", Value::Word("crc32".into()))], &[]);
        // What zlib says of "lanterns burn quay tonight\ntide mill carrick stands".
        assert_eq!(sketch(&*crc, PAGE), Some(vec![0x5D26_CF7D]));
        assert_eq!(crc.print(&[0x00AB_CDEF]), "00abcdef");
        let mut keys = Vec::new();
        crc.keys(&[1], &mut keys);
        assert!(keys[0] >> 32 != 0, "spread over 64 bits");
    }

    #[test]
    fn ties_are_alphabetical_and_a_sentence_may_stand_twice() {
        let one = fitted(&ALGORITHM, &[("sentences", Value::Whole(1))], &[]);
        let adders = sketch(&*one, "Zebras graze yonder. Adders bask there yonder. Newts sleep yonder.");
        assert_eq!(adders, Some(vec![signature(&["adders bask yonder"])]));
        let twice = sketch(&*usual(), "Boats leave daily. Boats leave daily. Go home now.");
        assert_eq!(twice, Some(vec![signature(&["boats leave daily"; 2])]));
    }

    #[test]
    fn too_few_sentences_have_no_sketch() {
        for text in ["", "one", "Boats leave every morning from here", "Boats leave daily. It is so. 1 2 3 4 5."] {
            assert_eq!(sketch(&*usual(), text), None, "{text}");
        }
        let value = reasons(&*usual(), "one", PAGE);
        assert!(value.value.is_none());
        assert_eq!(value.claim, "the signature takes 2 sentences with content words, the source has 0");
    }

    #[test]
    fn other_numbers_are_refused() {
        let mut values = Values::new(&ALGORITHM);
        let refused = values.set("sentences", Value::Whole(0)).unwrap_err().to_string();
        assert!(refused.contains("1 to 16"), "{refused}");
        assert!(values.set("hash", Value::Word("md5".into())).is_err());
    }

    #[test]
    fn a_miss_says_what_differs_and_how_far_it_was_from_the_cut() {
        let target = PAGE.replace("Visitors welcome", "Visitors from distant islands stay welcome");
        let answer = reasons(&*usual(), PAGE, &target);
        assert_eq!(answer.value, Some(1.0));
        assert_eq!(
            answer.claim,
            "1 of 2 sentences are the same; “The tide mill of Carrick stands again” stands 3rd in the target, level \
             with the cut and behind it in order"
        );
        let decisive: Vec<&str> = answer.decisive.iter().map(|span| &target[span.clone()]).collect();
        assert_eq!(decisive, ["Visitors from distant islands stay welcome until October"]);
        let edited = PAGE.replace("burn", "glow");
        let answer = reasons(&*usual(), PAGE, &edited);
        assert!(answer.claim.ends_with(
            "“Lanterns burn along every quay tonight” is not in the target; nearest is “Lanterns glow along every quay \
             tonight”, 3 words the same of 4 and 4"
        ), "{}", answer.claim);
        assert_eq!(answer.parts.len(), 3);
    }

    proptest! {
        #[test]
        fn as_defined(text in prose(), take in 1u64..4) {
            let method = fitted(&ALGORITHM, &[("sentences", Value::Whole(take))], &[]);
            let mut all = with(&text, defined_sentences);
            all.retain(|words| !words.is_empty());
            all.sort_by_key(|words| (usize::MAX - words.len(), words.join(" ")));
            let expected = (all.len() >= take as usize).then(|| {
                let mut first: Vec<String> = all[..take as usize].iter().map(|words| words.join(" ")).collect();
                first.sort();
                vec![signature(&first.iter().map(String::as_str).collect::<Vec<_>>())]
            });
            prop_assert_eq!(sketch(&*method, &text), expected);
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
            prop_assert_eq!(answer.pieces.is_empty(), !matched);
            for piece in answer.pieces {
                prop_assert!(verdict(&*method, &a, &cut(&b, &piece.target)).is_none(), "{}", piece.claim);
            }
        }
    }
}
