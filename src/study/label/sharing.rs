//! The pairs of a study's sample shared out among annotators.

use crate::StudyError;
use crate::label::drawing::Draw;
use dejaview_evaluation::sample::{Sample, SampledPair, share, share_rest};

/// Among whom a sample is shared out, as asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assignment {
    /// Their names; none: everyone is asked about every pair.
    pub annotators: Vec<String>,
    /// Pairs that all of them are asked about.
    pub overlap: u64,
}

impl Assignment {
    /// An error unless there are several, each named once, and no more pairs are shared than drawn.
    pub(crate) fn fits(&self, size: u64) -> Result<(), StudyError> {
        let wrong = |why: String| Err(StudyError::Sample { why });
        let names = &self.annotators;
        if names.len() == 1 {
            return wrong(format!("a sample is shared out among two annotators or more, not to {} alone", names[0]));
        }
        if let Some(name) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)).map(|(_, name)| name)
        {
            return wrong(format!("{name} is named twice in --assign"));
        }
        if names.iter().any(|name| name.trim().is_empty() || name.trim() != name) {
            return wrong("every name in --assign needs letters, and no blanks around them".to_owned());
        }
        if !names.is_empty() && self.overlap > size {
            return wrong(format!("{} pairs cannot be given to all where {size} are drawn", self.overlap));
        }
        Ok(())
    }
}

/// Shares the pairs of a sample out. Those of the sample of this name that was drawn before stay with whom they were given to;
/// where it was shared out, each further pair is given to one.
pub(crate) fn assign(pairs: &mut [SampledPair], draw: &Draw, before: Option<&Sample>) -> Result<(), StudyError> {
    let Assignment { annotators, overlap } = &draw.assignment;
    let Some(before) = before else {
        if !annotators.is_empty() {
            share(pairs, annotators, *overlap, draw.seed);
        }
        return Ok(());
    };
    if !annotators.is_empty() {
        let mut anew = before.pairs.clone();
        share(&mut anew, annotators, *overlap, draw.seed);
        if anew != before.pairs {
            let why = format!("{} was drawn before and not shared out so; choose another --name", draw.name);
            return Err(StudyError::Sample { why });
        }
    }
    for (pair, old) in pairs.iter_mut().zip(&before.pairs) {
        if (&pair.source, &pair.target) == (&old.source, &old.target) {
            pair.assigned.clone_from(&old.assigned);
        }
    }
    let names: Vec<String> = before.annotators().into_iter().map(str::to_owned).collect();
    if !names.is_empty() {
        share_rest(pairs, &names, draw.seed);
    }
    Ok(())
}
