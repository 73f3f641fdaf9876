//! The papers' experiments on a study's own documents: everyone compared with everyone, exactly.
//!
//! SimHash at several distances against exact Jaccard and against cosine (the study's Table 3.1 and Figure 3.3), the MinHash
//! estimate against what it estimates, and I-Match by the number of lexicons (Kołcz and Chowdhury's Table 1). Both sides
//! are read once more and held in memory; where there are more than [`MOST_PAIRS`] pairs, a fixed random part of the source
//! takes part, and the result says so.

mod rows;

use rayon::prelude::*;
use serde::Serialize;

use super::StudyError;
use super::recipe::StatisticsFrom;
use super::run::{Stage, Watch};
use super::session::Session;
use crate::base::hash;
use crate::base::similarity::{cosine, jaccard, ratio};
use crate::corpus::{Input, urls};
use crate::matching::fitting::Collection;
use crate::matching::source::{Order, Source};
use crate::methods::catalogue;
use crate::methods::curves::standard_error;
use crate::methods::layout::Layout;
use crate::methods::parameters::Value;
use crate::methods::{Method, Prepared, Statistics, Values};
use crate::text::Tokens;

/// Pairs that are compared at most: about a minute on two cores.
const MOST_PAIRS: usize = 50_000_000;

/// Largest distance of the sweep.
const FURTHEST: usize = 8;

/// n-grams of the sweep.
const LENGTHS: [&[u64]; 6] = [&[1], &[2], &[3], &[5], &[2, 3], &[3, 5]];

/// Numbers of lexicons beside the first.
const LEXICONS: [u64; 4] = [0, 2, 5, 10];

/// Numbers of minima.
const MINIMA: [u64; 3] = [36, 84, 200];

/// What counts as true: Jaccard of words, and cosine of binary word sets for I-Match.
const TRUE: f64 = 0.9;

/// All experiments.
#[derive(Debug, Clone, Serialize)]
pub struct Experiments {
    /// Documents that took part.
    pub source: usize,
    /// Documents that took part.
    pub target: usize,
    /// Documents of the source that were left out because there are too many pairs.
    pub left_out: usize,
    /// Pairs with a Jaccard of 0.9 or more.
    pub alike: u64,
    /// SimHash by n-grams and distance against Jaccard ≥ 0.9.
    pub simhash: Vec<SimHashRow>,
    /// The same over the pairs with one address only: the revisions of a page, or a page crawled twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_url: Option<SameUrl>,
    /// SimHash against every threshold of cosine.
    pub cosine: Vec<CosineRow>,
    /// MinHash estimates.
    pub minhash: Vec<MinHashRow>,
    /// I-Match by number of lexicons.
    pub lexicons: Vec<LexiconRow>,
}

/// SimHash at one distance.
#[derive(Debug, Clone, Serialize)]
pub struct SimHashRow {
    /// Lengths of the n-grams.
    pub ngrams: String,
    /// Most bits that may differ.
    pub distance: usize,
    /// Pairs found.
    pub pairs: u64,
    /// Those with a Jaccard of 0.9 or more.
    #[serde(rename = "true")]
    pub positive: u64,
    /// Share of true ones among those found.
    pub precision: f64,
    /// Share of true ones that are found.
    pub recall: f64,
}

/// SimHash over the pairs of documents with one address.
#[derive(Debug, Clone, Serialize)]
pub struct SameUrl {
    /// Such pairs.
    pub pairs: u64,
    /// Those with a Jaccard of 0.9 or more.
    pub alike: u64,
    /// By n-grams and distance.
    pub simhash: Vec<SimHashRow>,
}

/// SimHash of single words against one threshold of cosine.
#[derive(Debug, Clone, Serialize)]
pub struct CosineRow {
    /// A pair is true from this cosine on.
    pub threshold: f64,
    /// True pairs.
    #[serde(rename = "true")]
    pub positive: u64,
    /// Precision and recall at distances 1, 3 and 5.
    pub at: Vec<[f64; 2]>,
}

