//! `dejaview labels export`: labels for other tools.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::choice::choice;
use crate::open_study::OpenStudy;
use crate::output::{Output, say};
use dejaview_report::numbers::plural;
use dejaview_study::{LabelExport, LabelFormat, Outputs};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels export study --sample default --format splink -o labels.csv")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// In what form; --json is the same as jsonl
    #[arg(long, value_parser = choice::<LabelFormat>(), default_value = "tsv")]
    pub format: LabelFormat,
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
    /// Replace files that are there already; files of the study are never replaced
    #[arg(long)]
    pub force: bool,
}

pub fn export(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let format = if output.json { LabelFormat::Jsonl } else { args.format };
    if args.texts && !format.names_annotators() {
        bail!("texts go with --format tsv or jsonl only");
    }
    let mut file = match &args.output {
        Some(path) => {
            let file = Outputs::new(Some(study.session()), "labels export", args.force).create(path)?;
            Some(Output::to_file(file, output.json))
        }
        None => None,
    };
    let mut failure = None;
    let out = file.as_mut().unwrap_or(output);
    let export =
        LabelExport { format, annotator: args.annotator.as_deref(), sample: args.sample.as_deref(), texts: args.texts };
    let disputed = dejaview_study::export_labels(&study, export, &mut |line| match out.line(line) {
        Ok(()) => true,
        Err(error) => {
            failure = Some(error);
            false
        }
    })?;
    if disputed > 0 {
        say(&format!(
            "{} left out as disputed: annotators, or adjudicators, differ; Review in the explorer settles such pairs",
            plural(disputed as u64, "pair")
        ));
    }
    failure.map_or(Ok(()), Err)?;
    file.map_or(Ok(()), Output::finish)
}
