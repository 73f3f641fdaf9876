//! Row 4. Which pairs agree, and how much?
//!
//! The [`source`] side is read once and stays in memory; every target document passes once ([`pass`]): sketched for
//! all configurations, looked up in their [`tables`] or by their [`keys`], compared, scored, and written ([`pairs`]).

#[macro_use]
mod numbers;

pub mod capped;
pub mod corpora;
mod extracted;
pub mod fitting;
pub mod groups;
pub mod import;
pub mod keys;
pub mod pairs;
pub mod parquet;
pub mod pass;
pub mod reading;
mod repeats;
pub mod runs;
pub mod source;
pub mod tables;

pub use extracted::{Content, ExtractedText, Extractor};
pub use numbers::{ConfigurationNumber, DocumentNumber, GroupNumber};

use std::io;
use std::path::PathBuf;

use dejaview_base::panics::Panic;
use dejaview_corpus::CorpusError;
use dejaview_methods::Method;

/// A configuration ready to run.
#[derive(Debug)]
pub struct Configuration {
    /// Its name in the study, and of its folder of pairs.
    pub name: String,
    pub method: Box<dyn Method>,
}

/// What can go wrong while matching.
#[derive(Debug, thiserror::Error)]
pub enum MatchingError {
    /// An input could not be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A file of pairs could not be read or written.
    #[error("{doing} {path}: {why}")]
    File {
        /// "reading" or "writing".
        doing: &'static str,
        path: PathBuf,
        #[source]
        why: io::Error,
    },
    /// A file of pairs is not what it should be.
    #[error("{path} is not a whole file of pairs ({what}); `dejaview run` makes it again")]
    Damaged {
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The program broke over a document, or over a file.
    #[error(
        "the program broke over {what} ({why}), and the run was stopped; finished segments are kept. Please report it with that document; once it is out of the corpus `run` goes on"
    )]
    Broken {
        /// The document by its id, or the file.
        what: String,
        /// Where in its file; 0 where that is not known.
        offset: u64,
        why: Panic,
    },
    /// The work was asked to stop.
    #[error("stopped before the end; run again to go on")]
    Cancelled,
}
