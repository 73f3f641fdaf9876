//! The order of side and id of all kept documents.

use std::collections::HashSet;

use super::error::IndexError;
use super::side::KeptSide;
use super::texts::{DocumentPlace, Texts};

/// Places of the documents in order: eight bytes a document.
#[derive(Debug, Default)]
pub(super) struct Order {
    sides: [Vec<DocumentPlace>; 2],
    /// Those of the target that are not on both sides; none when no document is.
    only_target: Option<Vec<DocumentPlace>>,
}

impl Order {
    /// Reads the ids of all documents.
    pub(super) fn read(texts: &Texts, second_copies: &HashSet<String>) -> Result<Self, IndexError> {
        let mut order = Self { only_target: (!second_copies.is_empty()).then(Vec::new), ..Self::default() };
        texts.in_order(|side, id, place| {
            order.sides[side as usize].push(place);
            if let Some(only) = &mut order.only_target
                && side == KeptSide::Target
                && !second_copies.contains(id)
            {
                only.push(place);
            }
        })?;
        Ok(order)
    }

    /// The places of a side, or of both.
    pub(super) fn places(&self, side: Option<KeptSide>) -> impl Iterator<Item = DocumentPlace> + Clone + '_ {
        let [source, target] = &self.sides;
        let (first, second): (&[_], &[_]) = match side {
            Some(KeptSide::Source) => (source, &[]),
            Some(KeptSide::Target) => (&[], target),
            None => (source, self.only_target.as_ref().unwrap_or(target)),
        };
        first.iter().chain(second).copied()
    }
}
