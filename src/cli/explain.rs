//! `dejaview explain`: why a pair matches or not.

use std::path::PathBuf;

use anyhow::Result;

use super::output::Output;
use dejaview_study::{Snapshot, Verdict};

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: dejaview explain study clueweb09-en0000-00-00000 clueweb12-0000tw-00-00000 --configuration simhash-3+5"
)]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Id of the source document
    pub source: String,
    /// Id of the target document
    pub target: String,
    /// Only this configuration
    #[arg(long, value_name = "NAME")]
    pub configuration: Option<String>,
}

pub fn explain(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    let verdict = dejaview_study::explain(&study, &args.source, &args.target, args.configuration.as_deref())?;
    print(&verdict, output)
}

/// Prints scores and trees, or the JSON of both.
pub fn print(verdict: &Verdict, output: &mut Output) -> Result<()> {
    if output.json {
        return output.json(verdict);
    }
    output.line(format!("source  {}", verdict.source))?;
    output.line(format!("target  {}", verdict.target))?;
    output.line("")?;
    let scores = serde_json::to_value(verdict.scores)?;
    for (name, score) in scores.as_object().into_iter().flatten() {
        let score = score.as_f64().map_or("too long to say".to_owned(), |score| format!("{score:.6}"));
        output.line(format!("  {name:<20}{score}"))?;
    }
    for configuration in &verdict.configurations {
        output.line("")?;
        let mut lines = configuration.tree.lines().into_iter();
        output.line(format!("{}: {}", configuration.name, lines.next().unwrap_or_default()))?;
        for line in lines {
            output.line(line)?;
        }
    }
    Ok(())
}
