//! Which blocks are kept once the core is known?

use super::blocks::{few_links, is_text};
use crate::outline::{Kind, Zone};
use crate::parts::Block;

/// What is left when frames are gone, and where the core is.
pub(super) struct Selection<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) zones: &'a [Zone],
    /// The blocks that are not framed.
    pub(super) live: Vec<usize>,
    /// Which zones are in the core.
    pub(super) inside: Vec<bool>,
    /// Whether texts are few.
    pub(super) poor: bool,
}

impl Selection<'_> {
    pub(super) fn keep(&self) -> Vec<bool> {
        let mut keep = vec![false; self.blocks.len()];
        if self.is_directory() {
            self.live.iter().for_each(|&i| keep[i] = self.is_inside(i));
            return keep;
        }
        self.keep_by_neighbours(&mut keep);
        self.fill_gaps(&mut keep);
        self.keep_headings(&mut keep);
        self.keep_lead(&mut keep);
        keep
    }

    fn is_inside(&self, i: usize) -> bool {
        self.inside[self.blocks[i].zone as usize]
    }

    fn is_heading(&self, i: usize) -> bool {
        matches!(self.blocks[i].kind, Kind::Title | Kind::Heading)
    }

    /// Whether two thirds of the core are links.
    fn is_directory(&self) -> bool {
        let core = || self.live.iter().filter(|&&i| self.is_inside(i)).map(|&i| &self.blocks[i]);
        core().map(|block| u64::from(block.linked)).sum::<u64>() * 3
            > core().map(|block| u64::from(block.words)).sum::<u64>() * 2
    }

    /// Keeps the texts of the core, and what the paper's tree keeps. Headings are no neighbours.
    fn keep_by_neighbours(&self, keep: &mut [bool]) {
        let others: Vec<usize> = self.live.iter().copied().filter(|&i| !self.is_heading(i)).collect();
        for (at, &i) in others.iter().enumerate() {
            let block = &self.blocks[i];
            let neighbour = |at: usize| others.get(at).map(|&i| &self.blocks[i]);
            let (before, after) = (neighbour(at.wrapping_sub(1)), neighbour(at + 1));
            let wanted = is_text(block) || self.poor && few_links(block) || tree(block, before, after);
            keep[i] = wanted && self.is_inside(i);
        }
    }

    /// Keeps what has few links between two texts that stand near each other.
    fn fill_gaps(&self, keep: &mut [bool]) {
        let mut before = None;
        for (at, &i) in self.live.iter().enumerate() {
            if !keep[i] || !is_text(&self.blocks[i]) {
                continue;
            }
            if let Some(before) = before.filter(|&before| self.is_near(self.live[before], i)) {
                for &between in &self.live[before + 1..at] {
                    keep[between] |= self.blocks[between].linked * 2 <= self.blocks[between].words;
                }
            }
            before = Some(at);
        }
    }

    /// Whether at most three steps up from the one or the other lead to the same zone, at most two from each.
    fn is_near(&self, a: usize, b: usize) -> bool {
        let outer = |zone: u32| self.zones[zone as usize].outer;
        let up = |i: usize| {
            let zone = self.blocks[i].zone;
            [zone, outer(zone), outer(outer(zone))]
        };
        let (a, b) = (up(a), up(b));
        (0..3).any(|i| (0..3.min(4 - i)).any(|j| a[i] == b[j]))
    }

    /// Keeps a heading when something is kept before the next one, or when that follows at once and is kept.
    fn keep_headings(&self, keep: &mut [bool]) {
        let (mut heads, mut at_once) = (false, false);
        for &i in self.live.iter().rev() {
            if self.is_heading(i) {
                keep[i] = (heads || at_once) && self.is_inside(i);
                (heads, at_once) = (false, keep[i]);
            } else {
                heads |= keep[i];
                at_once = false;
            }
        }
    }

    /// Keeps the last heading of the first order before the first text, and the texts between them.
    fn keep_lead(&self, keep: &mut [bool]) {
        let Some(first) = self.live.iter().position(|&i| keep[i] && is_text(&self.blocks[i])) else { return };
        let title =
            self.live[..first].iter().rposition(|&i| self.blocks[i].kind == Kind::Title && self.blocks[i].linked == 0);
        for &i in title.map_or(&[][..], |title| &self.live[title..first]) {
            keep[i] |= is_text(&self.blocks[i]) || self.blocks[i].kind == Kind::Title;
        }
    }
}

/// The decision tree of the paper, on numbers of words and shares of words in links. What is missing has no words.
fn tree(block: &Block, before: Option<&Block>, after: Option<&Block>) -> bool {
    let words = |block: Option<&Block>| block.map_or(0, |block| block.words);
    let before_is_links = before.is_some_and(|block| block.linked * 9 > block.words * 5);
    few_links(block)
        && if before_is_links {
            block.words > 40 || words(after) > 17
        } else {
            block.words > 16 || words(after) > 15 || words(before) > 4
        }
}
