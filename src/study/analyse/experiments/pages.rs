//! The methods of the experiments, and what they compute from a document.

use dejaview_base::hash;
use dejaview_corpus::urls;
use dejaview_matching::DocumentNumber;
use dejaview_methods::algorithm::Parameters as _;
use dejaview_methods::parameters::Value;
use dejaview_methods::{Method, Prepared, Statistics, Values, catalogue, lexicon, minhash};
use dejaview_text::Tokens;

/// The features of one SimHash of the sweep.
pub(super) struct Swept {
    /// Lengths of its n-grams.
    pub(super) ngrams: &'static [u64],
    /// Which words they are of, as a study says it.
    words: &'static str,
}

impl Swept {
    const fn all(ngrams: &'static [u64]) -> Self {
        Self { ngrams, words: "all" }
    }

    /// As rows of tables name it: `3+5`.
    pub(super) fn name(&self) -> String {
        let lengths = self.ngrams.iter().map(u64::to_string).collect::<Vec<_>>().join("+");
        if self.words == "all" { lengths } else { format!("{lengths}, no stop words") }
    }
}

/// The sweep: all lengths of the study, and its trial with single words without stop words.
pub(super) static SWEEP: [Swept; 7] = [
    Swept::all(&[1]),
    Swept::all(&[2]),
    Swept::all(&[3]),
    Swept::all(&[5]),
    Swept::all(&[2, 3]),
    Swept::all(&[3, 5]),
    Swept { ngrams: &[1], words: "content" },
];

/// Lexicons beside the first at most: the curve of the paper's Figures 2 and 3, and its table.
pub(super) const MOST_LEXICONS: usize = 10;

/// A lexicon of which random parts are taken.
pub(super) struct SweptLexicon {
    /// As tables name it.
    pub(super) name: &'static str,
    nidf: [f64; 2],
    /// What it is fitted to.
    of: LexiconOf,
}

/// What a lexicon is fitted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LexiconOf {
    /// What the study says.
    Study,
    Source,
    Target,
}

/// The lexicons: that of the paper's web pages; the narrow one of its mail; and those of one side alone, as the paper takes
/// one of another collection.
pub(super) static SWEPT_LEXICONS: [SweptLexicon; 4] = [
    SweptLexicon { name: "nidf 0.2 to 0.8", nidf: [0.2, 0.8], of: LexiconOf::Study },
    SweptLexicon { name: "nidf 0.2 to 0.3", nidf: [0.2, 0.3], of: LexiconOf::Study },
    SweptLexicon { name: "nidf 0.2 to 0.8 of the source alone", nidf: [0.2, 0.8], of: LexiconOf::Source },
    SweptLexicon { name: "nidf 0.2 to 0.8 of the target alone", nidf: [0.2, 0.8], of: LexiconOf::Target },
];

/// What is known of the words of the study, and of each of its sides.
pub(super) struct WordCounts {
    pub(super) study: Statistics,
    pub(super) source: Statistics,
    pub(super) target: Statistics,
}

impl WordCounts {
    fn of(&self, of: LexiconOf) -> &Statistics {
        match of {
            LexiconOf::Study => &self.study,
            LexiconOf::Source => &self.source,
            LexiconOf::Target => &self.target,
        }
    }
}

/// Methods that are held against every cosine beside SimHash, as the study's Figure 3.3 has other hashing methods; with
/// their defaults.
pub(super) static RIVALS: [&str; 5] = ["supershingles", "megashingles", "fuzzy-fingerprints", "imatch", "lex-rand"];

pub(super) const MINIMA: [u64; 3] = [36, 84, 200];

/// What the experiments keep of a document.
pub(super) struct ComparedDocument {
    /// Of the source: its number. Of the target: that of the source document that it is.
    pub(super) number: Option<DocumentNumber>,
    /// Of the source: whether it stands in the target, too.
    pub(super) on_both_sides: bool,
    /// Hash of its address; none when it has none.
    pub(super) url: Option<u64>,
    /// Distinct words, ascending.
    pub(super) words: Vec<u64>,
    pub(super) times: Vec<u32>,
    pub(super) norm: u64,
    pub(super) fingerprints: Vec<Option<u64>>,
    pub(super) minima: Vec<Vec<u64>>,
    pub(super) shingles: Vec<u64>,
    /// Sketches of [`RIVALS`]; empty where there is none.
    pub(super) rivals: Vec<Vec<u64>>,
    /// For each of [`SWEPT_LEXICONS`] the signatures under it and its random parts; empty where it has none.
    pub(super) lexicons: Vec<Vec<u64>>,
    /// What the paper on lexicons compares documents by, ascending; none where it leaves the document out.
    pub(super) features: Option<Vec<u64>>,
}

