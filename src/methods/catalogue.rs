//! The methods on offer: one static slice, and what each of them must be able to do.

use std::fmt::Debug;
use std::ops::Range;

use super::layout::Layout;
use super::parameters::{MethodError, Parameter, Values};
use super::statistics::Statistics;
use super::why::Piece;
use super::{Explanation, Prepared};
use super::{
    bands, best, decomposition, descr_words, exact_jaccard, fingerprint, heavy_sent, imatch, import, lex_rand,
    log_shingles, long_sent, md5, megashingles, minhash, mod_shingles, opt_freq, pugh_lists, sentences_words, simhash,
    smallest_shingles, substrings, supershingles, tf, tfidf, tfridf,
};

/// All detectors, in the order in which lists show them.
pub static CATALOGUE: &[&dyn Entry] = &[
    &simhash::Entry,
    &minhash::Entry,
    &supershingles::Entry,
    &megashingles::Entry,
    &bands::Entry,
    &smallest_shingles::Entry,
    &mod_shingles::Entry,
    &fingerprint::Entry,
    &imatch::Entry,
    &lex_rand::Entry,
    &md5::Entry,
    &tf::Entry,
    &tfidf::Entry,
    &tfridf::Entry,
    &opt_freq::Entry,
    &long_sent::Entry,
    &heavy_sent::Entry,
    &log_shingles::Entry,
    &descr_words::Entry,
    &decomposition::Entry,
    &sentences_words::Entry,
    &pugh_lists::Entry,
    &substrings::Entry,
    &best::Entry,
    &exact_jaccard::Entry,
];

/// The detectors, and the one method that is none: pairs read from files.
fn all() -> impl Iterator<Item = &'static dyn Entry> {
    CATALOGUE.iter().copied().chain(std::iter::once(&import::Entry as &'static dyn Entry))
}

/// The method of this name.
pub fn find(name: &str) -> Option<&'static dyn Entry> {
    all().find(|entry| entry.name() == name)
}

/// Names of all methods that a study may ask for.
pub fn names() -> Vec<&'static str> {
    all().map(Entry::name).collect()
}

/// The table of methods for the README.
pub fn markdown() -> String {
    let mut table =
        String::from("| method | what it does | parameters (default) | `distance` counts |\n|---|---|---|---|\n");
    for entry in CATALOGUE {
        let parameters: Vec<String> =
            entry.parameters().iter().map(|p| format!("`{}` ({})", p.name, p.default)).collect();
        table.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            entry.name(),
            entry.about(),
            parameters.join(", "),
            entry.distance()
        ));
    }
    table
}

/// A method as offered to the user.
pub trait Entry: Debug + Sync {
    /// Stable: stored with results and written in `study.toml`.
    fn name(&self) -> &'static str;
    /// One sentence, and the paper.
    fn about(&self) -> &'static str;
    /// What a study may set.
    fn parameters(&self) -> &'static [Parameter];
    /// What the `distance` of its pairs counts; 0 is no difference that it can see.
    fn distance(&self) -> &'static str;
    /// The name of a configuration with these values, when the study gives none.
    fn title(&self, values: &Values) -> String {
        values.title()
    }
    /// Whether it rests on statistics of a collection: document frequencies, lexicons, support words.
    fn fitted(&self) -> bool {
        false
    }
    /// Whether its pairs are read from files, which its parameter `pairs` names, instead of being found.
    fn imports(&self) -> bool {
        false
    }
    /// Whether it learns from documents as well, beyond counts of words.
    fn learns(&self) -> bool {
        false
    }
    /// What it learns from documents beyond counts of words; stored with the statistics and found there by
    /// [`Statistics::learned`]. `texts` are at most [`super::statistics::LEARNERS`] documents of the collection.
    fn learn(&self, _values: &Values, _statistics: &Statistics, _texts: &[String]) -> Vec<u64> {
        Vec::new()
    }
    /// The n and the threshold when these values find every pair whose Jaccard of word n-grams reaches the threshold: such
    /// a configuration is the truth that others are measured against.
    fn finds_all(&self, _values: &Values) -> Option<(usize, f64)> {
        None
    }
    /// Ties the method to values that [`Values::set`] has accepted, and to a collection.
    fn fit(&self, values: &Values, statistics: &Statistics) -> Result<Box<dyn Method>, MethodError>;
}

