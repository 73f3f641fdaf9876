//! Queries about the pairs and documents of a study, and why a pair matches.

pub mod anatomy;
pub mod filter;
pub mod known;
pub mod lookup;
pub mod pair_files;
pub mod pair_table;
pub mod sides;
pub mod titles;
