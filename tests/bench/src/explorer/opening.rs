//! How soon a table can be used: alike for the explorer and for programs that open tables.
//!
//! *First rows*: the first row of the table is on the screen. *Usable*: rows are shown, a key has moved within them, and the
//! key for the end has brought the last row onto the screen. That key is pressed as soon as rows are there, and again
//! until the last row is there, for a program may not know it yet. Both from the start of the process on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::study::Made;
use super::terminal::Terminal;
use crate::board::Board;

/// A key that brought nothing is pressed again after this time.
const AGAIN: Duration = Duration::from_millis(200);
/// Nobody waits longer for a last row.
const PATIENCE: Duration = Duration::from_secs(900);

/// A program, and how it is used.
pub struct Contender {
    pub name: &'static str,
    pub program: PathBuf,
    /// `{}` stands for the study, or for the table.
    pub arguments: &'static [&'static str],
    /// What it is given.
    pub path: PathBuf,
    /// What leads from its first frame to the rows.
    pub rows: &'static [u8],
    pub bottom: &'static [u8],
    pub quit: &'static [u8],
    /// What its screen says when it knows how many rows there are.
    pub counted: String,
}

impl Contender {
    /// The explorer.
    pub fn ours(program: &Path, made: &Made) -> Self {
        Self {
            name: "dejaview",
            program: program.to_owned(),
            arguments: &["{}", "--annotator", "bench"],
            path: made.folder.clone(),
            rows: b"3",
            bottom: b"G",
            quit: b"Q",
            counted: format!("/{}", made.pairs),
        }
    }

    /// The peers, installed into the folder for temporary files at first use.
    pub fn peers(board: &mut Board, table: &Path, made: &Made) -> Result<Vec<Self>> {
        let folder = std::env::temp_dir().join("dejaview-bench-tables");
        let (csvlens, visidata) = (csvlens(&folder)?, visidata(&folder)?);
        for (name, program) in [("csvlens", &csvlens), ("VisiData", &visidata)] {
            let version = Command::new(program).arg("--version").output()?;
            board.fact(name, String::from_utf8_lossy(&version.stdout).trim().replace('\n', " "));
        }
        let peer = |name, program, arguments, bottom, quit, counted| Self {
            name,
            program,
            arguments,
            path: table.to_owned(),
            rows: b"",
            bottom,
            quit,
            counted,
        };
        Ok(vec![
            peer("csvlens", csvlens, &["-t", "{}"], b"G", b"q", format!("/{}", made.pairs)),
            peer("VisiData", visidata, &["-f", "tsv", "{}"], b"gj", b"gq", format!("{} rows", made.pairs)),
        ])
    }

    pub fn start(&self) -> Result<Terminal> {
        let place = |word: &&str| if *word == "{}" { self.path.clone().into() } else { OsString::from(*word) };
        Terminal::start(&self.program, &self.arguments.iter().map(place).collect::<Vec<_>>())
    }

    /// Whether its screen says how many rows there are, grouped or not.
    pub fn has_counted(&self, text: &str) -> bool {
        text.replace(',', "").contains(&self.counted)
    }

    /// Opens the table, moves within it, goes to its end, and leaves.
    pub fn open(&self, board: &mut Board, made: &Made) -> Result<()> {
        let terminal = self.start()?;
        if !self.rows.is_empty() {
            let first = terminal.wait("a frame", terminal.started, |text| text.contains("? help"))?;
            add(board, &format!("{}, first frame", self.name), first);
            terminal.send(self.rows)?;
        }
        let rows = terminal.wait("the first rows", terminal.started, |text| text.contains(&made.first))?;
        add(board, &format!("{}, first rows", self.name), rows);
        terminal.nudge(b"j")?;
        let usable = self.last_row(&terminal, &made.last)?;
        add(board, &format!("{}, usable", self.name), usable);
        let counted = terminal.wait("all rows", terminal.started, |text| self.has_counted(text));
        match counted {
            Ok(time) => add(board, &format!("{}, all rows read", self.name), time),
            Err(why) => board.fact(&format!("{}, all rows read", self.name), format!("not seen: {why:#}")),
        }
        let peak = terminal.peak().map_or("unknown".to_owned(), |bytes| format!("{:.0} MB", bytes as f64 / 1e6));
        board.fact(&format!("{}, peak memory", self.name), peak);
        terminal.quit(self.quit)
    }

    fn last_row(&self, terminal: &Terminal, last: &str) -> Result<Duration> {
        loop {
            terminal.send(self.bottom)?;
            if let Some(time) = terminal.wait_until(Instant::now() + AGAIN, |text| text.contains(last)) {
                return Ok(time.saturating_duration_since(terminal.started));
            }
            ensure!(terminal.started.elapsed() < PATIENCE, "{} never came to the last row", self.name);
        }
    }
}

fn csvlens(folder: &Path) -> Result<PathBuf> {
    let program = folder.join("bin/csvlens");
    if !program.exists() {
        let install =
            Command::new("cargo").args(["install", "-q", "csvlens", "--locked", "--root"]).arg(folder).status()?;
        ensure!(install.success(), "cargo install csvlens failed");
    }
    Ok(program)
}

fn visidata(folder: &Path) -> Result<PathBuf> {
    let program = folder.join("python/bin/vd");
    if !program.exists() {
        let made = Command::new("python3").args(["-m", "venv"]).arg(folder.join("python")).status()?;
        let pip =
            Command::new(folder.join("python/bin/pip")).args(["install", "-q", "visidata", "setuptools"]).status()?;
        ensure!(made.success() && pip.success(), "pip install visidata failed");
    }
    Ok(program)
}

fn add(board: &mut Board, name: &str, time: Duration) {
    // Another process does the work: its processor time is not ours to see.
    board.add(name, time.as_secs_f64(), time.as_secs_f64());
}
