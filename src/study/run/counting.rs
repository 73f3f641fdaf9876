//! Brings together what workers counted in the files of the target, for methods that are fitted to both sides.
//!
//! Counts are added, and addition knows no order: the statistics are those of one process, byte for byte. Memory is that of
//! the statistics and of one part.

use crate::StudyError;
use crate::run::kit::rests_on;
use crate::run::part::Parts;
use crate::run::plan::Plan;
use crate::run::stage::KitStage;
use dejaview_corpus::Input;
use dejaview_matching::fitting::Collection;

/// Adds what workers counted; returns the files that nobody has. A file that stands there under two names counts once, as
/// it is read once.
pub(crate) fn add_counts(parts: &Parts, plan: &Plan, whole: &mut Collection) -> Result<Vec<Input>, StudyError> {
    let rests_on = rests_on(KitStage::Statistics, &plan.digest, "");
    let inputs: Vec<Input> = plan.corpora.targets().collect();
    let same_files = Input::same_files(&inputs);
    let segments = plan.corpora.segments.iter();
    let names = segments.flat_map(|segment| segment.inputs.iter().map(|_| &*segment.name));
    let mut left = Vec::new();
    for (number, (segment, input)) in names.zip(inputs).enumerate() {
        if same_files.contains_key(&number) {
            continue;
        }
        match parts.open(segment, &input, &rests_on)? {
            Some(part) => part.add_counts(whole)?,
            None => left.push(input),
        }
    }
    Ok(left)
}
