//! The tables of how far annotators agree.

use super::numbers::{count, percent, plural, share};
use super::result::Report;
use super::table::Table;
use dejaview_base::interval::Interval;
use dejaview_evaluation::agreement::{Agreement, Coefficients};

/// How many pairs were labelled alike, and in which labels; none where no pair has two.
pub fn alike(a: &Agreement) -> Option<String> {
    let pool = &a.pool;
    let found = if a.audit.is_some() { " that some configuration found" } else { "" };
    (pool.pairs > 0).then(|| {
        format!(
            "{}: {} of {}{found} with two or more labels have the same ({})",
            a.scope(),
            count(pool.unanimous),
            plural(pool.pairs, "pair"),
            percent(pool.unanimous as f64 / pool.pairs as f64, 1)
        )
    })
}

/// The coefficients with their intervals in one line of 80 columns, and whether they are weighted; none where no pair has two
/// labels. Kappa is Cohen's of two annotators, Fleiss' of more.
pub fn coefficients(a: &Agreement) -> Option<String> {
    let words = |name: &str, interval: Option<Interval>| {
        interval.map(|i| format!("{name} {:.2} ({:.2}–{:.2})", i.value, i.low, i.high))
    };
    let kappa = match &a.cohen[..] {
        [two] => words("kappa", two.kappa),
        _ => words("kappa", a.pool.fleiss),
    };
    let parts = [words("alpha", a.pool.alpha), words("AC1", a.pool.ac1), kappa];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let weighted = if a.as_labelled.is_some() { ", weighted by stratum" } else { "" };
    (!parts.is_empty()).then(|| format!("{} · 95 %{weighted}", parts.join(" · ")))
}

/// All annotators together, every two, strata, and each with themselves.
impl Report for Agreement {
    fn tables(&self) -> Vec<Table> {
        let mut tables = vec![together(self)];
        tables.extend((!self.cohen.is_empty()).then(|| every_two(self)));
        tables.extend((self.strata.len() > 1).then(|| strata(self)));
        tables.extend((!self.repeats.is_empty()).then(|| repeats(self)));
        tables
    }
}

const HEAD: [&str; 7] = ["", "pairs", "alike", "observed", "Gwet's AC1", "Krippendorff's alpha", "Fleiss' kappa"];

fn cells(name: &str, c: &Coefficients) -> [String; 7] {
    let [observed, ac1, alpha, fleiss] = [c.observed, c.ac1, c.alpha, c.fleiss].map(share);
    [name.to_owned(), count(c.pairs), count(c.unanimous), observed, ac1, alpha, fleiss]
}

fn together(a: &Agreement) -> Table {
    let title = match a.annotators.len() {
        0 => "Nobody has labelled anything here".to_owned(),
        _ => format!("Agreement of {} on {}", a.annotators.join(", "), a.scope()),
    };
    let mut table = Table::new("agreement", title, &HEAD).right([1, 2]);
    table.row(cells("pairs that some configuration found", &a.pool));
    let others = [
        ("the same, every labelled pair counting once", &a.as_labelled),
        ("pairs that none found (audit)", &a.audit),
        ("both, by their weights", &a.everything),
    ];
    for (name, coefficients) in others {
        if let Some(coefficients) = coefficients {
            table.row(cells(name, coefficients));
        }
    }
    let unseen: Vec<&str> = a
        .strata
        .iter()
        .filter(|stratum| !stratum.audit && stratum.coefficients.pairs == 0)
        .map(|s| s.name.as_str())
        .collect();
    if !unseen.is_empty() && a.pool.pairs > 0 {
        table.note(format!(
            "no two decided a pair of {}: the interval of what was decided alike allows for that, the other coefficients are \
             about the rest",
            unseen.join(", ")
        ));
    }
    table.note("near-duplicate, not and unsure as names without an order; pairs that two or more decided");
    table.note(match &a.sample {
        Some(_) => {
            "pairs count by their weights in the sample, so that the coefficients are of the pairs it was drawn from"
        }
        None => "every pair counts once: labels of several samples, or of none, are of no particular population",
    });
    if a.audit.is_some() {
        table.note("the pairs of the audit are told apart: most are easy, and their number was chosen");
    }
    table.note(format!(
        "AC1: Gwet 2008, with the names that were given; Fleiss: the {} pairs that all decided",
        count(a.pool.fleiss_pairs)
    ));
    table.note(
        "intervals: 95 %, Clopper and Pearson's of the share of pairs decided differently, at the effective size within strata",
    );
    table
}

fn every_two(a: &Agreement) -> Table {
    let head = ["", "and", "pairs", "observed", "by chance", "Cohen's kappa", "Gwet's AC1"];
    let mut table = Table::new("cohen", "Every two, over the pairs that some configuration found", &head).right(2..5);
    for two in &a.cohen {
        let numbers = [count(two.pairs), format!("{:.3}", two.observed), format!("{:.3}", two.expected)];
        let names = [two.a.clone(), two.b.clone()];
        table.row(names.into_iter().chain(numbers).chain([share(two.kappa), share(two.ac1)]));
    }
    table
}

fn strata(a: &Agreement) -> Table {
    let mut table = Table::new("strata", "By stratum", &HEAD).right([1, 2]);
    for stratum in &a.strata {
        table.row(cells(&stratum.name, &stratum.coefficients));
    }
    table
}

fn repeats(a: &Agreement) -> Table {
    let head = ["annotator", "came again", "alike", "share", "Cohen's kappa"];
    let mut table = Table::new("repeats", "With themselves: pairs that came again unannounced", &head).right([1, 2]);
    for r in &a.repeats {
        table.row([r.annotator.clone(), count(r.pairs), count(r.same), share(r.share), share(r.kappa)]);
    }
    table.note("share: Clopper and Pearson, 95 %");
    table
}
