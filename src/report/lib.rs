//! Row 7. How do results look as tables, charts, JSON and one HTML page, and what does the manual say?
//!
//! Every result is a type that implements [`Report`]: its JSON is its serialised form, every other form is made from its
//! tables.

pub mod agreement;
pub mod charts;
pub mod documents;
pub mod estimates;
pub mod evaluation;
pub mod experiments;
pub mod figures;
pub mod fitting;
pub mod groups;
pub mod judged_groups;
pub mod judgments;
pub mod labels;
pub mod learn;
pub mod manual;
pub mod numbers;
pub mod page;
mod plain_numbers;
pub mod plans;
pub mod reproduce;
pub mod result;
pub mod runs;
pub mod samples;
pub mod sizes;
pub mod table;
pub mod thin;
pub mod topics;
pub mod transfer;
pub mod urls;

pub use result::{Record, Report};
pub use table::{Table, TableFormat};
