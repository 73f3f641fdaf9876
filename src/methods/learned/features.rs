//! The features of a pair: numbers from 0 to 1 that say in how far two pages are alike, each a small function of both texts.
//!
//! All of them are 1 for two equal pages of 8 words or more, none of them depends on which page is the source, and a higher value never speaks
//! against a near-duplicate: so a model gives each a weight of 0 or more.

use super::differences::{dates, names, numbers, running_text, short_lines, title};
use crate::edit::edit_ratio;
use crate::measures::Scores;
use crate::method::Method;
use crate::own_shingles::{CommonShingles, own_shingles};
use crate::prepared::Prepared;
use crate::sampled::resemblance;
use crate::statistics::Statistics;
use dejaview_base::hash::Roll;
use dejaview_base::similarity::{common, ratio};

/// Raised when a feature changes its meaning, so that models fitted before are refused.
pub const REVISION: u32 = 1;

/// Words in an own shingle.
pub(super) const SHINGLE: usize = 3;

/// What features are computed from beside the two texts.
#[derive(Debug)]
pub(super) struct Surroundings {
    /// How common each word is.
    pub(super) statistics: Statistics,
    /// Shingles that belong to frames and forms.
    pub(super) common: CommonShingles,
    /// Methods that need no collection, of which agreement is the share that match.
    pub(super) panel: Vec<Box<dyn Method>>,
}

/// Two pages as features see them.
pub(super) struct Together<'a> {
    pub(super) a: &'a Prepared<'a>,
    pub(super) b: &'a Prepared<'a>,
    pub(super) scores: Scores,
    pub(super) surroundings: &'a Surroundings,
}

/// One feature.
pub struct Feature {
    /// As models and tables name it.
    pub name: &'static str,
    /// What is compared, for an explanation.
    pub about: &'static str,
    pub(super) value: fn(&Together<'_>) -> f64,
}

/// All features, in the order of models and tables. The first are about texts as a whole, the others about what differs.
pub static FEATURES: [Feature; 19] = [
    Feature { name: "words", about: "vocabulary (Jaccard)", value: |pair| pair.scores.jaccard_1 },
    Feature { name: "shingles-3", about: "word 3-grams (Jaccard)", value: |pair| pair.scores.jaccard_3 },
    Feature { name: "shingles-8", about: "word 8-grams (Jaccard)", value: |pair| pair.scores.jaccard_8 },
    Feature {
        name: "contained",
        about: "words of the one page that the other has, of the page that is contained more",
        value: |pair| pair.scores.containment_source.max(pair.scores.containment_target),
    },
    Feature {
        name: "contained-both",
        about: "words of the one page that the other has, of the page that is contained less",
        value: |pair| pair.scores.containment_source.min(pair.scores.containment_target),
    },
    Feature { name: "cosine", about: "counts of words (cosine)", value: |pair| pair.scores.cosine },
    Feature { name: "s3", about: "8-grams of words between blanks (S3)", value: |pair| pair.scores.s3 },
    Feature { name: "length", about: "length", value: |pair| pair.scores.length_ratio },
    Feature {
        name: "edit",
        about: "words in the same order (edit ratio)",
        value: |pair| edit_ratio(pair.a.tokens().hashes(), pair.b.tokens().hashes()),
    },
    Feature {
        name: "longest-run",
        about: "longest run of words in both, as a share of the shorter page",
        value: |pair| longest_run(pair.a.tokens().hashes(), pair.b.tokens().hashes()),
    },
    Feature { name: "own-shingles", about: "shingles that few other pages have (Jaccard)", value: own },
    Feature { name: "rare-words", about: "words, the rarer the heavier", value: rare_words },
    Feature { name: "agreement", about: "share of six methods that match", value: agreement },
    Feature { name: "numbers", about: "numbers", value: |pair| numbers(pair.a, pair.b) },
    Feature { name: "dates", about: "dates", value: |pair| dates(pair.a, pair.b) },
    Feature { name: "names", about: "names", value: |pair| names(pair.a, pair.b) },
    Feature { name: "title", about: "words of the title", value: |pair| title(pair.a, pair.b) },
    Feature { name: "short-lines", about: "headings and entries of menus", value: |pair| short_lines(pair.a, pair.b) },
    Feature {
        name: "running-text",
        about: "3-grams of the running text (Jaccard)",
        value: |pair| running_text(pair.a, pair.b),
    },
];

impl std::fmt::Debug for Feature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The values of those features of a pair that are wanted; 0 for the others.
pub(super) fn values(
    a: &Prepared<'_>,
    b: &Prepared<'_>,
    surroundings: &Surroundings,
    wanted: impl Fn(usize) -> bool,
) -> Vec<f64> {
    let pair = Together { a, b, scores: Scores::of(a, b), surroundings };
    let value = |(i, feature): (usize, &Feature)| if wanted(i) { (feature.value)(&pair) } else { 0.0 };
    FEATURES.iter().enumerate().map(value).collect()
}

/// Words of the longest run that stands in both, as a share of the shorter text; 0 where one is empty.
fn longest_run(a: &[u64], b: &[u64]) -> f64 {
    let shares_a_run = |n: usize| {
        let mut runs: Vec<u64> = Roll::new(a, n).collect();
        runs.sort_unstable();
        Roll::new(b, n).any(|run| runs.binary_search(&run).is_ok())
    };
    // Every part of a run in both is in both: the lengths that are shared are those up to the longest.
    let shorter = a.len().min(b.len());
    let (mut shared, mut above) = (0, shorter + 1);
    while above - shared > 1 {
        let middle = shared + (above - shared) / 2;
        if shares_a_run(middle) { shared = middle } else { above = middle }
    }
    ratio(shared as u64, shorter as u64)
}

fn own(pair: &Together<'_>) -> f64 {
    let of = |document: &Prepared<'_>| {
        // A page of fewer words than a shingle has one of all of them.
        let length = SHINGLE.min(document.tokens().len());
        if length == 0 { Vec::new() } else { own_shingles(document.grams(length), &pair.surroundings.common) }
    };
    resemblance(&of(pair.a), &of(pair.b), usize::MAX)
}