/// A fitted method. Deterministic: the same text, parameters and statistics give the same sketch on every machine.
pub trait Method: Debug + Send + Sync {
    /// How sketches of this method are looked up.
    fn shape(&self) -> Shape<'_>;
    /// Appends the sketch to `out`; false, and nothing appended, when this document has none.
    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool;
    /// Appends keys such that two sketches that agree have at least one in common. Asked only where the shape is
    /// [`Shape::Keys`]. Keys must be spread over all 64 bits, as hashes are.
    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend_from_slice(sketch);
    }
    /// Whether two sketches agree, and how far. Symmetric.
    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence>;
    /// What decided, on a match and on a miss; [`super::explain()`] makes the whole explanation of it.
    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons;
    /// The sketch as `sketches` prints it.
    fn print(&self, sketch: &[u64]) -> String {
        sketch.iter().map(|word| format!("{word:016x}")).collect::<Vec<_>>().join(",")
    }
}

/// How the sketches of a method are looked up. The engine knows shapes, not names.
#[derive(Debug, Clone, Copy)]
pub enum Shape<'a> {
    /// Fingerprints of a fixed width that may differ in a few bits.
    Fingerprint(&'a Layout),
    /// Whoever shares a key is compared.
    Keys,
}

/// What `compare` found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    /// How far the two are apart, in what [`Entry::distance`] says.
    pub distance: u16,
}

/// What decided between two documents, in a method's own words.
#[derive(Debug, Clone, Default)]
pub struct Reasons {
    /// One clause that follows “match: ”, “no match: ” or “no sketch: ”.
    pub claim: String,
    /// The distance; equals what [`Method::compare`] said where it said something. Not a number without two sketches.
    pub value: f64,
    /// The words, sentences, shingles or bits behind it.
    pub parts: Vec<Explanation>,
    /// What in both texts may carry the match, most telling first; shared runs of text are tried behind them.
    pub pieces: Vec<Piece>,
    /// Where in the target the difference lies that decided a miss.
    pub decisive: Vec<Range<usize>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::parameters::Value;
    use crate::methods::testing::{fitted, sketch};

    #[test]
    fn every_method_is_documented_and_its_defaults_are_allowed() {
        for entry in CATALOGUE {
            assert_eq!(CATALOGUE.iter().filter(|other| other.name() == entry.name()).count(), 1);
            assert!(!entry.about().is_empty());
            let mut values = Values::new(*entry);
            for parameter in entry.parameters() {
                assert!(!parameter.about.is_empty(), "{}", parameter.name);
                if let Some(value) = values.value(parameter.name) {
                    assert_eq!(values.set(parameter.name, value), Ok(()), "{}", parameter.name);
                }
            }
            assert!(entry.fit(&values, &Statistics::default()).is_ok());
        }
    }

    #[test]
    fn no_method_has_a_sketch_of_nothing() {
        for entry in CATALOGUE {
            let method = fitted(*entry, &[], &["the quick brown fox jumps over the lazy dog"]);
            assert_eq!(sketch(&*method, ""), None, "{}", entry.name());
            assert_eq!(sketch(&*method, " ,.; \n"), None, "{}", entry.name());
            // Exact Jaccard is exact: two pages of the same one word have a Jaccard of 1.
            let exact = entry.finds_all(&Values::new(*entry)).is_some();
            assert!(exact || sketch(&*method, "one").is_none(), "{}", entry.name());
        }
    }

    #[test]
    fn what_a_study_may_not_say_is_refused_with_what_it_may() {
        let entry = find("simhash").unwrap();
        let mut values = Values::new(entry);
        let refused = |result: Result<(), MethodError>| result.unwrap_err().to_string();
        assert!(refused(values.set("bits", Value::Whole(600))).contains("8 to 512"));
        assert!(refused(values.set("ngrams", Value::Wholes(vec![3, 3]))).contains("different whole numbers"));
        assert!(refused(values.set("hash", Value::Word("md5".into()))).contains("\"xxh3\", \"rabin\""));
        assert!(refused(values.set("size", Value::Whole(1))).contains("it has ngrams, bits"));
    }
}
