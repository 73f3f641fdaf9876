//! Runs a study: the source once, then each segment that is not finished, each written whole or not at all.

use std::sync::Mutex;
use std::time::Instant;

use crate::StudyError;
use crate::recipe::Keep;
use crate::recipe::files::{Corpora, IMPORTED, Segment};
use crate::run::both::write_both_sides;
use crate::run::fitted::{Fitted, read_statistics};
use crate::run::fitting::{content_for, fit_all, fit_statistics};
use crate::run::imports::{StudyImports, read_imports, write_imported};
use crate::run::keeping::{DocumentOrigin, EarlierIds, Keeper, keep_sources, write_source_titles};
use crate::run::manifest::{self, Facts, FileFacts, SkippedFacts, Summary, Timing};
use crate::run::plan::{Plan, files_of, plan_with_judgments, sides_of, target_digest};
use crate::run::process::peak_memory;
use crate::run::state::with_reports;
use crate::run::watch::{Stage, Watch};
use crate::run::workspace::{read_json, write_json};
use crate::session::Session;
use dejaview_base::timing::{Stage as Stopwatch, Timings};
use dejaview_corpus::Input;
use dejaview_corpus::qrels::Judgments;
use dejaview_index::{Index, KeptSide, Writer};
use dejaview_matching::pairs::{self, FoundRows, PairRows};
use dejaview_matching::pass::{self, pass};
use dejaview_matching::source::{ReadOptions, SeenDocument, Sides, Source, SourceDocument};
use dejaview_matching::{Configuration, Content, DocumentNumber, GroupNumber, MatchingError};

#[derive(Debug, Clone, Copy)]
pub struct RunOptions {
    /// At least 1.
    pub threads: usize,
    /// Forget what earlier runs made.
    pub fresh: bool,
}

/// Runs the study, or what is left of it.
pub fn run(session: &Session, options: RunOptions, watch: &dyn Watch) -> Result<Summary, StudyError> {
    let start = Instant::now();
    let _lock = session.workspace().lock()?;
    with_reports(session.workspace(), watch, |watch| {
        if options.fresh {
            session.workspace().clear()?;
        }
        let names: Vec<&str> = session.recipe().configurations.iter().map(|c| c.name.as_str()).collect();
        session.workspace().create(&names)?;
        let judgments = session.read_judgments()?;
        let mut plan = plan_with_judgments(session, judgments.as_ref())?;
        let index = Index::open(&session.workspace().index())?;
        if index.was_remade() || (index.documents() == 0 && has_pairs(session, &plan)) {
            // The index was lost or made by another version. Pairs without texts cannot be shown, so all is run again.
            plan.finished.clear();
        }
        let resumed = plan.finished.len();
        let sides = sides_of(session, &plan.corpora);
        let mut runner = Runner {
            session,
            options,
            watch,
            plan,
            index,
            timings: Timings::default(),
            bytes: 0,
            fitted: String::new(),
            content: Content::All,
            imports: read_imports(session, judgments.as_ref())?,
            sides,
        };
        let (source, segments) = runner.run_all(judgments.as_ref())?;
        session.workspace().tidy()?;
        manifest::write(session.workspace(), session.recipe(), &source, &segments)?;
        let mut summary = Summary::from_facts(session.recipe(), &source, &segments);
        summary.seconds = start.elapsed().as_secs_f64();
        summary.resumed = resumed;
        summary.source_bytes = runner.bytes;
        summary.peak_memory = peak_memory();
        summary.timings = Timing::list(&runner.timings);
        Ok(summary)
    })
}

/// Whether a finished segment has a pair with texts.
fn has_pairs(session: &Session, plan: &Plan) -> bool {
    let facts = |name: &String| read_json::<Facts>(&session.workspace().segment(name)).unwrap_or_default();
    plan.finished.iter().filter(|name| *name != IMPORTED).any(|name| facts(name).pairs.values().any(|count| *count > 0))
}

/// One run under way.
struct Runner<'a> {
    session: &'a Session,
    options: RunOptions,
    watch: &'a dyn Watch,
    plan: Plan,
    index: Index,
    timings: Timings,
    /// Memory that the source takes.
    bytes: usize,
    /// Digest of the statistics.
    fitted: String,
    content: Content,
    imports: StudyImports,
    sides: Sides,
}

