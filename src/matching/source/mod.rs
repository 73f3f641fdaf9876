//! The source side in memory: the text of each document, packed, and one lookup a configuration.
//!
//! The source is read first and sketched then, from the packed texts: methods that need statistics of the source can
//! be fitted only when all of it was seen.
//!
//! A document takes its text packed by zstd (about 2 bytes a word), about 400 bytes for id, URL and bookkeeping, and about
//! 60 for each SimHash configuration in the tables, or what [`super::keys`] says. One that meets another is unpacked and keeps its sorted sets (about
//! 44 bytes a word), all of them together at most [`SETS_BYTES`]; beyond that sets are made again for each pair.
//!
//! For the 155,419 judged documents of the study at 1,000 words a page: 155,419 × (2,000 + 400 + 5 × 60) bytes = 0.42 GB,
//! and 0.54 GB of sets at most.

mod document;
mod gathered;
mod lookup;
mod sides;
#[cfg(test)]
mod tests;

pub use document::SourceDocument;
pub use gathered::GatheredSource;
pub use sides::{Join, SharedDocuments, Sides, pair_counts};

use std::collections::HashMap;
use std::io;
use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

use super::capped::{self, CappedKey};
use super::groups::Groups;
use super::keys;
use super::reading::{SkipListener, Unlisted};
use super::tables::Near;
use super::{Configuration, ConfigurationNumber, Content, DocumentNumber, ExtractedText, GroupNumber, MatchingError};
use dejaview_base::bytes::{ByteReader, ByteWriter};
use dejaview_base::hash;
use dejaview_base::panics::catch_panic;
use dejaview_base::progress::Progress;
use dejaview_base::timing::{Stage, Timings};
use dejaview_corpus::{Document, Input};
use dejaview_methods::Method;
use dejaview_methods::measures::{Common, Profile, Sets};
pub use lookup::Sketches;
use lookup::{Lookup, Sketched};
pub(super) use lookup::{decides_on_others, sketch_all};

/// Sorted sets are kept up to this many bytes.
pub const SETS_BYTES: usize = 512 << 20;

#[derive(Debug, Default)]
pub struct Source {
    /// By id.
    pub documents: Vec<SourceDocument>,
    /// Groups of documents with the same text, by their first members.
    pub groups: Groups,
    /// One a configuration, in their order; empty before [`Source::index`].
    lookups: Vec<Lookup>,
    /// Digest of each input file.
    pub digests: Vec<u128>,
    /// Where the time went, over all threads.
    pub timings: Timings,
    /// Bytes of sorted sets kept so far.
    kept: AtomicUsize,
}

impl Source {
    /// The source of these documents, which are sorted by id, with the digests of all input files.
    fn new(documents: Vec<SourceDocument>, digests: Vec<u128>, timings: Timings) -> Self {
        let (groups, kept) = (groups(&documents), AtomicUsize::new(0));
        Self { groups, documents, lookups: Vec::new(), digests, timings, kept }
    }

    /// Sketches the first document of each group and makes it ready to be looked up.
    pub fn index(&mut self, configurations: &[Configuration], threads: usize) -> Result<(), MatchingError> {
        let sketches = self.sketch(configurations, threads)?;
        self.look_up(configurations, &sketches, &[]);
        Ok(())
    }

    /// The sketches of the first document of each group.
    pub fn sketch(&mut self, configurations: &[Configuration], threads: usize) -> Result<Sketches, MatchingError> {
        let first: Vec<&SourceDocument> = self.groups.iter().map(|group| &self.documents[group[0].index()]).collect();
        let add = |part: &mut Sketched, document: &SourceDocument| part.add(document, configurations);
        let parts = by_stretches(&first, threads, Sketched::default, add)?;
        for part in &parts {
            self.timings.merge(&part.timings);
        }
        Ok(Sketches { parts })
    }

    /// The keys that more than so many different sketches share.
    pub fn capped_keys(&self, configurations: &[Configuration], sketches: &Sketches, most: u64) -> Vec<CappedKey> {
        let of = |(c, configuration): (usize, &Configuration)| {
            let sketches: Vec<&[u64]> = sketches.of(c, configurations.len()).flatten().collect();
            capped::capped_keys(c, &*configuration.method, sketches, most)
        };
        configurations.iter().enumerate().flat_map(of).collect()
    }

