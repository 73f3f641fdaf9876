//! A fitted model: weights of features, their usual values, a cut-off, and the labels it was fitted to, by digest.
//!
//! It is a file of JSON that people can read and another study can use. Beside the rule that all labels gave it holds one
//! rule for each fold of the labels, fitted without that fold, and says to which fold each labelled pair belongs. A labelled
//! pair is always decided by the rule that has not seen it: so whatever is counted on these labels is an estimate for pairs
//! that nobody has labelled.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::features::{FEATURES, REVISION};
use dejaview_base::hash;

/// What a file must begin with to be a model.
const FORMAT: &str = "dejaview-model";

/// Why a file is no model that can be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("it is not the JSON of a model: {0}")]
    Json(#[from] serde_json::Error),
    #[error("it is no model of dejaview: its `format` is “{0}”")]
    Format(String),
    #[error(
        "it was made by another version of dejaview (features of revision {0}, here {REVISION}); fit it again with `dejaview learn`"
    )]
    Revision(u32),
    #[error("{0}")]
    Features(String),
}

/// A model as its file has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    format: String,
    /// What features mean.
    revision: u32,
    pub labels: FittedLabels,
    /// The rule that all labels gave.
    pub rule: Rule,
    /// The rules without the labels of each fold.
    pub folds: Vec<Rule>,
    /// The fold of each labelled pair, by [`pair_digest`] of its texts.
    pub pairs: BTreeMap<String, usize>,
}

/// The labels that a model was fitted to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FittedLabels {
    /// Digest of the labelled pairs and their labels.
    pub digest: String,
    pub pairs: u64,
    pub near_duplicates: u64,
}

/// A logistic regression: the log-odds of a near-duplicate are the intercept and what each feature contributes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Least probability of a near-duplicate.
    pub cut_off: f64,
    /// Log-odds of a pair whose features all have their means.
    pub intercept: f64,
    pub features: Vec<Weight>,
}

/// The weight of one feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weight {
    pub name: String,
    /// Log-odds for each `deviation` above the mean; never below 0.
    pub weight: f64,
    pub mean: f64,
    pub deviation: f64,
}

impl Rule {
    /// What each feature adds to the log-odds.
    pub fn contributions<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let contribution = |(weight, value): (&Weight, &f64)| weight.weight * (value - weight.mean) / weight.deviation;
        self.features.iter().zip(values).map(contribution)
    }

    /// Probability of a near-duplicate.
    pub fn probability(&self, values: &[f64]) -> f64 {
        let odds = self.intercept + self.contributions(values).sum::<f64>();
        1.0 / (1.0 + (-odds).exp())
    }
}

impl Model {
    pub fn new(labels: FittedLabels, rule: Rule, folds: Vec<Rule>, pairs: BTreeMap<String, usize>) -> Self {
        Self { format: FORMAT.to_owned(), revision: REVISION, labels, rule, folds, pairs }
    }

    /// Reads a model, and checks that its features are those of this version.
    pub fn read(text: &str) -> Result<Self, ModelError> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
            revision: u32,
        }
        let head: Head = serde_json::from_str(text)?;
        if head.format != FORMAT {
            return Err(ModelError::Format(head.format));
        }
        if head.revision != REVISION {
            return Err(ModelError::Revision(head.revision));
        }
        let model: Self = serde_json::from_str(text)?;
        std::iter::once(&model.rule).chain(&model.folds).try_for_each(check)?;
        match model.pairs.values().find(|fold| **fold >= model.folds.len()) {
            Some(fold) => Err(ModelError::Features(format!("a pair is of fold {fold}, which the file does not have"))),
            None => Ok(model),
        }
    }

    /// The file of the model.
    pub fn written(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The rule that decides two texts, and the number of its fold where the pair is among the labels.
    pub fn rule_for(&self, a: &str, b: &str) -> (&Rule, Option<usize>) {
        let fold = self.pairs.get(&pair_digest(a, b)).copied();
        (fold.and_then(|fold| self.folds.get(fold)).unwrap_or(&self.rule), fold)
    }

    /// Whether a feature has a weight in any of the rules.
    pub(super) fn uses(&self, feature: usize) -> bool {
        std::iter::once(&self.rule).chain(&self.folds).any(|rule| rule.features[feature].weight > 0.0)
    }
}

