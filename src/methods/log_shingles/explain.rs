//! Explains at which powers of 2 two documents keep the same shingle, and what makes them differ.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::sample::LogShingles;
use crate::explanation::{Explanation, Side};
use crate::method::{Piece, Reasons};
use crate::prepared::Prepared;
use crate::wording::{LISTED, count, quoted};

pub(super) fn reasons(method: &LogShingles, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
    let sides = [LocatedSample::new(method, Side::Source, source), LocatedSample::new(method, Side::Target, target)];
    let short: Vec<&str> = sides.iter().filter(|s| s.sequence.is_empty()).map(|s| s.side.name()).collect();
    if let Some(side) = short.first() {
        let who = if short.len() == 2 { "both have".to_owned() } else { format!("the {side} has") };
        let claim = format!("{who} fewer than {} words", method.shingle);
        return Reasons { claim, ..Reasons::default() };
    }
    let [here, there] = &sides;
    let length = here.sequence.len().max(there.sequence.len());
    let differing: Vec<usize> = (0..length).filter(|&i| here.sequence.get(i) != there.sequence.get(i)).collect();
    let mut parts = vec![samples(here, there, length)];
    let Some(&first) = differing.first() else {
        let pieces = pieces(here, there);
        let shingles = if pieces.len() == 1 { "1 shingle is" } else { &format!("{} shingles are", pieces.len()) };
        let claim = format!("the same {shingles} the smallest by powers of 2, up to 2^{}", length - 1);
        return Reasons { claim, value: Some(0.0), parts, pieces, decisive: Vec::new() };
    };
    let difference_part = first_difference(here, there, first);
    let same = length - differing.len();
    let claim = format!("at 2^{first} {}; {same} of {} agree", difference_part.claim, count(length, "power"));
    parts.push(difference_part);
    let mut decisive = Vec::new();
    for &i in &differing {
        for span in difference(here, there, i) {
            if !decisive.contains(&span) {
                decisive.push(span);
            }
        }
    }
    Reasons { claim, value: Some(differing.len() as f64), parts, pieces: Vec::new(), decisive }
}

/// The sequence of one document, with what it takes to find its shingles again.
pub(super) struct LocatedSample<'m> {
    method: &'m LogShingles,
    side: Side,
    document: &'m Prepared<'m>,
    sequence: Vec<u64>,
}

impl<'m> LocatedSample<'m> {
    pub(super) fn new(method: &'m LogShingles, side: Side, document: &'m Prepared<'m>) -> Self {
        Self { method, side, document, sequence: method.sequence(document) }
    }

    fn fingerprints(&self) -> Vec<u64> {
        self.method.fingerprints(self.document)
    }

    /// All slices of the text under a fingerprint.
    fn places(&self, fingerprint: u64) -> Vec<Range<usize>> {
        let starts = self.method.starts(self.document, fingerprint);
        starts.into_iter().flat_map(|i| self.method.spans(self.document, i)).collect()
    }

    /// The slices under the first shingle of a fingerprint.
    fn first(&self, fingerprint: u64) -> Vec<Range<usize>> {
        let start = self.method.starts(self.document, fingerprint).first().copied();
        start.map(|i| self.method.spans(self.document, i)).unwrap_or_default()
    }

    pub(super) fn quoted(&self, fingerprint: u64) -> String {
        let words: Vec<&str> = self.first(fingerprint).into_iter().map(|span| &self.document.text()[span]).collect();
        quoted(&words.join(" "))
    }

    /// The shingle here that has most words of one elsewhere, at least half of them,
    /// and is not elsewhere itself.
    fn nearest(&self, other: &LocatedSample<'_>, fingerprint: u64) -> Option<usize> {
        let n = self.method.shingle;
        let start = *other.method.starts(other.document, fingerprint).first()?;
        let words = |document: &Prepared<'_>, start: usize| -> Vec<u64> {
            let hashes = document.tokens().hashes();
            (start..start + n).map(|i| hashes[i % hashes.len()]).collect()
        };
        let wanted = words(other.document, start);
        let common = |i: usize| {
            let mut left = wanted.clone();
            for word in words(self.document, i) {
                left.iter().position(|w| *w == word).map(|at| left.swap_remove(at));
            }
            n - left.len()
        };
        // A shingle of both sides is no difference.
        let known: BTreeSet<u64> = other.fingerprints().into_iter().collect();
        let fingerprints = self.fingerprints().into_iter().enumerate();
        let own = fingerprints.filter(|(_, f)| !known.contains(f)).map(|(i, _)| (common(i), Reverse(i)));
        let (best, Reverse(i)) = own.max()?;
        (2 * best >= n).then_some(i)
    }
}

