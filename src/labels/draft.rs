//! What an annotator had begun and not finished: the pair on the screen, how far it was scrolled, the note half typed.
//!
//! One small file, `.dejaview/drafts/<annotator>.json`, always whole: written beside and put in its place. It is a
//! convenience, not a record; when it is missing or cannot be read, labelling begins at the first undecided pair.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::storage::{put_in_place, still_there};
use super::{LabelsError, file_stem};
use dejaview_base::{own_folder, system};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    pub sample: String,
    /// Events that the journal held. When it holds fewer now, some were lost, and the place leads past them.
    pub events: u64,
    /// Number of the question, for a pair that is asked twice.
    pub question: usize,
    /// Id of the source document on the screen.
    pub source: String,
    /// Id of the target document.
    pub target: String,
    /// The row of the comparison at the top of the screen.
    pub row: usize,
    /// Class chosen for the label to come.
    pub class: Option<String>,
    /// Reason chosen for it.
    pub reason: Option<String>,
    /// A note that was not finished, with the source and target it is on.
    pub note: Option<(String, String, String)>,
}

impl Draft {
    /// Where the draft of an annotator lies.
    fn path(study: &Path, annotator: &str) -> Result<PathBuf, LabelsError> {
        Ok(own_folder::of(study).join("drafts").join(format!("{}.json", file_stem(annotator)?)))
    }

    /// The draft of an annotator, if there is one that can be read.
    pub fn read(study: &Path, annotator: &str) -> Option<Self> {
        let bytes = system::read_file(&Self::path(study, annotator).ok()?).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Keeps it in the place of the one before.
    pub fn write(&self, study: &Path, annotator: &str) -> Result<(), LabelsError> {
        let path = Self::path(study, annotator)?;
        still_there(study).and_then(|()| put_in_place(&path, &self.line(), true)).map_err(|why| LabelsError::File {
            doing: "keeping the draft",
            path,
            why,
        })
    }

    fn line(&self) -> Vec<u8> {
        // It is texts and numbers alone, which JSON always takes.
        let mut text = serde_json::to_vec(self).unwrap_or_default();
        text.push(b'\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_was_begun_comes_back() {
        let study = tempfile::tempdir().unwrap();
        assert_eq!(Draft::read(study.path(), "ann"), None);
        fs::write(study.path().join("study.toml"), "").unwrap();
        let mut draft = Draft { sample: "default".to_owned(), question: 7, row: 3, ..Draft::default() };
        draft.note = Some(("s".to_owned(), "t".to_owned(), "half a th\u{1b}\n".to_owned()));
        draft.write(study.path(), "ann").unwrap();
        draft.row = 4;
        draft.write(study.path(), "ann").unwrap();
        assert_eq!(Draft::read(study.path(), "ann"), Some(draft));
        assert_eq!(Draft::read(study.path(), "bob"), None);
    }

    #[test]
    fn a_study_that_is_gone_is_not_made_anew() {
        let study = tempfile::tempdir().unwrap();
        let why = Draft::default().write(study.path(), "ann").unwrap_err();
        assert!(why.to_string().contains("the study is gone"), "{why}");
        assert_eq!(fs::read_dir(study.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_damaged_one_is_none() {
        let study = tempfile::tempdir().unwrap();
        let folder = study.path().join(".dejaview").join("drafts");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("ann.json"), "{\"sample\":\"def").unwrap();
        assert_eq!(Draft::read(study.path(), "ann"), None);
        fs::write(folder.join("ann.json"), "{\"sample\":\"default\",\"later\":1}").unwrap();
        assert_eq!(Draft::read(study.path(), "ann").unwrap().sample, "default");
    }
}
