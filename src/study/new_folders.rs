//! Folders that commands make for what they write: none stays behind where nothing could be written.

use std::fs;
use std::path::{Path, PathBuf};

use crate::StudyError;

/// Folders that a command makes for its files, from the outermost to the innermost. Dropped, it removes those that are empty.
#[derive(Debug, Default)]
pub(crate) struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    /// Makes a folder and those around it, as far as they are not there.
    pub(crate) fn make(folder: &Path) -> Result<Self, StudyError> {
        let failed = |why| StudyError::File { doing: "making the folder", path: folder.to_owned(), why };
        let missing = folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        missing.reverse();
        let made = Self(missing);
        fs::create_dir_all(folder).map_err(failed)?;
        Ok(made)
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        // One in which something lies stays.
        self.0.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_stay_empty_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let (first, last) = (place.path().join("a"), place.path().join("a/b/c"));
        let made = NewFolders::make(&last).unwrap();
        assert!(last.is_dir());
        drop(made);
        assert!(!first.exists(), "all that were made");
        let made = NewFolders::make(&last).unwrap();
        fs::write(place.path().join("a/b/file"), "").unwrap();
        drop(made);
        assert!(!last.exists() && place.path().join("a/b/file").is_file(), "what holds a file stays");
        drop(NewFolders::make(&first).unwrap());
        assert!(first.is_dir(), "what was there stays");
        fs::remove_dir_all(&first).unwrap();
        fs::write(&first, "").unwrap();
        assert!(NewFolders::make(&last).is_err());
    }
}
