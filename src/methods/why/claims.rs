//! The claims of an explanation about the evidence for a match, or the changes that would make one.

use std::ops::Range;

use super::search::Stop;
use super::{Piece, Replacement, change, evidence, shared, shared_pieces};
use crate::explanation::{Explanation, Role, Side};
use crate::method::Method;
use crate::prepared::Prepared;
use crate::wording::quoted;

/// The evidence for a match. It is searched among the method's own pieces, then among the words that both texts share, then
/// among these and the target's own words. Three searches at most, each with its budget.
pub fn evidence_claim(
    method: &dyn Method,
    source: &Prepared<'_>,
    target: &Prepared<'_>,
    pieces: Vec<Piece>,
) -> Explanation {
    let pieces = match find_evidence(method, source, target, pieces) {
        Ok(pieces) => pieces,
        Err(stop) => {
            let claim = match stop {
                Stop::NoSketch | Stop::NoMatch => "there is no match that anything could carry",
                Stop::Never => "the match stays whatever is cut out of the target",
                Stop::Budget => "what carries the match was not found: the texts are too long for the search",
            };
            return Explanation::new(claim, None);
        }
    };
    let claim = match pieces.len() {
        1 => "the match rests on 1 place; without it the match is gone".to_owned(),
        many => {
            format!("the match rests on these {many} places; without them it is gone, with any one left in it stays")
        }
    };
    let parts = pieces.iter().map(|piece| {
        let mut part = Explanation::new(piece.claim.as_str(), None).with_role(Role::Evidence);
        part.spans.extend(piece.source.iter().map(|span| (Side::Source, span.clone())));
        part.spans.extend(piece.target.iter().map(|span| (Side::Target, span.clone())));
        part
    });
    Explanation::new(claim, pieces.len() as f64).with(parts.collect())
}

/// The changes that would make a match; `first` as in `change`.
pub fn change_claim(
    method: &dyn Method,
    source: &Prepared<'_>,
    target: &Prepared<'_>,
    first: &[Range<usize>],
) -> Explanation {
    let places = match change(method, source, target, first) {
        Ok(places) => places,
        Err(stop) => {
            let claim = match stop {
                Stop::NoSketch => "no change of the target would make a match: the source has no sketch",
                Stop::NoMatch | Stop::Never => "not even the source's own text would match",
                Stop::Budget => "what would make a match was not found: the texts are too long for the search",
            };
            return Explanation::new(claim, None);
        }
    };
    let claim = match places.len() {
        0 => "matches as it is".to_owned(),
        1 => "would match if 1 place of the target read as in the source".to_owned(),
        many => format!("would match if these {many} places of the target read as in the source"),
    };
    let parts = places.iter().map(|place| {
        Explanation::new(replacement_claim(source.text(), target.text(), place), None)
            .at(Side::Target, place.target.clone())
            .at(Side::Source, place.source.clone())
            .with_role(Role::Change)
    });
    Explanation::new(claim, places.len() as f64).with(parts.collect())
}

/// What one replacement does.
pub(super) fn replacement_claim(source: &str, target: &str, place: &Replacement) -> String {
    let (old, new) = (&target[place.target.clone()], &source[place.source.clone()]);
    let blank = |text: &str| text.trim().is_empty();
    match (blank(old), blank(new)) {
        (true, true) => "the white space would be as in the source".to_owned(),
        (true, false) => format!("{} would be added", quoted(new)),
        (false, true) => format!("{} would be left out", quoted(old)),
        _ if old.split_whitespace().eq(new.split_whitespace()) => {
            format!("{} would have the white space of the source", quoted(old))
        }
        _ => format!("{} would read {}", quoted(old), quoted(new)),
    }
}

/// Searches for [`evidence`] among the method's pieces, then among shared words, then among all words.
fn find_evidence(
    method: &dyn Method,
    source: &Prepared<'_>,
    target: &Prepared<'_>,
    pieces: Vec<Piece>,
) -> Result<Vec<Piece>, Stop> {
    let found = evidence(method, source, target, pieces);
    if !matches!(found, Err(Stop::Never | Stop::Budget)) {
        return found;
    }
    let mut shared = shared_pieces(source, target);
    let found = evidence(method, source, target, shared.clone());
    if found != Err(Stop::Never) {
        return found;
    }
    shared.extend(shared::lone_pieces(source, target));
    evidence(method, source, target, shared)
}
