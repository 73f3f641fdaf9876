//! What one document, or one list, may cost.
//!
//! A document passes through memory several times over: as bytes, as text, as words, as n-grams and as sorted sets, about
//! 160 bytes a word with the standard set of configurations. At these limits a document of words that are all different
//! took 238 to 245 MB of memory, everything else included (three kinds of files, 18 November 2026); `a b a b …` takes half
//! of it.
//! What is over them is skipped and counted, with its file and offset.

/// Largest body of a document in bytes, 16 MiB. Common Crawl cuts pages at 5 MiB, and a wiki page holds 2 MiB at most. A larger
/// one is skipped with [`crate::SkipReason::TooLarge`]. This also bounds the memory for a record that states a wrong length.
pub const LARGEST_BODY: usize = 16 << 20;

/// Most words of a document: more than the Bible and "War and Peace" together have. One with more is skipped with
/// [`crate::SkipReason::TooManyWords`].
pub const MOST_WORDS: usize = 1_500_000;

/// Largest file of topics in bytes, 64 MiB when unpacked: it is held as a whole, several times over. The largest that is known,
/// the queries of MS MARCO, has 36 MB. A larger one is refused.
pub(crate) const LARGEST_TOPICS: usize = 64 << 20;
