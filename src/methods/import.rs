//! Pairs that another tool found, read from files: no detector, and so not in the slice of detectors.
//!
//! A configuration `method = "import"` with `pairs = "FILE"` takes part in a study like any other: its pairs are browsed,
//! labelled, compared and transferred. It reduces no document to anything, so it has no sketch and finds nothing by itself;
//! a run gives it the pairs of its files.

use super::method::{self, Evidence, Method, Reasons, Shape};
use super::parameters::{Allowed, MethodError, Parameter, Preset, Values};
use super::prepared::Prepared;
use super::statistics::Statistics;

/// Imported pairs as offered to the user.
#[derive(Debug)]
pub struct Entry;

impl method::Entry for Entry {
    fn name(&self) -> &'static str {
        "import"
    }

    fn about(&self) -> &'static str {
        "pairs of another tool, read from files: TSV, CSV, JSONL, CopyCat's, datatrove's and NeMo's edge lists"
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[Parameter {
            name: "pairs",
            about: "the files, as a pattern relative to the study",
            default: Preset::Derived("must be given"),
            allowed: Allowed::Text,
        }]
    }

    fn distance(&self) -> &'static str {
        "what the file gives as a distance, else 0"
    }

    fn title(&self, _: &Values) -> String {
        self.name().to_owned()
    }

    fn imports(&self) -> bool {
        true
    }

    fn fit(&self, _: &Values, _: &Statistics) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(Import))
    }
}

/// Finds nothing: its pairs come from files.
#[derive(Debug)]
struct Import;

impl Method for Import {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, _: &Prepared<'_>, _: &mut Vec<u64>) -> bool {
        false
    }

    fn compare(&self, _: &[u64], _: &[u64]) -> Option<Evidence> {
        None
    }

    fn reasons(&self, _: &Prepared<'_>, _: &Prepared<'_>) -> Reasons {
        let claim = "its pairs are read from files, and nothing is computed from the texts".to_owned();
        Reasons { claim, value: f64::NAN, ..Reasons::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fitted, sketch};

    #[test]
    fn nothing_is_computed_of_a_text() {
        let method = fitted(&Entry, &[], &["some text"]);
        assert_eq!(sketch(&*method, "some text that is long enough for anyone"), None);
        assert!(method.compare(&[1], &[1]).is_none());
    }
}
