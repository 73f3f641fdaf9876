//! What the tests of both methods share.

use dejaview_base::hash::{M, S, fmix64, token};

fn ngram(parts: &[u64]) -> u64 {
    let sum = parts.iter().fold(0u64, |sum, part| sum.wrapping_mul(M).wrapping_add(*part));
    fmix64(sum.wrapping_add((parts.len() as u64).wrapping_mul(S)))
}

/// The signature of some sentences by its definition; their content words in case folding, one space between them.
pub fn signature(sentences: &[&str]) -> u64 {
    let words = |sentence: &str| sentence.split(' ').map(|word| token(word.as_bytes())).collect::<Vec<u64>>();
    ngram(&sentences.iter().map(|sentence| ngram(&words(sentence))).collect::<Vec<u64>>())
}
