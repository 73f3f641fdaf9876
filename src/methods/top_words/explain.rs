//! Explains why the heaviest words of two documents are the same or not: the words, their weights, and how near they were
//! to the cut.

use std::ops::Range;

use super::ranked::Ranked;
use crate::explanation::{Explanation, Side};
use crate::method::{Piece, Reasons};
use crate::prepared::Prepared;
use crate::wording::{count, listed, marked, ordinal, sides as named, weight as written};

/// All content words of a document, the heaviest first.
#[derive(Debug)]
pub(super) struct RankedWords<'a, 'd> {
    document: &'a Prepared<'d>,
    words: Vec<Word>,
    /// How many of them make the signature.
    cut: usize,
}

#[derive(Debug)]
struct Word {
    name: String,
    hash: u64,
    weight: f64,
}

impl<'a, 'd> RankedWords<'a, 'd> {
    pub(super) fn new(document: &'a Prepared<'d>, ranking: &[Ranked], cut: usize) -> Self {
        let words = ranking.iter().map(|ranked| {
            let term = &document.terms()[ranked.term];
            Word { name: document.word(term).into_owned(), hash: term.hash, weight: ranked.weight }
        });
        Self { document, words: words.collect(), cut }
    }

    fn signature(&self) -> &[Word] {
        &self.words[..self.cut.min(self.words.len())]
    }

    /// Place of a word among all, from 0.
    fn rank(&self, hash: u64) -> Option<usize> {
        self.words.iter().position(|word| word.hash == hash)
    }

    fn chooses(&self, hash: u64) -> bool {
        self.signature().iter().any(|word| word.hash == hash)
    }

    fn places(&self, hash: u64) -> Vec<Range<usize>> {
        self.document.places(hash)
    }
}

/// `matched`: whether the hashes of the two signatures are equal.
pub(super) fn reasons(sides: &[RankedWords<'_, '_>; 2], matched: bool) -> Reasons {
    let [source, target] = sides;
    let cut = source.cut;
    if let Some(who) = named([source.words.len() < cut, target.words.len() < cut]) {
        let verb = if who.contains(" and ") { "have" } else { "has" };
        let claim = format!("{who} {verb} fewer than {} different content words", cut);
        return Reasons { claim, ..Reasons::default() };
    }
    let different: Vec<&Word> = source.signature().iter().filter(|word| !target.chooses(word.hash)).collect();
    let mut parts = vec![signatures(sides), cuts(sides)];
    let claim = match different.first() {
        None => {
            let words: Vec<&str> = source.signature().iter().map(|word| word.name.as_str()).collect();
            format!("the same {}: {}", count(cut, "word"), listed(&words))
        }
        Some(first) => {
            let why = missing(first, target);
            parts.push(Explanation::new(format!("the first word that differs: {why}"), first.weight));
            let same = cut - different.len();
            let chance = if matched { ", and the hash of the rest is equal by chance" } else { "" };
            format!("{same} of {} are the same{chance}; {why}", count(cut, "word"))
        }
    };
    let value = if matched { 0.0 } else { different.len() as f64 };
    let pieces = if matched { pieces(sides) } else { Vec::new() };
    let decisive = if matched { Vec::new() } else { decisive(sides) };
    Reasons { claim, value: Some(value), parts, pieces, decisive }
}

/// Why a word of the source's signature is not in the target's.
fn missing(word: &Word, target: &RankedWords<'_, '_>) -> String {
    match target.rank(word.hash) {
        None => format!("“{}” does not stand in the target", word.name),
        Some(rank) => {
            let distance = below(target.words[rank].weight, target);
            format!("“{}” stands {} in the target, {distance}", word.name, ordinal(rank + 1))
        }
    }
}

/// How far a weight is under the cut.
fn below(weight: f64, standing: &RankedWords<'_, '_>) -> String {
    let gap = standing.signature().last().map_or(0.0, |last| last.weight - weight);
    if gap == 0.0 {
        format!("as heavy as the {} word but later in the alphabet", ordinal(standing.cut))
    } else {
        format!("{} below the cut", written(gap))
    }
}

