//! The sketches of all documents, and the lookup of each configuration.

use std::collections::HashSet;

use super::SourceDocument;
use crate::capped::TableKey;
use crate::keys::Keys;
use crate::tables::Tables;
use crate::{Configuration, GroupNumber};
use dejaview_base::bytes::{ByteReader, ByteWriter};
use dejaview_base::timing::{Stage, Timings};
use dejaview_methods::{Method, Prepared, Shape};
use dejaview_text::Tokens;

/// The sketches of one configuration, by shape.
#[derive(Debug)]
pub(super) enum Lookup {
    Tables(Tables),
    Keys(Keys),
    /// Nothing is looked up: pairs of others are decided on.
    Others,
}

impl Lookup {
    pub(super) fn new(method: &dyn Method, sketches: &[(GroupNumber, &[u64])], capped: HashSet<TableKey>) -> Self {
        match method.shape() {
            Shape::Fingerprint(layout) => Self::Tables(Tables::with_capped(layout, sketches, capped)),
            Shape::Keys => Self::Keys(Keys::with_capped(method, sketches, &capped)),
            Shape::Others => Self::Others,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Tables(tables) => tables.bytes(),
            Self::Keys(keys) => keys.bytes(),
            Self::Others => 0,
        }
    }
}

/// Appends the sketches of all configurations to `words` and the end of each to `ends`; one without a sketch, or that looks
/// nothing up, ends where it begins.
pub(crate) fn sketch_all(
    configurations: &[Configuration],
    document: &Prepared<'_>,
    words: &mut Vec<u64>,
    ends: &mut Vec<usize>,
) {
    let is_long = document.tokens().len() > LONG;
    for configuration in configurations {
        match &configuration.method {
            _ if decides_on_others(configuration) => {}
            method if is_long => sketch_long(&**method, document, words),
            method => _ = method.sketch(document, words),
        }
        ends.push(words.len());
    }
}

/// Sketches a long document. Memory for all sketches grows by what each needs, and not to twice that.
fn sketch_long(method: &dyn Method, document: &Prepared<'_>, words: &mut Vec<u64>) {
    let mut sketch = Vec::new();
    method.sketch(&Prepared::new(document.text(), document.tokens()), &mut sketch);
    words.reserve_exact(sketch.len());
    words.append(&mut sketch);
}

/// Whether a configuration looks nothing up and decides on the pairs of others.
pub(crate) fn decides_on_others(configuration: &Configuration) -> bool {
    matches!(configuration.method.shape(), Shape::Others)
}

/// Words of a document for which configurations no longer share what each of them prepares: that takes longer, and the memory
/// is that of one configuration.
const LONG: usize = 250_000;

/// Sketches of a stretch of documents, of all configurations one after another for each document.
#[derive(Debug, Default)]
pub(super) struct Sketched {
    words: Vec<u64>,
    ends: Vec<usize>,
    tokens: Tokens,
    pub(super) timings: Timings,
}

impl Sketched {
    /// Adds the sketches of the next document.
    pub(super) fn add(&mut self, document: &SourceDocument, configurations: &[Configuration]) {
        let Self { words, ends, tokens, timings } = self;
        let text = timings.time(Stage::Tokens, || {
            let text = document.text();
            tokens.read(&text);
            text
        });
        timings.time(Stage::Sketch, || {
            sketch_all(configurations, &Prepared::new(&text, tokens), words, ends);
        });
    }

    /// Sketches of configuration `c` of `all`, one a document.
    pub(super) fn sketches(&self, c: usize, all: usize) -> impl Iterator<Item = Option<&[u64]>> {
        let places = (c..self.ends.len()).step_by(all.max(1));
        places.map(|at| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            (start < self.ends[at]).then(|| &self.words[start..self.ends[at]])
        })
    }
}

/// The sketches of all groups of a source, in their order.
#[derive(Debug, Default)]
pub struct Sketches {
    /// One for each stretch of the groups.
    pub(super) parts: Vec<Sketched>,
}

impl Sketches {
    /// Those of configuration `c` of `all`, one a group.
    pub(super) fn of(&self, c: usize, all: usize) -> impl Iterator<Item = Option<&[u64]>> {
        self.parts.iter().flat_map(move |part| part.sketches(c, all))
    }

    /// Appends all sketches, to be read by [`Sketches::read`]. How they were spread over threads does not matter.
    pub fn write(&self, out: &mut ByteWriter) {
        let ends = || {
            self.parts
                .iter()
                .flat_map(|part| part.ends.iter().scan(0, |before, end| Some(end - std::mem::replace(before, *end))))
        };
        out.size(ends().count());
        ends().for_each(|length| out.size(length));
        out.size(self.parts.iter().map(|part| part.words.len()).sum());
        self.parts.iter().flat_map(|part| &part.words).for_each(|word| out.fixed(word.to_le_bytes()));
    }

    /// Reads the sketches of so many configurations and groups; none when there are others.
    pub fn read(input: &mut ByteReader<'_>, configurations: usize, groups: usize) -> Option<Self> {
        let mut end = 0usize;
        let ends = input.list(|input| {
            end = end.checked_add(input.size()?)?;
            Some(end)
        })?;
        let words = input.list(|input| Some(u64::from_le_bytes(input.fixed()?)))?;
        let fits = Some(ends.len()) == configurations.checked_mul(groups) && words.len() == end;
        fits.then(|| Self { parts: vec![Sketched { words, ends, ..Sketched::default() }] })
    }
}
