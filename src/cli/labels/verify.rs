//! `dejaview labels verify`: whether every line of every journal is whole.

use std::path::PathBuf;

use anyhow::{Result, bail};
use serde_json::{Value, json};

use crate::output::Output;
use dejaview_report::numbers::plural;
use dejaview_study::{Provenance, Snapshot};

/// Arguments of `labels verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels verify study")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
}

pub fn verify(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    let findings = dejaview_study::verify_labels(&study)?;
    let samples = dejaview_study::check_samples(&study)?;
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
            output.line(provenance.sentence(&dejaview_study::drawn_sample(&study, name)?))?;
        }
    }
    let damaged: usize = findings.iter().map(|finding| finding.problems.len()).sum();
    if damaged > 0 {
        bail!("{} told above", plural(damaged as u64, "problem"));
    }
    Ok(())
}

fn as_json((name, provenance): &(String, Provenance)) -> Value {
    let mut value = json!({ "sample": name, "pairs": provenance.kind() });
    match provenance {
        Provenance::Same { fewer } => value["no_longer_serves"] = json!(fewer),
        Provenance::Unknown { why } => value["why"] = json!(why),
        Provenance::Changed(changed) => value["changes"] = json!(changed.changes),
    }
    value
}
