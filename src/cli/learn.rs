//! `dejaview learn`: a model fitted to the labels of a study.

use std::path::PathBuf;

use anyhow::Result;

use super::choice::choice;
use super::open_study::OpenStudy;
use super::output::{Output, say};
use super::qrels::write_lines;
use dejaview_report::TableFormat;
use dejaview_study::{HeldOut, LearnOptions, Outputs};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview learn study -o study/model.json\n\
         dejaview learn study --hold-out hosts --fewer 50,100,200,400\n\n\
         A configuration with method = \"learned\" and model = \"model.json\" in study.toml uses the model.")]
pub struct Args {
    /// Folder of the study; its run must be finished
    pub study: PathBuf,
    /// Write the model into this file; without it the tables are printed and nothing is kept
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace files that are there already; files of the study are never replaced
    #[arg(long)]
    pub force: bool,
    /// Go on although lines of labels are damaged; they do not count
    #[arg(long)]
    pub allow_damaged: bool,
    /// Write the labelled pairs with their features into this file as TSV, those first that a rule which has not seen them is
    /// most wrong about: to check these labels, or to fit another model
    #[arg(long, value_name = "FILE")]
    pub examples: Option<PathBuf>,
    /// What is held out together, so that no label is tested by a model that has seen its like
    #[arg(long, value_parser = choice::<HeldOut>(), default_value = "documents")]
    pub hold_out: HeldOut,
    /// Fit it to so many of the labels, too, chosen at random: how much would more labels help?
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    pub fewer: Vec<usize>,
    /// Decides how labels are divided and which are chosen; that of the study unless told
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Only this table: learned, fewer or weights
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// In what form
    #[arg(long, value_parser = choice::<TableFormat>(), default_value = "text")]
    pub format: TableFormat,
}

pub fn learn(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let options = LearnOptions {
        held_out: args.hold_out,
        seed: args.seed.unwrap_or(study.recipe().seed),
        fewer: args.fewer.clone(),
    };
    let learning = dejaview_study::learn(&study, &options)?;
    study.must_have_whole_labels(args.allow_damaged)?;
    let outputs = Outputs::new(Some(study.session()), "learn", args.force);
    let mut files = Vec::new();
    if let Some(path) = &args.output {
        files.push(write_lines(&outputs, path, learning.model.written().lines())?);
    }
    if let Some(path) = &args.examples {
        files.push(write_lines(&outputs, path, dejaview_report::learn::example_lines(&learning).iter())?);
    }
    dejaview_study::finish_all(files)?;
    if let Some(path) = &args.output {
        say(&format!("the model is in {}; a configuration with method = \"learned\" uses it", path.display()));
    }
    study.report_as(output, &learning, args.format, args.table.as_deref())
}
