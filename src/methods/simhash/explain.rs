//! Explains why two SimHash sketches are near or not: the bits, their margins, the n-grams that decide them, the tables.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::sketch::SimHash;
use crate::explanation::{Explanation, Side};
use crate::layout::Layout;
use crate::method::{Method, Reasons};
use crate::pictures::height;
use crate::prepared::Prepared;
use dejaview_base::hash::widen;

/// n-grams named for each differing bit.
const NAMED: usize = 3;
/// Agreeing bits listed as the weakest.
const WEAKEST: usize = 5;

/// Bits shown on one line.
const LINE: usize = 64;

/// One feature of either document.
struct Feature {
    hash: u64,
    length: usize,
    /// Times it occurs in source and target.
    times: [i64; 2],
    /// Token at which it first begins in source and target.
    first: [Option<usize>; 2],
}

/// A bit of the sketch with its sums on both sides.
struct Bit {
    number: usize,
    margins: [i64; 2],
}

impl Bit {
    fn differs(&self) -> bool {
        (self.margins[0] > 0) != (self.margins[1] > 0)
    }

    /// How far the nearer of the two sums is from turning: the side, and by how much it would have to change.
    fn weakest(&self) -> (Side, i64) {
        let cost = |margin: i64| if margin > 0 { margin } else { 1 - margin };
        let (source, target) = (cost(self.margins[0]), cost(self.margins[1]));
        if source <= target { (Side::Source, source) } else { (Side::Target, target) }
    }
}

pub(super) fn reasons(method: &SimHash, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
    let missing: Vec<&str> = [(source, "source"), (target, "target")]
        .into_iter()
        .filter(|(document, _)| !method.has_sketch(document))
        .map(|(_, side)| side)
        .collect();
    if !missing.is_empty() {
        let shortest = method.lengths.first().copied().unwrap_or_default();
        let claim = format!("the {} has fewer than {shortest} words", missing.join(" and the "));
        return Reasons { claim, ..Reasons::default() };
    }
    let sketches = [source, target].map(|document| {
        let mut out = Vec::new();
        method.sketch(document, &mut out);
        out
    });
    let bits = bits(method, source, target);
    let features = features(method, source, target);
    let distance = Layout::hamming(&sketches[0], &sketches[1]);
    let allowed = u32::from(method.layout.distance());
    let claim = format!("{distance} of {} bits differ, {allowed} may", method.layout.bits());
    let parts = vec![
        fingerprints(method, &sketches),
        bit_rows(&bits),
        tables(method, &sketches),
        shared(&features),
        differing(&bits, &features, source, target),
        weakest(&bits),
        smallest_change(&bits, distance, allowed),
    ];
    Reasons { claim, value: Some(f64::from(distance)), parts, ..Reasons::default() }
}

fn bits(method: &SimHash, source: &Prepared<'_>, target: &Prepared<'_>) -> Vec<Bit> {
    let mut bits = Vec::with_capacity(method.layout.bits());
    for j in 0..method.layout.words() {
        let votes = [source, target].map(|document| method.votes(document, j as u64));
        for place in 0..64.min(method.layout.bits() - 64 * j) {
            bits.push(Bit { number: 64 * j + place, margins: [votes[0].margin(place), votes[1].margin(place)] });
        }
    }
    bits
}

fn features(method: &SimHash, source: &Prepared<'_>, target: &Prepared<'_>) -> Vec<Feature> {
    let mut features: Vec<Feature> = Vec::new();
    let mut places: HashMap<(usize, u64), usize> = HashMap::new();
    for (side, document) in [source, target].into_iter().enumerate() {
        for &length in &method.lengths {
            for (i, hash) in method.grams(document, length).into_iter().enumerate() {
                let place = *places.entry((length, hash)).or_insert_with(|| {
                    features.push(Feature { hash, length, times: [0, 0], first: [None, None] });
                    features.len() - 1
                });
                let feature = &mut features[place];
                feature.times[side] += 1;
                feature.first[side].get_or_insert(i);
            }
        }
    }
    features
}

fn fingerprints(method: &SimHash, sketches: &[Vec<u64>; 2]) -> Explanation {
    let difference: Vec<u64> = sketches[0].iter().zip(&sketches[1]).map(|(a, b)| a ^ b).collect();
    let distance = Layout::hamming(&sketches[0], &sketches[1]);
    Explanation::new("the two sketches", f64::from(distance)).with(vec![
        Explanation::new(format!("source     {}", method.print(&sketches[0])), 0.0),
        Explanation::new(format!("target     {}", method.print(&sketches[1])), 0.0),
        Explanation::new(format!("difference {}", method.print(&difference)), f64::from(distance)),
    ])
}

/// The bits of both sides one above the other, 64 a line and the highest first, with the margins below.
fn bit_rows(bits: &[Bit]) -> Explanation {
    let largest = bits.iter().map(|bit| bit.weakest().1).max().unwrap_or(1) as f64;
    let mut parts = Vec::new();
    for line in bits.rchunks(LINE) {
        let row = |cell: &dyn Fn(&Bit) -> char| line.iter().rev().map(cell).collect::<String>();
        let side = |side: usize| row(&|bit| if bit.margins[side] > 0 { '1' } else { '0' });
        let rows = [
            format!("source  {}", side(0)),
            format!("target  {}", side(1)),
            format!("differ  {}", row(&|bit| if bit.differs() { '✗' } else { '·' })),
            format!("margin  {}", row(&|bit| height(bit.weakest().1 as f64 / largest))),
        ];
        parts.extend(rows.map(|row| Explanation::new(row, None)));
    }
    let claim = format!("the {} bits, highest first; the lower a margin, the nearer the bit is to turning", bits.len());
    Explanation::new(claim, None).with(parts)
}

