//! Words looked for in both texts: where they stand, and how often.

use std::ops::Range;

use super::texts::Texts;

/// What was looked for, and where it stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Search {
    /// In lower case; empty when nothing is looked for.
    pub(super) query: String,
    /// Hits on each side.
    counts: [usize; 2],
    /// Every hit, in the order of the rows; of one row those of A first.
    stops: Vec<Stop>,
}

/// A hit: a place to stop at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) row: usize,
    pub(super) side: usize,
    /// Byte in the line.
    pub(super) byte: usize,
}

impl Search {
    /// Looks through both texts once.
    pub(super) fn new(query: &str, texts: &Texts) -> Self {
        let mut this = Self { query: query.to_lowercase(), ..Self::default() };
        if this.query.is_empty() {
            return this;
        }
        for row in 0..texts.diff.rows.len() {
            for side in [0, 1] {
                let Some(line) = texts.line(row, side) else { continue };
                let hits = hits(texts.line_text(line, side), &this.query);
                this.counts[side] += hits.len();
                this.stops.extend(hits.into_iter().map(|hit| Stop { row, side, byte: hit.start }));
            }
        }
        this
    }

    /// The stop of a number.
    pub(super) fn stop(&self, number: usize) -> Option<Stop> {
        self.stops.get(number).copied()
    }

    /// Number of the first stop at or behind a row, or of the last before it, around the end.
    pub(super) fn near(&self, row: usize, forward: bool, here: bool) -> usize {
        let behind = |at: usize| self.stops.partition_point(|stop| stop.row < at);
        let all = self.stops.len().max(1);
        if forward { behind(row + usize::from(!here)) % all } else { (behind(row) + all - 1) % all }
    }

    /// The stop after or before a stop, around the end.
    pub(super) fn step(&self, number: usize, forward: bool) -> usize {
        let all = self.stops.len().max(1);
        if forward { (number + 1) % all } else { (number + all - 1) % all }
    }

    /// How many hits there are, and at which one this stop is.
    pub(super) fn said(&self, stop: usize) -> Option<String> {
        if self.query.is_empty() {
            return None;
        }
        let [a, b] = self.counts;
        if a + b == 0 {
            return Some(format!("“{}” stands in neither text", self.query));
        }
        Some(format!("hit {}/{}: {a} in A, {b} in B", stop + 1, a + b))
    }
}

/// Bytes at which the query, in lower case, stands in a line in any case.
pub(super) fn hits(line: &str, query: &str) -> Vec<Range<usize>> {
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
    fn hits_in_any_case_and_script() {
        assert_eq!(hits("The other, the", "the"), [0..3, 5..8, 11..14]);
        assert_eq!(hits("İstanbul ÜBER über", "über"), [10..15, 16..21]);
        assert_eq!(hits("東京都と京都", "京都"), [3..9, 12..18]);
        assert!(hits("abc", "").is_empty() && hits("", "a").is_empty());
    }

    proptest! {
        #[test]
        fn a_hit_is_the_query(line in "[aAbBÄäİẞßé京 ]{0,30}", query in "[abä京]{1,3}") {
            for hit in hits(&line, &query) {
                prop_assert!(line[hit].to_lowercase().contains(&query));
            }
            if line.contains(&query) {
                prop_assert!(!hits(&line, &query).is_empty());
            }
        }
    }
}
