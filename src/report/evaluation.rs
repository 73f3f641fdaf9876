//! The tables of an evaluation: quality of the configurations, their unions and overlaps, and the papers' experiments.

use serde::Serialize;

use super::estimates::{ComparedConfigurations, Rail};
use super::numbers::{count, plural, share};
use super::result::Report;
use super::table::Table;
use dejaview_base::interval::Interval;
use dejaview_evaluation::comparison::{Pool, Quality};
use dejaview_labels::{Label, meaning_sentences};
use dejaview_study::{Evaluation, Experiments, SimHashRow, Truth, TruthListing};

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

/// A number of true pairs: counted, or estimated with its interval.
fn true_pairs(number: Option<Interval>) -> String {
    let whole = |x: f64| count(x.round() as u64);
    match number {
        None => "–".to_owned(),
        Some(i) if i.low == i.high => whole(i.value),
        Some(i) => format!("{} ({}–{})", whole(i.value), whole(i.low), whole(i.high)),
    }
}

fn quality(evaluation: &Evaluation) -> Table {
    let pool = evaluation.comparison.pool;
    let title = format!("Quality against {}", evaluation.truth);
    let head = ["configuration", "pairs", "sources", "precision", "recall", "F", "found by it alone", "of these true"];
    let mut table = Table::new("quality", title, &head).right([1, 2, 6, 7]);
    for c in &evaluation.comparison.configurations {
        table.row([
            c.name.clone(),
            count(c.pairs),
            count(c.sources_found),
            share(c.precision),
            share(c.recall),
            share(c.f1),
            count(c.only),
            true_pairs(c.only_true),
        ]);
    }
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
    if let Some(sample) = &evaluation.unions_of {
        table.note(format!(
            "estimated from the labels of sample {sample}, as in its table; without intervals, since the same labels chose \
             the order"
        ));
    }
    table
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
    table
}

impl Report for Experiments {
    fn tables(&self) -> Vec<Table> {
        let mut tables = vec![simhash(self)];
        tables.extend(revisions(self));
        tables.extend([cosine(self), minhash(self), lexicons(self)]);
        let left_out = match self.left_out {
            0 => String::new(),
            n => format!(
                "; {} source documents, drawn by a hash of their ids, were left out to bound the time",
                count(n as u64)
            ),
        };
        let pool = format!(
            "all {} × {} pairs, compared exactly{left_out}",
            count(self.source as u64),
            count(self.target as u64)
        );
        for table in &mut tables {
            table.notes.insert(0, pool.clone());
        }
        tables
    }
}

/// A table with a row for each choice of n-grams and distance.
fn by_distance<'a>(name: &'static str, title: &str, rows: impl Iterator<Item = &'a SimHashRow>) -> Table {
    let mut table = Table::new(name, title, &["n-grams", "k", "pairs", "true", "precision", "recall"]).right(1..6);
    for row in rows {
        table.row([
            row.ngrams.clone(),
            row.distance.to_string(),
            count(row.pairs),
            count(row.positive),
            format!("{:.3}", row.precision),
            format!("{:.3}", row.recall),
        ]);
    }
    table
}

fn simhash(experiments: &Experiments) -> Table {
    let title =
        "SimHash, 64 bits, by n-grams and distance k, against Jaccard (n = 1) of 0.9 or more (Table 3.1 of the study)";
    let mut table = by_distance("simhash", title, experiments.simhash.iter());
    table.note(format!(
        "{} pairs are true; the study found P/R .78/.63 (k = 1), .54/.81 (3), .38/.92 (5)",
        count(experiments.alike)
    ));
    table.note("no stop words: the study's trial with single words, of content words alone; it found these too noisy, with and without stop words");
    table
}

/// The same over pairs with the same URL only.
fn revisions(experiments: &Experiments) -> Option<Table> {
    let same = experiments.same_url.as_ref()?;
    let title = "The same over pairs with the same address only: revisions of a page, or a page crawled twice";
    let rows = same.simhash.iter().filter(|row| [1, 3, 5].contains(&row.distance));
    let mut table = by_distance("revisions", title, rows);
    table.note(format!("{} pairs have the same address, {} of them are true", count(same.pairs), count(same.alike)));
    Some(table)
}

fn cosine(experiments: &Experiments) -> Table {
    let title = "SimHash of single words against every threshold of cosine on tf vectors (Fig 3.3 of the study)";
    let head = ["cosine ≥", "true", "P k = 1", "R k = 1", "P k = 3", "R k = 3", "P k = 5", "R k = 5"];
    let mut table = Table::new("cosine", title, &head).right(0..8);
    for row in &experiments.cosine {
        let mut cells = vec![format!("{:.2}", row.threshold), count(row.positive)];
        cells.extend(row.at.iter().flatten().map(|x| format!("{x:.3}")));
        table.row(cells);
    }
    table
}

fn minhash(experiments: &Experiments) -> Table {
    let title = "MinHash: estimated less exact Jaccard of 4-word shingles, pairs between 0.1 and 1";
    let mut table = Table::new("minhash", title, &["minima", "pairs", "mean", "RMSE", "theory"]).right(0..5);
    for row in &experiments.minhash {
        table.row([
            row.minima.to_string(),
            count(row.pairs),
            format!("{:+.4}", row.bias),
            format!("{:.4}", row.error),
            format!("{:.4}", row.expected),
        ]);
    }
    table.note("pairs share documents, so the mean may be off by more than the number of pairs suggests");
    table
}

fn lexicons(experiments: &Experiments) -> Table {
    let title =
        "I-Match by number of lexicons, against a cosine of 0.9 or more of the sets of words (Table 1 of Kołcz et al.)";
    let mut table = Table::new("lexicons", title, &["lexicons", "recall", "gain", "precision", "asked"]).right(1..5);
    for row in &experiments.lexicons {
        table.row([
            if row.lexicons == 0 { "1".to_owned() } else { format!("1+{}", row.lexicons) },
            format!("{:.3}", row.recall),
            format!("{:+.0} %", 100.0 * row.gain),
            format!("{:.3}", row.precision),
            count(row.asked),
        ]);
    }
    table.note("words as in the paper: at least 4 letters and at most one digit; documents of fewer than 5 different ones take no part");
    table.note("recall is the mean over source documents that have a neighbour; the paper's honeypot spam: 0.66 with one, 0.72 with 1+2, 0.76 with 1+5, 0.80 with 1+10");
    table
}
