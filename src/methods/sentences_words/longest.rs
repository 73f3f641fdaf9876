//! The longest words of a page, and whether the other page has them, too.

use std::cmp::Ordering;
use std::ops::Range;

use super::agreement::{AGREE, Agreement};
use crate::explanation::{Explanation, Side};
use crate::method::Piece;
use crate::prepared::{Prepared, Term};
use crate::wording::{LISTED, count, ordinal};

/// The words of one side, the longest first.
pub(super) struct Longest<'d> {
    side: Side,
    pub(super) document: &'d Prepared<'d>,
    /// Numbers of words.
    order: Vec<usize>,
    take: usize,
}

impl<'d> Longest<'d> {
    pub(super) fn new(side: Side, document: &'d Prepared<'d>, take: usize) -> Self {
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
    pub(super) fn alone(&self, other: &Longest<'_>) -> Vec<usize> {
        self.chosen().iter().copied().filter(|&i| !other.chose(self.term(i).hash)).collect()
    }

    pub(super) fn places(&self, hash: u64) -> Vec<Range<usize>> {
        let mut places = self.document.places(hash);
        places.truncate(LISTED);
        places
    }

    /// The rank of a word that this side did not choose.
    fn rank_text(&self, hash: u64) -> String {
        let side = self.side.name();
        let Some(at) = self.order.iter().position(|&i| self.term(i).hash == hash) else {
            return format!("not in the {side}");
        };
        let cut = self.chosen().last().map_or(0, |&i| self.term(i).letters);
        let below = match cut.saturating_sub(self.term(self.order[at]).letters) {
            0 => "level with the cut and behind it in order".to_owned(),
            gap => format!("{} below the cut", count(usize::from(gap), "letter")),
        };
        format!("{} in the {side}, {below}", ordinal(at + 1))
    }

    /// One chosen word and what the other side makes of it.
    fn part(&self, i: usize, other: &Longest<'_>) -> Explanation {
        let term = self.term(i);
        let (word, letters) = (self.document.word(term), count(usize::from(term.letters), "letter"));
        let there = if other.chose(term.hash) {
            "chosen on both sides".to_owned()
        } else {
            format!("chosen in the {}, {}", self.side.name(), other.rank_text(term.hash))
        };
        let part = Explanation::new(format!("“{word}”, {letters}, {there}"), f64::from(term.letters));
        [self, other].into_iter().fold(part, |part, side| {
            side.places(term.hash).into_iter().fold(part, |part, span| part.at(side.side, span))
        })
    }
}

/// Longer words first, then the smaller signature.
pub(super) fn by_letters(a: &Term, b: &Term) -> Ordering {
    b.letters.cmp(&a.letters).then(a.hash.cmp(&b.hash))
}

/// The longest words of both sides: those of the source, then those that only the target chose.
pub(super) fn word_part([source, target]: &[Longest<'_>; 2], agreement: &Agreement) -> Explanation {
    let claim = format!("{} of {} longest words are the same, {AGREE} must be", agreement.words, source.take);
    let own = source.chosen().iter().map(|&i| source.part(i, target));
    let parts = own.chain(target.alone(source).into_iter().map(|i| target.part(i, source)));
    Explanation::new(claim, agreement.words as f64).with(parts.collect())
}

/// The words that both sides chose, with all their places.
pub(super) fn word_pieces([source, target]: &[Longest<'_>; 2]) -> Vec<Piece> {
    let both = source.chosen().iter().map(|&i| source.term(i)).filter(|term| target.chose(term.hash));
    both.map(|term| Piece {
        claim: format!("the word “{}”", source.document.word(term)),
        source: source.document.places(term.hash),
        target: target.document.places(term.hash),
    })
    .collect()
}
