#![allow(unsafe_code, reason = "the call that the run-time check of the CPU makes sound")]
//! The same work compiled twice: for every processor, and for those with AVX2, which compare four numbers at once.

/// Work that is compiled twice. Implementations must be inlined always: what is merely called is compiled for every processor.
pub trait Work: Sized {
    /// What comes of it.
    type Output;

    /// Does it on any processor.
    fn run(self) -> Self::Output;

    /// Does it where four numbers are compared at once; otherwise than elsewhere only where that is faster.
    #[inline(always)]
    fn run_wide(self) -> Self::Output {
        self.run()
    }
}

/// Does the work with what the processor has.
#[inline]
pub fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the CPU has AVX2.
        return unsafe { avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<W: Work>(work: W) -> W::Output {
    work.run_wide()
}
