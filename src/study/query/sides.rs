//! Both sides of a study with their texts, in memory.

use crate::StudyError;
use crate::run::watch::{Stage, Watch};
use crate::snapshot::Snapshot;
use dejaview_corpus::Input;
use dejaview_matching::source::{ReadOptions, Source};

/// Both sides with their texts, in memory: of the source the judged documents, of the target all.
pub(crate) fn read_sides(study: &Snapshot, threads: usize, watch: &dyn Watch) -> Result<(Source, Source), StudyError> {
    let judgments = study.judgments()?;
    let plan = study.plan()?;
    let targets: Vec<Input> = plan.corpora.segments.iter().flat_map(|s| s.inputs.clone()).collect();
    let content = study.content()?;
    let read = |inputs: &[Input], wanted: &(dyn Fn(&str) -> bool + Sync)| -> Result<Source, StudyError> {
        watch.stage(Stage::Statistics { bytes: inputs.iter().map(|input| input.size).sum() });
        Ok(Source::read(ReadOptions::of_inputs(inputs, content, threads, watch.progress()), wanted)?)
    };
    let judged = |id: &str| judgments.as_ref().is_none_or(|j| j.document(id).is_some());
    Ok((read(&plan.corpora.source, &judged)?, read(&targets, &|_| true)?))
}
