//! Files of judgments: messages about lines that were not read, and how new files are written.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

use super::output::{say, say_first};
use dejaview_corpus::qrels::Judgments;

/// Says which lines of judgments were not read, and in which files the wrong column may have been taken.
pub fn say_unread_lines(judgments: &Judgments) {
    let path = |file: u32| judgments.files()[file as usize].path.display();
    say_first(
        judgments
            .skipped()
            .iter()
            .map(|skipped| format!("{}, line {}: not read: {}", path(skipped.file), skipped.line, skipped.reason)),
    );
    for file in judgments.files() {
        if let Some(why) = &file.suspicion {
            say(&format!("{}: {why}", file.path.display()));
        }
    }
}

pub fn write_lines(path: &Path, lines: impl Iterator<Item = impl AsRef<str>>) -> Result<()> {
    let context = || format!("writing {}", path.display());
    let mut file = BufWriter::new(File::create(path).with_context(context)?);
    for line in lines {
        writeln!(file, "{}", line.as_ref()).with_context(context)?;
    }
    file.flush().with_context(context)
}
