//! One pass over a segment of the target: every different text sketched for all configurations, looked up, scored.
//!
//! Memory hardly grows with the segment, only with what is found in it: 64 bytes a pair of groups and 8 a configuration
//! that found it, about 200 a target document that has a pair, 8 for each document. Documents with the same text are looked up once a thread.

mod found;
mod joined;
mod segment;

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use super::extracted::is_large;
use super::import::{NamedPair, NamedPairs};
use super::keys;
use super::pairs::{FoundPair, Target, url_key};
use super::reading::{Skipped, Visitor, visit_some};
pub use super::repeats::id_hash;
use super::repeats::{self, Known};
use super::source::{ReadOptions, SeenDocument, Source, SourceDocument, decides_on_others, sketch_all};
use super::tables::Near;
use super::{Configuration, ConfigurationNumber, DocumentNumber, ExtractedText, Extractor, GroupNumber, MatchingError};
use dejaview_base::timing::{Stage, Timings};
use dejaview_corpus::{Document, SkipReason, urls};
use dejaview_methods::Prepared;
use dejaview_methods::measures::{Profile, Sequences, Sets, Sorter};
use dejaview_text::Tokens;
pub use found::Found;
pub use segment::Segment;

use joined::{Joined, Member, MemberNumber, Text, TextNumber};

/// Compares every document of `options.inputs` with the source. Pairs that are `named` beforehand are recorded and scored
/// like those that are found.
pub fn pass(options: ReadOptions<'_>, source: &Source, named: &NamedPairs) -> Result<Segment, MatchingError> {
    let all: Vec<usize> = (0..options.inputs.len()).collect();
    join(options, source, find(options, &all, source, named)?, &[])
}

/// Compares the documents of some files of a segment with the source: those of `options.inputs` with these numbers.
pub fn find(
    options: ReadOptions<'_>,
    files: &[usize],
    source: &Source,
    named: &NamedPairs,
) -> Result<Found, MatchingError> {
    let ReadOptions { inputs, threads, progress, skips, .. } = options;
    let mut found = Found::of_segment(options);
    let make = || Passer::new(options, source, named);
    let visited = visit_some(inputs, files, threads, progress, skips, make)?;
    if progress.cancelled() {
        return Err(MatchingError::Cancelled);
    }
    found.timings.add(Stage::Read, visited.reading);
    for passer in visited.visitors {
        found.timings.merge(&passer.extractor.timings);
        found.joined.add(passer.results);
    }
    (found.documents, found.digests) = (visited.documents, visited.digests);
    Ok(found)
}

/// Brings what was found in all files of a segment into order. `counted` are hashes of the ids that documents of other
/// segments have, too, ascending: these are no further documents.
pub fn join(
    options: ReadOptions<'_>,
    source: &Source,
    found: Found,
    counted: &[u64],
) -> Result<Segment, MatchingError> {
    let Found { mut joined, digests, mut timings, pairs_before, .. } = found;
    let seen: Vec<DocumentNumber> = joined.members.iter().filter_map(|member| member.target.same_source).collect();
    let in_target = match seen[..] {
        [] => Vec::new(),
        _ => {
            let ReadOptions { inputs, threads, progress, sides, .. } = options;
            sides.in_target(&source.documents, inputs, &seen, threads, progress)?
        }
    };
    let (itself, mut ids) = (std::mem::take(&mut joined.itself), std::mem::take(&mut joined.ids));
    ids.sort_unstable();
    let elsewhere = joined.elsewhere;
    let mut segment = timings.time(Stage::Write, || joined.sorted(source, in_target));
    segment.timings = timings;
    // What was not read, or broke workers, is not read now.
    let read: Vec<usize> = (0..digests.len()).filter(|file| digests[*file] != 0).collect();
    let paired = segment.paired();
    let known = Known { targets: &segment.targets, paired: &paired, counted };
    repeats::list(options, &read, &ids, known)?;
    let both = |at: &DocumentNumber| segment.targets[at.index()].same_source.is_some() && known.counts_here(at.index());
    segment.both = DocumentNumber::all(segment.targets.len()).filter(both).collect();
    ids.dedup();
    ids.retain(|id| counted.binary_search(id).is_err());
    (segment.elsewhere, segment.itself, segment.ids) = (elsewhere, itself, ids);
    segment.digests = digests;
    // Which pairs count of documents that stand on both sides is known only now.
    let found: u64 = (0..options.configurations.len()).map(|c| segment.pairs(source, c)).sum();
    let kept = found + segment.named_hits.iter().map(|hits| hits.len() as u64).sum::<u64>();
    options.progress.add_pairs((pairs_before + kept).saturating_sub(options.progress.pairs.load(Ordering::Relaxed)));
    Ok(segment)
}

/// Why a named pair is not recorded.
pub const ITSELF: &str = "pair of a document with itself";

