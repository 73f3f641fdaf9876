//! Draws pages of each side and looks for them on the other by strong queries.

use std::collections::{BTreeSet, HashMap};

use super::options::{AskedBy, FoundElsewhere, SizeOptions, must_keep_all};
use super::pages::draw_pages;
use super::sampler::PageDraw;
use super::searched_for;
use super::searched_for::SearchedFor;
use super::strong;
use crate::StudyError;
use crate::snapshot::Snapshot;
use dejaview_base::hash::{fmix64, token};
use dejaview_base::random::Bootstrap;
use dejaview_evaluation::sizes::SearchRatios;
use dejaview_index::{Index, IndexError, KeptSide};

/// For each side: pages asked, and those found on the other.
pub(super) fn overlap(study: &Snapshot, options: &SizeOptions) -> Result<[FoundElsewhere; 2], StudyError> {
    must_keep_all(study)?;
    let index = study.index()?;
    let frequencies = strong::frequencies(index)?;
    let look = |side: KeptSide, other: KeptSide| -> Result<FoundElsewhere, StudyError> {
        let is_found = |id: &str| -> Result<Option<bool>, StudyError> {
            let Some(page) = index.document(side, id)? else { return Ok(None) };
            let n = study.recipe().jaccard;
            Ok(Some(strong::is_in_corpus(index, &frequencies, &page.text, other, n, options.alike)?))
        };
        match options.drawn {
            AskedBy::List => {
                let (mut asked, mut found) = (0, BTreeSet::new());
                for id in listed(index, side, options)? {
                    let Some(hit) = is_found(&id)? else { continue };
                    asked += 1;
                    found.extend(hit.then_some(id));
                }
                Ok(FoundElsewhere::equally(asked, found))
            }
            AskedBy::Drawn(sampler) => {
                let searched_for = options.searched_for.clone();
                let (size, seed) = (options.asked, options.seed);
                let order = PageDraw { sampler, side, size, start: None, searched_for, seed };
                let mut pages = draw_pages(study, &order, options.threads)?.pages;
                let mut hits: HashMap<String, bool> = HashMap::new();
                for page in &pages {
                    if !hits.contains_key(&page.id)
                        && let Some(hit) = is_found(&page.id)?
                    {
                        hits.insert(page.id.clone(), hit);
                    }
                }
                pages.retain(|page| hits.contains_key(&page.id));
                Ok(FoundElsewhere::weighted(&pages, |id| hits.get(id).is_some_and(|hit| *hit)))
            }
        }
    };
    Ok([look(KeptSide::Source, KeptSide::Target)?, look(KeptSide::Target, KeptSide::Source)?])
}

/// Ids of pages of a side, each as probable as any other; all when there are no more. They are those with the smallest
/// hashes, so the same corpus gives the same pages in every study.
fn listed(index: &Index, side: KeptSide, options: &SizeOptions) -> Result<BTreeSet<String>, IndexError> {
    let mut smallest: BTreeSet<(u64, String)> = BTreeSet::new();
    let mut from = 0;
    loop {
        let documents = index.list(Some(side), from, AT_ONCE)?.documents;
        from += documents.len();
        if documents.is_empty() {
            return Ok(smallest.into_iter().map(|(_, id)| id).collect());
        }
        for document in documents {
            smallest.insert((fmix64(token(document.id.as_bytes()) ^ fmix64(options.seed)), document.id));
            if smallest.len() > options.asked {
                smallest.pop_last();
            }
        }
    }
}

/// Ids read at a time.
const AT_ONCE: usize = 10_000;

/// The numbers of results of the queries of a log on both sides.
pub(super) fn ratios(study: &Snapshot, options: &SizeOptions) -> Result<SearchRatios, StudyError> {
    must_keep_all(study)?;
    let SearchedFor::Log(path) = &options.searched_for else { return Err(StudyError::NoLog) };
    let index = study.index()?;
    let mut results = Vec::new();
    for query in searched_for::queries(path, options.seed)? {
        let count = |side: KeptSide| index.count(&query, Some(side));
        results.push([count(KeptSide::Source)?, count(KeptSide::Target)?]);
    }
    let bootstrap = Bootstrap { seed: options.seed, ..Bootstrap::default() };
    Ok(SearchRatios::new(&results, &bootstrap))
}
