//! A row of the table of pairs, as filters look at it.

use super::facts::{Judging, PairFacts};
use super::term::{Filterable, Number, TextField, WantedText};
use crate::query::pair_table::PairTable;
use dejaview_labels::Label;
use dejaview_methods::Side;
use dejaview_methods::measures::Counts;

pub(super) struct PairRow<'a> {
    pub table: &'a PairTable,
    pub row: usize,
    pub facts: &'a dyn PairFacts,
}

impl Filterable for PairRow<'_> {
    /// Pairs that were imported without texts have no number that a text is needed for. What is asked for most needs little of
    /// the pair.
    fn number(&self, number: Number) -> Option<f64> {
        let counts = || self.table.counts_of_texts(self.row);
        let jaccard = |n: usize| self.table.jaccard_of_texts(self.row, n);
        match number {
            Number::Jaccard => self.table.shown_jaccard(self.row),
            Number::Jaccard1 => jaccard(1),
            Number::Jaccard2 => jaccard(2),
            Number::Jaccard3 => jaccard(3),
            Number::Jaccard5 => jaccard(5),
            Number::Jaccard8 => jaccard(8),
            Number::S3 => counts().map(|counts| counts.s3()),
            Number::Dice => counts().map(|counts| counts.dice_8()),
            Number::Cosine => counts().map(|counts| counts.cosine()),
            Number::Containment => counts().map(|counts| counts.containment(Side::Source)),
            Number::Contained => counts().map(|counts| counts.containment(Side::Target)),
            Number::Length => counts().map(|counts| counts.length_ratio()),
            Number::Agreement => Some(f64::from(self.table.agreement(self.row))),
            Number::Words => counts().map(|counts| f64::from(counts.words(Side::Source))),
            Number::TargetWords => counts().map(|counts| f64::from(counts.words(Side::Target))),
        }
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
