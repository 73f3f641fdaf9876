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
//! A module may use only rows above its own; `tests/it/rows.rs` reads the sources and enforces it.
//!
//! | row | modules | what they answer |
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
//! | source | the documents whose twins are looked for |
//! | target | the documents searched, read as named *segments* in order |
//! | judgment | (track, topic, subtopic), document, grade as written |
//! | method | a detector, `simhash` for one |
//! | configuration | a method with its parameters and a name, `simhash-3+5` for one |
//! | sketch | what a method keeps of a document; its *keys* decide who is compared |
//! | pair | one source and one target document that some configuration found, with its scores |
//! | label | a person's decision on a pair; the *evaluation set* is all of them |
//! | sample | pairs drawn with known probability, in a fixed random order, to be labelled |

pub mod base;
pub mod cli;
pub mod corpus;
pub mod evaluation;
pub mod index;
pub mod labels;
pub mod matching;
pub mod methods;
pub mod report;
pub mod study;
pub mod text;
pub mod tui;