impl Runner<'_> {
    /// Runs what is left; returns the facts about the source and about each segment.
    fn run_all(&mut self, judgments: Option<&Judgments>) -> Result<(Facts, Vec<(String, Facts)>), StudyError> {
        let workspace = self.session.workspace();
        self.report_finished();
        let earlier: Option<Facts> = read_json(&workspace.source()).filter(|f: &Facts| f.plan == self.plan.digest);
        let left = self.plan.corpora.segments.iter().filter(|s| !self.plan.finished.contains(&s.name)).cloned();
        let (imported, left): (Vec<Segment>, Vec<Segment>) = left.partition(|segment| segment.imported);
        let facts = match earlier {
            Some(facts) if left.is_empty() => facts,
            earlier => self.run_segments(&left, judgments, earlier.is_none())?,
        };
        if !imported.is_empty() {
            self.write_imported_segment()?;
        }
        let mut all = Vec::new();
        for segment in &self.plan.corpora.segments {
            let facts = read_json(&workspace.segment(&segment.name)).unwrap_or_default();
            all.push((segment.name.clone(), facts));
        }
        Ok((facts, all))
    }

    /// Says how many segments of the target are finished.
    fn report_finished(&self) {
        let segments = || self.plan.corpora.segments.iter().filter(|segment| !segment.imported);
        let finished = segments().filter(|segment| self.plan.finished.contains(&segment.name)).count();
        self.watch.finished(finished, segments().count());
    }

    fn run_segments(
        &mut self,
        left: &[Segment],
        judgments: Option<&Judgments>,
        another_source: bool,
    ) -> Result<Facts, StudyError> {
        let mut writer = self.index.writer(self.options.threads)?;
        if another_source {
            // Texts of another source, or of segments that are no longer in the study, must not be shown for these.
            writer.remove_segment(KeptSide::Source, "");
            for name in self.session.workspace().segments_beside(&self.plan.corpora.segments) {
                writer.remove_segment(KeptSide::Target, &name);
            }
            writer.commit()?;
            self.index.refresh()?;
        }
        self.content = content_for(self.session, &self.plan, self.options.threads, self.watch)?;
        let mut source = self.read_source(judgments, &writer)?;
        let Fitted { statistics, digest } =
            fit_statistics(self.session, &self.plan, &source, &self.content, self.options.threads, self.watch)?;
        let configurations = fit_all(self.session, &statistics)?;
        source.index(&configurations, self.options.threads)?;
        self.timings.merge(&source.timings);
        self.bytes = source.bytes();
        self.fitted = digest;
        let facts = Facts {
            plan: self.plan.digest.clone(),
            statistics: self.fitted.clone(),
            documents: source.documents.len() as u64,
            inputs: facts_of_files(&self.plan.corpora.source, &source.digests),
            skipped: SkippedFacts::from_skipped(&source.skipped, &self.plan.corpora.source),
            ..Facts::default()
        };
        write_json(&self.session.workspace().source(), &facts)?;
        for segment in left {
            self.run_segment(segment, &configurations, &source, &mut writer)?;
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

    /// Writes the segment of imported pairs that no other segment holds; so it comes last.
    fn write_imported_segment(&self) -> Result<(), StudyError> {
        let workspace = self.session.workspace();
        let segments = &self.plan.corpora.segments;
        let mut facts = write_imported(self.session, &self.imports, segments)?;
        let fitted = read_statistics(self.session, &self.plan.digest).map(|fitted| fitted.digest);
        facts.plan = self.plan.digest.clone();
        facts.statistics = fitted.unwrap_or_default();
        facts.inputs =
            segments.iter().find(|s| s.imported).map(|s| files_of(&self.plan.corpora, s)).unwrap_or_default();
        write_json(&workspace.segment(IMPORTED), &facts)
    }

    fn read_source(&mut self, judgments: Option<&Judgments>, writer: &Writer) -> Result<Source, StudyError> {
        let inputs = &self.plan.corpora.source;
        let progress = self.watch.progress();
        self.watch.stage(Stage::Source { bytes: Corpora::bytes(inputs) });
        let keeper = Keeper::new(writer, progress);
        let all = self.session.recipe().keep == Keep::All;
        let keep = |seen: &SeenDocument<'_>| {
            keeper.keep(DocumentOrigin { side: KeptSide::Source, segment: "", input: &inputs[seen.file] }, seen);
        };
        let (content, threads, sides) = (&self.content, self.options.threads, &self.sides);
        let options = ReadOptions {
            inputs,
            content,
            configurations: &[],
            threads,
            progress,
            keep: &keep,
            keep_all: all,
            sides,
            elsewhere: &|_| false,
        };
        let source = Source::read(options, &|id| judgments.is_none_or(|j| j.document(id).is_some()));
        keeper.finish()?;
        let source = source?;
        if progress.cancelled() {
            return Err(MatchingError::Cancelled.into());
        }
        write_source_titles(&self.session.workspace().source_titles(), &source.documents)?;
        Ok(source)
    }

    fn run_segment(
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
        writer.remove_segment(KeptSide::Target, &segment.name);
        let keeper = Keeper::new(writer, progress).with_titles(&self.session.workspace().titles(&segment.name))?;
        let keep = |seen: &SeenDocument<'_>| {
            keeper.keep(
                DocumentOrigin { side: KeptSide::Target, segment: &segment.name, input: &inputs[seen.file] },
                seen,
            );
        };
        let keep_all = self.session.recipe().keep == Keep::All;
        let (content, threads, sides) = (&self.content, self.options.threads, &self.sides);
        let ids = EarlierIds { index: &self.index, finished: &self.plan.finished, progress, failure: Mutex::default() };
        let elsewhere = |id: &str| ids.contains(id);
        let options = ReadOptions {
            inputs,
            content,
            configurations,
            threads,
            progress,
            keep: &keep,
            keep_all,
            sides,
            elsewhere: &elsewhere,
        };
        let passed = pass(options, source, &self.imports.named(source));
        keeper.finish()?;
        ids.result()?;
        let passed = passed?;
        let mut timings = passed.timings;
        let facts = timings.time(Stopwatch::Write, || self.write_pairs(segment, configurations, source, &passed))?;
        timings.time(Stopwatch::Commit, || -> Result<(), StudyError> {
            let matched = self.newly_matched(source, &passed)?;
            keep_sources(matched.into_iter(), &self.plan.corpora.source, writer)?;
            writer.commit()?;
            Ok(self.index.refresh()?)
        })?;
        write_both_sides(self.session, &segment.name, &passed)?;
        write_json(&self.session.workspace().segment(&segment.name), &facts)?;
        self.plan.finished.push(segment.name.clone());
        self.report_finished();
        self.timings.merge(&timings);
        Ok(())
    }

    /// Writes the pairs of a segment; returns the facts that finish it.
    fn write_pairs(
        &self,
        segment: &Segment,
        configurations: &[Configuration],
        source: &Source,
        passed: &pass::Segment,
    ) -> Result<Facts, StudyError> {
        let mut counts = std::collections::BTreeMap::new();
        for (c, configuration) in configurations.iter().enumerate() {
            let path = self.session.workspace().pairs(&configuration.name, &segment.name);
            let (hits, in_target) = (&passed.named_hits[c], &*passed.in_target);
            let imported = self.imports.values_of(c, source, passed);
            let (rows, pairs) = if self.imports.imports_pairs_of(c) {
                let found = FoundRows::Documents(&passed.named);
                (PairRows { found, hits, imported: &imported, in_target }, hits.len() as u64)
            } else {
                let found = FoundRows::Groups(&passed.found, [&source.groups, &passed.groups]);
                (PairRows { found, hits: &passed.hits[c], imported: &[], in_target }, passed.pairs(source, c))
            };
            pairs::write(&path, &source.documents, &passed.targets, rows)?;
            counts.insert(configuration.name.clone(), pairs);
        }
        Ok(Facts {
            plan: self.plan.digest.clone(),
            statistics: self.fitted.clone(),
            documents: passed.documents,
            inputs: facts_of_files(&segment.inputs, &passed.digests),
            pairs: counts,
            skipped: SkippedFacts::from_skipped(&passed.skipped, &segment.inputs),
            both: passed.both,
            beside: if passed.both + passed.elsewhere > 0 { target_digest(&self.plan.corpora) } else { String::new() },
        })
    }

    /// Source documents that have a pair in this segment, at either end, and are not in the index yet.
    fn newly_matched<'s>(
        &self,
        source: &'s Source,
        passed: &pass::Segment,
    ) -> Result<Vec<&'s SourceDocument>, StudyError> {
        let mut groups: Vec<GroupNumber> = passed.found.iter().map(|pair| pair.source).collect();
        groups.dedup();
        let grouped = groups.into_iter().flat_map(|group| source.groups.members(group)).copied();
        let mut groups: Vec<GroupNumber> = passed.found.iter().map(|pair| pair.target).collect();
        groups.sort_unstable();
        groups.dedup();
        let targets = groups.into_iter().flat_map(|group| passed.groups.members(group)).copied();
        let targets = targets.chain(passed.named.iter().map(|pair| pair.target));
        let as_targets = targets.filter_map(|target| passed.targets[target.index()].same_source);
        let named = passed.named.iter().map(|pair| pair.source);
        let mut numbers: Vec<DocumentNumber> = grouped.chain(named).chain(as_targets).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut matched = Vec::new();
        for number in numbers {
            let document = &source.documents[number.index()];
            if !self.index.contains(KeptSide::Source, &document.id)? {
                matched.push(document);
            }
        }
        Ok(matched)
    }
}

fn facts_of_files(inputs: &[Input], digests: &[u128]) -> Vec<FileFacts> {
    inputs.iter().zip(digests).map(|(input, &digest)| FileFacts::new(input, digest)).collect()
}
