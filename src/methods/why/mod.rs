//! Finds the parts of a text that are the evidence for a match, and the changes that would make one.
//!
//! One search for all methods, which knows of them only [`Method::sketch`] and [`Method::compare`]. A match is explained
//! by the pieces without which the target no longer matches (`evidence`), a miss by the places in which the target
//! would have to read like the source (`change`). What either returns has been tried: all of it together turns the
//! verdict, and all of it but any one does not.
//!
//! The search takes a beginning of the list, doubled until the verdict turns and then halved, and drops what turns out
//! not to be needed, from the last on and around again, until nothing more can go: a 1-minimal set in the sense of
//! Zeller and Hildebrandt ("Simplifying and isolating failure-inducing input", TSE 2002). A verdict need not be
//! monotone, cutting more may bring a match back: so the set is minimal, not always the smallest there is. Of long lists
//! groups are searched first, then what is in the groups that are needed.
//!
//! Cost: 2·log(items) sketches to find the beginning, one for each item of it, one more for each that is kept. All
//! together they may sketch [`BUDGET`] tokens: a count and not a clock, so that the answer is the same everywhere.

mod claims;
mod places;
mod replacement;
mod search;
mod shared;
#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "lists of spans, some of them of one")]
mod tests;
mod text;
mod waterfall;

pub use claims::{change_claim, evidence_claim};
pub use replacement::Replacement;
pub use search::BUDGET;
pub use shared::shared_pieces;
pub use text::{cut, replaced};
pub use waterfall::{Run, Waterfall};

use std::cmp::Reverse;
use std::ops::Range;

use super::method::{Method, Piece};
use super::prepared::Prepared;
use search::{Stop, Trial, minimal_groups, most_groups};

/// The fewest of these pieces that, cut out of the target, end the match: with any one of them left in it stays. They keep
/// their order. Of very many pieces in a long text some may be returned as one.
fn evidence(
    method: &dyn Method,
    source: &Prepared<'_>,
    target: &Prepared<'_>,
    pieces: Vec<Piece>,
) -> Result<Vec<Piece>, Stop> {
    let mut trial = Trial::new(method, source)?;
    if !trial.matches(target)? {
        return Err(Stop::NoMatch);
    }
    let text = target.text();
    let mut spans: Vec<(Range<usize>, usize)> = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        spans.extend(piece.target.iter().map(|span| (text::whole(text, span), i)));
    }
    spans.sort_by_key(|(span, _)| (span.start, span.end));
    let size = pieces.len().div_ceil(most_groups(target.tokens().len())).max(1);
    let items: Vec<usize> = (0..pieces.len()).collect();
    let needed = minimal_groups(items.chunks(size).map(<[usize]>::to_vec).collect(), pieces.len(), |taken| {
        let gone = spans.iter().filter(|(_, i)| taken[*i]).map(|(span, _)| span.clone());
        trial.matches_text(|out| text::cut_into(text, gone, out)).map(|matches| !matches)
    })?;
    Ok(needed.iter().map(|group| merge(&pieces, group)).collect())
}

/// Merges pieces into one that is called like the first.
fn merge(pieces: &[Piece], group: &[usize]) -> Piece {
    let mut one = pieces[group[0]].clone();
    for &i in &group[1..] {
        one.source.extend_from_slice(&pieces[i].source);
        one.target.extend_from_slice(&pieces[i].target);
    }
    if group.len() > 1 {
        one.claim.push_str(&format!(" and {} more", group.len() - 1));
    }
    one
}

/// A smallest set of places in which the target would have to read like the source for the pair to match: with all but any
/// one of them it does not. In the order of the text; empty when the pair matches already. Places that touch the spans
/// `first` of the target are tried first, then the larger before the smaller. Of very many places in a long text neighbours
/// may be returned as one.
fn change(
    method: &dyn Method,
    source: &Prepared<'_>,
    target: &Prepared<'_>,
    first: &[Range<usize>],
) -> Result<Vec<Replacement>, Stop> {
    let mut trial = Trial::new(method, source)?;
    if trial.matches(target)? {
        return Ok(Vec::new());
    }
    let places = places::places(source, target);
    let most = most_groups(source.tokens().len().max(target.tokens().len()));
    let rank = |place: &Replacement| {
        let touches = |span: &Range<usize>| place.target.start <= span.end && span.start <= place.target.end;
        let touched = first.iter().position(touches).unwrap_or(first.len());
        (touched, Reverse(place.target.len() + place.source.len()), place.target.start)
    };
    let mut groups: Vec<Vec<usize>> = places::neighbours(&places, most).into_iter().map(Range::collect).collect();
    groups.sort_by_cached_key(|group| rank(&places::merge(&places, group)));
    groups.iter_mut().for_each(|group| group.sort_by_cached_key(|&i| rank(&places[i])));
    let needed = minimal_groups(groups, places.len(), |taken| {
        let made = places.iter().zip(taken).filter(|(_, taken)| **taken).map(|(place, _)| place);
        trial.matches_text(|out| text::replace_into(target.text(), source.text(), made, out))
    })?;
    let mut needed: Vec<Replacement> = needed.iter().map(|group| places::merge(&places, group)).collect();
    needed.sort_by_key(|place| (place.target.start, place.target.end));
    Ok(needed)
}
