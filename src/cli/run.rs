//! `dejaview run`: reads both sides, finds pairs and scores them; `--dry-run` only says what that would cost.

use std::path::PathBuf;

use anyhow::Result;

use super::output::{Misuse, Output, say};
use super::qrels::{say_unread_lines, say_unread_topics};
use super::work::{thread_count, with_progress_bar};
use dejaview_report::runs::{DryRunReport, RunReport};
use dejaview_study::{JudgedDocuments, KitOrder, RunOptions, Session, Snapshot, Spark, Workers, is_filter_word};

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
    /// Who searches the target: this machine, or the workers of a Spark cluster
    #[arg(long, value_enum, default_value_t, conflicts_with_all = ["dry_run", "parts", "prepare"])]
    pub engine: Engine,
    /// The cluster, as spark-submit takes it: `spark://host:7077`, `local[2]`. Without it that of `spark-defaults.conf`, or
    /// else all cores of this machine, `local[*]`
    #[arg(long, value_name = "URL")]
    pub master: Option<String>,
    /// A setting of Spark, as spark-submit takes it
    #[arg(long, value_name = "KEY=VALUE")]
    pub conf: Vec<String>,
    /// Read the source, fit the methods, and write a kit for workers (`dejaview match`); print the files that they shall
    /// search
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub prepare: Option<PathBuf>,
    /// What the workers of the kit shall do
    #[arg(long, value_enum, default_value_t, requires = "prepare")]
    pub stage: PreparedStage,
    /// Take what workers have left in this folder, and search the rest
    #[arg(long, value_name = "FOLDER", conflicts_with = "dry_run")]
    pub parts: Option<PathBuf>,
}

/// Who searches the target.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Engine {
    /// Threads of this process
    #[default]
    Threads,
    /// Workers that Apache Spark starts
    Spark,
}

/// What workers shall do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum PreparedStage {
    /// Count the words of the target, where methods are fitted to both sides; `--prepare` takes the counts with `--parts`
    Statistics,
    /// Search the target
    #[default]
    Search,
}

pub fn run(args: &Args, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let threads = thread_count(args.threads);
    if args.dry_run {
        return dry_run(&session, args.fresh, threads, output);
    }
    let judgments = session.read_judgments()?;
    judgments.iter().for_each(say_unread_lines);
    say_unread_topics(&session.read_topics());
    for name in session.recipe().configuration_names().iter().filter(|name| is_filter_word(name)) {
        say(&format!("in filters `{name}` is the word of filters; `by:{name}` means the configuration of this name"));
    }
    let options = RunOptions { threads, fresh: args.fresh };
    let workers = workers(args)?;
    if let Some(kit) = &args.prepare {
        let order = KitOrder { counts: args.stage == PreparedStage::Statistics, kit };
        let files = with_progress_bar(|bar| dejaview_study::prepare(&session, options, &workers, order, bar))?;
        return files.iter().try_for_each(|file| output.line(file));
    }
    let summary = with_progress_bar(|bar| dejaview_study::run_with(&session, options, &workers, bar))?;
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

/// Who helps with the run.
fn workers(args: &Args) -> Result<Workers> {
    let is_spark = args.engine == Engine::Spark;
    if !is_spark && (args.master.is_some() || !args.conf.is_empty()) {
        return Err(Misuse("--master and --conf are for Spark: add --engine spark".to_owned()).into());
    }
    if let Some(setting) = args.conf.iter().find(|setting| !setting.contains('=')) {
        return Err(Misuse(format!("--conf takes KEY=VALUE, and `{setting}` has no =")).into());
    }
    if let Some(folder) = args.parts.as_ref().filter(|folder| !folder.is_dir()) {
        let folder = folder.display();
        return Err(Misuse(format!("--parts names {folder}, which is no folder; name that of `match --parts`")).into());
    }
    Ok(match &args.parts {
        Some(folder) => Workers::Parts(folder.clone()),
        None if is_spark => Workers::Spark(Spark {
            master: args.master.clone(),
            settings: args.conf.clone(),
            program: std::env::var_os("DEJAVIEW_WORKER").map(PathBuf::from),
        }),
        None => Workers::None,
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
