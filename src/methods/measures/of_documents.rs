//! The scores of two documents that nobody has sets of yet.

use super::Scores;
use super::sequences::Sequences;
use super::sets::Sets;
use crate::prepared::Prepared;

impl Scores {
    /// The scores of two documents.
    pub fn of(a: &Prepared<'_>, b: &Prepared<'_>) -> Self {
        let [x, y] = [a, b].map(|document| Sets::new(&Sequences::new(document.text(), document.tokens().hashes())));
        Self::new(&x.profile(), &y.profile(), &x.common(&y))
    }
}