/// Jaccard of the sets of words, each word with its idf as a weight.
fn rare_words(pair: &Together<'_>) -> f64 {
    let of = |document: &Prepared<'_>| {
        let mut words: Vec<u64> = document.terms().iter().map(|term| term.hash).collect();
        words.sort_unstable();
        words
    };
    let statistics = &pair.surroundings.statistics;
    let weight = |words: &[u64]| -> f64 {
        // A word of every document weighs a little, so that pages of such words alone can be told apart.
        words.iter().map(|&word| 0.1 + statistics.idf(statistics.frequency(word))).sum()
    };
    let (a, b) = (of(pair.a), of(pair.b));
    let both: Vec<u64> = a.iter().copied().filter(|word| b.binary_search(word).is_ok()).collect();
    debug_assert_eq!(both.len(), common(&a, &b));
    let both = weight(&both);
    let all = weight(&a) + weight(&b) - both;
    if all > 0.0 { (both / all).clamp(0.0, 1.0) } else { 0.0 }
}

/// The share of the panel that match.
fn agreement(pair: &Together<'_>) -> f64 {
    let panel = &pair.surroundings.panel;
    let matches = |method: &dyn Method| {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        // Two equal pages that are too short for a sketch agree in having none.
        match [method.sketch(pair.a, &mut a), method.sketch(pair.b, &mut b)] {
            [true, true] => method.compare(&a, &b).is_some(),
            _ => pair.a.tokens().hashes() == pair.b.tokens().hashes(),
        }
    };
    ratio(panel.iter().filter(|method| matches(&***method)).count() as u64, panel.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with;
    use proptest::prelude::*;

    fn run(a: &str, b: &str) -> f64 {
        with(a, |a| with(b, |b| longest_run(a.tokens().hashes(), b.tokens().hashes())))
    }

    #[test]
    fn the_longest_run_is_counted_in_words() {
        assert_eq!(run("a b c d e f", "x b c d y"), 3.0 / 5.0);
        assert_eq!(run("same words here", "same words here"), 1.0);
        assert_eq!((run("", "a"), run("a", "b")), (0.0, 0.0));
    }

    proptest! {
        #[test]
        fn the_longest_run_equals_the_table(a in proptest::collection::vec(0u64..3, 1..30), b in proptest::collection::vec(0u64..3, 1..30)) {
            let mut most = 0;
            for i in 0..a.len() {
                for j in 0..b.len() {
                    most = most.max(a[i..].iter().zip(&b[j..]).take_while(|(x, y)| x == y).count());
                }
            }
            prop_assert_eq!(longest_run(&a, &b), most as f64 / a.len().min(b.len()) as f64);
        }
    }
}
