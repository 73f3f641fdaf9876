//! What a run did, on disk: facts about each side, the manifest, the list of records that were not read.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::StudyError;
use crate::recipe::files::IMPORTED;
use crate::recipe::{ConfigurationRecipe, Recipe, StatisticsFrom};
use crate::run::skips::{SkippedFacts, write_table};
use crate::run::workspace::{Workspace, read_stored, write_json};
use dejaview_base::timing::Timings;
use dejaview_base::{hash, system};
use dejaview_corpus::{AcceptedStatus, Input, SkipReason};
use dejaview_evaluation::sample::ConfigurationAtDraw;
use dejaview_matching::capped::MOST_SKETCHES;
use dejaview_matching::pass::ITSELF;
use dejaview_matching::source::Join;

/// An input file as a run found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileFacts {
    pub(crate) name: String,
    pub(crate) size: u64,
    /// Nanoseconds since 1970; tells that a file changed without reading it.
    modified: u64,
    /// The format that the study names, if it names one.
    #[serde(default)]
    format: Option<String>,
    /// XXH3-128 of its bytes, once it was read.
    pub(crate) digest: String,
}

impl FileFacts {
    pub(crate) fn new(input: &Input, digest: u128) -> Self {
        let modified = std::fs::metadata(&input.path)
            .and_then(|m| m.modified())
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
            .map_or(0, |since| since.as_nanos() as u64);
        let format = input.format.map(|format| format.name.to_owned());
        Self { name: input.name.clone(), size: input.size, modified, format, digest: format!("{digest:032x}") }
    }

    /// Those of all files, each with its digest.
    pub(crate) fn of_files(inputs: &[Input], digests: &[u128]) -> Vec<Self> {
        inputs.iter().zip(digests).map(|(input, &digest)| Self::new(input, digest)).collect()
    }

    /// The same where nobody has read it.
    pub(crate) fn without_digest(&self) -> Self {
        Self { digest: format!("{:032x}", 0), ..self.clone() }
    }

    /// The same with the format that the study names for another one.
    pub(crate) fn with_format_of(self, other: &Self) -> Self {
        Self { format: other.format.clone(), ..self }
    }

    /// Whether the file is as it was, as far as name, size, time and format tell.
    pub(crate) fn is_unchanged(&self, other: &Self) -> bool {
        (&self.name, self.size, self.modified, &self.format) == (&other.name, other.size, other.modified, &other.format)
    }
}

/// The version since which runs have had the same results. It changes only when every study must be run again; a method that
/// changes alone has a revision of its own.
const RESULTS: &str = "0.1.0";

/// Reasons for which a line of imported pairs is skipped.
pub(crate) const NOT_A_PAIR: &str = "not a pair";
pub(crate) const REPEATED_PAIR: &str = "repeated pair";
pub(crate) const UNJUDGED_GROUP: &str = "group without a judged document";

/// What the last run read of the source, or of a segment of the target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InputSummary {
    /// Its segment; empty for the source.
    pub segment: String,
    pub documents: u64,
    /// Names and sizes of its files.
    pub files: Vec<(String, u64)>,
    /// How many records were not read, by reason.
    pub skipped: BTreeMap<String, u64>,
}

impl InputSummary {
    pub(crate) fn new(segment: &str, facts: &Facts) -> Self {
        Self {
            segment: segment.to_owned(),
            documents: facts.documents,
            files: facts.inputs.iter().map(|file| (file.name.clone(), file.size)).collect(),
            skipped: facts.skipped.counts(),
        }
    }
}

/// Facts about one side, or one segment of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Digest of everything that the result depends on beside the files of this side.
    pub(crate) plan: String,
    /// Digest of the statistics that methods were fitted to; empty when none was needed.
    #[serde(default)]
    pub(crate) statistics: String,
    pub(crate) documents: u64,
    pub(crate) inputs: Vec<FileFacts>,
    pub(crate) pairs: BTreeMap<String, u64>,
    /// The checksum of the file of pairs of each configuration: one that is whole may be that of another configuration, or of an
    /// earlier run. Empty in what earlier versions wrote.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) pair_files: BTreeMap<String, String>,
    pub(crate) skipped: SkippedFacts,
    /// Documents that are documents of the source.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) both: u64,
    /// Where there are such documents: digest of all files of the target, for it depends on them which pairs count.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) beside: String,
    /// Whether there is a list of the ids of the documents; texts tell them where all are kept.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) ids_listed: bool,
    /// Finished segments that have documents of this one, which they count: the digest of the files of each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) counted_in: BTreeMap<String, String>,
    /// Of all the others, as JSON; empty in what earlier versions wrote.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) checksum: String,
}

