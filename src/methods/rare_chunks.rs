//! Rare chunks (Heintze, USENIX Electronic Commerce 1996, as Potthast and Stein tell it, 2008): documents are compared by the
//! chunks that hardly any other document has.
//!
//! What stands on many pages is a frame or a phrase, and says nothing about who was copied from whom; a chunk that stands
//! once in the world and in both documents says most. Here a chunk of 8 words is rare when at most `common` of the pages
//! learned from hold it: two, one on either side, so a page with three different versions has no sketch. The rare chunks
//! are compared by the `keep` smallest hashes, as `smallest-shingles` are; fewer are compared exactly.
//!
//! Ours, where the sources leave it open: all of the numbers, and that rarity is told by at most 10,000 pages. `best` asks the
//! same question more mildly. Cost: one look a chunk. Sketch: at most `keep` words. Documents with fewer than 3 rare chunks
//! have no sketch.

use std::sync::Arc;

use super::algorithm::{self, Algorithm, Collection};
use super::family::Family;
use super::method::Method;
use super::min_wise;
use super::own_shingles::common_shingles;
use super::parameters::{Declaration, MethodError};
use super::sampled::{self, Sampled, Sampling};

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    shingle: usize,
    common: usize,
    keep: usize,
    agree: f64,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "rare-chunks";
    const ABOUT: &'static str =
        "chunks of 8 words that hardly any other page has, compared as a sample of the union (Heintze 1996)";
    const DISTANCE: &'static str = "thousandths that the resemblance of the samples is short of 1, rounded down";
    const FITTED: bool = true;
    const LEARNS: bool = true;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            shingle: min_wise::shingle(declaration, 8),
            common: declaration.whole(
                "common",
                2,
                1..=10_000,
                "a chunk on more pages than this is not rare; a collection with many versions of a page needs more",
            ),
            keep: declaration.whole(
                "keep",
                400,
                4..=65_536,
                "rare chunks kept; more estimate better and take more memory",
            ),
            agree: sampled::agree(declaration),
        }
    }

    fn learn(&self, texts: &[String]) -> Vec<u64> {
        common_shingles(texts, self.shingle, self.common)
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let common = Arc::new(collection.learned.iter().copied().collect());
        let sampling = Sampling::Rare { common, keep: self.keep };
        Ok(Box::new(Sampled { shingle: self.shingle, family: Family::Fast, sampling, agree: self.agree }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch, verdict, with};

    const FRAME: &str = "Home News Sport Weather Contact About this site and its keepers";

    fn page(topic: &str) -> String {
        format!("{FRAME} {}", (0..40).map(|i| format!("{topic}{i}")).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn frames_are_left_out() {
        let pages: Vec<String> = ["tide", "gull", "quay", "mast"].map(page).to_vec();
        let texts: Vec<&str> = pages.iter().map(String::as_str).collect();
        let method = fitted(&ALGORITHM, &[], &texts);
        let mut own = with(&pages[0], |document| {
            let first_own = document.tokens().len() - 40;
            document.grams(8)[first_own - 7..].to_vec()
        });
        own.sort_unstable();
        assert_eq!(sketch(&*method, &pages[0]), Some(own));
        let without_frame = pages[0].replace(FRAME, "keepers");
        assert!(verdict(&*method, &pages[0], &without_frame).is_some(), "the frame does not count");
        assert_eq!(verdict(&*method, &pages[0], &pages[1]), None);
    }

    #[test]
    fn a_page_with_many_versions_has_nothing_rare() {
        let versions: Vec<String> = ["monday", "friday", "sunday"].map(|day| page("tide") + " " + day).to_vec();
        let texts: Vec<&str> = versions.iter().map(String::as_str).collect();
        assert_eq!(sketch(&*fitted(&ALGORITHM, &[], &texts), &versions[0]), None);
        let milder = fitted(&ALGORITHM, &[("common", Value::Whole(3))], &texts);
        assert!(verdict(&*milder, &versions[0], &versions[1]).is_some());
    }
}
