//! Which rows of the table are shown, in which order.

use std::sync::Arc;

/// Rows of a table, by their places on the screen. All of them in their own order are not written down.
#[derive(Debug, Clone)]
pub enum Rows {
    /// So many, as they are in the table.
    All(usize),
    /// These.
    Some(Arc<Vec<u32>>),
}

impl Default for Rows {
    fn default() -> Self {
        Self::All(0)
    }
}

impl Rows {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Self::All(len) => *len,
            Self::Some(rows) => rows.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of the table at a place.
    pub fn get(&self, at: usize) -> Option<usize> {
        match self {
            Self::All(len) => (at < *len).then_some(at),
            Self::Some(rows) => rows.get(at).map(|row| *row as usize),
        }
    }
}
