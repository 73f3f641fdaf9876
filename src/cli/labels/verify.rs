//! `dejaview labels verify`: whether every line of every journal is whole.

use std::path::PathBuf;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::cli::output::Output;
use crate::report::numbers::plural;
use crate::study::{Provenance, Session};

/// Arguments of `labels verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels verify study")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
}

pub fn verify(args: &Args, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let findings = session.verify_labels()?;
    let samples = session.check_samples()?;
    if output.json {
        output.json(&json!({ "journals": findings, "samples": samples.iter().map(as_json).collect::<Vec<_>>() }))?;
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
        for (name, provenance) in &samples {
            output.line(match provenance {
                Provenance::Same { .. } if session.sample(name)?.of_old_pairs() => {
                    format!("sample {name}: kept when the pairs changed; it stands for old pairs alone")
                }
                Provenance::Same { fewer } if fewer.is_empty() => format!("sample {name}: of the pairs there are now"),
                Provenance::Same { fewer } => {
                    let fewer: Vec<String> = fewer.iter().map(ToString::to_string).collect();
                    format!(
                        "sample {name}: of the pairs there are now; it no longer serves what has changed ({})",
                        fewer.join("; ")
                    )
                }
                Provenance::Unknown { why } => why.clone(),
                Provenance::Changed(changed) => changed.to_string(),
            })?;
        }
    }
    let damaged: usize = findings.iter().map(|finding| finding.problems.len()).sum();
    if damaged > 0 {
        bail!("{} told above", plural(damaged as u64, "problem"));
    }
    Ok(())
}

fn as_json((name, provenance): &(String, Provenance)) -> Value {
    match provenance {
        Provenance::Same { fewer } => json!({ "sample": name, "pairs": "same", "no_longer_serves": fewer }),
        Provenance::Unknown { why } => json!({ "sample": name, "pairs": "unknown", "why": why }),
        Provenance::Changed(changed) => json!({ "sample": name, "pairs": "changed", "changes": changed.changes }),
    }
}
