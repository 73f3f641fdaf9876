//! Edit ratio: 2·M / (|a| + |b|), M the length of the longest common subsequence. Exact.
//!
//! Bit-parallel (Allison and Dix, 1986; Hyyrö, 2004): each symbol of `b` updates 64 positions of `a` at once, so two
//! texts of n and m symbols cost at most n·m/64 steps. A symbol that occurs often in `a` has its row of bits (there can be at
//! most 64 such); of the others only those words of a row are looked at that hold one of their places, or that a carry reaches.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash};

use super::unhashed::Unhashed;
use dejaview_base::similarity::ratio;

/// Something about each symbol; most symbols are hashes of words.
type BySymbol<T, V> = HashMap<T, V, BuildHasherDefault<Unhashed>>;

/// 2·M / (|a| + |b|); 0 when both are empty.
pub fn edit_ratio<T: Eq + Hash + Copy>(a: &[T], b: &[T]) -> f64 {
    ratio(2 * common_subsequence(a, b) as u64, (a.len() + b.len()) as u64)
}

/// Whether the edit ratio is at least `threshold`. Exact; mostly the lengths, or the symbols in common, already decide.
pub fn reaches<T: Eq + Hash + Copy>(a: &[T], b: &[T], threshold: f64) -> bool {
    let sum = (a.len() + b.len()) as u64;
    let enough = |common: usize| ratio(2 * common as u64, sum) >= threshold;
    if a.is_empty() || b.is_empty() || !enough(a.len().min(b.len())) {
        return false;
    }
    enough(symbols_in_common(a, b)) && enough(common_subsequence(a, b))
}

/// Symbols in common whatever their order, repeated ones as often as they occur in both: no common subsequence is longer.
fn symbols_in_common<T: Eq + Hash + Copy>(a: &[T], b: &[T]) -> usize {
    let mut left: BySymbol<T, u32> = BySymbol::default();
    for &symbol in a {
        *left.entry(symbol).or_default() += 1;
    }
    let mut common = 0;
    for symbol in b {
        if let Some(count) = left.get_mut(symbol).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    common
}

/// Length of the longest common subsequence.
pub fn common_subsequence<T: Eq + Hash + Copy>(a: &[T], b: &[T]) -> usize {
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[front..], &b[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - back], &b[..b.len() - back]);
    front + back + longest_common(a, b)
}

/// No place.
const NONE: u32 = u32::MAX;

/// Where a symbol stands in `a`.
struct Places {
    /// The first place; each place knows the next.
    first: u32,
    count: u32,
    /// Where its row of bits begins, if it has one.
    row: u32,
}

/// Length of the longest common subsequence of texts that begin and end differently.
fn longest_common<T: Eq + Hash + Copy>(a: &[T], b: &[T]) -> usize {
    let words = a.len().div_ceil(64);
    let mut symbols: BySymbol<T, Places> = BySymbol::with_capacity_and_hasher(a.len(), BuildHasherDefault::default());
    let mut next = vec![NONE; a.len()];
    for (i, &symbol) in a.iter().enumerate().rev() {
        let places = symbols.entry(symbol).or_insert(Places { first: NONE, count: 0, row: NONE });
        next[i] = std::mem::replace(&mut places.first, i as u32);
        places.count += 1;
    }
    let after = |place: &u32| Some(next[*place as usize]).filter(|next| *next != NONE);
    let mut row = vec![!0u64; words];
    let mut rows: Vec<u64> = Vec::new();
    for symbol in b {
        let Some(places) = symbols.get_mut(symbol) else { continue };
        let positions = std::iter::successors(Some(places.first), after);
        if (places.count as usize) < words {
            step_at(&mut row, positions);
            continue;
        }
        if places.row == NONE {
            places.row = rows.len() as u32;
            rows.resize(rows.len() + words, 0);
            set_bits(&mut rows[places.row as usize..], positions);
        }
        step(&mut row, &rows[places.row as usize..]);
    }
    let unused = words * 64 - a.len();
    let zeros: u32 = row.iter().map(|v| v.count_zeros()).sum();
    // Positions past the end of `a` are never matched but may be cleared by a carry.
    let past_end = if unused == 0 { 0 } else { (row[words - 1] | (!0u64 >> unused)).count_zeros() };
    (zeros - past_end) as usize
}

