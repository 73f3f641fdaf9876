//! The methods on offer: one static slice that help, lists and the shared tests walk.

use super::method::Entry;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::{MethodError, Value, Values};
    use crate::statistics::Statistics;
    use crate::testing::{fitted, sketch};

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
            // Two pages of the same one word have a Jaccard of 1, and are identical.
            let short = entry.finds_all(&Values::new(*entry)).is_some() || entry.name() == "best";
            assert!(short || sketch(&*method, "one").is_none(), "{}", entry.name());
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
