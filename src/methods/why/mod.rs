//! Which parts of a text carry a verdict, and what would turn it?
//!
//! One search for all methods, which knows of them only [`Method::sketch`] and [`Method::compare`]. A match is explained
//! by the pieces without which the target no longer matches ([`evidence`]), a miss by the places in which the target
//! would have to read like the source ([`change`]). What either returns has been tried: all of it together turns the
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

use std::cmp::Reverse;
use std::ops::Range;

use super::catalogue::Method;
use super::explanation::{Explanation, Role, Side};
use super::prepared::Prepared;
use crate::text::Tokens;

mod places;
mod shared;
#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "lists of spans, some of them of one")]
mod tests;
mod text;
mod waterfall;

pub use shared::shared_pieces;
pub use text::{cut, replaced};
pub use waterfall::{Run, Waterfall};

/// Tokens that one search may sketch; of a text with few words every 16 bytes count as one.
pub const BUDGET: usize = 20_000_000;
/// Times that a search among groups may look at all of them within the budget.
const ROUNDS: usize = 8;
/// Groups that even the longest text is searched by.
const FEWEST: usize = 16;
/// Characters of a text that a claim quotes.
const QUOTED: usize = 60;

/// A part of both texts that may carry a match: what a method names, most telling first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Piece {
    /// What it is, in a few words.
    pub claim: String,
    /// Its bytes in the source's canonical text.
    pub source: Vec<Range<usize>>,
    /// Its bytes in the target's, cut out together.
    pub target: Vec<Range<usize>>,
}

/// One place of the target that would read as in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// The target's bytes that give way; none where something is added.
    pub target: Range<usize>,
    /// The source's bytes that take their place; none where something is left out.
    pub source: Range<usize>,
}

/// Why a search found nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The source has no sketch.
    NoSketch,
    /// There is no match to begin with.
    NoMatch,
    /// All of it together does not turn the verdict.
    Never,
    /// The budget is used up.
    Budget,
}

/// The fewest of these pieces that, cut out of the target, end the match: without any one of them it stays. They keep
/// their order. Of very many pieces in a long text some may be returned as one. None when there is no match, when even
/// all of them do not end it, or when the search costs more than it may.
pub fn evidence(
    method: &dyn Method,
    source: &Prepared<'_>,
    target: &Prepared<'_>,
    pieces: Vec<Piece>,
) -> Option<Vec<Piece>> {
    ending(method, source, target, pieces).ok()
}

/// A smallest set of places in which the target would have to read like the source for the pair to match: with all but
/// any one of them it does not. In the order of the text; empty when the pair matches already. Places that touch the
/// spans `first` of the target are tried first, then the larger before the smaller. Of very many places in a long text
/// neighbours may be returned as one. None when the source has no sketch or the search costs more than it may.
pub fn change(
    method: &dyn Method,
    source: &Prepared<'_>,
    target: &Prepared<'_>,
    first: &[Range<usize>],
) -> Option<Vec<Replacement>> {
    making(method, source, target, first).ok()
}

/// What carries a match, in words: the method's own pieces, or if these do not, the words that both texts share, or if
/// these do not either, those and the target's own. Three searches at most, each with its budget.
pub fn carried(method: &dyn Method, source: &Prepared<'_>, target: &Prepared<'_>, pieces: Vec<Piece>) -> Explanation {
    let pieces = match carrying(method, source, target, pieces) {
        Ok(pieces) => pieces,
        Err(stop) => {
            let claim = match stop {
                Stop::NoSketch | Stop::NoMatch => "there is no match that anything could carry",
                Stop::Never => "the match stays whatever is cut out of the target",
                Stop::Budget => "what carries the match was not found: the texts are too long for the search",
            };
            return Explanation::new(claim, f64::NAN);
        }
    };
    let claim = match pieces.len() {
        1 => "the match rests on 1 place; without it the match is gone".to_owned(),
        many => {
            format!("the match rests on these {many} places; without them it is gone, with any one left in it stays")
        }
    };
    let parts = pieces.iter().map(|piece| {
        let mut part = Explanation::new(piece.claim.as_str(), f64::NAN).with_role(Role::Evidence);
        part.spans.extend(piece.source.iter().map(|span| (Side::Source, span.clone())));
        part.spans.extend(piece.target.iter().map(|span| (Side::Target, span.clone())));
        part
    });
    Explanation::new(claim, pieces.len() as f64).with(parts.collect())
}

