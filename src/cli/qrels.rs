//! Files of judgments: what of them was not read, and new ones as they are written.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

use super::output::say;
use dejaview_corpus::qrels::Judgments;

/// Lines of judgments that are named one by one.
const NAMED: usize = 20;

/// Says which lines of judgments were not read, and of which files the wrong column may have been.
pub fn not_read(judgments: &Judgments) {
    let path = |file: u32| judgments.files()[file as usize].path.display();
    for skipped in judgments.skipped().iter().take(NAMED) {
        say(&format!("{}, line {}: not read: {}", path(skipped.file), skipped.line, skipped.reason));
    }
    if judgments.skipped().len() > NAMED {
        say(&format!("… and {} more", judgments.skipped().len() - NAMED));
    }
    for file in judgments.files() {
        if let Some(why) = &file.suspicion {
            say(&format!("{}: {why}", file.path.display()));
        }
    }
}

/// Writes lines into a new file.
pub fn write_lines(path: &Path, lines: impl Iterator<Item = impl AsRef<str>>) -> Result<()> {
    let doing = || format!("writing {}", path.display());
    let mut file = BufWriter::new(File::create(path).with_context(doing)?);
    for line in lines {
        writeln!(file, "{}", line.as_ref()).with_context(doing)?;
    }
    file.flush().with_context(doing)
}
