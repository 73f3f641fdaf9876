//! The numbers of the thesis and the papers, as they were published.
//!
//! [`REFERENCES`] says whose they are.

/// The thesis, the papers and the lectures.
pub const REFERENCES: [&str; 5] = [
    "The thesis: J. Graßegger, Near-Duplicates im ClueWeb12: Eine Pilotstudie zur Übertragbarkeit von Forschungsergebnissen, \
     Bachelorarbeit, Bauhaus-Universität Weimar, 2014. Chapters, sections, tables and figures with numbers alone are its own.",
    "A. Kołcz, A. Chowdhury, J. Alspector, Improved Robustness of Signature-Based Near-Replica Detection via Lexicon Randomization, \
     KDD 2004.",
    "Yu. G. Zelenkov, I. V. Segalovich, Sravnitelny analiz metodov opredeleniya nechetkikh dublikatov dlya Web-dokumentov \
     (a comparison of methods that find near-duplicates of web documents), RCDL 2007.",
    "H. Schütze, Size Estimation and Duplicate Detection, lecture 19 of Introduction to Information Retrieval, Universität Stuttgart, \
     2008; M. Sauerhoff, Duplikatfilterung und Sampling von Webseiten, Universität Dortmund, winter 2007/2008.",
    "K. Bharat, A. Broder, A Technique for Measuring the Relative Size and Overlap of Public Web Search Engines, WWW 1998; \
     S. Lawrence, C. L. Giles, Searching the World Wide Web, Science 280, 1998.",
];

/// Table 2.2 of the thesis: judged documents by track, as the study calls tracks.
pub const TRACKS: [(&str, u64); 8] = [
    ("web09", 21_855),
    ("web10", 24_470),
    ("web11", 19_220),
    ("web12", 16_028),
    ("session10", 24_287),
    ("session11", 18_509),
    ("session12", 15_080),
    ("all", 155_419),
];

/// Table 3.1 of the thesis: distance k, precision and recall of SimHash against a Jaccard of 0.9 or more.
pub const SIMHASH: [(usize, f64, f64); 3] = [(1, 0.78, 0.63), (3, 0.54, 0.81), (5, 0.38, 0.92)];

/// Section 4.1 of the thesis: judged documents with a URL in ClueWeb12.
pub const JUDGED_COMMON: u64 = 34_319;
/// Section 4.3: URLs of ClueWeb09 in ClueWeb12 (64.5 million), and their share of ClueWeb09, in percent.
pub const COMMON: (u64, f64) = (64_500_000, 12.8);
/// Section 4.1: mean and median Jaccard of pages with the same URL, and the share at 0.9 or more, in percent.
pub const SAME_URL: (f64, f64, f64) = (0.6, 0.63, 23.0);
/// Section 4.3: common URLs of the two most frequent hosts.
pub const HOSTS: [(&str, u64); 2] = [("en.wikipedia.org", 13_758), ("wikitravel.org", 8_716)];

/// Table 4.1 of the thesis: shares of top-level domains in percent, of the source, of judged documents, of those with a common URL,
/// and of common URLs; a domain that a list of the table lacks has none there.
pub const DOMAINS: [(&str, [Option<f64>; 4]); 6] = [
    ("com", [Some(63.5), Some(56.3), Some(65.3), Some(61.7)]),
    ("org", [Some(10.2), Some(21.4), Some(12.2), Some(12.4)]),
    ("net", [Some(5.5), Some(4.5), Some(4.9), Some(5.7)]),
    ("uk", [Some(3.5), None, None, None]),
    ("edu", [Some(3.2), Some(3.1), Some(4.2), Some(4.6)]),
    ("gov", [Some(0.8), Some(2.6), Some(3.8), Some(1.1)]),
];

/// What chapter 5 of the thesis says of one SimHash, k = 3.
pub struct Found {
    /// The configuration, as the standard set calls it.
    pub name: &'static str,
    /// Judged documents with a candidate in five segments.
    pub documents: u64,
    /// The straight line's number for 20 segments.
    pub carried_on: u64,
    /// Share of these with a candidate of Jaccard 0.9 or more.
    pub precision: f64,
    /// How many these are, where it is said.
    pub alike: Option<u64>,
    /// Share of the documents found that have a common URL, in percent.
    pub same_url: u64,
    /// Mean number of candidates of a document, segment 0.
    pub candidates: Option<u64>,
    /// Of 100 drawn pairs, how many are no near-duplicates by eye.
    pub wrong: Option<u64>,
}

