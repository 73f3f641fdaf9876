//! Which groups of documents share a key with a given one, and agree with it?
//!
//! All keys of one side stand in one array of buckets, with their groups beside them; the highest bits of a key tell
//! where to look. Sketches are kept, so that whoever shares a key is compared. Cost of a probe: one look a key, and one
//! comparison for each group that shares one. Memory: 12 bytes a key and 4 a bucket, and the sketches.

use std::collections::{HashMap, HashSet};

use super::capped::TableKey;
use super::tables::Near;
use crate::GroupNumber;
use dejaview_methods::Method;
use dejaview_methods::measures::sort_hashes;

/// The sketches of one side, looked up by their keys.
#[derive(Debug, Default)]
pub struct Keys {
    /// Bits of a key that do not belong to the number of its bucket.
    shift: u32,
    /// Where each bucket begins.
    starts: Vec<u32>,
    /// By bucket; within one as their groups ascend.
    keys: Vec<u64>,
    groups: Vec<GroupNumber>,
    /// Sketch of group `g` is `sketches[ends[g - 1]..ends[g]]`.
    sketches: Vec<u64>,
    ends: Vec<u64>,
    /// Keys by which only equal sketches are found.
    capped: HashSet<u64>,
    /// Groups by their sketch, where this has a capped key.
    equal: HashMap<Box<[u64]>, Vec<GroupNumber>>,
}

/// Memory that probes share.
#[derive(Debug, Default)]
pub struct Scratch {
    keys: Vec<u64>,
    met: Vec<GroupNumber>,
    /// For each group the number of the probe that met it last.
    marks: Vec<u32>,
    probe: u32,
}

impl Scratch {
    /// Forgets the probe before.
    fn begin(&mut self, groups: usize) {
        self.keys.clear();
        self.met.clear();
        if self.probe == u32::MAX || self.marks.len() < groups {
            self.probe = 0;
            self.marks.clear();
            self.marks.resize(groups, 0);
        }
        self.probe += 1;
    }
}

impl Keys {
    /// Indexes `(group, sketch)`, groups ascending.
    pub fn new(method: &dyn Method, sketches: &[(GroupNumber, &[u64])]) -> Self {
        Self::with_capped(method, sketches, &HashSet::new())
    }

    /// The same where some keys are capped.
    pub fn with_capped(method: &dyn Method, sketches: &[(GroupNumber, &[u64])], capped: &HashSet<TableKey>) -> Self {
        let capped = capped.iter().map(|(_, key)| *key).collect();
        let mut index = Self { shift: 63, capped, ..Self::default() };
        let (mut keys, mut entries) = (Vec::new(), Vec::new());
        for &(group, sketch) in sketches {
            index.ends.resize(group.index(), index.sketches.len() as u64);
            index.sketches.extend_from_slice(sketch);
            index.ends.push(index.sketches.len() as u64);
            keys.clear();
            method.keys(sketch, &mut keys);
            sort_hashes(&mut keys);
            keys.dedup();
            let all = keys.len();
            keys.retain(|key| !index.capped.contains(key));
            if keys.len() < all {
                index.equal.entry(sketch.into()).or_default().push(group);
            }
            entries.extend(keys.iter().map(|&key| (key, group)));
        }
        index.fill(&entries);
        index.sketches.shrink_to_fit();
        index
    }

