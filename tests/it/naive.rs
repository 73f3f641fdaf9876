//! The published definitions, written anew without a look at how `src/` does it: sets are sets, sums are sums.

use std::collections::{HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

/// The n at which Jaccard is taken.
pub const LENGTHS: [usize; 5] = [1, 2, 3, 5, 8];

/// A document as `show` gives it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    pub text: String,
    pub tokens: Vec<String>,
}

fn fmix64(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    x ^= x >> 33;
    x = x.wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    x ^ (x >> 33)
}

/// The hash of one n-gram: fmix64(Σ t_i·M^(n−i) + n·S).
fn gram_hash(tokens: &[u64]) -> u64 {
    let n = tokens.len();
    let mut sum = (n as u64).wrapping_mul(0xD1B5_4A32_D192_ED03);
    for (i, &token) in tokens.iter().enumerate() {
        let mut power = 1u64;
        for _ in i + 1..n {
            power = power.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        sum = sum.wrapping_add(token.wrapping_mul(power));
    }
    fmix64(sum)
}

/// The votes of a document's n-grams of one length on each of 64 bits.
pub fn votes(tokens: &[String], n: usize) -> [i64; 64] {
    let hashes: Vec<u64> = tokens.iter().map(|token| xxh3_64(token.as_bytes())).collect();
    let mut votes = [0; 64];
    for gram in hashes.windows(n) {
        let hash = gram_hash(gram);
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += if hash >> bit & 1 == 1 { 1 } else { -1 };
        }
    }
    votes
}

/// The sketch of a document of `words` words from the votes at each of its lengths; none when it is too short.
pub fn sketch(words: usize, votes: &[(usize, &[i64; 64])]) -> Option<u64> {
    let shortest = votes.iter().map(|(n, _)| *n).min()?;
    let sum = |bit: usize| votes.iter().map(|(_, votes)| votes[bit]).sum::<i64>();
    (words >= shortest).then(|| (0..64).filter(|&bit| sum(bit) > 0).map(|bit| 1u64 << bit).sum())
}

fn grams<T: std::hash::Hash + Eq>(tokens: &[T], n: usize) -> HashSet<&[T]> {
    tokens.windows(n).collect()
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

fn jaccard<T: std::hash::Hash + Eq>(a: &HashSet<T>, b: &HashSet<T>) -> f64 {
    ratio(a.intersection(b).count() as f64, a.union(b).count() as f64)
}

fn dice<T: std::hash::Hash + Eq>(a: &HashSet<T>, b: &HashSet<T>) -> f64 {
    ratio(2.0 * a.intersection(b).count() as f64, (a.len() + b.len()) as f64)
}

fn counts(tokens: &[String]) -> HashMap<&str, f64> {
    let mut counts = HashMap::new();
    for token in tokens {
        *counts.entry(token.as_str()).or_default() += 1.0;
    }
    counts
}

fn cosine(a: &HashMap<&str, f64>, b: &HashMap<&str, f64>) -> f64 {
    let dot: f64 = a.iter().map(|(word, x)| x * b.get(word).unwrap_or(&0.0)).sum();
    let norm = |counts: &HashMap<&str, f64>| counts.values().map(|x| x * x).sum::<f64>().sqrt();
    ratio(dot, norm(a) * norm(b))
}

/// Every measure of a pair by the name of its column.
pub fn measures(source: &Document, target: &Document) -> Vec<(String, f64)> {
    let (a, b) = (&source.tokens, &target.tokens);
    let mut measures = Vec::new();
    for n in LENGTHS {
        measures.push((format!("jaccard_{n}"), jaccard(&grams(a, n), &grams(b, n))));
    }
    let (words_a, words_b) = (grams(a, 1), grams(b, 1));
    let common = words_a.intersection(&words_b).count() as f64;
    let spaced = |document: &Document| -> Vec<String> { document.text.split_whitespace().map(str::to_owned).collect() };
    let mut push = |name: &str, value: f64| measures.push((name.to_owned(), value));
    push("containment_source", ratio(common, words_a.len() as f64));
    push("containment_target", ratio(common, words_b.len() as f64));
    push("cosine", cosine(&counts(a), &counts(b)));
    push("cosine_binary", ratio(common, (words_a.len() as f64 * words_b.len() as f64).sqrt()));
    push("dice_8", dice(&grams(a, 8), &grams(b, 8)));
    push("s3", dice(&grams(&spaced(source), 8), &grams(&spaced(target), 8)));
    push("length_ratio", ratio(a.len().min(b.len()) as f64, a.len().max(b.len()) as f64));
    measures
}

/// 2·M/(|a|+|b|) with M the length of a longest common subsequence, by the full table.
pub fn edit_ratio<T: PartialEq>(a: &[T], b: &[T]) -> f64 {
    let mut row = vec![0usize; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
            diagonal = above;
        }
    }
    ratio(2.0 * row[b.len()] as f64, (a.len() + b.len()) as f64)
}

fn document(text: &str) -> Document {
    Document { text: text.to_owned(), tokens: text.split(' ').map(str::to_lowercase).collect() }
}

fn named(measures: &[(String, f64)], name: &str) -> f64 {
    measures.iter().find(|(other, _)| other == name).unwrap().1
}

#[test]
fn the_worked_example_of_s3() {
    let found = measures(&document("a b c d e f g h i"), &document("a b c d e f g h j"));
    assert_eq!(named(&found, "s3"), 0.5);
    assert_eq!(named(&found, "dice_8"), 0.5);
    assert_eq!(named(&found, "jaccard_8"), 1.0 / 3.0);
    assert_eq!(named(&found, "jaccard_1"), 8.0 / 10.0);
}

#[test]
fn case_counts_for_s3_alone() {
    let found = measures(&document("A b c d e f g h"), &document("a b c d e f g h"));
    assert_eq!((named(&found, "s3"), named(&found, "dice_8")), (0.0, 1.0));
}

#[test]
fn a_lone_feature_is_its_hash() {
    let word = ["dejaview".to_owned()];
    let one = votes(&word, 1);
    assert_eq!(sketch(1, &[(1, &one)]), Some(gram_hash(&[xxh3_64(b"dejaview")])));
    assert_eq!(sketch(1, &[(2, &votes(&word, 2))]), None);
    assert_eq!(xxh3_64(b""), 0x2D06_8005_38D3_94C2, "the published value for nothing");
    assert_eq!(fmix64(1), 0xB456_BCFC_34C2_CB2C, "MurmurHash3's finaliser of 1");
}

#[test]
fn the_edit_ratio_of_kitten_and_sitting() {
    let chars = |word: &str| word.chars().collect::<Vec<char>>();
    assert_eq!(edit_ratio(&chars("kitten"), &chars("sitting")), 8.0 / 13.0);
    assert_eq!(edit_ratio::<char>(&[], &[]), 0.0);
}
