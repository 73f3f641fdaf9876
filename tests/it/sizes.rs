//! Sizes and draws on corpora whose size and links are known.

use std::fs;

use serde_json::Value;

use crate::support::{Study, page, response};

/// Pages `numbers` of a web, as an archive; each links to the next three and to page 0.
fn web(prefix: &str, numbers: std::ops::Range<u64>) -> Vec<u8> {
    let all: Vec<u64> = numbers.collect();
    let address = |i: usize| format!("http://{prefix}.org/{}.html", all[i % all.len()]);
    let one = |i: usize| {
        let links: String =
            [i + 1, i + 2, i + 3, 0].iter().map(|&to| format!("<a href=\"{}\">x</a>", address(to))).collect();
        let html = page(all[i], 80).replace("</body>", &format!("{links}</body>"));
        response(&format!("{prefix}-{}", all[i]), &address(i), html)
    };
    (0..all.len()).flat_map(one).collect()
}

pub fn study(source: std::ops::Range<u64>, target: std::ops::Range<u64>) -> Study {
    let study = Study::new()
        .top("keep = \"all\"")
        .file("a.warc", web("a", source))
        .file("b.warc", web("b", target))
        .source("a.warc")
        .target("00", "b.warc")
        .configuration("exact-jaccard", "");
    study.run();
    study
}

fn times(answer: &Value) -> (f64, f64, f64) {
    let size = &answer["corpora"][1]["times_first"];
    let number = |key: &str| size[key].as_f64().unwrap();
    (number("value"), number("low"), number("high"))
}

/// 40 pages and 120, 20 in common: half of A is in B, a sixth of B in A, so A is a third of B.
#[test]
fn sizes_of_known_corpora() {
    let study = study(0..40, 20..140);
    let answer = study.dejaview(["size", "--json"]).json();
    assert_eq!(answer["overlaps"][0]["found"], 20, "{answer}");
    assert_eq!((&answer["overlaps"][1]["asked"], &answer["overlaps"][1]["found"]), (&120.into(), &20.into()));
    let (value, low, high) = times(&answer);
    assert!((value - 3.0).abs() < 1e-9 && low < 3.0 && high > 3.0, "{answer}");
    // 140 pages in all: a page that stands in both counts once.
    let shares: Vec<f64> =
        answer["corpora"].as_array().unwrap().iter().map(|c| c["share"]["value"].as_f64().unwrap()).collect();
    assert!((shares[0] - 40.0 / 140.0).abs() < 1e-9 && (shares[1] - 120.0 / 140.0).abs() < 1e-9, "{shares:?}");
    // Searching for the rarest words of every page finds the same ones.
    let searched = study.dejaview(["size", "--json", "--by", "queries", "--size", "1000"]).json();
    assert_eq!(searched["overlaps"], answer["overlaps"]);
    let text = study.dejaview(["size"]);
    assert!(text.ok().contains("times the first") && text.ok().contains("3.000 ("), "{}", text.ok());
    assert_eq!(text.ok(), study.dejaview(["size"]).ok(), "the same every time");
}

/// Three webs, every two of them in a study: pages 0–39, 20–79 and 30–59, 80 in all.
#[test]
fn shares_of_what_three_corpora_cover_together() {
    let files =
        Study::new().file("a.warc", web("a", 0..40)).file("b.warc", web("b", 20..80)).file("c.warc", web("c", 30..60));
    let compared = |source: &str, target: &str| {
        let study = Study::new()
            .top("keep = \"all\"")
            .source(files.path(source))
            .target("00", files.path(target))
            .configuration("exact-jaccard", "");
        study.run();
        study
    };
    let studies = [compared("a.warc", "b.warc"), compared("c.warc", "a.warc"), compared("b.warc", "c.warc")];
    let size = |studies: &[Study], more: &[&str]| {
        let mut args = vec!["size".into(), "--json".into()];
        args.extend(studies.iter().map(|study| study.folder().as_os_str().to_owned()));
        args.extend(more.iter().map(Into::into));
        crate::support::dejaview(args).json()
    };
    for more in [&[][..], &["--by", "queries"][..]] {
        let answer = size(&studies, more);
        for (corpus, pages) in answer["corpora"].as_array().unwrap().iter().zip([40.0, 60.0, 30.0]) {
            let value = |key: &str| corpus[key]["value"].as_f64().unwrap();
            assert!((value("times_first") - pages / 40.0).abs() < 1e-6, "{answer}");
            assert!((value("share") - pages / 80.0).abs() < 1e-6, "{answer}");
        }
    }
    // b and c are not compared: what the three cover together is not known.
    let two = size(&studies[..2], &[]);
    assert!(two["corpora"][2]["times_first"]["value"].is_number(), "{two}");
    assert!(two["corpora"].as_array().unwrap().iter().all(|corpus| corpus["share"].is_null()), "{two}");
}

