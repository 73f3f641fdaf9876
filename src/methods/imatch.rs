//! I-Match (Chowdhury, Frieder, Grossman and McCabe, TOIS 2002), with the secondary lexicon of Kołcz, Chowdhury and
//! Alspector (KDD 2004): one signature over the *set* of a document's words of middling rarity.
//!
//! Word order and tf do not matter, nor does any word outside the lexicon; one word more or less within it is another
//! document. `lexicon` says which words count, which of them make the signature, and which documents have none
//! (fewer than 5 words that count, or fewer than `minimum` or `share` that can be used). The papers take SHA-1 of the
//! sorted words (`hash = "sha1"`); by default ours is a sum of 64 bits that needs no order and says why it is as good
//! (`SetHash`). Cost: about 10 instructions
//! for each different word and as many for each one in the lexicon.

use super::algorithm::{self, Algorithm, Collection};
use super::lexicon::contrast::{Contrast, LISTED, Word, clause};
use super::lexicon::{self, Lexicon};
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    pub(super) lexicon: lexicon::Parameters,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "imatch";
    const ABOUT: &'static str = "one signature over the set of words that are neither common nor rare in the collection (I-Match: Chowdhury et al. 2002)";
    const DISTANCE: &'static str = "always 0: signatures are equal or not";
    const FITTED: bool = true;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self { lexicon: lexicon::Parameters::declare(declaration) }
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(IMatch { lexicon: Lexicon::new(&self.lexicon, collection.statistics) }))
    }
}

/// A configuration of I-Match.
#[derive(Debug)]
pub struct IMatch {
    lexicon: Lexicon,
}

