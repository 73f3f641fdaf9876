//! `dejaview labels verify`: whether every line of every journal is intact, and every sample of the current pairs.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::output::Output;
use dejaview_report::labels::{CheckedSample, VerifyReport};
use dejaview_report::numbers::plural;
use dejaview_study::{LostFiles, Snapshot};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview labels verify study")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
}

pub fn verify(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    let journals = dejaview_study::verify_labels(&study)?;
    let mut samples = Vec::new();
    for (name, provenance) in dejaview_study::check_samples(&study)? {
        let sentence = provenance.sentence(&dejaview_study::drawn_sample(&study, &name)?);
        samples.push(CheckedSample { name, provenance, sentence });
    }
    let LostFiles { removed, changed_roles, samples: lost_samples } = dejaview_study::lost_files(&study)?;
    let not_read = dejaview_study::files_beside_journals(&study)?;
    let stale = study.all_stale_segments();
    let changed_segments = stale.outdated().or_else(|| stale.changed());
    let report = VerifyReport { journals, removed, changed_roles, not_read, samples, lost_samples, changed_segments };
    output.report(&report)?;
    let damaged = report.removed.len() + report.journals.iter().map(|journal| journal.damaged).sum::<usize>();
    if damaged > 0 {
        bail!("{} told above that cost labels", plural(damaged as u64, "problem"));
    }
    dejaview_study::must_read_samples(&study)?;
    Ok(())
}
