//! A0: documents whose preprocessed texts are the same byte for byte match, found by MD5.
//!
//! Preprocessed is what [`super::content_text`] says: the content words in order. It finds exact duplicates only and is
//! here to compare the others with. The sketch is the whole sum, two words, and the first of them is the key. A document
//! with fewer than two different content words has no sketch (ours): such texts are equal by accident. Cost: one copy of
//! the content words and about 8 operations a byte. Source: A0 of Zelenkov and Segalovich 2007, there over the whole
//! document; published on half a million pages: recall 0.23, precision 1.

use std::ops::Range;

use super::algorithm::{self, Algorithm, Collection};
use super::content_text::content_text;
use super::explanation::{Explanation, Side};
use super::method::{Evidence, Method, Piece, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;
use super::wording::{LISTED, count, ordinal, sides};
use dejaview_base::digests;

/// Different content words that a document must have.
const LEAST: usize = 2;

pub static ALGORITHM: Algorithm = Algorithm::of::<Md5>();

impl algorithm::Parameters for Md5 {
    const NAME: &'static str = "md5";
    const ABOUT: &'static str =
        "the MD5 of all content words in order: exact duplicates only (A0 of Zelenkov and Segalovich 2007)";
    const DISTANCE: &'static str = "always 0: sums are equal or not";

    fn declare(_: &mut Declaration<'_>) -> Self {
        Self
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(self))
    }
}

/// The only configuration of MD5.
#[derive(Debug)]
pub struct Md5;

fn has_sketch(document: &Prepared<'_>) -> bool {
    document.terms().iter().filter(|term| term.content).nth(LEAST - 1).is_some()
}

fn sum(document: &Prepared<'_>) -> [u64; 2] {
    let sum = u128::from_be_bytes(digests::md5(&content_text(document)));
    [(sum >> 64) as u64, sum as u64]
}

impl Method for Md5 {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let enough = has_sketch(document);
        if enough {
            out.extend(sum(document));
        }
        enough
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend(sketch.first());
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        (a == b).then_some(Evidence { distance: 0 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        if let Some(who) = sides([!has_sketch(source), !has_sketch(target)]) {
            let verb = if who.contains(" and ") { "have" } else { "has" };
            let claim = format!("{who} {verb} fewer than {LEAST} different content words");
            return Reasons { claim, ..Reasons::default() };
        }
        let sequences = [source, target].map(Sequence::new);
        let parts = vec![sums(self, &sequences)];
        let [a, b] = &sequences;
        if a.hashes == b.hashes {
            let claim = format!("the same {} in the same order", count(a.hashes.len(), "content word"));
            return Reasons { claim, value: Some(0.0), parts, pieces: pieces(source, target), decisive: Vec::new() };
        }
        difference_reasons(a, b, parts)
    }

    fn print(&self, sketch: &[u64]) -> String {
        sketch.iter().map(|word| format!("{word:016x}")).collect()
    }
}

/// The content words of a document in order.
#[derive(Debug)]
struct Sequence<'a, 'd> {
    document: &'a Prepared<'d>,
    hashes: Vec<u64>,
    /// Number of the token of each.
    tokens: Vec<usize>,
}

impl<'a, 'd> Sequence<'a, 'd> {
    fn new(document: &'a Prepared<'d>) -> Self {
        let (terms, of) = (document.terms(), document.term_numbers());
        let tokens: Vec<usize> = (0..of.len()).filter(|&i| terms[of[i] as usize].content).collect();
        let hashes = tokens.iter().map(|&i| document.tokens().hashes()[i]).collect();
        Self { document, hashes, tokens }
    }

    /// The place of a run of words; for an empty run, what is between its neighbours.
    fn span(&self, run: Range<usize>) -> Range<usize> {
        let place = |i: usize| self.document.tokens().span(self.tokens[i]);
        if run.is_empty() {
            let start = run.start.checked_sub(1).map_or(0, |before| place(before).end);
            let end = if run.start < self.tokens.len() { place(run.start).start } else { self.document.text().len() };
            return start..end.max(start);
        }
        place(run.start).start..place(run.end - 1).end
    }

