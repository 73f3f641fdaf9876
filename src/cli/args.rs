//! The words of the command line; help, completions and the man page come from here.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::labels::args::Labels;
use crate::corpus::urls::Rules;
use crate::evaluation::ranking::Metric;
use crate::evaluation::transfer::{Accept, Measure, Policy};
use crate::study::{PatchRule, Rule, Truth};

/// Explore near-duplicates between web corpora, label them, carry judgments over.
#[derive(Debug, Parser)]
#[command(name = "dejaview", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Example: dejaview new study --source 'crawl-2009/*.warc.gz' --target 'crawl-2012/*.warc.gz' && dejaview run study\n\n\
Exit codes: 0 done, 1 failed, 2 wrong usage."
)]
pub struct Args {
    /// Study to open: a folder with a study.toml. Without it the current folder's study, else the sample study
    pub study: Option<PathBuf>,
    /// Print JSON: one document, or one a line where results stream
    #[arg(long, global = true)]
    pub json: bool,
    /// Open at this pair: source id, target id
    #[arg(long, num_args = 2, value_names = ["SOURCE", "TARGET"])]
    pub at: Option<Vec<String>>,
    /// How the explorer looks
    #[command(flatten)]
    pub look: Look,
    /// What to do
    #[command(subcommand)]
    pub command: Option<Command>,
}

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
}

/// All subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write a commented study.toml
    New(New),
    /// Read, match and score; go on where a stopped run ended
    Run(Run),
    /// Stream the candidate pairs with their scores
    Pairs(Pairs),
    /// Show a document: its canonical text, its tokens, or its bytes
    Show(Show),
    /// Say why a pair matches or not, configuration by configuration
    Explain(Explain),
    /// Compare the configurations: precision, recall, F, what each alone found, Dice
    Evaluate(Evaluate),
    /// Draw pairs and documents found per segment, similarities, candidates per document
    Figures(Figures),
    /// Write every table and figure of the study on one page
    Report(Report),
    /// Estimate how large corpora are beside each other, or draw pages without a list
    Size(Size),
    /// Print what each document was reduced to, so that anyone can check the search
    Sketches(Sketches),
    /// Compare two files that belong to no study
    Compare(Compare),
    /// Count judgments by track, topic and grade; list the inconsistent ones
    Judgments(Judgments),
    /// Say which URLs source and target have in common, by domain and by content
    Urls(Urls),
    /// List groups of near-duplicates with their weakest links and bridges
    Groups(Groups),
    /// Carry the judgments over to the target: new qrels, and a ledger
    Transfer(Transfer),
    /// Take near-duplicates out of run files and qrels
    Thin(Thin),
    /// Draw a random sample of pairs to be labelled
    Sample(Sample),
    /// Open the explorer on the first undecided pair of a sample
    Label(Label),
    /// Take labels in and out, measure agreement, write the paragraph for a paper
    Labels(Labels),
    /// Print a screen of the explorer without opening it
    #[command(hide = true)]
    Screen(Screen),
    /// Search the kept texts by words, id or URL
    Search(Search),
    /// Say what this terminal and the folder of labels can do
    Doctor(Doctor),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the man page
    Man(Man),
}

/// Arguments of `new`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview new study --source '../crawl-2009/*.warc.gz' --target '../crawl-2012/00/*' --judgments '../qrels/*.gz'"
)]
pub struct New {
    /// Folder to write study.toml into; made if need be
    pub folder: PathBuf,
    /// Pattern for the source's files, relative to the folder; may be given several times
    #[arg(long, required = true, value_name = "GLOB")]
    pub source: Vec<String>,
    /// Pattern for a segment of the target; given several times, it makes several segments
    #[arg(long, required = true, value_name = "GLOB")]
    pub target: Vec<String>,
    /// Pattern for files of judgments
    #[arg(long, value_name = "GLOB")]
    pub judgments: Vec<String>,
}

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview run study --threads 8 --timings")]
pub struct Run {
    /// Folder of the study
    pub study: PathBuf,
    /// Threads to use; all cores by default. The result does not depend on it
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Forget what earlier runs made and begin anew; labels and samples stay
    #[arg(long)]
    pub fresh: bool,
    /// Say what would be read and what it is expected to cost, and do nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Say where the time went
    #[arg(long)]
    pub timings: bool,
}

