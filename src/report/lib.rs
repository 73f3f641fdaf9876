//! Row 7. How are results written down?

pub mod agreement;
pub mod charts;
pub mod documents;
pub mod estimates;
pub mod evaluation;
pub mod figures;
pub mod fitting;
pub mod groups;
pub mod judgments;
pub mod labels;
pub mod numbers;
pub mod page;
pub mod plans;
pub mod result;
pub mod runs;
pub mod samples;
pub mod sizes;
pub mod table;
pub mod thin;
pub mod topics;
pub mod transfer;
pub mod twins;
pub mod urls;

pub use result::{Record, Report};
pub use table::{Format, Table};
