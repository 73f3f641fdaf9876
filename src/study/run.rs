//! Runs a study: the source once, then each segment that is not finished, each written whole or not at all.
//!
//! A segment is finished when its file of facts is there, which is written last. A run that was killed goes on behind
//! the finished segments, and what it writes is byte for byte what an undisturbed run writes.

use std::time::Instant;

use super::StudyError;
use super::corpora::{Corpora, Segment, inputs, judgment_files};
use super::fitting::Fitted;
use super::imports::{IMPORTED, StudyImports};
use super::keeping::{Keeper, Place, keep_sources};
use super::manifest::{self, Facts, FileFacts, SkippedFacts, Summary, Timing};
use super::recipe::{Keep, StatisticsFrom};
use super::session::Session;
use super::workspace::{read_json, write_json};
use crate::base::hash;
use crate::base::progress::Progress;
use crate::base::timing::{Stage as Stopwatch, Timings};
use crate::corpus::Input;
use crate::corpus::qrels::Judgments;
use crate::index::{Index, KeptSide, Writer};
use crate::matching::pairs::{self, PairsFile, Rows};
use crate::matching::pass::{self, pass_named};
use crate::matching::source::{Order, Seen, Source, SourceDocument};
use crate::matching::{Configuration, Content, MatchingError};

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

/// What a run would do.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The files, those of the source that cannot hold a judged document left out.
    pub corpora: Corpora,
    /// Names of the segments that are finished already.
    pub finished: Vec<String>,
    /// Digest of what the pairs depend on beside the target.
    pub(super) digest: String,
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
    pub(super) fn plan_digest(&self) -> Result<String, StudyError> {
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
            StatisticsFrom::Path(pattern) => inputs(self.folder(), std::slice::from_ref(pattern))?,
            _ => Vec::new(),
        };
        let mut files: Vec<FileFacts> =
            corpora.source.iter().chain(&fitted_to).map(|input| FileFacts::of(input, 0)).collect();
        files.extend(self.import_files()?);
        let digest = manifest::plan(self.recipe(), &files, &judgment_digests(self)?);
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
        (facts.plan == plan.digest && facts.statistics == fitted && same_files && there).then_some(facts)
    }

    /// Whether a finished segment has a pair with texts.
    fn has_pairs(&self, plan: &Plan) -> bool {
        let facts = |name: &String| read_json::<Facts>(&self.workspace().segment(name)).unwrap_or_default();
        plan.finished
            .iter()
            .filter(|name| *name != IMPORTED)
            .any(|name| facts(name).pairs.values().any(|count| *count > 0))
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
        };
        let (source, segments) = runner.everything(judgments.as_ref())?;
        self.workspace().tidy()?;
        manifest::write(self.workspace(), self.recipe(), &source, &segments)?;
        let mut summary = Summary::of(self.recipe(), &source, &segments);
        summary.seconds = start.elapsed().as_secs_f64();
        summary.resumed = resumed;
        summary.source_bytes = runner.bytes;
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

/// One run under way.
struct Runner<'a> {
    session: &'a Session,
    options: Options,
    watch: &'a dyn Watch,
    plan: Plan,
    index: Index,
    timings: Timings,
    /// Memory of the source.
    bytes: usize,
    /// Digest of the statistics.
    fitted: String,
    /// What of a page counts.
    content: Content,
    /// Pairs of other tools.
    imports: StudyImports,
}

