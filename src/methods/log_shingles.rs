//! A sample of the shingles that grows with the logarithm of the page: pages with the same sample match (A8 of Zelenkov
//! and Segalovich, RCDL 2007: recall 0.39, precision 0.97).
//!
//! The shingles are all runs of `shingle` words, the end of the page wrapping to its start, so there are as many as words.
//! For i = 0, 1, 2, … the smallest fingerprint divisible by 2^i is taken, up to the first i with none; the sketch is one
//! word, the n-gram hash of that sequence. A fingerprint often serves several powers: about log2(words) / 2 shingles
//! carry the signature, wherever they stand, so a short page in a large template can match by the template alone. Cost:
//! one pass over n-grams that other configurations share, about five operations each.
//!
//! Ours: the paper says only "divisible by powers of 2". A fingerprint of zero is divisible by 2^0 to 2^63. A page with
//! fewer words than a shingle has no sketch.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::catalogue::{self, Evidence, Method, Reasons, Shape};
use super::explanation::{Explanation, Side};
use super::parameters::{Allowed, MethodError, Parameter, Preset, Values};
use super::prepared::{LONGEST, Prepared};
use super::statistics::Statistics;
use super::why::Piece;
use super::wording::{count, quoted};
use crate::base::hash::Roll;

/// Rows of powers that an explanation lists.
const LISTED: usize = 20;

/// The method as offered to the user.
#[derive(Debug)]
pub struct Entry;

static PARAMETERS: &[Parameter] = &[Parameter {
    name: "shingle",
    about: "words of a shingle; longer ones find fewer and truer pairs",
    default: Preset::Whole(5),
    allowed: Allowed::Whole(1, LONGEST as u64),
}];

impl catalogue::Entry for Entry {
    fn name(&self) -> &'static str {
        "log-shingles"
    }

    fn about(&self) -> &'static str {
        "the smallest shingles divisible by 1, 2, 4, 8, … as one signature; equal ones match (Zelenkov and Segalovich 2007, A8)"
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn distance(&self) -> &'static str {
        "always 0: signatures are equal or not"
    }

    fn fit(&self, values: &Values, _: &Statistics) -> Result<Box<dyn Method>, MethodError> {
        Ok(Box::new(LogShingles { shingle: values.whole("shingle").unwrap_or(1) as usize }))
    }
}

/// A configuration of the method.
#[derive(Debug)]
pub struct LogShingles {
    shingle: usize,
}

impl LogShingles {
    /// Fingerprints of the shingles that begin near the end and go on at the start.
    fn wrapped(&self, document: &Prepared<'_>) -> Vec<u64> {
        let (tokens, n) = (document.tokens().hashes(), self.shingle);
        if tokens.len() < n {
            return Vec::new();
        }
        let seam = [&tokens[tokens.len() + 1 - n..], &tokens[..n - 1]].concat();
        Roll::new(&seam, n).collect()
    }

    /// The smallest fingerprints divisible by 2^0, 2^1, 2^2, …; empty when there is no shingle.
    fn sequence(&self, document: &Prepared<'_>) -> Vec<u64> {
        let grams = document.grams(self.shingle);
        if grams.is_empty() {
            return Vec::new();
        }
        // The smallest with exactly z zeros at the end. The initial value is odd: it can stand for none, and be a
        // fingerprint, only at z = 0, which the sequence has anyway.
        let mut least = [u64::MAX; 64];
        for part in [grams, &self.wrapped(document)] {
            for &fingerprint in part {
                let zeros = (fingerprint.trailing_zeros() as usize).min(63);
                least[zeros] = least[zeros].min(fingerprint);
            }
        }
        let length = least.iter().rposition(|&f| f != u64::MAX).map_or(1, |last| last + 1);
        for i in (1..length).rev() {
            least[i - 1] = least[i - 1].min(least[i]);
        }
        least[..length].to_vec()
    }

    /// Numbers of the words at which a shingle begins.
    fn starts(&self, document: &Prepared<'_>, fingerprint: u64) -> Vec<usize> {
        let all = self.fingerprints(document).into_iter().enumerate();
        all.filter(|(_, other)| *other == fingerprint).map(|(i, _)| i).collect()
    }

    /// All shingles, by the word at which they begin.
    fn fingerprints(&self, document: &Prepared<'_>) -> Vec<u64> {
        [document.grams(self.shingle), &self.wrapped(document)].concat()
    }

    /// The slices of the text that the shingle beginning at word `i` covers: two when it wraps.
    fn spans(&self, document: &Prepared<'_>, i: usize) -> Vec<Range<usize>> {
        let tokens = document.tokens();
        let (length, end) = (tokens.len(), i + self.shingle);
        if end <= length {
            return vec![document.gram_span(i, self.shingle)];
        }
        vec![document.gram_span(i, length - i), document.gram_span(0, end - length)]
    }
}

