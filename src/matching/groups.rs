//! Groups of documents that are the same to every method.

use crate::{DocumentNumber, GroupNumber};

/// Groups of the documents of one side: disjoint, the members of each ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    ends: Vec<u32>,
    members: Vec<DocumentNumber>,
}

impl Groups {
    /// So many groups of documents, by the number of each document's group; those of [`GroupNumber::NONE`] are in none.
    pub fn of_numbers(numbers: &[GroupNumber], count: usize) -> Self {
        let documents = || DocumentNumber::all(numbers.len());
        let there = || documents().zip(numbers).filter(|(_, group)| **group != GroupNumber::NONE);
        let mut ends = vec![0u32; count];
        there().for_each(|(_, group)| ends[group.index()] += 1);
        let mut sum = 0;
        let mut next: Vec<u32> = Vec::with_capacity(count);
        for end in &mut ends {
            next.push(sum);
            sum += *end;
            *end = sum;
        }
        let mut members = vec![DocumentNumber::default(); sum as usize];
        for (document, group) in there() {
            let place = &mut next[group.index()];
            members[*place as usize] = document;
            *place += 1;
        }
        Self { ends, members }
    }

    pub fn push(&mut self, members: impl IntoIterator<Item = DocumentNumber>) {
        self.members.extend(members);
        self.ends.push(self.members.len() as u32);
    }

    pub fn members(&self, group: GroupNumber) -> &[DocumentNumber] {
        let start = group.index().checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.members[start..self.ends[group.index()] as usize]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &[DocumentNumber]> {
        GroupNumber::all(self.len()).map(|group| self.members(group))
    }
}