struct Passer<'a> {
    options: ReadOptions<'a>,
    source: &'a Source,
    named: &'a NamedPairs,
    extractor: Extractor,
    sets: Sets,
    sorter: Sorter,
    words: Vec<u64>,
    ends: Vec<usize>,
    scratch: keys::Scratch,
    near: Vec<Near>,
    /// (source group, configuration, distance) of the text at hand.
    met: Vec<(GroupNumber, ConfigurationNumber, u16)>,
    /// What the document at hand is named with.
    named_here: Vec<NamedPair>,
    /// Numbers of the texts that have a pair.
    known: HashMap<u128, TextNumber>,
    results: Joined,
}

impl<'a> Passer<'a> {
    fn new(options: ReadOptions<'a>, source: &'a Source, named: &'a NamedPairs) -> Self {
        Self {
            options,
            source,
            named,
            extractor: Extractor::new(options.content),
            sets: Sets::default(),
            sorter: Sorter::default(),
            words: Vec::new(),
            ends: Vec::new(),
            scratch: keys::Scratch::default(),
            near: Vec::new(),
            met: Vec::new(),
            named_here: Vec::new(),
            known: HashMap::new(),
            results: Joined::new(options.configurations.len()),
        }
    }

    /// The number of a page's text, if the page has a pair; looked up when the text is met for the first time. `itself` is
    /// the document of the source that the page is, where that has the same text.
    fn text(
        &mut self,
        document: &Document<'_>,
        itself: Option<DocumentNumber>,
        page: &ExtractedText<'_>,
        timings: &mut Timings,
    ) -> Option<TextNumber> {
        let key = page.key();
        if let Some(&text) = self.known.get(&key) {
            // Whoever meets itself alone belongs to no text, whether or not others with the same text came before it.
            return self.results.texts[text.index()].pairs_with(itself).then_some(text);
        }
        self.words.clear();
        self.ends.clear();
        let Self { words, ends, options, .. } = self;
        timings.time(Stage::Sketch, || sketch_all(options.configurations, &page.prepared(), words, ends));
        timings.time(Stage::Probe, || self.probe());
        if self.met.is_empty() || itself.is_some_and(|itself| self.met_alone(itself)) {
            return None;
        }
        timings.time(Stage::Score, || self.record(key, document, page));
        let text = TextNumber::at(self.results.texts.len() - 1);
        self.known.insert(key, text);
        Some(text)
    }

    /// Looks the sketches at hand up for their configurations.
    fn probe(&mut self) {
        let Self { source, options, words, ends, scratch, near, met, .. } = self;
        let configurations = ConfigurationNumber::all(ends.len()).zip(options.configurations);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let sketches = starts.zip(ends.iter()).map(|(start, &end)| &words[start..end]);
        met.clear();
        for ((c, configuration), sketch) in configurations.zip(sketches).filter(|(_, sketch)| !sketch.is_empty()) {
            near.clear();
            source.probe(c, &*configuration.method, sketch, scratch, near);
            met.extend(near.iter().map(|near| (near.group, c, near.distance)));
        }
        met.sort_unstable();
    }

    /// Whether the text at hand met one document of the source and no other.
    fn met_alone(&self, document: DocumentNumber) -> bool {
        let groups = &self.source.groups;
        self.met.iter().all(|(group, ..)| groups.members(*group) == [document])
    }

    /// Scores a text against each group of the source it met, once whatever the configurations.
    fn record(&mut self, key: u128, document: &Document<'_>, page: &ExtractedText<'_>) {
        let (number, mut text) = (TextNumber::at(self.results.texts.len()), Text::new(key));
        self.sets.read(&Sequences::new(page.text, page.tokens.hashes()), &mut self.sorter);
        text.profile = self.sets.profile();
        let deciders = Deciders::new(self.options.configurations, &page.prepared());
        for meeting in self.met.chunk_by(|a, b| a.0 == b.0) {
            let group = meeting[0].0;
            let members = self.source.groups.members(group);
            let source = self.source.first(group);
            let common = match source.key == key {
                true => {
                    text.own = members.len();
                    self.source.compare_the_same_text(members[0], text.profile)
                }
                false => {
                    text.others = true;
                    self.source.compare(members[0], &self.sets)
                }
            };
            let pair = self.results.found.len() as u32;
            self.results.found.push(FoundPair {
                source: group,
                target: number,
                same_url: urls::same(&source.url, document.url),
                common,
            });
            text.pairs += (meeting.len() * members.len()) as u64;
            for &(_, configuration, distance) in meeting {
                self.results.hits[configuration.index()].push((pair, distance));
            }
            for (configuration, distance) in deciders.decide(source) {
                self.results.hits[configuration.index()].push((pair, distance));
                text.pairs += members.len() as u64;
            }
        }
        self.results.texts.push(text);
    }

