//! The sentences that one side chose and the other did not, and what the other has instead.

use std::ops::Range;

use super::ranking::Ranking;
use super::spelling::content;
use super::unit::Unit;
use crate::explanation::Side;
use crate::prepared::{Prepared, Sentence};
use crate::wording::{count, ordinal};
use dejaview_base::similarity::common;

/// A chosen sentence that the other side did not choose.
#[derive(Debug)]
pub struct MissingSentence {
    /// Where the other side has it, or what it has instead.
    pub claim: String,
    /// How far from being chosen there; `None` where the other side does not have it at all.
    pub(super) value: Option<f64>,
    pub(super) here: (Side, Range<usize>),
    pub(super) there: Option<(Side, Range<usize>)>,
    /// Whether the place there is of another, similar sentence.
    pub(super) similar: bool,
}

/// What `mine` chose and `other` did not, one to one, best first.
pub fn missing_sentences(mine: &Ranking<'_>, other: &Ranking<'_>, unit: Unit) -> Vec<MissingSentence> {
    unmatched(mine, other).into_iter().map(|i| lack(mine, i, other, unit)).collect()
}

pub(super) fn unmatched(mine: &Ranking<'_>, other: &Ranking<'_>) -> Vec<usize> {
    let mut left: Vec<u64> = other.chosen().iter().map(|&i| other.hash(i)).collect();
    let mut alone = Vec::new();
    for &i in mine.chosen() {
        match left.iter().position(|hash| *hash == mine.hash(i)) {
            Some(at) => drop(left.swap_remove(at)),
            None => alone.push(i),
        }
    }
    alone
}

fn lack(mine: &Ranking<'_>, i: usize, other: &Ranking<'_>, unit: Unit) -> MissingSentence {
    let (quote, there) = (mine.quoted(i), other.side.name());
    let here = (mine.side, mine.span(i));
    let chosen = other.chosen().len();
    let lower = other.order[chosen..].iter().position(|&j| other.hash(j) == mine.hash(i));
    if let Some(at) = lower {
        let j = other.order[chosen + at];
        let below = unit.below(other.cut(), other.worth[j]);
        let claim = format!("{quote} stands {} in the {there}, {below}", ordinal(chosen + at + 1));
        let value = Some(unit.number(other.cut() - other.worth[j]));
        return MissingSentence { claim, value, here, there: Some((other.side, other.span(j))), similar: false };
    }
    if let Some(&j) = other.chosen().iter().find(|&&j| other.hash(j) == mine.hash(i)) {
        let claim = format!("{quote} stands more often in the {}", mine.side.name());
        return MissingSentence { claim, value: None, here, there: Some((other.side, other.span(j))), similar: false };
    }
    let Some((j, common)) = nearest(mine, i, other) else {
        let claim = format!("{quote} is not in the {there}, nor anything like it");
        return MissingSentence { claim, value: None, here, there: None, similar: false };
    };
    let [here_words, there_words] = [(mine, i), (other, j)].map(|(r, i)| words(r.document, r.sentence(i)).len());
    let alike = format!("{}, {}", other.quoted(j), count(common, "word"));
    let claim = format!("{quote} is not in the {there}; nearest is {alike} the same of {here_words} and {there_words}");
    MissingSentence { claim, value: None, here, there: Some((other.side, other.span(j))), similar: true }
}

/// The sentence of the other document that is most like one of mine, with the words they share; at least half of them.
fn nearest(mine: &Ranking<'_>, i: usize, other: &Ranking<'_>) -> Option<(usize, usize)> {
    let wanted = words(mine.document, mine.sentence(i));
    let mut best = None;
    for (j, sentence) in other.document.sentences().iter().enumerate() {
        let found = words(other.document, sentence);
        let (common, both) = (common(&wanted, &found), wanted.len() + found.len());
        // Dice, compared without dividing.
        if 4 * common >= both && best.is_none_or(|(_, c, b)| common * b > c * both) {
            best = Some((j, common, both));
        }
    }
    best.map(|(j, common, _)| (j, common))
}

/// Hashes of what a sentence is hashed from, ascending.
fn words(document: &Prepared<'_>, sentence: &Sentence) -> Vec<u64> {
    let mut words: Vec<u64> = content(document, sentence).map(|term| term.hash).collect();
    if words.is_empty() {
        let tokens = sentence.tokens.start as usize..sentence.tokens.end as usize;
        words.extend_from_slice(&document.tokens().hashes()[tokens]);
    }
    words.sort_unstable();
    words
}
