//! The tables of what labelled samples say.

use super::evaluation::share;
use super::numbers::count;
use super::table::Table;
use crate::evaluation::estimates::{Cut, Estimate, Estimates, Paired, Unseen};

/// For each sample: precision and recall of the configurations it serves, its strata, and what nobody found.
pub fn tables(all: &[Estimates]) -> Vec<Table> {
    all.iter()
        .flat_map(|e| [Some(quality(e)), Some(strata(e)), e.unseen.as_ref().map(|u| unseen(e, u))])
        .flatten()
        .collect()
}

fn quality(e: &Estimates) -> Table {
    let title = format!("Sample {}: {}", e.sample, e.design);
    let head = [
        "configuration",
        "pairs",
        "labelled",
        "true",
        "precision, Wilson",
        "precision, design",
        "conservative",
        "unsure as yes",
        "unsure as no",
        "recall in the pool",
        "recall of all",
        "at least",
        "F",
    ];
    let mut table = Table::new("estimates", title, &head).right([1, 2, 3, 11]);
    for c in &e.configurations {
        table.row(row(c));
    }
    let disputed = match e.disputed {
        0 => String::new(),
        n => format!(", {} not settled (left out)", count(n)),
    };
    table.note(format!(
        "{} of {} pairs labelled, {} unsure (counted {}){disputed}; intervals of {:.0} %",
        count(e.labelled),
        count(e.size),
        count(e.unsure),
        e.unsure_as.name(),
        100.0 * e.confidence
    ));
    table.note("Wilson: at the effective size, as of endlessly many pairs; design: corrected for the finite population; conservative: exact in each stratum, never covers less");
    table.note("recall: from Wilson's intervals of the true pairs found and missed; F: labels drawn again in each stratum; at least: exact bound, all true pairs, by the audit");
    for c in e.configurations.iter().filter(|c| c.plan.as_ref().is_some_and(|plan| !plan.more.is_empty())) {
        table.note(format!("{}: {}", c.name, c.plan.as_ref().map(|plan| plan.sentence()).unwrap_or_default()));
    }
    table
}

fn row(c: &Estimate) -> Vec<String> {
    let number = |of: Option<u64>| of.map_or("–".to_owned(), count);
    let p = c.precision.as_ref();
    vec![
        c.name.clone(),
        number(p.map(|p| p.population)),
        number(p.map(|p| p.labelled)),
        number(p.map(|p| p.yes)),
        share(p.and_then(|p| p.wilson)),
        share(p.and_then(|p| p.design)),
        share(p.and_then(|p| p.conservative)),
        share(c.by_unsure[1]),
        share(c.by_unsure[2]),
        share(c.recall.pool),
        share(c.recall.all),
        c.recall.at_least.map_or("–".to_owned(), |x| format!("{x:.3}")),
        share(c.recall.f1),
    ]
}

fn strata(e: &Estimates) -> Table {
    let title = format!("Strata of sample {}", e.sample);
    let head = ["stratum", "pairs", "drawn", "labelled", "true", "unsure", "share of true ones"];
    let mut table = Table::new("strata", title, &head).right(1..6);
    for s in &e.strata {
        let numbers = [s.population, s.drawn, s.labelled, s.yes, s.unsure].map(count);
        table.row(std::iter::once(s.name.clone()).chain(numbers).chain([share(s.share)]));
    }
    table.note("intervals: exact for the finite stratum");
    table
}

fn unseen(e: &Estimates, u: &Unseen) -> Table {
    let title = format!("Sample {}: what nobody found, by capture and recapture ({})", e.sample, u.method);
    let mut table = Table::new("unseen", title, &["configuration", "recall at most"]).right([1]);
    for (c, most) in e.configurations.iter().zip(&u.recall_at_most) {
        table.row([c.name.clone(), format!("{most:.3}")]);
    }
    let whole = |x: f64| count(x.round() as u64);
    table.note(format!(
        "true pairs: {} found by any, {} by one alone, {} by exactly two; at least {} ({}–{}) in all",
        whole(u.seen),
        whole(u.once),
        whole(u.twice),
        whole(u.at_least.value),
        whole(u.at_least.low),
        whole(u.at_least.high)
    ));
    table.note(format!("assumes that {}", u.assumption));
    table
}

/// Two configurations on the same labels.
pub fn paired(sample: &str, p: &Paired) -> Table {
    let title = format!("{} and {} on the labels of sample {sample}", p.a, p.b);
    let head =
        ["", "only the first right", "only the second right", "p", "precision, difference", "recall, difference"];
    let mut table = Table::new("compared", title, &head).right([1, 2, 3]);
    let numbers = [count(p.only_a_right), count(p.only_b_right), format!("{:.4}", p.p_value)];
    let differences = [share(p.precision), share(p.recall)];
    table.row(std::iter::once(format!("{} − {}", p.a, p.b)).chain(numbers).chain(differences));
    table.note(
        "p: McNemar's exact test, on the labels as they are; differences: weighted, from Wilson's intervals of the true pairs found by both, by one, by none",
    );
    table
}

/// Pairs that flip at one step and are named; JSON names all.
const SHOWN: usize = 3;

/// Precision and recall as a cut-off moves. `pairs` names the pair at a place of the sample.
pub fn rail(sample: &str, name: &str, measure: &str, cuts: &[Cut], pairs: &dyn Fn(usize) -> Option<String>) -> Table {
    let title = format!("{name} with a cut-off on {measure}, by sample {sample}");
    let head = ["from", "pairs", "labelled", "precision", "recall", "flips"];
    let mut table = Table::new("rail", title, &head).right([0, 1, 2]);
    for cut in cuts {
        let flips: Vec<String> = cut
            .flips
            .iter()
            .take(SHOWN)
            .map(|flip| format!("{}{}", if flip.truth { "+" } else { "−" }, pairs(flip.place).unwrap_or_default()))
            .collect();
        table.row([
            format!("{:.2}", cut.at),
            count(cut.pairs),
            count(cut.labelled),
            share(cut.precision),
            share(cut.recall),
            match cut.flips.len().saturating_sub(SHOWN) {
                0 => flips.join(", "),
                more => format!("{} and {more} more", flips.join(", ")),
            },
        ]);
    }
    table.note("flips: labelled pairs that are no longer taken, + true, − not; precision and recall: Wilson at the effective size; recall: of the true pairs of the sample's pool and audit");
    table
}
