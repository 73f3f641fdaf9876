//! A detector that was fitted to people's labels: a logistic regression over features of a pair, each of which can be shown.
//!
//! `dejaview learn` fits it and writes its model; a configuration `method = "learned"` with `model = "FILE"` uses it. It looks
//! nothing up: it decides on the pairs that the other configurations of the study found ([`Shape::Others`]), from both
//! texts. Like every method it sees the canonical texts and nothing else, so that pages with the same text have the same
//! verdict, and a model can be used in another study. Therefore neither URLs nor the other configurations of a study are
//! features; `agreement` is that of six methods which are the same everywhere.
//!
//! Cost: the sketch is the text itself; a pair takes about as long as all scores of a pair, the edit ratio and 12 sketches.
//! (Ours. Logistic regression with weights that have a known sign: Slawski and Hein, Electronic Journal of Statistics 2013.)

mod differences;
pub mod features;
pub mod model;

use self::features::{FEATURES, SHINGLE, Surroundings};
use self::model::{Model, Rule};
use super::algorithm::{self, Algorithm, Collection, Values};
use super::explanation::Explanation;
use super::method::{Evidence, Method, Reasons, Shape};
use super::own_shingles::common_shingles;
use super::parameters::{Declaration, MethodError, Value};
use super::prepared::Prepared;
use super::sampled::thousandths;
use super::statistics::Statistics;
use super::{best, log_shingles, long_sent, megashingles, sentences_words, simhash, tf};
use dejaview_text::Tokens;

/// A shingle on more pages than this is no page's own, as the default of `best` has it.
const COMMON: usize = 10;

/// What statistics store these shingles under.
const OWN_KEY: &str = "learned";

/// The methods whose agreement is a feature: of different kinds, without statistics, with their defaults.
static PANEL: [&Algorithm; 6] = [
    &simhash::ALGORITHM,
    &megashingles::ALGORITHM,
    &tf::ALGORITHM,
    &long_sent::ALGORITHM,
    &sentences_words::ALGORITHM,
    &log_shingles::ALGORITHM,
];

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters;

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "learned";
    const ABOUT: &'static str = "decides on the pairs of all other configurations by a model that `dejaview learn` fitted to people's labels: what is alike, and what differs (ours)";
    const DISTANCE: &'static str = "thousandths that the probability of a near-duplicate is short of 1, rounded down";
    const FITTED: bool = true;
    const LEARNS: bool = true;
    const DECIDES: bool = true;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        declaration.text("model", "must be given", "the file that `dejaview learn` wrote, relative to the study");
        Self
    }

    fn title(&self) -> Option<String> {
        Some(Self::NAME.to_owned())
    }

    /// The shingles of frames and forms, as `best` learns them.
    fn learn(&self, texts: &[String]) -> Vec<u64> {
        common_shingles(texts, SHINGLE, COMMON)
    }

    fn learning_key(&self) -> Option<String> {
        Some(OWN_KEY.to_owned())
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let model = collection.file.map(Model::read).transpose().map_err(|why| MethodError::Value {
            name: "model",
            found: "a file that cannot be used".to_owned(),
            expected: format!("a model; {why}"),
        })?;
        Ok(Box::new(Learned { model, surroundings: surroundings(collection.statistics)? }))
    }
}

/// Whether a configuration has its collection learn which shingles belong to frames and forms, as features need it.
pub fn learns_common_shingles(values: &Values) -> bool {
    let is = |name: &str, number: usize| {
        values.in_force().iter().any(|(known, value)| *known == name && *value == Value::Whole(number as u64))
    };
    let name = values.algorithm().name;
    name == ALGORITHM.name || name == best::ALGORITHM.name && is("common", COMMON) && is("shingle", SHINGLE)
}

fn surroundings(statistics: &Statistics) -> Result<Surroundings, MethodError> {
    // What `best` learned with the same values is the same.
    let of_best = |key: &str| {
        let has = |part: String| key.split(' ').any(|word| word == part);
        key.starts_with("best ") && has(format!("common={COMMON}")) && has(format!("shingle={SHINGLE}"))
    };
    let learned = statistics.learned_as(|key| key == OWN_KEY || of_best(key));
    let panel = PANEL.iter().map(|algorithm| Values::new(algorithm).fit(&Statistics::default()));
    Ok(Surroundings {
        statistics: statistics.clone(),
        common: learned.iter().copied().collect(),
        panel: panel.collect::<Result<_, _>>()?,
    })
}

/// Computes all features of pairs in a collection.
#[derive(Debug)]
pub struct Features {
    surroundings: Surroundings,
}

