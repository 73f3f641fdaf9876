//! Fingerprints of byte strings: what is left of a long number when it is divided by one that was drawn at random.
//!
//! Equal strings always have equal fingerprints; different ones have them with the small probability that
//! [`false_positives`] bounds. Two kinds, as in the papers: the string as a polynomial over GF(2), divided by an
//! irreducible one ([`Polynomial`]; Rabin, Fingerprinting by random polynomials, 1981), and the string as a number in
//! base 256, divided by a prime ([`Prime`]; Karp and Rabin, Efficient randomized pattern-matching algorithms, 1987).
//!
//! Cost of the shingles of a document: one pass over its folded bytes, then one multiplication a shingle, whatever its
//! length: the fingerprint of a shingle is that of the text up to its end, less that of the text before it.

mod polynomial;
mod prime;

pub use polynomial::Polynomial;
pub use prime::Prime;

use super::prepared::Prepared;
use dejaview_base::hash::fmix64;
use dejaview_text::fold;

/// Powers of 256 kept ready: shingles of more bytes are rare.
const POWERS: usize = 512;

/// Division with rest, and what follows from it for the bytes of documents.
pub trait Fingerprint {
    /// Fingerprint of no bytes.
    const EMPTY: u64;

    /// Fingerprint of bytes whose fingerprint is `value`, followed by `bytes`.
    fn append(&self, value: u64, bytes: &[u8]) -> u64;

    /// The rest of a product of two rests.
    fn product(&self, a: u64, b: u64) -> u64;

    /// The rest of a difference of two rests.
    fn difference(&self, a: u64, b: u64) -> u64;

    /// Rests of the first powers of 256, from 256^0 on.
    fn powers(&self) -> &[u64; POWERS];

    fn fingerprint(&self, bytes: &[u8]) -> u64 {
        self.append(Self::EMPTY, bytes)
    }

    /// The rest of 256^`exponent`.
    fn power(&self, exponent: usize) -> u64 {
        match self.powers().get(exponent) {
            Some(&power) => power,
            None => {
                let root = self.power(exponent / 2);
                let square = self.product(root, root);
                if exponent.is_multiple_of(2) { square } else { self.product(square, self.powers()[1]) }
            }
        }
    }

    /// Appends the fingerprint of each run of `w` words of a document, folded and joined by one blank, in order. It is
    /// finalised with fmix64, so that the high bits of short shingles are as good as the low ones.
    fn shingles(&self, document: &Prepared<'_>, w: usize, out: &mut Vec<u64>) {
        let count = document.tokens().len();
        if w == 0 || count < w {
            return;
        }
        let prefixes = prefixes(self, document);
        out.extend((0..=count - w).map(|i| {
            let (first, last) = (&prefixes[i], &prefixes[i + w - 1]);
            let before = self.difference(first.before, Self::EMPTY);
            let before = self.product(before, self.power(last.end - first.start));
            fmix64(self.difference(last.through, before))
        }));
    }
}

/// A word among all words joined by one blank.
struct Prefix {
    start: usize,
    end: usize,
    /// Fingerprint of all before the word, the blank included.
    before: u64,
    /// Fingerprint of all up to the end of the word.
    through: u64,
}

fn prefixes<F: Fingerprint + ?Sized>(fingerprint: &F, document: &Prepared<'_>) -> Vec<Prefix> {
    let (text, tokens) = (document.text(), document.tokens());
    let mut folded = String::new();
    let (mut start, mut before) = (0, F::EMPTY);
    let prefix = |i| {
        fold(&text[tokens.span(i)], &mut folded);
        let through = fingerprint.append(before, folded.as_bytes());
        let prefix = Prefix { start, end: start + folded.len(), before, through };
        (start, before) = (prefix.end + 1, fingerprint.append(through, b" "));
        prefix
    };
    (0..tokens.len()).map(prefix).collect()
}

/// Rests of 256^0, 256^1, …, where `next` makes each of the one before.
fn powers(one: u64, next: impl Fn(u64) -> u64) -> Box<[u64; POWERS]> {
    let mut powers = Box::new([one; POWERS]);
    for i in 1..POWERS {
        powers[i] = next(powers[i - 1]);
    }
    powers
}

