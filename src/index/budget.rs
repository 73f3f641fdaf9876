//! A bound on the bytes of text that wait to be indexed.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes that may wait; a thread that wants more than is left blocks until others are done.
pub(super) struct Budget {
    total: usize,
    left: Mutex<usize>,
    freed: Condvar,
}

impl Budget {
    pub(super) fn new(total: usize) -> Self {
        Self { total, left: Mutex::new(total), freed: Condvar::new() }
    }

    /// Reserves `bytes`, or the whole budget if that is less, so that a long text passes alone.
    pub(super) fn reserve(&self, bytes: usize) {
        let bytes = bytes.min(self.total);
        let mut left = lock(&self.left);
        while *left < bytes {
            left = self.freed.wait(left).unwrap_or_else(PoisonError::into_inner);
        }
        *left -= bytes;
    }

    /// Releases what was reserved for `bytes`.
    pub(super) fn release(&self, bytes: usize) {
        *lock(&self.left) += bytes.min(self.total);
        self.freed.notify_all();
    }
}

/// The lock, even if a thread panicked while it held it: what it guards is valid after every statement.
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
        budget.reserve(4);
        let waiting = std::thread::spawn({
            let budget = Arc::clone(&budget);
            move || budget.reserve(1_000)
        });
        assert_eq!(*lock(&budget.left), 6);
        budget.release(4);
        waiting.join().unwrap();
        assert_eq!(*lock(&budget.left), 0);
        budget.release(1_000);
        assert_eq!(*lock(&budget.left), 10);
    }
}
