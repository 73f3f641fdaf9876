//! `dejaview run`: reads both sides, finds pairs and scores them; `--dry-run` only says what that would cost.

use std::path::PathBuf;

use anyhow::Result;

use super::output::{Output, say};
use super::qrels::say_unread_lines;
use super::work::{thread_count, with_progress_bar};
use dejaview_report::runs::{DryRunReport, RunReport};
use dejaview_study::{JudgedDocuments, RunOptions, Session, Snapshot, is_filter_word};

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
    let threads = thread_count(args.threads);
    if args.dry_run {
        return dry_run(&session, args.fresh, threads, output);
    }
    let judgments = session.read_judgments()?;
    judgments.iter().for_each(say_unread_lines);
    for name in session.recipe().configuration_names().iter().filter(|name| is_filter_word(name)) {
        say(&format!("in filters `{name}` is the word of filters; `by:{name}` means the configuration of this name"));
    }
    let summary =
        with_progress_bar(|bar| dejaview_study::run(&session, RunOptions { threads, fresh: args.fresh }, bar))?;
    // That samples could not be checked must not make a finished run fail.
    let changed_samples = dejaview_study::changed_samples(&Snapshot::new(&session)).unwrap_or_else(|why| {
        say(&format!("whether the samples are of the pairs there are now is not known: {why}"));
        Vec::new()
    });
    output.report(&RunReport {
        not_read: summary.not_read(),
        changed_samples,
        judged: judgments.map(|judgments| JudgedDocuments::new(&judgments, Some(&summary))),
        recipe: session.recipe(),
        folder: session.folder().to_owned(),
        timings: args.timings,
        summary: &summary,
    })
}

fn dry_run(session: &Session, fresh: bool, threads: usize, output: &mut Output) -> Result<()> {
    let mut plan = dejaview_study::plan(session)?;
    if fresh {
        plan.finished.clear();
    }
    let cost = dejaview_study::expected_cost(session, &plan, threads)?;
    output.report(&DryRunReport::new(session.recipe(), &plan, &cost, threads))
}
