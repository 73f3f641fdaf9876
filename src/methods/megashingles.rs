//! Megashingles (A6): the 15 pairs of 6 super shingles, one equal is enough (Zelenkov and Segalovich, RCDL 2007, after
//! Broder and Fetterly).
//!
//! 36 minima of 5-word shingles of the content words in 6 groups of 6. One equal pair is two equal super shingles, so this is [`super::supershingles`]
//! with other numbers, looked up by one key instead of compared by two. Sketch: 15 words.

use super::groups::Groups;
use super::method::{self, Method};
use super::min_wise::{HASH, MinWise, shingle};
use super::parameters::{Allowed, MethodError, Parameter, Preset, Values};
use super::statistics::Statistics;
use super::words::{CONTENT, seeing, words};

/// Megashingles as offered to the user.
#[derive(Debug)]
pub struct Entry;

static PARAMETERS: &[Parameter] = &[
    shingle(5),
    Parameter {
        name: "groups",
        about: "super shingles, of which all pairs are taken; more find more pairs",
        default: Preset::Whole(6),
        allowed: Allowed::Whole(2, 16),
    },
    Parameter {
        name: "group_size",
        about: "minima in a super shingle; more find fewer and truer pairs",
        default: Preset::Whole(6),
        allowed: Allowed::Whole(1, 256),
    },
    HASH,
    words(CONTENT),
];

impl method::Entry for Entry {
    fn name(&self) -> &'static str {
        "megashingles"
    }

    fn about(&self) -> &'static str {
        "pairs of super shingles, one equal pair matches (A6 of Zelenkov and Segalovich 2007)"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn distance(&self) -> &'static str {
        "megashingles that differ"
    }

    fn fit(&self, values: &Values, _: &Statistics) -> Result<Box<dyn Method>, MethodError> {
        let whole = |name| values.whole(name).unwrap_or(1) as usize;
        let (groups, size) = (whole("groups"), whole("group_size"));
        let wise = MinWise::new(values, groups * size);
        Ok(seeing(values, Groups { wise, groups, size, agree: 2, paired: true, word: "super shingles" }))
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
        let method = fitted(&Entry, &[], &[]);
        let text = (0..50).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ");
        assert_eq!(sketch(&*method, &text).map(|sketch| sketch.len()), Some(15));
    }

    proptest! {
        #[test]
        fn the_same_as_two_equal_super_shingles(a in proptest::collection::vec("[a-d]", 3..12), b in proptest::collection::vec("[a-d]", 3..12)) {
            let numbers = [("shingle", Value::Whole(1)), ("groups", Value::Whole(6)), ("group_size", Value::Whole(2))];
            let two = fitted(&supershingles::Entry, &numbers, &[]);
            let mega = fitted(&Entry, &[&numbers[..], &[all_words()]].concat(), &[]);
            let (a, b) = (a.join(" "), b.join(" "));
            prop_assert_eq!(verdict(&*mega, &a, &b).is_some(), verdict(&*two, &a, &b).is_some());
            prop_assert_eq!(verdict(&*mega, &a, &b), verdict(&*mega, &b, &a));
        }
    }
}
