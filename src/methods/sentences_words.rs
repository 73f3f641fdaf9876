//! The longest sentences and the longest words, with two measures of size (A12 of Zelenkov and Segalovich, RCDL 2007,
//! who call it "3+5": recall 0.96, precision 0.95, from what stands on the page alone).
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
//! Ours, where the paper is silent: "2 of 3, in whatever order" counts one to one, so a sentence that stands twice
//! agrees twice only if it stands twice on both; words are distinct ones, and longer than 255 letters is 255; pairs of
//! ideographs count towards the length; a sentence without a content word is of length 0 and signed by all its words; a
//! page without a sentence, or with one distinct word only, has no sketch. The paper's records of pages with one or two
//! sentences have no number of sentences; here they have.

use std::cmp::Ordering;
use std::ops::Range;

use super::catalogue::{self, Evidence, Method, Reasons, Shape};
use super::explanation::{Explanation, Side};
use super::parameters::{Allowed, MethodError, Parameter, Preset, Values};
use super::prepared::{Prepared, Term};
use super::statistics::Statistics;
use super::top_sentences::{self, Ranking, Unit, by_length, counted, foremost, name, ordinal};
use super::why::Piece;

/// Words that must agree, and sentences where the longest does not.
const AGREE: usize = 2;
/// Only with more sentences than this may two of the longest stand for the longest.
const MANY: u32 = 5;
/// Fewest letters of a word that counts towards the length.
const LETTERS: u8 = 3;
/// Places of one word that an explanation lists.
const LISTED: usize = 20;

/// The method as offered to the user.
#[derive(Debug)]
pub struct Entry;

static PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "sentences",
        about: "longest sentences that are kept; with more of them two are the same more easily",
        default: Preset::Whole(3),
        allowed: Allowed::Whole(1, 16),
    },
    Parameter {
        name: "words",
        about: "longest words that are kept; with more of them two are the same more easily",
        default: Preset::Whole(5),
        allowed: Allowed::Whole(AGREE as u64, 32),
    },
    Parameter {
        name: "length_ratio",
        about: "how many times longer one page may be; raising it finds more pairs, and more wrong ones",
        default: Preset::Fraction(1.15),
        allowed: Allowed::Fraction(1.0, 100.0),
    },
    Parameter {
        name: "sentence_ratio",
        about: "how many times more sentences one page may have; raising it finds more pairs, and more wrong ones",
        default: Preset::Fraction(1.2),
        allowed: Allowed::Fraction(1.0, 100.0),
    },
];

impl catalogue::Entry for Entry {
    fn name(&self) -> &'static str {
        "sentences-words"
    }

    fn about(&self) -> &'static str {
        "3 longest sentences and 5 longest words; pages of like size match when enough of them agree (Zelenkov and Segalovich 2007, A12 or \"3+5\")"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn distance(&self) -> &'static str {
        "what differs, of the sentences, the words, the length and the number of sentences"
    }

    fn fit(&self, values: &Values, _: &Statistics) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(SentencesWords {
            sentences: values.whole("sentences").unwrap_or(1) as usize,
            words: values.whole("words").unwrap_or(AGREE as u64) as usize,
            length_ratio: values.fraction("length_ratio").unwrap_or(1.0),
            sentence_ratio: values.fraction("sentence_ratio").unwrap_or(1.0),
        }))
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

/// What a sketch says.
#[derive(Debug, Clone, Copy)]
struct Page<'s> {
    length: u32,
    count: u32,
    sentences: &'s [u64],
    words: &'s [u64],
}

/// How far two pages agree.
#[derive(Debug, Clone, Copy)]
struct Agreement {
    length_ratio: f64,
    sentence_ratio: f64,
    /// Words that are the same.
    words: usize,
    /// Sentences that are the same.
    sentences: usize,
    /// Whether the longest sentence is the same.
    longest: bool,
    /// Whether both have sentences enough for [`AGREE`] of them to stand for the longest.
    many: bool,
    distance: u16,
}

impl Agreement {
    fn of(a: Page<'_>, b: Page<'_>) -> Self {
        let (sentences, words) = (common(a.sentences, b.sentences), common(a.words, b.words));
        let differing = |a: &[u64], b: &[u64], common: usize| present(a).max(present(b)) - common;
        let distance = differing(a.sentences, b.sentences, sentences)
            + differing(a.words, b.words, words)
            + usize::from(a.length != b.length)
            + usize::from(a.count != b.count);
        Self {
            length_ratio: ratio(a.length, b.length),
            sentence_ratio: ratio(a.count, b.count),
            words,
            sentences,
            longest: a.sentences.first() == b.sentences.first(),
            many: a.count.min(b.count) > MANY,
            distance: distance as u16,
        }
    }

