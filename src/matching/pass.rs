//! One pass over a segment of the target: every document sketched for all configurations, looked up, scored.
//!
//! Memory hardly grows with the segment, only with what is found in it: 64 bytes a pair and 8 a configuration that
//! found it, about 150 a target document that has a pair, 8 for each document.

use super::import::Named;
use super::keys;
use super::pairs::{Found, Target};
use super::reading::{Skipped, Visitor, visit};
use super::repeats;
use super::source::{Order, Seen, Source, counts, sketch_all};
use super::tables::Near;
use super::{MatchingError, Prepare};
use crate::base::timing::{Stage, Timings};
use crate::corpus::{Document, urls};
use crate::methods::measures::{Sequences, Sets, Sorter};

/// What a pass found.
#[derive(Debug, Default)]
pub struct Segment {
    /// Documents with a pair, by id.
    pub targets: Vec<Target>,
    /// Pairs, by source and target.
    pub found: Vec<Found>,
    /// For each configuration its pairs, as (number in `found`, distance), ascending.
    pub hits: Vec<Vec<(u32, u16)>>,
    /// Records not read, by file and offset.
    pub skipped: Vec<Skipped>,
    /// Digest of each input file.
    pub digests: Vec<u128>,
    /// Documents read, those that repeat the id of another left out.
    pub documents: u64,
    /// Documents that are documents of the source.
    pub both: u64,
    /// For each source document whether it stands in the target; empty when none was met here.
    pub standing: Vec<bool>,
    /// Where the time went, over all threads.
    pub timings: Timings,
}

/// Passes every document of `order.inputs` by the source.
pub fn pass(order: Order<'_>, source: &Source) -> Result<Segment, MatchingError> {
    pass_named(order, source, &Named::default())
}

/// The same, and records pairs that are named beforehand: those are scored like any other, and nobody looks for them.
pub fn pass_named(order: Order<'_>, source: &Source, named: &Named) -> Result<Segment, MatchingError> {
    let visited = visit(order.inputs, order.threads, order.progress, || Passer::new(order, source, named))?;
    if order.progress.cancelled() {
        return Err(MatchingError::Cancelled);
    }
    let mut joined = Joined { hits: vec![Vec::new(); order.configurations.len()], ..Joined::default() };
    let mut timings = Timings::default();
    timings.add(Stage::Read, visited.reading);
    for passer in visited.visitors {
        timings.merge(&passer.prepare.timings);
        joined.add(passer.results);
    }
    let ids = std::mem::take(&mut joined.ids);
    let seen: Vec<u32> = joined.targets.iter().filter_map(|target| target.twin).collect();
    let standing = match seen[..] {
        [] => Vec::new(),
        _ => {
            let threads = (order.threads, order.progress);
            order.sides.standing(&source.documents, (order.inputs, &seen), threads)?
        }
    };
    let itself = std::mem::take(&mut joined.itself);
    let mut segment = timings.time(Stage::Write, || joined.sorted(standing));
    segment.timings = timings;
    segment.skipped = repeats::find(order, ids, &segment.targets)?;
    segment.documents = visited.documents - segment.skipped.len() as u64;
    segment.skipped.extend(itself);
    segment.skipped.extend(visited.skipped);
    segment.skipped.sort();
    segment.digests = visited.digests;
    Ok(segment)
}

/// What the threads found so far.
#[derive(Debug, Default)]
struct Joined {
    targets: Vec<Target>,
    found: Vec<Found>,
    hits: Vec<Vec<(u32, u16)>>,
    /// A hash of the id of every document.
    ids: Vec<u64>,
    /// Pairs that were named of a document with itself.
    itself: Vec<Skipped>,
}

