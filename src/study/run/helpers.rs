//! Who helps with a run, and what they are asked to do in each of its stages.

use std::path::PathBuf;

use crate::StudyError;
use crate::recipe::files::Segment;
use crate::run::fitting::must_count_target;
use crate::run::kit::{NoSource, Prepared, kit_bytes, rests_on, write_kit};
use crate::run::part::Parts;
use crate::run::plan::Plan;
use crate::run::spark::{Spark, SparkJob};
use crate::run::stage::KitStage;
use crate::run::watch::Watch;
use crate::run::workspace::write_whole;
use crate::session::Session;
use dejaview_matching::Content;
use dejaview_matching::source::Source;

/// Who searches the target beside the process of the run.
#[derive(Debug, Clone, Default)]
pub enum Workers {
    /// Nobody.
    #[default]
    None,
    /// Workers that somebody started; what they found is in this folder. What they did not search is searched here.
    Parts(PathBuf),
    /// Workers that a Spark cluster starts.
    Spark(Spark),
}

/// The helpers of a run.
pub(crate) struct Helpers<'a> {
    pub(crate) session: &'a Session,
    pub(crate) plan: &'a Plan,
    pub(crate) workers: &'a Workers,
    pub(crate) watch: &'a dyn Watch,
}

impl Helpers<'_> {
    /// What workers have counted in the files of the target, where methods are fitted to it.
    pub(crate) fn counted(&self, source: &Source, content: &Content) -> Result<Option<Parts>, StudyError> {
        if !must_count_target(self.session, self.plan) {
            return Ok(None);
        }
        self.parts_of(KitStage::Statistics, |spark, parts| {
            let kit = self.session.workspace().kit();
            write_whole(&kit, &counting_kit(self.session, self.plan, source, content)?)?;
            let rests_on = &rests_on(KitStage::Statistics, &self.plan.digest, "");
            let segments = &self.plan.corpora.segments;
            spark.search(&SparkJob { kit: &kit, parts, rests_on, segments, join: None }, self.watch)
        })
    }

    /// What workers have found in the files of the segments that are `left`.
    pub(crate) fn found(&self, prepared: &Prepared<'_>, left: &[Segment]) -> Result<Option<Parts>, StudyError> {
        self.parts_of(KitStage::Search, |spark, parts| {
            let kit = self.session.workspace().kit();
            write_kit(&kit, self.session, prepared, left)?;
            let rests_on = &prepared.rests_on();
            spark.search(&SparkJob { kit: &kit, parts, rests_on, segments: left, join: None }, self.watch)
        })
    }

    /// The parts of a stage, made by a cluster if there is one.
    fn parts_of(
        &self,
        stage: KitStage,
        make: impl FnOnce(&Spark, &Parts) -> Result<(), StudyError>,
    ) -> Result<Option<Parts>, StudyError> {
        let folder = self.session.workspace().found();
        match self.workers {
            // A job on a cluster that failed has left what it found.
            Workers::None => Ok(folder.is_dir().then(|| Parts::new(folder, stage))),
            Workers::Parts(folder) => Ok(Some(Parts::new(folder.clone(), stage))),
            Workers::Spark(spark) => {
                let parts = Parts::new(folder, stage);
                make(spark, &parts)?;
                Ok(Some(parts))
            }
        }
    }
}

/// The kit with which workers count the words of the target.
pub(crate) fn counting_kit(
    session: &Session,
    plan: &Plan,
    source: &Source,
    content: &Content,
) -> Result<Vec<u8>, StudyError> {
    let nothing = NoSource::default();
    let prepared = Prepared { source, ..nothing.prepared(KitStage::Statistics, &plan.digest, content) };
    kit_bytes(session, &prepared, &plan.corpora.segments)
}
