//! Documents of the source as they were read, before those that repeat the id of another are left out.
//!
//! Workers read files of the source each by itself; what they read is put together here as if one process had read all.

use super::{ReadOptions, Source, SourceDocument};
use crate::reading::{SkipListener, Skipped, Visitor, visit_some};
use crate::{Extractor, MatchingError};
use dejaview_base::bytes::{ByteReader, ByteWriter};
use dejaview_base::timing::{Stage, Timings};
use dejaview_corpus::{Document, SkipReason};

/// The first bytes of documents that are stored.
const MAGIC: &[u8] = b"dejaview documents\n";

/// Documents of some files of the source.
#[derive(Debug, Default)]
pub struct GatheredSource {
    documents: Vec<SourceDocument>,
    /// Digest of each input file; 0 for those that were not read.
    digests: Vec<u128>,
    timings: Timings,
}

impl GatheredSource {
    /// Nothing yet of so many files.
    pub fn of_files(files: usize) -> Self {
        Self { digests: vec![0; files], ..Self::default() }
    }

    /// Reads the documents that are `wanted`, by id, of the files that are `chosen` by their numbers.
    pub fn read(
        options: ReadOptions<'_>,
        chosen: &[usize],
        wanted: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Self, MatchingError> {
        let make = || Gatherer { wanted, extractor: Extractor::new(options.content), gathered: Vec::new() };
        let visited = visit_some(options.inputs, chosen, options.threads, options.progress, options.skips, make)?;
        let mut timings = Timings::default();
        timings.add(Stage::Read, visited.reading);
        for gatherer in &visited.visitors {
            timings.merge(&gatherer.extractor.timings);
        }
        let documents = visited.visitors.into_iter().flat_map(|gatherer| gatherer.gathered).collect();
        Ok(Self { documents, digests: visited.digests, timings })
    }

    /// What was read of one file, as bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        let mut out = ByteWriter::new(MAGIC);
        out.fixed(self.digests.first().copied().unwrap_or_default().to_le_bytes());
        out.size(self.documents.len());
        self.documents.iter().for_each(|document| document.write(&mut out));
        out.seal()
    }

    /// Adds what [`GatheredSource::into_bytes`] returned of the file of this number; none, and nothing is added, when the
    /// bytes are anything else, or damaged.
    pub fn add_file(&mut self, file: usize, bytes: &[u8]) -> Option<()> {
        let mut input = ByteReader::unseal(MAGIC, bytes)?;
        let digest = u128::from_le_bytes(input.fixed()?);
        let documents = input.list(SourceDocument::read)?;
        *self.digests.get_mut(file)? = digest;
        self.documents.extend(documents.into_iter().map(|document| SourceDocument { file, ..document }));
        Some(())
    }

    /// The source. Of documents with one id the first counts, by file and offset; `skips` is told of the others.
    pub fn finish(self, skips: &dyn SkipListener) -> Source {
        let Self { mut documents, digests, timings } = self;
        documents.sort_unstable_by(|a, b| {
            let place = |d: &SourceDocument| (d.file, d.offset);
            (&a.id, place(a)).cmp(&(&b.id, place(b)))
        });
        documents.dedup_by(|later, first| {
            let again = later.id == first.id;
            if again {
                skips.skipped(Skipped::repeated(later.file, later.offset, &later.id));
            }
            again
        });
        Source::new(documents, digests, timings)
    }
}

impl Source {
    /// Reads the documents that are `wanted`, by id.
    pub fn read(options: ReadOptions<'_>, wanted: &(dyn Fn(&str) -> bool + Sync)) -> Result<Self, MatchingError> {
        let all: Vec<usize> = (0..options.inputs.len()).collect();
        Ok(GatheredSource::read(options, &all, wanted)?.finish(options.skips))
    }
}

struct Gatherer<'a> {
    wanted: &'a (dyn Fn(&str) -> bool + Sync),
    extractor: Extractor,
    gathered: Vec<SourceDocument>,
}

impl Visitor for Gatherer<'_> {
    fn document(&mut self, file: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        if !(self.wanted)(document.id) {
            return Ok(());
        }
        let mut timings = Timings::default();
        let page = self.extractor.extract(document)?;
        let packed = timings.time(Stage::Keep, || SourceDocument::new(file, document, &page));
        self.extractor.timings.merge(&timings);
        self.extractor.release(document);
        self.gathered.push(packed);
        Ok(())
    }
}
