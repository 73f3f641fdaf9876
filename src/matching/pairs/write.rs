//! Writes one file of pairs: whole, under a temporary name, then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::columns::Columns;
use super::{FoundPair, Target, url_key};
use crate::MatchingError;
use crate::groups::Groups;
use crate::import::Imported;
use crate::source::SourceDocument;
use dejaview_methods::measures::{LENGTHS, Profile};

pub(super) const MAGIC: &[u8; 8] = b"dejaview";
/// Raised whenever the columns change.
pub(super) const VERSION: u32 = 2;
pub(super) const HEADER: usize = 8 + 4 + 4 + 4 + 8 + 4;
/// Whether the two columns of imported pairs follow.
pub(super) const IMPORTED: u32 = 1;
/// Whether two columns tell which documents stand on both sides.
pub(super) const BOTH: u32 = 2;
/// Whether rows are pairs of groups, whose columns follow.
pub(super) const GROUPS: u32 = 4;

/// Writes the pairs of one configuration and segment, synced and renamed into place, so that a file of this name is
/// always whole.
pub fn write(
    path: &Path,
    sources: &[SourceDocument],
    targets: &[Target],
    rows: PairRows<'_>,
) -> Result<(), MatchingError> {
    let stands = |i: u32| rows.standing.get(i as usize).copied().unwrap_or_default();
    let source = |i: u32| Side { id: &sources[i as usize].id, profile: sources[i as usize].profile(), both: stands(i) };
    let target = |i: u32| {
        let Target { id, profile, twin, .. } = &targets[i as usize];
        Side { id, profile: *profile, both: twin.is_some() }
    };
    let url = |side: usize, i: u32| match side {
        0 => url_key(&sources[i as usize].url),
        _ => targets[i as usize].url,
    };
    put(path, &rows.encode(source, target, url))
}

/// Writes pairs of documents of which only the ids are known; ids ascend.
pub fn write_ids(path: &Path, sources: &[&str], targets: &[&str], rows: PairRows<'_>) -> Result<(), MatchingError> {
    let side = |id| Side { id, profile: Profile::default(), both: false };
    let source = |i: u32| side(sources[i as usize]);
    let target = |i: u32| side(targets[i as usize]);
    put(path, &rows.encode(source, target, |_, _| 0))
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), MatchingError> {
    let temporary = path.with_extension("part");
    let failed = |why| MatchingError::File { doing: "writing", path: path.to_owned(), why };
    let put = || -> io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    put().map_err(failed)
}

/// Pairs as they are written.
#[derive(Debug, Clone, Copy)]
pub struct PairRows<'a> {
    /// All pairs, of which some are written.
    pub found: &'a [FoundPair],
    /// Which: (number in `found`, distance), ascending.
    pub hits: &'a [(u32, u16)],
    /// What their files say, one a hit; empty for pairs that a detector found.
    pub imported: &'a [Imported],
    /// For each source document whether it stands in the target; empty when none does.
    pub standing: &'a [bool],
    /// Groups of source and target documents that pairs are of; none when they are of documents.
    pub groups: Option<[&'a Groups; 2]>,
}

impl<'a> PairRows<'a> {
    /// Pairs of documents that a configuration found.
    pub fn found(found: &'a [FoundPair], hits: &'a [(u32, u16)]) -> Self {
        Self { found, hits, imported: &[], standing: &[], groups: None }
    }
}

/// The documents of one side in a file, and the groups that its rows name.
struct Written {
    /// Numbers of the documents, ascending.
    documents: Vec<u32>,
    /// Numbers of the groups, ascending.
    groups: Vec<u32>,
    /// The same by the places of their members in the file.
    members: Groups,
}

impl Written {
    fn new(rows: impl Iterator<Item = u32>, groups: Option<&Groups>) -> Self {
        let numbers = used(rows);
        let Some(groups) = groups else {
            return Self { documents: numbers.clone(), groups: numbers, members: Groups::default() };
        };
        let documents = used(numbers.iter().flat_map(|group| groups.members(*group)).copied());
        let mut members = Groups::default();
        for group in &numbers {
            members.push(groups.members(*group).iter().map(|member| place(&documents, *member)));
        }
        Self { documents, groups: numbers, members }
    }

    /// Whether a group has more than one member.
    fn folded(&self) -> bool {
        self.members.len() < self.documents.len() && !self.members.is_empty()
    }
}

fn place(used: &[u32], number: u32) -> u32 {
    used.binary_search(&number).unwrap_or_default() as u32
}

/// What is written of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'d> {
    pub(super) id: &'d str,
    pub(super) profile: Profile,
    pub(super) both: bool,
}

