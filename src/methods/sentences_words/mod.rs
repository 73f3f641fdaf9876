//! The longest sentences and the longest words, with two measures of size (A12 of Zelenkov and Segalovich, RCDL 2007,
//! who call it "3+5": recall 0.96, precision 0.95, from the page alone).
//!
//! A page is reduced to the signatures of its 3 longest sentences (by content words) and of its 5 longest words (by
//! letters), ties by signature, smaller first; to its length, the words of 3 letters or more; and to its number of
//! sentences. Two pages match when their lengths differ by at most 1.15×, their numbers of sentences by at most 1.20×,
//! at least 2 of 5 words are the same, and the longest sentence is the same or, when both have more than 5 sentences, 2
//! of 3 are. Cost: one comparison a sentence and one a distinct word. The sketch is 9 words: length and number of
//! sentences in the halves of the first, then the sentences, then the words; what is missing is zero and never agrees.
//!
//! The paper sorts records (sentence signature, length) and cuts them into chains where neighbouring lengths differ by
//! more than 1.15×. Nothing is lost or won by it: two pages with a signature in common whose lengths are near enough
//! have only such neighbours between them, so no chain is cut there; and inside a chain pages are compared only within
//! the same ratio. Whoever matches shares a sentence, so here the sentence signatures are the keys.
//!
//! Ours, where the paper is silent: "2 of 3, in whatever order" counts one to one, so a sentence that occurs twice
//! agrees twice only if it occurs twice on both; words are distinct ones, and longer than 255 letters is 255; pairs of
//! ideographs count towards the length; a sentence without a content word is of length 0 and signed by all its words; a
//! page without a sentence, or with one distinct word only, has no sketch. The paper's records of pages with one or two
//! sentences have no number of sentences; here they have.

mod agreement;
mod explain;
mod longest;
#[cfg(test)]
mod tests;

use super::algorithm::{self, Algorithm, Collection};
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;
use super::top_sentences::{by_length, first_in_order};
use agreement::{AGREE, Agreement, PageSketch};
use longest::by_letters;

/// Fewest letters of a word that counts towards the length.
const LETTERS: u8 = 3;

pub static ALGORITHM: Algorithm = Algorithm::of::<SentencesWords>();

impl algorithm::Parameters for SentencesWords {
    const NAME: &'static str = "sentences-words";
    const ABOUT: &'static str = "3 longest sentences and 5 longest words; pages of like size match when enough of them agree (Zelenkov and Segalovich 2007, A12 or \"3+5\")";
    const DISTANCE: &'static str = "what differs, of the sentences, the words, the length and the number of sentences";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            sentences: declaration.whole(
                "sentences",
                3,
                1..=16,
                "longest sentences that are kept; with more of them two are the same more easily",
            ),
            words: declaration.whole(
                "words",
                5,
                AGREE..=32,
                "longest words that are kept; with more of them two are the same more easily",
            ),
            length_ratio: declaration.fraction(
                "length_ratio",
                1.15,
                1.0..=100.0,
                "how many times longer one page may be; raising it finds more pairs, and more wrong ones",
            ),
            sentence_ratio: declaration.fraction(
                "sentence_ratio",
                1.2,
                1.0..=100.0,
                "how many times more sentences one page may have; raising it finds more pairs, and more wrong ones",
            ),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(self))
    }
}

/// A configuration of the method.
#[derive(Debug)]
pub struct SentencesWords {
    sentences: usize,
    words: usize,
    length_ratio: f64,
    sentence_ratio: f64,
}

impl SentencesWords {
    fn page<'s>(&self, sketch: &'s [u64]) -> PageSketch<'s> {
        let (sentences, words) = sketch[1..].split_at(self.sentences);
        PageSketch { length: (sketch[0] >> 32) as u32, count: sketch[0] as u32, sentences, words }
    }

    fn agrees(&self, agreement: &Agreement) -> bool {
        agreement.length_ratio <= self.length_ratio
            && agreement.sentence_ratio <= self.sentence_ratio
            && agreement.words >= AGREE
            && agreement.sentences_agree()
    }

    /// What is missing on a side for it to have a sketch.
    fn missing(document: &Prepared<'_>) -> Option<&'static str> {
        if document.sentences().is_empty() {
            return Some("no sentence");
        }
        (document.terms().len() < AGREE).then_some("one distinct word only")
    }
}

impl Method for SentencesWords {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        if Self::missing(document).is_some() {
            return false;
        }
        let (sentences, terms) = (document.sentences(), document.terms());
        let start = out.len();
        out.push(u64::from(length(document)) << 32 | sentences.len() as u64);
        let longest =
            first_in_order(0..sentences.len(), self.sentences, |a, b| by_length(&sentences[a], &sentences[b]));
        out.extend(longest.iter().map(|&i| sentences[i].hash));
        out.resize(start + 1 + self.sentences, 0);
        let longest = first_in_order(0..terms.len(), self.words, |a, b| by_letters(&terms[a], &terms[b]));
        out.extend(longest.iter().map(|&i| terms[i].hash));
        out.resize(start + 1 + self.sentences + self.words, 0);
        true
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend(self.page(sketch).sentences.iter().filter(|signature| **signature != 0));
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let agreement = Agreement::between(self.page(a), self.page(b));
        self.agrees(&agreement).then_some(Evidence { distance: agreement.distance })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        self.explain(source, target)
    }
}

/// Words of 3 letters or more, and pairs of ideographs.
fn length(document: &Prepared<'_>) -> u32 {
    document.terms().iter().filter(|term| term.letters >= LETTERS || term.content).map(|term| term.tf).sum()
}
