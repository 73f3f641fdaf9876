//! Joins two corpora neither of which fits in memory: both are sketched first, to see which documents of the source have a pair.
//!
//! Only these are read into memory then, and the run goes on as any other. What it finds is the same. Sketches are joined on
//! the disk of this machine, or by a cluster, which keeps them as Parquet.

use std::fs;

use crate::StudyError;
use crate::recipe::files::{Corpora, Segment};
use crate::run::fitted::Fitted;
use crate::run::gather::list_skipped;
use crate::run::helpers::{Helpers, Workers};
use crate::run::joining::read_joined;
use crate::run::kit::{NoSource, Prepared, write_kit};
use crate::run::part::Parts;
use crate::run::plan::Plan;
use crate::run::skips::SkipList;
use crate::run::spark::{Spark, SparkJob};
use crate::run::stage::KitStage;
use crate::run::watch::Stage;
use dejaview_corpus::Input;
use dejaview_corpus::qrels::Judgments;
use dejaview_matching::corpora::{CorporaOptions, PairedSources, RowSink, Side, SketchedSide, sketch_side};
use dejaview_matching::reading::Unlisted;
use dejaview_matching::source::{GatheredSource, ReadOptions, Source};

/// The source of a join, and what it is sketched with.
pub(crate) struct JoinedSource<'a> {
    /// How the source is read, with the configurations.
    pub(crate) options: ReadOptions<'a>,
    pub(crate) skips: &'a SkipList<'a>,
    /// What the configurations were fitted to.
    pub(crate) fitted: &'a Fitted,
    /// With them, only judged documents count.
    pub(crate) judgments: Option<&'a Judgments>,
}

impl JoinedSource<'_> {
    /// What workers need for a stage before the source is in memory.
    fn prepared<'a>(&'a self, stage: KitStage, plan: &'a Plan, nothing: &'a NoSource) -> Prepared<'a> {
        let judged = self.judgments.map(Judgments::documents);
        Prepared { fitted: self.fitted, judged, ..nothing.prepared(stage, &plan.digest, self.options.content) }
    }
}

/// The documents of the source that may have a pair; none where the study holds the whole source in memory.
pub(crate) fn paired_sources(
    helpers: &Helpers<'_>,
    source: &JoinedSource<'_>,
    wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Option<PairedSources>, StudyError> {
    let recipe = helpers.session.recipe();
    let Some(memory) = recipe.corpora else { return Ok(None) };
    if let Workers::Spark(spark) = helpers.workers {
        return join_on_cluster(spark, helpers, source).map(Some);
    }
    let corpora = &helpers.plan.corpora;
    let target: Vec<Input> = corpora.targets().collect();
    helpers.watch.stage(Stage::Sketches { bytes: Corpora::bytes(&corpora.source) + Corpora::bytes(&target) });
    let (join, most_sketches, folder) = (recipe.join, recipe.most_sketches, helpers.session.workspace().sketches());
    let order = CorporaOptions { join, folder: &folder, memory, most_sketches };
    Ok(Some(PairedSources::find(source.options, wanted, &target, order)?))
}

/// Has both sides sketched by workers and their sketches joined by the cluster.
fn join_on_cluster(
    spark: &Spark,
    helpers: &Helpers<'_>,
    source: &JoinedSource<'_>,
) -> Result<PairedSources, StudyError> {
    let Helpers { session, plan, watch, .. } = helpers;
    let (workspace, options) = (session.workspace(), source.options);
    let (segments, nothing) = (files_of_both_sides(&plan.corpora), NoSource::default());
    let (kit, folder) = (workspace.kit(), workspace.joined());
    let prepared = source.prepared(KitStage::Sketches, plan, &nothing);
    write_kit(&kit, session, &prepared, &segments)?;
    let (parts, rests_on) = (Parts::new(workspace.found(), prepared.stage), prepared.rests_on());
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|why| StudyError::File {
        doing: "making the folder",
        path: folder.clone(),
        why,
    })?;
    let join = Some((&*folder, session.recipe().most_sketches));
    spark.search(&SparkJob { kit: &kit, parts: &parts, rests_on: &rests_on, segments: &segments, join }, *watch)?;
    let (ids, files) = gather_source(helpers, source, &parts, &rests_on)?;
    let joined = read_joined(&folder, options.configurations.len())?;
    Ok(PairedSources::of_joined(options, files, ids, joined)?)
}

