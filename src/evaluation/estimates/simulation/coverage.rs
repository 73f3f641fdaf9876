//! Does each interval cover as often as theory says?
//!
//! What theory says is not looked up but summed: over every outcome that the design can have, its probability (a product
//! of hypergeometric ones) where the interval covers. Every interval is a function of the outcome, those with draws of
//! their own too, for their seed is fixed.

use std::collections::{BTreeMap, HashMap};

use super::*;
use crate::estimates::{Frame, hypergeometric};
use crate::sample::Stratum;

/// Pairs of one kind in a stratum: the configurations that found them as bits, how many there are, how many are true.
type Kind = (u64, u64, u64);

/// A finite population with its strata, and what is asked about it.
struct Setting {
    configurations: usize,
    strata: &'static [&'static [Kind]],
    n: u64,
}

const A: u64 = 1;
const B: u64 = 2;
const BOTH: u64 = 3;
const NOBODY: u64 = 0;

/// One stratum or several, of one configuration; then two configurations, by agreement, with an audit, and in one pot.
fn settings(n: u64) -> [Setting; 14] {
    let one = |strata, n| Setting { configurations: 1, strata, n };
    let two = |strata, n| Setting { configurations: 2, strata, n };
    [
        one(&[&[(A, 400, 380)]], 5 * n),
        one(&[&[(A, 300, 297)]], 5 * n),
        one(&[&[(A, 200, 100)]], 5 * n),
        one(&[&[(A, 300, 290)], &[(A, 100, 60)], &[(A, 50, 5)]], n),
        one(&[&[(A, 250, 250)], &[(A, 150, 140)], &[(A, 60, 20)]], n),
        one(&[&[(A, 400, 380)], &[(NOBODY, 2_000, 10)]], 2 * n),
        two(&[&[(BOTH, 300, 290)], &[(A, 100, 70)], &[(B, 80, 30)]], n),
        two(&[&[(BOTH, 300, 290)], &[(A, 100, 70)], &[(B, 80, 30)], &[(NOBODY, 4_000, 40)]], n / 2),
        two(&[&[(BOTH, 300, 290), (A, 100, 70), (B, 80, 30)]], n.min(14)),
        // Large populations with a share near 1.
        one(&[&[(A, 20_000, 19_800)]], 5 * n),
        one(&[&[(A, 20_000, 19_900)]], 5 * n),
        // Pure strata: all true, none true.
        one(&[&[(A, 200, 200)], &[(A, 80, 0)], &[(A, 60, 20)]], n),
        two(&[&[(BOTH, 200, 200)], &[(A, 100, 0)], &[(B, 80, 80)]], n),
        two(&[&[(BOTH, 300, 300)], &[(A, 60, 6)], &[(B, 40, 0)], &[(NOBODY, 500, 5)]], n / 2),
    ]
}

/// Labelled pairs: configurations as bits, truth, how many.
type Outcome = Vec<(u64, bool, u64)>;

impl Setting {
    fn audit(&self, h: usize) -> bool {
        self.strata[h].iter().all(|kind| kind.0 == NOBODY)
    }

    fn categories(&self, h: usize) -> Vec<(u64, bool, u64)> {
        let both = |&(found, pairs, truths): &Kind| [(found, true, truths), (found, false, pairs - truths)];
        self.strata[h].iter().flat_map(both).collect()
    }

    /// Every outcome of a stratum with its probability.
    fn outcomes(&self, h: usize) -> Vec<(Outcome, f64)> {
        let categories = self.categories(h);
        let mut rest: u64 = categories.iter().map(|category| category.2).sum();
        let mut all: Vec<(Outcome, u64, f64)> = vec![(Vec::new(), self.n, 1.0)];
        for (found, truth, pairs) in categories {
            let mut next = Vec::new();
            for (outcome, left, probability) in all {
                for x in 0..=left.min(pairs) {
                    let chance = probability * hypergeometric(x, left, pairs, rest);
                    if chance > 1e-10 {
                        let mut outcome = outcome.clone();
                        outcome.push((found, truth, x));
                        next.push((outcome, left - x, chance));
                    }
                }
            }
            (all, rest) = (next, rest - pairs);
        }
        all.into_iter().map(|(outcome, _, probability)| (outcome, probability)).collect()
    }

