//! Runs a study: the source once, then each segment that is not finished, each written whole or not at all.

use std::io::ErrorKind;
use std::path::Path;
use std::time::Instant;

use crate::StudyError;
use crate::outputs::Outputs;
use crate::recipe::Keep;
use crate::recipe::files::{Corpora, IMPORTED, Segment};
use crate::run::both::write_both_sides;
use crate::run::capping::{count_capped, list_capped};
use crate::run::counted::{join_with_counted, list_ids};
use crate::run::damaged::forget_damaged_parts;
use crate::run::elsewhere::Elsewhere;
use crate::run::fitted::{Fitted, read_statistics};
use crate::run::fitting::{Fitting, content_for, fit_all, fit_statistics, must_count_target};
use crate::run::gather::{Gatherer, find_all};
use crate::run::helpers::{Helpers, Workers, counting_kit};
use crate::run::imports::{StudyImports, read_imports, write_imported};
use crate::run::keeping::{DocumentOrigin, EarlierIds, Keeper, matched_sources, write_source};
use crate::run::kit::{Prepared, is_kit, kit_bytes};
use crate::run::manifest::{self, Facts, FileFacts, FromWorkers, Summary, Timing};
use crate::run::out_of_core::{JoinedSource, paired_sources, read_paired};
use crate::run::part::Parts;
use crate::run::plan::{Plan, files_of, plan_with_judgments, sides_of, target_digest};
use crate::run::skips::{SkipList, SkippedFacts};
use crate::run::spark::Spark;
use crate::run::stage::KitStage;
use crate::run::state::with_reports;
use crate::run::watch::{Stage, Watch};
use crate::session::Session;
use dejaview_base::system::peak_memory;
use dejaview_base::timing::{Stage as Stopwatch, Timings};
use dejaview_corpus::qrels::Judgments;
use dejaview_index::{KeptSide, index_words, texts_path};
use dejaview_matching::capped::CappedKey;
use dejaview_matching::import::NamedPairs;
use dejaview_matching::pairs::{self, FoundRows, PairRows};
use dejaview_matching::pass;
use dejaview_matching::source::{ReadOptions, SeenDocument, Sides, Sketches, Source};
use dejaview_matching::{Configuration, Content, MatchingError};

#[derive(Debug, Clone, Copy)]
pub struct RunOptions {
    /// At least 1.
    pub threads: usize,
    /// Forget what earlier runs made.
    pub fresh: bool,
}

/// Runs the study, or what is left of it.
pub fn run(session: &Session, options: RunOptions, watch: &dyn Watch) -> Result<Summary, StudyError> {
    run_with(session, options, &Workers::None, watch)
}

/// Runs the study, or what is left of it, with the help of others.
pub fn run_with(
    session: &Session,
    options: RunOptions,
    workers: &Workers,
    watch: &dyn Watch,
) -> Result<Summary, StudyError> {
    let start = Instant::now();
    let _lock = session.workspace().lock()?;
    with_reports(session.workspace(), watch, |watch| {
        if let Workers::Spark(spark) = workers {
            Spark::must_be_there()?;
            spark.list_addresses(session, watch)?;
        }
        let judgments = session.read_judgments()?;
        let mut runner = Runner::begin(session, options, workers, judgments.as_ref(), watch)?;
        let resumed = runner.plan.finished.len();
        let (source, segments) = runner.run_all(judgments.as_ref())?;
        runner.index_words()?;
        session.workspace().remove_work()?;
        session.workspace().tidy()?;
        manifest::write(session.workspace(), session.recipe(), &source, &segments)?;
        let mut summary = Summary::from_facts(session.recipe(), &source, &segments);
        summary.seconds = start.elapsed().as_secs_f64();
        summary.resumed = resumed;
        summary.source_bytes = runner.bytes;
        summary.peak_memory = peak_memory();
        summary.capped = count_capped(session);
        summary.spilled = runner.spilled;
        summary.workers = runner.from_workers;
        summary.timings = Timing::list(&runner.timings);
        Ok(summary)
    })
}