impl Method for LogShingles {
    fn shape(&self) -> Shape<'_> {
        Shape::Keys
    }

    fn sketch(&self, document: &Prepared<'_>, out: &mut Vec<u64>) -> bool {
        let sequence = self.sequence(document);
        let signature = Roll::new(&sequence, sequence.len()).next();
        out.extend(signature);
        signature.is_some()
    }

    fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
        (a == b).then_some(Evidence { distance: 0 })
    }

    fn reasons(&self, source: &Prepared<'_>, target: &Prepared<'_>) -> Reasons {
        let sides = [Sample::new(self, Side::Source, source), Sample::new(self, Side::Target, target)];
        let short: Vec<&str> = sides.iter().filter(|s| s.sequence.is_empty()).map(|s| s.side.name()).collect();
        if let Some(side) = short.first() {
            let who = if short.len() == 2 { "both have".to_owned() } else { format!("the {side} has") };
            let claim = format!("{who} fewer than {} words", self.shingle);
            return Reasons { claim, value: f64::NAN, ..Reasons::default() };
        }
        let [here, there] = &sides;
        let length = here.sequence.len().max(there.sequence.len());
        let differing: Vec<usize> = (0..length).filter(|&i| here.sequence.get(i) != there.sequence.get(i)).collect();
        let mut parts = vec![samples(here, there, length)];
        let Some(&first) = differing.first() else {
            let pieces = pieces(here, there);
            let shingles = if pieces.len() == 1 { "1 shingle is" } else { &format!("{} shingles are", pieces.len()) };
            let claim = format!("the same {shingles} the smallest by powers of 2, up to 2^{}", length - 1);
            return Reasons { claim, value: 0.0, parts, pieces, decisive: Vec::new() };
        };
        let parting = parting(here, there, first);
        let same = length - differing.len();
        let claim = format!("at 2^{first} {}; {same} of {} agree", parting.claim, count(length, "power"));
        parts.push(parting);
        let mut decisive = Vec::new();
        for &i in &differing {
            for span in difference(here, there, i) {
                if !decisive.contains(&span) {
                    decisive.push(span);
                }
            }
        }
        Reasons { claim, value: differing.len() as f64, parts, pieces: Vec::new(), decisive }
    }
}

/// The sequence of one document, with what it takes to find its shingles again.
struct Sample<'m> {
    method: &'m LogShingles,
    side: Side,
    document: &'m Prepared<'m>,
    sequence: Vec<u64>,
}

impl<'m> Sample<'m> {
    fn new(method: &'m LogShingles, side: Side, document: &'m Prepared<'m>) -> Self {
        Self { method, side, document, sequence: method.sequence(document) }
    }

    fn fingerprints(&self) -> Vec<u64> {
        self.method.fingerprints(self.document)
    }

    /// All slices of the text under a fingerprint.
    fn places(&self, fingerprint: u64) -> Vec<Range<usize>> {
        let starts = self.method.starts(self.document, fingerprint);
        starts.into_iter().flat_map(|i| self.method.spans(self.document, i)).collect()
    }

    /// The slices under the first shingle of a fingerprint.
    fn first(&self, fingerprint: u64) -> Vec<Range<usize>> {
        let start = self.method.starts(self.document, fingerprint).first().copied();
        start.map(|i| self.method.spans(self.document, i)).unwrap_or_default()
    }

    fn quoted(&self, fingerprint: u64) -> String {
        let words: Vec<&str> = self.first(fingerprint).into_iter().map(|span| &self.document.text()[span]).collect();
        quoted(&words.join(" "))
    }

    /// The shingle here that has most words of one elsewhere, at least half of them,
    /// and does not stand elsewhere itself.
    fn nearest(&self, other: &Sample<'_>, fingerprint: u64) -> Option<usize> {
        let n = self.method.shingle;
        let start = *other.method.starts(other.document, fingerprint).first()?;
        let words = |document: &Prepared<'_>, start: usize| -> Vec<u64> {
            let hashes = document.tokens().hashes();
            (start..start + n).map(|i| hashes[i % hashes.len()]).collect()
        };
        let wanted = words(other.document, start);
        let common = |i: usize| {
            let mut left = wanted.clone();
            for word in words(self.document, i) {
                left.iter().position(|w| *w == word).map(|at| left.swap_remove(at));
            }
            n - left.len()
        };
        // What stands on both sides is no difference.
        let known: BTreeSet<u64> = other.fingerprints().into_iter().collect();
        let fingerprints = self.fingerprints().into_iter().enumerate();
        let own = fingerprints.filter(|(_, f)| !known.contains(f)).map(|(i, _)| (common(i), Reverse(i)));
        let (best, Reverse(i)) = own.max()?;
        (2 * best >= n).then_some(i)
    }
}

