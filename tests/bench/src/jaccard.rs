//! Similarity of candidate pairs: our scores, and sets of the standard library that are built beforehand.

use std::collections::HashSet;

use anyhow::{Result, ensure};
use dejaview::base::hash::Roll;
use dejaview::matching::tables::Tables;
use dejaview::methods::measures::{Common, LENGTHS, Opened, Sequences};
use dejaview::methods::{Prepared, Shape};

use crate::board::Board;
use crate::data::{Data, tokens};
use crate::matching::simhash;

/// Bits in which candidates may differ, so that most pairs are near and few are equal.
const DISTANCE: u64 = 6;
const MOST_PAIRS: usize = 20_000;
const ROUNDS: usize = 5;

/// The six sets of a document: n-grams at each length, and 8-grams of the words between white space.
type Sets = Vec<HashSet<u64>>;

pub fn bench(data: &Data, board: &mut Board) -> Result<()> {
    let texts = data.texts(usize::MAX)?;
    let documents: Vec<Sequences> = texts.iter().map(|text| Sequences::new(text, tokens(text).hashes())).collect();
    for n in [3, 1] {
        of_candidates(board, n, &documents, &candidates(&texts, n)?)?;
    }
    Ok(())
}

fn of_candidates(board: &mut Board, n: u64, documents: &[Sequences], pairs: &[(usize, usize)]) -> Result<()> {
    let label = |what: &str| format!("pairs near by {n}-grams: {what}");
    let sets: Vec<Sets> = documents.iter().map(sets).collect();
    let sorted: Vec<Vec<u64>> = sets.iter().map(|sets| ascending(&sets[2])).collect();
    let size = pairs.iter().map(|&(a, b)| sets[a][2].len() + sets[b][2].len()).sum::<usize>() / pairs.len().max(1);
    board.fact(&label("count"), pairs.len());
    board.fact(&label("targets in them"), pairs.chunk_by(|a, b| a.0 == b.0).count());
    board.fact(&label("mean of 3-grams in both sets together"), size);
    let [opening, own_all, six, one, merge] = [
        "dejaview, opening each target once",
        "dejaview, all scores, opening included",
        "HashSet, all six sets",
        "HashSet, 3-grams",
        "sorted sets merged, 3-grams",
    ]
    .map(label);
    let mut common = Vec::new();
    for _ in 0..ROUNDS {
        board.time(&opening, || open(documents, pairs));
        common = board.time(&own_all, || own(documents, pairs));
        board.time(&six, || {
            pairs.iter().map(|&(a, b)| (0..6).map(|i| both(&sets[a][i], &sets[b][i])).sum::<usize>()).sum::<usize>()
        });
        board.time(&one, || pairs.iter().map(|&(a, b)| both(&sets[a][2], &sets[b][2])).sum::<usize>());
        board.time(&merge, || pairs.iter().map(|&(a, b)| merged(&sorted[a], &sorted[b])).sum::<usize>());
    }
    for ((a, b), found) in pairs.iter().zip(&common) {
        let expected: Vec<usize> = (0..6).map(|i| both(&sets[*a][i], &sets[*b][i])).collect();
        let found: Vec<usize> = found.grams.iter().chain([&found.spaced]).map(|&n| n as usize).collect();
        ensure!(found == expected, "{a}, {b}: {found:?}, expected {expected:?}");
    }
    board.fact(&label("equal"), "all six intersections of every pair");
    board.rate(&own_all, pairs.len() as f64 / 1e3, "thousand pairs");
    board.ratio(&six, &own_all);
    let alone = board.cpu(&own_all) - board.cpu(&opening);
    let ratio = [board.cpu(&six) / alone, board.cpu(&one) / (alone / 6.0), board.cpu(&one) / board.cpu(&merge)];
    board.fact(&format!("{six} / ours, opening taken off"), format!("{:.2} by processor time", ratio[0]));
    board.fact(&format!("{one} / a sixth of ours, opening taken off"), format!("{:.2} by processor time", ratio[1]));
    board.fact(&format!("{one} / sorted sets merged"), format!("{:.2} by processor time", ratio[2]));
    Ok(())
}

/// Pairs of pages whose SimHashes over n-grams are near and whose texts are not the same, by the first.
fn candidates(texts: &[String], n: u64) -> Result<Vec<(usize, usize)>> {
    let method = simhash(&[n], DISTANCE)?;
    let mut sketches = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let (tokens, mut sketch) = (tokens(text), Vec::new());
        if method.sketch(&Prepared::new(text, &tokens), &mut sketch) {
            sketches.push((i as u32, sketch));
        }
    }
    let borrowed: Vec<(u32, &[u64])> = sketches.iter().map(|(i, sketch)| (*i, &sketch[..])).collect();
    let Shape::Fingerprint(layout) = method.shape();
    let tables = Tables::new(layout, &borrowed);
    let (mut pairs, mut near) = (Vec::new(), Vec::new());
    for (i, sketch) in &sketches {
        near.clear();
        tables.probe(sketch, &mut near);
        let others = near.iter().map(|near| near.document).filter(|j| j > i);
        pairs.extend(others.map(|j| (*i as usize, j as usize)).filter(|&(a, b)| texts[a] != texts[b]));
    }
    pairs.sort_unstable();
    // Evenly from all, so that one large template does not fill the bench.
    let step = pairs.len().div_ceil(MOST_PAIRS).max(1);
    Ok(pairs.into_iter().step_by(step).collect())
}

fn sets(document: &Sequences) -> Sets {
    let set = |tokens: &[u64], n| Roll::new(tokens, n).collect::<HashSet<u64>>();
    let mut sets: Sets = LENGTHS.iter().map(|&n| set(&document.tokens, n)).collect();
    sets.push(set(&document.spaced, 8));
    sets
}

fn ascending(set: &HashSet<u64>) -> Vec<u64> {
    let mut all: Vec<u64> = set.iter().copied().collect();
    all.sort_unstable();
    all
}

/// Size of the intersection, by the smaller set.
fn both(a: &HashSet<u64>, b: &HashSet<u64>) -> usize {
    let (smaller, larger) = if a.len() < b.len() { (a, b) } else { (b, a) };
    smaller.iter().filter(|gram| larger.contains(gram)).count()
}

/// Size of the intersection of ascending sets, without branches that depend on them.
fn merged(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        both += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    both
}

fn open(documents: &[Sequences], pairs: &[(usize, usize)]) -> u32 {
    let mut opened = Opened::default();
    pairs.chunk_by(|a, b| a.0 == b.0).map(|group| opened.open(&documents[group[0].0]).words).sum()
}

fn own(documents: &[Sequences], pairs: &[(usize, usize)]) -> Vec<Common> {
    let (mut opened, mut common) = (Opened::default(), Vec::with_capacity(pairs.len()));
    for group in pairs.chunk_by(|a, b| a.0 == b.0) {
        opened.open(&documents[group[0].0]);
        common.extend(group.iter().map(|&(_, b)| opened.compare(&documents[b])));
    }
    common
}
