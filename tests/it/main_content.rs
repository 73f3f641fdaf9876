//! The main content of the sample pages, and what each does not share with its site.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dejaview::corpus::{AcceptedStatus, Batches, CorpusItem, Input, Scratch};
use dejaview::text::{LineCounts, Tokens, decode, extract, extract_main};

/// Host and text as HTML of every page of the sample.
fn pages() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-corpus");
    let mut pages = Vec::new();
    for name in ["crawl-2009/old", "crawl-2012/00", "crawl-2012/01", "crawl-2012/02", "crawl-2012/03"] {
        let path = folder.join(format!("{name}.warc.gz"));
        let size = path.metadata().unwrap().len();
        let mut batches =
            Batches::open(&Input { path, name: name.to_owned(), format: None, status: AcceptedStatus::Ok, size })
                .unwrap();
        let mut scratch = Scratch::default();
        while let Some(batch) = batches.next().unwrap() {
            batch.read(&mut scratch, &mut |item| {
                let CorpusItem::Document(document) = item else { return };
                let host = document.url.split('/').nth(2).unwrap_or_default().to_owned();
                pages.push((host, decode(document.body, document.charset, true).text.into_owned()));
            });
        }
    }
    pages
}

fn text(html: &str, of: fn(&str, &mut String)) -> String {
    let mut out = String::new();
    of(html, &mut out);
    out
}

fn words(text: &str) -> Vec<u64> {
    let mut tokens = Tokens::new();
    tokens.read(text);
    tokens.hashes().to_vec()
}

#[test]
fn main_content_is_part_of_the_page() {
    let pages = pages();
    assert_eq!(pages.len(), 1514);
    let (mut all_words, mut main_words) = (0, 0);
    for (_, html) in &pages {
        let (all, main) = (text(html, extract), text(html, extract_main));
        let mut cells = all.split(['\n', '\t']);
        assert!(main.split(['\n', '\t']).all(|cell| cells.any(|other| other == cell)), "{main}\nof\n{all}");
        assert_eq!(main.lines().next(), all.lines().next());
        let (all, main) = (words(&all).len(), words(&main).len());
        assert!(main >= all.min(20));
        (all_words, main_words) = (all_words + all, main_words + main);
    }
    // Two thirds of all words are the pages' own by how they were made, not counting what the league's pages share.
    assert!((60..80).contains(&(main_words * 100 / all_words)), "{main_words} of {all_words}");
}

#[test]
fn frames_of_the_templates_are_gone() {
    let main: Vec<String> = pages().iter().map(|(_, html)| text(html, extract_main)).collect();
    for framed in [
        "Freedom of information",
        "Advertise with us",
        "What links here",
        "Delete all board cookies",
        "Proudly powered by",
    ] {
        assert!(!main.iter().any(|page| page.contains(framed)), "{framed}");
    }
}

#[test]
fn own_lines_by_counting_all() {
    let pages: Vec<(String, String)> = pages().into_iter().map(|(host, html)| (host, text(&html, extract))).collect();
    let mut counts = LineCounts::new();
    let mut on: BTreeMap<(&str, Vec<u64>), u32> = BTreeMap::new();
    let mut of_host: BTreeMap<&str, u32> = BTreeMap::new();
    for (host, text) in &pages {
        counts.add(host, text);
        *of_host.entry(host).or_default() += 1;
        for line in text.lines().map(words).collect::<BTreeSet<_>>() {
            *on.entry((host, line)).or_default() += 1;
        }
    }
    let recurring = counts.finish(5, 0.2);
    let mut dropped = 0;
    for (host, text) in &pages {
        let recurs = |line: &str| {
            let words = words(line);
            let on = on[&(host.as_str(), words.clone())];
            !words.is_empty() && on >= 5 && f64::from(on) >= 0.2 * f64::from(of_host[host.as_str()])
        };
        let left: Vec<&str> = text.lines().filter(|line| !recurs(line)).collect();
        let expected = if words(&left.join("\n")).len() < 20 { text.clone() } else { left.join("\n") };
        let mut own = String::new();
        recurring.strip(host, text, &mut own);
        assert_eq!(own, expected);
        dropped += words(text).len() - words(&own).len();
    }
    assert!(dropped > 50_000, "{dropped}");
}
