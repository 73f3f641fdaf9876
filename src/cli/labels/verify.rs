//! `dejaview labels verify`: whether every line of every journal is whole.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::cli::output::Output;
use crate::report::numbers::plural;
use crate::study::Session;

/// Arguments of `labels verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels verify study")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
}

pub fn verify(args: &Args, output: &mut Output) -> Result<()> {
    let findings = Session::open(&args.study)?.verify_labels()?;
    if output.json {
        output.json(&findings)?;
    } else {
        for finding in &findings {
            let (events, labels) = (plural(finding.events as u64, "event"), plural(finding.labels as u64, "label"));
            output.line(format!("{}: {events}, {labels}", finding.annotator))?;
            for line in finding.problems.iter().chain(&finding.remarks) {
                output.line(format!("  {line}"))?;
            }
        }
        if findings.is_empty() {
            output.line("no journal yet")?;
        }
    }
    let damaged: usize = findings.iter().map(|finding| finding.problems.len()).sum();
    if damaged > 0 {
        bail!("{} told above", plural(damaged as u64, "problem"));
    }
    Ok(())
}
