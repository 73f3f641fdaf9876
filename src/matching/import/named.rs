//! Imported pairs brought into order, and looked up by their documents.

use std::collections::HashMap;

use super::list::{ListLine, ListedPair, PairList};
use crate::{ConfigurationNumber, DocumentNumber};
use dejaview_base::bytes::{ByteReader, ByteWriter};

/// What is kept of an imported pair beside its documents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Imported {
    /// The score that the file gives; the highest where the pair repeats.
    pub score: Option<f64>,
    /// Its place among all pairs of the files, from 1; the first where the pair repeats.
    pub rank: u32,
}

impl Imported {
    /// What two files say of a pair: the highest score and the first place.
    pub fn either(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let both = |(one, other): (Self, Self)| Self {
            score: [one.score, other.score].into_iter().flatten().reduce(f64::max),
            rank: one.rank.min(other.rank),
        };
        one.zip(other).map(both).or(one).or(other)
    }
}

/// A pair, and where a file names it.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedPair {
    pub pair: ListedPair,
    pub values: Imported,
    /// Number of its file, as given to [`Imports::add`].
    pub file: u32,
    /// Counted like [`UnreadLine::line`](super::UnreadLine::line).
    pub line: u64,
}

impl ImportedPair {
    fn documents(&self) -> (&str, &str) {
        (&self.pair.source, &self.pair.target)
    }
}

/// A pair that was read before.
#[derive(Debug, Clone, PartialEq)]
pub struct RepeatedPair {
    pub again: ImportedPair,
    /// File and line of the place that counts.
    pub first: (u32, u64),
}

/// The pairs of one configuration, each once, by source id, then target id.
#[derive(Debug, Clone, Default)]
pub struct Imports {
    rows: Vec<ImportedPair>,
    /// Places where a pair stood that had been read before, in the order of pairs.
    pub repeated: Vec<RepeatedPair>,
    /// Members of groups without a judged document, which pair with nobody.
    pub unjudged_groups: u64,
    next: u32,
}

impl Imports {
    /// Adds what a file gives. `judged` tells which side a document is on, where there are judgments: a pair whose
    /// second document alone is judged is turned round, and a group pairs its judged members with the others. Without
    /// judgments the first member of a group stands for the source.
    pub fn add(&mut self, file: u32, list: PairList, judged: Option<&dyn Fn(&str) -> bool>) {
        for (read, line) in list.lines.into_iter().zip(list.places) {
            match read {
                ListLine::Pair(edge) => {
                    let turn = judged.is_some_and(|judged| !judged(&edge.source) && judged(&edge.target));
                    self.push((file, line), if turn { edge.turned() } else { edge });
                }
                ListLine::Group(members) => self.group((file, line), &members, judged),
            }
        }
    }

    fn group(&mut self, place: (u32, u64), members: &[String], judged: Option<&dyn Fn(&str) -> bool>) {
        let (sources, targets): (Vec<&String>, Vec<&String>) = match judged {
            Some(judged) => members.iter().partition(|id| judged(id)),
            None => (members[..1].iter().collect(), members[1..].iter().collect()),
        };
        self.unjudged_groups += u64::from(sources.is_empty());
        for source in sources {
            for target in targets.iter().filter(|target| **target != source) {
                let pair = ListedPair { source: source.clone(), target: (*target).clone(), ..ListedPair::default() };
                self.push(place, pair);
            }
        }
    }

    fn push(&mut self, (file, line): (u32, u64), pair: ListedPair) {
        self.next = self.next.saturating_add(1);
        let values = Imported { score: pair.score, rank: self.next };
        self.rows.push(ImportedPair { pair, values, file, line });
    }

    /// Brings the pairs into order; of those that repeat, the highest score, the lowest distance and the first place
    /// count.
    pub fn finish(&mut self) {
        self.rows.sort_by(|a, b| (a.documents(), a.values.rank).cmp(&(b.documents(), b.values.rank)));
        let repeated = &mut self.repeated;
        self.rows.dedup_by(|later, first| {
            let again = later.documents() == first.documents();
            if again {
                first.values.score = [first.values.score, later.values.score].into_iter().flatten().reduce(f64::max);
                first.pair.distance = [first.pair.distance, later.pair.distance].into_iter().flatten().min();
                repeated.push(RepeatedPair { again: later.clone(), first: (first.file, first.line) });
            }
            again
        });
    }

    pub fn rows(&self) -> &[ImportedPair] {
        &self.rows
    }

    /// What is kept of a pair.
    pub fn get(&self, source: &str, target: &str) -> Option<Imported> {
        let at = self.rows.binary_search_by(|row| row.documents().cmp(&(source, target)));
        at.ok().map(|at| self.rows[at].values)
    }
}

/// Pairs that a pass records without looking for them, by the id of the target.
#[derive(Debug, Default)]
pub struct NamedPairs {
    targets: HashMap<Box<str>, Vec<NamedPair>>,
    /// The same pairs the other way round, where both are documents of the source.
    turned: HashMap<Box<str>, Vec<NamedPair>>,
}

