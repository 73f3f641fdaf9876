//! Many studies with a known truth: is what is estimated from them right?
//!
//! A study is drawn by the samples' own code from a finite population whose true pairs are known, and estimated by the
//! code above. `DEJAVIEW_SLOW=1` draws more and larger studies; a small version always runs.

mod coverage;
mod together;

use std::io::Write;

use super::*;
use crate::sample::{Allocation, Candidate, Design, DocumentDrawer, Drawer, SampledPair, StratifyBy, rank};

/// How many studies, how many labels a stratum, and how far a frequency may be from its probability.
fn scale() -> (u64, u64, f64) {
    if crate::skipping::slow() {
        return (2_000, 14, 0.02);
    }
    let mut stderr = std::io::stderr();
    stderr.write_all(b"a small simulation; DEJAVIEW_SLOW=1 draws 2,000 larger ones\n").unwrap();
    (500, 8, 0.035)
}

/// A population: for each stratum its pairs and those true among them, which come first.
type Population = [(u64, u64)];

/// Number of a pair's stratum, and its own within it.
fn numbers(pair: &SampledPair) -> (usize, u64) {
    (pair.source[1..].parse().unwrap(), pair.target[1..].parse().unwrap())
}

/// A sample of a population, labelled. Configuration 0 found every pair.
fn study(population: &Population, size: u64, allocation: Allocation, seed: u64) -> Frame {
    labelled(&drawn(population, size, allocation, seed), population)
}

fn drawn(population: &Population, size: u64, allocation: Allocation, seed: u64) -> Sample {
    let mut drawer = Drawer::new(seed, size as usize, allocation, 1);
    for (h, (pairs, _)) in population.iter().enumerate() {
        for i in 0..*pairs {
            let (source, target) = (format!("s{h}"), format!("t{i}"));
            let rank = rank(seed, &source, &target);
            let candidate = Candidate { rank, source: &source, target: &target, found: 1, document_pairs: 1 };
            drawer.offer((h as u32, format!("stratum {h}")), candidate);
        }
    }
    let (strata, pairs) = drawer.finish();
    let pairs = pairs.into_iter().map(|(pair, _)| pair).collect();
    let sample = Sample { strata, pairs, design: Design::Stratified, by: StratifyBy::Jaccard, ..Sample::default() };
    sample.named("simulated", &["c".to_owned()])
}

fn said(truth: bool) -> Consensus {
    Consensus::Label(if truth { Label::NearDuplicate } else { Label::Not })
}

fn labelled(sample: &Sample, population: &Population) -> Frame {
    Frame::new(sample, |pair| {
        let (h, number) = numbers(pair);
        said(number < population[h].1)
    })
}

fn truth(population: &Population) -> f64 {
    let sum = |of: fn(&(u64, u64)) -> u64| population.iter().map(of).sum::<u64>() as f64;
    sum(|stratum| stratum.1) / sum(|stratum| stratum.0)
}

/// The share of true pairs of configuration 0.
fn estimated(frame: &Frame, unsure: Unsure) -> Proportion {
    let domain = frame.found_by(0);
    match frame.units {
        Units::Documents => by_document::by_document(frame, &domain, unsure, 0.95).unwrap(),
        _ => precision(frame, &domain, unsure, 0.95).unwrap(),
    }
}