impl Joined {
    fn add(&mut self, other: Joined) {
        let (targets, found) = (self.targets.len() as u32, self.found.len() as u32);
        self.itself.extend(other.itself);
        self.targets.extend(other.targets);
        self.ids.extend(other.ids);
        self.found.extend(other.found.into_iter().map(|pair| Found { target: pair.target + targets, ..pair }));
        for (mine, theirs) in self.hits.iter_mut().zip(other.hits) {
            mine.extend(theirs.into_iter().map(|(pair, distance)| (pair + found, distance)));
        }
    }

    /// Puts everything into the order of ids, whatever thread found it. Of several target documents with one id the
    /// first that has a pair counts, by file and offset. Of pairs of documents that stand on both sides each counts once.
    fn sorted(self, standing: Vec<bool>) -> Segment {
        let mut order: Vec<u32> = (0..self.targets.len() as u32).collect();
        order.sort_unstable_by_key(|&t| {
            let target = &self.targets[t as usize];
            (&target.id, target.file, target.offset)
        });
        let mut segment = Segment::default();
        let mut first: Vec<u32> = Vec::with_capacity(order.len());
        for t in order {
            let target = &self.targets[t as usize];
            if first.last().is_none_or(|last| self.targets[*last as usize].id != target.id) {
                first.push(t);
            }
        }
        segment.both = first.iter().filter(|t| self.targets[**t as usize].twin.is_some()).count() as u64;
        let stands = |source: u32| standing.get(source as usize).copied().unwrap_or_default();
        let counted = |pair: &Found| counts(pair.source, stands(pair.source), self.targets[pair.target as usize].twin);
        let mut paired = vec![false; self.targets.len()];
        self.found.iter().filter(|pair| counted(pair)).for_each(|pair| paired[pair.target as usize] = true);
        let mut rank = vec![u32::MAX; self.targets.len()];
        for t in first.into_iter().filter(|t| paired[*t as usize]) {
            rank[t as usize] = segment.targets.len() as u32;
            segment.targets.push(self.targets[t as usize].clone());
        }
        let mut pairs: Vec<(u32, u32, u32)> = (0u32..)
            .zip(&self.found)
            .filter(|(_, pair)| counted(pair))
            .map(|(i, pair)| (pair.source, rank[pair.target as usize], i))
            .filter(|(_, target, _)| *target != u32::MAX)
            .collect();
        pairs.sort_unstable();
        let mut place = vec![u32::MAX; self.found.len()];
        for (at, &(_, target, i)) in (0u32..).zip(&pairs) {
            place[i as usize] = at;
            segment.found.push(Found { target, ..self.found[i as usize] });
        }
        segment.hits = self.hits.iter().map(|hits| placed(hits, &place)).collect();
        segment.standing = standing;
        segment
    }
}

fn placed(hits: &[(u32, u16)], place: &[u32]) -> Vec<(u32, u16)> {
    let mut placed: Vec<(u32, u16)> =
        hits.iter().map(|&(i, distance)| (place[i as usize], distance)).filter(|(at, _)| *at != u32::MAX).collect();
    placed.sort_unstable();
    placed
}

/// Why a named pair is not recorded.
pub const ITSELF: &str = "pair of a document with itself";

fn itself(file: usize, document: &Document<'_>) -> Skipped {
    Skipped { file, offset: document.offset, reason: ITSELF.to_owned(), detail: document.id.to_owned() }
}

struct Passer<'a> {
    order: Order<'a>,
    source: &'a Source,
    named: &'a Named,
    prepare: Prepare,
    sets: Sets,
    sorter: Sorter,
    words: Vec<u64>,
    ends: Vec<usize>,
    scratch: keys::Scratch,
    near: Vec<Near>,
    /// (source document, configuration, distance) of the document at hand.
    here: Vec<(u32, u32, u16)>,
    results: Joined,
}

impl<'a> Passer<'a> {
    fn new(order: Order<'a>, source: &'a Source, named: &'a Named) -> Self {
        let hits = vec![Vec::new(); order.configurations.len()];
        Self {
            order,
            source,
            named,
            prepare: Prepare::new(order.content),
            sets: Sets::default(),
            sorter: Sorter::default(),
            words: Vec::new(),
            ends: Vec::new(),
            scratch: keys::Scratch::default(),
            near: Vec::new(),
            here: Vec::new(),
            results: Joined { hits, ..Joined::default() },
        }
    }