/// What would make a match, in words; `first` as in [`change`].
pub fn would_match(
    method: &dyn Method,
    source: &Prepared<'_>,
    target: &Prepared<'_>,
    first: &[Range<usize>],
) -> Explanation {
    let places = match making(method, source, target, first) {
        Ok(places) => places,
        Err(stop) => {
            let claim = match stop {
                Stop::NoSketch => "no change of the target would make a match: the source has no sketch",
                Stop::NoMatch | Stop::Never => "not even the source's own text would match",
                Stop::Budget => "what would make a match was not found: the texts are too long for the search",
            };
            return Explanation::new(claim, f64::NAN);
        }
    };
    let claim = match places.len() {
        0 => "matches as it is".to_owned(),
        1 => "would match if 1 place of the target read as in the source".to_owned(),
        many => format!("would match if these {many} places of the target read as in the source"),
    };
    let parts = places.iter().map(|place| {
        Explanation::new(reading(source.text(), target.text(), place), f64::NAN)
            .at(Side::Target, place.target.clone())
            .at(Side::Source, place.source.clone())
            .with_role(Role::Change)
    });
    Explanation::new(claim, places.len() as f64).with(parts.collect())
}

/// What one replacement does, in words.
fn reading(source: &str, target: &str, place: &Replacement) -> String {
    let (old, new) = (&target[place.target.clone()], &source[place.source.clone()]);
    let blank = |text: &str| text.trim().is_empty();
    match (blank(old), blank(new)) {
        (true, true) => "the white space would be as in the source".to_owned(),
        (true, false) => format!("{} would be added", quote(new)),
        (false, true) => format!("{} would be left out", quote(old)),
        _ if old.split_whitespace().eq(new.split_whitespace()) => {
            format!("{} would have the white space of the source", quote(old))
        }
        _ => format!("{} would read {}", quote(old), quote(new)),
    }
}

/// The beginning of a text in quotation marks, white space collapsed.
fn quote(text: &str) -> String {
    let mut quote = String::from("“");
    let mut length = 0;
    for (i, word) in text.split_whitespace().enumerate() {
        for c in (i > 0).then_some(' ').into_iter().chain(word.chars()) {
            if length == QUOTED {
                quote.truncate(quote.trim_end().len());
                return quote + "…”";
            }
            quote.push(c);
            length += 1;
        }
    }
    quote + "”"
}

/// By how many groups texts of so many tokens are searched so that the search stays within its budget.
fn most_groups(tokens: usize) -> usize {
    (BUDGET / ROUNDS / tokens.max(1)).max(FEWEST)
}

/// [`evidence`] among the method's pieces, else among shared words, else among all words.
fn carrying(
    method: &dyn Method,
    source: &Prepared<'_>,
    target: &Prepared<'_>,
    pieces: Vec<Piece>,
) -> Result<Vec<Piece>, Stop> {
    let found = ending(method, source, target, pieces);
    if !matches!(found, Err(Stop::Never | Stop::Budget)) {
        return found;
    }
    let mut shared = shared_pieces(source, target);
    let found = ending(method, source, target, shared.clone());
    if found != Err(Stop::Never) {
        return found;
    }
    shared.extend(shared::lone_pieces(source, target));
    ending(method, source, target, shared)
}

fn ending(
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
    Ok(needed.iter().map(|group| as_one(&pieces, group)).collect())
}

