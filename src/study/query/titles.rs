//! Titles and URLs of the documents of a study, at hand for lists of any length.
//!
//! They are read from the files of texts, one small block for a document, without reading a text.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dejaview_base::both::BothSides;
use dejaview_base::ignoring_case;
use dejaview_corpus::urls;
use dejaview_index::{Index, KeptSide, TitledDocument};
use dejaview_text::shorten::SiteNames;
use rayon::prelude::*;

/// Documents that are held in memory; a screen of lists has a hundred.
const CACHED: usize = 10_000;
/// Titles read between two questions whether anybody still wants them.
const BETWEEN_STOPS: usize = 1 << 12;

/// Titles that were looked up, by side and id; none for documents that have none.
type Cache = HashMap<(KeptSide, Box<str>), Option<Arc<TitledDocument>>>;

/// The titles of a study. Cheap to ask again for what was asked for lately.
#[derive(Debug)]
pub struct Titles {
    index: Index,
    both: BothSides,
    cache: Mutex<Cache>,
    sites: OnceLock<SiteNames>,
}

/// A document that was found by its title or URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TitleMatch {
    pub side: KeptSide,
    pub id: String,
    pub document: TitledDocument,
}

/// What a list shows for a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownTitle {
    /// The title without the name of its site.
    Title(String),
    /// The last part of the URL's path, of a document without a title; else its id.
    Name(String),
}

impl ShownTitle {
    pub fn text(&self) -> &str {
        match self {
            Self::Title(text) | Self::Name(text) => text,
        }
    }
}

impl Titles {
    pub(crate) fn new(index: Index, both: BothSides) -> Self {
        Self { index, both, cache: Mutex::default(), sites: OnceLock::new() }
    }

    /// URL and title of a document; none when no run has read it.
    pub fn get(&self, side: KeptSide, id: &str) -> Option<Arc<TitledDocument>> {
        self.get_from(None, side, id)
    }

    /// The same of a document of the target whose segment is known, which is found sooner.
    pub fn get_in(&self, segment: &str, id: &str) -> Option<Arc<TitledDocument>> {
        self.get_from(Some(segment), KeptSide::Target, id)
    }

    fn get_from(&self, segment: Option<&str>, side: KeptSide, id: &str) -> Option<Arc<TitledDocument>> {
        let key = (side, id.into());
        let cache = || self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cache().get(&key) {
            return known.clone();
        }
        let other = if side == KeptSide::Source { KeptSide::Target } else { KeptSide::Source };
        let other = Some(other).filter(|_| self.both.contains(id));
        // A title that cannot be read is as good as none: whoever opens the document is told why.
        let titled = |side| self.index.titled(side, id, segment).ok().flatten();
        let found = [Some(side), other].into_iter().flatten().find_map(titled).map(Arc::new);
        let mut cache = cache();
        if cache.len() >= CACHED {
            cache.clear();
        }
        cache.insert(key, found.clone());
        found
    }

    /// Documents whose title or URL has all these words, in lower case: of the source, then of the target. Reads all titles
    /// until it has found as many as are wanted; none when it was stopped.
    pub fn find(&self, words: &[String], most: usize, stop: &(dyn Fn() -> bool + Sync)) -> Option<Vec<TitleMatch>> {
        let mut found: Vec<TitleMatch> = Vec::new();
        self.visit_matching(words, stop, |side, id, url, title| {
            let document = TitledDocument { url: url.to_owned(), title: title.to_owned() };
            found.push(TitleMatch { side, id: id.to_owned(), document });
            found.len() < most
        })?;
        Some(found)
    }

    /// The ids of the source and of the target whose title or URL has all these words, in lower case. Reads all titles; none
    /// when it was stopped.
    pub fn ids_with(&self, words: &[String], stop: &(dyn Fn() -> bool + Sync)) -> Option<[HashSet<String>; 2]> {
        let [mut sources, mut targets] = [HashSet::new(), HashSet::new()];
        self.visit_matching(words, stop, |side, id, _, _| {
            let both = self.both.contains(id);
            for (ids, kept) in [(&mut sources, KeptSide::Source), (&mut targets, KeptSide::Target)] {
                if both || side == kept {
                    ids.insert(id.to_owned());
                }
            }
            true
        })?;
        Some([sources, targets])
    }

    /// Calls `visit` with side, id, URL and title of the documents whose title or URL has all these words, until it wants no
    /// more of them; none when it was stopped.
    fn visit_matching(
        &self,
        words: &[String],
        stop: &(dyn Fn() -> bool + Sync),
        mut visit: impl FnMut(KeptSide, &str, &str, &str) -> bool,
    ) -> Option<()> {
        for part in 0..self.index.parts() {
            let (mut seen, mut wants_more) = (0usize, true);
            // What was read before an error counts.
            let _ = self.index.for_each_title(part, |side, id, url, title| {
                let has = |word: &String| ignoring_case::contains(title, word) || ignoring_case::contains(url, word);
                if words.iter().all(has) {
                    wants_more = visit(side, id, url, title);
                }
                seen += 1;
                wants_more && !(seen.is_multiple_of(BETWEEN_STOPS) && stop())
            });
            if stop() {
                return None;
            }
            if !wants_more {
                break;
            }
        }
        Some(())
    }

    /// Finds out which parts of titles are names of sites, which reads all titles. Until then titles are shown with them.
    pub fn find_site_names(&self) -> &SiteNames {
        self.sites.get_or_init(|| {
            let parts = (0..self.index.parts()).into_par_iter().map(|part| {
                let mut parts = Vec::new();
                // What was read before an error counts.
                let _ = self.index.for_each_title(part, |_, _, url, title| {
                    parts.extend(SiteNames::parts(&urls::host(url), title));
                    true
                });
                parts
            });
            SiteNames::new(parts.flatten_iter().collect())
        })
    }

    /// What a list shows for a document.
    pub fn shown(&self, side: KeptSide, id: &str) -> ShownTitle {
        let Some(document) = self.get(side, id) else { return ShownTitle::Name(id.to_owned()) };
        if document.title.is_empty() {
            let path = document.url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
            let last = path.rsplit('/').next().filter(|last| !last.is_empty());
            return ShownTitle::Name(last.unwrap_or(id).to_owned());
        }
        ShownTitle::Title(match self.sites.get() {
            Some(sites) => sites.shorten(&urls::host(&document.url), &document.title).to_owned(),
            None => document.title.clone(),
        })
    }

    /// The titles of a source and a target document without the names of their sites, unless these alone make them different.
    pub fn shown_pair(&self, source: &TitledDocument, target: &TitledDocument) -> [String; 2] {
        let [a, b] = [source, target].map(|document| (urls::host(&document.url), document.title.as_str()));
        let pair = [(a.0.as_str(), a.1), (b.0.as_str(), b.1)];
        self.sites.get().map_or([a.1, b.1], |sites| sites.shorten_both(pair)).map(str::to_owned)
    }
}
