//! What the methods with min-wise samples of shingles share: parameters, minima, and the shingles of the minima.

use std::ops::Range;

use super::curves::standard_error;
use super::explanation::{Explanation, Side};
use super::family::Family;
use super::method::Piece;
use super::minima::Minima;
use super::parameters::Declaration;
use super::prepared::{LONGEST, Prepared};
use super::rabin::{Fingerprint, Prime};
use dejaview_base::hash::fmix64;
use dejaview_base::similarity::ratio;

/// Seed of all functions; fixed, so that sketches of different studies can be compared.
const SEED: u64 = 0;

/// The parameter `shingle`, with this default.
pub(super) fn shingle(declaration: &mut Declaration<'_>, default: usize) -> usize {
    let about = "words in a shingle; longer ones ask for more of the same wording";
    declaration.whole("shingle", default, 1..=LONGEST, about)
}

/// The parameter `hash` of methods that need one hash of a shingle.
pub(super) fn hash(declaration: &mut Declaration<'_>) -> Family {
    let about =
        "hash of a shingle: the published fast one, or Rabin's fingerprint by an irreducible polynomial or by a prime";
    declaration.choice("hash", Family::Fast, &Family::ALL.map(|family| (family.name(), family)), about)
}

/// What the minima of a document are taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Functions {
    /// One hash of each shingle, in as many shuffled orders as there are minima.
    Shuffled(Family),
    /// As many fingerprints of each shingle as there are minima, each by a random prime of its own.
    Primes,
}

/// The parameter `hash` of methods with minima.
pub(super) fn functions(declaration: &mut Declaration<'_>) -> Functions {
    let about = "hash of a shingle: the published fast one, Rabin's fingerprint by an irreducible polynomial or by a prime, or \
                 by as many random primes as there are minima, as the papers have it: slow";
    let shuffled = Family::ALL.map(|family| (family.name(), Functions::Shuffled(family)));
    let all: Vec<(&'static str, Functions)> = shuffled.into_iter().chain([("primes", Functions::Primes)]).collect();
    declaration.choice("hash", Functions::Shuffled(Family::Fast), &all, about)
}

/// Shingles of one length and hash, sampled by some min-wise functions.
#[derive(Debug)]
pub(super) struct MinWise {
    pub(super) shingle: usize,
    family: Family,
    minima: Minima,
    /// One for each minimum, where they are by primes; empty otherwise.
    primes: Vec<Prime>,
}

impl MinWise {
    pub(super) fn new(shingle: usize, functions: Functions, count: usize) -> Self {
        let minima = Minima::new(count, SEED);
        match functions {
            Functions::Shuffled(family) => Self { shingle, family, minima, primes: Vec::new() },
            Functions::Primes => {
                // Prime i is that of seed i + 1; seed 0 is the published one.
                let primes = (1..=count as u64).map(Prime::seeded).collect();
                Self { shingle, family: Family::Fast, minima, primes }
            }
        }
    }

    pub(super) fn functions(&self) -> usize {
        self.minima.len()
    }

    /// Replaces `out` by the minima; false when the document has fewer words than a shingle.
    pub(super) fn minima(&self, document: &Prepared<'_>, out: &mut Vec<u32>) -> bool {
        out.clear();
        if !self.primes.is_empty() {
            let least = |prime: &Prime| self.by_prime(prime, document).into_iter().min();
            out.extend(self.primes.iter().filter_map(least));
        } else if self.family == Family::Fast {
            self.minima.append_to(document.grams(self.shingle), out);
        } else {
            self.minima.append_to(&self.shingles(document), out);
        }
        !out.is_empty()
    }

    /// Appends the minima as a sketch, two to a word; false when there are none.
    pub(super) fn pack(&self, document: &Prepared<'_>, sketch: &mut Vec<u64>) -> bool {
        let mut minima = Vec::with_capacity(self.functions());
        if !self.minima(document, &mut minima) {
            return false;
        }
        let word = |pair: &[u32]| u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32;
        sketch.extend(minima.chunks(2).map(word));
        true
    }

    /// The minima of such a sketch.
    pub(super) fn unpack(&self, sketch: &[u64]) -> impl Iterator<Item = u32> {
        sketch.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).take(self.functions())
    }

    /// Hashes of the shingles in order, one a position.
    pub(super) fn shingles(&self, document: &Prepared<'_>) -> Vec<u64> {
        let mut shingles = Vec::new();
        self.family.shingles(document, self.shingle, &mut shingles);
        shingles
    }

    /// The fingerprints of the shingles by a prime, in order, as a minimum keeps them.
    fn by_prime(&self, prime: &Prime, document: &Prepared<'_>) -> Vec<u32> {
        let mut fingerprints = Vec::new();
        prime.shingles(document, self.shingle, &mut fingerprints);
        // A shingle that is shorter than the primes has the same fingerprint by all of them, and still an order of its own.
        let own = |fingerprint: u64| (fmix64(fingerprint ^ prime.modulus()) >> 32) as u32;
        fingerprints.into_iter().map(own).collect()
    }

    /// Position of the first shingle of a document that gives minimum `i`, given the hashes of its shingles.
    fn position(&self, document: &Prepared<'_>, shingles: &[u64], i: usize) -> usize {
        match self.primes.get(i) {
            None => self.minima.position(shingles, i),
            Some(prime) => {
                let values = self.by_prime(prime, document);
                values.iter().enumerate().min_by_key(|&(_, value)| value).map_or(0, |(at, _)| at)
            }
        }
    }

    /// Why there is no sketch.
    pub(super) fn too_short(&self) -> String {
        format!("a document has fewer than {} words", self.shingle)
    }
}

