//! What a method on offer is: its name, its parameters, and how both become a [`Method`] for one collection.
//!
//! The parameters of a method are a type, and that type is all a method has to declare: [`Parameters`] says what it is
//! called, which values a study may set, and what is built from them. [`Algorithm`] is the same for a catalogue, whatever
//! the type; [`Values`] are what one configuration sets.

use std::collections::BTreeMap;

use super::method::Method;
use super::parameters::{Declaration, MethodError, Parameter, Preset, Value};
use super::statistics::Statistics;

/// The parameters of a method, and what is built from them.
pub trait Parameters: Sized {
    /// Stable: stored with results and written in `study.toml`.
    const NAME: &'static str;
    /// One sentence, and the paper.
    const ABOUT: &'static str;
    /// What the `distance` of its pairs counts; 0 is no difference that it can see.
    const DISTANCE: &'static str;
    /// Whether it rests on statistics of a collection: document frequencies, lexicons, support words.
    const FITTED: bool = false;
    /// Whether it learns from documents as well, beyond counts of words.
    const LEARNS: bool = false;
    /// Whether its pairs are read from files, which its parameter `pairs` names, instead of being found.
    const IMPORTS: bool = false;
    /// Raised when the same values find other pairs than before, so that a study knows that it must be run again.
    const REVISION: u32 = 1;

    /// Declares every parameter, in the order in which help lists them.
    fn declare(declaration: &mut Declaration<'_>) -> Self;

    /// The name of a configuration when the study gives none; by default the method's name with every value that was
    /// set to something else than its default.
    fn title(&self) -> Option<String> {
        None
    }

    /// What it learns from documents beyond counts of words; kept with the statistics and handed back as
    /// [`Collection::learned`]. `texts` are at most [`super::statistics::LEARNERS`] documents of the collection.
    fn learn(&self, _texts: &[String]) -> Vec<u64> {
        Vec::new()
    }

    /// The n and the threshold when these values find every pair whose Jaccard of word n-grams reaches the threshold: such
    /// a configuration is the truth that others are measured against.
    fn finds_all(&self) -> Option<(usize, f64)> {
        None
    }

    /// Ties the method to a collection; an error where the values do not go together.
    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError>;

    /// Every parameter at its default.
    fn usual() -> Self {
        Self::declare(&mut Declaration::new(&BTreeMap::new()))
    }
}

/// What is known of the collection that a method is fitted to.
#[derive(Debug, Clone, Copy)]
pub struct Collection<'a> {
    pub statistics: &'a Statistics,
    /// What [`Parameters::learn`] found in it with the same values; empty when nothing was learned.
    pub learned: &'a [u64],
}