    fn frame(&self, outcomes: &[&Outcome]) -> Frame {
        let (mut strata, mut drawn) = (Vec::new(), Vec::new());
        for (h, outcome) in outcomes.iter().enumerate() {
            let pairs = |so: &dyn Fn(u64) -> bool| {
                self.strata[h].iter().filter(|kind| so(kind.0)).map(|kind| kind.1).sum::<u64>()
            };
            let population = pairs(&|_| true);
            let found = (0..self.configurations).map(|c| pairs(&|found| found >> c & 1 == 1)).collect();
            let weight = population as f64 / self.n as f64;
            for &(found, truth, labelled) in outcome.iter() {
                let (place, consensus) = (drawn.len(), said(truth));
                drawn.extend((0..labelled).map(|_| Drawn {
                    place,
                    stratum: h,
                    weight,
                    found,
                    document_pairs: 1,
                    consensus,
                }));
            }
            let (name, audit) = (format!("{h}"), self.audit(h));
            let together = vec![vec![], vec![pairs(&|found| found == BOTH)]];
            strata.push(Stratum { name, population, drawn: self.n, found, together, audit, ..Stratum::default() });
        }
        let configurations = ["a", "b"][..self.configurations].iter().map(|name| (*name).to_owned()).collect();
        let drawn_from = (1 << self.configurations) - 1;
        Frame::of_pairs(configurations, drawn_from, strata, drawn)
    }

    /// What the samples' own code draws, for each stratum; `ids` are of targets, by number.
    fn drawn(&self, seed: u64, ids: &[String]) -> Vec<Outcome> {
        let size = (self.n as usize) * self.strata.len();
        let mut drawer = Drawer::new(seed, size, Allocation::Equal, self.configurations);
        for (h, kinds) in self.strata.iter().enumerate() {
            for (k, &(found, pairs, _)) in kinds.iter().enumerate() {
                let source = format!("{h}.{k}");
                for target in &ids[..pairs as usize] {
                    let rank = rank(seed, &source, target);
                    let candidate = Candidate { rank, source: &source, target, found, document_pairs: 1 };
                    drawer.offer((h as u32, h.to_string()), candidate);
                }
            }
        }
        let (_, pairs) = drawer.finish();
        let none = |h: usize| self.categories(h).into_iter().map(|(found, truth, _)| (found, truth, 0)).collect();
        let mut outcomes: Vec<Outcome> = (0..self.strata.len()).map(none).collect();
        for (pair, _) in pairs {
            let (h, k) = pair.source.split_once('.').unwrap();
            let [h, k, i] = [h, k, &pair.target].map(|number| number.parse::<usize>().unwrap());
            // The categories of a kind are its true pairs, then the others.
            outcomes[h][2 * k + usize::from(i as u64 >= self.strata[h][k].2)].2 += 1;
        }
        outcomes
    }

    fn pairs(&self) -> u64 {
        self.strata.iter().flat_map(|kinds| kinds.iter()).map(|kind| kind.1).sum()
    }

    /// What is true of all pairs, under the names of [`intervals`].
    fn truths(&self) -> BTreeMap<&'static str, f64> {
        let sum = |so: &dyn Fn(&Kind) -> bool, of: fn(&Kind) -> u64| {
            self.strata.iter().flat_map(|kinds| kinds.iter()).filter(|kind| so(kind)).map(of).sum::<u64>() as f64
        };
        let found = |bit: u64| sum(&|kind| kind.0 & bit != 0, |kind| kind.1);
        let truths = |bit: u64| sum(&|kind| kind.0 & bit != 0, |kind| kind.2);
        let (pool, all) = (truths(BOTH), sum(&|_| true, |kind| kind.2));
        let precision = truths(A) / found(A);
        let mut truth: BTreeMap<&'static str, f64> = PRECISION.into_iter().map(|name| (name, precision)).collect();
        truth.extend([
            ("recall in the pool", truths(A) / pool),
            ("recall of all", truths(A) / all),
            ("recall, at least", truths(A) / all),
            ("F", 2.0 * truths(A) / (found(A) + all)),
            ("precision, difference", precision - truths(B) / found(B)),
            ("recall, difference", (truths(A) - truths(B)) / all),
        ]);
        truth
    }
}

const PRECISION: [&str; 6] =
    ["precision", "precision, Wilson", "precision, design", "precision, conservative", "Clopper–Pearson", "Jeffreys"];
/// Those that never cover less than they say.
const SAFE: [&str; 3] = ["precision, conservative", "Clopper–Pearson", "recall, at least"];
/// Those that cover what they say on average only.
const ON_AVERAGE: [&str; 3] = ["precision, Wilson", "precision, design", "Jeffreys"];