/// Upper bound of the probability that any two of `things` different byte strings of at most `bits` bits have the same
/// fingerprint, when the divisor was drawn from `divisors`: C(|S|, 2)·n/m, and never over 1.
///
/// A difference of n bits has at most n prime divisors, so one pair is confused by at most n of the m divisors; the sum
/// over all pairs bounds the rest. The probability is over the draw of the divisor, not over the strings: a fixed
/// divisor promises nothing against strings that were chosen with it in mind.
pub fn false_positives(things: u64, bits: u64, divisors: f64) -> f64 {
    let things = things as f64;
    (things * (things - 1.0).max(0.0) / 2.0 * bits as f64 / divisors).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dejaview_text::Tokens;

    /// Shingles by the definition: each joined and divided anew.
    fn direct(fingerprint: &impl Fingerprint, text: &str, tokens: &Tokens, w: usize) -> Vec<u64> {
        let mut folded = String::new();
        let words: Vec<String> = (0..tokens.len())
            .map(|i| {
                fold(&text[tokens.span(i)], &mut folded);
                folded.clone()
            })
            .collect();
        words.windows(w).map(|words| fmix64(fingerprint.fingerprint(words.join(" ").as_bytes()))).collect()
    }

    fn rolls(fingerprint: &impl Fingerprint) {
        let long = format!("{} {} end", "x".repeat(POWERS), "y".repeat(3 * POWERS + 1));
        for text in
            ["", "one", "A rose is a rose is a ROSE.", "Straße 東京都, e\u{301}te\u{301}; soft\u{AD}hyphen", &long]
        {
            let mut tokens = Tokens::new();
            tokens.read(text);
            for w in 1..=6 {
                let mut rolled = vec![7];
                fingerprint.shingles(&Prepared::new(text, &tokens), w, &mut rolled);
                assert_eq!(rolled[1..], direct(fingerprint, text, &tokens, w), "{text:?}, w = {w}");
            }
            let mut none = Vec::new();
            fingerprint.shingles(&Prepared::new(text, &tokens), 0, &mut none);
            assert!(none.is_empty());
        }
    }

    #[test]
    fn rolling_equals_dividing_each_shingle() {
        rolls(Polynomial::standard());
        rolls(&Polynomial::seeded(1));
        rolls(Prime::standard());
        rolls(&Prime::seeded(1));
        rolls(&Prime::new(173).unwrap());
    }

    #[test]
    fn powers_are_repeated_products() {
        fn check(fingerprint: &impl Fingerprint) {
            let mut power = fingerprint.powers()[0];
            for exponent in 0..3 * POWERS {
                assert_eq!(fingerprint.power(exponent), power, "256^{exponent}");
                power = fingerprint.product(power, fingerprint.powers()[1]);
            }
        }
        check(Polynomial::standard());
        check(Prime::standard());
        check(&Prime::new(2).unwrap());
    }

    /// All primes of a small pool are tried, so the probability is exact.
    #[test]
    fn the_bound_holds_for_every_draw_of_a_small_pool() {
        let pool: Vec<Prime> = (2..2000).filter_map(Prime::new).collect();
        let mut confused = 0;
        for set in [vec![347u16, 859, 91], vec![1, 1 + 2 * 3 * 5 * 7], vec![0, 30030], vec![12, 600, 44, 1023, 7, 8]] {
            let alike = |prime: &Prime| {
                let mut rests: Vec<u64> = set.iter().map(|x| prime.fingerprint(&x.to_be_bytes())).collect();
                rests.sort_unstable();
                rests.windows(2).any(|two| two[0] == two[1])
            };
            let share = pool.iter().filter(|prime| alike(prime)).count() as f64 / pool.len() as f64;
            let bound = false_positives(set.len() as u64, 16, pool.len() as f64);
            assert!(share <= bound && bound < 1.0, "{set:?}: {share} against {bound}");
            confused += usize::from(share > 0.0);
        }
        assert_eq!(confused, 4, "sets that some prime confuses");
    }

    #[test]
    fn bounds_by_hand() {
        assert_eq!(false_positives(0, 8192, 1e9), 0.0);
        assert_eq!(false_positives(1, 8192, 1e9), 0.0);
        assert_eq!(false_positives(2, 10, 1000.0), 0.01);
        assert_eq!(false_positives(5, 10, 1000.0), 0.1);
        assert_eq!(false_positives(1_000_000, 8192, 1e9), 1.0);
        // 155,419 pages of 1 KB: a random prime below 2^61 confuses any two of them with less than one in 200.
        let bound = false_positives(155_419, 8192, Prime::CHOICES);
        assert!((0.0035..0.0037).contains(&bound), "{bound}");
    }
}
