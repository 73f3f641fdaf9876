//! Journals that hold the same events: file managers and programs that keep folders alike make copies, and a copy counts as another
//! annotator, also when it went on by itself.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::adjudication::is_adjudication;
use super::annotator::is_named_after;
use super::{Annotations, Event};

/// Events that two journals share at least before one is called a copy of the other; of so many moments, too, unless one has nothing
/// else: what people said alike may have come in one table, at one time.
const FEWEST_ALIKE: usize = 3;

/// Events of one journal that another one has, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedEvents<'a> {
    /// The file that is a copy, as names go.
    pub copy: &'a str,
    /// The one that it is a copy of.
    pub original: &'a str,
    pub events: usize,
    /// Events that only the copy has.
    pub only_copy: usize,
    /// Events that only the original has.
    pub only_original: usize,
    /// Moments of the shared events.
    moments: usize,
    /// Whether names tell that it is a copy: it has that of the original and more behind it, as programs name copies, or it is called
    /// an adjudicator's and the original is not, who would not say the same things at the same moments.
    names_tell: bool,
    /// Whether the copy settles what annotators decided differently.
    settles: bool,
}

impl SharedEvents<'_> {
    /// Whether nothing but copying explains it: two people do not say the same things at the same moments.
    pub fn is_certain(&self) -> bool {
        self.moments >= FEWEST_ALIKE
    }

    /// Whether whoever uses the labels should know: it is certain, or names tell it.
    pub fn should_be_said(&self) -> bool {
        self.is_certain() || self.names_tell
    }

    /// What that means for whoever uses the labels.
    pub fn sentence(&self) -> String {
        let Self { copy, original, events, only_copy, only_original, .. } = self;
        let both = if self.settles { "and settles what annotators said" } else { "and both count as annotators" };
        match (only_copy, only_original) {
            _ if !self.is_certain() => {
                let then = if self.settles { format!(", {both}") } else { String::new() };
                format!("{events} events of {copy} are in {original}, too: two people agreed, or it is a copy{then}")
            }
            (0, 0) => format!("{copy} has the same {events} events as {original}: it is a copy, {both}"),
            (0, _) => format!("all {events} events of {copy} are in {original}, too: it is a copy, {both}"),
            _ => format!(
                "{events} of the {} events of {copy} are in {original}, too: it is a copy that went on by itself, {both}",
                events + only_copy
            ),
        }
    }
}

/// Number, time, source and target of an event.
type EventKey<'a> = (u64, [&'a str; 3]);

/// The journals that share events with others, each two once. What two events share is all that is in them: number, time, pair,
/// what was said, and the circumstances.
pub fn shared_events(journals: &[Annotations]) -> Vec<SharedEvents<'_>> {
    if journals.len() < 2 {
        return Vec::new();
    }
    // Of each event the journals that have it so far, by number, time and pair; few have any but one.
    let mut holders: HashMap<EventKey<'_>, Vec<(usize, &Event)>> = HashMap::new();
    let mut shared: BTreeMap<(usize, usize), (usize, BTreeSet<&str>)> = BTreeMap::new();
    for (number, journal) in journals.iter().enumerate() {
        for event in &journal.reading.events {
            let holders = holders.entry((event.seq, [&event.time, &event.source, &event.target])).or_default();
            for (other, _) in holders.iter().filter(|(other, same)| *other != number && **same == **event) {
                let (events, moments) = shared.entry((*other, number)).or_default();
                *events += 1;
                if moments.len() < FEWEST_ALIKE {
                    moments.insert(&event.time);
                }
            }
            holders.push((number, event));
        }
    }
    let alike = shared.into_iter().filter_map(|((one, other), (events, moments))| {
        let rest = |journal: &Annotations| journal.reading.events.len().saturating_sub(events);
        let (copy, original) = copy_and_original(&journals[one], &journals[other]);
        let (only_copy, only_original) = (rest(copy), rest(original));
        let has_its_name = is_named_after(&copy.annotator, &original.annotator) && !is_adjudication(&copy.annotator);
        let settles = is_adjudication(&copy.annotator) && !is_adjudication(&original.annotator);
        let names_tell = has_its_name || settles;
        let found = SharedEvents {
            copy: &copy.file,
            original: &original.file,
            events,
            only_copy,
            only_original,
            moments: moments.len(),
            names_tell,
            settles,
        };
        let is_likely = found.is_certain() || only_copy == 0 || only_original == 0 || names_tell;
        (events >= FEWEST_ALIKE && is_likely).then_some(found)
    });
    alike.collect()
}

/// Which of two journals is likely to be the copy: the one that has the name of the other and more behind it, as programs name copies.
/// Where names do not tell, the one with fewer events, or else the longer name.
fn copy_and_original<'a>(one: &'a Annotations, other: &'a Annotations) -> (&'a Annotations, &'a Annotations) {
    let stem = |journal: &'a Annotations| Path::new(&journal.file).file_stem().unwrap_or_default().to_string_lossy();
    let (name, other_name) = (stem(one), stem(other));
    let few = |journal: &Annotations| (journal.reading.events.len(), Reverse(journal.file.len()));
    let other_is_copy = match (name.starts_with(&*other_name), other_name.starts_with(&*name)) {
        (true, false) => false,
        (false, true) => true,
        _ => few(other) <= few(one),
    };
    if other_is_copy { (other, one) } else { (one, other) }
}
