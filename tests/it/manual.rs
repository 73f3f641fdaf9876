//! What is promised to readers: pages name files, functions and pages that are there; and tests that are skipped are counted.

use std::fs;
use std::path::Path;

use dejaview::corpus::SkipReason;
use dejaview::report::manual::TOPICS;
use dejaview::study::GRAMMAR;

use super::rows::{root, sources};
use super::support::dejaview;
use super::tables;

/// Pages for engineers: every function in a row of a table has its file beside it.
const FOR_ENGINEERS: [&str; 2] = ["assets/manual/architecture.md", ".github/CONTRIBUTING.md"];

/// The README and the pages of the manual, by their paths, sorted.
pub fn user_pages() -> Vec<String> {
    let pages = fs::read_dir(root().join("assets/manual")).unwrap();
    let manual = pages.map(|page| format!("assets/manual/{}", page.unwrap().file_name().to_str().unwrap()));
    let mut pages: Vec<String> = manual.chain(["README.md".to_owned()]).collect();
    pages.sort();
    pages
}

pub fn page_text(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap()
}

/// What is between back quotes in a line.
pub fn quoted(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

/// Whether a source defines a function or a type of this name.
fn defines(source: &str, name: &str) -> bool {
    ["fn", "struct", "trait", "enum", "const", "static"].iter().any(|kind| {
        let start = format!("{kind} {name}");
        source.match_indices(&start).any(|(at, _)| {
            let behind = source[at + start.len()..].chars().next();
            !behind.is_some_and(|c| c.is_alphanumeric() || c == '_')
        })
    })
}

/// Folders whose files pages name.
const FOLDERS: [&str; 6] = ["src/", "tests/", "assets/", ".ci/", ".github/", "sample-corpus/"];

/// Files and functions that a page names and that are not there.
fn unknown_names(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for line in text.lines() {
        for path in quoted(line).iter().filter(|name| FOLDERS.iter().any(|folder| name.starts_with(folder))) {
            if !path.contains(['*', '<', ' ']) && !root().join(path).exists() {
                faults.push(format!("{path} is not there: {line}"));
            }
        }
        // A row of a table whose last two cells are a function and its file.
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if let [_, function, file] = cells[..]
            && let ([function], [file]) = (&quoted(function)[..], &quoted(file)[..])
            && file.ends_with(".rs")
        {
            let source = fs::read_to_string(root().join(file)).unwrap_or_default();
            if !defines(&source, function) {
                faults.push(format!("{function} is not in {file}"));
            }
        }
    }
    faults
}

/// A heading as the end of an address.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Links of a page that lead nowhere; those to other sites are not followed.
fn dead_links(page: &str, text: &str) -> Vec<String> {
    let addresses = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let dead = |address: &&str| {
        let (file, heading) = address.split_once('#').unwrap_or((address, ""));
        let target = match file {
            "" => root().join(page),
            _ => root().join(Path::new(page).parent().unwrap()).join(file),
        };
        let has_heading = |text: String| {
            text.lines().any(|line| line.starts_with('#') && anchor(line.trim_start_matches('#')) == heading)
        };
        !target.exists() || !heading.is_empty() && !fs::read_to_string(target).is_ok_and(has_heading)
    };
    addresses.filter(|address| !address.contains("://")).filter(dead).map(str::to_owned).collect()
}

/// Tests that a page tells readers to run by name, and that no source has.
fn unknown_tests(text: &str) -> Vec<String> {
    let all: String = [root().join("src"), root().join("tests")]
        .iter()
        .flat_map(|folder| sources(folder))
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    let spans = text.lines().flat_map(quoted).filter(|span| span.contains("cargo test "));
    let names = spans.flat_map(|span| span.split_whitespace()).filter(|word| word.contains('_') && !word.contains('='));
    let is_there = |name: &&str| match name.strip_suffix("::") {
        Some(module) => all.contains(&format!("mod {module};")),
        None => all.contains(&format!("fn {name}")),
    };
    names.filter(|name| !is_there(name)).map(str::to_owned).collect()
}

#[test]
fn what_the_pages_name_is_there() {
    for page in user_pages().iter().map(String::as_str).chain([".github/CONTRIBUTING.md"]) {
        let text = page_text(page);
        let faults = [unknown_names(&text), dead_links(page, &text), unknown_tests(&text)].concat();
        assert!(faults.is_empty(), "{page}:\n{}", faults.join("\n"));
    }
    for page in FOR_ENGINEERS {
        let text = page_text(page);
        assert!(text.lines().filter(|line| line.contains("`src/")).count() > 5, "{page} names nothing");
        assert!(page_text("README.md").contains(page), "README.md has no link to {page}");
    }
}

#[test]
fn a_page_that_is_wrong_is_found() {
    assert_eq!(unknown_names("| a | `visit` | `src/matching/reading.rs` |\n").len(), 0);
    assert_eq!(unknown_names("| a | `visits` | `src/matching/reading.rs` |\n").len(), 1);
    assert_eq!(unknown_names("see `src/nowhere.rs`\n").len(), 1);
    assert_eq!(
        dead_links("assets/manual/terms.md", "[a](formats.md#documents) [b](http://x.org) [c](x.md) [d](formats.md#x)"),
        ["x.md", "formats.md#x"]
    );
    assert_eq!(unknown_tests("`cargo test --test tui no_such_test`"), ["no_such_test"]);
}

#[test]
fn the_readme_is_short_and_lists_the_pages() {
    assert!(page_text("README.md").lines().count() <= 200);
    let mut table = "| page | about |\n|---|---|\n".to_owned();
    for topic in TOPICS {
        table += &format!("| [{0}](assets/manual/{0}.md) | {1} |\n", topic.name, topic.title());
    }
    tables::check("README.md", "pages", &table);
}

#[test]
fn every_page_is_a_topic() {
    let mut topics: Vec<String> = TOPICS.iter().map(|topic| format!("assets/manual/{}.md", topic.name)).collect();
    topics.push("README.md".to_owned());
    topics.sort();
    assert_eq!(topics, user_pages());
    for topic in TOPICS {
        let help = dejaview(["help", topic.name]);
        assert_eq!(help.ok(), topic.for_terminal());
    }
}

#[test]
fn help_prints_pages_and_the_help_of_commands() {
    let all = dejaview(["help"]);
    assert!(all.ok().starts_with(dejaview(["--help"]).ok()));
    assert!(TOPICS.iter().all(|topic| all.ok().contains(topic.title())));
    assert_eq!(dejaview(["help", "labels", "import"]).ok(), dejaview(["labels", "import", "--help"]).ok());
    assert_eq!(dejaview(["help", "transfer"]).ok(), dejaview(["transfer", "--help"]).ok());
    assert_eq!(dejaview(["help", "study"]).ok(), dejaview(["help", "study-file"]).ok(), "the beginning of a name");
    let unknown = dejaview(["help", "cooking"]);
    assert!(unknown.misused().contains("“cooking” is neither a topic nor a command. Topics: terms, study-file"));
}

#[test]
fn the_manual_lists_the_terms_of_filters() {
    let mut list = String::new();
    for (written, means) in GRAMMAR {
        let terms: Vec<String> = written.split("   ").map(|term| format!("`{term}`")).collect();
        list += &format!("- {}: {means}\n", terms.join(", "));
    }
    tables::check("assets/manual/explorer.md", "filters", &list);
}

#[test]
fn the_manual_lists_why_records_are_skipped() {
    let mut table = "| reason | what it means, and what to do |\n|---|---|\n".to_owned();
    for reason in SkipReason::ALL {
        table += &format!("| {reason} | {} |\n", reason.advice());
    }
    tables::check("assets/manual/troubleshooting.md", "skipped", &table);
}

/// A test that returns early by a rule of its own would be counted as one that checked something.
#[test]
fn tests_are_skipped_by_one_rule() {
    let rule = root().join("tests/it/skipping.rs");
    for variable in ["DATA", "SLOW"].map(|name| format!("\"DEJAVIEW_{name}\"")) {
        let asks: Vec<_> = [root().join("src"), root().join("tests/it"), root().join("tests/tui")]
            .iter()
            .flat_map(|folder| sources(folder))
            .filter(|file| *file != rule && fs::read_to_string(file).unwrap().contains(&variable))
            .collect();
        assert!(asks.is_empty(), "{variable} is asked for beside {}: {asks:?}", rule.display());
        assert!(fs::read_to_string(&rule).unwrap().contains(&variable), "{variable} is asked for nowhere");
    }
}
