//! The similar pairs of the two sides, found by a configuration or not: those with the same URL, and those that share words.
//!
//! For the words every document of the source is compared with every one of the target, by an index from n-grams to the
//! source documents that hold them. Where that would be more than [`MOST_PAIRS`] pairs, a fixed random part of the source is
//! compared; the other documents have their pairs of the same URL alone.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use dejaview_base::hash::{self, Roll};
use dejaview_base::similarity::jaccard;
use dejaview_corpus::urls;
use dejaview_matching::source::{Join, SharedDocuments, Source, SourceDocument, pair_counts};
use dejaview_text::Tokens;

/// Pairs that are compared at most.
const MOST_PAIRS: usize = 50_000_000;

/// Between the bands of Jaccard. What lies below the first is not listed.
pub(super) const EDGES: [f64; 4] = [0.2, 0.5, 0.7, 0.9];

/// Kinds of pairs that are listed: the same URL, and the bands.
pub(super) const BANDS: usize = 5;

/// The band of a pair: 0 for the same URL, then those of the Jaccard from above; `BANDS` for pairs that are not similar.
pub(super) fn band_of(same_url: bool, jaccard: f64) -> usize {
    if same_url { 0 } else { BANDS - EDGES.partition_point(|edge| *edge <= jaccard) }
}

/// A target document, and the pairs with it that are similar: the kind of each, and the numbers of both documents.
type Listed = (String, Vec<(usize, [u32; 2])>);

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SimilarPairs {
    /// Ids of the source, each once; the first `searched` of them were compared with all of the target.
    pub(super) source: Vec<String>,
    pub(super) searched: usize,
    /// Ids of the target, each once.
    pub(super) target: Vec<String>,
    /// For each source document whether it stands in the target too; for each target document whether it is one of the source.
    pub(super) both: [Vec<bool>; 2],
    /// For each kind its pairs by their places, ascending.
    pub(super) bands: [Vec<[u32; 2]>; BANDS],
}

/// A document: its id, its URL in the form in which it is compared, its n-grams, each once.
struct ComparedDocument {
    id: String,
    url: String,
    grams: Vec<u64>,
}

impl SimilarPairs {
    /// Of two sides, by n-grams of n words.
    pub(super) fn new(source: &Source, target: &Source, n: usize, join: Join) -> Self {
        let SharedDocuments { in_target, same_sources } =
            SharedDocuments::new(join, &source.documents, &target.documents);
        let in_target: HashMap<&str, bool> =
            source.documents.iter().map(|document| &*document.id).zip(in_target).collect();
        let (mut source, target) = (first_of_each(source), first_of_each(target));
        source.sort_by_cached_key(|document| hash::digest_bits(document.id.as_bytes()));
        let searched = (MOST_PAIRS / target.len().max(1)).clamp(1, source.len().max(1)).min(source.len());
        let pages: Vec<ComparedDocument> = source.par_iter().map(|document| page(document, n)).collect();
        let index = SourceIndex::new(&pages, searched);
        let listed = |(t, document): (usize, &&SourceDocument)| {
            let page = page(document, n);
            let similar =
                index.similar_to(&page).into_iter().map(|(s, place)| (place, [s, t as u32])).collect::<Vec<_>>();
            (page.id, similar)
        };
        let all: Vec<Listed> = target.par_iter().enumerate().map(listed).collect();
        let (mut target, mut bands) = (Vec::new(), [const { Vec::new() }; BANDS]);
        for (id, similar) in all {
            target.push(id);
            for (place, pair) in similar {
                bands[place].push(pair);
            }
        }
        bands.iter_mut().for_each(|pairs| pairs.sort_unstable());
        let on_both = pages.iter().map(|page| in_target.get(page.id.as_str()).copied().unwrap_or_default()).collect();
        let both = [on_both, same_sources.iter().map(Option::is_some).collect()];
        let source = pages.into_iter().map(|page| page.id).collect();
        let mut similar = Self { source, searched, target, both, bands: [const { Vec::new() }; BANDS] };
        bands.iter_mut().for_each(|pairs| pairs.retain(|[s, t]| similar.is_pair(*s, *t)));
        similar.bands = bands;
        similar
    }

    pub(super) fn pairs(&self) -> u64 {
        let both = self.both[1].iter().filter(|both| **both).count() as u64;
        self.source.len() as u64 * self.target.len() as u64 - both * (both + 1) / 2
    }

    /// Whether a pair is one: no document is its own pair, and two that stand on both sides are one pair and not two.
    pub(super) fn is_pair(&self, source: u32, target: u32) -> bool {
        let [one, other] = self.ids(source, target);
        let (on_both, same_source) = (self.both[0][source as usize], self.both[1][target as usize]);
        pair_counts(one, on_both, same_source.then_some(other))
    }

    /// The ids of a pair.
    pub(super) fn ids(&self, source: u32, target: u32) -> [&str; 2] {
        [&self.source[source as usize], &self.target[target as usize]]
    }

    /// Whether a pair is similar.
    pub(super) fn contains(&self, source: u32, target: u32) -> bool {
        self.bands.iter().any(|pairs| pairs.binary_search(&[source, target]).is_ok())
    }

    /// Whether all places are those of documents, as in a file that nobody damaged.
    pub(super) fn is_sound(&self) -> bool {
        let (source, target) = (self.source.len() as u32, self.target.len() as u32);
        self.both[0].len() == self.source.len()
            && self.both[1].len() == self.target.len()
            && self.bands.iter().flatten().all(|[s, t]| *s < source && *t < target)
    }
}

