//! A whole run with five SimHash configurations and scores, beside pipelines of peers and the limit.
//!
//! The peer in Rust reads with our own reader, makes five fingerprints a page, asks five indexes and takes one Jaccard a
//! pair; it keeps and writes nothing. The peer in Python makes one sketch a page and looks nothing up.

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use dejaview::base::progress::Progress;
use dejaview::corpus::{Document, Input, SkipReason};
use dejaview::matching::reading::{Unlisted, Visitor, visit};
use dejaview::study::{RunOptions, Session, Stage, Watch};
use gaoya::simhash::SimHashIndex;
use serde_json::{Value, json};

use crate::board::{Board, cpu};
use crate::data::{Data, input};
use crate::matching::{STANDARD, limit, matched, standard};
use crate::peers::{Gaoya, gaoya, gaoya_grams, gaoya_index, html2text};
use crate::python;

const ROUNDS: usize = 5;
/// Rounds of the slow peers.
const FEW: usize = 3;
const THREADS: usize = 2;
/// Pages of the archive that are a source of their own.
const FIRST: usize = 400;
/// What stands before the id of a record.
const ID: &[u8] = b"WARC-TREC-ID: ";

pub fn bench(data: &Data, board: &mut Board) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let first = first_pages(data, folder.path())?;
    python::prepare()?;
    for (name, source) in [("recrawl", data.older()), ("first 400", first)] {
        let study = study(&folder.path().join(name), &source, &data.bench())?;
        one_source(board, name, &study, [&source, &data.bench()])?;
    }
    board.fact("threads", THREADS);
    Ok(())
}

fn one_source(board: &mut Board, name: &str, study: &Path, files: [&Path; 2]) -> Result<()> {
    let [source, target] = [[input(files[0])?], [input(files[1])?]];
    let both = [source[0].clone(), target[0].clone()];
    let configurations = standard()?;
    let label = |what: &str| format!("{name}: {what}");
    let (mut last, mut pairs) = (Value::Null, (0, 0));
    for round in 0..ROUNDS {
        last = run_child(study, THREADS)?;
        add(board, &label("dejaview run, 2 threads"), &last)?;
        let (_, segment) = board.time(&label("dejaview matching alone, 2 threads"), || {
            matched(&source, &target, &configurations, THREADS)
        })?;
        board.time(&label("the limit, 2 threads"), || limit(&both, THREADS));
        let one = run_child(study, 1)?;
        add(board, &label("dejaview run, 1 thread"), &one)?;
        if round < FEW {
            pairs = board.time(&label("html2text + gaoya, 2 threads"), || peer(&source, &target));
            let script = python::run("run.py", &[files[1]])?;
            let seconds = |name: &str| python::number(&script, name);
            board.add(&label("resiliparse + rensa, 1 process"), seconds("wall")?, seconds("cpu")?);
            let rest = seconds("cpu")? - seconds("slowest")?;
            board.add(&label("resiliparse + rensa without its slowest page"), rest, rest);
        }
        let found: Vec<Value> = segment.hits.iter().map(|hits| json!(hits.len())).collect();
        let told: Vec<Value> =
            last["pairs"].as_object().map(|pairs| pairs.values().cloned().collect()).unwrap_or_default();
        ensure!(found == told, "matching alone found {found:?}, the run {told:?}");
    }
    let pairs_line = format!(
        "{} of dejaview over five configurations; peer {} and {} by Jaccard >= 0.5",
        last["pairs"], pairs.0, pairs.1
    );
    board.fact(&label("pairs"), pairs_line);
    board.fact(&label("documents"), &last["documents"]);
    board.fact(&label("stages of the last run, seconds over all threads"), &last["timings"]);
    for fast in ["dejaview run, 2 threads", "dejaview run, 1 thread", "dejaview matching alone, 2 threads"] {
        board.ratio(&label("html2text + gaoya, 2 threads"), &label(fast));
        for slow in ["resiliparse + rensa, 1 process", "resiliparse + rensa without its slowest page"] {
            let ratio = board.cpu(&label(slow)) / board.cpu(&label(fast));
            board.fact(&format!("{} / {fast}, per core", label(slow)), format!("{ratio:.2} by processor time"));
        }
    }
    board.ratio(&label("dejaview run, 2 threads"), &label("the limit, 2 threads"));
    board.ratio(&label("dejaview matching alone, 2 threads"), &label("the limit, 2 threads"));
    Ok(())
}

/// The records of the first pages as an archive of their own, each with another id: what has the same id and the same bytes
/// is the same document, and no pair.
fn first_pages(data: &Data, folder: &Path) -> Result<PathBuf> {
    let pages = data.pages(FIRST + 1)?;
    let end = pages.last().context("no pages")?.offset;
    let bytes = std::fs::read(data.bench())?;
    let (mut rest, mut written) = (&bytes[..end as usize], Vec::new());
    while !rest.is_empty() {
        let (mut member, mut record) = (flate2::bufread::GzDecoder::new(rest), Vec::new());
        member.read_to_end(&mut record)?;
        rest = member.into_inner();
        if let Some(at) = record.windows(ID.len()).position(|bytes| bytes == ID) {
            record[at + ID.len()] = b'x';
        }
        let mut encoder = flate2::write::GzEncoder::new(&mut written, flate2::Compression::default());
        encoder.write_all(&record)?;
        encoder.finish()?;
    }
    let path = folder.join("first.warc.gz");
    std::fs::write(&path, written)?;
    Ok(path)
}