fn tables(method: &SimHash, sketches: &[Vec<u64>; 2]) -> Explanation {
    let difference: Vec<u64> = sketches[0].iter().zip(&sketches[1]).map(|(a, b)| a ^ b).collect();
    let all = method.layout.tables();
    let met: Vec<String> = all
        .iter()
        .filter(|table| table.meets(&difference))
        .map(|table| table.blocks.iter().map(usize::to_string).collect::<Vec<_>>().join("+"))
        .collect();
    let which = if met.is_empty() { String::new() } else { format!(": blocks {}", met.join(", ")) };
    Explanation::new(format!("met in {} of {} tables{which}", met.len(), all.len()), met.len() as f64)
}

fn shared(features: &[Feature]) -> Explanation {
    let sum = |side: usize| features.iter().map(|f| f.times[side]).sum::<i64>();
    let both: i64 = features.iter().map(|f| f.times[0].min(f.times[1])).sum();
    let claim = format!("{both} n-grams stand in both, of {} in the source and {} in the target", sum(0), sum(1));
    Explanation::new(claim, both as f64)
}

fn differing(bits: &[Bit], features: &[Feature], source: &Prepared<'_>, target: &Prepared<'_>) -> Explanation {
    let parts: Vec<Explanation> = bits
        .iter()
        .filter(|bit| bit.differs())
        .map(|bit| {
            let [a, b] = bit.margins;
            let claim = format!("bit {}: sum {a:+} in the source, {b:+} in the target", bit.number);
            Explanation::new(claim, (a - b) as f64).with(deciding_ngrams(bit, features, source, target))
        })
        .collect();
    Explanation::new(format!("{} bits differ", parts.len()), parts.len() as f64).with(parts)
}

/// The n-grams that pull the two sums of a differing bit apart most.
fn deciding_ngrams(bit: &Bit, features: &[Feature], source: &Prepared<'_>, target: &Prepared<'_>) -> Vec<Explanation> {
    let apart = (bit.margins[0] - bit.margins[1]).signum();
    let mut pulls: Vec<(i64, &Feature)> = features
        .iter()
        .map(|feature| {
            let vote = widen(feature.hash, bit.number as u64 / 64) >> (bit.number % 64) & 1;
            let sign = if vote == 1 { 1 } else { -1 };
            (apart * sign * (feature.times[0] - feature.times[1]), feature)
        })
        .filter(|(pull, _)| *pull > 0)
        .collect();
    pulls.sort_by_key(|(pull, feature)| (Reverse(*pull), feature.length, feature.first));
    pulls.into_iter().take(NAMED).map(|(pull, feature)| named(pull, feature, source, target)).collect()
}

fn named(pull: i64, feature: &Feature, source: &Prepared<'_>, target: &Prepared<'_>) -> Explanation {
    let mut explanation = Explanation::new("", pull as f64);
    let mut words = String::new();
    for (side, document, first) in [(Side::Target, target, feature.first[1]), (Side::Source, source, feature.first[0])]
    {
        if let Some(first) = first {
            let span = document.gram_span(first, feature.length);
            words = document.text()[span.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
            explanation = explanation.at(side, span);
        }
    }
    let [a, b] = feature.times;
    explanation.claim = format!("“{words}” {a}× in the source, {b}× in the target");
    explanation
}

fn weakest(bits: &[Bit]) -> Explanation {
    let mut agreeing: Vec<&Bit> = bits.iter().filter(|bit| !bit.differs()).collect();
    agreeing.sort_by_key(|bit| (bit.weakest().1, bit.number));
    let parts = agreeing
        .into_iter()
        .take(WEAKEST)
        .map(|bit| {
            let [a, b] = bit.margins;
            Explanation::new(format!("bit {}: sum {a:+} and {b:+}", bit.number), bit.weakest().1 as f64)
        })
        .collect();
    Explanation::new("the agreeing bits nearest to turning", 0.0).with(parts)
}

/// The fewest bits that must turn to change the verdict, and a lower bound on the n-grams that it takes: replacing one
/// n-gram changes a sum by at most 2.
fn smallest_change(bits: &[Bit], distance: u32, allowed: u32) -> Explanation {
    let matched = distance <= allowed;
    let needed = if matched { allowed + 1 - distance } else { distance - allowed } as usize;
    let mut movable: Vec<&Bit> = bits.iter().filter(|bit| bit.differs() != matched).collect();
    movable.sort_by_key(|bit| (bit.weakest().1, bit.number));
    movable.truncate(needed);
    let hardest = movable.last().map_or(0, |bit| bit.weakest().1);
    let names: Vec<String> = movable.iter().map(|bit| bit.number.to_string()).collect();
    let verb = if matched { "break" } else { "make" };
    let claim = format!(
        "to {verb} the match {needed} more bits must turn, {} first: at least {} n-grams replaced",
        names.join(", "),
        (hardest + 1) / 2
    );
    Explanation::new(claim, needed as f64)
}