impl Runner<'_> {
    /// Facts about the source and about each segment, made or found.
    fn everything(&mut self, judgments: Option<&Judgments>) -> Result<(Facts, Vec<(String, Facts)>), StudyError> {
        let workspace = self.session.workspace();
        let earlier: Option<Facts> = read_json(&workspace.source()).filter(|f: &Facts| f.plan == self.plan.digest);
        let left = self.plan.corpora.segments.iter().filter(|s| !self.plan.finished.contains(&s.name)).cloned();
        let (imported, left): (Vec<Segment>, Vec<Segment>) = left.partition(|segment| segment.imported);
        let facts = match earlier {
            Some(facts) if left.is_empty() => facts,
            earlier => self.segments(&left, judgments, earlier.is_none())?,
        };
        if !imported.is_empty() {
            self.imported()?;
        }
        let mut all = Vec::new();
        for segment in &self.plan.corpora.segments {
            let facts = read_json(&workspace.segment(&segment.name)).unwrap_or_default();
            all.push((segment.name.clone(), facts));
        }
        Ok((facts, all))
    }

    fn segments(
        &mut self,
        left: &[Segment],
        judgments: Option<&Judgments>,
        another_source: bool,
    ) -> Result<Facts, StudyError> {
        let mut writer = self.index.writer(self.options.threads)?;
        if another_source {
            // Texts of another source, or of segments that are no longer in the study, must not be shown for these.
            writer.forget(KeptSide::Source, "");
            for name in self.session.workspace().segments_beside(&self.plan.corpora.segments) {
                writer.forget(KeptSide::Target, &name);
            }
            writer.commit()?;
            self.index.refresh()?;
        }
        self.content = self.session.content_for(&self.plan, self.options.threads, self.watch)?;
        let mut source = self.source(judgments, &writer)?;
        let Fitted { statistics, digest } =
            self.session.statistics(&self.plan, &source, &self.content, self.options.threads, self.watch)?;
        let configurations = self.session.fitted(&statistics)?;
        source.index(&configurations, self.options.threads);
        self.timings.merge(&source.timings);
        self.bytes = source.bytes();
        self.fitted = digest;
        let facts = Facts {
            plan: self.plan.digest.clone(),
            statistics: self.fitted.clone(),
            documents: source.documents.len() as u64,
            inputs: facts_of_files(&self.plan.corpora.source, &source.digests),
            skipped: SkippedFacts::of(&source.skipped, &self.plan.corpora.source),
            ..Facts::default()
        };
        write_json(&self.session.workspace().source(), &facts)?;
        for segment in left {
            self.segment(segment, &configurations, &source, &mut writer)?;
        }
        self.watch.stage(Stage::Index);
        let mut timings = self.timings;
        timings.time(Stopwatch::Commit, || -> Result<(), StudyError> {
            writer.commit()?;
            Ok(writer.finish()?)
        })?;
        self.timings = timings;
        Ok(facts)
    }

    /// The segment of imported pairs whose documents are nowhere else; behind all others, since it holds what they do not.
    fn imported(&self) -> Result<(), StudyError> {
        let workspace = self.session.workspace();
        let segments = &self.plan.corpora.segments;
        let mut facts = self.session.write_imported(&self.imports, segments)?;
        let fitted = self.session.read_statistics(&self.plan.digest).map(|fitted| fitted.digest);
        facts.plan = self.plan.digest.clone();
        facts.statistics = fitted.unwrap_or_default();
        facts.inputs =
            segments.iter().find(|s| s.imported).map(|s| files_of(&self.plan.corpora, s)).unwrap_or_default();
        write_json(&workspace.segment(IMPORTED), &facts)
    }

    fn source(&mut self, judgments: Option<&Judgments>, writer: &Writer) -> Result<Source, StudyError> {
        let inputs = &self.plan.corpora.source;
        let progress = self.watch.progress();
        self.watch.stage(Stage::Source { bytes: Corpora::bytes(inputs) });
        let keeper = Keeper::new(writer, progress);
        let all = self.session.recipe().keep == Keep::All;
        let keep = |seen: &Seen<'_>| {
            keeper.keep(Place { side: KeptSide::Source, segment: "", input: &inputs[seen.file] }, seen);
        };
        let (content, threads) = (&self.content, self.options.threads);
        let order = Order { inputs, content, configurations: &[], threads, progress, keep: &keep, keep_all: all };
        let source = Source::read(order, &|id| judgments.is_none_or(|j| j.document(id).is_some()));
        keeper.result()?;
        let source = source?;
        if progress.cancelled() {
            return Err(MatchingError::Cancelled.into());
        }
        Ok(source)
    }

    fn segment(
        &mut self,
        segment: &Segment,
        configurations: &[Configuration],
        source: &Source,
        writer: &mut Writer,
    ) -> Result<(), StudyError> {
        let inputs = &segment.inputs;
        let progress = self.watch.progress();
        let all = &self.plan.corpora.segments;
        let number = all.iter().position(|s| s.name == segment.name).unwrap_or_default() + 1;
        self.watch.stage(Stage::Segment { name: &segment.name, number, of: all.len(), bytes: Corpora::bytes(inputs) });
        writer.forget(KeptSide::Target, &segment.name);
        let keeper = Keeper::new(writer, progress);
        let keep = |seen: &Seen<'_>| {
            keeper.keep(Place { side: KeptSide::Target, segment: &segment.name, input: &inputs[seen.file] }, seen);
        };
        let keep_all = self.session.recipe().keep == Keep::All;
        let (content, threads) = (&self.content, self.options.threads);
        let order = Order { inputs, content, configurations, threads, progress, keep: &keep, keep_all };
        let passed = pass_named(order, source, &self.imports.named(source));
        keeper.result()?;
        let passed = passed?;
        let mut timings = passed.timings;
        let facts = timings.time(Stopwatch::Write, || self.write(segment, configurations, source, &passed))?;
        timings.time(Stopwatch::Commit, || -> Result<(), StudyError> {
            let matched = self.newly_matched(source, &passed)?;
            keep_sources(matched.into_iter(), &self.plan.corpora.source, writer)?;
            writer.commit()?;
            Ok(self.index.refresh()?)
        })?;
        write_json(&self.session.workspace().segment(&segment.name), &facts)?;
        self.timings.merge(&timings);
        Ok(())
    }

    /// Writes the pairs of a segment; returns the facts that finish it.
    fn write(
        &self,
        segment: &Segment,
        configurations: &[Configuration],
        source: &Source,
        passed: &pass::Segment,
    ) -> Result<Facts, StudyError> {
        let mut counts = std::collections::BTreeMap::new();
        for (c, (configuration, hits)) in configurations.iter().zip(&passed.hits).enumerate() {
            let path = self.session.workspace().pairs(&configuration.name, &segment.name);
            let ids = hits.iter().map(|&(i, _)| {
                let pair = &passed.found[i as usize];
                (&*source.documents[pair.source as usize].id, &*passed.targets[pair.target as usize].id)
            });
            let rows = Rows { found: &passed.found, hits, imported: &self.imports.said(c, ids) };
            pairs::write_imported(&path, &source.documents, &passed.targets, rows)?;
            counts.insert(configuration.name.clone(), hits.len() as u64);
        }
        Ok(Facts {
            plan: self.plan.digest.clone(),
            statistics: self.fitted.clone(),
            documents: passed.documents,
            inputs: facts_of_files(&segment.inputs, &passed.digests),
            pairs: counts,
            skipped: SkippedFacts::of(&passed.skipped, &segment.inputs),
        })
    }

    /// Source documents that have a pair in this segment and are not in the index yet.
    fn newly_matched<'s>(
        &self,
        source: &'s Source,
        passed: &pass::Segment,
    ) -> Result<Vec<&'s SourceDocument>, StudyError> {
        let mut numbers: Vec<u32> = passed.found.iter().map(|pair| pair.source).collect();
        numbers.dedup();
        let mut matched = Vec::new();
        for number in numbers {
            let document = &source.documents[number as usize];
            if !self.index.holds(KeptSide::Source, &document.id)? {
                matched.push(document);
            }
        }
        Ok(matched)
    }
}

fn facts_of_files(inputs: &[Input], digests: &[u128]) -> Vec<FileFacts> {
    inputs.iter().zip(digests).map(|(input, &digest)| FileFacts::of(input, digest)).collect()
}

/// The files that a segment depends on. That of imported pairs depends on all others: it holds what they do not.
fn files_of(corpora: &Corpora, segment: &Segment) -> Vec<FileFacts> {
    let facts = |input: &Input| FileFacts::of(input, 0);
    match segment.imported {
        true => corpora.segments.iter().flat_map(|other| &other.inputs).map(facts).collect(),
        false => segment.inputs.iter().map(facts).collect(),
    }
}
