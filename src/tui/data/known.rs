//! What filters ask beside the table of pairs: labels, judgments, URLs.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::StudyData;
use super::topic::number;
use dejaview_index::{Index, IndexError, KeptSide};
use dejaview_labels::{Decisions, Label};
use dejaview_matching::pairs::Pair;
use dejaview_study::{Beside, Filter, Judging, StudyError};

/// Labels by source, then target.
type Labels = HashMap<String, HashMap<String, Label>>;

/// What is known when a filter is applied.
#[derive(Debug)]
pub struct Known {
    data: Arc<StudyData>,
    labels: Labels,
    /// For each text looked for, the ids whose URL has it: of the source, of the target.
    urls: HashMap<String, [HashSet<String>; 2]>,
}

impl Known {
    /// Of a study, its labels and the URLs that a filter asks about; the kept texts are opened only for these.
    pub fn new(data: Arc<StudyData>, decisions: &Decisions, filter: &Filter) -> Result<Self, StudyError> {
        let mut labels = Labels::new();
        for (source, target, label) in data.others.all(decisions) {
            labels.entry(source.to_owned()).or_default().insert(target.to_owned(), label);
        }
        let asked = filter.urls();
        let mut urls = HashMap::new();
        if !asked.is_empty() {
            let index = data.study.index()?;
            for part in asked {
                urls.insert(part.to_owned(), found(index, part)?);
            }
        }
        Ok(Self { data, labels, urls })
    }
}

/// Ids of both sides whose URL has a text in it.
fn found(index: &Index, part: &str) -> Result<[HashSet<String>; 2], IndexError> {
    let ids = |side| Ok(index.ids_with_url(part, side)?.into_iter().collect());
    Ok([ids(KeptSide::Source)?, ids(KeptSide::Target)?])
}

impl Beside for Known {
    fn label(&self, source: &str, target: &str) -> Option<Label> {
        self.labels.get(source)?.get(target).copied()
    }

    fn judged(&self, source: &str, passes: &dyn Fn(Judging<'_>) -> bool) -> bool {
        let Some(judgments) = &self.data.judgments else { return false };
        let Some(document) = judgments.document(source) else { return false };
        judgments.of_document(document).iter().any(|row| {
            passes(Judging {
                track: &judgments.tracks()[row.track as usize],
                topic: &number(&judgments.topics()[row.topic as usize]),
                grade: &judgments.grades()[row.grade as usize],
            })
        })
    }

    fn url(&self, pair: &Pair<'_>, part: &str, _whole: bool) -> bool {
        self.urls
            .get(part)
            .is_some_and(|[sources, targets]| sources.contains(pair.source) || targets.contains(pair.target))
    }
}
