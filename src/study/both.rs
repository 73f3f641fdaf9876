//! Which documents of a study stand on both sides, as its run saw it.

use std::collections::HashSet;

use super::StudyError;
use super::session::{PairFilter, Session};
use super::workspace::{read_json, write_json};
use crate::base::both::BothSides;
use crate::matching::pass;

impl Session {
    /// The documents that stand on both sides; none before a run.
    pub fn both_sides(&self) -> Result<BothSides, StudyError> {
        let mut ids: HashSet<String> = HashSet::new();
        let mut untold = false;
        for (segment, _) in self.finished_segments().into_iter().filter(|(_, facts)| facts.both > 0) {
            match read_json::<Vec<String>>(&self.workspace().both(&segment)) {
                Some(told) => ids.extend(told),
                None => untold = true,
            }
        }
        // Earlier versions wrote no list. Their files of pairs tell it of the documents that have one.
        for open in if untold { self.pairs(PairFilter::default()).unwrap_or_default() } else { Vec::new() } {
            let file = &open.file;
            let sources = (0..file.sources()).filter(|i| file.both(0, *i)).map(|i| file.source_id(i));
            let targets = (0..file.targets()).filter(|i| file.both(1, *i)).map(|i| file.target_id(i));
            ids.extend(sources.chain(targets).map(str::to_owned));
        }
        Ok(BothSides::new(ids))
    }

    /// Notes which documents of a segment are documents of the source.
    pub(super) fn write_both_sides(&self, segment: &str, passed: &pass::Segment) -> Result<(), StudyError> {
        if passed.both == 0 {
            return Ok(());
        }
        let twins = passed.targets.iter().filter(|target| target.twin.is_some());
        let ids: Vec<&str> = twins.map(|target| &*target.id).collect();
        write_json(&self.workspace().both(segment), &ids)
    }
}