impl Features {
    pub fn new(statistics: &Statistics) -> Result<Self, MethodError> {
        Ok(Self { surroundings: surroundings(statistics)? })
    }

    /// In the order of [`FEATURES`].
    pub fn of(&self, a: &Prepared<'_>, b: &Prepared<'_>) -> Vec<f64> {
        features::values(a, b, &self.surroundings, |_| true)
    }
}

/// A configuration of the model; without one while a study is only read.
#[derive(Debug)]
struct Learned {
    model: Option<Model>,
    surroundings: Surroundings,
}

/// What the model says of a pair.
struct Verdict<'m> {
    rule: &'m Rule,
    /// The fold that the pair belongs to, where it is among the labels.
    fold: Option<usize>,
    values: Vec<f64>,
    probability: f64,
}

impl Learned {
    fn decide<'m>(&self, model: &'m Model, a: &Prepared<'_>, b: &Prepared<'_>) -> Verdict<'m> {
        let (rule, fold) = model.rule_for(a.text(), b.text());
        let values = features::values(a, b, &self.surroundings, |i| model.uses(i));
        Verdict { probability: rule.probability(&values), rule, fold, values }
    }
}

/// The text as words of a sketch, its length in bytes first.
fn packed(text: &str, out: &mut Vec<u64>) {
    out.push(text.len() as u64);
    for chunk in text.as_bytes().chunks(8) {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        out.push(u64::from_le_bytes(bytes));
    }
}

fn unpacked(sketch: &[u64]) -> String {
    let Some((length, words)) = sketch.split_first() else { return String::new() };
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(*length as usize);
    String::from_utf8(bytes).unwrap_or_default()
}

impl Method for Learned {
    fn shape(&self) -> Shape<'_> {
        Shape::Others
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let has_words = self.model.is_some() && !document.tokens().is_empty();
        if has_words {
            packed(document.text(), out);
        }
        has_words
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let texts = [a, b].map(unpacked);
        let tokens = [&texts[0], &texts[1]].map(|text| {
            let mut tokens = Tokens::new();
            tokens.read(text);
            tokens
        });
        let [a, b] = [0, 1].map(|i| Prepared::new(&texts[i], &tokens[i]));
        let verdict = self.decide(self.model.as_ref()?, &a, &b);
        (verdict.probability >= verdict.rule.cut_off).then(|| Evidence { distance: thousandths(verdict.probability) })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let claim = |claim: &str| Reasons { claim: claim.to_owned(), ..Reasons::default() };
        let Some(model) = &self.model else { return claim("there is no model") };
        if source.tokens().is_empty() || target.tokens().is_empty() {
            return claim("a document has no words");
        }
        let verdict = self.decide(model, source, target);
        let Verdict { rule, probability, .. } = &verdict;
        let claim = format!(
            "probability {probability:.3} of a near-duplicate ({:.3} is asked for), by a model of {} labels",
            rule.cut_off, model.labels.pairs
        );
        let mut parts = vec![contributions(&verdict)];
        if let Some(fold) = verdict.fold {
            let folds = model.folds.len();
            let claim = format!(
                "the pair is among the labels of the model: fold {} of {folds} decides, which was fitted without it",
                fold + 1
            );
            parts.push(Explanation::new(claim, None));
        }
        Reasons { claim, value: Some(f64::from(thousandths(*probability))), parts, ..Reasons::default() }
    }

    fn print(&self, sketch: &[u64]) -> String {
        dejaview_base::hash::digest(unpacked(sketch).as_bytes())
    }
}

/// What each feature adds to the log-odds, the largest first.
fn contributions(verdict: &Verdict<'_>) -> Explanation {
    let rule = verdict.rule;
    let added = FEATURES.iter().zip(&rule.features).zip(rule.contributions(&verdict.values)).zip(&verdict.values);
    let mut parts: Vec<(f64, Explanation)> = added
        .filter(|(((_, weight), _), _)| weight.weight > 0.0)
        .map(|(((feature, weight), added), value)| {
            let claim = format!("{added:+.2}: {} {value:.3} (mean {:.3})", feature.about, weight.mean);
            (added, Explanation::new(claim, added))
        })
        .collect();
    parts.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let odds = rule.intercept + parts.iter().map(|(added, _)| added).sum::<f64>();
    let claim = format!("log-odds {odds:+.2}: {:+.2} for every pair, and for how alike the two are in", rule.intercept);
    Explanation::new(claim, odds).with(parts.into_iter().map(|(_, part)| part).collect())
}

#[cfg(test)]
mod tests;
