//! Samples of sets of hashes, and how similar they are: Broder's two samplings besides minima.
//!
//! A set is kept as its hashes in ascending order: those divisible by m, the s smallest, or the s smallest of those that are
//! rare in a collection. Two samples by divisibility are compared as sets. Of two samples of the s smallest the s smallest of their union are a sample of the
//! union, so the share of these that are in both estimates the Jaccard; sets of fewer than s are compared exactly.

use std::sync::Arc;

use super::explanation::{Explanation, Side};
use super::family::Family;
use super::method::{Evidence, Method, Piece, Reasons, Shape};
use super::own_shingles::CommonShingles;
use super::parameters::Declaration;
use super::prepared::Prepared;
use dejaview_base::similarity::ratio;

pub(super) fn agree(declaration: &mut Declaration<'_>) -> f64 {
    declaration.fraction("agree", 0.8, 0.05..=1.0, "least Jaccard of the samples; lowering it finds more pairs")
}

/// Jaccard of two ascending sets; of at most the `limit` smallest of their union.
pub(super) fn resemblance(a: &[u64], b: &[u64], limit: usize) -> f64 {
    let (mut i, mut j, mut union, mut both) = (0, 0, 0usize, 0usize);
    while i < a.len() && j < b.len() && union < limit {
        let (x, y) = (a[i], b[j]);
        both += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
        union += 1;
    }
    let union = union.saturating_add(a.len() - i + b.len() - j).min(limit);
    ratio(both as u64, union as u64)
}

/// How many of `size` kept hashes must be looked up, in any order that both sides share, so that no resemblance of
/// `least` is missed: at most `size` − ⌈`least`·`size`⌉ of them can be without a partner.
pub(super) fn prefix_length(size: usize, least: f64) -> usize {
    let needed = (least * size as f64 - 1e-9).ceil().max(1.0) as usize;
    size + 1 - needed.min(size)
}

/// Which hashes of a set are in its sample.
#[derive(Debug, Clone)]
pub(super) enum Sampling {
    /// Those divisible by this number.
    Divisible(u64),
    /// This many of the smallest.
    Smallest(usize),
    /// This many of the smallest that are not common in the collection.
    Rare { common: Arc<CommonShingles>, keep: usize },
}

impl Sampling {
    fn takes(&self, hash: u64) -> bool {
        match self {
            Self::Divisible(m) => hash.is_multiple_of(*m),
            Self::Smallest(_) => true,
            Self::Rare { common, .. } => !common.contains(&hash),
        }
    }

    /// Most hashes of a sample, where there is a limit.
    fn most(&self) -> usize {
        match self {
            Self::Divisible(_) => usize::MAX,
            Self::Smallest(keep) | Self::Rare { keep, .. } => *keep,
        }
    }
}

/// Fewest hashes of a sample: nearly empty samples would match by accident.
const LEAST: usize = 3;

/// A configuration of a method that compares samples of shingles.
#[derive(Debug)]
pub(super) struct Sampled {
    pub(super) shingle: usize,
    pub(super) family: Family,
    pub(super) sampling: Sampling,
    pub(super) agree: f64,
}

impl Sampled {
    fn shingles(&self, document: &Prepared<'_>) -> Vec<u64> {
        let mut shingles = Vec::new();
        self.family.shingles(document, self.shingle, &mut shingles);
        shingles
    }

    fn sample(&self, document: &Prepared<'_>) -> Vec<u64> {
        let mut sample = self.shingles(document);
        sample.retain(|hash| self.sampling.takes(*hash));
        sample.sort_unstable();
        sample.dedup();
        sample.truncate(self.sampling.most());
        sample
    }

    fn resemblance(&self, a: &[u64], b: &[u64]) -> f64 {
        let most = self.sampling.most();
        let limit = if a.len().max(b.len()) >= most { most } else { usize::MAX };
        resemblance(a, b, limit)
    }
}

impl Method for Sampled {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let sample = self.sample(document);
        let enough = sample.len() >= LEAST;
        if enough {
            out.extend(sample);
        }
        enough
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        // A hash divisible by m, or one of the smallest, is not spread over all bits: mix it again.
        let key = |&hash: &u64| dejaview_base::hash::fmix64(hash);
        out.extend(sketch[..prefix_length(sketch.len(), self.agree)].iter().map(key));
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let alike = self.resemblance(a, b);
        (alike >= self.agree).then(|| Evidence { distance: thousandths(alike) })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let [a, b] = [source, target].map(|document| self.sample(document));
        if a.len().min(b.len()) < LEAST {
            let claim = format!("a document has fewer than {LEAST} shingles in its sample");
            return Reasons { claim, ..Reasons::default() };
        }
        let alike = self.resemblance(&a, &b);
        let all = [source, target].map(|document| {
            let mut all = self.shingles(document);
            if matches!(self.sampling, Sampling::Rare { .. }) {
                all.retain(|hash| self.sampling.takes(*hash));
            }
            all.sort_unstable();
            all.dedup();
            all
        });
        let exact = resemblance(&all[0], &all[1], usize::MAX);
        let claim = format!(
            "samples of {} and {} shingles are {alike:.3} alike (exactly {exact:.3}), {} is asked for",
            a.len(),
            b.len(),
            self.agree
        );
        let only_source = self.only(source, Side::Source, &a, &b);
        let only_target = self.only(target, Side::Target, &b, &a);
        let decisive = only_target.parts.iter().flat_map(|p| p.spans.iter().map(|(_, span)| span.clone())).collect();
        let parts = vec![only_source, only_target];
        Reasons {
            claim,
            value: Some(f64::from(thousandths(alike))),
            parts,
            pieces: self.shared(source, target, &a, &b),
            decisive,
        }
    }
}

