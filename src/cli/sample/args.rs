//! The options of `dejaview sample`.

use std::path::PathBuf;

use crate::choice::choice;
use crate::values::LabelValues;
use dejaview_base::choice::{Choice, Choices};
use dejaview_evaluation::sample::{Allocation, StratifyBy};
use dejaview_evaluation::transfer::{Accept, Policy};
use dejaview_report::samples::SampleView;
use dejaview_study::{BACKWARDS, Importance, PageSampler, Snapshot};

/// Options that say how a sample is drawn: they contradict options about a sample that exists.
const DRAWING: [&str; 13] = [
    "configuration",
    "size",
    "seed",
    "by",
    "bounds",
    "allocation",
    "documents",
    "importance",
    "uncertain",
    "from",
    "audit",
    "extend",
    "stratum",
];

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview sample study --configuration simhash-3+5 --size 100 --seed 7 --name precise\n\
         dejaview sample study --configuration simhash-3+5,imatch --by jaccard --allocation equal --audit 50 --name both\n\
         dejaview sample study --list\n\
         dejaview sample study --name both --extend 40\n\
         dejaview sample study --name both --extend 40 --stratum \"jaccard 0.7-0.8\"\n\
         dejaview sample study --name both --redraw\n\
         dejaview sample study --configuration best,imatch --plan --compare best,imatch --difference 0.1\n\
         dejaview sample study --configuration simhash-3+5 --assign ann,bob,eve --overlap 20 --name shared\n\
         dejaview sample study --configuration simhash-3+5 --from query --size 200 --name searched\n\
         dejaview sample study --configuration copycat --by score --bounds 0.5,0.8,0.95 --allocation equal --name bands\n\
         dejaview sample study --configuration copycat --import labelled.tsv --annotator daniel --positive 1..3 --negative 0,0.5\n\
         dejaview sample study --from transfer --policy best --accept jaccard:0.9 --size 60 --name carried"
)]
pub struct Args {
    /// Folder of the study; its run must be finished
    pub study: PathBuf,
    /// Take in a sample of the pairs of --configuration that was drawn elsewhere, in place of drawing one: a table with the
    /// columns source, target, label, stratum and population (how many pairs the stratum has); labels may be missing
    #[arg(long, value_name = "FILE", requires = "configuration", conflicts_with_all = ["size", "seed", "by", "bounds", "allocation", "documents", "importance", "uncertain", "from", "audit", "extend", "stratum", "redraw", "keep", "assign", "plan"])]
    pub import: Option<PathBuf>,
    /// With --import: whose labels they are, where the file does not say so
    #[arg(long, value_name = "NAME", requires = "import")]
    pub annotator: Option<String>,
    #[command(flatten)]
    pub values: LabelValues,
    /// The configuration whose pairs are drawn from; several make one sample that serves them all, `all` takes
    /// those of the study
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required_unless_present_any = ["extend", "from", "stratum", "redraw", "keep", "list", "plan"])]
    pub configuration: Vec<String>,
    /// Pairs to draw; all when there are fewer
    #[arg(long, default_value_t = 100)]
    pub size: u64,
    /// The same seed draws the same pairs; that of the study unless told
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Draw within strata
    #[arg(long, value_parser = choice::<StratifyBy>(), default_value = "none")]
    pub by: StratifyBy,
    /// The edges between strata of jaccard, length or score, ascending: 0.5,0.8 makes three strata
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', requires = "by")]
    pub bounds: Vec<f64>,
    /// How the strata share the sample: proportional unless said otherwise
    #[arg(long, value_parser = choice::<AllocationOption>())]
    pub allocation: Option<AllocationOption>,
    /// Draw source documents, and one pair of each
    #[arg(long, conflicts_with = "audit")]
    pub documents: bool,
    /// Draw pairs that are probably true more often than others, and let weights make up for it: good where few of many are
    /// true. A pair's probability goes with a quarter, and three quarters of the geometric mean of its Jaccard and of the share
    /// of the study's configurations that found it
    #[arg(long, conflicts_with_all = ["by", "allocation", "documents", "from", "extend"])]
    pub importance: bool,
    /// Draw pairs that the study's model is least sure of more often than others, and let weights make up for it: labels of
    /// these teach it most. It takes a configuration with method = "learned"; a pair's probability goes with a quarter, and
    /// three quarters of 4·p·(1 − p), p the probability that the model gives it
    #[arg(long, conflicts_with_all = ["importance", "by", "allocation", "documents", "from", "extend"])]
    pub uncertain: bool,
    /// Draw source pages as if nobody had a list of them, --size times, and one pair of each that has any (weights are then
    /// relative: they add up to the pairs of the configurations; such a sample cannot be extended), or draw the pairs that a
    /// transfer takes
    #[arg(long, value_parser = choice::<DrawnFrom>(), conflicts_with_all = ["by", "allocation", "documents", "audit", "extend"])]
    pub from: Option<DrawnFrom>,
    #[command(flatten)]
    pub transfer: TransferPairs,
    /// Links to a page that a walk follows backwards at most
    #[arg(long, value_name = "R", default_value_t = BACKWARDS, requires = "from")]
    pub backwards: usize,
    /// Draw also so many pairs that none of these configurations found, so that recall is not blind: first pairs that other
    /// configurations found and pairs with the same URL or similar words, then random ones; the first time it reads both
    /// sides again
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub audit: u64,
    /// Add so many pairs to the sample of this name; those it has stay, in their order
    #[arg(long, value_name = "N", conflicts_with_all = ["configuration", "size", "seed", "by", "documents"])]
    pub extend: Option<u64>,
    /// Share the pairs out among these annotators: each is asked about their own part only
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "extend")]
    pub assign: Vec<String>,
    /// Pairs that all annotators of --assign are asked about, so that their agreement can be measured: a number of pairs,
    /// spread over the strata. Each other pair is given to one of them, as are the pairs that --extend adds later
    #[arg(long, value_name = "N", default_value_t = 0, requires = "assign")]
    pub overlap: u64,
    /// Add them to this stratum alone; may be given several times, and with a number for each: "jaccard 0.7-0.8=20"
    #[arg(long, value_name = "NAME", conflicts_with_all = ["configuration", "size", "seed", "by", "documents", "from"])]
    pub stratum: Vec<String>,
    /// Draw the sample of this name again from the pairs there are now, by the same design and seed; labels of pairs that
    /// are in both stay
    #[arg(long, requires = "name", conflicts_with_all = DRAWING)]
    pub redraw: bool,
    /// Keep the sample of this name although the pairs have changed: those of its pairs that are still found
    #[arg(long, requires = "name", conflicts_with_all = DRAWING, conflicts_with = "redraw")]
    pub keep: bool,
    /// Name of the sample; that of the first configuration by default
    #[arg(long)]
    pub name: Option<String>,
    /// Print the pairs that were drawn, with their strata and weights, not for the eyes of who labels them
    #[arg(long, conflicts_with = "plan")]
    pub pairs: bool,
    /// Draw nothing: list the samples of the study, how each was drawn and how far it is labelled, and whether it is of the
    /// pairs there are
    #[arg(long, conflicts_with_all = DRAWING, conflicts_with_all = ["import", "redraw", "keep", "name", "plan", "pairs", "assign"])]
    pub list: bool,
    #[command(flatten)]
    pub planning: Planning,
}