/// What shall be prepared for workers.
#[derive(Debug, Clone, Copy)]
pub struct KitOrder<'a> {
    /// Whether they shall count the words of the target, for methods that are fitted to both sides, rather than search it.
    pub counts: bool,
    /// The file to write.
    pub kit: &'a Path,
}

/// Writes a kit with which workers can count the words of the target, or search the segments that are not finished: then
/// the source is read and methods are fitted, with what `workers` have counted. Returns the names of the files.
pub fn prepare(
    session: &Session,
    options: RunOptions,
    workers: &Workers,
    order: KitOrder<'_>,
    watch: &dyn Watch,
) -> Result<Vec<String>, StudyError> {
    // An earlier kit can always be made again.
    let outputs = Outputs::new(Some(session), "run --prepare", is_kit(order.kit));
    outputs.try_file(order.kit)?;
    let _lock = session.workspace().lock()?;
    with_reports(session.workspace(), watch, |watch| {
        let judgments = session.read_judgments()?;
        let mut runner = Runner::begin(session, options, workers, judgments.as_ref(), watch)?;
        let (kit, segments) = match order.counts {
            true => runner.prepare_counting(judgments.as_ref())?,
            false => runner.prepare_search(judgments.as_ref())?,
        };
        outputs.write(order.kit, &kit)?;
        Ok(segments.into_iter().flat_map(|segment| segment.inputs).map(|input| input.name).collect())
    })
}

/// One run under way.
struct Runner<'a> {
    session: &'a Session,
    options: RunOptions,
    workers: &'a Workers,
    watch: &'a dyn Watch,
    plan: Plan,
    /// Whether the file with the titles of the source must be made again.
    source_lost: bool,
    /// Documents of the segments that are finished.
    earlier: EarlierIds,
    timings: Timings,
    /// Memory that the source takes.
    bytes: usize,
    /// Bytes of sketches that were sorted on disk.
    spilled: u64,
    /// How much of the target workers have searched, if there are any.
    from_workers: Option<FromWorkers>,
    content: Content,
    imports: StudyImports,
    sides: Sides,
}

/// The source, ready to be looked up, and what it was made ready with.
struct Ready {
    source: Source,
    fitted: Fitted,
    configurations: Vec<Configuration>,
    named: NamedPairs,
    /// Keys that say nothing.
    capped: Vec<CappedKey>,
    facts: Facts,
}

/// The source as it was read.
struct ReadSource {
    source: Source,
    /// Documents there are, also those that have no pair and are not held in memory.
    documents: u64,
    skipped: SkippedFacts,
    /// Keys that say nothing, where the whole source was sketched already.
    capped: Option<Vec<CappedKey>>,
    /// Bytes of sketches that did not fit in the memory for them.
    spilled: u64,
}

impl<'a> Runner<'a> {
    fn begin(
        session: &'a Session,
        options: RunOptions,
        workers: &'a Workers,
        judgments: Option<&Judgments>,
        watch: &'a dyn Watch,
    ) -> Result<Self, StudyError> {
        if options.fresh {
            session.workspace().clear()?;
        }
        let names: Vec<&str> = session.recipe().configurations.iter().map(|c| c.name.as_str()).collect();
        session.workspace().remove_former_files()?;
        session.workspace().create(&names)?;
        let mut plan = plan_with_judgments(session, judgments)?;
        let source_lost = forget_damaged_parts(session, &mut plan, watch);
        let sides = sides_of(session, &plan.corpora);
        let imports = read_imports(session, judgments)?;
        imports.remarks.iter().for_each(|remark| watch.remark(remark));
        Ok(Self {
            session,
            options,
            workers,
            watch,
            plan,
            source_lost,
            earlier: EarlierIds::default(),
            timings: Timings::default(),
            bytes: 0,
            spilled: 0,
            from_workers: None,
            content: Content::All,
            imports,
            sides,
        })
    }