    /// Takes entries into the buckets of their keys, in linear time.
    fn fill(&mut self, entries: &[(u64, GroupNumber)]) {
        let shift = 64 - entries.len().max(2).next_power_of_two().ilog2().min(28);
        let bucket = |key: u64| (key >> shift) as usize;
        let mut starts = vec![0u32; (1 << (64 - shift)) + 1];
        entries.iter().for_each(|(key, _)| starts[bucket(*key) + 1] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        (self.keys, self.groups) = (vec![0; entries.len()], vec![GroupNumber::default(); entries.len()]);
        for &(key, group) in entries {
            let place = &mut starts[bucket(key)];
            (self.keys[*place as usize], self.groups[*place as usize]) = (key, group);
            *place += 1;
        }
        // Each start has become the end of its bucket, which is the start of the next one.
        starts.rotate_right(1);
        starts[0] = 0;
        (self.shift, self.starts) = (shift, starts);
    }

    /// Appends the groups that agree with a sketch, ascending.
    pub fn probe(&self, method: &dyn Method, sketch: &[u64], scratch: &mut Scratch, out: &mut Vec<Near>) {
        scratch.begin(self.ends.len());
        let Scratch { keys, met, marks, probe } = scratch;
        method.keys(sketch, keys);
        let mut meet = |group: GroupNumber| {
            let mark = &mut marks[group.index()];
            if *mark != *probe {
                *mark = *probe;
                met.push(group);
            }
        };
        if !self.capped.is_empty() && keys.iter().any(|key| self.capped.contains(key)) {
            self.equal.get(sketch).into_iter().flatten().for_each(|group| meet(*group));
        }
        for &key in keys.iter() {
            let bucket = (key >> self.shift) as usize;
            let range = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
            for (&other, &group) in self.keys[range.clone()].iter().zip(&self.groups[range]) {
                if other == key {
                    meet(group);
                }
            }
        }
        met.sort_unstable();
        for &group in met.iter() {
            if let Some(evidence) = method.compare(self.sketch(group), sketch) {
                out.push(Near { group, distance: evidence.distance });
            }
        }
    }

    fn sketch(&self, group: GroupNumber) -> &[u64] {
        let start = group.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.sketches[start as usize..self.ends[group.index()] as usize]
    }

    /// Bytes held in memory.
    pub fn bytes(&self) -> usize {
        4 * self.starts.len() + 12 * self.keys.len() + 8 * (self.sketches.len() + self.ends.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capped::{capped_keys, of_configuration};
    use dejaview_base::hash::fmix64;
    use dejaview_methods::{Evidence, Prepared, Reasons, Shape};
    use proptest::prelude::*;

    /// Agrees when at least `enough` words are equal at the same place.
    #[derive(Debug)]
    struct Places {
        enough: usize,
    }

    impl Method for Places {
        fn shape(&self) -> Shape<'_> {
            Shape::Keys
        }

        fn sketch(&self, _: &Prepared<'_>, _: &mut Vec<u64>) -> bool {
            false
        }

        fn keys(&self, sketch: &[u64], out: &mut Vec<u64>) {
            out.extend((0u64..).zip(sketch).map(|(i, word)| fmix64(word << 8 | i)));
        }

        fn compare(&self, a: &[u64], b: &[u64]) -> Option<Evidence> {
            let equal = a.iter().zip(b).filter(|(x, y)| x == y).count();
            (equal >= self.enough).then_some(Evidence { distance: (a.len() - equal) as u16 })
        }

        fn reasons(&self, _: &Prepared<'_>, _: &Prepared<'_>) -> Reasons {
            Reasons::default()
        }
    }

    proptest! {
        #[test]
        fn keys_find_what_all_pairs_find(
            side in proptest::collection::vec(proptest::option::of(proptest::array::uniform4(0u64..6)), 0..60),
            query in proptest::array::uniform4(0u64..6),
            enough in 1usize..4,
        ) {
            let method = Places { enough };
            let sketches: Vec<(GroupNumber, &[u64])> =
                GroupNumber::all(side.len()).zip(&side).filter_map(|(i, sketch)| Some((i, &sketch.as_ref()?[..]))).collect();
            let index = Keys::new(&method, &sketches);
            let mut found = Vec::new();
            index.probe(&method, &query, &mut Scratch::default(), &mut found);
            let expected: Vec<Near> = sketches
                .iter()
                .filter_map(|(i, sketch)| Some(Near { group: *i, distance: method.compare(sketch, &query)?.distance }))
                .collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn capped_keys_find_equal_sketches_alone(
            side in proptest::collection::vec(proptest::array::uniform4(0u64..4), 0..60),
            query in proptest::array::uniform4(0u64..4),
            most in 1u64..8,
        ) {
            let method = Places { enough: 1 };
            let sketches: Vec<(GroupNumber, &[u64])> =
                GroupNumber::all(side.len()).zip(&side).map(|(i, sketch)| (i, &sketch[..])).collect();
            let all = sketches.iter().map(|(_, sketch)| *sketch).collect();
            let capped = capped_keys(0, &method, all, most);
            let index = Keys::with_capped(&method, &sketches, &of_configuration(&capped, 0));
            let mut found = Vec::new();
            index.probe(&method, &query, &mut Scratch::default(), &mut found);
            let keys = |sketch: &[u64]| {
                let mut keys = Vec::new();
                method.keys(sketch, &mut keys);
                keys
            };
            let is_open = |key: &u64| {
                let mut with: Vec<&[u64; 4]> = side.iter().filter(|sketch| keys(&sketch[..]).contains(key)).collect();
                with.sort_unstable();
                with.dedup();
                with.len() as u64 <= most
            };
            let is_found = |sketch: &[u64]| {
                sketch == query || keys(sketch).iter().any(|key| keys(&query).contains(key) && is_open(key))
            };
            let expected: Vec<GroupNumber> =
                sketches.iter().filter(|(_, sketch)| is_found(sketch)).map(|(group, _)| *group).collect();
            prop_assert_eq!(found.iter().map(|near| near.group).collect::<Vec<_>>(), expected);
        }
    }
}
