//! Which judged documents reach a target of a topic by accepted links, and where their grades differ.
//!
//! Many documents may reach the same many targets: what reaches a list of targets is kept once for all of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Judged documents with their grades.
type Judged = BTreeSet<(u32, u32)>;

/// Judgments whose grades differ; targets that the same documents reach share them.
type Conflict = Option<Arc<[(u32, u32)]>>;

/// What each topic reaches.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// Lists of targets, by their numbers.
    lists: Vec<Arc<[(u32, u64)]>>,
    /// Numbers of lists that are the same targets, and of those that are the same in memory.
    known: HashMap<Vec<u32>, usize>,
    same: HashMap<*const (u32, u64), usize>,
    /// For each topic the lists of targets that are reached, and the judged documents that reach them.
    topics: BTreeMap<u32, BTreeMap<usize, Judged>>,
}

impl Reached {
    /// A judged document reaches targets.
    pub(super) fn add(&mut self, topic: u32, targets: &Arc<[(u32, u64)]>, judged: (u32, u32)) {
        let list = match self.same.get(&targets.as_ptr()) {
            Some(list) => *list,
            None => self.list(targets),
        };
        self.topics.entry(topic).or_default().entry(list).or_default().insert(judged);
    }

    /// The number of a list that comes for the first time. It is kept, so that no other can take its place in memory.
    fn list(&mut self, targets: &Arc<[(u32, u64)]>) -> usize {
        let numbers: Vec<u32> = targets.iter().map(|(target, _)| *target).collect();
        let next = self.lists.len();
        let list = *self.known.entry(numbers).or_insert(next);
        self.same.insert(targets.as_ptr(), list);
        self.lists.push(targets.clone());
        list
    }

    /// Shows every topic and target that is reached, in order, with the judgments that reach it where their grades differ.
    pub(super) fn each(&self, mut visit: impl FnMut(u32, u32, Conflict)) {
        for (topic, lists) in &self.topics {
            let mut targets: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
            for list in lists.keys() {
                self.lists[*list].iter().for_each(|(target, _)| targets.entry(*target).or_default().push(*list));
            }
            let mut conflicts: HashMap<Vec<usize>, Conflict> = HashMap::new();
            for (target, by) in targets {
                let conflict =
                    conflicts.entry(by).or_insert_with_key(|by| differing(by.iter().map(|list| &lists[list])));
                visit(*topic, target, conflict.clone());
            }
        }
    }
}

/// All of these judgments, where they have more than one grade.
fn differing<'a>(judged: impl Iterator<Item = &'a Judged>) -> Conflict {
    let all: Judged = judged.flatten().copied().collect();
    let grades: BTreeSet<u32> = all.iter().map(|(_, grade)| *grade).collect();
    (grades.len() > 1).then(|| all.into_iter().collect())
}
