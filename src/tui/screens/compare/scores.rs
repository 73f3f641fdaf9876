//! The scores of the pair and the verdicts of all configurations: those that Why has computed, else those of the run.

use super::Compare;
use super::why::Why;
use crate::data::StudyData;
use dejaview_methods::measures::Scores;

/// What one configuration says of the pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict<'a> {
    pub(super) name: &'a str,
    pub(super) matches: bool,
    pub(super) distance: Option<u32>,
    /// Whether it would be another one with the runs that are switched off.
    pub(super) changed: bool,
}

/// The Jaccard over n-grams of this length.
pub(super) fn jaccard(scores: &Scores, n: usize) -> f64 {
    match n {
        1 => scores.jaccard_1,
        2 => scores.jaccard_2,
        3 => scores.jaccard_3,
        5 => scores.jaccard_5,
        _ => scores.jaccard_8,
    }
}

impl Compare {
    /// None for pairs that were imported without texts to compare, and for those that no configuration found.
    pub(super) fn scores(&self, data: &StudyData) -> Option<Scores> {
        if let Some((now, _)) = self.why.as_ref().and_then(Why::verdicts) {
            return Some(now.scores);
        }
        let row = data.table.find(&self.pane.ids.source, &self.pane.ids.target)?;
        data.table.compared(row).then(|| data.table.pair(row).scores())
    }

    /// The scores of the whole texts, where some of their runs are switched off.
    pub(super) fn original_scores(&self) -> Option<Scores> {
        let why = self.why.as_ref().filter(|why| why.switched_off() > 0)?;
        why.verdicts().map(|(_, original)| original.scores)
    }

    /// In the order of the study; none for a pair that no configuration found while Why is closed.
    pub(super) fn verdicts<'a>(&'a self, data: &'a StudyData) -> Vec<Verdict<'a>> {
        if let Some((now, original)) = self.why.as_ref().and_then(Why::verdicts) {
            let both = now.verdicts.iter().zip(&original.verdicts);
            return both
                .map(|(now, original)| Verdict {
                    name: &original.name,
                    matches: now.matches,
                    distance: now.distance,
                    changed: now.matches != original.matches,
                })
                .collect();
        }
        let Some(row) = data.table.find(&self.pane.ids.source, &self.pane.ids.target) else { return Vec::new() };
        let distances = data.table.distances(row);
        let verdict = |name: &'a String| {
            let found = distances.iter().find(|(found, _)| found == name);
            let distance = found.map(|(_, distance)| u32::from(*distance));
            Verdict { name, matches: distance.is_some(), distance, changed: false }
        };
        data.table.configurations().iter().map(verdict).collect()
    }
}