/// Reads the documents of the source that may have a pair. What is not read is listed already, but for files that workers
/// give up now.
pub(crate) fn read_paired(
    helpers: &Helpers<'_>,
    source: &JoinedSource<'_>,
    paired: &PairedSources,
    wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Source, StudyError> {
    let options = ReadOptions { skips: &Unlisted, ..source.options };
    let Workers::Spark(spark) = helpers.workers else {
        return Ok(Source::read(options, &|id| paired.contains(id) && wanted(id))?);
    };
    let Helpers { session, plan, watch, .. } = helpers;
    let (kit, nothing) = (session.workspace().kit(), NoSource::default());
    let prepared = Prepared { paired: Some(paired), ..source.prepared(KitStage::Sources, plan, &nothing) };
    let inputs = paired.files.iter().map(|file| options.inputs[*file].clone()).collect();
    let segments = [Segment { name: String::new(), inputs, imported: false }];
    write_kit(&kit, session, &prepared, &segments)?;
    let (parts, rests_on) = (Parts::new(session.workspace().found(), prepared.stage), prepared.rests_on());
    let job = SparkJob { kit: &kit, parts: &parts, rests_on: &rests_on, segments: &segments, join: None };
    spark.search(&job, *watch)?;
    let mut gathered = GatheredSource::of_files(options.inputs.len());
    for (&file, input) in paired.files.iter().zip(&segments[0].inputs) {
        let part = parts.open_made("", input, &rests_on)?;
        list_skipped(&part, "", file, input, source.skips)?;
        part.add_documents(file, &mut gathered)?;
    }
    Ok(gathered.finish(&Unlisted))
}

/// The files of the source as a segment without a name, then those of the target; each file of a side once.
fn files_of_both_sides(corpora: &Corpora) -> Vec<Segment> {
    let target: Vec<Input> = corpora.targets().collect();
    let kept = once(&target);
    let segments = corpora.segments.iter().map(|segment| {
        let inputs = segment.inputs.iter().filter(|input| kept.contains(input)).cloned().collect();
        Segment { inputs, ..segment.clone() }
    });
    let source = Segment { name: String::new(), inputs: once(&corpora.source), imported: false };
    std::iter::once(source).chain(segments).collect()
}

/// The files without those that are another's under a second name.
fn once(inputs: &[Input]) -> Vec<Input> {
    let same_files = Input::same_files(inputs);
    let numbered = inputs.iter().enumerate().filter(|(number, _)| !same_files.contains_key(number));
    numbered.map(|(_, input)| input.clone()).collect()
}

/// Takes in what workers say of the files of the source: hashes of the ids of its documents, the numbers of the files that
/// were read, and what is not read.
fn gather_source(
    helpers: &Helpers<'_>,
    source: &JoinedSource<'_>,
    parts: &Parts,
    rests_on: &str,
) -> Result<(Vec<u64>, Vec<usize>), StudyError> {
    let inputs = source.options.inputs;
    let (mut ids, mut files) = (Vec::new(), Vec::new());
    let mut left = Vec::new();
    for (file, input) in inputs.iter().enumerate() {
        match parts.open("", input, rests_on)? {
            Some(part) => {
                list_skipped(&part, "", file, input, source.skips)?;
                ids.extend(part.ids()?);
                files.extend((!part.facts.is_given_up()).then_some(file));
            }
            None => left.push(file),
        }
    }
    // Those that are another's under a second name: they are listed and not read.
    let side = SketchedSide {
        side: Side::Source,
        inputs,
        chosen: &left,
        wanted: &|_| false,
        join: helpers.session.recipe().join,
        skips: source.skips,
    };
    sketch_side(source.options, side, &NoRows)?;
    Ok((ids, files))
}

/// Takes no rows.
struct NoRows;

impl RowSink for NoRows {
    fn take(&self, _: &[u8]) -> bool {
        true
    }
}
