//! Writes one file of pairs: whole, under a temporary name, then renamed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::columns::Columns;
use super::{FoundPair, Target, url_key};
use crate::groups::Groups;
use crate::import::Imported;
use crate::source::SourceDocument;
use crate::{DocumentNumber, GroupNumber, MatchingError};
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
    let source = |number: DocumentNumber| {
        let document = &sources[number.index()];
        let both = rows.in_target.get(number.index()).copied().unwrap_or_default();
        Side { id: &document.id, profile: document.profile(), both }
    };
    let target = |number: DocumentNumber| {
        let Target { id, profile, same_source, .. } = &targets[number.index()];
        Side { id, profile: *profile, both: same_source.is_some() }
    };
    let url = |side: usize, number: DocumentNumber| match side {
        0 => url_key(&sources[number.index()].url),
        _ => targets[number.index()].url,
    };
    put(path, &rows.encode(source, target, url))
}

/// Writes pairs of documents of which only the ids are known; ids ascend.
pub fn write_ids(path: &Path, sources: &[&str], targets: &[&str], rows: PairRows<'_>) -> Result<(), MatchingError> {
    let side = |id| Side { id, profile: Profile::default(), both: false };
    let source = |number: DocumentNumber| side(sources[number.index()]);
    let target = |number: DocumentNumber| side(targets[number.index()]);
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
    pub found: FoundRows<'a>,
    /// Which: (number in `found`, distance), ascending.
    pub hits: &'a [(u32, u16)],
    /// What their files say, one a hit; empty for pairs that a detector found.
    pub imported: &'a [Imported],
    /// For each source document whether it stands in the target; empty when none does.
    pub in_target: &'a [bool],
}

/// What the pairs are of.
#[derive(Debug, Clone, Copy)]
pub enum FoundRows<'a> {
    Documents(&'a [FoundPair<DocumentNumber>]),
    /// Of these groups of source and target documents.
    Groups(&'a [FoundPair<GroupNumber>], [&'a Groups; 2]),
}

impl<'a> PairRows<'a> {
    /// Pairs of documents that a configuration found.
    pub fn found(found: &'a [FoundPair<DocumentNumber>], hits: &'a [(u32, u16)]) -> Self {
        Self { found: FoundRows::Documents(found), hits, imported: &[], in_target: &[] }
    }
}

/// The documents of one side in a file, and what its rows are of: documents or groups.
struct Written<N> {
    /// Numbers of the documents, ascending.
    documents: Vec<DocumentNumber>,
    /// Numbers that rows name, ascending.
    named: Vec<N>,
    /// The groups by the places of their members in the file; empty where rows name documents.
    members: Groups,
}

impl Written<DocumentNumber> {
    fn of_documents(rows: impl Iterator<Item = DocumentNumber>) -> Self {
        let documents = used(rows);
        Self { named: documents.clone(), documents, members: Groups::default() }
    }
}

impl Written<GroupNumber> {
    fn of_groups(rows: impl Iterator<Item = GroupNumber>, groups: &Groups) -> Self {
        let named = used(rows);
        let documents = used(named.iter().flat_map(|group| groups.members(*group)).copied());
        let mut members = Groups::default();
        for group in &named {
            let places = groups.members(*group).iter().map(|member| place(&documents, *member));
            members.push(places.map(DocumentNumber::at));
        }
        Self { documents, named, members }
    }
}

impl<N> Written<N> {
    /// Whether a group has more than one member.
    fn folded(&self) -> bool {
        self.members.len() < self.documents.len() && !self.members.is_empty()
    }
}

/// The place of a number among those that are used.
fn place<N: Ord>(used: &[N], number: N) -> usize {
    used.binary_search(&number).unwrap_or_default()
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
        source: impl Fn(DocumentNumber) -> Side<'d>,
        target: impl Fn(DocumentNumber) -> Side<'d>,
        url: impl Fn(usize, DocumentNumber) -> u64,
    ) -> Vec<u8> {
        match self.found {
            FoundRows::Documents(found) => {
                let rows = self.hit(found);
                let sources = Written::of_documents(rows.iter().map(|(pair, _)| pair.source));
                let targets = Written::of_documents(rows.iter().map(|(pair, _)| pair.target));
                self.encode_rows(&rows, [sources, targets], source, target, url)
            }
            FoundRows::Groups(found, groups) => {
                let rows = self.hit(found);
                let sources = Written::of_groups(rows.iter().map(|(pair, _)| pair.source), groups[0]);
                let targets = Written::of_groups(rows.iter().map(|(pair, _)| pair.target), groups[1]);
                self.encode_rows(&rows, [sources, targets], source, target, url)
            }
        }
    }

    /// The pairs that are written, with their distances.
    fn hit<'f, N>(&self, found: &'f [FoundPair<N>]) -> Vec<(&'f FoundPair<N>, u16)> {
        self.hits.iter().map(|&(i, distance)| (&found[i as usize], distance)).collect()
    }

    fn encode_rows<'d, N: Copy + Ord>(
        &self,
        rows: &[(&FoundPair<N>, u16)],
        sides: [Written<N>; 2],
        source: impl Fn(DocumentNumber) -> Side<'d>,
        target: impl Fn(DocumentNumber) -> Side<'d>,
        url: impl Fn(usize, DocumentNumber) -> u64,
    ) -> Vec<u8> {
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
        numbers(&mut columns, rows, [&sides[0].named, &sides[1].named]);
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
fn numbers<N: Copy + Ord>(columns: &mut Columns, rows: &[(&FoundPair<N>, u16)], used: [&[N]; 2]) {
    columns.column(rows.iter().map(|(pair, _)| (place(used[0], pair.source) as u32).to_le_bytes()));
    columns.column(rows.iter().map(|(pair, _)| (place(used[1], pair.target) as u32).to_le_bytes()));
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

fn used<N: Ord>(numbers: impl Iterator<Item = N>) -> Vec<N> {
    let mut used: Vec<N> = numbers.collect();
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
