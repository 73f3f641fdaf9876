//! Files of judgments: messages about lines that were not read, and how new files are written.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

use super::output::{say, say_first};
use dejaview_corpus::qrels::Judgments;
use dejaview_corpus::topics::{Topics, UnreadTopic};
use dejaview_study::{OutputFile, Outputs, StudyError};

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

/// Says which lines and elements of topic files were not read, or why the topics cannot be read at all: nothing but their
/// texts is missing then.
pub fn say_unread_topics(topics: &Result<Topics, StudyError>) {
    match topics {
        Ok(topics) => say_first(topics.unread.iter().map(|unread| {
            let UnreadTopic { path, line, reason } = unread;
            format!("{}, line {line}: not read: {reason}", path.display())
        })),
        Err(why) => say(&format!("the topics are not read: {why}")),
    }
}

/// Writes lines into a file, which is still to be finished.
pub fn write_lines(
    outputs: &Outputs<'_>,
    path: &Path,
    lines: impl Iterator<Item = impl AsRef<str>>,
) -> Result<OutputFile> {
    let mut file = outputs.create(path)?;
    for line in lines {
        writeln!(file, "{}", line.as_ref()).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(file)
}
