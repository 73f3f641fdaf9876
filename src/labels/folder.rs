//! Which files of a study's folder `labels/` are journals, and which are left alone.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

/// The ending of journals, as written.
const ENDING: &str = "jsonl";

/// What [`Disk`](super::Disk) sets aside beside a journal.
const SET_ASIDE: &str = "torn";

/// Whether a file of the folder is a journal by its name. Names with a dot before them are those of other programs: editors,
/// file managers and synchronisation keep copies under them, and no annotator's file begins so.
pub(super) fn is_journal_name(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == ENDING) && !is_hidden(path.file_name().unwrap_or_default())
}

fn is_hidden(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with('.')
}

/// Files in the folder `labels/` of the study in `study`, and in folders within it, that are no journals by their names, and
/// so are not read. Relative to the folder, by name. Hidden ones are named where they may hold labels.
pub fn not_journals(study: &Path) -> io::Result<Vec<String>> {
    let labels = study.join("labels");
    let mut found = Vec::new();
    match list(&labels, &labels, &mut found) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why),
        _ => {
            found.sort();
            Ok(found)
        }
    }
}

fn list(labels: &Path, folder: &Path, found: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let is_here = folder == labels;
        let may_hold_labels = name.to_string_lossy().to_ascii_lowercase().contains(".json");
        let is_ours = is_journal_name(&path) || path.extension().is_some_and(|ending| ending == SET_ASIDE);
        if is_here && is_ours || is_hidden(&name) && !may_hold_labels {
            continue;
        }
        if entry.file_type()?.is_dir() {
            list(labels, &path, found)?;
        } else {
            found.push(path.strip_prefix(labels).unwrap_or(&path).to_string_lossy().into_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_journal_is_named() {
        let study = tempfile::tempdir().unwrap();
        assert_eq!(not_journals(study.path()).unwrap(), Vec::<String>::new());
        let labels = study.path().join("labels");
        fs::create_dir_all(labels.join("sub")).unwrap();
        fs::create_dir_all(labels.join(".git")).unwrap();
        let others = [".x.jsonl", "ada.JSONL", "ada.json", "ada.jsonl.gz", "sub/ada.jsonl"];
        for name in others.iter().chain(&["ann.jsonl", "ann.torn", ".gitignore", ".git/config"]) {
            fs::write(labels.join(name), "").unwrap();
        }
        assert_eq!(not_journals(study.path()).unwrap(), others);
        assert!(is_journal_name(&labels.join("ann.jsonl")) && !is_journal_name(&labels.join(".ann.jsonl")));
    }
}