    /// The segments that are not finished, but for that of imported pairs.
    fn segments_left(&self) -> Vec<Segment> {
        let segments = self.plan.corpora.segments.iter().filter(|segment| !segment.imported);
        segments.filter(|segment| !self.plan.finished.contains(&segment.name)).cloned().collect()
    }

    /// Runs what is left; returns the facts about the source and about each segment.
    fn run_all(&mut self, judgments: Option<&Judgments>) -> Result<(Facts, Vec<(String, Facts)>), StudyError> {
        let workspace = self.session.workspace();
        self.report_finished();
        let left = self.segments_left();
        let facts = match self.earlier_source() {
            Some(facts) if left.is_empty() && !self.source_lost => facts,
            _ => self.run_segments(&left, judgments)?,
        };
        let imported = self.plan.corpora.segments.iter().find(|segment| segment.imported);
        if imported.is_some_and(|segment| !self.plan.finished.contains(&segment.name)) {
            self.write_imported_segment()?;
        }
        let mut all = Vec::new();
        for segment in &self.plan.corpora.segments {
            let path = workspace.segment(&segment.name);
            let lost = || StudyError::File { doing: "reading", path: path.clone(), why: ErrorKind::NotFound.into() };
            all.push((segment.name.clone(), Facts::read(&path)?.ok_or_else(lost)?));
        }
        Ok((facts, all))
    }

    /// Says how many segments of the target are finished.
    fn report_finished(&self) {
        let segments = || self.plan.corpora.segments.iter().filter(|segment| !segment.imported);
        let finished = segments().filter(|segment| self.plan.finished.contains(&segment.name)).count();
        self.watch.finished(finished, segments().count());
    }

    /// Facts about the source as an earlier run of the same plan read it.
    fn earlier_source(&self) -> Option<Facts> {
        Facts::read(&self.session.workspace().source()).ok()?.filter(|facts| facts.plan == self.plan.digest)
    }

    fn run_segments(&mut self, left: &[Segment], judgments: Option<&Judgments>) -> Result<Facts, StudyError> {
        let (ready, sketches) = self.make_ready(judgments)?;
        let prepared = self.prepared(&ready, &sketches);
        let rests_on = prepared.rests_on();
        let parts = self.helpers().found(&prepared, left)?;
        drop(sketches);
        for segment in left {
            self.run_segment(segment, &ready, parts.as_ref().map(|parts| (parts, &*rests_on)))?;
        }
        Ok(ready.facts)
    }

