//! `dejaview labels verify`: whether every line of every journal is whole.

use anyhow::{Result, bail};

use super::args::Verify;
use crate::cli::output::Output;
use crate::report::numbers::plural;
use crate::study::Session;

pub fn verify(args: &Verify, output: &mut Output) -> Result<()> {
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
