//! `dejaview sketches`: what each document was reduced to.

use std::path::PathBuf;

use anyhow::Result;

use super::output::Output;
use super::work::thread_count;
use dejaview_report::documents::SketchRow;
use dejaview_study::Snapshot;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview sketches study --configuration simhash-3+5 > sketches.tsv")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// The configuration
    #[arg(long, value_name = "NAME")]
    pub configuration: String,
}

pub fn sketches(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    output.header::<SketchRow<'_>>()?;
    let mut result = Ok(());
    dejaview_study::sketches(&study, &args.configuration, thread_count(None), &mut |side, id, sketch| {
        result = output.record(&SketchRow { side: side.name(), id, sketch });
        result.is_ok()
    })?;
    result
}
