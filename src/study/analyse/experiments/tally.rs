//! The counts of one source document, compared with every document of the target.

use super::pages::{ComparedDocument, MINIMA, MOST_LEXICONS, Methods};
use dejaview_base::similarity::{common, common_times, cosine, jaccard, ratio};
use dejaview_matching::source::pair_counts;
use dejaview_methods::curves::standard_error;
use dejaview_methods::layout::Layout;
use dejaview_methods::lex_rand;

/// Largest distance of the sweep.
pub(super) const FURTHEST: usize = 8;

/// What counts as true: Jaccard of words, and for I-Match the cosine of the sets of features of its paper.
const TRUE: f64 = 0.9;

/// What one source document adds up to.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    /// Pairs that were compared.
    pub(super) pairs: u64,
    pub(super) alike: u64,
    /// For each set of n-grams and distance: pairs, true ones.
    pub(super) simhash: Vec<[[u64; 2]; FURTHEST + 1]>,
    /// The same of pairs with one address.
    pub(super) simhash_same_url: Vec<[[u64; 2]; FURTHEST + 1]>,
    /// Pairs with one address, and those of them that are alike.
    pub(super) same_url: [u64; 2],
    /// For each threshold of cosine: true pairs; and for each of three distances those found of them.
    pub(super) cosine: Vec<(u64, [u64; 3])>,
    /// For each threshold of cosine and each rival of SimHash: true pairs found.
    pub(super) rivals: Vec<Vec<u64>>,
    /// For each rival: pairs found.
    pub(super) found_by_rivals: Vec<u64>,
    /// For each number of minima: pairs, sum of errors, of squares, of expected squares.
    pub(super) minhash: Vec<(u64, [f64; 3])>,
    /// For each lexicon and each number of random parts of it.
    pub(super) lexicons: Vec<[FoundByLexicons; MOST_LEXICONS + 1]>,
    /// Neighbours of the document, whichever side of their pair it stands on.
    pub(super) neighbours: u64,
}

/// What lexicons find for one source document.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FoundByLexicons {
    /// Of its neighbours.
    pub(super) neighbours: u64,
    /// Of the pairs that count for it: in a collection against itself each counts for one of its two documents.
    pub(super) pairs: u64,
    /// Those of them that are pairs of neighbours.
    pub(super) right: u64,
}

/// Cosine of two sets, as the paper on lexicons has it: common features over the root of the product of their numbers.
fn binary_cosine(a: &[u64], b: &[u64]) -> f64 {
    cosine(common(a, b) as f64, a.len() as f64, b.len() as f64)
}

/// Distances shown against cosine.
pub const SHOWN_DISTANCES: [usize; 3] = [1, 3, 5];

/// Thresholds of cosine: 0.5, 0.55, …, 1.
pub(super) fn thresholds() -> Vec<f64> {
    (0..=10).map(|i| 0.5 + 0.05 * f64::from(i)).collect()
}

pub(super) fn tally(a: &ComparedDocument, others: &[ComparedDocument], methods: &Methods, thresholds: &[f64]) -> Tally {
    let mut tally = Tally {
        simhash: vec![[[0; 2]; FURTHEST + 1]; a.fingerprints.len()],
        simhash_same_url: vec![[[0; 2]; FURTHEST + 1]; a.fingerprints.len()],
        cosine: vec![(0, [0; 3]); thresholds.len()],
        rivals: vec![vec![0; a.rivals.len()]; thresholds.len()],
        found_by_rivals: vec![0; a.rivals.len()],
        minhash: vec![(0, [0.0; 3]); a.minima.len()],
        lexicons: vec![[FoundByLexicons::default(); MOST_LEXICONS + 1]; a.lexicons.len()],
        ..Tally::default()
    };
    let itself = |b: &&ComparedDocument| a.number.is_some() && a.number == b.number;
    for b in others.iter().filter(|b| !itself(b)) {
        let counts = a.number.is_none_or(|number| pair_counts(number, a.on_both_sides, b.number));
        if counts {
            tally.add(a, b, methods, thresholds);
        }
        tally.by_lexicons(a, b, counts);
    }
    tally
}

impl Tally {
    fn add(&mut self, a: &ComparedDocument, b: &ComparedDocument, methods: &Methods, thresholds: &[f64]) {
        let (common, dot) = common_times((&a.words, &a.times), (&b.words, &b.times));
        let alike = jaccard(common, a.words.len() as u32, b.words.len() as u32) >= TRUE;
        self.pairs += 1;
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
                for (k, found) in SHOWN_DISTANCES.iter().zip(found) {
                    *found += u64::from(near <= *k);
                }
            }
        }
        self.by_rivals(a, b, methods, angle, thresholds);
        // Shingles are in common only where words are.
        if common > 0 {
            self.estimate(a, b);
        }
    }

    fn by_rivals(
        &mut self,
        a: &ComparedDocument,
        b: &ComparedDocument,
        methods: &Methods,
        angle: f64,
        thresholds: &[f64],
    ) {
        for (i, (method, (x, y))) in methods.rivals.iter().zip(a.rivals.iter().zip(&b.rivals)).enumerate() {
            if x.is_empty() || y.is_empty() || method.compare(x, y).is_none() {
                continue;
            }
            self.found_by_rivals[i] += 1;
            for (_, found) in thresholds.iter().zip(&mut self.rivals).filter(|(from, _)| angle >= **from - 1e-9) {
                found[i] += 1;
            }
        }
    }

    /// Asks for one document at a time, as the paper does: a neighbour is one also where its pair counts for the other.
    fn by_lexicons(&mut self, a: &ComparedDocument, b: &ComparedDocument, counts_here: bool) {
        let (Some(x), Some(y)) = (&a.features, &b.features) else { return };
        let neighbour = binary_cosine(x, y) >= TRUE - 1e-9;
        self.neighbours += u64::from(neighbour);
        for (counts, (x, y)) in self.lexicons.iter_mut().zip(a.lexicons.iter().zip(&b.lexicons)) {
            // Lexicon k is the same whatever their number is: found with so many, found with more.
            let Some(first) = lex_rand::first_equal(x, y) else { continue };
            for found in &mut counts[first..] {
                found.neighbours += u64::from(neighbour);
                found.pairs += u64::from(counts_here);
                found.right += u64::from(counts_here && neighbour);
            }
        }
    }

    fn estimate(&mut self, a: &ComparedDocument, b: &ComparedDocument) {
        let (x, y) = (&a.shingles, &b.shingles);
        if x.is_empty() || y.is_empty() || x.len().min(y.len()) * 10 < x.len().max(y.len()) {
            return;
        }
        let common = common(x, y) as u64;
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
