//! Pairs that none of the configurations drawn from found, so that recall is not blind.
//!
//! They are divided by how probably they are true: pairs that other configurations of the study found, with the same URL,
//! then by how selective a configuration found them; pairs that none found, with the same URL, then by headline Jaccard
//! ([`SimilarPairs`]); and at last all that are left, of which random ones are drawn. Small strata of probable pairs are taken
//! whole, large ones get few labels ([`SHARES`]).
//!
//! A large stratum with few true pairs is a riddle to any sample: n labels without a true one leave room for about
//! 3.7·N/n true pairs among its N (the upper end of the exact 95 % interval), thousands where only hundreds were found. Of
//! the pairs that nobody found, and of those that only configurations found which find over 2 for each document, a stratum
//! whose labels leave so much room is *far*; estimates take one without a true label to hold none, and say so.

mod kept;
mod similar;

use std::collections::HashSet;

use crate::StudyError;
use crate::label::audit::kept::similar_pairs;
use crate::label::draw::SampleDraw;
use crate::label::framing::{FramedPairs, Framing, OneByOne};
use crate::run::watch::Watch;
use crate::snapshot::Snapshot;
use dejaview_base::random::{Random, mix};
use dejaview_base::similarity::ratio;
use dejaview_evaluation::sample::{Allocation, Candidate, Drawer, SampledPair, Stratum, band, rank, share_out};
use similar::{BANDS, EDGES, SimilarPairs};

/// How much more a stratum gets than another: the same URL, then bands of selectivity or Jaccard, then the rest.
const SHARES: [f64; BANDS + 1] = [4.0, 2.0, 2.0, 1.0, 0.5, 0.25];

/// True pairs that a stratum of one pair a label may hold when no label is true, at 95 %: -ln 0.025.
const ROOM: f64 = 3.69;

/// A stratum is far when there is room for more true pairs in it than this part of the pairs that were drawn from.
const FAR: f64 = 0.25;

/// Separates the draws of random pairs from others of the same seed.
const STREAM: u64 = 0x61_7564_6974;

/// Order of the first stratum of pairs that none found; strata of pairs that others found come before it.
const NONE: u32 = 10;

/// The audit of a sample.
pub(crate) struct Audit<'a> {
    pub(crate) draw: &'a SampleDraw,
    pub(crate) threads: usize,
    pub(crate) framing: &'a Framing,
    /// Pairs that the sample is drawn from otherwise.
    pub(crate) population: u64,
}

/// The strata of an audit, and the pairs drawn from them with the configurations that found them as bits.
type Audited = (Vec<Stratum>, Vec<(SampledPair, u64)>);

/// Every pair that a configuration of the study found.
type FoundPairs<'a> = HashSet<(&'a str, &'a str)>;

impl Audit<'_> {
    /// All strata with the pairs drawn from them.
    pub(crate) fn draw(&self, study: &Snapshot, watch: &dyn Watch) -> Result<Audited, StudyError> {
        let similar = similar_pairs(study, self.threads, watch)?;
        let size = self.draw.audit as usize;
        let mut drawer = Drawer::new(self.draw.seed, size, Allocation::Equal, self.framing.configurations());
        let mut found = FoundPairs::new();
        self.framing.each(&OneByOne::All, |one| {
            found.insert((one.pair.source, one.pair.target));
            if !self.framing.is_drawn_from(one.found) {
                let stratum = found_by_others(&one, self.framing)?;
                self.offer(&mut drawer, stratum, [one.pair.source, one.pair.target], one.found);
            }
            Ok(())
        })?;
        let listed = self.offer_listed(&mut drawer, &similar, &found);
        let left = similar.pairs().saturating_sub(found.len() as u64 + listed);
        let rest = Rest { similar: &similar, found: &found, name: rest_name(&similar), population: left };
        Ok(self.finish(drawer, &rest))
    }

    /// All pairs that none found, but for the rest. How many they are.
    fn offer_listed(&self, drawer: &mut Drawer, similar: &SimilarPairs, found: &FoundPairs<'_>) -> u64 {
        let mut listed = 0;
        for (place, pairs) in similar.bands.iter().enumerate() {
            let name = match place {
                0 => "none found, same URL".to_owned(),
                _ => band("none found, jaccard", EDGES[BANDS - 1 - place], &EDGES).1,
            };
            let pairs = pairs.iter().map(|[s, t]| similar.ids(*s, *t)).filter(|[s, t]| !found.contains(&(*s, *t)));
            for ids in pairs {
                self.offer(drawer, (NONE + place as u32, name.clone()), ids, 0);
                listed += 1;
            }
        }
        listed
    }

    fn offer(&self, drawer: &mut Drawer, stratum: (u32, String), [source, target]: [&str; 2], found: u64) {
        let rank = rank(self.draw.seed, source, target);
        drawer.offer(stratum, Candidate { rank, source, target, found, document_pairs: 1 });
    }

    /// Shares the audit out among the strata, and draws.
    fn finish(&self, drawer: Drawer, rest: &Rest<'_>) -> Audited {
        let mut seats = 0;
        let (mut strata, mut drawn) = drawer.finish_by(|sizes| {
            let listed = sizes.iter().map(|(place, name, size)| (*name, *size, SHARES[(*place % NONE) as usize]));
            let all: Vec<(&str, u64, f64)> =
                listed.chain([(rest.name.as_str(), rest.population, SHARES[BANDS])]).collect();
            let mut shared = share_out(&all, self.draw.audit, self.draw.seed);
            seats = shared.pop().unwrap_or_default();
            shared
        });
        let pairs = rest.draw(self.draw.seed, seats);
        strata.push(Stratum {
            drawn: seats,
            population: rest.population,
            name: rest.name.clone(),
            ..Stratum::default()
        });
        drawn.extend(pairs.into_iter().map(|ids| (rest.sampled(ids, seats), 0)));
        strata.retain(|stratum| stratum.population > 0);
        for stratum in &mut strata {
            stratum.audit = stratum.found.iter().all(|pairs| *pairs == 0);
            let remote = stratum.audit || REMOTE.iter().any(|name| stratum.name.ends_with(name));
            stratum.far = remote && self.is_far(stratum);
        }
        (strata, drawn)
    }

    /// Whether labels leave too much room in a stratum to tell its true pairs.
    fn is_far(&self, stratum: &Stratum) -> bool {
        let whole = stratum.drawn == stratum.population;
        !whole && ROOM * stratum.population as f64 > FAR * self.population as f64 * stratum.drawn as f64
    }
}

