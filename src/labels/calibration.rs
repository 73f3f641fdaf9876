//! The calibration deck: pairs of the sample study with the answer that its guidelines give, and why.
//!
//! Ten pairs, `assets/calibration.jsonl`, with their texts, so that every study has them. They are tried before the first
//! batch; nothing of it enters the evaluation set.

use std::sync::LazyLock;

use serde::Deserialize;

use super::Label;

/// A pair whose answer is known.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CalibrationPair {
    /// Id of the source document in the sample study.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    pub label: Label,
    /// Why it is that.
    pub rationale: String,
    /// Canonical text of the source document.
    pub source_text: String,
    /// Canonical text of the target document.
    pub target_text: String,
}

/// The deck, in its order.
pub fn calibration_deck() -> &'static [CalibrationPair] {
    static DECK: LazyLock<Vec<CalibrationPair>> = LazyLock::new(|| {
        let lines = include_str!("../../assets/calibration.jsonl").lines();
        lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
    });
    &DECK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_pairs_of_both_kinds_with_a_reason_each() {
        let deck = calibration_deck();
        assert_eq!(deck.len(), 10, "a line that cannot be read is left out");
        let near = deck.iter().filter(|gold| gold.label == Label::NearDuplicate).count();
        assert_eq!(near, 5);
        assert!(deck.iter().all(|gold| gold.rationale.len() > 30 && gold.source_text != gold.rationale));
    }

    /// The answers are those of the sample study's truth.
    #[test]
    fn the_answers_agree_with_the_truth_of_the_sample_study() {
        let truth = include_str!("../../sample-corpus/truth.tsv");
        for gold in calibration_deck() {
            let line = format!("{}\t{}\t", gold.source, gold.target);
            let relation = truth.lines().find_map(|row| row.strip_prefix(&line)).unwrap();
            let near = ["exact-copy", "moved", "date-changed", "boilerplate-changed", "light-edit"].contains(&relation);
            assert_eq!(gold.label == Label::NearDuplicate, near, "{line}{relation}");
        }
    }
}
