//! `dejaview urls`: what source and target have in common by their URLs.

use anyhow::Result;
use serde_json::{Value, json};

use super::args;
use super::evaluate::print;
use super::output::Output;
use super::run::{threads, watched};
use crate::report::urls as tables;
use crate::study::{Session, Urls, UrlsOrder};

pub fn urls(args: &args::Urls, output: &mut Output) -> Result<()> {
    let session = Session::open(&args.study)?;
    let order = UrlsOrder {
        rules: args.rules,
        domain: args.domain.as_ref().map(|domain| domain.to_lowercase()),
        canonical: args.canonical,
        content: !args.no_content,
        memory: args.memory.saturating_mul(1_000_000),
        threads: threads(args.threads),
    };
    let urls = watched(|bar| session.urls(&order, bar))?;
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
