//! What a run did, on disk: facts about each side, the manifest, the list of records that were not read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::StudyError;
use crate::recipe::files::IMPORTED;
use crate::recipe::{ConfigurationRecipe, Recipe, StatisticsFrom};
use crate::run::workspace::{Workspace, write_json, write_whole};
use dejaview_base::hash;
use dejaview_base::timing::Timings;
use dejaview_corpus::{AcceptedStatus, Input, SkipReason};
use dejaview_evaluation::sample::ConfigurationAtDraw;
use dejaview_matching::pass::ITSELF;
use dejaview_matching::reading::Skipped;
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

    /// Whether the file is as it was, as far as name, size, time and format tell.
    pub(crate) fn is_unchanged(&self, other: &Self) -> bool {
        (&self.name, self.size, self.modified, &self.format) == (&other.name, other.size, other.modified, &other.format)
    }
}

/// Reasons for which a line of imported pairs is skipped.
pub(crate) const NOT_A_PAIR: &str = "not a pair";
pub(crate) const UNJUDGED_GROUP: &str = "group without a judged document";

/// A skipped record, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SkippedFacts {
    file: String,
    offset: u64,
    pub(crate) reason: String,
    pub(crate) detail: String,
}

impl SkippedFacts {
    pub(crate) fn new(file: &str, offset: u64, reason: &str, detail: &str) -> Self {
        Self { file: file.to_owned(), offset, reason: reason.to_owned(), detail: detail.to_owned() }
    }

    pub(crate) fn from_skipped(skipped: &[Skipped], inputs: &[Input]) -> Vec<Self> {
        let facts = |s: &Skipped| Self {
            file: inputs[s.file].name.clone(),
            offset: s.offset,
            reason: s.reason.clone(),
            detail: s.detail.clone(),
        };
        skipped.iter().map(facts).collect()
    }
}

/// A record that a run skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedRecord {
    /// Its segment; empty for the source.
    pub segment: String,
    pub file: String,
    pub offset: u64,
    /// A few words that all records of this kind share.
    pub reason: String,
    /// What was seen in this record.
    pub detail: String,
}

/// What the last run read of the source, or of a segment of the target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InputSummary {
    /// Its segment; empty for the source.
    pub segment: String,
    pub documents: u64,
    /// Names and sizes of its files.
    pub files: Vec<(String, u64)>,
    /// Records that were not read.
    pub skipped: Vec<SkippedRecord>,
}

impl InputSummary {
    pub(crate) fn new(segment: &str, facts: &Facts) -> Self {
        let skipped = |s: &SkippedFacts| SkippedRecord {
            segment: segment.to_owned(),
            file: s.file.clone(),
            offset: s.offset,
            reason: s.reason.clone(),
            detail: s.detail.clone(),
        };
        Self {
            segment: segment.to_owned(),
            documents: facts.documents,
            files: facts.inputs.iter().map(|file| (file.name.clone(), file.size)).collect(),
            skipped: facts.skipped.iter().map(skipped).collect(),
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
    pub(crate) skipped: Vec<SkippedFacts>,
    /// Documents that are documents of the source.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) both: u64,
    /// Where there are such documents: digest of all files of the target, for it depends on them which pairs count.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) beside: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks like this")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Digest of files as they lie on disk, without reading them.
pub(crate) fn digest_of_files<'a>(inputs: impl Iterator<Item = &'a Input>) -> String {
    let files: Vec<Value> =
        inputs.map(|input| FileFacts::new(input, 0)).map(|f| json!([f.name, f.size, f.modified, f.format])).collect();
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

/// Records of one kind that were not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotRead<'a> {
    pub reason: &'a str,
    pub records: u64,
    /// What that means, and what to do about it.
    pub advice: &'static str,
}

impl Summary {
    /// Skipped records by reason, the most frequent first, with advice.
    pub fn not_read(&self) -> Vec<NotRead<'_>> {
        let mut all: Vec<(&str, u64)> = self.skipped.iter().map(|(reason, records)| (&**reason, *records)).collect();
        all.sort_by_key(|(_, records)| std::cmp::Reverse(*records));
        all.into_iter().map(|(reason, records)| NotRead { reason, records, advice: advice(reason) }).collect()
    }

    /// Adds up the facts of the source and the segments. The caller fills in times and memory.
    pub(crate) fn from_facts(recipe: &Recipe, source: &Facts, segments: &[(String, Facts)]) -> Self {
        let pairs_of =
            |name: &str| segments.iter().map(|(_, facts)| facts.pairs.get(name).copied().unwrap_or(0)).sum::<u64>();
        let facts = segments.iter().map(|(_, facts)| facts);
        Self {
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
        NOT_A_PAIR => "a line of imported pairs needs a source and a target id",
        UNJUDGED_GROUP => "an imported group needs a judged document to be carried over from",
        ITSELF => "an imported pair needs two documents; one that stands on both sides is no pair with itself",
        _ => "skipped.tsv says more",
    })
}

/// Counts records by the reason for which they were not read.
fn count_skipped<'a>(all: impl Iterator<Item = &'a Facts>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for skipped in all.flat_map(|facts| &facts.skipped) {
        *counts.entry(skipped.reason.clone()).or_default() += 1;
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
    if recipe.status != AcceptedStatus::default() {
        keep += &format!(" {:?}", recipe.status);
    }
    // Pairs that rest on no statistics stay as they are whatever these are of; version 0.1.0 wrote the source's by default.
    let statistics = if recipe.rests_on_statistics() { &recipe.statistics } else { &StatisticsFrom::Source };
    let fitted = format!("{statistics:?} {:?}", recipe.content);
    let mut whole = vec![json!(env!("CARGO_PKG_VERSION")), json!(configurations(recipe)), json!(keep), json!(fitted)];
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
        json!({ "documents": facts.documents, "skipped": facts.skipped.len(), "pairs": facts.pairs, "inputs": files })
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
    let sides = std::iter::once(("source", "", source));
    let sides = sides.chain(segments.iter().map(|(name, facts)| ("target", name.as_str(), facts)));
    write_skipped(&workspace.skipped(), sides)
}

fn write_skipped<'a>(
    path: &Path,
    sides: impl Iterator<Item = (&'a str, &'a str, &'a Facts)>,
) -> Result<(), StudyError> {
    let mut table = String::from("side\tsegment\tfile\toffset\treason\tdetail\n");
    for (side, segment, facts) in sides {
        for s in &facts.skipped {
            let (file, detail) = (one_field(&s.file), one_field(&s.detail));
            let _ = writeln!(table, "{side}\t{segment}\t{file}\t{}\t{}\t{detail}", s.offset, s.reason);
        }
    }
    write_whole(path, table.as_bytes())
}

/// A text that stays within its column and line: control characters are written as their escapes.
fn one_field(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}
