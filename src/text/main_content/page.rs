//! Which element of a page holds its content, and what frames it?

use super::blocks::{few_links, is_text};
use super::selection::Selection;
use crate::outline::{Kind, Zone, ZoneKind};
use crate::parts::Block;

/// Words in texts with which a frame may not be believed to be one.
const CONVINCING: u64 = 50;

/// The blocks of a page and the zones they stand in.
pub(super) struct Page<'a> {
    pub(super) blocks: &'a [Block],
    pub(super) zones: &'a [Zone],
}

impl Page<'_> {
    /// Which blocks are main content.
    pub(super) fn keep(&self) -> Vec<bool> {
        let comments = self.within(|zone| self.zones[zone].kind == ZoneKind::Comments);
        let texts =
            self.weigh(|_, block| if is_text(block) && !comments[block.zone as usize] { block.plain() } else { 0 });
        let live = self.live(&texts);
        let counts = |i: usize, block: &Block| live[i] && !comments[block.zone as usize];
        let texts = self.weigh(|i, block| if counts(i, block) && is_text(block) { block.plain() } else { 0 });
        let all = self.weigh(|i, block| if counts(i, block) && few_links(block) { block.plain() } else { 0 });
        let poor = texts[0] * 2 < all[0];
        let core = self.core(if poor { &all } else { &texts });
        let words = self.weigh(|i, block| if counts(i, block) { block.words } else { 0 });
        let linked = self.weigh(|i, block| if counts(i, block) { block.linked } else { 0 });
        let core = self.widen(core, &words, &linked);
        let inside = self.within(|zone| zone == core || comments[zone]);
        let live = (0..live.len()).filter(|&i| live[i]).collect();
        Selection { blocks: self.blocks, zones: self.zones, live, inside, poor }.keep()
    }

    /// Which zones satisfy a condition themselves or lie in one that does.
    fn within(&self, is_so: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut within = vec![false; self.zones.len()];
        for (at, zone) in self.zones.iter().enumerate() {
            within[at] = within[zone.outer as usize] || is_so(at);
        }
        within
    }

    /// Adds up for each zone what its blocks weigh, and those of the zones in it.
    fn weigh(&self, weight: impl Fn(usize, &Block) -> u32) -> Vec<u64> {
        let mut sums = vec![0; self.zones.len()];
        for (i, block) in self.blocks.iter().enumerate() {
            sums[block.zone as usize] += u64::from(weight(i, block));
        }
        for at in (1..sums.len()).rev() {
            sums[self.zones[at].outer as usize] += sums[at];
        }
        sums
    }

    /// Which blocks are not framed. The more of the texts a zone holds, the less is it believed to be a frame; on the
    /// edge of the content, texts and the first heading are.
    fn live(&self, texts: &[u64]) -> Vec<bool> {
        let is_small = |zone: usize, percent| texts[zone] < CONVINCING || texts[zone] * 100 <= texts[0] * percent;
        let framed = self.within(|zone| match self.zones[zone].kind {
            ZoneKind::Frame => is_small(zone, 90),
            ZoneKind::Named => is_small(zone, 50),
            _ => false,
        });
        let edge = self.within(|zone| self.zones[zone].kind == ZoneKind::Edge && is_small(zone, 25));
        let live = |block: &Block| {
            let zone = block.zone as usize;
            !framed[zone] && (!edge[zone] || is_text(block) || block.kind == Kind::Title)
        };
        self.blocks.iter().map(live).collect()
    }

    /// The smallest zone with more than 60 % of the words.
    fn core(&self, words: &[u64]) -> usize {
        let mut heaviest = vec![0; self.zones.len()];
        let mut inner = vec![0; self.zones.len()];
        for at in (1..self.zones.len()).rev() {
            let outer = self.zones[at].outer as usize;
            inner[outer] += words[at];
            if heaviest[outer] == 0 || words[at] >= words[heaviest[outer]] {
                heaviest[outer] = at;
            }
        }
        let mut core = 0;
        while heaviest[core] != 0 && words[heaviest[core]] * 10 > words[0] * 6 {
            core = heaviest[core];
        }
        // A list or a table of data is part of something; a table that lays out a page has its words in cells.
        while self.zones[core].kind == ZoneKind::Group && inner[core] * 2 <= words[core] {
            core = self.zones[core].outer as usize;
        }
        core
    }

    /// The zone around the core that is named as content, when hardly any of what that adds is links.
    fn widen(&self, core: usize, words: &[u64], linked: &[u64]) -> usize {
        let mut at = core;
        while self.zones[at].kind != ZoneKind::Content {
            let outer = self.zones[at].outer as usize;
            if at == 0 || (linked[outer] - linked[at]) * 5 > words[outer] - words[at] {
                return core;
            }
            at = outer;
        }
        at
    }
}
