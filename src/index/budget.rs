//! Bounds the bytes of text that wait to be indexed.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes that may wait; those who want more than is left wait themselves.
pub(super) struct Budget {
    total: usize,
    left: Mutex<usize>,
    freed: Condvar,
}

impl Budget {
    pub(super) fn new(total: usize) -> Self {
        Self { total, left: Mutex::new(total), freed: Condvar::new() }
    }

    /// Takes `bytes`, or all there are if they are fewer: a long text passes alone.
    pub(super) fn take(&self, bytes: usize) {
        let bytes = bytes.min(self.total);
        let mut left = lock(&self.left);
        while *left < bytes {
            left = self.freed.wait(left).unwrap_or_else(PoisonError::into_inner);
        }
        *left -= bytes;
    }

    /// Gives back what was taken for `bytes`.
    pub(super) fn give(&self, bytes: usize) {
        *lock(&self.left) += bytes.min(self.total);
        self.freed.notify_all();
    }
}

/// The lock, whether or not a thread panicked with it: what is guarded is whole between statements.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_long_text_waits_for_all_others() {
        let budget = Arc::new(Budget::new(10));
        budget.take(4);
        let waiting = std::thread::spawn({
            let budget = Arc::clone(&budget);
            move || budget.take(1_000)
        });
        assert_eq!(*lock(&budget.left), 6);
        budget.give(4);
        waiting.join().unwrap();
        assert_eq!(*lock(&budget.left), 0);
        budget.give(1_000);
        assert_eq!(*lock(&budget.left), 10);
    }
}
