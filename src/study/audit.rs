//! Pairs that no configuration of a sample found, so that recall is not blind.
//!
//! Both sides are read again and held in memory. *Near misses* are the pairs whose headline Jaccard reaches
//! [`NEAR`]: all of them are counted, and some drawn. *Random pairs* are drawn from all the rest, source × target. Where
//! there are more than [`MOST_PAIRS`] pairs, near misses are looked for among a fixed random part of the source; those of
//! the others stay among the random pairs, so the two strata are still all there is.

use std::collections::{BTreeSet, HashSet};

use rayon::prelude::*;

use super::StudyError;
use super::drawing::Draw;
use super::framing::Framing;
use super::run::Watch;
use super::session::Session;
use crate::base::hash::{self, Roll};
use crate::base::random::{Random, mix};
use crate::base::similarity::{common, jaccard};
use crate::evaluation::sample::{Allocation, Candidate, Drawer, SampledPair, Stratum, band, rank};
use crate::matching::source::Source;
use crate::text::Tokens;

/// From this Jaccard on a pair that nobody found is a near miss.
pub const NEAR: f64 = 0.5;

/// Pairs that are compared at most.
const MOST_PAIRS: usize = 50_000_000;

/// Separates the draws of random pairs from others of the same seed.
const STREAM: u64 = 0x61_7564_6974;

/// The audit of a sample.
pub(super) struct Audit<'a> {
    pub(super) draw: &'a Draw,
    pub(super) threads: usize,
    pub(super) framing: &'a Framing,
}

/// The strata of an audit, and the pairs drawn from them; none of them was found, so their bits are all 0.
type Audited = (Vec<Stratum>, Vec<(SampledPair, u64)>);

/// What is kept of a document: its id and its distinct n-grams, ascending.
struct Page {
    id: String,
    grams: Vec<u64>,
}

impl Page {
    fn jaccard(&self, other: &Self) -> f64 {
        let (a, b) = (&self.grams, &other.grams);
        let (short, long) = (a.len().min(b.len()), a.len().max(b.len()));
        if (short as f64) < NEAR * long as f64 {
            // It cannot be near; how far it is does not matter.
            return 0.0;
        }
        jaccard(common(a, b) as u32, a.len() as u32, b.len() as u32)
    }
}

