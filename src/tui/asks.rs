//! What the lists and tables ask of a worker, and what they are told.

use std::sync::Arc;

use super::data::{By, Link, Rail, Rows, Shape, StudyData, Tree, charts};
use super::screens::corpus::Wrapped;
use dejaview_base::ignoring_case;
use dejaview_corpus::urls::Rules;
use dejaview_evaluation::estimates::Unsure;
use dejaview_index::{Hit, KeptSide, Listing};
use dejaview_labels::Decisions;
use dejaview_report::numbers::{percent, plural};
use dejaview_study::{Figure, FigureOptions, Part, Snapshot, Unwatched, Urls, UrlsOrder};

/// Hits of a full-text search, at most.
const HITS: usize = 500;

/// Rows looked at between two questions whether anybody still wants them.
const BLOCK: usize = 1 << 12;

/// Something that a list wants to know. `generation` comes back with the answer: late ones are dropped.
#[derive(Debug, Clone)]
pub enum Ask {
    /// The judgments by topic.
    Tree(Arc<StudyData>),
    /// Which judgments pass a filter, in which order.
    Shape {
        /// Of the wish.
        generation: u64,
        /// The study with the texts of topics.
        data: Arc<StudyData>,
        /// The judgments.
        tree: Arc<Tree>,
        /// What they must hold.
        words: String,
        /// What they are sorted by.
        by: By,
    },
    /// URLs of source documents.
    Urls(Vec<String>),
    /// The next row with a text in one of its ids.
    Seek {
        /// Of the wish.
        generation: u64,
        /// The study with its table.
        data: Arc<StudyData>,
        /// Rows as they are shown.
        rows: Rows,
        /// In lower case.
        query: String,
        /// Where to begin: the first row looked at.
        from: usize,
        /// Towards the end.
        forward: bool,
    },
    /// A stretch of the kept documents.
    Listing {
        /// Of the wish.
        generation: u64,
        /// Of one side or both.
        side: Option<KeptSide>,
        /// First place.
        from: usize,
        /// How many.
        count: usize,
    },
    /// Documents with these words.
    Find {
        /// Of the wish.
        generation: u64,
        /// In the language of the index.
        query: String,
        /// Of one side or both.
        side: Option<KeptSide>,
    },
    /// One document with its text.
    Document {
        /// Of the wish.
        generation: u64,
        /// Its side.
        side: KeptSide,
        /// Its id.
        id: String,
        /// Columns of the screen.
        columns: usize,
    },
    /// The figures.
    Figures {
        /// Of the wish.
        generation: u64,
        /// The study with its table.
        data: Arc<StudyData>,
        /// The person's labels.
        labels: Box<Decisions>,
    },
    /// What moving a cut-off does to a configuration.
    Rail {
        /// Of the wish.
        generation: u64,
        /// The study with its table.
        data: Arc<StudyData>,
        /// Its name.
        configuration: String,
    },
    /// What both sides have in common by their URLs.
    Overlap,
    /// What the labels of these samples say so far.
    SoFar(Vec<String>),
    /// What the runs read: documents, files, records that were not read.
    Parts,
    /// The paragraph for a paper, about a sample.
    Paragraph(String),
    /// Documents that labels link one to the next.
    Links {
        /// Of the wish.
        generation: u64,
        /// Their ids.
        ids: Vec<String>,
    },
}

