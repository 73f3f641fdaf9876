//! The tables of what labelled samples say.

use super::evaluation::share;
use super::numbers::count;
use super::table::Table;
use crate::evaluation::estimates::{Cut, Estimate, Estimates, Paired, Unit, Unseen, Unsure};

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
        "precision",
        "conservative",
        "doubtful as yes",
        "doubtful as no",
        "recall in the pool",
        "recall of all true pairs",
        "recall at least",
        "F",
    ];
    let mut table = Table::new("estimates", title, &head).right([1, 2, 3, 10]);
    for c in &e.configurations {
        table.row(row(c));
    }
    table.note(format!(
        "{} of {} pairs labelled, {} of them unsure, {} more disputed; unsure and disputed pairs are doubtful, and {}; intervals \
         of {:.0} %",
        count(e.labelled),
        count(e.size),
        count(e.unsure),
        count(e.disputed),
        match e.unsure_as {
            Unsure::Out => "left out",
            Unsure::Yes => "count as near-duplicates",
            Unsure::No => "count as not near-duplicates",
        },
        100.0 * e.confidence
    ));
    table.notes.extend(caveats(e));
    table.note("precision: Clopper–Pearson at the effective size, corrected for the finite population; conservative: exact in each stratum, doubtful pairs may be either, never covers less");
    table.note("recall and F: from the same intervals of the true pairs found and missed; recall at least: exact bound for all true pairs, from the audit");
    for c in e.configurations.iter().filter(|c| c.plan.as_ref().is_some_and(|plan| plan.total() > 0)) {
        table.note(format!("{}: {}", c.name, c.plan.as_ref().map(|plan| plan.sentence()).unwrap_or_default()));
    }
    table
}

/// What a reader of the numbers must know about the labels behind them.
fn caveats(e: &Estimates) -> Vec<String> {
    let mut notes = Vec::new();
    if e.configurations.iter().filter_map(|c| c.precision.as_ref()).any(|p| p.unit == Unit::Documents) {
        notes.push(
            "precision: the share of source documents whose drawn pair is true; every document counts once".to_owned(),
        );
    }
    if e.saw_scores > 0 {
        let were = if e.saw_scores == 1 { "pair was" } else { "pairs were" };
        notes.push(format!(
            "{} {were} decided with the scores in view; --blind-only leaves such decisions out",
            count(e.saw_scores)
        ));
    }
    if e.waiting > 0 {
        let have = if e.waiting == 1 { "1 pair that came with it has" } else { "pairs that came with it have" };
        let number = if e.waiting == 1 { String::new() } else { format!("{} ", count(e.waiting)) };
        notes.push(format!(
            "no number: the sample was drawn anew or made longer, and {number}{have} no label yet; those that have one are not \
             like them, so label these first"
        ));
    }
    if e.gaps > 0 {
        let were = if e.gaps == 1 { "pair was" } else { "pairs were" };
        notes.push(format!(
            "{} {were} passed over before the last label: the estimates hold only if that had nothing to do with the pairs",
            count(e.gaps)
        ));
    }
    if let Some(far) = e.configurations.iter().find_map(|c| c.recall.assumes) {
        notes.push(format!(
            "recall and F take it that none of {} pairs is true that nobody found, or only configurations that find many for \
             each document: {} were looked at, none was; “recall at least” does without that",
            count(far.pairs),
            count(far.labelled)
        ));
    }
    notes
}

fn row(c: &Estimate) -> Vec<String> {
    let number = |of: Option<u64>| of.map_or("–".to_owned(), count);
    let p = c.precision.as_ref();
    vec![
        c.name.clone(),
        number(p.map(|p| p.population)),
        number(p.map(|p| p.labelled)),
        number(p.map(|p| p.yes)),
        share(p.and_then(|p| p.headline)),
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
    let head = ["stratum", "pairs", "drawn", "labelled", "true", "unsure", "disputed", "share of true ones"];
    let mut table = Table::new("strata", title, &head).right(1..7);
    for s in &e.strata {
        let numbers = [s.population, s.drawn, s.labelled, s.yes, s.unsure, s.disputed].map(count);
        table.row(std::iter::once(s.name.clone()).chain(numbers).chain([share(s.share)]));
    }
    table.note(match e.configurations.iter().filter_map(|c| c.precision.as_ref()).any(|p| p.unit == Unit::Documents) {
        true => {
            "pairs: of these documents one each; intervals: of the documents, Clopper–Pearson at the effective size"
        }
        false => "intervals: exact for the finite stratum",
    });
    table
}

fn unseen(e: &Estimates, u: &Unseen) -> Table {
    let title = format!("Sample {}: what nobody found, by capture and recapture ({})", e.sample, u.method);
    let mut table = Table::new("unseen", title, &["configuration", "recall if independent"]).right([1]);
    for (c, recall) in e.configurations.iter().zip(&u.recall) {
        table.row([c.name.clone(), share(Some(*recall))]);
    }
    let whole = |x: f64| count(x.round() as u64);
    table.note(format!(
        "true pairs: {} found by any, {} by one alone, {} by exactly two; {} ({}–{}) in all, found or not",
        whole(u.seen),
        whole(u.once),
        whole(u.twice),
        whole(u.total.value),
        whole(u.total.low),
        whole(u.total.high)
    ));
    table.note(format!("assumes that {}; {}", u.assumption, u.direction));
    table.note("intervals: 95 %, bootstrap over labelled pairs within strata; they do not cover the assumption");
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
    table.note(format!(
        "p: {}; differences: from the intervals of the true pairs found by both, by one, by none; right: finds a true pair or leaves a false one",
        p.test
    ));
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
    table.note("flips: labelled pairs that are no longer taken, + true, − not; precision and recall: as in the table of the sample");
    table
}