    fn helpers(&self) -> Helpers<'_> {
        Helpers { session: self.session, plan: &self.plan, workers: self.workers, watch: self.watch }
    }

    /// What workers need to search.
    fn prepared<'r>(&'r self, ready: &'r Ready, sketches: &'r Sketches) -> Prepared<'r> {
        let Ready { source, fitted, named, capped, .. } = ready;
        let (stage, plan, content) = (KitStage::Search, &*self.plan.digest, &self.content);
        Prepared { stage, plan, fitted, content, source, sketches, capped, named, judged: None, paired: None }
    }

    /// The kit for searching, and the segments that it is for.
    fn prepare_search(&mut self, judgments: Option<&Judgments>) -> Result<(Vec<u8>, Vec<Segment>), StudyError> {
        let left = self.segments_left();
        let (ready, sketches) = self.make_ready(judgments)?;
        Ok((kit_bytes(self.session, &self.prepared(&ready, &sketches), &left)?, left))
    }

    /// The kit for counting words, and the segments that it is for.
    fn prepare_counting(&mut self, judgments: Option<&Judgments>) -> Result<(Vec<u8>, Vec<Segment>), StudyError> {
        if !must_count_target(self.session, &self.plan) {
            return Err(StudyError::NothingToCount { path: self.session.folder().to_owned() });
        }
        self.content = content_for(self.session, &self.plan, self.options.threads, self.watch)?;
        let source = self.read_source(judgments, None)?.source;
        let kit = counting_kit(self.session, &self.plan, &source, &self.content)?;
        Ok((kit, self.plan.corpora.segments.clone()))
    }

    /// Reads the source, fits the methods and makes the source ready to be looked up by its sketches.
    fn make_ready(&mut self, judgments: Option<&Judgments>) -> Result<(Ready, Sketches), StudyError> {
        if self.earlier_source().is_none() {
            // Texts of another source, or of segments that are no longer in the study, must not be shown for these.
            self.session.workspace().remove_texts_beside(&self.plan.finished)?;
        }
        self.content = content_for(self.session, &self.plan, self.options.threads, self.watch)?;
        // Two corpora are joined by methods that are fitted to other documents, if at all.
        let before = self.session.recipe().corpora.map(|_| self.fit(&Source::default())).transpose()?;
        let ReadSource { mut source, documents, skipped, capped, spilled } =
            self.read_source(judgments, before.as_ref())?;
        let (fitted, configurations) = match before {
            Some(before) => before,
            None => self.fit(&source)?,
        };
        let sketches = source.sketch(&configurations, self.options.threads)?;
        let most = self.session.recipe().most_sketches;
        let capped = capped.unwrap_or_else(|| source.capped_keys(&configurations, &sketches, most));
        list_capped(self.session, &configurations, &capped)?;
        source.look_up(&configurations, &sketches, &capped);
        self.timings.merge(&source.timings);
        (self.bytes, self.spilled) = (source.bytes(), spilled);
        let facts = Facts {
            plan: self.plan.digest.clone(),
            statistics: fitted.digest.clone(),
            documents,
            inputs: FileFacts::of_files(&self.plan.corpora.source, &source.digests),
            skipped,
            ..Facts::default()
        };
        facts.write(&self.session.workspace().source())?;
        let named = self.imports.named(&source);
        Ok((Ready { source, fitted, configurations, named, capped, facts }, sketches))
    }

    fn fit(&self, source: &Source) -> Result<(Fitted, Vec<Configuration>), StudyError> {
        let counted = self.helpers().counted(source, &self.content)?;
        let fitted = fit_statistics(Fitting {
            session: self.session,
            plan: &self.plan,
            source,
            content: &self.content,
            threads: self.options.threads,
            watch: self.watch,
            counted: counted.as_ref(),
        })?;
        let configurations = fit_all(self.session, &fitted.statistics)?;
        Ok((fitted, configurations))
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
        facts.inputs = segments
            .iter()
            .find(|s| s.imported)
            .map(|s| files_of(&self.plan.corpora, &Elsewhere::default(), s))
            .unwrap_or_default();
        facts.write(&workspace.segment(IMPORTED))
    }

    /// Reads the source, or as much of it as may have a pair.
    fn read_source(
        &mut self,
        judgments: Option<&Judgments>,
        fitted: Option<&(Fitted, Vec<Configuration>)>,
    ) -> Result<ReadSource, StudyError> {
        let inputs = &self.plan.corpora.source;
        let progress = self.watch.progress();
        let skips = SkipList::new(inputs, self.session.workspace().skipped_of(""), progress);
        let options = ReadOptions {
            configurations: fitted.map_or(&[], |(_, configurations)| configurations),
            sides: &self.sides,
            skips: &skips,
            ..ReadOptions::of_inputs(inputs, &self.content, self.options.threads, progress)
        };
        let wanted = |id: &str| judgments.is_none_or(|j| j.document(id).is_some());
        let joined = fitted.map(|(fitted, _)| JoinedSource { options, skips: &skips, fitted, judgments });
        let paired = match &joined {
            Some(joined) => paired_sources(&self.helpers(), joined, &wanted)?,
            None => None,
        };
        self.watch.stage(Stage::Source { bytes: Corpora::bytes(inputs) });
        let source = match joined.zip(paired.as_ref()) {
            Some((joined, paired)) => read_paired(&self.helpers(), &joined, paired, &wanted)?,
            None => Source::read(options, &wanted)?,
        };
        if progress.cancelled() {
            return Err(MatchingError::Cancelled.into());
        }
        let documents = paired.as_ref().map_or(source.documents.len() as u64, |paired| paired.documents);
        let (folder, keep_all) = (self.session.workspace().index(), self.keeps_all());
        write_source(&texts_path(&folder, ""), &source.documents, inputs, keep_all)?;
        for segment in self.plan.finished.iter().filter(|segment| *segment != IMPORTED) {
            self.earlier.add(&folder, segment)?;
        }
        let spilled = paired.as_ref().map_or(0, |paired| paired.spilled);
        let capped = paired.map(|paired| paired.capped);
        Ok(ReadSource { source, documents, skipped: skips.finish()?, capped, spilled })
    }

    fn keeps_all(&self) -> bool {
        self.session.recipe().keep == Keep::All
    }

    /// Searches a segment, with what workers left in `parts`, if it rests on what is said there.
    fn run_segment(
        &mut self,
        segment: &Segment,
        ready: &Ready,
        parts: Option<(&Parts, &str)>,
    ) -> Result<(), StudyError> {
        let (inputs, source) = (&segment.inputs, &ready.source);
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
        let elsewhere = |id: &str| self.earlier.contains(id);
        let options = ReadOptions {
            inputs,
            content: &self.content,
            configurations: &ready.configurations,
            threads: self.options.threads,
            progress,
            keep: &keep,
            keep_all,
            sides: &self.sides,
            skips: &skips,
            elsewhere: &elsewhere,
        };
        let gatherer = parts.map(|(parts, rests_on)| Gatherer {
            parts,
            rests_on,
            segment: &segment.name,
            earlier: &self.earlier,
            keeper: &keeper,
            skips: &skips,
        });
        let found = find_all(options, source, &ready.named, gatherer);
        let workspace = self.session.workspace();
        let join = |found| join_with_counted(workspace, &self.plan, options, source, found);
        let passed = found.and_then(|(found, taken)| Ok((join(found)?, taken)));
        keeper.failure()?;
        let ((passed, counted_in), taken) = passed?;
        let mut timings = passed.timings;
        let mut facts = timings.time(Stopwatch::Write, || self.write_pairs(segment, ready, &passed))?;
        (facts.skipped, facts.counted_in, facts.ids_listed) = (skips.finish()?, counted_in, !keep_all);
        timings.time(Stopwatch::Commit, || -> Result<(), StudyError> {
            // Where all texts are kept, those of the source have a file of their own.
            let sources = if keep_all { Vec::new() } else { matched_sources(source, &passed) };
            keeper.finish(&sources, &self.plan.corpora.source)
        })?;
        self.earlier.add(&folder, &segment.name)?;
        write_both_sides(self.session, &segment.name, &passed)?;
        list_ids(workspace, &segment.name, &facts, &passed.ids)?;
        facts.write(&workspace.segment(&segment.name))?;
        if parts.is_some() {
            self.from_workers.get_or_insert_default().add(taken, inputs.len() as u64);
        }
        self.plan.finished.push(segment.name.clone());
        self.report_finished();
        self.timings.merge(&timings);
        Ok(())
    }

    /// Writes the pairs of a segment; returns the facts that finish it, but for the records that were not read.
    fn write_pairs(&self, segment: &Segment, ready: &Ready, passed: &pass::Segment) -> Result<Facts, StudyError> {
        let source = &ready.source;
        let mut counts = std::collections::BTreeMap::new();
        for (c, configuration) in ready.configurations.iter().enumerate() {
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
        let rests_on_others = passed.elsewhere > 0 || !passed.in_target.is_empty();
        let facts = Facts {
            plan: self.plan.digest.clone(),
            statistics: ready.fitted.digest.clone(),
            documents: passed.documents(),
            inputs: FileFacts::of_files(&segment.inputs, &passed.digests),
            pairs: counts,
            both: passed.both.len() as u64,
            beside: if rests_on_others {
                target_digest(&self.plan.corpora, &Elsewhere::default())
            } else {
                String::new()
            },
            ..Facts::default()
        };
        facts.with_pair_files(self.session.workspace(), &segment.name)
    }
}