/// Two documents with all that an explanation of their minima needs.
pub(super) struct ComparedMinima<'a, 'p> {
    wise: &'a MinWise,
    documents: [&'a Prepared<'p>; 2],
    shingles: [Vec<u64>; 2],
    pub(super) minima: [Vec<u32>; 2],
}

impl<'a, 'p> ComparedMinima<'a, 'p> {
    /// `None` when one of them has no minima.
    pub(super) fn new(wise: &'a MinWise, source: &'a Prepared<'p>, target: &'a Prepared<'p>) -> Option<Self> {
        let documents = [source, target];
        let shingles = documents.map(|document| wise.shingles(document));
        let minima = documents.map(|document| {
            let mut minima = Vec::new();
            wise.minima(document, &mut minima);
            minima
        });
        minima.iter().all(|minima| !minima.is_empty()).then_some(Self { wise, documents, shingles, minima })
    }

    /// Whether both have the same minimum `i`.
    pub(super) fn equal(&self, i: usize) -> bool {
        self.minima[0][i] == self.minima[1][i]
    }

    /// How many of these minima are equal.
    pub(super) fn equal_of(&self, functions: Range<usize>) -> usize {
        functions.filter(|&i| self.equal(i)).count()
    }

    /// Position of the shingle that gave minimum `i` on a side.
    fn position(&self, side: usize, i: usize) -> usize {
        self.wise.position(self.documents[side], &self.shingles[side], i)
    }

    /// The span of the shingle that gave minimum `i` on a side.
    fn span(&self, side: usize, i: usize) -> Range<usize> {
        let at = self.position(side, i);
        self.documents[side].gram_span(at, self.wise.shingle)
    }

    fn words(&self, side: usize, span: Range<usize>) -> String {
        self.documents[side].text()[span].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Where minimum `i` comes from on both sides.
    pub(super) fn minimum(&self, i: usize) -> Explanation {
        let (source, target) = (self.span(0, i), self.span(1, i));
        let (a, b) = (self.words(0, source.clone()), self.words(1, target.clone()));
        let claim = if self.equal(i) {
            format!("minimum {} is the same: “{a}”", i + 1)
        } else {
            format!("minimum {} differs: “{a}” in the source, “{b}” in the target", i + 1)
        };
        Explanation::new(claim, f64::from(u8::from(self.equal(i)))).at(Side::Source, source).at(Side::Target, target)
    }

    /// The shingle of minimum `i` with all its places, as possible evidence for a match.
    pub(super) fn piece(&self, i: usize) -> Piece {
        let hash = |side: usize| self.shingles[side][self.position(side, i)];
        let places = |side: usize, hash: u64| -> Vec<Range<usize>> {
            let all = self.shingles[side].iter().enumerate().filter(|(_, other)| **other == hash);
            all.map(|(at, _)| self.documents[side].gram_span(at, self.wise.shingle)).collect()
        };
        let claim = format!("“{}”", self.words(1, self.span(1, i)));
        Piece { claim, source: places(0, hash(0)), target: places(1, hash(1)) }
    }

    /// Where in the target minimum `i` comes from.
    pub(super) fn target(&self, i: usize) -> Range<usize> {
        self.span(1, i)
    }

    /// Jaccard of the two sets of shingles, exactly.
    pub(super) fn jaccard(&self) -> f64 {
        let [a, b] = [0, 1].map(|side: usize| {
            let mut set = self.shingles[side].clone();
            set.sort_unstable();
            set.dedup();
            set
        });
        let common = a.iter().filter(|shingle| b.binary_search(shingle).is_ok()).count() as u64;
        ratio(common, (a.len() + b.len()) as u64 - common)
    }

    /// How often different shingles of both documents would be taken for the same, where a divisor makes their hashes.
    pub(super) fn confused(&self) -> Option<Explanation> {
        let mut all: Vec<u64> = self.shingles.concat();
        all.sort_unstable();
        all.dedup();
        let longest = |document: &&Prepared<'_>| {
            let starts = 0..(document.tokens().len() + 1).saturating_sub(self.wise.shingle);
            starts.map(|i| document.gram_span(i, self.wise.shingle).len()).max().unwrap_or(0)
        };
        let bits = 8 * self.documents.iter().map(longest).max().unwrap_or(0) as u64;
        let family = if self.wise.primes.is_empty() { self.wise.family } else { Family::Prime };
        let bound = family.false_positives(all.len() as u64, bits)?;
        let claim = format!(
            "any two of the {} different shingles have the same fingerprint with a probability of at most {bound:.1e}, over the \
             draw of the divisor (of at most {bits} bits each)",
            all.len()
        );
        Some(Explanation::new(claim, bound))
    }

    /// What the minima estimate, against what is.
    pub(super) fn estimate(&self) -> Explanation {
        let all = self.wise.functions();
        let equal = self.equal_of(0..all);
        let exact = self.jaccard();
        let estimate = equal as f64 / all as f64;
        let claim = format!(
            "{equal} of {all} minima are equal: estimated Jaccard {estimate:.3} ± {:.3} (one standard error), exactly {exact:.3}",
            standard_error(exact, all)
        );
        Explanation::new(claim, estimate).with(self.confused().into_iter().collect())
    }
}
