//! Where in the folder of an index its files are. The parts of a study are its source, whose name is empty, and its segments.

use std::path::{Path, PathBuf};

/// The file with the texts of a part. That of the source has the titles of all its documents, and their texts when all are
/// kept; that of a segment also has the texts of the source that have a pair in it.
pub fn texts_path(folder: &Path, part: &str) -> PathBuf {
    match part {
        "" => folder.join("source.texts"),
        segment => segments_folder(folder).join(format!("{segment}.texts")),
    }
}

/// The folder with the files of segments.
pub fn segments_folder(folder: &Path) -> PathBuf {
    folder.join("segments")
}

/// The folder with the index of words.
pub(super) fn words_folder(folder: &Path) -> PathBuf {
    folder.join("words")
}
