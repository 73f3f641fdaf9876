//! How fast the explorer is in a terminal, on a study of as many pairs as `DEJAVIEW_PAIRS` says, beside csvlens and
//! VisiData on the same pairs as a table.
//!
//! First frame, first rows on the screen, all rows known; key → last byte; label → next pair; bytes of frames and of idling.
//! The program is the one beside this one in the target folder, or what `DEJAVIEW_PROGRAM` names.

mod study;
mod terminal;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use self::study::{LARGE, Made};
use self::terminal::{Answer, Terminal};
use crate::board::Board;
use crate::data::Data;

/// Openings of each contender, in turns.
const ROUNDS: usize = 5;
/// Keys of each kind.
const KEYS: usize = 200;
/// Labels.
const LABELS: usize = 60;
/// Budgets in milliseconds and bytes.
const FIRST_FRAME: f64 = 30.0;
const KEY_P99: f64 = 10.0;
const LABEL_P99: f64 = 16.0;

pub fn bench(_data: &Data, board: &mut Board) -> Result<()> {
    let pairs = std::env::var("DEJAVIEW_PAIRS").ok().map_or(Ok(100_000), |n| n.replace('_', "").parse())?;
    let program = program()?;
    let folder = tempfile::tempdir()?;
    let study = folder.path().join("study");
    let begun = Instant::now();
    let made = study::make(&study, pairs, &program)?;
    board.fact("pairs", made.pairs);
    board.fact("seconds to make the study", format!("{:.1}", begun.elapsed().as_secs_f64()));
    let table = folder.path().join("pairs.tsv");
    export(&program, &made, &table)?;
    board.fact("megabytes of the table", format!("{:.0}", std::fs::metadata(&table)?.len() as f64 / 1e6));
    let peers = peers(board).unwrap_or_else(|why| {
        board.fact("csvlens and VisiData", format!("not measured: {why:#}"));
        Vec::new()
    });
    for _ in 0..ROUNDS {
        ours(board, &program, &made)?;
        for peer in &peers {
            peer.open(board, &table, &made)?;
        }
    }
    for peer in &peers {
        board.ratio(&format!("{}, first rows", peer.name), "dejaview, first rows");
        board.ratio(&format!("{}, last row", peer.name), "dejaview, last row");
    }
    keys(board, &program, &made)?;
    labels(board, &program, &made)
}

fn program() -> Result<PathBuf> {
    let beside = || std::env::current_exe().ok().and_then(|path| Some(path.parent()?.join("dejaview")));
    let path = std::env::var_os("DEJAVIEW_PROGRAM").map(PathBuf::from).or_else(beside).context("no program")?;
    let hint = "cargo build --release with the same CARGO_TARGET_DIR as this bench, or set DEJAVIEW_PROGRAM";
    ensure!(path.exists(), "{} is not there: {hint}", path.display());
    Ok(path)
}

/// The pairs of the first configuration as a table: all pairs.
fn export(program: &Path, made: &Made, table: &Path) -> Result<()> {
    let mut command = Command::new(program);
    command.arg("pairs").arg(&made.folder).args(["--configuration", "simhash-3+5", "--format", "tsv", "-o"]).arg(table);
    ensure!(command.status()?.success(), "writing the table failed");
    Ok(())
}

fn add(board: &mut Board, name: &str, time: Duration) {
    // Another process does the work: its processor time is not ours to see.
    board.add(name, time.as_secs_f64(), time.as_secs_f64());
}

fn arguments(words: &[&str], path: &Path) -> Vec<OsString> {
    let place = |word: &&str| if *word == "{}" { path.into() } else { OsString::from(*word) };
    words.iter().map(place).collect()
}