/// Every interval that the estimates have. One that there is not, for want of labels, does not cover.
fn intervals(frame: &Frame) -> BTreeMap<&'static str, Interval> {
    let mine = frame.found_by(0);
    let p = precision(frame, &mine, Unsure::Out, 0.95);
    let shares =
        p.map_or([None; 6], |p| [p.headline, p.wilson, p.design, p.conservative, p.clopper_pearson, p.jeffreys]);
    let recall = Recall::new(frame, &mine, Unsure::Out, 0.95);
    let two = frame.configurations.len() == 2;
    let paired = two.then(|| Paired::new(frame, [0, 1], Unsure::Out, 0.95).unwrap());
    let others = [
        ("recall in the pool", recall.pool),
        ("recall of all", recall.all),
        ("recall, at least", recall.at_least.and_then(|bound| Interval::new(1.0, bound, 1.0))),
        ("F", recall.f1),
        ("precision, difference", paired.as_ref().and_then(|paired| paired.precision)),
        ("recall, difference", paired.as_ref().and_then(|paired| paired.recall)),
    ];
    PRECISION.into_iter().zip(shares).chain(others).filter_map(|(name, interval)| Some((name, interval?))).collect()
}

/// Which intervals cover, for each outcome of a setting.
struct Covering<'a> {
    setting: &'a Setting,
    truths: BTreeMap<&'static str, f64>,
    known: HashMap<Vec<Outcome>, BTreeMap<&'static str, bool>>,
}

/// How often each interval covers.
type Coverage = BTreeMap<&'static str, f64>;

impl<'a> Covering<'a> {
    fn new(setting: &'a Setting) -> Self {
        Self { setting, truths: setting.truths(), known: HashMap::new() }
    }

    fn add(&mut self, outcomes: Vec<Outcome>, probability: f64, to: &mut Coverage) {
        let (setting, truths) = (self.setting, &self.truths);
        let covering = self.known.entry(outcomes).or_insert_with_key(|outcomes| {
            let frame = setting.frame(&outcomes.iter().collect::<Vec<_>>());
            let covers = |(name, interval)| (name, covers(Some(interval), truths[name]));
            intervals(&frame).into_iter().map(covers).collect()
        });
        for (name, covers) in covering {
            *to.entry(name).or_default() += if *covers { probability } else { 0.0 };
        }
    }

    fn theory(&mut self) -> Coverage {
        let strata: Vec<Vec<(Outcome, f64)>> =
            (0..self.setting.strata.len()).map(|h| self.setting.outcomes(h)).collect();
        let mut coverage = Coverage::default();
        let mut chosen: Vec<(Vec<&Outcome>, f64)> = vec![(Vec::new(), 1.0)];
        for outcomes in &strata {
            let mut next = Vec::new();
            for (before, probability) in chosen {
                for (outcome, chance) in outcomes.iter().filter(|(_, chance)| probability * chance > 1e-9) {
                    let mut both = before.clone();
                    both.push(outcome);
                    next.push((both, probability * chance));
                }
            }
            chosen = next;
        }
        for (outcomes, probability) in chosen {
            self.add(outcomes.into_iter().cloned().collect(), probability, &mut coverage);
        }
        coverage
    }

    /// Of studies that are drawn by the samples' own code.
    fn studies(&mut self, studies: u64) -> Coverage {
        let ids: Vec<String> = (0..self.setting.pairs()).map(|i| i.to_string()).collect();
        let mut coverage = Coverage::default();
        for seed in 0..studies {
            self.add(self.setting.drawn(seed, &ids), 1.0 / studies as f64, &mut coverage);
        }
        coverage
    }
}

#[test]
fn each_interval_covers_as_often_as_theory_says() {
    let (studies, n, tolerance) = scale();
    for setting in settings(n) {
        let mut covering = Covering::new(&setting);
        let (theory, found) = (covering.theory(), covering.studies(studies));
        assert!(theory.keys().eq(found.keys()), "the same intervals");
        for (name, expected) in &theory {
            let reached = found[name];
            println!(
                "{:?} × {}: {name} {reached:.4} of {studies} studies, theory {expected:.4}",
                setting.strata, setting.n
            );
            assert!((reached - expected).abs() <= tolerance, "{name}: {reached} for {expected}");
            assert!(!SAFE.contains(name) || *expected >= 0.95, "{name} is conservative: {expected}");
            assert!(ON_AVERAGE.contains(name) || *expected >= 0.94, "{name} covers less than it says: {expected}");
        }
    }
}
