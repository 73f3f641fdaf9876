//! Which way round does a pair stand, of two documents that are on both sides?
//!
//! A collection may be searched for its own documents. Then the two ids of a pair say nothing about its sides: (a, b) and
//! (b, a) are one pair, whose source is the id that comes first, and (a, a) is none.

use std::collections::HashSet;
use std::sync::Arc;

/// The ids of the documents that stand on both sides.
#[derive(Debug, Clone, Default)]
pub struct BothSides {
    ids: Arc<HashSet<String>>,
}

impl BothSides {
    /// Of these ids.
    pub fn new(ids: impl IntoIterator<Item = String>) -> Self {
        Self { ids: Arc::new(ids.into_iter().collect()) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The ids, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(String::as_str)
    }

    /// Whether the document of this id stands on both sides.
    pub fn has(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// Whether the sides of a pair tell nothing, since both its documents stand on both.
    pub fn have(&self, source: &str, target: &str) -> bool {
        self.has(source) && self.has(target)
    }

    /// Whether a pair is the other way round than the study has it.
    pub fn turn(&self, source: &str, target: &str) -> bool {
        target < source && self.have(source, target)
    }

    /// Whether two ids are one document.
    pub fn are_one(&self, source: &str, target: &str) -> bool {
        source == target && self.has(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_id_is_the_source_where_both_stand_on_both_sides() {
        let both = BothSides::new(["a".to_owned(), "b".to_owned()]);
        assert!(both.turn("b", "a") && !both.turn("a", "b") && !both.turn("a", "a"));
        assert!(!both.turn("c", "a"), "c is a source document alone");
        assert!(both.are_one("a", "a") && !both.are_one("c", "c") && !both.are_one("a", "b"));
        assert_eq!((both.len(), BothSides::default().is_empty()), (2, true));
    }
}
