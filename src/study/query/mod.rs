//! Which pairs and documents are there, and why does a pair match?

pub mod anatomy;
pub mod filter;
pub mod known;
pub mod lookup;
pub mod pair_files;
pub mod pair_table;
pub mod sides;
pub mod standing;
