//! Looks at the documents that share a key, and finds those of the source that may have a pair.

use std::collections::HashSet;

use super::rows::{Place, Row, Side, split_table};
use crate::Configuration;
use crate::capped::{CappedKey, is_capped};
use dejaview_methods::Method;

/// What sorted rows tell.
#[derive(Debug, Default)]
pub struct Joined {
    /// Hashes of the ids of documents of the source that may have a pair.
    pub hashes: HashSet<u64>,
    /// Keys that too many different sketches share.
    pub capped: Vec<CappedKey>,
}

/// Takes rows in their order; rows with one key must come to one joiner.
#[derive(Debug)]
pub struct Joiner<'a> {
    configurations: &'a [Configuration],
    /// Different sketches of the source that may share a key.
    most: u64,
    bucket: Bucket,
    joined: Joined,
}

impl<'a> Joiner<'a> {
    pub fn new(configurations: &'a [Configuration], most: u64) -> Self {
        Self { configurations, most, bucket: Bucket::default(), joined: Joined::default() }
    }

    /// Takes the next row; none when it is no row.
    pub fn add(&mut self, row: &[u8]) -> Option<()> {
        let row = Row::read(row)?;
        if (row.table, row.key) != (self.bucket.table, self.bucket.key) {
            self.join();
            (self.bucket.table, self.bucket.key) = (row.table, row.key);
        }
        self.bucket.add(&row);
        Some(())
    }

    /// What all rows tell.
    pub fn finish(mut self) -> Joined {
        self.join();
        self.joined
    }

    /// Looks at the documents that share a key, and empties the bucket.
    fn join(&mut self) {
        let classes = std::mem::take(&mut self.bucket.classes);
        let (number, table) = split_table(self.bucket.table);
        let Some(configuration) = self.configurations.get(number) else { return };
        let of_target: Vec<&Class> = classes.iter().filter(|class| !class.targets.is_empty()).collect();
        let sketches = classes.iter().filter(|class| !class.sources.is_empty()).count() as u64;
        let capped = is_capped(sketches, self.most);
        if capped {
            let key = self.bucket.key;
            self.joined.capped.push(CappedKey { configuration: number, table, key, sketches });
        }
        let hashes = &mut self.joined.hashes;
        for class in &classes {
            if class.sources.iter().all(|source| hashes.contains(&source.id)) {
                continue;
            }
            // The same sketch needs no comparison with others to be found: copies are never left out.
            let agrees = |other: &&Class| class.pairs_with(other) && class.agrees(other, &*configuration.method);
            // Documents with the same text are one group, and all of it is read where one of them has a pair.
            if class.pairs_with(class) || !capped && of_target.iter().any(agrees) {
                hashes.extend(class.sources.iter().map(|source| source.id));
            }
        }
    }
}

/// The documents with one key.
#[derive(Debug, Default)]
struct Bucket {
    table: u32,
    key: u64,
    classes: Vec<Class>,
}

/// The documents with one key and one sketch.
#[derive(Debug)]
struct Class {
    /// As rows have it.
    form: Box<[u8]>,
    /// Empty where it is not known.
    sketch: Vec<u64>,
    sources: Vec<Place>,
    /// Two of them at most: one may be the document that looks for its pair, the other is none then.
    targets: Vec<Place>,
}

impl Class {
    /// Whether there is a document of the source here and one of the target there, and not the same.
    fn pairs_with(&self, other: &Self) -> bool {
        self.sources.iter().any(|source| other.targets.iter().any(|target| target != source))
    }

    fn agrees(&self, other: &Self, method: &dyn Method) -> bool {
        let unknown = self.sketch.is_empty() || other.sketch.is_empty();
        unknown || method.compare(&self.sketch, &other.sketch).is_some()
    }
}

impl Bucket {
    /// Adds a row; those with the same sketch come one after another.
    fn add(&mut self, row: &Row<'_>) {
        let is_next = self.classes.last().is_none_or(|class| *class.form != *row.sketch);
        if is_next {
            let (form, sketch) = (row.sketch.into(), row.words());
            self.classes.push(Class { form, sketch, sources: Vec::new(), targets: Vec::new() });
        }
        let Some(class) = self.classes.last_mut() else { return };
        match row.side {
            Side::Source => class.sources.push(row.place),
            Side::Target if class.targets.len() < 2 && !class.targets.contains(&row.place) => {
                class.targets.push(row.place);
            }
            Side::Target => {}
        }
    }
}