    fn named(&self, i: usize) -> String {
        match self.tokens.get(i) {
            Some(&token) => format!("“{}”", &self.document.text()[self.document.tokens().span(token)]),
            None => "the end".to_owned(),
        }
    }
}

fn sums(method: &Md5, sequences: &[Sequence<'_, '_>; 2]) -> Explanation {
    let parts = sequences.iter().zip(["source", "target"]).map(|(sequence, whose)| {
        let words = sequence.hashes.len();
        let sum = method.print(&sum(sequence.document));
        Explanation::new(format!("{whose} {sum}, {}", count(words, "content word")), words as f64)
    });
    Explanation::new("the two sums", None).with(parts.collect())
}

/// Cutting any content word changes the sum: the first ones of the text, with all places of each.
fn pieces(source: &Prepared<'_>, target: &Prepared<'_>) -> Vec<Piece> {
    let content = target.terms().iter().filter(|term| term.content).take(LISTED);
    let piece = |term| Piece {
        claim: format!("“{}”", target.word(term)),
        source: source.places(term.hash),
        target: target.places(term.hash),
    };
    content.map(piece).collect()
}

/// Words between what both texts begin and what both end with.
fn middle(a: &[u64], b: &[u64]) -> (usize, usize) {
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let back = a[front..].iter().rev().zip(b[front..].iter().rev()).take_while(|(x, y)| x == y).count();
    (front, back)
}

fn difference_reasons(a: &Sequence<'_, '_>, b: &Sequence<'_, '_>, mut parts: Vec<Explanation>) -> Reasons {
    let (front, back) = middle(&a.hashes, &b.hashes);
    let first = format!(
        "the {} content word is {} in the source, {} in the target",
        ordinal(front + 1),
        a.named(front),
        b.named(front)
    );
    let ends = format!("both begin with the same {} and end with the same {back}", count(front, "content word"));
    let [in_source, in_target] = [a, b].map(|side| side.span(front..side.hashes.len() - back));
    parts.push(Explanation::new(ends, (front + back) as f64).at(Side::Source, in_source).at(Side::Target, in_target));
    Reasons { claim: first, value: Some(1.0), parts, pieces: Vec::new(), decisive: differing(a, b, front, back) }
}

/// Where the target differs: each run of words that is not the source's, and what lies between the neighbours of words
/// that only the source has. Very different texts are one run.
fn differing(a: &Sequence<'_, '_>, b: &Sequence<'_, '_>, front: usize, back: usize) -> Vec<Range<usize>> {
    /// Words on both sides that are aligned one by one.
    const ALIGNED: usize = 2_000;
    let (old, new) = (&a.hashes[front..a.hashes.len() - back], &b.hashes[front..b.hashes.len() - back]);
    if old.len() + new.len() > ALIGNED {
        return vec![b.span(front..front + new.len())];
    }
    let changes = similar::capture_diff_slices(similar::Algorithm::Myers, old, new);
    let changed = changes.iter().filter(|change| change.tag() != similar::DiffTag::Equal);
    changed.map(|change| b.span(front + change.new_range().start..front + change.new_range().end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fitted, sketch, verdict, with};
    use proptest::prelude::*;

    const TEXT: &str = "The Harbour stood open; the tide ran out.";

    fn reasons(a: &str, b: &str) -> Reasons {
        with(a, |a| with(b, |b| Md5.reasons(a, b)))
    }

    #[test]
    fn the_sum_is_that_of_the_content_words() {
        // printf 'harbour stood open tide' | md5sum
        let words = sketch(&Md5, TEXT).unwrap();
        assert_eq!(Md5.print(&words), "55d2d8af31e0c65b1dbdd98822a886d8");
        assert_eq!(words.len(), 2);
        assert_eq!(verdict(&Md5, TEXT, "HARBOUR stood, open\n\nthe tide"), Some(Evidence { distance: 0 }));
        assert_eq!(verdict(&Md5, TEXT, "Open stood the harbour, the tide ran out"), None, "order matters");
        let from_catalogue = fitted(&ALGORITHM, &[], &[]);
        assert_eq!(sketch(&*from_catalogue, TEXT), Some(words));
    }

    #[test]
    fn one_word_has_no_sketch() {
        for text in ["", "harbour", "The harbour, the harbour!", "and of the"] {
            assert_eq!(sketch(&Md5, text), None, "{text}");
        }
        let reasons = reasons("harbour", TEXT);
        assert!(reasons.value.is_none());
        assert_eq!(reasons.claim, "the source has fewer than 2 different content words");
    }

    #[test]
    fn a_match_hangs_on_every_word() {
        let reasons = reasons(TEXT, TEXT);
        assert_eq!((reasons.claim.as_str(), reasons.value), ("the same 4 content words in the same order", Some(0.0)));
        assert_eq!(reasons.pieces.len(), 4);
        for piece in &reasons.pieces {
            let mut cut = TEXT.to_owned();
            cut.replace_range(piece.target[0].clone(), " ");
            assert_eq!(verdict(&Md5, TEXT, &cut), None, "{}", piece.claim);
        }
    }

    #[test]
    fn a_miss_names_what_differs() {
        let target = "The harbour stood closed, and the tide ran in slowly.";
        let reasons = reasons(TEXT, target);
        assert_eq!(reasons.claim, "the 3rd content word is “open” in the source, “closed” in the target");
        assert_eq!(reasons.value, Some(1.0));
        let decisive: Vec<&str> = reasons.decisive.iter().map(|span| &target[span.clone()]).collect();
        assert_eq!(decisive, ["closed", "slowly"]);
        assert!(reasons.parts[1].claim.starts_with("both begin with the same 2 content words"));
    }

    #[test]
    fn a_word_that_only_the_source_has_is_decided_by_the_gap() {
        let target = "Harbour stood — the tide ran out";
        let decisive = reasons(TEXT, target).decisive;
        assert_eq!(decisive.len(), 1);
        let mut mended = target.to_owned();
        mended.replace_range(decisive[0].clone(), " open ");
        assert!(verdict(&Md5, TEXT, &mended).is_some(), "{mended}");
        let shorter = reasons(TEXT, "Harbour stood open");
        assert!(shorter.claim.ends_with("is “tide” in the source, the end in the target"), "{}", shorter.claim);
    }

    proptest! {
        #[test]
        fn equal_sequences_of_content_words_match(
            a in proptest::collection::vec(0usize..4, 0..5),
            b in proptest::collection::vec(0usize..4, 0..5),
        ) {
            let text = |words: &[usize]| words.iter().map(|&i| ["the", "Tide", "mill", "gate"][i]).collect::<Vec<_>>().join(" ");
            let content = |words: &[usize]| words.iter().copied().filter(|&i| i > 0).collect::<Vec<_>>();
            let varied = content(&a).windows(2).any(|pair| pair[0] != pair[1]);
            prop_assert_eq!(sketch(&Md5, &text(&a)).is_some(), varied);
            let verdict = verdict(&Md5, &text(&a), &text(&b));
            prop_assert_eq!(verdict.is_some(), varied && content(&a) == content(&b));
            let reasons = reasons(&text(&a), &text(&b));
            if sketch(&Md5, &text(&a)).is_some() && sketch(&Md5, &text(&b)).is_some() {
                prop_assert_eq!(reasons.value == Some(0.0), verdict.is_some());
                prop_assert_eq!(reasons.decisive.is_empty(), verdict.is_some());
            }
        }
    }
}
