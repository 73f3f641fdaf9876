//! Pairs on disk: one file for each configuration and segment, plain columns between a magic word and a checksum.
//!
//! A file holds counts, not ratios: the sizes of each document's sets, and for each pair the sizes of the
//! intersections. Every similarity follows exactly. Rows are sorted by source id, then target id. Pairs that were
//! imported have two columns more: the score and the place that their file gives. Where documents stand on both sides, a
//! column of each side's documents tells which.
//!
//! Documents with the same text are one group, and a row of a file that has such documents is a pair of groups. It stands
//! for all pairs of their members that count ([`fold`]), so that a file of 2,000 × 2,000 copies of one page is as long as
//! its documents are many. Readers see document pairs. A file without such documents has none of these columns.

mod columns;
mod documents;
mod ends;
mod file;
mod file_bytes;
pub mod fold;
mod merge;
#[cfg(test)]
mod tests;
mod write;

pub use ends::Ends;
pub use file::{PairsFile, RowCounts};
pub use fold::{DocumentPair, Fold, PairFilter};
pub use merge::{MergedPair, Merger, Place, Places, merge};
pub use write::{FoundRows, PairRows, write, write_ids};

use crate::DocumentNumber;
use crate::import::Imported;
use dejaview_base::hash;
use dejaview_corpus::urls;
use dejaview_methods::measures::{Common, Profile, Scores};

/// A target document that has a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub id: Box<str>,
    /// Number of its file among the inputs.
    pub file: usize,
    /// Where in the file.
    pub offset: u64,
    /// Sizes of its sets.
    pub profile: Profile,
    /// Number of the same document in the source, if it is on both sides.
    pub same_source: Option<DocumentNumber>,
    /// Hash of its URL, as [`url_key`] has it.
    pub url: u64,
}

/// A URL in the form in which it is compared, as a number; 0 where there is none.
pub fn url_key(url: &str) -> u64 {
    if url.is_empty() { 0 } else { hash::token(urls::normal(url).as_bytes()).max(1) }
}

/// A pair as the pass finds it: of two groups of documents with the same text, or of two documents, as the types of their
/// numbers say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundPair<S, T = S> {
    pub source: S,
    pub target: T,
    /// Whether both have the same URL, where they are single documents.
    pub same_url: bool,
    /// What they have in common.
    pub common: Common,
}

/// A pair as it is read back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair<'a> {
    pub source: &'a str,
    pub target: &'a str,
    /// Differing bits.
    pub distance: u16,
    /// Whether both have the same URL.
    pub same_url: bool,
    /// Sizes of the source's sets.
    pub source_profile: Profile,
    /// Sizes of the target's sets.
    pub target_profile: Profile,
    /// What they have in common.
    pub common: Common,
    /// Whether its source, and its target, stands on both sides.
    pub both: [bool; 2],
    /// What the file it was imported from says; none for a pair that a detector found.
    pub imported: Option<Imported>,
}

impl<'a> Pair<'a> {
    /// The documents of the source that have it as a pair: its source and, where both its documents stand on both sides, its
    /// target. A target whose partner is in the source alone is not found again by it.
    pub fn documents(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let target = self.both == [true, true];
        [self.source].into_iter().chain(target.then_some(self.target))
    }

    /// Whether both texts were there to be compared. Imported pairs need not have any, and then no score but the one
    /// of the file says anything.
    pub fn compared(&self) -> bool {
        self.imported.is_none() || self.source_profile.words > 0 || self.target_profile.words > 0
    }

    pub fn scores(&self) -> Scores {
        Scores::new(&self.source_profile, &self.target_profile, &self.common)
    }
}