/// How good the estimate of so many minima is.
#[derive(Debug, Clone, Serialize)]
pub struct MinHashRow {
    /// Minima.
    pub minima: u64,
    /// Pairs compared: those with a Jaccard of shingles between 0.1 and 1.
    pub pairs: u64,
    /// Mean of estimate less exact.
    pub bias: f64,
    /// Root of the mean square of that.
    pub error: f64,
    /// What theory expects it to be.
    pub expected: f64,
}

/// I-Match with so many lexicons.
#[derive(Debug, Clone, Serialize)]
pub struct LexiconRow {
    /// Lexicons beside the first.
    pub lexicons: u64,
    /// Mean over source documents with a neighbour of the share of neighbours found.
    pub recall: f64,
    /// Recall over that of one lexicon, less 1.
    pub gain: f64,
    /// Share of pairs found that are neighbours.
    pub precision: f64,
    /// Source documents with a neighbour: cosine of binary word sets of 0.9 or more.
    pub asked: u64,
}

/// What the experiments keep of a document.
struct Page {
    /// Hash of its address; none when it has none.
    url: Option<u64>,
    /// Distinct words, ascending.
    words: Vec<u64>,
    times: Vec<u32>,
    norm: u64,
    fingerprints: Vec<Option<u64>>,
    minima: Vec<Vec<u64>>,
    shingles: Vec<u64>,
    lexicons: Vec<Vec<u64>>,
}

/// The methods that take part.
struct Methods {
    simhash: Vec<Box<dyn Method>>,
    minhash: Vec<Box<dyn Method>>,
    lexicons: Vec<Box<dyn Method>>,
    shingle: usize,
}

impl Session {
    /// Reads both sides and does all experiments.
    pub fn experiments(&self, threads: usize, watch: &dyn Watch) -> Result<Experiments, StudyError> {
        let (mut source, target) = self.read_sides(threads, watch)?;
        let plan = self.plan()?;
        let all = source.documents.len();
        let most = (MOST_PAIRS / target.documents.len().max(1)).max(1);
        if all > most {
            source.documents.sort_by_key(|document| hash::digest_bits(document.id.as_bytes()));
            source.documents.truncate(most);
        }
        let statistics = match self.read_statistics(&plan.digest) {
            Some(fitted) => fitted.statistics,
            None => {
                let mut collection = Collection::of_source(&source, threads, false);
                if self.recipe().statistics == StatisticsFrom::Both {
                    collection.merge(Collection::of_source(&target, threads, false));
                }
                collection.finish(std::iter::empty())
            }
        };
        let methods = Methods::new(&statistics);
        let pages = |side: &Source| -> Vec<Page> {
            side.documents.par_iter().map(|d| methods.page(&d.text(), &d.url)).collect()
        };
        let sides = [pages(&source), pages(&target)];
        let mut experiments = rows::compare(&sides, &methods);
        experiments.left_out = all - source.documents.len();
        Ok(experiments)
    }

    /// Both sides with their texts, in memory: of the source the judged documents, of the target all.
    pub(super) fn read_sides(&self, threads: usize, watch: &dyn Watch) -> Result<(Source, Source), StudyError> {
        let judgments = self.judgments()?;
        let plan = self.plan()?;
        let targets: Vec<Input> = plan.corpora.segments.iter().flat_map(|s| s.inputs.clone()).collect();
        let content = self.content()?;
        let read = |inputs: &[Input], wanted: &(dyn Fn(&str) -> bool + Sync)| -> Result<Source, StudyError> {
            watch.stage(Stage::Statistics { bytes: inputs.iter().map(|input| input.size).sum() });
            let order = Order {
                inputs,
                content: &content,
                configurations: &[],
                threads,
                progress: watch.progress(),
                keep: &|_| {},
                keep_all: false,
            };
            Ok(Source::read(order, wanted)?)
        };
        let judged = |id: &str| judgments.as_ref().is_none_or(|j| j.document(id).is_some());
        Ok((read(&plan.corpora.source, &judged)?, read(&targets, &|_| true)?))
    }
}

