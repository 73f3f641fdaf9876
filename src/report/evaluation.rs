//! The tables of an evaluation: quality of the configurations, their unions and overlaps.

use serde::Serialize;

use super::charts::curves::Curves;
use super::estimates::{ComparedConfigurations, Rail};
use super::numbers::{count, number_of_pairs, plural, share};
use super::result::Report;
use super::table::Table;
use dejaview_evaluation::comparison::{Pool, Quality};
use dejaview_labels::{Label, meaning_sentences};
use dejaview_study::{Evaluation, Experiments, Truth, TruthListing};

#[derive(Debug, Serialize)]
pub struct EvaluationReport<'a> {
    #[serde(flatten)]
    pub evaluation: &'a Evaluation,
    /// The counts of the pool; `pool` of the evaluation is its number of pairs alone.
    pub pool_of: Pool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experiments: Option<Experiments>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compared: Option<ComparedConfigurations>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rail: Option<Rail>,
    /// The only table that is wanted (`--table`), beside those that other options ask for.
    #[serde(skip)]
    pub only: Option<String>,
}

impl EvaluationReport<'_> {
    /// Tables that every evaluation has.
    pub fn main_tables(&self) -> Vec<Table> {
        let estimates = self.evaluation.estimates.iter().flat_map(Report::tables);
        self.evaluation.tables().into_iter().chain(estimates).collect()
    }

    /// Tables that `--compare`, `--rail` and `--experiments` ask for.
    pub fn optional_tables(&self) -> Vec<Table> {
        let compared = self.compared.iter().flat_map(Report::tables);
        let rail = self.rail.iter().flat_map(Report::tables);
        compared.chain(rail).chain(self.experiments.iter().flat_map(Report::tables)).collect()
    }
}

impl Report for EvaluationReport<'_> {
    fn tables(&self) -> Vec<Table> {
        let (mut tables, mut optional) = (self.main_tables(), self.optional_tables());
        if let Some(name) = &self.only {
            // Optional tables are wanted as well, unless --table names one of them.
            if optional.iter().any(|table| table.name == name) {
                optional.retain(|table| table.name == name);
            }
            tables.retain(|table| table.name == name);
        }
        tables.append(&mut optional);
        tables
    }

    fn curves(&self) -> Vec<Curves> {
        let tables = self.tables();
        let all = self.rail.iter().flat_map(Report::curves).chain(self.experiments.iter().flat_map(Report::curves));
        all.filter(|curves| tables.iter().any(|table| table.name == curves.table)).collect()
    }
}

/// Quality, what each configuration alone found, unions, kinds of pairs, Dice.
impl Report for Evaluation {
    fn tables(&self) -> Vec<Table> {
        let mut tables = vec![quality(self), unions(self)];
        tables.extend(kinds(self));
        tables.push(dice(self));
        tables
    }
}

fn quality(evaluation: &Evaluation) -> Table {
    let pool = evaluation.comparison.pool;
    let title = format!("Quality against {}", evaluation.truth);
    let mut head =
        vec!["configuration", "pairs", "sources", "precision", "recall", "F", "found by it alone", "of these true"];
    let differ = evaluation.rests_on_different_samples();
    head.extend(differ.then_some("by sample"));
    let mut table = Table::new("quality", title, &head).right([1, 2, 6, 7]);
    for c in &evaluation.comparison.configurations {
        let mut row = vec![
            c.name.clone(),
            count(c.pairs),
            count(c.sources_found),
            share(c.precision),
            share(c.recall),
            share(c.f1),
            count(c.only),
            number_of_pairs(c.only_true),
        ];
        row.extend(differ.then(|| c.samples.clone().unwrap_or_else(|| "–".to_owned())));
        table.row(row);
    }
    table.notes.extend(evaluation.not_comparable());
    table.notes.extend(evaluation.changed.iter().map(ToString::to_string));
    let missed = if pool.missed == 0 {
        String::new()
    } else {
        format!(", and {} true pairs that none found", count(pool.missed))
    };
    table.note(format!(
        "pool: {} pairs that any configuration found, {} of known truth, {} true{missed}",
        count(pool.pairs),
        count(pool.known),
        count(pool.positive)
    ));
    table.note(format!("recall is of {}", evaluation.recall_of));
    match evaluation.truth == Truth::Labels.to_string() {
        false => table.note(
            "intervals: 95 %, for source documents like these; the pairs of one document are alike, so documents count, not pairs",
        ),
        true => {
            let basis = |c: &Quality| c.basis.clone().unwrap_or_else(|| "all labelled pairs".to_owned());
            table
                .notes
                .extend(basis_notes(evaluation.comparison.configurations.iter().map(|c| (c.name.as_str(), basis(c)))));
        }
    }
    table.notes.extend(evaluation.unknown.iter().cloned());
    table.notes.extend(evaluation.listing.iter().flat_map(listing_notes));
    table
}

