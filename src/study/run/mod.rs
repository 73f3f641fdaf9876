//! Runs a study: the source once, then each segment that is not finished, each written whole or not at all.
//!
//! A segment is finished when its file of facts is there, which is written last. A run that was killed goes on behind
//! the finished segments, and what it writes is byte for byte what an undisturbed run writes.

pub mod both;
pub mod cost;
pub mod fitting;
pub mod imports;
pub mod keeping;
pub mod manifest;
pub mod process;
mod runner;
pub mod workspace;

use std::time::Instant;

use crate::StudyError;
use crate::recipe::StatisticsFrom;
use crate::recipe::files::{Corpora, Segment, inputs, judgment_files};
use crate::run::imports::IMPORTED;
use crate::run::manifest::{Facts, FileFacts, Summary, Timing};
use crate::run::process::peak_memory;
use crate::run::workspace::read_json;
use crate::session::Session;
use dejaview_base::hash;
use dejaview_base::progress::Progress;
use dejaview_base::timing::Timings;
use dejaview_corpus::Input;
use dejaview_corpus::qrels::Judgments;
use dejaview_index::Index;
use dejaview_matching::Content;
use dejaview_matching::pairs::PairsFile;
use dejaview_matching::source::Sides;
use runner::Runner;

/// How to run.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// At least 1.
    pub threads: usize,
    /// Forget what earlier runs made.
    pub fresh: bool,
}

/// What a run is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage<'a> {
    /// Reading the source.
    Source {
        /// Bytes on disk to read.
        bytes: u64,
    },
    /// Reading documents for statistics alone.
    Statistics {
        /// Bytes on disk to read.
        bytes: u64,
    },
    /// Passing a segment of the target.
    Segment {
        /// Its name.
        name: &'a str,
        /// Counted from 1.
        number: usize,
        /// Of so many.
        of: usize,
        /// Bytes on disk to read.
        bytes: u64,
    },
    /// Making the index ready.
    Index,
}

/// Someone who wants to know how far a run has come.
pub trait Watch: Sync {
    /// Counters that the run raises, and through which it is asked to stop.
    fn progress(&self) -> &Progress;
    /// A stage begins.
    fn stage(&self, stage: Stage<'_>);
}

/// Nobody watches.
#[derive(Debug, Default)]
pub struct Unwatched(Progress);

impl Watch for Unwatched {
    fn progress(&self) -> &Progress {
        &self.0
    }

    fn stage(&self, _: Stage<'_>) {}
}

/// What a run would do.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The files, those of the source that cannot hold a judged document left out.
    pub corpora: Corpora,
    /// Names of the segments that are finished already.
    pub finished: Vec<String>,
    /// Digest of what the pairs depend on beside the target.
    pub(crate) digest: String,
    /// Distinct judged documents, when there are judgments.
    pub judged: Option<usize>,
}

impl Session {
    /// What a run would read and what is done already.
    pub fn plan(&self) -> Result<Plan, StudyError> {
        let judgments = self.judgments()?;
        self.plan_with(judgments.as_ref())
    }

    /// Digest of what the pairs depend on beside the target.
    pub(crate) fn plan_digest(&self) -> Result<String, StudyError> {
        Ok(self.unchecked_plan(self.judgments()?.as_ref())?.digest)
    }

    fn plan_with(&self, judgments: Option<&Judgments>) -> Result<Plan, StudyError> {
        let plan = self.unchecked_plan(judgments)?;
        let finished = plan.corpora.segments.iter().filter(|segment| self.facts_of(&plan, segment).is_some());
        let finished = finished.map(|segment| segment.name.clone()).collect();
        Ok(Plan { finished, ..plan })
    }

    /// The plan before anyone has looked at what is finished.
    fn unchecked_plan(&self, judgments: Option<&Judgments>) -> Result<Plan, StudyError> {
        let mut corpora = self.corpora()?;
        if let Some(judgments) = judgments {
            corpora.only_files_of(judgments.documents().iter().map(String::as_str));
        }
        let fitted_to = match &self.recipe().statistics {
            StatisticsFrom::Path(pattern) => inputs(self.folder(), self.recipe(), std::slice::from_ref(pattern))?,
            // Another segment changes the statistics, and with them the pairs of all segments.
            StatisticsFrom::Both if self.recipe().rests_on_statistics() => {
                let mut targets: Vec<Input> = corpora.targets().collect();
                targets.sort_by(|a, b| a.path.cmp(&b.path));
                targets
            }
            _ => Vec::new(),
        };
        let mut files: Vec<FileFacts> =
            corpora.source.iter().chain(&fitted_to).map(|input| FileFacts::of(input, 0)).collect();
        files.extend(self.import_files()?);
        let itself = Sides::share_files(&corpora.source, corpora.targets());
        let digest = manifest::plan(self.recipe(), &files, &judgment_digests(self)?, itself);
        Ok(Plan { corpora, finished: Vec::new(), digest, judged: judgments.map(|j| j.documents().len()) })
    }

