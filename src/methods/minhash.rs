//! MinHash (Broder, SEQUENCES 1997): r minima of the shingles; the share of equal ones estimates the Jaccard.
//!
//! 200 minima, and a match when 80 % of them are equal, are the lecture's numbers; its example has shingles of 4 words. The
//! estimate has a standard error of √(J(1−J)/r). Sketch: r/2 words. Keys: two sketches with at most d unequal minima share
//! one of the first d + 1, so these are the keys, and none is lost. Documents with fewer words than a shingle have no sketch.

use super::algorithm::{self, Algorithm, Collection};
use super::curves::standard_error;
use super::explanation::Explanation;
use super::method::{Evidence, Method, Reasons, Shape};
use super::min_wise::{self, ComparedMinima, Functions, MinWise};
use super::minima::MOST;
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;
use dejaview_base::hash::{M, fmix64};

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

#[derive(Debug)]
pub struct Parameters {
    pub shingle: usize,
    minima: usize,
    agree: f64,
    hash: Functions,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "minhash";
    const ABOUT: &'static str =
        "the share of equal minima estimates the Jaccard of the shingles; 80 % of 200 match (Broder 1997)";
    const DISTANCE: &'static str = "minima that differ";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            shingle: min_wise::shingle(declaration, 4),
            minima: declaration.whole(
                "minima",
                200,
                2..=MOST,
                "minima of a document; more estimate better and cost more",
            ),
            agree: declaration.fraction("agree", 0.8, 0.05..=1.0, "share of minima that must be equal"),
            hash: min_wise::functions(declaration),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let agree = ((self.agree * self.minima as f64 - 1e-9).ceil() as usize).clamp(1, self.minima);
        Ok(Box::new(MinHash { wise: MinWise::new(self.shingle, self.hash, self.minima), agree }))
    }
}

/// A configuration of MinHash.
#[derive(Debug)]
pub struct MinHash {
    wise: MinWise,
    /// Minima that must be equal.
    agree: usize,
}

impl MinHash {
    /// Equal minima of two sketches, two to a word.
    fn equal(&self, a: &[u64], b: &[u64]) -> usize {
        let halves = |x: u64, y: u64| usize::from(x as u32 == y as u32) + usize::from(x >> 32 == y >> 32);
        let equal: usize = a.iter().zip(b).map(|(&x, &y)| halves(x, y)).sum();
        // An odd number of minima leaves half a word that is zero on both sides.
        equal - self.wise.functions() % 2
    }
}

