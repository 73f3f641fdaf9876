//! A hasher for keys that are hashes already. Other keys are hashed by what words are hashed by.

use dejaview_base::hash;

/// Passes a number on as it is.
#[derive(Debug, Default)]
pub(super) struct Unhashed(u64);

impl std::hash::Hasher for Unhashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash::token(bytes) ^ self.0.rotate_left(5);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}
