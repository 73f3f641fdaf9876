//! Chapter 4 of the thesis: URLs that both sides have in common, and how alike the pages behind them are.

use super::beside::Beside;
use super::material::Material;
use super::published;
use crate::Report;
use crate::numbers::count;
use crate::page::Block;
use crate::urls::UrlsReport;
use dejaview_corpus::urls::Rules;
use dejaview_evaluation::overlap::NameCounts;
use dejaview_study::{StudyError, Urls, UrlsOptions};

/// Most domains and hosts in the tables, as `urls` has it.
const ROWS: usize = 20;

pub fn chapter(material: &Material<'_>) -> Result<Vec<Block>, StudyError> {
    let order = UrlsOptions {
        rules: Rules::default(),
        domain: None,
        canonical: false,
        content: true,
        memory: material.options.memory,
        threads: material.options.threads,
    };
    let urls = dejaview_study::urls(material.study, &order, material.watch)?;
    let mut blocks: Vec<Block> = UrlsReport::new(&urls, ROWS).tables().into_iter().map(Block::Table).collect();
    if urls.same_url.is_none() {
        let none =
            "The Jaccard of pages with the same URL needs documents on both sides; this study has lists of URLs.";
        blocks.push(Block::Text(none.to_owned()));
    }
    if urls.against.is_empty() {
        let none = "How many of the documents found have a common URL is known once the study is run (`dejaview run`).";
        blocks.push(Block::Text(none.to_owned()));
    }
    blocks.extend([in_common(&urls), domains(&urls), found(&urls)]);
    Ok(blocks)
}

/// A share in percent.
fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1}", 100.0 * part as f64 / whole as f64) }
}

/// The numbers of sections 4.1 and 4.3.
fn in_common(urls: &Urls) -> Block {
    let overlap = &urls.overlap;
    let mut beside = Beside::new("published-urls", "URLs in common (sections 4.1 and 4.3)");
    let judged = (urls.interest == "judged").then(|| count(overlap.judged_common));
    beside.row("judged documents with a common URL", count(published::JUDGED_COMMON), judged);
    let (number, part) = published::COMMON;
    beside.row("common URLs", count(number), Some(count(overlap.common)));
    let of_source = share(overlap.common, overlap.source.distinct);
    beside.row("their share of the source's (%)", format!("{part}"), Some(of_source));
    for (host, number) in published::HOSTS {
        let found = overlap.hosts.iter().find(|other| other.name == host || other.name == format!("www.{host}"));
        // Hosts that are not counted apart may be this one.
        let none = (overlap.other_hosts == 0).then_some(0);
        beside.row(format!("common URLs of {host}"), count(number), found.map(|row| row.common).or(none).map(count));
    }
    beside.row("URLs of the English Wikipedia in the target (section 4.2)", count(published::WIKIPEDIA_COMMON), None);
    let (mean, median, alike) = published::SAME_URL;
    let same = urls.same_url.as_ref().filter(|same| same.all.pairs > 0);
    beside.row("same URL: mean Jaccard", format!("{mean:.1}"), same.map(|same| format!("{:.3}", same.all.mean)));
    beside.row("same URL: median Jaccard", format!("{median:.2}"), same.map(|same| format!("{:.3}", same.all.median)));
    let alike_here = same.map(|same| format!("{:.1}", 100.0 * same.all.at_least_90));
    beside.row("same URL: Jaccard of 0.9 or more (%)", format!("{alike:.0}"), alike_here);
    beside.block(
        "the thesis joins the published lists of 1.2 thousand million URLs as they are written; here URLs are the same by the rules \
         that the first table names. `dejaview urls --domain en.wikipedia.org` counts section 4.2",
    )
}

/// Table 4.1.
fn domains(urls: &Urls) -> Block {
    let measures = ["source (%)", "judged (%)", "judged, common (%)", "common (%)"];
    let mut beside = Beside::of_measures("published-domains", "Top-level domains (Table 4.1)", &measures);
    let counts = |row: &NameCounts| [row.source, row.judged, row.judged_common, row.common];
    let mut sums = [0u64; 4];
    for row in &urls.overlap.top_levels {
        sums.iter_mut().zip(counts(row)).for_each(|(sum, n)| *sum += n);
    }
    for (domain, shares) in published::DOMAINS {
        let published = shares.map(|share| share.map(|share| format!("{share:.1}")));
        let row = urls.overlap.top_levels.iter().find(|row| row.name == domain);
        let cells = row.map(counts).unwrap_or_default().into_iter().zip(sums);
        let here = cells.map(|(n, sum)| Some(share(n, sum)));
        beside.numbers(format!(".{domain}"), published.into_iter().zip(here).flat_map(|(a, b)| [a, b]));
    }
    beside
        .block("the corpora; the columns of source and judged documents count lines, that of common URLs each URL once")
}

/// The end of section 5.1: URL against content.
fn found(urls: &Urls) -> Block {
    let mut beside =
        Beside::new("published-found", "Documents found by content that have a common URL, in percent (section 5.1)");
    for found in &published::FOUND {
        let row = urls.against.iter().find(|row| row.name == found.name);
        let here = row.map(|row| share(row.common_url, row.found));
        beside.row(found.name, found.same_url.to_string(), here);
    }
    beside.block("the corpora, and five segments of twenty; the configurations are those of the thesis")
}
