//! What a line of the samples on Home says.

use crate::sample_status::SampleStatus;
use dejaview_report::numbers::count;

/// One line of the samples: an annotator's progress, or what is wrong with the sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SampleRow {
    /// Empty below the first line of a sample.
    pub name: String,
    pub annotator: String,
    pub done: u64,
    pub total: u64,
    /// `64/100`.
    pub numbers: String,
    pub note: String,
    pub warning: Option<String>,
    pub opens: bool,
}

impl SampleRow {
    pub fn of_sample(status: &SampleStatus, person: &str) -> Vec<Self> {
        let row = |(number, (annotator, done)): (usize, (String, usize))| {
            let total = status.share(&annotator);
            let note = match &status.time_left {
                _ if status.kept => "earlier pairs only".to_owned(),
                _ if done >= total => "finished".to_owned(),
                Some(time) if annotator == person => format!("{time} left"),
                _ => String::new(),
            };
            Self {
                name: if number == 0 { status.name.clone() } else { String::new() },
                annotator,
                done: done.min(total) as u64,
                total: total as u64,
                numbers: format!("{}/{}", count(done as u64), count(total as u64)),
                note,
                warning: None,
                opens: status.opens,
            }
        };
        let mut rows: Vec<Self> = status.annotators(person).into_iter().enumerate().map(row).collect();
        if let (Some(changed), Some(first)) = (&status.changed, rows.first().cloned()) {
            let warning = Some(format!("! of other pairs ({changed}): `dejaview sample` with --redraw or --keep"));
            rows = vec![Self { warning, ..first }];
        }
        rows
    }
}
