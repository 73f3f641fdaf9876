#![allow(
    unsafe_code,
    reason = "the allocator of the C library is told how to work by one call, which takes two numbers"
)]
//! What the allocator of the system does with large pieces of memory.

/// Pieces from this size on are the system's own: 4 MiB, more than what is read at a time.
#[cfg(target_env = "gnu")]
const LARGE: std::ffi::c_int = 4 << 20;

/// Lets every large piece of memory go back to the system as soon as it is freed.
///
/// The GNU C library raises the size from which it does so with every piece that is freed, up to 32 MiB. The buffers of a
/// long document then leave holes that the next ones do not fit: a document at the limits took 284 to 340 MB, and takes
/// 245 MB with a size that stays (`fn a_document_at_the_limits_costs_what_is_stated`). Other C libraries need no word.
pub fn return_large_pieces() {
    // SAFETY: `mallopt` takes two numbers and may be called at any time; an option it does not know changes nothing.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}
