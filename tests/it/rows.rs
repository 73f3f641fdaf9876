//! A module may use only rows above its own. One crate has no borders inside, so this reads `src/` and keeps them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rows, the first the most basic. The same stand in the docs of `lib.rs`.
const ROWS: [&[&str]; 8] = [
    &["base"],
    &["text"],
    &["corpus", "methods", "labels"],
    &["index", "matching"],
    &["evaluation"],
    &["study"],
    &["report"],
    &["cli", "tui"],
];

/// Crates that only some places may name.
const GUARDED: [(&str, &[&str]); 3] = [
    ("tantivy", &["src/index/"]),
    ("parquet", &["src/matching/parquet.rs"]),
    ("anyhow", &["src/cli/", "src/tui/", "src/main.rs"]),
];

fn row(module: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.contains(&module)).map(|row| row + 1)
}

/// The module path of a file: `src/a/b.rs` is a, b; `src/a/mod.rs` is a; `src/lib.rs` is empty.
fn module_of(file: &str) -> Vec<&str> {
    let inside = file.strip_prefix("src/").unwrap().strip_suffix(".rs").unwrap();
    inside.split('/').filter(|part| !["mod", "lib", "main"].contains(part)).collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Places where `word` stands as a whole word.
fn words<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    line.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |&at| !line[..at].ends_with(is_word) && !line[at + word.len()..].starts_with(is_word))
}

/// What follows `prefix` wherever it stands as a whole word, with its own leading white space cut.
fn after<'a>(line: &'a str, prefix: &'a str) -> Vec<&'a str> {
    words(line, prefix.trim_end_matches(':'))
        .filter_map(|at| line[at..].strip_prefix(prefix))
        .map(str::trim_start)
        .collect()
}

fn name(path: &str) -> &str {
    &path[..path.find(|c| !is_word(c)).unwrap_or(path.len())]
}

/// How many `super::` stand in a row, at each place where such a row begins.
fn climbs(line: &str) -> Vec<usize> {
    let mut climbs = Vec::new();
    for at in words(line, "super") {
        if line[..at].ends_with("super::") {
            continue;
        }
        let mut rest = &line[at..];
        let mut steps = 0;
        while let Some(next) = rest.strip_prefix("super") {
            steps += 1;
            rest = next.strip_prefix("::").unwrap_or("");
        }
        climbs.push(steps);
    }
    climbs
}

/// Everything in a file that breaks the rows, as `file:line: what`.
fn faults(file: &str, text: &str) -> Vec<String> {
    let module = module_of(file);
    let own = module.first().copied();
    let mut faults = Vec::new();
    // Indents of the inline modules that are open; rustfmt closes each at the indent where it began.
    let mut inline: Vec<usize> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.trim_start();
        if code.starts_with("//") {
            continue;
        }
        let indent = line.len() - code.len();
        if code == "}" && inline.last() == Some(&indent) {
            inline.pop();
        }
        let mut fault = |what: String| faults.push(format!("{file}:{}: {what}: {}", number + 1, code.trim_end()));
        for path in after(code, "crate::") {
            match (own.and_then(row), row(name(path))) {
                _ if path.starts_with('{') => fault("a group of crate:: hides its rows".into()),
                _ if own == Some(name(path)) => {}
                (Some(mine), Some(theirs)) if theirs < mine => {}
                (Some(mine), Some(theirs)) => fault(format!("row {mine} names row {theirs}")),
                (_, None) => fault(format!("`{}` is in no row", name(path))),
                (None, _) => fault("the root names a module".into()),
            }
        }
        if words(code, "crate").any(|at| code[at + 5..].starts_with([' ', ';']) && code[..at].ends_with("use ")) {
            fault("crate by another name".into());
        }
        if file != "src/main.rs" && !after(code, "dejaview::").is_empty() && !code.contains('"') {
            fault("the crate by its own name".into());
        }
        for steps in climbs(code) {
            if steps >= module.len() + inline.len() {
                fault("super:: climbs out of the top-level module".into());
            }
        }
        let grouped = ["{super", "{ super", ", super"].iter().any(|group| code.contains(group));
        if grouped && code.contains("use ") || code.starts_with("super::") && code.ends_with(',') {
            fault("super:: inside a group".into());
        }
        if code.starts_with("#[path") {
            fault("a module from elsewhere".into());
        }
        for (guarded, places) in GUARDED {
            if !places.iter().any(|place| file.starts_with(place)) && names_crate(code, guarded) {
                fault(format!("{guarded} may be named only in {}", places.join(", ")));
            }
        }
        if code.ends_with('{') && words(code, "mod").next().is_some() && !code.contains("::") {
            inline.push(indent);
        }
    }
    faults
}

/// Whether a line names a crate, rather than a module of ours that is called the same.
fn names_crate(code: &str, guarded: &str) -> bool {
    words(code, guarded).any(|at| {
        let (before, behind) = (&code[..at], &code[at + guarded.len()..]);
        let path = behind.starts_with("::") || before.ends_with("use ") || before.ends_with("extern crate ");
        let ours = ["matching::", "super::", "mod "].iter().any(|front| before.ends_with(front));
        path && !ours
    })
}

