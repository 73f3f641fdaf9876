//! Which documents of a study stand on both sides, as its run saw it.

use std::collections::HashMap;

use crate::StudyError;
use crate::run::workspace::{read_json, write_json};
use crate::session::{PairFilter, Session};
use dejaview_base::both::BothSides;
use dejaview_matching::pass;

impl Session {
    /// The documents that stand on both sides; none before a run.
    pub fn both_sides(&self) -> Result<BothSides, StudyError> {
        Ok(BothSides::new(self.segments_of_both().into_keys()))
    }

    /// The documents that stand on both sides, each with the segment of the target that holds it, where that is known.
    pub(crate) fn segments_of_both(&self) -> HashMap<String, Option<String>> {
        let mut documents: HashMap<String, Option<String>> = HashMap::new();
        let mut untold = false;
        for (segment, _) in self.finished_segments().into_iter().filter(|(_, facts)| facts.both > 0) {
            match read_json::<Vec<String>>(&self.workspace().both(&segment)) {
                Some(told) => documents.extend(told.into_iter().map(|id| (id, Some(segment.clone())))),
                None => untold = true,
            }
        }
        // Earlier versions wrote no list. Their files of pairs tell it of the documents that have one.
        for open in if untold { self.pairs(PairFilter::default()).unwrap_or_default() } else { Vec::new() } {
            let file = &open.file;
            for source in (0..file.sources()).filter(|i| file.both(0, *i)) {
                documents.entry(file.source_id(source).to_owned()).or_default();
            }
            for target in (0..file.targets()).filter(|i| file.both(1, *i)) {
                documents.insert(file.target_id(target).to_owned(), Some(open.segment.clone()));
            }
        }
        documents
    }

    /// Notes which documents of a segment are documents of the source.
    pub(crate) fn write_both_sides(&self, segment: &str, passed: &pass::Segment) -> Result<(), StudyError> {
        if passed.both == 0 {
            return Ok(());
        }
        let twins = passed.targets.iter().filter(|target| target.twin.is_some());
        let ids: Vec<&str> = twins.map(|target| &*target.id).collect();
        write_json(&self.workspace().both(segment), &ids)
    }
}
