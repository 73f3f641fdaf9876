//! The tables of an evaluation.

use super::numbers::count;
use super::table::Table;
use crate::base::interval::Interval;
use crate::study::Evaluation;

/// All tables: quality, what each alone found, combinations, kinds of pairs, Dice.
pub fn tables(evaluation: &Evaluation) -> Vec<Table> {
    let mut tables = vec![quality(evaluation), combinations(evaluation)];
    tables.extend(kinds(evaluation));
    tables.push(dice(evaluation));
    tables
}

/// A share with its interval: `0.950 (0.888–0.978)`.
pub fn share(interval: Option<Interval>) -> String {
    interval.map_or("–".to_owned(), |i| format!("{:.3} ({:.3}–{:.3})", i.value, i.low, i.high))
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
            count(c.only[0]),
            count(c.only[1]),
        ]);
    }
    let missed =
        if pool.missed == 0 { String::new() } else { format!(", {} true ones in no pool", count(pool.missed)) };
    table.note(format!(
        "pool: {} pairs that any configuration found, {} of known truth, {} true{missed}",
        count(pool.pairs),
        count(pool.known),
        count(pool.positive)
    ));
    table.note(format!("recall is of {}", evaluation.recall_of));
    table.note("intervals: Wilson, 95 %, as if the pairs were a random draw of such pairs");
    table
}

fn combinations(evaluation: &Evaluation) -> Table {
    let title = "Unions: each time the configuration that adds most true pairs";
    let mut table = Table::new("unions", title, &["and also", "recall", "precision"]).right([1, 2]);
    for step in &evaluation.comparison.coverage {
        table.row([step.name.clone(), format!("{:.3}", step.recall), format!("{:.3}", step.precision)]);
    }
    table
}

fn kinds(evaluation: &Evaluation) -> Option<Table> {
    let kinds = evaluation.kinds.as_ref()?;
    let mut head = vec!["configuration"];
    head.extend(kinds.names.iter().map(String::as_str));
    let mut table = Table::new("kinds", "Pairs found, by what they are", &head).right(1..head.len());
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
