//! `dejaview judgments`: counts of judgments by track, topic and grade, and documents that were judged differently.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::open_study::OpenStudy;
use super::output::Output;
use super::qrels::{say_unread_lines, say_unread_topics};
use super::values::share;
use super::work::{thread_count, with_progress_bar};
use dejaview_corpus::qrels::Judgments;
use dejaview_report::judged_groups::JudgedGroupsReport;
use dejaview_report::judgments::{InconsistentRow, JudgmentRow, JudgmentsReport, MissingRow};
use dejaview_study::{Outputs, PatchRule, Snapshot};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview judgments study --inconsistent\n\
         dejaview judgments study --groups --patch judgments.patch")]
pub struct Args {
    /// Folder of the study; it need not have been run, nor its documents be there
    pub study: PathBuf,
    /// List every judgment: track, topic, subtopic, document, grade as written
    #[arg(long, conflicts_with = "inconsistent")]
    pub list: bool,
    /// List the documents that were judged differently within a topic, and those that have other grades in one track than in
    /// another, where the topics are others, too
    #[arg(long)]
    pub inconsistent: bool,
    /// List the judged documents that the source lacks; reads the source
    #[arg(long, conflicts_with_all = ["list", "inconsistent", "groups"])]
    pub missing: bool,
    /// Look for near-duplicates inside the source that were judged differently: by their texts, or, in a study
    /// without documents, by targets that they have in common
    #[arg(long, conflicts_with_all = ["list", "inconsistent"])]
    pub groups: bool,
    /// Least Jaccard (at the n of the study) of near-duplicates inside the source
    #[arg(long, default_value_t = 0.9, value_name = "X", requires = "groups", value_parser = share,
        allow_negative_numbers = true)]
    pub least: f64,
    /// Write a patch of the qrels that gives the members of a group one grade
    #[arg(long, value_name = "FILE", requires = "groups")]
    pub patch: Option<PathBuf>,
    /// Replace a patch that is there already; files of the study are never replaced
    #[arg(long, requires = "patch")]
    pub force: bool,
    /// Which grade they get: majority (on a tie the higher), highest or lowest
    #[arg(long, default_value = "majority", requires = "groups")]
    pub rule: PatchRule,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
}

pub fn judgments(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    if args.groups {
        return source_groups(&study, args, output);
    }
    let Some(judgments) = study.judgments()? else {
        bail!("this study has no judgments; add `judgments = [\"…\"]` to [source] in its study.toml");
    };
    // The summary as JSON lists them.
    if !output.json || args.missing || args.list || args.inconsistent {
        say_unread_lines(judgments);
    }
    if args.missing {
        return list_missing(&study, args, output);
    }
    if args.list {
        return list_all(judgments, output);
    }
    if args.inconsistent {
        return list_inconsistent(judgments, output);
    }
    let topics = study.session().read_topics();
    let report = JudgmentsReport::new(judgments);
    study.report(
        output,
        &match &topics {
            Ok(topics) => report.with_topics(topics),
            Err(_) => report,
        },
    )?;
    if !output.json {
        say_unread_topics(&topics);
    }
    Ok(())
}

/// Reports near-duplicates inside the source that were judged differently, and writes a patch that makes them agree.
fn source_groups(study: &OpenStudy, args: &Args, output: &mut Output) -> Result<()> {
    study.judgments()?.into_iter().for_each(|judgments| say_unread_lines(judgments));
    let outputs = Outputs::new(Some(study.session()), "judgments", args.force);
    let patch = args.patch.as_ref().map(|path| outputs.create(path)).transpose()?;
    let groups =
        with_progress_bar(|bar| dejaview_study::judged_groups(study, args.least, thread_count(args.threads), bar))?;
    let changes = groups.changes(args.rule);
    if let Some(mut file) = patch {
        let patch = dejaview_study::qrels_patch(study, &groups, &changes)?;
        file.write_all(patch.as_bytes()).with_context(|| format!("writing {}", file.path().display()))?;
        file.finish()?;
    }
    study.report(output, &JudgedGroupsReport::new(&groups, args.rule, changes.len(), args.patch.is_some()))
}

fn list_missing(study: &Snapshot, args: &Args, output: &mut Output) -> Result<()> {
    let missing = with_progress_bar(|bar| dejaview_study::missing_judged(study, thread_count(args.threads), bar))?;
    output.header::<MissingRow>()?;
    missing.into_iter().try_for_each(|document| output.record(&MissingRow { document }))
}

fn list_all(judgments: &Judgments, output: &mut Output) -> Result<()> {
    output.header::<JudgmentRow<'_>>()?;
    judgments.rows().iter().try_for_each(|row| output.record(&JudgmentRow::new(judgments, row)))
}

fn list_inconsistent(judgments: &Judgments, output: &mut Output) -> Result<()> {
    output.header::<InconsistentRow<'_>>()?;
    let found = judgments.inconsistent();
    found.iter().try_for_each(|found| output.record(&InconsistentRow::new(judgments, found)))
}
