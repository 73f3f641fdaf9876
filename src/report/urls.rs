//! The URLs that source and target have in common.

use serde::Serialize;

use crate::numbers::{count, percent, plural};
use crate::result::Report;
use crate::table::Table;
use dejaview_evaluation::overlap::{Lines, MOST_HOSTS, NameCounts};
use dejaview_study::{Against, AlikeGroup, Canonical, SameUrl, Urls};

/// The URLs that both sides have in common; tables list at most `limit` domains and hosts.
#[derive(Debug, Serialize)]
pub struct UrlsReport<'a> {
    rules: String,
    domain: Option<&'a str>,
    from: BothSides<&'static str>,
    source: Lines,
    target: Lines,
    common: u64,
    common_hosts: u64,
    common_top_level_domains: u64,
    common_of_other_hosts: u64,
    documents: DocumentsWithUrl,
    without_url: u64,
    top_level_domains: &'a [NameCounts],
    hosts: &'a [NameCounts],
    hosts_counted: usize,
    other_hosts: u64,
    same_url: Option<&'a SameUrl>,
    canonical: Option<&'a Canonical>,
    configurations: &'a [Against],
    #[serde(skip)]
    urls: &'a Urls,
    #[serde(skip)]
    limit: usize,
}

#[derive(Debug, Serialize)]
struct BothSides<T> {
    source: T,
    target: T,
}

/// The documents that matter: the judged ones, or all of the source.
#[derive(Debug, Serialize)]
struct DocumentsWithUrl {
    of: &'static str,
    all: u64,
    with_url: u64,
    common: u64,
}

impl<'a> UrlsReport<'a> {
    pub fn new(urls: &'a Urls, limit: usize) -> Self {
        let overlap = &urls.overlap;
        Self {
            rules: urls.rules.to_string(),
            domain: urls.domain.as_deref(),
            from: BothSides { source: urls.from[0], target: urls.from[1] },
            source: overlap.source,
            target: overlap.target,
            common: overlap.common,
            common_hosts: overlap.common_hosts(),
            common_top_level_domains: overlap.common_top_levels(),
            common_of_other_hosts: overlap.other_common,
            documents: DocumentsWithUrl {
                of: urls.interest,
                all: urls.documents,
                with_url: overlap.judged,
                common: overlap.judged_common,
            },
            without_url: urls.without,
            top_level_domains: &overlap.top_levels,
            hosts: &overlap.hosts[..limit.min(overlap.hosts.len())],
            hosts_counted: overlap.hosts.len(),
            other_hosts: overlap.other_hosts,
            same_url: urls.same_url.as_ref(),
            canonical: urls.canonical.as_ref(),
            configurations: &urls.against,
            urls,
            limit,
        }
    }
}

impl Report for UrlsReport<'_> {
    fn tables(&self) -> Vec<Table> {
        let (urls, limit) = (self.urls, self.limit);
        let domains = counts_by_name("domains", "Top-level domains", &urls.overlap.top_levels, urls, limit);
        let mut hosts = counts_by_name("hosts", "Most frequent hosts", &urls.overlap.hosts, urls, limit);
        if urls.overlap.other_hosts > 0 {
            hosts.note(format!(
                "{} of hosts that appeared behind the first {} are not counted apart",
                plural(urls.overlap.other_hosts, "line"),
                count(MOST_HOSTS as u64)
            ));
        }
        let mut tables = vec![overlap(urls), domains, hosts];
        if let Some(same) = &urls.same_url {
            tables.push(same_url(urls, same));
            let by = [
                ("same-url-domains", "top-level domain", &same.domains),
                ("same-url-hosts", "host", &same.hosts),
                ("same-url-depths", "depth of the path", &same.depths),
            ];
            let known = by.into_iter().filter(|(_, _, groups)| !groups.is_empty());
            tables.extend(known.map(|(name, what, groups)| same_url_by(name, what, groups, limit)));
        }
        if !urls.against.is_empty() {
            tables.push(urls_and_content(urls));
        }
        tables
    }
}

fn share_of(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { percent(part as f64 / whole as f64, 1) }
}

fn documents_of_interest(urls: &Urls) -> &'static str {
    if urls.interest == "judged" { "judged documents" } else { "source documents" }
}

