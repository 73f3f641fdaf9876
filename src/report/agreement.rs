//! How far annotators agree: tables for a command, and single lines for the explorer.

use super::numbers::{count, percent, plural, share};
use super::result::Report;
use super::table::Table;
use dejaview_base::interval::Interval;
use dejaview_evaluation::agreement::{Agreement, Coefficients};
use dejaview_labels::Label;

/// How many pairs got the same label from everyone who labelled them; `None` where no pair has two labels.
pub fn unanimity(agreement: &Agreement) -> Option<String> {
    let pool = &agreement.pool;
    let found = if agreement.audit.is_some() { " that some configuration found" } else { "" };
    (pool.pairs > 0).then(|| {
        format!(
            "{}: {} of {}{found} with two or more labels have the same ({})",
            agreement.scope(),
            count(pool.unanimous),
            plural(pool.pairs, "pair"),
            percent(pool.unanimous as f64 / pool.pairs as f64, 1)
        )
    })
}

/// The coefficients with their intervals in one line of 80 columns, and whether they are weighted; `None` where no pair has
/// two labels.
pub fn coefficients(agreement: &Agreement) -> Option<String> {
    let described = |name: &str, interval: Option<Interval>| {
        interval.map(|i| format!("{name} {:.2} ({:.2}–{:.2})", i.value, i.low, i.high))
    };
    let pool = &agreement.pool;
    let kappa = described("kappa", kappa(agreement));
    let parts = [described("alpha", pool.alpha), described("AC1", pool.ac1), kappa];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let weighted = if agreement.as_labelled.is_some() { ", weighted by stratum" } else { "" };
    (!parts.is_empty()).then(|| format!("{} · 95 %{weighted}", parts.join(" · ")))
}

/// Cohen's kappa of two annotators, Fleiss' of more.
pub fn kappa(agreement: &Agreement) -> Option<Interval> {
    match &agreement.cohen[..] {
        [two] => two.kappa,
        _ => agreement.pool.fleiss,
    }
}

/// All annotators together, every two, strata, and each with themselves.
impl Report for Agreement {
    fn tables(&self) -> Vec<Table> {
        let mut tables = vec![all_annotators(self)];
        tables.extend((!self.cohen.is_empty()).then(|| annotator_pairs(self)));
        tables.extend((!self.cohen.is_empty()).then(|| labels_of_two(self)));
        tables.extend((self.strata.len() > 1).then(|| strata(self)));
        tables.extend((!self.repeats.is_empty()).then(|| repeats(self)));
        tables
    }
}

const HEAD: [&str; 7] = ["", "pairs", "alike", "observed", "Gwet's AC1", "Krippendorff's alpha", "Fleiss' kappa"];

fn cells(name: &str, coefficients: &Coefficients) -> [String; 7] {
    let Coefficients { pairs, unanimous, observed, ac1, alpha, fleiss, .. } = *coefficients;
    let [observed, ac1, alpha, fleiss] = [observed, ac1, alpha, fleiss].map(share);
    [name.to_owned(), count(pairs), count(unanimous), observed, ac1, alpha, fleiss]
}

fn all_annotators(agreement: &Agreement) -> Table {
    let title = match agreement.annotators.len() {
        0 => "Nobody has labelled anything here".to_owned(),
        _ => format!("Agreement of {} on {}", agreement.annotators.join(", "), agreement.scope()),
    };
    let mut table = Table::new("agreement", title, &HEAD).right([1, 2]);
    table.row(cells("pairs that some configuration found", &agreement.pool));
    let others = [
        ("the same, every labelled pair counting once", &agreement.as_labelled),
        ("pairs that none found (audit)", &agreement.audit),
        (if agreement.sample.is_some() { "both, by their weights" } else { "both" }, &agreement.everything),
    ];
    for (name, coefficients) in others {
        if let Some(coefficients) = coefficients {
            table.row(cells(name, coefficients));
        }
    }
    let unseen: Vec<String> = agreement
        .strata
        .iter()
        .filter(|stratum| stratum.coefficients.pairs == 0)
        .map(|stratum| format!("{}{}", stratum.name, if stratum.audit { " (audit)" } else { "" }))
        .collect();
    if !unseen.is_empty() && agreement.pool.pairs > 0 {
        table.note(format!(
            "no two decided a pair of {}: the interval of what was decided alike allows for that, the other coefficients are \
             about the rest",
            unseen.join(", ")
        ));
    }
    table.note("near-duplicate, not and unsure as names without an order; pairs that two or more decided");
    table.note(match &agreement.sample {
        Some(_) => {
            "pairs count by their weights in the sample, so that the coefficients are of the pairs it was drawn from"
        }
        None => "every pair counts once: labels of several samples, or of none, are of no particular population",
    });
    if agreement.audit.is_some() {
        table.note("the pairs of the audit are told apart: most are easy, and their number was chosen");
    }
    table.note(format!(
        "AC1: Gwet 2008, with the names that were given; Fleiss: the {} pairs that all decided",
        count(agreement.pool.fleiss_pairs)
    ));
    table.note(
        "intervals: 95 %, Clopper and Pearson's of the share of pairs decided differently, at the effective size within \
         strata; and of that share among pairs with a rarer label",
    );
    table
}

fn annotator_pairs(agreement: &Agreement) -> Table {
    let head = ["", "and", "pairs", "observed", "by chance", "Cohen's kappa", "Gwet's AC1"];
    let mut table = Table::new("cohen", "Every two, over the pairs that some configuration found", &head).right(2..5);
    for two in &agreement.cohen {
        let numbers = [count(two.pairs), format!("{:.3}", two.observed), format!("{:.3}", two.expected)];
        let names = [two.a.clone(), two.b.clone()];
        table.row(names.into_iter().chain(numbers).chain([share(two.kappa), share(two.ac1)]));
    }
    table
}

/// Each label of the one with each of the other, of every two.
fn labels_of_two(agreement: &Agreement) -> Table {
    let names = Label::ALL.iter().map(|label| label.name());
    let head: Vec<&str> = ["", "said", "and"].into_iter().chain(names.clone()).collect();
    let title = "Labels of every two: how often the one said this (row) where the other said that (column)";
    let mut table = Table::new("labels-of-two", title, &head).right(3..6);
    for two in &agreement.cohen {
        for (name, counts) in names.clone().zip(two.labels) {
            let row = [two.a.clone(), name.to_owned(), two.b.clone()];
            table.row(row.into_iter().chain(counts.map(count)));
        }
    }
    table
}

fn strata(agreement: &Agreement) -> Table {
    let mut table = Table::new("strata", "By stratum", &HEAD).right([1, 2]);
    for stratum in &agreement.strata {
        table.row(cells(&stratum.name, &stratum.coefficients));
    }
    table
}

fn repeats(agreement: &Agreement) -> Table {
    let head = ["annotator", "came again", "alike", "share", "Cohen's kappa"];
    let mut table = Table::new("repeats", "With themselves: pairs that came again unannounced", &head).right([1, 2]);
    for repeated in &agreement.repeats {
        let [share, kappa] = [repeated.share, repeated.kappa].map(share);
        table.row([repeated.annotator.clone(), count(repeated.pairs), count(repeated.same), share, kappa]);
    }
    table.note("share: Clopper and Pearson, 95 %");
    table
}
