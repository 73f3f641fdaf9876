//! WebWalker: a walk along links that ends up everywhere with the same probability.
//!
//! Links are taken both ways, and every page has as many neighbours as any other because it is its own neighbour for the
//! rest: d in all. Such a walk has the uniform distribution as its limit on what it can reach. Most of its steps stay where
//! they are, so they are not made: the time at a page is drawn at once. Which neighbours a page has is settled when it is
//! first visited: its links, up to r of the links to it, and the pages that already count it among theirs; a page that was
//! settled without it stays without it. (Bar-Yossef, Berg, Chien, Fakcharoenphol, Weitz: *Approximating aggregate queries
//! about web pages via random walks*, VLDB 2000.)

use std::collections::{BTreeSet, HashMap};

use dejaview_base::random::Random;

/// Pages and the links between them.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// For each page those that it links to.
    pub links: Vec<Vec<u32>>,
    /// For each page those that link to it.
    pub linked: Vec<Vec<u32>>,
}

impl Graph {
    /// A graph of this many pages. Repeated links and links from a page to itself are left out.
    pub fn new(pages: usize, links: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let sorted: BTreeSet<(u32, u32)> = links.into_iter().filter(|(from, to)| from != to).collect();
        let mut graph = Self { links: vec![Vec::new(); pages], linked: vec![Vec::new(); pages] };
        for (from, to) in sorted {
            if (from as usize) < pages && (to as usize) < pages {
                graph.links[from as usize].push(to);
                graph.linked[to as usize].push(from);
            }
        }
        graph
    }
}

/// How a walk goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walk {
    /// The page it begins at.
    pub start: u32,
    /// Neighbours of every page, itself counted for the rest (d).
    pub degree: u64,
    /// Links to a page that are followed backwards at most (r).
    pub backwards: usize,
    /// Steps that go somewhere.
    pub moves: usize,
    pub seed: u64,
}

/// The walk at a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    pub page: u32,
    pub steps: u64,
}

/// The pages visited, in order. Ends early at a page without neighbours.
pub fn walk(graph: &Graph, walk: &Walk) -> Vec<Visit> {
    let mut walker =
        Walker { graph, walk, random: Random::new(walk.seed, 0), settled: HashMap::new(), waiting: HashMap::new() };
    let mut visits = Vec::with_capacity(walk.moves);
    let mut page = walk.start;
    for _ in 0..walk.moves {
        walker.settle(page);
        let neighbours = walker.settled[&page].len() as u64;
        visits.push(Visit { page, steps: walker.stay(neighbours) });
        if neighbours == 0 {
            break;
        }
        let next = walker.random.below(neighbours) as usize;
        page = walker.settled[&page][next];
    }
    visits
}

/// Draws pages of a walk, each step as probable as any other; the first part of the walk is left out, so that where it
/// began does not matter.
pub fn draw(visits: &[Visit], leave_out: f64, size: usize, random: &mut Random) -> Vec<u32> {
    let first = (visits.len() as f64 * leave_out.clamp(0.0, 1.0)) as usize;
    let rest = &visits[first.min(visits.len())..];
    let mut ends: Vec<u64> = Vec::with_capacity(rest.len());
    for visit in rest {
        ends.push(ends.last().copied().unwrap_or_default().saturating_add(visit.steps));
    }
    let all = ends.last().copied().unwrap_or_default();
    let mut draw = || {
        let at = random.below(all);
        rest[ends.partition_point(|end| *end <= at)].page
    };
    if all == 0 { Vec::new() } else { (0..size).map(|_| draw()).collect() }
}

struct Walker<'a> {
    graph: &'a Graph,
    walk: &'a Walk,
    random: Random,
    settled: HashMap<u32, Vec<u32>>,
    /// For pages not settled yet, the settled ones that count them among theirs.
    waiting: HashMap<u32, Vec<u32>>,
}