/// 60 pages and 180, 30 in common: the target is three times as large, and each of the ways to draw pages finds that out.
#[test]
fn drawn_pages_are_looked_for_on_the_other_side() {
    let study = study(0..60, 30..210);
    let words: Vec<String> = (0..210).flat_map(|i| first_words(&page(i, 80), 10)).collect();
    fs::write(study.path("log.txt"), words.join("\n")).unwrap();
    fs::write(study.path("words.txt"), words.join(" ")).unwrap();
    let file = |name: &str| study.path(name).display().to_string();
    for how in [
        // Steps of a walk follow from each other, so it takes more of them.
        vec!["2000".to_owned(), "--asked-by=walk".into(), "--backwards=100".into()],
        vec!["400".to_owned(), "--asked-by=query".into()],
        vec!["400".to_owned(), "--asked-by=query".into(), "--log".into(), file("log.txt")],
        vec!["400".to_owned(), "--asked-by=query".into(), "--words".into(), file("words.txt")],
    ] {
        let mut args = ["size", "--json", "--by", "queries", "--size"].map(str::to_owned).to_vec();
        args.extend(how.clone());
        let answer = study.dejaview(&args).json();
        let (value, low, high) = times(&answer);
        assert!((value - 3.0).abs() < 0.75 && low < 3.2 && high > 2.8, "{how:?}: {value} ({low} to {high})");
        // Half of the source stands in the target, a sixth of the target in the source.
        let share = |i: usize| answer["overlaps"][i]["share"].as_f64().unwrap();
        assert!((share(0) - 0.5).abs() < 0.1 && (share(1) - 1.0 / 6.0).abs() < 0.05, "{how:?}: {answer}");
        assert_eq!(study.dejaview(&args).json(), answer, "the same every time");
    }
}

/// The first words of a page's text.
fn first_words(html: &str, number: usize) -> Vec<String> {
    let text = html.split("<p>").nth(1).unwrap_or(html);
    text.split(['<', ' ']).take(number).map(str::to_owned).collect()
}

/// Numbers of results are those of searching.
#[test]
fn searches_of_a_log_are_counted_on_both_sides() {
    let study = study(0..40, 20..140);
    let queries: Vec<String> = (0..30).flat_map(|i| first_words(&page(i, 80), 1)).collect();
    let lines: String = queries.iter().map(|query| format!("7\t{query}\n")).collect();
    fs::write(study.path("log.tsv"), format!("user\tquery\n{lines}")).unwrap();
    let log = study.path("log.tsv").display().to_string();
    let answer = study.dejaview(["size", "--json", "--by", "searches", "--log", &log]).json();
    let count = |query: &str, side: &str| {
        let found = study.dejaview(["search", "--side", side, "--limit", "1000", "--json", query]);
        found.ok().lines().filter(|line| !line.is_empty()).count()
    };
    let [source, target] = ["source", "target"].map(|side| queries.iter().map(|q| count(q, side)).sum::<usize>());
    assert!(source > 0 && target > 0);
    assert_eq!(answer["searches"]["queries"], 30);
    let together = answer["searches"]["together"]["value"].as_f64().unwrap();
    assert!((together - target as f64 / source as f64).abs() < 1e-9, "{target} / {source}: {answer}");
    assert_eq!(answer["corpora"][1]["times_first"]["value"], together);
    let text = study.dejaview(["size", "--by", "searches", "--log", &log]);
    assert!(text.ok().contains("mean of the ratios"), "{}", text.ok());
    assert!(study.dejaview(["size", "--by", "searches"]).failed().contains("--log"));
    assert!(study.dejaview(["size", "--log", &log]).failed().contains("--by searches"));
}

#[test]
fn searching_needs_all_texts() {
    let study =
        Study::new().file("a.warc", web("a", 0..5)).source("a.warc").target("00", "a.warc").configuration("md5", "");
    study.run();
    assert!(study.dejaview(["size", "--by", "queries"]).failed().contains("keep = \"all\""));
}

#[test]
fn a_walk_comes_to_all_pages_about_equally() {
    let study = study(0..4, 20..60);
    let answer = study.dejaview(["size", "--json", "--draw", "walk", "--size", "400", "--backwards", "100"]).json();
    assert_eq!((&answer["population"], &answer["reached"]), (&40.into(), &40.into()), "{answer}");
    let pages = answer["pages"].as_array().unwrap();
    // Page 20 is linked to by all 40: by links alone a quarter of the draws.
    let hub = pages.iter().filter(|page| page["id"] == "b-20").count();
    assert!(hub < 60, "{hub} of 400");
    let other = study.dejaview(["size", "--draw", "walk", "--size", "5", "--start", "nobody"]);
    assert!(other.failed().contains("no document `nobody`"));
}

#[test]
fn random_searches_draw_pages_with_weights() {
    let study = study(0..4, 20..60);
    let answer = study.dejaview(["size", "--json", "--draw", "query", "--size", "30"]).json();
    let pages = answer["pages"].as_array().unwrap();
    assert!(!pages.is_empty() && pages.len() <= 30, "{answer}");
    for page in pages {
        assert!(page["id"].as_str().unwrap().starts_with("b-") && page["weight"].as_f64().unwrap() > 0.0, "{page}");
    }
}
