//! Explains why two documents share enough substrings or not: the shared runs of text, the first fingerprint that differs,
//! and which part of all fingerprints is kept.

use std::collections::BTreeMap;
use std::ops::Range;

use super::fingerprints::{LEAST, Substrings};
use crate::content_text::content_places;
use crate::explanation::{Explanation, Side};
use crate::method::{Piece, Reasons};
use crate::prepared::Prepared;
use crate::wording::{LISTED, count, marked, sides};
use dejaview_base::similarity::common;

/// A document with the places of its fingerprints.
struct LocatedFingerprints<'a, 'd> {
    document: &'a Prepared<'d>,
    text: Vec<u8>,
    /// Where each content word begins in `text`, and which token it is.
    words: Vec<(usize, usize)>,
    /// All places in `text` of every fingerprint that the modulus admits.
    places: BTreeMap<u64, Vec<usize>>,
    kept: Vec<u64>,
}

impl<'a, 'd> LocatedFingerprints<'a, 'd> {
    fn new(method: &Substrings, document: &'a Prepared<'d>) -> Self {
        let (text, words) = content_places(document);
        let mut places: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        method.roll(&text, |place, fingerprint| {
            if fingerprint.is_multiple_of(method.modulus) {
                places.entry(fingerprint).or_default().push(place);
            }
        });
        let kept = places.keys().copied().take(method.keep).collect();
        Self { document, text, words, places, kept }
    }

    /// The words of the document that a substring touches.
    fn span(&self, place: usize, length: usize) -> Range<usize> {
        let word = |at: usize| self.words.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        let token = |word: usize| self.document.tokens().span(self.words[word].1);
        token(word(place)).start..token(word(place + length - 1)).end
    }

    /// The text of these fingerprints, joined where it overlaps.
    fn runs(&self, fingerprints: &[u64], length: usize) -> Vec<Range<usize>> {
        let places = fingerprints.iter().flat_map(|fingerprint| self.places.get(fingerprint)).flatten();
        joined(places.map(|&place| self.span(place, length)).collect())
    }

    fn quoted(&self, place: usize, length: usize) -> String {
        format!("“{}”", String::from_utf8_lossy(&self.text[place..place + length]).trim())
    }

    /// How far the sketch reaches, as a share of all numbers that a fingerprint could be.
    fn reach(&self, keep: usize) -> f64 {
        if self.kept.len() < keep { 1.0 } else { self.kept.last().map_or(1.0, |&last| last as f64 / 2f64.powi(64)) }
    }
}

/// Overlapping spans as one.
fn joined(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    let mut runs: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match runs.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => runs.push(span),
        }
    }
    runs
}

pub(super) fn reasons(method: &Substrings, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
    let located = [source, target].map(|document| LocatedFingerprints::new(method, document));
    if let Some(who) = sides([0, 1].map(|i| located[i].kept.len() < LEAST)) {
        let verb = if who.contains(" and ") { "have" } else { "has" };
        let claim = format!("{who} {verb} fewer than {LEAST} substrings of {} bytes to go by", method.length);
        return Reasons { claim, ..Reasons::default() };
    }
    let [a, b] = &located;
    let (larger, shared) = (a.kept.len().max(b.kept.len()), common(&a.kept, &b.kept));
    let needed = method.needed(larger);
    let claim = format!("{shared} of {larger} fingerprints are the same, {needed} needed");
    let value = (larger - shared) as f64;
    let pieces = pieces(method, a, b);
    let mut parts = vec![runs(&pieces, shared)];
    parts.extend(first_difference(method, &located));
    parts.push(reaches(method, &located));
    if shared >= needed {
        return Reasons { claim, value: Some(value), parts, pieces, decisive: Vec::new() };
    }
    let claim = format!("{claim}; {}", lacking(needed - shared));
    Reasons { claim, value: Some(value), parts, pieces: Vec::new(), decisive: decisive(method, a, b) }
}

fn lacking(number: usize) -> String {
    if number == 1 { "1 is lacking".to_owned() } else { format!("{number} are lacking") }
}

