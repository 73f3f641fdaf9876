//! `dejaview labels paragraph`: the text for the paper.

use std::path::PathBuf;

use anyhow::Result;

use crate::args::UnsureAs;
use crate::evaluate::unsure;
use crate::output::{Output, say};
use dejaview_study::Snapshot;

/// Arguments of `labels paragraph`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels paragraph study --sample default --unsure out")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// The sample it is about; of several with labels the one with the most by default
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
    /// How unsure labels count
    #[arg(long, value_enum, default_value_t = UnsureAs::Out)]
    pub unsure: UnsureAs,
}

pub fn paragraph(args: &Args, output: &mut Output) -> Result<()> {
    let paragraph =
        dejaview_study::paragraph(&Snapshot::open(&args.study)?, args.sample.as_deref(), unsure(args.unsure))?;
    if args.sample.is_none() && !paragraph.others.is_empty() {
        let others = paragraph.others.join(", ");
        say(&format!("about sample {}, which has the most labels; --sample names another: {others}", paragraph.sample));
    }
    if output.json { output.json(&paragraph) } else { output.line(&paragraph.text) }
}
