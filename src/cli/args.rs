//! The words that several subcommands share. Those of one alone stand beside it.

use std::path::PathBuf;

use dejaview_index::KeptSide;
use dejaview_study::{PageSampler, Truth};

/// Which colours the explorer uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Colours {
    /// Those that read well on light and dark backgrounds
    Auto,
    /// For light backgrounds
    Light,
    /// For dark backgrounds
    Dark,
    /// Blue and orange only
    ColourBlind,
    /// None
    Mono,
}

/// How the explorer looks and who uses it.
#[derive(Debug, clap::Args)]
pub struct Look {
    /// Colours; NO_COLOR in the environment means mono. By default those of the settings
    #[arg(long, value_enum)]
    pub theme: Option<Colours>,
    /// Whose labels are written; the settings' annotator by default, else $USER
    #[arg(long)]
    pub annotator: Option<String>,
    /// Show how long keys and frames take
    #[arg(long)]
    pub hud: bool,
    /// Write the keys that are pressed into a new file; `dejaview screen --replay` presses them again
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

/// Which side of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Side {
    /// The documents whose twins are looked for
    Source,
    /// The documents searched
    Target,
}

impl From<Side> for KeptSide {
    fn from(side: Side) -> Self {
        match side {
            Side::Source => Self::Source,
            Side::Target => Self::Target,
        }
    }
}

/// In what form tables are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum TableFormat {
    /// For people
    Text,
    /// Tabs between cells
    Tsv,
    /// For spreadsheets
    Csv,
    /// For papers
    Latex,
}

/// How unsure labels count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum UnsureAs {
    /// Left out
    Out,
    /// As near-duplicates
    Yes,
    /// As others
    No,
}

/// Which interval stands in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum IntervalOf {
    /// Clopper and Pearson's at the effective size of the sample, corrected for the finite population
    Headline,
    /// Wilson's, at the effective size of the sample; covers what it says on average only
    Wilson,
    /// The same, corrected for the finite population
    Design,
    /// Never covers less than it says, in strata too
    Conservative,
    /// Clopper and Pearson's, for samples without strata
    ClopperPearson,
    /// Jeffreys's, for samples without strata
    Jeffreys,
}

/// Arguments of `evaluate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview evaluate study --truth jaccard:0.9\n\
         dejaview evaluate sample-corpus --truth sample-corpus/truth.tsv --closed \\\n\
             --positive exact-copy,moved,date-changed,boilerplate-changed,light-edit\n\
         dejaview evaluate study --truth labels --unsure no --compare simhash-3+5,imatch --rail simhash-3+5")]
pub struct Evaluate {
    /// Folder of the study
    pub study: PathBuf,
    /// What decides: labels, jaccard:0.9, edit:0.8, or a table of pairs (file:PAIRS.tsv with source, target, label)
    #[arg(long, default_value = "jaccard:0.9")]
    pub truth: Truth,
    /// Words, grades and ranges of grades (1..3) in the table of pairs that mean a near-duplicate; without --negative all
    /// others mean none
    #[arg(long, value_delimiter = ',', value_name = "VALUES")]
    pub positive: Vec<String>,
    /// Those that mean no near-duplicate; `rest` is all that are not named
    #[arg(long, value_delimiter = ',', value_name = "VALUES")]
    pub negative: Vec<String>,
    /// Those that mean unsure
    #[arg(long, value_delimiter = ',', value_name = "VALUES")]
    pub unsure_values: Vec<String>,
    /// Pairs that the table does not list are known not to be near-duplicates
    #[arg(long)]
    pub closed: bool,
    /// With labels: only those of this sample; otherwise each configuration by the sample that says most about it
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
    /// With labels or a table: how unsure ones count
    #[arg(long, value_enum, default_value_t = UnsureAs::Out)]
    pub unsure: UnsureAs,
    /// With labels: leave out decisions that were made with the scores in view; what was said before counts again
    #[arg(long)]
    pub blind_only: bool,
    /// With labels: which interval of precision stands in the first table; JSON has all
    #[arg(long, value_enum, default_value_t = IntervalOf::Headline)]
    pub interval: IntervalOf,
    /// With labels: compare two configurations of a sample on the same labels
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub compare: Vec<String>,
    /// With labels: precision and recall of this configuration as a cut-off moves, and the pairs that flip
    #[arg(long, value_name = "NAME")]
    pub rail: Option<String>,
    /// The measure that the cut-off is set on
    #[arg(long, default_value = "jaccard", value_parser = clap::builder::PossibleValuesParser::new(dejaview_study::MEASURES))]
    pub measure: String,
    /// Read both sides again and repeat the papers' experiments: SimHash by distance, cosine, MinHash error, lexicons
    #[arg(long)]
    pub experiments: bool,
    /// Threads for the experiments; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Only this table, and what --compare, --rail and --experiments ask for; a name that is not known lists those there are
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// In what form
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

/// How pages are drawn without a list of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Sampler {
    /// Two random words, one of the first 100 results; weights correct the bias
    Query,
    /// A walk along the links between the corpus's own pages
    Walk,
}

impl Sampler {
    /// The same as studies draw, following at most so many links `backwards`.
    pub fn drawing(self, backwards: usize) -> PageSampler {
        match self {
            Self::Query => PageSampler::Query,
            Self::Walk => PageSampler::Walk(backwards),
        }
    }
}
