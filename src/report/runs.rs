//! The summary of a run, and of a dry run.

use std::path::PathBuf;

use serde::Serialize;

use crate::fitting::{lines, prose};
use crate::numbers::{bytes, count, percent, plural, seconds};
use crate::result::{Record, Report};
use dejaview_base::escaping::escape_text;
use dejaview_base::shell::quoted_path;
use dejaview_study::{ChangedSample, Cost, FromWorkers, JudgedDocuments, MatchedFile, NotRead, Plan, Recipe, Summary};

#[derive(Debug, Serialize)]
pub struct RunReport<'a> {
    #[serde(flatten)]
    pub summary: &'a Summary,
    pub not_read: Vec<NotRead<'a>>,
    pub changed_samples: Vec<ChangedSample>,
    /// None where there are no judgments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<JudgedDocuments>,
    #[serde(skip)]
    pub recipe: &'a Recipe,
    /// Folder of the study.
    #[serde(skip)]
    pub folder: PathBuf,
    /// Whether to show the time that each stage took.
    #[serde(skip)]
    pub timings: bool,
}

impl Report for RunReport<'_> {
    fn text(&self, columns: Option<usize>) -> Vec<String> {
        let mut text = self.summary_lines();
        text.extend(self.capped_sentence().iter().flat_map(|sentence| prose(sentence, columns)));
        text.extend(self.changed_samples.iter().flat_map(|sample| prose(&sample.to_string(), columns)));
        if self.timings {
            text.push(String::new());
            text.extend(timing_lines(self.summary));
        }
        text
    }
}

impl RunReport<'_> {
    fn summary_lines(&self) -> Vec<String> {
        let summary = self.summary;
        let judged = if self.judged.is_some() { " (judged)" } else { "" };
        let mut text = vec![
            self.recipe.name.clone(),
            format!("source  {}{judged}", plural(summary.documents.source, "document")),
            format!(
                "target  {} in {}",
                plural(summary.documents.target, "document"),
                plural(summary.segments as u64, "segment")
            ),
        ];
        if summary.both > 0 {
            let documents = plural(summary.both, "document");
            text.push(format!("both    {documents} on both sides: none is its own pair, and two of them are one pair"));
            text.push("        ([join] self = false in study.toml pairs them with themselves, too)".to_owned());
        }
        let rows: Vec<Vec<String>> = summary
            .pairs
            .iter()
            .map(|(name, n)| vec![format!("  {name}"), plural(n.as_u64().unwrap_or(0), "pair")])
            .collect();
        text.extend(lines(&rows, &[]));
        text.extend(self.skipped_lines());
        text.extend(self.missing_line());
        text.extend(summary.workers.map(workers_line));
        let resumed = match summary.resumed {
            0 => String::new(),
            n => format!(" ({} finished before)", plural(n as u64, "segment")),
        };
        text.push(format!("done in {}{resumed}", seconds(summary.seconds)));
        text
    }

    /// How many judged documents the source lacks, if it lacks some.
    fn missing_line(&self) -> Option<String> {
        let judged = self.judged.filter(|judged| judged.missing() > 0)?;
        let (documents, missing) = (plural(judged.documents, "document"), count(judged.missing()));
        let folder = quoted_path(&self.folder);
        Some(format!(
            "judged  {documents}, {missing} of which the source lacks; each is listed by `dejaview judgments {folder} --missing`"
        ))
    }

    /// How many keys say nothing, if some do.
    fn capped_sentence(&self) -> Option<String> {
        let keys = match self.summary.capped {
            0 => return None,
            1 => "1 key, which".to_owned(),
            many => format!("{} keys, each of which", count(many)),
        };
        let (most, list) = (count(self.recipe.most_sketches), self.folder.join(".dejaview/capped.tsv"));
        Some(format!(
            "capped  {keys} more than {most} different sketches of the source share: they find equal sketches only, and pairs that \
             share no other key and differ are missing; listed in {}",
            list.display()
        ))
    }

    fn skipped_lines(&self) -> Vec<String> {
        if self.not_read.is_empty() {
            return Vec::new();
        }
        let list = self.folder.join(".dejaview/skipped.tsv");
        let row = |kind: &NotRead<'_>| {
            vec![format!("  {}", count(kind.count())), kind.reason.to_owned(), kind.advice.to_owned()]
        };
        let mut text = vec![format!("skipped {}; each is listed in {}", amount(&self.not_read), list.display())];
        text.extend(lines(&self.not_read.iter().map(row).collect::<Vec<_>>(), &[0]));
        text
    }
}

