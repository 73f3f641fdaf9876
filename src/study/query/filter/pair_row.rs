//! A row of the table of pairs, as filters look at it.

use super::facts::{Judging, PairFacts};
use super::term::{Filterable, Number, Term, TextField, WantedText};
use crate::query::pair_table::PairTable;
use dejaview_labels::Label;
use dejaview_matching::pairs::RowCounts;
use dejaview_methods::Side;
use dejaview_methods::measures::{Counts, place_of};

/// Those of some rows for which a term holds. Numbers are compared of all together.
pub(super) fn holding(term: &Term, table: &PairTable, mut rows: Vec<u32>, facts: &dyn PairFacts) -> Vec<u32> {
    let Term::Number { number, comparison, value } = term else {
        rows.retain(|row| term.holds(&PairRow { table, row: *row as usize, facts }));
        return rows;
    };
    let numbers = numbers(table, &rows, *number);
    let mut held = 0;
    for (at, found) in numbers.into_iter().enumerate() {
        rows[held] = rows[at];
        held += usize::from(found.is_some_and(|found| comparison.holds(found, *value)));
    }
    rows.truncate(held);
    rows
}

fn numbers(table: &PairTable, rows: &[u32], number: Number) -> Vec<Option<f64>> {
    let mut found = Vec::with_capacity(rows.len());
    match number {
        Number::Agreement => found.extend(rows.iter().map(|row| Some(f64::from(table.agreement(*row as usize))))),
        _ => table.each_counts(rows, |counts| number_of(counts, number, table.n()), &mut found),
    }
    found
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

struct PairRow<'a> {
    table: &'a PairTable,
    row: usize,
    facts: &'a dyn PairFacts,
}

impl Filterable for PairRow<'_> {
    fn number(&self, number: Number) -> Option<f64> {
        numbers(self.table, &[self.row as u32], number).pop().flatten()
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
