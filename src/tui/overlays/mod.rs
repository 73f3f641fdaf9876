//! Boxes and lines over a screen, which get the keys first: one file each.

pub mod ask;
pub mod choose;
pub mod copy;
pub mod filter;
pub mod help;
pub mod note;
pub mod page;
pub mod palette;
mod purposes;
pub mod unsaved;
