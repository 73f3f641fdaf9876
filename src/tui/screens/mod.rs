//! One file a screen: its state, what actions do to it, how it is drawn.

pub mod compare;
pub mod corpus;
pub mod figures;
pub mod home;
pub mod judgments;
pub mod label;
pub mod log;
pub mod methods;
pub mod pairs;
pub mod review;
