//! Pairs that another tool found, read from files: no detector, and so not in the slice of detectors.
//!
//! A configuration `method = "import"` with `pairs = "FILE"` takes part in a study like any other: its pairs are browsed,
//! labelled, compared and transferred. It reduces no document to anything, so it has no sketch and finds nothing by itself;
//! a run gives it the pairs of its files.

use super::algorithm::{self, Algorithm, Collection};
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;

pub static ALGORITHM: Algorithm = Algorithm::of::<Import>();

impl algorithm::Parameters for Import {
    const NAME: &'static str = "import";
    const ABOUT: &'static str =
        "pairs of another tool, read from files: TSV, CSV, JSONL, CopyCat's, datatrove's and NeMo's edge lists";
    const DISTANCE: &'static str = "what the file gives as a distance, else 0";
    const IMPORTS: bool = true;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        declaration.text("pairs", "must be given", "the files, as a pattern relative to the study");
        Self
    }

    fn title(&self) -> Option<String> {
        Some(Self::NAME.to_owned())
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(self))
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
        Reasons { claim, ..Reasons::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fitted, sketch};

    #[test]
    fn nothing_is_computed_of_a_text() {
        let method = fitted(&ALGORITHM, &[], &["some text"]);
        assert_eq!(sketch(&*method, "some text that is long enough for anyone"), None);
        assert!(method.compare(&[1], &[1]).is_none());
    }
}