    /// Looks the sketches at hand up for their configurations. A document that stands on both sides is not its own pair,
    /// and a pair that is named the other way round is one of its pairs too.
    fn probe(&mut self, (file, document): (usize, &Document<'_>), twin: Option<u32>) {
        self.here.clear();
        self.here.extend_from_slice(self.named.of(document.id));
        if let Some(twin) = twin {
            if self.here.iter().any(|(source, ..)| *source == twin) {
                self.results.itself.push(itself(file, document));
            }
            self.here.extend_from_slice(self.named.turned(document.id));
            self.here.sort_unstable();
            self.here.dedup_by_key(|(source, configuration, _)| (*source, *configuration));
        }
        let mut start = 0;
        for (c, (&end, configuration)) in self.ends.iter().zip(self.order.configurations).enumerate() {
            if start < end {
                self.near.clear();
                let sketch = &self.words[start..end];
                self.source.probe(c, &*configuration.method, sketch, &mut self.scratch, &mut self.near);
                self.here.extend(self.near.iter().map(|near| (near.document, c as u32, near.distance)));
            }
            start = end;
        }
        self.here.retain(|(source, ..)| Some(*source) != twin);
        self.here.sort_unstable();
    }
}

impl Visitor for Passer<'_> {
    fn document(&mut self, file: usize, document: &Document<'_>) {
        self.results.ids.push(repeats::hash(document.id));
        let (mut words, mut ends) = (std::mem::take(&mut self.words), std::mem::take(&mut self.ends));
        words.clear();
        ends.clear();
        let mut prepare = std::mem::take(&mut self.prepare);
        let mut timings = Timings::default();
        let page = prepare.page(document);
        timings.time(Stage::Sketch, || sketch_all(self.order.configurations, &page.prepared(), &mut words, &mut ends));
        (self.words, self.ends) = (words, ends);
        let twin = self.order.sides.twin(&self.source.documents, document);
        timings.time(Stage::Probe, || self.probe((file, document), twin));
        if !self.here.is_empty() || twin.is_some() {
            timings.time(Stage::Score, || {
                let sequences = Sequences::new(page.text, page.tokens.hashes());
                self.record((file, document), twin, &sequences);
            });
        }
        if !self.here.is_empty() || self.order.keep_all {
            let paired = !self.here.is_empty();
            timings.time(Stage::Keep, || (self.order.keep)(&Seen { file, document, page: &page, paired }));
        }
        prepare.timings.merge(&timings);
        self.prepare = prepare;
    }
}

impl Passer<'_> {
    /// Scores the document at hand against each source document it met, once whatever the configurations.
    fn record(&mut self, (file, document): (usize, &Document<'_>), twin: Option<u32>, sequences: &Sequences) {
        let target = self.results.targets.len() as u32;
        self.sets.read(sequences, &mut self.sorter);
        for meeting in self.here.chunk_by(|a, b| a.0 == b.0) {
            let number = meeting[0].0;
            let source = &self.source.documents[number as usize];
            let pair = self.results.found.len() as u32;
            self.results.found.push(Found {
                source: number,
                target,
                same_url: urls::same(&source.url, document.url),
                common: self.source.compare(number, &self.sets),
            });
            for &(_, configuration, distance) in meeting {
                // Pairs may be named that belong to no configuration.
                if let Some(hits) = self.results.hits.get_mut(configuration as usize) {
                    hits.push((pair, distance));
                }
            }
        }
        self.order.progress.add_pairs(self.here.len() as u64);
        self.results.targets.push(Target {
            id: document.id.into(),
            file,
            offset: document.offset,
            profile: self.sets.profile(),
            twin,
        });
    }
}
