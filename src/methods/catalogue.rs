//! The list of all methods, from which help, lists, `study.toml` and the shared tests take them.

use super::algorithm::Algorithm;
use super::{
    bands, best, decomposition, descr_words, exact_jaccard, fingerprint, fuzzy_fingerprints, heavy_sent, imatch,
    import, learned, lex_rand, log_shingles, long_sent, md5, megashingles, minhash, mod_shingles, opt_freq,
    probable_simhash, pugh_lists, random_tuples, rare_chunks, sentences_words, simhash, smallest_shingles, spex,
    substrings, supershingles, tf, tfidf, tfridf,
};

/// All detectors, in the order in which lists show them.
pub static CATALOGUE: &[&Algorithm] = &[
    &simhash::ALGORITHM,
    &probable_simhash::ALGORITHM,
    &minhash::ALGORITHM,
    &supershingles::ALGORITHM,
    &megashingles::ALGORITHM,
    &bands::ALGORITHM,
    &random_tuples::ALGORITHM,
    &smallest_shingles::ALGORITHM,
    &mod_shingles::ALGORITHM,
    &rare_chunks::ALGORITHM,
    &spex::ALGORITHM,
    &fingerprint::ALGORITHM,
    &fuzzy_fingerprints::ALGORITHM,
    &imatch::ALGORITHM,
    &lex_rand::ALGORITHM,
    &md5::ALGORITHM,
    &tf::ALGORITHM,
    &tfidf::ALGORITHM,
    &tfridf::ALGORITHM,
    &opt_freq::ALGORITHM,
    &long_sent::ALGORITHM,
    &heavy_sent::ALGORITHM,
    &log_shingles::ALGORITHM,
    &descr_words::ALGORITHM,
    &decomposition::ALGORITHM,
    &sentences_words::ALGORITHM,
    &pugh_lists::ALGORITHM,
    &substrings::ALGORITHM,
    &best::ALGORITHM,
    &exact_jaccard::ALGORITHM,
];

/// The detectors, and those that find nothing by themselves: `learned` decides on the pairs of others, `import` reads pairs
/// from files.
fn all() -> impl Iterator<Item = &'static Algorithm> {
    CATALOGUE.iter().copied().chain([&learned::ALGORITHM, &import::ALGORITHM])
}

pub fn find(name: &str) -> Option<&'static Algorithm> {
    all().find(|algorithm| algorithm.name == name)
}

/// Names of all methods that a study may ask for.
pub fn names() -> Vec<&'static str> {
    all().map(|algorithm| algorithm.name).collect()
}

/// The table of methods for the manual.
pub fn markdown() -> String {
    let mut table =
        String::from("| method | what it does | parameters (default) | `distance` counts |\n|---|---|---|---|\n");
    for algorithm in CATALOGUE {
        let parameters: Vec<String> =
            algorithm.parameters().iter().map(|p| format!("`{}` ({})", p.name, p.default)).collect();
        table.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            algorithm.name,
            algorithm.about,
            parameters.join(", "),
            algorithm.distance
        ));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Values;
    use crate::parameters::{MethodError, Preset, Value};
    use crate::statistics::Statistics;
    use crate::testing::{fitted, sketch};

    #[test]
    fn every_method_is_documented_and_its_defaults_are_allowed() {
        for algorithm in CATALOGUE {
            assert_eq!(CATALOGUE.iter().filter(|other| other.name == algorithm.name).count(), 1);
            assert!(!algorithm.about.is_empty());
            let mut values = Values::new(algorithm);
            for parameter in algorithm.parameters() {
                assert!(!parameter.about.is_empty(), "{}", parameter.name);
                if let Preset::Fixed(value) = parameter.default {
                    assert_eq!(values.set(parameter.name, value), Ok(()), "{}", parameter.name);
                }
            }
            assert!(values.fit(&Statistics::default()).is_ok());
        }
    }

    #[test]
    fn no_method_has_a_sketch_of_nothing() {
        for algorithm in CATALOGUE {
            let method = fitted(algorithm, &[], &["the quick brown fox jumps over the lazy dog"]);
            assert_eq!(sketch(&*method, ""), None, "{}", algorithm.name);
            assert_eq!(sketch(&*method, " ,.; \n"), None, "{}", algorithm.name);
            // Two pages of the same one word have a Jaccard of 1, and are identical.
            let short = Values::new(algorithm).finds_all().is_some() || algorithm.name == "best";
            assert!(short || sketch(&*method, "one").is_none(), "{}", algorithm.name);
        }
    }

    #[test]
    fn what_a_study_may_not_say_is_refused_with_what_it_may() {
        let algorithm = find("simhash").unwrap();
        let mut values = Values::new(algorithm);
        let refused = |result: Result<(), MethodError>| result.unwrap_err().to_string();
        assert!(refused(values.set("bits", Value::Whole(600))).contains("8 to 512"));
        assert!(refused(values.set("ngrams", Value::Wholes(vec![3, 3]))).contains("different whole numbers"));
        assert!(refused(values.set("hash", Value::Word("md5".into()))).contains("\"xxh3\", \"rabin\""));
        assert!(refused(values.set("size", Value::Whole(1))).contains("it has ngrams, bits"));
    }
}
