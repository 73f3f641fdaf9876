//! The words of `dejaview labels`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::args::UnsureAs;

/// Arguments of `labels`.
#[derive(Debug, Args)]
#[command(after_help = "Example: dejaview labels export study --format qrels\n\
         dejaview labels import study bob.tsv --annotator bob --sample default\n\
         dejaview labels agreement study --sample default\n\
         dejaview labels paragraph study --sample default")]
pub struct Labels {
    /// What to do with them
    #[command(subcommand)]
    pub command: LabelsCommand,
}

/// What can be done with labels.
#[derive(Debug, Subcommand)]
pub enum LabelsCommand {
    /// Write labels for other tools: ids only, unless texts are asked for
    Export(Export),
    /// Take labels from a file into an annotator's journal; doing it twice changes nothing
    Import(Import),
    /// Say how far annotators agree: Cohen, Fleiss, Krippendorff, by stratum, and with themselves
    Agreement(OfSample),
    /// Check every line of every journal, and whether labelled pages have changed
    Verify(Verify),
    /// Write the paragraph for a paper: sample, annotators, agreement, estimates
    Paragraph(ParagraphOf),
    /// Put a sample with the texts of its pages into one file, for an annotator elsewhere
    Pack(Pack),
    /// Make a study of a pack, ready to be labelled
    Unpack(Unpack),
}

/// In what form labels are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Tabs between columns: every annotator's label of every pair
    Tsv,
    /// One JSON object a line: the same with all circumstances
    Jsonl,
    /// source 0 target grade: what all together say; 1, 0, -1 for unsure
    Qrels,
    /// CopyCat's keys: what all together say
    Copycat,
    /// Splink's table of clerical labels: what all together say; 1, 0, 0.5 for unsure
    Splink,
}

/// Arguments of `labels export`.
#[derive(Debug, Args)]
#[command(after_help = "Example: dejaview labels export study --sample default --format splink -o labels.csv")]
pub struct Export {
    /// Folder of the study
    pub study: PathBuf,
    /// In what form; --json is the same as jsonl
    #[arg(long, value_enum, default_value_t = ExportFormat::Tsv)]
    pub format: ExportFormat,
    /// Only labels of this annotator
    #[arg(long, value_name = "NAME")]
    pub annotator: Option<String>,
    /// Only labels given in this sample
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
    /// Also the texts of both pages (TSV and JSONL); mind the licence of the corpora
    #[arg(long)]
    pub texts: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Arguments of `labels import`.
#[derive(Debug, Args)]
#[command(after_help = "Example: dejaview labels import study bob.jsonl --annotator bob --sample default\n\n\
         Reads journals, JSON lines, TSV and CSV with the columns source, target and label, qrels of pairs, and the label\n\
         tables of CopyCat and Splink; which it is, the file tells.")]
pub struct Import {
    /// Folder of the study
    pub study: PathBuf,
    /// The labels
    pub file: PathBuf,
    /// Whose they are
    #[arg(long, value_name = "NAME")]
    pub annotator: String,
    /// The sample in which they were given; others are told and left out
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
}

/// Arguments of `labels agreement`.
#[derive(Debug, Args)]
#[command(after_help = "Example: dejaview labels agreement study --sample default")]
pub struct OfSample {
    /// Folder of the study
    pub study: PathBuf,
    /// Only labels given in this sample, by its strata
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
}

/// Arguments of `labels verify`.
#[derive(Debug, Args)]
#[command(after_help = "Example: dejaview labels verify study")]
pub struct Verify {
    /// Folder of the study
    pub study: PathBuf,
}

/// Arguments of `labels paragraph`.
#[derive(Debug, Args)]
#[command(after_help = "Example: dejaview labels paragraph study --sample default --unsure out")]
pub struct ParagraphOf {
    /// Folder of the study
    pub study: PathBuf,
    /// The sample it is about
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub sample: String,
    /// How unsure labels count
    #[arg(long, value_enum, default_value_t = UnsureAs::Out)]
    pub unsure: UnsureAs,
}

/// Arguments of `labels pack`.
#[derive(Debug, Args)]
#[command(after_help = "Example: dejaview labels pack study --sample default -o for-bob.jsonl")]
pub struct Pack {
    /// Folder of the study
    pub study: PathBuf,
    /// The sample
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub sample: String,
    /// The file; it holds the texts of pages, mind the licence of the corpora
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Arguments of `labels unpack`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: dejaview labels unpack for-bob.jsonl bobs-study && dejaview label bobs-study --sample default"
)]
pub struct Unpack {
    /// The pack
    pub file: PathBuf,
    /// Folder of the study that is made
    pub folder: PathBuf,
}
