//! The search of fingerprints as real pages have them: of 155,419 and 2,000,000 pages that are made from real ones by
//! changing words. They lie in clusters, so that buckets are long and pairs are many.

use anyhow::{Result, anyhow};
use dejaview::base::hash::{Roll, fmix64};
use dejaview::methods::bits::BitCounts;
use dejaview::methods::layout::Layout;

use crate::board::Board;
use crate::data::{Data, tokens};
use crate::search::{SOURCE, TARGET, contend};

/// Words of a thousand that are changed in a page, by turns.
const CHANGED: [u64; 4] = [5, 20, 60, 250];
/// Words of a page that are looked at.
const WORDS: usize = 400;
/// Targets where more bits may differ: peers take long.
const FEW: usize = 50_000;

pub fn bench(data: &Data, board: &mut Board) -> Result<()> {
    let pages: Vec<Vec<u64>> = data.texts(usize::MAX)?.iter().map(|text| tokens(text).hashes().to_vec()).collect();
    let pages: Vec<Vec<u64>> = pages.into_iter().filter(|page| page.len() >= 50).collect();
    board.fact("pages that others are made of", pages.len());
    let source: Vec<u64> = (0..SOURCE).map(|i| made(&pages, i)).collect();
    let target: Vec<u64> = (SOURCE..SOURCE + TARGET).map(|i| made(&pages, i)).collect();
    let mut distinct = source.clone();
    distinct.sort_unstable();
    distinct.dedup();
    board.fact("different fingerprints of the source", distinct.len());
    for (distance, blocks, targets) in [(3, 4, target.len()), (7, 8, FEW)] {
        let layout = Layout::new(64, distance, blocks).map_err(|e| anyhow!("{e}"))?;
        let found = contend(board, &format!("k = {distance}: "), &layout, [&source, &target[..targets]])?;
        board.fact(&format!("k = {distance}: pairs of {targets} targets, by all contenders"), found.0);
    }
    Ok(())
}

/// SimHash over 3-grams of page `i`: the words of a real page, some of them changed for words of another.
fn made(pages: &[Vec<u64>], i: u64) -> u64 {
    let random = |stream: u64| fmix64(fmix64(i).wrapping_add(stream));
    let page = &pages[(random(1) % pages.len() as u64) as usize];
    let other = &pages[(random(2) % pages.len() as u64) as usize];
    let changed = CHANGED[(random(3) % 4) as usize];
    let words: Vec<u64> = (0..)
        .zip(page.iter().take(WORDS))
        .map(|(at, &word)| {
            let draw = random(4 + at);
            if draw % 1000 < changed { other[(draw >> 32) as usize % other.len()] } else { word }
        })
        .collect();
    BitCounts::count_bits(&Roll::new(&words, 3).collect::<Vec<u64>>()).majority()
}
