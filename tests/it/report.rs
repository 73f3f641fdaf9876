//! The report: whole, self-contained, and without texts unless they are asked for.

use std::fs;

use crate::support::{Study, page, response};

/// Two pages, one of them with markup and a hostile title, found again in two segments.
fn study() -> Study {
    let old = [response("old-1", "http://a.org/1", page(1, 120)), response("old-<2>", "http://a.org/2", page(2, 120))];
    let new = page(1, 120).replacen("w", "secretword w", 1);
    let study = Study::new()
        .file("old.warc", old.concat())
        .file("a.warc", response("new-1", "http://a.org/1", new))
        .file("b.warc", response("new-2", "http://b.org/2", page(2, 120)))
        .file("web.qrels", "1 0 old-1 1\n1 0 old-<2> 0\n")
        .source("old.warc")
        .judgments("web.qrels")
        .target("00", "a.warc")
        .target("01", "b.warc")
        .simhash("ngrams = [2]\ndistance = 6\nblocks = 8")
        .configuration("exact-jaccard", "");
    study.run();
    study
}

fn report(study: &Study, more: &[&str]) -> String {
    let path = study.path("report.html");
    let mut args = vec!["report", "-o", path.to_str().unwrap()];
    args.extend(more);
    assert_eq!(study.dejaview(args).ok().trim(), path.to_str().unwrap());
    fs::read_to_string(path).unwrap()
}

#[test]
fn the_page_holds_everything_and_needs_nothing() {
    let study = study();
    let html = report(&study, &[]);
    for part in ["id=\"study\"", "id=\"judgments\"", "id=\"found\"", "id=\"quality\"", "simhash-2", "pool:", "95 %"] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("id=\"labels\""), "nobody labelled anything");
    assert!(!html.contains("could not be made"), "{html}");
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
    assert!(html.matches("<svg").count() >= 8);
    // Nothing is fetched: the only address is the name of SVG itself.
    let addresses = html.matches("http").count();
    assert_eq!(addresses, html.matches("http-equiv").count() + html.matches("http://www.w3.org/2000/svg").count());
    for word in ["<script", "src=", "url(", "@import", "<link"] {
        assert!(!html.contains(word), "{word}");
    }
    assert!(html.contains("old-&lt;2&gt;") && !html.contains("old-<2>"));
    assert_eq!(html, report(&study, &[]), "the same bytes every time");
}

#[test]
fn texts_only_on_request() {
    let study = study();
    assert!(report(&study, &["--urls"]).contains("id=\"urls\""));
    assert!(!report(&study, &[]).contains("secretword"));
    let html = report(&study, &["--with-text"]);
    assert!(html.contains("<mark>secretword"), "the changed word is marked");
    assert!(html.contains("mind their licence"));
}

#[test]
fn tables_for_spreadsheets_and_papers() {
    let study = study();
    let folder = study.path("tables");
    let path = study.path("r.html");
    let answer =
        study.dejaview(["report", "--json", "-o", path.to_str().unwrap(), "--tables", folder.to_str().unwrap()]);
    let written = answer.json();
    let tables = written["tables"].as_array().unwrap();
    assert!(tables.len() >= 20, "{written}");
    for path in tables {
        let text = fs::read_to_string(path.as_str().unwrap()).unwrap();
        assert!(!text.trim().is_empty(), "{path}");
    }
    let csv = fs::read_to_string(folder.join("found-pairs.csv")).unwrap();
    assert!(csv.starts_with("configuration,00,01\n") && csv.contains("\nexact-jaccard,1,1\n"), "{csv}");
    let tex = fs::read_to_string(folder.join("quality-quality.tex")).unwrap();
    assert!(tex.contains("\\begin{tabular}") && tex.contains("\\end{tabular}"), "{tex}");
    let names: std::collections::BTreeSet<_> = tables.iter().map(|t| t.as_str().unwrap()).collect();
    assert_eq!(names.len(), tables.len(), "no table takes the file of another");
}

#[test]
fn a_study_that_was_not_run_has_no_report() {
    let study = Study::new().file("a.txt", "some words").source("a.txt").target("00", "a.txt");
    let path = study.path("report.html");
    assert!(study.dejaview(["report", "-o", path.to_str().unwrap()]).failed().contains("has not been run"));
    assert!(!path.exists());
}
