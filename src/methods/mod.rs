//! Row 3. What is a document reduced to, and why do two of them agree?
//!
//! A method is four functions ([`Method`]): a sketch of a document, how a sketch is looked up ([`Shape`]), whether two
//! sketches agree, and why two documents agree or not ([`Explanation`]). The [`catalogue`] lists all of them; help,
//! the check of `study.toml` and the shared tests walk it.

pub mod bits;
pub mod catalogue;
pub mod edit;
pub mod explanation;
pub mod layout;
pub mod measures;
mod prepared;
pub mod rabin;
pub mod simhash;

pub use catalogue::{Entry, Evidence, Method, MethodError, Parameter, Shape, Values};
pub use explanation::{Explanation, Side};
pub use prepared::Prepared;
