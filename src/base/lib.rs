//! Row 1. How are things hashed, counted, measured and cancelled?
//!
//! Nothing here knows about documents. Every function but those of [`system`] and [`allocator`] is deterministic: no ambient
//! randomness, no environment.

#[cfg(not(unix))]
compile_error!("dejaview is written for Unix: it takes its terminal, its signals and its file locks as Unix has them");

pub mod allocator;
pub mod both;
pub mod bytes;
pub mod cells;
pub mod choice;
pub mod digests;
pub mod escaping;
pub mod hash;
pub mod ignoring_case;
pub mod interval;
pub mod json;
pub mod line_limits;
pub mod lines;
pub mod locked;
pub mod names;
pub mod numbers;
pub mod own_folder;
pub mod panics;
pub mod progress;
pub mod random;
pub mod shell;
pub mod similarity;
pub mod system;
pub mod timing;
pub mod wide;
