//! The unit in which sentences are ranked, and how explanations write it.

use crate::wording::count;

/// Steps in which weights are counted: sums are exact, the same in any order, and cannot overflow (a weight is below
/// 2^6, a sentence has fewer than 2^32 words).
pub const STEPS: f64 = (1u64 << 24) as f64;

/// What the worth of a sentence is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Content words.
    Words,
    /// Weight of them, in [`STEPS`].
    Weight,
}

impl Unit {
    pub(super) fn highest(self) -> &'static str {
        match self {
            Self::Words => "longest",
            Self::Weight => "heaviest",
        }
    }

    pub(super) fn number(self, worth: i64) -> f64 {
        match self {
            Self::Words => worth as f64,
            Self::Weight => worth as f64 / STEPS,
        }
    }

    pub(super) fn amount(self, worth: i64) -> String {
        match self {
            Self::Words => count(worth as usize, "word"),
            Self::Weight => format!("weight {:.2}", self.number(worth)),
        }
    }

    /// How far `worth` is below the last that was chosen.
    pub(super) fn below(self, cut: i64, worth: i64) -> String {
        match (self, cut - worth) {
            (_, 0) => "level with the cut and behind it in order".to_owned(),
            (Self::Words, gap) => format!("{} below the cut", count(gap as usize, "word")),
            // A gap is never shown as none.
            (Self::Weight, gap) if self.number(gap) < 0.005 => "less than 0.01 below the cut".to_owned(),
            (Self::Weight, gap) => format!("{:.2} below the cut", self.number(gap)),
        }
    }
}
