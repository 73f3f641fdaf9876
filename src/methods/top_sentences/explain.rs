//! Why do two documents choose the same sentences, or others?

use std::ops::Range;

use super::lacks::{Lack, lacks, unmatched};
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
pub fn differences(source: Vec<Lack>, target: Vec<Lack>) -> Explanation {
    let parts: Vec<Explanation> = source
        .into_iter()
        .chain(target)
        .map(|lack| {
            let part = Explanation::new(lack.claim, lack.value).at(lack.here.0, lack.here.1);
            lack.there.into_iter().fold(part, |part, (side, span)| part.at(side, span))
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

/// Where in the target the sentences differ: those that stand in place of the source's, then those that only it chose.
pub fn decisive(source: &Ranking<'_>, target: &Ranking<'_>, unit: Unit) -> Vec<Range<usize>> {
    let replaced = lacks(source, target, unit).into_iter().filter(|lack| lack.similar);
    let instead = replaced.filter_map(|lack| lack.there).map(|(_, span)| span);
    let own = lacks(target, source, unit).into_iter().map(|lack| lack.here.1);
    let mut spans: Vec<Range<usize>> = Vec::new();
    for span in instead.chain(own) {
        if !spans.contains(&span) {
            spans.push(span);
        }
    }
    spans
}
