//! Many studies with a known truth: does each interval cover as often as theory says?
//!
//! A study is drawn by the samples' own code from a finite population whose true pairs are known, and estimated by the
//! code above. What theory says is not looked up but summed: over every outcome that the design can have, its
//! probability (a product of hypergeometric ones) where the interval covers. `DEJAVIEW_SLOW=1` draws more and larger
//! studies; a small version always runs.

use std::io::Write;

use super::*;
use crate::evaluation::sample::{Allocation, By, Candidate, Design, Documents, Drawer, rank};

/// How many studies, how many labels a stratum, and how far a frequency may be from its probability.
fn scale() -> (u64, u64, f64) {
    if std::env::var_os("DEJAVIEW_SLOW").is_some_and(|value| value == "1") {
        return (10_000, 20, 0.01);
    }
    let mut stderr = std::io::stderr();
    stderr.write_all(b"a small simulation; DEJAVIEW_SLOW=1 draws 10,000 studies\n").unwrap();
    (500, 8, 0.035)
}

/// A population: for each stratum its pairs and those true among them, which come first.
type Population = [(u64, u64)];

/// A sample of a population, labelled. Configuration 0 found every pair, or every pair but those of the audit.
fn study(population: &Population, size: u64, allocation: Allocation, seed: u64) -> Frame {
    let mut drawer = Drawer::new(seed, size as usize, allocation, 1);
    for (h, (pairs, _)) in population.iter().enumerate() {
        for i in 0..*pairs {
            let (source, target) = (format!("s{h}"), format!("t{i}"));
            let rank = rank(seed, &source, &target);
            let candidate = Candidate { rank, source: &source, target: &target, found: 1, of: 1 };
            drawer.offer((h as u32, format!("stratum {h}")), candidate);
        }
    }
    let (strata, pairs) = drawer.finish();
    let pairs = pairs.into_iter().map(|(pair, _)| pair).collect();
    let sample = Sample { strata, pairs, design: Design::Stratified, by: By::Jaccard, ..Sample::default() };
    let sample = sample.named("simulated", &["c".to_owned()]);
    Frame::new(&sample, |pair| {
        let number = |id: &str| id[1..].parse::<u64>().unwrap();
        let truth = number(&pair.target) < population[number(&pair.source) as usize].1;
        Some(if truth { Label::NearDuplicate } else { Label::Not })
    })
}

fn truth(population: &Population) -> f64 {
    let sum = |of: fn(&(u64, u64)) -> u64| population.iter().map(of).sum::<u64>() as f64;
    sum(|stratum| stratum.1) / sum(|stratum| stratum.0)
}

/// No draws behind Jeffreys's interval of several strata: these tests do not look at it.
const LIGHT: Bootstrap = Bootstrap { seed: 1, replicates: 0, confidence: 0.95 };

const NAMES: [&str; 5] = ["wilson", "design", "conservative", "clopper-pearson", "jeffreys"];

fn intervals(cells: &[Cell]) -> [Option<Interval>; 5] {
    let p = Proportion::stratified(cells, &LIGHT).unwrap();
    [p.wilson, p.design, p.conservative, p.clopper_pearson, p.jeffreys]
}

fn covers(interval: Option<Interval>, truth: f64) -> bool {
    interval.is_some_and(|i| i.low - 1e-12 <= truth && truth <= i.high + 1e-12)
}

/// The exact coverage of every interval when n of each stratum are labelled.
fn theory(population: &Population, n: u64) -> [f64; 5] {
    let truth = truth(population);
    let mut coverage = [0.0; 5];
    let outcomes = (n + 1).pow(population.len() as u32);
    for outcome in 0..outcomes {
        let (mut rest, mut probability, mut cells) = (outcome, 1.0, Vec::new());
        for &(pairs, truths) in population {
            let yes = rest % (n + 1);
            rest /= n + 1;
            probability *= hypergeometric(yes, n, truths, pairs);
            cells.push(Cell { population: pairs, labelled: n, yes });
        }
        if probability > 1e-12 {
            for (sum, interval) in coverage.iter_mut().zip(intervals(&cells)) {
                *sum += if covers(interval, truth) { probability } else { 0.0 };
            }
        }
    }
    coverage
}