/// Several pieces as one that names the first.
fn as_one(pieces: &[Piece], group: &[usize]) -> Piece {
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

fn making(
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
    groups.sort_by_cached_key(|group| rank(&places::as_one(&places, group)));
    groups.iter_mut().for_each(|group| group.sort_by_cached_key(|&i| rank(&places[i])));
    let needed = minimal_groups(groups, places.len(), |taken| {
        let made = places.iter().zip(taken).filter(|(_, taken)| **taken).map(|(place, _)| place);
        trial.matches_text(|out| text::replace_into(target.text(), source.text(), made, out))
    })?;
    let mut needed: Vec<Replacement> = needed.iter().map(|group| places::as_one(&places, group)).collect();
    needed.sort_by_key(|place| (place.target.start, place.target.end));
    Ok(needed)
}

/// Which of these groups of items are needed, as in [`minimal`], and then which items of them; as groups of one, unless
/// the budget ends before that is known. `holds` is told which of all items are taken.
fn minimal_groups(
    groups: Vec<Vec<usize>>,
    items: usize,
    mut holds: impl FnMut(&[bool]) -> Result<bool, Stop>,
) -> Result<Vec<Vec<usize>>, Stop> {
    let mut taken = vec![false; items];
    let mut needed = |groups: Vec<Vec<usize>>| -> Result<Vec<Vec<usize>>, Stop> {
        taken.fill(false);
        let chosen = minimal(groups.len(), |chosen| {
            for (group, &chosen) in groups.iter().zip(chosen) {
                group.iter().for_each(|&i| taken[i] = chosen);
            }
            holds(&taken)
        })?;
        Ok(groups.into_iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(group, _)| group).collect())
    };
    let groups = needed(groups)?;
    if groups.iter().all(|group| group.len() == 1) {
        return Ok(groups);
    }
    let alone = groups.iter().flatten().map(|&i| vec![i]).collect();
    Ok(needed(alone).unwrap_or(groups))
}

/// Which of so many items are needed for `holds` to be true, which it is not of none: with all of them it is true, and
/// with all but any one of them not.
fn minimal(items: usize, mut holds: impl FnMut(&[bool]) -> Result<bool, Stop>) -> Result<Vec<bool>, Stop> {
    let mut taken = vec![false; items];
    let mut holds_up_to = |end: usize, taken: &mut [bool]| {
        taken[..end].fill(true);
        taken[end..].fill(false);
        holds(taken)
    };
    let (mut low, mut high) = (0, 1.min(items));
    while !holds_up_to(high, &mut taken)? {
        if high == items {
            return Err(Stop::Never);
        }
        (low, high) = (high, items.min(2 * high));
    }
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        if holds_up_to(middle, &mut taken)? { high = middle } else { low = middle }
    }
    taken[..high].fill(true);
    taken[high..].fill(false);
    let mut left: Vec<usize> = (0..high).rev().collect();
    // So many of the last tries in a row have found an item needed, and the set has not changed since.
    let (mut at, mut needed) = (0, 0);
    while needed < left.len() {
        at %= left.len();
        taken[left[at]] = false;
        if holds(&taken)? {
            left.remove(at);
            needed = 0;
        } else {
            taken[left[at]] = true;
            at += 1;
            needed += 1;
        }
    }
    Ok(taken)
}

/// Tries texts against the source's sketch, one after the other in the same memory.
struct Trial<'a> {
    method: &'a dyn Method,
    wanted: Vec<u64>,
    text: String,
    tokens: Tokens,
    sketch: Vec<u64>,
    /// What is left of the budget.
    left: usize,
}

impl<'a> Trial<'a> {
    fn new(method: &'a dyn Method, source: &Prepared<'_>) -> Result<Self, Stop> {
        let mut wanted = Vec::new();
        if !method.sketch(source, &mut wanted) {
            return Err(Stop::NoSketch);
        }
        Ok(Self { method, wanted, text: String::new(), tokens: Tokens::new(), sketch: Vec::new(), left: BUDGET })
    }

    /// Whether the text that `write` makes matches.
    fn matches_text(&mut self, write: impl FnOnce(&mut String)) -> Result<bool, Stop> {
        let (mut text, mut tokens) = (std::mem::take(&mut self.text), std::mem::take(&mut self.tokens));
        write(&mut text);
        tokens.read(&text);
        let matches = self.matches(&Prepared::new(&text, &tokens));
        (self.text, self.tokens) = (text, tokens);
        matches
    }

    fn matches(&mut self, document: &Prepared<'_>) -> Result<bool, Stop> {
        let cost = document.tokens().len().max(document.text().len() / 16) + 1;
        self.left = self.left.checked_sub(cost).ok_or(Stop::Budget)?;
        self.sketch.clear();
        Ok(self.method.sketch(document, &mut self.sketch) && self.method.compare(&self.wanted, &self.sketch).is_some())
    }
}
