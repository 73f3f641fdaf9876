//! How large the corpora of one study, or of several, are beside each other; and pages drawn from them without a list.

mod pages;
mod strong;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

pub use pages::{DrawnPage, PageDraw, PageSampler, Pages};

use super::StudyError;
use super::recipe::Keep;
use super::session::Session;
use crate::base::random::Bootstrap;
use crate::evaluation::sizes::{Overlap, Size, relative};
use crate::index::KeptSide;

/// What decides that a page of one corpus stands in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SizeBy {
    /// It has a pair of the study that is alike enough.
    #[default]
    Pairs,
    /// A search for its rarest words finds a page that is alike enough.
    Queries,
}

impl SizeBy {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Queries => "queries",
        }
    }
}

/// How sizes are told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SizeOptions {
    /// What decides.
    pub by: SizeBy,
    /// From this Jaccard on a page stands in the other corpus.
    pub alike: f64,
    /// Pages of each corpus that are searched for.
    pub asked: usize,
    /// Seed of their choice and of the intervals.
    pub seed: u64,
}

impl Default for SizeOptions {
    fn default() -> Self {
        Self { by: SizeBy::Pairs, alike: 0.9, asked: 200, seed: 1 }
    }
}

/// The corpora and their sizes.
#[derive(Debug, Clone, Serialize)]
pub struct Sizes {
    /// What decided: `pairs` or `queries`.
    pub by: &'static str,
    /// From this Jaccard on a page stands in another corpus.
    pub alike: f64,
    /// The corpora, in the order of the studies.
    pub corpora: Vec<CorpusSize>,
    /// How much of each stands in which.
    pub overlaps: Vec<Overlap>,
}

/// One corpus.
#[derive(Debug, Clone, Serialize)]
pub struct CorpusSize {
    /// Name of the study and the side it has there first.
    pub name: String,
    /// Documents read of it: what a size can be held against.
    pub documents: u64,
    /// Beside the first; none when the overlaps do not say.
    #[serde(flatten)]
    pub size: Option<Size>,
}

/// The relative sizes of all corpora in these studies. A corpus is known by its files: studies that share one tie the others
/// together.
pub fn sizes(sessions: &[&Session], options: &SizeOptions) -> Result<Sizes, StudyError> {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut corpora: Vec<CorpusSize> = Vec::new();
    let mut overlaps = Vec::new();
    for session in sessions {
        let counts = session.overlap(options)?;
        let documents = session.summary().map(|s| [s.documents.source, s.documents.target]).unwrap_or_default();
        let numbers: Vec<usize> = [KeptSide::Source, KeptSide::Target]
            .into_iter()
            .zip(documents)
            .map(|(side, documents)| {
                *known.entry(session.corpus_key(side)).or_insert_with(|| {
                    let name = format!("{}, {}", session.recipe().name, side.name());
                    corpora.push(CorpusSize { name, documents, size: None });
                    corpora.len() - 1
                })
            })
            .collect();
        for (i, (asked, found)) in counts.into_iter().enumerate() {
            overlaps.push(Overlap { of: numbers[i], within: numbers[1 - i], asked, found });
        }
    }
    let bootstrap = Bootstrap { seed: options.seed, ..Bootstrap::default() };
    for (corpus, size) in corpora.iter_mut().zip(relative(known.len(), &overlaps, &bootstrap).unwrap_or_default()) {
        corpus.size = Some(size);
    }
    Ok(Sizes { by: options.by.name(), alike: options.alike, corpora, overlaps })
}

impl Session {
    /// For the source, then the target: pages asked, and those of them found on the other side.
    fn overlap(&self, options: &SizeOptions) -> Result<[(u64, u64); 2], StudyError> {
        match options.by {
            SizeBy::Pairs => self.overlap_by_pairs(options.alike),
            SizeBy::Queries => strong::overlap(self, options),
        }
    }

    fn overlap_by_pairs(&self, alike: f64) -> Result<[(u64, u64); 2], StudyError> {
        let table = self.pair_table()?;
        let (mut sources, mut targets) = (BTreeSet::new(), BTreeSet::new());
        for row in (0..table.len()).filter(|&row| table.jaccard(row) >= alike) {
            let pair = table.pair(row);
            sources.insert(pair.source);
            targets.insert(pair.target);
        }
        let documents = self.summary().map(|s| [s.documents.source, s.documents.target]).unwrap_or_default();
        Ok([(documents[0], sources.len() as u64), (documents[1], targets.len() as u64)])
    }

    /// What a corpus is known by: its files, and the judgments where only judged documents count.
    fn corpus_key(&self, side: KeptSide) -> String {
        let Ok(corpora) = self.corpora() else { return format!("{} {}", self.folder().display(), side.name()) };
        let inputs = match side {
            KeptSide::Source => corpora.source,
            KeptSide::Target => corpora.segments.into_iter().flat_map(|segment| segment.inputs).collect(),
        };
        let mut files: Vec<String> = inputs
            .iter()
            .map(|input| input.path.canonicalize().unwrap_or_else(|_| input.path.clone()).display().to_string())
            .collect();
        files.sort();
        if side == KeptSide::Source {
            files.extend(self.recipe().source.judgments.iter().map(|pattern| format!("judged {}", pattern.glob)));
        }
        files.join("\n")
    }

    /// An error unless all texts are kept: searching for those with a pair alone would say that everything overlaps.
    fn all_kept(&self) -> Result<(), StudyError> {
        match self.recipe().keep {
            Keep::All => Ok(()),
            Keep::Hits => Err(StudyError::NotKept { path: self.folder().to_owned() }),
        }
    }
}