/// Shingles named on each side.
const NAMED: usize = 12;

impl Sampled {
    /// Places of the shingles of a document, by hash.
    fn places(&self, document: &Prepared<'_>) -> Vec<(u64, usize)> {
        let mut places: Vec<(u64, usize)> = self.shingles(document).into_iter().zip(0..).collect();
        places.sort_unstable();
        places
    }

    fn only(&self, document: &Prepared<'_>, side: Side, mine: &[u64], theirs: &[u64]) -> Explanation {
        let only: Vec<u64> = mine.iter().copied().filter(|hash| theirs.binary_search(hash).is_err()).collect();
        let claim = format!(
            "{} of {} sampled shingles of the {} are not in the other sample",
            only.len(),
            mine.len(),
            side.name()
        );
        Explanation::new(claim, only.len() as f64).with(named_shingles(
            document,
            self.shingle,
            &self.shingles(document),
            &only,
            side,
        ))
    }

    /// Sampled shingles that both have, as what may carry the match.
    fn shared(&self, source: &Prepared<'_>, target: &Prepared<'_>, a: &[u64], b: &[u64]) -> Vec<Piece> {
        let places = [source, target].map(|document| self.places(document));
        let of = |side: usize, document: &Prepared<'_>, hash: u64| {
            let start = places[side].partition_point(|(other, _)| *other < hash);
            let here = places[side][start..].iter().take_while(|(other, _)| *other == hash);
            here.map(|(_, i)| document.gram_span(*i, self.shingle)).collect::<Vec<_>>()
        };
        let shared = a.iter().filter(|hash| b.binary_search(hash).is_ok());
        shared
            .map(|&hash| {
                let target_places = of(1, target, hash);
                let words = target_places.first().map_or("", |span| &target.text()[span.clone()]);
                let claim = format!("“{}”", words.split_whitespace().collect::<Vec<_>>().join(" "));
                Piece { claim, source: of(0, source, hash), target: target_places }
            })
            .collect()
    }
}

/// The first shingles of a document that are among some hashes, which ascend; `all` are those of each place.
pub(super) fn named_shingles(
    document: &Prepared<'_>,
    length: usize,
    all: &[u64],
    among: &[u64],
    side: Side,
) -> Vec<Explanation> {
    let places = all.iter().enumerate().filter(|(_, hash)| among.binary_search(hash).is_ok()).take(NAMED);
    let named = places.map(|(i, _)| {
        let span = document.gram_span(i, length);
        let words = document.text()[span.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        Explanation::new(format!("“{words}”"), 1.0).at(side, span)
    });
    named.collect()
}

/// Thousandths that a similarity is short of 1, rounded down.
pub(super) fn thousandths(similarity: f64) -> u16 {
    ((1.0 - similarity) * 1000.0 + 1e-9) as u16
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::parameters::Value;
    use crate::testing::{fitted, sketch, verdict};
    use crate::{Algorithm, mod_shingles, smallest_shingles};

    proptest! {
        #[test]
        fn keys_lose_nothing(
            a in proptest::collection::vec("[a-p]", 1..40),
            b in proptest::collection::vec("[a-p]", 1..40),
            size in 4u64..12,
            tenths in 1u32..=10,
        ) {
            let (a, b) = (a.join(" "), b.join(" "));
            let samplings: [(&'static Algorithm, _, _); 2] =
                [(&mod_shingles::ALGORITHM, "modulus", size / 3), (&smallest_shingles::ALGORITHM, "keep", size)];
            for (algorithm, name, value) in samplings {
                let set = [
                    ("shingle", Value::Whole(1)),
                    (name, Value::Whole(value)),
                    ("agree", Value::Fraction(f64::from(tenths) / 10.0)),
                ];
                let method = fitted(algorithm, &set, &[]);
                prop_assert_eq!(verdict(&*method, &a, &b), verdict(&*method, &b, &a));
                if let (Some(x), Some(y)) = (sketch(&*method, &a), sketch(&*method, &b))
                    && method.compare(&x, &y).is_some()
                {
                    let (mut p, mut q) = (Vec::new(), Vec::new());
                    method.keys(&x, &mut p);
                    method.keys(&y, &mut q);
                    prop_assert!(p.iter().any(|key| q.contains(key)));
                }
            }
        }
    }
}
