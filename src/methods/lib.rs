//! Row 3. What does a method reduce documents to, and why do two of them match?
//!
//! A method is four functions ([`Method`]): a sketch of a document, the keys by which a sketch is looked up ([`Shape`]),
//! the comparison of two sketches, and the reasons, from which [`explain()`] makes an [`Explanation`]. The [`catalogue`]
//! lists all methods; help, the check of `study.toml` and the shared tests use it. Methods that need statistics of a
//! collection are fitted to its [`Statistics`] first.

pub mod algorithm;
pub mod bands;
pub mod best;
pub mod bits;
pub mod catalogue;
pub mod content_text;
mod counts;
pub mod curves;
pub mod decomposition;
pub mod descr_words;
pub mod edit;
pub mod exact_jaccard;
mod explain;
pub mod explanation;
pub mod family;
pub mod fingerprint;
pub mod fuzzy_fingerprints;
mod groups;
pub mod heavy_sent;
pub mod imatch;
pub mod import;
#[cfg(test)]
mod laws;
pub mod layout;
pub mod learned;
pub mod lex_rand;
pub mod lexicon;
pub mod log_shingles;
pub mod long_sent;
pub mod md5;
pub mod measures;
pub mod megashingles;
pub mod method;
mod min_wise;
pub mod minhash;
pub mod minima;
pub mod mod_shingles;
pub mod opt_freq;
mod own_shingles;
pub mod parameters;
mod pictures;
pub mod prepared;
pub mod probable_simhash;
pub mod pugh_lists;
pub mod rabin;
pub mod random_tuples;
pub mod rare_chunks;
mod sampled;
pub mod sentences_words;
pub mod simhash;
pub mod smallest_shingles;
pub mod spex;
pub mod statistics;
pub mod substrings;
pub mod supershingles;
#[cfg(test)]
pub mod testing;
pub mod tf;
pub mod tfidf;
pub mod tfridf;
mod top_sentences;
mod top_words;
mod unhashed;
mod weights;
pub mod why;
pub mod wording;
mod words;

pub use algorithm::{Algorithm, Values};
pub use counts::Counts;
pub use explain::explain;
pub use explanation::{Explanation, Side};
pub use method::{Evidence, Method, Reasons, Shape};
pub use parameters::{MethodError, Parameter};
pub use prepared::Prepared;
pub use statistics::Statistics;
