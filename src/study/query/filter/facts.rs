//! What a filter can ask about a pair that is not in the table of pairs.

use dejaview_labels::Label;
use dejaview_matching::pairs::Pair;

/// A judgment as a filter looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judging<'a> {
    pub track: &'a str,
    /// With its subtopic where there is one.
    pub topic: &'a str,
    pub grade: &'a str,
}

/// What is known of pairs beside their table. Each default says that nothing of the kind is known.
pub trait PairFacts: Sync {
    /// The label that holds for the pair in a row.
    fn label(&self, _row: usize) -> Option<Label> {
        None
    }

    /// Whether annotators differ on the pair in a row and nobody has settled it.
    fn is_disputed(&self, _row: usize) -> bool {
        false
    }

    /// Whether a judgment of a source document passes.
    fn judged(&self, _source: &str, _passes: &dyn Fn(Judging<'_>) -> bool) -> bool {
        false
    }

    /// Whether one of the URLs of a pair has this in it; with `whole`, is this.
    fn url(&self, _pair: &Pair<'_>, _part: &str, _whole: bool) -> bool {
        false
    }
}

impl PairFacts for () {}