/// Opens the explorer, goes to the pairs, and to the last of them.
fn ours(board: &mut Board, program: &Path, made: &Made) -> Result<()> {
    let terminal = Terminal::start(program, &arguments(&["{}", "--annotator", "bench"], &made.folder))?;
    let first = terminal.wait("a frame", terminal.started, |text| text.contains("keys"))?;
    add(board, "dejaview, first frame", first);
    terminal.send(b"3")?;
    let rows = terminal.wait("the first rows", terminal.started, |text| text.contains(&made.first))?;
    add(board, "dejaview, first rows", rows);
    let all = format!("1 of {} pairs", made.pairs);
    terminal.wait("all rows", terminal.started, |text| text.contains(&all))?;
    terminal.send(b"G")?;
    let last = terminal.wait("the last row", terminal.started, |text| text.contains(&made.last))?;
    add(board, "dejaview, last row", last);
    terminal.quit(b"Q")
}

/// Another program that opens tables.
struct Peer {
    name: &'static str,
    program: PathBuf,
    arguments: &'static [&'static str],
    bottom: &'static [u8],
    quit: &'static [u8],
}

impl Peer {
    fn open(&self, board: &mut Board, table: &Path, made: &Made) -> Result<()> {
        let terminal = Terminal::start(&self.program, &arguments(self.arguments, table))?;
        let rows = terminal.wait("the first rows", terminal.started, |text| text.contains(&made.first))?;
        add(board, &format!("{}, first rows", self.name), rows);
        // A table that is still being read has no last row yet: asked for until it is there.
        let last = loop {
            terminal.press(self.bottom)?;
            if terminal.text().contains(&made.last) {
                break terminal.wait("the last row", terminal.started, |text| text.contains(&made.last))?;
            }
            ensure!(terminal.started.elapsed() < Duration::from_secs(900), "{} never came to the last row", self.name);
        };
        add(board, &format!("{}, last row", self.name), last);
        let answers = repeated(&terminal, b"j", 50)?;
        note(board, &format!("{}, row down", self.name), &answers);
        terminal.quit(self.quit)
    }
}

/// The peers, installed into the folder for temporary files at first use.
fn peers(board: &mut Board) -> Result<Vec<Peer>> {
    let folder = std::env::temp_dir().join("dejaview-bench-tables");
    let csvlens = folder.join("bin/csvlens");
    if !csvlens.exists() {
        let install = Command::new("cargo").args(["install", "-q", "csvlens", "--locked", "--root"]).arg(&folder).status()?;
        ensure!(install.success(), "cargo install csvlens failed");
    }
    let visidata = folder.join("python/bin/vd");
    if !visidata.exists() {
        let made = Command::new("python3").args(["-m", "venv"]).arg(folder.join("python")).status()?;
        let pip = Command::new(folder.join("python/bin/pip")).args(["install", "-q", "visidata", "setuptools"]).status()?;
        ensure!(made.success() && pip.success(), "pip install visidata failed");
    }
    for (name, program) in [("csvlens", &csvlens), ("VisiData", &visidata)] {
        let version = Command::new(program).arg("--version").output()?;
        board.fact(name, String::from_utf8_lossy(&version.stdout).trim().replace('\n', " "));
    }
    Ok(vec![
        Peer { name: "csvlens", program: csvlens, arguments: &["-t", "{}"], bottom: b"G", quit: b"q" },
        Peer { name: "VisiData", program: visidata, arguments: &["-f", "tsv", "{}"], bottom: b"gj", quit: b"gq" },
    ])
}

fn repeated(terminal: &Terminal, key: &[u8], times: usize) -> Result<Vec<Answer>> {
    let mut answers = Vec::new();
    for _ in 0..times {
        answers.extend(terminal.press(key)?);
    }
    Ok(answers)
}

fn percentile(answers: &[Answer], share: usize) -> f64 {
    let mut times: Vec<Duration> = answers.iter().map(|answer| answer.time).collect();
    times.sort_unstable();
    let at = (times.len() * share / 100).min(times.len().saturating_sub(1));
    times.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
}

