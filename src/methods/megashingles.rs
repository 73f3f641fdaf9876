//! Megashingles (A6): the 15 pairs of 6 super shingles, one equal is enough (Zelenkov and Segalovich, RCDL 2007, after
//! Broder and Fetterly).
//!
//! 36 minima of 5-word shingles of the content words in 6 groups of 6. One equal pair is two equal super shingles, so this is [`super::supershingles`]
//! with other numbers, looked up by one key instead of compared by two. Sketch: 15 words.

use super::algorithm::{self, Algorithm, Collection};
use super::groups::GroupedMinima;
use super::method::Method;
use super::min_wise::{self, Functions, MinWise};
use super::parameters::{Declaration, MethodError};
use super::words::WordsSeen;

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    shingle: usize,
    groups: usize,
    group_size: usize,
    hash: Functions,
    words: WordsSeen,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "megashingles";
    const ABOUT: &'static str = "pairs of super shingles, one equal pair matches (A6 of Zelenkov and Segalovich 2007)";
    const DISTANCE: &'static str = "megashingles that differ";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            shingle: min_wise::shingle(declaration, 5),
            groups: declaration.whole(
                "groups",
                6,
                2..=16,
                "super shingles, of which all pairs are taken; more find more pairs",
            ),
            group_size: declaration.whole(
                "group_size",
                6,
                1..=256,
                "minima in a super shingle; more find fewer and truer pairs",
            ),
            hash: min_wise::functions(declaration),
            words: WordsSeen::declare(declaration, WordsSeen::Content),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let Self { shingle, groups, group_size: size, hash, words } = self;
        let wise = MinWise::new(shingle, hash, groups * size);
        Ok(words.restrict(GroupedMinima { wise, groups, size, agree: 2, paired: true, name: "super shingles" }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::supershingles;
    use crate::testing::{all_words, fitted, sketch, verdict};
    use proptest::prelude::*;

    #[test]
    fn fifteen_words_of_sketch() {
        let method = fitted(&ALGORITHM, &[], &[]);
        let text = (0..50).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ");
        assert_eq!(sketch(&*method, &text).map(|sketch| sketch.len()), Some(15));
    }

    proptest! {
        #[test]
        fn the_same_as_two_equal_super_shingles(a in proptest::collection::vec("[a-d]", 3..12), b in proptest::collection::vec("[a-d]", 3..12)) {
            let numbers = [("shingle", Value::Whole(1)), ("groups", Value::Whole(6)), ("group_size", Value::Whole(2))];
            let two = fitted(&supershingles::ALGORITHM, &numbers, &[]);
            let mega = fitted(&ALGORITHM, &[&numbers[..], &[all_words()]].concat(), &[]);
            let (a, b) = (a.join(" "), b.join(" "));
            prop_assert_eq!(verdict(&*mega, &a, &b).is_some(), verdict(&*two, &a, &b).is_some());
            prop_assert_eq!(verdict(&*mega, &a, &b), verdict(&*mega, &b, &a));
        }
    }
}