/// What came of it.
#[derive(Debug)]
pub enum Told {
    /// The judgments by topic.
    Tree(Arc<Tree>),
    /// Which judgments to show.
    Shape {
        /// Of the wish.
        generation: u64,
        /// In order.
        shape: Shape,
    },
    /// Ids with their URLs; empty where none is kept.
    Urls(Vec<(String, String)>),
    /// The place of the row sought, if there is one.
    Sought {
        /// Of the wish.
        generation: u64,
        /// Among the rows shown.
        at: Option<usize>,
    },
    /// A stretch of the kept documents.
    Listing {
        /// Of the wish.
        generation: u64,
        /// Or why there is none.
        result: Result<Listing, String>,
    },
    /// Documents found.
    Hits {
        /// Of the wish.
        generation: u64,
        /// Best first, or why there are none.
        result: Result<Vec<Hit>, String>,
    },
    /// A document.
    Document {
        /// Of the wish.
        generation: u64,
        /// With its text, or why it cannot be shown.
        result: Result<Box<Wrapped>, String>,
    },
    /// The figures.
    Figures {
        /// Of the wish.
        generation: u64,
        /// In order, or why there are none.
        result: Result<Vec<Figure>, String>,
    },
    /// What moving a cut-off does.
    Rail {
        /// Of the wish.
        generation: u64,
        /// Or why nobody knows.
        result: Result<Box<Rail>, String>,
    },
    /// What both sides have in common by their URLs, or why nobody knows.
    Overlap(Result<Box<Urls>, String>),
    /// What the runs read.
    Parts(Vec<Part>),
    /// Samples, each with its precision so far in words.
    SoFar(Vec<(String, String)>),
    /// The paragraph, or why there is none.
    Paragraph(Result<String, String>),
    /// Documents in their order, or why they cannot be read.
    Links {
        /// Of the wish.
        generation: u64,
        /// The documents.
        result: Result<Vec<Link>, String>,
    },
}

impl Ask {
    /// Workers for all of this.
    pub const SLOTS: usize = 14;

    /// Which worker does it.
    pub fn slot(&self) -> usize {
        match self {
            Self::Tree(_) => 0,
            Self::Shape { .. } => 1,
            Self::Urls(_) => 2,
            Self::Seek { .. } => 3,
            Self::Listing { .. } => 4,
            Self::Find { .. } => 5,
            Self::Document { .. } => 6,
            Self::Parts => 7,
            Self::Overlap => 10,
            Self::SoFar(_) => 11,
            Self::Paragraph(_) => 12,
            Self::Links { .. } => 13,
            Self::Figures { .. } => 8,
            Self::Rail { .. } => 9,
        }
    }

    /// What is done, in a few words.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Tree(_) => "gather the judgments",
            Self::Shape { .. } => "filter the judgments",
            Self::Urls(_) => "look up URLs",
            Self::Seek { .. } => "search the pairs",
            Self::Listing { .. } => "list documents",
            Self::Find { .. } => "search the texts",
            Self::Document { .. } => "read a document",
            Self::Parts => "list files",
            Self::Overlap => "count URLs in common",
            Self::SoFar(_) => "estimate from labels",
            Self::Paragraph(_) => "write the paragraph",
            Self::Links { .. } => "read the documents of a way",
            Self::Figures { .. } => "count for the figures",
            Self::Rail { .. } => "measure cut-offs",
        }
    }

    /// Does it; none when `stop` says that nobody wants it any more.
    pub fn perform(self, study: &Snapshot, stop: &(dyn Fn() -> bool + Sync)) -> Option<Told> {
        Some(match self {
            Self::Tree(data) => Told::Tree(Arc::new(Tree::of(&data))),
            Self::Shape { generation, data, tree, words, by } => {
                Told::Shape { generation, shape: Shape::of(&data, &tree, &words, by) }
            }
            Self::Urls(ids) => Told::Urls(urls(study, ids)),
            Self::Seek { generation, data, rows, query, from, forward } => {
                Told::Sought { generation, at: sought(&data, &rows, &query, (from, forward), stop)? }
            }
            Self::Listing { generation, side, from, count } => {
                let listing = study.kept_texts().and_then(|index| Ok(index.list(side, from, count)?));
                Told::Listing { generation, result: listing.map_err(|error| error.to_string()) }
            }
            Self::Find { generation, query, side } => {
                let hits = study.kept_texts().and_then(|index| Ok(index.search(&query, side, HITS)?));
                Told::Hits { generation, result: hits.map_err(|error| error.to_string()) }
            }
            Self::Document { generation, side, id, columns } => {
                let found = dejaview_study::find_document(study, &id, Some(side));
                let found = found.map(|found| Box::new(Wrapped::new(found.document, columns)));
                Told::Document { generation, result: found.map_err(|error| error.to_string()) }
            }
            Self::Parts => Told::Parts(study.parts()),
            Self::Overlap => Told::Overlap(overlap(study)),
            Self::SoFar(samples) => Told::SoFar(so_far(study, samples)),
            Self::Links { generation, ids } => Told::Links { generation, result: Link::all(study, &ids) },
            Self::Paragraph(sample) => {
                let paragraph = dejaview_study::paragraph(study, Some(&sample), Unsure::Out);
                Told::Paragraph(paragraph.map(|paragraph| paragraph.text).map_err(|error| error.to_string()))
            }
            Self::Rail { generation, data, configuration } => {
                Told::Rail { generation, result: Rail::of(study, &data.table, &configuration).map(Box::new) }
            }
            Self::Figures { generation, data, labels } => {
                let figures = dejaview_study::figures_of(study, &data.table, &FigureOptions::default());
                let all = figures.map(|figures| [figures.figures, charts::more(&data, &labels)].concat());
                Told::Figures { generation, result: all.map_err(|error| error.to_string()) }
            }
        })
    }
}

