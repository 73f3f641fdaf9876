//! Which documents of a study stand on both sides, as its run saw it.

use crate::StudyError;
use crate::run::workspace::write_json;
use crate::session::Session;
use dejaview_matching::pass;

/// Notes which documents of a segment are documents of the source.
pub(crate) fn write_both_sides(session: &Session, segment: &str, passed: &pass::Segment) -> Result<(), StudyError> {
    if passed.both.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = passed.both.iter().map(|target| &*passed.targets[target.index()].id).collect();
    write_json(&session.workspace().both(segment), &ids)
}
