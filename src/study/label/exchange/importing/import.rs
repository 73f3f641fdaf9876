//! The options of an import of labels.

use std::path::Path;

use crate::StudyError;
use dejaview_base::line_limits::Lines;
use dejaview_labels::{LabelTable, Meaning, UnderstoodValue};

/// Labels to be taken in.
#[derive(Debug, Clone, Copy)]
pub struct LabelImport<'a> {
    pub file: &'a Path,
    /// Whose labels they are, where the file does not say so.
    pub annotator: Option<&'a str>,
    /// The sample in which they were given. Where it is not said, or does not have a pair, it is the one that the file names.
    pub sample: Option<&'a str>,
    /// What the words and grades of the file mean.
    pub meaning: &'a Meaning,
}

impl LabelImport<'_> {
    /// What each value of the table means; a file with one that is not known is refused.
    pub(crate) fn understood(&self, table: &LabelTable) -> Result<Vec<UnderstoodValue>, StudyError> {
        table.understood(self.meaning).map_err(|(line, why)| self.refused(&format!("line {line}: {why}")))
    }

    /// The table of the file.
    pub(crate) fn table(&self, lines: &Lines) -> Result<LabelTable, StudyError> {
        LabelTable::read(lines).map_err(|(line, why)| self.refused(&format!("line {line}: {why}")))
    }

    pub(crate) fn refused(&self, why: &str) -> StudyError {
        StudyError::Import { path: self.file.to_owned(), why: why.to_owned() }
    }
}
