//! What filters ask about a pair that the pair table does not know: labels, judgments, URLs.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::StudyData;
use super::other_labels::VisibleLabel;
use super::topic::topic_number;
use dejaview_index::{Index, IndexError, KeptSide};
use dejaview_labels::{Decisions, Label};
use dejaview_matching::pairs::Pair;
use dejaview_study::{Filter, Judging, PairFacts, Sort, StudyError};

#[derive(Debug)]
pub struct FilterFacts {
    data: Arc<StudyData>,
    /// By row; none where nobody asks for labels.
    labels: Vec<Option<Label>>,
    /// Rows of pairs on which annotators differ, as far as the person may know.
    disputed: HashSet<usize>,
    /// For each text that the filter looks for in URLs, the ids of the source and of the target whose URL contains it.
    ids_by_url: HashMap<String, [HashSet<String>; 2]>,
}

impl FilterFacts {
    /// Opens the kept texts only if the filter asks about URLs, and looks labels up only if the filter or the order depends on
    /// them.
    pub fn new(data: Arc<StudyData>, decisions: &Decisions, filter: &Filter, sort: Sort) -> Result<Self, StudyError> {
        let mut labels = Vec::new();
        if filter.asks_labels() || sort == Sort::Label {
            let known = data.labels();
            labels.resize(data.table.len(), None);
            let visible = known.others.visible(decisions).into_iter();
            let rows = visible.filter_map(|(s, t, label)| Some((data.table.find(s, t)?, label)));
            rows.for_each(|(row, label)| labels[row] = Some(label));
        }
        let disputed = if filter.asks_disputed() { disputed_pairs(&data, decisions)? } else { HashSet::new() };
        let url_parts = filter.urls();
        let mut ids_by_url = HashMap::new();
        if !url_parts.is_empty() {
            let index = data.study.index()?;
            for part in url_parts {
                ids_by_url.insert(part.to_owned(), ids_with_url(index, part)?);
            }
        }
        Ok(Self { data, labels, disputed, ids_by_url })
    }
}

/// Who labels blind learns of a disagreement on a pair of a sample only after deciding it.
fn disputed_pairs(data: &StudyData, own: &Decisions) -> Result<HashSet<usize>, StudyError> {
    let journals = dejaview_study::read_journals(&data.study)?;
    let labels = data.labels();
    let may_know = |source: &str, target: &str| {
        own.label(source, target, None).is_some()
            || labels.others.label_of(own, source, target) == Some(VisibleLabel::Disputed)
    };
    let disputed = journals
        .pairs(None)
        .into_iter()
        .filter(|(source, target)| may_know(source, target) && journals.standing(source, target).is_disputed());
    Ok(disputed.filter_map(|(source, target)| data.table.find(source, target)).collect())
}

fn ids_with_url(index: &Index, part: &str) -> Result<[HashSet<String>; 2], IndexError> {
    let ids = |side| Ok(index.ids_with_url(part, side)?.into_iter().collect());
    Ok([ids(KeptSide::Source)?, ids(KeptSide::Target)?])
}

impl PairFacts for FilterFacts {
    fn label(&self, row: usize) -> Option<Label> {
        self.labels.get(row).copied().flatten()
    }

    fn is_disputed(&self, row: usize) -> bool {
        self.disputed.contains(&row)
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
