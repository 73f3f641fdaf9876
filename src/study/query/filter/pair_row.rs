//! A row of the table of pairs, as filters look at it.

use super::facts::{Judging, PairFacts};
use super::term::{Filterable, Number, TextField, WantedText};
use crate::query::pair_table::PairTable;
use dejaview_labels::Label;

pub(super) struct PairRow<'a> {
    pub table: &'a PairTable,
    pub row: usize,
    pub facts: &'a dyn PairFacts,
}

impl Filterable for PairRow<'_> {
    /// Pairs that were imported without texts have no number that a text is needed for.
    fn number(&self, number: Number) -> Option<f64> {
        // What is asked for most needs little of the pair.
        if number == Number::Jaccard {
            return self.table.compared(self.row).then(|| self.table.jaccard(self.row));
        }
        let pair = self.table.pair(self.row);
        if number != Number::Agreement && !pair.compared() {
            return None;
        }
        let scores = || pair.scores();
        Some(match number {
            Number::Jaccard => pair.scores().jaccard(self.table.n()).unwrap_or_default(),
            Number::Jaccard1 => scores().jaccard_1,
            Number::Jaccard2 => scores().jaccard_2,
            Number::Jaccard3 => scores().jaccard_3,
            Number::Jaccard5 => scores().jaccard_5,
            Number::Jaccard8 => scores().jaccard_8,
            Number::S3 => scores().s3,
            Number::Dice => scores().dice_8,
            Number::Cosine => scores().cosine,
            Number::Containment => scores().containment_source,
            Number::Contained => scores().containment_target,
            Number::Length => scores().length_ratio,
            Number::Agreement => f64::from(self.table.agreement(self.row)),
            Number::Words => f64::from(pair.source_profile.words),
            Number::TargetWords => f64::from(pair.target_profile.words),
        })
    }

    fn is_found_by(&self, configuration: usize) -> bool {
        self.table.found_by(self.row, configuration)
    }

    fn distance(&self, configuration: usize) -> Option<u32> {
        self.table.distance_by(self.row, configuration).map(u32::from)
    }

    fn is_top(&self, configuration: Option<usize>) -> bool {
        self.table.is_top(self.row, configuration)
    }

    fn candidates(&self, configuration: Option<usize>) -> u32 {
        self.table.candidates(self.row, configuration)
    }

    fn has_same_url(&self) -> bool {
        self.table.pair(self.row).same_url
    }

    fn label(&self) -> Option<Label> {
        let (source, target) = self.table.ids(self.row);
        self.facts.label(source, target)
    }

    fn is_disputed(&self) -> bool {
        let (source, target) = self.table.ids(self.row);
        self.facts.is_disputed(source, target)
    }

    fn has_text(&self, wanted: &WantedText) -> bool {
        let (source, target) = self.table.ids(self.row);
        match wanted.field() {
            TextField::Bare | TextField::Id => wanted.holds(source) || wanted.holds(target),
            TextField::Source => wanted.holds(source),
            TextField::Target => wanted.holds(target),
            TextField::Segment => wanted.holds(self.table.segment(self.row)),
            TextField::Url => self.facts.url(&self.table.pair(self.row), wanted.value(), wanted.is_whole()),
            TextField::Track | TextField::Topic | TextField::Grade => false,
        }
    }

    /// Where both documents are of the source, a judgment of either counts.
    fn is_judged(&self, passes: &dyn Fn(Judging<'_>) -> bool) -> bool {
        self.table.pair(self.row).documents().any(|document| self.facts.judged(document, passes))
    }
}
