//! dejaview finds the pages of an old crawl that stand again in a new one, shows why each pair matched, and keeps
//! what people decide about them.
//!
//! # One document's way
//!
//! ```text
//! file ─ record ─ bytes ─ text ─ tokens ─ n-grams ─ sketch ×configurations ─ keys ─ source index ─ verified pair ─ scores ─ disk
//!        corpus           text                      methods                        matching                       │
//!                                                                      index (stored text, term statistics) ◄─────┘
//!                                                                      evaluation ─ study ─ report │ cli │ tui
//! ```
//!
//! The source is read once and its sketches stay in memory; then every target document passes once: decoded,
//! extracted, cut into tokens, sketched for all configurations, looked up, verified, scored, written.
//!
//! # The rows
//!
//! Each row is a crate or several, in the folder of its name, and may use only crates of rows above its own: the compiler
//! and `tests/it/rows.rs` hold it. This crate only puts them together under one name.
//!
//! | row | crates | what they answer |
//! |---|---|---|
//! | 1 | [`base`] | how are things hashed, counted, measured and cancelled? |
//! | 2 | [`text`] | what are the words of these bytes, and what of them may reach a terminal? |
//! | 3 | [`corpus`], [`methods`], [`labels`] | which documents and judgments are there; what is a document reduced to, and why do two agree; what did people decide? |
//! | 4 | [`index`], [`matching`] | where is a text kept and found; which pairs agree, and how much? |
//! | 5 | [`evaluation`] | how good is a configuration? |
//! | 6 | [`study`] | what does this folder ask for, and how is it run? |
//! | 7 | [`report`] | how are results written down? |
//! | 8 | [`cli`], [`tui`] | how do people ask? |
//!
//! # The words
//!
//! | word | meaning |
//! |---|---|
//! | study | a folder with a `study.toml`: a source, targets, configurations |
//! | source | the documents whose near-duplicates are looked for |
//! | target | the documents searched, read as named *segments* in order |
//! | judgment | (track, topic, subtopic), document, grade as written |
//! | method | a detector, `simhash` for one |
//! | configuration | a method with its parameters and a name, `simhash-3+5` for one |
//! | sketch | what a method keeps of a document; its *keys* decide who is compared |
//! | pair | one source and one target document that some configuration found, with its scores |
//! | label | a person's decision on a pair; the *evaluation set* is all of them |
//! | sample | pairs drawn with known probability, in a fixed random order, to be labelled |

pub use dejaview_base as base;
pub use dejaview_cli as cli;
pub use dejaview_corpus as corpus;
pub use dejaview_evaluation as evaluation;
pub use dejaview_index as index;
pub use dejaview_labels as labels;
pub use dejaview_matching as matching;
pub use dejaview_methods as methods;
pub use dejaview_report as report;
pub use dejaview_study as study;
pub use dejaview_text as text;
pub use dejaview_tui as tui;
