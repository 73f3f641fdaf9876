//! What the labels of a sample say, beside what is known of the pairs that it stands for.

use crate::StudyError;
use crate::snapshot::Snapshot;
use dejaview_base::random::Bootstrap;
use dejaview_evaluation::estimates::{Estimates, Frame, Units, Unsure};
use dejaview_evaluation::sample::Sample;

/// What the labels of a sample say. Where it drew documents or pages, how many pairs configurations found is read from the
/// pairs of the study, as long as it was drawn from these.
pub(crate) fn estimates_of(
    study: &Snapshot,
    sample: &Sample,
    frame: &Frame,
    unsure: Unsure,
) -> Result<Estimates, StudyError> {
    let estimates = Estimates::new(sample, frame, unsure, &Bootstrap::default());
    let counts_pairs = matches!(frame.units, Units::Pairs | Units::Weighted);
    if counts_pairs || !sample.drawn_here() || sample.of_old_pairs() {
        return Ok(estimates);
    }
    let table = match study.table() {
        Err(StudyError::NotRun { .. }) => return Ok(estimates),
        table => table?,
    };
    let place = |name: &str| table.configurations().iter().position(|known| known == name);
    Ok(estimates.with_pairs(|name| Some(table.counts()[place(name)?].0)))
}