    /// Facts about a segment if it is finished, as this plan would have it.
    fn facts_of(&self, plan: &Plan, segment: &Segment) -> Option<Facts> {
        let facts: Facts = read_json(&self.workspace().segment(&segment.name))?;
        let now = files_of(&plan.corpora, segment);
        let same_files = facts.inputs.len() == now.len() && facts.inputs.iter().zip(&now).all(|(a, b)| a.same(b));
        let there = self
            .recipe()
            .configurations
            .iter()
            .all(|c| PairsFile::open(&self.workspace().pairs(&c.name, &segment.name)).is_ok());
        let fitted = self.read_statistics(&plan.digest).map(|fitted| fitted.digest).unwrap_or_default();
        let told = facts.both == 0 || self.workspace().both(&segment.name).is_file();
        let beside = facts.beside.is_empty() || facts.beside == target_digest(&plan.corpora);
        (facts.plan == plan.digest && facts.statistics == fitted && same_files && there && told && beside)
            .then_some(facts)
    }

    /// Whether a finished segment has a pair with texts.
    fn has_pairs(&self, plan: &Plan) -> bool {
        let facts = |name: &String| read_json::<Facts>(&self.workspace().segment(name)).unwrap_or_default();
        plan.finished
            .iter()
            .filter(|name| *name != IMPORTED)
            .any(|name| facts(name).pairs.values().any(|count| *count > 0))
    }

    /// The two sides of the study, as far as a document may stand on both.
    pub(crate) fn sides(&self, corpora: &Corpora) -> Sides {
        Sides::new(self.recipe().join, &corpora.source, corpora.targets().collect())
    }

    /// Runs the study, or what is left of it.
    pub fn run(&self, options: Options, watch: &dyn Watch) -> Result<Summary, StudyError> {
        let start = Instant::now();
        let _lock = self.workspace().lock()?;
        if options.fresh {
            self.workspace().clear()?;
        }
        let names: Vec<&str> = self.recipe().configurations.iter().map(|c| c.name.as_str()).collect();
        self.workspace().create(&names)?;
        let judgments = self.judgments()?;
        let mut plan = self.plan_with(judgments.as_ref())?;
        let index = Index::open(&self.workspace().index())?;
        if index.remade() || (index.documents() == 0 && self.has_pairs(&plan)) {
            // Texts are gone, by an upgrade or by hand: pairs without texts cannot be shown, so all is made again.
            plan.finished.clear();
        }
        let resumed = plan.finished.len();
        let sides = self.sides(&plan.corpora);
        let mut runner = Runner {
            session: self,
            options,
            watch,
            plan,
            index,
            timings: Timings::default(),
            bytes: 0,
            fitted: String::new(),
            content: Content::All,
            imports: self.imports(judgments.as_ref())?,
            sides,
        };
        let (source, segments) = runner.everything(judgments.as_ref())?;
        self.workspace().tidy()?;
        manifest::write(self.workspace(), self.recipe(), &source, &segments)?;
        let mut summary = Summary::of(self.recipe(), &source, &segments);
        summary.seconds = start.elapsed().as_secs_f64();
        summary.resumed = resumed;
        summary.source_bytes = runner.bytes;
        summary.peak_memory = peak_memory();
        summary.timings = Timing::of(&runner.timings);
        Ok(summary)
    }
}

fn judgment_digests(session: &Session) -> Result<Vec<(String, String)>, StudyError> {
    judgment_files(session.folder(), session.recipe())?
        .into_iter()
        .map(|file| {
            let bytes = std::fs::read(&file.path).map_err(|why| StudyError::File {
                doing: "reading",
                path: file.path.clone(),
                why,
            })?;
            let name = file.path.strip_prefix(session.folder()).unwrap_or(&file.path);
            Ok((name.to_string_lossy().into_owned(), hash::digest(&bytes)))
        })
        .collect()
}

/// Digest of the files of all segments, without reading them.
fn target_digest(corpora: &Corpora) -> String {
    manifest::digest_of_files(corpora.segments.iter().flat_map(|segment| &segment.inputs))
}

/// The files that a segment depends on. That of imported pairs depends on all others: it holds what they do not.
fn files_of(corpora: &Corpora, segment: &Segment) -> Vec<FileFacts> {
    let facts = |input: &Input| FileFacts::of(input, 0);
    match segment.imported {
        true => corpora.segments.iter().flat_map(|other| &other.inputs).map(facts).collect(),
        false => segment.inputs.iter().map(facts).collect(),
    }
}