    /// Makes the groups ready to be looked up by their sketches, but by capped keys only where these are equal.
    pub fn look_up(&mut self, configurations: &[Configuration], sketches: &Sketches, capped: &[CappedKey]) {
        let groups = self.groups.len();
        self.lookups = self.timings.time(Stage::Write, || {
            let lookup = |(c, configuration): (usize, &Configuration)| {
                let sketches = GroupNumber::all(groups).zip(sketches.of(c, configurations.len()));
                let sketches: Vec<(GroupNumber, &[u64])> =
                    sketches.filter_map(|(group, sketch)| Some((group, sketch?))).collect();
                Lookup::new(&*configuration.method, &sketches, capped::of_configuration(capped, c))
            };
            configurations.iter().enumerate().map(lookup).collect()
        });
    }

    /// Digest of which documents these are, in order, and of what methods see of them.
    pub fn digest(&self) -> String {
        let add = |digest: u128, document: &SourceDocument| {
            let (key, id) = (document.key.to_le_bytes(), document.id.as_bytes());
            hash::digest_bits(&[&digest.to_le_bytes(), &key, id].concat())
        };
        format!("{:032x}", self.documents.iter().fold(0, add))
    }

    /// Appends what workers need of the documents, to be read by [`Source::read_stored`].
    pub fn write(&self, out: &mut ByteWriter) {
        out.size(self.documents.len());
        self.documents.iter().for_each(|document| document.write(out));
    }

    /// Reads documents that were written; which files they are of is not known then.
    pub fn read_stored(input: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self::new(input.list(SourceDocument::read)?, Vec::new(), Timings::default()))
    }

    /// Appends the groups that a configuration finds near a sketch.
    pub fn probe(
        &self,
        configuration: ConfigurationNumber,
        method: &dyn Method,
        sketch: &[u64],
        scratch: &mut keys::Scratch,
        out: &mut Vec<Near>,
    ) {
        match &self.lookups[configuration.index()] {
            Lookup::Tables(tables) => tables.probe(sketch, out),
            Lookup::Keys(keys) => keys.probe(method, sketch, scratch, out),
            Lookup::Others => {}
        }
    }

    /// The document that stands for a group.
    pub fn first(&self, group: GroupNumber) -> &SourceDocument {
        &self.documents[self.groups.members(group)[0].index()]
    }

    /// Gives all documents of a group the sizes of the first.
    pub(super) fn share_profile(&self, group: GroupNumber) {
        for member in self.groups.members(group).iter().skip(1) {
            let _ = self.documents[member.index()].profile.set(self.first(group).profile());
        }
    }

    /// What a document has in common with a target's sets.
    pub fn compare(&self, document: DocumentNumber, target: &Sets) -> Common {
        let document = &self.documents[document.index()];
        if let Some(sets) = document.sets.get() {
            return sets.common(target);
        }
        let sets = document.make_sets();
        let common = sets.common(target);
        let _ = document.profile.set(sets.profile());
        let bytes = sets.bytes();
        if self.kept.fetch_add(bytes, Ordering::Relaxed) + bytes <= SETS_BYTES {
            let _ = document.sets.set(Box::new(sets));
        } else {
            self.kept.fetch_sub(bytes, Ordering::Relaxed);
        }
        common
    }

    /// What a document has in common with a target of the same text, whose sets have these sizes.
    pub fn compare_the_same_text(&self, document: DocumentNumber, target: Profile) -> Common {
        let _ = self.documents[document.index()].profile.set(target);
        target.with_the_same_text()
    }

    /// Bytes held in memory, as the arithmetic above has it.
    pub fn bytes(&self) -> usize {
        let documents: usize = self
            .documents
            .iter()
            .map(|d| size_of::<SourceDocument>() + d.id.len() + d.url.len() + d.date.len() + d.text.bytes())
            .sum();
        let sets = self.kept.load(Ordering::Relaxed);
        documents + sets + self.lookups.iter().map(Lookup::bytes).sum::<usize>()
    }
}

