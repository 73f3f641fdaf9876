//! Samples that overlap, put together: is what they say right, and surer than the best of them?

use super::*;
use crate::estimates::{Crossed, CrossedPair, Part, Represented};

/// A kind of pairs: its strata in both samples, the configurations that found it, how many there are, how many are true.
type Kind = ([Option<u16>; 2], u64, u64, u64);

/// The first sample is of configuration 0 in one pot; the second of both, in two strata by similarity.
const KINDS: [Kind; 6] = [
    ([Some(0), Some(0)], 0b11, 220, 216),
    ([Some(0), Some(1)], 0b11, 60, 30),
    ([Some(0), Some(0)], 0b01, 50, 40),
    ([Some(0), Some(1)], 0b01, 70, 12),
    ([None, Some(0)], 0b10, 60, 40),
    ([None, Some(1)], 0b10, 40, 4),
];

/// One study: the first sample of `sizes.0` pairs, the second of `sizes.1` in each stratum; labels by the truth.
fn crossed(sizes: (usize, usize), seed: u64) -> Crossed {
    let mut crossed = Crossed {
        samples: vec!["one".to_owned(), "two".to_owned()],
        configurations: vec!["a".to_owned(), "b".to_owned()],
        drawn_from: vec![0b01, 0b11],
        ..Crossed::default()
    };
    let mut ranked: [Vec<(u64, usize)>; 3] = Default::default();
    for (k, (strata, found, pairs, truths)) in KINDS.into_iter().enumerate() {
        let by = |c: u64| if found >> c & 1 == 1 { pairs } else { 0 };
        let alone = |c: u64| if found == 1 << c { pairs } else { 0 };
        let part = Part {
            strata: strata.to_vec(),
            population: pairs,
            found: vec![by(0), by(1)],
            alone: vec![alone(0), alone(1)],
        };
        crossed.parts.push(part);
        for i in 0..pairs {
            let place = crossed.drawn.len();
            let said = if i < truths { Consensus::Label(Label::NearDuplicate) } else { Consensus::Label(Label::Not) };
            let (source, target) = (k.to_string(), i.to_string());
            if strata[0].is_some() {
                ranked[0].push((rank(seed, &source, &target), place));
            }
            if let Some(h) = strata[1] {
                ranked[1 + usize::from(h)].push((rank(seed ^ 0xb0b, &source, &target), place));
            }
            crossed.drawn.push(CrossedPair { part: k, found, consensus: vec![said; 2], places: vec![Some(place); 2] });
        }
    }
    let mut keep = vec![[false; 2]; crossed.drawn.len()];
    for (at, (ranked, size)) in ranked.iter_mut().zip([sizes.0, sizes.1, sizes.1]).enumerate() {
        ranked.sort_unstable();
        for (_, place) in &ranked[..size] {
            keep[*place][usize::from(at > 0)] = true;
        }
    }
    for (pair, keep) in crossed.drawn.iter_mut().zip(&keep) {
        for (said, keep) in pair.consensus.iter_mut().zip(keep) {
            *said = if *keep { *said } else { Consensus::Undecided };
        }
    }
    crossed.drawn.retain(|pair| pair.consensus.iter().any(|said| *said != Consensus::Undecided));
    // Frames of single samples name pairs by their places here.
    crossed.drawn.iter_mut().enumerate().for_each(|(at, pair)| pair.places = vec![Some(at); 2]);
    crossed
}

/// What labels stand for, by both samples together.
fn represented(crossed: &Crossed) -> Represented {
    let frames = [0, 1].map(|s| crossed.frame(&[s]).0);
    crossed.represented(&[&frames[0], &frames[1]], Unsure::Out)
}

/// The weighted share of true pairs among those of a configuration.
fn weighted_share(crossed: &Crossed, c: u64) -> f64 {
    let weights = represented(crossed).weights;
    let mine = crossed.drawn.iter().zip(weights).filter(|(pair, _)| pair.found >> c & 1 == 1);
    let near = |pair: &CrossedPair| pair.consensus.contains(&Consensus::Label(Label::NearDuplicate));
    let (yes, all) =
        mine.fold((0.0, 0.0), |(yes, all), (pair, weight)| (yes + if near(pair) { weight } else { 0.0 }, all + weight));
    yes / all
}

#[test]
fn weighted_labels_of_two_samples_are_right_on_average() {
    let (studies, n, _) = scale();
    // The first sample takes half of its pairs, the second a few: what it alone could draw stands for many.
    for (c, truth) in [(0, 298.0 / 400.0), (1, 290.0 / 380.0)] {
        let shares = (0..studies).map(|seed| weighted_share(&crossed((200, 3 * n as usize), seed), c));
        let shares: Vec<f64> = shares.collect();
        let mean = shares.iter().sum::<f64>() / studies as f64;
        let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / studies as f64;
        let error = (variance / studies as f64).sqrt();
        assert!((mean - truth).abs() < 4.0 * error, "{c}: {mean} for {truth}, standard error {error}");
    }
}

