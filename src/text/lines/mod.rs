//! Which lines of a page are its own, and which recur on many pages of its host?
//!
//! Menus, imprints and notices are the same on page after page of a site; so they can be known without looking at the
//! markup: by counting on how many pages of a host each line stands ([`LineCounts`]). The lines that recur
//! ([`Recurring`]) can then be taken out of a page, and what is left is its own.
//!
//! Two lines are the same when their words are ([`Tokens`]): case, punctuation and white space do not count. Lines
//! without a word are not looked at.
//!
//! Memory is bounded: when more lines are counted than a limit allows, only every second page goes on counting, then
//! every fourth, and so on; which page counts is decided by a hash of its text. Counts of these pages stay exact, and
//! since the fraction depends on all the pages alone, the result is the same in whatever order and by however many
//! threads pages were added.

mod counts;
mod recurring;
#[cfg(test)]
mod tests;

pub use counts::LineCounts;
pub use recurring::{Recurring, RecurringError};

use std::ops::Range;

use super::tokens::Tokens;
use dejaview_base::hash;

/// Bits of a line's key that hold the level of its pages.
const LEVEL: u64 = 63;

/// Calls `tell` for each line that has a word, with its place, its number of words, and a hash of them.
fn each_line(text: &str, tokens: &Tokens, mut tell: impl FnMut(Range<usize>, usize, u64)) {
    let (mut start, mut next) = (0, 0);
    for line in text.split('\n') {
        let end = start + line.len();
        let first = next;
        let mut sum = 0u64;
        while next < tokens.len() && tokens.span(next).start < end {
            sum = hash::fmix64(sum.wrapping_mul(hash::M).wrapping_add(tokens.hashes()[next]));
            next += 1;
        }
        if next > first {
            tell(start..end, next - first, sum);
        }
        start = end + 1;
    }
}

/// A line of a host; `line` without the bits of its level.
fn key(host: u64, line: u64) -> u64 {
    hash::fmix64(host.wrapping_mul(hash::M) ^ line)
}
