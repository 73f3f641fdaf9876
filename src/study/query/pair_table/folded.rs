//! The rows of a table whose files hold pairs of groups: documents that are alike for every file are one class, and a row
//! is a pair of classes.
//!
//! Files group documents each in its own way: one of imported pairs not at all, and a document may stand in several
//! segments. Two documents are of one class when each file has them in one group, or neither of them.

use std::collections::{HashMap, HashSet};

use super::finders::{Finders, insert};
use super::merged::{Rows, merged};
use super::row::Row;
use dejaview_matching::groups::Groups;
use dejaview_matching::pairs::{Fold, Merger, PairFilter, PairsFile, Places};

/// The documents of one side, numbered by id over all files.
#[derive(Debug, Default)]
pub(super) struct Side {
    /// For each file the place of each of its documents, ascending.
    places: Places,
    /// For each place a file and the number of the document there.
    who: Vec<(u32, u32)>,
    /// For each place whether the document stands on both sides.
    both: Vec<bool>,
    classes: Groups,
    /// Class of each place.
    class: Vec<u32>,
}

/// Document pairs of a table whose rows are pairs of classes.
#[derive(Debug, Default)]
pub(super) struct Folded {
    pub(super) fold: Fold,
    pub(super) sides: [Side; 2],
}

impl Folded {
    /// Places of the documents of the classes of a pair.
    pub(super) fn alike(&self, i: usize) -> [&[u32]; 2] {
        let at = self.fold.at(i as u64);
        [self.sides[0].alike(at.source), self.sides[1].alike(at.target)]
    }
}

/// A class that no document is in.
const NONE: u32 = Groups::NONE;

impl Side {
    fn new(files: &[&PairsFile], places: Places, side: usize) -> Self {
        let count = places.iter().filter_map(|places| places.last()).max().map_or(0, |last| *last as usize + 1);
        let (mut who, mut both, mut class) = (vec![(0, 0); count], vec![false; count], vec![NONE; count]);
        let mut next = 0;
        for (number, (file, places)) in files.iter().zip(&places).enumerate() {
            for (document, &place) in (0u32..).zip(places) {
                who[place as usize] = (number as u32, document);
                both[place as usize] |= file.both(side, document as usize);
            }
            // Documents of one group that were of one class stay of one.
            let mut first = vec![(NONE, NONE); file.groups(side)];
            let mut others: HashMap<(u32, u32), u32> = HashMap::new();
            for (document, &place) in (0u32..).zip(places) {
                let (group, class) = (file.group_of(side, document), &mut class[place as usize]);
                let (before, part) = &mut first[group as usize];
                let part = match *part {
                    NONE => {
                        *before = *class;
                        part
                    }
                    _ if *before == *class => part,
                    _ => others.entry((group, *class)).or_insert(NONE),
                };
                if *part == NONE {
                    *part = next;
                    next += 1;
                }
                *class = *part;
            }
        }
        let (class, classes) = numbered(&class, next);
        Self { places, who, both, classes, class }
    }

