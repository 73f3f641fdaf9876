//! `dejaview transfer`: new qrels for the target, and a ledger of what became of every judgment.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::open_study::OpenStudy;
use super::output::{Misuse, Output, say};
use super::qrels::{say_unread_lines, write_lines};
use dejaview_base::shell::quoted_path;
use dejaview_evaluation::ranking::Metric;
use dejaview_evaluation::transfer::{Accept, Measure, Policy};
use dejaview_report::transfer::{LEDGER_COLUMNS, TransferReport, ledger_line, qrels};
use dejaview_study::{EffectOptions, Outputs, Transfer, TransferOptions};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview transfer study -o new.qrels --policy best --accept jaccard:0.9\n\
         dejaview transfer study -o new.qrels --accept labels --configuration simhash-3+5\n\n\
         A judged document that stands on both sides keeps its judgments: they are lines of the new qrels as they are, and no\n\
         other judgment of the same topic is carried onto it.")]
pub struct Args {
    /// Folder of the study; it needs judgments and a finished run, but no documents where its pairs are imported
    pub study: PathBuf,
    /// File for the new qrels; one file a track, named after it, when there are several
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Replace files that are there already; files of the study are never replaced
    #[arg(long)]
    pub force: bool,
    /// Which of several accepted pairs a judgment takes: best, first, all or vote
    #[arg(long, default_value = "best")]
    pub policy: Policy,
    /// Which pairs carry judgments: labels, all, or a measure and the least of it (jaccard, s3, edit, score). Must be said.
    /// Never a pair that people labelled not a near-duplicate
    #[arg(long, value_name = "labels|all|MEASURE:X")]
    pub accept: Option<Accept>,
    /// What tells the best pair: jaccard, s3, edit or score; by default what pairs are accepted by
    #[arg(long, value_name = "MEASURE")]
    pub by: Option<Measure>,
    /// Only pairs that this configuration found; may be given several times
    #[arg(long, value_name = "NAME")]
    pub configuration: Vec<String>,
    /// File for the ledger; beside the qrels by default
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Runs of systems over the source: what the transfer does to their ranking
    #[arg(long, num_args = 1.., value_name = "FILES")]
    pub runs: Vec<PathBuf>,
    /// Runs of the same systems over the target, told by their tags
    #[arg(long, num_args = 1.., value_name = "FILES", requires = "runs")]
    pub runs_after: Vec<PathBuf>,
    /// The track whose topics the runs are of, where there are several
    #[arg(long, value_name = "NAME", requires = "runs")]
    pub track: Option<String>,
    /// What runs are measured by: ap, ndcg@K, p@K, as trec_eval defines them
    #[arg(long, value_delimiter = ',', default_value = "ap,ndcg@10,p@10", value_name = "MEASURES")]
    pub measures: Vec<Metric>,
    /// Go on although lines of labels are damaged; they do not count
    #[arg(long)]
    pub allow_damaged: bool,
}

pub fn transfer(args: &Args, output: &mut Output) -> Result<()> {
    let accept = required_accept(args.accept)?;
    let study = OpenStudy::open(&args.study)?;
    let order =
        TransferOptions { policy: args.policy, accept, by: args.by, configurations: args.configuration.clone() };
    let transfer = dejaview_study::transfer(&study, &order)?;
    study.must_have_whole_labels(args.allow_damaged)?;
    let outputs = Outputs::new(Some(study.session()), "transfer", args.force);
    let outputs = outputs.reading(args.runs.iter().chain(&args.runs_after));
    let files = write_files(&transfer, &args.output, args.ledger.as_deref(), &outputs)?;
    let effects = if args.runs.is_empty() { None } else { Some(transfer.effect(&effect_options(args))?) };
    for unread in effects.iter().flat_map(|effects| &effects.unread) {
        say(&format!("{unread}: not read"));
    }
    let changed = dejaview_study::changed_samples(&study)?;
    changed.iter().for_each(|changed| say(&changed.to_string()));
    study.judgments()?.into_iter().for_each(|judgments| say_unread_lines(judgments));
    study.report(output, &TransferReport::new(&transfer).with_results(&files, changed, effects))?;
    if !output.json {
        files.iter().for_each(|file| say(&format!("wrote {}", file.display())));
    }
    Ok(())
}

/// What `--accept` says. It has no default, because it decides how many judgments are carried over by wrong pairs.
pub(super) fn required_accept(accept: Option<Accept>) -> Result<Accept> {
    let why = "say with --accept which pairs carry judgments: labels (those labelled near-duplicates), all (every pair found), \
               or a measure and the least of it, jaccard:0.9 for one (jaccard, s3, edit, score)";
    accept.ok_or_else(|| Misuse(why.to_owned()).into())
}

fn effect_options(args: &Args) -> EffectOptions {
    EffectOptions {
        runs: args.runs.clone(),
        after: args.runs_after.clone(),
        track: args.track.clone(),
        metrics: args.measures.clone(),
    }
}

/// Writes the qrels, one file a track when there are several, and the ledger; returns their paths.
fn write_files(transfer: &Transfer, path: &Path, ledger: Option<&Path>, outputs: &Outputs<'_>) -> Result<Vec<PathBuf>> {
    let tracks = qrels(transfer);
    let several = tracks.len() > 1;
    // What stands behind /dev/stdout may be a file; beside it is no place for others.
    let is_stream = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"].iter().any(|start| path.starts_with(start));
    let is_device = is_stream || std::fs::metadata(path).is_ok_and(|at| !at.is_file());
    if is_device && (several || ledger.is_none()) {
        bail!(
            "{} is no file, and nothing is written beside it: name a file with --output{}",
            quoted_path(path),
            if several { ", after which one of each track is named" } else { ", or one for the ledger with --ledger" }
        );
    }
    let mut files = Vec::new();
    for (track, lines) in &tracks {
        let path = if several { path_for_track(path, track) } else { path.to_owned() };
        files.push(write_lines(outputs, &path, lines.iter().map(String::as_str))?);
    }
    let ledger = ledger.map_or_else(|| default_ledger(path), Path::to_owned);
    let head = LEDGER_COLUMNS.join("\t");
    let rows = transfer.outcome.entries.iter().map(|entry| ledger_line(transfer, entry));
    files.push(write_lines(outputs, &ledger, std::iter::once(head).chain(rows))?);
    Ok(dejaview_study::finish_all(files)?)
}

/// `new.qrels` becomes `new.web09.qrels`.
fn path_for_track(path: &Path, track: &str) -> PathBuf {
    let track: String =
        track.chars().map(|c| if c.is_alphanumeric() || "+-_.".contains(c) { c } else { '_' }).collect();
    let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
    path.with_extension(extension.map_or(track.clone(), |extension| format!("{track}.{extension}")))
}

/// `new.qrels` becomes `new.ledger.tsv`.
fn default_ledger(qrels: &Path) -> PathBuf {
    qrels.with_extension("ledger.tsv")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_the_qrels() {
        assert_eq!(path_for_track(Path::new("a/new.qrels"), "web 09"), Path::new("a/new.web_09.qrels"));
        assert_eq!(path_for_track(Path::new("new"), "web09"), Path::new("new.web09"));
        assert_eq!(default_ledger(Path::new("a/new.qrels")), Path::new("a/new.ledger.tsv"));
    }
}
