//! `dejaview sketches`: what each document was reduced to.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;

use super::output::Output;
use super::run::threads;
use dejaview_study::Snapshot;

/// Arguments of `sketches`.
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
    if !output.json {
        output.line("side\tid\tsketch")?;
    }
    let mut result = Ok(());
    dejaview_study::sketches(&study, &args.configuration, threads(None), &mut |side, id, sketch| {
        result = if output.json {
            output.json(&json!({ "side": side.name(), "id": id, "sketch": sketch }))
        } else {
            output.line(format!("{}\t{id}\t{sketch}", side.name()))
        };
        result.is_ok()
    })?;
    result
}