fn sources(folder: &Path) -> Vec<PathBuf> {
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

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn nothing_names_its_own_row_or_one_below() {
    let files = sources(&root().join("src"));
    assert!(files.len() > 50, "only {} files: the sources were not found", files.len());
    let mut all = Vec::new();
    for path in &files {
        let file = path.strip_prefix(root()).unwrap().to_str().unwrap();
        all.extend(faults(file, &fs::read_to_string(path).unwrap()));
    }
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

#[test]
fn every_module_has_a_row_and_the_library_page_says_the_same() {
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
    let declared: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ").or(line.strip_prefix("mod ")))
        .map(|name| name.trim_end_matches(';').to_owned())
        .collect();
    assert_eq!(declared, in_rows, "the modules of lib.rs");
    let folders: BTreeSet<String> = fs::read_dir(root().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(folders, in_rows, "the folders of src");
    assert!(!page.lines().any(|line| line.trim_start().starts_with("pub use")), "re-exports hide who needs whom");
}

#[track_caller]
fn refused(file: &str, text: &str, why: &str) {
    let found = faults(file, text);
    assert!(found.len() == 1 && found[0].contains(why), "{text:?} gives {found:?}");
}

#[track_caller]
fn allowed(file: &str, text: &str) {
    assert_eq!(faults(file, text), Vec::<String>::new(), "{text:?}");
}

#[test]
fn the_checker_knows_rows() {
    allowed("src/study/run.rs", "use crate::matching::pass;\nuse crate::study::Recipe;\n");
    allowed("src/cli/mod.rs", "use crate::study::Session;\n");
    allowed("src/base/hash.rs", "// crate::cli would be wrong\n/// [`crate::cli`]\n");
    refused("src/base/hash.rs", "use crate::text::fold;\n", "row 1 names row 2");
    refused("src/matching/pass.rs", "use crate::index::Index;\n", "row 4 names row 4");
    refused("src/cli/run.rs", "    crate::tui::open();\n", "row 8 names row 8");
    refused("src/study/run.rs", "pub(crate) fn f(_: &crate::report::Table) {}\n", "row 6 names row 7");
    refused("src/text/html.rs", "    let x = \"http://a\"; crate::corpus::read();\n", "row 2 names row 3");
    refused("src/text/html.rs", "use crate::elsewhere::X;\n", "in no row");
    refused("src/lib.rs", "pub use crate::cli::main;\n", "the root names a module");
}

#[test]
fn the_checker_knows_the_ways_around() {
    refused("src/cli/run.rs", "use crate::{base, study};\n", "hides its rows");
    refused("src/cli/run.rs", "use crate as c;\n", "another name");
    refused("src/base/hash.rs", "use dejaview::cli;\n", "its own name");
    refused("src/base/hash.rs", "#[path = \"../cli/mod.rs\"]\nmod x;\n", "from elsewhere");
    allowed("src/main.rs", "fn main() { dejaview::cli::main() }\n");

    allowed("src/base/mod.rs", "use self::hash::fmix64;\n");
    refused("src/base/mod.rs", "use super::text::fold;\n", "climbs out");
    allowed("src/base/hash.rs", "use super::progress::Progress;\n");
    refused("src/base/hash.rs", "use super::super::text::fold;\n", "climbs out");
    allowed("src/corpus/warc/cut.rs", "use super::super::item;\n");
    refused("src/corpus/warc/cut.rs", "use super::super::super::cli;\n", "climbs out");
    allowed("src/base/mod.rs", "mod tests {\n    use super::*;\n}\n");
    refused("src/base/mod.rs", "mod tests {\n    use super::super::cli;\n}\n", "climbs out");
    refused("src/base/mod.rs", "mod tests {\n    use super::*;\n}\nuse super::cli;\n", "climbs out");
    refused("src/corpus/warc/cut.rs", "use super::{super::item, header};\n", "inside a group");
}

#[test]
fn the_checker_knows_the_guarded_crates() {
    allowed("src/index/reader.rs", "use tantivy::Searcher;\n");
    refused("src/study/run.rs", "    let _: tantivy::Index;\n", "tantivy may be named only in");
    allowed("src/matching/parquet.rs", "use ::parquet::basic::Type;\n");
    allowed("src/matching/mod.rs", "pub mod parquet;\n");
    allowed("src/cli/pairs.rs", "use crate::matching::parquet::Row;\n        return stream.parquet(out);\n");
    refused("src/cli/pairs.rs", "use parquet::basic::Type;\n", "parquet may be named only in");
    refused("src/matching/pass.rs", "    ::parquet::file::open();\n", "parquet may be named only in");
    allowed("src/cli/run.rs", "use anyhow::Result;\n");
    refused("src/study/run.rs", "fn f() -> anyhow::Result<()> {}\n", "anyhow may be named only in");
}
