//! How large are corpora beside each other, and how are pages drawn from one that can only be searched or walked?
//!
//! [`relative()`] sizes follow from how much of each corpus stands in the others (Bharat and Broder 1998); [`queries`] draws
//! pages by random searches and knows how much more often it draws long ones, [`draw_logged`] by the searches of a log;
//! [`walk()`] draws them by a walk along links (Bar-Yossef et al. 2000). [`SearchRatios`] compare numbers of results (Lawrence
//! and Giles 1998).

mod logged;
pub mod queries;
mod relative;
mod searches;
mod walk;

pub use logged::draw_logged;
pub use relative::{AskedPages, Overlap, Size, relative};
pub use searches::SearchRatios;
pub use walk::{Graph, Visit, Walk, draw, walk};