impl Facts {
    /// Reads facts; none when they are not there or damaged: a run makes them again.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, StudyError> {
        let facts: Option<Self> = read_stored(path)?;
        Ok(facts.filter(|facts| facts.checksum.is_empty() || facts.checksum == facts.sum()))
    }

    /// Writes them with their checksum.
    pub(crate) fn write(&self, path: &Path) -> Result<(), StudyError> {
        write_json(path, &Self { checksum: self.sum(), ..self.clone() })
    }

    /// The same with the checksums of the files of pairs, which were written for a segment.
    pub(crate) fn with_pair_files(mut self, workspace: &Workspace, segment: &str) -> Result<Self, StudyError> {
        let note = |name: &String| {
            let path = workspace.pairs(name, segment);
            let checksum = pairs_checksum(&path).map_err(|why| StudyError::File { doing: "reading", path, why })?;
            Ok((name.clone(), format!("{checksum:016x}")))
        };
        self.pair_files = self.pairs.keys().map(note).collect::<Result<_, StudyError>>()?;
        Ok(self)
    }

    /// Whether the file of pairs of a configuration is the one that was written, by its checksum.
    pub(crate) fn has_pairs_file(&self, configuration: &str, checksum: u64) -> bool {
        self.pair_files.get(configuration).is_none_or(|written| *written == format!("{checksum:016x}"))
    }

    fn sum(&self) -> String {
        let all = serde_json::to_vec(&Self { checksum: String::new(), ..self.clone() });
        hash::digest(&all.unwrap_or_default())
    }
}

/// The checksum that a file of pairs ends with, without reading the rest.
pub(crate) fn pairs_checksum(path: &Path) -> io::Result<u64> {
    let mut file = system::open_file(path)?;
    let mut bytes = [0; 8];
    file.seek(SeekFrom::End(-(bytes.len() as i64)))?;
    file.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// Digest of files without reading them.
pub(crate) fn digest_of_files(files: impl Iterator<Item = FileFacts>) -> String {
    let files: Vec<Value> = files.map(|f| json!([f.name, f.size, f.modified, f.format])).collect();
    hash::digest(Value::Array(files).to_string().as_bytes())
}

/// What `run` says at its end.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// Documents read on each side.
    pub documents: Documents,
    /// Documents that stand on both sides: a collection was searched for its own documents.
    #[serde(skip_serializing_if = "is_zero")]
    pub both: u64,
    /// Records not read, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Keys that too many different pages share; they are listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub capped: u64,
    /// Bytes of sketches of two corpora that did not fit in the memory for them, and were sorted on disk.
    #[serde(skip_serializing_if = "is_zero")]
    pub spilled: u64,
    /// How much of the target workers have searched, where there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<FromWorkers>,
    /// Pairs of each configuration, in the order of the study.
    pub pairs: serde_json::Map<String, Value>,
    /// Wall time of this run.
    pub seconds: f64,
    /// Segments that an earlier run had finished.
    pub resumed: usize,
    pub segments: usize,
    /// Bytes that the source holds in memory; 0 when it was not needed.
    pub source_bytes: usize,
    /// The most memory that the process has held, in bytes; none where the system does not tell.
    pub peak_memory: Option<u64>,
    /// Where the time went.
    pub timings: Vec<Timing>,
}

/// How much of the target this run has from workers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct FromWorkers {
    /// Files that workers have searched, and whose parts were taken.
    pub taken: u64,
    /// Files there are; those that were not taken were searched by the run itself.
    pub files: u64,
}

impl FromWorkers {
    pub(crate) const fn add(&mut self, taken: u64, files: u64) {
        self.taken += taken;
        self.files += files;
    }
}