/// Both sequences, power by power; powers with the same shingles stand together.
fn samples(source: &Sample<'_>, target: &Sample<'_>, length: usize) -> Explanation {
    let at = |i: usize| [source.sequence.get(i), target.sequence.get(i)];
    let powers: Vec<usize> = (0..length).collect();
    let rows: Vec<&[usize]> = powers.chunk_by(|&i, &j| at(i) == at(j)).collect();
    let parts = rows.iter().take(LISTED).map(|row| {
        let (first, last) = (row[0], row[row.len() - 1]);
        let powers = if first == last { format!("2^{first}") } else { format!("2^{first} to 2^{last}") };
        row_part(&powers, [source, target], at(first).map(Option::<&u64>::copied))
    });
    let sizes = [source, target].map(|sample| sample.document.tokens().len());
    let more = rows.len().saturating_sub(LISTED);
    let rest = if more == 0 { String::new() } else { format!(", and {more} more") };
    let claim = format!(
        "the smallest shingle divisible by each power of 2, of {} in the source and {} in the target{rest}",
        sizes[0], sizes[1]
    );
    Explanation::new(claim, length as f64).with(parts.collect())
}

/// What both sides have at some powers.
fn row_part(powers: &str, samples: [&Sample<'_>; 2], found: [Option<u64>; 2]) -> Explanation {
    let side = |sample: &Sample<'_>, fingerprint: Option<u64>| match fingerprint {
        Some(f) => format!("{f:016x} {} in the {}", sample.quoted(f), sample.side.name()),
        None => format!("none in the {}", sample.side.name()),
    };
    let claim = match found {
        [Some(f), Some(other)] if f == other => format!("{powers}: {f:016x} {} in both", samples[0].quoted(f)),
        [a, b] => format!("{powers}: {}, {}", side(samples[0], a), side(samples[1], b)),
    };
    let mut part = Explanation::new(claim, f64::from(u8::from(found[0] != found[1])));
    for (sample, fingerprint) in samples.into_iter().zip(found) {
        let spans = fingerprint.map(|f| sample.first(f)).unwrap_or_default();
        part = spans.into_iter().fold(part, |part, span| part.at(sample.side, span));
    }
    part
}

/// Where two sequences part: whose shingle is missing on the other side.
fn parting(source: &Sample<'_>, target: &Sample<'_>, i: usize) -> Explanation {
    let (sample, fingerprint) = smaller(source, target, i);
    let claim = format!("{} stands only in the {}", sample.quoted(fingerprint), sample.side.name());
    let part = Explanation::new(claim, i as f64);
    sample.first(fingerprint).into_iter().fold(part, |part, span| part.at(sample.side, span))
}

/// At a power where the sequences differ, the side with the smaller fingerprint, which the other cannot have.
fn smaller<'s, 'm>(source: &'s Sample<'m>, target: &'s Sample<'m>, i: usize) -> (&'s Sample<'m>, u64) {
    match (source.sequence.get(i), target.sequence.get(i)) {
        (Some(&a), Some(&b)) if a < b => (source, a),
        (_, Some(&b)) => (target, b),
        (a, None) => (source, a.copied().unwrap_or_default()),
    }
}

/// What in the target makes the sequences differ at a power: its own shingle, or what stands in place of the source's.
fn difference(source: &Sample<'_>, target: &Sample<'_>, i: usize) -> Vec<Range<usize>> {
    let (sample, fingerprint) = smaller(source, target, i);
    if sample.side == Side::Target {
        return target.places(fingerprint);
    }
    let instead = target.nearest(source, fingerprint);
    instead.map(|start| target.method.spans(target.document, start)).unwrap_or_default()
}