/// How the rows of a file of truth were understood.
fn listing_notes(listing: &TruthListing) -> Vec<String> {
    let rows = |n: usize| plural(n as u64, "row");
    let names = |n: usize| if n == 1 { "names" } else { "name" };
    let TruthListing { without_label, itself, not_in_study, not_known, .. } = *listing;
    let counts = [
        (without_label, format!("{} without a label", rows(without_label))),
        (
            itself,
            format!(
                "{} of a document with itself, which is no pair where the document stands on both sides, counted neither as \
                 found nor as missed",
                rows(itself)
            ),
        ),
        (
            not_in_study,
            format!(
                "{} {} documents that are not in the study, counted neither as found nor as missed",
                rows(not_in_study),
                names(not_in_study)
            ),
        ),
        (
            not_known,
            format!(
                "{} of documents that have no pair here, and may not be in the study at all, counted as missed (a run with \
                 keep = \"all\" in study.toml tells)",
                plural(not_known as u64, "true pair")
            ),
        ),
    ];
    let understood =
        meaning_sentences(&listing.understood).into_iter().map(|sentence| format!("understood as {sentence}"));
    understood.chain(counts.into_iter().filter(|(n, _)| *n > 0).map(|(_, words)| words)).collect()
}

/// Most configurations with the same basis that are listed by name.
const NAMED: usize = 4;

/// What each configuration was estimated from. Configurations with the same basis are listed together, in the order of the
/// first of them; the largest group comes last, without names, where it has more than `NAMED`.
fn basis_notes<'a>(configurations: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, basis) in configurations {
        match groups.iter_mut().find(|(known, _)| *known == basis) {
            Some((_, names)) => names.push(name),
            None => groups.push((basis, vec![name])),
        }
    }
    let largest = (0..groups.len()).max_by_key(|&g| (groups[g].1.len(), std::cmp::Reverse(g)));
    let unnamed = largest.filter(|&g| groups[g].1.len() > NAMED).map(|g| groups.remove(g));
    let sentence = |basis: &str| match basis.strip_prefix("nothing: ") {
        Some(why) => format!("no estimate: {why}"),
        None if basis.starts_with("no ") => format!("no estimate, as there is {basis}"),
        None => format!("estimated from {basis}"),
    };
    let mut lines: Vec<String> =
        groups.iter().map(|(basis, names)| format!("{}: {}", names.join(", "), sentence(basis))).collect();
    lines.extend(unnamed.map(|(basis, names)| {
        let which = if groups.is_empty() { "all" } else { "the other" };
        format!("{which} {} configurations: {}", count(names.len() as u64), sentence(&basis))
    }));
    lines
}

fn unions(evaluation: &Evaluation) -> Table {
    let title = "Unions: each time the configuration that adds most true pairs";
    if evaluation.comparison.coverage.is_empty() {
        return Table::unavailable("unions", title, evaluation.no_unions());
    }
    let mut table = Table::new("unions", title, &["configuration added", "recall", "precision"]).right([1, 2]);
    for step in &evaluation.comparison.coverage {
        table.row([step.name.clone(), format!("{:.3}", step.recall), format!("{:.3}", step.precision)]);
    }
    table.notes.extend(evaluation.beside_unions());
    if evaluation.unions_of.is_none() {
        table.note(counted_in(evaluation));
    }
    table
}

/// What shares without intervals are of.
fn counted_in(evaluation: &Evaluation) -> String {
    format!(
        "counted, not estimated: of the {} pairs that any configuration found",
        count(evaluation.comparison.pool.pairs)
    )
}

fn kinds(evaluation: &Evaluation) -> Option<Table> {
    let kinds = evaluation.kinds.as_ref()?;
    let mut head = vec!["configuration"];
    head.extend(kinds.names.iter().map(String::as_str));
    let mut table = Table::new("kinds", "Pairs found, by what they are", &head).right(1..head.len());
    let meaning = kinds.labels.iter().map(|label| label.map_or("–", Label::name).to_owned());
    table.row(std::iter::once("(counts as)".to_owned()).chain(meaning));
    let listed = kinds.listed.iter().map(|n| count(*n));
    table.row(std::iter::once("(listed)".to_owned()).chain(listed));
    for (c, found) in evaluation.comparison.names.iter().zip(&kinds.found) {
        table.row(std::iter::once(c.clone()).chain(found.iter().map(|n| count(*n))));
    }
    Some(table)
}

fn dice(evaluation: &Evaluation) -> Table {
    let names = &evaluation.comparison.names;
    let mut head = vec!["Dice"];
    head.extend(names.iter().map(String::as_str));
    let title = "How far two configurations find the same pairs: Dice, 2·common / (a + b)";
    let mut table = Table::new("dice", title, &head).right(1..head.len());
    for (name, row) in names.iter().zip(&evaluation.comparison.dice) {
        table.row(std::iter::once(name.clone()).chain(row.iter().map(|x| format!("{x:.2}"))));
    }
    table.note(counted_in(evaluation));
    table
}
