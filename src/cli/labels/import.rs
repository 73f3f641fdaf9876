//! `dejaview labels import`: labels of other tools and other people.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::cli::output::{Output, say};
use crate::report::numbers::plural;
use crate::study::Session;

/// Arguments of `labels import`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels import study bob.jsonl --annotator bob --sample default\n\n\
         Reads journals, JSON lines, TSV and CSV with the columns source, target and label, qrels of pairs, and the label\n\
         tables of CopyCat and Splink; which it is, the file tells.")]
pub struct Args {
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

/// Problems that are told one by one.
const TOLD: usize = 20;

pub fn import(args: &Args, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let report = session.import_labels(&args.file, &args.annotator, args.sample.as_deref())?;
    for (line, why) in report.problems.iter().take(TOLD) {
        say(&format!("{}: line {line}: {why}", args.file.display()));
    }
    if report.problems.len() > TOLD {
        say(&format!("… and {} more", report.problems.len() - TOLD));
    }
    if output.json {
        output.json(&report)?;
    } else {
        output.line(report.sentence())?;
    }
    if report.added + report.known == 0 && !report.problems.is_empty() {
        bail!("no label in {} ({} told nothing)", args.file.display(), plural(report.problems.len() as u64, "line"));
    }
    Ok(())
}
