//! The names of sites in titles: what many titles of a host share says nothing about one of them.

use std::collections::HashMap;
use std::ops::Range;

use dejaview_base::hash;

/// What may be between the name of a site and the title of a page.
const SEPARATORS: [&str; 4] = [" - ", " | ", " — ", " :: "];
/// Titles of a host that share a part before it counts as the name of the site: one, and three others.
const SHARED: usize = 4;

/// The parts of titles that several titles of their host share. Keeps their hashes alone.
#[derive(Debug, Clone, Default)]
pub struct SiteNames {
    /// How many titles share a part, by the hash of host and part.
    titles: HashMap<u64, usize>,
}

impl SiteNames {
    /// The hashes of the parts that a title of a host may share with others; a title without separators has none.
    pub fn parts(host: &str, title: &str) -> Vec<u64> {
        let parts = parts(title);
        if parts.len() < 2 {
            return Vec::new();
        }
        let mut hashes: Vec<u64> = parts.into_iter().map(|part| part_hash(host, &title[part])).collect();
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }

    /// Of the [`parts`](Self::parts) of all titles.
    pub fn new(mut parts: Vec<u64>) -> Self {
        parts.sort_unstable();
        let counted = parts.chunk_by(|a, b| a == b).map(|same| (same[0], same.len()));
        Self { titles: counted.filter(|(_, titles)| *titles >= SHARED).collect() }
    }

    /// The title without the name of its site, which is never all of it.
    pub fn shorten<'t>(&self, host: &str, title: &'t str) -> &'t str {
        let parts = parts(title);
        let titles = |part: &Range<usize>| self.titles.get(&part_hash(host, &title[part.clone()])).copied();
        let mut left = &parts[..];
        // The part that more titles share is the name of the site; the other may be that of a section.
        while let [first, .., last] = left {
            let (start, end) = (titles(first), titles(last));
            left = match (start, end) {
                (None, None) => return &title[first.start..last.end],
                _ if end >= start => &left[..left.len() - 1],
                _ => &left[1..],
            };
        }
        left.first().map_or(title, |only| &title[only.clone()])
    }

    /// Two titles, each with the host of its document, without the names of their sites; with them where nothing else
    /// makes the titles different.
    pub fn shorten_both<'t>(&self, [a, b]: [(&str, &'t str); 2]) -> [&'t str; 2] {
        let short = [self.shorten(a.0, a.1), self.shorten(b.0, b.1)];
        if short[0] == short[1] && a.1 != b.1 { [a.1, b.1] } else { short }
    }
}

fn part_hash(host: &str, part: &str) -> u64 {
    hash::token([host, "\0", part].concat().as_bytes())
}

/// The parts of a title between separators, without blanks at their ends and without those that are empty.
fn parts(title: &str) -> Vec<Range<usize>> {
    let (mut parts, mut start) = (Vec::new(), 0);
    loop {
        let rest = &title[start..];
        let next = SEPARATORS.iter().filter_map(|sign| Some((rest.find(sign)?, sign.len()))).min();
        let part = &rest[..next.map_or(rest.len(), |(at, _)| at)];
        let from = start + part.len() - part.trim_start().len();
        if !part.trim().is_empty() {
            parts.push(from..from + part.trim().len());
        }
        match next {
            Some((at, length)) => start += at + length,
            None => return parts,
        }
    }
}