/// Notes times in milliseconds and bytes of answers.
fn note(board: &mut Board, name: &str, answers: &[Answer]) -> f64 {
    let most = answers.iter().map(|answer| answer.bytes).max().unwrap_or(0);
    let mean = answers.iter().map(|answer| answer.bytes).sum::<usize>() / answers.len().max(1);
    let (p50, p99) = (percentile(answers, 50), percentile(answers, 99));
    let count = answers.len();
    board.fact(name, format!("p50 {p50:.2} ms, p99 {p99:.2} ms, {mean} bytes a frame, {most} at most, of {count}"));
    p99
}

fn keys(board: &mut Board, program: &Path, made: &Made) -> Result<()> {
    let terminal = Terminal::start(program, &arguments(&["{}", "--annotator", "bench"], &made.folder))?;
    terminal.wait("a frame", terminal.started, |text| text.contains("keys"))?;
    terminal.send(b"3")?;
    let all = format!("1 of {} pairs", made.pairs);
    terminal.wait("all rows", terminal.started, |text| text.contains(&all))?;
    let mut worst: f64 = 0.0;
    for (name, key) in [("row down", b"j" as &[u8]), ("page down", b" "), ("to the end and back", b"G"), ("page up", b"\x1b[5~")] {
        let answers = repeated(&terminal, key, if name.starts_with("to") { 2 } else { KEYS })?;
        worst = worst.max(note(board, &format!("Pairs, {name}"), &answers));
    }
    terminal.send(b"g")?;
    let mut open = Vec::new();
    for n in 0..LARGE {
        let before = terminal.bytes();
        let at = terminal.send(if n == 0 { b"\r" } else { b"J" })?;
        let shown = format!("A a-large-{n}");
        let time = terminal.wait("a large pair", at, |text| text.contains(&shown) && text.contains(" equal · "))?;
        open.push(Answer { time, bytes: terminal.bytes() - before });
        std::thread::sleep(Duration::from_millis(100));
    }
    note(board, "Compare, another pair of 1 MB", &open);
    for (name, key) in [("line down", b"j" as &[u8]), ("page down", b" "), ("next change", b"]"), ("stacked and back", b"v")] {
        worst = worst.max(note(board, &format!("Compare, {name}, 1 MB"), &repeated(&terminal, key, KEYS / 2)?));
    }
    let before = terminal.bytes();
    std::thread::sleep(Duration::from_secs(3));
    board.fact("bytes of three idle seconds", terminal.bytes() - before);
    let first = board.wall("dejaview, first frame") * 1000.0;
    board.fact("budget: first frame", format!("{first:.1} ms of {FIRST_FRAME}"));
    board.fact("budget: key → last byte, the worst p99", format!("{worst:.2} ms of {KEY_P99}"));
    terminal.quit(b"Q")
}

fn labels(board: &mut Board, program: &Path, made: &Made) -> Result<()> {
    let words = ["label", "{}", "--annotator", "bench"];
    let terminal = Terminal::start(program, &arguments(&words, &made.folder))?;
    let whole = |text: &str| text.starts_with("LABEL") && !text.contains("reading…") && text.contains("undo");
    let ready = |text: &str, n: usize| whole(text) && text.contains(&format!("{n}/100 decided"));
    terminal.wait("the first pair", terminal.started, |text| ready(text, 0))?;
    let mut answers = Vec::new();
    for n in 1..=LABELS {
        std::thread::sleep(Duration::from_millis(250));
        let before = terminal.bytes();
        let at = terminal.send([b"a" as &[u8], b"x", b"i"][n % 3])?;
        let time = terminal.wait("the next pair", at, |text| ready(text, n))?;
        answers.push(Answer { time, bytes: terminal.bytes() - before });
    }
    let p99 = note(board, "label → next pair", &answers);
    board.fact("budget: label → next pair, p99", format!("{p99:.2} ms of {LABEL_P99}"));
    terminal.quit(b"Q")
}
