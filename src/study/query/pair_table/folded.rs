//! The rows of a table whose files hold pairs of groups: documents that are alike for every file are one class, and a row
//! is a pair of classes.
//!
//! Files group documents each in its own way: one of imported pairs not at all, and a document may stand in several
//! segments. Two documents are of one class when each file has them in one group, or neither of them.

use std::collections::{HashMap, HashSet};

use super::finders::{Finders, insert};
use super::merged::{Rows, merged};
use super::row::TableRow;
use dejaview_matching::groups::Groups;
use dejaview_matching::pairs::{Fold, Merger, PairFilter, PairsFile, Places};
use dejaview_matching::{DocumentNumber, GroupNumber};
use dejaview_methods::Side;

/// A file that a document is in, and its number there.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InFile {
    pub(super) file: u32,
    pub(super) document: DocumentNumber,
}

/// The documents of one side, numbered by id over all files. A class is a group of them.
#[derive(Debug, Default)]
pub(super) struct SideDocuments {
    /// For each file the number of each of its documents, ascending.
    places: Places,
    /// For each document a file that has it.
    origin: Vec<InFile>,
    /// For each document whether it stands on both sides.
    both: Vec<bool>,
    classes: Groups,
    /// Class of each document.
    class: Vec<GroupNumber>,
}

/// Document pairs of a table whose rows are pairs of classes.
#[derive(Debug, Default)]
pub(super) struct Folded {
    pub(super) fold: Fold,
    pub(super) sides: [SideDocuments; 2],
}

impl Folded {
    pub(super) fn side(&self, side: Side) -> &SideDocuments {
        &self.sides[side as usize]
    }

    /// The numbers that a source and a target document have in a file.
    pub(super) fn in_file(&self, file: u32, source: DocumentNumber, target: DocumentNumber) -> [DocumentNumber; 2] {
        [self.side(Side::Source).in_file(file, source), self.side(Side::Target).in_file(file, target)]
    }

    /// The documents of the classes of a pair.
    pub(super) fn class_members(&self, i: usize) -> [&[DocumentNumber]; 2] {
        let at = self.fold.at(i as u64);
        [self.side(Side::Source).class_members(at.source), self.side(Side::Target).class_members(at.target)]
    }
}

/// A class that no document is in.
const NONE: GroupNumber = GroupNumber::NONE;

impl SideDocuments {
    fn new(files: &[&PairsFile], places: Places, side: Side) -> Self {
        let count = places.iter().filter_map(|places| places.last()).max().map_or(0, |last| *last as usize + 1);
        let (mut origin, mut both, mut class) = (vec![InFile::default(); count], vec![false; count], vec![NONE; count]);
        let mut next = 0;
        for (number, (file, places)) in files.iter().zip(&places).enumerate() {
            for (document, &place) in DocumentNumber::all(places.len()).zip(places) {
                origin[place as usize] = InFile { file: number as u32, document };
                both[place as usize] |= file.both(side, document);
            }
            // Documents of one group that were of one class stay of one.
            let mut first = vec![(NONE, NONE); file.groups(side)];
            let mut others: HashMap<(GroupNumber, GroupNumber), GroupNumber> = HashMap::new();
            for (document, &place) in DocumentNumber::all(places.len()).zip(places) {
                let (group, class) = (file.group_of(side, document), &mut class[place as usize]);
                let (before, part) = &mut first[group.index()];
                let part = match *part {
                    NONE => {
                        *before = *class;
                        part
                    }
                    _ if *before == *class => part,
                    _ => others.entry((group, *class)).or_insert(NONE),
                };
                if *part == NONE {
                    *part = GroupNumber::at(next);
                    next += 1;
                }
                *class = *part;
            }
        }
        let (class, classes) = numbered(&class, next);
        Self { places, origin, both, classes, class }
    }

    /// How many documents there are.
    pub(super) fn len(&self) -> usize {
        self.origin.len()
    }

    /// For each file the class of each of its groups; none when a group has documents of several.
    fn class_of_groups(&self, files: &[&PairsFile], side: Side) -> Option<Vec<Vec<GroupNumber>>> {
        let mut all = Vec::with_capacity(files.len());
        for (file, places) in files.iter().zip(&self.places) {
            let mut of_group = vec![NONE; file.groups(side)];
            for (document, &place) in DocumentNumber::all(places.len()).zip(places) {
                let group = &mut of_group[file.group_of(side, document).index()];
                let class = self.class[place as usize];
                if *group != NONE && *group != class {
                    return None;
                }
                *group = class;
            }
            all.push(of_group);
        }
        Some(all)
    }

