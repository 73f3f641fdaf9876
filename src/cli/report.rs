//! `dejaview report`: the whole study on one page.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;

use super::open_study::OpenStudy;
use super::output::{Output, say};
use super::qrels::say_unread_lines;
use super::work::{thread_count, with_progress_bar};
use dejaview_corpus::urls::Rules;
use dejaview_report::Report;
use dejaview_report::numbers::plural;
use dejaview_report::page::{Page, PageOptions};
use dejaview_report::urls::UrlsReport;
use dejaview_study::{Outputs, Truth, UrlsOptions, finish_all};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview report study -o report.html --tables tables")]
pub struct Args {
    /// Folder of the study
    pub study: PathBuf,
    /// The page to write: one HTML file that needs nothing else
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    pub output: PathBuf,
    /// Replace files that are there already; files of the study are never replaced
    #[arg(long)]
    pub force: bool,
    /// Also show some pairs with their texts; corpora are licensed, so by default no text of a page is in it
    #[arg(long)]
    pub with_text: bool,
    /// Also compare the URLs of both sides; the documents are read once more
    #[arg(long)]
    pub urls: bool,
    /// Also write every table as CSV and LaTeX into this folder
    #[arg(long, value_name = "FOLDER")]
    pub tables: Option<PathBuf>,
    /// What decides whether a pair is a near-duplicate, as for `evaluate`
    #[arg(long, default_value = "jaccard:0.9")]
    pub truth: Truth,
    /// Segments to which accumulated counts are carried on; twice those read by default
    #[arg(long, value_name = "N")]
    pub segments: Option<usize>,
    /// Go on although lines of labels are damaged; they do not count
    #[arg(long)]
    pub allow_damaged: bool,
}

/// Most domains and hosts in the tables about URLs.
const URL_ROWS: usize = 20;

fn urls_options() -> UrlsOptions {
    UrlsOptions {
        rules: Rules::default(),
        domain: None,
        canonical: true,
        content: true,
        memory: 512_000_000,
        threads: thread_count(None),
    }
}

pub fn report(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let truth_file = match &args.truth {
        Truth::File(path) => Some(path),
        _ => None,
    };
    let outputs = Outputs::new(Some(study.session()), "report", args.force).reading(truth_file);
    let mut file = outputs.create(&args.output)?;
    let urls = match args.urls {
        true => {
            let urls = with_progress_bar(|bar| dejaview_study::urls(&study, &urls_options(), bar))?;
            UrlsReport::new(&urls, URL_ROWS).tables()
        }
        false => Vec::new(),
    };
    let options = PageOptions { with_text: args.with_text, truth: args.truth.clone(), segments: args.segments, urls };
    let page = Page::new(&study, &options)?;
    study.judgments()?.into_iter().for_each(|judgments| say_unread_lines(judgments));
    study.must_have_whole_labels(args.allow_damaged)?;
    if !args.allow_damaged {
        dejaview_study::must_read_samples(&study)
            .context("the chapters on labels cannot be made, and --allow-damaged leaves them out")?;
    }
    let path = args.output.display().to_string();
    file.write_all(page.html().as_bytes()).with_context(|| format!("writing {path}"))?;
    let tables = args.tables.as_ref().map(|folder| page.table_files(folder)).unwrap_or_default();
    let mut files = outputs.begin_all(&tables)?;
    files.push(file);
    finish_all(files)?;
    page.missing().into_iter().for_each(say);
    let made = page.sections.iter().filter(|section| !section.is_missing());
    let written = WrittenPage {
        report: path,
        sections: made.map(|section| section.id).collect(),
        tables: tables.iter().map(|(path, _)| path.display().to_string()).collect(),
    };
    if !output.json && args.with_text {
        say("the page holds texts of the corpora: mind their licence before you pass it on");
    }
    if !output.json && !written.tables.is_empty() {
        say(&format!("tables in {}", plural(written.tables.len() as u64, "file")));
    }
    study.report(output, &written)
}

#[derive(Serialize)]
struct WrittenPage {
    report: String,
    sections: Vec<&'static str>,
    tables: Vec<String>,
}

impl Report for WrittenPage {
    fn text(&self, _columns: Option<usize>) -> Vec<String> {
        vec![self.report.clone()]
    }
}
