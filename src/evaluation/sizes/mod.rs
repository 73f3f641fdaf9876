//! How large are corpora beside each other, and how are pages drawn from one that can only be searched or walked?
//!
//! [`relative()`] sizes follow from how much of each corpus stands in the others (Bharat and Broder 1998); [`queries`] draws
//! pages by random searches and knows how much more often it draws long ones; [`walk()`] draws them by a walk along links
//! (Bar-Yossef et al. 2000).

pub mod queries;
mod relative;
mod walk;

pub use relative::{AskedPages, Overlap, Size, relative};
pub use walk::{Graph, Visit, Walk, draw, walk};