    /// Classes of the documents of each group of a file.
    fn classes_of(&self, number: usize, file: &PairsFile, side: Side) -> Vec<Vec<GroupNumber>> {
        let mut of_group = vec![Vec::new(); file.groups(side)];
        let places = &self.places[number];
        for (document, &place) in DocumentNumber::all(places.len()).zip(places) {
            of_group[file.group_of(side, document).index()].push(self.class[place as usize]);
        }
        for classes in &mut of_group {
            classes.sort_unstable();
            classes.dedup();
        }
        of_group
    }

    /// The number that a document has in a file.
    pub(super) fn in_file(&self, file: u32, document: DocumentNumber) -> DocumentNumber {
        let place = self.places[file as usize].binary_search_by(|place| (*place as usize).cmp(&document.index()));
        DocumentNumber::at(place.unwrap_or_default())
    }

    /// The document of an id.
    pub(super) fn find<'f>(&self, id: &str, name: impl Fn(InFile) -> &'f str) -> Option<DocumentNumber> {
        self.origin.binary_search_by(|origin| name(*origin).cmp(id)).ok().map(DocumentNumber::at)
    }

    /// A file that a document is in, and its number there.
    pub(super) fn origin(&self, document: DocumentNumber) -> InFile {
        self.origin[document.index()]
    }

    /// Whether a document stands on both sides.
    pub(super) fn is_both(&self, document: DocumentNumber) -> bool {
        self.both[document.index()]
    }

    /// Documents of the class of a document.
    pub(super) fn class_members(&self, document: DocumentNumber) -> &[DocumentNumber] {
        self.classes.members(self.class[document.index()])
    }
}

/// Classes numbered by their first members: the number of each, and the members.
fn numbered(class: &[GroupNumber], count: usize) -> (Vec<GroupNumber>, Groups) {
    let (mut number, mut next) = (vec![NONE; count], 0);
    let mut numbers = Vec::with_capacity(class.len());
    for class in class {
        let number = &mut number[class.index()];
        if *number == NONE {
            *number = GroupNumber::at(next);
            next += 1;
        }
        numbers.push(*number);
    }
    let classes = Groups::of_numbers(&numbers, next);
    (numbers, classes)
}

/// The rows of all files, in the order of the fold; `places` has the number of each file's configuration.
pub(super) fn folded(files: &[&PairsFile], places: &[usize], configurations: usize) -> (Rows, Folded) {
    let (sources, targets) = Merger::new(files).into_places();
    let mut sides =
        [SideDocuments::new(files, sources, Side::Source), SideDocuments::new(files, targets, Side::Target)];
    mark_shared(files, &mut sides);
    let whole = sides[0].class_of_groups(files, Side::Source).zip(sides[1].class_of_groups(files, Side::Target));
    let (mut rows, pairs) = match whole {
        Some((sources, targets)) => {
            let rows =
                merged(&Merger::of_rows(files, &sources, &targets, sides[0].classes.len()), places, configurations);
            let pair = |row: &TableRow| {
                let (source, target) = files[row.file as usize].row(row.row as usize);
                (sources[row.file as usize][source.index()], targets[row.file as usize][target.index()])
            };
            let pairs = rows.rows.iter().map(pair).collect();
            (rows, pairs)
        }
        None => split(files, &sides, places, configurations),
    };
    let counted = counted(files, &sides);
    let found = |row: usize, c: usize| rows.finders.has(rows.rows[row].finders, c);
    let counts = (0..configurations).map(|c| counts(files, &sides, &pairs, &counted, |row| found(row, c))).collect();
    let (fold, order) = Fold::new(&sides[0].classes, &sides[1].classes, &pairs, counted);
    rows.counts = counts;
    rows.rows = order.into_iter().map(|row| rows.rows[row as usize]).collect();
    (rows, Folded { fold, sides })
}