impl Method for MinHash {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        self.wise.pack(document, out)
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        let needed = self.wise.functions() - self.agree + 1;
        let minima = self.wise.unpack(sketch);
        let key = |(i, minimum): (u64, u32)| fmix64((i << 32 | u64::from(minimum)).wrapping_mul(M));
        out.extend((0u64..).zip(minima).take(needed).map(key));
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let equal = self.equal(a, b);
        (equal >= self.agree).then(|| Evidence { distance: (self.wise.functions() - equal) as u16 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let Some(sides) = ComparedMinima::new(&self.wise, source, target) else {
            return Reasons { claim: self.wise.too_short(), ..Reasons::default() };
        };
        let all = self.wise.functions();
        let equal = sides.equal_of(0..all);
        let claim = format!("{equal} of {all} minima are equal, {} are needed", self.agree);
        let exact = sides.jaccard();
        let asked = self.agree as f64 / all as f64;
        let error = standard_error(exact, all).max(1e-9);
        let cut = Explanation::new(
            format!(
                "the cut of {asked:.3} lies {:.1} standard errors from the exact Jaccard of {exact:.3}",
                (exact - asked).abs() / error
            ),
            (exact - asked) / error,
        );
        let differing: Vec<usize> = (0..all).filter(|&i| !sides.equal(i)).collect();
        let named: Vec<Explanation> = differing.iter().take(NAMED).map(|&i| sides.minimum(i)).collect();
        let named = Explanation::new(format!("{} minima differ", differing.len()), differing.len() as f64).with(named);
        Reasons {
            claim,
            value: Some((all - equal) as f64),
            parts: vec![sides.estimate(), cut, named],
            pieces: (0..all).filter(|&i| sides.equal(i)).map(|i| sides.piece(i)).collect(),
            decisive: differing.iter().map(|&i| sides.target(i)).collect(),
        }
    }
}

/// Differing minima that are named.
const NAMED: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, sketch, verdict};
    use proptest::prelude::*;

    #[test]
    fn a_hundred_words_of_sketch() {
        let method = fitted(&ALGORITHM, &[], &[]);
        let text = (0..50).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ");
        assert_eq!(sketch(&*method, &text).map(|sketch| sketch.len()), Some(100));
        assert_eq!(verdict(&*method, &text, &text), Some(Evidence { distance: 0 }));
        assert_eq!(sketch(&*method, "only three words"), None);
    }

    /// The minima by r primes are those of the definition: each shingle as a number, divided by each prime anew.
    #[test]
    fn each_prime_has_a_minimum_of_its_own() {
        let text = "the old light stands by the sea and the keeper of the light stands by the door";
        let hash = [("hash", Value::Word("primes".into())), ("minima", Value::Whole(6)), ("shingle", Value::Whole(3))];
        let found = sketch(&*fitted(&ALGORITHM, &hash, &[]), text).unwrap();
        let words: Vec<&str> = text.split(' ').collect();
        let minimum = |i: u64| {
            let modulus = u128::from(crate::rabin::Prime::seeded(i).modulus());
            let rest = |shingle: &[&str]| {
                let number = |rest: u128, byte: u8| (rest * 256 + u128::from(byte)) % modulus;
                shingle.join(" ").bytes().fold(0, number) as u64
            };
            let order = |shingle: &[&str]| (fmix64(fmix64(rest(shingle)) ^ modulus as u64) >> 32) as u32;
            words.windows(3).map(order).min().unwrap()
        };
        let halves: Vec<u32> = found.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]).collect();
        assert_eq!(halves, (1..=6).map(minimum).collect::<Vec<_>>());
    }

    /// Of two texts that share two thirds of their shingles about two thirds of the minima by primes are equal.
    #[test]
    fn minima_by_primes_estimate_the_jaccard() {
        let text = |from: usize| (from..from + 120).map(|i| format!("word{i}")).collect::<Vec<_>>().join(" ");
        let set = [("hash", Value::Word("primes".into())), ("minima", Value::Whole(400)), ("shingle", Value::Whole(1))];
        let method = fitted(&ALGORITHM, &set, &[]);
        let tree = crate::testing::reasons(&*method, &text(0), &text(24));
        // 96 of 144 shingles; 2.4 % is one standard error.
        let estimate = tree.parts[0].value.unwrap();
        assert!((estimate - 2.0 / 3.0).abs() < 0.08, "{estimate}");
        assert!(tree.parts[0].parts[0].claim.contains("144 different shingles"), "{:?}", tree.parts[0].parts);
    }

    proptest! {
        #[test]
        fn keys_lose_nothing(
            a in proptest::collection::vec("[a-j]", 1..14),
            b in proptest::collection::vec("[a-j]", 1..14),
            minima in 2u64..33,
            tenths in 1u32..=10,
        ) {
            let set = [
                ("shingle", Value::Whole(1)),
                ("minima", Value::Whole(minima)),
                ("agree", Value::Fraction(f64::from(tenths) / 10.0)),
            ];
            let method = fitted(&ALGORITHM, &set, &[]);
            let (x, y) = (sketch(&*method, &a.join(" ")).unwrap(), sketch(&*method, &b.join(" ")).unwrap());
            prop_assert_eq!(method.compare(&x, &y), method.compare(&y, &x));
            if method.compare(&x, &y).is_some() {
                let keys = |sketch: &[u64]| {
                    let mut keys = Vec::new();
                    method.keys(sketch, &mut keys);
                    keys
                };
                let (p, q) = (keys(&x), keys(&y));
                prop_assert!(p.iter().any(|key| q.contains(key)));
            }
        }
    }
}
