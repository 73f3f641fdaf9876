//! The text for the paper: how the evaluation set was made, and what it says.

use serde::Serialize;

use super::StudyError;
use super::writing::median_seconds;
use crate::base::interval::Interval;
use crate::base::random::Bootstrap;
use crate::evaluation::agreement::Agreement;
use crate::evaluation::estimates::{Estimate, Estimates, Frame, Unsure};
use crate::evaluation::sample::{By, Design, Sample, SampledPair};
use crate::labels::{Circumstances, Label, What};
use crate::study::session::Session;

/// What the paragraph is made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paragraph {
    /// The text.
    pub text: String,
    /// How far annotators agree.
    pub agreement: Agreement,
    /// What the labels say.
    pub estimates: Estimates,
    /// Median seconds a pair, where journals tell.
    pub seconds: Option<f64>,
    /// Pairs whose scores were looked at before the decision.
    pub peeked: u64,
    /// Labels that say unsure, whatever became of the pair.
    pub unsure_labels: u64,
    /// Pairs settled by adjudication.
    pub adjudicated: u64,
}

/// With fewer pairs in common Fleiss' kappa says nothing.
const FEW: u64 = 10;

impl Session {
    /// The paragraph about a sample.
    pub fn paragraph(&self, name: &str, unsure: Unsure) -> Result<Paragraph, StudyError> {
        let sample = self.sample(name)?;
        let all = self.journals()?;
        let frame = Frame::labelled(&sample, &all);
        let estimates = Estimates::new(&sample, &frame, unsure, &Bootstrap::default());
        let agreement = self.agreement(Some(name))?;
        let (mut given, mut unsure_labels) = (Vec::new(), 0);
        for annotations in all.annotators() {
            let standing = |pair: &SampledPair| {
                annotations.reading.decisions.decision(&pair.source, &pair.target, Some(name)).labelled
            };
            for event in sample.pairs.iter().filter_map(standing) {
                unsure_labels += u64::from(event.what == What::Label(Label::Unsure));
                given.push(event.circumstances.clone());
            }
        }
        let settled = |pair: &&SampledPair| all.standing(&pair.source, &pair.target).is_settled();
        let mut paragraph = Paragraph {
            text: String::new(),
            seconds: median_seconds(&all, Some(name)),
            unsure_labels,
            peeked: given.iter().filter(|how| how.peeked == Some(true)).count() as u64,
            adjudicated: sample.pairs.iter().filter(settled).count() as u64,
            agreement,
            estimates,
        };
        let about = [drawn(&sample), labelled_by(&paragraph, &given), agreed(&paragraph), said(&paragraph, &sample)];
        paragraph.text = about.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        Ok(paragraph)
    }
}

/// Who labelled, and how, as far as every label tells.
fn labelled_by(p: &Paragraph, given: &[Circumstances]) -> String {
    let people = match p.agreement.annotators.len() {
        0 => return "No pair has been labelled yet.".to_owned(),
        1 => "One annotator".to_owned(),
        n => format!("{} annotators", number(n)),
    };
    let all = |of: fn(&Circumstances) -> bool| !given.is_empty() && given.iter().all(of);
    let blind = match (all(|how| how.peeked.is_some()), p.peeked) {
        (true, 0) => ", who did not see scores or configurations before deciding,".to_owned(),
        (true, n) => {
            let labels = if n == 1 { "one label".to_owned() } else { format!("{n} labels") };
            format!(", from whom scores and configurations were hidden (for {labels} they were looked at),")
        }
        (false, _) => String::new(),
    };
    let order = if all(|how| how.order.is_some()) { "; the two pages of a pair stood in random order" } else { "" };
    let seconds = p.seconds.map(|s| format!(", with a median of {} seconds a pair", few(s))).unwrap_or_default();
    let (seen, size) = (p.estimates.labelled + p.estimates.disputed, p.estimates.size);
    format!("{people}{blind} labelled {seen} of the {size} pairs{seconds}{order}.")
}

/// Seconds, with a decimal where it tells something.
fn few(seconds: f64) -> String {
    if seconds < 9.95 { format!("{seconds:.1}") } else { format!("{seconds:.0}") }
}

