//! The tables of how far annotators agree.

use super::evaluation::share;
use super::numbers::count;
use super::table::Table;
use crate::evaluation::agreement::Agreement;

/// All of them: together, every two, strata, and each with themselves.
pub fn tables(a: &Agreement) -> Vec<Table> {
    let mut tables = vec![together(a)];
    tables.extend((!a.cohen.is_empty()).then(|| every_two(a)));
    tables.extend((a.strata.len() > 1).then(|| strata(a)));
    tables.extend((!a.repeats.is_empty()).then(|| repeats(a)));
    tables
}

const HEAD: [&str; 5] = ["", "pairs", "alike", "Krippendorff's alpha", "Fleiss' kappa"];

fn together(a: &Agreement) -> Table {
    let title = match a.annotators.len() {
        0 => "Nobody has labelled anything here".to_owned(),
        _ => format!("Agreement of {}", a.annotators.join(", ")),
    };
    let mut table = Table::new("agreement", title, &HEAD).right([1, 2]);
    table.row(["together".to_owned(), count(a.pairs), count(a.unanimous), share(a.alpha), share(a.fleiss)]);
    table.note("near-duplicate, not and unsure as names without an order; pairs that two or more decided");
    table.note(format!(
        "Fleiss: the {} pairs that all decided; intervals: bootstrap over pairs, 95 %",
        count(a.fleiss_pairs)
    ));
    table
}

fn every_two(a: &Agreement) -> Table {
    let head = ["", "and", "pairs", "observed", "by chance", "Cohen's kappa"];
    let mut table = Table::new("cohen", "Every two", &head).right(2..5);
    for two in &a.cohen {
        let numbers = [count(two.pairs), format!("{:.3}", two.observed), format!("{:.3}", two.expected)];
        table.row([two.a.clone(), two.b.clone()].into_iter().chain(numbers).chain([share(two.kappa)]));
    }
    table
}

fn strata(a: &Agreement) -> Table {
    let mut table = Table::new("strata", "By stratum", &HEAD).right([1, 2]);
    for s in &a.strata {
        table.row([s.name.clone(), count(s.pairs), count(s.unanimous), share(s.alpha), share(s.fleiss)]);
    }
    table
}

fn repeats(a: &Agreement) -> Table {
    let head = ["annotator", "came again", "alike", "share", "Cohen's kappa"];
    let mut table = Table::new("repeats", "With themselves: pairs that came again unannounced", &head).right([1, 2]);
    for r in &a.repeats {
        table.row([r.annotator.clone(), count(r.pairs), count(r.same), share(r.share), share(r.kappa)]);
    }
    table.note("share: Wilson, 95 %");
    table
}