impl Audit<'_> {
    /// The two strata with the pairs drawn from them.
    pub(super) fn of(&self, session: &Session, watch: &dyn Watch) -> Result<Audited, StudyError> {
        let (source, target) = session.read_sides(self.threads, watch)?;
        let n = session.recipe().jaccard;
        let (mut source, target) = (pages(&source, n), pages(&target, n));
        source.sort_by_cached_key(|page| hash::digest_bits(page.id.as_bytes()));
        let searched = (MOST_PAIRS / target.len().max(1)).max(1).min(source.len());
        let mut found: HashSet<(&str, &str)> = HashSet::new();
        let third = self.draw.audit.div_ceil(3);
        let mut others = Drawer::new(self.draw.seed, third as usize, Allocation::Equal, self.framing.configurations());
        self.framing.each(|one| {
            let (source, target) = (one.pair.source, one.pair.target);
            found.insert((source, target));
            if !self.framing.holds(one.found) {
                let jaccard = one.pair.scores().jaccard(n).unwrap_or_default();
                let band = band("found by others alone, jaccard", jaccard, &[0.5, 0.7, 0.9]);
                let rank = rank(self.draw.seed, source, target);
                others.offer(band, Candidate { rank, source, target, found: one.found, of: 1 });
            }
            Ok(())
        })?;
        let (others, mut drawn) = others.finish();
        let (near, pairs) = self.near(&source[..searched], &target, &found);
        drawn.extend(pairs);
        let rest = self.draw.audit.saturating_sub(drawn.len() as u64);
        let all = source.len() as u64 * target.len() as u64;
        let population = all.saturating_sub(found.len() as u64 + near.population);
        let random = Pool { source: &source, searched, target: &target, found: &found };
        let pairs = random.draw(self.draw.seed, rest.min(population));
        let name = "random pairs that none found";
        let drawn_here = pairs.len() as u64;
        let stratum = Stratum {
            name: name.to_owned(),
            population,
            drawn: drawn_here,
            audit: true,
            far: true,
            ..Stratum::default()
        };
        let weight = population as f64 / pairs.len().max(1) as f64;
        drawn.extend(pairs.into_iter().map(|[source, target]| (sampled(source, target, name, weight), 0)));
        let strata = others.into_iter().chain([near, stratum]).filter(|stratum| stratum.population > 0);
        Ok((strata.collect(), drawn))
    }

    /// All near misses, and a third of the audit drawn from them.
    fn near(
        &self,
        source: &[Page],
        target: &[Page],
        found: &HashSet<(&str, &str)>,
    ) -> (Stratum, Vec<(SampledPair, u64)>) {
        let near = |s: &Page| -> Vec<(usize, f64)> {
            let alike = target.iter().enumerate().map(|(t, page)| (t, s.jaccard(page)));
            alike
                .filter(|(t, jaccard)| *jaccard >= NEAR && !found.contains(&(s.id.as_str(), target[*t].id.as_str())))
                .collect()
        };
        let all: Vec<Vec<(usize, f64)>> = source.par_iter().map(near).collect();
        let size = self.draw.audit.div_ceil(3) as usize;
        let mut drawer = Drawer::new(self.draw.seed, size, self.draw.allocation, 0);
        for (s, near) in source.iter().zip(&all) {
            for (t, _) in near {
                let target = target[*t].id.as_str();
                let rank = rank(self.draw.seed, &s.id, target);
                let candidate = Candidate { rank, source: &s.id, target, found: 0, of: 1 };
                drawer.offer((0, "near misses that none found".to_owned()), candidate);
            }
        }
        let (strata, pairs) = drawer.finish();
        let none = Stratum::default();
        let stratum = strata.into_iter().next().map_or(none, |stratum| Stratum { audit: true, ..stratum });
        (stratum, pairs)
    }
}

fn sampled(source: &str, target: &str, stratum: &str, weight: f64) -> SampledPair {
    SampledPair {
        source: source.to_owned(),
        target: target.to_owned(),
        stratum: stratum.to_owned(),
        weight,
        probability: 1.0 / weight,
        found: Vec::new(),
        of: None,
    }
}

/// Where random pairs come from.
struct Pool<'a> {
    source: &'a [Page],
    /// So many of the source were searched for near misses.
    searched: usize,
    target: &'a [Page],
    found: &'a HashSet<(&'a str, &'a str)>,
}

impl<'a> Pool<'a> {
    /// Different random pairs that are neither found nor near, in the order of the seed: of a longer list the shorter is
    /// the beginning.
    fn draw(&self, seed: u64, size: u64) -> Vec<[&'a str; 2]> {
        let mut random = Random::new(mix(seed, STREAM), 0);
        let (mut drawn, mut pairs) = (BTreeSet::new(), Vec::new());
        while (pairs.len() as u64) < size {
            let s = random.below(self.source.len() as u64) as usize;
            let t = random.below(self.target.len() as u64) as usize;
            let (source, target) = (&self.source[s], &self.target[t]);
            let near = s < self.searched && source.jaccard(target) >= NEAR;
            if !near && !self.found.contains(&(source.id.as_str(), target.id.as_str())) && drawn.insert((s, t)) {
                pairs.push([source.id.as_str(), target.id.as_str()]);
            }
        }
        pairs
    }
}

/// The documents of a side, each id once.
fn pages(side: &Source, n: usize) -> Vec<Page> {
    let mut seen = HashSet::new();
    let first: Vec<_> = side.documents.iter().filter(|document| seen.insert(&document.id)).collect();
    let page = |document: &&crate::matching::source::SourceDocument| {
        let mut tokens = Tokens::new();
        tokens.read(&document.text());
        let mut grams: Vec<u64> = Roll::new(tokens.hashes(), n).collect();
        grams.sort_unstable();
        grams.dedup();
        Page { id: document.id.to_string(), grams }
    };
    first.par_iter().map(page).collect()
}
