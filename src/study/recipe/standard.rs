//! The configurations of a study that names none.

use super::ConfigurationRecipe;
use dejaview_methods::parameters::Value;
use dejaview_methods::{Values, catalogue};

/// n-grams of the SimHash configurations of the standard set.
const STANDARD_NGRAMS: [&[u64]; 5] = [&[2], &[3], &[5], &[2, 3], &[3, 5]];

/// Methods of the standard set beside SimHash, with the papers' values: those of Henzinger and of Kołcz et al., A0 to A12 of
/// Zelenkov and Segalovich (A6 is `megashingles`, A7 `lex-rand`), our combination, and the truth.
const STANDARD: [&str; 17] = [
    "supershingles",
    "megashingles",
    "imatch",
    "lex-rand",
    "md5",
    "tf",
    "tfidf",
    "tfridf",
    "long-sent",
    "heavy-sent",
    "log-shingles",
    "descr-words",
    "opt-freq",
    "decomposition",
    "sentences-words",
    "best",
    "exact-jaccard",
];

/// The configurations of a study that names none.
pub fn standard_set() -> Vec<ConfigurationRecipe> {
    let configuration = |name: &str, set: Option<Value>| {
        let mut values = Values::new(catalogue::find(name)?);
        if let Some(ngrams) = set {
            values.set("ngrams", ngrams).ok()?;
        }
        Some(ConfigurationRecipe { name: values.title(), values, pairs: None })
    };
    let simhash = STANDARD_NGRAMS.iter().filter_map(|n| configuration("simhash", Some(Value::Wholes(n.to_vec()))));
    simhash.chain(STANDARD.iter().filter_map(|name| configuration(name, None))).collect()
}
