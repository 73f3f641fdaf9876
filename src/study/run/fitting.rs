//! Fits methods to a collection before the pass, once: what was fitted is stored and stays as it is when a segment is
//! added.

use std::fs;
use std::sync::Arc;

use crate::StudyError;
use crate::recipe::files::inputs;
use crate::recipe::{ConfigurationRecipe, ContentRecipe, StatisticsFrom};
use crate::run::workspace::write_whole;
use crate::run::{Plan, Stage, Watch};
use crate::session::Session;
use dejaview_base::hash;
use dejaview_corpus::Input;
use dejaview_matching::Content;
use dejaview_matching::fitting::{Collection, recurring_lines};
use dejaview_matching::source::{Join, Source, SourceDocument};
use dejaview_methods::{Statistics, Values};
use dejaview_text::Recurring;

/// Statistics with their digest.
#[derive(Debug, Default)]
pub(crate) struct Fitted {
    pub(crate) statistics: Statistics,
    /// Empty when no configuration needs any.
    pub(crate) digest: String,
}

impl Session {
    /// Whether a configuration of the study must be fitted.
    pub(crate) fn needs_fitting(&self) -> bool {
        self.recipe().configurations.iter().any(|c| c.algorithm().fitted)
    }

    /// What the last run was fitted to; empty when none of these configurations needs to know.
    pub(crate) fn stored_statistics(&self, asking: &[ConfigurationRecipe]) -> Result<Statistics, StudyError> {
        let Some(first) = asking.iter().find(|c| c.algorithm().fitted) else { return Ok(Statistics::default()) };
        let stored = self.read_statistics(&self.plan_digest()?);
        stored
            .map(|fitted| fitted.statistics)
            .ok_or_else(|| StudyError::NotFitted { path: self.folder().to_owned(), configuration: first.name.clone() })
    }

    /// What the last run stored, if it was of this plan.
    pub(crate) fn read_statistics(&self, plan: &str) -> Option<Fitted> {
        let bytes = fs::read(self.workspace().statistics()).ok()?;
        let bytes = bytes.strip_prefix(plan.as_bytes())?;
        Some(Fitted { statistics: Statistics::from_bytes(bytes)?, digest: hash::digest(bytes) })
    }

    /// The statistics for a run: stored ones, or new ones that are stored.
    pub(crate) fn statistics(
        &self,
        plan: &Plan,
        source: &Source,
        content: &Content,
        threads: usize,
        watch: &dyn Watch,
    ) -> Result<Fitted, StudyError> {
        if !self.needs_fitting() {
            return Ok(Fitted::default());
        }
        if let Some(stored) = self.read_statistics(&plan.digest) {
            return Ok(stored);
        }
        let statistics = self.collect(plan, source, content, threads, watch)?;
        let bytes = statistics.to_bytes();
        write_whole(&self.workspace().statistics(), &[plan.digest.as_bytes(), &bytes].concat())?;
        Ok(Fitted { statistics, digest: hash::digest(&bytes) })
    }

    /// What of a page counts, as the last run had it; for lines that recur, those that it found.
    pub fn content(&self) -> Result<Content, StudyError> {
        Ok(match self.recipe().content {
            ContentRecipe::All => Content::All,
            ContentRecipe::Main => Content::Main,
            ContentRecipe::Own => {
                let stored = self.read_lines(&self.plan_digest()?);
                Content::Own(stored.ok_or_else(|| StudyError::NotRun {
                    path: self.folder().to_owned(),
                    why: ", which finds the lines that recur on a host",
                })?)
            }
        })
    }

    fn read_lines(&self, plan: &str) -> Option<Arc<Recurring>> {
        let bytes = fs::read(self.workspace().lines()).ok()?;
        Some(Arc::new(Recurring::from_bytes(bytes.strip_prefix(plan.as_bytes())?).ok()?))
    }

    /// What of a page counts in a run; lines that recur are found in both sides first, and stored.
    pub(crate) fn content_for(&self, plan: &Plan, threads: usize, watch: &dyn Watch) -> Result<Content, StudyError> {
        if self.recipe().content != ContentRecipe::Own {
            return self.content();
        }
        if let Some(lines) = self.read_lines(&plan.digest) {
            return Ok(Content::Own(lines));
        }
        let targets = plan.corpora.segments.iter().flat_map(|s| s.inputs.clone());
        let all: Vec<Input> = plan.corpora.source.iter().cloned().chain(targets).collect();
        watch.stage(Stage::Statistics { bytes: all.iter().map(|input| input.size).sum() });
        let lines = recurring_lines(&all, threads, watch.progress())?;
        write_whole(&self.workspace().lines(), &[plan.digest.as_bytes(), &lines.to_bytes()].concat())?;
        Ok(Content::Own(Arc::new(lines)))
    }

    /// The files that are read to fit methods, beside the source, which is in memory then.
    pub(crate) fn read_to_fit(&self, plan: &Plan) -> Result<Vec<Input>, StudyError> {
        Ok(match &self.recipe().statistics {
            StatisticsFrom::Path(pattern) => inputs(self.folder(), self.recipe(), std::slice::from_ref(pattern))?,
            // Where only the speed rests on statistics, those of the source will do.
            StatisticsFrom::Both if self.recipe().rests_on_statistics() => {
                plan.corpora.segments.iter().flat_map(|s| s.inputs.clone()).collect()
            }
            StatisticsFrom::Both | StatisticsFrom::Source => Vec::new(),
        })
    }

    pub(crate) fn collect(
        &self,
        plan: &Plan,
        source: &Source,
        content: &Content,
        threads: usize,
        watch: &dyn Watch,
    ) -> Result<Statistics, StudyError> {
        let configurations = &self.recipe().configurations;
        let learn = configurations.iter().any(|c| c.algorithm().learns);
        let read = |inputs: &[Input], counted: (Join, &[SourceDocument])| -> Result<Collection, StudyError> {
            watch.stage(Stage::Statistics { bytes: inputs.iter().map(|input| input.size).sum() });
            Ok(Collection::of_inputs(inputs, counted, content, (threads, watch.progress()), learn)?)
        };
        let inputs = self.read_to_fit(plan)?;
        let collection = if let StatisticsFrom::Path(_) = self.recipe().statistics {
            if let [only] = &inputs[..]
                && let Some(stored) = stored_elsewhere(only)
            {
                return Ok(stored);
            }
            read(&inputs, (Join::Apart, &[]))?
        } else {
            let mut whole = Collection::of_source(source, threads, learn)?;
            if !inputs.is_empty() {
                whole.merge(read(&inputs, (self.recipe().join, &source.documents))?);
            }
            whole
        };
        let learners: Vec<&Values> =
            configurations.iter().filter(|c| c.algorithm().learns).map(|c| &c.values).collect();
        Ok(collection.finish(learners.into_iter()))
    }
}

/// The statistics in a file that another study has stored.
fn stored_elsewhere(input: &Input) -> Option<Statistics> {
    let bytes = fs::read(&input.path).ok()?;
    let plan = hash::digest(&[]).len();
    Statistics::from_bytes(bytes.get(plan..)?)
}
