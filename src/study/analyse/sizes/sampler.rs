//! How pages are drawn without a list of them, and what is drawn.

use serde::Serialize;
use strum::IntoStaticStr;

use super::searched_for::SearchedFor;
use dejaview_base::choice::{Choice, Choices};
use dejaview_index::KeptSide;

/// How pages are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum PageSampler {
    /// Two words of the lexicon, one of the first 100 results; weights correct its bias.
    Query,
    /// WebWalker, with so many links followed backwards at most.
    Walk(usize),
}

/// Links that a walk follows backwards at most, where nobody says how many.
pub const BACKWARDS: usize = 10;

impl Choice for PageSampler {
    const CHOICES: Choices<Self> = &[
        (Self::Query, "Two random words, one of the first 100 results; weights correct the bias"),
        (Self::Walk(BACKWARDS), "A walk along the links between the corpus's own pages"),
    ];
}

impl PageSampler {
    /// The same, a walk following at most so many links backwards.
    #[must_use]
    pub fn following(self, backwards: usize) -> Self {
        match self {
            Self::Query => Self::Query,
            Self::Walk(_) => Self::Walk(backwards),
        }
    }
}

/// Which documents to draw, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageDraw {
    pub sampler: PageSampler,
    pub side: KeptSide,
    /// How many; some may come twice.
    pub size: usize,
    /// Id of the page at which a walk begins; the first with links by default.
    pub start: Option<String>,
    /// What random searches ask for.
    pub searched_for: SearchedFor,
    /// The same seed draws the same pages.
    pub seed: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DrawnPage {
    pub id: String,
    /// 1 where all pages are equally probable; where not, one over how probable this one is, the mean being 1.
    pub weight: f64,
}

/// Drawn documents, and how the draw went.
#[derive(Debug, Clone, Serialize)]
pub struct DrawnPages {
    /// In the order drawn.
    pub pages: Vec<DrawnPage>,
    /// Documents of the side that took part: those with links for a walk, those kept for searches.
    pub population: usize,
    /// Documents that a walk reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<usize>,
    /// How uneven the draws are: the highest weight over the lowest.
    pub unevenness: f64,
}