impl PairRows<'_> {
    pub(super) fn encode<'d>(
        &self,
        source: impl Fn(u32) -> Side<'d>,
        target: impl Fn(u32) -> Side<'d>,
        url: impl Fn(usize, u32) -> u64,
    ) -> Vec<u8> {
        let rows: Vec<(&FoundPair, u16)> = self.hits.iter().map(|&(i, d)| (&self.found[i as usize], d)).collect();
        let sides = [
            Written::new(rows.iter().map(|(pair, _)| pair.source), self.groups.map(|groups| groups[0])),
            Written::new(rows.iter().map(|(pair, _)| pair.target), self.groups.map(|groups| groups[1])),
        ];
        let (used_sources, used_targets) = (&sides[0].documents, &sides[1].documents);
        let folded = sides.iter().any(Written::folded);
        let both = [
            used_sources.iter().map(|&i| source(i).both).collect::<Vec<bool>>(),
            used_targets.iter().map(|&i| target(i).both).collect::<Vec<bool>>(),
        ];
        let any = both.iter().flatten().any(|both| *both);
        let flags = if self.imported.is_empty() { 0 } else { IMPORTED } | if any { BOTH } else { 0 };
        let flags = flags | if folded { GROUPS } else { 0 };
        let mut columns = Columns::default();
        columns.bytes.extend_from_slice(MAGIC);
        columns.bytes.extend_from_slice(&VERSION.to_le_bytes());
        columns.bytes.extend_from_slice(&(used_sources.len() as u32).to_le_bytes());
        columns.bytes.extend_from_slice(&(used_targets.len() as u32).to_le_bytes());
        columns.bytes.extend_from_slice(&(rows.len() as u64).to_le_bytes());
        columns.bytes.extend_from_slice(&flags.to_le_bytes());
        documents(&mut columns, used_sources.iter().map(|&i| source(i)));
        documents(&mut columns, used_targets.iter().map(|&i| target(i)));
        numbers(&mut columns, &rows, [&sides[0].groups, &sides[1].groups]);
        // Not a number stands for no score.
        columns.column(self.imported.iter().map(|row| row.score.unwrap_or(f64::NAN).to_bits().to_le_bytes()));
        columns.column(self.imported.iter().map(|row| row.rank.to_le_bytes()));
        if any {
            columns.column(both.iter().flatten().map(|both| [u8::from(*both)]));
        }
        if folded {
            sides.iter().for_each(|side| grouped(&mut columns, &side.members));
            for (i, side) in sides.iter().enumerate() {
                columns.column(side.documents.iter().map(|document| url(i, *document).to_le_bytes()));
            }
        }
        let checksum = xxh3_64(&columns.bytes);
        columns.bytes.extend_from_slice(&checksum.to_le_bytes());
        columns.bytes
    }
}

/// The columns that every pair has.
fn numbers(columns: &mut Columns, rows: &[(&FoundPair, u16)], used: [&[u32]; 2]) {
    columns.column(rows.iter().map(|(pair, _)| place(used[0], pair.source).to_le_bytes()));
    columns.column(rows.iter().map(|(pair, _)| place(used[1], pair.target).to_le_bytes()));
    columns.column(rows.iter().map(|(_, distance)| distance.to_le_bytes()));
    columns.column(rows.iter().map(|(pair, _)| [u8::from(pair.same_url)]));
    for i in 0..LENGTHS.len() {
        columns.column(rows.iter().map(|(pair, _)| pair.common.grams[i].to_le_bytes()));
    }
    columns.column(rows.iter().map(|(pair, _)| pair.common.spaced.to_le_bytes()));
    columns.column(rows.iter().map(|(pair, _)| pair.common.dot.to_le_bytes()));
}

/// How many groups there are, the sizes of each, and their members.
fn grouped(columns: &mut Columns, groups: &Groups) {
    columns.column([(groups.len() as u32).to_le_bytes()].into_iter());
    columns.column(groups.iter().map(|members| (members.len() as u32).to_le_bytes()));
    columns.column(groups.iter().flatten().map(|member| member.to_le_bytes()));
}

fn used(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut used: Vec<u32> = numbers.collect();
    used.sort_unstable();
    used.dedup();
    used
}

fn documents<'a>(columns: &mut Columns, documents: impl Iterator<Item = Side<'a>> + Clone) {
    columns.strings(documents.clone().map(|document| document.id));
    let documents = documents.map(|document| document.profile);
    columns.column(documents.clone().map(|p| p.words.to_le_bytes()));
    for i in 0..LENGTHS.len() {
        columns.column(documents.clone().map(|p| p.sizes[i].to_le_bytes()));
    }
    columns.column(documents.clone().map(|p| p.spaced.to_le_bytes()));
    columns.column(documents.map(|p| p.norm.to_le_bytes()));
}