/// Ties a method to values that a study gives, and to a collection.
type Fit = fn(&Values, &Collection<'_>) -> Result<Box<dyn Method>, MethodError>;

/// A method as the catalogue lists it.
#[derive(Debug)]
pub struct Algorithm {
    pub name: &'static str,
    pub about: &'static str,
    pub distance: &'static str,
    pub fitted: bool,
    pub learns: bool,
    pub imports: bool,
    pub revision: u32,
    parameters: fn() -> Vec<Parameter>,
    title: fn(&Values) -> Option<String>,
    learn: fn(&Values, &[String]) -> Vec<u64>,
    finds_all: fn(&Values) -> Option<(usize, f64)>,
    fit: Fit,
}

impl Algorithm {
    pub const fn of<P: Parameters>() -> Self {
        Self {
            name: P::NAME,
            about: P::ABOUT,
            distance: P::DISTANCE,
            fitted: P::FITTED,
            learns: P::LEARNS,
            imports: P::IMPORTS,
            revision: P::REVISION,
            parameters: table::<P>,
            title: |values| values.read::<P>().title(),
            learn: |values, texts| values.read::<P>().learn(texts),
            finds_all: |values| values.read::<P>().finds_all(),
            fit: |values, collection| values.read::<P>().fit(collection),
        }
    }

    /// What a study may set.
    pub fn parameters(&self) -> Vec<Parameter> {
        (self.parameters)()
    }
}

fn table<P: Parameters>() -> Vec<Parameter> {
    let nothing = BTreeMap::new();
    let mut declaration = Declaration::new(&nothing);
    P::declare(&mut declaration);
    declaration.finish()
}

/// Parameters that came after version 0.1.0, with the value that stands for what it did.
const LATER: [(&str, &str); 1] = [("words", "\"all\"")];

/// The values of one configuration; those not set are the defaults.
#[derive(Debug, Clone)]
pub struct Values {
    algorithm: &'static Algorithm,
    set: BTreeMap<&'static str, Value>,
}

impl Values {
    /// All defaults.
    pub fn new(algorithm: &'static Algorithm) -> Self {
        Self { algorithm, set: BTreeMap::new() }
    }

    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Sets a parameter, or says why it cannot be that.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), MethodError> {
        let parameters = self.algorithm.parameters();
        let Some(parameter) = parameters.iter().find(|p| p.name == name) else {
            let known: Vec<&str> = parameters.iter().map(|p| p.name).collect();
            return Err(MethodError::Unknown {
                method: self.algorithm.name,
                name: name.to_owned(),
                known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
            });
        };
        self.set.insert(parameter.name, parameter.checked(value)?);
        Ok(())
    }

    /// The values as the method's own type.
    pub(super) fn read<P: Parameters>(&self) -> P {
        P::declare(&mut Declaration::new(&self.set))
    }

    /// The name of a configuration with these values, when the study gives none.
    pub fn title(&self) -> String {
        if let Some(title) = (self.algorithm.title)(self) {
            return title;
        }
        let mut title = self.algorithm.name.to_owned();
        for parameter in self.algorithm.parameters() {
            let Some(value) = self.set.get(parameter.name) else { continue };
            if value.to_string().trim_matches('"') == parameter.default.to_string() {
                continue;
            }
            let written = match value {
                Value::Wholes(list) => list.iter().map(u64::to_string).collect::<Vec<_>>().join("+"),
                Value::Fractions(list) => list.iter().map(f64::to_string).collect::<Vec<_>>().join("+"),
                Value::Word(word) => word.clone(),
                Value::Whole(_) | Value::Fraction(_) => value.to_string(),
            };
            title.push_str(&format!("-{}{written}", parameter.name.replace('_', "-")));
        }
        title
    }

    /// Every parameter with the value in force, as set or by default; without those that are derived.
    pub fn all(&self) -> Vec<(&'static str, Value)> {
        let in_force = |parameter: Parameter| match (self.set.get(parameter.name), parameter.default) {
            (Some(value), _) => Some((parameter.name, value.clone())),
            (None, Preset::Fixed(value)) => Some((parameter.name, value)),
            (None, Preset::Derived(_)) => None,
        };
        self.algorithm.parameters().into_iter().filter_map(in_force).collect()
    }

    /// The parameters as manifests and samples keep them, to be compared later on: all but those that only say what an
    /// earlier version did anyway, so that what that version wrote stays comparable.
    pub fn kept(&self) -> Vec<(&'static str, Value)> {
        let mut all = self.all();
        all.retain(|(name, value)| !LATER.contains(&(name, value.to_string().as_str())));
        all
    }

    /// See [`Parameters::finds_all`].
    pub fn finds_all(&self) -> Option<(usize, f64)> {
        (self.algorithm.finds_all)(self)
    }

    /// Lets the method learn from these texts, and keeps what it learned with the statistics.
    pub fn learn(&self, texts: &[String], statistics: &mut Statistics) {
        let learned = (self.algorithm.learn)(self, texts);
        if !learned.is_empty() {
            statistics.keep_learned(self.learner(), learned);
        }
    }

    /// Ties the method to these values and to a collection.
    pub fn fit(&self, statistics: &Statistics) -> Result<Box<dyn Method>, MethodError> {
        let learned = statistics.learned(&self.learner());
        (self.algorithm.fit)(self, &Collection { statistics, learned })
    }

    /// The name under which the statistics keep what was learned: everything that it depends on.
    pub(super) fn learner(&self) -> String {
        let all: Vec<String> = self.all().iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{} {}", self.algorithm.name, all.join(" "))
    }
}