/// Runs of the target with common fingerprints; those with the most of them first.
fn pieces(
    method: &Substrings,
    source: &LocatedFingerprints<'_, '_>,
    target: &LocatedFingerprints<'_, '_>,
) -> Vec<Piece> {
    let shared: Vec<u64> =
        source.kept.iter().copied().filter(|fingerprint| target.kept.binary_search(fingerprint).is_ok()).collect();
    let runs = target.runs(&shared, method.length);
    let within = |run: &Range<usize>| -> Vec<u64> {
        let inside = |place: &usize| run.contains(&target.span(*place, method.length).start);
        shared.iter().copied().filter(|fingerprint| target.places[fingerprint].iter().any(inside)).collect()
    };
    let mut pieces: Vec<(usize, Piece)> = runs
        .iter()
        .map(|run| {
            let own = within(run);
            let claim = format!("a run of {} bytes with {}", run.len(), count(own.len(), "common fingerprint"));
            let source = source.runs(&own, method.length);
            (own.len(), Piece { claim, source, target: vec![run.clone()] })
        })
        .collect();
    // Stable: of equally many the first in the text.
    pieces.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    pieces.into_iter().map(|(_, piece)| piece).collect()
}

fn runs(pieces: &[Piece], shared: usize) -> Explanation {
    let mut parts: Vec<Explanation> = pieces
        .iter()
        .take(LISTED)
        .map(|piece| {
            let explanation = Explanation::new(piece.claim.clone(), None);
            marked(marked(explanation, Side::Source, &piece.source), Side::Target, &piece.target)
        })
        .collect();
    if pieces.len() > LISTED {
        let more = pieces.len() - LISTED;
        parts.push(Explanation::new(format!("{} more", count(more, "run")), more as f64));
    }
    let claim = format!("{} in {} of the target", count(shared, "common fingerprint"), count(pieces.len(), "run"));
    Explanation::new(claim, shared as f64).with(parts)
}

/// The smallest fingerprint that only one sketch has: its substring, and why the other has not kept it.
fn first_difference(method: &Substrings, sides: &[LocatedFingerprints<'_, '_>; 2]) -> Option<Explanation> {
    let only = |a: usize, b: usize| sides[a].kept.iter().find(|print| sides[b].kept.binary_search(print).is_err());
    let (own, fingerprint) = match (only(0, 1), only(1, 0)) {
        (Some(a), Some(b)) if b < a => (1, b),
        (Some(a), _) => (0, a),
        (None, Some(b)) => (1, b),
        (None, None) => return None,
    };
    let names = ["source", "target"];
    let place = *sides[own].places.get(fingerprint)?.first()?;
    let why = if sides[1 - own].places.contains_key(fingerprint) {
        format!("the {} has it as well, and {} smaller ones", names[1 - own], method.keep)
    } else {
        format!("the {} does not have it", names[1 - own])
    };
    let substring = sides[own].quoted(place, method.length);
    let claim = format!("the first fingerprint that differs stands on {substring} in the {}; {why}", names[own]);
    let side = [Side::Source, Side::Target][own];
    Some(Explanation::new(claim, None).at(side, sides[own].span(place, method.length)))
}

fn reaches(method: &Substrings, sides: &[LocatedFingerprints<'_, '_>; 2]) -> Explanation {
    let parts = sides.iter().zip(["source", "target"]).map(|(side, whose)| {
        let reach = side.reach(method.keep);
        let claim = format!(
            "{whose}: {} of {} different fingerprints are kept, the smallest {:.1} % of the range",
            side.kept.len(),
            side.places.len(),
            100.0 * reach
        );
        Explanation::new(claim, reach)
    });
    Explanation::new("how far the sketches reach", None).with(parts.collect())
}

/// The places of the target's fingerprints that the source does not have at all; where it has them all, those that it has
/// not kept.
fn decisive(
    method: &Substrings,
    source: &LocatedFingerprints<'_, '_>,
    target: &LocatedFingerprints<'_, '_>,
) -> Vec<Range<usize>> {
    let not_kept = target.kept.iter().copied().filter(|fingerprint| source.kept.binary_search(fingerprint).is_err());
    let not_kept: Vec<u64> = not_kept.collect();
    let missing: Vec<u64> = not_kept.iter().copied().filter(|print| !source.places.contains_key(print)).collect();
    target.runs(if missing.is_empty() { &not_kept } else { &missing }, method.length)
}
