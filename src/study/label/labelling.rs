//! What labelling needs of a study beside pairs and samples: the guidelines, and what several annotators have left to be
//! settled.

use std::collections::HashSet;

use crate::{Session, StudyError};
use dejaview_evaluation::sample::Sample;
use dejaview_labels::{Journal, Journals, Label, Review};

/// Guidelines longer than this are cut: a page for people, not a book.
const LONGEST: usize = 1 << 20;

/// What annotators together say of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Together {
    /// Source id.
    pub source: String,
    /// Target id.
    pub target: String,
    /// The label that holds.
    pub label: Label,
    /// Whether the pair stands in a sample.
    pub drawn: bool,
}

impl Session {
    /// Everybody's labels, as the journals say now.
    pub fn journals(&self) -> Result<Journals, StudyError> {
        Ok(Journals::read(self.folder(), self.recipe().labels.settled_by, &self.both_sides()?)?)
    }

    /// The journal of an annotator, to be written.
    pub fn journal(&self, annotator: &str) -> Result<Journal, StudyError> {
        Ok(Journal::open(self.folder(), annotator)?.turned(&self.both_sides()?))
    }

    /// What annotators together say of the pairs that are decided, without the labels of one of them.
    pub fn together(&self, without: Option<&str>) -> Result<Vec<Together>, StudyError> {
        let journals = self.journals()?.without(|journal| Some(journal.annotator.as_str()) == without);
        let mut drawn: HashSet<(String, String)> = HashSet::new();
        for name in Sample::names(self.folder())? {
            let pairs = Sample::read(self.folder(), &name)?.map(|sample| sample.pairs).unwrap_or_default();
            drawn.extend(pairs.into_iter().map(|pair| (pair.source, pair.target)));
        }
        let together = journals.pairs(None).into_iter().filter_map(|(source, target)| {
            let label = journals.standing(source, target).label()?;
            let (source, target) = (source.to_owned(), target.to_owned());
            let drawn = drawn.contains(&(source.clone(), target.clone()));
            Some(Together { source, target, label, drawn })
        });
        Ok(together.collect())
    }

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
        Ok(Review::new(&self.journals()?))
    }
}
