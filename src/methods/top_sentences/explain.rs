//! Explains why two documents choose the same sentences or different ones.

use std::ops::Range;

use super::missing::{MissingSentence, missing_sentences, unmatched};
use super::ranking::Ranking;
use super::unit::Unit;
use crate::explanation::Explanation;
use crate::method::Piece;
use crate::wording::count;

/// What one side chose, and by how much.
pub fn choice(mine: &Ranking<'_>, other: &Ranking<'_>, unit: Unit) -> Explanation {
    let chosen = mine.chosen();
    let alone = unmatched(mine, other);
    let (rest, value) = match mine.order.get(chosen.len()) {
        Some(&next) => {
            let below = unit.below(mine.cut(), mine.worth[next]);
            let gap = unit.number(mine.cut() - mine.worth[next]);
            (format!("the next has {}, {below}", unit.amount(mine.worth[next])), Some(gap))
        }
        None => ("there are no others".to_owned(), None),
    };
    let all = count(mine.order.len(), "sentence");
    let claim = format!("{}: the {} {} of {all}; {rest}", mine.side.name(), chosen.len(), unit.highest());
    let parts = chosen
        .iter()
        .map(|&i| {
            let only = if alone.contains(&i) { "only here" } else { "chosen on both sides" };
            let claim = format!("{}, {}, {only}", mine.quoted(i), unit.amount(mine.worth[i]));
            let part = Explanation::new(claim, unit.number(mine.worth[i])).at(mine.side, mine.span(i));
            other.places(mine, i).into_iter().take(1).fold(part, |part, span| part.at(other.side, span))
        })
        .collect();
    Explanation::new(claim, value).with(parts)
}

/// The sentences that only one side chose, the first that differs first.
pub fn differences(source: Vec<MissingSentence>, target: Vec<MissingSentence>) -> Explanation {
    let parts: Vec<Explanation> = source
        .into_iter()
        .chain(target)
        .map(|missing| {
            let part = Explanation::new(missing.claim, missing.value).at(missing.here.0, missing.here.1);
            missing.there.into_iter().fold(part, |part, (side, span)| part.at(side, span))
        })
        .collect();
    Explanation::new("sentences that only one side chose, the first that differs first", parts.len() as f64).with(parts)
}

/// The sentences that both sides chose, best first, with all their places.
pub fn pieces(source: &Ranking<'_>, target: &Ranking<'_>) -> Vec<Piece> {
    let alone = unmatched(source, target);
    let mut pieces: Vec<Piece> = Vec::new();
    for &i in source.chosen().iter().filter(|i| !alone.contains(i)) {
        let piece = Piece {
            claim: format!("the sentence {}", source.quoted(i)),
            source: source.places(source, i),
            target: target.places(source, i),
        };
        if !pieces.contains(&piece) {
            pieces.push(piece);
        }
    }
    pieces
}

/// Where in the target the sentences differ: those in place of the source's, then those that only the target chose.
pub fn decisive(source: &Ranking<'_>, target: &Ranking<'_>, unit: Unit) -> Vec<Range<usize>> {
    let replaced = missing_sentences(source, target, unit).into_iter().filter(|missing| missing.similar);
    let instead = replaced.filter_map(|missing| missing.there).map(|(_, span)| span);
    let own = missing_sentences(target, source, unit).into_iter().map(|missing| missing.here.1);
    let mut spans: Vec<Range<usize>> = Vec::new();
    for span in instead.chain(own) {
        if !spans.contains(&span) {
            spans.push(span);
        }
    }
    spans
}
