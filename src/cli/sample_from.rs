//! `dejaview sample --from`: pages drawn without a list, or the pairs that a transfer takes.

use anyhow::Result;

use super::args::Sampler;
use super::output::Misuse;
use super::transfer::accepted;
use dejaview_evaluation::transfer::{Accept, Policy};
use dejaview_study::{PageSampler, TransferDraw, TransferOrder};

/// What a sample is drawn from other than a list of all pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DrawnFrom {
    /// Source pages by random searches: two random words, one of the first 100 results; weights correct the bias
    Query,
    /// Source pages by a walk along the links between the source's own pages
    Walk,
    /// The pairs that `transfer` takes with this --policy and --accept, of the configurations named or of all: labels of
    /// them say how many of its pairs are wrong
    Transfer,
}

impl DrawnFrom {
    /// How pages are drawn, following at most so many links `backwards`; none where pairs are.
    pub fn pages(self, backwards: usize) -> Option<PageSampler> {
        match self {
            Self::Query => Some(Sampler::Query.drawing(backwards)),
            Self::Walk => Some(Sampler::Walk.drawing(backwards)),
            Self::Transfer => None,
        }
    }
}

/// Which pairs of a transfer are drawn from.
#[derive(Debug, clap::Args)]
pub struct OfTransfer {
    /// With --from transfer: which of several accepted pairs a judgment takes: best, first, all or vote
    #[arg(long, requires = "from")]
    pub policy: Option<Policy>,
    /// With --from transfer: which pairs carry judgments, as `transfer` accepts them
    #[arg(long, value_name = "all|MEASURE:X", requires = "from")]
    pub accept: Option<Accept>,
}

impl OfTransfer {
    /// The draw, when it is from a transfer.
    pub fn draw(
        &self,
        from: Option<DrawnFrom>,
        name: Option<&str>,
        configurations: &[String],
        (size, seed): (u64, u64),
    ) -> Result<Option<TransferDraw>> {
        if from != Some(DrawnFrom::Transfer) {
            let pages = self.policy.is_none() && self.accept.is_none();
            let why = "--policy and --accept go with --from transfer alone".to_owned();
            return if pages { Ok(None) } else { Err(Misuse(why).into()) };
        }
        let order = TransferOrder {
            policy: self.policy.unwrap_or_default(),
            accept: accepted(self.accept)?,
            by: None,
            configurations: configurations.iter().filter(|name| *name != "all").cloned().collect(),
        };
        let name = name.unwrap_or("transfer").to_owned();
        Ok(Some(TransferDraw { name, size, seed, order }))
    }
}
