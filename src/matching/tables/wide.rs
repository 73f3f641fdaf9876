#![allow(unsafe_code, reason = "the call that the run-time check of the CPU makes sound")]
//! The search compiled twice: for every processor, and for those with AVX2, which compare the four entries at the beginning of a
//! bucket at once. A test compares both.

use super::{Near, Tables};

/// Looks a fingerprint of one word up.
pub(super) fn probe(tables: &Tables, fingerprint: u64, found: &mut Vec<Near>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        return unsafe { avx2(tables, fingerprint, found) };
    }
    tables.probe_one(fingerprint, found);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(tables: &Tables, fingerprint: u64, found: &mut Vec<Near>) {
    tables.probe_one(fingerprint, found);
}
