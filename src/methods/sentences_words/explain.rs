//! Explains why two pages match or not: every condition, and what decides it.

use std::ops::Range;

use super::SentencesWords;
use super::agreement::{AGREE, Agreement, MANY, ratio};
use super::longest::{Longest, word_part, word_pieces};
use crate::explanation::{Explanation, Side};
use crate::method::{Method, Reasons};
use crate::prepared::Prepared;
use crate::top_sentences::{self, Ranking, Unit};

impl SentencesWords {
    /// What decided between two pages.
    pub(super) fn explain(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let missing: Vec<String> = [(source, "source"), (target, "target")]
            .into_iter()
            .filter_map(|(document, side)| Some(format!("the {side} has {}", Self::missing(document)?)))
            .collect();
        if !missing.is_empty() {
            return Reasons { claim: missing.join(" and "), ..Reasons::default() };
        }
        let sketches = [source, target].map(|document| {
            let mut out = Vec::new();
            self.sketch(document, &mut out);
            out
        });
        let pages = [self.page(&sketches[0]), self.page(&sketches[1])];
        let agreement = Agreement::between(pages[0], pages[1]);
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
            return Reasons { claim: self.why(&agreement), value: Some(value), parts, pieces, decisive: Vec::new() };
        }
        let decisive = self.decisive(&agreement, &sentences, &words);
        Reasons { claim: self.why_not(&agreement), value: Some(value), parts, pieces: Vec::new(), decisive }
    }

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
        let missing_sentences =
            [(source, target), (target, source)].map(|(a, b)| top_sentences::missing_sentences(a, b, Unit::Words));
        if missing_sentences.iter().any(|list| !list.is_empty()) {
            let [here, there] = missing_sentences;
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
            spans.extend(sentences_only_in_target(words[0].document, words[1].document));
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

/// Two sizes and the ratio that they may have.
fn sizes(what: &str, noun: &str, [source, target]: [u32; 2], limit: f64) -> Explanation {
    let found = ratio(source, target);
    let verdict = if found <= limit { "within" } else { "over" };
    Explanation::new(format!("{what}: {source} and {target} {noun}, ratio {found:.3}, {verdict} {limit}"), found)
}

/// The sentences of the target that the source does not have: what makes it longer, where it is.
fn sentences_only_in_target(source: &Prepared<'_>, target: &Prepared<'_>) -> Vec<Range<usize>> {
    let mut known: Vec<u64> = source.sentences().iter().map(|sentence| sentence.hash).collect();
    known.sort_unstable();
    let foreign = target.sentences().iter().filter(|sentence| known.binary_search(&sentence.hash).is_err());
    foreign.map(|sentence| target.sentence_span(sentence)).collect()
}
