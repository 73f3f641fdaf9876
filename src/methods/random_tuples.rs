//! Random k-tuples of minima (Haveliwala, Gionis and Indyk, WebDB 2000): many small tuples, each of minima drawn at random,
//! of which one must be equal.
//!
//! Where bands divide the minima, each tuple draws its own `size` of them, so that 80 minima make 125 tuples of 3: as many
//! chances as 375 minima in bands would give, for a quarter of the work. A pair of similarity s is found with a probability
//! of about 1 − (1 − s³)¹²⁵; tuples share minima, so it is a little less. Then enough of all minima must be equal, as in
//! `minhash`. Sketch: r/2 words. Documents with fewer words than a shingle have no sketch. The tuples are of seed 1, drawn
//! without repetition inside of a tuple.
//!
//! 80 minima, tuples of 3 and 125 of these are quoted from the paper's experiments on WebBase, which we had no copy of to check
//! them by; Kołcz et al. (2004), who name the method, give no numbers and speak of tuples of words (`shingle = 1`). That
//! shingles have 4 words and that 0.7 of the minima must agree is ours.

use super::algorithm::{self, Algorithm, Collection};
use super::curves::groups_agree;
use super::explanation::Explanation;
use super::method::{Evidence, Method, Reasons, Shape};
use super::min_wise::{self, ComparedMinima, Functions, MinWise};
use super::minima::MOST;
use super::parameters::{Declaration, MethodError};
use super::prepared::Prepared;
use dejaview_base::hash::{M, fmix64};
use dejaview_base::random::Random;

pub static ALGORITHM: Algorithm = Algorithm::of::<Parameters>();

/// Seed of the draw of tuples; fixed, so that sketches of different studies can be compared.
const SEED: u64 = 1;

#[derive(Debug)]
pub struct Parameters {
    shingle: usize,
    minima: usize,
    tuples: usize,
    size: usize,
    agree: f64,
    hash: Functions,
}

impl algorithm::Parameters for Parameters {
    const NAME: &'static str = "random-tuples";
    const ABOUT: &'static str = "random tuples of three of 80 minima; one equal tuple of 125, and enough equal minima, match (Haveliwala et al. 2000)";
    const DISTANCE: &'static str = "minima that differ";

    fn declare(declaration: &mut Declaration<'_>) -> Self {
        Self {
            shingle: min_wise::shingle(declaration, 4),
            minima: declaration.whole(
                "minima",
                80,
                2..=MOST,
                "minima of a document; more estimate better and cost more",
            ),
            tuples: declaration.whole(
                "tuples",
                125,
                1..=1024,
                "tuples, of which one must be equal; more find more pairs",
            ),
            size: declaration.whole("size", 3, 1..=16, "minima in a tuple; more find fewer and truer pairs"),
            agree: declaration.fraction("agree", 0.7, 0.05..=1.0, "share of all minima that must be equal"),
            hash: min_wise::functions(declaration),
        }
    }

    fn fit(self, _: &Collection<'_>) -> Result<Box<dyn Method>, MethodError> {
        let Self { shingle, minima, tuples, size, agree, hash } = self;
        if size > minima {
            let (found, expected) = (size.to_string(), format!("at most the {minima} minima there are"));
            return Err(MethodError::Value { name: "size", found, expected });
        }
        let agree = ((agree * minima as f64 - 1e-9).ceil() as usize).clamp(1, minima);
        Ok(Box::new(RandomTuples {
            wise: MinWise::new(shingle, hash, minima),
            tuples: draw(minima, tuples, size),
            agree,
        }))
    }
}

/// So many tuples of different minima.
fn draw(minima: usize, tuples: usize, size: usize) -> Vec<Vec<usize>> {
    let tuple = |number: u64| {
        let (mut random, mut left) = (Random::new(SEED, number), (0..minima).collect::<Vec<_>>());
        (0..size).map(|_| left.swap_remove(random.below(left.len() as u64) as usize)).collect()
    };
    (0..tuples as u64).map(tuple).collect()
}

