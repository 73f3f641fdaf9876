//! How often words occur in the kept documents.

use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::termdict::TermMerger;
use tantivy::{DocSet, SegmentReader, TERMINATED, Term};

use super::error::IndexError;
use super::reader::Index;
use super::side::KeptSide;
use super::words::words;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Occurrences {
    /// Number of documents with the word (df).
    pub documents: u64,
    /// How often it occurs in them (cf).
    pub occurrences: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TermStatistics {
    pub source: Occurrences,
    pub target: Occurrences,
}

impl TermStatistics {
    pub fn all(&self) -> Occurrences {
        Occurrences {
            documents: self.source.documents + self.target.documents,
            occurrences: self.source.occurrences + self.target.occurrences,
        }
    }
}

impl Index {
    /// How often `word` occurs in the kept texts, in any case; zero if it is not exactly one word. Takes one step for each
    /// document with the word.
    pub fn term_statistics(&self, word: &str) -> Result<TermStatistics, IndexError> {
        let mut statistics = TermStatistics::default();
        let [(_, word)] = &words(word)[..] else { return Ok(statistics) };
        let index = self.words()?;
        let term = Term::from_field_text(index.fields.text, word);
        for segment in index.searcher().segment_readers() {
            let Some(mut found) = postings(segment, &term, IndexRecordOption::WithFreqs)? else { continue };
            let source = index.fields.side(KeptSide::Source);
            let mut source = postings(segment, &source, IndexRecordOption::Basic)?;
            while found.doc() != TERMINATED {
                let document = found.doc();
                let at = source
                    .as_mut()
                    .map(|source| if source.doc() < document { source.seek(document) } else { source.doc() });
                let side = if at == Some(document) { &mut statistics.source } else { &mut statistics.target };
                side.documents += 1;
                side.occurrences += u64::from(found.term_freq());
                found.advance();
            }
        }
        Ok(statistics)
    }

    /// Calls `visit` with every word of the kept texts, in the order of its bytes, and the number of documents with it.
    /// Takes one step for each word.
    pub fn vocabulary(&self, mut visit: impl FnMut(&str, u64)) -> Result<(), IndexError> {
        let index = self.words()?;
        let searcher = index.searcher();
        let readers = searcher.segment_readers().iter().map(|segment| segment.inverted_index(index.fields.text));
        let readers = readers.collect::<Result<Vec<_>, _>>().map_err(IndexError::read)?;
        let streams = readers.iter().map(|reader| reader.terms().stream());
        let mut merger = TermMerger::new(streams.collect::<Result<_, _>>().map_err(IndexError::read)?);
        while merger.advance() {
            let documents =
                merger.current_segment_ords_and_term_infos().map(|(_, term)| u64::from(term.doc_freq)).sum();
            if let Ok(word) = std::str::from_utf8(merger.key()) {
                visit(word, documents);
            }
        }
        Ok(())
    }
}

fn postings(
    segment: &SegmentReader,
    term: &Term,
    option: IndexRecordOption,
) -> Result<Option<SegmentPostings>, IndexError> {
    let inverted = segment.inverted_index(term.field()).map_err(IndexError::read)?;
    inverted.read_postings(term, option).map_err(IndexError::read)
}