/// What is named with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedPair {
    /// The document of the source.
    pub source: DocumentNumber,
    /// Whose pair it is; a number that no configuration has where it is nobody's.
    pub configuration: ConfigurationNumber,
    pub distance: u16,
}

impl NamedPairs {
    /// Adds a pair with the target of this id.
    pub fn add(&mut self, target: &str, pair: NamedPair) {
        self.targets.entry(target.into()).or_default().push(pair);
    }

    /// Adds a pair the other way round: by the id of its source, with the document of the source that its target is.
    pub fn add_turned(&mut self, source: &str, pair: NamedPair) {
        self.turned.entry(source.into()).or_default().push(pair);
    }

    /// The pairs of a target that is a document of the source, as far as they are named the other way round.
    pub fn turned_to_target(&self, target: &str) -> &[NamedPair] {
        if self.turned.is_empty() { &[] } else { self.turned.get(target).map_or(&[], Vec::as_slice) }
    }

    /// The pairs of a target.
    pub fn to_target(&self, target: &str) -> &[NamedPair] {
        if self.targets.is_empty() { &[] } else { self.targets.get(target).map_or(&[], Vec::as_slice) }
    }

    /// Appends all pairs, to be read by [`NamedPairs::read`]; the same pairs give the same bytes.
    pub fn write(&self, out: &mut ByteWriter) {
        for named in [&self.targets, &self.turned] {
            let mut by_id: Vec<(&str, &[NamedPair])> = named.iter().map(|(id, pairs)| (&**id, &**pairs)).collect();
            by_id.sort_unstable();
            out.size(by_id.len());
            for (id, pairs) in by_id {
                out.text(id);
                out.size(pairs.len());
                for pair in pairs {
                    out.size(pair.source.index());
                    out.size(pair.configuration.index());
                    out.number(pair.distance.into());
                }
            }
        }
    }

    /// Reads pairs with a source of so many documents; none when there are no such pairs.
    pub fn read(input: &mut ByteReader<'_>, documents: usize) -> Option<Self> {
        let pair = |input: &mut ByteReader<'_>| {
            Some(NamedPair {
                source: DocumentNumber::at(input.number_below(documents)?),
                configuration: ConfigurationNumber::at(input.size()?),
                distance: u16::try_from(input.number()?).ok()?,
            })
        };
        let mut read = || {
            let by_id = input.list(|input| Some((Box::from(input.text()?), input.list(pair)?)))?;
            Some(by_id.into_iter().collect())
        };
        Some(Self { targets: read()?, turned: read()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::parse;

    #[test]
    fn where_a_pair_repeats_the_highest_score_and_the_first_place_count() {
        let mut imports = Imports::default();
        imports.add(0, parse("a z 0.5\na b 0.9\na z 0.75\nb z 0.1\n"), None);
        imports.finish();
        let row =
            |row: &ImportedPair| (row.pair.source.clone(), row.pair.target.clone(), row.values.score, row.values.rank);
        let rows: Vec<_> = imports.rows().iter().map(row).collect();
        let rows: Vec<_> = rows.iter().map(|(a, b, score, rank)| (&**a, &**b, *score, *rank)).collect();
        assert_eq!(rows, [("a", "b", Some(0.9), 2), ("a", "z", Some(0.75), 1), ("b", "z", Some(0.1), 4)]);
        let [RepeatedPair { again, first }] = &imports.repeated[..] else { panic!("{:?}", imports.repeated) };
        assert_eq!((again.line, again.pair.score, *first), (3, Some(0.75), (0, 1)));
        assert_eq!(imports.get("a", "z").unwrap().rank, 1);
        assert_eq!(imports.get("z", "a"), None);
    }

    #[test]
    fn judgments_tell_the_sides() {
        let judged = |id: &str| id.starts_with('j');
        let mut imports = Imports::default();
        imports.add(0, parse("x j1 0.5\nj2 j3 0.5\n"), Some(&judged));
        imports.add(0, parse("{\"group\":[\"x\",\"j1\",\"y\",\"j2\"]}\n{\"group\":[\"x\",\"y\"]}"), Some(&judged));
        imports.finish();
        let rows: Vec<_> = imports.rows().iter().map(ImportedPair::documents).collect();
        assert_eq!(rows, [("j1", "x"), ("j1", "y"), ("j2", "j3"), ("j2", "x"), ("j2", "y")]);
        assert_eq!(imports.unjudged_groups, 1);
        let mut imports = Imports::default();
        imports.add(0, parse("{\"group\":[\"x\",\"y\",\"z\"]}"), None);
        imports.finish();
        let rows: Vec<_> = imports.rows().iter().map(ImportedPair::documents).collect();
        assert_eq!(rows, [("x", "y"), ("x", "z")]);
    }
}
