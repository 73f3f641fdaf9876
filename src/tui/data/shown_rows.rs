//! Which rows of the pair table a list shows, in which order.

use std::sync::Arc;

/// Row numbers by their position in the list. The whole table in its own order needs no list of millions of numbers.
#[derive(Debug, Clone)]
pub enum ShownRows {
    /// Every row of a table of this length.
    All(usize),
    Listed(Arc<Vec<u32>>),
}

impl Default for ShownRows {
    fn default() -> Self {
        Self::All(0)
    }
}

impl ShownRows {
    pub fn len(&self) -> usize {
        match self {
            Self::All(len) => *len,
            Self::Listed(rows) => rows.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of the table at a position of the list.
    pub fn get(&self, at: usize) -> Option<usize> {
        match self {
            Self::All(len) => (at < *len).then_some(at),
            Self::Listed(rows) => rows.get(at).map(|row| *row as usize),
        }
    }
}
