//! The main content of pages, against other extractors and against the truth of the sample corpus.
//!
//! `main_content.py` writes `pages.jsonl` into the folder named by `DEJAVIEW_MAIN`; this side adds what dejaview finds,
//! cuts all texts into words by the same rule, and writes `scores.tsv`.

use crate::skipping::skipped;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use dejaview::text::{LineCounts, extract, extract_main};
use serde::Deserialize;

use super::{Words, common, words};

/// One page as the script wrote it.
#[derive(Deserialize)]
struct Page {
    id: String,
    host: String,
    template: String,
    html: String,
    /// Texts of other extractors, and the truth where it is known.
    texts: BTreeMap<String, String>,
}

#[test]
fn main_content_beside_that_of_others() {
    let Some(folder) = std::env::var_os("DEJAVIEW_MAIN") else { return skipped("DEJAVIEW_MAIN is not set") };
    let folder = Path::new(&folder);
    let pages = fs::read_to_string(folder.join("pages.jsonl")).unwrap();
    let pages: Vec<Page> = pages.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let read = |from: fn(&str, &mut String)| -> Vec<String> {
        let text = |page: &Page| {
            let mut out = String::new();
            from(&page.html, &mut out);
            out
        };
        pages.iter().map(text).collect()
    };
    let (all, main) = (read(extract), read(extract_main));
    let own = |texts: &[String]| -> Vec<String> {
        let mut counts = LineCounts::new();
        pages.iter().zip(texts).for_each(|(page, text)| counts.add(&page.host, text));
        let recurring = counts.finish(5, 0.2);
        let strip = |(page, text): (&Page, &String)| {
            let mut out = String::new();
            recurring.strip(&page.host, text, &mut out);
            out
        };
        pages.iter().zip(texts).map(strip).collect()
    };
    let (own, both) = (own(&all), own(&main));
    let mut scores = BufWriter::new(File::create(folder.join("scores.tsv")).unwrap());
    writeln!(scores, "id\ttemplate\treference\ttext\tprecision\trecall\tf1\tkept").unwrap();
    for (i, page) in pages.iter().enumerate() {
        let whole = words(&all[i]);
        let mut texts: Vec<(&str, Words)> = vec![
            ("all", whole.clone()),
            ("main", words(&main[i])),
            ("own", words(&own[i])),
            ("main, own", words(&both[i])),
        ];
        let theirs = page.texts.iter().filter(|(name, _)| *name != "truth");
        texts.extend(theirs.map(|(name, text)| (name.as_str(), words(text))));
        let mut references = texts.clone();
        if let Some(truth) = page.texts.get("truth") {
            references = vec![("truth", words(truth))];
        }
        for (reference, wanted) in &references {
            for (name, found) in texts.iter().filter(|(name, _)| name != reference) {
                let (precision, recall, f1) = score(wanted, found);
                let kept = share(common(&whole, found), &whole);
                let Page { id, template, .. } = page;
                writeln!(
                    scores,
                    "{id}\t{template}\t{reference}\t{name}\t{precision:.5}\t{recall:.5}\t{f1:.5}\t{kept:.5}"
                )
                .unwrap();
            }
        }
    }
}

/// Part of the words of a text, all of none.
fn share(part: i64, of: &Words) -> f64 {
    let all: i64 = of.values().sum();
    if all == 0 { 1.0 } else { part as f64 / all as f64 }
}

/// Precision, recall and F1 of words, with repetitions.
fn score(wanted: &Words, found: &Words) -> (f64, f64, f64) {
    let both = common(wanted, found);
    let (precision, recall) = (share(both, found), share(both, wanted));
    let f1 = if both == 0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) };
    (precision, recall, f1)
}
