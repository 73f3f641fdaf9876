//! Which documents are connected by pairs, how firmly, and by which single pair?
//!
//! Near-duplication is not transitive, so a group is never taken for more than it is: documents that can be reached from each
//! other along pairs. Each says how many of its pairs were found directly, which of them is the weakest that it hangs by,
//! and which are bridges: pairs without which it falls apart.
//!
//! - The *weakest link* is the pair of the lowest score on the best ways: a threshold above its score splits the group, one
//!   at its score does not (the smallest edge of a maximum spanning tree; Kruskal 1956).
//! - *Bridges* by one depth-first search (Tarjan 1974), without recursion.
//!
//! Costs one sort of the pairs.

mod bridges;
mod edge;

use std::cmp::Ordering;

pub use edge::Edge;

/// Documents that can be reached from each other along pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Numbers of the documents, ascending.
    pub members: Vec<u32>,
    /// Pairs of them that were found. Where many documents are alike, enough to hold them together as all do.
    pub edges: Vec<Edge>,
    /// How many pairs of them were found.
    pub pairs: u64,
    /// For each member the sum of the scores of its pairs.
    pub sums: Vec<f64>,
    /// The weakest pair that holds the group together.
    pub weakest: Edge,
    /// Pairs without which it falls apart, the weakest first.
    pub bridges: Vec<Edge>,
}

impl Group {
    /// The member with the highest sum of scores to others of the group; of equal ones the one with the lowest number.
    pub fn central(&self) -> u32 {
        self.central_of(|_| true).unwrap_or(self.members[0])
    }

    /// The same among those that are eligible; none when nobody is.
    pub fn central_of(&self, eligible: impl Fn(u32) -> bool) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        for (&member, &sum) in self.members.iter().zip(&self.sums).filter(|(member, _)| eligible(**member)) {
            if best.is_none_or(|(highest, _)| sum > highest) {
                best = Some((sum, member));
            }
        }
        best.map(|(_, member)| member)
    }

    /// Pairs that could have been found: of two documents of which one stands on the first side and the other on the
    /// second. `sides` says on which a document stands; without it all stand on both.
    pub fn possible(&self, sides: Option<&dyn Fn(u32) -> [bool; 2]>) -> u64 {
        let n = self.members.len() as u64;
        let Some(sides) = sides else { return n * (n - 1) / 2 };
        let alone = |which: [bool; 2]| self.members.iter().filter(|member| sides(**member) == which).count() as u64;
        let (first, second) = (alone([true, false]), alone([false, true]));
        let within = |some: u64| some * some.saturating_sub(1) / 2;
        within(n) - within(first) - within(second)
    }
}

/// Number and scores of a document's pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Degree {
    /// How many it has.
    pub pairs: u64,
    sum: f64,
    /// Rounding error of the sum.
    rest: f64,
}

impl Degree {
    /// Adds this many pairs that have the same score.
    pub fn add(&mut self, pairs: u64, score: f64) {
        let (times, score) = (pairs as f64, score.max(0.0));
        let (more, before) = (times * score, self.sum);
        self.pairs += pairs;
        self.sum += more;
        // What both steps lost (Knuth's two-sum): documents with the same scores have the same sum in whatever order.
        let added = self.sum - before;
        self.rest += (before - (self.sum - added)) + (more - added) + times.mul_add(score, -more);
    }

    /// The sum of the scores of its pairs, as far as they are above 0.
    pub fn sum(&self) -> f64 {
        if self.sum.is_finite() { self.sum + self.rest } else { self.sum }
    }
}

/// The groups of at least two documents that these pairs make, the largest first, then by their first member. Of a pair
/// that repeats the highest score counts.
pub fn groups(nodes: usize, edges: &[Edge]) -> Vec<Group> {
    let edges = each_once(edges);
    let mut degrees = vec![Degree::default(); nodes];
    for edge in &edges {
        degrees[edge.a as usize].add(1, edge.score);
        degrees[edge.b as usize].add(1, edge.score);
    }
    held_by(&edges, &degrees)
}

/// The same of documents with many pairs, given enough of these to hold them together as all do, and what is known of
/// each document.
pub fn groups_of_many(edges: &[Edge], degrees: &[Degree]) -> Vec<Group> {
    held_by(&each_once(edges), degrees)
}

fn each_once(edges: &[Edge]) -> Vec<Edge> {
    let mut edges: Vec<Edge> =
        edges.iter().filter(|e| e.a != e.b).map(|e| Edge { a: e.a.min(e.b), b: e.a.max(e.b), ..*e }).collect();
    edges.sort_by(|x, y| (x.a, x.b).cmp(&(y.a, y.b)).then(descending(x, y)));
    edges.dedup_by_key(|edge| (edge.a, edge.b));
    edges
}

fn held_by(edges: &[Edge], degrees: &[Degree]) -> Vec<Group> {
    let mut strongest = edges.to_vec();
    strongest.sort_by(|x, y| descending(x, y).then((x.a, x.b).cmp(&(y.a, y.b))));
    let mut forest = Forest::new(degrees.len());
    for edge in &strongest {
        forest.join(edge);
    }
    forest.collect(edges, degrees)
}

fn descending(x: &Edge, y: &Edge) -> Ordering {
    y.score.total_cmp(&x.score)
}

/// Trees of documents, joined pair by pair, the strongest pair first.
struct Forest {
    parent: Vec<u32>,
    size: Vec<u32>,
    /// The last pair that joined two trees: the weakest of the tree.
    weakest: Vec<Option<Edge>>,
}

