//! The tables of estimates from labelled samples: precision, recall, strata, two configurations compared, and cut-offs.

use serde::Serialize;

use super::charts::curves::{Curves, Line};
use super::numbers::{count, number_of_pairs, share};
use super::result::Report;
use super::table::Table;
use dejaview_base::interval::Interval;
use dejaview_evaluation::estimates::{Cut, Estimate, Estimates, Flip, Paired, ShareOf, Unit, Unseen, Unsure};
use dejaview_evaluation::sample::Sample;

/// Precision and recall of the configurations that a sample serves, its strata, and what nobody found.
impl Report for Estimates {
    fn tables(&self) -> Vec<Table> {
        if self.waiting > 0 {
            return vec![Table::unavailable("estimates", title(self), why_waiting(self))];
        }
        if self.of_a_pack {
            return vec![Table::unavailable("estimates", title(self), OF_A_PACK.to_owned())];
        }
        let unseen = self.unseen.as_ref().map(|found| unseen(self, found));
        [quality(self), strata(self)].into_iter().chain(unseen).collect()
    }
}

/// Why labels of a pack give no estimate where it was unpacked.
const OF_A_PACK: &str = "its pairs came in a pack, which does not tell how they were drawn; send labels/NAME.jsonl back, and the study \
                         that made the pack tells what the labels say";

fn title(e: &Estimates) -> String {
    format!("Sample {}: {}", e.sample, e.design)
}

/// Why a sample gives no estimate although some of its pairs have labels.
fn why_waiting(e: &Estimates) -> String {
    let have = if e.waiting == 1 { "has a label" } else { "have a label" };
    let until = match e.size.saturating_sub(e.with_label()) == e.waiting {
        true => format!("the other {} {have}", count(e.waiting)),
        false => format!("the {} without one that come before the last labelled pair {have}", count(e.waiting)),
    };
    format!(
        "{} of {} pairs labelled, but no number is made of them until {until}: the sample was drawn anew or made longer, and \
         the pairs that came with it are not like those labelled before; label these first",
        count(e.with_label()),
        count(e.size)
    )
}

/// Whether the sample drew documents, and one pair of each.
fn draws_documents(e: &Estimates) -> bool {
    e.strata.iter().any(|stratum| stratum.unit == Unit::Documents)
}

/// Whether precision is of such units.
fn has_precision_of(e: &Estimates, unit: Unit) -> bool {
    e.configurations.iter().filter_map(|c| c.precision.as_ref()).any(|p| p.unit == unit)
}

