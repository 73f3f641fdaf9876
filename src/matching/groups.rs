//! Groups of documents that are the same to every method.

/// Groups of the documents of one side: disjoint, the members of each ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    ends: Vec<u32>,
    members: Vec<u32>,
}

impl Groups {
    pub const NONE: u32 = u32::MAX;

    /// So many groups of documents, by the number of each document's group; those of [`Groups::NONE`] are in none.
    pub fn of_numbers(numbers: &[u32], count: usize) -> Self {
        let there = || (0u32..).zip(numbers).filter(|(_, group)| **group != Self::NONE);
        let mut ends = vec![0u32; count];
        there().for_each(|(_, group)| ends[*group as usize] += 1);
        let mut sum = 0;
        let mut next: Vec<u32> = Vec::with_capacity(count);
        for end in &mut ends {
            next.push(sum);
            sum += *end;
            *end = sum;
        }
        let mut members = vec![0; sum as usize];
        for (document, group) in there() {
            let place = &mut next[*group as usize];
            members[*place as usize] = document;
            *place += 1;
        }
        Self { ends, members }
    }

    pub fn push(&mut self, members: impl IntoIterator<Item = u32>) {
        self.members.extend(members);
        self.ends.push(self.members.len() as u32);
    }

    /// Members of a group.
    pub fn members(&self, group: u32) -> &[u32] {
        let start = (group as usize).checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.members[start..self.ends[group as usize] as usize]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len() as u32).map(|group| self.members(group))
    }
}
