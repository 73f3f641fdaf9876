//! What labelling needs of a study beside pairs and samples: the guidelines, and what several annotators have left to be
//! settled.

use super::{Session, StudyError};
use crate::base::interval::Interval;
use crate::evaluation::intervals::wilson;
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

/// Precision of a simple random sample with so many near-duplicates and others, by Wilson at 95 %; and how many more pairs
/// would bring it to within `points` of a hundred either way, if the share stays.
pub fn precision_so_far(near: u64, not: u64, points: f64) -> Option<(Interval, u64)> {
    let interval = wilson(near, near + not, 0.95)?;
    let wanted = points / 100.0;
    let fits = |n: u64| {
        let expected = (interval.value * n as f64).round() as u64;
        wilson(expected, n, 0.95).is_some_and(|interval| interval.half_width() <= wanted)
    };
    let (mut low, mut high) = (near + not, near + not);
    while !fits(high) && high < 1 << 30 {
        (low, high) = (high, high * 2);
    }
    while low + 1 < high {
        let middle = low.midpoint(high);
        if fits(middle) { high = middle } else { low = middle }
    }
    Some((interval, high - (near + not)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_more_pairs() {
        let (interval, more) = precision_so_far(95, 5, 5.0).unwrap();
        assert!((interval.low - 0.8882).abs() < 1e-4 && (interval.high - 0.9785).abs() < 1e-4);
        assert_eq!(more, 0, "it is within 4.6 points already");
        let (_, more) = precision_so_far(50, 50, 5.0).unwrap();
        // z²·p(1−p)/d² = 384.1 for a share of one half, less the z² that Wilson adds.
        assert!((279..=285).contains(&more), "{more}");
        assert!(precision_so_far(0, 0, 5.0).is_none());
    }
}