    /// Whether the sentences agree well enough.
    fn sentences_agree(&self) -> bool {
        self.longest || self.many && self.sentences >= AGREE
    }
}

impl SentencesWords {
    fn page<'s>(&self, sketch: &'s [u64]) -> Page<'s> {
        let (sentences, words) = sketch[1..].split_at(self.sentences);
        Page { length: (sketch[0] >> 32) as u32, count: sketch[0] as u32, sentences, words }
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
        let longest = foremost(0..sentences.len(), self.sentences, |a, b| by_length(&sentences[a], &sentences[b]));
        out.extend(longest.iter().map(|&i| sentences[i].hash));
        out.resize(start + 1 + self.sentences, 0);
        let longest = foremost(0..terms.len(), self.words, |a, b| by_letters(&terms[a], &terms[b]));
        out.extend(longest.iter().map(|&i| terms[i].hash));
        out.resize(start + 1 + self.sentences + self.words, 0);
        true
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend(self.page(sketch).sentences.iter().filter(|signature| **signature != 0));
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let agreement = Agreement::of(self.page(a), self.page(b));
        self.agrees(&agreement).then_some(Evidence { distance: agreement.distance })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let missing: Vec<String> = [(source, "source"), (target, "target")]
            .into_iter()
            .filter_map(|(document, side)| Some(format!("the {side} has {}", Self::missing(document)?)))
            .collect();
        if !missing.is_empty() {
            return Reasons { claim: missing.join(" and "), value: f64::NAN, ..Reasons::default() };
        }
        let sketches = [source, target].map(|document| {
            let mut out = Vec::new();
            self.sketch(document, &mut out);
            out
        });
        let pages = [self.page(&sketches[0]), self.page(&sketches[1])];
        let agreement = Agreement::of(pages[0], pages[1]);
        let sentences = [(Side::Source, source), (Side::Target, target)]
            .map(|(side, document)| Ranking::by_length(side, document, self.sentences));
        let words = [Longest::new(Side::Source, source, self.words), Longest::new(Side::Target, target, self.words)];
        let parts = vec![
            sizes("length", "words of 3 letters or more", pages.map(|p| p.length), self.length_ratio),
            sizes("size", "sentences", pages.map(|p| p.count), self.sentence_ratio),
            word_part(&words, &agreement),
            self.sentence_part(&sentences, &agreement),
        ];
        let value = f64::from(agreement.distance);
        if self.agrees(&agreement) {
            let mut pieces = top_sentences::pieces(&sentences[0], &sentences[1]);
            pieces.extend(word_pieces(&words));
            return Reasons { claim: self.why(&agreement), value, parts, pieces, decisive: Vec::new() };
        }
        let decisive = self.decisive(&agreement, &sentences, &words);
        Reasons { claim: self.why_not(&agreement), value, parts, pieces: Vec::new(), decisive }
    }
}

impl SentencesWords {
    fn why(&self, agreement: &Agreement) -> String {
        let Agreement { words, sentences, .. } = agreement;
        let which = if agreement.longest { "the longest sentence is the same, " } else { "" };
        let (of, length, count) = (self.sentences, agreement.length_ratio, agreement.sentence_ratio);
        format!(
            "{which}{sentences} of {of} longest sentences and {words} of {} longest words are the same, length ratio \
             {length:.2}, ratio of sentences {count:.2}",
            self.words
        )
    }

    /// Every condition that fails, in the order in which they are stated.
    fn why_not(&self, agreement: &Agreement) -> String {
        let mut failed = Vec::new();
        for (what, found, limit) in [
            ("the lengths", agreement.length_ratio, self.length_ratio),
            ("the numbers of sentences", agreement.sentence_ratio, self.sentence_ratio),
        ] {
            if found > limit {
                failed.push(format!("{what} differ by {found:.3}×, {limit} may"));
            }
        }
        if agreement.words < AGREE {
            failed.push(format!("{} of {} longest words are the same, {AGREE} must be", agreement.words, self.words));
        }
        if !agreement.sentences_agree() {
            let instead = if agreement.many { "" } else { ", and one side has too few for others to stand for it" };
            failed.push(format!(
                "the longest sentence differs and {} of {} longest sentences are the same{instead}",
                agreement.sentences, self.sentences
            ));
        }
        failed.join("; ")
    }

