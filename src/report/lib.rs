//! Row 7. How are results written down?

pub mod agreement;
pub mod charts;
pub mod estimates;
pub mod evaluation;
pub mod figures;
pub mod fitting;
pub mod groups;
pub mod numbers;
pub mod page;
pub mod sizes;
pub mod table;
pub mod transfer;
pub mod urls;

pub use table::Table;
