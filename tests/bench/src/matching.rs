//! Shared by the benches: configurations, and matching without keeping texts.

use anyhow::{Context, Result, anyhow};
use dejaview::base::progress::Progress;
use dejaview::corpus::{Document, Input, SkipReason};
use dejaview::matching::import::NamedPairs;
use dejaview::matching::pass::{Segment, pass};
use dejaview::matching::reading::{Unlisted, Visitor, visit};
use dejaview::matching::source::{ReadOptions, SeenDocument, Sides, Source};
use dejaview::matching::{Configuration, Content, Extractor};
use dejaview::methods::Values;
use dejaview::methods::catalogue;
use dejaview::methods::parameters::Value;
use dejaview::methods::{Method, Statistics};

/// Lengths of the n-grams of the five SimHash configurations of the standard set.
pub const STANDARD: [&[usize]; 5] = [&[2], &[3], &[5], &[2, 3], &[3, 5]];

/// SimHash of 64 bits.
pub fn simhash(lengths: &[u64], distance: u64) -> Result<Box<dyn Method>> {
    let algorithm = catalogue::find("simhash").context("there is no simhash")?;
    let mut values = Values::new(algorithm);
    values.set("ngrams", Value::Wholes(lengths.to_vec())).map_err(|e| anyhow!("{e}"))?;
    values.set("distance", Value::Whole(distance)).map_err(|e| anyhow!("{e}"))?;
    values.fit(&Statistics::default()).map_err(|e| anyhow!("{e}"))
}

/// The standard configurations.
pub fn standard() -> Result<Vec<Configuration>> {
    STANDARD
        .iter()
        .map(|lengths| {
            let lengths: Vec<u64> = lengths.iter().map(|&n| n as u64).collect();
            Ok(Configuration { name: format!("{lengths:?}"), method: simhash(&lengths, 3)? })
        })
        .collect()
}

/// Source and one segment, in memory: no spool, no index, no files of pairs.
pub fn matched(
    source: &[Input],
    target: &[Input],
    configurations: &[Configuration],
    threads: usize,
) -> Result<(Source, Segment)> {
    let progress = Progress::default();
    let order = ReadOptions {
        inputs: source,
        content: &Content::All,
        configurations,
        threads,
        progress: &progress,
        keep: &|_: &SeenDocument<'_>| {},
        keep_all: false,
        sides: &Sides::default(),
        skips: &Unlisted,
        elsewhere: &|_| false,
    };
    let mut source = Source::read(order, &|_| true)?;
    source.index(configurations, threads)?;
    let segment = pass(ReadOptions { inputs: target, ..order }, &source, &NamedPairs::default())?;
    Ok((source, segment))
}

/// Makes the page of every document and nothing else.
#[derive(Default)]
struct Limit {
    extractor: Extractor,
    tokens: usize,
}

impl Visitor for Limit {
    fn document(&mut self, _: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        self.tokens += self.extractor.extract(document)?.tokens.len();
        Ok(())
    }
}

/// The limit: inflate, decode, extract and tokenise once. Documents and tokens.
pub fn limit(inputs: &[Input], threads: usize) -> (u64, usize) {
    let visited =
        visit(inputs, threads, &Progress::default(), &Unlisted, Limit::default).expect("the corpus can be read");
    (visited.documents, visited.visitors.iter().map(|visitor| visitor.tokens).sum())
}
