//! What becomes of events that are still to be saved when the explorer ends.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::book::Book;
use dejaview_report::numbers::plural;

/// How long a disk may take for what waits in a journal when the explorer ends.
const PATIENCE: Duration = Duration::from_secs(5);

/// Saves what waits. What cannot be saved is put into a file elsewhere, and told with its lines: the terminal may be gone by
/// now.
pub fn close(writer: Option<dejaview_labels::Writer>, book: &Book) -> Option<String> {
    let (events, place) = match writer?.close_within(PATIENCE) {
        Ok(closed) => (closed.unsaved, closed.journal.path().display().to_string()),
        Err(why) => (book.waiting().cloned().collect(), format!("the journal of {} ({why})", book.annotator)),
    };
    if events.is_empty() {
        return None;
    }
    let lines: Vec<String> = events.iter().map(|event| dejaview_labels::line::encode(event).0).collect();
    let text = lines.join("\n");
    let kept = match rescue(&text) {
        Ok(kept) => format!(" (they are in {} too)", kept.display()),
        Err(why) => format!(" (no file could be written for them: {why})"),
    };
    let count = plural(lines.len() as u64, "event");
    Some(format!(
        "{count} could not be written to {place}; append these lines to it when it can be written again{kept}:\n{text}"
    ))
}

/// Puts lines into a new file where one can be written: the folder for temporary files, the person's own, this one.
fn rescue(lines: &str) -> io::Result<PathBuf> {
    let name = format!("dejaview-unsaved-{}.jsonl", std::process::id());
    let mut result = Err(io::Error::from(io::ErrorKind::NotFound));
    for folder in [Some(std::env::temp_dir()), std::env::home_dir(), Some(PathBuf::from("."))].into_iter().flatten() {
        let path = folder.join(&name);
        match dejaview_labels::keep_unsaved(&path, lines) {
            Ok(()) => return Ok(path),
            Err(why) => result = Err(why),
        }
    }
    result
}