fn quality(e: &Estimates) -> Table {
    // Documents are drawn of one configuration; of others that the sample serves the numbers are of pairs.
    let units = match (has_precision_of(e, Unit::Documents), has_precision_of(e, Unit::Pairs)) {
        (true, true) => "documents, or pairs",
        (true, false) => "documents",
        (false, _) => "pairs",
    };
    let head = [
        "configuration",
        units,
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
    let labelled = match draws_documents(e) {
        true => format!("{} of {} documents have a labelled pair", count(e.labelled), count(e.size)),
        false => format!("{} of {} pairs labelled", count(e.labelled), count(e.size)),
    };
    let labelled = format!("{labelled}, {} of them unsure, {} more disputed", count(e.unsure), count(e.disputed));
    if e.configurations.is_empty() {
        let why = "it serves no configuration, since its pairs are those that a transfer takes: `dejaview transfer` says how many \
                   of them are wrong";
        return Table::unavailable("estimates", title(e), format!("{labelled}; {why}"));
    }
    let mut table = Table::new("estimates", title(e), &head).right([1, 2, 3, 10]);
    for c in &e.configurations {
        table.row(quality_row(c, e.populations_estimated));
    }
    table.note(format!(
        "{labelled}; unsure and disputed pairs are doubtful, and {}; intervals of {:.0} %",
        match e.unsure_as {
            Unsure::Out => "left out",
            Unsure::Yes => "count as near-duplicates",
            Unsure::No => "count as not near-duplicates",
        },
        100.0 * e.confidence
    ));
    table.notes.extend(caveats(e));
    table.note("precision: Clopper–Pearson at the effective size, corrected for the finite population; conservative: exact in each stratum, doubtful pairs may be either; covers at least as often as it says");
    table.note("recall and F: from the same intervals of the true pairs found and missed; recall at least: exact bound for all true pairs, from the audit");
    for c in e.configurations.iter().filter(|c| c.plan.as_ref().is_some_and(|plan| plan.total() > 0)) {
        table.note(format!("{}: {}", c.name, c.plan.as_ref().map(|plan| plan.sentence()).unwrap_or_default()));
    }
    table
}

/// What a reader of the numbers must know about the labels that they rest on.
fn caveats(e: &Estimates) -> Vec<String> {
    let mut notes = Vec::new();
    if has_precision_of(e, Unit::Documents) {
        let whose = "precision of the configuration that documents were drawn of";
        let others = match has_precision_of(e, Unit::Pairs) {
            true => "; of the others: the share of pairs, by weight",
            false => "",
        };
        notes.push(format!(
            "{whose}: the share of documents whose drawn pair is true; every document counts once{others}"
        ));
    }
    if e.configurations.iter().filter_map(|c| c.precision.as_ref()).any(|p| p.population_estimated) {
        notes.push("about: numbers of pairs by the weights of the labels; how many there are is not known".to_owned());
    }
    notes.extend(taken_to_be_like_the_rest(e));
    if e.saw_scores > 0 {
        let were = if e.saw_scores == 1 { "pair was" } else { "pairs were" };
        notes.push(format!(
            "{} {were} decided with the scores in view; --blind-only leaves such decisions out",
            count(e.saw_scores)
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

/// Parts of an audit that labels say nothing of, though recall counts them.
fn taken_to_be_like_the_rest(e: &Estimates) -> Option<String> {
    let open = e.strata.iter().filter(|s| s.audit && !s.far && s.population > 0 && s.labelled == 0);
    let names: Vec<String> = open.map(|stratum| format!("“{}”", stratum.name)).collect();
    let recall = e.configurations.iter().any(|c| c.recall.all.is_some());
    (recall && !names.is_empty()).then(|| {
        format!(
            "no label decides a pair of {}: its share of true pairs is taken to be that of the rest of the audit, and the intervals \
             of recall and F allow it to be anything",
            names.join(", ")
        )
    })
}

fn quality_row(c: &Estimate, kept: bool) -> Vec<String> {
    let number = |number: Option<u64>| number.map_or("–".to_owned(), count);
    let p = c.precision.as_ref();
    vec![
        c.name.clone(),
        p.map_or("–".to_owned(), |p| {
            format!("{}{}", if p.population_estimated || kept { "about " } else { "" }, count(p.population))
        }),
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
    let is_of = |unit: Unit| e.strata.iter().any(|stratum| stratum.unit == unit);
    let units = match (is_of(Unit::Documents), is_of(Unit::Pairs)) {
        (true, true) => "documents; pairs of an audit",
        (true, false) => "documents",
        (false, _) => "pairs",
    };
    let head = ["stratum", units, "drawn", "labelled", "true", "unsure", "disputed", "share of true ones"];
    let mut table = Table::new("strata", title, &head).right(1..7);
    for s in &e.strata {
        let population = format!("{}{}", if e.populations_estimated { "about " } else { "" }, count(s.population));
        let numbers = [s.drawn, s.labelled, s.yes, s.unsure, s.disputed].map(count);
        table.row([s.name.clone(), population].into_iter().chain(numbers).chain([share(s.share)]));
    }
    if draws_documents(e) {
        table.note("of each drawn document one pair is labelled");
    }
    table.notes.extend(e.strata.first().map(|stratum| {
        let intervals = match stratum.share_of {
            ShareOf::Pairs => "exact for the finite stratum",
            ShareOf::Documents => "of the documents, Clopper–Pearson at the effective size",
            ShareOf::PairsByWeight => "of the pairs by their weights, Clopper–Pearson at the effective size",
        };
        format!("intervals: {intervals}")
    }));
    table
}

fn unseen(e: &Estimates, u: &Unseen) -> Table {
    let title = format!("Sample {}: what nobody found, by capture and recapture ({})", e.sample, u.method);
    let mut table = Table::new("unseen", title, &["configuration", "recall if independent"]).right([1]);
    for (c, recall) in e.configurations.iter().zip(&u.recall) {
        table.row([c.name.clone(), share(*recall)]);
    }
    if u.recall.iter().any(Option::is_none) {
        table.note("–: labels drawn again always say the same of it, so that there is no interval");
    }
    let whole = |x: f64| count(x.round() as u64);
    table.note(format!(
        "true pairs: {} found by any, {} by one alone, {} by exactly two; {} in all, found or not",
        whole(u.seen),
        whole(u.once),
        whole(u.twice),
        number_of_pairs(Some(u.total))
    ));
    table.note(format!("assumes that {}; {}", u.assumption, u.direction));
    table.note("intervals: 95 %, bootstrap over labelled pairs within strata; they do not cover the assumption");
    table
}

/// Two configurations on the labels of one sample.
#[derive(Debug, Serialize)]
pub struct ComparedConfigurations {
    #[serde(flatten)]
    pub paired: Paired,
    pub sample: String,
}

impl Report for ComparedConfigurations {
    fn tables(&self) -> Vec<Table> {
        let p = &self.paired;
        let title = format!("{} and {} on the labels of sample {}", p.a, p.b, self.sample);
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
        vec![table]
    }
}

/// Precision and recall of a configuration as a cut-off moves, by the labels of one sample.
#[derive(Debug, Serialize)]
pub struct Rail {
    pub sample: String,
    pub cuts: Vec<RailCut>,
    #[serde(skip)]
    pub configuration: String,
    #[serde(skip)]
    pub measure: String,
}

/// One position of the cut-off.
#[derive(Debug, Serialize)]
pub struct RailCut {
    pub at: f64,
    pub labelled: u64,
    pub pairs: u64,
    pub precision: Option<Interval>,
    pub recall: Option<Interval>,
    pub flips: Vec<RailFlip>,
}

/// A labelled pair that falls below the cut-off at this position.
#[derive(Debug, Serialize)]
pub struct RailFlip {
    #[serde(flatten)]
    flip: Flip,
    #[serde(flatten)]
    pair: Option<PairIds>,
}

#[derive(Debug, Serialize)]
struct PairIds {
    source: String,
    target: String,
}

/// Most flips that a row of the table lists; JSON lists all.
const LISTED_FLIPS: usize = 3;

impl Rail {
    /// `cuts` name pairs by their places in the sample; the rail names them by their ids.
    pub fn new(sample: &Sample, cuts: Vec<Cut>, configuration: &str, measure: &str) -> Self {
        let ids = |place: usize| {
            let pair = sample.pairs.get(place)?;
            Some(PairIds { source: pair.source.clone(), target: pair.target.clone() })
        };
        let with_ids = |cut: Cut| {
            let Cut { at, labelled, pairs, precision, recall, flips } = cut;
            let flips = flips.into_iter().map(|flip| RailFlip { pair: ids(flip.place), flip }).collect();
            RailCut { at, labelled, pairs, precision, recall, flips }
        };
        Self {
            sample: sample.name.clone(),
            cuts: cuts.into_iter().map(with_ids).collect(),
            configuration: configuration.to_owned(),
            measure: measure.to_owned(),
        }
    }
}

impl RailFlip {
    fn described(&self) -> String {
        let ids = self.pair.as_ref().map(|pair| format!("{} {}", pair.source, pair.target)).unwrap_or_default();
        format!("{}{ids}", if self.flip.truth { "+" } else { "−" })
    }
}

impl Report for Rail {
    fn tables(&self) -> Vec<Table> {
        let title = format!("{} with a cut-off on {}, by sample {}", self.configuration, self.measure, self.sample);
        let head = ["from", "pairs", "labelled", "precision", "recall", "flips"];
        let mut table = Table::new("rail", title, &head).right([0, 1, 2]);
        for cut in &self.cuts {
            let flips: Vec<String> = cut.flips.iter().take(LISTED_FLIPS).map(RailFlip::described).collect();
            table.row([
                format!("{:.2}", cut.at),
                count(cut.pairs),
                count(cut.labelled),
                share(cut.precision),
                share(cut.recall),
                match cut.flips.len().saturating_sub(LISTED_FLIPS) {
                    0 => flips.join(", "),
                    more => format!("{} and {more} more", flips.join(", ")),
                },
            ]);
        }
        table.note("flips: labelled pairs that are no longer taken, + true, − not; precision and recall: as in the table of the sample");
        vec![table]
    }

    fn curves(&self) -> Vec<Curves> {
        let line = |name: &str, value: fn(&RailCut) -> Option<Interval>| {
            let points = self.cuts.iter().filter_map(|cut| Some((cut.at, value(cut)?.value))).collect();
            Line { name: name.to_owned(), points }
        };
        vec![Curves {
            table: "rail",
            title: format!("{}: precision and recall if only pairs from a cut-off on counted", self.configuration),
            x: format!("cut-off on {}", self.measure),
            lines: vec![line("precision", |cut| cut.precision), line("recall", |cut| cut.recall)],
        }]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_evaluation::estimates::{Recall, StratumEstimate};

    fn stratum(name: &str, audit: bool, labelled: u64) -> StratumEstimate {
        StratumEstimate {
            name: name.to_owned(),
            unit: Unit::Pairs,
            population: 9,
            drawn: 3,
            labelled,
            yes: labelled,
            unsure: 0,
            disputed: 3 - labelled,
            share: None,
            share_of: ShareOf::Pairs,
            audit,
            far: name == "far",
        }
    }

    #[test]
    fn a_part_of_an_audit_whose_labels_are_all_disputed_is_named() {
        let recall = Recall { all: Interval::new(0.5, 0.4, 0.6), ..Recall::default() };
        let estimate = Estimate { name: "c".to_owned(), precision: None, by_unsure: [None; 3], recall, plan: None };
        let strata = vec![
            stratum("all", false, 0),
            stratum("near", true, 0),
            stratum("known", true, 3),
            stratum("far", true, 0),
        ];
        let mut told = Estimates {
            sample: "s".to_owned(),
            design: "a sample".to_owned(),
            size: 12,
            labelled: 3,
            disputed: 9,
            unsure: 0,
            unsure_as: Unsure::Out,
            saw_scores: 0,
            waiting: 0,
            set_aside: 0,
            gaps: 0,
            confidence: 0.95,
            configurations: vec![estimate],
            strata,
            unseen: None,
            populations_estimated: false,
            of_a_pack: false,
        };
        let said = |told: &Estimates| {
            quality(told).notes.iter().any(|note| note.contains("no label decides a pair of “near”:"))
        };
        assert!(said(&told));
        told.strata[1].labelled = 1;
        assert!(!said(&told));
    }
}
