//! The options of size estimates.

use std::collections::{BTreeMap, BTreeSet};

use strum::IntoStaticStr;

use super::sampler::{DrawnPage, PageSampler};
use super::searched_for::SearchedFor;
use crate::StudyError;
use crate::recipe::Keep;
use crate::snapshot::Snapshot;
use dejaview_base::choice::{Choice, Choices};

/// What decides that a page of one corpus stands in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum SizeBy {
    /// It has a pair of the study that is alike enough.
    #[default]
    Pairs,
    /// A search for its rarest words finds a page that is alike enough.
    Queries,
    /// Nothing: the numbers of results that the queries of a log have on each side are compared.
    Searches,
}

impl Choice for SizeBy {
    const CHOICES: Choices<Self> = &[
        (Self::Pairs, "It has a pair of the study"),
        (Self::Queries, "A search for its 8 rarest words finds it; all texts must be kept"),
        (Self::Searches, "No page is looked for: numbers of results of the queries of a log (--log) are compared"),
    ];
}

impl SizeBy {
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// How the pages are drawn that are looked for on the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AskedBy {
    /// From the list of all pages, each as probable as any other.
    #[default]
    List,
    /// Without a list, as pages of a search engine must be.
    Drawn(PageSampler),
}

/// How sizes are told.
#[derive(Debug, Clone, PartialEq)]
pub struct SizeOptions {
    pub by: SizeBy,
    /// From this Jaccard on a page stands in the other corpus.
    pub alike: f64,
    /// Pages of each corpus that are searched for.
    pub asked: usize,
    /// How these are drawn.
    pub drawn: AskedBy,
    /// What searches ask for, where pages are drawn by them or results are counted.
    pub searched_for: SearchedFor,
    /// Seed of their choice and of the intervals.
    pub seed: u64,
    /// Threads for what reads a side again.
    pub threads: usize,
}

impl Default for SizeOptions {
    fn default() -> Self {
        Self {
            by: SizeBy::Pairs,
            alike: 0.9,
            asked: 200,
            drawn: AskedBy::List,
            searched_for: SearchedFor::Lexicon,
            seed: 1,
            threads: 1,
        }
    }
}

/// Pages of one side that were looked for on the other.
pub(crate) struct FoundElsewhere {
    pub(crate) asked: u64,
    /// How many equally probable pages say as much as these: all of them, unless they have weights.
    pub(crate) worth: f64,
    /// Ids of those found, each with what it is worth.
    pub(crate) found: BTreeMap<String, f64>,
    /// How many they are.
    pub(crate) hits: u64,
}

impl FoundElsewhere {
    /// Of so many pages, each as probable as any other, these were found.
    pub(crate) fn equally(asked: u64, found: BTreeSet<String>) -> Self {
        let hits = found.len() as u64;
        Self { asked, worth: asked as f64, found: found.into_iter().map(|id| (id, 1.0)).collect(), hits }
    }

    /// Of these pages with their weights, those that `is_found` says. One that was drawn twice is one page with the weight of both
    /// draws: a walk that goes round a few pages knows no more of a corpus than these tell.
    pub(crate) fn weighted(drawn: &[DrawnPage], is_found: impl Fn(&str) -> bool) -> Self {
        let mut pages: BTreeMap<&str, f64> = BTreeMap::new();
        drawn.iter().for_each(|page| *pages.entry(&page.id).or_default() += page.weight);
        let sum: f64 = pages.values().sum();
        let squares: f64 = pages.values().map(|weight| weight * weight).sum();
        let worth = if squares > 0.0 { sum * sum / squares } else { 0.0 };
        let found = pages.iter().filter(|(id, _)| is_found(id));
        let found: BTreeMap<String, f64> = found.map(|(id, weight)| ((*id).to_owned(), worth * weight / sum)).collect();
        Self { asked: pages.len() as u64, worth, hits: found.len() as u64, found }
    }

    /// The share found, by weights.
    pub(crate) fn share(&self) -> f64 {
        // The sum of no numbers is -0.0, and people would read a sign.
        let found = self.found.values().fold(0.0, |sum, worth| sum + worth);
        if self.worth > 0.0 { found / self.worth } else { 0.0 }
    }
}

/// An error unless all texts are kept: searching for those with a pair alone would say that everything overlaps.
pub(crate) fn must_keep_all(study: &Snapshot) -> Result<(), StudyError> {
    match study.recipe().keep {
        Keep::All => study.must_have_fitting_texts(),
        Keep::Hits => Err(StudyError::NotKept { path: study.folder().to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_count_and_are_worth_fewer_pages() {
        let page = |id: &str, weight: f64| DrawnPage { id: id.to_owned(), weight };
        let pages = [page("a", 1.0), page("b", 3.0), page("a", 1.0), page("c", 1.0)];
        let found = FoundElsewhere::weighted(&pages, |id| id == "a");
        assert_eq!((found.asked, found.hits), (3, 1), "a page that came twice is one page");
        assert!((found.worth - 36.0 / 14.0).abs() < 1e-12 && (found.share() - 2.0 / 6.0).abs() < 1e-12);
        let equal = FoundElsewhere::weighted(&pages.map(|page| DrawnPage { weight: 1.0, ..page }), |id| id == "b");
        assert!((equal.worth - 16.0 / 6.0).abs() < 1e-12 && (equal.share() - 0.25).abs() < 1e-12);
        let few: Vec<DrawnPage> = (0..200).map(|draw| page(["a", "b"][draw % 2], 1.0)).collect();
        assert!((FoundElsewhere::weighted(&few, |_| true).worth - 2.0).abs() < 1e-9);
        assert_eq!(FoundElsewhere::weighted(&[], |_| true).share(), 0.0);
        assert!(FoundElsewhere::equally(5, BTreeSet::new()).share().is_sign_positive(), "nothing found is 0, not -0");
    }
}
