//! Fits a model to labels, and says by labels that it has not seen how good it is.
//!
//! Labels are divided into folds by group (documents, or hosts). For each fold a rule is fitted to all others and decides the
//! labels of this one: these decisions are the honest estimate. Whatever is chosen by looking at labels, the penalty and the
//! cut-off, is chosen inside of what a rule is fitted to, by dividing that again.

mod folds;
mod solver;

use serde::Serialize;

use self::folds::folds;
use self::solver::Problem;
use super::clusters::ratio_of_clusters;
use dejaview_base::interval::Interval;
use dejaview_methods::learned::model::{Rule, Weight};

/// Folds that labels are divided into.
pub const FOLDS: usize = 5;
/// Labels of either kind that it takes at least.
pub const FEWEST: usize = 5;
/// How much large weights may cost; the one that loses least on unseen labels is taken.
const PENALTIES: [f64; 6] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3];
/// What a weight is told for: so much more of a feature. Features go from 0 to 1 and mean the same in every study, so the unit is
/// the same for all of them. With the spread that a feature has in one study as its unit, what hardly varies there costs
/// little, and decides where it does vary.
pub const UNIT: f64 = 0.3;
/// Near-duplicates that a cut-off of ½ counts for.
const DOUBTED: f64 = 20.0;
/// What intervals cover.
const CONFIDENCE: f64 = 0.95;

/// A labelled pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// Its features.
    pub values: Vec<f64>,
    pub near_duplicate: bool,
    /// Pairs that it stands for, relative to the others.
    pub weight: f64,
    /// What it is held out together with.
    pub group: String,
}

/// Why nothing can be fitted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TooFew {
    #[error("{yes} labels say near-duplicate and {no} say not; it takes {FEWEST} of each at least")]
    Labels { yes: usize, no: usize },
    #[error(
        "all labels that say {which} are of one group, so that none can be held out; label pairs of other documents"
    )]
    Groups { which: &'static str },
}

/// A fitted model and how good it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    pub rule: Rule,
    /// λ of the rule.
    pub penalty: f64,
    /// The rules without each fold.
    pub folds: Vec<Rule>,
    /// The fold of each example.
    pub fold_of: Vec<usize>,
    /// Whether the rule that has not seen an example calls it a near-duplicate.
    pub out_of_fold: Vec<bool>,
    /// The probability that this rule gives it.
    pub probabilities: Vec<f64>,
    /// Whether the rule of all labels does.
    pub own: Vec<bool>,
}

/// Precision, recall and F of decisions on labelled pairs. None where nothing was found, or nothing is true.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DecisionQuality {
    pub precision: Option<Interval>,
    pub recall: Option<Interval>,
    pub f1: Option<Interval>,
}

/// Fits a model to examples with these features.
pub fn fit(examples: &[Example], names: &[&str], seed: u64) -> Result<Fit, TooFew> {
    check(examples)?;
    let all: Vec<&Example> = examples.iter().collect();
    let fold_of = divide(&all, seed);
    let of_all = fit_rule(&all, names, seed);
    let folds: Vec<Rule> = (0..FOLDS)
        .map(|fold| {
            let others: Vec<&Example> = without(&all, &fold_of, fold);
            fit_rule(&others, names, seed).rule
        })
        .collect();
    let says = |rule: &Rule, example: &Example| rule.probability(&example.values) >= rule.cut_off;
    let out_of_fold = examples.iter().zip(&fold_of).map(|(example, fold)| says(&folds[*fold], example)).collect();
    let probability = |(example, fold): (&Example, &usize)| folds[*fold].probability(&example.values);
    let probabilities = examples.iter().zip(&fold_of).map(probability).collect();
    let own = examples.iter().map(|example| says(&of_all.rule, example)).collect();
    Ok(Fit { rule: of_all.rule, penalty: of_all.penalty, folds, fold_of, out_of_fold, probabilities, own })
}

