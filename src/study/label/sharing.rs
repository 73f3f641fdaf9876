//! The pairs of a study's sample shared out among annotators.

use crate::StudyError;
use crate::label::draw::{Assignment, SampleDraw};
use dejaview_evaluation::sample::{Sample, SampledPair, share, share_rest};

/// Shares the pairs of a sample out. Those of the sample of this name that was drawn before stay with whom they were given to;
/// where it was shared out, each further pair is given to one.
pub(crate) fn assign(
    pairs: &mut [SampledPair],
    draw: &SampleDraw,
    previous: Option<&Sample>,
) -> Result<(), StudyError> {
    let Assignment { annotators, overlap } = &draw.assignment;
    let Some(previous) = previous else {
        if !annotators.is_empty() {
            share(pairs, annotators, *overlap, draw.seed);
        }
        return Ok(());
    };
    if !annotators.is_empty() {
        let mut shared_again = previous.pairs.clone();
        share(&mut shared_again, annotators, *overlap, draw.seed);
        if shared_again != previous.pairs {
            let why = format!("{} was drawn before and not shared out so; choose another --name", draw.name);
            return Err(StudyError::Sample { why });
        }
    }
    for (pair, old) in pairs.iter_mut().zip(&previous.pairs) {
        if (&pair.source, &pair.target) == (&old.source, &old.target) {
            pair.assigned.clone_from(&old.assigned);
        }
    }
    let names: Vec<String> = previous.annotators().into_iter().map(str::to_owned).collect();
    if !names.is_empty() {
        share_rest(pairs, &names, draw.seed);
    }
    Ok(())
}