/// Writes a study with the SimHash configurations of the standard set.
pub fn study(folder: &Path, source: &Path, target: &Path) -> Result<PathBuf> {
    study_of(folder, source, &[target.to_owned()], &[])
}

/// Writes a study with the SimHash configurations of the standard set and these methods.
pub fn study_of(folder: &Path, source: &Path, targets: &[PathBuf], methods: &[&str]) -> Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let mut toml = format!("name = \"bench\"\n[source]\ndocuments = [{source:?}]\n");
    for (segment, target) in targets.iter().enumerate() {
        toml += &format!("[[target]]\nsegment = \"{segment:02}\"\ndocuments = [{target:?}]\n");
    }
    for lengths in STANDARD {
        toml += &format!("[[configuration]]\nmethod = \"simhash\"\nngrams = {lengths:?}\n");
    }
    for method in methods {
        toml += &format!("[[configuration]]\nmethod = {method:?}\n");
    }
    std::fs::write(folder.join("study.toml"), toml)?;
    Ok(folder.to_owned())
}

/// Runs a study afresh in a process of its own.
pub fn run_child(study: &Path, threads: usize) -> Result<Value> {
    let output = Command::new(std::env::current_exe()?)
        .arg("child-run")
        .arg(study)
        .arg(threads.to_string())
        .stderr(std::process::Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "the run failed");
    Ok(serde_json::from_slice(&output.stdout)?)
}

pub fn add(board: &mut Board, name: &str, run: &Value) -> Result<()> {
    board.add(name, python::number(run, "wall")?, python::number(run, "cpu")?);
    Ok(())
}

/// Nobody watches.
#[derive(Default)]
pub struct Silent(Progress);

impl Watch for Silent {
    fn progress(&self) -> &Progress {
        &self.0
    }

    fn began(&self, _: Stage<'_>) {}
}

/// The most memory that this process has held, in KiB.
pub fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// Runs a study and prints its summary with times and peak memory as one JSON object.
pub fn child(study: &Path, threads: usize) -> Result<()> {
    let session = Session::open(study)?;
    let (start, processor) = (std::time::Instant::now(), cpu());
    let summary = dejaview::study::run(&session, RunOptions { threads, fresh: true }, &Silent::default())?;
    let (wall, cpu) = (start.elapsed(), cpu() - processor);
    let peak = peak_kib();
    let timings: serde_json::Map<String, Value> =
        summary.timings.iter().map(|t| (t.stage.to_string(), json!((t.seconds * 1e4).round() / 1e4))).collect();
    let object = json!({
        "wall": wall.as_secs_f64(), "cpu": cpu.as_secs_f64(), "timings": timings, "peak_kib": peak,
        "source_bytes": summary.source_bytes, "pairs": summary.pairs,
        "documents": { "source": summary.documents.source, "target": summary.documents.target },
    });
    println!("{object}");
    Ok(())
}

/// What the peer in Rust knows of a document.
struct Known {
    words: HashSet<String>,
    fingerprints: [u64; STANDARD.len()],
}

struct Reader {
    gaoya: Gaoya,
    known: Vec<Known>,
}

impl Visitor for Reader {
    fn document(&mut self, _: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        self.known.push(known(&self.gaoya, document.body));
        Ok(())
    }
}

fn known(gaoya: &Gaoya, body: &[u8]) -> Known {
    let lower = html2text(body).to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let fingerprints = STANDARD.map(|lengths| gaoya_grams(gaoya, &words, lengths));
    Known { words: words.into_iter().map(str::to_owned).collect(), fingerprints }
}

struct Asker<'a> {
    gaoya: Gaoya,
    source: &'a [Known],
    indexes: &'a [SimHashIndex<u64, u32>],
    pairs: u64,
    alike: u64,
}

impl Visitor for Asker<'_> {
    fn document(&mut self, _: usize, document: &Document<'_>) -> Result<(), SkipReason> {
        let target = known(&self.gaoya, document.body);
        let mut found = HashSet::new();
        for (index, fingerprint) in self.indexes.iter().zip(&target.fingerprints) {
            found.extend(index.query(fingerprint).into_iter().copied());
        }
        for id in found {
            let words = &self.source[id as usize].words;
            let both = words.intersection(&target.words).count();
            let either = words.len() + target.words.len() - both;
            self.pairs += 1;
            self.alike += u64::from(2 * both >= either);
        }
        Ok(())
    }
}

/// html2text and gaoya: pairs found by any configuration, and those whose words are alike.
fn peer(source: &[Input], target: &[Input]) -> (u64, u64) {
    let progress = Progress::default();
    let read = visit(source, THREADS, &progress, &Unlisted, || Reader { gaoya: gaoya(), known: Vec::new() })
        .expect("the source can be read");
    let source: Vec<Known> = read.visitors.into_iter().flat_map(|reader| reader.known).collect();
    let mut indexes: Vec<SimHashIndex<u64, u32>> = STANDARD.iter().map(|_| gaoya_index(3)).collect();
    for (id, known) in (0u32..).zip(&source) {
        for (index, &fingerprint) in indexes.iter_mut().zip(&known.fingerprints) {
            index.insert(id, fingerprint);
        }
    }
    let asked = visit(target, THREADS, &progress, &Unlisted, || Asker {
        gaoya: gaoya(),
        source: &source,
        indexes: &indexes,
        pairs: 0,
        alike: 0,
    })
    .expect("the target can be read");
    asked.visitors.iter().fold((0, 0), |sum, asker| (sum.0 + asker.pairs, sum.1 + asker.alike))
}
