//! One file a screen: its state, what actions do to it, how it is drawn.

pub mod compare;
pub mod home;
pub mod judgments;
pub mod label;
pub mod methods;
pub mod pairs;