/// Fails unless a rule has the features of this version with numbers that make sense.
fn check(rule: &Rule) -> Result<(), ModelError> {
    let wrong = |why: String| Err(ModelError::Features(why));
    if !rule.features.iter().map(|weight| weight.name.as_str()).eq(FEATURES.iter().map(|feature| feature.name)) {
        let names: Vec<&str> = FEATURES.iter().map(|feature| feature.name).collect();
        return wrong(format!("its features are not those of this version: {}", names.join(", ")));
    }
    if !rule.intercept.is_finite() || !(0.0..=1.0).contains(&rule.cut_off) {
        return wrong("its intercept must be a number, and its cut-off lie between 0 and 1".to_owned());
    }
    let sound = |w: &&Weight| w.weight >= 0.0 && w.weight.is_finite() && w.mean.is_finite() && w.deviation > 0.0;
    match rule.features.iter().find(|weight| !sound(weight)) {
        Some(weight) => wrong(format!("the weight of {} must be 0 or more, and its deviation above 0", weight.name)),
        None => Ok(()),
    }
}

/// What names a pair of texts, whichever comes first.
pub fn pair_digest(a: &str, b: &str) -> String {
    let mut both = [a, b].map(|text| hash::digest_bits(text.as_bytes()).to_be_bytes());
    both.sort_unstable();
    hash::digest(&both.concat())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A rule that looks at some features: name, weight. Means are 0.5 and deviations 0.25.
    pub(crate) fn rule(cut_off: f64, weights: &[(&str, f64)]) -> Rule {
        let weight = |name: &str| weights.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, weight)| *weight);
        let features = FEATURES.iter().map(|feature| Weight {
            name: feature.name.to_owned(),
            weight: weight(feature.name),
            mean: 0.5,
            deviation: 0.25,
        });
        Rule { cut_off, intercept: 0.0, features: features.collect() }
    }

    pub(crate) fn model(rule: Rule) -> Model {
        Model::new(FittedLabels::default(), rule, Vec::new(), BTreeMap::new())
    }

    #[test]
    fn a_model_comes_back_as_it_was_written() {
        let fold = rule(0.4, &[("edit", 1.0)]);
        let pairs = [(pair_digest("a", "b"), 0)].into_iter().collect();
        let whole =
            Model::new(FittedLabels { pairs: 7, ..FittedLabels::default() }, rule(0.5, &[]), vec![fold.clone()], pairs);
        assert_eq!(Model::read(&whole.written()).unwrap(), whole);
        assert_eq!(whole.rule_for("b", "a"), (&fold, Some(0)), "a labelled pair has the rule that has not seen it");
        assert_eq!(whole.rule_for("a", "c"), (&whole.rule, None));
    }

    #[test]
    fn what_is_no_model_is_refused_with_the_reason() {
        let written = model(rule(0.5, &[])).written();
        let refused = |text: &str| Model::read(text).unwrap_err().to_string();
        assert!(refused("[1, 2").contains("not the JSON of a model"));
        assert!(refused(&written.replace("dejaview-model", "other")).contains("“other”"));
        let other = written.replace("\"revision\": 1", "\"revision\": 7");
        assert!(refused(&other).contains("revision 7") && refused(&other).contains("dejaview learn"));
        assert!(refused(&written.replace("own-shingles", "lucky-numbers")).contains("not those of this version"));
        assert!(refused(&written.replace("\"deviation\": 0.25", "\"deviation\": 0.0")).contains("deviation above 0"));
    }

    #[test]
    fn the_probability_is_the_sum_of_the_contributions() {
        let rule = rule(0.5, &[("words", 2.0), ("edit", 1.0)]);
        let mut values = vec![0.5; FEATURES.len()];
        assert_eq!(rule.probability(&values), 0.5);
        values[0] = 0.75;
        assert!((rule.probability(&values) - 1.0 / (1.0 + (-2.0f64).exp())).abs() < 1e-12);
        assert_eq!(rule.contributions(&values).collect::<Vec<_>>()[0], 2.0);
    }
}
