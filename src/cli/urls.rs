//! `dejaview urls`: what source and target have in common by their URLs.

use std::path::PathBuf;

use anyhow::Result;

use super::choice::choice;
use super::open_study::OpenStudy;
use super::output::{Output, say_first};
use super::work::{thread_count, with_progress_bar};
use dejaview_corpus::urls::Rules;
use dejaview_report::TableFormat;
use dejaview_report::urls::UrlsReport;
use dejaview_study::UrlsOptions;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example: dejaview urls study --domain wikipedia.org --rules default,index\n\n\
Rules: scheme (http and https are one), user, port (the default one), www, host (small letters), fragment, slash (at the end);\n\
and, not among the default ones: query, index (index.html and the like), case (of the path).")]
pub struct Args {
    /// Folder of the study. URLs come from the lists that its `urls` name, else from its documents
    pub study: PathBuf,
    /// When two URLs count as the same: default, exact, or names with commas between
    #[arg(long, default_value = "default", value_name = "RULES")]
    pub rules: Rules,
    /// Only URLs of this domain and those below it
    #[arg(long, value_name = "NAME")]
    pub domain: Option<String>,
    /// Read the canonical links of both sides' pages as well
    #[arg(long)]
    pub canonical: bool,
    /// Do not read the documents to compare those with the same URL
    #[arg(long)]
    pub no_content: bool,
    /// Most hosts and top-level domains to print
    #[arg(long, default_value_t = 20)]
    pub limit: usize,
    /// Megabytes of memory for lists before they go to disk
    #[arg(long, default_value_t = 256, value_name = "MB")]
    pub memory: usize,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Only this table
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// In what form
    #[arg(long, value_parser = choice::<TableFormat>(), default_value = "text")]
    pub format: TableFormat,
}

pub fn urls(args: &Args, output: &mut Output) -> Result<()> {
    let study = OpenStudy::open(&args.study)?;
    let order = UrlsOptions {
        rules: args.rules,
        domain: args.domain.as_ref().map(|domain| domain.to_lowercase()),
        canonical: args.canonical,
        content: !args.no_content,
        memory: args.memory.saturating_mul(1_000_000),
        threads: thread_count(args.threads),
    };
    let urls = with_progress_bar(|bar| dejaview_study::urls(&study, &order, bar))?;
    say_first(urls.unread.iter().cloned());
    study.report_as(output, &UrlsReport::new(&urls, args.limit), args.format, args.table.as_deref())
}
