//! Does the interval for further segments cover what they show? Populations of documents with known chances.
//!
//! `DEJAVIEW_SLOW=1` draws more studies and writes what it found to standard error; a small version always runs.

use std::io::Write;

use super::extrapolation::{COVERAGE, saturating};
use dejaview_base::random::Random;

/// Documents of a source.
const DOCUMENTS: usize = 1_000;

/// Segments, as a multiple of those read.
const TIMES: [usize; 2] = [2, 4];

/// Draws the chance of a document.
type Chance = fn(&mut Random) -> f64;

/// How chances of documents are spread, by name.
const POPULATIONS: [(&str, Chance); 8] = [
    ("all 0.06", |_| 0.06),
    ("all 0.2", |_| 0.2),
    ("beta(0.5, 5)", |random| random.beta(0.5, 5.0)),
    ("beta(1, 20)", |random| random.beta(1.0, 20.0)),
    ("beta(0.2, 1)", |random| random.beta(0.2, 1.0)),
    ("half never, else 0.15", |random| if random.unit() < 0.5 { 0.0 } else { 0.15 }),
    ("0.6 never, else beta(1, 4)", |random| if random.unit() < 0.6 { 0.0 } else { random.beta(1.0, 4.0) }),
    ("0.3 of them 0.4, else 0.02", |random| if random.unit() < 0.3 { 0.4 } else { 0.02 }),
];

/// What documents with these chances show: how many in exactly 1, 2, … of the segments read, and how many in all after each
/// multiple of them.
fn study(chance: Chance, read: usize, random: &mut Random) -> (Vec<u64>, [u64; 2]) {
    let (mut recurring, mut truth) = (vec![0; read], [0; 2]);
    for _ in 0..DOCUMENTS {
        let chance = chance(random);
        let seen: Vec<bool> = (0..read * TIMES[1]).map(|_| random.unit() < chance).collect();
        let count = seen[..read].iter().filter(|seen| **seen).count();
        if count > 0 {
            recurring[count - 1] += 1;
        }
        for (truth, times) in truth.iter_mut().zip(TIMES) {
            *truth += u64::from(seen[..read * times].contains(&true));
        }
    }
    (recurring, truth)
}

/// How often the intervals cover, and how wide they are on average.
fn coverage(chance: Chance, read: usize, rounds: u64) -> [(f64, f64); 2] {
    let mut found = [(0.0, 0.0); 2];
    for round in 0..rounds {
        let (recurring, truth) = study(chance, read, &mut Random::new(11, round));
        let forecasts = saturating(&recurring, &TIMES.map(|times| read * times), DOCUMENTS as u64);
        for ((found, forecast), truth) in found.iter_mut().zip(forecasts).zip(truth) {
            let interval = forecast.interval.unwrap();
            found.0 += f64::from(u8::from(interval.contains(truth as f64))) / rounds as f64;
            found.1 += 2.0 * interval.half_width() / rounds as f64;
        }
    }
    found
}

#[test]
fn the_interval_covers_what_further_segments_show() {
    covers_after(4, if crate::skipping::slow() { 400 } else { 6 });
}

#[test]
fn the_interval_covers_after_ten_segments() {
    if crate::skipping::only_when_slow() {
        covers_after(10, 400);
    }
}

/// So many studies of each population, and intervals that cover often enough in all of them.
fn covers_after(read: usize, rounds: u64) {
    let luck = 3.0 * (COVERAGE * (1.0 - COVERAGE) / rounds as f64).sqrt();
    for (name, chance) in POPULATIONS {
        let found = coverage(chance, read, rounds);
        let line = format!("{read} segments, chances {name}: coverage and width {found:.3?}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        assert!(found.iter().all(|(covered, _)| *covered >= COVERAGE - luck), "{line}");
    }
}