/// How many records and whole files were not read, in words.
pub fn amount(not_read: &[NotRead<'_>]) -> String {
    let records: u64 = not_read.iter().map(|kind| kind.records).sum();
    let files: u64 = not_read.iter().map(|kind| kind.files).sum();
    match (records, files) {
        (records, 0) => plural(records, "record"),
        (0, files) => plural(files, "file"),
        (records, files) => format!("{} and {}", plural(records, "record"), plural(files, "file")),
    }
}

/// Of how many files the run took what workers have found.
fn workers_line(workers: FromWorkers) -> String {
    let FromWorkers { taken, files } = workers;
    let here = match files - taken {
        0 => String::new(),
        1 => "; 1 was searched here".to_owned(),
        left => format!("; {} were searched here", count(left)),
    };
    format!("workers searched {} of {}{here}", count(taken), plural(files, "file"))
}

fn timing_lines(summary: &Summary) -> Vec<String> {
    let total: f64 = summary.timings.iter().map(|t| t.seconds).sum();
    let mut rows = vec![vec!["stage".to_owned(), "seconds".to_owned(), "share".to_owned()]];
    rows.extend(
        summary
            .timings
            .iter()
            .map(|t| vec![t.stage.to_owned(), format!("{:.3}", t.seconds), percent(t.seconds / total.max(1e-9), 0)]),
    );
    let mut table = lines(&rows, &[1, 2]);
    table.push(format!("summed over threads; the source takes {} of memory", bytes(summary.source_bytes as u64)));
    table.extend(summary.peak_memory.map(|peak| format!("the process held {} at most", bytes(peak))));
    table
}

/// What became of a file that a worker was given.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct MatchedFileRow(pub MatchedFile);

impl Record for MatchedFileRow {
    const HEAD: &'static [&'static str] = &["segment", "file", "documents", "kept", "skipped", "state"];

    fn cells(&self) -> Vec<String> {
        let Self(file) = self;
        let skipped: u64 = file.skipped.values().sum();
        let state = match (&file.not_read, file.before) {
            (Some(why), _) => format!("given up: {why}"),
            (None, true) => format!("{} before", file.stage.done()),
            (None, false) => file.stage.done().to_owned(),
        };
        let numbers = [file.documents, file.kept, skipped].map(|number| number.to_string());
        let words = [&file.segment, &file.file].map(|word| escape_text(word).into_owned());
        words.into_iter().chain(numbers).chain([escape_text(&state).into_owned()]).collect()
    }
}

/// What a run would read, and what it is expected to cost.
#[derive(Debug, Serialize)]
pub struct DryRunReport<'a> {
    name: &'a str,
    judged: Option<usize>,
    source: SourceFiles,
    segments: Vec<SegmentFiles<'a>>,
    expected: &'a Cost,
    #[serde(skip)]
    threads: usize,
}

#[derive(Debug, Serialize)]
struct SourceFiles {
    files: usize,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct SegmentFiles<'a> {
    name: &'a str,
    files: usize,
    bytes: u64,
    finished: bool,
}

impl<'a> DryRunReport<'a> {
    pub fn new(recipe: &'a Recipe, plan: &'a Plan, cost: &'a Cost, threads: usize) -> Self {
        let segments = plan.corpora.segments.iter().map(|segment| SegmentFiles {
            name: &segment.name,
            files: segment.inputs.len(),
            bytes: segment.inputs.iter().map(|input| input.size).sum(),
            finished: plan.finished.contains(&segment.name),
        });
        Self {
            name: &recipe.name,
            judged: plan.judged,
            source: SourceFiles { files: plan.corpora.source.len(), bytes: cost.source_bytes },
            segments: segments.collect(),
            expected: cost,
            threads,
        }
    }

    fn input_lines(&self) -> Vec<String> {
        let mut text = Vec::new();
        text.extend(self.judged.map(|judged| format!("judged    {}", plural(judged as u64, "document"))));
        let (files, size) = (plural(self.source.files as u64, "file"), bytes(self.source.bytes));
        text.push(format!("source    {files}, {size}"));
        for segment in &self.segments {
            let done = if segment.finished { ", finished before" } else { "" };
            let files = plural(segment.files as u64, "file");
            text.push(format!("segment   {}: {files}, {}{done}", segment.name, bytes(segment.bytes)));
        }
        if self.expected.fitting_bytes > 0 {
            let read = bytes(self.expected.fitting_bytes);
            text.push(format!(
                "fitting   {read} read once before, for document frequencies, lexicons and support words"
            ));
        }
        text.extend(self.expected.tables.iter().map(|table| {
            format!(
                "tables    {}: {} with keys of {} bits, about {:.1} candidates a probe if hashes were uniform",
                table.configuration, table.tables, table.key_bits, table.candidates
            )
        }));
        text
    }
}

impl Report for DryRunReport<'_> {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        let (mut text, cost) = (self.input_lines(), self.expected);
        if cost.source_documents + cost.target_documents == 0 {
            text.push("expected  nothing to read: every segment is finished; --fresh begins anew".to_owned());
            return text;
        }
        text.push(format!(
            "expected  about {} source and {} target documents",
            count(cost.source_documents),
            count(cost.target_documents)
        ));
        text.push(format!(
            "          about {} on {} ({} of processor time), about {} of memory",
            seconds(cost.seconds),
            plural(self.threads as u64, "thread"),
            seconds(cost.processor_seconds),
            bytes(cost.memory)
        ));
        let tried = count(cost.tried);
        text.push(format!(
            "          (from a run of {tried} of them in a temporary folder; nothing of the study was touched)"
        ));
        text
    }
}