fn number(n: usize) -> String {
    let words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
    words.get(n).map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

fn pairs(n: u64) -> String {
    format!("{n} pair{}", if n == 1 { "" } else { "s" })
}

fn labels(n: u64) -> String {
    format!("{n} label{}", if n == 1 { "" } else { "s" })
}

/// `0.950 (95 % interval 0.888–0.978)`.
fn share(interval: Interval) -> String {
    format!("{:.3} (95 % interval {:.3}–{:.3})", interval.value, interval.low, interval.high)
}

fn drawn(sample: &Sample) -> String {
    let n = sample.pairs.len() as u64 - sample.audited();
    let from = match &sample.configurations[..] {
        [one] => format!("the {} candidate pairs of {one}", sample.population),
        many => format!("the {} candidate pairs that any of {} found", sample.population, many.join(", ")),
    };
    let how = match (&sample.design, sample.by) {
        (Design::Documents, _) => {
            format!("We drew {n} source documents at random, and one random pair of each, from {from}")
        }
        (Design::Query, _) => {
            format!(
                "We drew {n} source documents by random two-word searches, and one random pair of each, from {from}"
            )
        }
        (Design::Walk, _) => {
            format!("We drew {n} source documents by a walk along links, and one random pair of each, from {from}")
        }
        (Design::Importance, _) => format!(
            "We drew {n} pairs from {from} with known unequal probabilities, those that are probably near-duplicates more often"
        ),
        (_, By::None) => format!("We drew a simple random sample of {n} pairs from {from}"),
        (_, by) => {
            let strata = sample.strata.iter().filter(|stratum| !stratum.audit).count();
            let share = sample.allocation.name();
            format!("We drew {n} pairs from {from}, stratified by {} ({strata} strata, {share} allocation)", by.name())
        }
    };
    let audit = match sample.audited() {
        0 => String::new(),
        audited => format!(", and {audited} pairs that none of them found (near misses and random pairs)"),
    };
    let replaced = if sample.design.of_pages() { "with replacement" } else { "without replacement" };
    format!("{how}{audit}, {replaced}, with dejaview {} (seed {}).", env!("CARGO_PKG_VERSION"), sample.seed)
}

fn agreed(p: &Paragraph) -> String {
    let a = &p.agreement;
    let mut text = String::new();
    if a.annotators.len() > 1 && a.pairs > 0 {
        text = format!("{} were labelled by two or more annotators, {} of them alike", pairs(a.pairs), a.unanimous);
        let alpha = a.alpha.map(|alpha| format!("Krippendorff's alpha {}", share(alpha)));
        let kappa = match &a.cohen[..] {
            [two] => two.kappa.map(|kappa| format!("Cohen's kappa {}", share(kappa))),
            _ => {
                let enough = a.fleiss.filter(|_| a.fleiss_pairs >= FEW);
                enough.map(|kappa| {
                    format!("Fleiss' kappa {} over the {} that all decided", share(kappa), pairs(a.fleiss_pairs))
                })
            }
        };
        let both: Vec<String> = [alpha, kappa].into_iter().flatten().collect();
        if !both.is_empty() {
            text.push_str(&format!(": {} (bootstrap over pairs)", both.join(", ")));
        }
        text.push('.');
        if p.adjudicated > 0 {
            text.push_str(&format!(" {} were settled by adjudication.", pairs(p.adjudicated)));
        }
        if p.estimates.disputed > 0 {
            text.push_str(&format!(" {} on which they disagree were left out.", pairs(p.estimates.disputed)));
        }
    }
    for again in &a.repeats {
        let of = format!("{} of {}", again.same, pairs(again.pairs));
        text.push_str(&format!(" {} decided {of} alike when they came again unannounced.", again.annotator));
    }
    text.trim_start().to_owned()
}

fn said(p: &Paragraph, sample: &Sample) -> String {
    let e = &p.estimates;
    if e.labelled == 0 {
        return String::new();
    }
    let unsure = match (e.unsure, e.unsure_as) {
        (0, _) if p.unsure_labels == 0 => "No pair was labelled unsure.".to_owned(),
        (0, _) => format!("{} said unsure, but of no pair the annotators together.", labels(p.unsure_labels)),
        (1, Unsure::Out) => "One pair labelled unsure was left out.".to_owned(),
        (n, Unsure::Out) => format!("{n} pairs labelled unsure were left out."),
        (n, unsure) => {
            let count = if n == 1 { "counts" } else { "count" };
            let not = if unsure == Unsure::No { "not " } else { "" };
            format!("{} labelled unsure {count} as {not}near-duplicates.", pairs(n))
        }
    };
    let each: Vec<String> = e.configurations.iter().filter_map(|c| one(c, e)).collect();
    let weights = match (&sample.design, sample.strata.len()) {
        (Design::Documents | Design::Query | Design::Walk, _) => {
            "weighted by the inverse of their probability of inclusion; Wilson's interval at the effective sample size"
        }
        (_, 1) => "Wilson's interval at the effective sample size, corrected for the finite population",
        _ => "weighted by stratum; Wilson's interval at the effective sample size, corrected for the finite population",
    };
    if each.is_empty() { unsure } else { format!("{unsure} Precision ({weights}): {}.", each.join("; ")) }
}

fn one(c: &Estimate, e: &Estimates) -> Option<String> {
    let precision = share(c.precision.as_ref()?.headline?);
    let range = match (e.unsure, c.by_unsure) {
        (0, _) => String::new(),
        (_, [_, Some(yes), Some(no)]) => {
            format!(" (from {:.3} to {:.3} as unsure counts as no or yes)", no.value, yes.value)
        }
        _ => String::new(),
    };
    let recall = match (&c.recall.all, &c.recall.pool) {
        (Some(all), _) => {
            let bound = c.recall.at_least.map(|x| format!(", at least {x:.3}")).unwrap_or_default();
            format!(", recall of all true pairs {}{bound}", share(*all))
        }
        (None, Some(pool)) => format!(", recall within the pool {}", share(*pool)),
        _ => String::new(),
    };
    Some(format!("{} {precision}{range}{recall}", c.name))
}
