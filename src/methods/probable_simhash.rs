//! SimHash looked up by its least certain bits (Sood and Loguinov, CIKM 2011), beside Manku's tables.
//!
//! A bit of a fingerprint that the votes hardly decided is likely to differ in a near-duplicate, one that they decided
//! clearly hardly ever. So the `weak` bits of least margin are tried both ways and looked up exactly, in place of tables for
//! any `distance` bits. The paper tries them for the query alone; here both sides try up to half of the distance, rounded
//! up, and meet in the middle (ours): with 12 weak bits and distance 3 that is 79 keys a document, each looked up exactly.
//!
//! What it finds is part of what `simhash` finds with the same n-grams and distance: a pair is missed where a bit that
//! differs is among the weak ones of neither page, and the explanation names this bit. What it misses is measured in the
//! manual. Sketch: the fingerprint, and the numbers of its weak bits, eight to a word.

use super::algorithm::{self, Algorithm, Collection};
use super::bits::BitCounts;
use super::explanation::Explanation;
use super::method::{Evidence, Method, Reasons, Shape};
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;
use super::simhash;
use dejaview_base::hash::fmix64;

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    ngrams: Vec<usize>,
    distance: usize,
    weak: usize,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "probable-simhash";
    const ABOUT: &'static str = "SimHash of 64 bits, looked up by trying the bits that votes hardly decided: few look-ups, some pairs missed (Sood and Loguinov 2011)";
    const DISTANCE: &'static str = "differing bits";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            ngrams: simhash::ngrams(declaration),
            distance: declaration.whole(
                "distance",
                3,
                0..=6,
                "most bits that may differ; raising it finds more pairs, and more wrong ones",
            ),
            weak: declaration.whole(
                "weak",
                12,
                1..=32,
                "least certain bits that are tried both ways; more miss fewer pairs and take more keys",
            ),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let Self { mut ngrams, distance, weak } = self;
        ngrams.sort_unstable();
        Ok(Box::new(ProbableSimHash { lengths: ngrams, distance: distance as u32, weak }))
    }
}

/// A configuration of the method.
#[derive(Debug)]
struct ProbableSimHash {
    /// Ascending.
    lengths: Vec<usize>,
    distance: u32,
    weak: usize,
}

/// The fingerprint of a sketch, and its weak bits, the least certain first.
fn parts(sketch: &[u64]) -> (u64, impl Iterator<Item = u32>) {
    let (first, rest) = sketch.split_first().map_or((0, &[][..]), |(first, rest)| (*first, rest));
    (first, rest.iter().flat_map(|word| word.to_le_bytes()).filter(|bit| *bit < 64).map(u32::from))
}

fn mask(bits: impl Iterator<Item = u32>) -> u64 {
    bits.fold(0, |mask, bit| mask | 1 << bit)
}

impl ProbableSimHash {
    /// Bits that each side may turn.
    fn turns(&self) -> u32 {
        self.distance.div_ceil(2)
    }

    fn votes(&self, document: &Prepared<'_>) -> BitCounts {
        let mut votes = BitCounts::default();
        self.lengths.iter().for_each(|&n| votes.add(document.counts(n)));
        votes
    }

    fn has_sketch(&self, document: &Prepared<'_>) -> bool {
        self.lengths.first().is_some_and(|&shortest| document.tokens().len() >= shortest)
    }

    /// Whether both sides, each turning few of its weak bits, come to the same fingerprint.
    fn meet(&self, difference: u64, weak: [u64; 2]) -> bool {
        let only = |this: usize, other: usize| (difference & weak[this] & !weak[other]).count_ones();
        difference & !(weak[0] | weak[1]) == 0
            && only(0, 1).max(only(1, 0)) <= self.turns()
            && difference.count_ones() <= 2 * self.turns()
    }
}

/// Calls `visit` with the fingerprint and with every fingerprint that differs in at most `turns` of these bits.
fn each_turned(fingerprint: u64, bits: &[u32], turns: u32, visit: &mut impl FnMut(u64)) {
    visit(fingerprint);
    if turns > 0 {
        for (i, bit) in bits.iter().enumerate() {
            each_turned(fingerprint ^ 1 << bit, &bits[i + 1..], turns - 1, visit);
        }
    }
}