/// The methods that take part.
pub(super) struct Methods {
    pub(super) simhash: Vec<Box<dyn Method>>,
    pub(super) minhash: Vec<Box<dyn Method>>,
    pub(super) rivals: Vec<Box<dyn Method>>,
    lexicons: Vec<Box<dyn Method>>,
    pub(super) shingle: usize,
}

impl Methods {
    /// `texts` are what some of them learn from.
    pub(super) fn new(words: &WordCounts, texts: &[String]) -> Self {
        let fitted = |name: &str, set: &[(&str, Value)], statistics: &Statistics| {
            let mut values = Values::new(catalogue::find(name)?);
            for (key, value) in set {
                values.set(key, value.clone()).ok()?;
            }
            values.fit(statistics).ok()
        };
        let one = |name: &str, set: &[(&str, Value)]| fitted(name, set, &words.study);
        let minhash = |r: &u64| one("minhash", &[("minima", Value::Whole(*r))]);
        let lexicon = |swept: &SweptLexicon| {
            let nidf = Value::Fractions(swept.nidf.to_vec());
            let set = [("nidf", nidf), ("lexicons", Value::Whole(MOST_LEXICONS as u64))];
            fitted("lex-rand", &set, words.of(swept.of))
        };
        let simhash = |swept: &Swept| {
            let (ngrams, words) = (Value::Wholes(swept.ngrams.to_vec()), Value::Word(swept.words.to_owned()));
            one("simhash", &[("ngrams", ngrams), ("words", words)])
        };
        let rival = |name: &&str| {
            let values = Values::new(catalogue::find(name)?);
            let mut statistics = words.study.clone();
            values.learn(texts, &mut statistics);
            values.fit(&statistics).ok()
        };
        Self {
            rivals: RIVALS.iter().filter_map(rival).collect(),
            simhash: SWEEP.iter().filter_map(simhash).collect(),
            minhash: MINIMA.iter().filter_map(minhash).collect(),
            lexicons: SWEPT_LEXICONS.iter().filter_map(lexicon).collect(),
            shingle: minhash::Parameters::defaults().shingle,
        }
    }

    pub(super) fn document(&self, text: &str, url: &str) -> ComparedDocument {
        let mut tokens = Tokens::new();
        tokens.read(text);
        let document = Prepared::new(text, &tokens);
        let sketch_of = |method: &dyn Method, document: &Prepared<'_>| {
            let mut out = Vec::new();
            method.sketch(document, &mut out);
            out
        };
        let sketch = |method: &dyn Method| sketch_of(method, &document);
        // A prepared document keeps the frequencies of one collection.
        let lexicon = |method: &dyn Method| sketch_of(method, &Prepared::new(text, &tokens));
        let mut counted: Vec<(u64, u32)> = document.terms().iter().map(|term| (term.hash, term.tf)).collect();
        counted.sort_unstable();
        let mut shingles = document.grams(self.shingle).to_vec();
        shingles.sort_unstable();
        shingles.dedup();
        ComparedDocument {
            number: None,
            on_both_sides: false,
            url: (!url.is_empty()).then(|| hash::token(urls::normal(url).as_bytes())),
            words: counted.iter().map(|(word, _)| *word).collect(),
            times: counted.iter().map(|(_, times)| *times).collect(),
            norm: counted.iter().map(|(_, times)| u64::from(*times) * u64::from(*times)).sum(),
            fingerprints: self.simhash.iter().map(|method| sketch(&**method).first().copied()).collect(),
            minima: self.minhash.iter().map(|method| sketch(&**method)).collect(),
            shingles,
            rivals: self.rivals.iter().map(|method| sketch(&**method)).collect(),
            lexicons: self.lexicons.iter().map(|method| lexicon(&**method)).collect(),
            features: lexicon::features(&document),
        }
    }
}