    /// For each file the class of each of its groups; none when a group has documents of several.
    fn of_groups(&self, files: &[&PairsFile], side: usize) -> Option<Places> {
        let mut all = Vec::with_capacity(files.len());
        for (file, places) in files.iter().zip(&self.places) {
            let mut of_group = vec![NONE; file.groups(side)];
            for (document, &place) in (0u32..).zip(places) {
                let group = &mut of_group[file.group_of(side, document) as usize];
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
    fn classes_of(&self, number: usize, file: &PairsFile, side: usize) -> Vec<Vec<u32>> {
        let mut of_group = vec![Vec::new(); file.groups(side)];
        for (document, &place) in (0u32..).zip(&self.places[number]) {
            of_group[file.group_of(side, document) as usize].push(self.class[place as usize]);
        }
        for classes in &mut of_group {
            classes.sort_unstable();
            classes.dedup();
        }
        of_group
    }

    /// The number that a document has in a file.
    pub(super) fn in_file(&self, file: u32, place: u32) -> usize {
        self.places[file as usize].binary_search(&place).unwrap_or_default()
    }

    /// The place of an id.
    pub(super) fn place<'f>(&self, id: &str, name: impl Fn(u32, u32) -> &'f str) -> Option<u32> {
        self.who.binary_search_by(|(file, document)| name(*file, *document).cmp(id)).ok().map(|place| place as u32)
    }

    /// A file that a document is in, and its number there.
    pub(super) fn who(&self, place: u32) -> (u32, u32) {
        self.who[place as usize]
    }

    /// Whether a document stands on both sides.
    pub(super) fn is_both(&self, place: u32) -> bool {
        self.both[place as usize]
    }

    /// Documents of the class of a document.
    pub(super) fn alike(&self, place: u32) -> &[u32] {
        self.classes.members(self.class[place as usize])
    }
}

/// Classes numbered by their first members: the number of each, and the members.
fn numbered(class: &[u32], count: u32) -> (Vec<u32>, Groups) {
    let (mut number, mut next) = (vec![NONE; count as usize], 0);
    let mut numbers = Vec::with_capacity(class.len());
    for class in class {
        let number = &mut number[*class as usize];
        if *number == NONE {
            *number = next;
            next += 1;
        }
        numbers.push(*number);
    }
    let classes = Groups::of_numbers(&numbers, next as usize);
    (numbers, classes)
}

/// The rows of all files, in the order of the fold; `places` has the number of each file's configuration.
pub(super) fn folded(files: &[&PairsFile], places: &[usize], configurations: usize) -> (Rows, Folded) {
    let (sources, targets) = Merger::new(files).into_places();
    let sides = [Side::new(files, sources, 0), Side::new(files, targets, 1)];
    let whole = sides[0].of_groups(files, 0).zip(sides[1].of_groups(files, 1));
    let (mut rows, pairs) = match whole {
        Some((sources, targets)) => {
            let (count, of) = (sides[0].classes.len() as u32, [sources.clone(), targets.clone()]);
            let rows = merged(&Merger::of_rows(files, sources, targets, count), places, configurations);
            let class = |side: usize, file: u32, group: u32| of[side][file as usize][group as usize];
            let pair = |row: &Row| {
                let (source, target) = files[row.file as usize].row(row.row as usize);
                (class(0, row.file, source), class(1, row.file, target))
            };
            let pairs = rows.rows.iter().map(pair).collect();
            (rows, pairs)
        }
        None => split(files, &sides, places, configurations),
    };
    let once = once(files, &sides);
    let found = |row: usize, c: usize| rows.finders.has(rows.rows[row].finders, c);
    let counts = (0..configurations).map(|c| counts(files, &sides, &pairs, &once, |row| found(row, c))).collect();
    let (fold, order) = Fold::new(&sides[0].classes, &sides[1].classes, &pairs, once);
    rows.counts = counts;
    rows.rows = order.into_iter().map(|row| rows.rows[row as usize]).collect();
    (rows, Folded { fold, sides })
}

/// The same where a row of a file is several, since another file tells members of its groups apart.
fn split(files: &[&PairsFile], sides: &[Side; 2], places: &[usize], configurations: usize) -> (Rows, Vec<(u32, u32)>) {
    let mut all: Vec<(u32, u32, u32, u32)> = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let of_group = [0, 1].map(|side: usize| sides[side].classes_of(number, file, side));
        for row in 0..file.rows() {
            let (source, target) = file.row(row);
            for &s in &of_group[0][source as usize] {
                let targets = of_group[1][target as usize].iter();
                all.extend(targets.map(|&t| (s, t, number as u32, row as u32)));
            }
        }
    }
    all.sort_unstable();
    let mut rows = Rows { rows: Vec::new(), finders: Finders::of(configurations), counts: Vec::new() };
    let mut pairs = Vec::new();
    for same in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let mut set = rows.finders.empty();
        same.iter().for_each(|(.., file, _)| insert(&mut set, places[*file as usize]));
        let (source, target, file, row) = same[0];
        rows.rows.push(Row { file, row, finders: rows.finders.number(&set) });
        pairs.push((source, target));
    }
    (rows, pairs)
}

/// Which pairs count, by places.
fn once(files: &[&PairsFile], [sources, targets]: &[Side; 2]) -> PairFilter {
    if !files.iter().any(|file| file.joins_itself()) {
        return PairFilter::default();
    }
    let id = |side: usize, (file, document): (u32, u32)| files[file as usize].id(side, document as usize);
    let behind = |name: &str| targets.who.partition_point(|who| id(1, *who) <= name) as u32;
    let from = |(both, who): (&bool, &(u32, u32))| if *both { behind(id(0, *who)) } else { 0 };
    PairFilter { from: sources.both.iter().zip(&sources.who).map(from).collect(), both: targets.both.clone() }
}

/// Document pairs of the rows of a configuration, and different documents of the source among them.
fn counts(
    files: &[&PairsFile],
    sides: &[Side; 2],
    rows: &[(u32, u32)],
    once: &PairFilter,
    found: impl Fn(usize) -> bool,
) -> (u64, u64) {
    let id = |side: usize, place: u32| {
        let (file, document) = sides[side].who(place);
        files[file as usize].id(side, document as usize)
    };
    let (mut pairs, mut sources, mut twins) = (0, vec![false; sides[0].who.len()], HashSet::new());
    for (_, &(s, t)) in rows.iter().enumerate().filter(|(row, _)| found(*row)) {
        let (members, targets) = (sides[0].classes.members(s), sides[1].classes.members(t));
        pairs += once.pairs(members, targets);
        for source in members.iter().filter(|source| once.any(**source, targets)) {
            sources[*source as usize] = true;
        }
        let partners: Vec<u32> = members.iter().copied().filter(|source| sides[0].is_both(*source)).collect();
        let both = targets.iter().filter(|target| once.is_both(**target) && once.any_of(&partners, **target));
        twins.extend(both.map(|target| id(1, *target)));
    }
    for (place, source) in sources.iter().enumerate().filter(|(place, _)| sides[0].both[*place]) {
        if *source {
            twins.insert(id(0, place as u32));
        }
    }
    let alone = sources.iter().zip(&sides[0].both).filter(|(source, both)| **source && !**both).count();
    (pairs, (alone + twins.len()) as u64)
}