#[test]
fn labels_stand_for_the_pairs_that_samples_were_drawn_from() {
    let crossed = crossed((200, 30), 1);
    let both = represented(&crossed);
    assert_eq!((both.pairs, &both.beyond), (500, &vec![false, false]));
    assert!((both.weights.iter().sum::<f64>() - 500.0).abs() < 60.0, "{}", both.weights.iter().sum::<f64>());
    let alone = Crossed {
        samples: vec!["one".to_owned()],
        parts: crossed.parts.iter().map(|part| Part { strata: part.strata[..1].to_vec(), ..part.clone() }).collect(),
        drawn: crossed
            .drawn
            .iter()
            .map(|pair| CrossedPair { consensus: pair.consensus[..1].to_vec(), ..pair.clone() })
            .collect(),
        ..crossed.clone()
    };
    let first = alone.represented(&[&alone.frame(&[0]).0], Unsure::Out);
    // It was drawn from configuration 0; configuration 1 found 100 pairs more.
    assert_eq!((first.pairs, &first.beyond), (400, &vec![false, true]));
    let weights: Vec<f64> = first.weights.into_iter().filter(|weight| *weight > 0.0).collect();
    assert!(weights.len() == 200 && weights.iter().all(|weight| (weight - 2.0).abs() < 1e-9), "{weights:?}");
}

#[test]
fn labels_stand_for_no_stratum_of_which_none_decides() {
    let mut crossed = crossed((200, 30), 1);
    for pair in &mut crossed.drawn {
        pair.consensus[0] = Consensus::Undecided;
        if crossed.parts[pair.part].strata[1] == Some(1) {
            pair.consensus[1] = Consensus::Disputed;
        }
    }
    let one_stratum = represented(&crossed);
    assert_eq!((one_stratum.pairs, &one_stratum.beyond), (330, &vec![true, true]));
}

#[test]
fn two_samples_cover_and_are_surer_than_one() {
    let (studies, n, _) = scale();
    let sizes = (5 * n as usize, 3 * n as usize);
    let sum =
        |c: u64, of: fn(&Kind) -> u64| KINDS.iter().filter(|kind| kind.1 >> c & 1 == 1).map(of).sum::<u64>() as f64;
    let all = KINDS.iter().map(|kind| kind.3).sum::<u64>() as f64;
    for c in [0, 1] {
        let precision = sum(c, |kind| kind.3) / sum(c, |kind| kind.2);
        let recall = sum(c, |kind| kind.3) / all;
        let (mut value, mut square, mut covered, mut widths, mut combined) = (0.0, 0.0, [0u64; 2], [0.0; 2], 0u64);
        for seed in 0..studies {
            let crossed = crossed(sizes, seed);
            let first = if c == 0 { 0 } else { 1 };
            let single = Estimate::new(&crossed.frame(&[first]).0, c as usize, Unsure::Out, 0.95);
            let Some(together) = crossed.best(c as usize, Some(first), Unsure::Out, 0.95) else { continue };
            assert_eq!(together.samples, [0, 1]);
            let interval = together.estimate.precision.as_ref().unwrap().headline.unwrap();
            (value, square) = (value + interval.value, square + interval.value * interval.value);
            covered[0] += u64::from(covers(Some(interval), precision));
            covered[1] += u64::from(covers(together.estimate.recall.pool, recall));
            widths[0] += single.precision.unwrap().headline.unwrap().half_width();
            widths[1] += interval.half_width();
            combined += 1;
        }
        assert!(combined > studies / 2, "configuration {c}: {combined} of {studies} put together");
        let count = combined as f64;
        let mean = value / count;
        let error = ((square / count - mean * mean) / count).sqrt();
        println!("{c}: mean {mean} of {precision}, covered {covered:?} of {combined}, widths {widths:?}");
        assert!((mean - precision).abs() < 4.0 * error, "{mean} for {precision}, standard error {error}");
        let least = 0.95 - 3.0 * (0.95 * 0.05 / count).sqrt();
        assert!(covered.iter().all(|covered| *covered as f64 / count > least), "{covered:?} of {combined}");
        assert!(widths[1] < 0.95 * widths[0], "together no wider: {widths:?}");
    }
}

#[test]
fn a_sample_that_leaves_a_part_without_labels_stays_alone() {
    let mut crossed = crossed((80, 60), 1);
    assert!(crossed.best(1, Some(1), Unsure::Out, 0.95).is_some());
    // Of the pairs that configuration 1 alone found none has a label any more: the first sample does not hold them.
    crossed.drawn.retain(|pair| pair.part < 4);
    assert!(crossed.best(1, Some(1), Unsure::Out, 0.95).is_none());
    assert!(crossed.best(0, Some(0), Unsure::Out, 0.95).is_some(), "those of configuration 0 have them");
}

#[test]
fn two_samples_serve_what_neither_does() {
    let mut crossed = crossed((80, 60), 1);
    // The second sample is now of configuration 1 alone: the union of both, a third, lies in neither.
    for part in &mut crossed.parts {
        part.strata[1] = part.strata[1].filter(|_| part.found[1] > 0);
        part.found.push(part.population);
        part.alone.push(0);
    }
    for pair in &mut crossed.drawn {
        pair.consensus[1] = if pair.found >> 1 & 1 == 1 { pair.consensus[1] } else { Consensus::Undecided };
        pair.found |= 0b100;
    }
    crossed.configurations.push("either".to_owned());
    let together = crossed.best(2, None, Unsure::Out, 0.95).unwrap();
    let precision = together.estimate.precision.unwrap();
    assert_eq!((together.samples, precision.population), (vec![0, 1], 500));
    assert!(covers(precision.headline, 342.0 / 500.0), "{precision:?}");
}
