//! Sketches the documents of one side and hands over their rows.

use super::rows::{Place, Row, Side, table_number};
use crate::MatchingError;
use crate::capped::{TableKey, table_keys};
use crate::extracted::Extractor;
use crate::reading::{SkipListener, Visitor, visit_some};
use crate::repeats;
use crate::source::{Join, ReadOptions, sketch_all};
use dejaview_base::hash;
use dejaview_corpus::{Document, Input, SkipReason};

/// Bytes of rows that a thread collects before it hands them over.
const BATCH: usize = 256 << 10;

/// Takes the rows of all threads.
pub trait RowSink: Sync {
    /// Takes rows, each after its length; false where that fails, and the work ends.
    fn take(&self, rows: &[u8]) -> bool;
}

/// The documents to be sketched.
#[derive(Clone, Copy)]
pub struct SketchedSide<'a> {
    pub side: Side,
    pub inputs: &'a [Input],
    /// Numbers of the files that are read.
    pub chosen: &'a [usize],
    /// By id.
    pub wanted: &'a (dyn Fn(&str) -> bool + Sync),
    /// What makes a document of the target one of the source, which is not its pair.
    pub join: Join,
    /// Is told of each record that is not read.
    pub skips: &'a dyn SkipListener,
}

/// What was read.
#[derive(Debug, Default)]
pub struct Sketched {
    /// Hashes of the ids of the source; none of the target.
    pub ids: Vec<u64>,
    pub documents: u64,
}

/// Sketches the documents of a side. `options` say how; the files are those of the side.
pub fn sketch_side(
    options: ReadOptions<'_>,
    side: SketchedSide<'_>,
    sink: &dyn RowSink,
) -> Result<Sketched, MatchingError> {
    let make = || Sketcher::new(options, side, sink);
    let mut visited = visit_some(side.inputs, side.chosen, options.threads, options.progress, side.skips, make)?;
    visited.visitors.iter_mut().for_each(Sketcher::hand_over);
    let ids = visited.visitors.into_iter().flat_map(|sketcher| sketcher.ids).collect();
    Ok(Sketched { ids, documents: visited.documents })
}

/// One a thread.
struct Sketcher<'a> {
    options: ReadOptions<'a>,
    side: SketchedSide<'a>,
    sink: &'a dyn RowSink,
    extractor: Extractor,
    words: Vec<u64>,
    ends: Vec<usize>,
    keys: Vec<TableKey>,
    rows: Vec<u8>,
    ids: Vec<u64>,
}

impl<'a> Sketcher<'a> {
    fn new(options: ReadOptions<'a>, side: SketchedSide<'a>, sink: &'a dyn RowSink) -> Self {
        Self {
            options,
            side,
            sink,
            extractor: Extractor::new(options.content),
            words: Vec::new(),
            ends: Vec::new(),
            keys: Vec::new(),
            rows: Vec::new(),
            ids: Vec::new(),
        }
    }

    fn hand_over(&mut self) {
        if !self.sink.take(&self.rows) {
            self.options.progress.cancel();
        }
        self.rows.clear();
    }

    fn place(&self, document: &Document<'_>) -> Place {
        let content = match self.side.join {
            Join::ByContent => hash::digest_bits(document.body) as u64,
            Join::Itself => 0,
            Join::Apart => self.side.side as u64,
        };
        Place { id: repeats::id_hash(document.id), content }
    }

    /// Adds the rows of the sketches at hand.
    fn add_rows(&mut self, place: Place) {
        let mut start = 0;
        for (c, (&end, configuration)) in self.ends.iter().zip(self.options.configurations).enumerate() {
            let sketch = &self.words[start..end];
            start = end;
            if sketch.is_empty() {
                continue;
            }
            self.keys.clear();
            table_keys(&*configuration.method, sketch, &mut self.keys);
            for (table, key) in &self.keys {
                Row::write(table_number(c, *table), *key, sketch, self.side.side, place, &mut self.rows);
            }
        }
    }
}

impl Visitor for Sketcher<'_> {
    fn document(&mut self, _: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        if !(self.side.wanted)(document.id) {
            return Ok(());
        }
        let page = self.extractor.extract(document)?;
        self.words.clear();
        self.ends.clear();
        sketch_all(self.options.configurations, &page.prepared(), &mut self.words, &mut self.ends);
        self.extractor.release(document);
        let place = self.place(document);
        if self.side.side == Side::Source {
            self.ids.push(place.id);
        }
        self.add_rows(place);
        if self.rows.len() > BATCH {
            self.hand_over();
        }
        Ok(())
    }
}
