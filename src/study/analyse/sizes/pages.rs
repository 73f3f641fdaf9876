//! Draws documents of one side of a study without a list of them: by random searches, or by a walk along links.

use std::cell::RefCell;
use std::collections::HashMap;

use serde::Serialize;
use strum::IntoStaticStr;

use super::strong;
use crate::StudyError;
use crate::analyse::sizes::options::must_keep_all;
use crate::snapshot::Snapshot;
use dejaview_base::choice::{Choice, Choices};
use dejaview_base::progress::Progress;
use dejaview_base::random::Random;
use dejaview_corpus::links::links;
use dejaview_corpus::{Document, Input, Media, SkipReason, urls};
use dejaview_evaluation::sizes::queries::{self, Draws, Search};
use dejaview_evaluation::sizes::{Graph, Walk, draw, walk};
use dejaview_index::{Index, IndexError, KeptSide};
use dejaview_matching::reading::{Unlisted, Visitor, visit};

/// How pages are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum PageSampler {
    /// Two words of the lexicon, one of the first 100 results; weights correct its bias.
    Query,
    /// WebWalker, with so many links followed backwards at most.
    Walk(usize),
}

/// Links that a walk follows backwards at most, where nobody says how many.
pub const BACKWARDS: usize = 10;

impl Choice for PageSampler {
    const CHOICES: Choices<Self> = &[
        (Self::Query, "Two random words, one of the first 100 results; weights correct the bias"),
        (Self::Walk(BACKWARDS), "A walk along the links between the corpus's own pages"),
    ];
}

impl PageSampler {
    /// The same, a walk following at most so many links backwards.
    #[must_use]
    pub fn following(self, backwards: usize) -> Self {
        match self {
            Self::Query => Self::Query,
            Self::Walk(_) => Self::Walk(backwards),
        }
    }
}

/// Which documents to draw, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageDraw {
    pub sampler: PageSampler,
    pub side: KeptSide,
    /// How many; some may come twice.
    pub size: usize,
    /// Id of the page at which a walk begins; the first with links by default.
    pub start: Option<String>,
    /// The same seed draws the same pages.
    pub seed: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DrawnPage {
    pub id: String,
    /// 1 where all pages are equally probable; where not, one over how probable this one is, the mean being 1.
    pub weight: f64,
}

/// Drawn documents, and how the draw went.
#[derive(Debug, Clone, Serialize)]
pub struct DrawnPages {
    /// In the order drawn.
    pub pages: Vec<DrawnPage>,
    /// Documents of the side that took part: those with links for a walk, those kept for searches.
    pub population: usize,
    /// Documents that a walk reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reached: Option<usize>,
    /// How uneven the draws are: the highest weight over the lowest.
    pub unevenness: f64,
}

/// Words that a random search may ask for: in at least so many documents.
const COMMON: u64 = 3;

/// Moves of a walk for each page drawn.
const MOVES: usize = 100;

/// WebWalker's number of neighbours.
const DEGREE: u64 = 10_000_000;

/// Draws pages of one side.
pub fn draw_pages(study: &Snapshot, order: &PageDraw, threads: usize) -> Result<DrawnPages, StudyError> {
    match order.sampler {
        PageSampler::Query => draw_by_queries(study, order),
        PageSampler::Walk(backwards) => draw_by_walk(study, order, backwards, threads),
    }
}

fn draw_by_queries(study: &Snapshot, order: &PageDraw) -> Result<DrawnPages, StudyError> {
    must_keep_all(study)?;
    let index = study.index()?;
    let searched = Searched::new(index, order.side)?;
    let draws = Draws { size: order.size, searches: 50 * order.size, pairs: 10, seed: order.seed, ..Draws::default() };
    let drawn = queries::draw(&searched, &draws)?;
    let mean = drawn.iter().map(|d| d.weight).sum::<f64>() / drawn.len().max(1) as f64;
    let ids = searched.ids.borrow();
    let pages = drawn.iter().map(|d| DrawnPage { id: ids[d.page as usize].clone(), weight: d.weight / mean }).collect();
    let population = index.list(Some(order.side), 0, 1)?.total;
    Ok(DrawnPages { pages, population, reached: None, unevenness: unevenness(drawn.iter().map(|d| d.weight)) })
}

fn draw_by_walk(
    study: &Snapshot,
    order: &PageDraw,
    backwards: usize,
    threads: usize,
) -> Result<DrawnPages, StudyError> {
    let linked = linked_pages(study, order.side, threads)?;
    let graph = linked.graph();
    let start = match &order.start {
        Some(id) => linked
            .pages
            .iter()
            .position(|page| page.id == *id)
            .ok_or_else(|| StudyError::NoDocument { id: id.clone(), side: order.side.name() })?,
        None => graph.links.iter().position(|links| !links.is_empty()).unwrap_or_default(),
    };
    if linked.pages.is_empty() {
        return Ok(DrawnPages { pages: Vec::new(), population: 0, reached: Some(0), unevenness: 1.0 });
    }
    let way =
        Walk { start: start as u32, degree: DEGREE, backwards, moves: MOVES * order.size.max(10), seed: order.seed };
    let visits = walk(&graph, &way);
    let reached: std::collections::BTreeSet<u32> = visits.iter().map(|visit| visit.page).collect();
    let drawn = draw(&visits, 0.1, order.size, &mut Random::new(order.seed, 1));
    let page = |page: u32| DrawnPage { id: linked.pages[page as usize].id.clone(), weight: 1.0 };
    Ok(DrawnPages {
        pages: drawn.into_iter().map(page).collect(),
        population: linked.pages.len(),
        reached: Some(reached.len()),
        unevenness: 1.0,
    })
}

