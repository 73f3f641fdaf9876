//! Two lists of URLs joined, beside `sort` and `join` of the system on the same files, in the same run.
//!
//! The lists are generated: as many lines as `DEJAVIEW_URLS` says (10,000,000), half of them in both, hosts of very unequal
//! size. No rule changes a URL, so that both sides must count the same. Ours also counts hosts and top-level domains.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use dejaview::base::hash::fmix64;
use dejaview::corpus::urls::Rules;
use dejaview::study::{Session, UrlsOptions};
use serde_json::{Value, json};

use crate::board::{Board, cpu};
use crate::data::Data;
use crate::run::{Silent, add, peak_kib};

const ROUNDS: usize = 3;
const LINES: u64 = 10_000_000;
const TOP_LEVELS: [&str; 6] = ["com", "org", "net", "de", "edu", "gov"];
/// What ours may take.
const MOST_KIB: u64 = 1 << 20;

pub fn bench(_: &Data, board: &mut Board) -> Result<()> {
    let lines = std::env::var("DEJAVIEW_URLS").ok().map_or(Ok(LINES), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let [a, b] = ["source.urls", "target.urls"].map(|name| folder.path().join(name));
    write(&a, 0..lines)?;
    write(&b, lines / 2..lines / 2 + lines)?;
    let study = "[source]\nurls = [\"source.urls\"]\n[[target]]\nsegment = \"00\"\nurls = [\"target.urls\"]\n\
                 [[configuration]]\nmethod = \"simhash\"\n";
    std::fs::write(folder.path().join("study.toml"), study)?;
    board.fact("lines on each side", lines);
    for _ in 0..ROUNDS {
        let ours = child_of(folder.path())?;
        add(board, "dejaview urls", &ours)?;
        let peer = sort_and_join(&a, &b, folder.path())?;
        add(board, "sort | join", &peer)?;
        ensure!(ours["common"] == peer["common"], "{} common URLs by ours, {} by join", ours["common"], peer["common"]);
        ensure!(ours["peak_kib"].as_u64().is_some_and(|peak| peak < MOST_KIB), "peak {} KiB", ours["peak_kib"]);
        board.fact("common URLs", &ours["common"]);
        board.fact("peak resident KiB of ours", &ours["peak_kib"]);
    }
    board.ratio("sort | join", "dejaview urls");
    Ok(())
}

/// URLs in an order that no sort knows; hosts by the square of a random number, so that few have many.
fn write(path: &Path, numbers: std::ops::Range<u64>) -> Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let count = numbers.end - numbers.start;
    // A step without a factor in common with the count visits every number once.
    let step = (count / 2 + 1..).find(|step| gcd(*step, count) == 1).unwrap_or(1);
    let mut at = 0;
    for _ in 0..count {
        let number = numbers.start + at;
        at = (at + step) % count;
        let random = fmix64(number.wrapping_add(1));
        let share = (random >> 40) as f64 / (1u64 << 24) as f64;
        let host = (share * share * 200_000.0) as u64;
        let top = TOP_LEVELS[(host % 6) as usize];
        writeln!(
            file,
            "http://site{host}.example{}.{top}/section/{:x}/page-{number}.html",
            host % 977,
            random & 0xffff
        )?;
    }
    Ok(file.flush()?)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn child_of(study: &Path) -> Result<Value> {
    let output = Command::new(std::env::current_exe()?).arg("child-urls").arg(study).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Joins the lists of a study and prints what they have in common, with times and peak memory.
pub fn child(study: &Path) -> Result<()> {
    let session = Session::open(study)?;
    let (start, processor) = (std::time::Instant::now(), cpu());
    let order = UrlsOptions {
        rules: Rules::EXACT,
        domain: None,
        canonical: false,
        content: false,
        memory: 256_000_000,
        threads: 2,
    };
    let urls = dejaview::study::urls(&dejaview::study::Snapshot::new(&session), &order, &Silent::default())?;
    let (wall, cpu) = (start.elapsed(), cpu() - processor);
    let object = json!({
        "wall": wall.as_secs_f64(), "cpu": cpu.as_secs_f64(), "peak_kib": peak_kib(), "common": urls.overlap.common,
    });
    println!("{object}");
    Ok(())
}

/// The system's own tools, as fast as they go: bytes compared, both sorts at once on two threads each, half a gigabyte each.
fn sort_and_join(a: &Path, b: &Path, folder: &Path) -> Result<Value> {
    let script = "export LC_ALL=C; TIMEFORMAT='%R %U %S'; time { \
                  join <(sort -u --parallel=2 -S 500M -T \"$3\" \"$1\") <(sort -u --parallel=2 -S 500M -T \"$3\" \"$2\") | wc -l; }";
    let output = Command::new("bash").args(["-c", script, "bash"]).args([a, b, folder]).output()?;
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "sort | join failed: {printed}");
    let times: Vec<f64> = printed.split_whitespace().filter_map(|word| word.replace(',', ".").parse().ok()).collect();
    let [wall, user, system] = times[..] else { anyhow::bail!("no times: {printed}") };
    let common: u64 = String::from_utf8_lossy(&output.stdout).trim().parse().context("no count")?;
    Ok(json!({ "wall": wall, "cpu": user + system, "common": common }))
}