impl Walker<'_> {
    /// Decides who the neighbours of a page are, once.
    fn settle(&mut self, page: u32) {
        if self.settled.contains_key(&page) {
            return;
        }
        let mut chosen: BTreeSet<u32> = self.graph.links[page as usize].iter().copied().collect();
        let mut linked = self.graph.linked[page as usize].clone();
        for i in 0..linked.len().min(self.walk.backwards) {
            let other = i + self.random.below((linked.len() - i) as u64) as usize;
            linked.swap(i, other);
            chosen.insert(linked[i]);
        }
        // A page that was settled without this one stays without it, or the walk could not come back.
        chosen.retain(|neighbour| !self.settled.contains_key(neighbour));
        chosen.extend(self.waiting.remove(&page).unwrap_or_default());
        chosen.remove(&page);
        for neighbour in &chosen {
            if !self.settled.contains_key(neighbour) {
                self.waiting.entry(*neighbour).or_default().push(page);
            }
        }
        self.settled.insert(page, chosen.into_iter().collect());
    }

    /// Steps until one leaves: geometric with probability neighbours/degree.
    fn stay(&mut self, neighbours: u64) -> u64 {
        let leaves = neighbours as f64 / self.walk.degree.max(1) as f64;
        if leaves >= 1.0 || neighbours == 0 {
            return 1;
        }
        let steps = (1.0 - self.random.unit()).ln() / (-leaves).ln_1p();
        1 + steps.min(1e15) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages on a ring, a fifth of which are linked to by everyone: far from uniform by links alone.
    fn graph(pages: u32) -> Graph {
        let ring = (0..pages).map(|n| (n, (n + 1) % pages));
        let hubs = (0..pages)
            .flat_map(|n| (0..pages / 5).filter(move |hub| (n * 7 + hub * 13) % 5 == 0).map(move |hub| (n, hub)));
        Graph::new(pages as usize, ring.chain(hubs))
    }

    #[test]
    fn the_time_at_every_page_is_about_the_same() {
        let pages = 100;
        let walked =
            walk(&graph(pages), &Walk { start: 99, degree: 10_000_000, backwards: 1_000, moves: 60_000, seed: 1 });
        let mut time = vec![0.0; pages as usize];
        let mut visits = vec![0u32; pages as usize];
        for visit in &walked[1_000..] {
            time[visit.page as usize] += visit.steps as f64;
            visits[visit.page as usize] += 1;
        }
        let all: f64 = time.iter().sum();
        let off: f64 = time.iter().map(|t| (t / all - 1.0 / f64::from(pages)).abs()).sum::<f64>() / 2.0;
        let uneven: f64 = visits.iter().map(|v| (f64::from(*v) / 59_000.0 - 0.01).abs()).sum::<f64>() / 2.0;
        assert!(off < 0.05, "{off} of the time is misplaced");
        assert!(uneven > 0.2, "visits alone are far from uniform: {uneven}");
    }

    #[test]
    fn few_backward_links_still_reach_all_that_is_strongly_connected() {
        for backwards in [0, 3, 10] {
            let walked = walk(&graph(60), &Walk { start: 0, degree: 10_000_000, backwards, moves: 20_000, seed: 2 });
            let seen: BTreeSet<u32> = walked.iter().map(|visit| visit.page).collect();
            assert_eq!(seen.len(), 60, "r = {backwards}");
        }
    }

    #[test]
    fn drawn_pages_tell_the_share_of_a_kind() {
        let pages = 100;
        let walked =
            walk(&graph(pages), &Walk { start: 3, degree: 10_000_000, backwards: 1_000, moves: 60_000, seed: 3 });
        let drawn = draw(&walked, 0.1, 4_000, &mut Random::new(3, 1));
        let hubs = drawn.iter().filter(|page| **page < 20).count() as f64 / 4_000.0;
        assert!((hubs - 0.2).abs() < 0.05, "a fifth are hubs: {hubs}");
        let visited = walked.iter().filter(|visit| visit.page < 20).count() as f64 / walked.len() as f64;
        assert!(visited > 0.4, "by visits it would be {visited}");
    }

    #[test]
    fn a_walk_that_cannot_leave_ends() {
        let alone = walk(&Graph::new(2, []), &Walk { start: 1, degree: 10, backwards: 3, moves: 5, seed: 1 });
        assert_eq!(alone, [Visit { page: 1, steps: 1 }]);
        assert_eq!(draw(&[], 0.1, 5, &mut Random::new(1, 1)), Vec::<u32>::new());
    }

    #[test]
    fn the_same_seed_walks_the_same_way() {
        let way = Walk { start: 0, degree: 10_000, backwards: 3, moves: 200, seed: 9 };
        assert_eq!(walk(&graph(30), &way), walk(&graph(30), &way));
        assert_ne!(walk(&graph(30), &way), walk(&graph(30), &Walk { seed: 10, ..way }));
    }
}
