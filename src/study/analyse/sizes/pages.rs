//! Draws documents of one side of a study without a list of them: by random searches, or by a walk along links.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use super::sampler::{DrawnPage, DrawnPages, PageDraw, PageSampler};
use super::searched_for::{self, SearchedFor};
use super::strong;
use crate::StudyError;
use crate::analyse::sizes::options::must_keep_all;
use crate::snapshot::Snapshot;
use dejaview_base::progress::Progress;
use dejaview_base::random::Random;
use dejaview_corpus::links::links;
use dejaview_corpus::{Document, Input, Media, SkipReason, urls};
use dejaview_evaluation::sizes::queries::{self, Draws, Search};
use dejaview_evaluation::sizes::{Graph, Walk, draw, draw_logged, walk};
use dejaview_index::{Index, IndexError, KeptSide};
use dejaview_matching::reading::{Unlisted, Visitor, visit};

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
    let drawn = match &order.searched_for {
        SearchedFor::Lexicon => two_words(Searched::new(index, order.side, None)?, order)?,
        SearchedFor::Words(path) => {
            let words = searched_for::words(path)?;
            two_words(Searched::new(index, order.side, Some(&words))?, order)?
        }
        SearchedFor::Log(path) => logged(index, &searched_for::queries(path, order.seed)?, order)?,
    };
    let mean = drawn.iter().map(|page| page.weight).sum::<f64>() / drawn.len().max(1) as f64;
    let unevenness = unevenness(drawn.iter().map(|page| page.weight));
    let pages = drawn.into_iter().map(|page| DrawnPage { weight: page.weight / mean, ..page }).collect();
    let population = index.list(Some(order.side), 0, 1)?.total;
    Ok(DrawnPages { pages, population, reached: None, unevenness })
}

/// Draws by searches for two words.
fn two_words(searched: Searched<'_>, order: &PageDraw) -> Result<Vec<DrawnPage>, StudyError> {
    let draws = Draws { size: order.size, searches: 50 * order.size, pairs: 10, seed: order.seed, ..Draws::default() };
    let drawn = queries::draw(&searched, &draws)?;
    let ids = searched.ids.borrow();
    Ok(drawn.iter().map(|d| DrawnPage { id: ids[d.page as usize].clone(), weight: d.weight }).collect())
}

/// Draws by the searches of a log.
fn logged(index: &Index, queries: &[String], order: &PageDraw) -> Result<Vec<DrawnPage>, StudyError> {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut results = Vec::with_capacity(queries.len());
    for query in queries {
        let found = index.search(query, Some(order.side), Draws::default().results)?;
        let number = |id: String| {
            let next = numbers.len() as u32;
            *numbers.entry(id).or_insert(next)
        };
        results.push(found.into_iter().map(|result| result.id).map(number).collect::<Vec<u32>>());
    }
    let mut ids = vec![String::new(); numbers.len()];
    numbers.into_iter().for_each(|(id, number)| ids[number as usize] = id);
    let drawn = draw_logged(&results, order.size, order.seed);
    Ok(drawn.iter().map(|d| DrawnPage { id: ids[d.page as usize].clone(), weight: d.weight }).collect())
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
    let reached: BTreeSet<u32> = visits.iter().map(|visit| visit.page).collect();
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
    /// `only` are the words that may be searched for; all that are common enough by default.
    fn new(index: &'a Index, side: KeptSide, only: Option<&BTreeSet<String>>) -> Result<Self, StudyError> {
        let frequencies = strong::frequencies(index)?.into_iter();
        let wanted = |word: &String, documents: u64| match only {
            Some(only) => only.contains(word),
            None => documents >= COMMON,
        };
        let mut words: Vec<String> =
            frequencies.filter(|(word, documents)| wanted(word, *documents)).map(|(word, _)| word).collect();
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
