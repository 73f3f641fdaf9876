//! The longest common subsequence of two lists of numbers, as runs of equal items.

use std::convert::Infallible;
use std::time::Instant;

use similar::Algorithm;
use similar::algorithms::{DiffHook, diff_slices_deadline};

use super::words::Numbers;

/// Pieces of two lists together up to which all shared ones are looked for, which takes less than a millisecond.
const MOST_PIECES: usize = 1000;

/// A run of equal items: where it begins in each list, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) len: usize,
}

/// The runs of pieces that two short lists share, in order; of longer lists only those at the beginning and at the end.
pub(crate) fn shared_runs(a: &[&str], b: &[&str]) -> Vec<Run> {
    if a.len() + b.len() > MOST_PIECES {
        let first = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let last = a[first..].iter().rev().zip(b[first..].iter().rev()).take_while(|(a, b)| a == b).count();
        let runs = [Run { a: 0, b: 0, len: first }, Run { a: a.len() - last, b: b.len() - last, len: last }];
        return runs.into_iter().filter(|run| run.len > 0).collect();
    }
    let mut numbers = Numbers::default();
    let [a, b] = [a, b].map(|list| list.iter().map(|piece| numbers.number(piece)).collect::<Vec<u32>>());
    let mut runs = Runs(Vec::new());
    let Ok(()) = diff_slices_deadline(Algorithm::Myers, &mut runs, &a, &b, None);
    runs.0
}

/// The runs of a longest common subsequence as Myers finds it, never empty and never touching on both sides. After the
/// deadline, and in hard cases, it may be shorter.
pub(super) fn matches(a: &[u32], b: &[u32], deadline: Instant) -> Vec<Run> {
    let mut runs = Runs(Vec::new());
    // Short ones end before the clock is read a few times.
    let deadline = Some(deadline).filter(|_| a.len() + b.len() > 256);
    let Ok(()) = diff_slices_deadline(Algorithm::Myers, &mut runs, a, b, deadline);
    runs.0
}

struct Runs(Vec<Run>);

impl DiffHook for Runs {
    type Error = Infallible;

    fn equal(&mut self, a: usize, b: usize, len: usize) -> Result<(), Infallible> {
        match self.0.last_mut() {
            Some(last) if (last.a + last.len, last.b + last.len) == (a, b) => last.len += len,
            _ if len > 0 => self.0.push(Run { a, b, len }),
            _ => {}
        }
        Ok(())
    }
}
