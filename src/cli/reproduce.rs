//! `dejaview reproduce`: the study of the thesis and the papers, from this study's data.

use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use super::open_study::OpenStudy;
use super::output::{Output, say};
use super::work::{thread_count, with_progress_bar};
use dejaview_report::Report;
use dejaview_report::numbers::plural;
use dejaview_report::reproduce::{ReproduceOptions, reproduce as make_page};
use dejaview_study::{Outputs, RunOptions, Session, Snapshot};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview reproduce study -o reproduced --segments 20\n\n\
Chapters that take long are kept in the study, and made again when what they rest on has changed.")]
pub struct Args {
    /// Folder of the study; it is run first where it has not been
    pub study: PathBuf,
    /// Folder to write into, made if need be: index.html, and tables and figures in folders of their own
    #[arg(short, long, value_name = "FOLDER", default_value = "reproduced")]
    pub output: PathBuf,
    /// Replace files that are there already; files of the study are never replaced
    #[arg(long)]
    pub force: bool,
    /// Segments to which accumulated counts are carried on; twice those read by default
    #[arg(long, value_name = "N")]
    pub segments: Option<usize>,
    /// Megabytes of memory for lists of URLs before they go to disk
    #[arg(long, default_value_t = 256, value_name = "MB")]
    pub memory: usize,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Do not run the study. Chapters that rest on a run are then not made where it has changed since, and their files are
    /// removed with the earlier page
    #[arg(long)]
    pub no_run: bool,
    /// Go on although lines of labels are damaged; they do not count
    #[arg(long)]
    pub allow_damaged: bool,
}

/// The file of the page.
const PAGE: &str = "index.html";

pub fn reproduce(args: &Args, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let outputs = Outputs::new(Some(&session), "reproduce", args.force);
    let folder = &args.output;
    let [tables_folder, figures_folder] = ["tables", "figures"].map(|name| folder.join(name));
    for (folder, file) in [(folder, PAGE), (&tables_folder, "table"), (&figures_folder, "figure")] {
        outputs.try_folder(folder, file)?;
    }
    if !args.no_run {
        run_first(args, &session)?;
    }
    let study = OpenStudy::open(&args.study)?;
    dejaview_study::must_carry_on_to(&study, args.segments)?;
    let options = ReproduceOptions {
        threads: thread_count(args.threads),
        segments: args.segments,
        memory: args.memory.saturating_mul(1_000_000),
    };
    let page = with_progress_bar(|bar| make_page(&study, options, bar))?;
    study.must_have_whole_labels(args.allow_damaged)?;
    let path = folder.join(PAGE);
    let (tables, figures) = (page.table_files(&tables_folder), page.chart_files(&figures_folder));
    outputs.write_all(&[&tables[..], &figures, &[(path.clone(), page.html_with_links().into_bytes())]].concat())?;
    let former = outputs.remove_former(&tables_folder, &tables)? + outputs.remove_former(&figures_folder, &figures)?;
    if !output.json {
        let figures = plural(figures.len() as u64, "figure");
        let former = match former {
            0 => String::new(),
            n => format!("; {} of an earlier page removed", plural(n, "file")),
        };
        say(&format!("tables in {}, {figures}{former}", plural(tables.len() as u64, "file")));
    }
    let names = |files: &[(PathBuf, Vec<u8>)]| files.iter().map(|(path, _)| path.display().to_string()).collect();
    study.report(
        output,
        &Reproduced {
            page: path.display().to_string(),
            chapters: page.sections.iter().map(|section| section.id).collect(),
            tables: names(&tables),
            figures: names(&figures),
        },
    )
}

/// Runs the study, or what is left of it, unless it is finished or has no documents.
fn run_first(args: &Args, session: &Session) -> Result<()> {
    if !session.recipe().has_documents() || Snapshot::new(session).is_run()? {
        return Ok(());
    }
    let options = RunOptions { threads: thread_count(args.threads), fresh: false };
    let summary = with_progress_bar(|bar| dejaview_study::run(session, options, bar))?;
    let [source, target] = [summary.documents.source, summary.documents.target].map(|n| plural(n, "document"));
    say(&format!("the study is run: {source} of the source, {target} of the target"));
    Ok(())
}

/// What was written.
#[derive(Serialize)]
struct Reproduced {
    page: String,
    chapters: Vec<&'static str>,
    tables: Vec<String>,
    figures: Vec<String>,
}

impl Report for Reproduced {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        vec![self.page.clone()]
    }
}
