//! Journals that hold the same events: file managers and programs that keep folders alike make copies, and a copy counts as another
//! annotator, also when it went on by itself.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Annotations, Event};

/// Events that two journals share at least before one is called a copy of the other. Where each has events of its own, so many times
/// as well: what two people said alike may have come in one table, at one time.
const FEWEST_ALIKE: usize = 3;

/// Events of one journal that another one has, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedEvents<'a> {
    /// The two files, the one with fewer other events first.
    pub files: [&'a str; 2],
    pub events: usize,
    /// Events that only the first has.
    pub only_first: usize,
}

impl SharedEvents<'_> {
    /// What that means for whoever uses the labels.
    pub fn sentence(&self) -> String {
        let [first, second] = self.files;
        match self.only_first {
            0 => format!(
                "all {} events of {first} are in {second}, too: a copy counts as another annotator",
                self.events
            ),
            _ => format!(
                "{} of the {} events of {first} are in {second}, too: one of them is a copy that went on by itself, and both count as \
                 annotators",
                self.events,
                self.events + self.only_first
            ),
        }
    }
}

/// The journals that share events with others, each two once. What two events share is all that is in them: number, time, pair,
/// what was said, and the circumstances.
pub fn shared_events(journals: &[Annotations]) -> Vec<SharedEvents<'_>> {
    let mut found = Vec::new();
    for (i, one) in journals.iter().enumerate() {
        let mut known: HashMap<(u64, &str), &Arc<Event>> = HashMap::new();
        if i + 1 < journals.len() {
            known.extend(one.reading.events.iter().map(|event| ((event.seq, event.time.as_str()), event)));
        }
        for other in &journals[i + 1..] {
            let is_known =
                |event: &&Arc<Event>| known.get(&(event.seq, event.time.as_str())).is_some_and(|same| *same == *event);
            let same: Vec<&Arc<Event>> = other.reading.events.iter().filter(is_known).collect();
            let times: HashSet<&str> = same.iter().map(|event| event.time.as_str()).collect();
            let rest = |journal: &Annotations| journal.reading.events.len().saturating_sub(same.len());
            // Of two that are equal the one with the longer name is likely to be the copy.
            let few = |journal: &Annotations| (rest(journal), Reverse(journal.file.len()));
            let (first, second) = if few(other) <= few(one) { (other, one) } else { (one, other) };
            if same.len() < FEWEST_ALIKE || rest(first) > 0 && times.len() < FEWEST_ALIKE {
                continue;
            }
            found.push(SharedEvents {
                files: [first, second].map(|journal| journal.file.as_str()),
                events: same.len(),
                only_first: rest(first),
            });
        }
    }
    found
}
