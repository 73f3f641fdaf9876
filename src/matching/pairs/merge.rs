//! Several files of pairs as one stream, by source id, then target id, then the order in which the files were given.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Pair, PairsFile};

/// A pair and the number of the file it comes from.
#[derive(Debug, Clone, Copy)]
pub struct Merged<'a> {
    /// Number of the file.
    pub file: usize,
    /// Its row there.
    pub row: usize,
    /// The pair.
    pub pair: Pair<'a>,
}

/// Merges the files; costs a comparison of ids for each pair and level of a heap.
pub fn merge<'a>(files: &'a [&'a PairsFile]) -> impl Iterator<Item = Merged<'a>> {
    let mut heap = BinaryHeap::new();
    let push = |heap: &mut BinaryHeap<_>, file: usize, row: usize| {
        if row < files[file].len() {
            let (source, target) = files[file].numbers(row);
            let ids = (files[file].source_id(source as usize), files[file].target_id(target as usize));
            heap.push(Reverse((ids, file, row)));
        }
    };
    for file in 0..files.len() {
        push(&mut heap, file, 0);
    }
    std::iter::from_fn(move || {
        let Reverse((_, file, row)) = heap.pop()?;
        push(&mut heap, file, row + 1);
        Some(Merged { file, row, pair: files[file].pair(row) })
    })
}
