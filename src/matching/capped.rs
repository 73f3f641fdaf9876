//! Which keys are shared by so many different sketches that they say nothing?
//!
//! One rule for all ways to join two sides: a key is capped when more than so many *different* sketches of the source have
//! it. Documents whose sketches differ are not found by a capped key; those with the same sketch are, however many they are.
//! So copies of one page are never capped, and a key costs each document of the target no more comparisons than the limit.
//! The rule asks the source alone: each way to join knows all of it before it sees a target.

use std::collections::{HashMap, HashSet};

use super::Configuration;
use dejaview_base::bytes::{ByteReader, ByteWriter};
use dejaview_methods::{Method, Shape};

/// Different sketches of the source that may share a key, unless a study says otherwise.
pub const MOST_SKETCHES: u64 = 1 << 16;

/// A key of one of the tables of a configuration; methods without tables have one, number 0.
pub type TableKey = (u32, u64);

/// A key that too many different sketches share.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CappedKey {
    /// Number of the configuration.
    pub configuration: usize,
    pub table: u32,
    pub key: u64,
    /// Different sketches of the source with this key.
    pub sketches: u64,
}

/// The rule.
pub fn is_capped(sketches: u64, most: u64) -> bool {
    sketches > most
}

/// Appends the keys of a sketch, each once, with their tables.
pub fn table_keys(method: &dyn Method, sketch: &[u64], out: &mut Vec<TableKey>) {
    match method.shape() {
        Shape::Fingerprint(layout) => out.extend((0..).zip(layout.tables()).map(|(i, table)| (i, table.key(sketch)))),
        Shape::Keys => {
            let mut keys = Vec::new();
            method.keys(sketch, &mut keys);
            keys.sort_unstable();
            keys.dedup();
            out.extend(keys.into_iter().map(|key| (0, key)));
        }
        Shape::Others => {}
    }
}

/// The capped keys of a configuration, given the sketches of the source.
pub fn capped_keys(number: usize, method: &dyn Method, mut sketches: Vec<&[u64]>, most: u64) -> Vec<CappedKey> {
    if !is_capped(sketches.len() as u64, most) {
        return Vec::new();
    }
    sketches.sort_unstable();
    sketches.dedup();
    let mut counts: HashMap<TableKey, u64> = HashMap::new();
    let mut keys = Vec::new();
    for sketch in sketches {
        keys.clear();
        table_keys(method, sketch, &mut keys);
        keys.iter().for_each(|key| *counts.entry(*key).or_default() += 1);
    }
    let capped = counts.into_iter().filter(|(_, sketches)| is_capped(*sketches, most));
    let mut capped: Vec<CappedKey> =
        capped.map(|((table, key), sketches)| CappedKey { configuration: number, table, key, sketches }).collect();
    capped.sort_unstable();
    capped
}

/// Those of one configuration.
pub fn of_configuration(capped: &[CappedKey], number: usize) -> HashSet<TableKey> {
    capped.iter().filter(|capped| capped.configuration == number).map(|capped| (capped.table, capped.key)).collect()
}

/// Appends capped keys, to be read by [`read_capped`].
pub fn write_capped(capped: &[CappedKey], out: &mut ByteWriter) {
    out.size(capped.len());
    for key in capped {
        out.size(key.configuration);
        out.number(u64::from(key.table));
        out.number(key.key);
        out.number(key.sketches);
    }
}

/// Reads capped keys of so many configurations.
pub fn read_capped(input: &mut ByteReader<'_>, configurations: &[Configuration]) -> Option<Vec<CappedKey>> {
    input.list(|input| {
        let configuration = input.number_below(configurations.len())?;
        let table = u32::try_from(input.number()?).ok()?;
        Some(CappedKey { configuration, table, key: input.number()?, sketches: input.number()? })
    })
}