impl Method for IMatch {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let selection = self.lexicon.selection(document);
        let short = selection.within.len() < selection.needed;
        let rarer = if short { self.lexicon.rarer(document) } else { Vec::new() };
        let Some(chosen) = selection.chosen(&rarer, |_| true) else { return false };
        out.push(self.lexicon.signature(document, &chosen));
        true
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        (a == b).then_some(Evidence { distance: 0 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let contrast = Contrast::new(&self.lexicon, source, target);
        let words = contrast.words(|_| true);
        let parts = contrast.parts(&words);
        if let Some(claim) = contrast.missing_signatures() {
            return Reasons { claim, parts, ..Reasons::default() };
        }
        let shared: Vec<&Word> = words.iter().filter(|word| word.shared()).collect();
        if !words.iter().any(Word::differs) {
            let claim = format!("the same {} words of the lexicon: {}", shared.len(), clause(&shared));
            let pieces = shared.iter().take(LISTED).map(|word| contrast.piece(word)).collect();
            return Reasons { claim, value: Some(0.0), parts, pieces, ..Reasons::default() };
        }
        let decisive = contrast.decisive(&words);
        Reasons { claim: difference(&words), value: Some(1.0), parts, decisive, ..Reasons::default() }
    }
}

/// In what the words of two signatures differ.
fn difference(words: &[Word]) -> String {
    let mut claim = format!("{} words of the signatures are the same", words.iter().filter(|w| w.shared()).count());
    for (counts, side) in [([true, false], "source"), ([false, true], "target")] {
        let alone: Vec<&Word> = words.iter().filter(|word| word.counts == counts).collect();
        if !alone.is_empty() {
            claim.push_str(&format!(", {} in the {side} alone: {}", alone.len(), clause(&alone)));
        }
    }
    claim
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::algorithm::Values;
    use crate::lexicon::naive::{TEN, collection, naive, naive_hash, naive_nidf, texts};
    use crate::parameters::Value;
    use crate::testing::{blanked, fitted, reasons, sketch, verdict};

    fn ten(set: &[(&str, Value)]) -> Box<dyn Method> {
        let texts = collection(10, &TEN);
        fitted(&ALGORITHM, set, &texts.iter().map(String::as_str).collect::<Vec<_>>())
    }

    const SOURCE: &str = "The tide mill at the harbour: a wheel, a miller, grain in the village.";

    #[test]
    fn only_words_of_the_lexicon_count() {
        let method = ten(&[]);
        let same = "Grain, wheel and miller; harbour mill, tide. Water 1889 everywhere millstone unheard";
        assert_eq!(verdict(&*method, SOURCE, same), Some(Evidence { distance: 0 }));
        assert_eq!(verdict(&*method, SOURCE, &SOURCE.replace("grain", "flour")), None);
        assert_eq!(sketch(&*method, SOURCE).map(|sketch| sketch.len()), Some(1));
    }

    #[test]
    fn too_few_words_have_no_sketch() {
        let method = ten(&[]);
        for text in ["", "harbour", "harbour tide mill wheel", "harbour tide mill wheel water village everywhere"] {
            assert_eq!(sketch(&*method, text), None, "{text}");
        }
        assert!(sketch(&*method, "harbour tide mill wheel sluice").is_some(), "filled up");
        assert_eq!(sketch(&*ten(&[("minimum", Value::Whole(7))]), SOURCE), None);
        assert_eq!(sketch(&*ten(&[("share", Value::Fraction(0.9))]), SOURCE), None, "6 of 7 words");
        assert_eq!(sketch(&*fitted(&ALGORITHM, &[], &[]), SOURCE), None);
    }

    #[test]
    fn sha1_is_that_of_the_sorted_words() {
        let method = ten(&[("hash", Value::Word("sha1".into()))]);
        // printf 'grain harbour mill miller tide wheel' | sha1sum
        assert_eq!(sketch(&*method, &SOURCE.to_uppercase()), Some(vec![0x2301_BAE6_DE83_CA65]));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let mut values = Values::new(&ALGORITHM);
        let mut refused = |name: &str, value| values.set(name, value).unwrap_err().to_string();
        assert!(refused("nidf", Value::Fractions(vec![0.8, 0.2])).contains("the first below the second"));
        assert!(refused("nidf", Value::Fractions(vec![0.2, 1.5])).contains("from 0 to 1"));
        assert!(refused("minimum", Value::Whole(0)).contains("from 1 to 1000"));
        assert!(refused("share", Value::Fraction(1.5)).contains("from 0 to 1"));
    }

    #[test]
    fn explains_a_match() {
        let target = "Harbour, harbour! miller, mill, tide; grain, wheel and flour. The water.";
        let answer = reasons(&*ten(&[]), SOURCE, target);
        assert_eq!(answer.claim, "the same 6 words of the lexicon: “harbour”, “tide”, “mill” and 3 more");
        assert!((answer.value, answer.decisive.len(), answer.pieces.len()) == (Some(0.0), 0, 6));
        let lines: Vec<String> = answer.parts.iter().flat_map(|part| part.lines()).collect();
        for line in [
            "the lexicon: words of normalised idf 0.2 to 0.8, in 2 to 6 of 10 documents",
            "the target: 6 of 8 words stand in the lexicon, 5 are needed",
            "  “harbour”: nidf 0.699, in 2 documents, 0.101 below the upper bound",
            "  “grain”: nidf 0.222, in 6 documents, 0.022 above the lower bound",
            "  “flour”: not in the collection",
            "  “village”: nidf 0.097, in 8 documents, 0.103 below the lower bound",
        ] {
            assert!(lines.iter().any(|other| other == line), "{line}: {lines:#?}");
        }
        assert_eq!(answer.pieces[0].target, [0..7, 9..16]);
    }

    #[test]
    fn explains_a_miss_and_where_it_lies() {
        let method = ten(&[]);
        let answer = |source: &str, target: &str| {
            assert_eq!(verdict(&*method, source, target), None);
            let answer = reasons(&*method, source, target);
            assert!(answer.value == Some(1.0) && answer.pieces.is_empty());
            let spans: Vec<String> = answer.decisive.iter().map(|span| target[span.clone()].to_owned()).collect();
            (answer.claim, spans)
        };
        let (claim, spans) = answer(SOURCE, &SOURCE.replace("wheel", "rotor"));
        assert_eq!(claim, "5 words of the signatures are the same, 1 in the source alone: “wheel”");
        assert_eq!(spans, ["rotor"], "what stands in its place");
        let (claim, spans) = answer(&SOURCE.replace("wheel", "rotor"), SOURCE);
        assert_eq!(claim, "5 words of the signatures are the same, 1 in the target alone: “wheel”");
        assert_eq!(spans, ["wheel"]);
        let (_, spans) = answer(SOURCE, &SOURCE.replace("tide mill", "mill"));
        assert_eq!(spans, ["The mill"], "between which it is missing");
        let (_, spans) = answer(SOURCE, &SOURCE.replace("grain in the village.", ""));
        assert_eq!(spans, ["miller"], "behind which it is missing");
        let (_, spans) =
            answer(&format!("grain {}", SOURCE.replace("grain", "flour")), &SOURCE.replace("grain", "flour"));
        assert_eq!(spans, ["The"], "before which it is missing");
    }

    #[test]
    fn explains_what_was_filled_up() {
        let (source, target) = ("harbour tide mill wheel sluice", "harbour tide mill wheel miller sluice");
        let answer = reasons(&*ten(&[]), source, target);
        let lines: Vec<String> = answer.parts.iter().flat_map(|part| part.lines()).collect();
        assert!(lines.contains(
            &"the source: 4 of 5 words stand in the lexicon, 5 are needed; added from the rarer ones: 1".to_owned()
        ));
        let line = "  “sluice”: nidf 1.000, in 1 document, 0.200 above the upper bound; the target has it too, and has enough words without it";
        assert!(lines.iter().any(|other| other == line), "{lines:#?}");
        assert_eq!(answer.decisive.iter().map(|span| &target[span.clone()]).collect::<Vec<_>>(), ["miller"]);
    }

    #[test]
    fn explains_why_there_is_no_sketch() {
        let answer = reasons(&*ten(&[]), "harbour tide", "harbour tide mill wheel water village");
        assert_eq!(
            answer.claim,
            "the source has 2 different words that count, 5 are needed; 4 of the 6 words of the target can be used, 5 are needed"
        );
        assert!(answer.value.is_none());
        let answer = reasons(&*fitted(&ALGORITHM, &[], &[]), SOURCE, SOURCE);
        assert_eq!(answer.parts[0].claim, "the collection has no words of normalised idf 0.2 to 0.8");
    }

    proptest! {
        #[test]
        fn equals_the_definition_and_its_reasons(texts in texts()) {
            let method = fitted(&ALGORITHM, &[], &texts.iter().map(String::as_str).collect::<Vec<_>>());
            let nidf = naive_nidf(&texts);
            for pair in texts.chunks(2) {
                let [a, b] = [&pair[0], &pair[1]].map(|text| sketch(&*method, text));
                let naive = [&pair[0], &pair[1]].map(|text| naive(&nidf, text, &|_| true));
                prop_assert_eq!(&a, &naive[0].as_ref().map(|words| vec![naive_hash(words)]));
                prop_assert_eq!(&b, &naive[1].as_ref().map(|words| vec![naive_hash(words)]));
                let answer = reasons(&*method, &pair[0], &pair[1]);
                let (Some(a), Some(b)) = (a, b) else {
                    prop_assert!(answer.value.is_none());
                    continue;
                };
                prop_assert_eq!(method.compare(&a, &b), method.compare(&b, &a));
                prop_assert_eq!(method.compare(&a, &b).is_some(), naive[0] == naive[1]);
                prop_assert_eq!(answer.value, Some(if naive[0] == naive[1] { 0.0 } else { 1.0 }));
                prop_assert_eq!(answer.pieces.is_empty(), naive[0] != naive[1]);
                prop_assert_eq!(answer.decisive.is_empty(), naive[0] == naive[1]);
                for piece in answer.pieces {
                    let cut = blanked(&pair[1], &piece.target);
                    prop_assert_eq!(verdict(&*method, &pair[0], &cut), None, "{}", piece.claim);
                }
            }
        }
    }
}