/// Records or files of one kind that were not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotRead<'a> {
    pub reason: &'a str,
    pub records: u64,
    /// Whole files: of such a kind there are no records.
    #[serde(skip_serializing_if = "is_zero")]
    pub files: u64,
    /// What that means, and what to do about it.
    pub advice: &'static str,
}

impl NotRead<'_> {
    /// Records, or files.
    pub fn count(&self) -> u64 {
        self.records + self.files
    }
}

impl Summary {
    /// What was not read by reason, the most frequent first, with advice.
    pub fn not_read(&self) -> Vec<NotRead<'_>> {
        let mut all: Vec<(&str, u64)> = self.skipped.iter().map(|(reason, records)| (&**reason, *records)).collect();
        all.sort_by_key(|(_, records)| std::cmp::Reverse(*records));
        all.into_iter()
            .map(|(reason, many)| {
                let is_of_file = reason.parse().is_ok_and(SkipReason::is_of_file);
                let (records, files) = if is_of_file { (0, many) } else { (many, 0) };
                NotRead { reason, records, files, advice: advice(reason) }
            })
            .collect()
    }

    /// Adds up the facts of the source and the segments. The caller fills in times and memory.
    pub(crate) fn from_facts(recipe: &Recipe, source: &Facts, segments: &[(String, Facts)]) -> Self {
        let pairs_of =
            |name: &str| segments.iter().map(|(_, facts)| facts.pairs.get(name).copied().unwrap_or(0)).sum::<u64>();
        let facts = segments.iter().map(|(_, facts)| facts);
        Self {
            capped: 0,
            spilled: 0,
            workers: None,
            documents: Documents { source: source.documents, target: facts.clone().map(|f| f.documents).sum() },
            both: facts.clone().map(|f| f.both).sum(),
            skipped: count_skipped(std::iter::once(source).chain(facts)),
            pairs: recipe.configurations.iter().map(|c| (c.name.clone(), pairs_of(&c.name).into())).collect(),
            seconds: 0.0,
            resumed: 0,
            // Imported pairs of documents that are nowhere else are no part of a target that was read.
            segments: match segments.iter().filter(|(name, _)| name != IMPORTED).count() {
                0 => segments.len(),
                read => read,
            },
            source_bytes: 0,
            peak_memory: None,
            timings: Vec::new(),
        }
    }
}

/// Documents read on each side.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Documents {
    /// Of the source; judged ones only where there are judgments.
    pub source: u64,
    /// In all segments.
    pub target: u64,
}

/// Time of one stage, summed over threads.
#[derive(Debug, Clone, Serialize)]
pub struct Timing {
    pub stage: &'static str,
    pub seconds: f64,
}

impl Timing {
    pub(crate) fn list(timings: &Timings) -> Vec<Self> {
        timings.iter().map(|(stage, time)| Self { stage, seconds: time.as_secs_f64() }).collect()
    }
}

/// What a reason means, and what to do about it.
pub fn advice(reason: &str) -> &'static str {
    let known = reason.parse().ok().map(SkipReason::advice);
    known.unwrap_or(match reason {
        NOT_A_PAIR => {
            "a line of imported pairs needs a source and a target id, and plain numbers; `.dejaview/skipped.tsv` says what each lacks"
        }
        UNJUDGED_GROUP => "an imported group needs a judged document to be carried over from",
        REPEATED_PAIR => {
            "of the lines of an imported pair the highest score, the lowest distance and the first place count"
        }
        ITSELF => "an imported pair needs two documents; one that stands on both sides is no pair with itself",
        _ => "skipped.tsv says more",
    })
}

/// Counts records by the reason for which they were not read.
fn count_skipped<'a>(all: impl Iterator<Item = &'a Facts>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for (reason, records) in all.flat_map(|facts| facts.skipped.counts()) {
        *counts.entry(reason).or_default() += records;
    }
    counts
}