/// The same where a row of a file is several, since another file tells members of its groups apart.
fn split(
    files: &[&PairsFile],
    sides: &[SideDocuments; 2],
    places: &[usize],
    configurations: usize,
) -> (Rows, Vec<(GroupNumber, GroupNumber)>) {
    let mut all: Vec<(GroupNumber, GroupNumber, u32, u32)> = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let of_group = [Side::Source, Side::Target].map(|side| sides[side as usize].classes_of(number, file, side));
        for row in 0..file.rows() {
            let (source, target) = file.row(row);
            for &s in &of_group[0][source.index()] {
                let targets = of_group[1][target.index()].iter();
                all.extend(targets.map(|&t| (s, t, number as u32, row as u32)));
            }
        }
    }
    all.sort_unstable();
    let mut rows = Rows { rows: Vec::new(), finders: Finders::new(configurations), counts: Vec::new() };
    let mut pairs = Vec::new();
    for same in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let mut set = rows.finders.empty();
        same.iter().for_each(|(.., file, _)| insert(&mut set, places[*file as usize]));
        let (source, target, file, row) = same[0];
        rows.rows.push(TableRow { file, row, finders: rows.finders.number(&set) });
        pairs.push((source, target));
    }
    (rows, pairs)
}

/// Marks the documents of the source that a target says are its own. A segment without such documents does not tell of its
/// sources whether they stand in another one.
fn mark_shared(files: &[&PairsFile], [sources, targets]: &mut [SideDocuments; 2]) {
    let id = |side: Side, origin: InFile| files[origin.file as usize].id(side, origin.document);
    for (origin, _) in targets.origin.iter().zip(&targets.both).filter(|(_, both)| **both) {
        if let Some(source) = sources.find(id(Side::Target, *origin), |origin| id(Side::Source, origin)) {
            sources.both[source.index()] = true;
        }
    }
}

/// Which document pairs count: no document with itself, and two that stand on both sides once.
fn counted(files: &[&PairsFile], [sources, targets]: &[SideDocuments; 2]) -> PairFilter {
    if !files.iter().any(|file| file.joins_itself()) {
        return PairFilter::default();
    }
    let id = |side: Side, origin: InFile| files[origin.file as usize].id(side, origin.document);
    let behind =
        |name: &str| DocumentNumber::at(targets.origin.partition_point(|origin| id(Side::Target, *origin) <= name));
    let from = |(both, origin): (&bool, &InFile)| match both {
        true => behind(id(Side::Source, *origin)),
        false => DocumentNumber::default(),
    };
    PairFilter { from: sources.both.iter().zip(&sources.origin).map(from).collect(), both: targets.both.clone() }
}

/// Document pairs of the rows of a configuration, and different documents of the source among them.
fn counts(
    files: &[&PairsFile],
    sides: &[SideDocuments; 2],
    rows: &[(GroupNumber, GroupNumber)],
    counted: &PairFilter,
    found: impl Fn(usize) -> bool,
) -> (u64, u64) {
    let id = |side: Side, document: DocumentNumber| {
        let InFile { file, document } = sides[side as usize].origin(document);
        files[file as usize].id(side, document)
    };
    let (mut pairs, mut sources, mut on_both_sides) = (0, vec![false; sides[0].origin.len()], HashSet::new());
    for (_, &(s, t)) in rows.iter().enumerate().filter(|(row, _)| found(*row)) {
        let (members, targets) = (sides[0].classes.members(s), sides[1].classes.members(t));
        pairs += counted.pairs(members, targets);
        for source in members.iter().filter(|source| counted.any(**source, targets)) {
            sources[source.index()] = true;
        }
        let partners: Vec<DocumentNumber> =
            members.iter().copied().filter(|source| sides[0].is_both(*source)).collect();
        let both = targets.iter().filter(|target| counted.is_both(**target) && counted.any_of(&partners, **target));
        on_both_sides.extend(both.map(|target| id(Side::Target, *target)));
    }
    for (place, source) in sources.iter().enumerate().filter(|(place, _)| sides[0].both[*place]) {
        if *source {
            on_both_sides.insert(id(Side::Source, DocumentNumber::at(place)));
        }
    }
    let alone = sources.iter().zip(&sides[0].both).filter(|(source, both)| **source && !**both).count();
    (pairs, (alone + on_both_sides.len()) as u64)
}
