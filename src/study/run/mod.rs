//! Runs: how pairs are found and stored, what that costs, and whether stored results are still up to date.
//!
//! A segment is finished when its file of facts is there, which is written last. A run that was killed goes on behind
//! the finished segments, and what it writes is byte for byte what an undisturbed run writes.

pub mod both;
pub mod capping;
pub mod cost;
pub mod counted;
pub mod counting;
pub mod damaged;
pub mod elsewhere;
pub mod fitted;
pub mod fitting;
pub mod gather;
pub mod helpers;
pub mod ids;
pub mod imports;
pub mod joining;
pub mod keeping;
pub mod kit;
pub mod manifest;
pub mod models;
pub mod out_of_core;
pub mod part;
pub mod plan;
pub mod runner;
pub mod skips;
pub mod spark;
pub mod stage;
pub mod state;
pub mod watch;
pub mod worker;
pub mod workspace;