/// Arguments of `pairs`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview pairs study --configuration simhash-3+5 --min-jaccard 0.9 --format csv -o pairs.csv"
)]
pub struct Pairs {
    /// Folder of the study
    pub study: PathBuf,
    /// Only pairs that this configuration found
    #[arg(long, value_name = "NAME")]
    pub configuration: Option<String>,
    /// Only pairs of this segment
    #[arg(long, value_name = "NAME")]
    pub segment: Option<String>,
    /// Only pairs of at least this Jaccard (at the n of the study)
    #[arg(long, value_name = "X")]
    pub min_jaccard: Option<f64>,
    /// How to write them; --json is the same as jsonl
    #[arg(long, value_enum, default_value_t = Format::Tsv)]
    pub format: Format,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Formats of `pairs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Tab-separated, with a header
    Tsv,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated, quoted where needed
    Csv,
    /// Parquet: opens in pandas, DuckDB, Spark
    Parquet,
}

/// Which side of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Side {
    /// The documents whose twins are looked for
    Source,
    /// The documents searched
    Target,
}

/// Arguments of `show`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview show study clueweb09-en0000-00-00000 --tokens | sort | uniq -c | sort -rn | head"
)]
pub struct Show {
    /// Folder of the study
    pub study: PathBuf,
    /// Id of the document
    pub id: String,
    /// Its tokens, case-folded, one a line
    #[arg(long, conflicts_with = "raw")]
    pub tokens: bool,
    /// Its bytes as they lie in the corpus
    #[arg(long)]
    pub raw: bool,
    /// Look on one side only; by default the source is asked first
    #[arg(long, value_enum)]
    pub side: Option<Side>,
}

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview explain study clueweb09-en0000-00-00000 clueweb12-0000tw-00-00000 --configuration simhash-3+5"
)]
pub struct Explain {
    /// Folder of the study
    pub study: PathBuf,
    /// Id of the source document
    pub source: String,
    /// Id of the target document
    pub target: String,
    /// Only this configuration
    #[arg(long, value_name = "NAME")]
    pub configuration: Option<String>,
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
    /// Wilson's, at the effective size of the sample
    Wilson,
    /// The same, corrected for the finite population
    Design,
    /// Never covers less than it says, in strata too
    Conservative,
    /// Clopper and Pearson's, for samples without strata
    ClopperPearson,
    /// Jeffreys's
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
    /// Words in the table of pairs that mean a near-duplicate
    #[arg(long, value_delimiter = ',', value_name = "WORDS")]
    pub positive: Vec<String>,
    /// Pairs that the table does not list are known not to be near-duplicates
    #[arg(long)]
    pub closed: bool,
    /// With labels: only those of this sample; otherwise each configuration by the sample that says most about it
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
    /// With labels: how unsure ones count
    #[arg(long, value_enum, default_value_t = UnsureAs::Out)]
    pub unsure: UnsureAs,
    /// With labels: which interval of precision stands in the first table; JSON has all
    #[arg(long, value_enum, default_value_t = IntervalOf::Wilson)]
    pub interval: IntervalOf,
    /// With labels: compare two configurations of a sample on the same labels
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub compare: Vec<String>,
    /// With labels: precision and recall of this configuration as a cut-off moves, and the pairs that flip
    #[arg(long, value_name = "NAME")]
    pub rail: Option<String>,
    /// The measure that the cut-off is set on
    #[arg(long, default_value = "jaccard", value_parser = clap::builder::PossibleValuesParser::new(crate::study::MEASURES))]
    pub measure: String,
    /// Read both sides again and repeat the papers' experiments: SimHash by distance, cosine, MinHash error, lexicons
    #[arg(long)]
    pub experiments: bool,
    /// Threads for the experiments; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Only this table
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// In what form
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

/// Arguments of `figures`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview figures study --configuration simhash-3+5 --segments 20")]
pub struct Figures {
    /// Folder of the study
    pub study: PathBuf,
    /// Only this configuration; may be given several times
    #[arg(long, value_name = "NAME")]
    pub configuration: Vec<String>,
    /// Only pairs of this segment
    #[arg(long, value_name = "NAME")]
    pub segment: Option<String>,
    /// Segments to which accumulated counts are carried on; twice those read by default
    #[arg(long, value_name = "N")]
    pub segments: Option<usize>,
    /// From this Jaccard on a pair counts as a near-duplicate
    #[arg(long, value_name = "X", default_value_t = 0.9)]
    pub alike: f64,
    /// Only this figure or table
    #[arg(long, value_name = "NAME")]
    pub figure: Option<String>,
    /// Charts, or the numbers as a table
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview report study -o report.html --tables tables")]
pub struct Report {
    /// Folder of the study
    pub study: PathBuf,
    /// The page to write: one HTML file that needs nothing else
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    pub output: PathBuf,
    /// Also show some pairs with their texts; corpora are licensed, so by default no text of a page is in it
    #[arg(long)]
    pub with_text: bool,
    /// Also compare the URLs of both sides; the documents are read once more
    #[arg(long)]
    pub urls: bool,
    /// Also write every table as CSV and LaTeX into this folder
    #[arg(long, value_name = "FOLDER")]
    pub tables: Option<PathBuf>,
    /// What decides whether a pair is a near-duplicate, as for `evaluate`
    #[arg(long, default_value = "jaccard:0.9")]
    pub truth: Truth,
    /// Segments to which accumulated counts are carried on; twice those read by default
    #[arg(long, value_name = "N")]
    pub segments: Option<usize>,
}

/// What decides that a page of one corpus stands in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Decides {
    /// It has a pair of the study
    Pairs,
    /// A search for its 8 rarest words finds it; all texts must be kept
    Queries,
}

/// How pages are drawn without a list of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Sampler {
    /// Two random words, one of the first 100 results; weights correct the bias
    Query,
    /// A walk along the links between the corpus's own pages
    Walk,
}

/// Arguments of `size`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview size 2009-in-2012 2009-in-2022 2012-in-2022\n\
         dejaview size study --draw walk --side target --size 50")]
pub struct Size {
    /// Folders of studies; a corpus that several of them share ties the others together
    #[arg(required = true, value_name = "STUDY")]
    pub studies: Vec<PathBuf>,
    /// What decides that a page stands in another corpus
    #[arg(long, value_enum, default_value_t = Decides::Pairs)]
    pub by: Decides,
    /// From this Jaccard on it does
    #[arg(long, value_name = "X", default_value_t = 0.9)]
    pub alike: f64,
    /// Pages to search for in each corpus (--by queries), or to draw (--draw)
    #[arg(long, default_value_t = 200)]
    pub size: usize,
    /// The same seed gives the same pages and intervals
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Draw pages instead, and print their ids and weights
    #[arg(long, value_enum)]
    pub draw: Option<Sampler>,
    /// From which side pages are drawn
    #[arg(long, value_enum, default_value_t = Side::Target)]
    pub side: Side,
    /// Page at which a walk begins; the first with links by default
    #[arg(long, value_name = "ID")]
    pub start: Option<String>,
    /// Links to a page that a walk follows backwards at most
    #[arg(long, value_name = "R", default_value_t = 10)]
    pub backwards: usize,
    /// In what form
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

/// Arguments of `sketches`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview sketches study --configuration simhash-3+5 > sketches.tsv")]
pub struct Sketches {
    /// Folder of the study
    pub study: PathBuf,
    /// The configuration
    #[arg(long, value_name = "NAME")]
    pub configuration: String,
}

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview compare --plain old.html new.html")]
pub struct Compare {
    /// A file: HTML, text, or the first document of an archive
    pub a: PathBuf,
    /// Another
    pub b: PathBuf,
    /// Print all similarities and the answer of every method
    #[arg(long)]
    pub plain: bool,
}

/// Arguments of `judgments`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview judgments study --inconsistent\n\
         dejaview judgments study --groups --patch judgments.patch")]
pub struct Judgments {
    /// Folder of the study; it need not have been run, nor its documents be there
    pub study: PathBuf,
    /// List every judgment: track, topic, subtopic, document, grade as written
    #[arg(long, conflicts_with = "inconsistent")]
    pub list: bool,
    /// List the documents that were judged differently, within a topic or across tracks
    #[arg(long)]
    pub inconsistent: bool,
    /// Look for near-duplicates inside the source that were judged differently: by their texts, or, in a study
    /// without documents, by targets that they have in common
    #[arg(long, conflicts_with_all = ["list", "inconsistent"])]
    pub groups: bool,
    /// Least Jaccard (at the n of the study) of near-duplicates inside the source
    #[arg(long, default_value_t = 0.9, value_name = "X", requires = "groups")]
    pub least: f64,
    /// Write a patch of the qrels that gives the members of a group one grade
    #[arg(long, value_name = "FILE", requires = "groups")]
    pub patch: Option<PathBuf>,
    /// Which grade they get: majority (on a tie the higher), highest or lowest
    #[arg(long, default_value = "majority", requires = "groups")]
    pub rule: PatchRule,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

/// Which pairs make groups.
#[derive(Debug, clap::Args)]
pub struct GroupPairs {
    /// Only pairs that this configuration found; may be given several times
    #[arg(long, value_name = "NAME")]
    pub configuration: Vec<String>,
    /// Only pairs of at least this (jaccard, s3, edit or score); by default jaccard:0.9, and any imported pair
    #[arg(long, value_name = "MEASURE:X")]
    pub least: Option<Accept>,
    /// Who stands for a group: central (closest to the others), first (by id) or longest
    #[arg(long, default_value = "central", value_name = "RULE")]
    pub representative: Rule,
}

/// Arguments of `urls`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview urls study --domain wikipedia.org --rules default,index\n\n\
Rules: scheme (http and https are one), user, port (the default one), www, host (small letters), fragment, slash (at the end);\n\
and, not among the default ones: query, index (index.html and the like), case (of the path).")]
pub struct Urls {
    /// Folder of the study. URLs come from the lists that its `urls` name, else from its documents
    pub study: PathBuf,
    /// When two URLs count as the same: default, exact, or names with commas between
    #[arg(long, default_value = "default", value_name = "RULES")]
    pub rules: Rules,
    /// Only URLs of this domain and those below it
    #[arg(long, value_name = "NAME")]
    pub domain: Option<String>,
    /// Read the canonical links of both sides' pages as well
    #[arg(long)]
    pub canonical: bool,
    /// Do not read the documents to compare those with the same URL
    #[arg(long)]
    pub no_content: bool,
    /// Most hosts and top-level domains to print
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
    /// Megabytes of memory for lists before they go to disk
    #[arg(long, default_value_t = 256, value_name = "MB")]
    pub memory: usize,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Only this table
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// In what form
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

/// Arguments of `groups`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview groups study --least jaccard:0.95 --representative longest")]
pub struct Groups {
    /// Folder of the study
    pub study: PathBuf,
    /// Which pairs make groups
    #[command(flatten)]
    pub pairs: GroupPairs,
    /// Most groups to print, the largest first
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
    /// In what form
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

/// Arguments of `transfer`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview transfer study -o new.qrels --policy best --accept jaccard:0.9\n\
         dejaview transfer study -o new.qrels --accept labels --configuration simhash-3+5")]
pub struct Transfer {
    /// Folder of the study; it needs judgments and a finished run, but no documents where its pairs are imported
    pub study: PathBuf,
    /// File for the new qrels; one file a track, named after it, when there are several
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Which of several accepted pairs a judgment takes: best, first, all or vote
    #[arg(long, default_value = "best")]
    pub policy: Policy,
    /// Which pairs carry judgments: labels, all, or a measure and the least of it (jaccard, s3, edit, score). Never a
    /// pair that people labelled not a near-duplicate
    #[arg(long, default_value = "all", value_name = "labels|all|MEASURE:X")]
    pub accept: Accept,
    /// What tells the best pair: jaccard, s3, edit or score; by default what pairs are accepted by
    #[arg(long, value_name = "MEASURE")]
    pub by: Option<Measure>,
    /// Only pairs that this configuration found; may be given several times
    #[arg(long, value_name = "NAME")]
    pub configuration: Vec<String>,
    /// File for the ledger; beside the qrels by default
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Runs of systems over the source: what the transfer does to their ranking
    #[arg(long, num_args = 1.., value_name = "FILES")]
    pub runs: Vec<PathBuf>,
    /// Runs of the same systems over the target, told by their tags
    #[arg(long, num_args = 1.., value_name = "FILES", requires = "runs")]
    pub runs_after: Vec<PathBuf>,
    /// The track whose topics the runs are of, where there are several
    #[arg(long, value_name = "NAME", requires = "runs")]
    pub track: Option<String>,
    /// What runs are measured by: ap, ndcg@K, p@K, as trec_eval defines them
    #[arg(long, value_delimiter = ',', default_value = "ap,ndcg@10,p@10", value_name = "MEASURES")]
    pub measures: Vec<Metric>,
}

/// Arguments of `thin`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview thin study --runs runs/*.run -o thinned --least jaccard:0.9")]
pub struct Thin {
    /// Folder of the study
    pub study: PathBuf,
    /// Run files of one side
    #[arg(long, num_args = 1.., value_name = "FILES")]
    pub runs: Vec<PathBuf>,
    /// Further qrels to thin, those of a transfer for one; those of the study are thinned anyway
    #[arg(long, num_args = 1.., value_name = "FILES")]
    pub qrels: Vec<PathBuf>,
    /// Folder for the results
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// Which pairs make groups
    #[command(flatten)]
    pub pairs: GroupPairs,
}

/// Arguments of `search`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview search study 'lighthouse \"fresnel lens\"' --side target")]
pub struct Search {
    /// Folder of the study
    pub study: PathBuf,
    /// Words, all of which must be there; "a phrase"; id:…; url:…
    pub query: String,
    /// Only documents of one side
    #[arg(long, value_enum)]
    pub side: Option<Side>,
    /// Most results to print
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
    /// Print how many documents hold each word of the query, and how often, instead
    #[arg(long)]
    pub terms: bool,
}

/// What `sample` divides the pairs by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SampleBy {
    /// Headline Jaccard
    Jaccard,
    /// How many of the configurations found the pair; of two or three, which
    Agreement,
    /// Segment of the target
    Segment,
    /// Same host or not; looks up every document
    Host,
    /// Same URL or not
    Url,
    /// Length ratio
    Length,
    /// Nothing: simple random
    None,
}

/// How the strata share a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SampleAllocation {
    /// By their numbers of pairs, two of each at least
    Proportional,
    /// The same number of each; the weights make up for it
    Equal,
}

/// Arguments of `sample`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview sample study --configuration simhash-3+5 --size 100 --seed 7 --name precise\n\
         dejaview sample study --configuration simhash-3+5,imatch --by jaccard --allocation equal --audit 50 --name both\n\
         dejaview sample study --name both --extend 40\n\
         dejaview sample study --configuration simhash-3+5 --from query --size 200 --name searched"
)]
pub struct Sample {
    /// Folder of the study; its run must be finished
    pub study: PathBuf,
    /// The configuration whose pairs are drawn from; several make one sample that serves them all
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required_unless_present = "extend")]
    pub configuration: Vec<String>,
    /// Pairs to draw; all when there are fewer
    #[arg(long, default_value_t = 100)]
    pub size: u64,
    /// The same seed draws the same pairs
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Draw within strata
    #[arg(long, value_enum, default_value_t = SampleBy::None)]
    pub by: SampleBy,
    /// How the strata share the sample
    #[arg(long, value_enum, default_value_t = SampleAllocation::Proportional)]
    pub allocation: SampleAllocation,
    /// Draw source documents, and one pair of each
    #[arg(long)]
    pub documents: bool,
    /// Draw source pages as if nobody had a list of them, --size times, and one pair of each that has any. Weights are then
    /// relative: they add up to the pairs of the configurations. Such a sample cannot be extended
    #[arg(long, value_enum, conflicts_with_all = ["by", "allocation", "documents", "audit", "extend"])]
    pub from: Option<Sampler>,
    /// Links to a page that a walk follows backwards at most
    #[arg(long, value_name = "R", default_value_t = 10, requires = "from")]
    pub backwards: usize,
    /// Draw also so many pairs that no configuration found, near misses and random ones, so that recall is not blind; reads
    /// both sides again
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub audit: u64,
    /// Add so many pairs to the sample of this name; those it has stay, in their order
    #[arg(long, value_name = "N", conflicts_with_all = ["configuration", "size", "seed", "by", "allocation", "documents"])]
    pub extend: Option<u64>,
    /// Name of the sample; that of the first configuration by default
    #[arg(long)]
    pub name: Option<String>,
}

/// Arguments of `label`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview label study --annotator ada")]
pub struct Label {
    /// Folder of the study
    pub study: PathBuf,
    /// Name of the sample; `default` is drawn when there is none
    #[arg(long, default_value = "default")]
    pub sample: String,
    /// Begin with ten pairs whose answer is known; nothing of it is recorded
    #[arg(long)]
    pub calibrate: bool,
    /// How the explorer looks
    #[command(flatten)]
    pub look: Look,
}

/// Arguments of `screen`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview screen study --keys '2 j j enter' --size 100x30 --svg > judgments.svg")]
pub struct Screen {
    /// Folder of the study
    pub study: PathBuf,
    /// Keys to press first, apart by blanks; words in \"quotes\" are typed
    #[arg(long, default_value = "")]
    pub keys: String,
    /// Columns and lines
    #[arg(long, default_value = "100x30")]
    pub size: String,
    /// A picture instead of text
    #[arg(long)]
    pub svg: bool,
    /// Colours
    #[arg(long, value_enum, default_value_t = Colours::Auto)]
    pub theme: Colours,
}

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview doctor study")]
pub struct Doctor {
    /// Folder of the study whose labels are to be written
    pub study: Option<PathBuf>,
}

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview completions bash > ~/.local/share/bash-completion/completions/dejaview")]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview man | man -l -")]
pub struct Man {
    /// Write a page for the program and each subcommand into this folder instead
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}
