//! What labelling needs of a study beside pairs and samples: the guidelines, and what several annotators have left to be
//! settled.

use super::{Session, StudyError};
use crate::labels::{self, Review};

/// Guidelines longer than this are cut: a page for people, not a book.
const LONGEST: usize = 1 << 20;

impl Session {
    /// The text that annotators should have read; none when the study names none.
    pub fn guidelines(&self) -> Result<Option<String>, StudyError> {
        let Some(name) = &self.recipe().labels.guidelines else { return Ok(None) };
        let path = self.folder().join(name);
        let mut bytes =
            std::fs::read(&path).map_err(|why| StudyError::File { doing: "reading the guidelines", path, why })?;
        bytes.truncate(LONGEST);
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// What annotators have decided differently, were unsure of or flagged, as the journals say now.
    pub fn review(&self) -> Result<Review, StudyError> {
        Ok(Review::of(&labels::read_all(self.folder())?))
    }
}
