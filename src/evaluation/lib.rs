//! Row 5. How good is a configuration?

pub mod agreement;
mod clusters;
pub mod comparison;
mod distributions;
mod error;
pub mod estimates;
pub mod figures;
pub mod groups;
pub mod intervals;
pub mod learning;
pub mod overlap;
pub mod ranking;
pub mod sample;
pub mod sizes;
pub mod transfer;

#[path = "../../tests/it/skipping.rs"]
#[cfg(test)]
mod skipping;

pub use error::EvaluationError;