/// Fails where there are too few labels, or where they cannot be divided.
fn check(examples: &[Example]) -> Result<(), TooFew> {
    let yes = examples.iter().filter(|example| example.near_duplicate).count();
    let no = examples.len() - yes;
    if yes.min(no) < FEWEST {
        return Err(TooFew::Labels { yes, no });
    }
    for (wanted, which) in [(true, "near-duplicate"), (false, "not")] {
        let mut groups: Vec<&str> =
            examples.iter().filter(|e| e.near_duplicate == wanted).map(|e| e.group.as_str()).collect();
        groups.sort_unstable();
        groups.dedup();
        if groups.len() < 2 {
            return Err(TooFew::Groups { which });
        }
    }
    Ok(())
}

fn divide(examples: &[&Example], seed: u64) -> Vec<usize> {
    let groups: Vec<&str> = examples.iter().map(|example| example.group.as_str()).collect();
    let labels: Vec<bool> = examples.iter().map(|example| example.near_duplicate).collect();
    folds(&groups, &labels, FOLDS, seed)
}

fn without<'a>(examples: &[&'a Example], fold_of: &[usize], fold: usize) -> Vec<&'a Example> {
    examples.iter().zip(fold_of).filter(|(_, of)| **of != fold).map(|(example, _)| *example).collect()
}

struct FittedRule {
    rule: Rule,
    penalty: f64,
}

/// The rule of some examples; its penalty and its cut-off are chosen by dividing these.
fn fit_rule(examples: &[&Example], names: &[&str], seed: u64) -> FittedRule {
    let fold_of = divide(examples, seed ^ 1);
    let held_out = |penalty: f64| -> Vec<f64> {
        let rules: Vec<Rule> =
            (0..FOLDS).map(|fold| with_penalty(&without(examples, &fold_of, fold), names, penalty)).collect();
        examples.iter().zip(&fold_of).map(|(example, fold)| rules[*fold].probability(&example.values)).collect()
    };
    let tried = PENALTIES.map(|penalty| (penalty, held_out(penalty)));
    let (penalty, probabilities) = tried
        .iter()
        .min_by(|a, b| loss(examples, &a.1).total_cmp(&loss(examples, &b.1)))
        .map_or((PENALTIES[0], &[][..]), |(penalty, probabilities)| (*penalty, probabilities));
    let cut_off = shrunk(best_cut_off(examples, probabilities), examples);
    FittedRule { rule: Rule { cut_off, ..with_penalty(examples, names, penalty) }, penalty }
}

/// A cut-off that was chosen by few near-duplicates is hardly better than ½: it is moved there, in log-odds, as if it were
/// known by [`DOUBTED`] further ones that say ½.
fn shrunk(cut_off: f64, examples: &[&Example]) -> f64 {
    let known = examples.iter().filter(|example| example.near_duplicate).count() as f64;
    let odds = (cut_off / (1.0 - cut_off)).ln() * known / (known + DOUBTED);
    1.0 / (1.0 + (-odds).exp())
}

/// Mean of −ln p(label), by weight.
fn loss(examples: &[&Example], probabilities: &[f64]) -> f64 {
    let of = |(example, p): (&&Example, &f64)| {
        let right = if example.near_duplicate { *p } else { 1.0 - p };
        -example.weight * right.max(1e-12).ln()
    };
    examples.iter().zip(probabilities).map(of).sum()
}

/// The cut-off with the highest F; of equal ones the one in the middle of the widest gap.
fn best_cut_off(examples: &[&Example], probabilities: &[f64]) -> f64 {
    let mut sorted: Vec<(f64, f64, bool)> =
        examples.iter().zip(probabilities).map(|(e, p)| (*p, e.weight, e.near_duplicate)).collect();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let positive: f64 = sorted.iter().filter(|(.., yes)| *yes).map(|(_, weight, _)| weight).sum();
    let (mut found, mut right) = (0.0, 0.0);
    let mut best = (0.0, 0.0, 0.5);
    for (i, (p, weight, yes)) in sorted.iter().enumerate() {
        found += weight;
        right += if *yes { *weight } else { 0.0 };
        let below = sorted.get(i + 1).map_or(0.0, |next| next.0);
        let (f, gap) = (2.0 * right / (found + positive), p - below);
        if gap > 0.0 && (f > best.0 + 1e-12 || f > best.0 - 1e-12 && gap > best.1) {
            best = (f, gap, p - gap / 2.0);
        }
    }
    best.2.clamp(1e-6, 1.0 - 1e-6)
}

