//! `dejaview explain`: why a pair matches or not.

use std::path::PathBuf;

use anyhow::Result;

use super::open_study::OpenStudy;
use super::output::Output;
use super::values::id;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview explain study clueweb09-en0000-00-00000 clueweb12-0000tw-00-00000 --configuration simhash-3+5"
)]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Id of the source document
    #[arg(value_parser = id)]
    pub source: String,
    /// Id of the target document
    #[arg(value_parser = id)]
    pub target: String,
    /// Only this configuration
    #[arg(long, value_name = "NAME")]
    pub configuration: Option<String>,
}

pub fn explain(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let verdict = dejaview_study::explain(&study, &args.source, &args.target, args.configuration.as_deref())?;
    study.report(output, &verdict)
}
