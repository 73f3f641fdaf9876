//! Decomposition (A11): documents that share a shingle, are about equally long and have most words in common, in order.
//!
//! All shingles of all documents are listed as (shingle, document, length) and sorted, so that documents which share a
//! shingle form a chain; chains are cut where neighbouring lengths differ by more than 1.15×, and documents within the
//! length window of a chain are compared by edit ratio (Zelenkov and Segalovich, RCDL 2007). The cuts only save work: a
//! pair across one has a length ratio above 1.15 anyway. So the pairs are those with a shared shingle, a length ratio
//! of at most 1.15 and an edit ratio of at least 0.80, and that is what this file computes: shingles are the keys.
//! (Ours: 5-word shingles, length and edit ratio over content words.)
//!
//! Cost: 16 bytes a word for the sketch and 12 a shingle for its key, and one comparison for each pair that shares a
//! shingle and the length window: the dearest method here, and the most thorough.

use super::algorithm::{self, Algorithm, Collection};
use super::edit;
use super::explanation::{Explanation, Side};
use super::measures::sort_hashes;
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::{LONGEST, Prepared};
use super::sampled::thousandths;
use super::words::WordsSeen;
use dejaview_base::hash::Roll;
use dejaview_base::similarity::common_if_enough;

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    shingle: usize,
    length_ratio: f64,
    similarity: f64,
    words: WordsSeen,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "decomposition";
    const ABOUT: &'static str = "a shared shingle, about the same length, and most words in the same order: edit ratio 0.80 (A11 of Zelenkov and Segalovich 2007)";
    const DISTANCE: &'static str = "thousandths that the edit ratio is short of 1, rounded down";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            shingle: declaration.whole(
                "shingle",
                5,
                1..=LONGEST,
                "words in a shingle; two documents are compared only if they share one",
            ),
            length_ratio: declaration.fraction(
                "length_ratio",
                1.15,
                1.0..=10.0,
                "most that the longer document may be longer than the shorter; raising it compares more pairs",
            ),
            similarity: declaration.fraction("similarity", 0.80, 0.05..=1.0, "least edit ratio over words of a match"),
            words: WordsSeen::declare(declaration, WordsSeen::Content),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let Self { shingle, length_ratio, similarity, words } = self;
        Ok(words.restrict(Decomposition { shingle, length_ratio, similarity }))
    }
}

/// A configuration of decomposition.
#[derive(Debug)]
pub struct Decomposition {
    shingle: usize,
    length_ratio: f64,
    similarity: f64,
}

/// The parts of a sketch: the words in the order of the text, and the same words ascending.
fn parts(sketch: &[u64]) -> (&[u64], &[u64]) {
    sketch.split_at(sketch.len() / 2)
}

impl Decomposition {
    fn within_length_ratio(&self, a: usize, b: usize) -> bool {
        a.max(b) as f64 <= self.length_ratio * a.min(b) as f64 + 1e-9
    }

    /// Words that two documents must have in common, given the sum of their lengths.
    fn least_in_common(&self, sum: usize) -> usize {
        (self.similarity * sum as f64 / 2.0 - 1e-9).ceil() as usize
    }

    fn shingles(&self, words: &[u64]) -> Vec<u64> {
        let mut shingles: Vec<u64> = Roll::new(words, self.shingle).collect();
        sort_hashes(&mut shingles);
        shingles.dedup();
        shingles
    }

    fn share_a_shingle(&self, a: &[u64], b: &[u64]) -> bool {
        let shingles = self.shingles(a);
        Roll::new(b, self.shingle).any(|shingle| shingles.binary_search(&shingle).is_ok())
    }
}

impl Method for Decomposition {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let words = document.tokens().hashes();
        if words.len() < self.shingle {
            return false;
        }
        out.extend_from_slice(words);
        let start = out.len();
        out.extend_from_slice(words);
        sort_hashes(&mut out[start..]);
        true
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        Roll::new(parts(sketch).0, self.shingle).append_to(out);
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let ((a, sorted_a), (b, sorted_b)) = (parts(a), parts(b));
        if !self.within_length_ratio(a.len(), b.len()) {
            return None;
        }
        // No common subsequence is longer than the words that both have, in whatever order.
        common_if_enough(sorted_a, sorted_b, self.least_in_common(a.len() + b.len()))?;
        let similarity = edit::edit_ratio(a, b);
        (similarity >= self.similarity && self.share_a_shingle(a, b))
            .then(|| Evidence { distance: thousandths(similarity) })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let [a, b] = [source, target].map(|document| document.tokens().hashes());
        if a.len().min(b.len()) < self.shingle {
            let claim = format!("a document has fewer than {} words", self.shingle);
            return Reasons { claim, ..Reasons::default() };
        }
        let similarity = edit::edit_ratio(a, b);
        let longer = a.len().max(b.len()) as f64 / a.len().min(b.len()) as f64;
        let claim = format!(
            "edit ratio {similarity:.4} ({} is asked for), one document {longer:.2} times as long ({} may be)",
            self.similarity, self.length_ratio
        );
        let lengths = Explanation::new(
            format!(
                "{} words in the source, {} in the target: {}",
                a.len(),
                b.len(),
                if self.within_length_ratio(a.len(), b.len()) {
                    "in one length window"
                } else {
                    "too different in length"
                }
            ),
            longer,
        );
        let order = edit::common_subsequence(a, b);
        let subsequence = Explanation::new(
            format!("{order} words stand in both in the same order: 2·{order} / {}", a.len() + b.len()),
            similarity,
        );
        let parts = vec![self.shared_shingles(source, target), lengths, subsequence];
        Reasons { claim, value: Some(f64::from(thousandths(similarity))), parts, ..Reasons::default() }
    }
}

