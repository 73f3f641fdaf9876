//! Pairs without which a group falls apart.

use super::edge::Edge;

/// The state of a depth-first search. Members are numbered by their place in the group.
struct Search<'a> {
    /// For each member its neighbours, as (member, number of the pair).
    neighbours: Vec<Vec<(usize, usize)>>,
    /// When a member was first seen, from 1; 0 before.
    seen: Vec<u32>,
    /// The earliest member that can be reached from below a member without the pair it was entered by.
    low: Vec<u32>,
    clock: u32,
    edges: &'a [Edge],
    bridges: Vec<Edge>,
}

/// One step of the way down: member, pair it was entered by, next neighbour to look at.
type Step = (usize, usize, usize);

/// All bridges among these pairs, each of which stands there once.
pub(super) fn bridges(members: &[u32], edges: &[Edge]) -> Vec<Edge> {
    let place = |member: u32| members.binary_search(&member).unwrap_or_default();
    let mut neighbours = vec![Vec::new(); members.len()];
    for (i, edge) in edges.iter().enumerate() {
        let (a, b) = (place(edge.a), place(edge.b));
        neighbours[a].push((b, i));
        neighbours[b].push((a, i));
    }
    let (seen, low) = (vec![0; members.len()], vec![0; members.len()]);
    let mut search = Search { neighbours, seen, low, clock: 0, edges, bridges: Vec::new() };
    for start in 0..members.len() {
        if search.seen[start] == 0 {
            search.from(start);
        }
    }
    search.bridges
}

impl Search<'_> {
    fn from(&mut self, start: usize) {
        let mut way: Vec<Step> = vec![self.enter(start, usize::MAX)];
        while let Some((member, by, next)) = way.last_mut() {
            let (member, by) = (*member, *by);
            match self.neighbours[member].get(*next).copied() {
                Some((neighbour, pair)) => {
                    *next += 1;
                    if self.seen[neighbour] == 0 {
                        let step = self.enter(neighbour, pair);
                        way.push(step);
                    } else if pair != by {
                        self.low[member] = self.low[member].min(self.seen[neighbour]);
                    }
                }
                None => {
                    way.pop();
                    if let Some(&(above, ..)) = way.last() {
                        self.leave(member, above, by);
                    }
                }
            }
        }
    }

    fn enter(&mut self, member: usize, by: usize) -> Step {
        self.clock += 1;
        (self.seen[member], self.low[member]) = (self.clock, self.clock);
        (member, by, 0)
    }

    fn leave(&mut self, member: usize, above: usize, by: usize) {
        self.low[above] = self.low[above].min(self.low[member]);
        if self.low[member] > self.seen[above] {
            self.bridges.push(self.edges[by]);
        }
    }
}