/// Edges between strata of pairs that others found: pairs a document of the most selective configuration that found them.
const PAIRS_PER_DOCUMENT: [f64; 3] = [1.0, 2.0, 4.0];

/// How the names of these strata begin.
pub(crate) const OTHERS: &str = "others found,";

/// Place and name of the stratum of a pair that only configurations found that are not drawn from.
pub(crate) fn found_by_others(one: &FramedPairs<'_, '_>, framing: &Framing) -> Result<(u32, String), StudyError> {
    if one.pair.same_url {
        return Ok((0, format!("{OTHERS} same URL")));
    }
    let pairs_per_document = framing.pairs_per_document(one.found)?;
    let place = PAIRS_PER_DOCUMENT.partition_point(|edge| *edge < pairs_per_document);
    let which = match place {
        0 => "by one with up to 1 pair a document",
        1 => "by one with 1-2 pairs a document",
        2 => REMOTE[0],
        _ => REMOTE[1],
    };
    Ok((place as u32 + 1, format!("{OTHERS} {which}")))
}

/// How those are called that only configurations found whose pairs are mostly wrong.
const REMOTE: [&str; 2] = ["by one with 2-4 pairs a document", "by none with fewer than 4 pairs a document"];

/// Name of the last stratum. Where the source is too large, the pairs of a part of it are all there.
fn rest_name(similar: &SimilarPairs) -> String {
    let (searched, all) = (similar.searched, similar.source.len());
    if searched == all {
        return "none found, random pairs".to_owned();
    }
    format!("none found, random pairs (near ones looked for among {searched} of {all} source documents)")
}

/// All pairs that are neither found nor listed.
struct Rest<'a> {
    similar: &'a SimilarPairs,
    found: &'a FoundPairs<'a>,
    name: String,
    population: u64,
}

impl Rest<'_> {
    /// Different random pairs, in the order of the seed: of a longer list the shorter is the beginning.
    fn draw(&self, seed: u64, size: u64) -> Vec<[&str; 2]> {
        let mut random = Random::new(mix(seed, STREAM), 0);
        let (mut drawn, mut pairs) = (HashSet::new(), Vec::new());
        while (pairs.len() as u64) < size {
            let s = random.below(self.similar.source.len() as u64) as u32;
            let t = random.below(self.similar.target.len() as u64) as u32;
            let [source, target] = self.similar.ids(s, t);
            let new =
                self.similar.is_pair(s, t) && !self.found.contains(&(source, target)) && !self.similar.contains(s, t);
            if new && drawn.insert((s, t)) {
                pairs.push([source, target]);
            }
        }
        pairs
    }

    fn sampled(&self, [source, target]: [&str; 2], drawn: u64) -> SampledPair {
        SampledPair {
            source: source.to_owned(),
            target: target.to_owned(),
            stratum: self.name.clone(),
            weight: ratio(self.population, drawn),
            probability: ratio(drawn, self.population),
            found: Vec::new(),
            document_pairs: None,
            assigned: Vec::new(),
        }
    }
}
