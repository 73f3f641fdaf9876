//! Which words carry no subject: `assets/stop-words.tsv`, function words of ten languages.
//!
//! The language of a page is not asked: a word that is a function word in one of the languages is left out everywhere.
//! Words that are common names of things in another language (Italian *state*, German *fast*) are not listed.
//!
//! Words are known by their token hash. A bitmap of 8 KiB says no to most others at once; what it lets through is
//! looked for in a hash table.

use std::sync::LazyLock;

use dejaview_base::hash;
use hashbrown::HashTable;

const BITS: usize = 1 << 16;

static STOP_WORDS: LazyLock<StopWords> =
    LazyLock::new(|| StopWords::unpack(include_str!("../../assets/stop-words.tsv")));

/// The stop words of all languages.
pub(super) struct StopWords {
    bitmap: Box<[u64; BITS / 64]>,
    hashes: HashTable<u64>,
}

impl StopWords {
    /// The lists, unpacked at first use.
    pub(super) fn get() -> &'static Self {
        &STOP_WORDS
    }

    /// Whether a token with this hash is a stop word.
    #[inline]
    pub(super) fn contains(&self, hash: u64) -> bool {
        self.bitmap[place(hash)] >> (hash % 64) & 1 == 1 && self.listed(hash)
    }

    #[inline]
    fn listed(&self, hash: u64) -> bool {
        self.hashes.find(hash, |listed| *listed == hash).is_some()
    }

    fn unpack(asset: &str) -> Self {
        let mut this = Self { bitmap: Box::new([0; BITS / 64]), hashes: HashTable::new() };
        for word in asset.lines().filter_map(word) {
            this.insert(hash::token(word.as_bytes()));
        }
        this
    }

    fn insert(&mut self, hash: u64) {
        if self.listed(hash) {
            return;
        }
        self.hashes.insert_unique(hash, hash, |listed| *listed);
        self.bitmap[place(hash)] |= 1 << (hash % 64);
    }
}

/// The word of the bitmap that holds the bit of `hash`.
#[inline]
fn place(hash: u64) -> usize {
    (hash / 64) as usize % (BITS / 64)
}

/// The word in a line of the asset; none in a comment.
fn word(line: &str) -> Option<&str> {
    if line.starts_with('#') { None } else { Some(line.split_once('\t')?.1) }
}

/// Whether a token with this hash, one of [`Tokens::hashes`](super::Tokens::hashes), is a stop word.
#[inline]
pub fn is_stop_word(hash: u64) -> bool {
    StopWords::get().contains(hash)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::{Tokens, fold};

    const ASSET: &str = include_str!("../../assets/stop-words.tsv");

    fn stops(text: &str) -> Vec<bool> {
        let mut tokens = Tokens::new();
        tokens.read(text);
        tokens.hashes().iter().map(|&hash| is_stop_word(hash)).collect()
    }

    #[test]
    fn words_by_example() {
        assert_eq!(stops("THEIR house, because whales"), [true, false, true, false]);
        assert_eq!(stops("Während DAẞ dass Größe für"), [true, true, true, false, true]);
        assert_eq!(stops("qu’une école aujourd'hui"), [true, true, false, true, true]);
        assert_eq!(stops("Который ЕЩЁ дом"), [true, true, false]);
        assert_eq!(
            stops("también l'università dell' não casa żeby och huset zonder"),
            [true, true, false, true, true, false, true, true, false, true]
        );
        assert_eq!(stops("state fast embargo 東京 كتاب"), [false; 5]);
        assert!(!is_stop_word(0));
    }

    /// Every line is one whole token in its folded form, said once; otherwise it could never be met in a text.
    #[test]
    fn the_asset_holds_tokens_as_they_are_hashed() {
        let mut languages: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let (mut tokens, mut folded) = (Tokens::new(), String::new());
        for line in ASSET.lines().filter(|line| !line.starts_with('#')) {
            let (language, word) = line.split_once('\t').unwrap();
            tokens.read(word);
            fold(word, &mut folded);
            assert_eq!((tokens.len(), folded.as_str()), (1, word));
            assert_eq!(tokens.span(0), 0..word.len());
            assert!(is_stop_word(tokens.hashes()[0]), "{word}");
            assert!(languages.entry(language).or_default().insert(word), "{line} stands twice");
        }
        assert_eq!(
            languages.keys().copied().collect::<Vec<_>>(),
            ["de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv"]
        );
        assert!(languages.values().all(|words| words.len() > 60));
    }

    #[test]
    fn the_table_is_exact() {
        let words: BTreeSet<u64> = ASSET.lines().filter_map(word).map(|w| hash::token(w.as_bytes())).collect();
        let table = StopWords::get();
        assert_eq!(table.hashes.len(), words.len());
        // Hashes that share the bit of a stop word.
        for &hash in &words {
            assert!(!table.contains(hash ^ 1 << 63));
        }
        let noise = (0..100_000u64).map(|i| hash::token(&i.to_le_bytes()));
        assert_eq!(noise.filter(|&hash| table.contains(hash)).count(), 0);
    }
}
