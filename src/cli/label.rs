//! `dejaview label`: the explorer on the first undecided pair of a sample.

use std::path::PathBuf;

use anyhow::Result;

use super::explorer::{ExplorerOptions, explore};
use super::next::{Explore, StartAt};
use dejaview_study::Session;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview label study --annotator ada")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Name of the sample; otherwise the only one, and where there are several a dialog asks which. In a study
    /// without any, a dialog asks how to draw one
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
    /// Begin with ten pairs whose answer is known; nothing of it is recorded
    #[arg(long)]
    pub calibrate: bool,
    #[command(flatten)]
    pub explorer: ExplorerOptions,
}

pub fn label(args: &Args) -> Result<Explore> {
    let sample = args.sample.clone();
    let start = if args.calibrate { StartAt::Calibration(sample) } else { StartAt::Sample(sample) };
    explore(Session::open(&args.study)?, &args.explorer, start)
}
