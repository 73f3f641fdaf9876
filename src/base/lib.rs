//! Row 1. How are things hashed, counted, measured and cancelled?
//!
//! Nothing here knows about documents. Every function is deterministic: no ambient randomness, no environment.

pub mod both;
pub mod caught;
pub mod cells;
pub mod digests;
pub mod find;
pub mod hash;
pub mod interval;
pub mod numbers;
pub mod progress;
pub mod random;
pub mod shell;
pub mod similarity;
pub mod timing;
