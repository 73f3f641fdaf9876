//! The longest common subsequence of two lists of numbers, as runs of equal items.

use std::convert::Infallible;
use std::time::Instant;

use similar::Algorithm;
use similar::algorithms::{DiffHook, diff_slices_deadline};

/// A run of equal items: where it begins in each list, and its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) len: usize,
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
