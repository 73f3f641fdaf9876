//! A crate may use only crates of rows above its own. The compiler forbids circles; which way the arrows run, and which
//! crates from outside each may name, the manifests say and this holds.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rows, the first the most basic. The same stand in the docs of `lib.rs`.
pub const ROWS: [&[&str]; 8] = [
    &["base"],
    &["text"],
    &["corpus", "methods", "labels"],
    &["index", "matching"],
    &["evaluation"],
    &["study"],
    &["report"],
    &["cli", "tui"],
];

/// Crates from outside that only some may name.
const GUARDED: [(&str, &[&str]); 5] = [
    ("tantivy", &["index"]),
    ("parquet", &["corpus", "matching"]),
    ("anyhow", &["cli", "tui"]),
    ("ratatui", &["tui"]),
    ("clap", &["cli"]),
];

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust sources of a folder.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The number of a crate's row.
fn row(name: &str) -> usize {
    ROWS.iter().position(|row| row.contains(&name)).unwrap_or_else(|| panic!("{name} is in no row")) + 1
}

/// What the manifest of a crate depends on, for its tests too.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]");
        } else if let Some((name, _)) = line.split_once(['.', ' ', '=']).filter(|_| inside) {
            names.push(name.to_owned());
        }
    }
    names
}

/// What breaks the rows in the manifest of a crate.
fn faults(name: &str, manifest: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for dependency in dependencies(manifest) {
        if let Some(other) = dependency.strip_prefix("dejaview-") {
            let (mine, theirs) = (row(name), row(other));
            if theirs >= mine {
                faults.push(format!("{name} in row {mine} depends on {other} in row {theirs}"));
            }
        }
        for (guarded, places) in GUARDED {
            if dependency == guarded && !places.contains(&name) {
                faults.push(format!("{name} depends on {guarded}, which belongs to {}", places.join(", ")));
            }
        }
    }
    faults
}

#[test]
fn no_crate_depends_on_its_own_row_or_one_below() {
    let mut all = Vec::new();
    for name in ROWS.concat() {
        let manifest = fs::read_to_string(root().join("src").join(name).join("Cargo.toml")).unwrap();
        assert!(!dependencies(&manifest).is_empty(), "{name} depends on nothing: its manifest was not understood");
        all.extend(faults(name, &manifest));
    }
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

#[test]
fn the_checker_knows_what_is_wrong() {
    let found = |name: &str, manifest: &str| faults(name, manifest).join("; ");
    assert_eq!(found("study", "[dependencies]\ndejaview-index.workspace = true\nserde = \"1\"\n"), "");
    assert_eq!(found("index", "[dependencies]\ntantivy.workspace = true\n"), "");
    assert!(
        found("base", "[dependencies]\ndejaview-text.workspace = true\n").contains("row 1 depends on text in row 2")
    );
    assert!(found("cli", "[dev-dependencies]\ndejaview-tui = { path = \"../tui\" }\n").contains("tui in row 8"));
    assert!(found("study", "[dependencies]\nanyhow.workspace = true\n").contains("belongs to cli, tui"));
}

#[test]
fn every_folder_is_a_crate_and_the_library_page_says_the_same() {
    let page = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let mut documented: Vec<(usize, Vec<String>)> = Vec::new();
    for line in page.lines().filter_map(|line| line.strip_prefix("//! | ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let Ok(number) = cells[0].parse() {
            let names = cells[1].split(", ").map(|name| name.trim_matches(['[', ']', '`']).to_owned());
            documented.push((number, names.collect()));
        }
    }
    let expected: Vec<(usize, Vec<String>)> =
        ROWS.iter().enumerate().map(|(i, row)| (i + 1, row.iter().map(|&name| name.to_owned()).collect())).collect();
    assert_eq!(documented, expected, "the table of lib.rs");

    let in_rows: BTreeSet<String> = ROWS.concat().into_iter().map(str::to_owned).collect();
    let named: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("pub use dejaview_")?.split(" as ").next())
        .map(str::to_owned)
        .collect();
    assert_eq!(named, in_rows, "the crates of lib.rs");
    let folders: BTreeSet<String> = fs::read_dir(root().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(folders, in_rows, "the folders of src");
}

/// What differs from system to system is in one file; tests may ask for more.
#[test]
fn only_one_file_knows_the_system() {
    let only = root().join("src/base/system.rs");
    for path in sources(&root().join("src")) {
        let text = fs::read_to_string(&path).unwrap();
        let program = text.split("#[cfg(test)]").next().unwrap_or_default();
        let knows = ["std::os::unix", "\"/proc/", "target_os"].iter().any(|word| program.contains(word));
        let is_test = path.to_string_lossy().contains("tests");
        assert!(!knows || is_test || path == only, "{} asks the system itself", path.display());
    }
}