#[test]
fn each_interval_covers_as_often_as_theory_says() {
    let (studies, n, tolerance) = scale();
    let populations: [&Population; 5] = [
        &[(400, 380)],
        &[(300, 297)],
        &[(200, 100)],
        &[(300, 290), (100, 60), (50, 5)],
        &[(250, 250), (150, 140), (60, 20)],
    ];
    for population in populations {
        let n = if population.len() == 1 { 5 * n } else { n };
        let (truth, theory) = (truth(population), theory(population, n));
        let mut counts = [0u64; 5];
        for seed in 0..studies {
            let frame = study(population, n * population.len() as u64, Allocation::Equal, seed);
            for (count, interval) in counts.iter_mut().zip(intervals(&frame.cells(0, true, Unsure::Out))) {
                *count += u64::from(covers(interval, truth));
            }
        }
        for (i, name) in NAMES.into_iter().enumerate().filter(|(i, _)| population.len() == 1 || *i < 3) {
            let found = counts[i] as f64 / studies as f64;
            println!("{population:?} {name}: {found:.4} of {studies} studies, theory {:.4}", theory[i]);
            assert!((found - theory[i]).abs() <= tolerance, "{population:?} {name}: {found} for {}", theory[i]);
            if i == 2 || i == 3 {
                assert!(theory[i] >= 0.95, "{name} is conservative: {}", theory[i]);
            }
        }
    }
}

#[test]
fn an_equal_sample_without_weights_is_biased_and_ours_is_not() {
    let (studies, n, _) = scale();
    let population: &Population = &[(300, 290), (100, 60), (50, 5)];
    let truth = truth(population);
    for allocation in [Allocation::Equal, Allocation::Proportional] {
        let (mut ours, mut square, mut plain) = (0.0, 0.0, 0.0);
        for seed in 0..studies {
            let frame = study(population, 3 * n, allocation, seed);
            let value = precision(&frame, 0, Unsure::Out, &LIGHT).unwrap().value().unwrap();
            let yes = frame.known(Unsure::Out).filter(|(_, truth)| *truth).count() as f64;
            (ours, square, plain) = (ours + value, square + value * value, plain + yes / (3 * n) as f64);
        }
        let count = studies as f64;
        let (ours, plain) = (ours / count, plain / count);
        let error = ((square / count - ours * ours) / count).sqrt();
        assert!((ours - truth).abs() < 4.0 * error, "{ours} for {truth}, standard error {error}");
        if allocation == Allocation::Equal {
            assert!((plain - truth).abs() > 0.15, "without weights {plain} for {truth}");
        }
    }
}

/// Two configurations: strata of pairs found by both, by the first alone, by the second alone, and by none; with the true
/// ones among them.
const CAUGHT: [(u64, u64, u64); 4] = [(300, 290, 3), (100, 70, 1), (80, 30, 2), (4_000, 40, 0)];

fn caught(n: u64, seed: u64) -> Frame {
    let mut strata = Vec::new();
    let mut drawn = Vec::new();
    for (h, &(pairs, truths, found)) in CAUGHT.iter().enumerate() {
        let mut drawer = Drawer::new(seed, n as usize, Allocation::Equal, 2);
        for i in 0..pairs {
            let (source, target) = (format!("s{h}"), format!("t{i}"));
            let rank = rank(seed, &source, &target);
            drawer
                .offer((h as u32, format!("{h}")), Candidate { rank, source: &source, target: &target, found, of: 1 });
        }
        let (mut one, pairs) = drawer.finish();
        one[0].audit = found == 0;
        for (pair, found) in pairs {
            let truth = pair.target[1..].parse::<u64>().unwrap() < truths;
            let label = Some(if truth { Label::NearDuplicate } else { Label::Not });
            drawn.push(Drawn { place: drawn.len(), stratum: h, weight: pair.weight, found, label });
        }
        strata.extend(one);
    }
    Frame {
        configurations: vec!["a".to_owned(), "b".to_owned()],
        strata,
        drawn,
        documents: false,
        even: true,
        disputed: 0,
    }
}