impl Methods {
    fn new(statistics: &Statistics) -> Self {
        let one = |name: &str, set: &[(&str, Value)]| {
            let entry = catalogue::find(name)?;
            let mut values = Values::new(entry);
            for (key, value) in set {
                values.set(key, value.clone()).ok()?;
            }
            entry.fit(&values, statistics).ok()
        };
        let minhash = |r: &u64| one("minhash", &[("minima", Value::Whole(*r))]);
        let shingle = catalogue::find("minhash").and_then(|entry| Values::new(entry).whole("shingle"));
        Self {
            simhash: LENGTHS.iter().filter_map(|n| one("simhash", &[("ngrams", Value::Wholes(n.to_vec()))])).collect(),
            minhash: MINIMA.iter().filter_map(minhash).collect(),
            lexicons: LEXICONS.iter().filter_map(|k| one("lex-rand", &[("lexicons", Value::Whole(*k))])).collect(),
            shingle: shingle.unwrap_or(1) as usize,
        }
    }

    fn page(&self, text: &str, url: &str) -> Page {
        let mut tokens = Tokens::new();
        tokens.read(text);
        let document = Prepared::new(text, &tokens);
        let sketch = |method: &dyn Method| {
            let mut out = Vec::new();
            method.sketch(&document, &mut out);
            out
        };
        let mut counted: Vec<(u64, u32)> = document.terms().iter().map(|term| (term.hash, term.tf)).collect();
        counted.sort_unstable();
        let mut shingles = document.grams(self.shingle).to_vec();
        shingles.sort_unstable();
        shingles.dedup();
        Page {
            url: (!url.is_empty()).then(|| hash::token(urls::normal(url).as_bytes())),
            words: counted.iter().map(|(word, _)| *word).collect(),
            times: counted.iter().map(|(_, times)| *times).collect(),
            norm: counted.iter().map(|(_, times)| u64::from(*times) * u64::from(*times)).sum(),
            fingerprints: self.simhash.iter().map(|method| sketch(&**method).first().copied()).collect(),
            minima: self.minhash.iter().map(|method| sketch(&**method)).collect(),
            shingles,
            lexicons: self.lexicons.iter().map(|method| sketch(&**method)).collect(),
        }
    }
}

/// What one source document adds up to.
#[derive(Debug, Clone, Default)]
struct Tally {
    alike: u64,
    /// For each set of n-grams and distance: pairs, true ones.
    simhash: Vec<[[u64; 2]; FURTHEST + 1]>,
    /// The same of pairs with one address.
    simhash_same_url: Vec<[[u64; 2]; FURTHEST + 1]>,
    /// Pairs with one address, and those of them that are alike.
    same_url: [u64; 2],
    /// For each threshold of cosine: true pairs; and for each of three distances those found of them.
    cosine: Vec<(u64, [u64; 3])>,
    /// For each number of minima: pairs, sum of errors, of squares, of expected squares.
    minhash: Vec<(u64, [f64; 3])>,
    /// For each number of lexicons: neighbours found, pairs found.
    lexicons: Vec<[u64; 2]>,
    neighbours: u64,
}

/// Distances shown against cosine.
const SHOWN: [usize; 3] = [1, 3, 5];

/// Thresholds of cosine: 0.5, 0.55, …, 1.
fn thresholds() -> Vec<f64> {
    (0..=10).map(|i| 0.5 + 0.05 * f64::from(i)).collect()
}

fn tally(a: &Page, others: &[Page], methods: &Methods, thresholds: &[f64]) -> Tally {
    let mut tally = Tally {
        simhash: vec![[[0; 2]; FURTHEST + 1]; a.fingerprints.len()],
        simhash_same_url: vec![[[0; 2]; FURTHEST + 1]; a.fingerprints.len()],
        cosine: vec![(0, [0; 3]); thresholds.len()],
        minhash: vec![(0, [0.0; 3]); a.minima.len()],
        lexicons: vec![[0; 2]; a.lexicons.len()],
        ..Tally::default()
    };
    for b in others {
        tally.add(a, b, methods, thresholds);
    }
    tally
}