impl Told {
    /// Which worker it is from.
    pub fn slot(&self) -> usize {
        match self {
            Self::Tree(_) => 0,
            Self::Shape { .. } => 1,
            Self::Urls(_) => 2,
            Self::Sought { .. } => 3,
            Self::Listing { .. } => 4,
            Self::Hits { .. } => 5,
            Self::Document { .. } => 6,
            Self::Parts(_) => 7,
            Self::Overlap(_) => 10,
            Self::SoFar(_) => 11,
            Self::Paragraph(_) => 12,
            Self::Links { .. } => 13,
            Self::Figures { .. } => 8,
            Self::Rail { .. } => 9,
        }
    }
}

/// The precision of each sample so far, of the first configuration that it serves; samples without one are left out.
fn so_far(study: &Snapshot, samples: Vec<String>) -> Vec<(String, String)> {
    let words = |name: &String| {
        if dejaview_study::sample_or_first_draw(study, name).ok()?.of_old_pairs() {
            return Some("kept: stands for old pairs alone".to_owned());
        }
        let estimates = dejaview_study::estimates(study, name, Unsure::Out).ok()?;
        let first = estimates.configurations.first()?;
        let interval = first.precision.as_ref()?.headline?;
        let value = percent(interval.value, 1);
        let [low, high] = [interval.low, interval.high].map(|share| 100.0 * share);
        let out = match estimates.disputed {
            0 => String::new(),
            disputed => format!(", {} left out", plural(disputed, "disputed pair")),
        };
        Some(format!("precision so far {value} ({low:.1}–{high:.1}) of {}{out}", first.name))
    };
    samples.into_iter().filter_map(|name| words(&name).map(|words| (name, words))).collect()
}

/// Bytes of records that a join of URLs keeps in memory.
const JOIN: usize = 500_000_000;

fn overlap(study: &Snapshot) -> Result<Box<Urls>, String> {
    let order =
        UrlsOrder { rules: Rules::default(), domain: None, canonical: false, content: false, memory: JOIN, threads: 1 };
    dejaview_study::urls(study, &order, &Unwatched::default()).map(Box::new).map_err(|error| error.to_string())
}

/// URLs as the index has them; it keeps documents with a pair, and others only where the study asks for it.
fn urls(study: &Snapshot, ids: Vec<String>) -> Vec<(String, String)> {
    let Ok(index) = study.index() else { return Vec::new() };
    let url = |id: &str| index.document(KeptSide::Source, id).ok().flatten().map(|stored| stored.url);
    ids.into_iter().map(|id| (url(&id).unwrap_or_default(), id)).map(|(url, id)| (id, url)).collect()
}

/// The first row from `from` on, round the end, that has the query in one of its ids. The outer none: stopped.
fn sought(
    data: &StudyData,
    rows: &Rows,
    query: &str,
    (from, forward): (usize, bool),
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Option<usize>> {
    let len = rows.len();
    for step in 0..len {
        if step % BLOCK == 0 && stop() {
            return None;
        }
        let at = if forward { (from + step) % len } else { (from + len - step) % len };
        let (source, target) = data.table.ids(rows.get(at)?);
        if ignoring_case::contains(source, query) || ignoring_case::contains(target, query) {
            return Some(Some(at));
        }
    }
    Some(None)
}