pub const FOUND: [Found; 5] = [
    Found {
        name: "simhash-2",
        documents: 7_316,
        carried_on: 15_175,
        precision: 0.39,
        alike: Some(2_828),
        same_url: 51,
        candidates: Some(473),
        wrong: Some(37),
    },
    Found {
        name: "simhash-2+3",
        documents: 5_598,
        carried_on: 12_172,
        precision: 0.49,
        alike: None,
        same_url: 60,
        candidates: Some(44),
        wrong: None,
    },
    Found {
        name: "simhash-3",
        documents: 4_216,
        carried_on: 9_117,
        precision: 0.61,
        alike: Some(2_443),
        same_url: 69,
        candidates: Some(578),
        wrong: Some(16),
    },
    Found {
        name: "simhash-3+5",
        documents: 3_664,
        carried_on: 7_884,
        precision: 0.67,
        alike: None,
        same_url: 72,
        candidates: Some(39),
        wrong: Some(5),
    },
    Found {
        name: "simhash-5",
        documents: 3_274,
        carried_on: 6_876,
        precision: 0.71,
        alike: Some(2_194),
        same_url: 72,
        candidates: None,
        wrong: None,
    },
];

/// Section 5.1, candidates of a document in segment 0: the most, the median and the 75 % percentile, where they are said.
pub struct Candidates {
    pub name: &'static str,
    pub most: u64,
    pub median: Option<u64>,
    pub p75: Option<u64>,
}

pub const CANDIDATES: [Candidates; 3] = [
    Candidates { name: "simhash-2", most: 29_932, median: Some(1), p75: Some(6) },
    Candidates { name: "simhash-2+3", most: 9_834, median: None, p75: None },
    Candidates { name: "simhash-3+5", most: 9_193, median: None, p75: None },
];

/// Section 5.2: mean number of candidates of a Wikipedia page found, two segments. None of the pages has a near-duplicate.
pub const WIKIPEDIA: [(&str, u64); 3] = [("simhash-3", 3_318), ("simhash-5", 2_325), ("simhash-3+5", 768)];
/// Section 4.2: URLs of the English Wikipedia in ClueWeb12.
pub const WIKIPEDIA_COMMON: u64 = 19_166;

/// Section 5.1: documents of segment 0 that the first finds alike and the second misses.
pub const MISSED: [(&str, &str, u64); 2] = [("simhash-3+5", "simhash-3", 347), ("simhash-3+5", "simhash-2", 278)];

/// Table 1 of Kołcz et al.: lexicons beside the first; recall on honeypot spam and on clusters of spam.
pub const LEXICONS: [(u64, f64, f64); 4] = [(0, 0.66, 0.40), (2, 0.72, 0.49), (5, 0.76, 0.55), (10, 0.80, 0.61)];

/// Zelenkov and Segalovich, Tables 1 to 3 and 7: name, method here, recall, precision, F, pairs found.
pub struct Algorithm {
    pub name: &'static str,
    pub method: &'static str,
    pub quality: Option<[f64; 3]>,
    pub pairs: Option<u64>,
}

const fn algorithm(name: &'static str, method: &'static str, quality: [f64; 3], pairs: u64) -> Algorithm {
    Algorithm { name, method, quality: Some(quality), pairs: Some(pairs) }
}

pub const ALGORITHMS: [Algorithm; 13] = [
    algorithm("A0", "md5", [0.23, 1.00, 0.38], 2_791_226),
    algorithm("A1", "tf", [0.60, 0.94, 0.73], 7_540_460),
    algorithm("A2", "tfidf", [0.54, 0.96, 0.69], 6_745_096),
    algorithm("A3", "tfridf", [0.59, 0.95, 0.73], 7_373_208),
    algorithm("A4", "long-sent", [0.84, 0.80, 0.82], 12_635_770),
    algorithm("A5", "heavy-sent", [0.62, 0.86, 0.72], 8_544_468),
    algorithm("A6", "megashingles", [0.36, 0.91, 0.51], 4_696_699),
    algorithm("A7", "lex-rand", [0.50, 0.97, 0.66], 6_124_207),
    algorithm("A8", "log-shingles", [0.39, 0.97, 0.56], 4_791_883),
    algorithm("A9", "descr-words", [0.44, 0.77, 0.56], 6_927_589),
    algorithm("A10", "opt-freq", [0.59, 0.94, 0.73], 7_531_378),
    Algorithm { name: "A11", method: "decomposition", quality: None, pairs: None },
    Algorithm { name: "A12", method: "sentences-words", quality: Some([0.96, 0.95, 0.95]), pairs: None },
];

/// Their Table 4: the algorithms of its rows and columns, and Dice above the diagonal.
pub const DICE_OF: [&str; 8] = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A9"];
pub const DICE: [&[f64]; 7] = [
    &[0.83, 0.79, 0.40, 0.68, 0.54, 0.90, 0.65],
    &[0.75, 0.38, 0.76, 0.60, 0.88, 0.71],
    &[0.32, 0.60, 0.48, 0.82, 0.59],
    &[0.76, 0.54, 0.54, 0.55],
    &[0.59, 0.69, 0.68],
    &[0.56, 0.53],
    &[0.66],
];
