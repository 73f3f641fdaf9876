//! Reads from all journals what is to be settled.

use dejaview_evaluation::agreement::Agreement;
use dejaview_index::KeptSide;
use dejaview_labels::Review;
use dejaview_report::numbers::plural;
use dejaview_study::{AgreementOn, Snapshot, StudyError};

#[derive(Debug)]
pub struct ReviewData {
    pub review: Review,
    /// Of the source and the target of each case.
    pub titles: Vec<[String; 2]>,
    /// Or why it cannot be computed.
    pub agreement: Result<Agreement, String>,
    /// For each labelled sample: the interval of its precision, and how many more labels would narrow it.
    pub labels_needed: Vec<String>,
}

impl ReviewData {
    pub(super) fn read(study: &Snapshot) -> Result<Self, StudyError> {
        let review = dejaview_study::review(study)?;
        let agreement = dejaview_study::agreement(study, AgreementOn::MostShared).map_err(|error| match error {
            StudyError::Changed(changed) => changed.short(),
            other => other.to_string(),
        });
        let title = |side, id: &str| study.titles().shown(side, id).text().to_owned();
        let titles = review
            .cases
            .iter()
            .map(|case| [title(KeptSide::Source, &case.source), title(KeptSide::Target, &case.target)]);
        Ok(Self {
            titles: titles.collect(),
            review,
            agreement,
            labels_needed: labels_needed(study).unwrap_or_default(),
        })
    }
}

fn labels_needed(study: &Snapshot) -> Result<Vec<String>, StudyError> {
    let mut all = Vec::new();
    for sample in dejaview_study::sample_progress(study)?.iter().filter(|sample| !sample.decided.is_empty()) {
        if let Some(changed) = &sample.changed {
            all.push(changed.short());
        } else if let Some((name, plan)) = dejaview_study::labels_to_go(study, &sample.name)? {
            let (now, wanted) = (100.0 * plan.now, 100.0 * plan.wanted);
            let more = match (&plan.alone, plan.total()) {
                (Some(alone), _) => {
                    format!("{} of a sample of it alone usually make it ±{wanted:.1}", plural(alone.labels, "label"))
                }
                (None, 0) if plan.now > plan.wanted => "no pair is left to label".to_owned(),
                (None, 0) => "that is enough".to_owned(),
                (None, more) => format!("{} usually make it ±{wanted:.1}", plural(more, "more label")),
            };
            all.push(format!("Least sure in {}: precision of {name}, ±{now:.1} points; {more}", sample.name));
        }
    }
    Ok(all)
}