    /// Scores a document against those that it is named with, and returns the sizes of its sets if there are any. One that
    /// stands on both sides is not its own pair, and a pair that is named the other way round is one of its pairs, too.
    fn name(
        &mut self,
        file: usize,
        document: &Document<'_>,
        same_source: Option<DocumentNumber>,
        page: &ExtractedText<'_>,
    ) -> Option<Profile> {
        self.named_here.clear();
        self.named_here.extend_from_slice(self.named.to_target(document.id));
        if let Some(same_source) = same_source {
            if self.named_here.iter().any(|pair| pair.source == same_source) {
                let (offset, detail) = (document.offset, document.id.to_owned());
                self.options.skips.skipped(Skipped { file, offset, reason: ITSELF, detail });
                self.results.itself.push(document.id.into());
            }
            self.named_here.extend_from_slice(self.named.turned_to_target(document.id));
            self.named_here.retain(|pair| pair.source != same_source);
        }
        if self.named_here.is_empty() {
            return None;
        }
        self.named_here.sort_unstable();
        self.named_here.dedup_by_key(|pair| (pair.source, pair.configuration));
        self.sets.read(&Sequences::new(page.text, page.tokens.hashes()), &mut self.sorter);
        let target = MemberNumber::at(self.results.members.len());
        for meeting in self.named_here.chunk_by(|a, b| a.source == b.source) {
            let source = meeting[0].source;
            let pair = self.results.named.len() as u32;
            let same_url = urls::same(&self.source.documents[source.index()].url, document.url);
            let common = self.source.compare(source, &self.sets);
            self.results.named.push(FoundPair { source, target, same_url, common });
            for &NamedPair { configuration, distance, .. } in meeting {
                // Pairs may be named that belong to no configuration.
                if let Some(hits) = self.results.named_hits.get_mut(configuration.index()) {
                    hits.push((pair, distance));
                }
            }
        }
        if same_source.is_none() {
            self.options.progress.add_pairs(self.named_here.len() as u64);
        }
        Some(self.sets.profile())
    }
}

/// The configurations that decide on pairs which others found, each with its sketch of the page at hand.
struct Deciders<'a> {
    sketches: Vec<(ConfigurationNumber, &'a Configuration, Vec<u64>)>,
}

impl<'a> Deciders<'a> {
    fn new(configurations: &'a [Configuration], page: &Prepared<'_>) -> Self {
        let numbered = ConfigurationNumber::all(configurations.len()).zip(configurations);
        let sketched = |(number, configuration): (ConfigurationNumber, &'a Configuration)| {
            let mut sketch = Vec::new();
            configuration.method.sketch(page, &mut sketch).then_some((number, configuration, sketch))
        };
        let sketches = numbered.filter(|(_, configuration)| decides_on_others(configuration)).filter_map(sketched);
        Self { sketches: sketches.collect() }
    }

    /// Those that call a document of the source a match, with the distance that each sees.
    fn decide(&self, source: &SourceDocument) -> Vec<(ConfigurationNumber, u16)> {
        if self.sketches.is_empty() {
            return Vec::new();
        }
        let (text, mut tokens) = (source.text(), Tokens::new());
        tokens.read(&text);
        let document = Prepared::new(&text, &tokens);
        let decide = |(number, configuration, target): &(ConfigurationNumber, &Configuration, Vec<u64>)| {
            let mut sketch = Vec::new();
            let method = &configuration.method;
            let evidence = if method.sketch(&document, &mut sketch) { method.compare(&sketch, target) } else { None };
            evidence.map(|evidence| (*number, evidence.distance))
        };
        self.sketches.iter().filter_map(decide).collect()
    }
}

impl Visitor for Passer<'_> {
    fn document(&mut self, file: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        if (self.options.elsewhere)(document.id) {
            self.options.skips.skipped(Skipped::repeated(file, document.offset, document.id));
            self.results.elsewhere += 1;
            return Ok(());
        }
        let mut extractor = std::mem::take(&mut self.extractor);
        let passed = extractor.extract(document).map(|page| self.page(file, document, &page));
        extractor.release(document);
        let passed = passed.map(|timings| extractor.timings.merge(&timings));
        self.extractor = extractor;
        if is_large(document) {
            (self.sets, self.sorter) = (Sets::default(), Sorter::default());
        }
        passed
    }
}

impl Passer<'_> {
    /// Compares a page with the source; returns where the time went.
    fn page(&mut self, file: usize, document: &Document<'_>, page: &ExtractedText<'_>) -> Timings {
        let mut timings = Timings::default();
        self.results.ids.push(id_hash(document.id));
        let same_source = self.options.sides.same_source(&self.source.documents, document);
        let itself = same_source.filter(|same| self.source.documents[same.index()].key == page.key());
        let text = self.text(document, itself, page, &mut timings);
        let named = timings.time(Stage::Score, || self.name(file, document, same_source, page));
        let of_text = text.map(|text| &self.results.texts[text.index()]);
        let paired = named.is_some() || of_text.is_some();
        if text.is_some() || named.is_some() || same_source.is_some() {
            let profile = of_text.map(|text| text.profile).or(named).unwrap_or_default();
            if same_source.is_none() {
                self.options.progress.add_pairs(of_text.map_or(0, |text| text.pairs));
            }
            let (id, offset, url) = (document.id.into(), document.offset, url_key(document.url));
            let target = Target { id, file, offset, profile, same_source, url };
            self.results.members.push(Member { target, text });
        }
        if paired || self.options.keep_all {
            timings.time(Stage::Keep, || (self.options.keep)(&SeenDocument { file, document, page, paired }));
        }
        timings
    }
}
