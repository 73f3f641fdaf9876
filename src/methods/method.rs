//! What every method must be able to do.

use std::fmt::Debug;
use std::ops::Range;

use super::explanation::Explanation;
use super::layout::Layout;
use super::prepared::Prepared;

/// A fitted method. Deterministic: the same text, parameters and statistics give the same sketch on every machine.
pub trait Method: Debug + Send + Sync {
    /// How sketches of this method are looked up.
    fn shape(&self) -> Shape<'_>;
    /// Appends the sketch to `out`; false, and nothing appended, when the document has none.
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
    /// Nothing is looked up: pairs that other configurations found are compared.
    Others,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// How different the two are, in the unit of the method (see [`super::algorithm::Parameters::DISTANCE`]).
    pub distance: u16,
}

/// Why a method decided as it did on two documents.
#[derive(Debug, Clone, Default)]
pub struct Reasons {
    /// One clause that follows “match: ”, “no match: ” or “no sketch: ”.
    pub claim: String,
    /// The distance, as [`Method::compare`] returns it; for a miss, how far the two are apart. `None` without two sketches.
    pub value: Option<f64>,
    /// The words, sentences, shingles or bits that decided.
    pub parts: Vec<Explanation>,
    /// What may be the evidence for a match, most telling first; shared runs of text are tried after these.
    pub pieces: Vec<Piece>,
    /// Places in the target that prevent a match.
    pub decisive: Vec<Range<usize>>,
}

/// A part of both texts that may be evidence for a match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Piece {
    /// What explanations call it.
    pub claim: String,
    /// Its bytes in the source's canonical text.
    pub source: Vec<Range<usize>>,
    /// Its bytes in the target's canonical text, which are cut out together.
    pub target: Vec<Range<usize>>,
}
