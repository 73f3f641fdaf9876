#![allow(unsafe_code, reason = "the call that the run-time check of the CPU makes sound")]
//! The same work compiled twice: for every processor, and for those with AVX2, which compare four numbers at once. Such
//! processors have the instructions of BMI and POPCNT as well, which find, count and move bits.

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
    if std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the CPU has AVX2, BMI1, BMI2 and POPCNT.
        return unsafe { avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn avx2<W: Work>(work: W) -> W::Output {
    work.run_wide()
}
