//! Which document of a pair is the source, when both are on both sides?
//!
//! A collection may be searched for its own documents. Then the two ids of a pair say nothing about its sides: (a, b) and
//! (b, a) are one pair, whose source is the id that comes first, and (a, a) is none.

use std::collections::HashSet;
use std::sync::Arc;

/// The ids of the documents that are on both sides.
#[derive(Debug, Clone, Default)]
pub struct BothSides {
    ids: Arc<HashSet<String>>,
}

impl BothSides {
    pub fn new(ids: impl IntoIterator<Item = String>) -> Self {
        Self { ids: Arc::new(ids.into_iter().collect()) }
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The ids, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(String::as_str)
    }

    /// Whether the document of this id is on both sides.
    pub fn contains(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// Whether both documents of a pair are on both sides, so that the ids do not tell which is the source.
    pub fn contains_both(&self, source: &str, target: &str) -> bool {
        self.contains(source) && self.contains(target)
    }

    /// Whether a pair must be swapped to have its source first, as the study stores it.
    pub fn is_turned(&self, source: &str, target: &str) -> bool {
        target < source && self.contains_both(source, target)
    }

    /// Whether the two ids of a pair name one document.
    pub fn is_one_document(&self, source: &str, target: &str) -> bool {
        source == target && self.contains(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_id_is_the_source_where_both_stand_on_both_sides() {
        let both = BothSides::new(["a".to_owned(), "b".to_owned()]);
        assert!(both.is_turned("b", "a") && !both.is_turned("a", "b") && !both.is_turned("a", "a"));
        assert!(!both.is_turned("c", "a"), "c is a source document alone");
        assert!(both.is_one_document("a", "a") && !both.is_one_document("c", "c") && !both.is_one_document("a", "b"));
        assert_eq!((both.len(), BothSides::default().is_empty()), (2, true));
    }
}