impl Args {
    pub fn view(&self) -> SampleView {
        if self.pairs { SampleView::Pairs } else { SampleView::Strata }
    }

    /// How strata share a sample that is drawn for the first time.
    pub fn first_allocation(&self) -> Allocation {
        match self.allocation {
            Some(AllocationOption::Fixed(allocation)) => allocation,
            Some(AllocationOption::Neyman) | None => Allocation::default(),
        }
    }

    /// Which pairs are drawn more often than others.
    pub fn drawn_more_often(&self) -> Option<Importance> {
        match (self.importance, self.uncertain) {
            (true, _) => Some(Importance::Truth),
            (false, true) => Some(Importance::Doubt),
            (false, false) => None,
        }
    }

    /// The seed that is asked for, else that of the study.
    pub fn seed(&self, study: &Snapshot) -> u64 {
        self.seed.unwrap_or(study.recipe().seed)
    }

    /// The configurations whose pairs are drawn from; `all` stands for those of the study that find pairs themselves.
    pub fn configurations(&self, study: &Snapshot) -> Vec<String> {
        if self.configuration != ["all"] {
            return self.configuration.clone();
        }
        study.recipe().finding_configurations()
    }
}

/// The values of `--allocation`: how strata share what is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AllocationOption {
    /// By a rule that needs no labels.
    Fixed(Allocation),
    /// By the labels so far; only a sample that has some can be extended by it.
    Neyman,
}