/// Reads a side and keeps where its pages link to.
fn linked_pages(study: &Snapshot, side: KeptSide, threads: usize) -> Result<Linked, StudyError> {
    let corpora = study.session().corpora()?;
    let inputs: Vec<Input> = match side {
        KeptSide::Source => corpora.source,
        KeptSide::Target => corpora.segments.into_iter().flat_map(|segment| segment.inputs).collect(),
    };
    let visited = visit(&inputs, threads, &Progress::default(), &Unlisted, Linked::default)?;
    let mut pages: Vec<LinkedPage> = visited.visitors.into_iter().flat_map(|linked| linked.pages).collect();
    pages.sort_by_key(|page| page.place);
    Ok(Linked { pages })
}

fn unevenness(weights: impl Iterator<Item = f64> + Clone) -> f64 {
    let highest = weights.clone().fold(0.0, f64::max);
    let lowest = weights.fold(f64::INFINITY, f64::min);
    if lowest > 0.0 && lowest.is_finite() { highest / lowest } else { 1.0 }
}

/// Gathers documents with their links.
#[derive(Default)]
struct Linked {
    pages: Vec<LinkedPage>,
}

struct LinkedPage {
    place: (usize, u64),
    id: String,
    url: String,
    links: Vec<String>,
}

impl Visitor for Linked {
    fn document(&mut self, file: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        if document.media != Media::Html || document.url.is_empty() {
            return Ok(());
        }
        let html = dejaview_text::decode(document.body, document.charset, true).text;
        self.pages.push(LinkedPage {
            place: (file, document.offset),
            id: document.id.to_owned(),
            url: urls::normal(document.url),
            links: links(&html, document.url).iter().map(|link| urls::normal(link)).collect(),
        });
        Ok(())
    }
}

impl Linked {
    /// Links between pages of the corpus, by address; of several pages with one address the first.
    fn graph(&self) -> Graph {
        let mut places: HashMap<&str, u32> = HashMap::new();
        for (i, page) in self.pages.iter().enumerate() {
            places.entry(&page.url).or_insert(i as u32);
        }
        let links = self.pages.iter().enumerate().flat_map(|(i, page)| {
            let places = &places;
            page.links.iter().filter_map(move |link| Some((i as u32, *places.get(link.as_str())?)))
        });
        Graph::new(self.pages.len(), links)
    }
}

/// One side of an index, searched by words of its lexicon.
struct Searched<'a> {
    index: &'a Index,
    side: KeptSide,
    words: Vec<String>,
    numbers: HashMap<String, usize>,
    /// Ids of pages found so far, by number.
    ids: RefCell<Vec<String>>,
    known: RefCell<HashMap<String, u32>>,
}

impl<'a> Searched<'a> {
    fn new(index: &'a Index, side: KeptSide) -> Result<Self, StudyError> {
        let frequencies = strong::frequencies(index)?;
        let mut words: Vec<String> =
            frequencies.into_iter().filter(|(_, documents)| *documents >= COMMON).map(|(word, _)| word).collect();
        words.sort();
        let numbers = words.iter().enumerate().map(|(i, word)| (word.clone(), i)).collect();
        Ok(Self { index, side, words, numbers, ids: RefCell::default(), known: RefCell::default() })
    }

    fn number(&self, id: String) -> u32 {
        let mut ids = self.ids.borrow_mut();
        *self.known.borrow_mut().entry(id).or_insert_with_key(|id| {
            ids.push(id.clone());
            ids.len() as u32 - 1
        })
    }
}

impl Search for Searched<'_> {
    type Error = IndexError;

    fn words(&self) -> usize {
        self.words.len()
    }

    fn both(&self, [a, b]: [usize; 2], most: usize) -> Result<Vec<u32>, IndexError> {
        let query = format!("{} {}", self.words[a], self.words[b]);
        let results = self.index.search(&query, Some(self.side), most)?;
        Ok(results.into_iter().map(|result| self.number(result.id)).collect())
    }

    fn words_of(&self, page: u32) -> Result<Vec<usize>, IndexError> {
        let id = self.ids.borrow()[page as usize].clone();
        let text = self.index.document(self.side, &id)?.map(|stored| stored.text).unwrap_or_default();
        Ok(strong::words(&text).iter().filter_map(|word| self.numbers.get(word).copied()).collect())
    }
}
