//! Row 7. How are results written down?

pub mod evaluation;
pub mod numbers;
pub mod table;

pub use table::Table;