/// The words of both signatures, in the source's order and then the target's.
fn signatures(sides: &[RankedWords<'_, '_>; 2]) -> Explanation {
    let [source, target] = sides;
    let only_target = target.signature().iter().filter(|word| !source.chooses(word.hash));
    let words: Vec<&Word> = source.signature().iter().chain(only_target).collect();
    let both = words.iter().filter(|word| source.chooses(word.hash) && target.chooses(word.hash)).count();
    let claim = format!("{} in both signatures, {} in one", count(both, "word"), words.len() - both);
    Explanation::new(claim, both as f64).with(words.into_iter().map(|word| word_part(word, sides)).collect())
}

/// The rank of one word on both sides.
fn word_part(word: &Word, sides: &[RankedWords<'_, '_>; 2]) -> Explanation {
    let mut ranks = Vec::new();
    for (side, whose) in sides.iter().zip(["source", "target"]) {
        ranks.push(match side.rank(word.hash) {
            None => format!("not in the {whose}"),
            Some(rank) => {
                let weight = side.words[rank].weight;
                let label = if whose == "source" { "weight " } else { "" };
                let outside = if rank < side.cut { String::new() } else { format!(", {}", below(weight, side)) };
                format!("{} in the {whose} ({label}{}{outside})", ordinal(rank + 1), written(weight))
            }
        });
    }
    let explanation = Explanation::new(format!("“{}”: {}", word.name, ranks.join(", ")), word.weight);
    let explanation = marked(explanation, Side::Source, &sides[0].places(word.hash));
    marked(explanation, Side::Target, &sides[1].places(word.hash))
}

/// How clear the choice was on each side: the last word taken against the first that was not.
fn cuts(sides: &[RankedWords<'_, '_>; 2]) -> Explanation {
    let parts = sides.iter().zip(["source", "target"]).map(|(side, whose)| cut(side, whose)).collect();
    Explanation::new("how clear the cut is", None).with(parts)
}

fn cut(standing: &RankedWords<'_, '_>, whose: &str) -> Explanation {
    let [nth, next] = [standing.cut, standing.cut + 1].map(ordinal);
    let Some(last) = standing.signature().last() else { return Explanation::new(whose, None) };
    let taken = format!("{whose}: the {nth} “{}” weighs {}", last.name, written(last.weight));
    match standing.words.get(standing.cut) {
        None => Explanation::new(format!("{taken}, and there is no {next}"), None),
        Some(first) => {
            let gap = last.weight - first.weight;
            let less = if gap == 0.0 {
                "as much and comes later in the alphabet".to_owned()
            } else {
                format!("{} less", written(gap))
            };
            Explanation::new(format!("{taken}, the {next} “{}” {less}", first.name), gap)
        }
    }
}

/// Cutting every place of one word of the signature changes it; the heaviest first.
fn pieces(sides: &[RankedWords<'_, '_>; 2]) -> Vec<Piece> {
    let [source, target] = sides;
    let piece = |word: &Word| Piece {
        claim: format!("“{}”", word.name),
        source: source.places(word.hash),
        target: target.places(word.hash),
    };
    target.signature().iter().map(piece).collect()
}

/// Places in the target of the words that are in one signature only.
fn decisive(sides: &[RankedWords<'_, '_>; 2]) -> Vec<Range<usize>> {
    let [source, target] = sides;
    let only = |a: &RankedWords<'_, '_>, b: &RankedWords<'_, '_>| -> Vec<u64> {
        a.signature().iter().map(|word| word.hash).filter(|&hash| !b.chooses(hash)).collect()
    };
    let words = [only(source, target), only(target, source)].concat();
    let mut places: Vec<Range<usize>> = words.iter().flat_map(|&hash| target.places(hash)).collect();
    places.sort_unstable_by_key(|place| (place.start, place.end));
    places
}