/// Where n-grams and URLs occur in the source.
struct SourceIndex<'a> {
    pages: &'a [ComparedDocument],
    searched: usize,
    grams: HashMap<u64, Vec<u32>>,
    urls: HashMap<&'a str, Vec<u32>>,
}

impl<'a> SourceIndex<'a> {
    fn new(pages: &'a [ComparedDocument], searched: usize) -> Self {
        let (mut grams, mut urls) = (HashMap::<u64, Vec<u32>>::new(), HashMap::<&str, Vec<u32>>::new());
        for (s, page) in pages.iter().enumerate() {
            if !page.url.is_empty() {
                urls.entry(&page.url).or_default().push(s as u32);
            }
            for gram in page.grams.iter().filter(|_| s < searched) {
                grams.entry(*gram).or_default().push(s as u32);
            }
        }
        Self { pages, searched, grams, urls }
    }

    /// The documents that a page of the target is similar to, with the band of each.
    fn similar_to(&self, page: &ComparedDocument) -> Vec<(u32, usize)> {
        let same: &[u32] = self.urls.get(page.url.as_str()).map_or(&[], Vec::as_slice);
        let mut common = vec![0u32; self.searched];
        for gram in &page.grams {
            for s in self.grams.get(gram).into_iter().flatten() {
                common[*s as usize] += 1;
            }
        }
        let near = common.iter().enumerate().filter(|(s, common)| **common > 0 && !same.contains(&(*s as u32)));
        let near = near.map(|(s, common)| {
            let jaccard = jaccard(*common, self.pages[s].grams.len() as u32, page.grams.len() as u32);
            (s as u32, band_of(false, jaccard))
        });
        same.iter().map(|s| (*s, 0)).chain(near.filter(|(_, place)| *place < BANDS)).collect()
    }
}

/// The documents of a side, each id once.
fn first_of_each(side: &Source) -> Vec<&SourceDocument> {
    let mut seen = HashSet::new();
    side.documents.iter().filter(|document| seen.insert(&document.id)).collect()
}

/// A page too short for an n-gram has none: its Jaccard with any page is 0, as it is wherever it is shown.
fn page(document: &SourceDocument, n: usize) -> ComparedDocument {
    let (text, mut tokens) = (document.text(), Tokens::new());
    tokens.read(&text);
    let mut grams: Vec<u64> = Roll::new(tokens.hashes(), n).collect();
    grams.sort_unstable();
    grams.dedup();
    let url = if document.url.is_empty() { String::new() } else { urls::normal(&document.url) };
    ComparedDocument { id: document.id.to_string(), url, grams }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_corpus::{Document, Media};
    use dejaview_matching::ExtractedText;
    use dejaview_methods::measures::Scores;

    fn page(id: &str, url: &str, grams: &[u64]) -> ComparedDocument {
        ComparedDocument { id: id.to_owned(), url: url.to_owned(), grams: grams.to_vec() }
    }

    #[test]
    fn pairs_are_listed_by_what_they_share() {
        let source =
            [page("a", "x", &[1, 2, 3, 4]), page("b", "", &[1, 9]), page("c", "y", &[5]), page("d", "x", &[7])];
        let index = SourceIndex::new(&source, 3);
        assert_eq!(
            index.similar_to(&page("t", "", &[1, 2, 3, 4])),
            [(0, 1), (1, 4)],
            "1 and 1/5: whole, and of the last band"
        );
        assert_eq!(
            index.similar_to(&page("t", "x", &[1, 2, 3])),
            [(0, 0), (3, 0), (1, 4)],
            "the URL counts before words"
        );
        assert_eq!(index.similar_to(&page("t", "", &[7])), [], "the last was not compared");
    }

    fn side(texts: &[(&str, &str)]) -> Source {
        let document = |(id, text): &(&str, &str)| {
            let mut tokens = Tokens::new();
            tokens.read(text);
            let (media, body) = (Media::Text, text.as_bytes());
            let document = Document { id, url: "", date: "", media, charset: None, body, offset: 0 };
            SourceDocument::new(0, &document, &ExtractedText { text, tokens: &tokens, charset: "UTF-8" })
        };
        let mut side = Source::default();
        side.documents.extend(texts.iter().map(document));
        side
    }

    #[test]
    fn texts_without_an_n_gram_resemble_nothing_as_everywhere() {
        let texts = [("empty", ""), ("marks", " …!"), ("short", "two words"), ("long", "some more words")];
        let (source, target) = (side(&texts), side(&texts));
        let alike = |n: usize| {
            let similar = SimilarPairs::new(&source, &target, n, Join::default());
            let pairs = similar.bands[1].iter().map(|[s, t]| similar.ids(*s, *t).map(str::to_owned));
            let mut pairs: Vec<[String; 2]> = pairs.collect();
            pairs.sort();
            pairs.concat()
        };
        assert_eq!(alike(1), ["long", "long", "short", "short"]);
        assert_eq!(alike(3), ["long", "long"]);
        for document in &source.documents {
            let profile = document.profile();
            let scores = Scores::new(&profile, &profile, &profile.with_the_same_text());
            assert_eq!(scores.jaccard_1 == 1.0, alike(1).contains(&document.id.to_string()), "{}", document.id);
            assert_eq!(scores.jaccard_3 == 1.0, alike(3).contains(&document.id.to_string()), "{}", document.id);
        }
    }

    #[test]
    fn every_jaccard_has_its_place() {
        let places = [1.0, 0.9, 0.8999, 0.7, 0.5, 0.2, 0.1999, 0.0].map(|jaccard| band_of(false, jaccard));
        assert_eq!(places, [1, 1, 2, 2, 3, 4, 5, 5]);
        assert_eq!(band_of(true, 0.0), 0);
    }
}