/// The shingles of two equal sequences, in order, with all their places.
fn pieces(source: &Sample<'_>, target: &Sample<'_>) -> Vec<Piece> {
    let mut distinct = source.sequence.clone();
    distinct.dedup();
    distinct
        .into_iter()
        .map(|f| Piece {
            claim: format!("the shingle {}", source.quoted(f)),
            source: source.places(f),
            target: target.places(f),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::hash;
    use crate::methods::parameters::Value;
    use crate::methods::testing::{cut, fitted, prose, reasons, sketch, twins, verdict, with};
    use proptest::prelude::*;

    fn of(n: u64) -> Box<dyn Method> {
        fitted(&Entry, &[("shingle", Value::Whole(n))], &[])
    }

    /// The n-gram hash, without rolling.
    fn defined_hash(words: &[u64]) -> u64 {
        let sum = words.iter().fold(0u64, |sum, w| sum.wrapping_mul(hash::M).wrapping_add(*w));
        hash::fmix64(sum.wrapping_add((words.len() as u64).wrapping_mul(hash::S)))
    }

    /// Every power tried on every shingle.
    fn defined(text: &str, n: usize) -> Vec<u64> {
        let words = with(text, |d| d.tokens().hashes().to_vec());
        if words.len() < n {
            return Vec::new();
        }
        let twice = [&words[..], &words[..]].concat();
        let shingles: Vec<u64> = (0..words.len()).map(|i| defined_hash(&twice[i..i + n])).collect();
        let smallest = |i: u32| shingles.iter().copied().filter(|f| f % (1u64 << i) == 0).min();
        (0..64).map_while(smallest).collect()
    }

    #[test]
    fn small_pages() {
        let method = of(5);
        for text in ["", "one", "four words are few"] {
            assert_eq!(sketch(&*method, text), None, "{text}");
        }
        assert_eq!(sketch(&*method, "five words are just enough").map(|s| s.len()), Some(1));
        let told = reasons(&*method, "one", "");
        assert!(told.value.is_nan());
        assert_eq!(told.claim, "both have fewer than 5 words");
    }

    #[test]
    fn where_a_page_begins_does_not_matter() {
        let method = of(5);
        let (a, b) = ("the tide mill stands again by the open quay", "by the open quay the tide mill stands again");
        assert_eq!(sketch(&*method, a), sketch(&*method, b));
        assert_ne!(sketch(&*method, a), sketch(&*method, "by the open quay a tide mill stands again"));
    }

    #[test]
    fn lengths_are_refused() {
        let mut values = Values::new(&Entry);
        assert!(values.set("shingle", Value::Whole(0)).is_err());
        let refused = values.set("shingle", Value::Whole(33)).unwrap_err().to_string();
        assert!(refused.contains("1 to 32"), "{refused}");
    }

    #[test]
    fn a_wrapped_shingle_has_two_places() {
        let method = LogShingles { shingle: 3 };
        with("alpha beta gamma delta", |document| {
            let wrapped = method.wrapped(document);
            assert_eq!(wrapped.len(), 2);
            assert_eq!(method.starts(document, wrapped[1]), [3]);
            assert_eq!(method.spans(document, 3), [17..22, 0..10]);
            assert_eq!(Sample::new(&method, Side::Source, document).quoted(wrapped[1]), "“delta alpha beta”");
        });
        with("alpha beta gamma", |document| assert!(LogShingles { shingle: 1 }.wrapped(document).is_empty()));
    }

    #[test]
    fn a_miss_names_the_first_power_that_differs() {
        let method = of(2);
        let (a, b) = ("the tide mill stands again by the open quay", "the tide mill stood again by the open quay");
        let told = reasons(&*method, a, b);
        let (here, there) = (defined(a, 2), defined(b, 2));
        let first = (0..).find(|&i| here.get(i) != there.get(i)).unwrap();
        assert!(told.claim.starts_with(&format!("at 2^{first} “")), "{}", told.claim);
        assert!(told.claim.contains(" stands only in the "), "{}", told.claim);
        let places: Vec<&str> = told.decisive.iter().map(|span| &b[span.clone()]).collect();
        assert!(places.iter().all(|place| place.contains("stood")), "{places:?}");
        let differing = (0..here.len().max(there.len())).filter(|&i| here.get(i) != there.get(i)).count();
        assert_eq!(told.value, differing as f64);
        let mut rows: Vec<_> = (0..here.len().max(there.len())).map(|i| (here.get(i), there.get(i))).collect();
        rows.dedup();
        assert_eq!(told.parts[0].parts.len(), rows.len());
    }

    proptest! {
        #[test]
        fn as_defined(text in prose(), n in 1usize..7) {
            let expected = defined(&text, n);
            with(&text, |d| assert_eq!(LogShingles { shingle: n }.sequence(d), expected));
            let signature = (!expected.is_empty()).then(|| vec![defined_hash(&expected)]);
            prop_assert_eq!(sketch(&*of(n as u64), &text), signature);
        }

        #[test]
        fn reasons_are_true((a, b) in twins(), n in 1u64..6) {
            let method = of(n);
            let told = reasons(&*method, &a, &b);
            let known = sketch(&*method, &a).is_some() && sketch(&*method, &b).is_some();
            prop_assert_eq!(told.value.is_nan(), !known);
            if !known {
                return Ok(());
            }
            let matched = verdict(&*method, &a, &b).is_some();
            prop_assert_eq!(matched, verdict(&*method, &b, &a).is_some());
            prop_assert_eq!([told.value == 0.0, !told.pieces.is_empty()], [matched; 2]);
            prop_assert!(!matched || told.decisive.is_empty());
            for piece in told.pieces {
                prop_assert!(verdict(&*method, &a, &cut(&b, &piece.target)).is_none(), "{}", piece.claim);
            }
            for span in told.decisive {
                prop_assert!(b.get(span).is_some());
            }
        }
    }
}
