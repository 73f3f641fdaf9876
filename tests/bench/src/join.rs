//! Every pair of 20,000 pages whose words have a Jaccard of 0.9, found exactly: a whole run of ours, from text to files of
//! pairs, beside the prefix-filter join of SetSimilaritySearch, whose sets are made beforehand.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::board::Board;
use crate::data::{Data, folded};
use crate::python;
use crate::run::{add, run_child};

const PAGES: usize = 20_000;
const ROUNDS: usize = 3;
/// What of a run the join of the peer does: its sets are made and sorted before, ours here.
const ALONE: &str = "dejaview, sets and look-ups of the run, threads 1";

pub fn bench(_: &Data, board: &mut Board) -> Result<()> {
    let Some(pages) = std::env::var_os("DEJAVIEW_DOCUMENTATION") else {
        board.fact(
            "skipped",
            "DEJAVIEW_DOCUMENTATION names no folder of HTML pages, such as unpacked documentation packages",
        );
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let files = [folder.path().join("pages.jsonl"), folder.path().join("sets")];
    let documents = write(&html(Path::new(&pages))?, &files)?;
    board.fact("documents", documents);
    std::fs::write(
        folder.path().join("study.toml"),
        "name = \"bench\"\n[source]\ndocuments = [\"pages.jsonl\"]\n[[target]]\nsegment = \"00\"\ndocuments = [\"pages.jsonl\"]\n\
         [[configuration]]\nmethod = \"exact-jaccard\"\nthreshold = 0.9\n",
    )?;
    python::prepare()?;
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        for threads in [1, 2] {
            let run = run_child(folder.path(), threads)?;
            add(board, &format!("dejaview, a whole run, threads {threads}"), &run)?;
            if threads == 1 {
                let stages = ["sketch", "probe"].map(|stage| run["timings"][stage].as_f64().unwrap_or_default());
                board.add(ALONE, stages.iter().sum(), stages.iter().sum());
                board.fact("stages of a run, seconds", &run["timings"]);
            }
            found.push(run["pairs"]["exact-jaccard"].as_f64().context("no pairs")?);
        }
        let peer = python::run("join.py", &[&files[1]])?;
        board.add("SetSimilaritySearch, the join", python::number(&peer, "wall")?, python::number(&peer, "cpu")?);
        found.push(python::number(&peer, "pairs")?);
    }
    ensure!(found.iter().all(|pairs| *pairs == found[0]), "different numbers of pairs: {found:?}");
    board.fact("pairs, by both", found[0]);
    board.ratio("SetSimilaritySearch, the join", ALONE);
    board.ratio("SetSimilaritySearch, the join", "dejaview, a whole run, threads 1");
    board.ratio("SetSimilaritySearch, the join", "dejaview, a whole run, threads 2");
    Ok(())
}

/// Pages of a folder and those below it, by name, as many as are asked for, spread evenly.
fn html(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|end| end == "html") {
                found.push(path);
            }
        }
    }
    found.sort();
    ensure!(found.len() >= PAGES, "{} has {} pages, {PAGES} are needed", folder.display(), found.len());
    Ok((0..PAGES).map(|i| found[i * found.len() / PAGES].clone()).collect())
}

/// Writes texts for us and sets of numbered words for the peer; how many have words.
fn write(pages: &[PathBuf], files: &[PathBuf; 2]) -> Result<usize> {
    let mut ours = std::io::BufWriter::new(std::fs::File::create(&files[0])?);
    let mut theirs = std::io::BufWriter::new(std::fs::File::create(&files[1])?);
    let (mut numbers, mut written, mut text) = (HashMap::<String, usize>::new(), 0, String::new());
    for (i, page) in pages.iter().enumerate() {
        let bytes = std::fs::read(page)?;
        text.clear();
        dejaview::text::extract(&dejaview::text::decode(&bytes, None, true).text, &mut text);
        let mut words = folded(&text);
        words.sort_unstable();
        words.dedup();
        if words.is_empty() {
            continue;
        }
        writeln!(ours, "{}", json!({ "id": format!("page-{i:05}"), "text": text }))?;
        for word in words {
            let next = numbers.len();
            write!(theirs, "{} ", numbers.entry(word).or_insert(next))?;
        }
        writeln!(theirs)?;
        written += 1;
    }
    ours.flush()?;
    theirs.flush()?;
    Ok(written)
}
