//! Does the method show what the paper says of it: the stability formula, and recall that grows with the lexicons?

use std::collections::BTreeSet;

use super::tests::{borrowed, word};
use super::*;
use crate::algorithm::Values;
use crate::curves::stability;
use crate::lexicon::naive::collection;
use crate::parameters::Value;
use crate::testing::{fitted, sketch, statistics, verdict};
use dejaview_base::hash::M;

/// Numbers that look random, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(M);
        (fmix64(self.0) % n as u64) as usize
    }

    /// `n` different numbers below `all`.
    fn several(&mut self, n: usize, all: usize) -> Vec<usize> {
        let mut numbers = Vec::new();
        while numbers.len() < n {
            let number = self.below(all);
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        numbers
    }
}

/// Documents of 40 words of L with `changes` of them taken away or others added, under new lexicons each time.
fn survived(changes: usize, lexicons: u64, trials: u64) -> f64 {
    const WORDS: usize = 200;
    let vocabulary: Vec<String> = (0..WORDS).map(word).collect();
    let words: Vec<(&str, usize)> = vocabulary.iter().map(|word| (word.as_str(), 10)).collect();
    let mut texts = collection(100, &words);
    texts[0].push_str(" rarest");
    let statistics = statistics(&borrowed(&texts));
    let mut dice = Dice(1000 * lexicons + changes as u64);
    let mut matched = 0;
    for trial in 0..trials {
        let mut values = Values::new(&ALGORITHM);
        values.set("lexicons", Value::Whole(lexicons)).unwrap();
        values.set("seed", Value::Whole(1000 * trial + lexicons)).unwrap();
        let method = values.fit(&statistics).unwrap();
        let mut holds = vec![false; WORDS];
        dice.several(40, WORDS).into_iter().for_each(|i| holds[i] = true);
        let text = |holds: &[bool]| -> String {
            (0..WORDS).filter(|&i| holds[i]).map(|i| format!("{} ", vocabulary[i])).collect()
        };
        let source = text(&holds);
        dice.several(changes, WORDS).into_iter().for_each(|i| holds[i] = !holds[i]);
        matched += u64::from(verdict(&*method, &source, &text(&holds)).is_some());
    }
    matched as f64 / trials as f64
}

#[test]
fn stability_is_what_the_method_shows() {
    for lexicons in [2, 5, 10] {
        for changes in 1..=4 {
            let expected = stability(0.33, changes, lexicons as usize);
            let found = survived(changes, lexicons, 1000);
            let error = (expected * (1.0 - expected) / 1000.0).sqrt();
            assert!(
                (found - expected).abs() < 3.5 * error,
                "{changes} changes, {lexicons} lexicons: {found} for {expected:.4} ± {error:.4}"
            );
        }
    }
}

/// Groups of documents of which half differ from their template in a few words, as spam does.
fn mail(groups: usize, copies: usize) -> Vec<BTreeSet<usize>> {
    let mut dice = Dice(7);
    // The square prefers small numbers: words are common and rare.
    let any = |dice: &mut Dice| dice.below(1500) * dice.below(1500) / 1500;
    let mut all = Vec::new();
    for _ in 0..groups {
        let mut template = BTreeSet::new();
        while template.len() < 60 {
            template.insert(any(&mut dice));
        }
        for _ in 0..copies {
            let mut copy = template.clone();
            let changed = dice.below(2);
            for _ in 0..changed * dice.below(3) {
                let word = *copy.iter().nth(dice.below(copy.len())).unwrap();
                copy.remove(&word);
            }
            for _ in 0..changed * dice.below(3) {
                copy.insert(any(&mut dice));
            }
            all.push(copy);
        }
    }
    all
}

#[test]
fn recall_grows_with_the_lexicons() {
    let sets = mail(40, 4);
    let texts: Vec<String> =
        sets.iter().map(|set| set.iter().map(|&i| word(i)).collect::<Vec<_>>().join(" ")).collect();
    let cosine = |a: &BTreeSet<usize>, b: &BTreeSet<usize>| {
        a.intersection(b).count() as f64 / ((a.len() * b.len()) as f64).sqrt()
    };
    let recall = |lexicons: u64| {
        let method = fitted(&ALGORITHM, &[("lexicons", Value::Whole(lexicons))], &borrowed(&texts));
        let sketches: Vec<Vec<u64>> = texts.iter().map(|text| sketch(&*method, text).unwrap()).collect();
        let (mut sum, mut queries) = (0.0, 0);
        for (i, query) in sets.iter().enumerate() {
            let others = (0..sets.len()).filter(|&j| j != i);
            let (near, far): (Vec<usize>, Vec<usize>) = others.partition(|&j| cosine(query, &sets[j]) >= 0.9);
            let found = |j: &&usize| method.compare(&sketches[i], &sketches[**j]).is_some();
            assert!(far.iter().filter(found).all(|&j| i / 4 == j / 4), "pairs of different templates");
            if !near.is_empty() {
                sum += near.iter().filter(found).count() as f64 / near.len() as f64;
                queries += 1;
            }
        }
        assert!(queries > 100);
        sum / f64::from(queries)
    };
    let found = [0, 2, 5, 10].map(recall);
    // The paper: 0.40, 0.49, 0.55, 0.61 and 0.66, 0.72, 0.76, 0.80 for two collections of mail.
    assert!(found.is_sorted_by(|a, b| a + 0.02 < *b), "{found:?}");
    assert!(found[3] / found[0] > 1.2, "{found:?}");
}