impl From<AllocationOption> for &'static str {
    fn from(option: AllocationOption) -> Self {
        match option {
            AllocationOption::Fixed(allocation) => allocation.name(),
            AllocationOption::Neyman => "neyman",
        }
    }
}

impl Choice for AllocationOption {
    const CHOICES: Choices<Self> = &[
        (Self::Fixed(Allocation::Proportional), "By their numbers of pairs, two of each at least"),
        (Self::Fixed(Allocation::Equal), "The same number of each; the weights make up for it"),
        (Self::Neyman, "With --extend: where the labels so far say that pairs help most (Neyman)"),
    ];
}

/// The values of `--from`: what a sample is drawn from, where not from a list of all pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawnFrom {
    /// Pages of the source, of each of which one pair is drawn.
    Pages(PageSampler),
    /// The pairs that a transfer takes.
    Transfer,
}

impl From<DrawnFrom> for &'static str {
    fn from(from: DrawnFrom) -> Self {
        match from {
            DrawnFrom::Pages(sampler) => sampler.into(),
            DrawnFrom::Transfer => "transfer",
        }
    }
}

impl Choice for DrawnFrom {
    const CHOICES: Choices<Self> = &[
        (
            Self::Pages(PageSampler::Query),
            "Source pages by random searches: two random words, one of the first 100 results; weights correct the bias",
        ),
        (
            Self::Pages(PageSampler::Walk(BACKWARDS)),
            "Source pages by a walk along the links between the source's own pages",
        ),
        (
            Self::Transfer,
            "The pairs that `transfer` takes with this --policy and --accept, of the configurations named or of all: labels of \
             them say how many of its pairs are wrong",
        ),
    ];
}

impl DrawnFrom {
    /// How pages are drawn; a walk follows at most `backwards` links to a page. `None` where pairs are drawn.
    pub fn page_sampler(self, backwards: usize) -> Option<PageSampler> {
        match self {
            Self::Pages(sampler) => Some(sampler.following(backwards)),
            Self::Transfer => None,
        }
    }
}

/// Options of `--from transfer`: which transfer takes the pairs.
#[derive(Debug, clap::Args)]
pub struct TransferPairs {
    /// With --from transfer: which of several accepted pairs a judgment takes: best, first, all or vote
    #[arg(long, requires = "from")]
    pub policy: Option<Policy>,
    /// With --from transfer: which pairs carry judgments, as `transfer` accepts them
    #[arg(long, value_name = "all|MEASURE:X", requires = "from")]
    pub accept: Option<Accept>,
}

/// Options of `--plan`, beside those that say what would be drawn.
#[derive(Debug, clap::Args)]
pub struct Planning {
    /// Draw nothing: say how many labels each design takes for intervals of ±5 and ±2 points, or of --precision
    #[arg(long)]
    pub plan: bool,
    /// With --plan: half of the width that the interval of precision shall have
    #[arg(long, value_name = "X", requires = "plan")]
    pub precision: Option<f64>,
    /// With --plan: the share of true pairs that is expected; the worst case, a half, stands beside
    #[arg(long, value_name = "P", requires = "plan", default_value_t = 0.9)]
    pub expect: f64,
    /// With --plan: the labels it takes to tell the precision of two configurations apart
    #[arg(long, value_name = "A,B", value_delimiter = ',', requires = "plan")]
    pub compare: Vec<String>,
    /// With --compare: the difference to be told
    #[arg(long, value_name = "X", default_value_t = 0.05)]
    pub difference: f64,
    /// With --compare: how often it shall be told when it is there
    #[arg(long, value_name = "P", default_value_t = 0.8)]
    pub power: f64,
}
