//! Runs a study: the source once, then each segment that is not finished, each written whole or not at all.

use std::io::ErrorKind;
use std::time::Instant;

use crate::StudyError;
use crate::recipe::Keep;
use crate::recipe::files::{Corpora, IMPORTED, Segment};
use crate::run::both::write_both_sides;
use crate::run::fitted::{Fitted, read_statistics};
use crate::run::fitting::{content_for, fit_all, fit_statistics};
use crate::run::imports::{StudyImports, read_imports, write_imported};
use crate::run::keeping::{DocumentOrigin, EarlierIds, Keeper, write_source};
use crate::run::manifest::{self, Facts, FileFacts, Summary, Timing};
use crate::run::plan::{Plan, files_of, plan_with_judgments, sides_of, target_digest};
use crate::run::skips::{SkipList, SkippedFacts};
use crate::run::state::with_reports;
use crate::run::watch::{Stage, Watch};
use crate::run::workspace::{read_json, read_stored, write_json};
use crate::session::Session;
use dejaview_base::system::peak_memory;
use dejaview_base::timing::{Stage as Stopwatch, Timings};
use dejaview_corpus::Input;
use dejaview_corpus::qrels::Judgments;
use dejaview_index::{DamagedPart, Index, KeptSide, index_words, texts_path};
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
        session.workspace().remove_former_files()?;
        session.workspace().create(&names)?;
        let judgments = session.read_judgments()?;
        let mut plan = plan_with_judgments(session, judgments.as_ref())?;
        let source_lost = forget_damaged_parts(session, &mut plan, watch);
        let resumed = plan.finished.len();
        let sides = sides_of(session, &plan.corpora);
        let mut runner = Runner {
            session,
            options,
            watch,
            plan,
            source_lost,
            earlier: EarlierIds::default(),
            timings: Timings::default(),
            bytes: 0,
            fitted: String::new(),
            content: Content::All,
            imports: read_imports(session, judgments.as_ref())?,
            sides,
        };
        let (source, segments) = runner.run_all(judgments.as_ref())?;
        runner.index_words()?;
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

/// Takes segments off the finished ones whose texts are missing or damaged: pairs without texts cannot be shown, so they are
/// run again. Returns whether the source must be read again for its own file.
fn forget_damaged_parts(session: &Session, plan: &mut Plan, watch: &dyn Watch) -> bool {
    let workspace = session.workspace();
    let source = workspace.source().is_file().then_some("");
    let segments = plan.finished.iter().map(String::as_str).filter(|segment| *segment != IMPORTED);
    let parts: Vec<&str> = source.into_iter().chain(segments).collect();
    let damaged = Index::damage(&workspace.index(), &parts);
    if damaged.len() > 1 && damaged.len() == parts.len() {
        watch.remark("the kept texts are missing, or of an earlier version; they are made again");
    } else {
        for DamagedPart { path, why, .. } in &damaged {
            watch.remark(&format!("{}: {why}; it is made again", path.display()));
        }
    }
    plan.finished.retain(|segment| damaged.iter().all(|part| part.name != *segment));
    damaged.iter().any(|part| part.name.is_empty())
}