/// Digest of what the pairs of every segment depend on: parameters and the source, and whether a file of it is searched
/// for its own documents.
pub(crate) fn digest_of_plan(
    recipe: &Recipe,
    source: &[FileFacts],
    judgments: &[(String, String)],
    itself: bool,
) -> String {
    let files: Vec<Value> = source.iter().map(|f| json!([f.name, f.size, f.modified, f.format])).collect();
    let mut keep = format!("{:?}", recipe.keep);
    if recipe.join != Join::default() {
        keep += &format!(" {:?}", recipe.join);
    }
    if itself {
        keep += " itself";
    }
    if recipe.most_sketches != MOST_SKETCHES {
        keep += &format!(" {} sketches", recipe.most_sketches);
    }
    if recipe.status != AcceptedStatus::default() {
        keep += &format!(" {:?}", recipe.status);
    }
    // Pairs that rest on no statistics stay as they are whatever these are of; version 0.1.0 wrote the source's by default.
    let statistics = if recipe.rests_on_statistics() { &recipe.statistics } else { &StatisticsFrom::Source };
    let fitted = format!("{statistics:?} {:?}", recipe.content);
    let mut whole = vec![json!(RESULTS), json!(configurations(recipe)), json!(keep), json!(fitted)];
    whole.extend([json!(files), json!(judgments)]);
    // Methods that find other pairs than in version 0.1.0 with the same values.
    let later = recipe.configurations.iter().filter(|c| c.algorithm().revision > 1);
    whole.extend(later.map(|c| json!([c.algorithm().name, c.algorithm().revision])));
    hash::digest(Value::from(whole).to_string().as_bytes())
}

fn parameters(recipe: &Recipe) -> Value {
    let status = format!("{:?}", recipe.status).to_lowercase();
    json!({
        "seed": recipe.seed,
        "content": content_name(recipe),
        "status": status,
        "configurations": configurations(recipe),
    })
}

/// The word of `study.toml` for what of a document is its text.
pub(crate) fn content_name(recipe: &Recipe) -> String {
    format!("{:?}", recipe.content).to_lowercase()
}

fn configurations(recipe: &Recipe) -> Vec<ConfigurationAtDraw> {
    recipe.configurations.iter().map(configuration_at_draw).collect()
}

/// A configuration with every parameter in its canonical form.
pub(crate) fn configuration_at_draw(c: &ConfigurationRecipe) -> ConfigurationAtDraw {
    let values = c.values.stored().into_iter().map(|(name, value)| (name.to_owned(), json!(value.to_string())));
    ConfigurationAtDraw { name: c.name.clone(), method: c.algorithm().name.to_owned(), parameters: values.collect() }
}

/// Writes `manifest.json` and `skipped.tsv`. Segments are sorted by name, so that their order in `study.toml` changes nothing.
pub(crate) fn write(
    workspace: &Workspace,
    recipe: &Recipe,
    source: &Facts,
    segments: &[(String, Facts)],
) -> Result<(), StudyError> {
    let mut segments: Vec<&(String, Facts)> = segments.iter().collect();
    segments.sort_by_key(|(name, _)| name.clone());
    let side = |facts: &Facts| {
        let files: Vec<Value> =
            facts.inputs.iter().map(|f| json!({ "name": f.name, "size": f.size, "digest": f.digest })).collect();
        let reasons = facts.skipped.counts();
        let skipped: u64 = reasons.values().sum();
        json!({
            "documents": facts.documents,
            "skipped": skipped,
            "reasons": reasons,
            "pairs": facts.pairs,
            "inputs": files,
        })
    };
    let targets: serde_json::Map<String, Value> =
        segments.iter().map(|(name, facts)| (name.clone(), side(facts))).collect();
    write_json(
        &workspace.manifest(),
        &json!({
            "version": env!("CARGO_PKG_VERSION"),
            "name": recipe.name,
            "digest": "XXH3-128",
            "parameters": parameters(recipe),
            "statistics": source.statistics,
            "source": side(source),
            "target": targets,
        }),
    )?;
    let parts = std::iter::once(("", source));
    let parts = parts.chain(segments.iter().map(|(name, facts)| (name.as_str(), facts)));
    let parts = parts.map(|(segment, facts)| (segment, &facts.skipped));
    write_table(&workspace.skipped(), parts, |segment| workspace.skipped_of(segment))
}
