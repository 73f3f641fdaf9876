//! The results of the experiments, as rows of tables.

use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
pub struct Experiments {
    /// Documents that took part.
    pub source: usize,
    /// Documents that took part.
    pub target: usize,
    /// Documents of the source that were left out because there are too many pairs.
    pub left_out: usize,
    /// Pairs that were compared.
    pub pairs: u64,
    /// Pairs with a Jaccard of 0.9 or more.
    pub alike: u64,
    /// SimHash by n-grams and distance against Jaccard ≥ 0.9.
    pub simhash: Vec<SimHashRow>,
    /// The same over the pairs with one address only: the revisions of a page, or a page crawled twice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_url: Option<SameUrl>,
    /// SimHash against every threshold of cosine.
    pub cosine: Vec<CosineRow>,
    /// The methods beside SimHash that are held against every threshold, in the order of their numbers there.
    pub rivals: Vec<&'static str>,
    pub minhash: Vec<MinHashRow>,
    /// I-Match by number of lexicons.
    pub lexicons: Vec<LexiconRow>,
    /// The same with other lexicons than that of the paper's web pages.
    pub other_lexicons: Vec<LexiconRow>,
    /// How often signatures survive changed words.
    pub stability: Vec<StabilityRow>,
}

/// SimHash at one distance.
#[derive(Debug, Clone, Serialize)]
pub struct SimHashRow {
    /// Lengths of the n-grams, and whether stop words are left out.
    pub ngrams: String,
    /// Most bits that may differ.
    pub distance: usize,
    /// Number of pairs found.
    pub pairs: u64,
    /// Those with a Jaccard of 0.9 or more.
    #[serde(rename = "true")]
    pub positive: u64,
    /// Share of true ones among those found; none where none are found.
    pub precision: Option<f64>,
    /// Share of true ones that are found; none where none are true.
    pub recall: Option<f64>,
}

/// SimHash over the pairs of documents with one address.
#[derive(Debug, Clone, Serialize)]
pub struct SameUrl {
    /// Number of such pairs.
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
    /// Number of true pairs.
    #[serde(rename = "true")]
    pub positive: u64,
    /// Precision and recall at distances 1, 3 and 5; none where none are found, or true.
    pub at: Vec<[Option<f64>; 2]>,
    /// Precision and recall of the rivals.
    pub rivals: Vec<[Option<f64>; 2]>,
}

/// How good the estimate of so many minima is.
#[derive(Debug, Clone, Serialize)]
pub struct MinHashRow {
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
    /// The lexicon that the others are random parts of.
    pub lexicon: &'static str,
    /// Lexicons beside the first.
    pub lexicons: u64,
    /// Mean over source documents with a neighbour of the share of neighbours found; none where none has a neighbour.
    pub recall: Option<f64>,
    /// Recall over that of one lexicon, less 1; none where that is 0.
    pub gain: Option<f64>,
    /// Share of pairs found that are neighbours; none where none are found.
    pub precision: Option<f64>,
    /// Pairs found.
    pub pairs: u64,
    /// Source documents with a neighbour: cosine of 0.9 or more of the sets of words that count for I-Match.
    pub asked: u64,
}

/// How often one of so many signatures is as it was after words of the lexicon have come or gone.
#[derive(Debug, Clone, Serialize)]
pub struct StabilityRow {
    /// Random lexicons.
    pub lexicons: usize,
    /// Words of the lexicon that were taken out or put in.
    pub changes: usize,
    /// What the paper's formula says.
    pub theory: f64,
    /// The share of documents; none where no document has enough words.
    pub measured: Option<f64>,
    /// Documents that were changed.
    pub documents: usize,
}