/// Both sequences, power by power; powers with the same shingles are one row.
fn samples(source: &LocatedSample<'_>, target: &LocatedSample<'_>, length: usize) -> Explanation {
    let at = |i: usize| [source.sequence.get(i), target.sequence.get(i)];
    let powers: Vec<usize> = (0..length).collect();
    let rows: Vec<&[usize]> = powers.chunk_by(|&i, &j| at(i) == at(j)).collect();
    let parts = rows.iter().take(LISTED).map(|row| {
        let (first, last) = (row[0], row[row.len() - 1]);
        let powers = if first == last { format!("2^{first}") } else { format!("2^{first} to 2^{last}") };
        row_part(&powers, [source, target], at(first).map(Option::<&u64>::copied))
    });
    let sizes = [source, target].map(|sample| sample.document.tokens().len());
    let more = rows.len().saturating_sub(LISTED);
    let rest = if more == 0 { String::new() } else { format!(", and {more} more") };
    let claim = format!(
        "the smallest shingle divisible by each power of 2, of {} in the source and {} in the target{rest}",
        sizes[0], sizes[1]
    );
    Explanation::new(claim, length as f64).with(parts.collect())
}

/// What both sides have at some powers.
fn row_part(powers: &str, samples: [&LocatedSample<'_>; 2], found: [Option<u64>; 2]) -> Explanation {
    let side = |sample: &LocatedSample<'_>, fingerprint: Option<u64>| match fingerprint {
        Some(f) => format!("{f:016x} {} in the {}", sample.quoted(f), sample.side.name()),
        None => format!("none in the {}", sample.side.name()),
    };
    let claim = match found {
        [Some(f), Some(other)] if f == other => format!("{powers}: {f:016x} {} in both", samples[0].quoted(f)),
        [a, b] => format!("{powers}: {}, {}", side(samples[0], a), side(samples[1], b)),
    };
    let mut part = Explanation::new(claim, f64::from(u8::from(found[0] != found[1])));
    for (sample, fingerprint) in samples.into_iter().zip(found) {
        let spans = fingerprint.map(|f| sample.first(f)).unwrap_or_default();
        part = spans.into_iter().fold(part, |part, span| part.at(sample.side, span));
    }
    part
}

/// The first difference of two sequences: a shingle that is missing on the other side.
fn first_difference(source: &LocatedSample<'_>, target: &LocatedSample<'_>, i: usize) -> Explanation {
    let (sample, fingerprint) = smaller(source, target, i);
    let claim = format!("{} stands only in the {}", sample.quoted(fingerprint), sample.side.name());
    let part = Explanation::new(claim, i as f64);
    sample.first(fingerprint).into_iter().fold(part, |part, span| part.at(sample.side, span))
}

/// At a power where the sequences differ, the side with the smaller fingerprint, which the other cannot have.
fn smaller<'s, 'm>(
    source: &'s LocatedSample<'m>,
    target: &'s LocatedSample<'m>,
    i: usize,
) -> (&'s LocatedSample<'m>, u64) {
    match (source.sequence.get(i), target.sequence.get(i)) {
        (Some(&a), Some(&b)) if a < b => (source, a),
        (_, Some(&b)) => (target, b),
        (a, None) => (source, a.copied().unwrap_or_default()),
    }
}

/// What in the target makes the sequences differ at a power: its own shingle, or what it has in place of the source's.
fn difference(source: &LocatedSample<'_>, target: &LocatedSample<'_>, i: usize) -> Vec<Range<usize>> {
    let (sample, fingerprint) = smaller(source, target, i);
    if sample.side == Side::Target {
        return target.places(fingerprint);
    }
    let instead = target.nearest(source, fingerprint);
    instead.map(|start| target.method.spans(target.document, start)).unwrap_or_default()
}

/// The shingles of two equal sequences, in order, with all their places.
fn pieces(source: &LocatedSample<'_>, target: &LocatedSample<'_>) -> Vec<Piece> {
    let mut distinct = source.sequence.clone();
    distinct.dedup();
    distinct
        .into_iter()
        .map(|f| Piece {
            claim: format!("the shingle {}", source.quoted(f)),
            source: source.places(f),
            target: target.places(f),
        })
        .collect()
}
