#![allow(unsafe_code, reason = "the call that the run-time check of the CPU makes sound")]
//! The same work compiled twice: for every processor, and for those with AVX2, which compare four numbers at once.

/// Work that is compiled twice.
pub(super) trait Work {
    /// Does it. Implementations must be inlined always: what is merely called is compiled for every processor.
    fn run(self);
}

/// Does the work with what the processor has.
pub(super) fn run(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        return unsafe { avx2(work) };
    }
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(work: impl Work) {
    work.run();
}
