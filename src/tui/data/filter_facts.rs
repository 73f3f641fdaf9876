//! What filters ask about a pair that the pair table does not know: labels, judgments, URLs.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::StudyData;
use super::topic::topic_number;
use dejaview_index::{Index, IndexError, KeptSide};
use dejaview_labels::{Decisions, Label};
use dejaview_matching::pairs::Pair;
use dejaview_study::{Beside, Filter, Judging, StudyError};

/// Labels by source, then target.
type Labels = HashMap<String, HashMap<String, Label>>;

#[derive(Debug)]
pub struct FilterFacts {
    data: Arc<StudyData>,
    labels: Labels,
    /// For each text that the filter looks for in URLs, the ids of the source and of the target whose URL contains it.
    ids_by_url: HashMap<String, [HashSet<String>; 2]>,
}

impl FilterFacts {
    /// Opens the kept texts only if the filter asks about URLs.
    pub fn new(data: Arc<StudyData>, decisions: &Decisions, filter: &Filter) -> Result<Self, StudyError> {
        let mut labels = Labels::new();
        for (source, target, label) in data.other_labels.visible(decisions) {
            labels.entry(source.to_owned()).or_default().insert(target.to_owned(), label);
        }
        let url_parts = filter.urls();
        let mut ids_by_url = HashMap::new();
        if !url_parts.is_empty() {
            let index = data.study.index()?;
            for part in url_parts {
                ids_by_url.insert(part.to_owned(), ids_with_url(index, part)?);
            }
        }
        Ok(Self { data, labels, ids_by_url })
    }
}

fn ids_with_url(index: &Index, part: &str) -> Result<[HashSet<String>; 2], IndexError> {
    let ids = |side| Ok(index.ids_with_url(part, side)?.into_iter().collect());
    Ok([ids(KeptSide::Source)?, ids(KeptSide::Target)?])
}

impl Beside for FilterFacts {
    fn label(&self, source: &str, target: &str) -> Option<Label> {
        self.labels.get(source)?.get(target).copied()
    }

    fn judged(&self, source: &str, passes: &dyn Fn(Judging<'_>) -> bool) -> bool {
        let Some(judgments) = &self.data.judgments else { return false };
        let Some(document) = judgments.document(source) else { return false };
        judgments.of_document(document).iter().any(|row| {
            passes(Judging {
                track: &judgments.tracks()[row.track as usize],
                topic: &topic_number(&judgments.topics()[row.topic as usize]),
                grade: &judgments.grades()[row.grade as usize],
            })
        })
    }

    fn url(&self, pair: &Pair<'_>, part: &str, _whole: bool) -> bool {
        self.ids_by_url
            .get(part)
            .is_some_and(|[sources, targets]| sources.contains(pair.source) || targets.contains(pair.target))
    }
}