/// Shingles named as shared.
const NAMED: usize = 5;

impl Decomposition {
    fn shared_shingles(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Explanation {
        let grams = target.grams(self.shingle);
        let mut places: Vec<(u64, usize)> = grams.iter().enumerate().map(|(i, gram)| (*gram, i)).collect();
        places.sort_unstable();
        let mut named: Vec<Explanation> = Vec::new();
        let mut shared = 0;
        let mut seen: Vec<u64> = Vec::new();
        for (i, gram) in source.grams(self.shingle).iter().enumerate() {
            let at = places.partition_point(|(other, _)| other < gram);
            let Some((_, j)) = places.get(at).filter(|(other, _)| other == gram) else { continue };
            if seen.contains(gram) {
                continue;
            }
            shared += 1;
            if named.len() < NAMED {
                seen.push(*gram);
                let span = source.gram_span(i, self.shingle);
                let words = source.text()[span.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
                named.push(
                    Explanation::new(format!("“{words}”"), 1.0)
                        .at(Side::Source, span)
                        .at(Side::Target, target.gram_span(*j, self.shingle)),
                );
            }
        }
        let claim = match shared {
            0 => "no shingle stands in both".to_owned(),
            n if n > NAMED => {
                format!("{n} places of the source begin a shingle that the target has too, the first {NAMED} here")
            }
            n => format!("{n} shingles stand in both"),
        };
        Explanation::new(claim, shared as f64).with(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{all_words, fitted, sketch, verdict};
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn one_word_in_ten_and_one_in_two() {
        let method = fitted(&ALGORITHM, &[all_words()], &[]);
        let a = "one two three four five six seven eight nine ten";
        assert_eq!(verdict(&*method, a, &a.replace("ten", "zehn")), Some(Evidence { distance: 100 }));
        assert_eq!(verdict(&*method, a, "one two three four five 6 7 8 9 10"), None);
        assert_eq!(verdict(&*method, a, &format!("{a} eleven twelve")), None, "1.2 times as long");
        let every_fifth = "one two three four V six seven eight nine X";
        assert_eq!(verdict(&*method, a, every_fifth), None, "an edit ratio of 0.8, but no shingle in common");
        assert_eq!(sketch(&*method, "only four words here"), None);
    }

    /// The chains of the paper: sorted by shingle and length, cut where lengths jump, duplicate and contained ones
    /// dropped, then everyone compared with everyone within the window.
    fn by_chains(texts: &[Vec<String>], w: usize, window: f64, least: f64) -> BTreeSet<(usize, usize)> {
        let mut lists: BTreeMap<&[String], BTreeSet<(usize, usize)>> = BTreeMap::new();
        for (document, words) in texts.iter().enumerate() {
            for shingle in words.windows(w) {
                lists.entry(shingle).or_default().insert((words.len(), document));
            }
        }
        let mut chains: BTreeSet<Vec<usize>> = BTreeSet::new();
        for list in lists.into_values() {
            let list: Vec<(usize, usize)> = list.into_iter().collect();
            for chain in list.chunk_by(|a, b| b.0 as f64 <= window * a.0 as f64 + 1e-9) {
                let mut documents: Vec<usize> = chain.iter().map(|(_, document)| *document).collect();
                documents.sort_unstable();
                chains.insert(documents);
            }
        }
        let contained = |chain: &Vec<usize>| {
            chains.iter().any(|other| other.len() > chain.len() && chain.iter().all(|d| other.contains(d)))
        };
        let mut pairs = BTreeSet::new();
        for chain in chains.iter().filter(|chain| !contained(chain)) {
            for &a in chain {
                for &b in chain {
                    let (x, y) = (texts[a].len().min(texts[b].len()), texts[a].len().max(texts[b].len()));
                    let near = y as f64 <= window * x as f64 + 1e-9;
                    let words = |d: usize| texts[d].iter().map(String::as_str).collect::<Vec<_>>();
                    if a < b && near && edit::edit_ratio(&words(a), &words(b)) >= least {
                        pairs.insert((a, b));
                    }
                }
            }
        }
        pairs
    }

    proptest! {
        #[test]
        fn equals_the_chains_as_written(
            texts in proptest::collection::vec(proptest::collection::vec("[a-d]", 1..18), 2..9),
            w in 1usize..4,
            tenths in 3u32..=9,
        ) {
            let least = f64::from(tenths) / 10.0;
            let set = [("shingle", Value::Whole(w as u64)), ("similarity", Value::Fraction(least)), all_words()];
            let method = fitted(&ALGORITHM, &set, &[]);
            let joined: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
            let mut found = BTreeSet::new();
            for a in 0..texts.len() {
                for b in a + 1..texts.len() {
                    if verdict(&*method, &joined[a], &joined[b]).is_some() {
                        found.insert((a, b));
                    }
                    prop_assert_eq!(verdict(&*method, &joined[a], &joined[b]), verdict(&*method, &joined[b], &joined[a]));
                }
            }
            // A chain that is contained in another was cut by other lengths; pairs of it are in the larger one too.
            prop_assert_eq!(found, by_chains(&texts, w, 1.15, least));
        }
    }
}
