//! `dejaview label`: the explorer on the first undecided pair of a sample.

use std::path::PathBuf;

use anyhow::Result;

use super::args::Look;
use super::explorer::explore;
use super::next::{Explore, First};
use dejaview_study::Session;

/// Arguments of `label`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview label study --annotator ada")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Name of the sample; otherwise the newest, and in a study without any `default` is drawn
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
    /// Begin with ten pairs whose answer is known; nothing of it is recorded
    #[arg(long)]
    pub calibrate: bool,
    /// How the explorer looks
    #[command(flatten)]
    pub look: Look,
}

pub fn label(args: &Args) -> Result<Explore> {
    Ok(explore(Session::open(&args.study)?, &args.look, first(args)))
}

fn first(args: &Args) -> First {
    let sample = args.sample.clone();
    if args.calibrate { First::Calibrate(sample) } else { First::Sample(sample) }
}
