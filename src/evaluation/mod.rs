//! Row 5. How good is a configuration?

mod error;
pub mod sample;

pub use error::EvaluationError;
