//! Samples and labels: which pairs are labelled by whom, and whether they are still the pairs that were drawn.

pub mod audit;
pub mod changed;
pub mod deciders;
pub mod domains;
pub mod doubts;
pub mod draw;
pub mod drawing;
pub mod drawn_from;
pub mod estimating;
pub mod exchange;
pub mod extension;
pub mod framing;
pub mod labelling;
pub mod population;
pub mod preview;
pub mod provenance;
pub mod renewal;
pub mod sharing;
pub mod strata;
