//! SPEX (Bernstein and Zobel, SPIRE 2004): documents that have many chunks of words in common, of which those that stand in
//! one document alone are never stored.
//!
//! A chunk is a run of 8 words. Most chunks of a collection stand in one document and can be common to no two. SPEX
//! leaves these out, pass by pass: a chunk can stand twice only if every shorter run in it does. The pairs are then
//! scored by the authors' S3, the common chunks divided by the mean number of chunks of both documents.
//!
//! The first of these passes, single words, is the one made here: a chunk with a word of one document alone is not stored,
//! its number counts all the same. Further passes would store less and find the same pairs. Where documents have exactly the
//! same chunks that are not stored, one hash says so, and these count as common: a page equals itself in any collection.
//! So it is with statistics of both sides; fitted to the source alone, chunks with words of one source document are lost.
//! (Ours: chunks as sets, a least S3 of 0.8, the rarest chunks as keys by the prefix filter.)
//!
//! Cost: one look a word. Sketch: a word for each stored chunk and each key, and three more.

use super::algorithm::{self, Algorithm, Collection};
use super::explanation::{Explanation, Side};
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::{LONGEST, Prepared};
use super::sampled::{named_shingles, thousandths};
use super::statistics::Statistics;
use dejaview_base::hash::{M, fmix64};
use dejaview_base::similarity::{common, dice};

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    shingle: usize,
    agree: f64,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "spex";
    const ABOUT: &'static str = "chunks of 8 words that stand in more than one document; enough in common match (SPEX and S3: Bernstein and Zobel 2004)";
    const DISTANCE: &'static str = "thousandths that S3 is short of 1, rounded down";
    const FITTED: bool = true;

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            shingle: declaration.whole(
                "shingle",
                8,
                1..=LONGEST,
                "words in a chunk; longer ones ask for more of the same wording",
            ),
            agree: declaration.fraction(
                "agree",
                0.8,
                0.05..=1.0,
                "least S3, the common chunks divided by the mean number of chunks; lowering it finds more pairs",
            ),
        }
    }

    fn fit(self, collection: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(Spex { shingle: self.shingle, agree: self.agree, statistics: collection.statistics.clone() }))
    }
}

/// A configuration of SPEX.
#[derive(Debug)]
struct Spex {
    shingle: usize,
    agree: f64,
    statistics: Statistics,
}

/// The distinct chunks of a document.
#[derive(Debug, Default)]
struct Chunks {
    /// Those that may stand in other documents, with the document frequency of their rarest word; rare ones first.
    stored: Vec<(u32, u64)>,
    /// Those with a word that stands in this document alone, ascending.
    single: Vec<u64>,
}

impl Chunks {
    fn len(&self) -> usize {
        self.stored.len() + self.single.len()
    }

    /// All of them, ascending.
    fn all(&self) -> Vec<u64> {
        let mut all: Vec<u64> =
            self.stored.iter().map(|(_, chunk)| *chunk).chain(self.single.iter().copied()).collect();
        all.sort_unstable();
        all
    }
}

/// The parts of a sketch.
#[derive(Debug, Clone, Copy)]
struct Parts<'a> {
    /// Number of all chunks.
    all: usize,
    /// Hash of the chunks that are not stored; 0 where all are.
    single: u64,
    keys: &'a [u64],
    /// The stored chunks, ascending.
    stored: &'a [u64],
}

impl<'a> Parts<'a> {
    fn split(sketch: &'a [u64]) -> Self {
        let [all, single, keys, rest @ ..] = sketch else {
            return Self { all: 0, single: 0, keys: &[], stored: &[] };
        };
        let (keys, stored) = rest.split_at(*keys as usize);
        Self { all: *all as usize, single: *single, keys, stored }
    }

    fn common(self, other: Self) -> usize {
        let same_singles = self.single != 0 && self.single == other.single;
        common(self.stored, other.stored) + if same_singles { self.all - self.stored.len() } else { 0 }
    }
}

impl Spex {
    fn chunks(&self, document: &Prepared<'_>) -> Chunks {
        let frequencies = document.frequencies(&self.statistics);
        let rarest = |words: &[u32]| words.iter().map(|&word| frequencies[word as usize].documents).min();
        let mut ranked: Vec<(u32, u64)> = document
            .term_numbers()
            .windows(self.shingle)
            .zip(document.grams(self.shingle))
            .map(|(words, &chunk)| (rarest(words).unwrap_or_default(), chunk))
            .collect();
        ranked.sort_unstable();
        ranked.dedup();
        // Of a collection of which nothing is known no chunk is known to be alone.
        let alone = match self.statistics.is_empty() {
            true => 0,
            false => ranked.partition_point(|(documents, _)| *documents < 2),
        };
        let stored = ranked.split_off(alone);
        let mut single: Vec<u64> = ranked.into_iter().map(|(_, chunk)| chunk).collect();
        single.sort_unstable();
        Chunks { stored, single }
    }

    /// How many of the stored chunks, in an order that both sides share, must be looked up so that no pair is missed whose
    /// stored chunks alone reach the least S3: a pair with so many chunks on one side has at least
    /// `agree` / (2 − `agree`) of them in common.
    fn prefix_length(&self, all: usize, stored: usize) -> usize {
        let needed = (self.agree / (2.0 - self.agree) * all as f64 - 1e-9).ceil().max(1.0) as usize;
        (stored + 1).saturating_sub(needed)
    }
}