/// Hands each thread a stretch of the documents: makes a value for it and adds every document of the stretch. Returns the
/// values in the order of the documents. A document over which the program panics is an error that names it.
pub(super) fn by_stretches<T: Send>(
    documents: &[&SourceDocument],
    threads: usize,
    make: impl Fn() -> T + Sync,
    add: impl Fn(&mut T, &SourceDocument) + Sync,
) -> Result<Vec<T>, MatchingError> {
    let share = documents.len().div_ceil(threads.max(1)).max(1);
    let work = |documents: &[&SourceDocument]| -> Result<T, MatchingError> {
        let mut made = make();
        for document in documents {
            let what = || format!("the source document {}", document.id);
            catch_panic(|| add(&mut made, document)).map_err(|why| MatchingError::Broken {
                what: what(),
                offset: document.offset,
                why,
            })?;
        }
        Ok(made)
    };
    thread::scope(|scope| {
        let work = &work;
        let start = |documents| (documents, thread::Builder::new().spawn_scoped(scope, move || work(documents)));
        let parts: Vec<_> = documents.chunks(share).map(start).collect();
        let finished = |(documents, part): (_, io::Result<ScopedJoinHandle<'_, _>>)| match part {
            Ok(part) => part.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // Where the system starts no more threads, this one does it.
            Err(_) => work(documents),
        };
        parts.into_iter().map(finished).collect()
    })
}

/// Documents with the same text, by their first members.
fn groups(documents: &[SourceDocument]) -> Groups {
    let mut known: HashMap<u128, GroupNumber> = HashMap::new();
    let mut number = |document: &SourceDocument| {
        let next = GroupNumber::at(known.len());
        *known.entry(document.key).or_insert(next)
    };
    let numbers: Vec<GroupNumber> = documents.iter().map(&mut number).collect();
    Groups::of_numbers(&numbers, known.len())
}

/// What to read, and how.
#[derive(Clone, Copy)]
pub struct ReadOptions<'a> {
    pub inputs: &'a [Input],
    /// What of a page counts.
    pub content: &'a Content,
    /// In the order of the study.
    pub configurations: &'a [Configuration],
    /// At least 1.
    pub threads: usize,
    /// Counted up; asked whether to stop.
    pub progress: &'a Progress,
    /// Sees documents of the target with a pair. Called from several threads.
    pub keep: &'a Keep<'a>,
    /// Whether `keep` sees all other documents of the target too.
    pub keep_all: bool,
    /// Tells which documents stand on both sides.
    pub sides: &'a Sides,
    /// Is told of each record that is not read.
    pub skips: &'a dyn SkipListener,
    /// Whether a document of another segment has this id. Called from several threads.
    pub elsewhere: &'a (dyn Fn(&str) -> bool + Sync),
}

impl<'a> ReadOptions<'a> {
    /// Reads files of which nothing is kept or listed, with no configurations, and on one side only.
    pub fn of_inputs(inputs: &'a [Input], content: &'a Content, threads: usize, progress: &'a Progress) -> Self {
        Self {
            inputs,
            content,
            configurations: &[],
            threads,
            progress,
            keep: &|_| {},
            keep_all: false,
            sides: &ONE_SIDE,
            skips: &Unlisted,
            elsewhere: &|_| false,
        }
    }
}

/// No document stands on both sides.
static ONE_SIDE: LazyLock<Sides> = LazyLock::new(Sides::default);

/// A document that a run offers to keep, because its text may be needed later.
#[derive(Debug, Clone, Copy)]
pub struct SeenDocument<'a> {
    /// Number of its file among the inputs.
    pub file: usize,
    /// As it lies in the corpus.
    pub document: &'a Document<'a>,
    /// As the methods see it.
    pub page: &'a ExtractedText<'a>,
    /// Whether it has a pair.
    pub paired: bool,
}

/// Called with each document whose text may be kept.
pub type Keep<'a> = dyn Fn(&SeenDocument<'_>) + Sync + 'a;

impl std::fmt::Debug for ReadOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReadOptions").field("inputs", &self.inputs.len()).field("threads", &self.threads).finish()
    }
}