    fn sentence_part(&self, [source, target]: &[Ranking<'_>; 2], agreement: &Agreement) -> Explanation {
        let longest = if agreement.longest { "is the same" } else { "differs" };
        let rule = if agreement.many {
            format!("that, or {AGREE} of them, must be the same")
        } else {
            format!("it must be the same, since not both have more than {MANY} sentences")
        };
        let claim = format!(
            "the longest sentence {longest}, {} of {} longest sentences are the same; {rule}",
            agreement.sentences, self.sentences
        );
        let mut parts = vec![
            top_sentences::choice(source, target, Unit::Words),
            top_sentences::choice(target, source, Unit::Words),
        ];
        let lacks = [(source, target), (target, source)].map(|(a, b)| top_sentences::lacks(a, b, Unit::Words));
        if lacks.iter().any(|list| !list.is_empty()) {
            let [here, there] = lacks;
            parts.push(top_sentences::differences(here, there));
        }
        Explanation::new(claim, agreement.sentences as f64).with(parts)
    }

    /// Where in the target the conditions fail that fail.
    fn decisive(
        &self,
        agreement: &Agreement,
        sentences: &[Ranking<'_>; 2],
        words: &[Longest<'_>; 2],
    ) -> Vec<Range<usize>> {
        let [source, target] = sentences;
        let mut spans = Vec::new();
        if !agreement.sentences_agree() {
            spans.extend(top_sentences::decisive(source, target, Unit::Words));
        }
        if agreement.words < AGREE {
            let alone = words[1].alone(&words[0]);
            spans.extend(alone.into_iter().flat_map(|i| words[1].places(words[1].document.terms()[i].hash)));
        }
        if agreement.length_ratio > self.length_ratio || agreement.sentence_ratio > self.sentence_ratio {
            spans.extend(foreign(words[0].document, words[1].document));
        }
        let mut distinct: Vec<Range<usize>> = Vec::new();
        for span in spans {
            if !distinct.contains(&span) {
                distinct.push(span);
            }
        }
        distinct
    }
}

/// Words of 3 letters or more, and pairs of ideographs.
fn length(document: &Prepared<'_>) -> u32 {
    document.terms().iter().filter(|term| term.letters >= LETTERS || term.content).map(|term| term.tf).sum()
}

/// Longer words first, then the smaller signature.
fn by_letters(a: &Term, b: &Term) -> Ordering {
    b.letters.cmp(&a.letters).then(a.hash.cmp(&b.hash))
}

/// The larger over the smaller; equal sizes differ by 1×, none included. The quotient is rounded as the decimal numbers of
/// a study are, so 23 over 20 is 1.15.
fn ratio(a: u32, b: u32) -> f64 {
    if a == b { 1.0 } else { f64::from(a.max(b)) / f64::from(a.min(b)) }
}

fn present(signatures: &[u64]) -> usize {
    signatures.iter().filter(|signature| **signature != 0).count()
}

/// Signatures that two lists have in common, one to one, in whatever order.
fn common(a: &[u64], b: &[u64]) -> usize {
    let mut used = 0u64;
    for signature in a.iter().filter(|signature| **signature != 0) {
        let free = b.iter().enumerate().find(|(i, other)| *other == signature && used >> i & 1 == 0);
        used |= free.map_or(0, |(i, _)| 1 << i);
    }
    used.count_ones() as usize
}

/// Two sizes and the ratio that they may have.
fn sizes(what: &str, noun: &str, [source, target]: [u32; 2], limit: f64) -> Explanation {
    let found = ratio(source, target);
    let verdict = if found <= limit { "within" } else { "over" };
    Explanation::new(format!("{what}: {source} and {target} {noun}, ratio {found:.3}, {verdict} {limit}"), found)
}

/// The words of one side, the longest first.
struct Longest<'d> {
    side: Side,
    document: &'d Prepared<'d>,
    /// Numbers of words.
    order: Vec<usize>,
    take: usize,
}

impl<'d> Longest<'d> {
    fn new(side: Side, document: &'d Prepared<'d>, take: usize) -> Self {
        let terms = document.terms();
        let mut order: Vec<usize> = (0..terms.len()).collect();
        order.sort_by(|&a, &b| by_letters(&terms[a], &terms[b]));
        Self { side, document, order, take }
    }

    fn chosen(&self) -> &[usize] {
        &self.order[..self.take.min(self.order.len())]
    }

    fn term(&self, i: usize) -> &'d Term {
        &self.document.terms()[i]
    }

    fn chose(&self, hash: u64) -> bool {
        self.chosen().iter().any(|&i| self.term(i).hash == hash)
    }

    /// What only this side chose.
    fn alone(&self, other: &Longest<'_>) -> Vec<usize> {
        self.chosen().iter().copied().filter(|&i| !other.chose(self.term(i).hash)).collect()
    }

    fn places(&self, hash: u64) -> Vec<Range<usize>> {
        let mut places = self.document.places(hash);
        places.truncate(LISTED);
        places
    }

    /// Where a word stands that this side did not choose.
    fn standing(&self, hash: u64) -> String {
        let side = name(self.side);
        let Some(at) = self.order.iter().position(|&i| self.term(i).hash == hash) else {
            return format!("not in the {side}");
        };
        let cut = self.chosen().last().map_or(0, |&i| self.term(i).letters);
        let below = match cut.saturating_sub(self.term(self.order[at]).letters) {
            0 => "level with the cut and behind it in order".to_owned(),
            gap => format!("{} below the cut", counted(usize::from(gap), "letter")),
        };
        format!("{} in the {side}, {below}", ordinal(at + 1))
    }

    /// One chosen word and what the other side makes of it.
    fn part(&self, i: usize, other: &Longest<'_>) -> Explanation {
        let term = self.term(i);
        let (word, letters) = (self.document.word(term), counted(usize::from(term.letters), "letter"));
        let there = if other.chose(term.hash) {
            "chosen on both sides".to_owned()
        } else {
            format!("chosen in the {}, {}", name(self.side), other.standing(term.hash))
        };
        let part = Explanation::new(format!("“{word}”, {letters}, {there}"), f64::from(term.letters));
        [self, other].into_iter().fold(part, |part, side| {
            side.places(term.hash).into_iter().fold(part, |part, span| part.at(side.side, span))
        })
    }
}

/// The longest words of both sides: those of the source, then those that only the target chose.
fn word_part([source, target]: &[Longest<'_>; 2], agreement: &Agreement) -> Explanation {
    let claim = format!("{} of {} longest words are the same, {AGREE} must be", agreement.words, source.take);
    let own = source.chosen().iter().map(|&i| source.part(i, target));
    let parts = own.chain(target.alone(source).into_iter().map(|i| target.part(i, source)));
    Explanation::new(claim, agreement.words as f64).with(parts.collect())
}

/// The words that both sides chose, with all their places.
fn word_pieces([source, target]: &[Longest<'_>; 2]) -> Vec<Piece> {
    let both = source.chosen().iter().map(|&i| source.term(i)).filter(|term| target.chose(term.hash));
    both.map(|term| Piece {
        claim: format!("the word “{}”", source.document.word(term)),
        source: source.document.places(term.hash),
        target: target.document.places(term.hash),
    })
    .collect()
}

/// The sentences of the target that the source does not have: what makes it longer, where it is.
fn foreign(source: &Prepared<'_>, target: &Prepared<'_>) -> Vec<Range<usize>> {
    let mut known: Vec<u64> = source.sentences().iter().map(|sentence| sentence.hash).collect();
    known.sort_unstable();
    let foreign = target.sentences().iter().filter(|sentence| known.binary_search(&sentence.hash).is_err());
    foreign.map(|sentence| target.sentence_span(sentence)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::parameters::Value;
    use crate::methods::testing::{cut, defined_sentences, fitted, prose, sketch, twins, verdict, with};
    use proptest::prelude::*;
    use std::cmp::Reverse;
    use std::collections::BTreeSet;

    fn usual() -> Box<dyn Method> {
        fitted(&Entry, &[], &[])
    }

    const PAGE: &str = "The tide mill of Carrick stands again since the spring. Visitors welcome until October. \
        Lanterns burn along every quay tonight. The harbourmaster keeps the extraordinary ledgers of Carrick. \
        Nobody came there yesterday. Boats leave daily from the harbour. It is so.";

    #[test]
    fn a_changed_sentence_may_pass_when_there_are_many() {
        let method = usual();
        let edited = PAGE.replace("keeps", "guards");
        let evidence = verdict(&*method, PAGE, &edited).unwrap();
        assert_eq!(evidence.distance, 1, "one sentence of three");
        let few = |page: &str| page.split_inclusive(". ").take(5).collect::<String>();
        let (source, target) = (few(PAGE), few(&edited));
        assert_eq!(verdict(&*method, &source, &target), None, "five sentences are not many");
        assert_eq!(verdict(&*method, &source, &source).unwrap().distance, 0);
        let reasons = with(&source, |a| with(&target, |b| method.reasons(a, b)));
        assert_eq!(
            reasons.claim,
            "the longest sentence differs and 2 of 3 longest sentences are the same, and one side has too few for \
             others to stand for it"
        );
        let places: Vec<&str> = reasons.decisive.iter().map(|span| &target[span.clone()]).collect();
        assert_eq!(places, ["The harbourmaster guards the extraordinary ledgers of Carrick"]);
    }

    #[test]
    fn ratios_at_their_limits() {
        assert_eq!([ratio(23, 20), ratio(20, 23), ratio(6, 5), ratio(0, 0), ratio(7, 7)], [1.15, 1.15, 1.2, 1.0, 1.0]);
        assert_eq!(ratio(0, 3), f64::INFINITY);
        let method = usual();
        let page = |length: u64, count: u64| vec![length << 32 | count, 11, 12, 13, 1, 2, 3, 4, 5];
        let agree = |a: &[u64], b: &[u64]| method.compare(a, b).map(|e| e.distance);
        assert_eq!(agree(&page(20, 5), &page(23, 6)), Some(2));
        assert_eq!(agree(&page(20, 5), &page(24, 6)), None);
        assert_eq!(agree(&page(20, 5), &page(23, 7)), None);
        assert_eq!(agree(&page(0, 5), &page(0, 5)), Some(0));
        assert_eq!(agree(&page(0, 5), &page(1, 5)), None);
        let wide = fitted(&Entry, &[("length_ratio", Value::Fraction(1.2))], &[]);
        assert!(wide.compare(&page(20, 5), &page(24, 6)).is_some());
    }

    #[test]
    fn sentences_and_words_agree_in_whatever_order_but_never_the_padding() {
        let method = usual();
        let agree = |a: [u64; 9], b: [u64; 9]| method.compare(&a, &b).map(|e| e.distance);
        let many = 10 << 32 | 6;
        assert_eq!(agree([many, 11, 12, 13, 1, 2, 3, 4, 5], [many, 12, 11, 14, 9, 8, 5, 7, 1]), Some(4));
        assert_eq!(agree([many, 11, 12, 13, 1, 2, 3, 4, 5], [many, 12, 14, 11, 9, 8, 5, 7, 6]), None, "one word");
        assert_eq!(agree([many, 11, 12, 13, 1, 2, 3, 4, 5], [many, 12, 14, 15, 1, 2, 3, 4, 5]), None, "one sentence");
        assert_eq!(agree([many, 11, 11, 13, 1, 2, 3, 4, 5], [many, 12, 14, 11, 1, 2, 3, 4, 5]), None, "twice and once");
        assert_eq!(agree([many, 12, 11, 11, 1, 2, 3, 4, 5], [many, 14, 11, 11, 1, 2, 3, 4, 5]), Some(1), "twice");
        let short = 10 << 32 | 1;
        assert_eq!(agree([short, 11, 0, 0, 1, 2, 0, 0, 0], [short, 12, 0, 0, 1, 2, 0, 0, 0]), None);
        assert_eq!(agree([short, 11, 0, 0, 1, 0, 0, 0, 0], [short, 11, 0, 0, 1, 0, 0, 0, 0]), None, "one word");
        assert_eq!(agree([short, 11, 0, 0, 1, 2, 0, 0, 0], [short, 11, 0, 0, 1, 2, 0, 0, 0]), Some(0));
        let mut keys = Vec::new();
        method.keys(&[short, 11, 0, 0, 1, 2, 0, 0, 0], &mut keys);
        assert_eq!(keys, [11]);
    }

    #[test]
    fn too_little_has_no_sketch() {
        let method = usual();
        for text in ["", "one", "two words", "no no no no"] {
            assert_eq!(sketch(&*method, text), None, "{text}");
        }
        assert_eq!(sketch(&*method, PAGE).map(|s| s.len()), Some(9));
        let other = fitted(&Entry, &[("sentences", Value::Whole(1)), ("words", Value::Whole(7))], &[]);
        assert_eq!(sketch(&*other, PAGE).map(|s| s.len()), Some(9));
        assert!(verdict(&*other, PAGE, PAGE).is_some());
        let reasons = with("no no no", |a| with("", |b| method.reasons(a, b)));
        assert_eq!(reasons.claim, "the source has one distinct word only and the target has no sentence");
        let mut values = Values::new(&Entry);
        assert!(values.set("words", Value::Whole(1)).is_err());
        assert!(values.set("length_ratio", Value::Fraction(0.9)).unwrap_err().to_string().contains("from 1 to"));
    }

    #[test]
    fn a_miss_says_which_words_and_how_far_from_the_cut() {
        let method = fitted(&Entry, &[("words", Value::Whole(2))], &[]);
        let target = PAGE.replace("Boats leave daily", "Boats disproportionately");
        let reasons = with(PAGE, |a| with(&target, |b| method.reasons(a, b)));
        assert_eq!(reasons.claim, "1 of 2 longest words are the same, 2 must be");
        let words: Vec<&str> = reasons.parts[2].parts.iter().map(|part| part.claim.as_str()).collect();
        assert_eq!(
            words,
            [
                "“harbourmaster”, 13 letters, chosen on both sides",
                "“extraordinary”, 13 letters, chosen in the source, 3rd in the target, level with the cut and behind it in order",
                "“disproportionately”, 18 letters, chosen in the target, not in the source",
            ]
        );
        assert_eq!(reasons.decisive.len(), 1);
        assert_eq!(&target[reasons.decisive[0].clone()], "disproportionately");
    }

    /// A record of the paper, read from a page in its own words.
    #[derive(Debug, Clone)]
    struct Record {
        len: u32,
        num: u32,
        ss: Vec<u64>,
        ws: Vec<u64>,
    }

    impl Record {
        fn sketch(&self) -> Vec<u64> {
            let padded =
                |list: &[u64], size: usize| (0..size).map(|i| list.get(i).copied().unwrap_or(0)).collect::<Vec<_>>();
            [vec![u64::from(self.len) << 32 | u64::from(self.num)], padded(&self.ss, 3), padded(&self.ws, 5)].concat()
        }
    }

    fn over(a: u32, b: u32, percent: u64) -> bool {
        u64::from(a.max(b)) * 100 > percent * u64::from(a.min(b))
    }

    /// The paper's algorithm: records sorted by signature, length and number; chains cut where neighbouring lengths are
    /// too far apart; duplicate and contained chains dropped; each element compared with those behind it while their
    /// lengths are near.
    fn by_chains(records: &[Record]) -> BTreeSet<(usize, usize)> {
        let mut file: Vec<(u64, u32, usize)> = Vec::new();
        for (id, record) in records.iter().enumerate() {
            file.extend(record.ss.iter().map(|&ss| (ss, record.len, id)));
        }
        file.sort_unstable();
        file.dedup();
        let mut chains: Vec<Vec<usize>> = Vec::new();
        for (i, &(ss, len, id)) in file.iter().enumerate() {
            match chains.last_mut() {
                Some(chain) if i > 0 && file[i - 1].0 == ss && !over(file[i - 1].1, len, 115) => chain.push(id),
                _ => chains.push(vec![id]),
            }
        }
        chains.sort();
        chains.dedup();
        let contained = |chain: &Vec<usize>| {
            chains.iter().any(|other| other.len() > chain.len() && chain.iter().all(|id| other.contains(id)))
        };
        let kept: Vec<&Vec<usize>> = chains.iter().filter(|chain| !contained(chain)).collect();
        let mut found = BTreeSet::new();
        for chain in kept {
            for (i, &x) in chain.iter().enumerate() {
                for &y in chain[i + 1..].iter().take_while(|&&y| !over(records[x].len, records[y].len, 115)) {
                    let (a, b) = (&records[x], &records[y]);
                    let words = a.ws.iter().filter(|ws| b.ws.contains(ws)).count();
                    let mut rest = b.ss.clone();
                    for ss in &a.ss {
                        rest.iter().position(|other| other == ss).map(|at| rest.remove(at));
                    }
                    let two = b.ss.len() - rest.len() >= 2 && a.num > 5 && b.num > 5;
                    if !over(a.num, b.num, 120) && words >= 2 && (a.ss[0] == b.ss[0] || two) {
                        found.insert((x.min(y), x.max(y)));
                    }
                }
            }
        }
        found
    }

    fn by_keys(method: &dyn Method, sketches: &[Vec<u64>]) -> BTreeSet<(usize, usize)> {
        let keys: Vec<Vec<u64>> = sketches
            .iter()
            .map(|sketch| {
                let mut keys = Vec::new();
                method.keys(sketch, &mut keys);
                keys
            })
            .collect();
        let mut found = BTreeSet::new();
        for y in 0..sketches.len() {
            for x in 0..y {
                let agree = method.compare(&sketches[x], &sketches[y]).is_some();
                let meet = keys[x].iter().any(|key| keys[y].contains(key));
                assert!(meet || !agree, "agreeing sketches share a key");
                if agree {
                    found.insert((x, y));
                }
            }
        }
        found
    }

    fn record() -> impl Strategy<Value = Record> {
        let parts = (
            0u32..40,
            1u32..10,
            proptest::collection::vec(1u64..6, 3),
            proptest::sample::subsequence((1..9).collect::<Vec<u64>>(), 2..6),
        );
        parts.prop_map(|(len, num, mut ss, ws)| {
            ss.truncate(num as usize);
            Record { len, num, ss, ws }
        })
    }

    /// The record of a page by its definition.
    fn defined(text: &str) -> Record {
        with(text, |document| {
            let hashes = document.sentences().iter().map(|sentence| sentence.hash);
            let mut sentences: Vec<(Reverse<usize>, u64)> =
                defined_sentences(document).iter().map(|words| Reverse(words.len())).zip(hashes).collect();
            sentences.sort();
            let tokens = document.tokens();
            let facts = |i: usize| crate::text::facts(text, tokens, i);
            let words: BTreeSet<(Reverse<u8>, u64)> =
                (0..tokens.len()).map(|i| (Reverse(facts(i).letters), tokens.hashes()[i])).collect();
            Record {
                len: (0..tokens.len()).filter(|&i| facts(i).letters >= 3 || facts(i).ideographs).count() as u32,
                num: sentences.len() as u32,
                ss: sentences.iter().take(3).map(|(_, hash)| *hash).collect(),
                ws: words.iter().take(5).map(|(_, hash)| *hash).collect(),
            }
        })
    }

    proptest! {
        #[test]
        fn equals_chains_of_records(records in proptest::collection::vec(record(), 0..30)) {
            let sketches: Vec<Vec<u64>> = records.iter().map(Record::sketch).collect();
            prop_assert_eq!(by_keys(&*usual(), &sketches), by_chains(&records));
        }

        #[test]
        fn equals_chains_of_pages(pages in proptest::collection::vec(twins(), 0..8)) {
            let method = usual();
            let texts: Vec<String> = pages.into_iter().flat_map(|(a, b)| [a, b]).filter(|t| sketch(&*method, t).is_some()).collect();
            let sketches: Vec<Vec<u64>> = texts.iter().map(|text| sketch(&*method, text).unwrap()).collect();
            let records: Vec<Record> = texts.iter().map(|text| defined(text)).collect();
            prop_assert_eq!(by_keys(&*method, &sketches), by_chains(&records));
        }

        #[test]
        fn as_defined(text in prose()) {
            let expected = defined(&text);
            let known = expected.num > 0 && expected.ws.len() > 1;
            prop_assert_eq!(sketch(&*usual(), &text), known.then(|| expected.sketch()));
        }

        #[test]
        fn reasons_are_true((a, b) in twins()) {
            let method = usual();
            let known = sketch(&*method, &a).is_some() && sketch(&*method, &b).is_some();
            let reasons = with(&a, |x| with(&b, |y| method.reasons(x, y)));
            prop_assert_eq!(reasons.value.is_nan(), !known);
            if !known {
                return Ok(());
            }
            let found = verdict(&*method, &a, &b);
            prop_assert_eq!(found, verdict(&*method, &b, &a));
            prop_assert_eq!(reasons.pieces.is_empty(), found.is_none());
            prop_assert!(reasons.decisive.iter().all(|span| b.get(span.clone()).is_some()));
            if let Some(evidence) = found {
                prop_assert_eq!(reasons.value, f64::from(evidence.distance));
                let all: Vec<_> = reasons.pieces.into_iter().flat_map(|piece| piece.target).collect();
                prop_assert!(verdict(&*method, &a, &cut(&b, &all)).is_none());
            }
        }
    }
}
