//! Analyses of pairs and labels: the quality of configurations, numbers of near-duplicates, and judgments carried over.

pub mod by_samples;
pub mod combining;
pub mod effect;
pub mod estimate;
pub mod evaluate;
pub mod evaluation;
pub mod experiments;
pub mod figures;
pub mod groups;
pub mod judged;
pub mod judged_groups;
pub mod label_weights;
pub mod labelled;
pub mod learn;
pub mod patch;
pub mod planning;
pub mod sizes;
pub mod thin;
pub mod transfer;
pub mod transfer_material;
pub mod transfer_sample;
pub mod truth;
pub mod truth_file;
pub mod truth_measures;
pub mod urls;
pub mod wrong;