impl Method for ProbableSimHash {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        if !self.has_sketch(document) {
            return false;
        }
        let votes = self.votes(document);
        let mut order: Vec<u8> = (0..64).collect();
        order.sort_by_key(|&bit| (votes.margin(usize::from(bit)).unsigned_abs(), bit));
        out.push(votes.majority());
        for chunk in order[..self.weak].chunks(8) {
            let mut word = [u8::MAX; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            out.push(u64::from_le_bytes(word));
        }
        true
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        let (fingerprint, weak) = parts(sketch);
        let weak: Vec<u32> = weak.collect();
        each_turned(fingerprint, &weak, self.turns(), &mut |turned| out.push(fmix64(turned)));
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let ((x, weak_x), (y, weak_y)) = (parts(a), parts(b));
        let distance = (x ^ y).count_ones();
        let found = distance <= self.distance && self.meet(x ^ y, [mask(weak_x), mask(weak_y)]);
        found.then_some(Evidence { distance: distance as u16 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let [mut a, mut b] = [Vec::new(), Vec::new()];
        if !(self.sketch(source, &mut a) & self.sketch(target, &mut b)) {
            let shortest = self.lengths.first().copied().unwrap_or_default();
            return Reasons { claim: format!("a document has fewer than {shortest} words"), ..Reasons::default() };
        }
        let ((x, weak_x), (y, weak_y)) = (parts(&a), parts(&b));
        let (difference, weak) = (x ^ y, [mask(weak_x), mask(weak_y)]);
        let distance = difference.count_ones();
        let votes = [source, target].map(|document| self.votes(document));
        let bit = |bit: usize| {
            let side = |i: usize| if weak[i] >> bit & 1 == 1 { "tried" } else { "taken for certain" };
            let margin = |i: usize| votes[i].margin(bit);
            Explanation::new(
                format!(
                    "bit {bit} differs: margin {} in the source ({}), {} in the target ({})",
                    margin(0),
                    side(0),
                    margin(1),
                    side(1)
                ),
                bit as f64,
            )
        };
        let differing: Vec<Explanation> = (0..64).filter(|i| difference >> i & 1 == 1).map(bit).collect();
        let met = match self.meet(difference, weak) {
            true => "the bits that differ are among those that were tried",
            false => "the bits that differ are not all among those that were tried, so that the two do not meet",
        };
        let claim = format!("{distance} of 64 bits differ, {} may; {met}", self.distance);
        let parts =
            vec![Explanation::new(format!("{} bits differ", differing.len()), f64::from(distance)).with(differing)];
        Reasons { claim, value: Some(f64::from(distance)), parts, ..Reasons::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, prose, sketch, verdict};
    use crate::{Algorithm, simhash};
    use proptest::prelude::*;

    fn method(algorithm: &'static Algorithm, more: &[(&str, Value)]) -> Box<dyn Method> {
        let mut set = vec![("ngrams", Value::Wholes(vec![1, 2]))];
        set.extend(more.iter().cloned());
        fitted(algorithm, &set, &[])
    }

    #[test]
    fn fewer_look_ups_than_subsets_and_all_of_them_within_reach() {
        let method = method(&ALGORITHM, &[]);
        let sketch = sketch(&*method, "the old keeper of the light went down to the sea").unwrap();
        let mut keys = Vec::new();
        method.keys(&sketch, &mut keys);
        assert_eq!(keys.len(), 1 + 12 + 66);
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 79);
    }

    proptest! {
        /// It finds nothing that SimHash does not, sees the same distance, and says match exactly where two keys are equal.
        #[test]
        fn a_part_of_what_simhash_finds(a in prose(), b in prose(), distance in 0u64..=6) {
            let set = [("distance", Value::Whole(distance))];
            let (probable, all) = (method(&ALGORITHM, &set), method(&simhash::ALGORITHM, &set));
            let found = verdict(&*probable, &a, &b);
            prop_assert!(found.is_none() || found == verdict(&*all, &a, &b));
            if let (Some(x), Some(y)) = (sketch(&*probable, &a), sketch(&*probable, &b)) {
                let keys = |sketch: &[u64]| {
                    let mut keys = Vec::new();
                    probable.keys(sketch, &mut keys);
                    keys
                };
                let (p, q) = (keys(&x), keys(&y));
                let meets = p.iter().any(|key| q.contains(key));
                let near = (x[0] ^ y[0]).count_ones() <= distance as u32;
                prop_assert_eq!(found.is_some(), meets && near);
            }
        }
    }
}
