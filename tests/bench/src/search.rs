//! Which of 155,419 fingerprints lie within 3 bits of each of 2,000,000?

use std::io::Write as _;
use std::path::Path;

use anyhow::{Result, anyhow, ensure};
use dejaview::base::hash::fmix64;
use dejaview::matching::GroupNumber;
use dejaview::matching::tables::{Near, Tables};
use dejaview::methods::layout::Layout;

use crate::board::Board;
use crate::data::Data;
use crate::peers::gaoya_index;
use crate::python;

pub const SOURCE: u64 = 155_419;
pub const TARGET: u64 = 2_000_000;
const PLANTED: u64 = 40_000;
/// Targets that are compared with all of the source one by one.
const CHECKED: usize = 20_000;
const ROUNDS: usize = 3;

/// Number and sum of the distances of the pairs found: equal for all contenders.
pub type Found = (u64, u64);

pub fn bench(_: &Data, board: &mut Board) -> Result<()> {
    let (source, target) = fingerprints();
    let layout = Layout::new(64, 3, 4).map_err(|e| anyhow!("{e}"))?;
    let found = contend(board, "", &layout, [&source, &target])?;
    board.fact("pairs, by all contenders", found.0);
    let sketches: Vec<(GroupNumber, &[u64])> = GroupNumber::all(source.len()).zip(source.chunks(1)).collect();
    let tables = Tables::new(&layout, &sketches);
    check(&tables, &source, &target[..CHECKED])?;
    board.fact("equal to comparing each with each", format!("on {CHECKED} targets, with documents and distances"));
    board.fact("megabytes of our tables", format!("{:.1}", tables.bytes() as f64 / 1e6));
    Ok(())
}

/// All contenders in turns, for the distance of the layout, each measure under a name of its own; what all of them found.
pub fn contend(board: &mut Board, name: &str, layout: &Layout, sides: [&[u64]; 2]) -> Result<Found> {
    let ([source, target], distance) = (sides, layout.distance());
    let folder = tempfile::tempdir()?;
    let files = [folder.path().join("source"), folder.path().join("target")];
    write(&files[0], source)?;
    write(&files[1], target)?;
    python::prepare()?;
    let label = |what: &str| format!("{name}{what}");
    let sketches: Vec<(GroupNumber, &[u64])> = GroupNumber::all(source.len()).zip(source.chunks(1)).collect();
    let mut results = Vec::new();
    for _ in 0..ROUNDS {
        let tables = board.time(&label("dejaview, index"), || Tables::new(layout, &sketches));
        results.push(board.time(&label("dejaview, search"), || search(&tables, target)));
        let index = board.time(&label("gaoya, index"), || {
            let mut index = gaoya_index(usize::from(distance));
            (0u32..).zip(source).for_each(|(id, &fingerprint)| index.insert(id, fingerprint));
            index
        });
        results.push(board.time(&label("gaoya, search"), || {
            target.iter().fold((0, 0), |found, fingerprint| {
                let near = index.query(fingerprint);
                near.into_iter().map(|&id| hamming(source[id as usize], *fingerprint)).fold(found, sum)
            })
        }));
        drop(index);
        let faiss = python::run("search.py", &[&files[0], &files[1], Path::new(&distance.to_string())])?;
        let seconds = |name: &str| python::number(&faiss, name);
        board.add(&label("faiss MultiHash, index"), seconds("index")?, seconds("index_cpu")?);
        board.add(&label("faiss MultiHash, search"), seconds("search")?, seconds("search_cpu")?);
        results.push((seconds("pairs")? as u64, seconds("distances")? as u64));
    }
    ensure!(results.iter().all(|found| *found == results[0]), "results differ: {results:?}");
    for what in ["dejaview, search", "gaoya, search", "faiss MultiHash, search"] {
        board.rate(&label(what), target.len() as f64 / 1e6, "million targets");
    }
    board.ratio(&label("gaoya, search"), &label("dejaview, search"));
    board.ratio(&label("faiss MultiHash, search"), &label("dejaview, search"));
    Ok(results[0])
}

/// Random ones; some targets are a source with 0 to 5 bits turned, spread over all of them.
fn fingerprints() -> (Vec<u64>, Vec<u64>) {
    let random = |stream: u64, i: u64| fmix64(fmix64(i ^ (stream << 48)).wrapping_add(stream));
    let source: Vec<u64> = (0..SOURCE).map(|i| random(1, i)).collect();
    let mut target: Vec<u64> = (0..TARGET).map(|i| random(2, i)).collect();
    for i in 0..PLANTED {
        let mut fingerprint = source[(random(3, i) % SOURCE) as usize];
        for flip in 0..i % 6 {
            fingerprint ^= 1 << (random(4, 8 * i + flip) % 64);
        }
        target[(i * (TARGET / PLANTED)) as usize] = fingerprint;
    }
    (source, target)
}

fn hamming(a: u64, b: u64) -> u64 {
    u64::from((a ^ b).count_ones())
}

fn sum(found: Found, distance: u64) -> Found {
    (found.0 + 1, found.1 + distance)
}

/// One after the other, as a run looks them up. faiss is given all of them at once.
fn search(tables: &Tables, target: &[u64]) -> Found {
    let (mut near, mut found) = (Vec::<Near>::new(), (0, 0));
    for fingerprint in target.chunks(1) {
        near.clear();
        tables.probe(fingerprint, &mut near);
        found = near.iter().map(|near| u64::from(near.distance)).fold(found, sum);
    }
    found
}

fn check(tables: &Tables, source: &[u64], target: &[u64]) -> Result<()> {
    let mut near = Vec::new();
    for &fingerprint in target {
        near.clear();
        tables.probe(&[fingerprint], &mut near);
        near.sort_unstable();
        let expected: Vec<Near> = GroupNumber::all(source.len())
            .zip(source)
            .filter(|(_, other)| hamming(fingerprint, **other) <= 3)
            .map(|(group, &other)| Near { group, distance: hamming(fingerprint, other) as u16 })
            .collect();
        ensure!(near == expected, "{fingerprint:016x}: {near:?}, expected {expected:?}");
    }
    Ok(())
}

fn write(path: &Path, fingerprints: &[u64]) -> Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for fingerprint in fingerprints {
        file.write_all(&fingerprint.to_le_bytes())?;
    }
    Ok(file.flush()?)
}
