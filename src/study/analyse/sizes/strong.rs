//! Whether a document is in a corpus, by a strong query (Bharat and Broder 1998): a search for its 8 rarest words, all of
//! which must occur; the results are then compared with it.

use std::collections::{BTreeSet, HashMap};

use dejaview_index::{Index, IndexError, KeptSide};
use dejaview_methods::Prepared;
use dejaview_methods::measures::Scores;
use dejaview_text::{Tokens, fold};

/// Words of a strong query.
const RAREST: usize = 8;

/// Results that are compared.
const RESULTS: usize = 20;

/// Documents that hold each word.
pub fn frequencies(index: &Index) -> Result<HashMap<String, u64>, IndexError> {
    let mut frequencies = HashMap::new();
    index.vocabulary(|word, documents| {
        frequencies.insert(word.to_owned(), documents);
    })?;
    Ok(frequencies)
}

/// The rarest words of a text that more than one document holds, rarest first.
pub fn rarest(text: &str, frequencies: &HashMap<String, u64>) -> Vec<String> {
    let mut ranked: Vec<(u64, String)> = words(text)
        .into_iter()
        .filter_map(|word| frequencies.get(&word).filter(|df| **df > 1).map(|df| (*df, word.clone())))
        .collect();
    ranked.sort();
    ranked.truncate(RAREST);
    ranked.into_iter().map(|(_, word)| word).collect()
}

/// The different words of a text.
pub fn words(text: &str) -> BTreeSet<String> {
    let mut tokens = Tokens::new();
    tokens.read(text);
    let mut words = BTreeSet::new();
    for i in 0..tokens.len() {
        let mut folded = String::new();
        fold(&text[tokens.span(i)], &mut folded);
        words.insert(folded);
    }
    words
}

/// Whether a page of the other side answers the query and is alike: a Jaccard at n of at least so much.
pub fn is_in_corpus(
    index: &Index,
    frequencies: &HashMap<String, u64>,
    text: &str,
    other: KeptSide,
    n: usize,
    alike: f64,
) -> Result<bool, IndexError> {
    let query = rarest(text, frequencies).join(" ");
    for result in index.search(&query, Some(other), RESULTS)? {
        let Some(found) = index.document(other, &result.id)? else { continue };
        if jaccard(text, &found.text, n) >= alike {
            return Ok(true);
        }
    }
    Ok(false)
}

fn jaccard(a: &str, b: &str, n: usize) -> f64 {
    let tokens = [a, b].map(|text| {
        let mut tokens = Tokens::new();
        tokens.read(text);
        tokens
    });
    let documents = [Prepared::new(a, &tokens[0]), Prepared::new(b, &tokens[1])];
    Scores::of(&documents[0], &documents[1]).jaccard(n).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rarest_words_that_are_not_alone() {
        let frequencies: HashMap<String, u64> =
            [("the", 90), ("fox", 2), ("hapax", 1), ("quick", 5), ("den", 2)].map(|(w, n)| (w.to_owned(), n)).into();
        assert_eq!(rarest("The quick fox, the hapax, the den", &frequencies), ["den", "fox", "quick", "the"]);
    }
}
