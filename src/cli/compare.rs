//! `dejaview compare`: two files, no study needed.

use std::path::PathBuf;

use anyhow::Result;

use super::output::Output;
use dejaview_study::explain_files;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview compare --plain old.html new.html")]
pub struct Args {
    /// A file: HTML, text, or the first document of an archive
    pub a: PathBuf,
    /// Another
    pub b: PathBuf,
    /// Print all similarities and the answer of every method
    #[arg(long)]
    pub plain: bool,
}

pub fn compare(args: &Args, output: &mut Output) -> Result<()> {
    output.report(&explain_files(&args.a, &args.b)?)
}
