//! What the catalogue knows about a method: its name, its parameters, and how a [`Method`] is built from them for one
//! collection.
//!
//! A method is declared by the type of its parameters: [`Parameters`] says what it is called, which values a study may set,
//! and what is built from them. [`Algorithm`] is the same without the type, for the catalogue; [`Values`] are what one
//! configuration sets.

use std::collections::BTreeMap;

use super::method::Method;
use super::parameters::{Declaration, MethodError, Parameter, Preset, Value};
use super::statistics::Statistics;

/// The parameters of a method, and what is built from them.
pub trait Parameters: Sized {
    /// Stored with results and written in `study.toml`, so it never changes.
    const NAME: &'static str;
    /// One sentence, and the paper.
    const ABOUT: &'static str;
    /// What the `distance` of its pairs counts; 0 means that the method sees no difference.
    const DISTANCE: &'static str;
    /// Whether it needs statistics of a collection: document frequencies, lexicons, support words.
    const FITTED: bool = false;
    /// Whether it also learns from texts, beyond counts of words.
    const LEARNS: bool = false;
    /// Whether its pairs are read from files, which its parameter `pairs` names, instead of being found.
    const IMPORTS: bool = false;
    /// Whether it finds nothing by itself but decides on the pairs of other configurations, by the file that its parameter
    /// `model` names.
    const DECIDES: bool = false;
    /// Raised when the same values find other pairs than before, so that studies are run again.
    const REVISION: u32 = 1;

    /// Declares every parameter, in the order in which help lists them.
    fn declare(declaration: &mut Declaration<'_>) -> Self;

    /// The name of a configuration to which the study gives none; `None` makes it from the method's name and every value
    /// that differs from its default.
    fn title(&self) -> Option<String> {
        None
    }

    /// What it learns from documents beyond counts of words; kept with the statistics and handed back as
    /// [`Collection::learned`]. `texts` are at most [`super::statistics::LEARNERS`] documents of the collection.
    fn learn(&self, _texts: &[String]) -> Vec<u64> {
        Vec::new()
    }

    /// The key under which statistics store what it learned; `None` makes it from the method's name and all its values.
    fn learning_key(&self) -> Option<String> {
        None
    }

    /// The n and the threshold when these values find every pair whose Jaccard of word n-grams reaches the threshold: such
    /// a configuration is the truth that others are measured against.
    fn finds_all(&self) -> Option<(usize, f64)> {
        None
    }

    /// Builds the method for a collection; fails where the values contradict each other.
    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError>;

    fn defaults() -> Self {
        Self::declare(&mut Declaration::new(&BTreeMap::new()))
    }
}

/// What is known of the collection that a method is fitted to.
#[derive(Debug, Clone, Copy)]
pub struct Collection<'a> {
    pub statistics: &'a Statistics,
    /// What [`Parameters::learn`] found in it with the same values; empty when nothing was learned.
    pub learned: &'a [u64],
    /// The content of the file that a parameter names, where a method reads one and it was read.
    pub file: Option<&'a str>,
}

/// Builds a method from the values of a study, for a collection.
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
    pub decides: bool,
    pub revision: u32,
    parameters: fn() -> Vec<Parameter>,
    title: fn(&Values) -> Option<String>,
    learn: fn(&Values, &[String]) -> Vec<u64>,
    learning_key: fn(&Values) -> Option<String>,
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
            decides: P::DECIDES,
            revision: P::REVISION,
            parameters: declared::<P>,
            title: |values| values.read::<P>().title(),
            learn: |values, texts| values.read::<P>().learn(texts),
            learning_key: |values| values.read::<P>().learning_key(),
            finds_all: |values| values.read::<P>().finds_all(),
            fit: |values, collection| values.read::<P>().fit(collection),
        }
    }

    pub fn parameters(&self) -> Vec<Parameter> {
        (self.parameters)()
    }
}

fn declared<P: Parameters>() -> Vec<Parameter> {
    let nothing = BTreeMap::new();
    let mut declaration = Declaration::new(&nothing);
    P::declare(&mut declaration);
    declaration.finish()
}

/// Parameters that were added after version 0.1.0, with the values that mean what that version did.
const ADDED_LATER: [(&str, &str); 1] = [("words", "\"all\"")];

/// The values of one configuration; those not set are the defaults.
#[derive(Debug, Clone)]
pub struct Values {
    algorithm: &'static Algorithm,
    set: BTreeMap<&'static str, Value>,
}

impl Values {
    /// Every parameter at its default.
    pub fn new(algorithm: &'static Algorithm) -> Self {
        Self { algorithm, set: BTreeMap::new() }
    }

    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    /// Sets a parameter, or says why it cannot have this value.
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

    /// Every parameter with the value in force, as set or by default; without those whose default is derived from others.
    pub fn in_force(&self) -> Vec<(&'static str, Value)> {
        let value_in_force = |parameter: Parameter| match (self.set.get(parameter.name), parameter.default) {
            (Some(value), _) => Some((parameter.name, value.clone())),
            (None, Preset::Fixed(value)) => Some((parameter.name, value)),
            (None, Preset::Derived(_)) => None,
        };
        self.algorithm.parameters().into_iter().filter_map(value_in_force).collect()
    }

    /// The parameters as manifests and samples store them, to be compared later. Those that only say what an earlier version
    /// did anyway are left out, so that what that version stored stays comparable.
    pub fn stored(&self) -> Vec<(&'static str, Value)> {
        let mut all = self.in_force();
        all.retain(|(name, value)| !ADDED_LATER.contains(&(name, value.to_string().as_str())));
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
            statistics.keep_learned(self.learning_key(), learned);
        }
    }

    /// Builds the method with these values for a collection.
    pub fn fit(&self, statistics: &Statistics) -> Result<Box<dyn Method>, MethodError> {
        self.fit_with(statistics, None)
    }

    /// The same, with the content of the file that a parameter names.
    pub fn fit_with(&self, statistics: &Statistics, file: Option<&str>) -> Result<Box<dyn Method>, MethodError> {
        let learned = statistics.learned(&self.learning_key());
        (self.algorithm.fit)(self, &Collection { statistics, learned, file })
    }

    /// The key under which the statistics store what was learned; it contains everything that this depends on.
    pub(super) fn learning_key(&self) -> String {
        if let Some(key) = (self.algorithm.learning_key)(self) {
            return key;
        }
        let all: Vec<String> = self.in_force().iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{} {}", self.algorithm.name, all.join(" "))
    }
}