/// One run under way.
struct Runner<'a> {
    session: &'a Session,
    options: RunOptions,
    watch: &'a dyn Watch,
    plan: Plan,
    /// Whether the file with the titles of the source must be made again.
    source_lost: bool,
    /// Documents of the segments that are finished.
    earlier: EarlierIds,
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
            Some(facts) if left.is_empty() && !self.source_lost => facts,
            earlier => self.run_segments(&left, judgments, earlier.is_none())?,
        };
        if !imported.is_empty() {
            self.write_imported_segment()?;
        }
        let mut all = Vec::new();
        for segment in &self.plan.corpora.segments {
            let path = workspace.segment(&segment.name);
            let lost = || StudyError::File { doing: "reading", path: path.clone(), why: ErrorKind::NotFound.into() };
            all.push((segment.name.clone(), read_stored(&path)?.ok_or_else(lost)?));
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
        if another_source {
            // Texts of another source, or of segments that are no longer in the study, must not be shown for these.
            self.session.workspace().remove_texts_beside(&self.plan.finished)?;
        }
        self.content = content_for(self.session, &self.plan, self.options.threads, self.watch)?;
        let (mut source, skipped) = self.read_source(judgments)?;
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
            skipped,
            ..Facts::default()
        };
        write_json(&self.session.workspace().source(), &facts)?;
        for segment in left {
            self.run_segment(segment, &configurations, &source)?;
        }
        Ok(facts)
    }

    /// Indexes the words of texts that are not indexed yet.
    fn index_words(&mut self) -> Result<(), StudyError> {
        self.watch.stage(Stage::Index);
        let segments = self.plan.corpora.segments.iter().filter(|segment| !segment.imported);
        let parts: Vec<&str> = std::iter::once("").chain(segments.map(|segment| segment.name.as_str())).collect();
        let (folder, progress) = (self.session.workspace().index(), self.watch.progress());
        let index = || index_words(&folder, &parts, self.options.threads, &|| progress.cancelled());
        self.timings.time(Stopwatch::Commit, index)?;
        if progress.cancelled() { Err(MatchingError::Cancelled.into()) } else { Ok(()) }
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

    fn read_source(&mut self, judgments: Option<&Judgments>) -> Result<(Source, SkippedFacts), StudyError> {
        let inputs = &self.plan.corpora.source;
        let progress = self.watch.progress();
        self.watch.stage(Stage::Source { bytes: Corpora::bytes(inputs) });
        let skips = SkipList::new(inputs, self.session.workspace().skipped_of(""), progress);
        let (content, threads, sides) = (&self.content, self.options.threads, &self.sides);
        let options = ReadOptions {
            inputs,
            content,
            configurations: &[],
            threads,
            progress,
            keep: &|_| {},
            keep_all: false,
            sides,
            skips: &skips,
            elsewhere: &|_| false,
        };
        let source = Source::read(options, &|id| judgments.is_none_or(|j| j.document(id).is_some()))?;
        if progress.cancelled() {
            return Err(MatchingError::Cancelled.into());
        }
        let (folder, keep_all) = (self.session.workspace().index(), self.keeps_all());
        write_source(&texts_path(&folder, ""), &source.documents, inputs, keep_all)?;
        for segment in self.plan.finished.iter().filter(|segment| *segment != IMPORTED) {
            self.earlier.add(&folder, segment)?;
        }
        Ok((source, skips.finish()?))
    }

    fn keeps_all(&self) -> bool {
        self.session.recipe().keep == Keep::All
    }

    fn run_segment(
        &mut self,
        segment: &Segment,
        configurations: &[Configuration],
        source: &Source,
    ) -> Result<(), StudyError> {
        let inputs = &segment.inputs;
        let progress = self.watch.progress();
        let all = &self.plan.corpora.segments;
        let number = all.iter().position(|s| s.name == segment.name).unwrap_or_default() + 1;
        self.watch.stage(Stage::Segment { name: &segment.name, number, of: all.len(), bytes: Corpora::bytes(inputs) });
        let folder = self.session.workspace().index();
        let mut keeper = Keeper::new(&texts_path(&folder, &segment.name), progress)?;
        let keep = |seen: &SeenDocument<'_>| {
            keeper.keep(
                DocumentOrigin { side: KeptSide::Target, segment: &segment.name, input: &inputs[seen.file] },
                seen,
            );
        };
        let skips = SkipList::new(inputs, self.session.workspace().skipped_of(&segment.name), progress);
        let keep_all = self.keeps_all();
        let (content, threads, sides) = (&self.content, self.options.threads, &self.sides);
        let elsewhere = |id: &str| self.earlier.contains(id);
        let options = ReadOptions {
            inputs,
            content,
            configurations,
            threads,
            progress,
            keep: &keep,
            keep_all,
            sides,
            skips: &skips,
            elsewhere: &elsewhere,
        };
        let passed = pass(options, source, &self.imports.named(source));
        keeper.failure()?;
        let passed = passed?;
        let mut timings = passed.timings;
        let mut facts =
            timings.time(Stopwatch::Write, || self.write_pairs(segment, configurations, source, &passed))?;
        facts.skipped = skips.finish()?;
        timings.time(Stopwatch::Commit, || -> Result<(), StudyError> {
            // Where all texts are kept, those of the source have a file of their own.
            let sources = if keep_all { Vec::new() } else { matched_sources(source, &passed) };
            keeper.finish(&sources, &self.plan.corpora.source)
        })?;
        self.earlier.add(&folder, &segment.name)?;
        write_both_sides(self.session, &segment.name, &passed)?;
        write_json(&self.session.workspace().segment(&segment.name), &facts)?;
        self.plan.finished.push(segment.name.clone());
        self.report_finished();
        self.timings.merge(&timings);
        Ok(())
    }

    /// Writes the pairs of a segment; returns the facts that finish it, but for the records that were not read.
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
            skipped: SkippedFacts::default(),
            both: passed.both,
            beside: if passed.both + passed.elsewhere > 0 { target_digest(&self.plan.corpora) } else { String::new() },
        })
    }
}

/// Source documents that have a pair in a segment, at either end; by id.
fn matched_sources<'s>(source: &'s Source, passed: &pass::Segment) -> Vec<&'s SourceDocument> {
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
    numbers.into_iter().map(|number| &source.documents[number.index()]).collect()
}

fn facts_of_files(inputs: &[Input], digests: &[u128]) -> Vec<FileFacts> {
    inputs.iter().zip(digests).map(|(input, &digest)| FileFacts::new(input, digest)).collect()
}
