//! Other people's programs on our texts and pages: the words of the extractor beside those of other readers of HTML (see
//! `README.md` beside this file), and the report in a browser.
//!
//! `words.py` writes `pages.jsonl` into the folder named by `DEJAVIEW_WORDS`; this side adds our own words and those
//! of html2text, cuts all texts into words by the same rule, and writes `scores.tsv`.

mod browser;
mod chromium;
mod main_content;
#[path = "../it/skipping.rs"]
mod skipping;
mod statistics;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use dejaview::text::{Tokens, decode, extract, fold};
use serde::Deserialize;
use skipping::skipped;

/// One page as the script wrote it.
#[derive(Deserialize)]
struct Page {
    id: String,
    /// The bytes of the body, each as the character of the same number.
    body: String,
    http: Option<String>,
    /// Text by the tree of lexbor: the reference.
    lexbor: String,
    /// Text by resiliparse.
    resiliparse: String,
}

type Words = HashMap<String, i64>;

#[test]
fn words_agree_with_other_readers() {
    let Some(folder) = std::env::var_os("DEJAVIEW_WORDS") else { return skipped("DEJAVIEW_WORDS is not set") };
    let folder = Path::new(&folder);
    let pages = BufReader::new(File::open(folder.join("pages.jsonl")).unwrap());
    let mut scores = BufWriter::new(File::create(folder.join("scores.tsv")).unwrap());
    writeln!(scores, "id\twords\tdejaview\tresiliparse\thtml2text\tmissing\textra").unwrap();
    for line in pages.lines() {
        let page: Page = serde_json::from_str(&line.unwrap()).unwrap();
        let bytes: Vec<u8> = page.body.chars().map(|c| c as u8).collect();
        let html = decode(&bytes, page.http.as_deref(), true).text;
        let mut text = String::new();
        extract(&html, &mut text);
        let title = page.lexbor.lines().next().unwrap_or_default();
        let reference = words(&page.lexbor);
        let ours = words(&text);
        let resiliparse = words(&format!("{title}\n{}", page.resiliparse));
        let rendered = html2text::config::plain_no_decorate().raw_mode(true).string_from_read(html.as_bytes(), 10_000);
        let rendered = words(&format!("{title}\n{}", rendered.unwrap_or_default()));
        writeln!(
            scores,
            "{}\t{}\t{:.5}\t{:.5}\t{:.5}\t{}\t{}",
            page.id,
            reference.values().sum::<i64>(),
            f1(&reference, &ours),
            f1(&reference, &resiliparse),
            f1(&reference, &rendered),
            more(&reference, &ours),
            more(&ours, &reference)
        )
        .unwrap();
    }
}

/// How often each word stands in a text.
fn words(text: &str) -> Words {
    let mut tokens = Tokens::new();
    tokens.read(text);
    let mut words = Words::new();
    let mut folded = String::new();
    for i in 0..tokens.len() {
        fold(&text[tokens.span(i)], &mut folded);
        *words.entry(folded.clone()).or_default() += 1;
    }
    words
}

/// F1 of two multisets of words; two empty ones agree.
fn f1(a: &Words, b: &Words) -> f64 {
    let total = a.values().sum::<i64>() + b.values().sum::<i64>();
    if total == 0 {
        return 1.0;
    }
    2.0 * common(a, b) as f64 / total as f64
}

/// How many words two texts have in common, with repetitions.
fn common(a: &Words, b: &Words) -> i64 {
    a.iter().map(|(word, n)| *n.min(b.get(word).unwrap_or(&0))).sum()
}

/// The words that `a` has more often than `b`, the most frequent first.
fn more(a: &Words, b: &Words) -> String {
    let mut more: Vec<(i64, &String)> =
        a.iter().map(|(word, n)| (n - b.get(word).unwrap_or(&0), word)).filter(|m| m.0 > 0).collect();
    more.sort_by(|x, y| y.0.cmp(&x.0).then(x.1.cmp(y.1)));
    more.iter().take(12).map(|(n, word)| format!("{word}×{n}")).collect::<Vec<_>>().join(" ")
}