fn overlap(urls: &Urls) -> Table {
    let of = urls.domain.as_ref().map_or(String::new(), |domain| format!(" of {domain}"));
    let mut table = Table::new("overlap", format!("URLs{of} in common"), &["", "number", "share"]).right([1, 2]);
    let o = &urls.overlap;
    let mut row = |what: &str, number: u64, share: String| table.row([what.to_owned(), count(number), share]);
    row("lines of the source", o.source.lines, String::new());
    row("different URLs of the source", o.source.distinct, share_of(o.source.distinct, o.source.lines));
    row("lines of the target", o.target.lines, String::new());
    row("different URLs of the target", o.target.distinct, share_of(o.target.distinct, o.target.lines));
    row("common URLs", o.common, share_of(o.common, o.source.distinct));
    let least = if o.other_common > 0 { ", at least" } else { "" };
    row(&format!("hosts of common URLs{least}"), o.common_hosts(), String::new());
    row("top-level domains of common URLs", o.common_top_levels(), String::new());
    if !urls.interest.is_empty() {
        let what = documents_of_interest(urls);
        row(&format!("{what} with a URL"), o.judged, share_of(o.judged, urls.documents));
        row(&format!("{what} with a common URL"), o.judged_common, share_of(o.judged_common, o.judged));
    }
    if let Some(c) = &urls.canonical {
        row("pages of the source with a canonical link elsewhere", c.source, share_of(c.source, o.source.lines));
        row("pages of the target with a canonical link elsewhere", c.target, share_of(c.target, o.target.lines));
        row("documents that meet by URL or canonical link", c.documents, share_of(c.documents, o.judged));
        row("of these, by a canonical link alone", c.added, share_of(c.added, c.documents));
    }
    let rules: Vec<&str> = urls.rules.enabled().map(|rule| rule.description()).collect();
    let rules = if rules.is_empty() { "they are equal letter by letter".to_owned() } else { rules.join(", ") };
    table.note(format!("URLs count as the same when: {rules} (--rules {})", urls.rules));
    table.note(format!("URLs of the source from {}, of the target from {}", urls.from[0], urls.from[1]));
    if urls.without > 0 {
        table.note(format!("{} without a URL", plural(urls.without, "line")));
    }
    table
}

/// The counts of URLs by domain or host.
fn counts_by_name(name: &'static str, title: &str, rows: &[NameCounts], urls: &Urls, limit: usize) -> Table {
    let what = documents_of_interest(urls);
    let heads = ["source", what, &format!("{what}, common URL"), "common URLs", "target"];
    let mut head = vec![name.trim_end_matches('s').to_owned()];
    for set in heads {
        head.extend([set.to_owned(), "%".to_owned()]);
    }
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new(name, title, &head).right(1..head.len());
    let counts = |row: &NameCounts| [row.source, row.judged, row.judged_common, row.common, row.target];
    let mut sums = [0u64; 5];
    for row in rows {
        sums.iter_mut().zip(counts(row)).for_each(|(sum, n)| *sum += n);
    }
    for row in rows.iter().take(limit) {
        let mut cells = vec![row.name.clone()];
        for (n, sum) in counts(row).into_iter().zip(sums) {
            cells.extend([count(n), share_of(n, sum).replace(" %", "")]);
        }
        table.row(cells);
    }
    table.note("source and target: lines; common URLs: each once");
    if rows.len() > limit {
        table.note(format!(
            "{} more; `dejaview urls --limit` shows more, `--json` all",
            count((rows.len() - limit) as u64)
        ));
    }
    table
}

fn same_url(urls: &Urls, same: &SameUrl) -> Table {
    let title = "Jaccard of pages with the same URL";
    if same.all.pairs == 0 {
        let why =
            format!("none: no other document of the target has the URL of one of the {}", documents_of_interest(urls));
        let mut table = Table::unavailable("same-url", title, why);
        table.notes.extend(unread(same));
        return table;
    }
    let mut table = Table::new("same-url", title, &["Jaccard", "pairs", "share"]).right([1, 2]);
    for (i, &pairs) in same.tenths.iter().enumerate() {
        let end = if i == 9 { "1.0".to_owned() } else { format!("under {:.1}", (i + 1) as f64 / 10.0) };
        table.row([format!("{:.1} to {end}", i as f64 / 10.0), count(pairs), share_of(pairs, same.all.pairs)]);
    }
    table.note(format!(
        "{} of {} with a common URL: mean {:.3}, median {:.3}, {} at 0.9 or more (n = {})",
        plural(same.all.pairs, "pair"),
        documents_of_interest(urls),
        same.all.mean,
        same.all.median,
        percent(same.all.at_least_90, 1),
        same.n
    ));
    table.notes.extend(unread(same));
    table
}

fn unread(same: &SameUrl) -> Option<String> {
    let pairs = plural(same.unread, "pair");
    (same.unread > 0).then(|| format!("{pairs} could not be compared: a document was not there"))
}

/// Pages with the same URL, by what the URL says.
fn same_url_by(name: &'static str, what: &str, groups: &[AlikeGroup], limit: usize) -> Table {
    let title = format!("Jaccard of pages with the same URL, by {what}");
    let head = [what, "pairs", "mean", "median", "0.9 or more"];
    let mut table = Table::new(name, title, &head).right(1..5);
    for AlikeGroup { name, alike } in groups.iter().take(limit) {
        table.row([
            name.clone(),
            count(alike.pairs),
            format!("{:.3}", alike.mean),
            format!("{:.3}", alike.median),
            percent(alike.at_least_90, 1),
        ]);
    }
    if groups.len() > limit {
        table.note(format!(
            "{} more; `dejaview urls --limit` shows more, `--json` all",
            count((groups.len() - limit) as u64)
        ));
    }
    table
}

fn urls_and_content(urls: &Urls) -> Table {
    let head =
        ["configuration", "documents found", "with a common URL", "share", "with a pair of the same URL", "share"];
    let title = "URL against content: documents found by each configuration";
    let mut table = Table::new("against", title, &head).right(1..head.len());
    for row in &urls.against {
        table.row([
            row.name.clone(),
            count(row.found),
            count(row.common_url),
            share_of(row.common_url, row.found),
            count(row.same_url),
            share_of(row.same_url, row.found),
        ]);
    }
    table.note("pairs of the same URL by the default rules");
    table
}
