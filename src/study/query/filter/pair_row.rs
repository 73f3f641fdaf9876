//! A row of the table of pairs, as filters look at it.

use super::facts::{Judging, PairFacts};
use super::term::{Filterable, Number, TextField, WantedText};
use crate::query::pair_table::PairTable;
use dejaview_labels::Label;
use dejaview_matching::pairs::RowCounts;
use dejaview_methods::Side;
use dejaview_methods::measures::{Counts, place_of};

/// What filters ask of the numbers of some rows, found together.
pub(super) struct RowNumbers(Vec<(Number, Vec<Option<f64>>)>);

impl RowNumbers {
    pub(super) fn new(table: &PairTable, rows: &[u32], asked: &[Number]) -> Self {
        let found = asked.iter().map(|number| {
            let mut found = Vec::with_capacity(rows.len());
            match number {
                Number::Agreement => {
                    found.extend(rows.iter().map(|row| Some(f64::from(table.agreement(*row as usize)))));
                }
                _ => table.each_counts(rows, |counts| number_of(counts, *number, table.n()), &mut found),
            }
            (*number, found)
        });
        Self(found.collect())
    }

    /// The number of the row at a place among them.
    fn at(&self, number: Number, at: usize) -> Option<f64> {
        self.0.iter().find(|(asked, _)| *asked == number)?.1[at]
    }
}

/// Pairs that were imported without texts have no number that a text is needed for.
fn number_of(counts: RowCounts<'_>, number: Number, headline: usize) -> Option<f64> {
    let jaccard = |n: usize| place_of(n).map(|place| counts.jaccard(place));
    if !counts.compared() {
        return None;
    }
    match number {
        Number::Jaccard => jaccard(headline),
        Number::Jaccard1 => jaccard(1),
        Number::Jaccard2 => jaccard(2),
        Number::Jaccard3 => jaccard(3),
        Number::Jaccard5 => jaccard(5),
        Number::Jaccard8 => jaccard(8),
        Number::S3 => Some(counts.s3()),
        Number::Dice => Some(counts.dice_8()),
        Number::Cosine => Some(counts.cosine()),
        Number::Containment => Some(counts.containment(Side::Source)),
        Number::Contained => Some(counts.containment(Side::Target)),
        Number::Length => Some(counts.length_ratio()),
        Number::Words => Some(f64::from(counts.words(Side::Source))),
        Number::TargetWords => Some(f64::from(counts.words(Side::Target))),
        // The table has it, not the file.
        Number::Agreement => None,
    }
}

pub(super) struct PairRow<'a> {
    pub table: &'a PairTable,
    pub row: usize,
    pub facts: &'a dyn PairFacts,
    /// What is asked of the numbers of this and other rows, and its place among them.
    pub numbers: &'a RowNumbers,
    pub at: usize,
}

impl Filterable for PairRow<'_> {
    fn number(&self, number: Number) -> Option<f64> {
        self.numbers.at(number, self.at)
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
        self.facts.label(self.row)
    }

    fn is_disputed(&self) -> bool {
        self.facts.is_disputed(self.row)
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
