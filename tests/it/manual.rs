//! What is promised to engineers: pages name files and functions that are there, and tests that are skipped are counted.

use std::fs;

use super::rows::{root, sources};

const PAGES: [&str; 2] = ["assets/manual/architecture.md", ".github/CONTRIBUTING.md"];

/// What stands between back quotes in a line.
fn quoted(line: &str) -> Vec<&str> {
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

/// What a page says that is not so.
fn faults(page: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for line in page.lines() {
        let names = quoted(line);
        for path in names.iter().filter(|name| name.starts_with("src/") || name.starts_with("tests/")) {
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
                faults.push(format!("{function} does not stand in {file}"));
            }
        }
    }
    faults
}

#[test]
fn what_the_pages_name_is_there() {
    for page in PAGES {
        let text = fs::read_to_string(root().join(page)).unwrap();
        assert!(text.lines().filter(|line| line.contains("`src/")).count() > 5, "{page} names nothing");
        let faults = faults(&text);
        assert!(faults.is_empty(), "{page}:\n{}", faults.join("\n"));
        let readme = fs::read_to_string(root().join("README.md")).unwrap();
        assert!(readme.contains(page), "README.md has no link to {page}");
    }
}

#[test]
fn a_page_that_is_wrong_is_found() {
    assert_eq!(faults("| a | `visit` | `src/matching/reading.rs` |\n").len(), 0);
    assert_eq!(faults("| a | `visits` | `src/matching/reading.rs` |\n").len(), 1);
    assert_eq!(faults("see `src/nowhere.rs`\n").len(), 1);
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
