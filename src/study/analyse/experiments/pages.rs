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

/// Numbers of lexicons beside the first: the curve of the paper's Figures 2 and 3, and its table.
pub(super) const LEXICONS: [u64; 11] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

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
    pub(super) lexicons: Vec<Vec<u64>>,
    /// What the paper on lexicons compares documents by, ascending; none where it leaves the document out.
    pub(super) features: Option<Vec<u64>>,
}

/// The methods that take part.
pub(super) struct Methods {
    pub(super) simhash: Vec<Box<dyn Method>>,
    pub(super) minhash: Vec<Box<dyn Method>>,
    pub(super) lexicons: Vec<Box<dyn Method>>,
    pub(super) shingle: usize,
}

impl Methods {
    pub(super) fn new(statistics: &Statistics) -> Self {
        let one = |name: &str, set: &[(&str, Value)]| {
            let mut values = Values::new(catalogue::find(name)?);
            for (key, value) in set {
                values.set(key, value.clone()).ok()?;
            }
            values.fit(statistics).ok()
        };
        let minhash = |r: &u64| one("minhash", &[("minima", Value::Whole(*r))]);
        let simhash = |swept: &Swept| {
            let (ngrams, words) = (Value::Wholes(swept.ngrams.to_vec()), Value::Word(swept.words.to_owned()));
            one("simhash", &[("ngrams", ngrams), ("words", words)])
        };
        Self {
            simhash: SWEEP.iter().filter_map(simhash).collect(),
            minhash: MINIMA.iter().filter_map(minhash).collect(),
            lexicons: LEXICONS.iter().filter_map(|k| one("lex-rand", &[("lexicons", Value::Whole(*k))])).collect(),
            shingle: minhash::Parameters::defaults().shingle,
        }
    }

    pub(super) fn document(&self, text: &str, url: &str) -> ComparedDocument {
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
            lexicons: self.lexicons.iter().map(|method| sketch(&**method)).collect(),
            features: lexicon::features(&document),
        }
    }
}
