//! A search in both texts: where its results are, and how many.

use std::ops::Range;

use super::texts::Texts;

#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    /// In lower case; empty when nothing is searched for.
    pub(super) query: String,
    /// Results on each side.
    counts: [usize; 2],
    /// In the order of the rows; of one row those of A first.
    results: Vec<SearchResult>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SearchResult {
    pub(super) row: usize,
    pub(super) side: usize,
    /// Byte in the line.
    pub(super) byte: usize,
}

impl Search {
    pub(super) fn new(query: &str, texts: &Texts) -> Self {
        let mut this = Self { query: query.to_lowercase(), ..Self::default() };
        if this.query.is_empty() {
            return this;
        }
        for row in 0..texts.diff.rows.len() {
            for side in [0, 1] {
                let Some(line) = texts.line(row, side) else { continue };
                let found = find_all(texts.line_text(line, side), &this.query);
                this.counts[side] += found.len();
                this.results.extend(found.into_iter().map(|bytes| SearchResult { row, side, byte: bytes.start }));
            }
        }
        this
    }

    pub(super) fn get(&self, number: usize) -> Option<SearchResult> {
        self.results.get(number).copied()
    }

    /// Number of the first result from a row on, or of the last above it, continuing at the other end. `inclusive` counts
    /// the row itself as ahead.
    pub(super) fn nearest(&self, row: usize, forward: bool, inclusive: bool) -> usize {
        let first_from = |at: usize| self.results.partition_point(|result| result.row < at);
        let all = self.results.len().max(1);
        if forward { first_from(row + usize::from(!inclusive)) % all } else { (first_from(row) + all - 1) % all }
    }

    /// The next or previous result, continuing at the other end.
    pub(super) fn step(&self, number: usize, forward: bool) -> usize {
        let all = self.results.len().max(1);
        if forward { (number + 1) % all } else { (number + all - 1) % all }
    }

    pub(super) fn found_nothing(&self) -> bool {
        !self.query.is_empty() && self.results.is_empty()
    }

    /// How many results there are, and which of them this one is.
    pub(super) fn summary(&self, result: usize) -> Option<String> {
        if self.query.is_empty() {
            return None;
        }
        let [a, b] = self.counts;
        if a + b == 0 {
            return Some(format!("“{}” is in neither text", self.query));
        }
        Some(format!("result {}/{}: {a} in A, {b} in B", result + 1, a + b))
    }
}

/// Where a query in lower case occurs in a line of any case.
pub(super) fn find_all(line: &str, query: &str) -> Vec<Range<usize>> {
    if query.is_empty() {
        return Vec::new();
    }
    if line.is_ascii() {
        let lower = line.to_ascii_lowercase();
        return lower.match_indices(query).map(|(at, found)| at..at + found.len()).collect();
    }
    // Lower case may be longer or shorter: each of its bytes knows the character it came from.
    let (mut lower, mut from) = (String::with_capacity(line.len()), Vec::with_capacity(line.len() + 1));
    for (at, c) in line.char_indices() {
        lower.extend(c.to_lowercase());
        from.resize(lower.len(), at);
    }
    from.push(line.len());
    let end = |at: usize| from.iter().skip(at).find(|&&byte| byte > from[at - 1]).copied().unwrap_or(line.len());
    lower.match_indices(query).map(|(at, found)| from[at]..end(at + found.len())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn results_in_any_case_and_script() {
        assert_eq!(find_all("The other, the", "the"), [0..3, 5..8, 11..14]);
        assert_eq!(find_all("İstanbul ÜBER über", "über"), [10..15, 16..21]);
        assert_eq!(find_all("東京都と京都", "京都"), [3..9, 12..18]);
        assert!(find_all("abc", "").is_empty() && find_all("", "a").is_empty());
    }

    proptest! {
        #[test]
        fn a_result_is_the_query(line in "[aAbBÄäİẞßé京 ]{0,30}", query in "[abä京]{1,3}") {
            for bytes in find_all(&line, &query) {
                prop_assert!(line[bytes].to_lowercase().contains(&query));
            }
            if line.contains(&query) {
                prop_assert!(!find_all(&line, &query).is_empty());
            }
        }
    }
}
