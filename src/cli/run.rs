//! `dejaview run`: reads, matches, scores.

use std::path::PathBuf;
use std::sync::mpsc;

use anyhow::Result;
use serde_json::json;

use super::judgments::complain;
use super::output::{Output, say};
use super::progress::Bar;
use dejaview_report::numbers::{bytes, count, percent, plural, seconds};
use dejaview_report::table::lines;
use dejaview_study::{Cost, NotRead, Options, Plan, Session, Snapshot, Summary};

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview run study --threads 8 --timings")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// Threads to use; all cores by default. The result does not depend on it
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Forget what earlier runs made and begin anew; labels and samples stay
    #[arg(long)]
    pub fresh: bool,
    /// Say what would be read and what it is expected to cost: some documents are run in a temporary folder. The study
    /// is not touched
    #[arg(long)]
    pub dry_run: bool,
    /// Say where the time went
    #[arg(long)]
    pub timings: bool,
}

pub fn run(args: &Args, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let threads = threads(args.threads);
    if args.dry_run {
        return dry_run(&session, args.fresh, threads, output);
    }
    session.read_judgments()?.iter().for_each(complain);
    let summary = watched(|bar| dejaview_study::run(&session, Options { threads, fresh: args.fresh }, bar))?;
    // The run is done, whatever becomes of samples.
    let changed = dejaview_study::changed_samples(&Snapshot::of(&session)).unwrap_or_else(|why| {
        say(&format!("whether the samples are of the pairs there are now is not known: {why}"));
        Vec::new()
    });
    if output.json {
        let mut value = serde_json::to_value(&summary)?;
        value["not_read"] = json!(summary.not_read());
        value["changed_samples"] = json!(changed);
        return output.json(&value);
    }
    for line in report(&session, &summary) {
        output.line(line)?;
    }
    for sample in &changed {
        output.prose(&sample.to_string())?;
    }
    if args.timings {
        output.line("")?;
        for line in timings(&summary) {
            output.line(line)?;
        }
    }
    Ok(())
}

/// The number of threads asked for, or that of the cores.
pub fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Does something that takes its time, with a bar.
pub fn watched<T>(work: impl FnOnce(&Bar) -> T) -> T {
    let bar = Bar::new();
    let (done, over) = mpsc::channel();
    std::thread::scope(|scope| {
        let follower = scope.spawn(|| {
            let over = over;
            bar.follow(&over);
        });
        let result = work(&bar);
        drop(done);
        let _ = follower.join();
        result
    })
}

fn report(session: &Session, summary: &Summary) -> Vec<String> {
    let recipe = session.recipe();
    let judged = if recipe.source.judgments.is_empty() { "" } else { " (judged)" };
    let mut report = vec![
        recipe.name.clone(),
        format!("source  {}{judged}", plural(summary.documents.source, "document")),
        format!(
            "target  {} in {}",
            plural(summary.documents.target, "document"),
            plural(summary.segments as u64, "segment")
        ),
    ];
    if summary.both > 0 {
        let documents = plural(summary.both, "document");
        report.push(format!("both    {documents} on both sides: none is its own pair, and two of them are one pair"));
        report.push("        ([join] self = false in study.toml pairs them with themselves, too)".to_owned());
    }
    let rows: Vec<Vec<String>> = summary
        .pairs
        .iter()
        .map(|(name, n)| vec![format!("  {name}"), plural(n.as_u64().unwrap_or(0), "pair")])
        .collect();
    report.extend(lines(&rows, &[]));
    let not_read = summary.not_read();
    if !not_read.is_empty() {
        let records = not_read.iter().map(|kind| kind.records).sum();
        let list = session.folder().join(".dejaview/skipped.tsv");
        report.push(format!("skipped {}; each is listed in {}", plural(records, "record"), list.display()));
        let row = |kind: &NotRead<'_>| {
            vec![format!("  {}", count(kind.records)), kind.reason.to_owned(), kind.advice.to_owned()]
        };
        report.extend(lines(&not_read.iter().map(row).collect::<Vec<_>>(), &[0]));
    }
    let resumed = match summary.resumed {
        0 => String::new(),
        n => format!(" ({} finished before)", plural(n as u64, "segment")),
    };
    report.push(format!("done in {}{resumed}", seconds(summary.seconds)));
    report
}

fn timings(summary: &Summary) -> Vec<String> {
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

fn dry_run(session: &Session, fresh: bool, threads: usize, output: &mut Output) -> Result<()> {
    let mut plan = dejaview_study::plan(session)?;
    if fresh {
        plan.finished.clear();
    }
    let cost = dejaview_study::expected_cost(session, &plan, threads)?;
    if output.json {
        return output.json(&as_json(session, &plan, &cost));
    }
    let corpora = &plan.corpora;
    if let Some(judged) = plan.judged {
        output.line(format!("judged    {}", plural(judged as u64, "document")))?;
    }
    output.line(format!("source    {}, {}", plural(corpora.source.len() as u64, "file"), bytes(cost.source_bytes)))?;
    for segment in &corpora.segments {
        let size = segment.inputs.iter().map(|input| input.size).sum();
        let done = if plan.finished.contains(&segment.name) { ", finished before" } else { "" };
        let files = plural(segment.inputs.len() as u64, "file");
        output.line(format!("segment   {}: {files}, {}{done}", segment.name, bytes(size)))?;
    }
    if cost.fitting_bytes > 0 {
        let read = bytes(cost.fitting_bytes);
        output
            .line(format!("fitting   {read} read once before, for document frequencies, lexicons and support words"))?;
    }
    for table in &cost.tables {
        output.line(format!(
            "tables    {}: {} with keys of {} bits, about {:.1} candidates a probe if hashes were uniform",
            table.configuration, table.tables, table.key_bits, table.candidates
        ))?;
    }
    if cost.source_documents + cost.target_documents == 0 {
        return output.line("expected  nothing to read: every segment is finished; --fresh begins anew");
    }
    output.line(format!(
        "expected  about {} source and {} target documents",
        count(cost.source_documents),
        count(cost.target_documents)
    ))?;
    output.line(format!(
        "          about {} on {} ({} of processor time), about {} of memory",
        seconds(cost.seconds),
        plural(threads as u64, "thread"),
        seconds(cost.processor_seconds),
        bytes(cost.memory)
    ))?;
    let tried = count(cost.tried);
    output.line(format!(
        "          (from a run of {tried} of them in a temporary folder; nothing of the study was touched)"
    ))
}

fn as_json(session: &Session, plan: &Plan, cost: &Cost) -> serde_json::Value {
    let segments: Vec<_> = plan
        .corpora
        .segments
        .iter()
        .map(|s| {
            let bytes: u64 = s.inputs.iter().map(|input| input.size).sum();
            json!({ "name": s.name, "files": s.inputs.len(), "bytes": bytes, "finished": plan.finished.contains(&s.name) })
        })
        .collect();
    json!({
        "name": session.recipe().name,
        "judged": plan.judged,
        "source": { "files": plan.corpora.source.len(), "bytes": cost.source_bytes },
        "segments": segments,
        "expected": cost,
    })
}
