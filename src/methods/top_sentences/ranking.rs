//! The order in which a method chooses the sentences of a document.

use std::cmp::Ordering;
use std::ops::Range;

use super::spelling::alphabetical;
use crate::explanation::Side;
use crate::prepared::{Prepared, Sentence};
use crate::wording::quoted;

/// The sentences of a document in the order in which a method chooses them.
#[derive(Debug)]
pub struct Ranking<'d> {
    /// Which of the two documents.
    pub side: Side,
    pub(super) document: &'d Prepared<'d>,
    /// Of each sentence of the document.
    pub(super) worth: Vec<i64>,
    /// Numbers of sentences, the first the best.
    pub(super) order: Vec<usize>,
    pub(super) take: usize,
}

impl<'d> Ranking<'d> {
    /// The longest sentences first, ties by signature; all sentences take part.
    pub fn by_length(side: Side, document: &'d Prepared<'d>, take: usize) -> Self {
        let sentences = document.sentences();
        let mut order: Vec<usize> = (0..sentences.len()).collect();
        order.sort_by(|&a, &b| by_length(&sentences[a], &sentences[b]));
        let worth = sentences.iter().map(|sentence| i64::from(sentence.words)).collect();
        Self { side, document, worth, order, take }
    }

    /// Numbers of the sentences that are chosen, best first.
    pub fn chosen(&self) -> &[usize] {
        &self.order[..self.take.min(self.order.len())]
    }

    pub(super) fn sentence(&self, i: usize) -> &'d Sentence {
        &self.document.sentences()[i]
    }

    pub(super) fn hash(&self, i: usize) -> u64 {
        self.sentence(i).hash
    }

    pub(super) fn span(&self, i: usize) -> Range<usize> {
        self.document.sentence_span(self.sentence(i))
    }

    pub(super) fn quoted(&self, i: usize) -> String {
        quoted(&self.document.text()[self.span(i)])
    }

    /// Worth of the last that is chosen.
    pub(super) fn cut(&self) -> i64 {
        self.chosen().last().map_or(0, |&i| self.worth[i])
    }

    /// All places of the sentences that are the same as number `i` of `whose`.
    pub(super) fn places(&self, whose: &Ranking<'_>, i: usize) -> Vec<Range<usize>> {
        let sentences = self.document.sentences().iter();
        sentences.filter(|s| s.hash == whose.hash(i)).map(|s| self.document.sentence_span(s)).collect()
    }
}

/// The first `take` of some numbers in an order, without sorting the others; of equal ones the earlier first.
pub fn first_in_order(
    numbers: impl Iterator<Item = usize>,
    take: usize,
    mut order: impl FnMut(usize, usize) -> Ordering,
) -> Vec<usize> {
    let mut best: Vec<usize> = Vec::with_capacity(take + 1);
    for number in numbers {
        let mut at = best.len();
        while at > 0 && order(number, best[at - 1]) == Ordering::Less {
            at -= 1;
        }
        if at < take {
            best.insert(at, number);
            best.truncate(take);
        }
    }
    best
}

/// More content words first, then the smaller signature.
pub fn by_length(a: &Sentence, b: &Sentence) -> Ordering {
    b.words.cmp(&a.words).then(a.hash.cmp(&b.hash))
}

/// Sentences with a content word.
pub(super) fn candidates(document: &Prepared<'_>) -> impl Iterator<Item = usize> {
    let sentences = document.sentences().iter().enumerate();
    sentences.filter(|(_, sentence)| sentence.words > 0).map(|(i, _)| i)
}

/// Higher worth first, then alphabetical.
pub(super) fn by_worth(document: &Prepared<'_>, worth: impl Fn(usize) -> i64, a: usize, b: usize) -> Ordering {
    let sentences = document.sentences();
    worth(b).cmp(&worth(a)).then_with(|| alphabetical(document, &sentences[a], &sentences[b]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn foremost_is_the_front_of_sorting(numbers in proptest::collection::vec(0u8..9, 0..40), take in 0usize..6) {
            let order = |a: usize, b: usize| numbers[b].cmp(&numbers[a]);
            let mut sorted: Vec<usize> = (0..numbers.len()).collect();
            sorted.sort_by(|&a, &b| order(a, b));
            sorted.truncate(take);
            prop_assert_eq!(first_in_order(0..numbers.len(), take, order), sorted);
        }
    }
}