/// The rule of some examples with this penalty and a cut-off of ½.
fn with_penalty(examples: &[&Example], names: &[&str], penalty: f64) -> Rule {
    let weights: Vec<f64> = examples.iter().map(|example| example.weight).collect();
    let total: f64 = weights.iter().sum();
    let mean_of = |value: &dyn Fn(&Example) -> f64| {
        examples.iter().zip(&weights).map(|(example, weight)| weight * value(example)).sum::<f64>() / total
    };
    // A feature that never varies is 0 everywhere, and gets no weight.
    let means: Vec<f64> = (0..names.len()).map(|i| mean_of(&|example| example.values[i])).collect();
    let standard = |example: &&Example| -> Vec<f64> {
        example.values.iter().zip(&means).map(|(value, mean)| (value - mean) / UNIT).collect()
    };
    let rows: Vec<Vec<f64>> = examples.iter().map(standard).collect();
    let labels: Vec<bool> = examples.iter().map(|example| example.near_duplicate).collect();
    let solution = Problem { rows: &rows, labels: &labels, weights: &weights, penalty }.solve();
    let weight = |(i, name): (usize, &&str)| Weight {
        name: (*name).to_owned(),
        weight: solution[i + 1],
        mean: means[i],
        deviation: UNIT,
    };
    Rule { cut_off: 0.5, intercept: solution[0], features: names.iter().enumerate().map(weight).collect() }
}

