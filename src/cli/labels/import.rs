//! `dejaview labels import`: labels of other tools and other people.

use anyhow::{Result, bail};

use super::args::Import;
use crate::cli::output::{Output, say};
use crate::report::numbers::plural;
use crate::study::Session;

/// Problems that are told one by one.
const TOLD: usize = 20;

pub fn import(args: &Import, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let report = session.import_labels(&args.file, &args.annotator, args.sample.as_deref())?;
    for (line, why) in report.problems.iter().take(TOLD) {
        say(&format!("{}: line {line}: {why}", args.file.display()));
    }
    if report.problems.len() > TOLD {
        say(&format!("… and {} more", report.problems.len() - TOLD));
    }
    if output.json {
        output.json(&report)?;
    } else {
        output.line(report.sentence())?;
    }
    if report.added + report.known == 0 && !report.problems.is_empty() {
        bail!("no label in {} ({} told nothing)", args.file.display(), plural(report.problems.len() as u64, "line"));
    }
    Ok(())
}
