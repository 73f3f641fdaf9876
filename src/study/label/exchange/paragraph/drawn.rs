//! How the sample was drawn.

use super::Account;
use super::words::{counted, list, number, sentence};
use dejaview_evaluation::sample::{Allocation, Design, Sample, StratifyBy, TransferFrame};

impl Account<'_> {
    /// Population and design, what was added for recall, tool and seed.
    pub(super) fn drawn(&self) -> Vec<String> {
        let sample = self.sample;
        let mut sentences = vec![sentence(&design(sample)), sentence(&tool(sample))];
        let audited = sample.audited();
        if audited > 0 {
            let found = if sample.configurations.len() == 1 { "it did not find" } else { "none of them found" };
            sentences.insert(
                1,
                sentence(&format!(
                    "to estimate recall, we drew another {} that {found}, most of them from strata where \
                     near-duplicates are most probable",
                    counted(audited, "pair")
                )),
            );
        }
        sentences
    }
}

/// Where the pairs come from.
fn population(sample: &Sample) -> String {
    if let Some(transfer) = &sample.transfer {
        return carried(sample, transfer);
    }
    let pairs = counted(drawn_of(sample), "candidate pair");
    match &sample.configurations[..] {
        [one] => format!("the {pairs} found by {one}"),
        several => format!("the {pairs} found by {}", list(several, "or")),
    }
}

/// Pairs that it was drawn from, whatever became of them since.
fn drawn_of(sample: &Sample) -> u64 {
    sample.kept.as_ref().and_then(|kept| kept.drawn_of).unwrap_or(sample.population)
}

/// Configurations that prose names one by one.
const NAMED: usize = 6;

/// The pairs that a transfer takes.
fn carried(sample: &Sample, transfer: &TransferFrame) -> String {
    let pairs = counted(drawn_of(sample), "document pair");
    let TransferFrame { policy, accept, by, configurations, .. } = transfer;
    let found = match configurations.len() {
        n if n > NAMED => format!("any of {} configurations", number(n as u64)),
        _ => list(configurations, "or"),
    };
    let taken = match policy.as_str() {
        "best" => format!("for each judged document the best accepted pair by {by}"),
        "first" => "for each judged document the first accepted pair".to_owned(),
        "all" | "vote" => "all accepted pairs".to_owned(),
        other => format!("accepted pairs by {other}"),
    };
    let accepted = match accept.split_once(':') {
        Some((measure, least)) => format!("accepting pairs found by {found} with a {measure} of {least} or more"),
        None => format!("accepting every pair found by {found}"),
    };
    format!("the {pairs} along which relevance judgments are transferred ({taken}, {accepted})")
}

fn design(sample: &Sample) -> String {
    let from = population(sample);
    let left = sample.kept.as_ref().map_or(0, |kept| kept.left.len());
    let drawn = (sample.pairs.len() + left) as u64 - sample.audited();
    let documents = counted(drawn, "source document");
    let each = if drawn == 1 { documents.clone() } else { format!("each of {documents}") };
    match (&sample.design, sample.by) {
        (Design::Documents, _) => {
            let of = if drawn == 1 { "it" } else { "each" };
            format!("from {from}, we drew {documents} at random without replacement, and one random pair of {of}")
        }
        (Design::Query, _) => {
            format!(
                "from {from}, we drew one random pair of {each}, found with replacement by random two-word searches"
            )
        }
        (Design::Walk, _) => {
            format!(
                "from {from}, we drew one random pair of {each}, found with replacement by a random walk along links"
            )
        }
        (Design::Importance, _) => format!(
            "from {from}, we drew {} with known, unequal probabilities, preferring pairs that are probably near-duplicates",
            counted(drawn, "pair")
        ),
        (Design::Uncertain, _) => format!(
            "from {from}, we drew {} with known, unequal probabilities, preferring pairs that a model was unsure of",
            counted(drawn, "pair")
        ),
        (Design::Imported, _) => {
            let strata = sample.strata.len() as u64;
            let strata = format!("{} {}", number(strata), if strata == 1 { "stratum" } else { "strata" });
            format!("from {from}, a random sample of {} was drawn elsewhere ({strata})", counted(drawn, "pair"))
        }
        (_, StratifyBy::None) if drawn == drawn_of(sample) => format!("we took all of {from}"),
        (_, StratifyBy::None) => {
            format!("from {from}, we drew a simple random sample of {} without replacement", counted(drawn, "pair"))
        }
        (_, by) => {
            let strata = sample.pool().count() as u64;
            let allocation = match sample.allocation {
                Allocation::Proportional => "proportional allocation",
                Allocation::Equal => "equal allocation",
            };
            let (pairs, by) = (counted(drawn, "pair"), divided_by(by));
            let strata = format!("{} {}", number(strata), if strata == 1 { "stratum" } else { "strata" });
            format!(
                "from {from}, we drew a random sample of {pairs} without replacement, stratified by {by} ({strata}, \
                 {allocation})"
            )
        }
    }
}

/// What strata are made of, in words of the field.
fn divided_by(by: StratifyBy) -> &'static str {
    match by {
        StratifyBy::None => "nothing",
        StratifyBy::Jaccard => "Jaccard similarity",
        StratifyBy::Agreement => "the configurations that found the pair",
        StratifyBy::Segment => "segment of the target",
        StratifyBy::Host => "whether both documents have the same host",
        StratifyBy::Url => "whether both documents have the same URL",
        StratifyBy::Length => "length ratio",
        StratifyBy::Score => "the score of the pair",
    }
}

fn tool(sample: &Sample) -> String {
    if !sample.drawn_here() {
        return format!("we used dejaview {} to analyse the sample", env!("CARGO_PKG_VERSION"));
    }
    let kept = sample
        .kept
        .as_ref()
        .map_or(String::new(), |kept| format!("; the sample was {}", kept.sentence(sample.population)));
    format!(
        "we used dejaview {} to draw and analyse the sample (seed {}){kept}",
        env!("CARGO_PKG_VERSION"),
        sample.seed
    )
}
