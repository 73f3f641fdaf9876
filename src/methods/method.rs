//! What must a method be able to do, to be offered and to be run?

use std::fmt::Debug;
use std::ops::Range;

use super::explanation::Explanation;
use super::layout::Layout;
use super::parameters::{MethodError, Parameter, Values};
use super::prepared::Prepared;
use super::statistics::Statistics;

/// A method as offered to the user.
pub trait Entry: Debug + Sync {
    /// Stable: stored with results and written in `study.toml`.
    fn name(&self) -> &'static str;
    /// One sentence, and the paper.
    fn about(&self) -> &'static str;
    /// What a study may set.
    fn parameters(&self) -> &'static [Parameter];
    /// What the `distance` of its pairs counts; 0 is no difference that it can see.
    fn distance(&self) -> &'static str;
    /// The name of a configuration with these values, when the study gives none.
    fn title(&self, values: &Values) -> String {
        values.title()
    }
    /// Whether it rests on statistics of a collection: document frequencies, lexicons, support words.
    fn fitted(&self) -> bool {
        false
    }
    /// Raised when the same values find other pairs than before, so that a study knows that it must be run again.
    fn revision(&self) -> u32 {
        1
    }
    /// Whether its pairs are read from files, which its parameter `pairs` names, instead of being found.
    fn imports(&self) -> bool {
        false
    }
    /// Whether it learns from documents as well, beyond counts of words.
    fn learns(&self) -> bool {
        false
    }
    /// What it learns from documents beyond counts of words; stored with the statistics and found there by
    /// [`Statistics::learned`]. `texts` are at most [`super::statistics::LEARNERS`] documents of the collection.
    fn learn(&self, _values: &Values, _statistics: &Statistics, _texts: &[String]) -> Vec<u64> {
        Vec::new()
    }
    /// The n and the threshold when these values find every pair whose Jaccard of word n-grams reaches the threshold: such
    /// a configuration is the truth that others are measured against.
    fn finds_all(&self, _values: &Values) -> Option<(usize, f64)> {
        None
    }
    /// Ties the method to values that [`Values::set`] has accepted, and to a collection.
    fn fit(&self, values: &Values, statistics: &Statistics) -> Result<Box<dyn Method>, MethodError>;
}

/// A fitted method. Deterministic: the same text, parameters and statistics give the same sketch on every machine.
pub trait Method: Debug + Send + Sync {
    /// How sketches of this method are looked up.
    fn shape(&self) -> Shape<'_>;
    /// Appends the sketch to `out`; false, and nothing appended, when this document has none.
    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool;
    /// Appends keys such that two sketches that agree have at least one in common. Asked only where the shape is
    /// [`Shape::Keys`]. Keys must be spread over all 64 bits, as hashes are.
    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend_from_slice(sketch);
    }
    /// Whether two sketches agree, and how far. Symmetric.
    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence>;
    /// What decided, on a match and on a miss; [`super::explain()`] makes the whole explanation of it.
    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons;
    /// The sketch as `sketches` prints it.
    fn print(&self, sketch: &[u64]) -> String {
        sketch.iter().map(|word| format!("{word:016x}")).collect::<Vec<_>>().join(",")
    }
}

/// How the sketches of a method are looked up. The engine knows shapes, not names.
#[derive(Debug, Clone, Copy)]
pub enum Shape<'a> {
    /// Fingerprints of a fixed width that may differ in a few bits.
    Fingerprint(&'a Layout),
    /// Whoever shares a key is compared.
    Keys,
}

/// What `compare` found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// How far the two are apart, in what [`Entry::distance`] says.
    pub distance: u16,
}

/// What decided between two documents, in a method's own words.
#[derive(Debug, Clone, Default)]
pub struct Reasons {
    /// One clause that follows “match: ”, “no match: ” or “no sketch: ”.
    pub claim: String,
    /// The distance; equals what [`Method::compare`] said where it said something. Not a number without two sketches.
    pub value: f64,
    /// The words, sentences, shingles or bits behind it.
    pub parts: Vec<Explanation>,
    /// What in both texts may carry the match, most telling first; shared runs of text are tried behind them.
    pub pieces: Vec<Piece>,
    /// Where in the target the difference lies that decided a miss.
    pub decisive: Vec<Range<usize>>,
}

/// A part of both texts that may carry a match: what a method names, most telling first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Piece {
    /// What it is, in a few words.
    pub claim: String,
    /// Its bytes in the source's canonical text.
    pub source: Vec<Range<usize>>,
    /// Its bytes in the target's, cut out together.
    pub target: Vec<Range<usize>>,
}