impl Method for Spex {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let chunks = self.chunks(document);
        if chunks.len() == 0 {
            return false;
        }
        let single = chunks.single.iter().fold(0, |sum: u64, chunk| fmix64(sum.wrapping_mul(M).wrapping_add(*chunk)));
        let prefix = self.prefix_length(chunks.len(), chunks.stored.len());
        let mut keys: Vec<u64> = chunks.stored[..prefix].iter().map(|(_, chunk)| *chunk).collect();
        if !chunks.single.is_empty() {
            keys.push(single);
        }
        out.extend([chunks.len() as u64, single, keys.len() as u64]);
        out.extend(keys);
        let start = out.len();
        out.extend(chunks.stored.iter().map(|(_, chunk)| *chunk));
        out[start..].sort_unstable();
        true
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        out.extend_from_slice(Parts::split(sketch).keys);
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let [a, b] = [a, b].map(Parts::split);
        let s3 = dice(a.common(b) as u64, a.all as u64, b.all as u64);
        (s3 >= self.agree).then(|| Evidence { distance: thousandths(s3) })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let [mut x, mut y] = [Vec::new(), Vec::new()];
        if !(self.sketch(source, &mut x) & self.sketch(target, &mut y)) {
            let claim = format!("a document has fewer than {} words", self.shingle);
            return Reasons { claim, ..Reasons::default() };
        }
        let [a, b] = [&x, &y].map(|sketch| Parts::split(sketch));
        let both = a.common(b);
        let s3 = dice(both as u64, a.all as u64, b.all as u64);
        let claim = format!(
            "{both} chunks are in both, of {} and {}: S3 {s3:.4}, at least {} is asked for",
            a.all, b.all, self.agree
        );
        let single = [(a, "source"), (b, "target")].map(|(parts, side)| {
            let single = parts.all - parts.stored.len();
            let claim = format!("{single} of {} chunks of the {side} have a word of one document alone", parts.all);
            Explanation::new(claim, single as f64)
        });
        let [only_source, only_target] = [(source, target, Side::Source), (target, source, Side::Target)]
            .map(|(document, other, side)| self.only_in(document, other, side));
        let decisive = only_target.parts.iter().flat_map(|p| p.spans.iter().map(|(_, span)| span.clone())).collect();
        let parts = single.into_iter().chain([only_source, only_target]).collect();
        Reasons { claim, value: Some(f64::from(thousandths(s3))), parts, decisive, ..Reasons::default() }
    }
}

impl Spex {
    /// Chunks that the other document does not have.
    fn only_in(&self, document: &Prepared<'_>, other: &Prepared<'_>, side: Side) -> Explanation {
        let (mine, theirs) = (self.chunks(document).all(), self.chunks(other).all());
        let only: Vec<u64> = mine.iter().copied().filter(|chunk| theirs.binary_search(chunk).is_err()).collect();
        let named = named_shingles(document, self.shingle, document.grams(self.shingle), &only, side);
        let claim = format!("{} of {} chunks stand in the {} only", only.len(), mine.len(), side.name());
        Explanation::new(claim, only.len() as f64).with(named)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch, verdict};

    /// S3 over all chunks, none left out.
    fn naive(a: &str, b: &str, n: usize) -> f64 {
        let set = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            words.windows(n).map(<[String]>::to_vec).collect::<BTreeSet<_>>()
        };
        let (a, b) = (set(a), set(b));
        2.0 * a.intersection(&b).count() as f64 / (a.len() + b.len()).max(1) as f64
    }

    /// The worked example of the score: one chunk in common, two on either side.
    #[test]
    fn half_of_the_chunks_are_common() {
        let (a, b) = ("a b c d e f g h i", "a b c d e f g h j");
        let method = |agree: f64| fitted(&ALGORITHM, &[("agree", Value::Fraction(agree))], &[a, b]);
        assert_eq!(verdict(&*method(0.5), a, b), Some(Evidence { distance: 500 }));
        assert_eq!(verdict(&*method(0.51), a, b), None);
        assert_eq!(sketch(&*method(0.5), "a b c d e f g"), None);
    }

    #[test]
    fn chunks_of_one_document_are_not_stored_and_count() {
        let (a, b) = ("one two three four", "one two three five");
        let set = [("shingle", Value::Whole(2)), ("agree", Value::Fraction(0.6))];
        let method = fitted(&ALGORITHM, &set, &[a, b]);
        let sketch = sketch(&*method, a).unwrap();
        let parts = Parts::split(&sketch);
        assert_eq!((parts.all, parts.stored.len()), (3, 2), "`three four` stands once");
        assert_eq!(verdict(&*method, a, b), Some(Evidence { distance: 333 }));
    }

    proptest! {
        /// Leaving out what stands once loses nothing: the pairs of a collection are those of all chunks.
        #[test]
        fn finds_what_all_chunks_find(
            texts in proptest::collection::vec(proptest::collection::vec("[a-h]{1,2}", 1..14), 2..10),
            n in 1usize..4,
            tenths in 1u32..=10,
        ) {
            let texts: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
            let collection: Vec<&str> = texts.iter().map(String::as_str).collect();
            let agree = f64::from(tenths) / 10.0;
            let set = [("shingle", Value::Whole(n as u64)), ("agree", Value::Fraction(agree))];
            let method = fitted(&ALGORITHM, &set, &collection);
            for a in &texts {
                for b in &texts {
                    let enough = a.split(' ').count().min(b.split(' ').count()) >= n;
                    let expected = enough && naive(a, b, n) >= agree;
                    prop_assert_eq!(verdict(&*method, a, b).is_some(), expected, "{} | {}", a, b);
                    if let (true, Some(x), Some(y)) = (expected, sketch(&*method, a), sketch(&*method, b)) {
                        prop_assert!(Parts::split(&x).keys.iter().any(|key| Parts::split(&y).keys.contains(key)));
                    }
                }
            }
        }
    }
}
