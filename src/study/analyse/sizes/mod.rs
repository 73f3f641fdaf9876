//! How large the corpora of one study, or of several, are beside each other; and pages drawn from them without a list.

mod asking;
pub mod options;
mod pages;
mod sampler;
mod searched_for;
mod strong;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::StudyError;
use crate::analyse::sizes::options::{AskedBy, FoundElsewhere, SizeBy, SizeOptions};
use crate::query::pair_table::Bundle;
use crate::snapshot::Snapshot;
use dejaview_base::interval::Interval;
use dejaview_base::random::Bootstrap;
use dejaview_evaluation::sizes::{AskedPages, Overlap, SearchRatios, Size, relative};
use dejaview_index::KeptSide;

pub use pages::draw_pages;
pub use sampler::{BACKWARDS, DrawnPage, DrawnPages, PageDraw, PageSampler};
pub use searched_for::SearchedFor;

/// The corpora and their sizes.
#[derive(Debug, Clone, Serialize)]
pub struct Sizes {
    /// What decided: `pairs`, `queries` or `searches`.
    pub by: &'static str,
    /// From this Jaccard on a page stands in another corpus.
    pub alike: f64,
    /// The corpora, in the order of the studies.
    pub corpora: Vec<CorpusSize>,
    /// How much of each stands in which.
    pub overlaps: Vec<Overlap>,
    /// What the searches of a log say, where they decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searches: Option<SearchRatios>,
}

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
pub fn sizes(sessions: &[&Snapshot], options: &SizeOptions) -> Result<Sizes, StudyError> {
    let by_searches = options.by == SizeBy::Searches;
    let drawn_anew = options.drawn == AskedBy::Drawn(PageSampler::Query);
    match sessions {
        [study] if by_searches => return by_log(study, options),
        [_] => {}
        _ if by_searches || drawn_anew => return Err(StudyError::OneStudy),
        _ => {}
    }
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut corpora: Vec<CorpusSize> = Vec::new();
    let (mut overlaps, mut asked) = (Vec::new(), Vec::new());
    for study in sessions {
        let looked = overlap_of_sides(study, options)?;
        let documents = study.summary()?.map(|s| [s.documents.source, s.documents.target]).unwrap_or_default();
        let numbers: Vec<usize> = [KeptSide::Source, KeptSide::Target]
            .into_iter()
            .zip(documents)
            .map(|(side, documents)| {
                *known.entry(corpus_key(study, side)).or_insert_with(|| {
                    let name = format!("{}, {}", study.recipe().name, side.name());
                    corpora.push(CorpusSize { name, documents, size: None });
                    corpora.len() - 1
                })
            })
            .collect();
        asked.resize_with(corpora.len(), Corpus::default);
        for (i, looked) in looked.into_iter().enumerate() {
            let (of, within) = (numbers[i], numbers[1 - i]);
            overlaps.push(Overlap { of, within, asked: looked.asked, found: looked.hits, share: looked.share() });
            asked[of].add(within, looked);
        }
    }
    if corpora.len() == 1 {
        return Err(StudyError::OneCorpus);
    }
    let bootstrap = Bootstrap { seed: options.seed, ..Bootstrap::default() };
    let asked: Vec<AskedPages> = asked.iter().map(Corpus::asked).collect();
    for (corpus, size) in corpora.iter_mut().zip(relative(&asked, &bootstrap).unwrap_or_default()) {
        corpus.size = Some(size);
    }
    Ok(Sizes { by: options.by.name(), alike: options.alike, corpora, overlaps, searches: None })
}

/// The two sides of a study by the numbers of results that the queries of a log have.
fn by_log(study: &Snapshot, options: &SizeOptions) -> Result<Sizes, StudyError> {
    let ratios = asking::ratios(study, options)?;
    let documents = study.summary()?.map(|s| [s.documents.source, s.documents.target]).unwrap_or_default();
    let times = [Interval::new(1.0, 1.0, 1.0), ratios.together];
    let corpus = |((side, documents), times): ((KeptSide, u64), Option<Interval>)| CorpusSize {
        name: format!("{}, {}", study.recipe().name, side.name()),
        documents,
        size: times.filter(|_| ratios.together.is_some()).map(|times_first| Size { times_first, share: None }),
    };
    let corpora = [KeptSide::Source, KeptSide::Target].into_iter().zip(documents).zip(times).map(corpus).collect();
    let (by, alike) = (options.by.name(), options.alike);
    Ok(Sizes { by, alike, corpora, overlaps: Vec::new(), searches: Some(ratios) })
}

/// The pages of one corpus, over all studies that it takes part in: the same ones are asked in each.
#[derive(Default)]
struct Corpus {
    pages: f64,
    within: BTreeSet<usize>,
    /// For pages found somewhere, what each is worth and the corpora that hold it.
    held: BTreeMap<String, (f64, BTreeSet<usize>)>,
}

impl Corpus {
    fn add(&mut self, within: usize, looked: FoundElsewhere) {
        self.pages = self.pages.max(looked.worth);
        self.within.insert(within);
        for (id, worth) in looked.found {
            let (known, held) = self.held.entry(id).or_default();
            *known = known.max(worth);
            held.insert(within);
        }
    }

    /// How many of its pages stand in which others.
    fn asked(&self) -> AskedPages {
        let mut asked = AskedPages { pages: self.pages, within: self.within.clone(), held: BTreeMap::new() };
        for (worth, others) in self.held.values() {
            *asked.held.entry(others.clone()).or_default() += worth;
        }
        asked
    }
}

/// For the source, then the target: pages asked, and those of them found on the other side.
fn overlap_of_sides(study: &Snapshot, options: &SizeOptions) -> Result<[FoundElsewhere; 2], StudyError> {
    match options.by {
        SizeBy::Pairs => overlap_by_pairs(study, options.alike),
        SizeBy::Queries | SizeBy::Searches => asking::overlap(study, options),
    }
}

fn overlap_by_pairs(study: &Snapshot, alike: f64) -> Result<[FoundElsewhere; 2], StudyError> {
    let table = study.table()?;
    // A document that stands on both sides is in the other by being there.
    let mut sources: BTreeSet<String> = study.both_sides()?.iter().map(str::to_owned).collect();
    let mut targets = sources.clone();
    for kind in table.kinds() {
        let near = |bundle: &&Bundle<'_>| bundle.first_pair.scores().jaccard(table.n()).unwrap_or_default() >= alike;
        for bundle in kind.bundles.iter().filter(near) {
            sources.extend(kind.sources.iter().map(|source| source.id.to_owned()));
            targets.extend(table.pairs_of_first_source(&kind, bundle).map(|pair| pair.target.to_owned()));
        }
    }
    let [source, target] = study.summary()?.map(|s| [s.documents.source, s.documents.target]).unwrap_or_default();
    Ok([FoundElsewhere::equally(source, sources), FoundElsewhere::equally(target, targets)])
}

/// What a corpus is known by: its files, and the judgments where only judged documents count.
fn corpus_key(study: &Snapshot, side: KeptSide) -> String {
    let Ok(corpora) = study.session().corpora() else { return format!("{} {}", study.folder().display(), side.name()) };
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
        files.extend(study.recipe().source.judgments.iter().map(|pattern| format!("judged {}", pattern.glob)));
    }
    files.join("\n")
}