impl Tally {
    fn add(&mut self, a: &Page, b: &Page, methods: &Methods, thresholds: &[f64]) {
        let (common, dot) = in_common(a, b);
        let alike = jaccard(common, a.words.len() as u32, b.words.len() as u32) >= TRUE;
        self.alike += u64::from(alike);
        let distance = |c: usize| match (a.fingerprints[c], b.fingerprints[c]) {
            (Some(x), Some(y)) => Layout::hamming(&[x], &[y]) as usize,
            _ => usize::MAX,
        };
        let same_url = a.url.is_some() && a.url == b.url;
        self.same_url[0] += u64::from(same_url);
        self.same_url[1] += u64::from(same_url && alike);
        for (c, (all, same)) in self.simhash.iter_mut().zip(&mut self.simhash_same_url).enumerate() {
            let within = distance(c).min(FURTHEST + 1);
            for count in all[within..].iter_mut().chain(same[within..].iter_mut().filter(|_| same_url)) {
                count[0] += 1;
                count[1] += u64::from(alike);
            }
        }
        let near = distance(0);
        let angle = cosine(dot as f64, a.norm as f64, b.norm as f64);
        for (threshold, (positive, found)) in thresholds.iter().zip(&mut self.cosine) {
            if angle >= *threshold - 1e-9 {
                *positive += 1;
                for (k, found) in SHOWN.iter().zip(found) {
                    *found += u64::from(near <= *k);
                }
            }
        }
        // Shingles are in common only where words are.
        if common > 0 {
            self.estimate(a, b);
        }
        let binary = f64::from(common) / ((a.words.len() * b.words.len()) as f64).sqrt().max(1.0);
        let neighbour = binary >= TRUE;
        self.neighbours += u64::from(neighbour);
        let sketches = a.lexicons.iter().zip(&b.lexicons);
        for ((count, method), (x, y)) in self.lexicons.iter_mut().zip(&methods.lexicons).zip(sketches) {
            let found = !x.is_empty() && !y.is_empty() && method.compare(x, y).is_some();
            count[0] += u64::from(found && neighbour);
            count[1] += u64::from(found);
        }
    }

    fn estimate(&mut self, a: &Page, b: &Page) {
        let (x, y) = (&a.shingles, &b.shingles);
        if x.is_empty() || y.is_empty() || x.len().min(y.len()) * 10 < x.len().max(y.len()) {
            return;
        }
        let common = common_of(x, y);
        let exact = ratio(common, (x.len() + y.len()) as u64 - common);
        if !(0.1..1.0).contains(&exact) {
            return;
        }
        for ((r, (pairs, sums)), (x, y)) in MINIMA.iter().zip(&mut self.minhash).zip(a.minima.iter().zip(&b.minima)) {
            // A sketch of MinHash is its minima, two to a word.
            let halves = |x: u64, y: u64| u64::from(x as u32 == y as u32) + u64::from(x >> 32 == y >> 32);
            let equal: u64 = x.iter().zip(y).map(|(&x, &y)| halves(x, y)).sum();
            let error = equal as f64 / *r as f64 - exact;
            *pairs += 1;
            sums[0] += error;
            sums[1] += error * error;
            sums[2] += standard_error(exact, *r as usize).powi(2);
        }
    }
}

/// Words in both, and the sum of the products of their counts.
fn in_common(a: &Page, b: &Page) -> (u32, u64) {
    let (mut i, mut j, mut common, mut dot) = (0, 0, 0, 0);
    while i < a.words.len() && j < b.words.len() {
        let (x, y) = (a.words[i], b.words[j]);
        if x == y {
            common += 1;
            dot += u64::from(a.times[i]) * u64::from(b.times[j]);
        }
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    (common, dot)
}

fn common_of(a: &[u64], b: &[u64]) -> u64 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        common += u64::from(a[i] == b[j]);
        let (x, y) = (a[i], b[j]);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    common
}