#[test]
fn the_recall_bound_holds_and_recall_is_covered() {
    let (studies, n, _) = scale();
    let studies = studies.min(2_000);
    let bootstrap = Bootstrap { replicates: 400, ..Bootstrap::default() };
    let (pool, all) = (360.0 / 390.0, 360.0 / 430.0);
    let (mut held, mut within, mut beyond) = (0, 0, 0);
    for seed in 0..studies {
        let recall = Recall::new(&caught(3 * n, seed), 0, Unsure::Out, &bootstrap);
        held += u64::from(recall.at_least.unwrap() <= all);
        within += u64::from(covers(recall.pool, pool));
        beyond += u64::from(covers(recall.all, all));
    }
    let share = |count: u64| count as f64 / studies as f64;
    println!("bound {:.4}, pool {:.4}, all {:.4} of {studies} studies", share(held), share(within), share(beyond));
    assert!(share(held) >= 0.95, "the bound holds in {}", share(held));
    assert!(share(within) >= 0.93 && share(beyond) >= 0.93, "{} {}", share(within), share(beyond));
}

#[test]
fn documents_stand_for_their_pairs() {
    let (studies, ..) = scale();
    // Document d has 1 + d % 5 pairs; those of documents with many pairs are true more often.
    let pairs = |d: u64| 1 + d % 5;
    let is_true = |d: u64, t: u64| (d * 7 + t * 3) % 10 < 4 + d % 5;
    let all: u64 = (0..200).map(pairs).sum();
    let truths: u64 = (0..200).map(|d| (0..pairs(d)).filter(|&t| is_true(d, t)).count() as u64).sum();
    let truth = truths as f64 / all as f64;
    let (mut sum, mut covered, mut plain) = (0.0, 0, 0.0);
    for seed in 0..studies {
        let mut documents = Documents::new(Drawer::new(seed, 60, Allocation::Proportional, 1), seed);
        for d in 0..200 {
            for t in 0..pairs(d) {
                documents.offer(&format!("{d:03}"), &format!("{t}"), 1);
            }
        }
        let (strata, pairs) = documents.finish().finish();
        let pairs = pairs.into_iter().map(|(pair, _)| pair).collect();
        let sample =
            Sample { strata, pairs, design: Design::Documents, ..Sample::default() }.named("d", &["c".to_owned()]);
        let frame = Frame::new(&sample, |pair| {
            let truth = is_true(pair.source.parse().unwrap(), pair.target.parse().unwrap());
            Some(if truth { Label::NearDuplicate } else { Label::Not })
        });
        let estimate = precision(&frame, 0, Unsure::Out, &LIGHT).unwrap();
        sum += estimate.value().unwrap();
        covered += u64::from(covers(estimate.design, truth));
        plain += estimate.yes as f64 / estimate.labelled as f64;
    }
    let (mean, plain) = (sum / studies as f64, plain / studies as f64);
    assert!((mean - truth).abs() < 0.01, "{mean} for {truth}");
    assert!((plain - truth).abs() > 0.02, "documents with few pairs would count too much: {plain} for {truth}");
    assert!(covered as f64 / studies as f64 >= 0.94, "{covered} of {studies}");
}

#[test]
fn the_plan_reaches_what_it_says() {
    let frame = study(&[(3_000, 2_900), (1_000, 600)], 40, Allocation::Equal, 1);
    let plan = Plan::new(&frame, 0, Unsure::Out, 0.03, 0.95).unwrap();
    assert!(plan.now > 0.05 && plan.then <= 0.03 && plan.total() > 50, "{plan:?}");
    assert!(plan.sentence().starts_with(&format!("label {} more pairs (stratum", plan.total())), "{}", plan.sentence());
    let all = study(&[(30, 20)], 30, Allocation::Equal, 1);
    assert_eq!(Plan::new(&all, 0, Unsure::Out, 0.02, 0.95).unwrap().sentence(), "±0.0 points now");
}

#[test]
fn unsure_out_yes_no() {
    let mut frame = study(&[(1_000, 900)], 50, Allocation::Equal, 3);
    let yes = frame.known(Unsure::Out).filter(|(_, truth)| *truth).count();
    let first = frame.drawn.iter().position(|d| d.label == Some(Label::NearDuplicate)).unwrap();
    frame.drawn[first].label = Some(Label::Unsure);
    let count = |unsure| precision(&frame, 0, unsure, &LIGHT).map(|p| (p.yes, p.labelled)).unwrap();
    let yes = yes as u64;
    assert_eq!(Unsure::ALL.map(count), [(yes - 1, 49), (yes, 50), (yes - 1, 50)]);
}
