//! All journals of a study, each as its file says, and what the note of its last saved events says of its end.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::folder::is_journal_name;
use super::last_saved::{LastSaved, SavedEvent};
use super::reading::{Annotations, Parsed, Problem};
use super::{LabelsError, annotator_name};
use dejaview_base::both::BothSides;
use dejaview_base::line_limits::Lines;
use dejaview_base::system;

/// All journals of the study in `study`, by name of their files, pairs of documents that stand on both sides as the study
/// has them. None is not an error.
pub fn read_all(study: &Path, both: &BothSides) -> Result<Vec<Annotations>, LabelsError> {
    let folder = study.join("labels");
    let failed = |path: &Path, why| LabelsError::File { doing: "reading", path: path.to_owned(), why };
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(why) if why.kind() == io::ErrorKind::NotFound && !folder.is_symlink() => return Ok(Vec::new()),
        Err(why) if why.kind() == io::ErrorKind::NotFound => {
            return Err(failed(&folder, io::Error::other("it is a link to a folder that is not there")));
        }
        Err(why) => return Err(failed(&folder, why)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(|why| failed(&folder, why))?.path();
        if is_journal_name(&path) {
            paths.push(path);
        }
    }
    paths.sort();
    let read = |path: &PathBuf| {
        let mut read = read_journal(study, path, both).map_err(|why| failed(path, why))?;
        if read.0.reading.problems.iter().any(|problem| matches!(problem, Problem::Torn { .. })) {
            // A line that is just being written is whole in a moment.
            std::thread::sleep(BEING_WRITTEN);
            read = read_journal(study, path, both).map_err(|why| failed(path, why))?;
        }
        let (parsed, missing) = read;
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let annotations = Annotations { annotator: annotator_name(&stem(path)), file, reading: parsed.reading };
        Ok((annotations, (parsed.lines + 1, missing)))
    };
    let (mut all, ends): (Vec<Annotations>, Vec<_>) =
        paths.iter().map(read).collect::<Result<Vec<_>, LabelsError>>()?.into_iter().unzip();
    for (i, (line, mut missing)) in ends.into_iter().enumerate().filter(|(_, (_, missing))| !missing.is_empty()) {
        let (before, [own, after @ ..]) = all.split_at_mut(i) else { continue };
        let stem = stem(&paths[i]);
        missing.retain(|event| ![&*before, &*after].iter().any(|others| event.has_moved(study, &stem, others)));
        let gone = missing.into_iter().next().map(|event| event.into_problem(study, &stem, line));
        own.reading.problems.extend(gone);
    }
    Ok(all)
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// How long a line takes to be written, at most, on a disk that answers.
const BEING_WRITTEN: Duration = Duration::from_millis(50);

/// A journal, and events that were saved in it and are not there. One that is somewhere else, or none, is an error: labels would
/// be missing without a word.
fn read_journal(study: &Path, path: &Path, both: &BothSides) -> io::Result<(Parsed, Vec<SavedEvent>)> {
    let stem = stem(path);
    // Before the journal: whoever writes it now notes what the journal has by then.
    let last = LastSaved::read(study, &stem);
    let there = fs::metadata(path).map_err(|why| match why.kind() {
        io::ErrorKind::NotFound => io::Error::other("it is a link to a file that is not there"),
        _ => why,
    })?;
    if there.is_dir() {
        return Err(io::Error::other("it is a folder, and a file is wanted"));
    }
    let lines = Lines::read(system::open_file(path)?)?;
    let mut parsed = Parsed::of_lines(&lines.bytes, &lines.long, both);
    let missing = last.missing(&parsed);
    parsed.reading.problems.extend(last.problem(study, &stem, parsed.lines + 1));
    Ok((parsed, missing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, EventKind, Label, line};

    fn line(seq: u64, target: &str) -> String {
        let event = Event { seq, ..Event::new(EventKind::Label(Label::Not), "s", target, "2012-01-01T00:00:00.000Z") };
        line::encode(&event).0
    }

    #[test]
    fn a_journal_that_is_no_file_is_an_error() {
        let study = tempfile::tempdir().unwrap();
        let labels = study.path().join("labels");
        fs::create_dir_all(labels.join("folder.jsonl")).unwrap();
        let why = read_all(study.path(), &BothSides::default()).unwrap_err().to_string();
        assert!(why.contains("it is a folder"), "{why}");
        fs::remove_dir(labels.join("folder.jsonl")).unwrap();
        std::os::unix::fs::symlink("/nowhere/ann.jsonl", labels.join("ann.jsonl")).unwrap();
        let why = read_all(study.path(), &BothSides::default()).unwrap_err().to_string();
        assert!(why.contains("ann.jsonl") && why.contains("a link to a file that is not there"), "{why}");
    }

    #[test]
    fn several_annotators() {
        let study = tempfile::tempdir().unwrap();
        assert!(read_all(study.path(), &BothSides::default()).unwrap().is_empty());
        let folder = study.path().join("labels");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("zoë%20b.jsonl"), line(1, "a")).unwrap();
        fs::write(folder.join("ann.jsonl"), "").unwrap();
        fs::write(folder.join("ann.torn"), "{").unwrap();
        let all = read_all(study.path(), &BothSides::default()).unwrap();
        let names: Vec<&str> = all.iter().map(|a| a.annotator.as_str()).collect();
        assert_eq!(names, ["ann", "zoë b"]);
        assert_eq!(all[1].reading.decisions.label("s", "a", None), Some(Label::Not));
    }
}
