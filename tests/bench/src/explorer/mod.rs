//! How fast the explorer is in a terminal, on a study of as many pairs as `DEJAVIEW_PAIRS` says, beside csvlens and
//! VisiData on the same pairs as a table.
//!
//! First frame, first rows on the screen, the last row reached; key → last byte; label → next pair; bytes of frames and of
//! idling; peak memory. The program is the one beside this one in the target folder, or what `DEJAVIEW_PROGRAM` names.

mod opening;
mod study;
mod terminal;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use self::opening::Contender;
use self::study::{LARGE, Made};
use self::terminal::{Answer, Terminal};
use crate::board::Board;
use crate::data::Data;

/// Openings of each contender, in turns; fewer where one takes minutes.
const ROUNDS: usize = 5;
const ROUNDS_OF_MANY: usize = 3;
const MANY: usize = 1_000_000;
/// Keys of each kind.
const KEYS: usize = 200;
/// Rows that a cursor moves without scrolling.
const STEPS: usize = 40;
/// By then a preview is shown; by then one has begun and is not shown yet.
const PREVIEWED: Duration = Duration::from_millis(400);
const PREVIEW_BEGUN: Duration = Duration::from_millis(65);
/// Labels.
const LABELS: usize = 60;

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
    let ours = Contender::ours(&program, &made);
    let peers = Contender::peers(board, &table, &made).unwrap_or_else(|why| {
        board.fact("csvlens and VisiData", format!("not measured: {why:#}"));
        Vec::new()
    });
    keys(board, &ours)?;
    labels(board, &ours)?;
    for round in 0..if pairs > MANY { ROUNDS_OF_MANY } else { ROUNDS } {
        // Of many pairs VisiData takes minutes, so it opens them once.
        let once = |contender: &&Contender| round == 0 || pairs <= MANY || contender.name != "VisiData";
        for contender in [&ours].into_iter().chain(&peers).filter(once) {
            contender.open(board, &made)?;
        }
    }
    budget(board, "first frame", board.wall("dejaview, first frame") * 1000.0, 30.0, "ms");
    for peer in &peers {
        for what in ["first rows", "usable", "all rows read"] {
            board.ratio(&format!("{}, {what}", peer.name), &format!("dejaview, {what}"));
        }
    }
    Ok(())
}

/// Makes the study of the bench and leaves it, for a look at it or a long day with it.
pub fn make_study(folder: &Path, pairs: usize) -> Result<()> {
    let made = study::make(folder, pairs, &program()?)?;
    println!("{} pairs", made.pairs);
    Ok(())
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

fn repeated(terminal: &Terminal, keys: &[&[u8]], times: usize) -> Result<Vec<Answer>> {
    let mut answers = Vec::new();
    for n in 0..times {
        answers.extend(terminal.press(keys[n % keys.len()])?);
    }
    Ok(answers)
}

fn percentile(answers: &[Answer], share: usize) -> f64 {
    let mut times: Vec<Duration> = answers.iter().map(|answer| answer.time).collect();
    times.sort_unstable();
    let at = (times.len() * share / 100).min(times.len().saturating_sub(1));
    times.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0)
}

/// Answers to keys of one kind.
struct Noted {
    p99: f64,
    most: usize,
}

/// Notes times in milliseconds and bytes of answers.
fn note(board: &mut Board, name: &str, answers: &[Answer]) -> Noted {
    let most = answers.iter().map(|answer| answer.bytes).max().unwrap_or(0);
    let mean = answers.iter().map(|answer| answer.bytes).sum::<usize>() / answers.len().max(1);
    let (p50, p99) = (percentile(answers, 50), percentile(answers, 99));
    let count = answers.len();
    board.fact(name, format!("p50 {p50:.2} ms, p99 {p99:.2} ms, {mean} bytes a frame, {most} at most, of {count}"));
    Noted { p99, most }
}

fn budget(board: &mut Board, name: &str, value: f64, most: f64, unit: &str) {
    let met = if value <= most { "met" } else { "not met" };
    board.fact(&format!("budget: {name}"), format!("{value:.1} of {most} {unit}: {met}"));
}

fn keys(board: &mut Board, ours: &Contender) -> Result<()> {
    let terminal = ours.start()?;
    terminal.wait("a frame", terminal.started, |text| text.contains("? help"))?;
    terminal.send(ours.rows)?;
    let all = terminal.wait("all rows", terminal.started, |text| ours.has_counted(text))?;
    board.fact("seconds until all rows are read", format!("{:.2}", all.as_secs_f64()));
    let mut worst = pairs_keys(board, &terminal)?;
    let views = large_pairs(board, &terminal)?;
    let mut scrolled = 0;
    for (name, keys) in
        [("line down", [b"j" as &[u8]]), ("page down", [b" "]), ("next change", [b"]"]), ("stacked and back", [b"v"])]
    {
        // From the top: at the end of the texts there is nothing more to show.
        terminal.press(b"g")?;
        let noted = note(board, &format!("Compare, {name}, 1 MB"), &repeated(&terminal, &keys, KEYS / 2)?);
        worst = worst.max(noted.p99);
        scrolled = scrolled.max(noted.most);
    }
    budget(board, "another pair of 1 MB shown, the slowest", views, 200.0, "ms");
    budget(board, "bytes of a scroll in Compare, at most", scrolled as f64, 15_000.0, "bytes");
    let before = terminal.bytes();
    std::thread::sleep(Duration::from_secs(3));
    budget(board, "three idle seconds", (terminal.bytes() - before) as f64, 0.0, "bytes");
    budget(board, "key → last byte, the worst p99", worst, 10.0, "ms");
    terminal.quit(ours.quit)
}