fn set_bits(bits: &mut [u64], positions: impl Iterator<Item = u32>) {
    for p in positions {
        bits[p as usize / 64] |= 1 << (p % 64);
    }
}

/// One symbol of `b`: `matches` has the bits of its places in `a`.
fn step(row: &mut [u64], matches: &[u64]) {
    let mut carry = false;
    for (v, m) in row.iter_mut().zip(matches) {
        carry = step_word(v, *m, carry);
    }
}

/// The same for a symbol with few places, which are ascending: words without one change only where a carry reaches them.
fn step_at(row: &mut [u64], positions: impl Iterator<Item = u32>) {
    let (mut at, mut matches, mut carry) = (0, 0, false);
    for p in positions {
        let word = p as usize / 64;
        while at < word && (matches != 0 || carry) {
            carry = step_word(&mut row[at], std::mem::take(&mut matches), carry);
            at += 1;
        }
        at = word;
        matches |= 1 << (p % 64);
    }
    while at < row.len() && (matches != 0 || carry) {
        carry = step_word(&mut row[at], std::mem::take(&mut matches), carry);
        at += 1;
    }
}

/// One word of the row, with the carry of the word before; returns its own.
#[inline(always)]
fn step_word(v: &mut u64, matches: u64, carry: bool) -> bool {
    let hit = *v & matches;
    let (sum, over) = v.overflowing_add(hit);
    let (sum, over_again) = sum.overflowing_add(u64::from(carry));
    *v = sum | (*v & !hit);
    over | over_again
}

/// Least edit ratio at which a word is taken for a misspelled name.
const MISSPELLED: f64 = 0.7;

/// The name that a word resembles so much that it may be meant; none when it resembles none.
pub fn misspelled<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters = |text: &str| text.chars().collect::<Vec<char>>();
    let word = letters(&word.to_lowercase());
    let ratios = names.map(|name| (edit_ratio(&letters(name), &word), name));
    ratios.filter(|(ratio, _)| *ratio >= MISSPELLED).max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_table<T: Eq>(a: &[T], b: &[T]) -> usize {
        let mut row = vec![0usize; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn equals_the_table(a in proptest::collection::vec(0u8..6, 0..300), b in proptest::collection::vec(0u8..6, 0..300)) {
            prop_assert_eq!(common_subsequence(&a, &b), by_table(&a, &b));
            prop_assert_eq!(common_subsequence(&a, &b), common_subsequence(&b, &a));
        }

        /// Symbols with few places, in texts that are partly the same, so that carries run far.
        #[test]
        fn rare_symbols_are_counted_as_by_the_table(
            mut a in proptest::collection::vec(0u16..900, 0..700),
            mut b in proptest::collection::vec(0u16..900, 0..700),
            common in proptest::collection::vec(0u16..900, 0..200),
            places in (0usize..700, 0usize..700),
        ) {
            let (at_a, at_b) = (places.0.min(a.len()), places.1.min(b.len()));
            a.splice(at_a..at_a, common.iter().copied());
            b.splice(at_b..at_b, common);
            prop_assert_eq!(longest_common(&a, &b), by_table(&a, &b));
        }

        #[test]
        fn reaching_a_threshold_is_having_the_ratio(a in proptest::collection::vec(0u8..4, 1..40), b in proptest::collection::vec(0u8..4, 1..40), tenths in 0u32..=10) {
            let threshold = f64::from(tenths) / 10.0;
            prop_assert_eq!(reaches(&a, &b, threshold), edit_ratio(&a, &b) >= threshold);
        }
    }

    #[test]
    fn known_ratios() {
        let chars = |s: &str| s.chars().collect::<Vec<_>>();
        // LCS of "kitten" and "sitting" is "ittn".
        assert!((edit_ratio(&chars("kitten"), &chars("sitting")) - 8.0 / 13.0).abs() < 1e-12);
        assert_eq!(edit_ratio(&chars("same"), &chars("same")), 1.0);
        assert_eq!(edit_ratio::<char>(&[], &[]), 0.0);
        assert_eq!(edit_ratio(&chars("abc"), &[]), 0.0);
    }
}