/// How good decisions on examples are; intervals take groups for the draw.
pub fn quality(examples: &[Example], found: &[bool]) -> DecisionQuality {
    let mut groups: std::collections::BTreeMap<&str, [f64; 3]> = std::collections::BTreeMap::new();
    for (example, found) in examples.iter().zip(found) {
        let sums = groups.entry(&example.group).or_default();
        let weight = |counts: bool| if counts { example.weight } else { 0.0 };
        sums[0] += weight(*found && example.near_duplicate);
        sums[1] += weight(*found);
        sums[2] += weight(example.near_duplicate);
    }
    let sums = || groups.values();
    DecisionQuality {
        precision: ratio_of_clusters(sums().map(|[right, found, _]| (*right, *found)), CONFIDENCE),
        recall: ratio_of_clusters(sums().map(|[right, _, positive]| (*right, *positive)), CONFIDENCE),
        f1: ratio_of_clusters(sums().map(|[right, found, positive]| (2.0 * right, found + positive)), CONFIDENCE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_base::random::Random;

    const NAMES: [&str; 3] = ["telling", "weak", "noise"];

    /// Pairs of groups of three; how alike they are tells the label, but for one in ten.
    fn examples(count: usize, seed: u64) -> Vec<Example> {
        let mut random = Random::new(seed, 0);
        let example = |i: usize| {
            let near_duplicate = random.unit() < 0.4;
            let mut about = |share: f64| {
                let centre = if near_duplicate { share } else { 1.0 - share };
                (centre + 0.12 * random.normal()).clamp(0.0, 1.0)
            };
            let values = vec![about(0.75), about(0.55), about(0.5)];
            Example { values, near_duplicate, weight: 1.0, group: format!("g{}", i / 3) }
        };
        (0..count).map(example).collect()
    }

    #[test]
    fn the_honest_estimate_is_what_new_pairs_give() {
        let fitted = fit(&examples(300, 1), &NAMES, 1).unwrap();
        let honest = quality(&examples(300, 1), &fitted.out_of_fold).f1.unwrap();
        let new = examples(5_000, 2);
        let found: Vec<bool> = new.iter().map(|e| fitted.rule.probability(&e.values) >= fitted.rule.cut_off).collect();
        let there = quality(&new, &found).f1.unwrap();
        assert!(honest.contains(there.value), "{honest:?} {there:?}");
        assert!(there.value > 0.85, "{there:?}");
        let weights: Vec<f64> = fitted.rule.features.iter().map(|weight| weight.weight).collect();
        assert!(weights[0] > weights[1] && weights[0] > weights[2], "{weights:?}");
    }

    /// Where features say nothing the training score is better than a guess, and the honest estimate is not.
    #[test]
    fn labels_without_a_reason_are_not_believed() {
        let mut random = Random::new(7, 0);
        let noise = |i: usize| Example {
            values: (0..3).map(|_| random.unit()).collect(),
            near_duplicate: i.is_multiple_of(2),
            weight: 1.0,
            group: format!("g{i}"),
        };
        let all: Vec<Example> = (0..60).map(noise).collect();
        let fitted = fit(&all, &NAMES, 1).unwrap();
        // To call everything a near-duplicate has F ⅔.
        let honest = quality(&all, &fitted.out_of_fold).f1.unwrap();
        assert!(honest.value < 0.75, "{honest:?}");
    }

    #[test]
    fn no_example_is_decided_by_a_rule_that_saw_its_group() {
        let all = examples(120, 3);
        let fitted = fit(&all, &NAMES, 1).unwrap();
        for (i, a) in all.iter().enumerate() {
            for (j, b) in all.iter().enumerate() {
                assert!(a.group != b.group || fitted.fold_of[i] == fitted.fold_of[j]);
            }
        }
        // A rule of a fold is the rule of the others alone.
        let kept: Vec<&Example> = all.iter().zip(&fitted.fold_of).filter(|(_, f)| **f != 2).map(|(e, _)| e).collect();
        assert_eq!(fit_rule(&kept, &NAMES, 1).rule, fitted.folds[2]);
    }

    #[test]
    fn too_few_labels_are_refused_with_their_numbers() {
        let mut all = examples(60, 4);
        for (i, example) in all.iter_mut().enumerate() {
            example.near_duplicate = i < 4;
        }
        assert_eq!(fit(&all, &NAMES, 1), Err(TooFew::Labels { yes: 4, no: 56 }));
        for (i, example) in all.iter_mut().enumerate() {
            example.near_duplicate = i < 20;
            example.group = if i < 20 { "one".to_owned() } else { format!("g{i}") };
        }
        assert_eq!(fit(&all, &NAMES, 1), Err(TooFew::Groups { which: "near-duplicate" }));
    }

    #[test]
    fn a_cut_off_of_few_labels_is_not_believed() {
        let all = examples(40, 6);
        let borrowed: Vec<&Example> = all.iter().collect();
        let few: Vec<&Example> = borrowed.iter().copied().take(5).collect();
        assert_eq!(shrunk(0.5, &borrowed), 0.5);
        assert!(shrunk(0.9, &few) < shrunk(0.9, &borrowed) && shrunk(0.9, &borrowed) < 0.9);
        assert!((shrunk(0.1, &few) + shrunk(0.9, &few) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn weights_are_pairs() {
        let one = |near_duplicate, weight, group: &str| Example {
            values: vec![0.0],
            near_duplicate,
            weight,
            group: group.to_owned(),
        };
        let all = [one(true, 3.0, "a"), one(false, 1.0, "b"), one(true, 1.0, "c"), one(false, 5.0, "d")];
        let found = quality(&all, &[true, true, false, false]);
        let values = [found.precision, found.recall, found.f1].map(|interval| interval.unwrap().value);
        assert_eq!(values, [0.75, 0.75, 0.75]);
        assert_eq!(quality(&all, &[false; 4]).precision, None);
    }

    #[test]
    fn the_cut_off_divides_best() {
        let all = examples(40, 5);
        let borrowed: Vec<&Example> = all.iter().collect();
        let probabilities: Vec<f64> = all.iter().map(|example| example.values[0]).collect();
        let f = |cut: f64| {
            let found: Vec<bool> = probabilities.iter().map(|p| *p >= cut).collect();
            quality(&all, &found).f1.map_or(0.0, |f1| f1.value)
        };
        let best = f(best_cut_off(&borrowed, &probabilities));
        for step in 0..=1_000 {
            assert!(f(f64::from(step) / 1_000.0) <= best + 1e-12, "{step}");
        }
    }
}