/// A configuration of the method.
#[derive(Debug)]
struct RandomTuples {
    wise: MinWise,
    /// The functions of each tuple.
    tuples: Vec<Vec<usize>>,
    /// Minima that must be equal.
    agree: usize,
}

impl RandomTuples {
    /// How many minima, and how many tuples, are equal.
    fn equal(&self, a: &[u32], b: &[u32]) -> [usize; 2] {
        let same = |i: &usize| a[*i] == b[*i];
        let tuples = self.tuples.iter().filter(|tuple| tuple.iter().all(same)).count();
        [(0..self.wise.functions()).filter(same).count(), tuples]
    }
}

impl Method for RandomTuples {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        self.wise.pack(document, out)
    }

    fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
        let minima = self.wise.unpack(sketch).collect::<Vec<_>>();
        let key = |(number, tuple): (usize, &Vec<usize>)| {
            let next = |sum: u64, i: &usize| sum.wrapping_mul(M).wrapping_add(u64::from(minima[*i]));
            fmix64(tuple.iter().fold(number as u64, next))
        };
        out.extend(self.tuples.iter().enumerate().map(key));
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        let [a, b] = [a, b].map(|sketch| self.wise.unpack(sketch).collect::<Vec<_>>());
        let [minima, tuples] = self.equal(&a, &b);
        let distance = (self.wise.functions() - minima) as u16;
        (tuples > 0 && minima >= self.agree).then_some(Evidence { distance })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let Some(sides) = ComparedMinima::new(&self.wise, source, target) else {
            return Reasons { claim: self.wise.too_short(), ..Reasons::default() };
        };
        let all = self.wise.functions();
        let [equal, tuples] = self.equal(&sides.minima[0], &sides.minima[1]);
        let claim = format!(
            "{equal} of {all} minima are equal, {} are needed; {tuples} of {} random tuples, one is needed",
            self.agree,
            self.tuples.len()
        );
        let exact = sides.jaccard();
        let size = self.tuples.first().map_or(0, Vec::len);
        let found = groups_agree(exact, size, self.tuples.len(), 1);
        let curve = Explanation::new(
            format!("at a Jaccard of {exact:.3} one of the tuples is equal with a probability of about {found:.3}"),
            found,
        );
        Reasons {
            claim,
            value: Some((all - equal) as f64),
            parts: vec![sides.estimate(), curve],
            pieces: (0..all).filter(|&i| sides.equal(i)).map(|i| sides.piece(i)).collect(),
            decisive: (0..all).filter(|&i| !sides.equal(i)).map(|i| sides.target(i)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Value;
    use crate::testing::{fitted, verdict};

    #[test]
    fn tuples_are_of_different_minima_and_stay() {
        let tuples = draw(80, 125, 3);
        assert!(tuples.iter().all(|tuple| tuple[0] != tuple[1] && tuple[1] != tuple[2] && tuple[0] != tuple[2]));
        let used = (0..80).filter(|i| tuples.iter().any(|tuple| tuple.contains(i))).count();
        assert!(used > 70, "{used} of 80 minima are in a tuple");
        assert_eq!(tuples, draw(80, 125, 3));
    }

    /// Of pairs with 60 of 100 words in common about as many are found as the curve says, when few minima must agree.
    #[test]
    fn found_about_as_often_as_the_curve_says() {
        let set = [("shingle", Value::Whole(1)), ("tuples", Value::Whole(8)), ("agree", Value::Fraction(0.05))];
        let method = fitted(&ALGORITHM, &set, &[]);
        let words = |from: usize, to: usize| (from..to).map(|i| format!("w{i}")).collect::<Vec<_>>().join(" ");
        let rounds = 400;
        let is_found = |round: usize| {
            let base = round * 1000;
            verdict(&*method, &words(base, base + 80), &words(base + 20, base + 100)).is_some()
        };
        let share = (0..rounds).filter(|round| is_found(*round)).count() as f64 / rounds as f64;
        let expected = groups_agree(0.6, 3, 8, 1);
        assert!((share - expected).abs() < 0.09, "{share} {expected}");
    }
}
