//! The report in headless Chromium: it renders, it prints, and the browser has nothing to complain about.
//!
//! `DEJAVIEW_PICTURES` names a folder to keep the pictures in.

use crate::chromium::Chromium;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A page of words of its own.
fn page(seed: usize, words: usize) -> String {
    let word = |i: usize| format!("w{}", (seed * 7_919 + i * 104_729) % 5_000);
    let text: Vec<String> = (0..words).map(word).collect();
    format!("<title>Page {seed}</title><p>{}", text.join(" "))
}

fn record(id: &str, html: &str) -> String {
    serde_json::json!({ "id": id, "url": format!("http://example.org/{id}"), "html": html }).to_string() + "\n"
}

/// A study of 12 pages that come back changed more and more, in four segments, run by the program.
fn study(folder: &Path) {
    let write = |name: &str, text: String| fs::write(folder.join(name), text).expect("the folder is ours");
    write("old.jsonl", (0..12).map(|n| record(&format!("old-{n}"), &page(n, 150))).collect());
    write("web.qrels", (0..12).map(|n| format!("{} 0 old-{n} {}\n", 1 + n % 3, n % 4)).collect());
    let mut toml =
        "name = \"A web, twice\"\n[source]\ndocuments = [\"old.jsonl\"]\njudgments = [\"web.qrels\"]\n".to_owned();
    for segment in 0..4 {
        let changed = |n: usize| page(n, 150) + &page(50 + n, n * (segment + 1));
        write(
            &format!("{segment}.jsonl"),
            (0..12).map(|n| record(&format!("new-{segment}-{n}"), &changed(n))).collect(),
        );
        toml += &format!("[[target]]\nsegment = \"0{segment}\"\ndocuments = [\"{segment}.jsonl\"]\n");
    }
    write("study.toml", toml);
    dejaview(&["run", folder.to_str().expect("its name is text")]);
}

fn dejaview(args: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_dejaview")).args(args).output().expect("the program starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_report_renders_and_prints_without_complaint() {
    let Some(chromium) = Chromium::find() else { return };
    let folder = chromium.folder();
    study(folder);
    let report = folder.join("report.html");
    dejaview(&["report", folder.to_str().unwrap(), "--with-text", "-o", report.to_str().unwrap()]);
    let address = format!("file://{}", report.display());
    let pictures = std::env::var_os("DEJAVIEW_PICTURES").map_or(folder.to_owned(), PathBuf::from);

    let dom = chromium.open(&["--dump-dom"], &address);
    let (html, said) = (String::from_utf8_lossy(&dom.stdout), String::from_utf8_lossy(&dom.stderr));
    assert!(!said.contains("CONSOLE"), "the browser complains: {said}");
    let written = fs::read_to_string(&report).unwrap();
    for element in ["<svg", "<rect", "<table", "<section", "<mark", "</tr>"] {
        assert_eq!(
            html.matches(element).count(),
            written.matches(element).count(),
            "{element}: the parser moved something"
        );
    }

    for (name, args) in [("light", vec![]), ("dark", vec!["--blink-settings=preferredColorScheme=0"])] {
        let picture = pictures.join(format!("report-{name}.png"));
        let shot = format!("--screenshot={}", picture.display());
        let mut args: Vec<&str> = args;
        args.extend(["--window-size=1100,6000", &shot]);
        chromium.open(&args, &address);
        // An empty page of this size makes a picture of some 25 kB.
        assert!(fs::metadata(&picture).unwrap().len() > 60_000, "{} is nearly empty", picture.display());
    }
    let paper = pictures.join("report.pdf");
    chromium.open(&[&format!("--print-to-pdf={}", paper.display()), "--no-pdf-header-footer"], &address);
    let pdf = fs::read(&paper).unwrap();
    assert!(pdf.starts_with(b"%PDF") && pdf.len() > 50_000, "{} bytes", pdf.len());
}
