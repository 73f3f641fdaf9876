//! Holds dejaview against its peers: `cargo run --release --manifest-path tests/bench/Cargo.toml -- NAME [--save]`.
//!
//! Reads the folder that `DEJAVIEW_DATA` names and says that it skips everything when it is unset. Contenders take turns
//! in rounds; medians are compared. `--save` writes the raw times into `tests/bench/runs/`.

mod board;
mod crawl;
mod data;
mod diff;
mod explorer;
mod inflate;
mod jaccard;
mod join;
mod matching;
mod memory;
mod minima;
mod orders;
mod peers;
mod profile;
mod python;
mod run;
mod search;
mod simhash;
mod skewed;
mod standard;
mod urls;
mod words;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::board::Board;
use crate::data::Data;

const USAGE: &str = "words | simhash | minima | search | skewed | jaccard | join | diff | inflate | run | standard | urls | memory | explorer [--save] | orders FOLDER";

/// What a bench does: measures on a board.
type Bench = fn(&Data, &mut Board) -> Result<()>;

const BENCHES: [(&str, Bench); 14] = [
    ("words", words::bench),
    ("simhash", simhash::bench),
    ("minima", minima::bench),
    ("search", search::bench),
    ("skewed", skewed::bench),
    ("jaccard", jaccard::bench),
    ("join", join::bench),
    ("diff", diff::bench),
    ("inflate", inflate::bench),
    ("run", run::bench),
    ("standard", standard::bench),
    ("urls", urls::bench),
    ("memory", memory::bench),
    ("explorer", explorer::bench),
];

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    if let ["child-run", folder, threads] = words[..] {
        return run::child(Path::new(folder), threads.parse()?);
    }
    if let ["child-urls", folder] = words[..] {
        return urls::child(Path::new(folder));
    }
    if let ["make-study", folder, pairs] = words[..] {
        return explorer::make_study(Path::new(folder), pairs.parse()?);
    }
    if let ["orders", folder] = words[..] {
        return orders::run(Path::new(folder));
    }
    let Some(data) = Data::find() else {
        println!("skipped: DEJAVIEW_DATA is not set");
        return Ok(());
    };
    if let ["make-crawl", folder, pages] = words[..] {
        return crawl::make(&data, Path::new(folder), pages.parse()?);
    }
    if let ["profile", stage, pages] = words[..] {
        return profile::run(&data, stage, pages.parse()?);
    }
    let Some((name, bench)) = BENCHES.iter().find(|(name, _)| words.first() == Some(name)) else {
        bail!("usage: {USAGE}");
    };
    let mut board = Board::new(name);
    bench(&data, &mut board)?;
    board.finish(words.contains(&"--save"))
}
