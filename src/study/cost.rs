//! What a run is expected to cost, from a look at the first pages of each side.

use std::time::Instant;

use serde::Serialize;

use super::StudyError;
use super::corpora::Corpora;
use super::run::Plan;
use super::session::Session;
use crate::corpus::{Batches, Input, Item, Scratch};
use crate::matching::source::SETS_BYTES;
use crate::matching::{Configuration, Prepare};
use crate::methods::{Shape, Statistics};

/// Bytes on disk that tell enough of a side.
const ENOUGH: u64 = 4 << 20;

/// Expected cost of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Cost {
    /// Bytes of the source on disk.
    pub source_bytes: u64,
    /// Bytes of the segments that are left.
    pub target_bytes: u64,
    /// Bytes that are read once before, to fit methods; 0 when they are fitted, or to the source alone.
    pub fitting_bytes: u64,
    /// Documents of the source that take part.
    pub source_documents: u64,
    /// Bytes that the source will hold in memory at most.
    pub memory: u64,
    /// Wall time.
    pub seconds: f64,
    /// Lookup tables of each configuration that has fingerprints.
    pub tables: Vec<TableCost>,
}

/// Lookup tables of one configuration.
#[derive(Debug, Clone, Serialize)]
pub struct TableCost {
    /// Its name.
    pub configuration: String,
    /// How many.
    pub tables: usize,
    /// Width of the narrowest key.
    pub key_bits: u32,
    /// Candidates that a probe meets if fingerprints were uniform: 2^(l−l′) a table.
    pub candidates: f64,
}

/// What the first pages of a side tell.
#[derive(Debug, Default)]
struct Look {
    bytes: u64,
    documents: u64,
    words: u64,
    seconds: f64,
    /// Those that reading took, without sketches.
    reading: f64,
}

impl Session {
    /// Looks at the first pages of each side and extrapolates.
    pub fn cost(&self, plan: &Plan, threads: usize) -> Result<Cost, StudyError> {
        // What a sketch costs does not depend on what the method knows.
        let configurations = self.fitted(&Statistics::default())?;
        let left: Vec<Input> = plan
            .corpora
            .segments
            .iter()
            .filter(|segment| !plan.finished.contains(&segment.name))
            .flat_map(|segment| segment.inputs.clone())
            .collect();
        // With every segment finished not even the source is read again.
        let source = look(plan.corpora.source.first().filter(|_| !left.is_empty()), &configurations)?;
        let target = look(left.first(), &configurations)?;
        let source_bytes = Corpora::bytes(&plan.corpora.source);
        let target_bytes = Corpora::bytes(&left);
        let fitting_bytes = match self.read_statistics(&plan.digest) {
            None if !left.is_empty() && self.needs_fitting() => Corpora::bytes(&self.read_to_fit(plan)?),
            _ => 0,
        };
        let there = source.times(source_bytes, source.documents as f64) as u64;
        let documents = plan.judged.map_or(there, |judged| there.min(judged as u64));
        let words = source.words.checked_div(source.documents).unwrap_or(0);
        let sets = 44 * documents * words;
        let work = source.times(source_bytes, source.seconds)
            + target.times(target_bytes, target.seconds)
            + target.times(fitting_bytes, target.reading);
        Ok(Cost {
            source_bytes,
            target_bytes,
            fitting_bytes,
            source_documents: documents,
            memory: documents * (2 * words + 400 + 60 * configurations.len() as u64) + sets.min(SETS_BYTES as u64),
            seconds: work / threads.max(1) as f64,
            tables: configurations.iter().filter_map(|c| tables(c, documents)).collect(),
        })
    }
}

impl Look {
    /// What `value` of the part looked at is for all `bytes`.
    fn times(&self, bytes: u64, value: f64) -> f64 {
        if self.bytes == 0 { 0.0 } else { value * bytes as f64 / self.bytes as f64 }
    }
}

fn look(input: Option<&Input>, configurations: &[Configuration]) -> Result<Look, StudyError> {
    let Some(input) = input else { return Ok(Look::default()) };
    let mut batches = Batches::open(input)?;
    let (mut scratch, mut prepare, mut look) = (Scratch::default(), Prepare::default(), Look::default());
    let start = Instant::now();
    let (mut sketch, mut sketching) = (Vec::new(), 0.0);
    while look.bytes < ENOUGH
        && let Some(batch) = batches.next()
    {
        look.bytes += batch.disk_bytes();
        batch.read(&mut scratch, &mut |item| {
            if let Item::Document(document) = item {
                let page = prepare.page(&document);
                let prepared = page.prepared();
                look.documents += 1;
                look.words += page.tokens.len() as u64;
                sketch.clear();
                let before = Instant::now();
                for configuration in configurations {
                    configuration.method.sketch(&prepared, &mut sketch);
                }
                sketching += before.elapsed().as_secs_f64();
            }
        });
    }
    look.seconds = start.elapsed().as_secs_f64();
    look.reading = look.seconds - sketching;
    Ok(look)
}

fn tables(configuration: &Configuration, documents: u64) -> Option<TableCost> {
    let Shape::Fingerprint(layout) = configuration.method.shape() else { return None };
    Some(TableCost {
        configuration: configuration.name.clone(),
        tables: layout.tables().len(),
        key_bits: layout.tables().iter().map(|table| table.key_bits()).min().unwrap_or(0),
        candidates: layout.expected_candidates(documents),
    })
}
