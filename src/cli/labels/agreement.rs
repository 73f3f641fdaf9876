//! `dejaview labels agreement`: how far annotators agree.

use std::path::PathBuf;

use anyhow::Result;

use crate::cli::args::TableFormat;
use crate::cli::evaluate::print;
use crate::cli::output::Output;
use crate::report::agreement;
use crate::study::Session;

/// Arguments of `labels agreement`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels agreement study --sample default")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Only labels given in this sample, by its strata and weights; without it all labels, each counting once
    #[arg(long, value_name = "NAME")]
    pub sample: Option<String>,
}

pub fn agreement(args: &Args, output: &mut Output) -> Result<()> {
    let found = Session::open(&args.study)?.agreement(args.sample.as_deref())?;
    if output.json {
        return output.json(&found);
    }
    print(&agreement::tables(&found), None, TableFormat::Text, output)
}
