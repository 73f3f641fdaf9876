//! `dejaview urls`: what source and target have in common by their URLs.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::{Value, json};

use super::args::TableFormat;
use super::evaluate::print;
use super::output::Output;
use super::run::{threads, watched};
use dejaview_corpus::urls::Rules;
use dejaview_report::urls as tables;
use dejaview_study::{Snapshot, Urls, UrlsOrder};

/// Arguments of `urls`.
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
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

pub fn urls(args: &Args, output: &mut Output) -> Result<()> {
    let study = Snapshot::open(&args.study)?;
    let order = UrlsOrder {
        rules: args.rules,
        domain: args.domain.as_ref().map(|domain| domain.to_lowercase()),
        canonical: args.canonical,
        content: !args.no_content,
        memory: args.memory.saturating_mul(1_000_000),
        threads: threads(args.threads),
    };
    let urls = watched(|bar| dejaview_study::urls(&study, &order, bar))?;
    if output.json {
        return output.json(&as_json(&urls, args.limit));
    }
    print(&tables::tables(&urls, args.limit), args.table.as_deref(), args.format, output)
}

fn as_json(urls: &Urls, limit: usize) -> Value {
    let overlap = &urls.overlap;
    json!({
        "rules": urls.rules.to_string(),
        "domain": urls.domain,
        "from": { "source": urls.from[0], "target": urls.from[1] },
        "source": overlap.source,
        "target": overlap.target,
        "common": overlap.common,
        "common_hosts": overlap.common_hosts(),
        "common_top_level_domains": overlap.common_top_levels(),
        "common_of_other_hosts": overlap.other_common,
        "documents": {
            "of": urls.interest,
            "all": urls.documents,
            "with_url": overlap.judged,
            "common": overlap.judged_common,
        },
        "without_url": urls.without,
        "top_level_domains": overlap.top_levels,
        "hosts": overlap.hosts.iter().take(limit).collect::<Vec<_>>(),
        "hosts_counted": overlap.hosts.len(),
        "other_hosts": overlap.other_hosts,
        "same_url": urls.same_url,
        "canonical": urls.canonical,
        "configurations": urls.against,
    })
}