fn covers(interval: Option<Interval>, truth: f64) -> bool {
    interval.is_some_and(|i| i.low - 1e-12 <= truth && truth <= i.high + 1e-12)
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
            let value = estimated(&frame, Unsure::Out).value().unwrap();
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

#[test]
fn every_document_counts_once_and_the_interval_is_as_wide_as_it_must_be() {
    let (studies, ..) = scale();
    // Document d has 1 + d % 5 pairs; those of documents with many pairs are true more often.
    let pairs = |d: u64| 1 + d % 5;
    let is_true = |d: u64, t: u64| (d * 7 + t * 3) % 10 < 4 + d % 5;
    let share = |d: u64| (0..pairs(d)).filter(|&t| is_true(d, t)).count() as f64 / pairs(d) as f64;
    let truth = (0..DOCUMENTS).map(share).sum::<f64>() / DOCUMENTS as f64;
    for drawn in [60, 150, DOCUMENTS as usize] {
        documents_of(drawn, studies, truth, (&pairs, &is_true));
    }
}

const DOCUMENTS: u64 = 200;

/// How many pairs a document has.
type PairsOf<'a> = &'a dyn Fn(u64) -> u64;

/// Whether a pair of a document, by number, is true.
type IsTrue<'a> = &'a dyn Fn(u64, u64) -> bool;

fn documents_of(size: usize, studies: u64, truth: f64, (pairs, is_true): (PairsOf<'_>, IsTrue<'_>)) {
    let (mut sum, mut square, mut covered, mut width) = (0.0, 0.0, 0, 0.0);
    for seed in 0..studies {
        let mut documents = DocumentDrawer::new(Drawer::new(seed, size, Allocation::Proportional, 1), seed);
        for d in 0..DOCUMENTS {
            for t in 0..pairs(d) {
                documents.offer(&format!("{d:03}"), &format!("{t}"), 1);
            }
        }
        let (strata, pairs) = documents.finish().finish();
        let pairs = pairs.into_iter().map(|(pair, _)| pair).collect();
        let sample =
            Sample { strata, pairs, design: Design::Documents, ..Sample::default() }.named("d", &["c".to_owned()]);
        let frame =
            Frame::new(&sample, |pair| said(is_true(pair.source.parse().unwrap(), pair.target.parse().unwrap())));
        let estimate = estimated(&frame, Unsure::Out);
        assert_eq!(estimate.unit, Unit::Documents);
        let interval = estimate.headline.unwrap();
        (sum, square) = (sum + interval.value, square + interval.value * interval.value);
        covered += u64::from(covers(Some(interval), truth));
        width += 2.0 * interval.half_width();
    }
    let count = studies as f64;
    let (mean, width) = (sum / count, width / count);
    let spread = (square / count - mean * mean).sqrt();
    assert!((mean - truth).abs() < 4.0 * spread / count.sqrt(), "{mean} for {truth}");
    assert!(covered as f64 / count >= 0.94, "{covered} of {studies}");
    let ratio = width / (2.0 * 1.96 * spread);
    assert!(ratio < 1.35, "{size} documents: {ratio} times as wide as the spread asks for");
}

#[test]
fn the_rail_covers_at_every_cut() {
    let (studies, n, _) = scale();
    let population: &Population = &[(300, 290), (100, 60), (50, 5)];
    // Every second pair of a stratum is a little more alike than the others.
    let score = |(h, number): (usize, u64)| [0.85, 0.6, 0.35][h] + if number % 2 == 0 { 0.1 } else { 0.0 };
    let all: Vec<(usize, u64)> = (0..3).flat_map(|h| (0..population[h].0).map(move |i| (h, i))).collect();
    let taken = TakenPairs::new(3, all.iter().map(|pair| (pair.0, score(*pair), 1)));
    let is_true = |(h, i): &(usize, u64)| *i < population[*h].1;
    let truths = all.iter().filter(|pair| is_true(pair)).count() as f64;
    for allocation in [Allocation::Equal, Allocation::Proportional] {
        let mut covered = vec![(0u64, 0u64, 0u64); steps().count()];
        for seed in 0..studies {
            let sample = drawn(population, 3 * n, allocation, seed);
            let frame = labelled(&sample, population);
            let whole = estimated(&frame, Unsure::Out).headline;
            let of = |place: usize| score(numbers(&sample.pairs[place]));
            let cuts = rail(&frame, 0, &of, &taken, Unsure::Out, 0.95);
            assert_eq!(cuts[0].precision, whole, "the rail begins with the number of the table");
            for (cut, covered) in cuts.iter().zip(&mut covered) {
                let found = all.iter().filter(|pair| is_true(pair) && score(**pair) >= cut.at).count() as f64;
                covered.0 += u64::from(covers(cut.precision, found / cut.pairs as f64));
                covered.1 += u64::from(covers(cut.recall, found / truths));
                covered.2 = cut.pairs;
            }
        }
        let shares = |of: fn(&(u64, u64, u64)) -> u64| -> Vec<f64> {
            let there = covered.iter().filter(|(.., pairs)| *pairs > 0);
            there.map(|covered| of(covered) as f64 / studies as f64).collect()
        };
        for (what, shares) in [("precision", shares(|c| c.0)), ("recall", shares(|c| c.1))] {
            let least = shares.iter().copied().fold(1.0, f64::min);
            assert!(least > 0.945, "{allocation:?}, {what}: {least} at least, {shares:?}");
        }
    }
}

#[test]
fn the_plan_reaches_what_it_says() {
    let frame = study(&[(3_000, 2_900), (1_000, 600)], 40, Allocation::Equal, 1);
    let plan = Plan::new(&frame, 0, Unsure::Out, 0.03, 0.95).unwrap();
    assert!(plan.now > 0.05 && plan.then <= 0.03 && plan.total() > 50, "{plan:?}");
    assert!(plan.sentence().starts_with(&format!("label {} more pairs (stratum", plan.drawn())), "{}", plan.sentence());
    let all = study(&[(30, 20)], 30, Allocation::Equal, 1);
    assert_eq!(Plan::new(&all, 0, Unsure::Out, 0.02, 0.95).unwrap().sentence(), "±0.0 points now");
}

#[test]
fn unsure_out_yes_no() {
    let mut frame = study(&[(1_000, 900)], 50, Allocation::Equal, 3);
    let yes = frame.known(Unsure::Out).filter(|(_, truth)| *truth).count();
    let first = frame.drawn.iter().position(|drawn| drawn.consensus == said(true)).unwrap();
    let yes = yes as u64;
    for doubtful in [Consensus::Label(Label::Unsure), Consensus::Disputed] {
        frame.drawn[first].consensus = doubtful;
        let count = |unsure| (estimated(&frame, unsure).yes, estimated(&frame, unsure).labelled);
        assert_eq!(Unsure::ALL.map(count), [(yes - 1, 49), (yes, 50), (yes - 1, 50)]);
    }
}
