//! The shingles that are a page's own: those that stand on few pages of the collection, and so belong to no frame or form.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use super::measures::sort_hashes;
use super::unhashed::Unhashed;
use dejaview_base::hash::Roll;
use dejaview_text::Tokens;

/// A page with fewer own shingles than this counts all of its shingles as its own.
const FEW: usize = 8;

/// Shingles that stand on many pages.
pub(super) type CommonShingles = HashSet<u64, BuildHasherDefault<Unhashed>>;

/// Shingles of this length on more than `most` of these pages, ascending.
pub(super) fn common_shingles(texts: &[String], length: usize, most: usize) -> Vec<u64> {
    let mut pages: HashMap<u64, u32, BuildHasherDefault<Unhashed>> = HashMap::default();
    let (mut tokens, mut shingles) = (Tokens::new(), Vec::new());
    for text in texts {
        tokens.read(text);
        shingles.clear();
        Roll::new(tokens.hashes(), length).append_to(&mut shingles);
        sort_hashes(&mut shingles);
        shingles.dedup();
        for &shingle in &shingles {
            *pages.entry(shingle).or_default() += 1;
        }
    }
    let mut common: Vec<u64> = pages.into_iter().filter(|(_, pages)| *pages as usize > most).map(|(s, _)| s).collect();
    common.sort_unstable();
    common
}

/// The own shingles among those of a page, ascending; all of them when it has too few of its own.
pub(super) fn own_shingles(shingles: &[u64], common: &CommonShingles) -> Vec<u64> {
    let sorted = |mut shingles: Vec<u64>| {
        sort_hashes(&mut shingles);
        shingles.dedup();
        shingles
    };
    let own = sorted(shingles.iter().copied().filter(|shingle| !common.contains(shingle)).collect());
    if own.len() < FEW { sorted(shingles.to_vec()) } else { own }
}
