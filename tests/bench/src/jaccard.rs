//! Similarity of candidate pairs: our sorted sets, and sets of the standard library; both made beforehand, and both made
//! on the way.

use std::collections::HashSet;

use anyhow::{Result, bail, ensure};
use dejaview::base::hash::Roll;
use dejaview::matching::GroupNumber;
use dejaview::matching::tables::Tables;
use dejaview::methods::measures::{Common, LENGTHS, Sequences, Sets, Sorter};
use dejaview::methods::{Prepared, Shape};

use crate::board::Board;
use crate::data::{Data, tokens};
use crate::matching::simhash;

/// Bits in which candidates may differ, so that most pairs are near and few are equal.
const DISTANCE: u64 = 6;
const MOST_PAIRS: usize = 20_000;
const ROUNDS: usize = 5;

/// The six sets of a document: n-grams at each length, and 8-grams of the words between white space.
type Hashed = Vec<HashSet<u64>>;

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
    let (ours, theirs) = (each(documents.len(), pairs, |i| Sets::new(&documents[i])), hashed(documents, pairs));
    board.fact(&label("count"), pairs.len());
    board.fact(&label("targets in them"), pairs.chunk_by(|a, b| a.0 == b.0).count());
    board.fact(&label("documents in them"), theirs.iter().filter(|sets| !sets.is_empty()).count());
    let mean = |of: &dyn Fn(usize, usize) -> usize| {
        pairs.iter().map(|&(a, b)| of(theirs[a][2].len(), theirs[b][2].len())).sum::<usize>() / pairs.len().max(1)
    };
    let (smaller, larger) = (mean(&|a, b| a.min(b)), mean(&|a, b| a.max(b)));
    let both_of: usize = pairs.iter().map(|&(a, b)| both(&theirs[a][2], &theirs[b][2])).sum();
    let in_both = both_of / pairs.len().max(1);
    board.fact(
        &label("mean of 3-grams"),
        format!("{smaller} in the smaller, {larger} in the larger, {in_both} in both"),
    );
    let [own, own_all, six, six_all] = [
        "dejaview, sets made beforehand",
        "dejaview, sets made once each",
        "HashSet, six sets made beforehand",
        "HashSet, six sets made once each",
    ]
    .map(label);
    let mut common = Vec::new();
    for _ in 0..ROUNDS {
        common = board.time(&own, || compare(&ours, pairs));
        let again = board.time(&own_all, || run(documents, pairs));
        ensure!(again == common, "sets made on the way give other counts");
        board.time(&six, || intersect(&theirs, pairs));
        board.time(&six_all, || intersect(&hashed(documents, pairs), pairs));
    }
    for (&(a, b), found) in pairs.iter().zip(&common) {
        let expected: Vec<usize> = (0..6).map(|i| both(&theirs[a][i], &theirs[b][i])).collect();
        let found: Vec<usize> = found.grams.iter().chain([&found.spaced]).map(|&n| n as usize).collect();
        ensure!(found == expected, "{a}, {b}: {found:?}, expected {expected:?}");
    }
    for (ours, theirs) in ours.iter().zip(&theirs).filter(|(_, theirs)| !theirs.is_empty()) {
        let profile = ours.profile();
        ensure!(profile.sizes.iter().chain([&profile.spaced]).zip(theirs).all(|(&n, set)| n as usize == set.len()));
    }
    board.fact(&label("equal"), "all six intersections of every pair, and the sizes of all six sets");
    for name in [&own, &own_all, &six, &six_all] {
        board.rate(name, pairs.len() as f64 / 1e3, "thousand pairs");
    }
    board.ratio(&six, &own);
    board.ratio(&six_all, &own_all);
    board.ratio(&six, &own_all);
    Ok(())
}

/// Something of each document that stands in a pair; nothing of the others.
fn each<T: Default>(documents: usize, pairs: &[(usize, usize)], make: impl Fn(usize) -> T) -> Vec<T> {
    let mut used = vec![false; documents];
    pairs.iter().for_each(|&(a, b)| (used[a], used[b]) = (true, true));
    used.into_iter().enumerate().map(|(i, used)| if used { make(i) } else { T::default() }).collect()
}

/// Pairs of pages whose SimHashes over n-grams are near and whose texts are not the same, by the first.
fn candidates(texts: &[String], n: u64) -> Result<Vec<(usize, usize)>> {
    let method = simhash(&[n], DISTANCE)?;
    let mut sketches = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let (tokens, mut sketch) = (tokens(text), Vec::new());
        if method.sketch(&Prepared::new(text, &tokens), &mut sketch) {
            sketches.push((GroupNumber::at(i), sketch));
        }
    }
    let borrowed: Vec<(GroupNumber, &[u64])> = sketches.iter().map(|(i, sketch)| (*i, &sketch[..])).collect();
    let Shape::Fingerprint(layout) = method.shape() else { bail!("SimHash has fingerprints") };
    let tables = Tables::new(layout, &borrowed);
    let (mut pairs, mut near) = (Vec::new(), Vec::new());
    for (i, sketch) in &sketches {
        near.clear();
        tables.probe(sketch, &mut near);
        let others = near.iter().map(|near| near.group).filter(|j| j > i);
        pairs.extend(others.map(|j| (i.index(), j.index())).filter(|&(a, b)| texts[a] != texts[b]));
    }
    pairs.sort_unstable();
    // Evenly from all, so that one large template does not fill the bench.
    let step = pairs.len().div_ceil(MOST_PAIRS).max(1);
    Ok(pairs.into_iter().step_by(step).collect())
}

fn compare(sets: &[Sets], pairs: &[(usize, usize)]) -> Vec<Common> {
    pairs.iter().map(|&(a, b)| sets[a].common(&sets[b])).collect()
}

/// As a run does it: the target's sets in memory that is used again, the source's made at its first pair and kept.
fn run(documents: &[Sequences], pairs: &[(usize, usize)]) -> Vec<Common> {
    let mut kept: Vec<Option<Sets>> = vec![None; documents.len()];
    let (mut target, mut sorter, mut common) = (Sets::default(), Sorter::default(), Vec::with_capacity(pairs.len()));
    for group in pairs.chunk_by(|a, b| a.0 == b.0) {
        target.read(&documents[group[0].0], &mut sorter);
        for &(_, b) in group {
            common.push(kept[b].get_or_insert_with(|| Sets::new(&documents[b])).common(&target));
        }
    }
    common
}

fn hashed(documents: &[Sequences], pairs: &[(usize, usize)]) -> Vec<Hashed> {
    each(documents.len(), pairs, |i| {
        let set = |tokens: &[u64], n| Roll::new(tokens, n).collect::<HashSet<u64>>();
        let mut sets: Hashed = LENGTHS.iter().map(|&n| set(&documents[i].tokens, n)).collect();
        sets.push(set(&documents[i].spaced, 8));
        sets
    })
}

fn intersect(sets: &[Hashed], pairs: &[(usize, usize)]) -> usize {
    pairs.iter().map(|&(a, b)| (0..6).map(|i| both(&sets[a][i], &sets[b][i])).sum::<usize>()).sum()
}

/// Size of the intersection, by the smaller set.
fn both(a: &HashSet<u64>, b: &HashSet<u64>) -> usize {
    let (smaller, larger) = if a.len() < b.len() { (a, b) } else { (b, a) };
    smaller.iter().filter(|gram| larger.contains(gram)).count()
}
