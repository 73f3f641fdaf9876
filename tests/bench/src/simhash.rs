//! One SimHash of 64 bits over word 3-grams: from words, and from text.

use std::hash::{Hash, Hasher};

use anyhow::{Result, ensure};
use dejaview::base::hash::Roll;
use dejaview::methods::Prepared;
use dejaview::methods::bits::BitCounts;
use dejaview::text::Tokens;
use siphasher::sip::SipHasher;

use crate::board::Board;
use crate::data::{Data, folded, tokens};
use crate::matching::simhash;
use crate::peers::{KEYS, gaoya, gaoya_grams};

const PAGES: usize = 1500;
const ROUNDS: usize = 5;

pub fn bench(data: &Data, board: &mut Board) -> Result<()> {
    let texts = data.texts(PAGES)?;
    let all_tokens: Vec<Tokens> = texts.iter().map(|text| tokens(text)).collect();
    let words: Vec<Vec<String>> = texts.iter().map(|text| folded(text)).collect();
    let (count, bytes) = (words.iter().map(Vec::len).sum::<usize>(), texts.iter().map(String::len).sum::<usize>());
    board.fact("documents", texts.len());
    board.fact("tokens", count);
    board.fact("megabytes of text", format!("{:.2}", bytes as f64 / 1e6));
    let (method, gaoya) = (simhash(&[3], 3)?, gaoya());
    let mut sketch = Vec::new();
    for _ in 0..ROUNDS {
        board.time("dejaview, from tokens", || {
            sketch.clear();
            for (text, tokens) in texts.iter().zip(&all_tokens) {
                method.sketch(&Prepared::new(text, tokens), &mut sketch);
            }
        });
        board.time("gaoya, from words", || words.iter().fold(0, |all, words| all ^ gaoya_grams(&gaoya, words, &[3])));
        board.time("gaoya, from token hashes", || {
            all_tokens.iter().fold(0, |all, tokens| all ^ gaoya_grams(&gaoya, tokens.hashes(), &[3]))
        });
        board.time("dejaview, from text", || {
            let mut tokens = Tokens::new();
            sketch.clear();
            for text in &texts {
                tokens.read(text);
                method.sketch(&Prepared::new(text, &tokens), &mut sketch);
            }
        });
        board.time("gaoya, from text", || {
            texts.iter().fold(0, |all, text| {
                let lower = text.to_lowercase();
                let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
                all ^ gaoya_grams(&gaoya, &words, &[3])
            })
        });
    }
    for name in ["dejaview, from tokens", "gaoya, from words"] {
        board.rate(name, count as f64 / 1e6, "million tokens");
    }
    for name in ["dejaview, from text", "gaoya, from text"] {
        board.rate(name, bytes as f64 / 1e6, "megabytes of text");
    }
    board.ratio("gaoya, from words", "dejaview, from tokens");
    board.ratio("gaoya, from token hashes", "dejaview, from tokens");
    board.ratio("gaoya, from text", "dejaview, from text");
    equal(&words)?;
    board.fact("equal", "our counters over gaoya's hashes give gaoya's fingerprint on every page, its signs turned");
    // The n-gram hashes alone, to see what is left of the sketch.
    for _ in 0..ROUNDS {
        board.time("n-gram hashes alone", || {
            all_tokens.iter().flat_map(|tokens| Roll::new(tokens.hashes(), 3)).fold(0, |all, gram| all ^ gram)
        });
    }
    Ok(())
}

/// gaoya counts +1 where a bit is 0, so its fingerprint is the complement of ours, but for ties, which are 0 in both.
fn equal(words: &[Vec<String>]) -> Result<()> {
    let gaoya = gaoya();
    for words in words {
        let hashes: Vec<u64> = words
            .windows(3)
            .map(|gram| {
                let mut hasher = SipHasher::new_with_keys(KEYS.0, KEYS.1);
                gram.hash(&mut hasher);
                hasher.finish()
            })
            .collect();
        let counts = BitCounts::count_bits(&hashes);
        let ties = (0..64).filter(|&bit| counts.margin(bit) == 0).fold(0u64, |ties, bit| ties | 1 << bit);
        ensure!(gaoya_grams(&gaoya, words, &[3]) == !counts.majority() & !ties, "fingerprints differ");
    }
    Ok(())
}