/// Keys on the table; the worst p99.
fn pairs_keys(board: &mut Board, terminal: &Terminal) -> Result<f64> {
    let (mut alone, mut held) = (Vec::new(), Vec::new());
    for _ in 0..KEYS / STEPS / 2 {
        for key in [b"j" as &[u8], b"k"] {
            // The first press is answered with the card and the preview; while a key is held, both wait.
            std::thread::sleep(PREVIEWED);
            alone.extend(terminal.press(key)?);
            held.extend(repeated(terminal, &[key], STEPS - 1)?);
        }
    }
    let once = note(board, "Pairs, cursor moved once, with card and preview", &alone);
    let moved = note(board, "Pairs, cursor moved by a key that is held", &held);
    budget(board, "bytes of a move with card and preview, at most", once.most as f64, 12_500.0, "bytes");
    budget(board, "bytes of a move while a key is held, at most", moved.most as f64, 600.0, "bytes");
    let mut worst = moved.p99.max(previews(board, terminal)?);
    for (name, keys, times) in [
        ("page down", vec![b" " as &[u8]], KEYS),
        ("row down, the table scrolls", vec![b"j"], KEYS),
        ("to the end and back", vec![b"G", b"g"], KEYS / 4),
        ("page up", vec![b"\x1b[5~"], KEYS),
    ] {
        worst = worst.max(note(board, &format!("Pairs, {name}"), &repeated(terminal, &keys, times)?).p99);
        if name == "to the end and back" {
            terminal.press(b"G")?;
        }
    }
    terminal.press(b"g")?;
    Ok(worst)
}

/// Moves along pairs of large documents with time for the preview of each; the p99 of keys that are pressed while one is made.
fn previews(board: &mut Board, terminal: &Terminal) -> Result<f64> {
    terminal.press(b"g")?;
    std::thread::sleep(PREVIEWED);
    let mut shown = Vec::new();
    for n in 0..LARGE - 1 {
        let before = terminal.bytes();
        let at = terminal.send(b"j")?;
        let next = format!("a-large-{}", n + 1);
        let whole = |text: &str| text.contains(&format!("Preview  {next}")) && text.contains("change");
        let time = terminal.wait("a preview", at, whole)?;
        shown.push(Answer { time, bytes: terminal.bytes() - before });
    }
    note(board, "Pairs, preview of a pair of 1 MB after a key", &shown);
    let mut answers = Vec::new();
    for n in 0..KEYS / 2 {
        // Its answer begins with the list; the preview may come right behind it.
        let before = terminal.bytes();
        let time = terminal.nudge(if n % 2 == 0 { b"k" } else { b"j" })?;
        answers.push(Answer { time, bytes: terminal.bytes() - before });
        std::thread::sleep(PREVIEW_BEGUN);
    }
    terminal.press(b"g")?;
    Ok(note(board, "Pairs, a key while a preview is made, to its first byte", &answers).p99)
}

/// Opens pairs of large documents one after the other; milliseconds of the slowest.
fn large_pairs(board: &mut Board, terminal: &Terminal) -> Result<f64> {
    let mut open = Vec::new();
    for n in 0..LARGE {
        let before = terminal.bytes();
        let at = terminal.send(if n == 0 { b"\r" } else { b"J" })?;
        let shown = format!("a-large-{n}");
        let whole = |text: &str| text.contains("─ Texts ") && text.contains(&shown) && text.contains("% of A and ");
        let time = terminal.wait("a large pair", at, whole)?;
        open.push(Answer { time, bytes: terminal.bytes() - before });
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(note(board, "Compare, another pair of 1 MB", &open).p99)
}

fn labels(board: &mut Board, ours: &Contender) -> Result<()> {
    let labelling = Contender {
        name: ours.name,
        program: ours.program.clone(),
        arguments: &["label", "{}", "--annotator", "bench"],
        path: ours.path.clone(),
        rows: b"",
        bottom: b"",
        quit: ours.quit,
        counted: String::new(),
    };
    let mut draw = Command::new(&ours.program);
    draw.arg("sample").arg(&ours.path).args(["--configuration", "simhash-3+5", "--size", "100", "--seed", "1"]);
    let drawn = draw.output()?;
    ensure!(drawn.status.success(), "no sample was drawn: {}", String::from_utf8_lossy(&drawn.stderr));
    let terminal = labelling.start()?;
    let whole = |text: &str| text.starts_with(" Label") && !text.contains("Reading…") && text.contains("undo");
    let ready = |text: &str, n: usize| whole(text) && text.contains(&format!("{n}/105 decided"));
    let first = terminal.wait("the first pair", terminal.started, |text| ready(text, 0))?;
    board.fact("seconds to the first pair to label", format!("{:.2}", first.as_secs_f64()));
    let mut answers = Vec::new();
    for n in 1..=LABELS {
        std::thread::sleep(Duration::from_millis(250));
        let before = terminal.bytes();
        let at = terminal.send([b"a" as &[u8], b"x", b"i"][n % 3])?;
        let time = terminal.wait("the next pair", at, |text| ready(text, n))?;
        answers.push(Answer { time, bytes: terminal.bytes() - before });
    }
    let noted = note(board, "label → next pair", &answers);
    budget(board, "label → next pair, p99", noted.p99, 16.0, "ms");
    terminal.quit(labelling.quit)
}