impl Forest {
    fn new(nodes: usize) -> Self {
        Self { parent: (0..nodes as u32).collect(), size: vec![1; nodes], weakest: vec![None; nodes] }
    }

    fn root(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let above = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = above;
            node = above;
        }
        node
    }

    fn join(&mut self, edge: &Edge) {
        let (x, y) = (self.root(edge.a), self.root(edge.b));
        if x == y {
            return;
        }
        let (top, below) = if self.size[x as usize] >= self.size[y as usize] { (x, y) } else { (y, x) };
        self.parent[below as usize] = top;
        self.size[top as usize] += self.size[below as usize];
        self.weakest[top as usize] = Some(*edge);
    }

    fn collect(mut self, edges: &[Edge], degrees: &[Degree]) -> Vec<Group> {
        let mut place = vec![u32::MAX; degrees.len()];
        let mut groups: Vec<Group> = Vec::new();
        for (node, degree) in (0u32..).zip(degrees) {
            let root = self.root(node) as usize;
            let Some(weakest) = self.weakest[root] else { continue };
            if place[root] == u32::MAX {
                place[root] = groups.len() as u32;
                let (members, sums) = (Vec::new(), Vec::new());
                groups.push(Group { members, edges: Vec::new(), pairs: 0, sums, weakest, bridges: Vec::new() });
            }
            let group = &mut groups[place[root] as usize];
            group.members.push(node);
            group.sums.push(degree.sum());
            group.pairs += degree.pairs;
        }
        for edge in edges {
            let root = self.root(edge.a) as usize;
            groups[place[root] as usize].edges.push(*edge);
        }
        for group in &mut groups {
            // Each pair was counted at both of its documents.
            group.pairs /= 2;
            group.bridges = bridges::bridges(&group.members, &group.edges);
            group.bridges.sort_by(|x, y| descending(y, x).then((x.a, x.b).cmp(&(y.a, y.b))));
        }
        groups.sort_by_key(|group| (std::cmp::Reverse(group.members.len()), group.members[0]));
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edge(a: u32, b: u32, score: f64) -> Edge {
        Edge { a, b, score }
    }

    #[test]
    fn two_triangles_on_one_bridge() {
        let edges = [
            edge(0, 1, 0.9),
            edge(1, 2, 0.95),
            edge(2, 0, 0.92),
            edge(2, 3, 0.5),
            edge(3, 4, 0.9),
            edge(4, 5, 0.8),
            edge(5, 3, 0.7),
            edge(7, 8, 1.0),
        ];
        let found = groups(9, &edges);
        assert_eq!(found.len(), 2);
        let [first, second] = &found[..] else { panic!() };
        assert_eq!((&first.members[..], first.edges.len(), first.pairs), (&[0, 1, 2, 3, 4, 5][..], 7, 7));
        assert_eq!((first.weakest, &first.bridges[..]), (edge(2, 3, 0.5), &[edge(2, 3, 0.5)][..]));
        assert_eq!((first.central(), first.possible(None), first.possible(Some(&|m| [m < 2, m >= 2]))), (2, 15, 8));
        assert_eq!(first.possible(Some(&|m| [m < 3, m > 1])), 15 - 1 - 3, "one of them stands on both sides");
        assert_eq!((&second.members[..], second.bridges.len()), (&[7, 8][..], 1));
    }

    #[test]
    fn sums_do_not_depend_on_the_order() {
        let scores = [0.1, 0.951_219_512_195_121_9, 1.0, 0.3, 0.7];
        let (mut one, mut other) = (Degree::default(), Degree::default());
        scores.iter().for_each(|score| one.add(300, *score));
        (0..300).for_each(|_| scores.iter().rev().for_each(|score| other.add(1, *score)));
        assert_eq!((one.pairs, one.sum()), (other.pairs, other.sum()));
        assert!((one.sum() - 915.365_853_658_536_6).abs() < 1e-9);
    }

    #[test]
    fn repeated_pairs_and_loops_count_once() {
        let found = groups(3, &[edge(0, 1, 0.5), edge(1, 0, 0.75), edge(2, 2, 1.0)]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].edges.len(), found[0].weakest.score), (1, 0.75));
    }

    /// Number of groups with these pairs, found by going through all of them again and again.
    fn pieces(nodes: u32, edges: &[Edge]) -> usize {
        let mut label: Vec<u32> = (0..nodes).collect();
        for _ in 0..nodes {
            for e in edges {
                let least = label[e.a as usize].min(label[e.b as usize]);
                (label[e.a as usize], label[e.b as usize]) = (least, least);
            }
        }
        label.sort_unstable();
        label.dedup();
        label.len()
    }

    proptest! {
        #[test]
        fn bridges_and_weakest_links_are_what_they_say(
            pairs in proptest::collection::vec((0u32..12, 0u32..12, 0u32..100), 0..30),
        ) {
            let edges: Vec<Edge> = pairs.iter().map(|&(a, b, s)| edge(a, b, f64::from(s))).collect();
            for group in groups(12, &edges) {
                let whole = pieces(12, &group.edges);
                for (i, e) in group.edges.iter().enumerate() {
                    let mut without = group.edges.clone();
                    without.remove(i);
                    prop_assert_eq!(pieces(12, &without) > whole, group.bridges.contains(e));
                }
                let at: Vec<Edge> = group.edges.iter().filter(|e| e.score >= group.weakest.score).copied().collect();
                let above: Vec<Edge> = group.edges.iter().filter(|e| e.score > group.weakest.score).copied().collect();
                prop_assert_eq!(pieces(12, &at), whole);
                prop_assert!(pieces(12, &above) > whole);
            }
        }
    }
}
